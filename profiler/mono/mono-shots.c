/* mono-shots.c -- the events of a heap snapshot, and requests for one. */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include "profiler/record/buffer-queue.h"

#define NO_SHOT UINT64_MAX

static _Atomic bool shot_at_next_major; /* set by any thread */
static _Atomic uint64_t shots_taken;

/* ---- events ---- */

/* Classes (or vtables) without a name in the heap snapshot that this thread recorded.  Each thread
 * has its own: they are named when the world runs again, and another thread may record the next
 * snapshot meanwhile.  (initial-exec: reaching it must not allocate while the world is stopped.) */
static _Thread_local struct address_set unnamed_types __attribute__ ((tls_model ("initial-exec")));

/* The contents of objects. */
static bool
record_contents (const struct object_record *record)
{
  struct mlpd_counter_value values[OBJECT_RECORD_REFERENCES];
  char texts[CONTENTS_TEXTS_SIZE];
  struct mlpd_sample_counters event
      = { .values = { values, contents_values (record, values, texts) } };
  struct recorder *r = recorder_begin (mlpd_bound_sample_counters (&event), 0, 0, 0);
  if (r == NULL)
    return false;
  RECORD_AT (r,
             buffer_queue_is_world_stopped () ? r->buffer->encoder.time /* as objects are */
                                              : clock_now (),
             sample_counters, event);
  return true;
}

bool
heap_record_object (const struct object_record *o)
{
  if (o->object == 0)
    return record_contents (o);
  if (layouts_note_type (o->type)
      && names_find (log_has_vtables () ? NAME_VTABLE : NAME_CLASS, o->type) == NULL)
    address_set_add (&unnamed_types, o->type);
  struct mlpd_heap_object event
      = { .object = o->object,
          .klass = o->type,
          .vtable = o->type,
          .size = o->size,
          .generation = o->generation,
          .references = { .items = o->references, .offsets = o->offsets, .count = o->count } };
  struct recorder *r = recorder_begin (mlpd_bound_heap_object (&event), o->type, event.object, 0);
  if (r == NULL)
    return false;
  event.time = buffer_queue_is_world_stopped () ? r->buffer->encoder.time /* all at once */
                                                : recorder_time (r, clock_now ());
  if (unnamed_types.count != 0)
    recorder_hold (r);
  recorder_commit (r, mlpd_put_heap_object (&r->buffer->encoder, r->position, &event));
  return true;
}

static bool are_contents_noted; /* of the walk */

/* `data` points to the function that uses the records. */
static int
walk_object (MonoObject *object, MonoClass *klass, uintptr_t size, uintptr_t count,
             MonoObject **references, uintptr_t *offsets, void *data)
{
  bool (*const *use) (const struct object_record *) = data;
  const bool has_vtables = log_has_vtables ();
  struct object_record record; /* only the used parts are set: it is large */
  record.object = address (object);
  record.type = has_vtables ? address (mono_object_get_vtable (object)) : address (klass);
  record.size = rounded_size (size);
  record.generation = has_vtables ? (uint32_t) mono_gc_get_generation (object) : 0;
  uintptr_t done = 0;
  do {
    record.count = count - done < OBJECT_RECORD_REFERENCES ? (uint32_t) (count - done)
                                                           : OBJECT_RECORD_REFERENCES;
    for (uint32_t i = 0; i < record.count; i++) {
      record.references[i] = address (references[done + i]);
      record.offsets[i] = offsets[done + i];
    }
    if (!(*use) (&record))
      return 1;
    record.size = 0; /* continues the object */
    done += record.count;
  } while (done < count);
  return are_contents_noted && !contents_note (object, klass, *use);
}

void
heap_walk (bool (*use) (const struct object_record *record))
{
  are_contents_noted = contents_begin ();
  if (boehm_is_there ())
    boehm_walk (walk_object, &use);
  else
    mono_gc_walk_heap (0, walk_object, &use);
  if (are_contents_noted)
    contents_end (use);
}

uint64_t
heap_lost_of_thread (void)
{
  struct recorder *r = recorder_of_thread;
  const struct recorder_losses losses
      = r != NULL ? recorder_losses_of (r) : (struct recorder_losses){ 0 };
  return recorder_lost_events (&losses);
}

uint64_t
heap_record_start (void)
{
  struct mlpd_heap_start start = { 0 };
  layouts_begin ();
  struct recorder *r = recorder_begin (mlpd_bound_heap_start (&start), 0, 0, 0);
  if (r == NULL)
    return NO_SHOT;
  const uint64_t losses = heap_lost_of_thread ();
  recorder_begin_shot (r);
  RECORD_IN (r, heap_start, start);
  return losses;
}

/* A snapshot with losses has no END, so that readers do not regard it as complete. */
void
heap_record_end (uint64_t losses)
{
  struct mlpd_heap_end end = { 0 };
  struct recorder *r = recorder_begin (mlpd_bound_heap_end (&end), 0, 0, 0);
  if (r != NULL && heap_lost_of_thread () == losses)
    RECORD_IN (r, heap_end, end);
  recorder_end_shot ();
}

void
heap_count_shot (void)
{
  atomic_fetch_add (&shots_taken, 1);
}

/* The world runs again: names that were missing can be announced, before the events that use
 * them. */
void
heap_name_types (void)
{
  if (unnamed_types.count == 0)
    return;
  struct address_set types = unnamed_types;
  unnamed_types = (struct address_set){ 0 };
  if (log_has_vtables ())
    names_add_vtables (&types);
  else
    names_add_classes (&types);
  if (recorder_of_thread != NULL)
    recorder_release (recorder_of_thread);
}

uint64_t
heap_shots_run (void)
{
  return atomic_load (&shots_taken);
}

/* ---- requests ---- */

const char *
heap_shots_refusal (void)
{
  return boehm_is_there () ? boehm_refusal () : NULL;
}

void
heap_shot_request (void)
{
  atomic_store (&shot_at_next_major, true);
  if (atomic_load (&profiler.initialized))
    mono_gc_finalize_notify (); /* posts a semaphore, which any thread may do */
}

void
heap_shot_run (void)
{
  void *stack = NULL;
  atomic_store (&shot_at_next_major, true);
  if (!boehm_is_there ()) {
    mono_gc_collect (mono_gc_max_generation ());
    return;
  }
  /* There the runtime ends the program if native code collects. */
  void *const state = mono_threads_enter_gc_unsafe_region (&stack);
  mono_gc_collect (mono_gc_max_generation ());
  mono_threads_exit_gc_unsafe_region (state, &stack);
}

bool
heap_shot_is_requested (void)
{
  return atomic_load (&shot_at_next_major);
}

void
heap_shot_end_request (void)
{
  atomic_store (&shot_at_next_major, false);
}
