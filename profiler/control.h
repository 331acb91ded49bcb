/* control.h -- the socket through which `proflog ctl` speaks with a running program.
 *
 * A thread of its own, which the runtime does not know, waits at it.  Whoever connects must be the
 * program's user or root, has a few seconds for the request, and can neither stop the program nor,
 * for longer than that, other clients.
 */
#ifndef PROFLOG_PROFILER_CONTROL_H
#define PROFLOG_PROFILER_CONTROL_H

#include <stdbool.h>

/* Listens.  If that cannot be, one line says why and the program runs on. */
void control_start (void);

/* Listens no more, and waits a moment for what is being carried out. */
void control_finish (void);

/* Whether control_finish was called: what waits for something gives up. */
bool control_is_over (void);

/* In the child of a fork, which nobody controls. */
void control_after_fork (void);

#endif
