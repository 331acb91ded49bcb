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
 * buffer and one thread at a time.
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
 * full: each is the first address of its sort that the buffer sees. */
struct mlpd_encoder {
  uint64_t time_base;
  uint64_t time;
  uint64_t ptr_base;
  uint64_t obj_base; /* in units of 8 bytes */
  uint64_t method_base;
  uint64_t method; /* the last one written */
  unsigned version; /* data version */
};

static inline void
mlpd_encoder_start (struct mlpd_encoder *e, unsigned version, uint64_t time)
{
  memset (e, 0, sizeof *e);
  e->time_base = e->time = time;
  e->version = version;
}

/* ---- primitives ---- */

#define MLPD_LEB128_MAX 10

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

static inline uint8_t *
mlpd_put_little_endian (uint8_t *p, uint64_t v, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    *p++ = (uint8_t) (v >> (8 * i));
  return p;
}

/* A base that nothing was counted from yet is 0.  A NULL must not become a base, or the next
 * address would become the base instead and the NULL would be read as that: take 1 then. */
static inline uint64_t
mlpd_delta (uint64_t *base, uint64_t value)
{
  if (*base == 0)
    *base = value != 0 ? value : 1;
  return value - *base;
}

/* ---- wires: bits of the event byte, bound, bytes ---- */

#define MLPD_BYTE_UVAR(v, mask) 0
#define MLPD_BYTE_SIZE(v, mask) 0
#define MLPD_BYTE_TIME(v, mask) 0
#define MLPD_BYTE_PTR(v, mask) 0
#define MLPD_BYTE_OBJ(v, mask) 0
#define MLPD_BYTE_METHOD(v, mask) 0
#define MLPD_BYTE_STRZ(v, mask) 0
#define MLPD_BYTE_MTYPE(v, mask) 0
#define MLPD_BYTE_EXINFO(v, mask) ((v) & 0xf0)
#define MLPD_BYTE_EXINFO_MONITOR(v, mask) (((v) & 3) << 4)
#define MLPD_BYTE_BACKTRACE(v, mask) ((v).count != 0 ? (mask) : 0)
#define MLPD_BYTE_OBJS(v, mask) 0
#define MLPD_BYTE_REFS(v, mask) 0

#define MLPD_BOUND_UVAR(v) MLPD_LEB128_MAX
#define MLPD_BOUND_SIZE(v) MLPD_LEB128_MAX
#define MLPD_BOUND_TIME(v) MLPD_LEB128_MAX
#define MLPD_BOUND_PTR(v) MLPD_LEB128_MAX
#define MLPD_BOUND_OBJ(v) MLPD_LEB128_MAX
#define MLPD_BOUND_METHOD(v) MLPD_LEB128_MAX
#define MLPD_BOUND_STRZ(v) ((v).length + 1)
#define MLPD_BOUND_MTYPE(v) 1
#define MLPD_BOUND_EXINFO(v) 0
#define MLPD_BOUND_EXINFO_MONITOR(v) 0
#define MLPD_BOUND_BACKTRACE(v) (((v).count + 2) * MLPD_LEB128_MAX)
#define MLPD_BOUND_OBJS(v) (((v).count + 1) * MLPD_LEB128_MAX)
#define MLPD_BOUND_REFS(v) (((v).count + 1) * MLPD_LEB128_MAX)

#define MLPD_PUT_UVAR(e, p, v, mtype) mlpd_put_uleb (p, v)
#define MLPD_PUT_SIZE(e, p, v, mtype) mlpd_put_uleb (p, v)
#define MLPD_PUT_TIME(e, p, v, mtype) mlpd_put_time (e, p, v)
#define MLPD_PUT_PTR(e, p, v, mtype) mlpd_put_ptr (e, p, v)
#define MLPD_PUT_OBJ(e, p, v, mtype) mlpd_put_obj (e, p, v)
#define MLPD_PUT_METHOD(e, p, v, mtype) mlpd_put_method (e, p, v)
#define MLPD_PUT_STRZ(e, p, v, mtype) mlpd_put_strz (p, v)
#define MLPD_PUT_MTYPE(e, p, v, mtype) mlpd_put_little_endian (p, mtype, 1)
#define MLPD_PUT_EXINFO(e, p, v, mtype) (p)
#define MLPD_PUT_EXINFO_MONITOR(e, p, v, mtype) (p)
#define MLPD_PUT_BACKTRACE(e, p, v, mtype) mlpd_put_backtrace (e, p, v)
#define MLPD_PUT_OBJS(e, p, v, mtype) mlpd_put_objs (e, p, v)
#define MLPD_PUT_REFS(e, p, v, mtype) mlpd_put_objs (e, p, v)

static inline uint8_t *
mlpd_put_time (struct mlpd_encoder *e, uint8_t *p, uint64_t time)
{
  p = mlpd_put_uleb (p, time - e->time);
  e->time = time;
  return p;
}

static inline uint8_t *
mlpd_put_ptr (struct mlpd_encoder *e, uint8_t *p, uint64_t ptr)
{
  return mlpd_put_sleb (p, (int64_t) mlpd_delta (&e->ptr_base, ptr));
}

static inline uint8_t *
mlpd_put_obj (struct mlpd_encoder *e, uint8_t *p, uint64_t object)
{
  return mlpd_put_sleb (p, (int64_t) mlpd_delta (&e->obj_base, object >> 3));
}

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

static inline uint8_t *
mlpd_put_strz (uint8_t *p, struct mlpd_string s)
{
  if (s.length != 0)
    memcpy (p, s.text, s.length);
  p[s.length] = 0;
  return p + s.length + 1;
}

static inline uint8_t *
mlpd_put_backtrace (struct mlpd_encoder *e, uint8_t *p, struct mlpd_list frames)
{
  p = mlpd_put_uleb (p, 0); /* flags */
  p = mlpd_put_uleb (p, frames.count);
  for (size_t i = 0; i < frames.count; i++)
    p = mlpd_put_ptr (e, p, frames.items[i]);
  return p;
}

static inline uint8_t *
mlpd_put_objs (struct mlpd_encoder *e, uint8_t *p, struct mlpd_list objects)
{
  p = mlpd_put_uleb (p, objects.count);
  for (size_t i = 0; i < objects.count; i++)
    p = mlpd_put_obj (e, p, objects.items[i]);
  return p;
}

/* ---- events ---- */

#define LATEST UINT32_MAX
#define NO_MTYPE 0

/* The event byte. */
#define ALWAYS 0
#define VERSIONS(since, until) 0
#define FLAG(mask) (mask)
#define EXINFO_IS(value) 0
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static inline uint8_t mlpd_byte_##id (const struct mlpd_##id *event MLPD_UNUSED)                 \
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
#define EVENT(ID, id, type, exinfo, mask, mtype, since, until, doc)                                \
  static inline uint8_t *mlpd_put_##id (struct mlpd_encoder *e, uint8_t *p,                        \
                                        const struct mlpd_##id *event)                             \
  {                                                                                                \
    const unsigned event_mtype MLPD_UNUSED = mtype;                                                \
    const uint8_t byte = mlpd_byte_##id (event);                                                   \
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
#undef LATEST
#undef NO_MTYPE

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

#define MLPD_BYTES_U8 1
#define MLPD_BYTES_U16 2
#define MLPD_BYTES_U32 4
#define MLPD_BYTES_U64 8

#define MLPD_HEADER_PUT_file(field, wire) p = mlpd_put_little_endian (p, header->field, MLPD_BYTES_##wire);
#define MLPD_HEADER_PUT_buffer(field, wire)
#define HEADER_FIELD(header, field, wire, since, until, doc) MLPD_HEADER_PUT_##header (field, wire)

/* Writes a file header of major version 0: MLPD_FILE_HEADER_SIZE bytes.  Returns the end. */
static inline uint8_t *
mlpd_put_file_header (uint8_t *p, const struct mlpd_file_header *header)
{
#include <proflog/mlpd-headers.def>
  return p;
}
#undef MLPD_HEADER_PUT_file
#undef MLPD_HEADER_PUT_buffer

#define MLPD_HEADER_PUT_file(field, wire)
#define MLPD_HEADER_PUT_buffer(field, wire) p = mlpd_put_little_endian (p, header->field, MLPD_BYTES_##wire);
#define HEADER_FIELD(header, field, wire, since, until, doc) MLPD_HEADER_PUT_##header (field, wire)

/* Writes a buffer header: MLPD_BUFFER_HEADER_SIZE bytes.  Returns the end. */
static inline uint8_t *
mlpd_put_buffer_header (uint8_t *p, const struct mlpd_buffer_header *header)
{
#include <proflog/mlpd-headers.def>
  return p;
}
#undef MLPD_HEADER_PUT_file
#undef MLPD_HEADER_PUT_buffer

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

#endif
