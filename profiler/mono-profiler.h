/* mono-profiler.h -- what the files that know Mono share.
 *
 * Each callback first gets from the runtime what it needs (stack walks and names may raise other
 * callbacks on the same thread), then reserves room, then writes.  Nothing here is called by the
 * runtime between reserving and publishing.
 *
 *   mono-module.c   the start, the end
 *   mono-names.c    images, classes, vtables, methods
 *   mono-stacks.c   backtraces: the runtime's walk, or the stack that enter and leave keep
 *   mono-calls.c    enter and leave in the log
 *   mono-objects.c  allocations, handles, finalizers, exceptions, monitors
 *   mono-runtime.c  domains, contexts, assemblies, threads, code that is no method
 *   mono-heap.c     collections, heap shots, roots
 *   mono-eventlog.c all of it, where the log is an eventlog
 *   mono-samples.c  statistical samples
 *   mono-counters.c the runtime's counters
 *   mono-ticker.c   the thread that does the work of these two
 */
#ifndef PROFLOG_MONO_PROFILER_H
#define PROFLOG_MONO_PROFILER_H

#include "profiler/address-set.h"
#include "profiler/event-classes.h"
#include "profiler/names.h"
#include "profiler/options.h"
#include "profiler/recorder.h"
#include <mono/metadata/class.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/profiler.h>
#include <pthread.h>
#include <stdatomic.h>

struct _MonoProfiler {
  MonoProfilerHandle handle;
  struct options options;
  _Atomic bool initialized; /* the runtime is; before that it cannot walk stacks */
};

extern struct _MonoProfiler profiler;

static inline uint64_t
address (const void *p)
{
  return (uint64_t) (uintptr_t) p;
}

/* What the log has as an object's size. */
static inline uint64_t
rounded_size (uint64_t size)
{
  return (size + 7) & ~UINT64_C (7);
}

/* ---- names ---- */

/* "Namespace.Outer/Inner" into `text`. */
void plain_class_name (MonoClass *klass, char *text, size_t size);

/* The name of a class, vtable or method, announced on first use. */
const struct name *name_new_class (MonoClass *klass);
const struct name *name_new_vtable (MonoVTable *vtable);
const struct name *name_new_method (MonoMethod *method, uint64_t code, uint64_t size);

static inline const struct name *
name_class (MonoClass *klass)
{
  const struct name *name = names_find (NAME_CLASS, address (klass));
  return __builtin_expect (name != NULL, 1) ? name : name_new_class (klass);
}

static inline const struct name *
name_vtable (MonoVTable *vtable)
{
  const struct name *name = names_find (NAME_VTABLE, address (vtable));
  return __builtin_expect (name != NULL, 1) ? name : name_new_vtable (vtable);
}

static inline const struct name *
name_method (MonoMethod *method)
{
  const struct name *name = names_find (NAME_METHOD, address (method));
  return __builtin_expect (name != NULL, 1) ? name : name_new_method (method, 0, 0);
}

/* From this data version on objects have a vtable in the log instead of a class. */
static inline bool
log_has_vtables (void)
{
  return recorder_version >= MLPD_VERSION_VTABLES;
}

/* Names the classes (or vtables) of a set and empties it. */
void name_classes (struct address_set *set);
void name_vtables (struct address_set *set);

/* Names the classes that were loaded before the runtime could name all; it can now. */
void name_early_classes (void);

/* ---- backtraces ---- */

#define CALL_FLAGS                                                                                 \
  (MONO_PROFILER_CALL_INSTRUMENTATION_ENTER | MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE             \
   | MONO_PROFILER_CALL_INSTRUMENTATION_TAIL_CALL                                                  \
   | MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE)

/* Whether a method can be in no backtrace, as its code neither calls, nor allocates, nor fails. */
bool is_leaf (MonoMethod *method);

struct frames {
  uint64_t methods[PROFLOG_MAX_FRAMES]; /* innermost first while walking */
  bool unnamed;                         /* some have no name yet, and may be wrappers */
  size_t count, limit;
};

/* The methods that the thread is in, outermost first.  Empty where backtraces are off.  In `frames`
 * or in the thread's recorder: good until it goes on. */
struct mlpd_list backtrace (struct frames *frames);

/* Handlers of an exception are looked for from now on, or not any more: filters run above the
 * frames that the runtime has left. */
void set_searching (bool searching);

/* For the search for an exception's handler, where exceptions are not recorded and stacks are kept.
 */
void search_begins (MonoProfiler *p, MonoObject *exception);
void search_ends (MonoProfiler *p, MonoMethod *method, uint32_t index, MonoExceptionEnum type,
                  MonoObject *exception);

/* ---- what is done by the clock ---- */

/* The thread that does it begins; it ends, with what is left to do. */
void ticker_start (void);
void ticker_finish (void);
void ticker_after_fork (void);

/* On that thread: writes what was sampled; reads and writes the counters. */
void samples_record (void);
void counters_record (void);

/* Samples for which there was no room. */
uint64_t samples_lost (void);

/* An event of a thread; from any. */
void record_thread (uint64_t thread, uint64_t action, const char *name);

void arm_samples (struct _MonoProfiler *p);

/* ---- which callbacks each wants ---- */

/* What can be recorded of the classes that were asked for or armed.  Once. */
void arm_calls (struct _MonoProfiler *p);
void arm_objects (struct _MonoProfiler *p);

void set_name_callbacks (struct _MonoProfiler *p);
void set_stack_callbacks (struct _MonoProfiler *p);

/* The callbacks of the classes that are recorded now, and no others; also while the program runs.
 */
void set_event_callbacks (struct _MonoProfiler *p);
void set_call_callbacks (struct _MonoProfiler *p);
void set_object_callbacks (struct _MonoProfiler *p);
void set_heap_callbacks (struct _MonoProfiler *p);
void set_runtime_callbacks (struct _MonoProfiler *p);
void set_code_callback (struct _MonoProfiler *p);
void set_sample_callback (struct _MonoProfiler *p);

/* The same of an eventlog, which has no others. */
void set_eventlog_callbacks (struct _MonoProfiler *p);

/* Calls are not recorded any more: those that are open end now. */
void end_calls (void);

/* In the child of a fork, whose log has no enter of what is open. */
void calls_after_fork (void);

/* A heap shot at the end of the program. */
void take_last_shot (struct _MonoProfiler *p);

#endif
