/* mlpd-decode.c -- see mlpd-decode.h.
 *
 * The event list is expanded to one function for each event; below there is one function for
 * each wire.  What starts with which event byte is worked out once for each file.
 */
#include "decoder/formats/mlpd-decode.h"

#include "decoder/formats/mlpd-describe.h"

#include <glib.h>

enum {
  KIND_UNKNOWN = MLPD_KINDS,
  KIND_METADATA, /* the mtype byte tells */
};
G_STATIC_ASSERT (KIND_METADATA <= UINT8_MAX);

/* ---- wires ---- */

static inline uint64_t
get_uvar (struct cursor *c)
{
  return cursor_uleb (c);
}

/* Stock writers take sizes through a C int, so that one of 2 GiB comes out sign-extended. */
static inline uint64_t
get_size (struct cursor *c)
{
  const uint64_t size = cursor_uleb (c);
  return size >> 63 != 0 ? (uint32_t)size : size;
}

/* Events may be written after later ones, so the difference may be "negative". */
static inline uint64_t
get_time (struct mlpd_decoder *d, struct cursor *c)
{
  d->time += cursor_uleb (c);
  return d->time;
}

static inline uint64_t
get_ptr (const struct mlpd_decoder *d, struct cursor *c)
{
  return (d->ptr_base + (uint64_t)cursor_sleb (c)) & d->address_mask;
}

static inline uint64_t
get_obj (const struct mlpd_decoder *d, struct cursor *c)
{
  return ((d->obj_base + (uint64_t)cursor_sleb (c)) << 3) & d->address_mask;
}

static inline uint64_t
get_method (struct mlpd_decoder *d, struct cursor *c)
{
  d->method = (d->method + (uint64_t)cursor_sleb (c)) & d->address_mask;
  return d->method;
}

static inline struct mlpd_string
get_strz (struct cursor *c)
{
  struct mlpd_string s;
  s.text = cursor_strz (c, &s.length);
  return s;
}

/* Reads how many items follow and makes room for them. */
static inline size_t
get_list_count (struct mlpd_decoder *d, struct cursor *c)
{
  const size_t count = cursor_count (c);
  if (count > d->list_room) {
    d->list_room = MAX (count, 2 * d->list_room);
    g_free (d->list);
    d->list = g_new (uint64_t, d->list_room);
  }
  return count;
}

static struct mlpd_list
get_ptrs (struct mlpd_decoder *d, struct cursor *c)
{
  const size_t count = get_list_count (d, c);
  for (size_t i = 0; i < count; i++)
    d->list[i] = get_ptr (d, c);
  return (struct mlpd_list){ .items = d->list, .count = count };
}

static struct mlpd_list
get_objs (struct mlpd_decoder *d, struct cursor *c)
{
  const size_t count = get_list_count (d, c);
  for (size_t i = 0; i < count; i++)
    d->list[i] = get_obj (d, c);
  return (struct mlpd_list){ .items = d->list, .count = count };
}

static struct mlpd_list
get_backtrace (struct mlpd_decoder *d, struct cursor *c)
{
  cursor_uleb (c); /* flags, always 0 */
  return get_ptrs (d, c);
}

#define GET_UVAR(d, c, byte) get_uvar (c)
#define GET_SIZE(d, c, byte) get_size (c)
#define GET_TIME(d, c, byte) get_time (d, c)
#define GET_PTR(d, c, byte) get_ptr (d, c)
#define GET_OBJ(d, c, byte) get_obj (d, c)
#define GET_METHOD(d, c, byte) get_method (d, c)
#define GET_STRZ(d, c, byte) get_strz (c)
#define GET_MTYPE(d, c, byte) cursor_u8 (c)
#define GET_EXINFO(d, c, byte) ((byte) & 0xf0)
#define GET_EXINFO_MONITOR(d, c, byte) ((byte) >> 4 & 3)
#define GET_BACKTRACE(d, c, byte) get_backtrace (d, c)
#define GET_OBJS(d, c, byte) get_objs (d, c)
#define GET_REFS(d, c, byte) get_objs (d, c)

/* There is room for one list: no event may have two. */
#define LISTS_UVAR 0
#define LISTS_SIZE 0
#define LISTS_TIME 0
#define LISTS_PTR 0
#define LISTS_OBJ 0
#define LISTS_METHOD 0
#define LISTS_STRZ 0
#define LISTS_MTYPE 0
#define LISTS_EXINFO 0
#define LISTS_EXINFO_MONITOR 0
#define LISTS_BACKTRACE 1
#define LISTS_OBJS 1
#define LISTS_REFS 1
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc) enum { lists_of_##id = 0
#define FIELD(id, field, wire, unit, when, doc) +LISTS_##wire
#define END_EVENT(id)                                                                              \
  };                                                                                               \
  G_STATIC_ASSERT (lists_of_##id <= 1);
#include <proflog/mlpd-events.def>

/* ---- events ---- */

#define LATEST MLPD_LATEST
#define ALWAYS 1
#define VERSIONS(since, until) (d->version >= (since) && d->version <= (until))
#define FLAG(mask) ((byte & (mask)) != 0)
#define EXINFO_IS(value) ((byte & 0xf0) == (value))
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static void get_event_##id (struct mlpd_decoder *d, struct cursor *c, uint8_t byte)              \
  {                                                                                                \
    struct mlpd_##id *const event = &d->payload.id;                                                \
    (void) byte;
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  event->field = (when) ? GET_##wire (d, c, byte) : (MLPD_C_##wire){ 0 };
#define END_EVENT(id) }
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
      return description->mtype != 0 ? KIND_METADATA : (uint8_t)kind;
  }
  return KIND_UNKNOWN;
}

/* Looks ahead at the mtype byte, which follows the time. */
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
      return (uint8_t)kind;
  }
  return KIND_UNKNOWN;
}

void
mlpd_decoder_start_file (struct mlpd_decoder *decoder, const struct mlpd_file_header *header)
{
  decoder->version = header->data_version;
  decoder->address_mask = header->pointer_size == 4 ? UINT32_MAX : UINT64_MAX;
  for (unsigned byte = 0; byte < G_N_ELEMENTS (decoder->kinds); byte++)
    decoder->kinds[byte] = kind_of_byte (decoder->version, (uint8_t)byte);
}

void
mlpd_decoder_start_buffer (struct mlpd_decoder *decoder, const struct mlpd_buffer_header *header)
{
  decoder->ptr_base = header->ptr_base;
  decoder->obj_base = header->obj_base;
  decoder->time = header->time_base;
  decoder->method = header->method_base;
}

void
mlpd_decoder_clear (struct mlpd_decoder *decoder)
{
  g_clear_pointer (&decoder->list, g_free);
  decoder->list_room = 0;
}

static enum mlpd_decode_result
result_of (enum cursor_error error)
{
  return error == CURSOR_SHORT ? MLPD_DECODE_SHORT : MLPD_DECODE_MALFORMED;
}

enum mlpd_decode_result
mlpd_decode_event (struct mlpd_decoder *decoder, struct cursor *cursor, enum mlpd_kind *kind)
{
  if (cursor->at == cursor->end)
    return MLPD_DECODE_SHORT;
  const uint64_t time = decoder->time;
  const uint64_t method = decoder->method;
  const uint8_t byte = *cursor->at;
  uint8_t found = decoder->kinds[byte];
  if (found == KIND_METADATA) {
    struct cursor behind = *cursor;
    enum cursor_error error;
    behind.at++;
    found = kind_of_metadata (decoder->version, &behind, byte, &error);
    if (error != CURSOR_OK)
      return result_of (error);
  }
  if (found == KIND_UNKNOWN)
    return MLPD_DECODE_UNKNOWN;
  cursor->at++;
  get_events[found](decoder, cursor, byte);
  if (cursor->error != CURSOR_OK) {
    decoder->time = time;
    decoder->method = method;
    return result_of (cursor->error);
  }
  *kind = found;
  return MLPD_DECODED;
}

/* ---- headers ---- */

#define CURSOR_U8 cursor_u8
#define CURSOR_U16 cursor_u16
#define CURSOR_U32 cursor_u32
#define CURSOR_U64 cursor_u64

/* The layouts of the higher major versions are not listed: there is one to read. */
#define GET_HEADER_FIELD_file(field, wire) header->field = CURSOR_##wire (cursor);
#define GET_HEADER_FIELD_buffer(field, wire)
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  GET_HEADER_FIELD_##header (field, wire)
void
mlpd_decode_file_header (struct cursor *cursor, struct mlpd_file_header *header)
{
#include <proflog/mlpd-headers.def>
}
#undef GET_HEADER_FIELD_file
#undef GET_HEADER_FIELD_buffer

#define GET_HEADER_FIELD_file(field, wire)
#define GET_HEADER_FIELD_buffer(field, wire) header->field = CURSOR_##wire (cursor);
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  GET_HEADER_FIELD_##header (field, wire)
void
mlpd_decode_buffer_header (struct cursor *cursor, struct mlpd_buffer_header *header)
{
#include <proflog/mlpd-headers.def>
}
