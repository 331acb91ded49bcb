/* mlpd-decode.c -- see mlpd-decode.h.
 *
 * What starts with which event byte is worked out once for each file.
 */
#include "decoder/formats/mlpd-decode.h"

#include "decoder/formats/mlpd-describe.h"
#include "decoder/formats/mlpd-wires.h"

/* ---- lists ---- */

#define ROOM_MIN 1024

/* Fewest bytes of an item in the log, so that a false count cannot ask for much memory. */
#define ROOT_BYTES_MIN 2
#define COUNTER_BYTES_MIN 6

void *
mlpd_room_make (struct mlpd_room *room, size_t count, size_t size)
{
  /* A count was checked against the bytes of the input: it cannot overflow here. */
  room->bytes = MAX (MAX (count * size, 2 * room->bytes), ROOM_MIN);
  g_free (room->items);
  room->items = g_malloc (room->bytes);
  return room->items;
}

struct mlpd_roots
mlpd_get_roots (const struct mlpd_bases *b, struct mlpd_room *room, struct cursor *c)
{
  const size_t count = cursor_count_of (c, ROOT_BYTES_MIN);
  struct mlpd_root *items = mlpd_room (room, count, sizeof *items);
  const bool has_addresses = b->version >= MLPD_VERSION_ROOT_ADDRESSES;
  struct mlpd_roots roots = { .items = items, .count = count };
  if (!has_addresses)
    roots.collections = cursor_uleb (c);
  for (size_t i = 0; i < count; i++) {
    struct mlpd_root *root = &items[i];
    *root = (struct mlpd_root){ 0 };
    if (has_addresses)
      root->address = mlpd_get_ptr (b, c);
    root->object = mlpd_get_obj (b, c);
    if (!has_addresses) {
      root->type = b->version == MLPD_VERSION_NO_FLAGS ? cursor_u8 (c) : cursor_uleb (c);
      root->extra = cursor_uleb (c);
    }
  }
  return roots;
}

struct mlpd_frames
mlpd_get_frames (struct mlpd_bases *b, struct mlpd_room *room, struct cursor *c)
{
  const size_t count = cursor_count (c);
  struct mlpd_frame *items = mlpd_room (room, count, sizeof *items);
  for (size_t i = 0; i < count; i++) {
    items[i] = (struct mlpd_frame){ .method = mlpd_get_method (b, c) };
    if (b->version < MLPD_VERSION_NO_FLAGS) {
      items[i].il_offset = cursor_sleb (c);
      items[i].native_offset = cursor_sleb (c);
    }
  }
  return (struct mlpd_frames){ .items = items, .count = count };
}

/* One byte in 13 and 14. */
static uint64_t
get_counter_number (const struct mlpd_bases *b, struct cursor *c)
{
  return b->version == 13 || b->version == 14 ? cursor_u8 (c) : cursor_uleb (c);
}

struct mlpd_counters
mlpd_get_counters (const struct mlpd_bases *b, struct mlpd_room *room, struct cursor *c)
{
  const size_t count = cursor_count_of (c, COUNTER_BYTES_MIN);
  struct mlpd_counter *items = mlpd_room (room, count, sizeof *items);
  for (size_t i = 0; i < count; i++) {
    struct mlpd_counter *counter = &items[i];
    *counter = (struct mlpd_counter){ .section = cursor_uleb (c) };
    if (counter->section == MLPD_COUNTER_SECTION_USER)
      counter->section_name = mlpd_get_strz (c);
    counter->name = mlpd_get_strz (c);
    counter->type = get_counter_number (b, c);
    counter->unit = get_counter_number (b, c);
    counter->variance = get_counter_number (b, c);
    counter->index = cursor_uleb (c);
  }
  return (struct mlpd_counters){ .items = items, .count = count };
}

static void
get_counter_value (struct mlpd_counter_value *value, struct cursor *c)
{
  switch (value->type) {
  case MLPD_COUNTER_TYPE_INT:
  case MLPD_COUNTER_TYPE_WORD:
  case MLPD_COUNTER_TYPE_LONG:
  case MLPD_COUNTER_TYPE_TIME_INTERVAL:
    value->number = (uint64_t) cursor_sleb (c);
    break;
  case MLPD_COUNTER_TYPE_UINT:
  case MLPD_COUNTER_TYPE_ULONG:
    value->number = cursor_uleb (c);
    break;
  case MLPD_COUNTER_TYPE_DOUBLE:
    value->number = cursor_u64 (c);
    break;
  case MLPD_COUNTER_TYPE_STRING:
    if (cursor_u8 (c) != 0)
      value->text = mlpd_get_strz (c);
    break;
  default: /* how long the value is cannot be told */
    cursor_fail (c, CURSOR_MALFORMED);
    break;
  }
}

/* How many there are is not written: a first pass over the bytes counts them. */
struct mlpd_counter_values
mlpd_get_counter_values (const struct mlpd_bases *b, struct mlpd_room *room, struct cursor *c)
{
  struct mlpd_counter_values values = { 0 };
  struct mlpd_counter_value *items = NULL;
  for (int pass = 0; pass < 2; pass++) {
    struct cursor at = *c;
    uint64_t index;
    values.count = 0;
    while ((index = cursor_uleb (&at)) != 0) {
      struct mlpd_counter_value value = { .index = index, .type = get_counter_number (b, &at) };
      get_counter_value (&value, &at);
      if (at.error != CURSOR_OK)
        break;
      if (pass == 1)
        items[values.count] = value;
      values.count++;
    }
    if (at.error != CURSOR_OK || pass == 1) {
      *c = at;
      break;
    }
    items = mlpd_room (room, values.count, sizeof *items);
  }
  values.items = items;
  return values;
}

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
      return (uint8_t) kind;
  }
  return MLPD_BYTE_UNKNOWN;
}

void
mlpd_decoder_start_file (struct mlpd_decoder *decoder, const struct mlpd_file_header *header)
{
  /* What a newer version changed is not known: it is read as the last one that is. */
  decoder->bases.version = MIN (header->data_version, MLPD_VERSION_LAST);
  decoder->bases.address_mask = header->pointer_size == 4 ? UINT32_MAX : UINT64_MAX;
  for (unsigned byte = 0; byte < G_N_ELEMENTS (decoder->kinds); byte++)
    decoder->kinds[byte] = kind_of_byte (decoder->bases.version, (uint8_t) byte);
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
    struct cursor behind = *cursor;
    enum cursor_error error;
    behind.at++;
    found = kind_of_metadata (decoder->bases.version, &behind, byte, &error);
    if (error != CURSOR_OK)
      return result_of (error);
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
