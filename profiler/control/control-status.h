/* control-status.h -- the state of the recording, as a reply. */
#ifndef PROFILER_CONTROL_STATUS_H
#define PROFILER_CONTROL_STATUS_H

#include "agent/reply.h"
#include "profiler/control/control-ops.h"

/* Why nothing can be written; "" if it can. */
const char *control_problem_text (void);

/* Whether events are recorded, and of which classes. */
void control_put_recording (struct reply *reply, const struct control_ops *ops);

/* All figures. */
void control_put_status (struct reply *reply, const struct control_ops *ops);

#endif
