/* monitors.h -- contention on locks: how often, how long, on which.
 *
 * A wait lasts from CONTENTION to the next DONE or FAIL on the same thread.  A lock is known by
 * its address, so one that the collector moves counts as another from there on.
 */
#ifndef PROFLOG_MONITORS_H
#define PROFLOG_MONITORS_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/threads.h"
#include "decoder/analyses/traces.h"

struct monitor_sum {
  uint64_t object;
  guint number; /* of the lock, in the order they come first */
  bool type_known;
  guint type; /* at the end: its class */
  uint64_t contentions;
  uint64_t acquired;
  uint64_t failed;
  uint64_t wait_total_ns;
  uint64_t wait_max_ns;
};

struct monitors {
  struct monitor_sum all;
  GHashTable *objects;      /* uint64_t address -> struct monitor_sum */
  struct trace_sums traces; /* of contentions, by number of the lock */
};

void monitors_init (struct monitors *monitors);
void monitors_clear (struct monitors *monitors);

/* `type` is that of the lock where it is known; `trace` may be TRACE_NONE. */
void monitors_event (struct monitors *monitors, struct thread *thread,
                     const struct mlpd_monitor *event, bool type_known, guint type, guint trace);

/* After the last event: types become classes. */
void monitors_resolve (struct monitors *monitors, struct symbols *symbols);

#endif
