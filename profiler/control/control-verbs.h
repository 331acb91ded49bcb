/* control-verbs.h -- the verbs of `proflog ctl` that a recorded Mono program runs. */
#ifndef PROFILER_CONTROL_VERBS_H
#define PROFILER_CONTROL_VERBS_H

#include "agent/control-dispatch.h"
#include "profiler/options/event-classes.h"
#include <proflog/module-options.h>

extern const struct control_verbs module_verbs;

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
};

/* Before the first request.  `ops` stays valid. */
void control_verbs_set_ops (const struct control_ops *ops);

#endif
