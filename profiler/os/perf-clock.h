/* perf-clock.h -- a thread's processor time by perf_event_open: signals that the kernel's tick does
 * not bound.
 *
 * The kernel counts a thread's own time with a high-resolution timer and sends a signal after each
 * interval.  Without the privilege to profile the kernel (kernel.perf_event_paranoid above 1)
 * signals come while the thread runs its own code only.  So one signal stands for all time since
 * the one before (cpu-timers.c reads the thread's clock).  After a signal the clock is stopped
 * until it is started again: there is never more than one signal waiting for a thread, however long
 * the thread blocks it.
 */
#ifndef PROFILER_PERF_CLOCK_H
#define PROFILER_PERF_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether this process may open such clocks: kernel.perf_event_paranoid, a sandbox or the limits
 * may forbid it.  Determined once, before there are threads. */
bool perf_clock_is_available (void);

/* A clock of the thread with the kernel's id `thread`, stopped: a descriptor, or -1 with errno.
 * Descriptors are above those that the program gets, and at most an eighth of its limit: EMFILE
 * beyond.  Its signals have the descriptor in si_fd and POLL_IN or POLL_HUP in si_code. */
int perf_clock_open (pid_t thread, int signal, uint64_t interval_ns);

/* Lets it run for one interval.  Async-signal-safe, as perf_clock_stop is. */
void perf_clock_start (int fd);
void perf_clock_stop (int fd);

void perf_clock_close (int fd);

#endif
