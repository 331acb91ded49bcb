/* waits.h -- the waits of threads.
 *
 * Samples of the wall clock state it of all threads.  The kind of a wait follows from the innermost
 * frame, or from the name of the native function, by the rules of wait-kind.c.  The method is the
 * innermost one of the program; without one, the innermost that no rule is about.  Where contention
 * was recorded, too, the object of a lock is that of the wait that the hit is in.
 *
 * Threads that wait for work are idle: the finalizer, workers of the thread pool and others of the
 * runtime, as long as they are in no method that a rule is not about.
 *
 * Without such samples, the waits are those of contention alone: for locks, as the section monitors
 * has them.
 */
#ifndef PROFLOG_WAITS_H
#define PROFLOG_WAITS_H

#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/model/wait-stack.h"

struct wait {
  enum wait_kind kind;
  const char *method; /* the waits'; NULL: the log has no backtrace */
  const char *object; /* the class of the lock, likewise; NULL: unknown */
  const struct thread *thread;
  uint64_t ns;
  uint64_t count; /* hits that found the thread waiting; waits for locks */
};

struct waits {
  const char *source; /* "samples" or "monitors"; NULL: the log has neither */
  bool has_samples;   /* it is "samples" */
  uint64_t total_ns;  /* of these: */
  GArray *all;        /* of struct wait, one of each kind, method, object and thread */
  GArray *idle;       /* of struct wait: of threads that wait for work, by stack */
  GStringChunk *names;
};

/* A thread for whose locks of a class others waited. */
struct wait_holder {
  const struct thread *thread; /* NULL: the log has none of this id */
  uint64_t id;                 /* the thread's */
  const char *object;          /* the class of the locks, the waits'; NULL: unknown */
  const char *method;          /* where the thread was meanwhile, likewise; NULL: it was not seen */
  uint64_t ns, count;          /* of the waits of others */
};

/* The waits of a log, after summary_finish. */
void waits_init (struct waits *waits, const struct summary *summary);
void waits_clear (struct waits *waits);

/* One of each thread, class and method (transfer full); the texts are of `waits`. */
GArray *waits_holders (struct waits *waits, const struct summary *summary);

/* Calls `put` with each stack of samples that waited, but for those of idle threads. */
void waits_each_stack (const struct summary *summary,
                       void (*put) (void *data, const struct sample_wait *stack,
                                    const struct sample_wait_sum *sum),
                       void *data);

/* Which hits of samples are of idle threads.  For one thread. */
struct waits_idle;

/* `summary` is that of the whole log, after summary_finish, and remains.  Free with
 * waits_idle_free; NULL may be freed. */
struct waits_idle *waits_idle_new (const struct summary *summary);
void waits_idle_free (struct waits_idle *idle);

/* Whether a hit that found this thread waiting at this time found it idle. */
bool waits_idle_has (struct waits_idle *idle, uint64_t thread, uint64_t time,
                     const struct mlpd_sample_hit *hit);

/* Waits of several threads. */
struct wait_sum {
  enum wait_kind kind;
  const char *method; /* the waits', as all texts; of idle threads their name */
  const char *object;
  uint64_t ns;
  uint64_t count;
  uint64_t threads;
};

/* One of each kind, method and object (transfer full). */
GArray *waits_by_method (const struct waits *waits);

/* One of each name of idle threads; of threads without a name NULL (transfer full). */
GArray *waits_idle_by_name (const struct waits *waits);

#endif
