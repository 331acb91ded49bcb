/* native-thread.h -- threads of the module's own, and how they wait. */
#ifndef AGENT_NATIVE_THREAD_H
#define AGENT_NATIVE_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts a thread that handles no signal: not the program's, and what its own writes raise
 * (SIGPIPE, SIGXFSZ) becomes an error number.  A stack of this many bytes; 0: the usual.  Returns 0
 * or an errno number. */
int native_thread_start (pthread_t *thread, size_t stack, void *(*run) (void *) );

/* Waits for its end.  False if that does not come within this many ms. */
bool native_thread_join (pthread_t thread, unsigned limit_ms);

/* Waits for the semaphore.  False if that takes until then, in ns of clock_of_system. */
bool native_thread_wait (sem_t *semaphore, uint64_t until);

/* Sleeps at most this many ms. */
void native_thread_sleep (unsigned ms);

#endif
