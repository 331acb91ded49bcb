/* native-thread.h -- threads of the module's own. */
#ifndef PROFLOG_NATIVE_THREAD_H
#define PROFLOG_NATIVE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* Starts a thread that handles no signal: not the program's, and what its own writes raise
 * (SIGPIPE, SIGXFSZ) becomes an error number.  A stack of so many bytes; 0: the usual.  Returns 0
 * or an errno number. */
int native_thread_start (pthread_t *thread, size_t stack, void *(*run) (void *) );

#endif
