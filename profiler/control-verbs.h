/* control-verbs.h -- what can be asked of a running program. */
#ifndef PROFLOG_CONTROL_VERBS_H
#define PROFLOG_CONTROL_VERBS_H

#include "profiler/control-reply.h"

/* Before the first request. */
void control_verbs_start (void);

/* In the child of a fork. */
void control_verbs_after_fork (void);

/* Carries a request out and fills the reply, errors included.  `request` is changed.  From any
 * thread, one after the other; it may wait here for the writer or the runtime. */
void control_verbs_run (char *request, struct reply *reply);

#endif
