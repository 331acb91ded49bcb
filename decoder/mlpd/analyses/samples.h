/* samples.h -- where the program was when it was sampled.
 *
 * A hit is charged to the method whose code its instruction pointer lies in.  If that is native
 * code, the hit is charged to the innermost managed frame: the method that called the native code,
 * or its wrapper.  A hit in native code without any frame has the name of the native function
 * alone.  All methods of the stack have the hit in their total.
 *
 * A hit of the wall clock may find its thread running or waiting.  Where the log states the
 * processor time of the interval before the hit, this is charged to the method, and the rest is a
 * wait.  The thread counts as running if it ran for half of the interval.
 *
 * A hit in code of the recording itself (recording.h) is none of the program: it is charged to the
 * frame RECORDING_NAME alone, and counts in no total of a method.  In the tree that frame is below
 * the method that caused the event.
 *
 * Code and symbols may be announced after the hits in them, so that addresses are retained and
 * looked up at the end.
 */
#ifndef PROFLOG_SAMPLES_H
#define PROFLOG_SAMPLES_H

#include "decoder/mlpd/model/call-tree.h"
#include "decoder/mlpd/model/symbols.h"
#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* Sample types are 1 to 6; others, and from data version 14 on all, are 0. */
#define SAMPLE_TYPES 7

/* How far after a native symbol's address its name holds, where its size does not state it. */
#define SAMPLE_SYMBOL_REACH 4096

/* The time that a hit stands for; 0 where the log does not state it. */
struct sample_time {
  uint64_t cpu_ns;
  uint64_t wait_ns;
  bool may_lock; /* the wait may be for a monitor: the time of the hit is retained */
};

/* Hits of methods and functions are those of running threads. */
struct sample_sum {
  uint64_t hits;
  uint64_t native_hits; /* of these, in native code that it called */
  uint64_t bare_hits;   /* of these, without frames: the tree does not have them */
  uint64_t total;       /* with all that it called */
  uint64_t outermost;   /* hits, waiting or not, whose outermost frame it is */
  uint64_t self_ns;     /* of processor time */
  uint64_t total_ns;
  uint64_t recording_hits; /* in its own code, which is the recording's */
};

struct sample_symbol {
  uint64_t address;
  uint64_t size;
  const char *name;        /* the samples' */
  uint64_t hits;           /* after samples_resolve */
  uint64_t bare;           /* of these, without a managed frame */
  uint64_t bare_ns;        /* of processor time */
  uint64_t recording_hits; /* of the hits: they are the recording's */
};

/* Where the thread was: more than one instruction pointer would be the native stack, innermost
 * first.  0: unknown. */
static inline uint64_t
samples_ip (const struct mlpd_sample_hit *hit)
{
  return hit->ips.count > 0 ? hit->ips.items[0] : 0;
}

/* The stack of a thread that waits. */
struct sample_wait {
  uint64_t thread; /* number (struct thread), as everywhere here: others may have had its id */
  uint64_t ip;
  uint64_t node; /* of the tree of waits */
};

struct sample_wait_sum {
  uint64_t ns;
  uint64_t hits; /* that found it waiting */
  GArray *times; /* of struct sample_wait_time: of hits that may lock; NULL: none */
};

/* One of the hits. */
struct sample_wait_time {
  uint64_t time; /* in the middle of its interval */
  uint64_t ns;
  uint64_t hits; /* 1: it found it waiting */
};

struct samples {
  uint64_t hits;
  uint64_t running;     /* of these, of threads that ran; all where the log does not state that */
  uint64_t interval_ns; /* of samples of processor time; 0: they are of another clock */
  uint64_t cpu_ns;      /* of all hits; 0: unknown */
  uint64_t cpu_us_squares; /* sum of the squares of each hit's, in us */
  uint64_t wait_ns;
  uint64_t types[SAMPLE_TYPES];
  GHashTable *threads; /* uint64_t number -> uint64_t hits while running */
  GHashTable *places;  /* struct sample_place -> struct place_sum */
  GHashTable *waits;   /* struct sample_wait -> struct sample_wait_sum */
  GArray *codes;       /* of struct sample_code */
  GArray *symbols;     /* of struct sample_symbol; after samples_resolve by address */
  GStringChunk *names;
  GArray *methods;       /* of struct sample_sum, by method symbol */
  GArray *seen;          /* of uint64_t, by method symbol: the latest hit that has it, from 1 on */
  GArray *frames;        /* of guint: method symbols of the frames of the present hit */
  struct call_tree tree; /* of the frames of threads that ran; counts are hits */
  struct call_tree wait_tree; /* likewise of hits that have a wait */

  /* After samples_resolve. */
  uint64_t managed;
  uint64_t unmanaged;
  uint64_t unresolved; /* of the unmanaged: the native code has no name */
  uint64_t unnamed;    /* of these, without a managed frame */
  uint64_t unnamed_running;
  uint64_t unnamed_ns;
  uint64_t recording_hits; /* of running threads */
  uint64_t recording_ns;   /* of processor time */
};

extern const struct analysis samples_analysis;

void samples_init (struct samples *samples);
void samples_clear (struct samples *samples);

/* The processor time that each hit of a running thread stands for, on average; 0: unknown. */
uint64_t samples_ns_per_hit (const struct samples *samples);

/* A hit at this time in the given thread; `methods` are the symbols of its managed frames, one
 * each. */
void samples_hit (struct samples *samples, const struct mlpd_sample_hit *event, uint64_t time,
                  uint64_t thread, const guint *methods, struct sample_time used);

/* A method was compiled to this code; where two overlap, the one announced later counts. */
void samples_code (struct samples *samples, guint method, uint64_t code, uint64_t size);

/* Native code has a name. */
void samples_symbol (struct samples *samples, const struct mlpd_sample_symbol *event);

/* After all of them: finds the methods that were hit, and makes the frame of the recording a method
 * among the symbols if it was.  After that no more hits come. */
void samples_resolve (struct samples *samples, struct symbols *symbols);

/* After that: hits of running threads in the program itself, and its processor time. */
uint64_t samples_own_hits (const struct samples *samples);
uint64_t samples_own_ns (const struct samples *samples);

/* The number of hits of one time that have the error (chance.h) of the program's own hits, which
 * stand for different times with the wall clock. */
double samples_of_one_weight (const struct samples *samples);

/* After samples_resolve: hits of running threads in native functions without a managed frame, if
 * these are the interpreter's; 0: the program's methods were compiled. */
uint64_t samples_interpreted_hits (const struct samples *samples, const struct symbols *symbols);

/* After samples_resolve: the name of the native code at an address; NULL if it has none. */
const char *samples_native_name (const struct samples *samples, uint64_t ip);

/* Likewise whether a method's code is there, and which method that is. */
bool samples_is_managed (const struct samples *samples, uint64_t ip);
bool samples_method_at (const struct samples *samples, uint64_t ip, guint *method);

#endif
