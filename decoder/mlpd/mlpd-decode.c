/* mlpd-decode.c -- expands the event list to a decoder of events.
 *
 * The kinds of event bytes are computed once for each data version.
 */
#include "config.h"

#include "decoder/mlpd/mlpd-decode.h"

#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-fields.h"
#include <string.h>

G_STATIC_ASSERT (MLPD_BYTE_METADATA <= UINT8_MAX);

/* ---- lists ---- */

/* An event has no two lists in the same room. */
#define LISTS_U8 0
#define LISTS_UVAR 0
#define LISTS_SMALL 0
#define LISTS_SIZE 0
#define LISTS_TIME 0
#define LISTS_PTR 0
#define LISTS_BINARY_ADDRESS 0
#define LISTS_OBJ 0
#define LISTS_METHOD 0
#define LISTS_STRZ 0
#define LISTS_MTYPE 0
#define LISTS_EXINFO 0
#define LISTS_MONITOR_EVENT 0
#define LISTS_HELPER_TYPE 0
#define LISTS_HELPER_NAME 0
#define LISTS_BACKTRACE 0x1
#define LISTS_OBJS 0x1
#define LISTS_REFS 0x1
#define LISTS_PTRS 0x10
#define LISTS_ROOTS 0x100
#define LISTS_FRAMES 0x1000
#define LISTS_COUNTERS 0x10000
#define LISTS_COUNTER_VALUES 0x10000
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) enum { lists_of_##id = 0
#define FIELD(id, field, wire, unit, when, doc) +LISTS_##wire
#define END_EVENT(id)                                                                              \
  }                                                                                                \
  ;                                                                                                \
  G_STATIC_ASSERT ((lists_of_##id & ~0x11111) == 0);
#include <proflog/mlpd-events.def>

/* ---- events ---- */

#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static void get_event_##id (struct mlpd_decoder *d, struct cursor *c, uint8_t byte)              \
  {                                                                                                \
    mlpd_get_##id (&d->bases, &d->lists, c, byte, &d->payload.id);                                 \
  }
#include <proflog/mlpd-events.def>

typedef void (*get_event) (struct mlpd_decoder *, struct cursor *, uint8_t byte);

static const get_event get_events[] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) get_event_##id,
#include <proflog/mlpd-events.def>
};

static bool
has_event (unsigned version, const struct mlpd_description *description, uint8_t byte)
{
  return (byte & 0x0f) == description->type && (byte & description->mask) == description->exinfo
         && version >= description->since && version <= description->until;
}

static uint8_t
kind_of_byte (unsigned version, uint8_t byte)
{
  for (unsigned kind = 0; kind < MLPD_KINDS; kind++) {
    const struct mlpd_description *description = mlpd_describe (kind);
    if (has_event (version, description, byte))
      return description->mtype != 0 ? MLPD_BYTE_METADATA : (uint8_t) kind;
  }
  return MLPD_BYTE_UNKNOWN;
}

/* Reads ahead to the mtype byte, which follows the time. */
static uint8_t
kind_of_metadata (unsigned version, const struct cursor *cursor, uint8_t byte,
                  enum cursor_error *error)
{
  struct cursor ahead = *cursor;
  cursor_uleb (&ahead);
  const uint8_t mtype = cursor_u8 (&ahead);
  *error = ahead.error;
  for (unsigned kind = 0; kind < MLPD_KINDS; kind++) {
    const struct mlpd_description *description = mlpd_describe (kind);
    if (has_event (version, description, byte) && description->mtype == mtype)
      return (uint8_t) kind;
  }
  return MLPD_BYTE_UNKNOWN;
}

/* The kinds of a data version's event bytes.  They are worked out once, as programs may read many
 * short logs. */
static const uint8_t *
kinds_of_bytes (unsigned version)
{
  static uint8_t kinds[MLPD_VERSION_LAST + 1][256];
  static gsize is_known[MLPD_VERSION_LAST + 1];
  if (g_once_init_enter (&is_known[version])) {
    for (unsigned byte = 0; byte < G_N_ELEMENTS (kinds[version]); byte++)
      kinds[version][byte] = kind_of_byte (version, (uint8_t) byte);
    g_once_init_leave (&is_known[version], 1);
  }
  return kinds[version];
}

void
mlpd_decoder_start_file (struct mlpd_decoder *decoder, const struct mlpd_file_header *header)
{
  /* The changes of a newer version are unknown: it is read as the last known one. */
  decoder->bases.version = MIN (header->data_version, MLPD_VERSION_LAST);
  decoder->bases.has_byte_objects = header->has_byte_objects;
  decoder->bases.address_mask = header->pointer_size == 4 ? UINT32_MAX : UINT64_MAX;
  memcpy (decoder->kinds, kinds_of_bytes (decoder->bases.version), sizeof decoder->kinds);
}

bool
mlpd_event_has_methods (const struct mlpd_decoder *decoder, uint8_t byte)
{
  static const bool has_methods[MLPD_KINDS] = {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) [MLPD_##ID] = false
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  || MLPD_WIRE_##wire == MLPD_WIRE_METHOD || MLPD_WIRE_##wire == MLPD_WIRE_BACKTRACE               \
      || MLPD_WIRE_##wire == MLPD_WIRE_FRAMES
#define END_EVENT(id) ,
#include <proflog/mlpd-events.def>
  };
  const uint8_t kind = decoder->kinds[byte];
  return kind < MLPD_KINDS && has_methods[kind];
}

void
mlpd_decoder_start_buffer (struct mlpd_decoder *decoder, const struct mlpd_buffer_header *header)
{
  decoder->bases.ptr_base = header->ptr_base;
  decoder->bases.obj_base = header->obj_base;
  decoder->bases.time = header->time_base;
  decoder->bases.method = header->method_base;
}

void
mlpd_decoder_clear (struct mlpd_decoder *decoder)
{
  g_free (decoder->lists.objects.items);
  g_free (decoder->lists.offsets.items);
  g_free (decoder->lists.ptrs.items);
  g_free (decoder->lists.roots.items);
  g_free (decoder->lists.frames.items);
  g_free (decoder->lists.counters.items);
  decoder->lists = (struct mlpd_lists){ 0 };
}

static enum mlpd_decode_result
result_of (enum cursor_error error)
{
  return error == CURSOR_SHORT ? MLPD_DECODE_SHORT : MLPD_DECODE_MALFORMED;
}

/* ---- bare metadata ----
 *
 * The published text gives assemblies and domains of data version 1 no payload: their events end
 * after the pointer.  All known writers add flags and a name.
 */

/* A guess that fits this many events by chance also fits more of them. */
#define FOLLOWED_EVENTS 64

/* Bytes of a bare event between its event byte and its end; 0 if it is not whole. */
static size_t
bare_length (const struct cursor *cursor)
{
  struct cursor c = *cursor;
  cursor_u8 (&c); /* event byte */
  const uint8_t *const start = c.at;
  cursor_uleb (&c); /* time */
  cursor_u8 (&c);   /* mtype */
  cursor_sleb (&c); /* pointer */
  return c.error == CURSOR_OK ? (size_t) (c.at - start) : 0;
}

static bool
is_name (const struct mlpd_string *name)
{
  for (size_t i = 0; i < name->length; i++)
    if (g_ascii_iscntrl (name->text[i]))
      return false;
  return g_utf8_validate (name->text, (gssize) name->length, NULL);
}

/* No writer has other flags than 0. */
static bool
is_plausible (enum mlpd_kind kind, const union mlpd_payload *p)
{
  if (kind == MLPD_METADATA_ASSEMBLY)
    return p->metadata_assembly.flags == 0 && is_name (&p->metadata_assembly.name);
  if (kind == MLPD_METADATA_DOMAIN)
    return p->metadata_domain.flags == 0
           && (p->metadata_domain.name.text == NULL || is_name (&p->metadata_domain.name));
  return true;
}

/* How many events fit if these have this form, FOLLOWED_EVENTS if all do; with `is_text`, also
 * their names do.  The last one of a buffer that is cut does. */
static unsigned
count_events (struct mlpd_decoder *decoder, enum mlpd_metadata_form form, struct cursor c,
              bool is_text)
{
  const uint64_t time = decoder->bases.time, method = decoder->bases.method;
  enum mlpd_kind kind;
  unsigned events = 0;
  bool fits = true;
  decoder->form = form;
  while (fits && events < FOLLOWED_EVENTS && c.at < c.end) {
    const enum mlpd_decode_result result = mlpd_decode_event (decoder, &c, &kind);
    if (result == MLPD_DECODE_SHORT && decoder->is_cut)
      break;
    fits = result == MLPD_DECODED && (!is_text || is_plausible (kind, &decoder->payload));
    events += fits;
  }
  decoder->form = MLPD_METADATA_BY_WHAT_FOLLOWS;
  decoder->bases.time = time;
  decoder->bases.method = method;
  return fits ? FOLLOWED_EVENTS : events;
}

/* Whether the event of this kind at the cursor, which ends where the buffer does or is cut, has no
 * payload, by the bytes after it.  The decoder is as before. */
static bool
is_bare (struct mlpd_decoder *decoder, enum mlpd_kind kind, const struct cursor *cursor)
{
  if (decoder->bases.version != 1
      || (kind != MLPD_METADATA_ASSEMBLY && kind != MLPD_METADATA_DOMAIN))
    return false;
  if (decoder->form != MLPD_METADATA_BY_WHAT_FOLLOWS)
    return decoder->form == MLPD_METADATA_BARE;
  if (bare_length (cursor) == 0)
    return false;
  const unsigned bare = count_events (decoder, MLPD_METADATA_BARE, *cursor, true);
  if (bare <= count_events (decoder, MLPD_METADATA_WITH_PAYLOAD, *cursor, true))
    return false;
  /* A name may be no text where all else fits. */
  return bare == FOLLOWED_EVENTS
         || bare > count_events (decoder, MLPD_METADATA_WITH_PAYLOAD, *cursor, false);
}

/* An event that lacks the flags and the name is decoded as if both were 0. */
static void
get_bare_event (struct mlpd_decoder *decoder, struct cursor *cursor, enum mlpd_kind kind)
{
  const uint8_t byte = *cursor->at;
  const size_t length = bare_length (cursor);
  struct cursor c = cursor_over (decoder->bare, length + 2);
  memset (decoder->bare, 0, sizeof decoder->bare);
  memcpy (decoder->bare, cursor->at + 1, length);
  get_events[kind](decoder, &c, byte);
  cursor->at += 1 + length;
}

/* ---- one event ---- */

enum mlpd_decode_result
mlpd_decode_event (struct mlpd_decoder *decoder, struct cursor *cursor, enum mlpd_kind *kind)
{
  if (cursor->at == cursor->end)
    return MLPD_DECODE_SHORT;
  const uint64_t time = decoder->bases.time;
  const uint64_t method = decoder->bases.method;
  const uint8_t byte = *cursor->at;
  uint8_t found = decoder->kinds[byte];
  if (found == MLPD_BYTE_METADATA) {
    struct cursor after = *cursor;
    enum cursor_error error;
    after.at++;
    found = kind_of_metadata (decoder->bases.version, &after, byte, &error);
    if (error != CURSOR_OK)
      return result_of (error);
    if (is_bare (decoder, found, cursor)) {
      get_bare_event (decoder, cursor, found);
      *kind = found;
      return MLPD_DECODED;
    }
  }
  if (found == MLPD_BYTE_UNKNOWN)
    return MLPD_DECODE_UNKNOWN;
  cursor->at++;
  get_events[found](decoder, cursor, byte);
  if (cursor->error != CURSOR_OK) {
    decoder->bases.time = time;
    decoder->bases.method = method;
    return result_of (cursor->error);
  }
  *kind = found;
  return MLPD_DECODED;
}

/* ---- headers ---- */

static struct mlpd_string
get_str32 (struct cursor *c)
{
  const size_t length = cursor_u32 (c); /* with the NUL */
  if (length > MLPD_HEADER_STRING_MAX)
    cursor_fail (c, CURSOR_MALFORMED);
  else if (length > cursor_left (c))
    cursor_fail (c, CURSOR_SHORT);
  else if (length != 0 && c->at[length - 1] != 0)
    cursor_fail (c, CURSOR_MALFORMED);
  if (c->error != CURSOR_OK || length == 0)
    return (struct mlpd_string){ .text = "" };
  const char *text = (const char *) c->at;
  c->at += length;
  return (struct mlpd_string){ .text = text, .length = strlen (text) };
}

#define CURSOR_U8 cursor_u8
#define CURSOR_U16 cursor_u16
#define CURSOR_U32 cursor_u32
#define CURSOR_U64 cursor_u64
#define CURSOR_STR32 get_str32

#define GET_HEADER_FIELD_file(field, wire, since, until)                                           \
  header->field = header->major >= (since) && header->major <= (until) ? CURSOR_##wire (cursor)    \
                                                                       : (MLPD_C_##wire){ 0 };
#define GET_HEADER_FIELD_buffer(field, wire, since, until)
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  GET_HEADER_FIELD_##header (field, wire, since, until)
void
mlpd_decode_file_header (struct cursor *cursor, struct mlpd_file_header *header)
{
  header->major = 0; /* the first two fields are in all versions */
  header->has_byte_objects = false;
#include <proflog/mlpd-headers.def>
}
#undef GET_HEADER_FIELD_file
#undef GET_HEADER_FIELD_buffer

#define GET_HEADER_FIELD_file(field, wire, since, until)
#define GET_HEADER_FIELD_buffer(field, wire, since, until) header->field = CURSOR_##wire (cursor);
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  GET_HEADER_FIELD_##header (field, wire, since, until)
void
mlpd_decode_buffer_header (struct cursor *cursor, struct mlpd_buffer_header *header)
{
#include <proflog/mlpd-headers.def>
}
