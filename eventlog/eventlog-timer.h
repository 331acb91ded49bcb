/* eventlog-timer.h -- a thread that flushes and syncs a writer of eventlogs now and then. */
#ifndef PROFLOG_EVENTLOG_TIMER_H
#define PROFLOG_EVENTLOG_TIMER_H

#include <proflog/eventlog-writer.h>

struct eventlog_timer;

enum eventlog_chore { EVENTLOG_FLUSH, EVENTLOG_SYNC, EVENTLOG_CHORES };

/* NULL without memory or threads. */
struct eventlog_timer *eventlog_timer_new (struct eventlog_writer *writer);
void eventlog_timer_free (struct eventlog_timer *timer);

/* 0: not at all. */
void eventlog_timer_set (struct eventlog_timer *timer, enum eventlog_chore chore,
                         unsigned milliseconds);

#endif
