/* mono-waits.h -- what each thread does between its samples: with a wall clock (sample-real).
 *
 * At each tick the processor time of each thread is read.  A thread that has used none since the
 * last tick still waits in the same place, and is left alone.  One that has run and waits is
 * sampled by a signal, if the program cannot notice that, because the kernel or the C library
 * continues the wait.  Other waits are never interrupted: of them the native function is known.
 *
 * All of it runs on the ticker's thread.
 */
#ifndef PROFILER_MONO_WAITS_H
#define PROFILER_MONO_WAITS_H

#include "profiler/mono/mono-samples.h"

/* Before the first tick: the signal of samples. */
void waits_begin (int signal);

/* A sample that a handler has taken: writes it with its usage. */
void waits_note_sample (struct sample *sample);

/* At each tick, after the samples were noted.  Returns the ns of the processor that it has used. */
uint64_t waits_check (void);

/* Nothing is recorded for a while. */
void waits_pause (void);

/* At the end: all waits that are not in the log. */
void waits_finish (void);

#endif
