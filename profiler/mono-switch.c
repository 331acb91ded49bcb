/* mono-switch.c -- what is recorded changes by setting callbacks: the runtime takes and leaves them
 * at any time, and what is not recorded costs as little as it can. */
#include "profiler/mono-profiler.h"

static struct event_switch now;

void
event_switch_start (const struct options *o)
{
  unsigned at_any_time = 0, later = 0;
#define EVENT_CLASS(ID, name, is_armed_at_start, since)                                            \
  at_any_time |= is_armed_at_start ? 0u : CLASS_##ID;                                              \
  later |= since > o->version ? CLASS_##ID : 0u;
#include "profiler/event-classes.def"
  now.enabled = event_classes_of (o);
  now.armed = (now.enabled | o->armed | at_any_time) & ~later;
  now.later = later;
  now.paused = o->paused;
  atomic_store (&event_recording_paused, now.paused);
  atomic_store (&event_classes_recorded, now.paused ? 0 : now.enabled);
}

struct event_switch
event_switch_get (void)
{
  return now;
}

void
event_switch_set (unsigned enabled, bool paused)
{
  const unsigned before = now.paused ? 0 : now.enabled, after = paused ? 0 : enabled;
  now.enabled = enabled;
  now.paused = paused;
  atomic_store (&event_recording_paused, paused);
  atomic_store (&event_classes_recorded, after);
  if ((before & ~after & CLASS_CALLS) != 0)
    end_calls ();
  set_event_callbacks (&profiler);
}
