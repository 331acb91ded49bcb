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
  *s = (struct log_chunks){
    .input = input, .threads = threads, .bytes = bytes, .reads_headers = log_input_size (input) != 0
  };
}

void
log_chunks_clear (struct log_chunks *s)
{
  g_free (s->ahead.bytes);
}

/* The bytes that were read and not given yet. */
static const uint8_t *
ahead (const struct log_chunks *s)
{
  return s->ahead.bytes + s->ahead.at;
}

/* Reads up to `wanted` bytes ahead, or to the end of the input. */
static bool
fill (struct log_chunks *s, size_t wanted, GError **error)
{
  struct log_ahead *const a = &s->ahead;
  if (a->length >= wanted)
    return true;
  if (a->at != 0)
    memmove (a->bytes, a->bytes + a->at, a->length);
  a->at = 0;
  if (a->room < wanted) {
    a->room = wanted;
    a->bytes = g_realloc (a->bytes, wanted);
  }
  while (a->length < wanted && !s->at_end) {
    size_t n;
    if (!log_input_fill (s->input, a->bytes + a->length, wanted - a->length, &n, error))
      return false;
    a->length += n;
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

/* The kind of the bytes at `at`; *length is their length or, of a part, that of the whole. */
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

/* Whether a file header is at the beginning of the bytes ahead, and how long it is. */
static bool
parse_file_header (struct log_chunks *s, size_t *length)
{
  struct cursor c = cursor_over (ahead (s), s->ahead.length);
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  if (c.error != CURSOR_OK || header.id != MLPD_FILE_ID || header.data_version == 0
      || (header.pointer_size != 4 && header.pointer_size != 8))
    return false;
  s->alloc_sampling = mlpd_header_alloc_sampling (&header);
  header.arguments = header.architecture = header.operating_system = (struct mlpd_string){ 0 };
  header.has_byte_objects = header.data_version == 1 && log_input_has_byte_objects (s->input);
  s->header = header;
  *length = (size_t) (c.at - ahead (s));
  return true;
}

/* Whole buffers from the beginning of the bytes ahead on: how many bytes they have. */
static size_t
measure_buffers (const struct log_chunks *s, bool *end_mark, enum found *after, size_t *needed)
{
  const size_t length = s->ahead.length;
  size_t at = 0;
  for (;;) {
    struct mlpd_buffer_header buffer;
    if (at == length) {
      *after = FOUND_PART;
      *needed = at;
      return at;
    }
    *after = parse_header_at (ahead (s) + at, length - at, &buffer, needed);
    if (*after != FOUND_BUFFER)
      return at;
    *end_mark = mlpd_is_end_mark (&buffer);
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

static void
reserve (struct log_chunk *chunk, size_t bytes)
{
  if (chunk->room >= bytes)
    return;
  g_free (chunk->bytes);
  chunk->room = bytes;
  chunk->bytes = g_malloc (bytes);
}

/* Gives the first `length` of the bytes ahead to the chunk: the fewer of these and of the rest are
 * copied. */
static void
give (struct log_chunks *s, struct log_chunk *chunk, size_t length)
{
  struct log_ahead *const a = &s->ahead;
  const size_t rest = a->length - length;
  if (a->at != 0 || length < rest) {
    reserve (chunk, length);
    memcpy (chunk->bytes, ahead (s), length);
    a->at += length;
  } else {
    reserve (chunk, MAX (rest, 1));
    memcpy (chunk->bytes, a->bytes + length, rest);
    const struct log_ahead given = *a;
    a->bytes = chunk->bytes;
    a->room = chunk->room;
    chunk->bytes = given.bytes;
    chunk->room = given.room;
  }
  a->length = rest;
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
    log_input_seek (s->input, s->offset); /* the rest is read in turn */
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
begin_filter (struct log_chunks *s)
{
  struct cursor c = cursor_over (ahead (s), s->ahead.length);
  struct mlpd_buffer_header buffer;
  if (s->filter == NULL || s->filter->begun || s->ahead.length < MLPD_BUFFER_HEADER_SIZE)
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

/* Whole buffers at the beginning of the bytes ahead: how many bytes they have. */
static bool
find_buffers (struct log_chunks *s, bool *end_mark, enum found *after, size_t *length,
              GError **error)
{
  size_t needed;
  *length = measure_buffers (s, end_mark, after, &needed);
  if (*length == 0 && *after == FOUND_PART && !s->at_end) {
    if (!fill (s, needed, error)) /* one that is longer than a chunk */
      return false;
    *length = measure_buffers (s, end_mark, after, &needed);
  }
  begin_filter (s);
  return true;
}

/* How many of the bytes ahead are plain: a file header, all of another log, or bytes that are no
 * buffer. */
static size_t
measure_plain (struct log_chunks *s, enum found after, bool *is_header)
{
  size_t length = 0;
  *is_header = after == FOUND_HEADER && !s->is_other && parse_file_header (s, &length);
  if (s->is_other || !s->has_header || *is_header)
    return *is_header && !s->has_header ? length : s->ahead.length;
  return search (ahead (s), s->ahead.length, 1);
}

/* The same; where they may go on after the bytes ahead, more are read. */
static bool
find_plain (struct log_chunks *s, enum found after, size_t run, size_t *length, GError **error)
{
  bool is_header;
  *length = measure_plain (s, after, &is_header);
  if (*length == s->ahead.length && *length < run) {
    if (!fill (s, run, error))
      return false;
    *length = measure_plain (s, after, &is_header);
  }
  s->is_other |= is_header && s->has_header;
  s->has_header |= is_header;
  return true;
}

/* The next chunk, which is read here.  `run`: bytes of it, unless one buffer is larger.  More is
 * read where less than half of that is left. */
static bool
next_of_bytes (struct log_chunks *s, struct log_chunk *chunk, size_t run, GError **error)
{
  const bool may_be_short = s->reads_headers && !s->has_header;
  const size_t wanted = may_be_short ? MIN (run, HEADER_BYTES) : run;
  enum found after = FOUND_HEADER;
  size_t length = 0;
  if (s->ahead.length < wanted / 2 && !fill (s, wanted, error))
    return false;
  if (s->ahead.length == 0)
    return true;
  if (s->has_header && !s->is_other && !find_buffers (s, &chunk->end_mark, &after, &length, error))
    return false;
  chunk->plain = length == 0;
  if (chunk->plain && !find_plain (s, after, run, &length, error))
    return false;
  give (s, chunk, length);
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
    s->ahead.length = 0;
    log_input_seek (s->input, s->offset);
    s->at_end = false;
  }
  return next_of_bytes (s, chunk, MIN (s->bytes, RUN_BYTES), error);
}
