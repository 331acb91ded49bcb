/* mlpd-encode.h -- writes Mono profiler logs: headers and every event of mlpd-events.def.
 *
 * For each event of the list there is
 *
 *   size_t   mlpd_bound_ID (const struct mlpd_ID *)   upper bound of its bytes; a constant after
 *                                                     inlining unless it has a string or a list
 *   uint8_t *mlpd_put_ID (struct mlpd_encoder *, uint8_t *to, const struct mlpd_ID *)
 *                                                     writes it, returns the end
 *
 * and mlpd_bound_event / mlpd_put_event for a kind known at run time only.  The caller has room
 * for the bound at `to`.  Nothing here allocates, locks or fails.  One encoder belongs to one
 * buffer and one thread at a time.  The functions before these, mlpd_put_time and so on, write one
 * field at `p` and return the end.  mlpd-writer.h does all of it, with checks.
 *
 * docs/mlpd-format.md has the facts of the format, with their sources.
 */
#ifndef PROFLOG_MLPD_ENCODE_H
#define PROFLOG_MLPD_ENCODE_H

#include <proflog/mlpd.h>
#include <string.h>

#if defined(__GNUC__)
#define MLPD_UNUSED __attribute__ ((unused))
#else
#define MLPD_UNUSED
#endif

/* State of the buffer being written.  The three bases go into the buffer's header when it is
 * full: each is the first address of its kind in the buffer. */
struct mlpd_encoder {
  uint64_t time_base;
  uint64_t time;
  uint64_t ptr_base;
  uint64_t obj_base; /* in units of 8 bytes */
  uint64_t method_base;
  uint64_t method; /* the last one written */
  uint64_t helper_type; /* of the event being written */
  unsigned version; /* data version */
};

/* Begins a buffer of this data version, whose first time (ns) is its base. */
static inline void
mlpd_encoder_start (struct mlpd_encoder *e, unsigned version, uint64_t time)
{
  memset (e, 0, sizeof *e);
  e->time_base = e->time = time;
  e->version = version;
}

/* ---- primitives ---- */

#define MLPD_LEB128_MAX 10

/* Writes an unsigned LEB128. */
static inline uint8_t *
mlpd_put_uleb (uint8_t *p, uint64_t v)
{
  while (v >= 0x80) {
    *p++ = (uint8_t) (v | 0x80);
    v >>= 7;
  }
  *p++ = (uint8_t) v;
  return p;
}

/* Writes a signed LEB128. */
static inline uint8_t *
mlpd_put_sleb (uint8_t *p, int64_t v)
{
  while (v < -64 || v > 63) {
    *p++ = (uint8_t) (v | 0x80);
    v >>= 7; /* arithmetic, as every compiler for our platforms does */
  }
  *p++ = (uint8_t) (v & 0x7f);
  return p;
}

/* Writes the low bytes of a number, the lowest first. */
static inline uint8_t *
mlpd_put_little_endian (uint8_t *p, uint64_t v, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    *p++ = (uint8_t) (v >> (8 * i));
  return p;
}

/* The difference of an address from its base.  A base that no address has used yet is 0.  A NULL must
 * not become a base, or the next address would become the base instead and the NULL would be read as
 * that: the base is 1 then. */
static inline uint64_t
mlpd_delta (uint64_t *base, uint64_t value)
{
  if (*base == 0)
    *base = value != 0 ? value : 1;
  return value - *base;
}

/* ---- wires: bits of the event byte, bound, bytes ---- */

#define MLPD_BYTE_U8(v, mask) 0
#define MLPD_BYTE_UVAR(v, mask) 0
#define MLPD_BYTE_SMALL(v, mask) 0
#define MLPD_BYTE_SIZE(v, mask) 0
#define MLPD_BYTE_TIME(v, mask) 0
#define MLPD_BYTE_PTR(v, mask) 0
#define MLPD_BYTE_BINARY_ADDRESS(v, mask) 0
#define MLPD_BYTE_OBJ(v, mask) 0
#define MLPD_BYTE_METHOD(v, mask) 0
#define MLPD_BYTE_STRZ(v, mask) 0
#define MLPD_BYTE_MTYPE(v, mask) 0
#define MLPD_BYTE_EXINFO(v, mask) ((v) & 0xf0)
#define MLPD_BYTE_MONITOR_EVENT(v, mask) (version < MLPD_VERSION_MONITOR_BYTE ? ((v) & 3) << 4 : 0)
#define MLPD_BYTE_HELPER_TYPE(v, mask) 0
#define MLPD_BYTE_HELPER_NAME(v, mask) 0
#define MLPD_BYTE_BACKTRACE(v, mask) ((v).count != 0 ? (mask) : 0)
#define MLPD_BYTE_PTRS(v, mask) 0
#define MLPD_BYTE_OBJS(v, mask) 0
#define MLPD_BYTE_REFS(v, mask) 0
#define MLPD_BYTE_ROOTS(v, mask) 0
#define MLPD_BYTE_FRAMES(v, mask) 0
#define MLPD_BYTE_COUNTERS(v, mask) 0
#define MLPD_BYTE_COUNTER_VALUES(v, mask) 0

#define MLPD_BOUND_U8(v) 1
#define MLPD_BOUND_UVAR(v) MLPD_LEB128_MAX
#define MLPD_BOUND_SMALL(v) MLPD_LEB128_MAX
#define MLPD_BOUND_SIZE(v) MLPD_LEB128_MAX
#define MLPD_BOUND_TIME(v) MLPD_LEB128_MAX
#define MLPD_BOUND_PTR(v) MLPD_LEB128_MAX
#define MLPD_BOUND_BINARY_ADDRESS(v) MLPD_LEB128_MAX
#define MLPD_BOUND_OBJ(v) MLPD_LEB128_MAX
#define MLPD_BOUND_METHOD(v) MLPD_LEB128_MAX
#define MLPD_BOUND_STRZ(v) ((v).length + 1)
#define MLPD_BOUND_MTYPE(v) 1
#define MLPD_BOUND_EXINFO(v) 0
#define MLPD_BOUND_MONITOR_EVENT(v) 1
#define MLPD_BOUND_HELPER_TYPE(v) MLPD_LEB128_MAX
#define MLPD_BOUND_HELPER_NAME(v) ((v).length + 1)
#define MLPD_BOUND_BACKTRACE(v) (((v).count + 2) * MLPD_LEB128_MAX)
#define MLPD_BOUND_PTRS(v) (((v).count + 1) * MLPD_LEB128_MAX)
#define MLPD_BOUND_OBJS(v) (((v).count + 1) * MLPD_LEB128_MAX)
#define MLPD_BOUND_REFS(v) ((2 * (v).count + 1) * MLPD_LEB128_MAX)
#define MLPD_BOUND_ROOTS(v) ((3 * (v).count + 2) * MLPD_LEB128_MAX)
#define MLPD_BOUND_FRAMES(v) ((3 * (v).count + 1) * MLPD_LEB128_MAX)
#define MLPD_BOUND_COUNTERS(v) mlpd_bound_counters (v)
#define MLPD_BOUND_COUNTER_VALUES(v) mlpd_bound_counter_values (v)

#define MLPD_PUT_U8(e, p, v, mtype) mlpd_put_little_endian (p, v, 1)
#define MLPD_PUT_UVAR(e, p, v, mtype) mlpd_put_uleb (p, v)
#define MLPD_PUT_SMALL(e, p, v, mtype) mlpd_put_small (e, p, v)
#define MLPD_PUT_SIZE(e, p, v, mtype) mlpd_put_uleb (p, v)
#define MLPD_PUT_TIME(e, p, v, mtype) mlpd_put_time (e, p, v)
#define MLPD_PUT_PTR(e, p, v, mtype) mlpd_put_ptr (e, p, v)
#define MLPD_PUT_BINARY_ADDRESS(e, p, v, mtype) mlpd_put_binary_address (e, p, v)
#define MLPD_PUT_OBJ(e, p, v, mtype) mlpd_put_obj (e, p, v)
#define MLPD_PUT_METHOD(e, p, v, mtype) mlpd_put_method (e, p, v)
#define MLPD_PUT_STRZ(e, p, v, mtype) mlpd_put_strz (p, v)
#define MLPD_PUT_MTYPE(e, p, v, mtype) mlpd_put_little_endian (p, mtype, 1)
#define MLPD_PUT_EXINFO(e, p, v, mtype) (p)
#define MLPD_PUT_MONITOR_EVENT(e, p, v, mtype) mlpd_put_monitor_event (e, p, v)
#define MLPD_PUT_HELPER_TYPE(e, p, v, mtype) mlpd_put_helper_type (e, p, v)
#define MLPD_PUT_HELPER_NAME(e, p, v, mtype) mlpd_put_helper_name (e, p, v)
#define MLPD_PUT_BACKTRACE(e, p, v, mtype) mlpd_put_backtrace (e, p, v)
#define MLPD_PUT_PTRS(e, p, v, mtype) mlpd_put_ptrs (e, p, v)
#define MLPD_PUT_OBJS(e, p, v, mtype) mlpd_put_objs (e, p, v)
#define MLPD_PUT_REFS(e, p, v, mtype) mlpd_put_references (e, p, v)
#define MLPD_PUT_ROOTS(e, p, v, mtype) mlpd_put_roots (e, p, v)
#define MLPD_PUT_FRAMES(e, p, v, mtype) mlpd_put_frames (e, p, v)
#define MLPD_PUT_COUNTERS(e, p, v, mtype) mlpd_put_counters (e, p, v)
#define MLPD_PUT_COUNTER_VALUES(e, p, v, mtype) mlpd_put_counter_values (e, p, v)

/* A bound with more bytes, or SIZE_MAX / 2: texts may share their bytes, and have more in sum than a
 * size_t of 32 bits can state. */
static inline size_t
mlpd_bound_more (size_t bound, size_t more)
{
  return bound < SIZE_MAX / 2 && more < SIZE_MAX / 2 - bound ? bound + more : SIZE_MAX / 2;
}

/* Upper bound of: section, its name, name, type, unit, variance, index */
static inline size_t
mlpd_bound_counters (struct mlpd_counters counters)
{
  size_t bound = MLPD_LEB128_MAX;
  for (size_t i = 0; i < counters.count; i++)
    bound = mlpd_bound_more (mlpd_bound_more (bound, counters.items[i].section_name.length),
                             counters.items[i].name.length)
            + 5 * MLPD_LEB128_MAX + 2;
  return bound;
}

/* Upper bound of: index, type, value; the end */
static inline size_t
mlpd_bound_counter_values (struct mlpd_counter_values values)
{
  size_t bound = MLPD_LEB128_MAX;
  for (size_t i = 0; i < values.count; i++)
    bound = mlpd_bound_more (bound, values.items[i].text.length) + 3 * MLPD_LEB128_MAX + 1;
  return bound;
}

/* A time in ns, as the difference from the time before; it must not be before that. */
static inline uint8_t *
mlpd_put_time (struct mlpd_encoder *e, uint8_t *p, uint64_t time)
{
  p = mlpd_put_uleb (p, time - e->time);
  e->time = time;
  return p;
}

/* An address, as its difference from the buffer's base of addresses. */
static inline uint8_t *
mlpd_put_ptr (struct mlpd_encoder *e, uint8_t *p, uint64_t ptr)
{
  return mlpd_put_sleb (p, (int64_t) mlpd_delta (&e->ptr_base, ptr));
}

/* An object's address, a multiple of 8, as its difference from the base of objects, divided by 8. */
static inline uint8_t *
mlpd_put_obj (struct mlpd_encoder *e, uint8_t *p, uint64_t object)
{
  return mlpd_put_sleb (p, (int64_t) mlpd_delta (&e->obj_base, object >> 3));
}

/* A method's address, as its difference from the method before it in the buffer. */
static inline uint8_t *
mlpd_put_method (struct mlpd_encoder *e, uint8_t *p, uint64_t method)
{
  if (e->method_base == 0) {
    mlpd_delta (&e->method_base, method);
    e->method = e->method_base;
  }
  p = mlpd_put_sleb (p, (int64_t) (method - e->method));
  e->method = method;
  return p;
}

/* A text and a NUL.  A NUL in the text would end it. */
static inline uint8_t *
mlpd_put_strz (uint8_t *p, struct mlpd_string s)
{
  if (s.length != 0)
    memcpy (p, s.text, s.length);
  p[s.length] = 0;
  return p + s.length + 1;
}

/* A small number: LEB128 up to data version 12, a byte from 13 on. */
static inline uint8_t *
mlpd_put_small (const struct mlpd_encoder *e, uint8_t *p, uint64_t v)
{
  return e->version < MLPD_VERSION_NO_FLAGS ? mlpd_put_uleb (p, v) : mlpd_put_little_endian (p, v, 1);
}

/* The address of native code: signed LEB128 up to data version 13, an address from 14 on. */
static inline uint8_t *
mlpd_put_binary_address (struct mlpd_encoder *e, uint8_t *p, uint64_t address)
{
  if (e->version < MLPD_VERSION_MONITOR_BYTE)
    return mlpd_put_sleb (p, (int64_t) address);
  return mlpd_put_ptr (e, p, address);
}

/* The event of a monitor: in the event byte up to data version 13, a byte from 14 on. */
static inline uint8_t *
mlpd_put_monitor_event (const struct mlpd_encoder *e, uint8_t *p, uint64_t event)
{
  return e->version < MLPD_VERSION_MONITOR_BYTE ? p : mlpd_put_little_endian (p, event, 1);
}

/* The type of code that is no method, before its name; up to data version 13 the numbers are one more. */
static inline uint8_t *
mlpd_put_helper_type (struct mlpd_encoder *e, uint8_t *p, uint64_t type)
{
  e->helper_type = type;
  if (e->version < MLPD_VERSION_MONITOR_BYTE)
    type = type == MLPD_HELPER_TYPE_UNKNOWN ? 0 : type + 1;
  return mlpd_put_small (e, p, type);
}

/* Its name, if it is of the type that has one. */
static inline uint8_t *
mlpd_put_helper_name (const struct mlpd_encoder *e, uint8_t *p, struct mlpd_string name)
{
  return e->helper_type == MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE ? mlpd_put_strz (p, name) : p;
}

/* A list of addresses: their number, and each. */
static inline uint8_t *
mlpd_put_ptrs (struct mlpd_encoder *e, uint8_t *p, struct mlpd_list addresses)
{
  p = mlpd_put_uleb (p, addresses.count);
  for (size_t i = 0; i < addresses.count; i++)
    p = mlpd_put_ptr (e, p, addresses.items[i]);
  return p;
}

/* A backtrace: flags (0) and addresses up to data version 12, methods from 13 on. */
static inline uint8_t *
mlpd_put_backtrace (struct mlpd_encoder *e, uint8_t *p, struct mlpd_list frames)
{
  if (e->version < MLPD_VERSION_NO_FLAGS) {
    p = mlpd_put_uleb (p, 0); /* flags */
    return mlpd_put_ptrs (e, p, frames);
  }
  p = mlpd_put_uleb (p, frames.count);
  for (size_t i = 0; i < frames.count; i++)
    p = mlpd_put_method (e, p, frames.items[i]);
  return p;
}

/* A list of objects: their number, and each. */
static inline uint8_t *
mlpd_put_objs (struct mlpd_encoder *e, uint8_t *p, struct mlpd_list objects)
{
  p = mlpd_put_uleb (p, objects.count);
  for (size_t i = 0; i < objects.count; i++)
    p = mlpd_put_obj (e, p, objects.items[i]);
  return p;
}

/* The first offset counts from the object's start, each other from the one before. */
static inline uint8_t *
mlpd_put_references (struct mlpd_encoder *e, uint8_t *p, struct mlpd_references references)
{
  uint64_t offset = 0;
  p = mlpd_put_uleb (p, references.count);
  for (size_t i = 0; i < references.count; i++) {
    if (e->version >= MLPD_VERSION_REFERENCE_OFFSETS) {
      p = mlpd_put_uleb (p, references.offsets[i] - offset);
      offset = references.offsets[i];
    }
    p = mlpd_put_obj (e, p, references.items[i]);
  }
  return p;
}

/* count; up to 14: collections, each root as object, type (in 13: one byte), extra; from 15 on: each
 * as address of the slot, object */
static inline uint8_t *
mlpd_put_roots (struct mlpd_encoder *e, uint8_t *p, struct mlpd_roots roots)
{
  p = mlpd_put_uleb (p, roots.count);
  if (e->version < MLPD_VERSION_ROOT_ADDRESSES)
    p = mlpd_put_uleb (p, roots.collections);
  for (size_t i = 0; i < roots.count; i++) {
    const struct mlpd_root *root = &roots.items[i];
    if (e->version >= MLPD_VERSION_ROOT_ADDRESSES) {
      p = mlpd_put_ptr (e, p, root->address);
      p = mlpd_put_obj (e, p, root->object);
      continue;
    }
    p = mlpd_put_obj (e, p, root->object);
    p = e->version == MLPD_VERSION_NO_FLAGS ? mlpd_put_little_endian (p, root->type, 1)
                                            : mlpd_put_uleb (p, root->type);
    p = mlpd_put_uleb (p, root->extra);
  }
  return p;
}

/* count, methods; up to 12 with their IL and native offsets as signed LEB128 */
static inline uint8_t *
mlpd_put_frames (struct mlpd_encoder *e, uint8_t *p, struct mlpd_frames frames)
{
  p = mlpd_put_uleb (p, frames.count);
  for (size_t i = 0; i < frames.count; i++) {
    p = mlpd_put_method (e, p, frames.items[i].method);
    if (e->version < MLPD_VERSION_NO_FLAGS) {
      p = mlpd_put_sleb (p, frames.items[i].il_offset);
      p = mlpd_put_sleb (p, frames.items[i].native_offset);
    }
  }
  return p;
}

/* One byte in 13 and 14. */
static inline uint8_t *
mlpd_put_counter_number (const struct mlpd_encoder *e, uint8_t *p, uint64_t v)
{
  return e->version == 13 || e->version == 14 ? mlpd_put_little_endian (p, v, 1)
                                              : mlpd_put_uleb (p, v);
}

/* count, each as section, its name if it is the users', name, type, unit, variance, index */
static inline uint8_t *
mlpd_put_counters (const struct mlpd_encoder *e, uint8_t *p, struct mlpd_counters counters)
{
  p = mlpd_put_uleb (p, counters.count);
  for (size_t i = 0; i < counters.count; i++) {
    const struct mlpd_counter *counter = &counters.items[i];
    p = mlpd_put_uleb (p, counter->section);
    if (counter->section == MLPD_COUNTER_SECTION_USER)
      p = mlpd_put_strz (p, counter->section_name);
    p = mlpd_put_strz (p, counter->name);
    p = mlpd_put_counter_number (e, p, counter->type);
    p = mlpd_put_counter_number (e, p, counter->unit);
    p = mlpd_put_counter_number (e, p, counter->variance);
    p = mlpd_put_uleb (p, counter->index);
  }
  return p;
}

/* each as index (1 and up), type, value; a 0 ends */
static inline uint8_t *
mlpd_put_counter_values (const struct mlpd_encoder *e, uint8_t *p, struct mlpd_counter_values values)
{
  for (size_t i = 0; i < values.count; i++) {
    const struct mlpd_counter_value *value = &values.items[i];
    p = mlpd_put_uleb (p, value->index);
    p = mlpd_put_counter_number (e, p, value->type);
    switch (value->type) {
    case MLPD_COUNTER_TYPE_UINT:
    case MLPD_COUNTER_TYPE_ULONG:
      p = mlpd_put_uleb (p, value->number);
      break;
    case MLPD_COUNTER_TYPE_DOUBLE:
      p = mlpd_put_little_endian (p, value->number, 8);
      break;
    case MLPD_COUNTER_TYPE_STRING:
      p = mlpd_put_little_endian (p, value->text.text != NULL, 1);
      if (value->text.text != NULL)
        p = mlpd_put_strz (p, value->text);
      break;
    default:
      p = mlpd_put_sleb (p, (int64_t) value->number);
      break;
    }
  }
  return mlpd_put_uleb (p, 0);
}

/* ---- events ---- */

#define LATEST UINT32_MAX
#define NO_MTYPE 0

/* The event byte. */
#define ALWAYS 0
#define VERSIONS(since, until) 0
#define FLAG(mask) (mask)
#define EXINFO_IS(value) 0
#define WHEN(since, until, mask, value) 0
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static inline uint8_t mlpd_byte_##id (const struct mlpd_##id *event MLPD_UNUSED,                 \
                                        unsigned version MLPD_UNUSED)                              \
  {                                                                                                \
    uint64_t byte = (uint64_t) type | exinfo;
#define FIELD(id, field, wire, unit, when, doc) byte |= MLPD_BYTE_##wire (event->field, when);
#define END_EVENT(id)                                                                              \
  return (uint8_t) byte;                                                                           \
  }
#include <proflog/mlpd-events.def>
#undef ALWAYS
#undef VERSIONS
#undef FLAG
#undef EXINFO_IS
#undef WHEN

#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static inline size_t mlpd_bound_##id (const struct mlpd_##id *event MLPD_UNUSED)                 \
  {                                                                                                \
    return 1
#define FIELD(id, field, wire, unit, when, doc) +MLPD_BOUND_##wire (event->field)
#define END_EVENT(id)                                                                              \
  ;                                                                                                \
  }
#include <proflog/mlpd-events.def>

#define ALWAYS 1
#define VERSIONS(since, until) (e->version >= (since) && e->version <= (until))
#define FLAG(mask) ((byte & (mask)) != 0)
#define EXINFO_IS(value) ((byte & 0xf0) == (value))
#define WHEN(since, until, mask, value) (VERSIONS (since, until) && (byte & (mask)) == (value))
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static inline uint8_t *mlpd_put_##id (struct mlpd_encoder *e, uint8_t *p,                        \
                                        const struct mlpd_##id *event)                             \
  {                                                                                                \
    const unsigned event_mtype MLPD_UNUSED = mtype;                                                \
    const uint8_t byte = mlpd_byte_##id (event, e->version);                                                   \
    *p++ = byte;
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  if (when)                                                                                        \
    p = MLPD_PUT_##wire (e, p, event->field, event_mtype);
#define END_EVENT(id)                                                                              \
  return p;                                                                                        \
  }
#include <proflog/mlpd-events.def>
#undef ALWAYS
#undef VERSIONS
#undef FLAG
#undef EXINFO_IS
#undef WHEN
#undef LATEST
#undef NO_MTYPE

/* Upper bound of the event's bytes; 0 of a kind that is not known. */
static inline size_t
mlpd_bound_event (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  switch (kind) {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  case MLPD_##ID:                                                                                  \
    return mlpd_bound_##id (&payload->id);
#include <proflog/mlpd-events.def>
  default:
    return 0;
  }
}

/* Writes the event of this kind, as mlpd_put_ID does, and returns the end; nothing of a kind that is not
 * known. */
static inline uint8_t *
mlpd_put_event (struct mlpd_encoder *e, uint8_t *p, enum mlpd_kind kind,
                const union mlpd_payload *payload)
{
  switch (kind) {
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  case MLPD_##ID:                                                                                  \
    return mlpd_put_##id (e, p, &payload->id);
#include <proflog/mlpd-events.def>
  default:
    return p;
  }
}

/* ---- headers ---- */

#define MLPD_HEADER_BOUND_U8(v) 1
#define MLPD_HEADER_BOUND_U16(v) 2
#define MLPD_HEADER_BOUND_U32(v) 4
#define MLPD_HEADER_BOUND_U64(v) 8
#define MLPD_HEADER_BOUND_STR32(v) (4 + (v).length + 1)

#define MLPD_HEADER_PUT_U8(p, v) mlpd_put_little_endian (p, v, 1)
#define MLPD_HEADER_PUT_U16(p, v) mlpd_put_little_endian (p, v, 2)
#define MLPD_HEADER_PUT_U32(p, v) mlpd_put_little_endian (p, v, 4)
#define MLPD_HEADER_PUT_U64(p, v) mlpd_put_little_endian (p, v, 8)
#define MLPD_HEADER_PUT_STR32(p, v) mlpd_put_str32 (p, v)

/* A text of a header: its length with the NUL in 4 bytes, the text, the NUL. */
static inline uint8_t *
mlpd_put_str32 (uint8_t *p, struct mlpd_string s)
{
  return mlpd_put_strz (mlpd_put_little_endian (p, s.length + 1, 4), s);
}

/* Upper bound of the bytes of a file header. */
#define MLPD_HEADER_SUM_file(field, wire) +MLPD_HEADER_BOUND_##wire (header->field)
#define MLPD_HEADER_SUM_buffer(field, wire)
#define HEADER_FIELD(header, field, wire, since, until, doc) MLPD_HEADER_SUM_##header (field, wire)
static inline size_t
mlpd_bound_file_header (const struct mlpd_file_header *header)
{
  return 0
#include <proflog/mlpd-headers.def>
      ;
}
#undef MLPD_HEADER_SUM_file
#undef MLPD_HEADER_SUM_buffer

#define MLPD_HEADER_FIELD_file(field, wire, since, until)                                          \
  if (header->major >= (since) && header->major <= (until))                                        \
    p = MLPD_HEADER_PUT_##wire (p, header->field);
#define MLPD_HEADER_FIELD_buffer(field, wire, since, until)
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  MLPD_HEADER_FIELD_##header (field, wire, since, until)

/* Writes a file header of its major version: MLPD_FILE_HEADER_SIZE bytes if that is 0.  Returns the
 * end. */
static inline uint8_t *
mlpd_put_file_header (uint8_t *p, const struct mlpd_file_header *header)
{
#include <proflog/mlpd-headers.def>
  return p;
}
#undef MLPD_HEADER_FIELD_file
#undef MLPD_HEADER_FIELD_buffer

#define MLPD_HEADER_FIELD_file(field, wire, since, until)
#define MLPD_HEADER_FIELD_buffer(field, wire, since, until)                                        \
  p = MLPD_HEADER_PUT_##wire (p, header->field);
#define HEADER_FIELD(header, field, wire, since, until, doc)                                       \
  MLPD_HEADER_FIELD_##header (field, wire, since, until)

/* Writes a buffer header: MLPD_BUFFER_HEADER_SIZE bytes.  Returns the end. */
static inline uint8_t *
mlpd_put_buffer_header (uint8_t *p, const struct mlpd_buffer_header *header)
{
#include <proflog/mlpd-headers.def>
  return p;
}
#undef MLPD_HEADER_FIELD_file
#undef MLPD_HEADER_FIELD_buffer

/* The header of the buffer that `e` wrote: `length` bytes of events of thread `thread`. */
static inline struct mlpd_buffer_header
mlpd_encoder_header (const struct mlpd_encoder *e, uint64_t thread, uint32_t length)
{
  return (struct mlpd_buffer_header){
    .id = MLPD_BUFFER_ID,
    .length = length,
    .time_base = e->time_base,
    .ptr_base = e->ptr_base,
    .obj_base = e->obj_base,
    .thread = thread,
    .method_base = e->method_base,
  };
}

/* An empty buffer whose object base states the meaning of the other two bases. */
static inline struct mlpd_buffer_header
mlpd_mark (uint64_t obj_base, uint64_t time, uint64_t thread, uint64_t ptr_base,
           uint64_t method_base)
{
  return (struct mlpd_buffer_header){
    .id = MLPD_BUFFER_ID,
    .length = 0,
    .time_base = time,
    .ptr_base = ptr_base,
    .obj_base = obj_base,
    .thread = thread,
    .method_base = method_base,
  };
}

/* A loss mark (MLPD_LOSS_BASE) of thread `thread`, with its number of events and the reason. */
static inline struct mlpd_buffer_header
mlpd_loss_mark (uint64_t time, uint64_t thread, uint64_t events, int reason)
{
  return mlpd_mark (MLPD_LOSS_BASE, time, thread, events, (uint64_t) reason);
}

/* The check mark (MLPD_CHECK_BASE) of this number after a buffer with this sum. */
static inline struct mlpd_buffer_header
mlpd_check_mark (uint64_t time, uint64_t thread, uint64_t sum, uint64_t number)
{
  return mlpd_mark (MLPD_CHECK_BASE, time, thread, sum % MLPD_BASE_LIMIT, number);
}

#define MLPD_MOMENT_MAX 64

/* The events of a buffer that state nothing but its time, at which the log begins, goes on or ends: a
 * sync point; data version 1 has none, and there it is the name of the `thread` that writes the log.
 * At most MLPD_MOMENT_MAX bytes. */
static inline uint8_t *
mlpd_put_moment (struct mlpd_encoder *e, uint8_t *to, uint64_t thread)
{
  static const char name[] = "proflog";
  struct mlpd_meta_sync_point point;
  struct mlpd_metadata_thread named;
  memset (&point, 0, sizeof point);
  memset (&named, 0, sizeof named);
  point.time = named.time = e->time;
  point.sync_type = MLPD_SYNC_TYPE_PERIODIC;
  named.action = MLPD_LOAD_NAME;
  named.thread = thread;
  named.name.text = name;
  named.name.length = sizeof name - 1;
  return e->version >= MLPD_VERSION_NO_FLAGS ? mlpd_put_meta_sync_point (e, to, &point)
                                             : mlpd_put_metadata_thread (e, to, &named);
}

#endif
