/* mono-objects.c -- allocations, handles, finalizers, exceptions, monitors. */
#include "config.h"

#include "profiler/control/auto-save.h"
#include "profiler/mono/mono-locks.h"
#include "profiler/mono/mono-private.h"
#include "profiler/options/sampling.h"

/* ---- backtraces ---- */

/* Wrappers that the runtime made are no frames of the program and would eat the budget. */
static mono_bool
walk_frame (MonoMethod *method, int32_t native_offset, int32_t il_offset, mono_bool managed,
            void *data)
{
  (void) native_offset;
  (void) il_offset;
  (void) managed;
  struct frames *f = data;
  if (method == NULL)
    return 0;
  const struct name *name = names_find (NAME_METHOD, address (method));
  if (name == NULL)
    f->unnamed = true;
  if (name == NULL || !name->wrapper)
    f->methods[f->count++] = address (method);
  return f->count == f->limit;
}

/* Names the frames.  False if there are wrappers among them, which have to be left out.  Without
 * memory the stack ends where a name is missing. */
static bool
name_frames (struct frames *f)
{
  bool good = true;
  for (size_t i = 0; i < f->count; i++) {
    const struct name *name = name_method ((MonoMethod *) (uintptr_t) f->methods[i]);
    if (name == NULL)
      f->count = i;
    else if (name->wrapper)
      good = false;
  }
  return good;
}

static struct mlpd_list
walk_by_runtime (struct frames *f)
{
  /* Naming a method takes locks and memory, so it is not done in the middle of a walk.  Where a new
   * name turns out to be a wrapper's there is another round. */
  do {
    f->unnamed = false;
    f->count = 0;
    mono_stack_walk_no_il (walk_frame, f);
  } while (f->unnamed && !name_frames (f));
  for (size_t i = 0; i < f->count / 2; i++) {
    uint64_t swap = f->methods[i];
    f->methods[i] = f->methods[f->count - 1 - i];
    f->methods[f->count - 1 - i] = swap;
  }
  return (struct mlpd_list){ f->methods, f->count };
}

static bool
can_walk (void)
{
  return profiler.options.stacks != STACKS_NONE
         && atomic_load_explicit (&profiler.initialized, memory_order_relaxed)
         && recorder_running ();
}

/* The methods that the thread is in, outermost first.  Empty where backtraces are off.  The list is
 * in `frames`. */
static struct mlpd_list
stacks_capture (struct frames *f)
{
  f->limit = profiler.options.max_frames;
  return can_walk () ? walk_by_runtime (f) : (struct mlpd_list){ NULL, 0 };
}

/* The same for frequent events; also valid until the thread's next one only.  See frames_walk.  The
 * runtime's walk would be most of the cost of recording all allocations. */
static struct mlpd_list
stacks_capture_frequent (struct frames *f)
{
  struct mlpd_list list;
  if (profiler.options.stacks != STACKS_AUTO || !can_walk ())
    return stacks_capture (f);
  if (frames_walk (&list, profiler.options.max_frames))
    return list;
  list = stacks_capture (f);
  frames_learn (&list, f->limit);
  return list;
}

/* A good pointer to count from: one of those that will be written.  Where frames are pointers they
 * are most of them, and the one in the middle of a stack is near to most others. */
static inline uint64_t
allocation_base (const struct mlpd_alloc *event)
{
  const struct mlpd_list *frames = &event->backtrace;
  if (log_has_vtables ())
    return event->vtable;
  return frames->count != 0 ? frames->items[frames->count / 2] : event->klass;
}

static inline void
record_allocation (MonoObject *object, const struct new_object *o)
{
  struct frames frames;
  struct mlpd_alloc event = { .object = address (object), .size = o->size };
  *(log_has_vtables () ? &event.vtable : &event.klass) = o->type;
  event.backtrace = profiler.options.alloc_sampling != 0 ? stacks_capture (&frames)
                                                         : stacks_capture_frequent (&frames);
  RECORD (alloc, event, allocation_base (&event), event.object, 0);
}

static void
gc_allocation (MonoProfiler *p, MonoObject *object)
{
  (void) p;
  const struct new_object o = new_object_read (object);
  record_allocation (object, &o);
}

/* ---- sampled allocations ---- */

static _Thread_local struct sampling sampling __attribute__ ((tls_model ("initial-exec")));

static __attribute__ ((noinline)) void
gc_allocation_sampled (MonoProfiler *p, MonoObject *object)
{
  const uint64_t size = rounded_size (mono_object_get_size (object));
  if (!sampling_selects (&sampling, address (object), size, p->options.alloc_sampling))
    return;
  const struct new_object o = new_object_read (object);
  record_allocation (object, &o);
}

/* With SGen.  Few allocations are recorded: to request the size of each object from the runtime, or
 * to maintain a table of sizes, would be most of the work. */
static void
gc_allocation_sampled_by_address (MonoProfiler *p, MonoObject *object)
{
  if (!sampling_skips (&sampling, address (object)))
    gc_allocation_sampled (p, object);
}

static MonoProfilerGCAllocationCallback
allocation_callback (const struct options *o)
{
  if (!is_recorded (CLASS_ALLOC))
    return NULL;
  if (o->alloc_sampling == 0)
    return gc_allocation;
  /* Boehm's collector has but one generation, and objects of all sizes side by side. */
  return mono_gc_max_generation () > 0 ? gc_allocation_sampled_by_address : gc_allocation_sampled;
}

/* ---- exceptions, monitors ---- */

/* Data of an event that have no field: values of counters right after it.  NULL or without values:
 * there is nothing. */
static size_t
bound_of_more (const struct mlpd_sample_counters *more)
{
  return more != NULL && more->values.count != 0 ? mlpd_bound_sample_counters (more) : 0;
}

static uint8_t *
put_more (struct mlpd_encoder *e, uint8_t *at, struct mlpd_sample_counters *more, uint64_t time)
{
  if (more == NULL || more->values.count == 0)
    return at;
  more->time = time;
  return mlpd_put_sample_counters (e, at, more);
}

/* No version has a field for the class of an exception or of a lock.  A METADATA CLASS event at
 * the same time, right before the event, states it (docs/mlpd-format.md, type marks); it is a
 * class announced once more to readers that do not know this.  Both are published as one. */
#define RECORD_WITH_TYPE(id, event, typed, more)                                                   \
  do {                                                                                             \
    const struct name *type_name = name_class (mono_object_get_class (typed));                     \
    struct mlpd_metadata_class mark = { .action = MLPD_LOAD_END_LOAD };                            \
    if (type_name != NULL) {                                                                       \
      mark.klass = type_name->address;                                                             \
      mark.image = type_name->image;                                                               \
      mark.name = (struct mlpd_string){ type_name->text, type_name->length };                      \
    }                                                                                              \
    struct recorder *r = recorder_begin (mlpd_bound_metadata_class (&mark)                         \
                                             + mlpd_bound_##id (&(event)) + bound_of_more (more),  \
                                         mark.klass, (event).object, 0);                           \
    if (r != NULL) {                                                                               \
      struct mlpd_encoder *e = &r->buffer->encoder;                                                \
      uint8_t *at = r->position;                                                                   \
      mark.time = (event).time = recorder_time (r, clock_now ());                                  \
      if (type_name != NULL)                                                                       \
        at = mlpd_put_metadata_class (e, at, &mark);                                               \
      at = mlpd_put_##id (e, at, &(event));                                                        \
      recorder_commit (r, put_more (e, at, more, (event).time));                                   \
    }                                                                                              \
  } while (0)

static void
note_throw (MonoObject *exception)
{
  char name[SAVE_TYPE_SIZE];
  names_plain_class (mono_object_get_class (exception), name, sizeof name);
  auto_save_note_throw (name);
}

static void
exception_throw (MonoProfiler *p, MonoObject *exception)
{
  (void) p;
  struct frames frames;
  struct mlpd_exception_throw event
      = { .object = address (exception), .backtrace = stacks_capture (&frames) };
  RECORD_WITH_TYPE (exception_throw, event, exception, NULL);
  if (auto_save_wants_types ())
    note_throw (exception);
}

static void
exception_clause (MonoProfiler *p, MonoMethod *method, uint32_t index, MonoExceptionEnum type,
                  MonoObject *exception)
{
  (void) p;
  name_method (method);
  struct mlpd_exception_clause event = { .clause_type = (uint64_t) type,
                                         .clause = index,
                                         .method = address (method),
                                         .object = address (exception) };
  RECORD (exception_clause, event, 0, 0, event.method);
}

/* Earlier versions have no readers of these. */
static size_t
count_of_more (size_t count)
{
  return recorder_version >= MLPD_VERSION_ALL_CLASSES ? count : 0;
}

static void
monitor_contention (MonoProfiler *p, MonoObject *lock)
{
  (void) p;
  struct frames frames;
  const struct mlpd_counter_value owner
      = { .index = MLPD_LOCK_OWNER_INDEX,
          .type = MLPD_COUNTER_TYPE_ULONG,
          .number = locks_begin_wait (lock, mono_object_get_class (lock)) };
  struct mlpd_sample_counters more = { .values = { &owner, count_of_more (owner.number != 0) } };
  struct mlpd_monitor event = { .event = MLPD_MONITOR_EVENT_CONTENTION,
                                .object = address (lock),
                                .backtrace = stacks_capture (&frames) };
  RECORD_WITH_TYPE (monitor, event, lock, &more);
}

static void
monitor_end (MonoObject *lock, uint64_t how)
{
  uint64_t methods[LOCK_PLACE_FRAMES];
  struct mlpd_counter_value values[LOCK_PLACE_FRAMES];
  struct mlpd_monitor event = { .event = how, .object = address (lock) };
  const size_t n = count_of_more (locks_end_wait (methods));
  for (size_t i = 0; i < n; i++)
    values[i] = (struct mlpd_counter_value){ .index = MLPD_LOCK_PLACE_INDEX,
                                             .type = MLPD_COUNTER_TYPE_ULONG,
                                             .number = methods[i] };
  struct mlpd_sample_counters more = { .values = { values, n } };
  struct recorder *const r
      = recorder_begin (mlpd_bound_monitor (&event) + bound_of_more (&more), 0, event.object, 0);
  if (r == NULL)
    return;
  event.time = recorder_time (r, clock_now ());
  uint8_t *const at = mlpd_put_monitor (&r->buffer->encoder, r->position, &event);
  recorder_commit (r, put_more (&r->buffer->encoder, at, &more, event.time));
}

static void
monitor_acquired (MonoProfiler *p, MonoObject *lock)
{
  (void) p;
  monitor_end (lock, MLPD_MONITOR_EVENT_DONE);
}

static void
monitor_failed (MonoProfiler *p, MonoObject *lock)
{
  (void) p;
  monitor_end (lock, MLPD_MONITOR_EVENT_FAIL);
}

/* ---- handles, finalizers ---- */

static void
handle_created (MonoProfiler *p, uint32_t handle, MonoGCHandleType type, MonoObject *object)
{
  (void) p;
  struct frames frames;
  struct mlpd_gc_handle_created event = { .handle_type = (uint64_t) type,
                                          .handle = handle,
                                          .object = address (object),
                                          .backtrace = stacks_capture (&frames) };
  RECORD (gc_handle_created, event, 0, event.object, 0);
}

static void
handle_deleted (MonoProfiler *p, uint32_t handle, MonoGCHandleType type)
{
  (void) p;
  struct frames frames;
  struct mlpd_gc_handle_destroyed event
      = { .handle_type = (uint64_t) type, .handle = handle, .backtrace = stacks_capture (&frames) };
  RECORD (gc_handle_destroyed, event, 0, 0, 0);
}

static void
finalizing (MonoProfiler *p)
{
  (void) p;
  struct mlpd_gc_finalize_start event = { 0 };
  RECORD (gc_finalize_start, event, 0, 0, 0);
}

static void
finalizing_object (MonoProfiler *p, MonoObject *object)
{
  (void) p;
  struct mlpd_gc_finalize_object_start event = { .object = address (object) };
  RECORD (gc_finalize_object_start, event, 0, event.object, 0);
}

static void
finalized_object (MonoProfiler *p, MonoObject *object)
{
  (void) p;
  struct mlpd_gc_finalize_object_end event = { .object = address (object) };
  RECORD (gc_finalize_object_end, event, 0, event.object, 0);
}

void
objects_arm (struct _MonoProfiler *p)
{
  /* All code that is compiled from now on reports each finally clause then, also without an
   * exception. */
  if (p->options.clauses)
    mono_profiler_enable_clauses ();
  if (is_armed (CLASS_ALLOC))
    mono_profiler_enable_allocations ();
}

void
objects_set_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  const bool exceptions = is_recorded (CLASS_EXCEPTION), monitors = is_recorded (CLASS_MONITOR);
  locks_set_recorded (monitors);
  mono_profiler_set_exception_throw_callback (h, exceptions ? exception_throw : NULL);
  mono_profiler_set_exception_clause_callback (
      h, exceptions && p->options.clauses ? exception_clause : NULL);
  mono_profiler_set_monitor_contention_callback (h, monitors ? monitor_contention : NULL);
  mono_profiler_set_monitor_acquired_callback (h, monitors ? monitor_acquired : NULL);
  mono_profiler_set_monitor_failed_callback (h, monitors ? monitor_failed : NULL);
  mono_profiler_set_gc_allocation_callback (h, allocation_callback (&p->options));
  const bool handles = is_recorded (CLASS_GCHANDLE), finalizers = is_recorded (CLASS_FINALIZATION);
  mono_profiler_set_gc_handle_created_callback (h, handles ? handle_created : NULL);
  mono_profiler_set_gc_handle_deleted_callback (h, handles ? handle_deleted : NULL);
  mono_profiler_set_gc_finalizing_callback (h, finalizers ? finalizing : NULL);
  mono_profiler_set_gc_finalizing_object_callback (h, finalizers ? finalizing_object : NULL);
  mono_profiler_set_gc_finalized_object_callback (h, finalizers ? finalized_object : NULL);
}
