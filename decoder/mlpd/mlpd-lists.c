/* mlpd-lists.c -- lists that are too rare to be read inline, and memory for all. */
#include "config.h"

#include "decoder/mlpd/mlpd-lists.h"

#define ROOM_MIN 1024

/* Fewest bytes of an item in the log, so that a false count cannot request much memory. */
#define ROOT_BYTES_MIN 2
#define COUNTER_BYTES_MIN 6

void *
scratch_buffer_grow (struct scratch_buffer *room, size_t count, size_t size)
{
  /* A count was checked against the bytes of the input: it cannot overflow here. */
  room->bytes = MAX (MAX (count * size, 2 * room->bytes), ROOM_MIN);
  g_free (room->items);
  room->items = g_malloc (room->bytes);
  return room->items;
}

struct mlpd_roots
mlpd_get_roots (const struct mlpd_bases *b, struct scratch_buffer *room, struct cursor *c)
{
  const size_t count = cursor_count_of (c, ROOT_BYTES_MIN);
  struct mlpd_root *items = scratch_buffer (room, count, sizeof *items);
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
mlpd_get_frames (struct mlpd_bases *b, struct scratch_buffer *room, struct cursor *c)
{
  const size_t count = cursor_count (c);
  struct mlpd_frame *items = scratch_buffer (room, count, sizeof *items);
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
mlpd_get_counters (const struct mlpd_bases *b, struct scratch_buffer *room, struct cursor *c)
{
  const size_t count = cursor_count_of (c, COUNTER_BYTES_MIN);
  struct mlpd_counter *items = scratch_buffer (room, count, sizeof *items);
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
  default: /* how long the value is cannot be determined */
    cursor_fail (c, CURSOR_MALFORMED);
    break;
  }
}

/* How many there are is not written: a first skip the bytes counts them. */
struct mlpd_counter_values
mlpd_get_counter_values (const struct mlpd_bases *b, struct scratch_buffer *room, struct cursor *c)
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
    items = scratch_buffer (room, values.count, sizeof *items);
  }
  values.items = items;
  return values;
}
