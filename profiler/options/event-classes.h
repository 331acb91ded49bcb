/* event-classes.h -- the classes of events, and those that are recorded now. */
#ifndef PROFILER_EVENT_CLASSES_H
#define PROFILER_EVENT_CLASSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum event_class_index {
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog) CLASS_INDEX_##ID,
#include "profiler/options/event-classes.def"
  EVENT_CLASSES
};

/* A bit each. */
enum event_class {
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  CLASS_##ID = 1 << CLASS_INDEX_##ID,
#include "profiler/options/event-classes.def"
};

/* Their names, with a NULL after the last. */
extern const char *const event_class_names[EVENT_CLASSES + 1];

/* The class of this name (of `length` bytes); 0: there is none. */
unsigned event_class_find (const char *name, size_t length);

/* ---- switching ---- */

/* The classes that are recorded now, as bits; 0 while recording is paused. */
extern _Atomic unsigned event_classes_recorded;

/* Relaxed: no data depends on it.  A callback that is under way while a class is turned off may
 * record one more event. */
static inline bool
is_recorded (enum event_class which)
{
  return (atomic_load_explicit (&event_classes_recorded, memory_order_relaxed) & which) != 0;
}

extern _Atomic bool event_recording_paused;

/* Classes that are and can be recorded, as bits. */
struct event_switch {
  unsigned armed;   /* can be enabled */
  unsigned later;   /* cannot be recorded in the log's data version */
  unsigned enabled; /* are recorded when recording is not paused */
  bool paused;      /* on request */
  bool failed;      /* as the log cannot be written */
};

#endif
