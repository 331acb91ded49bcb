/* verbs.h -- the requests of 'proflog ctl'. */
#ifndef PROFILER_VERBS_H
#define PROFILER_VERBS_H

#include "agent/requests.h"
#include "profiler/options/event-classes.h"
#include <proflog/module-options.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- operations of the runtime, for verbs ---- */

/* The functions by which verbs reach the runtime.  All may be called from any thread, but for
 * take_heapshot. */
struct control_ops {
  struct event_switch (*get_switch) (void);
  void (*set_switch) (unsigned enabled, bool paused);
  /* Why this runtime can take no heap snapshots (static); NULL: it can. */
  const char *(*get_heapshot_refusal) (void);
  /* When heap snapshots are taken without a request. */
  void (*set_heapshot) (const struct proflog_heapshot_mode *mode);
  /* Starts a major collection soon, and takes a heap snapshot at it, or at an earlier one. */
  void (*request_heapshot) (void);
  /* Collects and takes a heap snapshot, on this thread, which the runtime knows. */
  void (*take_heapshot) (void);
  uint64_t (*count_heapshots) (void);
  /* Those that a child process has not finished (heapshot-fork). */
  uint64_t (*count_failed_heapshots) (void);
  /* Replies with the stacks of all threads.  The reason if they are unknown (static); else NULL. */
  const char *(*put_stacks) (struct reply *reply);
};

/* ---- the state of the recording, as a reply ---- */

/* Why nothing can be written; "" if it can. */
const char *control_problem_text (void);

/* Whether events are recorded, and of which classes. */
void control_put_recording (struct reply *reply, const struct control_ops *ops);

/* All figures. */
void control_put_status (struct reply *reply, const struct control_ops *ops);

/* ---- all verbs ---- */

extern const struct control_verbs module_verbs;

/* Before the first request.  `ops` stays valid. */
void control_verbs_set_ops (const struct control_ops *ops);

#endif
