/* eventlog.h -- events of threads for an eventlog.
 *
 * A recorder is a capability, so each thread that lives has one of its own, and those that come
 * later take over what others left.  A thread gets a number when it records its first event.  Of
 * the thread that calls, unless told otherwise; nothing here allocates or locks, but for
 * eventlog_thread_named.
 */
#ifndef PROFLOG_EVENTLOG_H
#define PROFLOG_EVENTLOG_H

#include "profiler/recorder.h"
#include <proflog/ghc-encode.h>

enum {
  EVENTLOG_CAPS_MAX = GHC_NO_CAP, /* capabilities have lower numbers */
  EVENTLOG_PROCESS = 0,           /* sets of capabilities: that of the process ... */
  EVENTLOG_CLOCK = 1,             /* ... and of those that share a clock */
  EVENTLOG_TEXT_MAX = 4096,       /* bytes of a text */
};

/* A time as the log has it. */
static inline uint64_t
eventlog_time (uint64_t time)
{
  return time > recorder_begun ? time - recorder_begun : 0;
}

/* Records an event of this thread at a time, which may be before that of others. */
#define EVENTLOG_RECORD_AT(id, event, when)                                                        \
  do {                                                                                             \
    struct recorder *record_r = recorder_begin (ghc_bound_event_##id (&(event)), 0, 0, 0);         \
    if (record_r != NULL)                                                                          \
      recorder_commit (record_r,                                                                   \
                       ghc_put_event_##id (record_r->position, eventlog_time (when), &(event)));   \
  } while (0)

/* Records one that happens now. */
#define EVENTLOG_RECORD(id, event)                                                                 \
  do {                                                                                             \
    struct recorder *record_r = recorder_begin (ghc_bound_event_##id (&(event)), 0, 0, 0);         \
    if (record_r != NULL) {                                                                        \
      struct mlpd_encoder *record_e = &record_r->buffer->encoder;                                  \
      record_e->time = recorder_time (record_r, clock_now ());                                     \
      recorder_commit (record_r, ghc_put_event_##id (record_r->position,                           \
                                                     eventlog_time (record_e->time), &(event)));   \
    }                                                                                              \
  } while (0)

/* This thread's recorder, of a thread that was told of and runs.  NULL: nothing can be recorded. */
struct recorder *eventlog_recorder (void);

/* The thread stops for a reason (GHC_STOP_STATUS_...), or goes on; somebody woke it up. */
void eventlog_stop (unsigned status);
void eventlog_go_on (void);
void eventlog_wake_up (void);

/* The thread ends.  What it allocates after that counts, but nothing else is told of it. */
void eventlog_end_thread (void);

/* The recorder will have another thread, or its thread begins anew.  On that thread. */
void eventlog_forget_thread (struct recorder *recorder);

/* Another thread, or this one, has a name from now on. */
void eventlog_thread_named (uint64_t thread, const char *name);

/* The thread has allocated so many bytes more.  Returns its recorder, or NULL. */
struct recorder *eventlog_allocated (uint64_t size);

/* Tells how many there are by now. */
void eventlog_tell_allocated (void);

#endif
