/* live-figures.h -- figures of a running program: of the last interval, and of all that was seen of
 * its log.
 *
 * `proflog top` shows them; nothing here depends on the display.
 */
#ifndef PROFLOG_LIVE_FIGURES_H
#define PROFLOG_LIVE_FIGURES_H

#include "decoder/core/durations.h"
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define LIVE_GENERATIONS 8

/* Names of marks in an interval, and bytes of each. */
#define LIVE_MARK_NAMES_MAX 16
#define LIVE_MARK_BYTES_MAX 200

enum live_format { LIVE_NOTHING, LIVE_MONO, LIVE_GHC };

/* Something that is counted: in the interval, and in all. */
struct live_count {
  uint64_t now, all;
};

/* Durations by length, for as long as the logs of a program go on.  Those up to 10 us are the first
 * step, those above 10 s the last. */
enum { LIVE_STEPS = 20 };

struct live_durations {
  uint64_t count, total_ns;
  uint64_t steps[LIVE_STEPS];
};

/* A method, a type, or a type of exceptions.  Members that do not apply are 0. */
struct live_row {
  const char *name; /* the figures'; NULL: not known */
  uint64_t address;
  const char *waits;       /* of a method: the kind of its wait; NULL: it works */
  struct live_count count; /* calls, objects, exceptions, waits, samples */
  struct live_count bytes;
  struct live_count self; /* of frames: samples in which they are the innermost */
  struct live_count self_ns;
  struct live_count cpu_ns;  /* by samples */
  struct live_count wait_ns; /* by samples of the wall clock; of locks, by their events */
};

enum live_state {
  LIVE_IDLE,    /* of GHC: it does not run */
  LIVE_RUNNING, /* it did */
  LIVE_WAITING, /* for a lock */
  LIVE_BLOCKED, /* it waits for something else */
  LIVE_COLLECTING,
  LIVE_UNKNOWN, /* of Mono: it reported nothing, so its state is unknown */
};

/* A thread, or of GHC a capability. */
struct live_thread {
  uint64_t id;
  bool is_cap;
  const char *name; /* the figures'; NULL: none */
  enum live_state state;
  struct live_count events;
  struct live_count run_ns; /* that it ran; of Mono by samples */
  bool has_bytes;           /* a capability, and a thread of Mono if allocations are recorded: */
  struct live_count bytes;  /* that it allocated */
  uint64_t thread;          /* of a capability: that it runs, + 1; 0: none */
};

struct live_figures {
  enum live_format format;
  const char *program;  /* its name, the figures'; NULL: not known */
  uint64_t pid;         /* of the program; 0: not known */
  uint64_t interval_ns; /* that rates are of: by our clock, or if the log went faster by its own */
  uint64_t log_ns;      /* from the log's first time to its last */
  struct live_count events;
  struct live_count log_bytes;
  struct live_count alloc_bytes, alloc_objects; /* 0: not recorded */
  uint64_t heap_bytes, heap_max_bytes;          /* 0: unknown */
  uint64_t live_bytes;                          /* 0: unknown */
  struct live_count collections[LIVE_GENERATIONS];
  struct live_count pauses, pause_ns;
  uint64_t pause_max_ns, pause_max_ever_ns;
  struct live_durations pause_durations[LIVE_GENERATIONS], wait_durations;
  struct live_count contentions, wait_ns;
  struct live_count exceptions;
  struct live_count marks;
  GPtrArray *mark_names; /* of const char *, the figures': the first marks of the interval */
  struct live_count lost_events, damages;
  struct live_count process_cpu_ns; /* both 0: the process is not known, or gone */
  uint64_t process_memory_bytes;
  uint64_t process_interval_ns;     /* that process_cpu_ns.now is of: by our clock */
  uint64_t living;                  /* threads */
  GArray *methods, *types, *throws; /* of struct live_row */
  GArray *locks;                    /* the same, by type */
  GArray *bands;                    /* the same, of the last sample of a heap profile of GHC: bytes
                                     * in it, and at most */
  uint64_t band_bytes;              /* of all of them */
  GArray *frames;                   /* the same, of call stacks and time profiles of GHC: their
                                     * samples */
  struct live_count samples;        /* of all of them */
  bool has_calls, has_cpu;          /* the methods have */
  bool has_waits;                   /* likewise times of waiting, by samples */
  GArray *threads;                  /* of struct live_thread: those that live */
  GStringChunk *names;
};

/* One of the sources that are read, and its figures. */
struct live_named {
  const char *name;
  bool is_process; /* the name is that of its program, which other processes may have, too */
  const struct live_figures *figures;
  bool is_partial; /* events from before are still being read */
  bool is_over;    /* no more figures come */
  bool failed;     /* it is over as the log could not be read */
};

/* "none", "mono", "ghc" */
const char *live_format_name (enum live_format format);

void live_figures_init (struct live_figures *figures);
void live_figures_clear (struct live_figures *figures);

/* A copy of a name, which may be NULL. */
const char *live_figures_name (struct live_figures *figures, const char *name);

/* Sums up the steps of the durations. */
struct live_durations live_durations_of (const struct durations *durations);

/* Where a step ends, ns; UINT64_MAX: the last step does not. */
uint64_t live_durations_end (unsigned step);

/* Per second of the interval. */
double live_rate (const struct live_figures *figures, uint64_t count);

#endif
