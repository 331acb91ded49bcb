/* ghc-encode.h -- writes the payloads of the events of GHC eventlogs, every one of ghc-events.def.
 *
 * For each event of the list there is
 *
 *   size_t   ghc_bound_ID (const struct ghc_ID *)     upper bound of its payload's bytes
 *   uint8_t *ghc_put_ID (uint8_t *to, unsigned size, const struct ghc_ID *)
 *                                                     writes it, returns the end
 *   size_t   ghc_bound_event_ID (const struct ghc_ID *)
 *   uint8_t *ghc_put_event_ID (uint8_t *to, uint64_t time, const struct ghc_ID *)
 *                                                     the same for the whole event, as the newest
 *                                                     writer declares it
 *
 * and ghc_bound_payload / ghc_put_payload for a kind known at run time only.  `size` is what the
 * log declares for such events (its real size, see ghc.h), GHC_VARIABLE if it varies; it states
 * which fields an event has.  Where it varies, a field that need not be there is written if its bit
 * in `present` is set.  The caller has room for the bound at `to`, and writes tag, time and length
 * before it; ghc-writer.h does all of that.  Plain C11; nothing here allocates, locks or fails, or
 * has state: any threads may write at a time, each to bytes of its own.
 *
 * docs/ghc-format.md has the facts of the format, with their sources.
 */
#ifndef PROFLOG_GHC_ENCODE_H
#define PROFLOG_GHC_ENCODE_H

#include <proflog/ghc.h>
#include <string.h>

#if defined(__GNUC__)
#define GHC_UNUSED __attribute__ ((unused))
#else
#define GHC_UNUSED
#endif

/* All fields that need not be there. */
#define GHC_ALL_PRESENT UINT32_MAX

/* Writes the low bytes of a number, big-endian; returns the end. */
static inline uint8_t *
ghc_put_number (uint8_t *p, uint64_t v, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    *p++ = (uint8_t) (v >> 8 * (bytes - 1 - i));
  return p;
}

/* Writes bytes as they are; returns the end. */
static inline uint8_t *
ghc_put_bytes (uint8_t *p, const char *bytes, size_t length)
{
  if (length != 0)
    memcpy (p, bytes, length);
  return p + length;
}

/* Writes a text and a NUL, and returns the end.  A NUL in the text would end it. */
static inline uint8_t *
ghc_put_strz (uint8_t *p, struct ghc_text text)
{
  p = ghc_put_bytes (p, text.text, text.length);
  *p++ = 0;
  return p;
}

/* Writes a stack: its length in a byte, and its numbers; returns the end. */
static inline uint8_t *
ghc_put_stack (uint8_t *p, const struct ghc_stack *stack)
{
  *p++ = (uint8_t) stack->count;
  for (size_t i = 0; i < stack->count; i++)
    p = ghc_put_number (p, stack->items[i], 4);
  return p;
}

#define GHC_BOUND_U8(v) 1
#define GHC_BOUND_U16(v) 2
#define GHC_BOUND_U32(v) 4
#define GHC_BOUND_U64(v) 8
#define GHC_BOUND_STR(v) (v).length
#define GHC_BOUND_STR_BUT_4(v) (v).length
#define GHC_BOUND_STRZ(v) ((v).length + 1)
#define GHC_BOUND_STRZS(v) (v).length
#define GHC_BOUND_STACK(v) (1 + 4 * (v).count)
#define GHC_BOUND_BYTES(v) (v).length

#define GHC_PUT_U8(p, v) ghc_put_number (p, v, 1)
#define GHC_PUT_U16(p, v) ghc_put_number (p, v, 2)
#define GHC_PUT_U32(p, v) ghc_put_number (p, v, 4)
#define GHC_PUT_U64(p, v) ghc_put_number (p, v, 8)
#define GHC_PUT_STR(p, v) ghc_put_bytes (p, (v).text, (v).length)
#define GHC_PUT_STR_BUT_4(p, v) ghc_put_bytes (p, (v).text, (v).length)
#define GHC_PUT_STRZ(p, v) ghc_put_strz (p, v)
#define GHC_PUT_STRZS(p, v) ghc_put_bytes (p, (v).text, (v).length)
#define GHC_PUT_STACK(p, v) ghc_put_stack (p, &(v))
#define GHC_PUT_BYTES(p, v) ghc_put_bytes (p, (v).text, (v).length)

/* ---- bounds ---- */

#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  static inline GHC_UNUSED size_t ghc_bound_##id (const struct ghc_##id *e)                        \
  {                                                                                                \
    (void) e;                                                                                      \
    return 0
#define FIELD(id, field, wire, unit, when, doc) +GHC_BOUND_##wire (e->field)
#define END_EVENT(id)                                                                              \
  ;                                                                                                \
  }
#include <proflog/ghc-events.def>

/* Upper bound of the payload's bytes; 0 of a kind that is not known. */
static inline GHC_UNUSED size_t
ghc_bound_payload (enum ghc_kind kind, const union ghc_payload *payload)
{
  switch (kind) {
#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  case GHC_##ID:                                                                                   \
    return ghc_bound_##id (&payload->id);
#include <proflog/ghc-events.def>
  default:
    return 0;
  }
}

/* ---- payloads ---- */

#define ALWAYS true
#define SIZES(least, most) (size >= (least) && size <= (most))
#define MOST UINT16_MAX
#define IF_LEFT is_left

#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  static inline GHC_UNUSED uint8_t *ghc_put_##id (uint8_t *p, unsigned size,                       \
                                                  const struct ghc_##id *e)                        \
  {                                                                                                \
    const uint8_t *start = p;                                                                      \
    uint32_t bit = 1;                                                                              \
    (void) start;                                                                                  \
    (void) size;                                                                                   \
    (void) e;                                                                                      \
    (void) bit;
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  {                                                                                                \
    const bool is_left = size == GHC_VARIABLE                                                      \
                             ? (e->present & bit) != 0                                             \
                             : (size_t) (p - start) + GHC_LEAST_##wire <= size;                    \
    (void) is_left;                                                                                \
    if (when)                                                                                      \
      p = GHC_PUT_##wire (p, e->field);                                                            \
    bit <<= 1;                                                                                     \
  }
#define END_EVENT(id)                                                                              \
  return p;                                                                                        \
  }
#include <proflog/ghc-events.def>

#undef ALWAYS
#undef SIZES
#undef MOST
#undef IF_LEFT

/* ---- events ---- */

#define VARIABLE GHC_VARIABLE
#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  static inline GHC_UNUSED size_t ghc_bound_event_##id (const struct ghc_##id *e)                  \
  {                                                                                                \
    return GHC_EVENT_HEADER_SIZE + GHC_LENGTH_SIZE + ghc_bound_##id (e);                           \
  }                                                                                                \
  static inline GHC_UNUSED uint8_t *ghc_put_event_##id (uint8_t *p, uint64_t time,                 \
                                                        const struct ghc_##id *e)                  \
  {                                                                                                \
    p = ghc_put_number (p, tag, 2);                                                                \
    p = ghc_put_number (p, time, 8);                                                               \
    uint8_t *const payload = (declared) == GHC_VARIABLE ? p + GHC_LENGTH_SIZE : p;                 \
    uint8_t *const end = ghc_put_##id (payload, declared, e);                                      \
    if ((declared) == GHC_VARIABLE)                                                                \
      ghc_put_number (p, (uint64_t) (end - payload), GHC_LENGTH_SIZE);                             \
    return end;                                                                                    \
  }
#include <proflog/ghc-events.def>
#undef VARIABLE

/* Writes the payload of this kind, as ghc_put_ID does, and returns the end; nothing of a kind that is
 * not known. */
static inline GHC_UNUSED uint8_t *
ghc_put_payload (enum ghc_kind kind, uint8_t *p, unsigned size, const union ghc_payload *payload)
{
  switch (kind) {
#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  case GHC_##ID:                                                                                   \
    return ghc_put_##id (p, size, &payload->id);
#include <proflog/ghc-events.def>
  default:
    return p;
  }
}

#endif
