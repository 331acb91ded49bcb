/* ghc-threads.h -- the states of the threads of an eventlog: they run, wait for a capability, or
 * are blocked, by a cause; which thread wakes which, and owns the black holes that others wait for.
 *
 * Give it all events in order of time, those of one time in the order of the file.  The states
 * before a log begins, while it was not recorded, or where it is damaged are not known: that time
 * counts for nothing.
 */
#ifndef PROFLOG_GHC_THREADS_H
#define PROFLOG_GHC_THREADS_H

#include "decoder/core/durations.h"
#include "decoder/core/id-map.h"
#include "decoder/filter/filter.h"

#include <glib.h>
#include <proflog/ghc-reader.h>

/* Why a thread waits. */
enum ghc_wait {
  GHC_WAIT_CPU, /* for a capability: it could run */
  GHC_WAIT_MVAR,
  GHC_WAIT_READ_MVAR,
  GHC_WAIT_BLACK_HOLE, /* for a value that another thread computes */
  GHC_WAIT_READ,
  GHC_WAIT_WRITE,
  GHC_WAIT_DELAY,
  GHC_WAIT_STM,
  GHC_WAIT_FOREIGN_CALL, /* it runs outside of Haskell */
  GHC_WAIT_THROW_TO,
  GHC_WAIT_OTHER,
  GHC_WAITS,
};

/* "mvar" */
const char *ghc_wait_name (enum ghc_wait wait);

enum ghc_thread_state {
  GHC_THREAD_UNKNOWN,
  GHC_THREAD_WAITS,
  GHC_THREAD_RUNS,
  GHC_THREAD_FINISHED,
};

/* Times of these are in the interval that is requested. */
struct ghc_wait_sum {
  uint64_t count; /* that began */
  uint64_t total_ns;
  uint64_t max_ns;
};

struct ghc_thread {
  uint32_t id;
  enum ghc_thread_state state;
  enum ghc_wait wait;              /* the cause, if it waits */
  enum ghc_thread_state end_state; /* the same at the end of the interval, or of the log */
  enum ghc_wait end_wait;
  bool is_woken;           /* and waits for a capability since */
  bool is_announced;       /* its making was reported, or it ran */
  bool is_touched;         /* some event of it, or time, is in the interval */
  unsigned cap;            /* where it ran or was made last; GHC_NO_CAP: unknown */
  uint32_t maker;          /* that made it, 0: none or unknown */
  uint32_t owner;          /* of the black hole that it waits for; 0: unknown */
  uint64_t since;          /* of its state */
  uint64_t made, finished; /* when; 0: not, as far as is known */
  uint64_t runs;           /* how often it began to run */
  uint64_t run_ns;
  uint64_t migrations;
  struct ghc_wait_sum waits[GHC_WAITS];
  struct ghc_wait_sum wakes; /* from being woken up to running */
  char *label;               /* the last one; NULL: none */
  char *labels;              /* all of them (selection_add_name) */
  bool has_spark;            /* it runs one that counts */
  uint64_t spark_ns;         /* the time it ran with it, before spark_since */
  uint64_t spark_since;      /* when it ran the last time */
};

/* One thread woke up another, or owned a black hole that it waited for. */
struct ghc_thread_pair {
  uint32_t from, to; /* from 0: no thread, or not known which */
  uint64_t count;
  uint64_t total_ns; /* that the other one waited */
};

struct ghc_thread_pairs {
  struct id_map numbers; /* places of the two threads' pair */
  GArray *all;           /* struct ghc_thread_pair */
};

/* A capability. */
struct ghc_thread_cap {
  struct ghc_thread *runs; /* NULL: none, as far as is known */
  uint64_t run_ns;         /* the time in which it ran threads */
};

#define GHC_THREADS_RECENT 1024

struct ghc_threads {
  uint64_t from, to;                 /* the interval: from <= time < to */
  const struct selection *selection; /* of capabilities and threads; NULL: all.  Borrowed */
  uint64_t last;                     /* time of the last event */
  GHashTable *by_id;                 /* struct ghc_thread */
  struct ghc_thread *recent[GHC_THREADS_RECENT]; /* by the low bits of ids; NULL: none */
  GArray *caps;                                  /* struct ghc_thread_cap, by number */
  struct ghc_thread_pairs wakers;                /* a thread woke one that waited */
  struct ghc_thread_pairs owners; /* a thread owned the black holes that another one waited for */
  bool has_header;                /* one was there */
  bool is_over;                   /* the interval is */
  bool is_finished;
  /* A thread could run, but did not, for this time of the interval, as it was selected by its
   * capability; NULL: nobody needs it. */
  void (*runnable) (void *data, const struct ghc_thread *thread, uint64_t from, uint64_t to);
  void *data;
  /* Threads that run now, since then; the time in which one or more ran, two or more. */
  guint running;
  uint64_t running_since, busy_ns, parallel_ns;
  struct durations sparks; /* for how long threads ran with each: up to the next, or their end */
  uint64_t folded;         /* threads that have no entry of their own: see GHC_THREADS_MAX */
  struct ghc_thread rest;  /* the sums of these */
};

/* Threads, and pairs, that have entries of their own.  If there are more, threads without a name
 * that have finished lose theirs, and the rarest pairs are together in the one from 0 to 0. */
#define GHC_THREADS_MAX 65536

void ghc_threads_init (struct ghc_threads *threads, uint64_t from, uint64_t to);
void ghc_threads_clear (struct ghc_threads *threads);

/* Is an event of this kind of threads, tasks or sparks that run?  Others need not be given. */
bool ghc_threads_handles (enum ghc_kind kind);

/* Takes the next item. */
void ghc_threads_item (struct ghc_threads *threads, const struct ghc_item *item);

/* After the last item: the present states of threads last up to the last event, or the end of the
 * interval.  The second time nothing happens. */
void ghc_threads_finish (struct ghc_threads *threads);

/* After that: the log does not know when its threads run and wait, and states their lives instead.
 * All times and counts of these are 0. */
void ghc_threads_forget_times (struct ghc_threads *threads);

/* Those with anything in the interval, by id; pairs by their threads (transfer container). */
GPtrArray *ghc_threads_all (const struct ghc_threads *threads);
GPtrArray *ghc_threads_pairs (const struct ghc_thread_pairs *pairs);

/* Whether the threads without an entry of their own are selected: none is by its id or label. */
bool ghc_threads_has_rest (const struct ghc_threads *threads);

/* Whether a thread that waits so waits for work: a thread of the runtime that serves others, the
 * manager of files or of timers, by its label. */
bool ghc_thread_is_idle (const struct ghc_thread *thread, enum ghc_wait wait);

/* Is it a thread of the runtime by its label (NULL: none): a manager, or one that runs finalizers?
 */
bool ghc_threads_label_is_of_runtime (const char *label);
bool ghc_thread_is_of_runtime (const struct ghc_thread *thread);

/* The sum of all selected threads, without the waits of those that are idle. */
void ghc_threads_sum (const struct ghc_threads *threads, struct ghc_thread *sum);

/* For how long a capability ran threads. */
uint64_t ghc_threads_cap_run_ns (const struct ghc_threads *threads, unsigned cap);

/* The thread, or NULL. */
const struct ghc_thread *ghc_threads_find (const struct ghc_threads *threads, uint32_t id);

/* Label of a thread; NULL: none. */
const char *ghc_threads_label (const struct ghc_threads *threads, uint32_t id);

#endif
