/* event-switch.h -- turns classes of events on and off while the program runs. */
#ifndef PROFILER_EVENT_SWITCH_H
#define PROFILER_EVENT_SWITCH_H

#include "profiler/options/event-classes.h"
#include "profiler/options/options.h"

struct _MonoProfiler;

/* The parts that depend on the recorded classes. */
struct event_switch_users {
  void (*set_callbacks) (struct _MonoProfiler *p); /* those of the classes that are recorded now */
  void (*calls_end) (void);                        /* calls are no longer recorded */
};

/* The classes that the options select.  Before callbacks are set, which event_switch_begin does. */
void event_switch_start (const struct options *options);
void event_switch_begin (const struct event_switch_users *users);

/* From any thread. */
struct event_switch event_switch_get (void);

/* Whether a class can be recorded now or later. */
static inline bool
is_armed (enum event_class which)
{
  return (event_switch_get ().armed & which) != 0;
}

/* From any thread but one that has stopped the world.  The callbacks follow; threads that are in
 * one end it. */
void event_switch_set (unsigned enabled, bool paused);

/* The log has failed, or goes on: while it has failed, no heap snapshots are taken. */
void event_switch_fail (bool failed);

/* The log ends before the program: recording pauses for ever. */
void event_switch_stop (void);

/* In the child of a fork. */
void event_switch_after_fork (void);

#endif
