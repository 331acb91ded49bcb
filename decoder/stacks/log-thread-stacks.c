/* log-thread-stacks.c -- the stacks of a log by thread: those of a timeline of one interval. */
#include "config.h"

#include "decoder/stacks/log-thread-stacks.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-open.h"
#include "decoder/trace/log-trace.h"
#include "decoder/trace/trace-timeline.h"

#include <string.h>

bool
log_thread_stacks_have (enum stacks_cost cost)
{
  switch (cost) {
  case STACKS_ANY:
  case STACKS_TIME:
  case STACKS_WALL:
  case STACKS_CALLS:
  case STACKS_SELF:
  case STACKS_ALLOC:
    return true;
  default:
    return false;
  }
}

static void
add (struct export_stacks *stacks, const struct trace_timeline *e, enum stacks_cost cost,
     const char *unit)
{
  const bool counts = strcmp (unit, "hits") == 0 || strcmp (unit, "calls") == 0;
  if (cost == STACKS_ALLOC) {
    trace_timeline_add_stacks (e, TIMELINE_ALLOCATIONS, false, stacks);
  } else if (cost == STACKS_SELF || cost == STACKS_CALLS) {
    trace_timeline_add_stacks (e, TIMELINE_CALLS, counts, stacks);
  } else {
    trace_timeline_add_stacks (e, TIMELINE_SAMPLES, counts, stacks);
    if (cost == STACKS_WALL)
      trace_timeline_add_stacks (e, TIMELINE_WAITS, counts, stacks);
  }
}

/* What is about all stacks remains. */
static void
replace (struct export_stacks *stacks, const struct trace_timeline *e, enum stacks_cost cost)
{
  struct export_stacks by_thread;
  export_stacks_init (&by_thread);
  add (&by_thread, e, cost, stacks->unit);
  by_thread.is_by_thread = true;
  by_thread.cost = stacks->cost;
  by_thread.unit = stacks->unit;
  by_thread.counted = stacks->counted;
  by_thread.weighed = stacks->weighed;
  by_thread.title = g_steal_pointer (&stacks->title);
  by_thread.selection = g_steal_pointer (&stacks->selection);
  export_stacks_clear (stacks);
  *stacks = by_thread;
}

int
log_thread_stacks_read (struct log_command *c, const char *path, enum stacks_cost cost,
                        struct export_stacks *stacks)
{
  if (log_command_detect_format (c, path) == LOG_FORMAT_GHC) {
    export_stacks_clear (stacks);
    export_stacks_init (stacks);
    return log_command_refuse_eventlog (c, path, "its time profile does not name threads");
  }
  struct trace_timeline e;
  struct timeline *timeline = timeline_new (0, 0, UINT64_MAX / 2);
  trace_timeline_init (&e, timeline, false);
  e.has_threads = true;
  const int status = log_trace_read (
      c, path, cost == STACKS_ALLOC ? &trace_timeline_stacks_format : &trace_timeline_format, &e,
      0);
  replace (stacks, &e, cost);
  trace_timeline_clear (&e);
  timeline_free (timeline);
  return status;
}
