/* event-switch.c -- changes the classes of events that are recorded by setting callbacks: the
 * runtime accepts them at any time, and an event without a callback costs almost nothing. */
#include "config.h"

#include "profiler/mono/event-switch.h"
#include "profiler/mono/mono-private.h"

static unsigned armed, later; /* do not change after the start */
static _Atomic unsigned classes_enabled;
static _Atomic bool wanted_pause, log_failed;
static const struct event_switch_users *users; /* NULL: no callbacks may be set yet */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
event_switch_start (const struct options *o)
{
  unsigned at_any_time = 0;
  later = 0; /* also of an attempt to attach that failed */
#define EVENT_CLASS(ID, name, is_armed_at_start, since, in_eventlog)                               \
  at_any_time |= is_armed_at_start ? 0u : CLASS_##ID;                                              \
  later |= (o->eventlog ? !(in_eventlog) : since > o->version) ? CLASS_##ID : 0u;
#include "profiler/options/event-classes.def"
  const unsigned enabled = options_classes (o);
  armed = (enabled | o->armed | at_any_time) & ~later;
  atomic_store (&classes_enabled, enabled);
  atomic_store (&wanted_pause, o->paused);
  atomic_store (&event_recording_paused, o->paused);
  atomic_store (&event_classes_recorded, o->paused ? 0 : enabled);
}

struct event_switch
event_switch_get (void)
{
  return (struct event_switch){ .armed = armed,
                                .later = later,
                                .enabled = atomic_load (&classes_enabled),
                                .paused = atomic_load (&wanted_pause),
                                .failed = atomic_load (&log_failed) };
}

/* Under the lock: records the classes that were requested.  If the log has failed, events are
 * recorded nevertheless: they are retained for another log, or counted.  But there are no heap
 * snapshots, sync points and marks. */
static void
apply (void)
{
  const bool paused = atomic_load (&wanted_pause);
  const unsigned after = paused ? 0 : atomic_load (&classes_enabled);
  atomic_store (&event_recording_paused, paused || atomic_load (&log_failed));
  const unsigned before = atomic_exchange (&event_classes_recorded, after);
  if (users == NULL)
    return;
  if ((before & ~after & CLASS_CALLS) != 0)
    users->calls_end ();
  users->set_callbacks (&profiler);
}

void
event_switch_begin (const struct event_switch_users *of_module)
{
  pthread_mutex_lock (&lock);
  users = of_module;
  apply ();
  pthread_mutex_unlock (&lock);
}

void
event_switch_set (unsigned enabled, bool paused)
{
  pthread_mutex_lock (&lock);
  atomic_store (&classes_enabled, enabled);
  atomic_store (&wanted_pause, paused);
  apply ();
  pthread_mutex_unlock (&lock);
}

void
event_switch_stop (void)
{
  event_switch_set (atomic_load (&classes_enabled), true);
}

void
event_switch_fail (bool failed)
{
  pthread_mutex_lock (&lock);
  atomic_store (&log_failed, failed);
  apply ();
  pthread_mutex_unlock (&lock);
}

void
event_switch_after_fork (void)
{
  pthread_mutex_init (&lock, NULL); /* the thread that had it is not there */
  if (atomic_exchange (&log_failed, false) && users != NULL)
    apply (); /* the child has a log of its own */
}
