/* log-chunks.c -- reads headers, and finds the borders of chunks. */
#include "config.h"

#include "decoder/mlpd/scan/log-chunks.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-origin.h"

#include <proflog/mlpd-reader.h>
#include <string.h>

/* Bytes of a chunk that is read, or of an index, unless one buffer is larger. */
#define RUN_BYTES ((size_t) 1 << 20)

/* Bytes that are read for a file header, if it needs no more and the rest is not read here. */
#define HEADER_BYTES ((size_t) 4 << 10)

/* Bytes that are inspected for where a buffer begins. */
#define GUESS_BYTES ((size_t) 128 << 10)

void
log_chunks_init (struct log_chunks *s, struct log_input *input, unsigned threads, size_t bytes)
{
  *s = (struct log_chunks){ .input = input,
                            .threads = threads,
                            .bytes = bytes,
                            .reads_headers = log_input_size (input) != 0,
                            .carry = g_byte_array_new () };
}

void
log_chunks_clear (struct log_chunks *s)
{
  g_byte_array_unref (s->carry);
}

/* Fills a chunk up to `wanted` bytes, or to the end of the input. */
static bool
fill (struct log_chunks *s, struct log_chunk *chunk, size_t wanted, GError **error)
{
  if (chunk->room < wanted) {
    chunk->room = wanted;
    chunk->bytes = g_realloc (chunk->bytes, wanted);
  }
  while (chunk->length < wanted && !s->at_end) {
    size_t n;
    if (!log_input_fill (s->input, chunk->bytes + chunk->length, wanted - chunk->length, &n, error))
      return false;
    chunk->length += n;
    s->at_end = n == 0;
  }
  return true;
}

enum found {
  FOUND_BUFFER,
  FOUND_HEADER,
  FOUND_PART, /* of a buffer: more bytes would decide */
  FOUND_NOTHING,
};

/* What is at `at`; *length is how long it is or, of a part, will be. */
static enum found
parse_header_at (const uint8_t *at, size_t left, struct mlpd_buffer_header *buffer, size_t *length)
{
  *length = MLPD_BUFFER_HEADER_SIZE;
  if (left < MLPD_BUFFER_HEADER_SIZE)
    return FOUND_PART;
  struct cursor c = cursor_over (at, MLPD_BUFFER_HEADER_SIZE);
  mlpd_decode_buffer_header (&c, buffer);
  if (buffer->id == MLPD_FILE_ID)
    return FOUND_HEADER;
  if (!buffer_is_plain (buffer))
    return FOUND_NOTHING;
  *length = MLPD_BUFFER_HEADER_SIZE + buffer->length;
  return *length <= left ? FOUND_BUFFER : FOUND_PART;
}

/* Whether a file header is at the beginning of a chunk, and how long it is. */
static bool
parse_file_header (struct log_chunks *s, const struct log_chunk *chunk, size_t *length)
{
  struct cursor c = cursor_over (chunk->bytes, chunk->length);
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  if (c.error != CURSOR_OK || header.id != MLPD_FILE_ID || header.data_version == 0
      || (header.pointer_size != 4 && header.pointer_size != 8))
    return false;
  s->alloc_sampling = mlpd_header_alloc_sampling (&header);
  header.arguments = header.architecture = header.operating_system = (struct mlpd_string){ 0 };
  header.has_byte_objects = header.data_version == 1 && log_input_has_byte_objects (s->input);
  s->header = header;
  s->has_header = true;
  *length = (size_t) (c.at - chunk->bytes);
  return true;
}

/* Whole buffers from the beginning of a chunk on: how many bytes they have. */
static size_t
measure_buffers (struct log_chunk *chunk, enum found *after, size_t *needed)
{
  size_t at = 0;
  for (;;) {
    struct mlpd_buffer_header buffer;
    if (at == chunk->length) {
      *after = FOUND_PART;
      *needed = at;
      return at;
    }
    *after = parse_header_at (chunk->bytes + at, chunk->length - at, &buffer, needed);
    if (*after != FOUND_BUFFER)
      return at;
    chunk->end_mark = mlpd_is_end_mark (&buffer);
    at += *needed;
  }
}

/* Where, from `at` on, buffers may begin again; `length` if nowhere. */
static size_t
search (const uint8_t *bytes, size_t length, size_t at)
{
  static const uint8_t id[] = { MLPD_BUFFER_ID & 0xff, MLPD_BUFFER_ID >> 8 & 0xff,
                                MLPD_BUFFER_ID >> 16 & 0xff, MLPD_BUFFER_ID >> 24 & 0xff };
  for (;; at++) {
    const uint8_t *found = at < length ? memmem (bytes + at, length - at, id, sizeof id) : NULL;
    if (found == NULL)
      return length;
    at = (size_t) (found - bytes);
    struct mlpd_buffer_header buffer;
    size_t size;
    if (parse_header_at (found, length - at, &buffer, &size) == FOUND_BUFFER
        && buffer.thread < MLPD_BASE_LIMIT && buffer.ptr_base < MLPD_BASE_LIMIT)
      return at;
  }
}

/* The chunk ends at `length`; what is after comes with the next one. */
static void
split_at (struct log_chunks *s, struct log_chunk *chunk, size_t length)
{
  g_byte_array_set_size (s->carry, 0);
  g_byte_array_append (s->carry, chunk->bytes + length, (guint) (chunk->length - length));
  chunk->length = length;
  s->offset += length;
}

void
log_chunks_set_filter (struct log_chunks *s, struct buffer_filter *filter)
{
  s->filter = filter;
  if (filter != NULL && filter->index != NULL)
    s->reads_headers = false;
}

/* ---- of an index ---- */

static bool
is_skipped (const struct log_chunks *s, const struct indexed_buffer *buffer)
{
  return buffer_filter_use (s->filter, buffer->thread, buffer->time_base, buffer->offset)
         == BUFFER_SKIP;
}

/* Buffers that are all passed, or all not: how many bytes they have.  Those that are not are no
 * more than a chunk. */
static uint64_t
index_run (struct log_chunks *s, struct log_chunk *chunk)
{
  const GArray *buffers = s->filter->index->buffers;
  uint64_t length = 0;
  chunk->skipped = is_skipped (s, &g_array_index (buffers, struct indexed_buffer, s->next));
  for (; s->next < buffers->len; s->next++) {
    const struct indexed_buffer *buffer = &g_array_index (buffers, struct indexed_buffer, s->next);
    if (length != 0
        && (is_skipped (s, buffer) != chunk->skipped
            || (!chunk->skipped && length + indexed_buffer_size (buffer) > RUN_BYTES)))
      break;
    length += indexed_buffer_size (buffer);
    chunk->end_mark = buffer->is_end_mark;
  }
  return length;
}

/* The next chunk, of buffers that are in the index; first of all the file header. */
static bool
next_of_index (struct log_chunks *s, struct log_chunk *chunk, GError **error)
{
  const struct buffer_index *index = s->filter->index;
  uint64_t length = index->header_length;
  chunk->plain = s->offset == 0;
  if (chunk->plain) {
    s->header = index->header;
    s->alloc_sampling = index->alloc_sampling;
    s->has_header = true;
  } else {
    length = index_run (s, chunk);
  }
  chunk->length = (size_t) length;
  s->offset += length;
  if (s->offset == index->end)
    log_input_seek (s->input, s->offset); /* what follows is read in turn */
  if (chunk->skipped)
    return true;
  if (chunk->room < chunk->length) {
    g_free (chunk->bytes);
    chunk->room = MAX (RUN_BYTES, chunk->length);
    chunk->bytes = g_malloc (chunk->room);
  }
  if (log_input_read_at (s->input, chunk->offset, chunk->bytes, chunk->length) == chunk->length)
    return true;
  g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT,
               "%s: cannot be read at offset %" G_GUINT64_FORMAT, log_input_name (s->input),
               chunk->offset);
  return false;
}

/* Times count from the first buffer, whole or not. */
static void
begin_filter (struct log_chunks *s, const struct log_chunk *chunk)
{
  struct cursor c = cursor_over (chunk->bytes, chunk->length);
  struct mlpd_buffer_header buffer;
  if (s->filter == NULL || s->filter->begun || chunk->length < MLPD_BUFFER_HEADER_SIZE)
    return;
  mlpd_decode_buffer_header (&c, &buffer);
  if (buffer.id == MLPD_BUFFER_ID)
    buffer_filter_begin (s->filter, buffer.time_base);
}

/* ---- of headers ---- */

/* Long chunks are scanned in less time than short ones.  But at the beginning of a log, methods are
 * left that were not seen to be entered, which is slow up to the end of the chunk; and at the end
 * of the log all threads are to have something to do. */
static uint64_t
chunk_bytes (const struct log_chunks *s, uint64_t left)
{
  return CLAMP (MIN (s->offset / 2, left / (2 * s->threads)), s->bytes / 32, s->bytes);
}

/* A guess where the first buffer after `wanted` bytes begins; 0: none. */
static uint64_t
guess_border (const struct log_chunks *s, uint64_t wanted)
{
  uint8_t *bytes = g_malloc (GUESS_BYTES);
  const size_t length = log_input_read_at (s->input, s->offset + wanted, bytes, GUESS_BYTES);
  const size_t at = search (bytes, length, 0);
  g_free (bytes);
  return at < length ? wanted + at : 0;
}

/* The header of a whole buffer, which is `at` bytes after the last chunk. */
static bool
read_header (const struct log_chunks *s, uint64_t at, struct mlpd_buffer_header *buffer,
             size_t *length)
{
  uint8_t header[MLPD_BUFFER_HEADER_SIZE];
  const uint64_t left = log_input_size (s->input) - s->offset - at;
  return left >= sizeof header
         && log_input_read_at (s->input, s->offset + at, header, sizeof header) == sizeof header
         && parse_header_at (header, (size_t) MIN (left, SIZE_MAX), buffer, length) == FOUND_BUFFER;
}

/* The next chunk, of buffers that are not read.  False: there are none here, and from here on all
 * is read in turn. */
static bool
next_of_headers (struct log_chunks *s, struct log_chunk *chunk)
{
  const uint64_t left = log_input_size (s->input) - MIN (s->offset, log_input_size (s->input));
  const uint64_t wanted = chunk_bytes (s, left);
  struct mlpd_buffer_header buffer;
  size_t length;
  s->reads_headers = chunk->unread = left != 0 && read_header (s, 0, &buffer, &length);
  if (!chunk->unread)
    return false;
  if (s->filter != NULL && !s->filter->begun)
    buffer_filter_begin (s->filter, buffer.time_base);
  if (left > 2 * wanted + GUESS_BYTES)
    chunk->length = (size_t) guess_border (s, wanted);
  if (chunk->length == 0)
    do
      chunk->length += length;
    while (chunk->length < wanted && read_header (s, chunk->length, &buffer, &length));
  s->offset += chunk->length;
  return true;
}

/* Begins a chunk that is read here, of at least `wanted` bytes, with those that the chunk before
 * left.
 */
static bool
begin_chunk (struct log_chunks *s, struct log_chunk *chunk, size_t wanted, GError **error)
{
  if (chunk->room < MAX (wanted, s->carry->len)) {
    chunk->room = MAX (wanted, s->carry->len);
    g_free (chunk->bytes);
    chunk->bytes = g_malloc (chunk->room);
  }
  if (s->carry->len != 0)
    memcpy (chunk->bytes, s->carry->data, s->carry->len);
  chunk->length = s->carry->len;
  g_byte_array_set_size (s->carry, 0);
  return fill (s, chunk, wanted, error);
}

/* Whole buffers at the beginning of a chunk that was read here: how many bytes they have. */
static bool
find_buffers (struct log_chunks *s, struct log_chunk *chunk, enum found *after, size_t *length,
              GError **error)
{
  size_t needed;
  *length = measure_buffers (chunk, after, &needed);
  if (*length == 0 && *after == FOUND_PART && !s->at_end) {
    if (!fill (s, chunk, needed, error)) /* one that is longer than a chunk */
      return false;
    *length = measure_buffers (chunk, after, &needed);
  }
  begin_filter (s, chunk);
  return true;
}

/* The next chunk, which is read here.  `run`: bytes of it, unless one buffer is larger. */
static bool
next_of_bytes (struct log_chunks *s, struct log_chunk *chunk, size_t run, GError **error)
{
  const bool may_be_short = s->reads_headers && !s->has_header;
  const size_t wanted = may_be_short ? MIN (run, HEADER_BYTES) : run;
  enum found after = FOUND_HEADER;
  size_t length = 0;
  if (!begin_chunk (s, chunk, wanted, error))
    return false;
  if (chunk->length == 0)
    return true;
  if (s->has_header && !find_buffers (s, chunk, &after, &length, error))
    return false;
  if (length != 0) {
    split_at (s, chunk, length);
    return true;
  }
  chunk->plain = true;
  bool is_header = after == FOUND_HEADER && parse_file_header (s, chunk, &length);
  if (!is_header && wanted < run) {
    if (!fill (s, chunk, run, error))
      return false;
    is_header = parse_file_header (s, chunk, &length);
  }
  if (is_header)
    split_at (s, chunk, length);
  else
    split_at (s, chunk, s->has_header ? search (chunk->bytes, chunk->length, 1) : chunk->length);
  return true;
}

bool
log_chunks_next (struct log_chunks *s, struct log_chunk *chunk, GError **error)
{
  chunk->length = 0;
  chunk->plain = chunk->skipped = chunk->unread = chunk->end_mark = false;
  chunk->offset = s->offset;
  if (s->filter != NULL && s->filter->index != NULL && s->offset < s->filter->index->end)
    return next_of_index (s, chunk, error);
  if (s->reads_headers && s->has_header) {
    if (next_of_headers (s, chunk))
      return true;
    g_byte_array_set_size (s->carry, 0);
    log_input_seek (s->input, s->offset);
    s->at_end = false;
  }
  return next_of_bytes (s, chunk, MIN (s->bytes, RUN_BYTES), error);
}
