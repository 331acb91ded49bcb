/* control-inside.h -- requests that the program itself makes (proflog/program.h). */
#ifndef AGENT_CONTROL_INSIDE_H
#define AGENT_CONTROL_INSIDE_H

#include "agent/control-dispatch.h"

/* Carries out a request of the program, on the calling thread; arguments and result are those of
 * proflog_control. */
int control_inside (const struct control_verbs *verbs, const char *request, char *text,
                    size_t size);

#endif
