/* mono-switch.c -- what is recorded changes by setting callbacks: the runtime takes and leaves them
 * at any time, and what is not recorded costs as little as it can. */
#include "profiler/mono-profiler.h"

static unsigned armed, later; /* do not change after the start */
static _Atomic unsigned classes_enabled;

void
event_switch_start (const struct options *o)
{
  unsigned at_any_time = 0;
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  at_any_time |= is_armed_at_start ? 0u : CLASS_##ID;                                              \
  later |= (o->eventlog ? !(in_eventlog) : since > o->version) ? CLASS_##ID : 0u;
#include "profiler/event-classes.def"
  const unsigned enabled = event_classes_of (o);
  armed = (enabled | o->armed | at_any_time) & ~later;
  atomic_store (&classes_enabled, enabled);
  atomic_store (&event_recording_paused, o->paused);
  atomic_store (&event_classes_recorded, o->paused ? 0 : enabled);
}

struct event_switch
event_switch_get (void)
{
  return (struct event_switch){ .armed = armed,
                                .later = later,
                                .enabled = atomic_load (&classes_enabled),
                                .paused = atomic_load (&event_recording_paused) };
}

void
event_switch_set (unsigned enabled, bool paused)
{
  const unsigned after = paused ? 0 : enabled;
  atomic_store (&classes_enabled, enabled);
  atomic_store (&event_recording_paused, paused);
  const unsigned before = atomic_exchange (&event_classes_recorded, after);
  if ((before & ~after & CLASS_CALLS) != 0)
    end_calls ();
  set_event_callbacks (&profiler);
}
