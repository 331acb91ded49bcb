/* mono-objects.c -- allocations, exceptions, monitors. */
#include "profiler/mono-profiler.h"

static void
gc_allocation (MonoProfiler *p, MonoObject *object)
{
  (void) p;
  MonoClass *klass = mono_object_get_class (object);
  name_class (klass);
  struct frames frames;
  struct mlpd_alloc event = { .klass = address (klass),
                              .object = address (object),
                              .size = rounded_size (mono_object_get_size (object)),
                              .backtrace = backtrace (&frames) };
  RECORD (alloc, event, event.klass, event.object, 0);
}

/* Version 1 has no field for the class of an exception or of a lock.  A METADATA CLASS event at
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
      mark.time = (event).time = recorder_now (r);                                                 \
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
  (void) exception;
  if (type != MONO_EXCEPTION_CLAUSE_FILTER)
    set_searching (false);
  name_method (method);
  struct mlpd_exception_clause event
      = { .clause_type = (uint64_t) type, .clause = index, .method = address (method) };
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

void
arm_objects (struct _MonoProfiler *p)
{
  const unsigned armed = event_switch_get ().armed;
  if ((armed & CLASS_EXCEPTION) != 0 || p->options.stacks == STACKS_SHADOW)
    mono_profiler_enable_clauses ();
  if ((armed & CLASS_ALLOC) != 0)
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
  mono_profiler_set_gc_allocation_callback (h, is_recorded (CLASS_ALLOC) ? gc_allocation : NULL);
}
