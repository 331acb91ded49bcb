/* empty-calls.c -- a profiler module with empty callbacks of enter and leave: the least that any
 * module adds to the time of a program whose calls it sees.  `make bench-module` builds it. */
#include <mono/metadata/profiler.h>
#include <stddef.h>

struct _MonoProfiler {
  MonoProfilerHandle handle;
};

static struct _MonoProfiler profiler;

static MonoProfilerCallInstrumentationFlags
filter (MonoProfiler *p, MonoMethod *method)
{
  (void) p;
  (void) method;
  return MONO_PROFILER_CALL_INSTRUMENTATION_ENTER | MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE
         | MONO_PROFILER_CALL_INSTRUMENTATION_TAIL_CALL
         | MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE;
}

static void
pass (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) p;
  (void) method;
  (void) context;
}

void mono_profiler_init_empty_calls (const char *description);

void
mono_profiler_init_empty_calls (const char *description)
{
  (void) description;
  profiler.handle = mono_profiler_create (&profiler);
  mono_profiler_set_call_instrumentation_filter_callback (profiler.handle, filter);
  mono_profiler_set_method_enter_callback (profiler.handle, pass);
  mono_profiler_set_method_leave_callback (profiler.handle, pass);
}
