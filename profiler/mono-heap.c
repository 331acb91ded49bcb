/* mono-heap.c -- collections and heap shots. */
#include "profiler/heap-shots.h"
#include "profiler/mono-profiler.h"
#include "profiler/writer.h"
#include <mono/metadata/mono-gc.h>

/* Heap shots.  Only the thread that collects touches these, one at a time. */
static uint64_t last_shot_time;
static uint32_t major_collections;
static bool shot_taken;
static _Atomic bool shot_at_next_major; /* set by any thread */
static _Atomic uint64_t shots_taken;

/* Classes without a name in the heap shot that this thread took.  Each thread has its own: they
 * are named when the world runs again, and another thread may take the next shot meanwhile.
 * (initial-exec: reaching it must not allocate while the world is stopped.) */
static _Thread_local struct address_set unnamed_classes
    __attribute__ ((tls_model ("initial-exec")));

static int
walk_object (MonoObject *object, MonoClass *klass, uintptr_t size, uintptr_t count,
             MonoObject **references, uintptr_t *offsets, void *data)
{
  (void) offsets; /* version 1 has no room for them */
  (void) data;
  uint64_t addresses[128];
  if (names_find (NAME_CLASS, address (klass)) == NULL)
    address_set_add (&unnamed_classes, address (klass));
  /* The runtime gives no more than 128 references at a time; size 0 continues an object. */
  uintptr_t done = 0;
  do {
    uintptr_t n = count - done < 128 ? count - done : 128;
    for (uintptr_t i = 0; i < n; i++)
      addresses[i] = address (references[done + i]);
    struct mlpd_heap_object event = { .object = address (object),
                                      .klass = address (klass),
                                      .size = done == 0 ? rounded_size (size) : 0,
                                      .references = { .items = addresses, .count = n } };
    struct recorder *r
        = recorder_begin (mlpd_bound_heap_object (&event), event.klass, event.object, 0);
    if (r == NULL)
      return 1;
    if (unnamed_classes.count != 0)
      recorder_hold (r);
    recorder_commit (r, mlpd_put_heap_object (&r->buffer->encoder, r->position, &event));
    done += n;
  } while (done < count);
  return 0;
}

/* Runs on the collecting thread while the world is stopped: no lock, no malloc. */
static void
take_shot (void)
{
  struct mlpd_heap_start start = { 0 };
  RECORD (heap_start, start, 0, 0, 0);
  mono_gc_walk_heap (0, walk_object, NULL);
  struct mlpd_heap_end end = { 0 };
  RECORD (heap_end, end, 0, 0, 0);
  last_shot_time = end.time;
  shot_taken = true;
  atomic_fetch_add (&shots_taken, 1);
}

static bool
shot_is_due (struct _MonoProfiler *p, uint32_t generation)
{
  bool major = generation == (uint32_t) mono_gc_max_generation ();
  if (atomic_load (&event_recording_paused))
    return false;
  if (major && atomic_exchange (&shot_at_next_major, false))
    return true;
  const struct proflog_heapshot_mode *mode = &p->options.heapshot;
  switch (mode->when) {
  case PROFLOG_HEAPSHOT_OFF:
    return false;
  case PROFLOG_HEAPSHOT_MAJOR:
    return major;
  case PROFLOG_HEAPSHOT_GC:
    return major && ++major_collections % mode->interval == 0;
  case PROFLOG_HEAPSHOT_MS:
    return !shot_taken || clock_now () - last_shot_time >= (uint64_t) mode->interval * 1000000;
  }
  return false;
}

/* The world runs again: names that were missing can be announced, before what uses them. */
static void
name_shot_classes (void)
{
  if (unnamed_classes.count == 0)
    return;
  struct address_set classes = unnamed_classes;
  unnamed_classes = (struct address_set){ 0 };
  name_classes (&classes);
  if (recorder_of_thread != NULL)
    recorder_release (recorder_of_thread);
}

static void
gc_event (MonoProfiler *p, MonoProfilerGCEvent gc, uint32_t generation, mono_bool is_serial)
{
  (void) is_serial;
  if (gc == MONO_GC_EVENT_PRE_STOP_WORLD)
    writer_set_world_stopped (true);
  /* Version 1 knows the events up to 9. */
  if (is_recorded (CLASS_GC) && (int) gc <= MLPD_GC_EVENT_POST_START_WORLD) {
    struct mlpd_gc_event event = { .event = (uint64_t) gc, .generation = generation };
    RECORD (gc_event, event, 0, 0, 0);
  }
  if (gc == MONO_GC_EVENT_PRE_START_WORLD && shot_is_due (p, generation))
    take_shot ();
  if (gc == MONO_GC_EVENT_POST_START_WORLD)
    writer_set_world_stopped (false);
  if (gc == MONO_GC_EVENT_POST_START_WORLD_UNLOCKED)
    name_shot_classes ();
}

static void
gc_resize (MonoProfiler *p, uintptr_t size)
{
  (void) p;
  struct mlpd_gc_resize event = { .size = size };
  RECORD (gc_resize, event, 0, 0, 0);
}

static void
gc_moves (MonoProfiler *p, MonoObject *const *objects, uint64_t count)
{
  (void) p;
  enum { BATCH = 256 }; /* even: old and new address of an object stay together */
  uint64_t addresses[BATCH];
  for (uint64_t done = 0; done < count; done += BATCH) {
    size_t n = count - done < BATCH ? (size_t) (count - done) : BATCH;
    for (size_t i = 0; i < n; i++)
      addresses[i] = address (objects[done + i]);
    struct mlpd_gc_move event = { .objects = { addresses, n } };
    RECORD (gc_move, event, 0, addresses[0], 0);
  }
}

/* ---- on demand ---- */

/* On the thread of the finalizers, which may collect. */
static void
collect_for_shot (MonoProfiler *p)
{
  (void) p;
  if (atomic_load (&shot_at_next_major))
    mono_gc_collect (mono_gc_max_generation ());
}

uint64_t
heap_shots_taken (void)
{
  return atomic_load (&shots_taken);
}

void
heap_shot_ask (void)
{
  atomic_store (&shot_at_next_major, true);
  if (atomic_load (&profiler.initialized))
    mono_gc_finalize_notify (); /* posts a semaphore, which any thread may do */
}

void
take_last_shot (struct _MonoProfiler *p)
{
  if (!p->options.heapshot_on_shutdown)
    return;
  atomic_store (&shot_at_next_major, true);
  mono_gc_collect (mono_gc_max_generation ());
}

void
set_heap_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  /* Also without gc events: this tells when the world is stopped. */
  mono_profiler_set_gc_event_callback (h, gc_event);
  mono_profiler_set_gc_resize_callback (h, is_recorded (CLASS_GC) ? gc_resize : NULL);
  mono_profiler_set_gc_moves_callback (h, is_recorded (CLASS_GCMOVE) ? gc_moves : NULL);
  mono_profiler_set_gc_finalized_callback (h, collect_for_shot);
}
