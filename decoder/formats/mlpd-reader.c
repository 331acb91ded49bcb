/* mlpd-reader.c -- see mlpd-reader.h.
 *
 * The reader looks at the log through a window (window.h).  Each state has a step function, which
 * yields an item, goes on to another state or says that the window is too short for a decision.
 * What a step decides must not depend on where the window happens to end.
 */
#include "decoder/formats/mlpd-decode.h"
#include "decoder/formats/mlpd-origin.h"
#include "decoder/formats/steps.h"

#include <proflog/mlpd-reader.h>
#include <stdbool.h>

/* Longest event that is taken for real: no writer has buffers anywhere near that. */
#define EVENT_MAX (16u << 20)
/* What a header must look like where none was expected. */
#define PLAUSIBLE_LENGTH_MAX (256u << 20)
#define PLAUSIBLE_MAJOR_MAX 9
#define PLAUSIBLE_DATA_VERSION_MAX 99

/* Highest major version whose header is known. */
#define MAJOR_MAX 3

#define ID_SIZE 4
#define HEADER_VERSIONS_SIZE 8 /* of the file header: id, versions, pointer size */

enum state {
  STATE_START,   /* nothing was read */
  STATE_NEWER,   /* behind a file header of an unknown version */
  STATE_BORDER,  /* where a buffer may begin, or another log */
  STATE_EVENTS,  /* in a buffer */
  STATE_SKIP,    /* in a buffer that the user does not want */
  STATE_DAMAGED, /* in a buffer, behind damage */
  STATE_SEARCH,  /* for something that makes sense */
  STATE_OTHER,   /* in another log, behind the one that is read */
  STATE_ENDING,  /* the input has ended */
  STATE_END,
  STATE_ERROR,
};

struct mlpd_reader {
  enum state state;
  struct window window;

  bool has_header;
  bool end_is_settled; /* the last buffer was an end mark, or it was said that the end is missing */
  struct mlpd_file_header header;
  char *header_texts[3];   /* that `header` points to */
  uint64_t version_offset; /* of the version in it that is not known */
  struct mlpd_buffer_header buffer;
  uint64_t buffer_offset;
  uint64_t buffer_left; /* bytes of events */
  struct mlpd_decoder decoder;

  /* Damage whose end is not reached yet. */
  uint64_t damage_offset;
  struct mlpd_damage damage;
  char *message;

  struct mlpd_item item;
  GError *error;
};

G_DEFINE_QUARK (proflog - read - error - quark, proflog_read_error)

/* ---- input ---- */

struct mlpd_reader *
mlpd_reader_new (void)
{
  struct mlpd_reader *reader = g_new0 (struct mlpd_reader, 1);
  window_init (&reader->window);
  return reader;
}

void
mlpd_reader_free (struct mlpd_reader *reader)
{
  if (reader == NULL)
    return;
  mlpd_decoder_clear (&reader->decoder);
  window_clear (&reader->window);
  g_free (reader->message);
  for (size_t i = 0; i < G_N_ELEMENTS (reader->header_texts); i++)
    g_free (reader->header_texts[i]);
  g_clear_error (&reader->error);
  g_free (reader);
}

static size_t
left (const struct mlpd_reader *r)
{
  return window_left (&r->window);
}

static void
consume (struct mlpd_reader *r, size_t bytes)
{
  window_consume (&r->window, bytes);
}

void
mlpd_reader_push (struct mlpd_reader *reader, const void *bytes, size_t length)
{
  g_return_if_fail (window_wants (&reader->window));
  if (length != 0 && reader->state != STATE_END && reader->state != STATE_ERROR)
    window_push (&reader->window, bytes, length);
}

void
mlpd_reader_finish (struct mlpd_reader *reader)
{
  window_finish (&reader->window);
}

/* ---- items ---- */

static enum step
give (struct mlpd_reader *r, enum mlpd_item_type type, uint64_t offset, uint64_t size,
      bool in_buffer)
{
  r->item.type = type;
  r->item.offset = offset;
  r->item.size = size;
  r->item.header = r->has_header ? &r->header : NULL;
  r->item.buffer = in_buffer ? &r->buffer : NULL;
  r->item.damage = NULL;
  r->item.payload = NULL;
  return STEP_ITEM;
}

/* Notes damage that begins here; what it covers is known when its end is found. */
static void G_GNUC_PRINTF (3, 4)
    begin_damage (struct mlpd_reader *r, enum mlpd_damage_reason reason, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (r->message);
  r->message = g_strdup_vprintf (format, args);
  va_end (args);
  r->damage_offset = r->window.offset;
  r->damage = (struct mlpd_damage){ .reason = reason };
}

/* The damage goes as far as the log was read. */
static enum step
give_damage (struct mlpd_reader *r, bool in_buffer)
{
  r->damage.skipped = r->window.offset - r->damage_offset;
  r->damage.message = r->message;
  give (r, MLPD_ITEM_DAMAGE, r->damage_offset, r->damage.skipped, in_buffer);
  r->item.damage = &r->damage;
  return STEP_ITEM;
}

static enum step G_GNUC_PRINTF (3, 4)
    fail (struct mlpd_reader *r, enum proflog_read_error code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  r->error = g_error_new_valist (PROFLOG_READ_ERROR, (gint) code, format, args);
  va_end (args);
  r->state = STATE_ERROR;
  return STEP_GO_ON;
}

/* ---- headers ---- */

static uint32_t
id_at (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, ID_SIZE);
  return cursor_u32 (&c);
}

/* Whether a buffer begins here though it need not: what is written has addresses and ids below
 * 2^56 and buffers of no great length, while a chance find or text with the magic number in it
 * hardly has. */
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

/* Whether a log begins here, behind another one. */
static bool
is_file_header (const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, MLPD_FILE_HEADER_SIZE);
  struct mlpd_file_header h;
  mlpd_decode_file_header (&c, &h);
  return h.id == MLPD_FILE_ID && h.major <= PLAUSIBLE_MAJOR_MAX && h.data_version >= 1
         && h.data_version <= PLAUSIBLE_DATA_VERSION_MAX
         && (h.pointer_size == 4 || h.pointer_size == 8);
}

enum found {
  FOUND_NOTHING,
  FOUND_HEADER,
  FOUND_SHORT, /* the window ends before that is clear */
};

/* Looks for a header of either sort right at the window's beginning. */
static enum found
find_header (const struct mlpd_reader *r)
{
  static const uint8_t ids[][ID_SIZE] = { { 0x01, 0x4c, 0x50, 0x4d }, { 0x01, 0x5a, 0x50, 0x4d } };
  static const size_t sizes[] = { MLPD_BUFFER_HEADER_SIZE, MLPD_FILE_HEADER_SIZE };
  for (unsigned i = 0; i < G_N_ELEMENTS (ids); i++) {
    if (memcmp (r->window.at, ids[i], MIN (left (r), ID_SIZE)) != 0)
      continue;
    if (left (r) < sizes[i]) {
      if (!window_is_last (&r->window))
        return FOUND_SHORT;
    } else if (i == 0 ? is_buffer_header (r->window.at) : is_file_header (r->window.at)) {
      return FOUND_HEADER;
    }
  }
  return FOUND_NOTHING;
}

/* The texts of a header outlive the bytes that they were read from. */
static void
keep_header (struct mlpd_reader *r, const struct mlpd_file_header *header)
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
step_file_header (struct mlpd_reader *r)
{
  if (left (r) < HEADER_VERSIONS_SIZE)
    return STEP_SHORT;
  const unsigned version = r->window.at[6], pointer_size = r->window.at[7];
  if (version == 0)
    return fail (r, PROFLOG_READ_ERROR_VERSION,
                 "the log at offset %" G_GUINT64_FORMAT " is of data version 0; there are 1 to %d",
                 r->window.offset, MLPD_VERSION_MAX);
  if (pointer_size != 4 && pointer_size != 8)
    return fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                 "the log at offset %" G_GUINT64_FORMAT " has pointers of %u bytes; 4 and 8 are "
                 "possible",
                 r->window.offset, pointer_size);
  struct cursor c = cursor_over (r->window.at, left (r));
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  if (c.error == CURSOR_SHORT)
    return STEP_SHORT;
  if (c.error != CURSOR_OK)
    return fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                 "the header at offset %" G_GUINT64_FORMAT " has a text that is longer than %d "
                 "bytes or does not end",
                 r->window.offset, MLPD_HEADER_STRING_MAX);
  keep_header (r, &header);
  mlpd_decoder_start_file (&r->decoder, &r->header);
  r->has_header = true;
  r->state = version > MLPD_VERSION_MAX || header.major > MAJOR_MAX ? STATE_NEWER : STATE_BORDER;
  const uint64_t offset = r->window.offset;
  r->version_offset = offset + (version > MLPD_VERSION_MAX ? 6 : 4);
  const size_t size = (size_t) (c.at - r->window.at);
  consume (r, size);
  return give (r, MLPD_ITEM_FILE_HEADER, offset, size, false);
}

/* Behind a header of a version that is not known: says so once. */
static enum step
step_newer (struct mlpd_reader *r)
{
  begin_damage (
      r, MLPD_DAMAGE_UNKNOWN,
      "the log is of profiler version %u.%u, data version %u; known are profiler versions "
      "0 to %d and data versions 1 to %d: it is read as the last of these, and buffers "
      "with events that do not fit are skipped",
      r->header.major, r->header.minor, r->header.data_version, MAJOR_MAX, MLPD_VERSION_MAX);
  r->state = STATE_BORDER;
  give_damage (r, false);
  r->item.offset = r->version_offset; /* it is not where the reader is */
  return STEP_ITEM;
}

static enum step
step_buffer_header (struct mlpd_reader *r)
{
  if (left (r) < MLPD_BUFFER_HEADER_SIZE)
    return STEP_SHORT;
  struct cursor c = cursor_over (r->window.at, MLPD_BUFFER_HEADER_SIZE);
  mlpd_decode_buffer_header (&c, &r->buffer);
  mlpd_decoder_start_buffer (&r->decoder, &r->buffer);
  r->buffer_offset = r->window.offset;
  r->buffer_left = r->buffer.length;
  r->end_is_settled = r->buffer.length == 0;
  r->state = STATE_EVENTS;
  consume (r, MLPD_BUFFER_HEADER_SIZE);
  return give (r, MLPD_ITEM_BUFFER, r->buffer_offset, MLPD_BUFFER_HEADER_SIZE, true);
}

/* Our writer closes a log; others do not. */
static bool
lacks_end_mark (const struct mlpd_reader *r)
{
  return r->has_header && mlpd_header_is_ours (&r->header) && !r->end_is_settled;
}

static enum step
give_no_end_mark (struct mlpd_reader *r)
{
  begin_damage (r, MLPD_DAMAGE_TRUNCATED,
                "the log has no end mark at offset %" G_GUINT64_FORMAT ": the program was killed "
                "or the log was cut; how much is missing cannot be told",
                r->window.offset);
  r->end_is_settled = true;
  return give_damage (r, false);
}

/* A log is of one program: what another one did would be taken for its.  All that follows is
 * passed over. */
static enum step
begin_other_log (struct mlpd_reader *r)
{
  if (lacks_end_mark (r))
    return give_no_end_mark (r);
  begin_damage (r, MLPD_DAMAGE_OTHER_LOG,
                "another log begins at offset %" G_GUINT64_FORMAT " and is not read, nor is what "
                "follows: logs that were joined have to be parted (tail -c +%" G_GUINT64_FORMAT ")",
                r->window.offset, r->window.offset + 1);
  r->state = STATE_OTHER;
  return STEP_GO_ON;
}

/* ---- steps ---- */

static enum step
step_start (struct mlpd_reader *r)
{
  if (left (r) < ID_SIZE)
    return STEP_SHORT;
  if (id_at (r->window.at) != MLPD_FILE_ID)
    return fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                 "not a profiler log: it begins with the bytes %02x %02x %02x %02x, a log of Mono "
                 "with 01 5a 50 4d, an eventlog of GHC with 68 64 72 62",
                 r->window.at[0], r->window.at[1], r->window.at[2], r->window.at[3]);
  return step_file_header (r);
}

static enum step
step_border (struct mlpd_reader *r)
{
  if (left (r) < ID_SIZE)
    return STEP_SHORT;
  const uint32_t id = id_at (r->window.at);
  if (id == MLPD_BUFFER_ID)
    return step_buffer_header (r);
  if (id == MLPD_FILE_ID) {
    if (left (r) < MLPD_FILE_HEADER_SIZE)
      return STEP_SHORT;
    if (is_file_header (r->window.at))
      return begin_other_log (r);
  }
  begin_damage (r, MLPD_DAMAGE_CORRUPT,
                "no buffer begins at offset %" G_GUINT64_FORMAT " (bytes %02x %02x %02x %02x)",
                r->window.offset, r->window.at[0], r->window.at[1], r->window.at[2],
                r->window.at[3]);
  consume (r, 1);
  r->state = STATE_SEARCH;
  return STEP_GO_ON;
}

static enum step
step_search (struct mlpd_reader *r)
{
  while (left (r) != 0) {
    const uint8_t *found = memchr (r->window.at, MLPD_BUFFER_ID & 0xff, left (r));
    consume (r, found != NULL ? (size_t) (found - r->window.at) : left (r));
    if (left (r) == 0)
      break;
    const enum found header = find_header (r);
    if (header == FOUND_SHORT)
      break;
    if (header == FOUND_HEADER) {
      r->state = STATE_BORDER;
      return give_damage (r, false);
    }
    consume (r, 1);
  }
  return STEP_SHORT;
}

/* What is damaged in a buffer goes to its end, except if another buffer or log begins right
 * where an event should: then the length in the header was wrong. */
static enum step
damage_buffer (struct mlpd_reader *r, enum mlpd_decode_result result)
{
  const uint64_t end = r->window.offset + r->buffer_left;
  const unsigned byte = r->window.at[0];
  const enum found header = find_header (r);
  if (header == FOUND_SHORT)
    return STEP_SHORT;
  if (header == FOUND_HEADER) {
    begin_damage (r, MLPD_DAMAGE_CORRUPT,
                  "the buffer at offset %" G_GUINT64_FORMAT " should end at %" G_GUINT64_FORMAT
                  ", but something else begins at %" G_GUINT64_FORMAT,
                  r->buffer_offset, end, r->window.offset);
    r->state = STATE_BORDER;
    return give_damage (r, true);
  }
  if (result == MLPD_DECODE_UNKNOWN)
    begin_damage (r, MLPD_DAMAGE_UNKNOWN,
                  "data version %u has no event such as the one at offset %" G_GUINT64_FORMAT
                  " (byte 0x%02x); its buffer ends at %" G_GUINT64_FORMAT,
                  r->header.data_version, r->window.offset, byte, end);
  else if (result == MLPD_DECODE_MALFORMED)
    begin_damage (r, MLPD_DAMAGE_CORRUPT,
                  "the event at offset %" G_GUINT64_FORMAT " (byte 0x%02x) has a number that "
                  "does not fit 64 bits%s; its buffer ends at %" G_GUINT64_FORMAT,
                  r->window.offset, byte,
                  (byte & 0x0f) == MLPD_TYPE_SAMPLE ? ", or a counter of an unknown type" : "",
                  end);
  else if (r->buffer_left > EVENT_MAX)
    begin_damage (r, MLPD_DAMAGE_CORRUPT,
                  "the event at offset %" G_GUINT64_FORMAT " (byte 0x%02x) is longer than %u "
                  "bytes; its buffer ends at %" G_GUINT64_FORMAT,
                  r->window.offset, byte, EVENT_MAX, end);
  else
    begin_damage (r, MLPD_DAMAGE_CORRUPT,
                  "the event at offset %" G_GUINT64_FORMAT " (byte 0x%02x) runs over the end of "
                  "its buffer at %" G_GUINT64_FORMAT,
                  r->window.offset, byte, end);
  r->state = STATE_DAMAGED;
  return STEP_GO_ON;
}

static enum step
step_events (struct mlpd_reader *r)
{
  if (r->buffer_left == 0) {
    r->state = STATE_BORDER;
    return STEP_GO_ON;
  }
  const uint64_t room = MIN (r->buffer_left, EVENT_MAX);
  const size_t length = (size_t) MIN (left (r), room);
  struct cursor c = cursor_over (r->window.at, length);
  const enum mlpd_decode_result result = mlpd_decode_event (&r->decoder, &c, &r->item.kind);
  if (result == MLPD_DECODE_SHORT && length < room)
    return STEP_SHORT;
  if (result != MLPD_DECODED)
    return damage_buffer (r, result);
  const size_t size = (size_t) (c.at - r->window.at);
  const uint64_t offset = r->window.offset;
  consume (r, size);
  r->buffer_left -= size;
  give (r, MLPD_ITEM_EVENT, offset, size, true);
  r->item.payload = &r->decoder.payload;
  return STEP_ITEM;
}

/* Passes over the rest of the buffer; true when it is behind. */
static bool
pass_buffer (struct mlpd_reader *r)
{
  const size_t bytes = (size_t) MIN (left (r), r->buffer_left);
  consume (r, bytes);
  r->buffer_left -= bytes;
  return r->buffer_left == 0;
}

static enum step
step_skip (struct mlpd_reader *r)
{
  if (!pass_buffer (r))
    return STEP_SHORT;
  r->state = STATE_BORDER;
  return STEP_GO_ON;
}

static enum step
step_damaged (struct mlpd_reader *r)
{
  if (!pass_buffer (r))
    return STEP_SHORT;
  r->state = STATE_BORDER;
  return give_damage (r, true);
}

static enum step
step_other (struct mlpd_reader *r)
{
  consume (r, left (r));
  return STEP_SHORT;
}

/* ---- the end ---- */

static enum step
give_truncated (struct mlpd_reader *r, const char *what, const char *least, uint64_t missing,
                bool in_buffer)
{
  const uint64_t bytes = left (r);
  begin_damage (r, MLPD_DAMAGE_TRUNCATED,
                "the log ends at offset %" G_GUINT64_FORMAT " inside %s: %s%" G_GUINT64_FORMAT
                " bytes are missing there",
                r->window.offset + bytes, what, least, missing);
  r->damage.missing = missing;
  consume (r, bytes);
  r->end_is_settled = true;
  r->state = STATE_ENDING;
  return give_damage (r, in_buffer);
}

/* How many bytes a file header lacks that ends with the window: as many as it takes if what is not
 * there is 0.  It may be more: of a text, the length may be missing. */
static enum step
give_truncated_file_header (struct mlpd_reader *r)
{
  /* All texts but the one that is cut are there, or taken as empty. */
  const size_t bytes = left (r), room = 2 * MLPD_FILE_HEADER_SIZE + MLPD_HEADER_STRING_MAX;
  uint8_t *whole = g_malloc0 (bytes + room);
  struct cursor c = cursor_over (whole, bytes + room);
  struct mlpd_file_header header;
  memcpy (whole, r->window.at, bytes);
  mlpd_decode_file_header (&c, &header);
  const size_t size = (size_t) (c.at - whole);
  const bool has_texts = header.major != 0 || bytes <= ID_SIZE;
  g_free (whole);
  return give_truncated (r, "a file header", has_texts ? "at least " : "",
                         size > bytes ? size - bytes : 0, false);
}

/* The input ended where a header should be, or in one. */
static enum step
end_in_header (struct mlpd_reader *r)
{
  static const uint8_t buffer_id[ID_SIZE] = { 0x01, 0x4c, 0x50, 0x4d };
  static const uint8_t file_id[ID_SIZE] = { 0x01, 0x5a, 0x50, 0x4d };
  const size_t bytes = left (r);
  const size_t compared = MIN (bytes, ID_SIZE);
  if (r->state == STATE_START && bytes < ID_SIZE)
    return fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                 "not a profiler log: it has %" G_GSIZE_FORMAT " bytes, the shortest log has %d",
                 bytes, MLPD_FILE_HEADER_SIZE);
  if (bytes == 0) {
    r->state = STATE_ENDING;
    return STEP_GO_ON;
  }
  if (r->state == STATE_BORDER && memcmp (r->window.at, buffer_id, compared) == 0)
    return give_truncated (r, "the header of a buffer", "", MLPD_BUFFER_HEADER_SIZE - bytes, false);
  if (memcmp (r->window.at, file_id, compared) == 0)
    return give_truncated_file_header (r);
  begin_damage (r, MLPD_DAMAGE_CORRUPT,
                "no buffer begins at offset %" G_GUINT64_FORMAT ", where the last %" G_GSIZE_FORMAT
                " bytes are",
                r->window.offset, bytes);
  consume (r, bytes);
  r->state = STATE_ENDING;
  return give_damage (r, false);
}

/* What is left in the window is all there will be, and too little for the state's step. */
static enum step
step_input_ended (void *reader)
{
  struct mlpd_reader *r = reader;
  switch (r->state) {
  case STATE_START:
  case STATE_BORDER:
    return end_in_header (r);
  case STATE_EVENTS:
  case STATE_SKIP:
    return give_truncated (r, left (r) != 0 ? "an event" : "a buffer", "",
                           r->buffer_left - left (r), true);
  case STATE_DAMAGED:
    r->state = STATE_SKIP; /* the truncation is told next */
    return give_damage (r, true);
  case STATE_SEARCH:
  case STATE_OTHER:
    consume (r, left (r));
    r->state = STATE_ENDING;
    return give_damage (r, false);
  default:
    r->state = STATE_END;
    return STEP_GO_ON;
  }
}

static enum step
step_ending (struct mlpd_reader *r)
{
  if (lacks_end_mark (r))
    return give_no_end_mark (r);
  r->state = STATE_END;
  return STEP_GO_ON;
}

static enum step
take_step (void *reader)
{
  struct mlpd_reader *r = reader;
  switch (r->state) {
  case STATE_START:
    return step_start (r);
  case STATE_NEWER:
    return step_newer (r);
  case STATE_BORDER:
    return step_border (r);
  case STATE_EVENTS:
    return step_events (r);
  case STATE_SKIP:
    return step_skip (r);
  case STATE_DAMAGED:
    return step_damaged (r);
  case STATE_SEARCH:
    return step_search (r);
  case STATE_OTHER:
    return step_other (r);
  case STATE_ENDING:
    return step_ending (r);
  default:
    return r->state == STATE_END ? STEP_END : STEP_ERROR;
  }
}

enum proflog_result
mlpd_reader_next (struct mlpd_reader *reader, const struct mlpd_item **item)
{
  const enum proflog_result result
      = steps_take (&reader->window, take_step, step_input_ended, reader);
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
  return reader->state == STATE_BORDER && left (reader) == 0 && window_is_empty (&reader->window);
}

void
mlpd_reader_pass (struct mlpd_reader *reader, uint64_t length, bool end_mark)
{
  g_return_if_fail (mlpd_reader_is_at_border (reader));
  reader->window.offset += length;
  reader->end_is_settled = end_mark;
}

const GError *
mlpd_reader_error (const struct mlpd_reader *reader)
{
  return reader->error;
}
