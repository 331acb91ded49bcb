/* ghc-decode.c -- expands the event list to a decoder of payloads. */
#include "config.h"

#include "decoder/ghc/ghc-decode.h"

#include <glib.h>

static struct ghc_text
get_text (struct cursor *c, size_t length)
{
  const struct ghc_text text = { (const char *) c->at, length };
  c->at += length;
  return text;
}

static inline uint8_t
get_U8 (struct cursor *c)
{
  return cursor_u8 (c);
}

static inline uint16_t
get_U16 (struct cursor *c)
{
  return (uint16_t) cursor_big_endian (c, 2);
}

static inline uint32_t
get_U32 (struct cursor *c)
{
  return (uint32_t) cursor_big_endian (c, 4);
}

static inline uint64_t
get_U64 (struct cursor *c)
{
  return cursor_big_endian (c, 8);
}

static inline struct ghc_text
get_STR (struct cursor *c)
{
  return get_text (c, cursor_left (c));
}

static inline struct ghc_text
get_STR_BUT_4 (struct cursor *c)
{
  if (cursor_left (c) < 4)
    cursor_fail (c, CURSOR_SHORT);
  return get_text (c, cursor_left (c) < 4 ? 0 : cursor_left (c) - 4);
}

static inline struct ghc_text
get_STRZ (struct cursor *c)
{
  struct ghc_text text;
  text.text = cursor_strz (c, &text.length);
  return text;
}

static inline struct ghc_texts
get_STRZS (struct cursor *c)
{
  const struct ghc_text text = get_STR (c);
  return (struct ghc_texts){ text.text, text.length };
}

static inline struct ghc_stack
get_STACK (struct cursor *c)
{
  struct ghc_stack stack;
  stack.count = cursor_u8 (c);
  for (size_t i = 0; i < stack.count; i++)
    stack.items[i] = get_U32 (c);
  return stack;
}

static inline struct ghc_text
get_BYTES (struct cursor *c)
{
  return get_STR (c);
}

static inline bool
has_left (const struct cursor *c, size_t bytes)
{
  return cursor_left (c) >= bytes;
}

#define MOST UINT16_MAX
#define ALWAYS true
#define IF_LEFT is_left
#define SIZES(least, most) (size >= (least) && size <= (most))

#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  static void get_##id (struct cursor *c, unsigned size, struct ghc_##id *e)                       \
  {                                                                                                \
    uint32_t bit = 1;                                                                              \
    (void) c;                                                                                      \
    (void) size;                                                                                   \
    (void) e;                                                                                      \
    (void) bit;
#define FIELD(id, field, wire, unit, when, doc)                                                    \
  {                                                                                                \
    const bool is_left = has_left (c, GHC_LEAST_##wire);                                           \
    (void) is_left;                                                                                \
    if (when) {                                                                                    \
      e->field = get_##wire (c);                                                                   \
      e->present |= bit;                                                                           \
    }                                                                                              \
    bit <<= 1;                                                                                     \
  }
#define END_EVENT(id) }
#include <proflog/ghc-events.def>

typedef void (*get_event) (struct cursor *, unsigned size, union ghc_payload *);

#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  static void get_event_##id (struct cursor *c, unsigned size, union ghc_payload *p)               \
  {                                                                                                \
    memset (&p->id, 0, sizeof p->id);                                                              \
    get_##id (c, size, &p->id);                                                                    \
  }
#include <proflog/ghc-events.def>

static const get_event get_events[] = {
#define EVENT(ID, id, tag, declared, since, group, role, doc) get_event_##id,
#include <proflog/ghc-events.def>
};

void
ghc_decode_payload (enum ghc_kind kind, unsigned size, struct cursor *cursor,
                    union ghc_payload *payload)
{
  g_return_if_fail (kind < GHC_KINDS);
  get_events[kind](cursor, size, payload);
}

enum ghc_kind
ghc_kind_of_tag (uint16_t tag)
{
  switch (tag) {
#define EVENT(ID, id, tag, declared, since, group, role, doc)                                      \
  case tag:                                                                                        \
    return GHC_##ID;
#include <proflog/ghc-events.def>
  default:
    return GHC_UNKNOWN;
  }
}
