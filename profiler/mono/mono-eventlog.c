/* mono-eventlog.c -- events of the runtime, as an eventlog records them (docs/architecture.md).
 *
 * Collections are those of one thread, which stops the world.  The others stand still meanwhile,
 * and cannot record it.
 */
#include "config.h"

#include "profiler/control/auto-save.h"
#include "profiler/record/eventlog.h"
#include "profiler/mono/mono-private.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/write/log-format.h"
#include <stdio.h>
#include <string.h>

/* ---- threads ---- */

static bool
is_this_thread (uintptr_t thread)
{
  return thread == (uintptr_t) pthread_self ();
}

static void
thread_started (MonoProfiler *p, uintptr_t thread)
{
  (void) p;
  if (!is_this_thread (thread))
    return;
  if (recorder_of_thread != NULL && recorder_of_thread->eventlog.is_over)
    eventlog_forget_thread (recorder_of_thread);
  eventlog_recorder ();
}

static void
thread_stopped (MonoProfiler *p, uintptr_t thread)
{
  (void) p;
  names_forget_thread (thread);
  if (is_this_thread (thread))
    eventlog_end_thread ();
}

static void
thread_named (MonoProfiler *p, uintptr_t thread, const char *name)
{
  (void) p;
  const char *const text = name != NULL ? name : "";
  names_set_thread (thread, text);
  struct recorder *self = eventlog_recorder ();
  for (struct recorder *r = recorder_first (); self != NULL && r != NULL; r = r->next) {
    const uint32_t id = atomic_load (&r->eventlog.id);
    if (id != 0 && atomic_load (&r->thread) == thread) {
      eventlog_label_thread (id, text);
      return;
    }
  }
}

static const char *
name_of_thread (uint64_t thread)
{
  const struct name *name = names_find (NAME_THREAD, thread);
  return name != NULL ? name->text : NULL;
}

void
eventlog_begin (void)
{
  eventlog_start (name_of_thread);
}

/* ---- collections ---- */

/* The collection of the thread that has stopped the world.  One collection may have several stops
 * (a concurrent one begins in one and ends in a later one), and one stop several collections. */
static struct {
  bool is_recorded; /* collections were when this one began */
  bool is_open;     /* GC_START was written, GC_END was not */
  bool has_ended;   /* one of the collections of the stop, of which GC_END is not written */
  bool was_major;   /* one of those that ended in the stop */
  uint64_t began;   /* the start of the last collection; 0: it is written */
} collection;

static void
begin_collection (uint64_t time)
{
  const struct ghc_gc_start start = { 0 };
  EVENTLOG_RECORD_AT (gc_start, start, time);
  collection.is_open = true;
}

static void
end_collection (uint64_t time)
{
  const struct ghc_gc_end end = { 0 };
  if (collection.is_open)
    EVENTLOG_RECORD_AT (gc_end, end, time);
  collection.is_open = collection.has_ended = false;
}

static void
generation_done (uint32_t generation)
{
  const uint64_t now = clock_now ();
  if (collection.has_ended) { /* another one of the same stop */
    const uint64_t border = collection.began != 0 ? collection.began : now;
    end_collection (border);
    begin_collection (border);
  }
  const struct ghc_gc_global_sync sync = { 0 };
  const struct ghc_gc_stats_ghc stats = { .heap_capset = EVENTLOG_PROCESS,
                                          .generation = (uint16_t) generation,
                                          .par_n_threads = 1 };
  EVENTLOG_RECORD (gc_global_sync, sync);
  EVENTLOG_RECORD (gc_stats_ghc, stats);
  collection.has_ended = true;
  collection.began = 0;
  collection.was_major |= generation == (uint32_t) mono_gc_max_generation ();
}

/* The live bytes can be requested only when the collector's lock is free again: as this thread
 * allocates next. */
static void
record_heap (void)
{
  const struct ghc_heap_size size
      = { .heap_capset = EVENTLOG_PROCESS, .bytes = (uint64_t) mono_gc_get_heap_size () };
  eventlog_record_allocated ();
  EVENTLOG_RECORD (heap_size, size);
  if (collection.was_major && recorder_of_thread != NULL)
    recorder_of_thread->eventlog.is_live_due = true;
}

static void
record_live (struct recorder *r)
{
  const struct ghc_heap_live live
      = { .heap_capset = EVENTLOG_PROCESS, .bytes = (uint64_t) mono_gc_get_used_size () };
  r->eventlog.is_live_due = false;
  EVENTLOG_RECORD (heap_live, live);
}

static void
record_collection (MonoProfilerGCEvent gc, uint32_t generation)
{
  const struct ghc_request_seq_gc request = { 0 };
  switch (gc) {
  case MONO_GC_EVENT_PRE_STOP_WORLD:
    eventlog_stop (GHC_STOP_STATUS_HEAP_OVERFLOW);
    EVENTLOG_RECORD (request_seq_gc, request);
    break;
  case MONO_GC_EVENT_POST_STOP_WORLD:
    collection.was_major = false;
    collection.began = 0;
    begin_collection (clock_now ());
    break;
  case MONO_GC_EVENT_START:
    collection.began = clock_now ();
    break;
  case MONO_GC_EVENT_END:
    generation_done (generation);
    break;
  case MONO_GC_EVENT_PRE_START_WORLD:
    end_collection (clock_now ());
    record_heap ();
    break;
  case MONO_GC_EVENT_POST_START_WORLD_UNLOCKED:
    eventlog_continue ();
    break;
  default:
    break;
  }
}

static void
gc_event (MonoProfiler *p, MonoProfilerGCEvent gc, uint32_t generation, mono_bool is_serial)
{
  (void) p;
  (void) is_serial;
  if (gc == MONO_GC_EVENT_PRE_STOP_WORLD) {
    auto_save_note_stop ();
    buffer_queue_set_world_stopped (true);
    collection.is_recorded = is_recorded (CLASS_GC);
  }
  if (collection.is_recorded)
    record_collection (gc, generation);
  if (gc == MONO_GC_EVENT_POST_START_WORLD) {
    buffer_queue_set_world_stopped (false);
    auto_save_note_start ();
  }
}

/* ---- allocations, exceptions, monitors ---- */

static void
gc_allocation (MonoProfiler *p, MonoObject *object)
{
  (void) p;
  struct recorder *r = eventlog_allocated (rounded_size (mono_object_get_size (object)));
  if (r != NULL && __builtin_expect (r->eventlog.is_live_due, 0))
    record_live (r);
}

static void
exception_throw (MonoProfiler *p, MonoObject *exception)
{
  (void) p;
  char text[EVENTLOG_TEXT_MAX];
  char *type = mono_type_get_name (mono_class_get_type (mono_object_get_class (exception)));
  snprintf (text, sizeof text, "throw %s", type != NULL ? type : "");
  const struct ghc_user_marker event = { .marker = { text, strlen (text) } };
  if (eventlog_recorder () != NULL)
    EVENTLOG_RECORD (user_marker, event);
  if (auto_save_wants_types () && type != NULL)
    auto_save_note_throw (type);
  mono_free (type);
}

static void
exception_clause (MonoProfiler *p, MonoMethod *method, uint32_t index, MonoExceptionEnum type,
                  MonoObject *exception)
{
  (void) p;
  (void) index;
  (void) exception;
  char text[EVENTLOG_TEXT_MAX];
  char *name = mono_method_full_name (method, 1);
  snprintf (text, sizeof text, "%s in %s",
            type == MONO_EXCEPTION_CLAUSE_NONE      ? "catch"
            : type == MONO_EXCEPTION_CLAUSE_FILTER  ? "filter"
            : type == MONO_EXCEPTION_CLAUSE_FINALLY ? "finally"
                                                    : "fault",
            name != NULL ? name : "");
  mono_free (name);
  const struct ghc_user_msg event = { .message = { text, strlen (text) } };
  if (eventlog_recorder () != NULL)
    EVENTLOG_RECORD (user_msg, event);
}

/* A lock is closest to an MVar that is empty. */
static void
monitor_contention (MonoProfiler *p, MonoObject *lock)
{
  (void) p;
  (void) lock;
  eventlog_stop (GHC_STOP_STATUS_MVAR);
}

/* Also when the wait was in vain. */
static void
monitor_left (MonoProfiler *p, MonoObject *lock)
{
  (void) p;
  (void) lock;
  eventlog_wake_up ();
}

/* ---- callbacks ---- */

void
eventlog_set_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  const bool exceptions = is_recorded (CLASS_EXCEPTION), monitors = is_recorded (CLASS_MONITOR);
  mono_profiler_set_thread_started_callback (h, thread_started);
  mono_profiler_set_thread_stopped_callback (h, thread_stopped);
  mono_profiler_set_thread_name_callback (h, thread_named);
  /* Also without collections: this callback reports when the world is stopped. */
  mono_profiler_set_gc_event_callback (h, gc_event);
  mono_profiler_set_gc_allocation_callback (h, is_recorded (CLASS_ALLOC) ? gc_allocation : NULL);
  mono_profiler_set_exception_throw_callback (h, exceptions ? exception_throw : NULL);
  mono_profiler_set_exception_clause_callback (
      h, exceptions && p->options.clauses ? exception_clause : NULL);
  mono_profiler_set_monitor_contention_callback (h, monitors ? monitor_contention : NULL);
  mono_profiler_set_monitor_acquired_callback (h, monitors ? monitor_left : NULL);
  mono_profiler_set_monitor_failed_callback (h, monitors ? monitor_left : NULL);
}
