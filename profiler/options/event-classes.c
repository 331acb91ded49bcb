/* event-classes.c -- names of the event classes, and the state that callbacks read. */
#include "config.h"

#include "profiler/options/event-classes.h"
#include <string.h>

_Atomic unsigned event_classes_recorded;
_Atomic bool event_recording_paused;

const char *const event_class_names[EVENT_CLASSES + 1] = {
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog) #name,
#include "profiler/options/event-classes.def"
};

unsigned
event_class_find (const char *name, size_t length)
{
  for (unsigned i = 0; i < EVENT_CLASSES; i++)
    if (strlen (event_class_names[i]) == length && memcmp (event_class_names[i], name, length) == 0)
      return 1u << i;
  return 0;
}
