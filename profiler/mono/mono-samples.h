/* mono-samples.h -- a sample from its handler to the log. */
#ifndef PROFILER_MONO_SAMPLES_H
#define PROFILER_MONO_SAMPLES_H

#include "profiler/mono/mono-imports.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SAMPLE_FRAMES 256 /* stacks of compilers and servers have more than a hundred */

struct sample {
  _Atomic unsigned state;
  uint64_t time, thread, ip;
  uint64_t cpu, cpu_end; /* with a wall clock: the thread's processor time before and after it */
  pid_t tid;             /* the kernel's number of the thread */
  int number;            /* the runtime's (locks_note_thread) */
  unsigned intervals;    /* number for which the sample stands */
  bool is_requested;     /* of a thread that waits; else by its processor time */
  bool is_end;           /* the thread ends: its time since its last sample */
  uint64_t begun;        /* of such a thread */
  bool is_unknown;       /* of the frames, all but the first are addresses to look up */
  size_t count;
  struct sample_frame {
    MonoMethod *method; /* NULL: it was not known in the handler */
    MonoDomain *domain;
    void *code; /* where it was */
  } frames[SAMPLE_FRAMES];
};

/* Room for samples; false with a warning.  `wake`: a handler calls it when one should be recorded
 * soon. */
bool samples_prepare (void);
void samples_set_waker (void (*wake) (void));

/* From any thread, also in a signal handler: has samples recorded now. */
void samples_wake (void);

/* The time of a thread since its sample before. */
struct sample_usage {
  uint64_t time;    /* the end of the interval */
  uint64_t elapsed; /* ns */
  uint64_t cpu;     /* ns of these in which the thread ran */
};

/* In a signal handler: the thread's sample begins, with the place where it was interrupted (NULL:
 * unknown).  False if none is taken. */
bool sample_begin (unsigned intervals, bool is_requested, const void *ip);

/* Adds the callers: in the runtime's handler, which knows the place; in one of our own. */
void sample_walk (const void *ip, const void *context);
void sample_walk_late (const void *context);

/* The sample is complete. */
void sample_end (void);

/* This thread ends.  The processor time that it used since its last sample is one without a place:
 * threads of a few ms have no other. */
void samples_note_end (void);

/* On the ticker's thread: passes those that handlers have taken to `use`, in order of time. */
typedef void sample_user (struct sample *sample);
void samples_record (bool is_last, sample_user *use);

/* On the ticker's thread: the method of a frame, which has a name; 0: it is not known. */
uint64_t sample_method (const struct sample_frame *frame);

/* On the ticker's thread: writes a sample; `usage` may be NULL. */
void sample_record (const struct sample *sample, const struct sample_usage *usage);

#endif
