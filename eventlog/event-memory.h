/* event-memory.h -- remembers the events of an eventlog that late readers need.
 *
 * event-memory.def lists them.  Memory is bounded.  Not thread safe.
 */
#ifndef PROFLOG_EVENT_MEMORY_H
#define PROFLOG_EVENT_MEMORY_H

#include <proflog/ghc.h>

enum {
  EVENT_MEMORY_EVENTS = 1 << 20, /* remembered events, at most */
  EVENT_MEMORY_BYTES = 64 << 20, /* bytes of their payloads, at most */
};

struct event_memory;

/* NULL without memory. */
struct event_memory *event_memory_new (void);
void event_memory_free (struct event_memory *memory);

/* Whether an event is of a kind to be noted. */
static inline bool
event_memory_cares (enum ghc_kind kind)
{
  return kind == GHC_MIGRATE_THREAD || kind == GHC_TASK_MIGRATE
#define REMEMBER(KIND, bytes) || kind == GHC_##KIND
#define FORGET(KIND, OTHER, bytes) || kind == GHC_##KIND
#include "eventlog/event-memory.def"
      ;
}

/* Notes an event: the capability of its block, its time (ns of the log), and its payload as it is
 * in the log.  Payloads that are too short are skipped. */
void event_memory_store (struct event_memory *memory, enum ghc_kind kind, unsigned cap,
                         uint64_t time, const uint8_t *payload, size_t length);

/* Passes all remembered events to `function`, in the order in which they came first.  That of the
 * wall clock is brought up to `time`. */
typedef void (*event_memory_function) (void *data, enum ghc_kind kind, unsigned cap,
                                       const uint8_t *payload, size_t length);
void event_memory_replay (const struct event_memory *memory, uint64_t time,
                          event_memory_function function, void *data);

/* The number of remembered events, and of those for which there was no room. */
uint64_t event_memory_count (const struct event_memory *memory);
uint64_t event_memory_forgotten (const struct event_memory *memory);

#endif
