/* native-thread.h -- threads of the module's own, and their waits. */
#ifndef AGENT_NATIVE_THREAD_H
#define AGENT_NATIVE_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Starts a thread that handles no signals: neither the program's nor those of its own writes
 * (SIGPIPE, SIGXFSZ), which become error numbers.  A stack of `stack` bytes; 0: the default.
 * Returns 0 or an errno number. */
int native_thread_start (pthread_t *thread, size_t stack, void *(*run) (void *) );

/* The clock of the processor time of a thread of this process, by its number. */
clockid_t native_thread_clock (pid_t number);

/* The processor time of all threads that were started in this process so far, ns.  From any thread.
 */
uint64_t native_threads_cpu_ns (void);

/* Waits for the end of the thread.  False if it still runs after this many ms. */
bool native_thread_join (pthread_t thread, unsigned limit_ms);

/* Waits for the semaphore until this time, in ns of clock_of_system.  False: it has passed. */
bool native_thread_wait (sem_t *semaphore, uint64_t until);

/* Sleeps at most this many ms. */
void native_thread_sleep (unsigned ms);

#endif
