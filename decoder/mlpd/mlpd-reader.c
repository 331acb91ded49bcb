/* mlpd-reader.c -- reads a .mlpd log, one item after the other: selects the next step. */
#include "config.h"

#include "decoder/core/foreign-file.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/mlpd-reader-private.h"

/* ---- the end of the input ---- */

/* The writer of proflog closes a log with an end mark; others do not. */
static bool
mlpd_lacks_end_mark (const struct mlpd_reader *r)
{
  return r->has_header && mlpd_header_is_ours (&r->header) && !r->end_is_settled;
}

static enum step
mlpd_emit_no_end_mark (struct mlpd_reader *r)
{
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_TRUNCATED,
                            "the log has no end mark at offset %" G_GUINT64_FORMAT
                            ": the program was killed "
                            "or the log was cut; how much is missing is unknown",
                            r->input.offset);
  r->end_is_settled = true;
  return mlpd_reader_emit_damage (r, false);
}

static enum step
emit_truncated (struct mlpd_reader *r, const char *what, const char *least, uint64_t missing,
                bool in_buffer)
{
  const uint64_t bytes = mlpd_reader_left (r);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_TRUNCATED,
                            "the log ends at offset %" G_GUINT64_FORMAT
                            " inside %s: %s%" G_GUINT64_FORMAT " bytes are missing there",
                            r->input.offset + bytes, what, least, missing);
  r->damage.missing = missing;
  mlpd_reader_consume (r, bytes);
  r->end_is_settled = true;
  r->state = STATE_ENDING;
  return mlpd_reader_emit_damage (r, in_buffer);
}

/* How many bytes a file header lacks that ends with the window: as many as are needed if the
 * missing ones are 0.  It may be more: of a text, the length may be missing. */
static enum step
emit_truncated_file_header (struct mlpd_reader *r)
{
  /* All texts but the one that is cut are there, or count as empty. */
  const size_t bytes = mlpd_reader_left (r),
               room = 2 * MLPD_FILE_HEADER_SIZE + MLPD_HEADER_STRING_MAX;
  uint8_t *whole = g_malloc0 (bytes + room);
  struct cursor c = cursor_over (whole, bytes + room);
  struct mlpd_file_header header;
  memcpy (whole, r->input.at, bytes);
  mlpd_decode_file_header (&c, &header);
  const size_t size = (size_t) (c.at - whole);
  const bool has_texts = header.major != 0 || bytes <= ID_SIZE;
  g_free (whole);
  return emit_truncated (r, "a file header", has_texts ? "at least " : "",
                         size > bytes ? size - bytes : 0, false);
}

/* The input ended where a header should be, or in one. */
static enum step
end_in_header (struct mlpd_reader *r)
{
  static const uint8_t buffer_id[ID_SIZE] = { 0x01, 0x4c, 0x50, 0x4d };
  static const uint8_t file_id[ID_SIZE] = { 0x01, 0x5a, 0x50, 0x4d };
  const size_t bytes = mlpd_reader_left (r);
  const size_t compared = MIN (bytes, ID_SIZE);
  if (r->state == STATE_START && bytes < ID_SIZE)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                             "not a profiler log: it has %" G_GSIZE_FORMAT
                             " bytes, the shortest log has %d",
                             bytes, MLPD_FILE_HEADER_SIZE);
  if (bytes == 0) {
    r->state = STATE_ENDING;
    return STEP_CONTINUE;
  }
  if (r->state == STATE_BORDER && memcmp (r->input.at, buffer_id, compared) == 0)
    return emit_truncated (r, "the header of a buffer", "", MLPD_BUFFER_HEADER_SIZE - bytes, false);
  if (memcmp (r->input.at, file_id, compared) == 0)
    return emit_truncated_file_header (r);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                            "no buffer begins at offset %" G_GUINT64_FORMAT
                            ", where the last %" G_GSIZE_FORMAT " bytes are",
                            r->input.offset, bytes);
  mlpd_reader_consume (r, bytes);
  r->state = STATE_ENDING;
  return mlpd_reader_emit_damage (r, false);
}

/* The rest of the input buffer is the last of the log, and too short for the state's step. */
static enum step
mlpd_read_input_end (void *reader)
{
  struct mlpd_reader *r = reader;
  switch (r->state) {
  case STATE_START:
  case STATE_BORDER:
    return end_in_header (r);
  case STATE_EVENTS:
  case STATE_SKIP:
    return emit_truncated (r, mlpd_reader_left (r) != 0 ? "an event" : "a buffer", "",
                           r->buffer_left - mlpd_reader_left (r), true);
  case STATE_DAMAGED:
    r->state = STATE_SKIP; /* the truncation is reported next */
    return mlpd_reader_emit_damage (r, true);
  case STATE_SEARCH:
  case STATE_OTHER:
    mlpd_reader_consume (r, mlpd_reader_left (r));
    r->state = STATE_ENDING;
    return mlpd_reader_emit_damage (r, false);
  default:
    r->state = STATE_END;
    return STEP_CONTINUE;
  }
}

static enum step
mlpd_read_ending (struct mlpd_reader *r)
{
  if (mlpd_lacks_end_mark (r))
    return mlpd_emit_no_end_mark (r);
  r->state = STATE_END;
  return STEP_CONTINUE;
}

/* ---- headers, and the search for one after damage ---- */

/* Limits of a header where none was expected. */
#define PLAUSIBLE_LENGTH_MAX (256u << 20)
#define PLAUSIBLE_MAJOR_MAX 9
#define PLAUSIBLE_DATA_VERSION_MAX 99

static uint32_t
mlpd_id_at (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, ID_SIZE);
  return cursor_u32 (&c);
}

/* Whether a buffer begins here though it need not: a written one has addresses and ids below 2^56
 * and no great length, while a chance find or text with the magic number in it hardly has. */
static bool
is_buffer_header (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, MLPD_BUFFER_HEADER_SIZE);
  struct mlpd_buffer_header h;
  mlpd_decode_buffer_header (&c, &h);
  return h.id == MLPD_BUFFER_ID && h.length <= PLAUSIBLE_LENGTH_MAX && h.ptr_base < MLPD_BASE_LIMIT
         && h.obj_base < MLPD_BASE_LIMIT && h.thread < MLPD_BASE_LIMIT
         && h.method_base < MLPD_BASE_LIMIT;
}

/* Whether a log begins here, after another one. */
static bool
mlpd_is_file_header (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, MLPD_FILE_HEADER_SIZE);
  struct mlpd_file_header h;
  mlpd_decode_file_header (&c, &h);
  return h.id == MLPD_FILE_ID && h.major <= PLAUSIBLE_MAJOR_MAX && h.data_version >= 1
         && h.data_version <= PLAUSIBLE_DATA_VERSION_MAX
         && (h.pointer_size == 4 || h.pointer_size == 8);
}

/* Is there a header of a buffer or a file right at the beginning of the input buffer? */
static enum mlpd_found
mlpd_find_header (const struct mlpd_reader *r)
{
  static const uint8_t ids[][ID_SIZE] = { { 0x01, 0x4c, 0x50, 0x4d }, { 0x01, 0x5a, 0x50, 0x4d } };
  static const size_t sizes[] = { MLPD_BUFFER_HEADER_SIZE, MLPD_FILE_HEADER_SIZE };
  for (unsigned i = 0; i < G_N_ELEMENTS (ids); i++) {
    if (memcmp (r->input.at, ids[i], MIN (mlpd_reader_left (r), ID_SIZE)) != 0)
      continue;
    if (mlpd_reader_left (r) < sizes[i]) {
      if (!input_buffer_is_last (&r->input))
        return FOUND_SHORT;
    } else if (i == 0 ? is_buffer_header (r->input.at) : mlpd_is_file_header (r->input.at)) {
      return FOUND_HEADER;
    }
  }
  return FOUND_NOTHING;
}

/* Passes bytes up to an id, or to the last ones, which may begin one. */
static void
pass_to_id (struct mlpd_reader *r)
{
  const uint8_t *at = r->input.at;
  for (; r->input.end - at >= ID_SIZE; at++) {
    const uint32_t id = mlpd_id_at (at);
    if (id == MLPD_BUFFER_ID || id == MLPD_FILE_ID)
      break;
  }
  mlpd_reader_consume (r, (size_t) (at - r->input.at));
}

static enum step
mlpd_search_header (struct mlpd_reader *r)
{
  while (mlpd_reader_left (r) != 0) {
    pass_to_id (r);
    const enum mlpd_found header = mlpd_find_header (r);
    if (header == FOUND_SHORT)
      break;
    if (header == FOUND_HEADER) {
      r->state = STATE_BORDER;
      return mlpd_reader_emit_damage (r, false);
    }
    mlpd_reader_consume (r, 1);
  }
  return STEP_NEED_MORE;
}

/* ---- buffers ---- */

static enum step
mlpd_read_buffer_header (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < MLPD_BUFFER_HEADER_SIZE)
    return STEP_NEED_MORE;
  struct cursor c = cursor_over (r->input.at, MLPD_BUFFER_HEADER_SIZE);
  mlpd_decode_buffer_header (&c, &r->buffer);
  mlpd_decoder_start_buffer (&r->decoder, &r->buffer);
  r->buffer_offset = r->input.offset;
  r->buffer_left = r->buffer.length;
  r->end_is_settled = mlpd_is_end_mark (&r->buffer);
  const bool is_check = mlpd_is_check_mark (&r->buffer);
  r->state = is_check ? STATE_CHECK : mlpd_is_loss_mark (&r->buffer) ? STATE_LOSS : STATE_EVENTS;
  if (is_check)
    r->verify.found = content_sum_get (&r->verify.last.sum);
  else
    mlpd_begin_sum (r);
  mlpd_reader_consume (r, MLPD_BUFFER_HEADER_SIZE);
  return mlpd_reader_emit (r, MLPD_ITEM_BUFFER, r->buffer_offset, MLPD_BUFFER_HEADER_SIZE, true);
}

static enum step
mlpd_read_loss (struct mlpd_reader *r)
{
  enum { ERRNO_MAX = 4095 };
  const uint64_t lost = r->buffer.ptr_base;
  const int error = (int) MIN (r->buffer.method_base, ERRNO_MAX);
  char *message = mlpd_loss_message (lost, error);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_LOST, "%s", message);
  g_free (message);
  r->damage.lost = lost;
  r->damage.error = error;
  r->state = STATE_BORDER;
  return mlpd_reader_emit_damage (r, false);
}

/* Damage in a buffer goes to its end, except if another buffer or log begins right where an event
 * should: then the length in the header was wrong. */
static enum step
damage_buffer (struct mlpd_reader *r, enum mlpd_decode_result result)
{
  const uint64_t end = r->input.offset + r->buffer_left;
  const unsigned byte = r->input.at[0];
  const enum mlpd_found header = mlpd_find_header (r);
  if (header == FOUND_SHORT)
    return STEP_NEED_MORE;
  if (header == FOUND_HEADER) {
    mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                              "the buffer at offset %" G_GUINT64_FORMAT
                              " should end at %" G_GUINT64_FORMAT
                              ", but something else begins at %" G_GUINT64_FORMAT,
                              r->buffer_offset, end, r->input.offset);
    r->state = STATE_BORDER;
    return mlpd_reader_emit_damage (r, true);
  }
  if (result == MLPD_DECODE_UNKNOWN)
    mlpd_reader_begin_damage (
        r, MLPD_DAMAGE_UNKNOWN,
        "data version %u has no event such as the one at offset %" G_GUINT64_FORMAT
        " (byte 0x%02x); its buffer ends at %" G_GUINT64_FORMAT,
        r->header.data_version, r->input.offset, byte, end);
  else if (result == MLPD_DECODE_MALFORMED)
    mlpd_reader_begin_damage (
        r, MLPD_DAMAGE_CORRUPT,
        "the event at offset %" G_GUINT64_FORMAT " (byte 0x%02x) has a number that "
        "is too large%s; its buffer ends at %" G_GUINT64_FORMAT,
        r->input.offset, byte,
        (byte & 0x0f) == MLPD_TYPE_SAMPLE ? ", or a counter of an unknown type" : "", end);
  else if (r->buffer_left > MLPD_EVENT_BYTES_MAX)
    mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                              "the event at offset %" G_GUINT64_FORMAT
                              " (byte 0x%02x) is longer than %u bytes; its buffer ends at "
                              "%" G_GUINT64_FORMAT,
                              r->input.offset, byte, MLPD_EVENT_BYTES_MAX, end);
  else
    mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                              "the event at offset %" G_GUINT64_FORMAT
                              " (byte 0x%02x) runs over the end of its buffer at "
                              "%" G_GUINT64_FORMAT,
                              r->input.offset, byte, end);
  r->state = STATE_DAMAGED;
  return STEP_CONTINUE;
}

/* Was the event decoded by the bytes after it, of which more are to come? */
static bool
needs_rest_of_buffer (const struct mlpd_reader *r)
{
  return r->decoder.bases.version == 1
         && (r->item.kind == MLPD_METADATA_ASSEMBLY || r->item.kind == MLPD_METADATA_DOMAIN);
}

static enum step
mlpd_read_event (struct mlpd_reader *r)
{
  if (r->buffer_left == 0) {
    r->state = STATE_BORDER;
    return STEP_CONTINUE;
  }
  const uint64_t room = MIN (r->buffer_left, MLPD_EVENT_BYTES_MAX);
  const size_t length = (size_t) MIN (mlpd_reader_left (r), room);
  const uint64_t time = r->decoder.bases.time;
  struct cursor c = cursor_over (r->input.at, length);
  r->decoder.is_cut = length < room;
  const enum mlpd_decode_result result = mlpd_decode_event (&r->decoder, &c, &r->item.kind);
  if (result == MLPD_DECODE_SHORT && length < room)
    return STEP_NEED_MORE;
  if (result == MLPD_DECODED && length < room && needs_rest_of_buffer (r)
      && !input_buffer_is_last (&r->input)) {
    r->decoder.bases.time = time;
    return STEP_NEED_MORE;
  }
  if (result != MLPD_DECODED)
    return damage_buffer (r, result);
  const size_t size = (size_t) (c.at - r->input.at);
  const uint64_t offset = r->input.offset;
  mlpd_reader_consume (r, size);
  r->buffer_left -= size;
  mlpd_reader_emit (r, MLPD_ITEM_EVENT, offset, size, true);
  r->item.payload = &r->decoder.payload;
  return STEP_ITEM;
}

/* Skips the rest of the buffer; true when it is after. */
static bool
pass_buffer (struct mlpd_reader *r)
{
  const size_t bytes = (size_t) MIN (mlpd_reader_left (r), r->buffer_left);
  mlpd_reader_consume (r, bytes);
  r->buffer_left -= bytes;
  return r->buffer_left == 0;
}

static enum step
mlpd_skip_rest_of_buffer (struct mlpd_reader *r)
{
  if (!pass_buffer (r))
    return STEP_NEED_MORE;
  r->state = STATE_BORDER;
  return STEP_CONTINUE;
}

static enum step
mlpd_skip_damaged_buffer (struct mlpd_reader *r)
{
  if (!pass_buffer (r))
    return STEP_NEED_MORE;
  r->state = STATE_BORDER;
  return mlpd_reader_emit_damage (r, true);
}

/* ---- the beginning of a log ---- */

#define HEADER_VERSIONS_SIZE 8 /* of the file header: id, versions, pointer size */

/* The texts of a header outlive the bytes that they were read from. */
static void
store_header (struct mlpd_reader *r, const struct mlpd_file_header *header)
{
  struct mlpd_string *texts[]
      = { &r->header.arguments, &r->header.architecture, &r->header.operating_system };
  G_STATIC_ASSERT (G_N_ELEMENTS (texts) == G_N_ELEMENTS (r->header_texts));
  r->header = *header;
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    if (texts[i]->text != NULL)
      r->header_texts[i] = g_strndup (texts[i]->text, texts[i]->length);
    texts[i]->text = r->header_texts[i];
  }
}

/* The log begins with the id of a file header. */
static enum step
mlpd_read_file_header (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < HEADER_VERSIONS_SIZE)
    return STEP_NEED_MORE;
  const unsigned version = r->input.at[6], pointer_size = r->input.at[7];
  if (version == 0)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_VERSION,
                             "the log at offset %" G_GUINT64_FORMAT
                             " is of data version 0; there are 1 to %d",
                             r->input.offset, MLPD_VERSION_LAST);
  if (pointer_size != 4 && pointer_size != 8)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                             "the log at offset %" G_GUINT64_FORMAT
                             " has pointers of %u bytes; 4 and 8 are possible",
                             r->input.offset, pointer_size);
  struct cursor c = cursor_over (r->input.at, mlpd_reader_left (r));
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  if (c.error == CURSOR_SHORT)
    return STEP_NEED_MORE;
  if (c.error != CURSOR_OK)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                             "the header at offset %" G_GUINT64_FORMAT
                             " has a text that is longer than %d bytes or does not end",
                             r->input.offset, MLPD_HEADER_STRING_MAX);
  header.has_byte_objects = r->has_byte_objects && version == 1;
  store_header (r, &header);
  mlpd_decoder_start_file (&r->decoder, &r->header);
  r->has_header = true;
  r->state = version > MLPD_VERSION_LAST || header.major > MAJOR_MAX ? STATE_NEWER : STATE_BORDER;
  const uint64_t offset = r->input.offset;
  r->version_offset = offset + (version > MLPD_VERSION_LAST ? 6 : 4);
  const size_t size = (size_t) (c.at - r->input.at);
  mlpd_reader_consume (r, size);
  return mlpd_reader_emit (r, MLPD_ITEM_FILE_HEADER, offset, size, false);
}

/* Something else than a log.  A few more bytes may show its format. */
static enum step
mlpd_read_foreign (struct mlpd_reader *r)
{
  const uint8_t *at = r->input.at;
  const size_t left = mlpd_reader_left (r);
  if (foreign_file_may_follow (at, left) && !input_buffer_is_last (&r->input))
    return STEP_NEED_MORE;
  const char *name = foreign_file_name (at, left);
  if (name != NULL)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG, "not a profiler log, but %s", name);
  return mlpd_reader_fail (
      r, PROFLOG_READ_ERROR_NOT_A_LOG,
      "not a profiler log: it begins with the bytes %02x %02x %02x %02x, a log of Mono "
      "with 01 5a 50 4d, an eventlog of GHC with 68 64 72 62",
      at[0], at[1], at[2], at[3]);
}

static enum step
mlpd_read_start (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < ID_SIZE)
    return STEP_NEED_MORE;
  if (mlpd_id_at (r->input.at) != MLPD_FILE_ID)
    return mlpd_read_foreign (r);
  return mlpd_read_file_header (r);
}
/* After a header of a version that is not known: reports it once. */
static enum step
mlpd_read_newer (struct mlpd_reader *r)
{
  mlpd_reader_begin_damage (
      r, MLPD_DAMAGE_UNKNOWN,
      "the log is of profiler version %u.%u, data version %u; known are profiler versions "
      "0 to %d and data versions 1 to %d: it is read as the last of these, and buffers "
      "with events that do not fit are skipped",
      r->header.major, r->header.minor, r->header.data_version, MAJOR_MAX, MLPD_VERSION_LAST);
  r->state = STATE_BORDER;
  mlpd_reader_emit_damage (r, false);
  r->item.offset = r->version_offset; /* it is not where the reader is */
  return STEP_ITEM;
}

/* Skips all that follows: a log is of one program, and events of another one are not its own. */
static enum step
mlpd_begin_other_log (struct mlpd_reader *r)
{
  if (mlpd_lacks_end_mark (r))
    return mlpd_emit_no_end_mark (r);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_OTHER_LOG,
                            "another log begins at offset %" G_GUINT64_FORMAT
                            "; it and everything after it are not "
                            "read: split concatenated logs first (tail -c +%" G_GUINT64_FORMAT ")",
                            r->input.offset, r->input.offset + 1);
  r->state = STATE_OTHER;
  return STEP_CONTINUE;
}

static enum step
mlpd_skip_other_log (struct mlpd_reader *r)
{
  mlpd_reader_consume (r, mlpd_reader_left (r));
  return STEP_NEED_MORE;
}

/* ---- the reader ---- */

struct mlpd_reader *
mlpd_reader_new (void)
{
  struct mlpd_reader *reader = g_new0 (struct mlpd_reader, 1);
  input_buffer_init (&reader->input);
  return reader;
}

void
mlpd_reader_free (struct mlpd_reader *reader)
{
  if (reader == NULL)
    return;
  mlpd_decoder_clear (&reader->decoder);
  input_buffer_clear (&reader->input);
  g_free (reader->message);
  for (size_t i = 0; i < G_N_ELEMENTS (reader->header_texts); i++)
    g_free (reader->header_texts[i]);
  g_clear_error (&reader->error);
  g_free (reader);
}

void
mlpd_reader_set_byte_objects (struct mlpd_reader *reader, bool has_byte_objects)
{
  reader->has_byte_objects = has_byte_objects;
}

void
mlpd_reader_push (struct mlpd_reader *reader, const void *bytes, size_t length)
{
  g_return_if_fail (input_buffer_can_push (&reader->input));
  if (length != 0 && reader->state != STATE_END && reader->state != STATE_ERROR)
    input_buffer_push (&reader->input, bytes, length);
}

void
mlpd_reader_finish (struct mlpd_reader *reader)
{
  input_buffer_finish (&reader->input);
}

static enum step
step_border (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < ID_SIZE)
    return STEP_NEED_MORE;
  const uint32_t id = mlpd_id_at (r->input.at);
  if (id == MLPD_BUFFER_ID)
    return mlpd_read_buffer_header (r);
  if (id == MLPD_FILE_ID) {
    if (mlpd_reader_left (r) < MLPD_FILE_HEADER_SIZE)
      return STEP_NEED_MORE;
    if (mlpd_is_file_header (r->input.at))
      return mlpd_begin_other_log (r);
  }
  mlpd_reader_begin_damage (
      r, MLPD_DAMAGE_CORRUPT,
      "no buffer begins at offset %" G_GUINT64_FORMAT " (bytes %02x %02x %02x %02x)",
      r->input.offset, r->input.at[0], r->input.at[1], r->input.at[2], r->input.at[3]);
  mlpd_reader_consume (r, 1);
  r->state = STATE_SEARCH;
  return STEP_CONTINUE;
}

static enum step
run_step (void *reader)
{
  struct mlpd_reader *r = reader;
  switch (r->state) {
  case STATE_START:
    return mlpd_read_start (r);
  case STATE_NEWER:
    return mlpd_read_newer (r);
  case STATE_BORDER:
    return step_border (r);
  case STATE_EVENTS:
    return mlpd_read_event (r);
  case STATE_CHECK:
    return mlpd_read_check (r);
  case STATE_LOSS:
    return mlpd_read_loss (r);
  case STATE_SKIP:
    return mlpd_skip_rest_of_buffer (r);
  case STATE_DAMAGED:
    return mlpd_skip_damaged_buffer (r);
  case STATE_SEARCH:
    return mlpd_search_header (r);
  case STATE_OTHER:
    return mlpd_skip_other_log (r);
  case STATE_ENDING:
    return mlpd_read_ending (r);
  default:
    return r->state == STATE_END ? STEP_END : STEP_ERROR;
  }
}

enum proflog_result
mlpd_reader_next (struct mlpd_reader *reader, const struct mlpd_item **item)
{
  const enum proflog_result result
      = reader_run_steps (&reader->input, run_step, mlpd_read_input_end, reader);
  if (result == PROFLOG_EVENT)
    *item = &reader->item;
  return result;
}

void
mlpd_reader_skip_buffer (struct mlpd_reader *reader)
{
  if (reader->state == STATE_EVENTS)
    reader->state = STATE_SKIP;
}

bool
mlpd_reader_is_at_border (const struct mlpd_reader *reader)
{
  return reader->state == STATE_BORDER && mlpd_reader_left (reader) == 0
         && input_buffer_is_empty (&reader->input);
}

void
mlpd_reader_pass (struct mlpd_reader *reader, uint64_t length, bool end_mark)
{
  g_return_if_fail (mlpd_reader_is_at_border (reader));
  reader->input.offset += length;
  reader->end_is_settled = end_mark;
  reader->verify.last = (struct mlpd_marked){ .number = MLPD_MARK_UNKNOWN };
}

const GError *
mlpd_reader_error (const struct mlpd_reader *reader)
{
  return reader->error;
}
