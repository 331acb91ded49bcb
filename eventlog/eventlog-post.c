/* eventlog-post.c -- posts each event of the list. */
#include "config.h"

#include "eventlog/eventlog-private.h"
#include <proflog/ghc-encode.h>
#include <string.h>

#define VARIABLE GHC_VARIABLE

/* ---- valid values of fields ---- */

static inline bool
is_text (const char *text, size_t length)
{
  return text != NULL || length == 0;
}

static inline bool
has_no_nul (struct ghc_text text)
{
  return is_text (text.text, text.length)
         && (text.length == 0 || memchr (text.text, 0, text.length) == NULL);
}

#define VALID_U8(v) true
#define VALID_U16(v) true
#define VALID_U32(v) true
#define VALID_U64(v) true
#define VALID_STR(v) is_text ((v).text, (v).length)
#define VALID_STR_BUT_4(v) is_text ((v).text, (v).length)
#define VALID_STRZ(v) has_no_nul (v)
#define VALID_STRZS(v) is_text ((v).text, (v).length)
#define VALID_STACK(v) ((v).count <= GHC_STACK_MAX)
#define VALID_BYTES(v) is_text ((v).text, (v).length)

#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  static bool is_valid_##id (const struct ghc_##id *e)                                             \
  {                                                                                                \
    (void) e;                                                                                      \
    return true
#define FIELD(id, field, wire, unit, when, doc) &&VALID_##wire (e->field)
#define END_EVENT(id)                                                                              \
  ;                                                                                                \
  }
#include <proflog/ghc-events.def>

/* ---- posting ---- */

/* Threads stop often, and end once. */
static bool
is_remembered (enum ghc_kind kind, const void *event)
{
  if (kind == GHC_STOP_THREAD)
    return ((const struct ghc_stop_thread *) event)->status == GHC_STOP_STATUS_FINISHED;
  return event_memory_cares (kind);
}

#define EVENT(ID, id, event_tag, event_size, since, group, role, doc)                              \
  enum eventlog_result eventlog_post_##id (struct eventlog_writer *writer, unsigned cap,           \
                                           const struct ghc_##id *event)                           \
  {                                                                                                \
    struct eventlog_event e                                                                        \
        = { .writer = writer, .kind = GHC_##ID, .cap = cap, .size = event_size };                  \
    if (GHC_##ID == GHC_BLOCK_MARKER || !is_valid_##id (event))                                    \
      return EVENTLOG_ERROR_ARGUMENT;                                                              \
    const enum eventlog_result result                                                              \
        = eventlog_begin_event (&e, ghc_bound_##id (event), is_remembered (GHC_##ID, event));      \
    return e.payload == NULL                                                                       \
               ? result                                                                            \
               : eventlog_end_event (&e, ghc_put_##id (e.payload, event_size, event), result);     \
  }
#include <proflog/ghc-events.def>

enum eventlog_result
eventlog_post (struct eventlog_writer *writer, unsigned cap, enum ghc_kind kind, const void *event)
{
  switch (kind) {
#define EVENT(ID, id, tag, size, since, group, role, doc)                                          \
  case GHC_##ID:                                                                                   \
    return eventlog_post_##id (writer, cap, event);
#include <proflog/ghc-events.def>
  default:
    return EVENTLOG_ERROR_ARGUMENT;
  }
}
