/* stretches.c -- see stretches.h. */
#include "config.h"

#include "decoder/analyses/stretches.h"
#include "decoder/formats/mlpd-decode.h"
#include "decoder/formats/mlpd-origin.h"

#include <proflog/mlpd-reader.h>
#include <string.h>

/* Bytes of a stretch that is read, or of an index, unless one buffer is larger. */
#define RUN_BYTES ((size_t) 1 << 20)

/* Bytes that are read for a file header, if it needs no more and the rest is not read here. */
#define HEADER_BYTES ((size_t) 4 << 10)

/* Bytes that are looked at for where a buffer begins. */
#define GUESS_BYTES ((size_t) 128 << 10)

void
stretches_init (struct stretches *s, struct log_input *input, unsigned threads, size_t bytes)
{
  *s = (struct stretches){ .input = input,
                           .threads = threads,
                           .bytes = bytes,
                           .reads_headers = log_input_size (input) != 0,
                           .carry = g_byte_array_new () };
}

void
stretches_clear (struct stretches *s)
{
  g_byte_array_unref (s->carry);
}

/* Fills a stretch up to `wanted` bytes, or to the end of the input. */
static bool
fill (struct stretches *s, struct stretch *stretch, size_t wanted, GError **error)
{
  if (stretch->room < wanted) {
    stretch->room = wanted;
    stretch->bytes = g_realloc (stretch->bytes, wanted);
  }
  while (stretch->length < wanted && !s->at_end) {
    size_t n;
    if (!log_input_fill (s->input, stretch->bytes + stretch->length, wanted - stretch->length, &n,
                         error))
      return false;
    stretch->length += n;
    s->at_end = n == 0;
  }
  return true;
}

enum found {
  FOUND_BUFFER,
  FOUND_HEADER,
  FOUND_PART, /* of a buffer: more bytes would tell */
  FOUND_NOTHING,
};

/* What is at `at`; *length is how long it is or, of a part, will be. */
static enum found
look (const uint8_t *at, size_t left, struct mlpd_buffer_header *buffer, size_t *length)
{
  *length = MLPD_BUFFER_HEADER_SIZE;
  if (left < MLPD_BUFFER_HEADER_SIZE)
    return FOUND_PART;
  struct cursor c = cursor_over (at, MLPD_BUFFER_HEADER_SIZE);
  mlpd_decode_buffer_header (&c, buffer);
  if (buffer->id == MLPD_FILE_ID)
    return FOUND_HEADER;
  if (buffer->id != MLPD_BUFFER_ID || buffer->length > BUFFER_WHOLE_MAX)
    return FOUND_NOTHING;
  *length = MLPD_BUFFER_HEADER_SIZE + buffer->length;
  return *length <= left ? FOUND_BUFFER : FOUND_PART;
}

/* Whether a file header is at the beginning of a stretch, and how long it is. */
static bool
take_header (struct stretches *s, const struct stretch *stretch, size_t *length)
{
  struct cursor c = cursor_over (stretch->bytes, stretch->length);
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  if (c.error != CURSOR_OK || header.id != MLPD_FILE_ID || header.data_version == 0
      || (header.pointer_size != 4 && header.pointer_size != 8))
    return false;
  s->alloc_sampling = mlpd_header_alloc_sampling (&header);
  header.arguments = header.architecture = header.operating_system = (struct mlpd_string){ 0 };
  s->header = header;
  s->has_header = true;
  *length = (size_t) (c.at - stretch->bytes);
  return true;
}

/* Whole buffers from the beginning of a stretch on: how many bytes they have. */
static size_t
measure (struct stretch *stretch, enum found *behind, size_t *needed)
{
  size_t at = 0;
  for (;;) {
    struct mlpd_buffer_header buffer;
    if (at == stretch->length) {
      *behind = FOUND_PART;
      *needed = at;
      return at;
    }
    *behind = look (stretch->bytes + at, stretch->length - at, &buffer, needed);
    if (*behind != FOUND_BUFFER)
      return at;
    stretch->end_mark = buffer.length == 0;
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
    if (look (found, length - at, &buffer, &size) == FOUND_BUFFER && buffer.thread < MLPD_BASE_LIMIT
        && buffer.ptr_base < MLPD_BASE_LIMIT)
      return at;
  }
}

/* The stretch ends at `length`; what is behind comes with the next one. */
static void
cut (struct stretches *s, struct stretch *stretch, size_t length)
{
  g_byte_array_set_size (s->carry, 0);
  g_byte_array_append (s->carry, stretch->bytes + length, (guint) (stretch->length - length));
  stretch->length = length;
  s->offset += length;
}

void
stretches_choose (struct stretches *s, struct buffer_choice *choice)
{
  s->choice = choice;
  if (choice != NULL && choice->index != NULL)
    s->reads_headers = false;
}

/* ---- of an index ---- */

static bool
is_passed (const struct stretches *s, const struct indexed_buffer *buffer)
{
  return buffer_choice_use (s->choice, buffer->thread, buffer->time_base, buffer->offset)
         == BUFFER_PASS;
}

/* Buffers that are all passed, or all not: how many bytes they have.  Those that are not are no
 * more than a stretch. */
static uint64_t
take_run (struct stretches *s, struct stretch *stretch)
{
  const GArray *buffers = s->choice->index->buffers;
  uint64_t length = 0;
  stretch->passed = is_passed (s, &g_array_index (buffers, struct indexed_buffer, s->next));
  for (; s->next < buffers->len; s->next++) {
    const struct indexed_buffer *buffer = &g_array_index (buffers, struct indexed_buffer, s->next);
    if (length != 0
        && (is_passed (s, buffer) != stretch->passed
            || (!stretch->passed && length + indexed_buffer_size (buffer) > RUN_BYTES)))
      break;
    length += indexed_buffer_size (buffer);
    stretch->end_mark = buffer->length == 0;
  }
  return length;
}

/* The next stretch, of buffers that are in the index; first of all the file header. */
static bool
next_of_index (struct stretches *s, struct stretch *stretch, GError **error)
{
  const struct buffer_index *index = s->choice->index;
  uint64_t length = index->header_length;
  stretch->plain = s->offset == 0;
  if (stretch->plain) {
    s->header = index->header;
    s->alloc_sampling = index->alloc_sampling;
    s->has_header = true;
  } else {
    length = take_run (s, stretch);
  }
  stretch->length = (size_t) length;
  s->offset += length;
  if (s->offset == index->end)
    log_input_seek (s->input, s->offset); /* what follows is read in turn */
  if (stretch->passed)
    return true;
  if (stretch->room < stretch->length) {
    g_free (stretch->bytes);
    stretch->room = MAX (RUN_BYTES, stretch->length);
    stretch->bytes = g_malloc (stretch->room);
  }
  if (log_input_read_at (s->input, stretch->offset, stretch->bytes, stretch->length)
      == stretch->length)
    return true;
  g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT,
               "%s: cannot be read at offset %" G_GUINT64_FORMAT, log_input_name (s->input),
               stretch->offset);
  return false;
}

/* Times count from the first buffer, whole or not. */
static void
begin_choice (struct stretches *s, const struct stretch *stretch)
{
  struct cursor c = cursor_over (stretch->bytes, stretch->length);
  struct mlpd_buffer_header buffer;
  if (s->choice == NULL || s->choice->begun || stretch->length < MLPD_BUFFER_HEADER_SIZE)
    return;
  mlpd_decode_buffer_header (&c, &buffer);
  if (buffer.id == MLPD_BUFFER_ID)
    buffer_choice_begin (s->choice, buffer.time_base);
}

/* ---- of headers ---- */

/* Long stretches are scanned in less time than short ones.  But at the beginning of a log, methods
 * are left that were not seen to be entered, which takes long to the end of the stretch; and at the
 * end of the log all threads are to have something to do. */
static uint64_t
stretch_bytes (const struct stretches *s, uint64_t left)
{
  return CLAMP (MIN (s->offset / 2, left / (2 * s->threads)), s->bytes / 32, s->bytes);
}

/* A guess where the first buffer behind `wanted` bytes begins; 0: none. */
static uint64_t
guess_border (const struct stretches *s, uint64_t wanted)
{
  uint8_t *bytes = g_malloc (GUESS_BYTES);
  const size_t length = log_input_read_at (s->input, s->offset + wanted, bytes, GUESS_BYTES);
  const size_t at = search (bytes, length, 0);
  g_free (bytes);
  return at < length ? wanted + at : 0;
}

/* The header of a whole buffer, which is `at` bytes behind the last stretch. */
static bool
read_header (const struct stretches *s, uint64_t at, struct mlpd_buffer_header *buffer,
             size_t *length)
{
  uint8_t header[MLPD_BUFFER_HEADER_SIZE];
  const uint64_t left = log_input_size (s->input) - s->offset - at;
  return left >= sizeof header
         && log_input_read_at (s->input, s->offset + at, header, sizeof header) == sizeof header
         && look (header, (size_t) MIN (left, SIZE_MAX), buffer, length) == FOUND_BUFFER;
}

/* The next stretch, of buffers that are not read.  False: there are none here, and from here on all
 * is read in turn. */
static bool
next_of_headers (struct stretches *s, struct stretch *stretch)
{
  const uint64_t left = log_input_size (s->input) - MIN (s->offset, log_input_size (s->input));
  const uint64_t wanted = stretch_bytes (s, left);
  struct mlpd_buffer_header buffer;
  size_t length;
  s->reads_headers = stretch->unread = left != 0 && read_header (s, 0, &buffer, &length);
  if (!stretch->unread)
    return false;
  if (s->choice != NULL && !s->choice->begun)
    buffer_choice_begin (s->choice, buffer.time_base);
  if (left > 2 * wanted + GUESS_BYTES)
    stretch->length = (size_t) guess_border (s, wanted);
  if (stretch->length == 0)
    do
      stretch->length += length;
    while (stretch->length < wanted && read_header (s, stretch->length, &buffer, &length));
  s->offset += stretch->length;
  return true;
}

bool
stretches_next (struct stretches *s, struct stretch *stretch, GError **error)
{
  stretch->length = 0;
  stretch->plain = stretch->passed = stretch->unread = stretch->end_mark = false;
  stretch->offset = s->offset;
  if (s->choice != NULL && s->choice->index != NULL && s->offset < s->choice->index->end)
    return next_of_index (s, stretch, error);
  if (s->reads_headers && s->has_header) {
    if (next_of_headers (s, stretch))
      return true;
    g_byte_array_set_size (s->carry, 0);
    log_input_seek (s->input, s->offset);
    s->at_end = false;
  }
  const size_t run = MIN (s->bytes, RUN_BYTES);
  const size_t wanted = s->reads_headers && !s->has_header ? MIN (run, HEADER_BYTES) : run;
  if (stretch->room < MAX (wanted, s->carry->len)) {
    stretch->room = MAX (wanted, s->carry->len);
    g_free (stretch->bytes);
    stretch->bytes = g_malloc (stretch->room);
  }
  if (s->carry->len != 0)
    memcpy (stretch->bytes, s->carry->data, s->carry->len);
  stretch->length = s->carry->len;
  g_byte_array_set_size (s->carry, 0);
  if (!fill (s, stretch, wanted, error))
    return false;
  if (stretch->length == 0)
    return true;

  enum found behind = FOUND_NOTHING;
  size_t needed = 0, length = 0;
  if (s->has_header) {
    length = measure (stretch, &behind, &needed);
    if (length == 0 && behind == FOUND_PART && !s->at_end) {
      if (!fill (s, stretch, needed, error)) /* one that is longer than a stretch */
        return false;
      length = measure (stretch, &behind, &needed);
    }
  } else {
    behind = FOUND_HEADER;
  }
  if (s->has_header)
    begin_choice (s, stretch);
  if (length != 0) {
    cut (s, stretch, length);
    return true;
  }
  stretch->plain = true;
  bool is_header = behind == FOUND_HEADER && take_header (s, stretch, &length);
  if (!is_header && wanted < run) {
    if (!fill (s, stretch, run, error))
      return false;
    is_header = take_header (s, stretch, &length);
  }
  if (is_header)
    cut (s, stretch, length);
  else
    cut (s, stretch, s->has_header ? search (stretch->bytes, stretch->length, 1) : stretch->length);
  return true;
}
