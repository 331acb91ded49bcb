/* recorder.h -- each thread's events go into a buffer of its own.
 *
 * Only its thread touches a recorder's position and its buffer's bytes: an event takes no lock,
 * no compare-and-swap and no cache line of another thread.  After each event the buffer's
 * `published` is stored with release order, so that the writer may copy that prefix of any
 * buffer at any time; at exit it does so for all threads that still live.  Buffers lie in the spool
 * (spool-file.h), from which published events are recovered after a sudden end.
 *
 * An exchange on `current` decides which thread hands a buffer over:
 *
 *     a buffer   the thread records into it
 *     BUSY       the thread is handing a buffer over and will push it in a moment
 *     CLOSED     the writer has consumed the last buffer; the thread records no more
 *     NULL       no buffer (none yet, or the thread ended)
 *
 * The writer may write the events of a buffer before it is handed over; the later ones become a
 * buffer of their own in the log.  Meanwhile it `watches` the buffer, so that no other thread uses
 * its memory.
 */
#ifndef PROFILER_RECORDER_H
#define PROFILER_RECORDER_H

#include "agent/clock.h"
#include "profiler/record/buffer.h"
#include "profiler/record/call-stack.h"
#include "profiler/record/pending-calls.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDER_ANNOUNCED 2048

/* The state of a recorder's thread in an eventlog (eventlog.h). */
struct eventlog_thread {
  _Atomic uint32_t id; /* 0: there is none, or none that is in the log */
  bool is_placed;      /* the capability is in the log */
  bool is_over;        /* the end of the thread is in the log */
  bool is_stopped;
  bool is_live_due;           /* it has ended a major collection, and is to record the live bytes */
  _Atomic uint64_t allocated; /* bytes, of all threads of the recorder */
  uint64_t allocated_recorded;
};

struct recorder {
  uint8_t *position;
  uint8_t *end;
  struct buffer *buffer;
  _Atomic (struct buffer *) current; /* see above */
  _Atomic (struct buffer *) watched; /* by the writer: the thread must not recycle it */
  _Atomic (struct buffer *) spare;   /* written out and returned, to be used again */
  _Atomic bool taken;                /* by a thread that lives */
  _Atomic uint64_t thread;           /* its id, from its first buffer on */
  struct recorder *next;             /* in the list of all recorders; never removed */
  unsigned number;                   /* from 0 on: the capability in an eventlog */
  /* While set, full buffers wait in `held`: names that they use are not announced yet. */
  _Atomic bool holding;
  struct buffer *held_oldest;
  struct buffer *held_newest;
  size_t held_bytes;
  /* Dropped events of its threads; the thread of the last ones. */
  _Atomic uint64_t dropped_events, dropped_bytes, dropped_buffers, dropped_thread;
  _Atomic uint64_t without_memory; /* events for which there was none */
  /* Events of its threads that the writer could not write. */
  _Atomic uint64_t unwritten_events, unwritten_bytes;
  struct call_stack stack;
  struct pending_calls calls;
  struct eventlog_thread eventlog;
  /* Cache of methods that have names, by some bits of their addresses.  A method that ends and is
   * compiled again is announced at that time. */
  uint64_t announced[RECORDER_ANNOUNCED];
};

/* This thread's recorder; NULL before its first event and where nothing is recorded. */
extern _Thread_local struct recorder *recorder_of_thread
    __attribute__ ((tls_model ("initial-exec")));

/* Makes room for `bound` bytes of events: claims a recorder if the thread has none, hands a full
 * buffer over and provides another.  A new buffer counts from the given pointer, object and method
 * (0: not known).  NULL if nothing can be recorded. */
struct recorder *recorder_make_room (size_t bound, uint64_t ptr, uint64_t object, uint64_t method);

/* The same, after the enters of pending calls were recorded. */
struct recorder *recorder_begin_slowly (size_t bound, uint64_t ptr, uint64_t object,
                                        uint64_t method);

/* Whether there is room for `bound` bytes of events already. */
static inline bool
recorder_has_room (const struct recorder *r, size_t bound)
{
  return (size_t) (r->end - r->position) >= bound;
}

/* A recorder with room for `bound` bytes at its position; see recorder_make_room.  The result is
 * valid until the thread's next event. */
static inline struct recorder *
recorder_begin (size_t bound, uint64_t ptr, uint64_t object, uint64_t method)
{
  struct recorder *r = recorder_of_thread;
  if (__builtin_expect (
          r != NULL && recorder_has_room (r, bound) && pending_calls_get (&r->calls.count) == 0, 1))
    return r;
  return recorder_begin_slowly (bound, ptr, object, method);
}

/* Publishes the events up to `end`. */
static inline void
recorder_commit (struct recorder *r, uint8_t *end)
{
  r->position = end;
  spool_publish (&r->buffer->slot, (uint64_t) (end - r->buffer->data));
}

/* The time of the recorder's next event, which happens now: never before the last one's. */
static inline uint64_t
recorder_time (const struct recorder *r, uint64_t now)
{
  const uint64_t last = r->buffer->encoder.time;
  return __builtin_expect (now >= last, 1) ? now : last;
}

/* Records one event that has a time, which is `now`, if that was read after there was room for the
 * event (so that it is not before the base of the buffer).  `event` is an lvalue of struct
 * mlpd_<id>. */
#define RECORD_AT(r, now, id, event)                                                               \
  do {                                                                                             \
    (event).time = recorder_time (r, now);                                                         \
    recorder_commit ((r), mlpd_put_##id (&(r)->buffer->encoder, (r)->position, &(event)));         \
  } while (0)

/* The same as of now. */
#define RECORD_IN(r, id, event) RECORD_AT (r, clock_now (), id, event)

/* The same, if room can be made. */
#define RECORD(id, event, ptr, object, method)                                                     \
  do {                                                                                             \
    struct recorder *record_r                                                                      \
        = recorder_begin (mlpd_bound_##id (&(event)), (ptr), (object), (method));                  \
    if (record_r != NULL)                                                                          \
      RECORD_IN (record_r, id, event);                                                             \
  } while (0)

/* The data version of the log; set before anything is recorded. */
extern unsigned recorder_version;

/* The log is an eventlog: of other events, with times since that of recorder_begun.  Set likewise.
 */
extern bool recorder_is_eventlog;
extern uint64_t recorder_begun;

/* There was no memory for `events` events.  From any thread, also from a handler of a signal. */
void recorder_add_lost (uint64_t events);

/* From now on threads may record.  Returns 0 or an errno number. */
int recorder_start (void);

/* Nothing is recorded from now on, in any thread (events under way are still published). */
void recorder_stop (void);

/* Whether recorder_start was called and recorder_stop was not. */
bool recorder_running (void);

/* This thread holds its full buffers back until recorder_release. */
void recorder_hold (struct recorder *r);
void recorder_release (struct recorder *r);

/* This thread, which holds its buffers back, hands over the events that it has recorded.  When they
 * are in the log, it has this state of the counters.  Owns and frees `state`.  False if the events
 * were dropped, and the log has the state that it had. */
bool recorder_hand_over_counters (struct recorder *r, struct counter_state *state);

/* Before and after the events of a heap snapshot, with the world stopped.  If there are to be
 * several files, it stands in one of them: its last buffer is handed over then. */
void recorder_begin_shot (struct recorder *r);
void recorder_end_shot (void);

/* In the child of a fork, on its only thread: records nothing into the parent's log.  If the parent
 * recorded, `begin` (unless that is NULL) is called before the first event of the child, on the
 * thread of the event; it calls recorder_start_over, and recorder_start. */
void recorder_after_fork (void (*begin) (void));
void recorder_start_over (void);

/* ---- for the writer ---- */

/* The function that runs on a thread that ends, before its recorder goes to another thread; NULL:
 * none.  Set before anything is recorded. */
void recorder_set_thread_end (void (*thread_end) (struct recorder *recorder));

/* The functions that record pending events: `record_pending` before another event, `put_last`
 * before a buffer is handed over, which has room for its `bound` bytes.  Set likewise. */
void recorder_set_late_events (void (*record_pending) (struct recorder *recorder),
                               void (*put_last) (struct recorder *recorder), size_t bound);

/* The newest recorder; the others follow by ->next. */
struct recorder *recorder_first (void);

/* Returns r's last buffer and closes the recorder.  NULL if there is none.  *busy: the thread is
 * handing one over right now, or holds some back; to be tried again when the queue has been
 * emptied. */
struct buffer *recorder_close (struct recorder *r, bool *busy);

/* The buffer that r's thread records into, whose memory is not reused until recorder_unwatch, or
 * until the writer recycles it.  NULL if there is none.  *busy as above. */
struct buffer *recorder_watch (struct recorder *r, bool *busy);
void recorder_unwatch (struct recorder *r);

/* Whether the thread holds buffers back: names of their events are missing. */
bool recorder_holds (struct recorder *r);

/* From now on there are several files.  Before anything is recorded. */
void recorder_set_shots_whole (void);

/* Up to this number the heap snapshots are complete in the log, or their rest was lost. */
uint32_t recorder_shots_ended (void);

/* Returns a buffer that was written out to its recorder, or to the system. */
void recorder_recycle (struct buffer *buffer);

/* From the writer: `events` events of r's threads are lost, as they could not be written. */
void recorder_add_unwritten (struct recorder *r, uint64_t events, uint64_t bytes);

/* The losses until now. */
struct recorder_losses {
  uint64_t events;         /* there was no memory for their buffers */
  uint64_t dropped;        /* events that had to be dropped because too many waited */
  uint64_t bytes, buffers; /* of the dropped events: their bytes, and the number of their buffers */
  uint64_t threads;      /* the threads that dropped events; those that share a recorder are one */
  uint64_t most, thread; /* the most that one lost */
  /* Events that could not be written, and their bytes. */
  uint64_t unwritten, unwritten_bytes;
};

/* All events that were lost. */
static inline uint64_t
recorder_lost_events (const struct recorder_losses *l)
{
  return l->events + l->dropped + l->unwritten;
}

void recorder_get_losses (struct recorder_losses *losses);
struct recorder_losses recorder_losses_of (struct recorder *r);

#endif
