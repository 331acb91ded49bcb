/* lock-waits.h -- the waits of monitors by thread, lock and backtrace, and when each thread waited.
 *
 * Locks are numbers of struct monitor_sum.
 */
#ifndef PROFLOG_LOCK_WAITS_H
#define PROFLOG_LOCK_WAITS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct lock_wait {
  uint64_t thread;
  guint lock;
  guint trace; /* where it waited; TRACE_NONE: unknown */
};

struct lock_wait_sum {
  uint64_t ns;
  uint64_t max_ns;
  uint64_t count;
};

struct lock_waits {
  GHashTable *sums;      /* struct lock_wait -> struct lock_wait_sum */
  GHashTable *intervals; /* uint64_t thread -> GArray of struct lock_interval */
};

void lock_waits_init (struct lock_waits *waits);
void lock_waits_clear (struct lock_waits *waits);

/* A wait that ended. */
void lock_waits_add (struct lock_waits *waits, const struct lock_wait *wait, uint64_t ns);

/* The thread waited for the lock from one time to another. */
void lock_waits_add_interval (struct lock_waits *waits, uint64_t thread, guint lock, uint64_t start,
                              uint64_t end);

/* After the last interval, before the first query. */
void lock_waits_sort (struct lock_waits *waits);

/* The lock that the thread waited for at a time.  False if it waited for none. */
bool lock_waits_find (const struct lock_waits *waits, uint64_t thread, uint64_t time, guint *lock);

#endif
