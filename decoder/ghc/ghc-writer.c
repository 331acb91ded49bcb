/* ghc-writer.c -- writes headers, blocks and events of eventlogs. */
#include "config.h"

#include "decoder/ghc/ghc-types.h"

#include <proflog/ghc-encode.h>
#include <proflog/ghc-writer.h>

#define MARKER_SIZE (GHC_BLOCK_MARKER_SIZE - GHC_EVENT_HEADER_SIZE)
/* Where a marker states size and end of its block. */
#define MARKER_BLOCK_SIZE_AT GHC_EVENT_HEADER_SIZE
#define MARKER_END_TIME_AT (MARKER_BLOCK_SIZE_AT + 4)

struct ghc_writer {
  struct ghc_types types; /* as declared, for the events */
  GByteArray *done;       /* bytes that can be taken */
  GByteArray *block;      /* the one that is open, with its marker; empty: none */
  size_t marker;          /* bytes of that */
  bool was_taken;         /* all of `done` */
};

G_DEFINE_QUARK (ghc - writer - error - quark, ghc_writer_error)

struct ghc_writer *
ghc_writer_new (void)
{
  struct ghc_writer *w = g_new0 (struct ghc_writer, 1);
  w->done = g_byte_array_new ();
  w->block = g_byte_array_new ();
  return w;
}

void
ghc_writer_free (struct ghc_writer *w)
{
  if (w == NULL)
    return;
  ghc_types_clear (&w->types);
  g_byte_array_unref (w->done);
  g_byte_array_unref (w->block);
  g_free (w);
}

/* Where complete bytes go. */
static GByteArray *
done (struct ghc_writer *w)
{
  if (w->was_taken)
    g_byte_array_set_size (w->done, 0);
  w->was_taken = false;
  return w->done;
}

const uint8_t *
ghc_writer_take (struct ghc_writer *w, size_t *length)
{
  *length = done (w)->len;
  w->was_taken = true;
  return w->done->data;
}

static void
put_number (GByteArray *to, uint64_t value, unsigned bytes)
{
  uint8_t number[8];
  ghc_put_number (number, value, bytes);
  g_byte_array_append (to, number, bytes);
}

/* ---- headers ---- */

static bool
set_types (struct ghc_types *to, const struct ghc_event_type *types, size_t n, GError **error)
{
  for (size_t i = 0; i < n; i++) {
    const struct ghc_event_type *t = &types[i];
    if (t->tag == GHC_DATA_END || ghc_types_find (to, t->tag) != NULL) {
      g_set_error (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_HEADER,
                   "events %u cannot be declared%s", t->tag,
                   t->tag == GHC_DATA_END ? "" : " twice");
      return false;
    }
    if (t->description.length > GHC_DESCRIPTION_MAX || t->more.length > GHC_DESCRIPTION_MAX) {
      g_set_error (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_HEADER,
                   "the description of events %u has %" G_GSIZE_FORMAT " bytes; there may be %u",
                   t->tag, MAX (t->description.length, t->more.length), GHC_DESCRIPTION_MAX);
      return false;
    }
    ghc_types_add (to, t->tag, t->size, t->description, t->more);
  }
  return true;
}

static void
put_type (GByteArray *to, const struct ghc_event_type *type)
{
  put_number (to, GHC_TYPE_BEGIN, 4);
  put_number (to, type->tag, 2);
  put_number (to, type->size, 2);
  put_number (to, type->description.length, 4);
  g_byte_array_append (to, (const guint8 *) type->description.text,
                       (guint) type->description.length);
  put_number (to, type->more.length, 4);
  g_byte_array_append (to, (const guint8 *) type->more.text, (guint) type->more.length);
  put_number (to, GHC_TYPE_END, 4);
}

bool
ghc_writer_header (struct ghc_writer *w, const struct ghc_event_type *types, size_t n_types,
                   GError **error)
{
  struct ghc_types declared;
  ghc_types_init (&declared);
  if (!set_types (&declared, types, n_types, error)) {
    ghc_types_clear (&declared);
    return false;
  }
  ghc_types_clear (&w->types);
  w->types = declared;
  ghc_types_finish (&w->types);
  if (w->block->len > w->marker)
    ghc_writer_end_block (w);
  GByteArray *to = w->block->len != 0 ? w->block : done (w);
  put_number (to, GHC_HEADER_BEGIN, 4);
  put_number (to, GHC_TYPES_BEGIN, 4);
  for (size_t i = 0; i < n_types; i++)
    put_type (to, &types[i]);
  put_number (to, GHC_TYPES_END, 4);
  put_number (to, GHC_HEADER_END, 4);
  put_number (to, GHC_DATA_BEGIN, 4);
  ghc_writer_end_block (w);
  return true;
}

/* ---- blocks ---- */

bool
ghc_writer_is_in_block (const struct ghc_writer *w)
{
  return w->block->len != 0;
}

void
ghc_writer_end_block (struct ghc_writer *w)
{
  if (w->block->len == 0)
    return;
  ghc_put_number (w->block->data + MARKER_BLOCK_SIZE_AT, w->block->len, 4);
  g_byte_array_append (done (w), w->block->data, w->block->len);
  g_byte_array_set_size (w->block, 0);
}

void
ghc_writer_end_block_at (struct ghc_writer *w, uint64_t end_time)
{
  if (w->block->len != 0)
    ghc_put_number (w->block->data + MARKER_END_TIME_AT, end_time, 8);
  ghc_writer_end_block (w);
}

/* Closes a block that grew too long, and begins another one of its capability. */
static void
divide_block (struct ghc_writer *w, uint64_t time)
{
  uint8_t *marker = g_memdup2 (w->block->data, w->marker);
  ghc_writer_end_block (w);
  ghc_put_number (marker + sizeof (uint16_t), time, 8);
  g_byte_array_append (w->block, marker, (guint) w->marker);
  g_free (marker);
}

void
ghc_writer_end (struct ghc_writer *w, bool in_block)
{
  if (in_block && w->block->len != 0)
    put_number (w->block, GHC_DATA_END, 2);
  const bool is_written = in_block && w->block->len != 0;
  ghc_writer_end_block (w);
  if (!is_written)
    put_number (done (w), GHC_DATA_END, 2);
}

/* ---- events ---- */

/* Before a header there may be markers alone. */
static const struct ghc_event_type *
type_of (const struct ghc_writer *w, unsigned tag, GError **error)
{
  static const struct ghc_event_type marker = {
    .tag = GHC_TAG_BLOCK_MARKER,
    .size = MARKER_SIZE,
    .real_size = MARKER_SIZE,
    .kind = GHC_BLOCK_MARKER,
    .description = { "", 0 },
    .more = { "", 0 },
  };
  const struct ghc_event_type *type = ghc_types_find (&w->types, tag);
  if (type == NULL && tag == GHC_TAG_BLOCK_MARKER && w->types.types == NULL)
    return &marker;
  if (type == NULL)
    g_set_error (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_UNDECLARED,
                 "an event %u cannot be written: the header does not declare it", tag);
  return type;
}

/* Appends the payload; how long it came to be. */
static size_t
put_payload (GByteArray *to, const struct ghc_event_type *type, const struct ghc_event *event)
{
  const guint start = to->len;
  if (event->payload != NULL && type->kind != GHC_UNKNOWN) {
    g_byte_array_set_size (to, start + (guint) ghc_bound_payload (type->kind, event->payload));
    const uint8_t *end
        = ghc_put_payload (type->kind, to->data + start, type->real_size, event->payload);
    g_byte_array_set_size (to, (guint) (end - to->data));
  }
  if (event->more.length != 0)
    g_byte_array_append (to, (const guint8 *) event->more.text, (guint) event->more.length);
  return to->len - start;
}

static void
pad (GByteArray *to, size_t bytes)
{
  const guint start = to->len;
  g_byte_array_set_size (to, start + (guint) bytes);
  memset (to->data + start, 0, bytes);
}

/* Appends the event, nothing on errors. */
static bool
put_event (GByteArray *to, const struct ghc_event_type *type, const struct ghc_event *event,
           GError **error)
{
  const bool is_variable = type->size == GHC_VARIABLE;
  const size_t most = is_variable ? GHC_PAYLOAD_MAX : type->real_size;
  const guint start = to->len;
  put_number (to, type->tag, 2);
  put_number (to, event->time, 8);
  if (is_variable)
    put_number (to, 0, GHC_LENGTH_SIZE);
  const size_t size = put_payload (to, type, event);
  if (size > most) {
    g_byte_array_set_size (to, start);
    g_set_error (error, GHC_WRITER_ERROR, GHC_WRITER_ERROR_TOO_LONG,
                 "an event %u cannot be written: it has %" G_GSIZE_FORMAT
                 " bytes, and there is room for %" G_GSIZE_FORMAT,
                 type->tag, size, most);
    return false;
  }
  if (is_variable)
    ghc_put_number (to->data + start + GHC_EVENT_HEADER_SIZE, size, GHC_LENGTH_SIZE);
  else
    pad (to, most - size);
  return true;
}

bool
ghc_writer_event (struct ghc_writer *w, const struct ghc_event *event, GError **error)
{
  const struct ghc_event_type *type = type_of (w, event->tag, error);
  if (type == NULL)
    return false;
  if (type->kind == GHC_BLOCK_MARKER && event->payload != NULL) {
    ghc_writer_end_block (w);
    const bool good = put_event (w->block, type, event, error);
    w->marker = w->block->len;
    return good;
  }
  if (w->block->len > GHC_WRITER_BLOCK_MAX)
    divide_block (w, event->time);
  return put_event (w->block->len != 0 ? w->block : done (w), type, event, error);
}
