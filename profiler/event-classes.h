/* event-classes.h -- which classes of events are recorded now. */
#ifndef PROFLOG_EVENT_CLASSES_H
#define PROFLOG_EVENT_CLASSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct options;

enum event_class_index {
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog) CLASS_INDEX_##ID,
#include "profiler/event-classes.def"
  EVENT_CLASSES
};

/* A bit each. */
enum event_class {
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  CLASS_##ID = 1 << CLASS_INDEX_##ID,
#include "profiler/event-classes.def"
};

/* Their names, with a NULL behind the last. */
extern const char *const event_class_names[EVENT_CLASSES + 1];

/* The class of this name (of `length` bytes); 0: there is none. */
unsigned event_class_find (const char *name, size_t length);

/* Those that are asked for. */
unsigned event_classes_of (const struct options *options);

/* ---- switching ---- */

/* What is recorded now; none while recording is paused. */
extern _Atomic unsigned event_classes_recorded;

static inline bool
is_recorded (enum event_class which)
{
  return (atomic_load_explicit (&event_classes_recorded, memory_order_relaxed) & which) != 0;
}

extern _Atomic bool event_recording_paused;

struct event_switch {
  unsigned armed;   /* can be enabled */
  unsigned later;   /* cannot be said in the log's data version */
  unsigned enabled; /* are recorded when recording is not paused */
  bool paused;      /* as asked for */
  bool failed;      /* as the log cannot be written */
};

/* As asked for at the start.  Before callbacks are set, which event_switch_begin does. */
void event_switch_start (const struct options *options);
void event_switch_begin (void);

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

/* While the log has failed recording is paused, whatever is asked for. */
void event_switch_fail (bool failed);

/* In the child of a fork. */
void event_switch_after_fork (void);

#endif
