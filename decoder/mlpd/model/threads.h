/* threads.h -- the threads of a log, and their states.
 *
 * A thread's buffers come in order, so a collection, a call or a wait on one thread is followed per
 * thread, in file order.
 */
#ifndef PROFLOG_THREADS_H
#define PROFLOG_THREADS_H

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/pending-type.h"

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* Generations that are distinguished; the runtime has two. */
#define GC_GENERATIONS 8

struct heapshot;

struct thread {
  uint64_t id;
  guint number;   /* its place in struct threads, unless some were forgotten */
  char *name;     /* the latest; NULL: none */
  bool announced; /* its start, end or name was logged */
  bool ended;     /* its end was logged: the next thread with the id is another thread */
  uint64_t ended_at;
  uint64_t offset; /* of its first buffer in the log */
  uint64_t start;  /* time of its first event; of others' events about it if it has none */
  uint64_t end;    /* and of its last */
  uint64_t events;
  struct thread *before; /* that had the id; NULL: none, or it was forgotten */

  /* Samples that may be of it, or of the next one that has its id: it had ended. */
  struct {
    uint64_t count;
    uint64_t start;
    uint64_t end;
  } late;

  /* allocations, if requested by thread; exceptions */
  uint64_t allocated_objects, allocated_bytes;
  struct allocation_error allocated_error;
  uint64_t throws;

  /* gc */
  bool collecting[GC_GENERATIONS];
  uint64_t collection_start[GC_GENERATIONS];
  bool stopping, has_stopped, restarts; /* up to which phase of a pause it is */
  uint64_t stop_start, stopped_at, restart_at;

  /* calls */
  GArray *frames;         /* of struct call_frame: the innermost, all but very deep stacks have */
  GByteArray *outer;      /* those outside of them, packed; NULL: never were any */
  GArray *outer_parts;    /* of guint: where the parts of `outer` begin, of this many frames each */
  GArray *active;         /* of guint32: open frames of each method, by symbol */
  uint64_t skipped_calls; /* that the log does not have, as they were short */
  guint bin;              /* of its latest event, if bins are requested */
  uint64_t bin_latest;    /* time of this; 0: there is none */
  uint64_t bin_spent;     /* the time of open frames in bins is known up to here */

  /* monitors */
  bool waiting;
  uint64_t wait_start;
  uint64_t wait_object; /* the lock */
  struct type_ref wait_type;
  guint wait_trace;
  uint64_t wait_owner;             /* the thread that owned the lock at the begin; 0: unknown */
  uint64_t wait_end, last_wait_ns; /* of the last wait: when it ended, and how long it was */

  /* type mark: a class announced by the event just before */
  uint64_t mark_time;
  guint mark_class;

  /* heapshots */
  struct heapshot *shot; /* that is being read */
};

struct threads {
  GHashTable *by_id; /* the latest of each id */
  GPtrArray *all;    /* owns them; in order of appearance */
  bool forgot;       /* some that had ended */
};

void threads_init (struct threads *threads);
void threads_clear (struct threads *threads);

/* The thread that has an id now, new if there is none or it ended. */
struct thread *threads_get (struct threads *threads, uint64_t id);

/* The same of a time: new if it ended before that. */
struct thread *threads_at (struct threads *threads, uint64_t id, uint64_t time);

/* A thread's start, end or name was logged, by itself or by another.  Only the thread itself knows
 * that it ended: others may state it before its last buffer. */
void threads_metadata (struct threads *threads, const struct mlpd_metadata_thread *event,
                       bool is_own);

/* The same where that does not count.  Returns the thread. */
struct thread *threads_name (struct threads *threads, const struct mlpd_metadata_thread *event,
                             bool is_own);

/* A sample is of the thread that had this id then.  It is an event of that thread, in whichever
 * buffer it is logged, and may be logged before the thread's first buffer or after its end.
 * Returns the thread; with `is_late` it may be of the next one that has its id, which is not known
 * yet.  NULL: the thread is forgotten. */
struct thread *threads_sampled (struct threads *threads, uint64_t id, uint64_t time, bool *is_late);

/* The same, of a log that was read. */
const struct thread *threads_find (const struct threads *threads, uint64_t id, uint64_t time);

/* After all of them: samples whose thread is in doubt belong to one that ended. */
void threads_finish (struct threads *threads);

/* Frees threads that ended, if they are more than this many, and nothing refers to them. */
void threads_forget_ended (struct threads *threads, guint more_than);

/* How many had events.  Others only have buffers: the end mark is one. */
guint threads_with_events (const struct threads *threads);

/* Nanoseconds from one event to a later one; 0 where a damaged log has the time run backwards. */
static inline uint64_t
span_ns (uint64_t start, uint64_t end)
{
  return (int64_t) (end - start) > 0 ? end - start : 0;
}

#endif
