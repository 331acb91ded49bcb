/* mono-objects.c -- allocations, handles, finalizers, exceptions, monitors. */
#include "profiler/mono-profiler.h"
#include "profiler/sampling.h"
#include <mono/metadata/appdomain.h>

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
record_allocation (MonoObject *object, uint64_t size)
{
  struct frames frames;
  struct mlpd_alloc event = { .object = address (object), .size = size };
  if (log_has_vtables ()) {
    MonoVTable *vtable = mono_object_get_vtable (object);
    name_vtable (vtable);
    event.vtable = address (vtable);
  } else {
    MonoClass *klass = mono_object_get_class (object);
    name_class (klass);
    event.klass = address (klass);
  }
  event.backtrace = backtrace (&frames);
  RECORD (alloc, event, allocation_base (&event), event.object, 0);
}

static void
gc_allocation (MonoProfiler *p, MonoObject *object)
{
  (void) p;
  record_allocation (object, rounded_size (mono_object_get_size (object)));
}

/* ---- sampled allocations ---- */

/* Sizes of objects by their vtables: where next to nothing is recorded, asking the runtime for the
 * vtable and the size of each would be most of the work.  An entry is the vtable's address, of 48
 * bits, over 16 bits of size: how many units of 8 bytes, or IS_VECTOR and the size of an element,
 * or 0 if the runtime is to be asked each time.  It is read and written whole, and any thread may
 * replace it by another.
 *
 * An object begins with the address of its vtable, a vector goes on with a pointer, its length and
 * its elements.  That is no promise of the runtime's: what is learned is only what was seen to be
 * so with an object of the vtable. */
#define SIZES_BITS 12
#define SIZE_BITS 16
#define IS_VECTOR (1u << (SIZE_BITS - 1))
static _Atomic uint64_t sizes[1 << SIZES_BITS];

struct vector {
  uint64_t vtable, synchronisation, bounds;
  uint32_t length;
  uint64_t elements[];
};

static inline _Atomic uint64_t *
size_place (uint64_t vtable)
{
  return &sizes[vtable * UINT64_C (0x9E3779B97F4A7C15) >> (64 - SIZES_BITS)];
}

static inline uint64_t
first_word (MonoObject *object)
{
  return *(const uint64_t *) (const void *) object;
}

static inline uint64_t
vector_size (MonoObject *object, uint64_t element_size)
{
  const struct vector *v = (const void *) object;
  return rounded_size (sizeof *v + element_size * v->length);
}

static void
learn_size (MonoObject *object, uint64_t size)
{
  MonoVTable *vtable = mono_object_get_vtable (object);
  MonoClass *klass = mono_vtable_class (vtable);
  uint64_t known = 0;
  if (mono_class_get_rank (klass) == 1) {
    const int element_size = mono_array_element_size (klass);
    const uint64_t length = mono_array_length ((MonoArray *) object);
    if (length == 0)
      return; /* it shows nothing */
    if (element_size > 0 && element_size < (int) IS_VECTOR
        && ((const struct vector *) (const void *) object)->length == length
        && vector_size (object, (uint64_t) element_size) == size)
      known = IS_VECTOR | (uint64_t) element_size;
  } else if (mono_class_get_rank (klass) == 0 && klass != mono_get_string_class ()
             && size / 8 < IS_VECTOR)
    known = size / 8;
  if (address (vtable) == first_word (object) && address (vtable) >> (64 - SIZE_BITS) == 0)
    atomic_store_explicit (size_place (address (vtable)), address (vtable) << SIZE_BITS | known,
                           memory_order_relaxed);
}

void
forget_sizes (void)
{
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    atomic_store_explicit (&sizes[i], 0, memory_order_relaxed);
}

static _Thread_local struct sampling sampling __attribute__ ((tls_model ("initial-exec")));

/* Where the size is not known, or the object is to be recorded. */
static __attribute__ ((noinline)) void
sample_slowly (MonoProfiler *p, MonoObject *object)
{
  const uint64_t size = rounded_size (mono_object_get_size (object)), vtable = first_word (object);
  if (atomic_load_explicit (size_place (vtable), memory_order_relaxed) >> SIZE_BITS != vtable)
    learn_size (object, size);
  if (sampling_hits (&sampling, size, p->options.alloc_sampling))
    record_allocation (object, size);
}

static void
gc_allocation_sampled (MonoProfiler *p, MonoObject *object)
{
  const uint64_t vtable = first_word (object);
  /* If the entry is another vtable's, this is far from 0 to 2^16. */
  const uint64_t known
      = atomic_load_explicit (size_place (vtable), memory_order_relaxed) - (vtable << SIZE_BITS);
  uint64_t size = UINT64_MAX;
  if (__builtin_expect (known - 1 < IS_VECTOR - 1, 1))
    size = 8 * known;
  else if (known - IS_VECTOR < IS_VECTOR)
    size = vector_size (object, known - IS_VECTOR);
  if (__builtin_expect (size < sampling.left, 1))
    sampling.left -= size;
  else
    sample_slowly (p, object);
}

/* ---- exceptions, monitors ---- */

/* No version has a field for the class of an exception or of a lock.  A METADATA CLASS event at
 * the same time, right before the event, says it (docs/mlpd-format.md, type marks); it is a
 * class announced once more to readers that do not know this.  Both are published as one. */
#define RECORD_WITH_TYPE(id, event, typed)                                                         \
  do {                                                                                             \
    const struct name *type_name = name_class (mono_object_get_class (typed));                     \
    struct mlpd_metadata_class mark = { .action = MLPD_LOAD_END_LOAD };                            \
    if (type_name != NULL) {                                                                       \
      mark.klass = type_name->address;                                                             \
      mark.image = type_name->image;                                                               \
      mark.name = (struct mlpd_string){ type_name->text, type_name->length };                      \
    }                                                                                              \
    struct recorder *r                                                                             \
        = recorder_begin (mlpd_bound_metadata_class (&mark) + mlpd_bound_##id (&(event)),          \
                          mark.klass, (event).object, 0);                                          \
    if (r != NULL) {                                                                               \
      struct mlpd_encoder *e = &r->buffer->encoder;                                                \
      uint8_t *at = r->position;                                                                   \
      mark.time = (event).time = recorder_time (r, clock_now ());                                  \
      if (type_name != NULL)                                                                       \
        at = mlpd_put_metadata_class (e, at, &mark);                                               \
      recorder_commit (r, mlpd_put_##id (e, at, &(event)));                                        \
    }                                                                                              \
  } while (0)

static void
exception_throw (MonoProfiler *p, MonoObject *exception)
{
  (void) p;
  struct frames frames;
  struct mlpd_exception_throw event
      = { .object = address (exception), .backtrace = backtrace (&frames) };
  RECORD_WITH_TYPE (exception_throw, event, exception);
  set_searching (true);
}

static void
exception_clause (MonoProfiler *p, MonoMethod *method, uint32_t index, MonoExceptionEnum type,
                  MonoObject *exception)
{
  (void) p;
  if (type != MONO_EXCEPTION_CLAUSE_FILTER)
    set_searching (false);
  name_method (method);
  struct mlpd_exception_clause event = { .clause_type = (uint64_t) type,
                                         .clause = index,
                                         .method = address (method),
                                         .object = address (exception) };
  RECORD (exception_clause, event, 0, 0, event.method);
}

static void
monitor_contention (MonoProfiler *p, MonoObject *lock)
{
  (void) p;
  struct frames frames;
  struct mlpd_monitor event = { .event = MLPD_MONITOR_EVENT_CONTENTION,
                                .object = address (lock),
                                .backtrace = backtrace (&frames) };
  RECORD_WITH_TYPE (monitor, event, lock);
}

static void
monitor_end (MonoObject *lock, uint64_t how)
{
  struct mlpd_monitor event = { .event = how, .object = address (lock) };
  RECORD (monitor, event, 0, event.object, 0);
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
                                          .backtrace = backtrace (&frames) };
  RECORD (gc_handle_created, event, 0, event.object, 0);
}

static void
handle_deleted (MonoProfiler *p, uint32_t handle, MonoGCHandleType type)
{
  (void) p;
  struct frames frames;
  struct mlpd_gc_handle_destroyed event
      = { .handle_type = (uint64_t) type, .handle = handle, .backtrace = backtrace (&frames) };
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
arm_objects (struct _MonoProfiler *p)
{
  if (is_armed (CLASS_EXCEPTION) || p->options.stacks == STACKS_SHADOW)
    mono_profiler_enable_clauses ();
  if (is_armed (CLASS_ALLOC))
    mono_profiler_enable_allocations ();
}

void
set_object_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  const bool exceptions = is_recorded (CLASS_EXCEPTION), monitors = is_recorded (CLASS_MONITOR);
  const bool searches = p->options.stacks == STACKS_SHADOW;
  mono_profiler_set_exception_throw_callback (h, exceptions ? exception_throw
                                                 : searches ? search_begins
                                                            : NULL);
  mono_profiler_set_exception_clause_callback (h, exceptions ? exception_clause
                                                  : searches ? search_ends
                                                             : NULL);
  mono_profiler_set_monitor_contention_callback (h, monitors ? monitor_contention : NULL);
  mono_profiler_set_monitor_acquired_callback (h, monitors ? monitor_acquired : NULL);
  mono_profiler_set_monitor_failed_callback (h, monitors ? monitor_failed : NULL);
  mono_profiler_set_gc_allocation_callback (h, !is_recorded (CLASS_ALLOC) ? NULL
                                               : p->options.alloc_sampling != 0
                                                   ? gc_allocation_sampled
                                                   : gc_allocation);
  const bool handles = is_recorded (CLASS_GCHANDLE), finalizers = is_recorded (CLASS_FINALIZATION);
  mono_profiler_set_gc_handle_created_callback (h, handles ? handle_created : NULL);
  mono_profiler_set_gc_handle_deleted_callback (h, handles ? handle_deleted : NULL);
  mono_profiler_set_gc_finalizing_callback (h, finalizers ? finalizing : NULL);
  mono_profiler_set_gc_finalizing_object_callback (h, finalizers ? finalizing_object : NULL);
  mono_profiler_set_gc_finalized_object_callback (h, finalizers ? finalized_object : NULL);
}
