/* monitors.h -- contention on locks: how often, how long, on which.
 *
 * A wait lasts from CONTENTION to the next DONE or FAIL on the same thread.  A lock is known by
 * its address and type, so one that the collector moves counts as another from there on.
 */
#ifndef PROFLOG_MONITORS_H
#define PROFLOG_MONITORS_H

#include "decoder/core/durations.h"
#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/threads.h"
#include "decoder/mlpd/model/traces.h"

/* The waits by thread, lock and backtrace, and when each thread waited. */
struct lock_wait {
  uint64_t thread; /* its number (struct thread) */
  guint lock;      /* number of its struct monitor_sum */
  guint trace;     /* where it waited; TRACE_NONE: unknown */
};

struct lock_wait_sum {
  uint64_t ns;
  uint64_t max_ns;
  uint64_t count;
};

/* The thread that owned a lock as another one began to wait for it. */
struct lock_holder {
  uint64_t thread;      /* its id */
  struct type_ref type; /* of the lock */
  guint trace;          /* where the thread was last seen during the wait; TRACE_NONE: it was not */
};

struct lock_waits {
  GHashTable *sums;      /* struct lock_wait -> struct lock_wait_sum */
  GHashTable *holders;   /* struct lock_holder -> struct lock_wait_sum, of the waits of others */
  GHashTable *intervals; /* uint64_t thread -> GArray of struct lock_interval */
};

struct monitor_sum {
  uint64_t object;
  guint number; /* of the lock: its place among all */
  bool type_known;
  guint type; /* its class */
  uint64_t contentions;
  uint64_t acquired;
  uint64_t failed;
  uint64_t wait_total_ns;
  uint64_t wait_max_ns;
  struct monitor_sum *other; /* of another type, that was at the address at another time */
};

struct monitors {
  struct monitor_sum all;
  struct durations durations; /* of all waits */
  GPtrArray *locks;           /* of struct monitor_sum, in the order they come first; owns them */
  GHashTable *objects;        /* uint64_t address -> the first struct monitor_sum of it */
  struct trace_sums traces;   /* of contentions, by number of the lock */
  struct lock_waits waits; /* none of an endless stream; intervals where samples may be in them */
};

extern const struct analysis monitors_analysis;

void monitors_init (struct monitors *monitors);
void monitors_clear (struct monitors *monitors);

/* Counts an event of a thread, for all locks together.  Returns for how long it had waited. */
uint64_t monitors_event (struct monitors *monitors, struct thread *thread,
                         const struct mlpd_monitor *event);

/* The lock that the thread waited for at a time.  False if it waited for none. */
bool monitors_find_wait (const struct lock_waits *waits, uint64_t thread, uint64_t time,
                         guint *lock);

#endif
