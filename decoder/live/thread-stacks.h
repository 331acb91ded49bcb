/* thread-stacks.h -- the threads of a program and their stacks as text, from the module's reply to
 * "stacks". */
#ifndef PROFLOG_THREAD_STACKS_H
#define PROFLOG_THREAD_STACKS_H

#include <glib.h>

/* The reply as lines: deadlocks, and then each thread with its state and its methods (transfer
 * full).  NULL with an error of the module's, or if it is no reply.  Thread safe. */
char *thread_stacks_describe (const char *reply, GError **error);

#endif
