/* control-ops.h -- how verbs reach the runtime. */
#ifndef PROFILER_CONTROL_OPS_H
#define PROFILER_CONTROL_OPS_H

#include "profiler/options/event-classes.h"
#include <proflog/module-options.h>

/* The functions by which verbs reach the runtime.  All may be called from any thread, but for
 * take_heapshot. */
struct control_ops {
  struct event_switch (*get_switch) (void);
  void (*set_switch) (unsigned enabled, bool paused);
  /* When heap snapshots are taken without a request. */
  void (*set_heapshot) (const struct proflog_heapshot_mode *mode);
  /* Starts a major collection soon, and takes a heap snapshot at it, or at an earlier one. */
  void (*request_heapshot) (void);
  /* Collects and takes a heap snapshot, on this thread, which the runtime knows. */
  void (*take_heapshot) (void);
  uint64_t (*count_heapshots) (void);
  /* Those that a child process has not finished (heapshot-fork). */
  uint64_t (*count_failed_heapshots) (void);
};

#endif
