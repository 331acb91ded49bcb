/* control-verbs.h -- the verbs of `proflog ctl` that a recorded Mono program runs. */
#ifndef PROFILER_CONTROL_VERBS_H
#define PROFILER_CONTROL_VERBS_H

#include "agent/control-dispatch.h"
#include "profiler/control/control-ops.h"

extern const struct control_verbs module_verbs;

/* Before the first request.  `ops` stays valid. */
void control_verbs_set_ops (const struct control_ops *ops);

#endif
