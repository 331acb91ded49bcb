/* mlpd-wires.h -- reads the wires of the event list that are one value each, inline.
 *
 * With a constant version in the bases the compiler leaves out the code for other versions.
 * Nothing here tests for the cursor's error: callers do, once an event.
 */
#ifndef PROFLOG_MLPD_WIRES_H
#define PROFLOG_MLPD_WIRES_H

#include "decoder/core/cursor.h"

#include <glib.h>
#include <proflog/mlpd.h>

/* The bases of the events of a buffer.  `time` and `method` are not neighbours: compilers would
 * load both at once, which has to wait for both to be stored, since these are two stores. */
struct mlpd_bases {
  unsigned version;      /* data version */
  bool has_byte_objects; /* differences of objects count bytes */
  uint64_t address_mask; /* of the addresses that the program had */
  uint64_t time;         /* of the last event that was decoded whole */
  uint64_t ptr_base;
  uint64_t obj_base;
  uint64_t method; /* the last one of such events */
  /* Lists of methods that were skipped, if the differences in them are requested when they are
   * needed; then `method` lacks them (mlpd-lists.h).  NULL: methods are not requested at all. */
  struct mlpd_skipped_traces *skipped;
};

/* No fewer than fit a buffer of the stock profiler. */
#define MLPD_SKIPPED_MAX 8192

struct mlpd_skipped_traces {
  const uint8_t *bytes; /* of the buffer */
  size_t length;
  const uint8_t *last; /* the numbers of the backtrace that was skipped last */
  size_t n;
  struct {
    uint32_t at; /* in the bytes */
    uint32_t count;
  } lists[MLPD_SKIPPED_MAX];
};

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

/* Stock writers store sizes in a C int, so that one of 2 GiB comes out sign-extended; they are
 * rounded up to 8.  No program has as many bytes as other such numbers are. */
CURSOR_INLINE uint64_t
mlpd_large_size (struct cursor *c, uint64_t size)
{
  if (size >= (uint64_t) INT32_MIN && size % 8 == 0)
    return (uint32_t) size;
  if (c->unchecked)
    return cursor_overrun (c);
  cursor_fail (c, CURSOR_MALFORMED);
  return 0;
}

/* The numbers of a batched cursor have 7 bytes at most. */
CURSOR_INLINE uint64_t
mlpd_get_size (struct cursor *c)
{
  const uint64_t size = cursor_uleb (c);
  return c->batched || G_LIKELY (size >> MLPD_SIZE_BITS == 0) ? size : mlpd_large_size (c, size);
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
mlpd_object_at (const struct mlpd_bases *b, uint64_t difference)
{
  const uint64_t object = b->obj_base + difference;
  return (b->has_byte_objects ? object : object << 3) & b->address_mask;
}

CURSOR_INLINE uint64_t
mlpd_get_obj (const struct mlpd_bases *b, struct cursor *c)
{
  return mlpd_object_at (b, (uint64_t) cursor_sleb_of_three (c));
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

#endif
