/* mlpd-lists.h -- reads the wires of the event list that are lists of values.
 *
 * Where `lists` are not requested, the bases need a place for lists that were skipped, and
 * mlpd_resolve_method goes before whatever needs the last method.
 */
#ifndef PROFLOG_MLPD_LISTS_H
#define PROFLOG_MLPD_LISTS_H

#include "decoder/mlpd/mlpd-wires.h"

/* Memory for the lists of an event: an event has at most one of each wire. */
struct scratch_buffer {
  void *items;
  size_t bytes;
};

struct mlpd_lists {
  struct scratch_buffer objects; /* BACKTRACE, OBJS, REFS */
  struct scratch_buffer offsets; /* REFS */
  struct scratch_buffer ptrs;
  struct scratch_buffer roots;
  struct scratch_buffer frames;
  struct scratch_buffer counters; /* COUNTERS, COUNTER_VALUES */
};

/* Makes room for `count` items of `size` bytes; its contents are lost. */
void *scratch_buffer_grow (struct scratch_buffer *room, size_t count, size_t size);

static inline void *
scratch_buffer (struct scratch_buffer *room, size_t count, size_t size)
{
  return G_LIKELY (count <= room->bytes / size) ? room->items
                                                : scratch_buffer_grow (room, count, size);
}

static inline struct mlpd_list
mlpd_get_ptrs (const struct mlpd_bases *b, struct scratch_buffer *room, struct cursor *c)
{
  const size_t count = cursor_count (c);
  c->unchecked = false;
  uint64_t *items = scratch_buffer (room, count, sizeof *items);
  const size_t many = cursor_read_many (c, count, items, NULL);
  for (size_t i = 0; i < many; i++)
    items[i] = (b->ptr_base + items[i]) & b->address_mask;
  for (size_t i = many; i < count; i++)
    items[i] = mlpd_get_ptr (b, c);
  return (struct mlpd_list){ .items = items, .count = count };
}

CURSOR_INLINE void
mlpd_skip_numbers (struct cursor *c, size_t count)
{
  c->unchecked = false; /* lists may go beyond that */
  for (size_t i = cursor_skip_many (c, count); i < count; i++)
    cursor_sleb (c); /* an unsigned number ends at the same byte */
}

/* `lists` NULL: they are not requested. */
static inline struct mlpd_list
mlpd_get_objs (const struct mlpd_bases *b, struct mlpd_lists *lists, struct cursor *c)
{
  const size_t count = cursor_count (c);
  if (lists == NULL) {
    mlpd_skip_numbers (c, count);
    return (struct mlpd_list){ .count = count };
  }
  c->unchecked = false;
  uint64_t *items = scratch_buffer (&lists->objects, count, sizeof *items);
  const size_t many = cursor_read_many (c, count, items, NULL);
  for (size_t i = 0; i < many; i++)
    items[i] = mlpd_object_at (b, items[i]);
  for (size_t i = many; i < count; i++)
    items[i] = mlpd_get_obj (b, c);
  return (struct mlpd_list){ .items = items, .count = count };
}

/* Methods, each from the one before. */
static inline struct mlpd_list
mlpd_get_methods (struct mlpd_bases *b, struct scratch_buffer *room, struct cursor *c)
{
  const size_t count = cursor_count (c);
  c->unchecked = false;
  uint64_t *items = scratch_buffer (room, count, sizeof *items);
  const size_t many = cursor_read_many (c, count, items, NULL);
  for (size_t i = 0; i < many; i++)
    b->method = items[i] = (b->method + items[i]) & b->address_mask;
  for (size_t i = many; i < count; i++)
    items[i] = mlpd_get_method (b, c);
  return (struct mlpd_list){ .items = items, .count = count };
}

/* Adds the skipped differences to the last method. */
static __attribute__ ((noinline, unused)) void
mlpd_resolve_method (struct mlpd_bases *b)
{
  struct mlpd_skipped_traces *skipped = b->skipped;
  for (size_t i = 0; i < skipped->n; i++) {
    struct cursor c
        = { .at = skipped->bytes + skipped->lists[i].at, .end = skipped->bytes + skipped->length };
    const size_t count = skipped->lists[i].count;
    uint64_t sum;
    for (size_t n = cursor_read_many (&c, count, NULL, &sum); n < count; n++)
      sum += (uint64_t) cursor_sleb (&c);
    b->method = (b->method + sum) & b->address_mask;
  }
  skipped->n = 0;
}

/* Skips methods, from the last of which the next one counts.  Few logs have both calls and
 * backtraces, whose methods need not be known. */
CURSOR_INLINE struct mlpd_list
mlpd_skip_methods (struct mlpd_bases *b, struct cursor *c)
{
  const size_t count = cursor_count (c);
  const uint8_t *const at = c->at;
  mlpd_skip_numbers (c, count);
  struct mlpd_skipped_traces *skipped = b->skipped;
  if (c->error != CURSOR_OK || count == 0 || skipped == NULL)
    return (struct mlpd_list){ .count = count };
  if (G_UNLIKELY (skipped->n == MLPD_SKIPPED_MAX))
    mlpd_resolve_method (b);
  skipped->last = at;
  skipped->lists[skipped->n].at = (uint32_t) (at - skipped->bytes);
  skipped->lists[skipped->n++].count = (uint32_t) count;
  return (struct mlpd_list){ .count = count };
}

/* `lists` NULL: the frames are not requested. */
CURSOR_INLINE struct mlpd_list
mlpd_get_backtrace (struct mlpd_bases *b, struct mlpd_lists *lists, struct cursor *c)
{
  if (b->version >= MLPD_VERSION_NO_FLAGS)
    return lists != NULL ? mlpd_get_methods (b, &lists->objects, c) : mlpd_skip_methods (b, c);
  cursor_uleb (c); /* flags, always 0 */
  if (lists != NULL)
    return mlpd_get_ptrs (b, &lists->objects, c);
  const size_t count = cursor_count (c);
  if (b->skipped != NULL)
    b->skipped->last = c->at;
  mlpd_skip_numbers (c, count);
  return (struct mlpd_list){ .count = count };
}

/* `lists` NULL: they are not requested. */
CURSOR_INLINE struct mlpd_references
mlpd_get_references (const struct mlpd_bases *b, struct mlpd_lists *lists, struct cursor *c)
{
  const bool has_offsets = b->version >= MLPD_VERSION_REFERENCE_OFFSETS;
  const size_t count = cursor_count (c);
  if (lists == NULL) {
    mlpd_skip_numbers (c, has_offsets ? 2 * count : count);
    return (struct mlpd_references){ .count = count };
  }
  c->unchecked = false;
  uint64_t *items = scratch_buffer (&lists->objects, count, sizeof *items);
  if (!has_offsets) {
    for (size_t i = 0; i < count; i++)
      items[i] = mlpd_get_obj (b, c);
    return (struct mlpd_references){ .items = items, .offsets = NULL, .count = count };
  }
  uint64_t *offsets = scratch_buffer (&lists->offsets, count, sizeof *offsets);
  uint64_t offset = 0;
  for (size_t i = 0; i < count; i++) {
    offset += cursor_uleb (c);
    offsets[i] = offset;
    items[i] = mlpd_get_obj (b, c);
  }
  return (struct mlpd_references){ .items = items, .offsets = offsets, .count = count };
}

/* These are seen too seldom to be inline. */
struct mlpd_roots mlpd_get_roots (const struct mlpd_bases *bases, struct scratch_buffer *room,
                                  struct cursor *cursor);
struct mlpd_frames mlpd_get_frames (struct mlpd_bases *bases, struct scratch_buffer *room,
                                    struct cursor *cursor);
struct mlpd_counters mlpd_get_counters (const struct mlpd_bases *bases, struct scratch_buffer *room,
                                        struct cursor *cursor);
struct mlpd_counter_values mlpd_get_counter_values (const struct mlpd_bases *bases,
                                                    struct scratch_buffer *room,
                                                    struct cursor *cursor);

#endif
