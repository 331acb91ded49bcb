/* eventlog.h -- events of threads for an eventlog.
 *
 * A recorder is a capability, so each thread that lives has one of its own, and later ones take
 * over those of ended threads.  A thread gets a number when it records its first event.  Of the
 * thread that calls, unless a comment states otherwise; nothing here allocates or locks.
 */
#ifndef PROFILER_EVENTLOG_H
#define PROFILER_EVENTLOG_H

#include "profiler/record/recorder.h"
#include <proflog/ghc-encode.h>

enum {
  EVENTLOG_CAPS_MAX = GHC_NO_CAP, /* capabilities have lower numbers */
  EVENTLOG_PROCESS = 0,           /* the set of capabilities of the process */
  EVENTLOG_CLOCK = 1,             /* the set of those that share a clock */
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

/* The log is an eventlog.  `name_of_thread` looks up the name of a thread by its id; NULL: it has
 * none.  Before anything is recorded. */
void eventlog_start (const char *(*name_of_thread) (uint64_t thread));

/* This thread's recorder, of a thread that is in the log and runs.  NULL: nothing can be recorded.
 */
struct recorder *eventlog_recorder (void);

/* The thread stops for a reason (GHC_STOP_STATUS_...), or goes on; another one woke it up. */
void eventlog_stop (unsigned status);
void eventlog_continue (void);
void eventlog_wake_up (void);

/* The thread ends.  Its later allocations count, but no other event of it is recorded. */
void eventlog_end_thread (void);

/* The recorder will have another thread, or its thread begins anew.  On that thread. */
void eventlog_forget_thread (struct recorder *recorder);

/* A thread of the log, by its number there, has this name from now on. */
void eventlog_label_thread (uint32_t thread, const char *name);

/* The thread has allocated this many bytes more.  Returns its recorder, or NULL. */
struct recorder *eventlog_allocated (uint64_t size);

/* Reports how many there are by now. */
void eventlog_record_allocated (void);

#endif
