/* control.h -- the socket through which `proflog ctl` sends requests to a running program.
 *
 * A thread of its own, which the runtime does not know, waits at it.  A client must be the
 * program's user or root, has a few seconds for the request, and can neither stop the program nor,
 * for longer than that, other clients.
 */
#ifndef AGENT_CONTROL_H
#define AGENT_CONTROL_H

#include "agent/control-dispatch.h"
#include <stdbool.h>

/* Listens, and runs these verbs on request.  If that is impossible, one line reports why and the
 * program runs on. */
void control_start (const struct control_verbs *verbs);

/* Listens no more, and waits a moment for a request that is being carried out. */
void control_finish (void);

/* Whether control_finish was called: waits are to end. */
bool control_is_over (void);

/* In the child of a fork, which is not controlled. */
void control_after_fork (void);

#endif
