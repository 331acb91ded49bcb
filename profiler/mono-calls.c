/* mono-calls.c -- enter and leave. */
#include "profiler/call-stack.h"
#include "profiler/mono-profiler.h"
#include <mono/metadata/assembly.h>
#include <mono/metadata/image.h>

static MonoProfilerCallInstrumentationFlags
call_filter (MonoProfiler *p, MonoMethod *method)
{
  if (p->options.callspec.count == 0)
    return CALL_FLAGS;
  MonoClass *klass = mono_method_get_class (method);
  MonoImage *image = mono_class_get_image (klass);
  MonoAssembly *program = mono_assembly_get_main ();
  char type[1024];
  plain_class_name (klass, type, sizeof type);
  MonoClass *outermost = klass;
  for (MonoClass *c = klass; c != NULL; c = mono_class_get_nesting_type (c))
    outermost = c;
  struct callspec_method m = {
    .assembly = mono_image_get_name (image),
    .name_space = mono_class_get_namespace (outermost),
    .type = type,
    .name = mono_method_get_name (method),
    .in_program = program != NULL && mono_assembly_get_image (program) == image,
  };
  if (!callspec_matches (&p->options.callspec, &m))
    return MONO_PROFILER_CALL_INSTRUMENTATION_NONE;
  return CALL_FLAGS;
}

/* Where the thread notes that it knows the method's name. */
static inline uint64_t *
note_of_name (struct recorder *r, MonoMethod *method)
{
  return &r->named[address (method) / 16 % RECORDER_NAMED];
}

/* The callbacks of enter and leave do the most usual themselves: as they call nothing in that case,
 * they need not save a register. */
static __attribute__ ((noinline)) void
enter_slowly (MonoProfiler *p, MonoMethod *method)
{
  struct mlpd_method_enter event = { .method = address (method) };
  struct recorder *r = recorder_begin (mlpd_bound_method_enter (&event), 0, 0, event.method);
  if (r == NULL || (r->frames == NULL && !call_stack_make (r)))
    return;
  if (*note_of_name (r, method) != address (method)) {
    name_method (method);
    *note_of_name (r, method) = address (method);
  }
  if (call_stack_enter (r, event.method) < p->options.call_depth)
    RECORD_IN (r, method_enter, event);
}

static void
method_enter (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) context;
  struct mlpd_method_enter event = { .method = address (method) };
  struct recorder *r = recorder_of_thread;
  uint64_t now;
  if (__builtin_expect (r == NULL || !recorder_has_room (r, mlpd_bound_method_enter (&event))
                            || r->frames == NULL || r->depth >= p->options.call_depth
                            || *note_of_name (r, method) != event.method || !clock_read (&now),
                        0)) {
    enter_slowly (p, method);
    return;
  }
  call_stack_enter (r, event.method);
  RECORD_AT (r, now, method_enter, event);
}

/* The innermost frame ends; logged if its enter was. */
static void
leave_frame (struct recorder *r, bool by_exception)
{
  r->depth--;
  if (r->depth >= profiler.options.call_depth)
    return;
  if (by_exception) {
    struct mlpd_method_exc_leave event = { .method = r->frames[r->depth] };
    RECORD (method_exc_leave, event, 0, 0, event.method);
  } else {
    struct mlpd_method_leave event = { .method = r->frames[r->depth] };
    RECORD (method_leave, event, 0, 0, event.method);
  }
}

static __attribute__ ((noinline)) void
leave_slowly (MonoMethod *method, bool by_exception)
{
  struct recorder *r = recorder_of_thread;
  if (r == NULL || r->depth == 0)
    return;
  if (!call_stack_is_on_top (r, address (method))) {
    size_t frames = call_stack_frames_to_leave (r, address (method));
    if (frames == 0)
      return;
    for (; frames > 1; frames--) /* left without a word */
      leave_frame (r, true);
  }
  leave_frame (r, by_exception);
}

static void
method_leave (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) context;
  struct mlpd_method_leave event = { .method = address (method) };
  struct recorder *r = recorder_of_thread;
  uint64_t now;
  if (__builtin_expect (r == NULL || r->depth == 0 || r->depth > p->options.call_depth
                            || !call_stack_is_on_top (r, event.method)
                            || !recorder_has_room (r, mlpd_bound_method_leave (&event))
                            || !clock_read (&now),
                        0)) {
    leave_slowly (method, false);
    return;
  }
  r->depth--;
  RECORD_AT (r, now, method_leave, event);
}

static void
method_tail_call (MonoProfiler *p, MonoMethod *method, MonoMethod *target)
{
  (void) p;
  (void) target;
  leave_slowly (method, false);
}

static void
method_exception_leave (MonoProfiler *p, MonoMethod *method, MonoObject *exception)
{
  (void) p;
  (void) exception;
  leave_slowly (method, true);
}

/* ---- the same after a pause ---- */

/* How often calls were recorded anew, and when they were not any more. */
static _Atomic unsigned beginnings;
static _Atomic uint64_t ended_at;

/* A frame that was open when calls were not recorded any more ends at that time. */
static void
close_frame (struct recorder *r, uint64_t time)
{
  r->depth--;
  if (r->depth >= profiler.options.call_depth)
    return;
  struct mlpd_method_leave event = { .method = r->frames[r->depth] };
  r = recorder_begin (mlpd_bound_method_leave (&event), 0, 0, event.method);
  if (r == NULL)
    return;
  const uint64_t last = r->buffer->encoder.time;
  event.time = time > last ? time : last;
  recorder_commit (r, mlpd_put_method_leave (&r->buffer->encoder, r->position, &event));
}

/* What the thread entered before the pause, it may have left in it. */
static inline void
begin_again (void)
{
  struct recorder *r = recorder_of_thread;
  const unsigned now = atomic_load_explicit (&beginnings, memory_order_relaxed);
  if (r == NULL || __builtin_expect (r->beginnings == now, 1))
    return;
  r->beginnings = now;
  while (r->depth > 0)
    close_frame (r, atomic_load_explicit (&ended_at, memory_order_relaxed));
}

static void
method_enter_again (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  begin_again ();
  method_enter (p, method, context);
}

static void
method_leave_again (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  begin_again ();
  method_leave (p, method, context);
}

static void
method_tail_call_again (MonoProfiler *p, MonoMethod *method, MonoMethod *target)
{
  begin_again ();
  method_tail_call (p, method, target);
}

static void
method_exception_leave_again (MonoProfiler *p, MonoMethod *method, MonoObject *exception)
{
  begin_again ();
  method_exception_leave (p, method, exception);
}

void
end_calls (void)
{
  atomic_store (&ended_at, clock_now ());
  atomic_fetch_add (&beginnings, 1);
}

/* ---- callbacks ---- */

void
arm_calls (struct _MonoProfiler *p)
{
  if (is_armed (CLASS_CALLS))
    mono_profiler_set_call_instrumentation_filter_callback (p->handle, call_filter);
}

void
set_call_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  if (!is_armed (CLASS_CALLS))
    return; /* stacks may be kept by these */
  const bool on = is_recorded (CLASS_CALLS), again = atomic_load (&beginnings) != 0;
  mono_profiler_set_method_enter_callback (h, !on     ? NULL
                                              : again ? method_enter_again
                                                      : method_enter);
  mono_profiler_set_method_leave_callback (h, !on     ? NULL
                                              : again ? method_leave_again
                                                      : method_leave);
  mono_profiler_set_method_tail_call_callback (h, !on     ? NULL
                                                  : again ? method_tail_call_again
                                                          : method_tail_call);
  mono_profiler_set_method_exception_leave_callback (h, !on     ? NULL
                                                        : again ? method_exception_leave_again
                                                                : method_exception_leave);
}

void
calls_after_fork (void)
{
  struct recorder *r = recorder_of_thread;
  if (r != NULL && is_armed (CLASS_CALLS))
    r->depth = r->named_depth = 0;
}
