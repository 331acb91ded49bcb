/* event-memory.h -- remembers those events of an eventlog that late readers have to get.
 *
 * Which these are event-memory.def states.  Memory is bounded.  Not thread safe.
 */
#ifndef PROFLOG_EVENT_MEMORY_H
#define PROFLOG_EVENT_MEMORY_H

#include <proflog/ghc.h>

enum {
  EVENT_MEMORY_EVENTS = 1 << 20, /* not more are remembered, */
  EVENT_MEMORY_BYTES = 64 << 20, /* with this many bytes of payloads */
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

/* Notes an event: its payload as it is in the log, in whose block it stands, and its time (ns of
 * the log).  Payloads that are too short are skipped. */
void event_memory_store (struct event_memory *memory, enum ghc_kind kind, unsigned cap,
                         uint64_t time, const uint8_t *payload, size_t length);

/* Reports all that is remembered, in the order in which it came first, for events at `time`: the
 * wall clock has gone on until then. */
typedef void (*event_memory_function) (void *data, enum ghc_kind kind, unsigned cap,
                                       const uint8_t *payload, size_t length);
void event_memory_replay (const struct event_memory *memory, uint64_t time,
                          event_memory_function function, void *data);

/* How many events are remembered, and for how many there was no room. */
uint64_t event_memory_count (const struct event_memory *memory);
uint64_t event_memory_forgotten (const struct event_memory *memory);

#endif
