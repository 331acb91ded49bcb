/* mlpd-walk.h -- goes over events of a buffer without returning them, for the cut of a buffer in two: finds
 * the last time and the last method before it.
 *
 *   struct mlpd_walk walk;
 *   mlpd_walk_start (&walk, version, &header);
 *   size_t passed = mlpd_walk_over (&walk, bytes, length);
 *   header = mlpd_walk_header (&walk, &header);      the header of the rest
 *
 * It is made of the event list, allocates nothing, and takes any bytes: it ends before the first
 * event that is none or not whole.
 */
#ifndef PROFLOG_MLPD_WALK_H
#define PROFLOG_MLPD_WALK_H

#include <proflog/mlpd.h>
#include <stdbool.h>
#include <string.h>

#if defined(__GNUC__)
#define MLPD_WALK_UNUSED __attribute__ ((unused))
#else
#define MLPD_WALK_UNUSED
#endif

struct mlpd_walk {
  unsigned version; /* data version */
  uint64_t time, method;
  uint64_t events; /* that were passed */
  uint64_t helper_type; /* of the event that is passed */
  const uint8_t *at, *end;
  bool failed; /* the event is not whole, or makes no sense */
};

static inline void
mlpd_walk_start (struct mlpd_walk *w, unsigned version, const struct mlpd_buffer_header *header)
{
  memset (w, 0, sizeof *w);
  w->version = version;
  w->time = header->time_base;
  w->method = header->method_base;
}

/* The header of the events from here on, of no length yet. */
static inline struct mlpd_buffer_header
mlpd_walk_header (const struct mlpd_walk *w, const struct mlpd_buffer_header *before)
{
  struct mlpd_buffer_header header = *before;
  header.time_base = w->time;
  header.method_base = w->method;
  header.length = 0;
  return header;
}

/* ---- wires ---- */

static inline uint8_t
mlpd_walk_byte (struct mlpd_walk *w)
{
  if (w->at == w->end) {
    w->failed = true;
    return 0;
  }
  return *w->at++;
}

static inline void
mlpd_walk_bytes (struct mlpd_walk *w, size_t count)
{
  if ((size_t) (w->end - w->at) < count)
    w->failed = true;
  else
    w->at += count;
}

/* A LEB128 number; `is_signed` extends the sign. */
static inline uint64_t
mlpd_walk_leb (struct mlpd_walk *w, bool is_signed)
{
  uint64_t v = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const uint8_t byte = mlpd_walk_byte (w);
    if (shift < 64)
      v |= (uint64_t) (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (is_signed && (byte & 0x40) != 0 && shift + 7 < 64)
        v |= UINT64_MAX << (shift + 7);
      return v;
    }
  }
  w->failed = true;
  return 0;
}

/* This many LEB128 numbers.  Each has a byte at least, so a false count ends soon. */
static inline void
mlpd_walk_lebs (struct mlpd_walk *w, uint64_t count)
{
  for (; count > 0 && !w->failed; count--)
    mlpd_walk_leb (w, false);
}

static inline void
mlpd_walk_text (struct mlpd_walk *w)
{
  while (mlpd_walk_byte (w) != 0)
    ;
}

static inline void
mlpd_walk_small (struct mlpd_walk *w)
{
  if (w->version < MLPD_VERSION_NO_FLAGS)
    mlpd_walk_leb (w, false);
  else
    mlpd_walk_byte (w);
}

static inline void
mlpd_walk_time (struct mlpd_walk *w)
{
  w->time += mlpd_walk_leb (w, false);
}

static inline void
mlpd_walk_method (struct mlpd_walk *w)
{
  w->method += mlpd_walk_leb (w, true);
}

static inline void
mlpd_walk_helper_type (struct mlpd_walk *w)
{
  if (w->version >= MLPD_VERSION_MONITOR_BYTE) {
    w->helper_type = mlpd_walk_byte (w);
    return;
  }
  const uint64_t type
      = w->version < MLPD_VERSION_NO_FLAGS ? mlpd_walk_leb (w, false) : mlpd_walk_byte (w);
  w->helper_type = type == 0 ? (uint64_t) MLPD_HELPER_TYPE_UNKNOWN : type - 1;
}

static inline void
mlpd_walk_backtrace (struct mlpd_walk *w)
{
  if (w->version < MLPD_VERSION_NO_FLAGS) {
    mlpd_walk_leb (w, false); /* flags */
    mlpd_walk_lebs (w, mlpd_walk_leb (w, false));
    return;
  }
  for (uint64_t count = mlpd_walk_leb (w, false); count > 0 && !w->failed; count--)
    mlpd_walk_method (w);
}

static inline void
mlpd_walk_references (struct mlpd_walk *w)
{
  const bool has_offsets = w->version >= MLPD_VERSION_REFERENCE_OFFSETS;
  for (uint64_t count = mlpd_walk_leb (w, false); count > 0 && !w->failed; count--)
    mlpd_walk_lebs (w, has_offsets ? 2 : 1);
}

static inline void
mlpd_walk_roots (struct mlpd_walk *w)
{
  uint64_t count = mlpd_walk_leb (w, false);
  if (w->version < MLPD_VERSION_ROOT_ADDRESSES)
    mlpd_walk_leb (w, false); /* collections */
  for (; count > 0 && !w->failed; count--)
    if (w->version >= MLPD_VERSION_ROOT_ADDRESSES) {
      mlpd_walk_lebs (w, 2);
    } else {
      mlpd_walk_leb (w, false);
      if (w->version == MLPD_VERSION_NO_FLAGS)
        mlpd_walk_byte (w);
      else
        mlpd_walk_leb (w, false);
      mlpd_walk_leb (w, false);
    }
}

static inline void
mlpd_walk_frames (struct mlpd_walk *w)
{
  for (uint64_t count = mlpd_walk_leb (w, false); count > 0 && !w->failed; count--) {
    mlpd_walk_method (w);
    if (w->version < MLPD_VERSION_NO_FLAGS)
      mlpd_walk_lebs (w, 2);
  }
}

/* One byte in 13 and 14. */
static inline uint64_t
mlpd_walk_counter_number (struct mlpd_walk *w)
{
  return w->version == 13 || w->version == 14 ? mlpd_walk_byte (w) : mlpd_walk_leb (w, false);
}

static inline void
mlpd_walk_counters (struct mlpd_walk *w)
{
  for (uint64_t count = mlpd_walk_leb (w, false); count > 0 && !w->failed; count--) {
    if (mlpd_walk_leb (w, false) == MLPD_COUNTER_SECTION_USER)
      mlpd_walk_text (w);
    mlpd_walk_text (w);
    for (int i = 0; i < 3; i++)
      mlpd_walk_counter_number (w);
    mlpd_walk_leb (w, false);
  }
}

static inline void
mlpd_walk_counter_values (struct mlpd_walk *w)
{
  while (mlpd_walk_leb (w, false) != 0 && !w->failed)
    switch (mlpd_walk_counter_number (w)) {
    case MLPD_COUNTER_TYPE_INT:
    case MLPD_COUNTER_TYPE_WORD:
    case MLPD_COUNTER_TYPE_LONG:
    case MLPD_COUNTER_TYPE_TIME_INTERVAL:
    case MLPD_COUNTER_TYPE_UINT:
    case MLPD_COUNTER_TYPE_ULONG:
      mlpd_walk_leb (w, false);
      break;
    case MLPD_COUNTER_TYPE_DOUBLE:
      mlpd_walk_bytes (w, 8);
      break;
    case MLPD_COUNTER_TYPE_STRING:
      if (mlpd_walk_byte (w) != 0)
        mlpd_walk_text (w);
      break;
    default:
      w->failed = true;
      break;
    }
}

#define MLPD_WALK_U8(w) mlpd_walk_byte (w)
#define MLPD_WALK_UVAR(w) mlpd_walk_leb (w, false)
#define MLPD_WALK_SMALL(w) mlpd_walk_small (w)
#define MLPD_WALK_SIZE(w) mlpd_walk_leb (w, false)
#define MLPD_WALK_TIME(w) mlpd_walk_time (w)
#define MLPD_WALK_PTR(w) mlpd_walk_leb (w, false)
#define MLPD_WALK_BINARY_ADDRESS(w) mlpd_walk_leb (w, false)
#define MLPD_WALK_OBJ(w) mlpd_walk_leb (w, false)
#define MLPD_WALK_METHOD(w) mlpd_walk_method (w)
#define MLPD_WALK_STRZ(w) mlpd_walk_text (w)
#define MLPD_WALK_MTYPE(w) mlpd_walk_byte (w)
#define MLPD_WALK_EXINFO(w) (void) 0
#define MLPD_WALK_MONITOR_EVENT(w)                                                                 \
  mlpd_walk_bytes (w, (w)->version < MLPD_VERSION_MONITOR_BYTE ? 0 : 1)
#define MLPD_WALK_HELPER_TYPE(w) mlpd_walk_helper_type (w)
#define MLPD_WALK_HELPER_NAME(w)                                                                   \
  if ((w)->helper_type == MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE)                                    \
  mlpd_walk_text (w)
#define MLPD_WALK_BACKTRACE(w) mlpd_walk_backtrace (w)
#define MLPD_WALK_PTRS(w) mlpd_walk_lebs (w, mlpd_walk_leb (w, false))
#define MLPD_WALK_OBJS(w) mlpd_walk_lebs (w, mlpd_walk_leb (w, false))
#define MLPD_WALK_REFS(w) mlpd_walk_references (w)
#define MLPD_WALK_ROOTS(w) mlpd_walk_roots (w)
#define MLPD_WALK_FRAMES(w) mlpd_walk_frames (w)
#define MLPD_WALK_COUNTERS(w) mlpd_walk_counters (w)
#define MLPD_WALK_COUNTER_VALUES(w) mlpd_walk_counter_values (w)

/* ---- events ---- */

#define LATEST UINT32_MAX
#define NO_MTYPE 0
#define ALWAYS 1
#define VERSIONS(since, until) (w->version >= (since) && w->version <= (until))
#define FLAG(mask) ((byte & (mask)) != 0)
#define EXINFO_IS(value) ((byte & 0xf0) == (value))
#define WHEN(since, until, mask, value) (VERSIONS (since, until) && (byte & (mask)) == (value))
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static inline void mlpd_walk_##id (struct mlpd_walk *w, uint8_t byte MLPD_WALK_UNUSED)           \
  {
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  if (when) {                                                                                      \
    MLPD_WALK_##wire (w);                                                                          \
  }
#define END_EVENT(id) }
#include <proflog/mlpd-events.def>
#undef ALWAYS
#undef VERSIONS
#undef FLAG
#undef EXINFO_IS
#undef WHEN

/* The mtype byte of a metadata event, which follows its time. */
static inline uint8_t
mlpd_walk_mtype (const struct mlpd_walk *w)
{
  struct mlpd_walk ahead = *w;
  mlpd_walk_leb (&ahead, false);
  return mlpd_walk_byte (&ahead);
}

/* Skips the fields after an event byte. */
static inline void
mlpd_walk_event (struct mlpd_walk *w, uint8_t byte)
{
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  if ((byte & 0x0f) == (type) && (byte & (mask)) == (exinfo) && w->version >= (since)              \
      && w->version <= (until) && ((mtype) == NO_MTYPE || mlpd_walk_mtype (w) == (mtype))) {       \
    mlpd_walk_##id (w, byte);                                                                      \
    return;                                                                                        \
  }
#include <proflog/mlpd-events.def>
  w->failed = true;
}
#undef LATEST
#undef NO_MTYPE

/* Skips whole events; returns how many of the `length` bytes they have. */
static inline size_t
mlpd_walk_over (struct mlpd_walk *w, const uint8_t *bytes, size_t length)
{
  w->at = bytes;
  w->end = bytes + length;
  w->failed = false;
  while (w->at < w->end) {
    const struct mlpd_walk before = *w;
    mlpd_walk_event (w, mlpd_walk_byte (w));
    if (w->failed) {
      *w = before;
      break;
    }
    w->events++;
  }
  return (size_t) (w->at - bytes);
}

#endif
