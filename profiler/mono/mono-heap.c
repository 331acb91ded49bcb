/* mono-heap.c -- collections, heap snapshots, roots. */
#include "config.h"

#include "agent/warn.h"
#include "profiler/control/auto-save.h"
#include "profiler/mono/mono-private.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/write/log-contents.h"
#include "profiler/write/writer-work.h"
#include <string.h>

/* Heap snapshots.  Only the thread that collects touches these, one at a time. */
static _Atomic uint64_t last_shot_time; /* the ticker reads it */
static uint32_t major_collections;
static bool shot_taken;
static bool shot_running;          /* from its START to its END */
static bool shot_is_requested;     /* it was, before the collection */
static bool shot_is_forked;        /* forked_shot_begin has begun it */
static uint64_t shot_losses;       /* of this thread, before it (heap_record_start) */
static _Atomic uint64_t shot_mode; /* when, and in the high half the interval */

/* Of PROFLOG_HEAPSHOT_AUTO, for the thread that collects and the ticker. */
static _Atomic uint64_t auto_interval_ns;
static _Atomic uint64_t shots_ns; /* that snapshots took of the program's time */
static uint64_t shot_costs_from;  /* when what would not have happened without this one began */
#define AUTO_COST_SHARE 20        /* of the time */
/* The interval of a young program that collects: a part of its time, as three snapshots make a
 * trend.  No collection is requested earlier for that: it ends native sleeps, and one that begins
 * while the runtime waits for its sampling thread, at its end, never ends. */
#define AUTO_YOUNG_SHARE 4
#define AUTO_YOUNG_NS UINT64_C (100000000) /* at least */
#define SYNC_POINTS_NS UINT64_C (50000000) /* between stops with sync points, at least */
#define AUTO_INTERVAL_MAX_NS UINT64_C (3600000000000)

/* These run on the collecting thread while the world is stopped: no lock, no malloc.  A snapshot
 * begins before the collection, so that its roots belong to it. */
static void
begin_shot (void)
{
  shot_running = true;
  shot_is_forked = forked_shot_begin (shot_is_requested);
  if (!shot_is_forked)
    shot_losses = heap_record_start ();
}

static void record_roots (uint64_t count, const mono_byte *const *addresses,
                          MonoObject *const *objects);

static void
register_memory (const struct boehm_memory *memory)
{
  struct mlpd_heap_root_register event = { .start = memory->start,
                                           .size = memory->size,
                                           .source = (uint64_t) memory->source,
                                           .key = memory->key,
                                           .name = string_of (memory->name) };
  RECORD (heap_root_register, event, event.start, 0, 0);
}

static void
unregister_memory (const struct boehm_memory *memory)
{
  struct mlpd_heap_root_unregister event = { .start = memory->start };
  RECORD (heap_root_unregister, event, event.start, 0, 0);
}

/* The collector reports no roots.  Their memory has its name until the END. */
static void
end_boehm_shot (void)
{
  const bool has_roots = is_recorded (CLASS_GCROOT);
  boehm_begin_walk ();
  if (has_roots) {
    boehm_visit_memory (register_memory);
    boehm_find_roots (record_roots);
  }
  heap_walk (heap_record_object);
  const uint64_t left_out = boehm_left_out ();
  recorder_add_lost (left_out);
  heap_record_end (left_out == 0 && boehm_has_marked () ? shot_losses : UINT64_MAX);
  if (has_roots)
    boehm_visit_memory (unregister_memory);
  heap_count_shot ();
}

static void
end_shot (void)
{
  if (shot_costs_from == 0)
    shot_costs_from = clock_now (); /* the collection would have been there without it */
  if (shot_is_forked) {
    forked_shot_walk ();
  } else if (boehm_is_there ()) {
    end_boehm_shot ();
  } else {
    heap_walk (heap_record_object);
    heap_record_end (shot_losses);
    heap_count_shot ();
  }
  const uint64_t now = clock_now ();
  atomic_fetch_add (&shots_ns, now - shot_costs_from);
  atomic_store_explicit (&last_shot_time, now, memory_order_relaxed);
  shot_taken = true;
  shot_running = false;
}

/* Since the start where there is none. */
static uint64_t
time_since_shot (void)
{
  const uint64_t last = atomic_load_explicit (&last_shot_time, memory_order_relaxed);
  return clock_now () - (last != 0 ? last : recorder_begun);
}

/* Whether the interval has passed, or two without a collection of the program.  Snapshots become
 * rarer while they take more than their share of the time. */
static bool
auto_shot_is_due (bool collects)
{
  uint64_t interval = atomic_load (&auto_interval_ns);
  const uint64_t age = clock_now () - recorder_begun, young = age / AUTO_YOUNG_SHARE > AUTO_YOUNG_NS
                                                                  ? age / AUTO_YOUNG_SHARE
                                                                  : AUTO_YOUNG_NS;
  const uint64_t passed = time_since_shot ();
  if (passed < (!collects ? 2 * interval : young < interval ? young : interval))
    return false;
  if (atomic_load (&shots_ns) <= age / AUTO_COST_SHARE || interval >= AUTO_INTERVAL_MAX_NS)
    return true;
  if (passed >= interval)
    atomic_compare_exchange_strong (&auto_interval_ns, &interval, 2 * interval);
  return false;
}

static bool
shot_is_due (uint32_t generation)
{
  bool major = generation == (uint32_t) mono_gc_max_generation ();
  if (atomic_load (&event_recording_paused) || forked_shot_is_open ()
      || (boehm_is_there () && !boehm_begin ()))
    return false;
  shot_costs_from = 0;
  shot_is_requested = false;
  if (major && heap_shot_is_requested ()) {
    shot_costs_from = clock_now ();
    shot_is_requested = true;
    /* Before the request is gone: the ticker makes no other. */
    atomic_store (&last_shot_time, shot_costs_from);
    heap_shot_end_request ();
    return true;
  }
  const uint64_t mode = atomic_load_explicit (&shot_mode, memory_order_relaxed);
  const uint32_t interval = (uint32_t) (mode >> 32);
  switch ((enum proflog_heapshot_when) (uint32_t) mode) {
  case PROFLOG_HEAPSHOT_OFF:
  case PROFLOG_HEAPSHOT_ON_DEMAND:
    return false;
  case PROFLOG_HEAPSHOT_MAJOR:
    return major;
  case PROFLOG_HEAPSHOT_GC:
    return major && ++major_collections % interval == 0;
  case PROFLOG_HEAPSHOT_MS:
    return !shot_taken || time_since_shot () >= (uint64_t) interval * 1000000;
  case PROFLOG_HEAPSHOT_AUTO:
    return !shot_taken || (major && auto_shot_is_due (true));
  }
  return false;
}

/* Data version 1 does not know the later ones. */
static int
last_gc_event (void)
{
  return recorder_version < MLPD_VERSION_NO_FLAGS ? MLPD_GC_EVENT_POST_START_WORLD
                                                  : MLPD_GC_EVENT_POST_START_WORLD_UNLOCKED;
}

/* Readers that sort events by time need not retain those before a sync point, of which a few in a
 * second suffice.  A stop has two or none.  Only the thread that has stopped the world uses this.
 */
static bool stop_has_sync_points;

static void
note_stop (void)
{
  static uint64_t next;
  const uint64_t now = clock_now ();
  stop_has_sync_points = now >= next && recorder_version >= MLPD_VERSION_NO_FLAGS
                         && !atomic_load (&event_recording_paused);
  if (!stop_has_sync_points)
    return;
  next = now + SYNC_POINTS_NS;
  writer_sync_point (MLPD_SYNC_TYPE_WORLD_STOP);
}

static void
note_start (void)
{
  if (stop_has_sync_points)
    writer_sync_point (MLPD_SYNC_TYPE_WORLD_START);
}

static void gc_roots (MonoProfiler *p, uint64_t count, const mono_byte *const *addresses,
                      MonoObject *const *objects);

/* Only before a collection begins: the runtime collects the objects that are pinned for this
 * callback, and forgets them at the end for it.  Those that it remembers when the callback is
 * removed meanwhile are gone when it is set the next time, and it crashes. */
static void
set_roots_callback (MonoProfiler *p)
{
  mono_profiler_set_gc_roots_callback (p->handle, is_recorded (CLASS_GCROOT) ? gc_roots : NULL);
}

static void
gc_event (MonoProfiler *p, MonoProfilerGCEvent gc, uint32_t generation, mono_bool is_serial)
{
  (void) is_serial;
  if (gc == MONO_GC_EVENT_PRE_STOP_WORLD) {
    set_roots_callback (p);
    auto_save_note_stop ();
    buffer_queue_set_world_stopped (true);
  }
  if (is_recorded (CLASS_GC) && (int) gc <= last_gc_event ()) {
    struct mlpd_gc_event event = { .event = (uint64_t) gc, .generation = generation };
    RECORD (gc_event, event, 0, 0, 0);
  }
  if (gc == MONO_GC_EVENT_POST_STOP_WORLD)
    note_stop ();
  if (gc == MONO_GC_EVENT_POST_STOP_WORLD && shot_is_due (generation))
    begin_shot ();
  if (gc == MONO_GC_EVENT_PRE_START_WORLD && shot_running)
    end_shot ();
  if (gc == MONO_GC_EVENT_PRE_START_WORLD)
    note_start ();
  if (gc == MONO_GC_EVENT_POST_START_WORLD) {
    buffer_queue_set_world_stopped (false);
    auto_save_note_start ();
  }
  if (gc == MONO_GC_EVENT_POST_START_WORLD_UNLOCKED) {
    heap_name_types ();
    layouts_end ();
    forked_shot_release ();
  }
}

static void
gc_resize (MonoProfiler *p, uintptr_t size)
{
  (void) p;
  struct mlpd_gc_resize event = { .size = size };
  log_set_heap_size (size);
  auto_save_note_heap (size);
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

/* ---- roots ---- */

static void
record_roots (uint64_t count, const mono_byte *const *addresses, MonoObject *const *objects)
{
  enum { BATCH = 64 };
  struct mlpd_root roots[BATCH];
  for (uint64_t done = 0; done < count; done += BATCH) {
    const size_t n = count - done < BATCH ? (size_t) (count - done) : BATCH;
    for (size_t i = 0; i < n; i++)
      roots[i] = (struct mlpd_root){ .address = address (addresses[done + i]),
                                     .object = address (objects[done + i]) };
    struct mlpd_heap_root event = { .roots = { .items = roots, .count = n } };
    RECORD (heap_root, event, roots[0].address, roots[0].object, 0);
  }
}

static void
gc_roots (MonoProfiler *p, uint64_t count, const mono_byte *const *addresses,
          MonoObject *const *objects)
{
  if (!is_recorded (CLASS_GCROOT)) /* since the collection began */
    return;
  if (p->options.heapshot_fork && !shot_running)
    return; /* they might get into a snapshot that is being recorded */
  record_roots (count, addresses, objects);
}

/* The key of a root in the log: the number of a domain or context. */
static uint64_t
root_key (MonoGCRootSource source, const void *key)
{
  if (source == MONO_ROOT_SOURCE_DOMAIN && key != NULL)
    return (uint64_t) mono_domain_get_id ((MonoDomain *) key);
  if (source == MONO_ROOT_SOURCE_CONTEXT_STATIC && key != NULL)
    return (uint64_t) mono_context_get_id ((MonoAppContext *) key);
  return address (key);
}

static void
root_registered (MonoProfiler *p, const mono_byte *start, uintptr_t size, MonoGCRootSource source,
                 const void *key, const char *name)
{
  (void) p;
  struct mlpd_heap_root_register event
      = { .start = address (start),
          .size = size,
          .source = (uint64_t) source,
          .key = root_key (source, key),
          .name = { name != NULL ? name : "", name != NULL ? strlen (name) : 0 } };
  names_set (NAME_ROOT, event.start, event.source, name != NULL ? name : "", event.key, event.size);
  RECORD (heap_root_register, event, event.start, 0, 0);
}

static void
root_unregistered (MonoProfiler *p, const mono_byte *start)
{
  (void) p;
  struct mlpd_heap_root_unregister event = { .start = address (start) };
  names_remove (NAME_ROOT, event.start);
  RECORD (heap_root_unregister, event, event.start, 0, 0);
}

/* ---- on demand ---- */

/* On the thread of the finalizers, which may collect.  Not while the runtime ends: its main thread
 * may wait for the sampling thread, which would wait for the collection, and this for the main
 * thread. */
static void
finalized (MonoProfiler *p)
{
  (void) p;
  if (is_recorded (CLASS_FINALIZATION)) {
    struct mlpd_gc_finalize_end event = { 0 };
    RECORD (gc_finalize_end, event, 0, 0, 0);
  }
  if (heap_shot_is_requested () && !state_end_has_begun ())
    mono_gc_collect (mono_gc_max_generation ());
}

void
heap_shots_set (const struct proflog_heapshot_mode *mode)
{
  atomic_store (&auto_interval_ns, (uint64_t) mode->interval * 1000000);
  atomic_store (&shot_mode, (uint64_t) mode->interval << 32 | (uint32_t) mode->when);
}

void
heap_shots_learn (void)
{
  if (!boehm_is_there ())
    return;
  boehm_learn ();
  const char *const why = boehm_refusal ();
  if (why == NULL
      || (profiler.options.heapshot.when == PROFLOG_HEAPSHOT_OFF
          && !profiler.options.heapshot_on_shutdown))
    return;
  profiler.options.heapshot_on_shutdown = false;
  heap_shots_set (&(const struct proflog_heapshot_mode){ .when = PROFLOG_HEAPSHOT_OFF });
  proflog_warn ("no heap snapshots are taken: %s", why);
}

bool
heap_shots_are_auto (void)
{
  return (uint32_t) atomic_load (&shot_mode) == PROFLOG_HEAPSHOT_AUTO;
}

void
heap_shots_check (void)
{
  if (heap_shots_are_auto () && !atomic_load (&event_recording_paused) && !heap_shot_is_requested ()
      && auto_shot_is_due (false))
    heap_shot_request ();
}

void
heap_shot_run_last (struct _MonoProfiler *p)
{
  if ((p->options.heapshot_on_shutdown || heap_shots_are_auto ())
      && !atomic_load (&event_recording_paused)) {
    forked_shots_finish ();
    heap_shot_run ();
  }
}

void
heap_set_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  /* Also without gc events: this callback reports when the world is stopped. */
  mono_profiler_set_gc_event_callback (h, gc_event);
  mono_profiler_set_gc_resize_callback (h, is_recorded (CLASS_GC) ? gc_resize : NULL);
  mono_profiler_set_gc_moves_callback (h, is_recorded (CLASS_GCMOVE) ? gc_moves : NULL);
  mono_profiler_set_gc_finalized_callback (h, finalized);
  const bool roots = is_recorded (CLASS_GCROOT);
  mono_profiler_set_gc_root_register_callback (h, roots ? root_registered : NULL);
  mono_profiler_set_gc_root_unregister_callback (h, roots ? root_unregistered : NULL);
}
