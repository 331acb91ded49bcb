/* mlpd-wires.h -- reads the wires and events of the event list, inline.
 *
 * There is one function for each wire, and the list is expanded to
 *
 *   mlpd_get_ID (bases, lists, cursor, byte, event)
 *
 * which decodes the fields behind the event byte into *event.  With a constant version in the
 * bases the compiler leaves out what other versions have.  Nothing here tests for the cursor's
 * error: callers do, once an event.  Where `lists` are not wanted, the bases need a place for lists
 * that were passed over, and mlpd_settle_methods goes before whatever needs the last method.
 */
#ifndef PROFLOG_MLPD_WIRES_H
#define PROFLOG_MLPD_WIRES_H

#include "decoder/formats/mlpd-decode.h"
#include "decoder/formats/mlpd-describe.h"

#include <glib.h>

/* Values of mlpd_decoder.kinds besides the kinds. */
enum {
  MLPD_BYTE_UNKNOWN = MLPD_KINDS,
  MLPD_BYTE_METADATA, /* the mtype byte tells */
};
G_STATIC_ASSERT (MLPD_BYTE_METADATA <= UINT8_MAX);

/* Makes room for `count` items of `size` bytes; what it held is lost. */
void *mlpd_room_make (struct mlpd_room *room, size_t count, size_t size);

static inline void *
mlpd_room (struct mlpd_room *room, size_t count, size_t size)
{
  return G_LIKELY (count <= room->bytes / size) ? room->items : mlpd_room_make (room, count, size);
}

CURSOR_INLINE uint64_t
mlpd_get_uvar (struct cursor *c)
{
  return cursor_uleb (c);
}

CURSOR_INLINE uint64_t
mlpd_get_small (const struct mlpd_bases *b, struct cursor *c)
{
  return b->version < MLPD_VERSION_NO_FLAGS ? cursor_uleb (c) : cursor_u8 (c);
}

/* Stock writers take sizes through a C int, so that one of 2 GiB comes out sign-extended. */
CURSOR_INLINE uint64_t
mlpd_get_size (struct cursor *c)
{
  const uint64_t size = cursor_uleb (c);
  return size >> 63 != 0 ? (uint32_t) size : size;
}

/* Events may be written after later ones, so the difference may be "negative". */
CURSOR_INLINE uint64_t
mlpd_get_time (struct mlpd_bases *b, struct cursor *c)
{
  b->time += cursor_uleb (c);
  return b->time;
}

CURSOR_INLINE uint64_t
mlpd_get_ptr (const struct mlpd_bases *b, struct cursor *c)
{
  return (b->ptr_base + (uint64_t) cursor_sleb_of_any_length (c)) & b->address_mask;
}

static inline uint64_t
mlpd_get_binary_address (const struct mlpd_bases *b, struct cursor *c)
{
  return b->version < MLPD_VERSION_MONITOR_BYTE ? (uint64_t) cursor_sleb (c) & b->address_mask
                                                : mlpd_get_ptr (b, c);
}

CURSOR_INLINE uint64_t
mlpd_get_obj (const struct mlpd_bases *b, struct cursor *c)
{
  return ((b->obj_base + (uint64_t) cursor_sleb_of_three (c)) << 3) & b->address_mask;
}

CURSOR_INLINE uint64_t
mlpd_get_method (struct mlpd_bases *b, struct cursor *c)
{
  b->method = (b->method + (uint64_t) cursor_sleb (c)) & b->address_mask;
  return b->method;
}

static inline struct mlpd_string
mlpd_get_strz (struct cursor *c)
{
  struct mlpd_string s;
  s.text = cursor_strz (c, &s.length);
  return s;
}

static inline uint64_t
mlpd_get_monitor_event (const struct mlpd_bases *b, struct cursor *c, uint8_t byte)
{
  return b->version < MLPD_VERSION_MONITOR_BYTE ? byte >> 4 & 3 : cursor_u8 (c);
}

static inline uint64_t
mlpd_get_helper_type (const struct mlpd_bases *b, struct cursor *c)
{
  const uint64_t type = mlpd_get_small (b, c);
  if (b->version >= MLPD_VERSION_MONITOR_BYTE)
    return type;
  return type == 0 ? MLPD_HELPER_TYPE_UNKNOWN : type - 1;
}

static inline struct mlpd_list
mlpd_get_ptrs (const struct mlpd_bases *b, struct mlpd_room *room, struct cursor *c)
{
  const size_t count = cursor_count (c);
  c->roomy = false;
  uint64_t *items = mlpd_room (room, count, sizeof *items);
  const size_t many = cursor_take_many (c, count, items, NULL);
  for (size_t i = 0; i < many; i++)
    items[i] = (b->ptr_base + items[i]) & b->address_mask;
  for (size_t i = many; i < count; i++)
    items[i] = mlpd_get_ptr (b, c);
  return (struct mlpd_list){ .items = items, .count = count };
}

CURSOR_INLINE void
mlpd_pass_numbers (struct cursor *c, size_t count)
{
  c->roomy = false; /* lists may go beyond that */
  for (size_t i = cursor_skip_many (c, count); i < count; i++)
    cursor_sleb (c); /* an unsigned number ends at the same byte */
}

/* `lists` NULL: they are not wanted. */
static inline struct mlpd_list
mlpd_get_objs (const struct mlpd_bases *b, struct mlpd_lists *lists, struct cursor *c)
{
  const size_t count = cursor_count (c);
  if (lists == NULL) {
    mlpd_pass_numbers (c, count);
    return (struct mlpd_list){ .count = count };
  }
  c->roomy = false;
  uint64_t *items = mlpd_room (&lists->objects, count, sizeof *items);
  const size_t many = cursor_take_many (c, count, items, NULL);
  for (size_t i = 0; i < many; i++)
    items[i] = (b->obj_base + items[i]) << 3 & b->address_mask;
  for (size_t i = many; i < count; i++)
    items[i] = mlpd_get_obj (b, c);
  return (struct mlpd_list){ .items = items, .count = count };
}

/* Methods, each from the one before. */
static inline struct mlpd_list
mlpd_get_methods (struct mlpd_bases *b, struct mlpd_room *room, struct cursor *c)
{
  const size_t count = cursor_count (c);
  c->roomy = false;
  uint64_t *items = mlpd_room (room, count, sizeof *items);
  const size_t many = cursor_take_many (c, count, items, NULL);
  for (size_t i = 0; i < many; i++)
    b->method = items[i] = (b->method + items[i]) & b->address_mask;
  for (size_t i = many; i < count; i++)
    items[i] = mlpd_get_method (b, c);
  return (struct mlpd_list){ .items = items, .count = count };
}

/* Adds what was passed over to the last method. */
static __attribute__ ((noinline, unused)) void
mlpd_settle_methods (struct mlpd_bases *b)
{
  struct mlpd_passed *passed = b->passed;
  for (size_t i = 0; i < passed->n; i++) {
    struct cursor c = { .at = passed->bytes + passed->lists[i].at,
                        .end = passed->bytes + passed->length };
    const size_t count = passed->lists[i].count;
    uint64_t sum;
    for (size_t n = cursor_take_many (&c, count, NULL, &sum); n < count; n++)
      sum += (uint64_t) cursor_sleb (&c);
    b->method = (b->method + sum) & b->address_mask;
  }
  passed->n = 0;
}

/* Passes over methods, from the last of which the next one counts.  Few logs have both calls and
 * backtraces: what is in these need not be known. */
CURSOR_INLINE struct mlpd_list
mlpd_pass_methods (struct mlpd_bases *b, struct cursor *c)
{
  const size_t count = cursor_count (c);
  const uint8_t *const at = c->at;
  mlpd_pass_numbers (c, count);
  struct mlpd_passed *passed = b->passed;
  if (c->error != CURSOR_OK || count == 0 || passed == NULL)
    return (struct mlpd_list){ .count = count };
  if (G_UNLIKELY (passed->n == MLPD_PASSED_MAX))
    mlpd_settle_methods (b);
  passed->last = at;
  passed->lists[passed->n].at = (uint32_t) (at - passed->bytes);
  passed->lists[passed->n++].count = (uint32_t) count;
  return (struct mlpd_list){ .count = count };
}

/* `lists` NULL: the frames are not wanted. */
CURSOR_INLINE struct mlpd_list
mlpd_get_backtrace (struct mlpd_bases *b, struct mlpd_lists *lists, struct cursor *c)
{
  if (b->version >= MLPD_VERSION_NO_FLAGS)
    return lists != NULL ? mlpd_get_methods (b, &lists->objects, c) : mlpd_pass_methods (b, c);
  cursor_uleb (c); /* flags, always 0 */
  if (lists != NULL)
    return mlpd_get_ptrs (b, &lists->objects, c);
  const size_t count = cursor_count (c);
  if (b->passed != NULL)
    b->passed->last = c->at;
  mlpd_pass_numbers (c, count);
  return (struct mlpd_list){ .count = count };
}

/* `lists` NULL: they are not wanted. */
CURSOR_INLINE struct mlpd_references
mlpd_get_references (const struct mlpd_bases *b, struct mlpd_lists *lists, struct cursor *c)
{
  const bool has_offsets = b->version >= MLPD_VERSION_REFERENCE_OFFSETS;
  const size_t count = cursor_count (c);
  if (lists == NULL) {
    mlpd_pass_numbers (c, has_offsets ? 2 * count : count);
    return (struct mlpd_references){ .count = count };
  }
  c->roomy = false;
  uint64_t *items = mlpd_room (&lists->objects, count, sizeof *items);
  if (!has_offsets) {
    for (size_t i = 0; i < count; i++)
      items[i] = mlpd_get_obj (b, c);
    return (struct mlpd_references){ .items = items, .offsets = NULL, .count = count };
  }
  uint64_t *offsets = mlpd_room (&lists->offsets, count, sizeof *offsets);
  uint64_t offset = 0;
  for (size_t i = 0; i < count; i++) {
    offset += cursor_uleb (c);
    offsets[i] = offset;
    items[i] = mlpd_get_obj (b, c);
  }
  return (struct mlpd_references){ .items = items, .offsets = offsets, .count = count };
}

/* These are met too seldom to be inline. */
struct mlpd_roots mlpd_get_roots (const struct mlpd_bases *bases, struct mlpd_room *room,
                                  struct cursor *cursor);
struct mlpd_frames mlpd_get_frames (struct mlpd_bases *bases, struct mlpd_room *room,
                                    struct cursor *cursor);
struct mlpd_counters mlpd_get_counters (const struct mlpd_bases *bases, struct mlpd_room *room,
                                        struct cursor *cursor);
struct mlpd_counter_values mlpd_get_counter_values (const struct mlpd_bases *bases,
                                                    struct mlpd_room *room, struct cursor *cursor);

#define MLPD_GET_U8(b, l, c, byte) cursor_u8 (c)
#define MLPD_GET_UVAR(b, l, c, byte) mlpd_get_uvar (c)
#define MLPD_GET_SMALL(b, l, c, byte) mlpd_get_small (b, c)
#define MLPD_GET_SIZE(b, l, c, byte) mlpd_get_size (c)
#define MLPD_GET_TIME(b, l, c, byte) mlpd_get_time (b, c)
#define MLPD_GET_PTR(b, l, c, byte) mlpd_get_ptr (b, c)
#define MLPD_GET_BINARY_ADDRESS(b, l, c, byte) mlpd_get_binary_address (b, c)
#define MLPD_GET_OBJ(b, l, c, byte) mlpd_get_obj (b, c)
#define MLPD_GET_METHOD(b, l, c, byte) mlpd_get_method (b, c)
#define MLPD_GET_STRZ(b, l, c, byte) mlpd_get_strz (c)
#define MLPD_GET_MTYPE(b, l, c, byte) cursor_u8 (c)
#define MLPD_GET_EXINFO(b, l, c, byte) ((byte) &0xf0)
#define MLPD_GET_MONITOR_EVENT(b, l, c, byte) mlpd_get_monitor_event (b, c, byte)
#define MLPD_GET_HELPER_TYPE(b, l, c, byte) (helper_type = mlpd_get_helper_type (b, c))
#define MLPD_GET_HELPER_NAME(b, l, c, byte)                                                        \
  (helper_type == MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE ? mlpd_get_strz (c)                         \
                                                       : (struct mlpd_string){ 0 })
#define MLPD_GET_BACKTRACE(b, l, c, byte) mlpd_get_backtrace (b, l, c)
#define MLPD_GET_PTRS(b, l, c, byte) mlpd_get_ptrs (b, &(l)->ptrs, c)
#define MLPD_GET_OBJS(b, l, c, byte) mlpd_get_objs (b, l, c)
#define MLPD_GET_REFS(b, l, c, byte) mlpd_get_references (b, l, c)
#define MLPD_GET_ROOTS(b, l, c, byte) mlpd_get_roots (b, &(l)->roots, c)
#define MLPD_GET_FRAMES(b, l, c, byte) mlpd_get_frames (b, &(l)->frames, c)
#define MLPD_GET_COUNTERS(b, l, c, byte) mlpd_get_counters (b, &(l)->counters, c)
#define MLPD_GET_COUNTER_VALUES(b, l, c, byte) mlpd_get_counter_values (b, &(l)->counters, c)

#define LATEST MLPD_LATEST
#define ALWAYS 1
#define VERSIONS(since, until) (b->version >= (since) && b->version <= (until))
#define FLAG(mask) ((byte & (mask)) != 0)
#define EXINFO_IS(value) ((byte & 0xf0) == (value))
#define WHEN(since, until, mask, value) (VERSIONS (since, until) && (byte & (mask)) == (value))
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  CURSOR_INLINE void mlpd_get_##id (struct mlpd_bases *b, struct mlpd_lists *l G_GNUC_UNUSED,      \
                                    struct cursor *c, uint8_t byte G_GNUC_UNUSED,                  \
                                    struct mlpd_##id *event)                                       \
  {                                                                                                \
    uint64_t helper_type G_GNUC_UNUSED = 0;
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  event->field = (when) ? MLPD_GET_##wire (b, l, c, byte) : (MLPD_C_##wire){ 0 };
#define END_EVENT(id) }
#include <proflog/mlpd-events.def>
#undef LATEST
#undef ALWAYS
#undef VERSIONS
#undef FLAG
#undef EXINFO_IS
#undef WHEN

#endif
