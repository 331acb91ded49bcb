/* span-costs.h -- costs of the spans of a program: the time and resources of the threads that they
 * are on.
 *
 * A span is on the thread that began it until it ends, leaves that thread or enters another one
 * (proflog/program.h).  Spans of a thread nest; its costs are those of all of them, and the own
 * costs of the innermost.  So the own costs of all spans, and those of threads in none, are the
 * costs of all threads.
 *
 * Events come in order of time.  Hits do not: they may be written late, so they are known before.
 */
#ifndef PROFLOG_SPAN_COSTS_H
#define PROFLOG_SPAN_COSTS_H

#include "decoder/mlpd/mlpd-program-span.h"
#include "decoder/mlpd/model/wait-kind.h"

#include <glib.h>

/* Spans that are retained one by one: the first ones that end.  All are in the sums. */
#define SPANS_MAX (1u << 19)

enum span_cost {
  SPAN_WALL_NS,    /* on a thread */
  SPAN_CPU_NS,     /* by samples */
  SPAN_WAIT_NS,    /* by samples of the wall clock */
  SPAN_PAUSE_NS,   /* of collections that stopped the thread */
  SPAN_PAUSES,     /* the number of these */
  SPAN_LOCK_NS,    /* waits for monitors */
  SPAN_LOCKS,      /* the number of these */
  SPAN_OBJECTS,    /* allocated; in parts (allocations.h) where they are estimated */
  SPAN_BYTES,      /* of these */
  SPAN_EXCEPTIONS, /* thrown */
  SPAN_WAITS,      /* SPAN_WAIT_NS by enum wait_kind */
  SPAN_COSTS = SPAN_WAITS + WAIT_KINDS
};

struct span_sum {
  uint64_t of[SPAN_COSTS];
};

/* A span that has ended. */
struct span_done {
  uint64_t id, thread; /* that it began on */
  uint64_t begin, duration_ns;
  struct span_sum cost; /* with that of the spans in it */
};

/* All of one name. */
struct span_name {
  char *name;
  uint64_t count, total_ns, max_ns; /* of those that ended */
  uint64_t unfinished;              /* ends or begins that have no partner */
  uint64_t across_threads;          /* of those that ended: they were on several threads */
  struct span_sum own;              /* also of those that did not end */
  GArray *done;                     /* of struct span_done */
};

/* A hit of a thread: the interval before it, or its moment. */
struct span_hit {
  uint64_t begin, end;
  uint64_t cpu_ns, wait_ns;
  uint64_t ip; /* where it was */
  enum wait_kind kind;
};

/* Is told where spans are. */
struct span_watch {
  /* Spans have numbers in the order of their begins, from 0 on. */
  void (*begins) (void *data, uint64_t id, const char *name);
  /* It was on a thread.  An open one is there to the end. */
  void (*stays) (void *data, uint64_t number, uint64_t thread, uint64_t from, uint64_t to);
  void (*ends) (void *data, uint64_t number, uint64_t duration_ns);
  void *data;
};

struct span_costs {
  const struct span_watch *watch; /* borrowed; NULL: none */
  uint64_t begun;
  /* Spans of these alone are listed, and have costs; NULL: all. */
  bool (*is_wanted) (const void *data, uint64_t thread, uint64_t time);
  const void *wanted_data;
  GPtrArray *names;      /* of struct span_name *, in the order of their first spans */
  GHashTable *by_number; /* number of the name -> struct span_name * */
  GHashTable *open;      /* uint64_t id -> struct open_span *: the innermost of that id */
  GHashTable *threads;   /* uint64_t id -> struct span_thread * */
  struct span_thread *latest_thread;
  struct span_sum outside; /* of threads in no span */
  uint64_t from, to;       /* times that count: from <= time < to */
  uint64_t stopped_at;     /* the world; 0: it is not */
  uint64_t paused_ns, pauses;
  uint64_t retained, left_out;
  uint64_t without_begin; /* ends of spans that did not begin in the log */
  bool is_sampled;        /* objects and bytes are estimates */
};

void span_costs_init (struct span_costs *costs, uint64_t from, uint64_t to);
void span_costs_clear (struct span_costs *costs);

/* The name of a number from now on.  The same names of several numbers are one. */
void span_costs_name (struct span_costs *costs, uint64_t number, const char *name);

/* The hits of a thread, in any order (of struct span_hit; transfer full).  Before its events. */
void span_costs_set_hits (struct span_costs *costs, uint64_t thread, GArray *hits);

/* From the first event of a thread to its last, hits included; of an id in order.  Before its
 * events; where it is not stated only events count that are passed here. */
struct span_life {
  uint64_t start, end;
};
void span_costs_add_life (struct span_costs *costs, uint64_t thread, struct span_life life);

/* The thread that has an event now; new at its first one, and then `counts` as given. */
struct span_thread *span_costs_thread (struct span_costs *costs, uint64_t id, uint64_t time,
                                       bool counts);
/* Was it seen? */
bool span_costs_has_thread (const struct span_costs *costs, uint64_t id);

/* Events of a thread that count. */
void span_costs_add (struct span_thread *thread, enum span_cost cost, uint64_t amount);
void span_costs_lock (struct span_thread *thread, uint64_t time, bool is_contention);

/* The edge of a span; the end of a thread; the world is stopped, or runs again. */
void span_costs_edge (struct span_costs *costs, struct span_thread *thread, uint64_t time,
                      const struct mlpd_program_span *edge);
void span_costs_end_thread (struct span_costs *costs, struct span_thread *thread, uint64_t time);
void span_costs_stop_world (struct span_costs *costs, uint64_t time);
void span_costs_start_world (struct span_costs *costs, uint64_t time);

/* After the last event. */
void span_costs_finish (struct span_costs *costs);

/* The values that these percents of the spans of a name do not exceed; SPAN_COSTS is the
 * duration. */
void span_costs_percentiles (const struct span_name *name, unsigned cost, const guint *percents,
                             guint n, uint64_t *values);

#endif
