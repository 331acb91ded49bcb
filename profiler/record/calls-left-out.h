/* calls-left-out.h -- calls that are recorded late, or not at all. */
#ifndef PROFILER_CALLS_LEFT_OUT_H
#define PROFILER_CALLS_LEFT_OUT_H

#include "profiler/record/recorder.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- enters of pending calls (pending-calls.h), and the number of skipped calls ---- */

/* Enters may be pending from now on.  Before anything is recorded. */
void late_calls_start (uint64_t threshold_ns);

/* Writes events that state this number of skipped calls; their bytes are at most late_calls_bound.
 */
size_t late_calls_bound (void);
uint8_t *late_calls_put (struct mlpd_encoder *encoder, uint8_t *to, uint64_t skipped,
                         uint64_t time);

/* ---- the number of calls that calls=TIME and calls=auto leave out, by method ---- */

/* A method whose calls were short for long is not timed each time: a long call may be missed.  A
 * method that would be inlined without a profiler reports no calls at all. */

/* The number of calls until the next one that is timed: at least LEFT_OUT_LEAST, and less than
 * LEFT_OUT_SPREAD more at random, so that they are at no period of the program.  So one in
 * LEFT_OUT_TIMED_IN is timed, on average. */
#define LEFT_OUT_LEAST 32
#define LEFT_OUT_SPREAD 64
#define LEFT_OUT_TIMED_IN (LEFT_OUT_LEAST + LEFT_OUT_SPREAD / 2)

/* If this many calls are long, one of them is timed, with a probability of 95 %: (1 - 1 / 64) ^ 190
 * < 0.05. */
#define LEFT_OUT_LONG_CALLS 190

struct untimed_calls {
  uint64_t method;
  uint64_t calls;   /* that were not timed, at most */
  uint64_t periods; /* how often the calls of a thread were short for long enough */
};

/* The next `calls` calls of a method are not timed, of a thread; `is_new`: a period begins.  False
 * if there is no room for the method.  From any thread; no lock and no memory of malloc. */
bool left_out_add_untimed (uint64_t method, uint64_t calls, bool is_new);

/* The number of these methods, and the methods themselves, at most LEFT_OUT_METHODS.  From any
 * thread. */
uint64_t left_out_untimed_methods (void);
#define LEFT_OUT_METHODS_BITS 14
#define LEFT_OUT_METHODS ((size_t) 1 << LEFT_OUT_METHODS_BITS)
size_t left_out_list_untimed (struct untimed_calls list[LEFT_OUT_METHODS]);

/* Adds a method that reports no calls, unless it was added before; the number of these, of which
 * 65,536 are distinguished.  From any thread. */
void left_out_add_method (uint64_t method);
uint64_t left_out_methods (void);

/* In the child of a fork: forgets calls that were not timed.  Methods without calls remain, as the
 * child runs the code of the parent. */
void left_out_start_over (void);

#endif
