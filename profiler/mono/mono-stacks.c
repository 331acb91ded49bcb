/* mono-stacks.c -- backtraces. */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <mono/metadata/debug-helpers.h>

/* ---- the runtime's walk, or the stack that is retained ---- */

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
walk (struct frames *f)
{
  f->limit = profiler.options.max_frames;
  f->count = 0;
  if (f->limit == 0 || !atomic_load_explicit (&profiler.initialized, memory_order_relaxed)
      || !recorder_running ())
    return (struct mlpd_list){ NULL, 0 };
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

/* From the stack that enter and leave maintain, if they do.  Only the runtime has frames that are
 * deeper than this stack, and those from which a filter of exceptions is called. */
struct mlpd_list
capture_backtrace (struct frames *f)
{
  if (profiler.options.stacks != STACKS_SHADOW)
    return walk (f);
  struct recorder *r = recorder_of_thread;
  if (r == NULL || r->stack.depth == 0)
    return (struct mlpd_list){ NULL, 0 };
  if (r->stack.depth > CALL_STACK_FRAMES || r->stack.in_filter)
    return walk (f);
  for (; r->stack.announced_depth < r->stack.depth; r->stack.announced_depth++)
    name_method ((MonoMethod *) (uintptr_t) r->stack.frames[r->stack.announced_depth]);
  const size_t limit = profiler.options.max_frames,
               count = r->stack.depth < limit ? r->stack.depth : limit;
  return (struct mlpd_list){ &r->stack.frames[r->stack.depth - count], count };
}

/* ---- maintaining a stack ---- */

void
set_in_filter (bool searching)
{
  if (recorder_of_thread != NULL)
    recorder_of_thread->stack.in_filter = searching;
}

/* Where stacks are retained and exceptions are not recorded. */
void
filter_search_begins (MonoProfiler *p, MonoObject *exception)
{
  (void) p;
  (void) exception;
  set_in_filter (true);
}

void
filter_search_ends (MonoProfiler *p, MonoMethod *method, uint32_t index, MonoExceptionEnum type,
                    MonoObject *exception)
{
  (void) p;
  (void) method;
  (void) index;
  (void) exception;
  if (type != MONO_EXCEPTION_CLAUSE_FILTER)
    set_in_filter (false);
}

static MonoProfilerCallInstrumentationFlags
stack_filter (MonoProfiler *p, MonoMethod *method)
{
  (void) p;
  char *text = mono_method_full_name (method, 1);
  const bool wrapper = text != NULL && names_is_wrapper (text);
  mono_free (text);
  return wrapper || is_leaf (method) ? MONO_PROFILER_CALL_INSTRUMENTATION_NONE : CALL_FLAGS;
}

/* The thread's recorder at its first frame; NULL if nothing can be recorded. */
static __attribute__ ((noinline)) struct recorder *
stack_begin (void)
{
  struct recorder *r = recorder_begin (1, 0, 0, 0);
  return r != NULL && call_stack_make (&r->stack) ? r : NULL;
}

static void
stack_enter (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) p;
  (void) context;
  struct recorder *r = recorder_of_thread;
  if (__builtin_expect (r == NULL || r->stack.frames == NULL, 0)) {
    r = stack_begin ();
    if (r == NULL)
      return;
  }
  call_stack_enter (&r->stack, address (method));
}

static inline void
stack_pop (MonoMethod *method)
{
  struct recorder *r = recorder_of_thread;
  if (__builtin_expect (r == NULL || r->stack.depth == 0, 0))
    return;
  if (__builtin_expect (call_stack_is_on_top (&r->stack, address (method)), 1))
    call_stack_pop (&r->stack, 1);
  else
    call_stack_pop (&r->stack, call_stack_frames_to_leave (&r->stack, address (method)));
}

static void
stack_leave (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) p;
  (void) context;
  stack_pop (method);
}

static void
stack_tail_call (MonoProfiler *p, MonoMethod *method, MonoMethod *target)
{
  (void) p;
  (void) target;
  stack_pop (method);
}

static void
stack_exception_leave (MonoProfiler *p, MonoMethod *method, MonoObject *exception)
{
  (void) p;
  (void) exception;
  set_in_filter (false);
  stack_pop (method);
}

void
set_stack_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  if (p->options.stacks != STACKS_SHADOW)
    return;
  mono_profiler_set_call_instrumentation_filter_callback (h, stack_filter);
  mono_profiler_set_method_enter_callback (h, stack_enter);
  mono_profiler_set_method_leave_callback (h, stack_leave);
  mono_profiler_set_method_tail_call_callback (h, stack_tail_call);
  mono_profiler_set_method_exception_leave_callback (h, stack_exception_leave);
}
