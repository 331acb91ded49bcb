/* eventlog-timer.h -- a thread that has a writer of eventlogs flush and sync at intervals. */
#ifndef PROFLOG_EVENTLOG_TIMER_H
#define PROFLOG_EVENTLOG_TIMER_H

struct eventlog_timer;

enum eventlog_chore { EVENTLOG_FLUSH, EVENTLOG_SYNC, EVENTLOG_CHORES };

/* Called by the timer's thread when a chore is due. */
typedef void (*eventlog_tick) (void *data, enum eventlog_chore chore);

/* NULL without memory or threads. */
struct eventlog_timer *eventlog_timer_new (eventlog_tick tick, void *data);
void eventlog_timer_free (struct eventlog_timer *timer);

/* 0: not at all. */
void eventlog_timer_set (struct eventlog_timer *timer, enum eventlog_chore chore,
                         unsigned milliseconds);

#endif
