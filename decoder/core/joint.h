/* joint.h -- the processes of several logs on one time axis: pauses, waits for locks, marks.
 *
 * All times are ns since `start_ns`.  Not thread safe.
 */
#ifndef PROFLOG_JOINT_H
#define PROFLOG_JOINT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct joint_span {
  uint64_t begin, end;
};

struct joint_process {
  char *log;
  char *name;             /* of it in the report */
  uint32_t pid;           /* 0: unknown */
  int64_t clock_error_ns; /* true times of day are later by less than this; negative: unknown */
  uint64_t first, last;   /* times of its events; first > last: there were none */
  guint threads;          /* that had events; of an eventlog: Haskell threads */
  uint64_t heap_max;      /* bytes; 0: unknown */
  uint64_t marks;
  uint64_t collections;
  /* In order of their begins.  Pauses do not overlap, waits of several threads may. */
  GArray *pauses; /* of struct joint_span */
  GArray *waits;
  uint64_t pause_ns, pause_max_ns;
};

/* A mark of the program, or a message. */
struct joint_mark {
  guint process;
  uint64_t time;
  char *text;
};

struct joint {
  uint64_t start_ns;    /* since 1970 */
  bool begins_together; /* times of day do not count: all logs begin at the same time */
  GPtrArray *processes; /* of struct joint_process */
  GArray *marks;        /* of struct joint_mark, in order of time */
};

/* How much later or earlier than in this order events of different processes may have been, by the
 * clocks that their logs state; negative: unknown. */
int64_t joint_clock_error (const struct joint *joint);

/* Pauses of a process, and the waits and marks of another one meanwhile. */
struct joint_overlap {
  guint paused, other;
  bool is_wait; /* of the other one, for a lock; else: its pauses */
  uint64_t count, total_ns, max_ns;
};

struct joint *joint_new (void);
void joint_free (struct joint *joint);

struct joint_process *joint_add (struct joint *joint, const char *log, uint32_t pid);

/* After the last event: sorts, merges pauses that overlap (capabilities pause one after the other),
 * and computes the sums. */
void joint_finish (struct joint *joint);

/* Of all pairs of processes that have any (transfer full, of struct joint_overlap); after
 * joint_finish. */
GArray *joint_overlaps (const struct joint *joint);

#endif
