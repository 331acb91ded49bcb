/* ghc-reader.c -- see ghc-reader.h.
 *
 * The reader looks at the log through a window (window.h).  Each state has a step function, which
 * yields an item, goes on to another state or says that the window is too short for a decision.
 * What a step decides must not depend on where the window happens to end.
 *
 * Nothing in an event says that one begins.  So an event counts as one if the header declares its
 * tag and if its time is one of its block's; after damage the reader looks for two such in a row,
 * for the marker of a block, or for a header.
 */
#include "decoder/formats/ghc-decode.h"
#include "decoder/formats/ghc-describe.h"
#include "decoder/formats/window.h"

#include <proflog/ghc-reader.h>
#include <string.h>

/* Longest block that is taken for real: writers have buffers of 2 MiB. */
#define BLOCK_MAX (256u << 20)
/* Highest capability that is, where a block was not expected. */
#define PLAUSIBLE_CAP_MAX 4096
/* So much before and behind its block's times an event may be: a collection's end is written with a
 * time before that of its block, if that was begun in between. */
#define TIME_SLACK_NS 1000000

#define ID_SIZE 4
#define HEADER_IDS_SIZE 8 /* of a header and of its list */
#define TYPE_HEAD_SIZE 12 /* id, tag, size, length of the description */

enum state {
  STATE_START, /* nothing was read */
  STATE_TYPES, /* in a header */
  STATE_EVENTS,
  STATE_BEHIND, /* the end mark */
  STATE_SEARCH, /* for something that makes sense */
  STATE_ENDING, /* the input has ended */
  STATE_END,
  STATE_ERROR,
};

enum step {
  STEP_ITEM,
  STEP_GO_ON,
  STEP_SHORT,
};

/* What a header declares. */
struct types {
  GArray *types; /* of struct ghc_event_type */
  GStringChunk *texts;
  uint16_t *index; /* by tag: 1 and where it is in `types`; 0: not declared */
};

struct ghc_reader {
  enum state state;
  struct window window;

  bool has_header;
  struct ghc_header header;
  struct types types; /* of the header */
  struct types next;  /* of the one that is being read */
  uint64_t header_offset;

  /* The block. */
  uint64_t block_end; /* its first byte behind; 0: none */
  uint64_t earliest;  /* times of its events */
  uint64_t latest;    /* 0: not told */
  unsigned cap;

  bool is_closed; /* there is an end mark, or its absence was told */
  union ghc_payload payload;

  /* Damage whose end is not reached yet. */
  uint64_t damage_offset;
  struct ghc_damage damage;
  char *message;

  struct ghc_item item;
  GError *error;
};

/* ---- types ---- */

static void
types_init (struct types *t)
{
  t->types = g_array_new (FALSE, FALSE, sizeof (struct ghc_event_type));
  t->texts = g_string_chunk_new (4096);
  t->index = g_new0 (uint16_t, GHC_DATA_END);
}

static void
types_clear (struct types *t)
{
  if (t->types == NULL)
    return;
  g_array_unref (t->types);
  g_string_chunk_free (t->texts);
  g_free (t->index);
  *t = (struct types){ .types = NULL };
}

static struct ghc_event_type *
types_find (const struct types *t, unsigned tag)
{
  const unsigned at = t->types != NULL && tag != GHC_DATA_END ? t->index[tag] : 0;
  return at != 0 ? &g_array_index (t->types, struct ghc_event_type, at - 1) : NULL;
}

static void
types_add (struct types *t, uint16_t tag, uint16_t size, const char *text, size_t length)
{
  const struct ghc_event_type type = {
    .tag = tag,
    .size = size,
    .real_size = size,
    .kind = ghc_kind_of_tag (tag),
    .description = { g_string_chunk_insert_len (t->texts, text, (gssize) length), length },
  };
  g_array_append_val (t->types, type);
  t->index[tag] = (uint16_t) t->types->len;
}

/* GHC 6.12 declares thread ids with 8 bytes and writes 4, and tells nothing of the capabilities in
 * the event of the start. */
static void
correct_size (struct ghc_event_type *type)
{
  if (type->kind == GHC_STARTUP && type->size == 0)
    type->real_size = 2;
  if (type->kind == GHC_UNKNOWN || type->size == GHC_VARIABLE)
    return;
  const struct ghc_description *description = ghc_describe (type->kind);
  const unsigned least = ghc_least_size (description, type->size);
  unsigned ids = 0;
  for (size_t i = 0; i < description->n_fields; i++)
    ids += description->fields[i].unit == GHC_UNIT_THREAD
           || description->fields[i].unit == GHC_UNIT_PROCESS;
  if (ids != 0 && type->size == least + 4 * ids)
    type->real_size = (uint16_t) least;
}

/* The header is read to its end. */
static void
take_header (struct ghc_reader *r)
{
  types_clear (&r->types);
  r->types = r->next;
  r->next = (struct types){ .types = NULL };
  const struct ghc_event_type *create = types_find (&r->types, 0);
  r->header = (struct ghc_header){
    .types = (const struct ghc_event_type *) (const void *) r->types.types->data,
    .n_types = r->types.types->len,
    .is_6_12 = create != NULL && create->size == 8,
    .is_7_8_2 = types_find (&r->types, 58) != NULL && types_find (&r->types, 59) == NULL,
  };
  if (r->header.is_6_12)
    for (guint i = 0; i < r->types.types->len; i++)
      correct_size (&g_array_index (r->types.types, struct ghc_event_type, i));
  r->has_header = true;
  r->block_end = 0;
  r->is_closed = false;
}

/* ---- input ---- */

struct ghc_reader *
ghc_reader_new (void)
{
  struct ghc_reader *reader = g_new0 (struct ghc_reader, 1);
  window_init (&reader->window);
  return reader;
}

void
ghc_reader_free (struct ghc_reader *reader)
{
  if (reader == NULL)
    return;
  types_clear (&reader->types);
  types_clear (&reader->next);
  window_clear (&reader->window);
  g_free (reader->message);
  g_clear_error (&reader->error);
  g_free (reader);
}

static size_t
left (const struct ghc_reader *r)
{
  return window_left (&r->window);
}

static void
consume (struct ghc_reader *r, size_t bytes)
{
  window_consume (&r->window, bytes);
}

void
ghc_reader_push (struct ghc_reader *reader, const void *bytes, size_t length)
{
  g_return_if_fail (window_wants (&reader->window));
  if (length != 0 && reader->state != STATE_END && reader->state != STATE_ERROR)
    window_push (&reader->window, bytes, length);
}

void
ghc_reader_finish (struct ghc_reader *reader)
{
  window_finish (&reader->window);
}

static uint64_t
number_at (const uint8_t *bytes, unsigned size)
{
  struct cursor c = cursor_over (bytes, size);
  return cursor_big_endian (&c, size);
}

/* ---- items ---- */

static enum step
give (struct ghc_reader *r, enum ghc_item_type type, uint64_t offset, uint64_t size)
{
  r->item = (struct ghc_item){
    .type = type,
    .offset = offset,
    .size = size,
    .header = r->has_header ? &r->header : NULL,
    .cap = GHC_NO_CAP,
    .kind = GHC_UNKNOWN,
  };
  return STEP_ITEM;
}

/* Notes damage that begins here; what it covers is known when its end is found. */
static void G_GNUC_PRINTF (3, 4)
    begin_damage (struct ghc_reader *r, enum ghc_damage_reason reason, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (r->message);
  r->message = g_strdup_vprintf (format, args);
  va_end (args);
  r->damage_offset = r->window.offset;
  r->damage = (struct ghc_damage){ .reason = reason };
}

/* The damage goes as far as the log was read. */
static enum step
give_damage (struct ghc_reader *r)
{
  r->damage.skipped = r->window.offset - r->damage_offset;
  r->damage.message = r->message;
  give (r, GHC_ITEM_DAMAGE, r->damage_offset, r->damage.skipped);
  r->item.damage = &r->damage;
  return STEP_ITEM;
}

/* What begins here is no event: looks for one. */
static enum step
search (struct ghc_reader *r)
{
  consume (r, 1);
  r->state = STATE_SEARCH;
  return STEP_GO_ON;
}

static enum step G_GNUC_PRINTF (3, 4)
    fail (struct ghc_reader *r, enum proflog_read_error code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  r->error = g_error_new_valist (PROFLOG_READ_ERROR, (gint) code, format, args);
  va_end (args);
  r->state = STATE_ERROR;
  return STEP_GO_ON;
}

/* ---- what makes sense ---- */

enum sense {
  SENSE_NO,
  SENSE_YES,
  SENSE_SHORT, /* the window ends before that is clear */
  SENSE_CUT,   /* so does the log */
};

/* That so many bytes are needed here. */
static enum sense
needs (const struct ghc_reader *r, size_t bytes)
{
  if (left (r) >= bytes)
    return SENSE_YES;
  return window_is_last (&r->window) ? SENSE_CUT : SENSE_SHORT;
}

/* Does a header begin `at` bytes from here? */
static enum sense
is_header (const struct ghc_reader *r, size_t at)
{
  static const uint8_t ids[HEADER_IDS_SIZE] = "hdrbhetb";
  const size_t there = left (r) > at ? MIN (left (r) - at, sizeof ids) : 0;
  if (there != 0 && memcmp (r->window.at + at, ids, there) != 0)
    return SENSE_NO;
  return needs (r, at + sizeof ids);
}

/* A block's marker without the rest of its block, as GHC 9.0.2 writes it before the header when it
 * is told to begin anew. */
static enum sense
is_stray_marker (const struct ghc_reader *r)
{
  const size_t there = MIN (left (r), 2);
  if (memcmp (r->window.at, "\0\x12", there) != 0)
    return SENSE_NO;
  return is_header (r, GHC_BLOCK_MARKER_SIZE);
}

/* May an event with this tag and time be in the block that is read? */
static bool
is_of_block (const struct ghc_reader *r, unsigned tag, uint64_t time)
{
  return types_find (&r->types, tag) != NULL && (tag != 0 || time != 0) /* zeros */
         && (r->window.offset >= r->block_end || r->latest == 0
             || (time >= r->earliest && time <= r->latest));
}

static uint64_t
time_at (const uint8_t *event)
{
  return number_at (event + 2, 8);
}

/* The size of an event of a type that is declared and of which at least tag and time are there, the
 * length, too, if it has one. */
static size_t
size_at (const uint8_t *event, const struct ghc_event_type *type)
{
  if (type->size == GHC_VARIABLE)
    return GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE
           + (size_t) number_at (event + GHC_EVENT_HEADER_SIZE, GHC_LENGTH_SIZE);
  return GHC_EVENT_HEADER_SIZE + type->real_size;
}

/* Is this what follows an event, `at` bytes from here? */
static enum sense
is_next (const struct ghc_reader *r, size_t at)
{
  if (r->window.offset + at >= r->block_end)
    return r->window.offset + at == r->block_end ? SENSE_YES : SENSE_NO;
  if (window_is_last (&r->window) && left (r) < at + GHC_EVENT_HEADER_SIZE)
    return SENSE_YES; /* cut there */
  if (needs (r, at + GHC_EVENT_HEADER_SIZE) == SENSE_SHORT)
    return SENSE_SHORT;
  const uint8_t *next = r->window.at + at;
  return is_of_block (r, (unsigned) number_at (next, 2), time_at (next)) ? SENSE_YES : SENSE_NO;
}

/* Behind damage in a block: do two of its events begin here? */
static enum sense
is_event (const struct ghc_reader *r)
{
  if (r->window.offset >= r->block_end || r->latest == 0)
    return SENSE_NO;
  const enum sense there = needs (r, GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE);
  if (there != SENSE_YES)
    return there;
  const unsigned tag = (unsigned) number_at (r->window.at, 2);
  const struct ghc_event_type *type = types_find (&r->types, tag);
  if (!is_of_block (r, tag, time_at (r->window.at)) || type->kind == GHC_BLOCK_MARKER)
    return SENSE_NO;
  const size_t size = size_at (r->window.at, type);
  const enum sense whole = needs (r, size);
  return whole == SENSE_YES ? is_next (r, size) : whole;
}

/* Behind damage: does a block begin here? */
static enum sense
is_block (const struct ghc_reader *r)
{
  static const uint8_t tag[] = { 0, 18 };
  const enum sense there = needs (r, GHC_BLOCK_MARKER_SIZE);
  if (memcmp (r->window.at, tag, MIN (left (r), sizeof tag)) != 0)
    return SENSE_NO;
  if (there != SENSE_YES)
    return there;
  const uint64_t time = time_at (r->window.at);
  const uint64_t size = number_at (r->window.at + 10, 4);
  const uint64_t end = number_at (r->window.at + 14, 8);
  const unsigned cap = (unsigned) number_at (r->window.at + 22, 2);
  if (size < GHC_BLOCK_MARKER_SIZE || size > BLOCK_MAX || end < time
      || (cap > PLAUSIBLE_CAP_MAX && cap != GHC_NO_CAP))
    return SENSE_NO;
  /* What follows must fit, too. */
  const uint8_t *next = r->window.at + GHC_BLOCK_MARKER_SIZE;
  const enum sense more = needs (r, GHC_BLOCK_MARKER_SIZE + GHC_EVENT_HEADER_SIZE);
  if (more == SENSE_SHORT)
    return SENSE_SHORT;
  if (more == SENSE_CUT)
    return SENSE_YES;
  const unsigned next_tag = (unsigned) number_at (next, 2);
  if (size == GHC_BLOCK_MARKER_SIZE)
    return next_tag == tag[1] || next_tag == GHC_DATA_END ? SENSE_YES : SENSE_NO;
  return next_tag == GHC_DATA_END
                 || (types_find (&r->types, next_tag) != NULL
                     && time_at (next) + TIME_SLACK_NS >= time
                     && time_at (next) <= end + TIME_SLACK_NS)
             ? SENSE_YES
             : SENSE_NO;
}

/* At an end mark: is it one?  In a block, not at its end, it may be anything; then nothing follows,
 * or another log. */
static enum sense
is_end (const struct ghc_reader *r)
{
  static const uint8_t header[] = "hdrb", marker[] = { 0, 18 };
  if (r->block_end <= r->window.offset + 2)
    return SENSE_YES;
  const uint8_t *next = r->window.at + 2;
  const size_t there = left (r) - 2;
  if (memcmp (next, header, MIN (there, ID_SIZE)) != 0
      && memcmp (next, marker, MIN (there, sizeof marker)) != 0)
    return SENSE_NO;
  return needs (r, 2 + ID_SIZE) == SENSE_SHORT ? SENSE_SHORT : SENSE_YES;
}

/* ---- headers ---- */

static enum step
begin_header (struct ghc_reader *r)
{
  types_clear (&r->next);
  types_init (&r->next);
  r->header_offset = r->window.offset;
  consume (r, HEADER_IDS_SIZE);
  r->state = STATE_TYPES;
  return STEP_GO_ON;
}

/* The header makes no sense here.  The first one is needed. */
static enum step G_GNUC_PRINTF (2, 3) refuse_header (struct ghc_reader *r, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *what = g_strdup_vprintf (format, args);
  va_end (args);
  if (!r->has_header) {
    fail (r, PROFLOG_READ_ERROR_NOT_A_LOG, "the header of the eventlog is damaged: %s", what);
  } else {
    begin_damage (r, GHC_DAMAGE_CORRUPT,
                  "the header at offset %" G_GUINT64_FORMAT " is damaged: %s", r->header_offset,
                  what);
    r->damage_offset = r->header_offset;
    r->block_end = 0;
    r->state = STATE_SEARCH;
  }
  g_free (what);
  return STEP_GO_ON;
}

/* One event type; the window has its id. */
static enum step
step_type (struct ghc_reader *r)
{
  const uint8_t *at = r->window.at;
  if (left (r) < TYPE_HEAD_SIZE)
    return STEP_SHORT;
  const uint16_t tag = (uint16_t) number_at (at + 4, 2), size = (uint16_t) number_at (at + 6, 2);
  const uint64_t length = number_at (at + 8, 4);
  if (length == 13 && left (r) > TYPE_HEAD_SIZE && at[TYPE_HEAD_SIZE] == 10)
    return refuse_header (r,
                          "at offset %" G_GUINT64_FORMAT " there is 0d 0a instead of 0a, as if it "
                          "was copied as a text of Windows",
                          r->window.offset + TYPE_HEAD_SIZE - 1);
  if (length > GHC_DESCRIPTION_MAX)
    return refuse_header (r,
                          "at offset %" G_GUINT64_FORMAT
                          " the description of events %u has %" G_GUINT64_FORMAT
                          " bytes; there may be %u",
                          r->window.offset, tag, length, GHC_DESCRIPTION_MAX);
  const size_t extra_at = TYPE_HEAD_SIZE + (size_t) length;
  if (left (r) < extra_at + 4)
    return STEP_SHORT;
  const uint64_t extra = number_at (at + extra_at, 4);
  if (extra > GHC_DESCRIPTION_MAX)
    return refuse_header (r,
                          "at offset %" G_GUINT64_FORMAT
                          " more information on events %u has %" G_GUINT64_FORMAT
                          " bytes; there may be %u",
                          r->window.offset, tag, extra, GHC_DESCRIPTION_MAX);
  const size_t end = extra_at + 4 + (size_t) extra;
  if (left (r) < end + ID_SIZE)
    return STEP_SHORT;
  if (number_at (at + end, ID_SIZE) != GHC_TYPE_END)
    return refuse_header (r,
                          "at offset %" G_GUINT64_FORMAT " what is told of events %u does not end",
                          r->window.offset + end, tag);
  if (tag == GHC_DATA_END || types_find (&r->next, tag) != NULL)
    return refuse_header (r, "at offset %" G_GUINT64_FORMAT " events %u are declared%s",
                          r->window.offset, tag, tag == GHC_DATA_END ? "" : " again");
  types_add (&r->next, tag, size, (const char *) at + TYPE_HEAD_SIZE, (size_t) length);
  consume (r, end + ID_SIZE);
  return STEP_GO_ON;
}

static enum step
step_types (struct ghc_reader *r)
{
  if (left (r) < ID_SIZE)
    return STEP_SHORT;
  const uint64_t id = number_at (r->window.at, ID_SIZE);
  if (id == GHC_TYPE_BEGIN)
    return step_type (r);
  if (id != GHC_TYPES_END)
    return refuse_header (r,
                          "at offset %" G_GUINT64_FORMAT " no type of events begins (bytes %08x)",
                          r->window.offset, (unsigned) id);
  if (left (r) < 3 * ID_SIZE)
    return STEP_SHORT;
  if (number_at (r->window.at + ID_SIZE, ID_SIZE) != GHC_HEADER_END
      || number_at (r->window.at + 2 * ID_SIZE, ID_SIZE) != GHC_DATA_BEGIN)
    return refuse_header (r, "at offset %" G_GUINT64_FORMAT " it does not end",
                          r->window.offset + ID_SIZE);
  consume (r, 3 * ID_SIZE);
  take_header (r);
  r->state = STATE_EVENTS;
  return give (r, GHC_ITEM_HEADER, r->header_offset, r->window.offset - r->header_offset);
}

/* ---- events ---- */

/* A block begins with the event that was just read. */
static void
begin_block (struct ghc_reader *r, uint64_t time)
{
  const struct ghc_block_marker *marker = &r->payload.block_marker;
  r->block_end = r->item.offset + marker->block_size;
  r->cap = marker->cap;
  r->earliest = time > TIME_SLACK_NS ? time - TIME_SLACK_NS : 0;
  r->latest = marker->end_time >= time
                  ? marker->end_time + MIN (TIME_SLACK_NS, UINT64_MAX - marker->end_time)
                  : 0;
}

/* Gives the event of `size` bytes; it is there. */
static enum step
give_event (struct ghc_reader *r, const struct ghc_event_type *type, size_t size)
{
  const uint8_t *at = r->window.at;
  const uint64_t offset = r->window.offset;
  const size_t head = GHC_EVENT_HEADER_SIZE + (type->size == GHC_VARIABLE ? GHC_LENGTH_SIZE : 0);
  struct cursor c = cursor_over (at + head, size - head);
  enum ghc_kind kind = type->kind;
  if (kind != GHC_UNKNOWN)
    ghc_decode_payload (kind, type->real_size, &c, &r->payload);
  if (c.error != CURSOR_OK && type->size == GHC_VARIABLE) {
    begin_damage (r, GHC_DAMAGE_CORRUPT,
                  "the event at offset %" G_GUINT64_FORMAT " (%s, %" G_GSIZE_FORMAT
                  " bytes) ends before its fields do",
                  offset, ghc_describe (kind)->name, size - head);
    consume (r, size);
    return give_damage (r);
  }
  if (c.error != CURSOR_OK) /* declared with a size that no writer is known to have */
    kind = GHC_UNKNOWN;
  consume (r, size);
  give (r, GHC_ITEM_EVENT, offset, size);
  r->item.event_type = type;
  r->item.time = time_at (at);
  r->item.bytes = (struct ghc_text){ (const char *) at + head, size - head };
  r->item.kind = kind;
  if (kind != GHC_UNKNOWN) {
    r->item.payload = &r->payload;
    r->item.extra = cursor_left (&c);
  }
  if (kind == GHC_BLOCK_MARKER)
    begin_block (r, r->item.time);
  else if (offset < r->block_end)
    r->item.cap = r->cap;
  return STEP_ITEM;
}

static enum step
damage_block (struct ghc_reader *r)
{
  begin_damage (r, GHC_DAMAGE_CORRUPT,
                "no block begins at offset %" G_GUINT64_FORMAT " with %u bytes: there may be %d to "
                "%u, with events of its times",
                r->window.offset,
                (unsigned) number_at (r->window.at + GHC_EVENT_HEADER_SIZE, sizeof (uint32_t)),
                GHC_BLOCK_MARKER_SIZE, BLOCK_MAX);
  return search (r);
}

/* The window has a marker.  In another block, not at its end, it may be anything. */
static enum step
step_marker (struct ghc_reader *r, const struct ghc_event_type *type, size_t size)
{
  const uint64_t block = number_at (r->window.at + GHC_EVENT_HEADER_SIZE, sizeof (uint32_t));
  const enum sense sense = r->window.offset < r->block_end ? is_block (r) : SENSE_YES;
  if (sense == SENSE_SHORT)
    return STEP_SHORT;
  if (sense != SENSE_YES || block < GHC_BLOCK_MARKER_SIZE || block > BLOCK_MAX)
    return damage_block (r);
  return give_event (r, type, size);
}

/* An event of `size` bytes that is not of its block's times, or goes over its end. */
static enum step
damage_event (struct ghc_reader *r, size_t size, uint64_t time)
{
  const uint64_t end = r->window.offset + size;
  if (end > r->block_end)
    begin_damage (r, GHC_DAMAGE_CORRUPT,
                  "no event begins at offset %" G_GUINT64_FORMAT
                  ": it would end at %" G_GUINT64_FORMAT ", its block ends at %" G_GUINT64_FORMAT,
                  r->window.offset, end, r->block_end);
  else
    begin_damage (r, GHC_DAMAGE_CORRUPT,
                  "no event begins at offset %" G_GUINT64_FORMAT
                  ": its time would be %" G_GUINT64_FORMAT
                  " ns, its block's are from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                  r->window.offset, time, r->earliest, r->latest);
  return search (r);
}

/* Does the block that is read end, as it should, with something else? */
static enum sense
is_border (const struct ghc_reader *r)
{
  const size_t at = (size_t) (r->block_end - r->window.offset);
  const enum sense there = needs (r, at + 2);
  if (there != SENSE_YES)
    return there;
  const unsigned tag = (unsigned) number_at (r->window.at + at, 2);
  return tag == 18 || tag == GHC_DATA_END || tag == GHC_HEADER_BEGIN >> 16 ? SENSE_YES : SENSE_NO;
}

/* Does it make sense that an event of `size` bytes begins here?  Its time may be a strange one
 * (Eden writes such) if what follows is in order; zeros are no event. */
static enum sense
is_likely (const struct ghc_reader *r, unsigned tag, uint64_t time, size_t size)
{
  if (r->window.offset < r->block_end && r->window.offset + size > r->block_end) {
    const enum sense border = is_border (r);
    return border == SENSE_SHORT ? SENSE_SHORT : border == SENSE_YES ? SENSE_NO : SENSE_YES;
  }
  if (is_of_block (r, tag, time))
    return SENSE_YES;
  return tag == 0 && time == 0 ? SENSE_NO : is_next (r, size);
}

/* The window has tag and time of an event whose tag is declared. */
static enum step
step_event (struct ghc_reader *r, const struct ghc_event_type *type)
{
  if (type->size == GHC_VARIABLE && left (r) < GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE)
    return STEP_SHORT;
  const uint64_t time = time_at (r->window.at);
  const size_t size = size_at (r->window.at, type);
  const bool is_marker = type->kind == GHC_BLOCK_MARKER && size >= GHC_BLOCK_MARKER_SIZE;
  const enum sense sense = is_marker ? SENSE_YES : is_likely (r, type->tag, time, size);
  if (sense == SENSE_NO)
    return damage_event (r, size, time);
  if (sense == SENSE_SHORT || left (r) < size)
    return STEP_SHORT;
  return is_marker ? step_marker (r, type, size) : give_event (r, type, size);
}

/* The window begins with an end mark. */
static enum step
step_end_mark (struct ghc_reader *r)
{
  const enum sense sense = is_end (r);
  if (sense == SENSE_SHORT)
    return STEP_SHORT;
  if (sense == SENSE_NO) {
    begin_damage (r, GHC_DAMAGE_CORRUPT,
                  "the events end at offset %" G_GUINT64_FORMAT
                  ", but their block at %" G_GUINT64_FORMAT " and more follows",
                  r->window.offset, r->block_end);
    return search (r);
  }
  const uint64_t offset = r->window.offset;
  consume (r, 2);
  r->is_closed = true;
  r->block_end = 0;
  r->state = STATE_BEHIND;
  return give (r, GHC_ITEM_END, offset, 2);
}

static enum step
step_events (struct ghc_reader *r)
{
  if (left (r) < 2)
    return STEP_SHORT;
  const unsigned tag = (unsigned) number_at (r->window.at, 2);
  if (tag == GHC_DATA_END)
    return step_end_mark (r);
  const enum sense header = is_header (r, 0);
  if (header == SENSE_SHORT || header == SENSE_CUT)
    return STEP_SHORT;
  if (header == SENSE_YES)
    return begin_header (r);
  const struct ghc_event_type *type = types_find (&r->types, tag);
  if (type == NULL) {
    begin_damage (r, GHC_DAMAGE_CORRUPT,
                  "no event begins at offset %" G_GUINT64_FORMAT
                  ": the header does not declare a type %u",
                  r->window.offset, tag);
    return search (r);
  }
  if (left (r) < GHC_EVENT_HEADER_SIZE)
    return STEP_SHORT;
  return step_event (r, type);
}

/* ---- between logs ---- */

static enum step
give_stray_marker (struct ghc_reader *r)
{
  static const struct ghc_event_type type
      = { 18, 14, 14, GHC_BLOCK_MARKER, { "Block marker", sizeof "Block marker" - 1 } };
  give_event (r, &type, GHC_BLOCK_MARKER_SIZE);
  r->block_end = 0;
  r->is_closed = false;
  return STEP_ITEM;
}

/* Where a header has to begin, if anything does.  Sets *sense if that is clear. */
static enum step
begin_log (struct ghc_reader *r, enum sense *sense)
{
  const enum sense header = is_header (r, 0);
  enum sense marker = is_stray_marker (r);
  if (marker == SENSE_CUT && r->has_header && left (r) >= GHC_BLOCK_MARKER_SIZE)
    marker = SENSE_YES;
  *sense = header != SENSE_NO ? header : marker;
  if (*sense != SENSE_YES)
    return STEP_SHORT;
  return header == SENSE_YES ? begin_header (r) : give_stray_marker (r);
}

static enum step
step_start (struct ghc_reader *r)
{
  enum sense sense;
  if (left (r) < ID_SIZE)
    return STEP_SHORT;
  const enum step step = begin_log (r, &sense);
  if (sense == SENSE_NO)
    return fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                 "not a GHC eventlog: it begins with the bytes %02x %02x %02x %02x, an eventlog "
                 "with 68 64 72 62",
                 r->window.at[0], r->window.at[1], r->window.at[2], r->window.at[3]);
  return step;
}

static enum step
step_behind (struct ghc_reader *r)
{
  enum sense sense;
  if (left (r) == 0)
    return STEP_SHORT;
  const enum step step = begin_log (r, &sense);
  if (sense != SENSE_NO)
    return step;
  begin_damage (
      r, GHC_DAMAGE_CORRUPT,
      "something that is no eventlog follows the end of the events at offset %" G_GUINT64_FORMAT,
      r->window.offset);
  return search (r);
}

/* ---- behind damage ---- */

static enum step
step_search (struct ghc_reader *r)
{
  for (; left (r) != 0; consume (r, 1)) {
    const enum sense senses[] = { is_header (r, 0), is_block (r), is_event (r) };
    bool is_found = r->window.offset == r->block_end && left (r) >= 2
                    && number_at (r->window.at, 2) == GHC_DATA_END;
    for (size_t i = 0; i < G_N_ELEMENTS (senses) && !is_found; i++) {
      if (senses[i] == SENSE_SHORT)
        return STEP_SHORT;
      is_found = senses[i] == SENSE_YES;
    }
    if (is_found) {
      r->state = STATE_EVENTS;
      return give_damage (r);
    }
    if (r->window.offset == r->block_end && left (r) < 2 && !window_is_last (&r->window))
      return STEP_SHORT;
  }
  return STEP_SHORT;
}

/* ---- the end ---- */

static enum step
give_truncated (struct ghc_reader *r, uint64_t from, const char *what, uint64_t missing)
{
  const uint64_t end = r->window.offset + left (r);
  if (missing != 0)
    begin_damage (r, GHC_DAMAGE_TRUNCATED,
                  "the log ends at offset %" G_GUINT64_FORMAT " inside %s: %" G_GUINT64_FORMAT
                  " bytes are missing there",
                  end, what, missing);
  else
    begin_damage (r, GHC_DAMAGE_TRUNCATED, "the log ends at offset %" G_GUINT64_FORMAT " inside %s",
                  end, what);
  r->damage_offset = from;
  r->damage.missing = missing;
  consume (r, left (r));
  r->is_closed = true;
  r->state = STATE_ENDING;
  return give_damage (r);
}

/* How many bytes the event lacks that is in the window, or its block. */
static uint64_t
missing_bytes (const struct ghc_reader *r)
{
  const uint64_t end = r->window.offset + left (r);
  if (end < r->block_end)
    return r->block_end - end;
  const struct ghc_event_type *type
      = left (r) >= 2 ? types_find (&r->types, (unsigned) number_at (r->window.at, 2)) : NULL;
  if (type == NULL)
    return 0;
  const size_t head = GHC_EVENT_HEADER_SIZE + (type->size == GHC_VARIABLE ? GHC_LENGTH_SIZE : 0);
  if (left (r) < head)
    return head - left (r) + (type->size == GHC_VARIABLE ? 0 : type->real_size);
  return size_at (r->window.at, type) - left (r);
}

/* What is left in the window is all there will be, and too little for the state's step. */
static enum step
step_input_ended (struct ghc_reader *r)
{
  switch (r->state) {
  case STATE_START:
    if (left (r) < ID_SIZE)
      return fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                   "not a GHC eventlog: it has %" G_GSIZE_FORMAT " bytes", left (r));
    return give_truncated (r, r->window.offset, "its header", 0);
  case STATE_TYPES:
    return give_truncated (r, r->header_offset, "a header", 0);
  case STATE_EVENTS:
    if (left (r) == 0) {
      r->state = STATE_ENDING;
      return STEP_GO_ON;
    }
    return give_truncated (r, r->window.offset, "an event", missing_bytes (r));
  case STATE_BEHIND:
    if (left (r) != 0)
      return give_truncated (r, r->window.offset, "what comes before another header", 0);
    r->state = STATE_ENDING;
    return STEP_GO_ON;
  case STATE_SEARCH:
    consume (r, left (r));
    r->is_closed = true; /* nobody knows */
    r->state = STATE_ENDING;
    return give_damage (r);
  default:
    r->state = STATE_END;
    return STEP_GO_ON;
  }
}

static enum step
step_ending (struct ghc_reader *r)
{
  r->state = STATE_END;
  if (r->is_closed)
    return STEP_GO_ON;
  const uint64_t missing = r->block_end > r->window.offset ? r->block_end - r->window.offset : 0;
  begin_damage (r, GHC_DAMAGE_TRUNCATED,
                "the log has no end mark at offset %" G_GUINT64_FORMAT ": the program was killed "
                "or the log was cut; how much is missing cannot be told",
                r->window.offset);
  r->damage.missing = missing;
  return give_damage (r);
}

static enum step
take_step (struct ghc_reader *r)
{
  switch (r->state) {
  case STATE_START:
    return step_start (r);
  case STATE_TYPES:
    return step_types (r);
  case STATE_EVENTS:
    return step_events (r);
  case STATE_BEHIND:
    return step_behind (r);
  case STATE_SEARCH:
    return step_search (r);
  default:
    return step_ending (r);
  }
}

enum proflog_result
ghc_reader_next (struct ghc_reader *reader, const struct ghc_item **item)
{
  while (reader->state != STATE_END && reader->state != STATE_ERROR) {
    enum step step = take_step (reader);
    if (step == STEP_SHORT) {
      if (window_widen (&reader->window))
        continue;
      if (!reader->window.finished) {
        window_keep (&reader->window);
        return PROFLOG_NEED_MORE;
      }
      step = step_input_ended (reader);
    }
    if (step == STEP_ITEM) {
      *item = &reader->item;
      return PROFLOG_EVENT;
    }
  }
  return reader->state == STATE_END ? PROFLOG_END : PROFLOG_ERROR;
}

const GError *
ghc_reader_error (const struct ghc_reader *reader)
{
  return reader->error;
}
