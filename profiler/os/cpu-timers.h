/* cpu-timers.h -- a timer for each thread, on the clock of the thread's own processor time.
 *
 * A thread that waits does not move its clock, so it gets no signal.  Signals that a thread could
 * not take in time are merged by the kernel into one, which states how many were left out
 * (si_overrun). The kernel looks at these clocks at its tick only (250 times a second where it has
 * CONFIG_HZ=250); for shorter intervals there are perf events where they are allowed,
 * and as many as it opens.
 */
#ifndef PROFILER_CPU_TIMERS_H
#define PROFILER_CPU_TIMERS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct timed_thread_id {
  pid_t id;        /* the kernel's */
  uint64_t thread; /* pthread_self; 0: unknown */
  uint64_t begun;  /* in ns of clock_now, since when it is in the list */
};

/* The shortest interval in ns.  To be called before there are threads. */
uint64_t cpu_timers_shortest (void);

/* Each thread that is there now is to have a timer, also those that never call us.  For a module
 * that comes when the program is running; the calling thread gets none. */
void cpu_timers_add_all (void);

/* The intervals that this thread's signal stands for; 0 if the signal is not of these timers.  In a
 * signal handler. */
unsigned cpu_timers_intervals (const siginfo_t *info);

/* At the end of a handler: this thread may get the next signal. */
void cpu_timers_continue (void);

/* This thread is to have a timer, from cpu_timers_begin on. */
void cpu_timers_add_thread (void);

/* This thread ends.  Before that, its time since its last signal, as whole intervals: the kernel
 * looks at its timer at the tick only; and since when it was in the list (0: it is not). */
unsigned cpu_timers_left_over (uint64_t *begun);
void cpu_timers_remove_thread (void);

/* From now on threads get the signal after each `interval` ns of their own time.  The first one
 * comes at a random time in the first interval, so that short threads have their share. */
void cpu_timers_begin (int signal, uint64_t interval);

/* Whether the timers run; they do at first. */
void cpu_timers_enable (bool enabled);

/* All timers end, for ever. */
void cpu_timers_end (void);

/* The threads that are to have a timer, up to `size` of them.  Returns their number, which may be
 * larger. */
size_t cpu_timers_list (struct timed_thread_id *ids, size_t size);

/* The processor time of this thread, in ns; of another one, false if it has ended. */
uint64_t cpu_timers_of_this_thread (void);
bool cpu_timers_read (pid_t id, uint64_t *ns);

/* The threads that could not get a timer, and the last reason (an errno number). */
uint64_t cpu_timers_failed (int *reason);

/* In the child of a fork, which has neither the threads nor the timers. */
void cpu_timers_after_fork (void);

#endif
