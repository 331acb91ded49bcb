/* callbacks.c -- the runtime's callbacks; the only file that knows Mono.
 *
 * Each callback first gets from the runtime what it needs (stack walks and names may raise other
 * callbacks on the same thread), then reserves room, then writes.  Nothing here is called by the
 * runtime between reserving and publishing.
 */
#include "profiler/address-set.h"
#include "profiler/call-stack.h"
#include "profiler/command-line.h"
#include "profiler/names.h"
#include "profiler/options.h"
#include "profiler/recorder.h"
#include "profiler/sink.h"
#include "profiler/warn.h"
#include "profiler/writer.h"
#include <mono/metadata/assembly.h>
#include <mono/metadata/class.h>
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/image.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/mono-gc.h>
#include <mono/metadata/profiler.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct _MonoProfiler {
  MonoProfilerHandle handle;
  struct options options;
  _Atomic bool initialized; /* the runtime is; before that it cannot walk stacks */
  /* Classes loaded before that: the runtime cannot name all of them yet. */
  pthread_mutex_t early_lock;
  struct address_set early_classes;
  /* Heap shots.  Only the thread that collects touches these, one at a time. */
  uint64_t last_shot_time;
  uint32_t major_collections;
  bool shot_taken;
  bool shot_at_next_major;
};

static struct _MonoProfiler profiler = { .early_lock = PTHREAD_MUTEX_INITIALIZER };

/* Classes without a name in the heap shot that this thread took.  Each thread has its own: they
 * are named when the world runs again, and another thread may take the next shot meanwhile.
 * (initial-exec: reaching it must not allocate while the world is stopped.) */
static _Thread_local struct address_set unnamed_classes
    __attribute__ ((tls_model ("initial-exec")));

static inline uint64_t
address (const void *p)
{
  return (uint64_t) (uintptr_t) p;
}

/* ---- names ---- */

/* "Namespace.Outer/Inner" into `text`. */
static void
plain_class_name (MonoClass *klass, char *text, size_t size)
{
  MonoClass *outer = mono_class_get_nesting_type (klass);
  if (outer != NULL) {
    plain_class_name (outer, text, size);
    size_t length = strlen (text);
    snprintf (text + length, size - length, "/%s", mono_class_get_name (klass));
    return;
  }
  const char *name_space = mono_class_get_namespace (klass);
  snprintf (text, size, "%s%s%s", name_space, name_space[0] != 0 ? "." : "",
            mono_class_get_name (klass));
}

/* Images made in memory have no file. */
static const char *
image_text (MonoImage *image)
{
  const char *text = mono_image_get_filename (image);
  if (text == NULL)
    text = mono_image_get_name (image);
  return text != NULL ? text : "";
}

static void
name_image (MonoImage *image)
{
  if (image != NULL && names_find (NAME_IMAGE, address (image)) == NULL)
    names_add (NAME_IMAGE, address (image), address (image), image_text (image), 0, 0);
}

/* The name of a class, announced on first use: arrays and instances of generic types are never
 * loaded, and some classes were before we were there. */
static const struct name *
name_class (MonoClass *klass)
{
  const struct name *name = names_find (NAME_CLASS, address (klass));
  if (__builtin_expect (name != NULL, 1))
    return name;
  MonoImage *image = mono_class_get_image (klass);
  name_image (image);
  char *text = mono_type_get_name (mono_class_get_type (klass));
  name = names_add (NAME_CLASS, address (klass), address (image), text != NULL ? text : "", 0, 0);
  mono_free (text);
  return name;
}

static uint64_t
image_of_method (MonoMethod *method)
{
  MonoClass *klass = mono_method_get_class (method);
  return klass != NULL ? address (mono_class_get_image (klass)) : 0;
}

/* The name of a method.  If it is new it is announced with the code given. */
static const struct name *
name_new_method (MonoMethod *method, uint64_t code, uint64_t size)
{
  char *text = mono_method_full_name (method, 1);
  const struct name *name = names_add (NAME_METHOD, address (method), image_of_method (method),
                                       text != NULL ? text : "", code, size);
  mono_free (text);
  return name;
}

static const struct name *
name_method (MonoMethod *method)
{
  const struct name *name = names_find (NAME_METHOD, address (method));
  return __builtin_expect (name != NULL, 1) ? name : name_new_method (method, 0, 0);
}

static void
image_loaded (MonoProfiler *p, MonoImage *image)
{
  (void) p;
  name_image (image);
}

static void
image_failed (MonoProfiler *p, MonoImage *image)
{
  (void) p;
  names_announce_error (NAME_IMAGE, address (image), address (image), image_text (image));
}

static void
image_unloading (MonoProfiler *p, MonoImage *image)
{
  (void) p;
  names_forget_image (address (image));
}

static void
class_loaded (MonoProfiler *p, MonoClass *klass)
{
  if (!recorder_running ())
    return; /* also in a forked child, where nobody would release a lock */
  pthread_mutex_lock (&p->early_lock);
  bool initialized = atomic_load_explicit (&p->initialized, memory_order_relaxed);
  if (!initialized)
    address_set_add (&p->early_classes, address (klass));
  pthread_mutex_unlock (&p->early_lock);
  if (initialized)
    name_class (klass);
}

/* Names the classes of a set and empties it. */
static void
name_classes (struct address_set *set)
{
  for (size_t i = 0; i < set->size; i++)
    if (set->slots[i] != 0)
      name_class ((MonoClass *) (uintptr_t) set->slots[i]);
  address_set_clear (set);
}

static void
class_failed (MonoProfiler *p, MonoClass *klass)
{
  (void) p;
  /* The type of a class that failed may be incomplete: take its own names only. */
  char text[1024];
  plain_class_name (klass, text, sizeof text);
  MonoImage *image = mono_class_get_image (klass);
  name_image (image);
  names_announce_error (NAME_CLASS, address (klass), address (image), text);
}

static void
jit_done (MonoProfiler *p, MonoMethod *method, MonoJitInfo *info)
{
  (void) p;
  uint64_t code = info != NULL ? address (mono_jit_info_get_code_start (info)) : 0;
  uint64_t size = info != NULL ? (uint64_t) mono_jit_info_get_code_size (info) : 0;
  const struct name *name = names_find (NAME_METHOD, address (method));
  if (name != NULL)
    names_announce_code (name, code, size);
  else
    name_new_method (method, code, size);
}

static void
method_free (MonoProfiler *p, MonoMethod *method)
{
  (void) p;
  names_forget_method (address (method));
}

/* ---- backtraces ---- */

struct frames {
  uint64_t methods[PROFLOG_MAX_FRAMES]; /* innermost first while walking */
  MonoMethod *unnamed;                  /* the method that stopped the walk: not named yet */
  size_t count, limit;
};

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
  if (name == NULL) {
    f->unnamed = method;
    return 1;
  }
  if (!name->wrapper)
    f->methods[f->count++] = address (method);
  return f->count == f->limit;
}

/* The methods that the thread is in, outermost first.  Empty where backtraces are off. */
static struct mlpd_list
walk (struct frames *f)
{
  f->limit = profiler.options.max_frames;
  f->count = 0;
  if (f->limit == 0 || !atomic_load_explicit (&profiler.initialized, memory_order_relaxed)
      || !recorder_running ())
    return (struct mlpd_list){ NULL, 0 };
  /* Naming a method takes locks and memory, so it is not done in the middle of a walk.  Each
   * round names one method more; after the first few backtraces there are no further rounds. */
  do {
    f->unnamed = NULL;
    f->count = 0;
    mono_stack_walk_no_il (walk_frame, f);
  } while (f->unnamed != NULL && name_method (f->unnamed) != NULL);
  for (size_t i = 0; i < f->count / 2; i++) {
    uint64_t swap = f->methods[i];
    f->methods[i] = f->methods[f->count - 1 - i];
    f->methods[f->count - 1 - i] = swap;
  }
  return (struct mlpd_list){ f->methods, f->count };
}

/* The same from the stack that enter and leave keep, where they do.  The runtime knows of what is
 * deeper than that goes, and which frames a filter of exceptions is called by. */
static struct mlpd_list
backtrace (struct frames *f)
{
  if (profiler.options.stacks != STACKS_SHADOW)
    return walk (f);
  struct recorder *r = recorder_of_thread;
  if (r == NULL || r->depth == 0)
    return (struct mlpd_list){ NULL, 0 };
  if (r->depth > CALL_STACK_FRAMES || r->searching)
    return walk (f);
  for (; r->named_depth < r->depth; r->named_depth++)
    name_method ((MonoMethod *) (uintptr_t) r->frames[r->named_depth]);
  const size_t limit = profiler.options.max_frames, count = r->depth < limit ? r->depth : limit;
  return (struct mlpd_list){ &r->frames[r->depth - count], count };
}

/* ---- objects ---- */

static uint64_t
rounded_size (uint64_t size)
{
  return (size + 7) & ~UINT64_C (7);
}

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
set_searching (bool searching)
{
  if (recorder_of_thread != NULL)
    recorder_of_thread->searching = searching;
}

/* Where stacks are kept and exceptions are not recorded. */
static void
search_begins (MonoProfiler *p, MonoObject *exception)
{
  (void) p;
  (void) exception;
  set_searching (true);
}

static void
search_ends (MonoProfiler *p, MonoMethod *method, uint32_t index, MonoExceptionEnum type,
             MonoObject *exception)
{
  (void) p;
  (void) method;
  (void) index;
  (void) exception;
  if (type != MONO_EXCEPTION_CLAUSE_FILTER)
    set_searching (false);
}

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

/* ---- calls ---- */

#define CALL_FLAGS                                                                                 \
  (MONO_PROFILER_CALL_INSTRUMENTATION_ENTER | MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE             \
   | MONO_PROFILER_CALL_INSTRUMENTATION_TAIL_CALL                                                  \
   | MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE)

static MonoProfilerCallInstrumentationFlags
call_filter (MonoProfiler *p, MonoMethod *method)
{
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

static inline void
name_method_once (struct recorder *r, MonoMethod *method)
{
  uint64_t *named = &r->named[address (method) / 16 % RECORDER_NAMED];
  if (__builtin_expect (*named == address (method), 1))
    return;
  name_method (method);
  *named = address (method);
}

static void
method_enter (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) context;
  struct mlpd_method_enter event = { .method = address (method) };
  struct recorder *r = recorder_begin (mlpd_bound_method_enter (&event), 0, 0, event.method);
  if (r == NULL || (r->frames == NULL && !call_stack_make (r)))
    return;
  name_method_once (r, method);
  if (call_stack_enter (r, event.method) < p->options.call_depth)
    RECORD_IN (r, method_enter, event);
}

/* The innermost frame ends; logged if its enter was. */
static void
leave_frame (struct recorder *r, bool by_exception)
{
  r->depth--;
  if (r->depth >= profiler.options.call_depth || r->depth >= CALL_STACK_FRAMES)
    return;
  if (by_exception) {
    struct mlpd_method_exc_leave event = { .method = r->frames[r->depth] };
    RECORD (method_exc_leave, event, 0, 0, event.method);
  } else {
    struct mlpd_method_leave event = { .method = r->frames[r->depth] };
    RECORD (method_leave, event, 0, 0, event.method);
  }
}

static inline void
leave (MonoMethod *method, bool by_exception)
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
  (void) p;
  (void) context;
  leave (method, false);
}

static void
method_tail_call (MonoProfiler *p, MonoMethod *method, MonoMethod *target)
{
  (void) p;
  (void) target;
  leave (method, false);
}

static void
method_exception_leave (MonoProfiler *p, MonoMethod *method, MonoObject *exception)
{
  (void) p;
  (void) exception;
  leave (method, true);
}

/* ---- stacks: the same without events ---- */

static MonoProfilerCallInstrumentationFlags
stack_filter (MonoProfiler *p, MonoMethod *method)
{
  (void) p;
  char *text = mono_method_full_name (method, 1);
  const bool wrapper = text != NULL && names_is_wrapper (text);
  mono_free (text);
  return wrapper ? MONO_PROFILER_CALL_INSTRUMENTATION_NONE : CALL_FLAGS;
}

/* The thread's recorder at its first frame; NULL if nothing can be recorded. */
static __attribute__ ((noinline)) struct recorder *
stack_begin (void)
{
  struct recorder *r = recorder_begin (1, 0, 0, 0);
  return r != NULL && call_stack_make (r) ? r : NULL;
}

static void
stack_enter (MonoProfiler *p, MonoMethod *method, MonoProfilerCallContext *context)
{
  (void) p;
  (void) context;
  struct recorder *r = recorder_of_thread;
  if (__builtin_expect (r == NULL || r->frames == NULL, 0)) {
    r = stack_begin ();
    if (r == NULL)
      return;
  }
  call_stack_enter (r, address (method));
}

static __attribute__ ((noinline)) void
stack_pop_several (struct recorder *r, MonoMethod *method)
{
  r->depth -= call_stack_frames_to_leave (r, address (method));
  if (r->named_depth > r->depth)
    r->named_depth = r->depth;
}

static inline void
stack_pop (MonoMethod *method)
{
  struct recorder *r = recorder_of_thread;
  if (__builtin_expect (r == NULL || r->depth == 0, 0))
    return;
  if (__builtin_expect (!call_stack_is_on_top (r, address (method)), 0)) {
    stack_pop_several (r, method);
    return;
  }
  r->depth--;
  if (r->named_depth > r->depth)
    r->named_depth = r->depth;
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
  set_searching (false);
  stack_pop (method);
}

/* ---- collections and heap shots ---- */

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
take_shot (struct _MonoProfiler *p)
{
  struct mlpd_heap_start start = { 0 };
  RECORD (heap_start, start, 0, 0, 0);
  mono_gc_walk_heap (0, walk_object, NULL);
  struct mlpd_heap_end end = { 0 };
  RECORD (heap_end, end, 0, 0, 0);
  p->last_shot_time = end.time;
  p->shot_taken = true;
}

static bool
shot_is_due (struct _MonoProfiler *p, uint32_t generation)
{
  bool major = generation == (uint32_t) mono_gc_max_generation ();
  if (major && p->shot_at_next_major) {
    p->shot_at_next_major = false;
    return true;
  }
  const struct proflog_heapshot_mode *mode = &p->options.heapshot;
  switch (mode->when) {
  case PROFLOG_HEAPSHOT_OFF:
    return false;
  case PROFLOG_HEAPSHOT_MAJOR:
    return major;
  case PROFLOG_HEAPSHOT_GC:
    return major && ++p->major_collections % mode->interval == 0;
  case PROFLOG_HEAPSHOT_MS:
    return !p->shot_taken
           || clock_now () - p->last_shot_time >= (uint64_t) mode->interval * 1000000;
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
  if (p->options.gc && (int) gc <= MLPD_GC_EVENT_POST_START_WORLD) {
    struct mlpd_gc_event event = { .event = (uint64_t) gc, .generation = generation };
    RECORD (gc_event, event, 0, 0, 0);
  }
  if (gc == MONO_GC_EVENT_PRE_START_WORLD && shot_is_due (p, generation))
    take_shot (p);
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

/* ---- start and end ---- */

static void
runtime_initialized (MonoProfiler *p)
{
  /* A class that is loaded by another thread right now is in the set or is named by itself. */
  pthread_mutex_lock (&p->early_lock);
  atomic_store (&p->initialized, true);
  struct address_set early = p->early_classes;
  p->early_classes = (struct address_set){ 0 };
  pthread_mutex_unlock (&p->early_lock);
  name_classes (&early);
}

static void
runtime_shutdown_begin (MonoProfiler *p)
{
  if (!p->options.heapshot_on_shutdown)
    return;
  p->shot_at_next_major = true;
  mono_gc_collect (mono_gc_max_generation ());
}

static void
runtime_shutdown_end (MonoProfiler *p)
{
  (void) p;
  writer_finish ();
}

static void
forked (void)
{
  recorder_after_fork ();
  writer_after_fork ();
}

static void
set_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  const struct options *o = &p->options;
  mono_profiler_set_runtime_initialized_callback (h, runtime_initialized);
  mono_profiler_set_runtime_shutdown_begin_callback (h, runtime_shutdown_begin);
  mono_profiler_set_runtime_shutdown_end_callback (h, runtime_shutdown_end);
  mono_profiler_set_image_loaded_callback (h, image_loaded);
  mono_profiler_set_image_failed_callback (h, image_failed);
  mono_profiler_set_image_unloading_callback (h, image_unloading);
  mono_profiler_set_class_loaded_callback (h, class_loaded);
  mono_profiler_set_class_failed_callback (h, class_failed);
  mono_profiler_set_jit_done_callback (h, jit_done);
  mono_profiler_set_method_free_callback (h, method_free);
  /* Also without gc events: this tells when the world is stopped. */
  mono_profiler_set_gc_event_callback (h, gc_event);
  if (o->gc)
    mono_profiler_set_gc_resize_callback (h, gc_resize);
  if (o->gcmove)
    mono_profiler_set_gc_moves_callback (h, gc_moves);
  if (o->exception) {
    mono_profiler_enable_clauses ();
    mono_profiler_set_exception_throw_callback (h, exception_throw);
    mono_profiler_set_exception_clause_callback (h, exception_clause);
  }
  if (o->monitor) {
    mono_profiler_set_monitor_contention_callback (h, monitor_contention);
    mono_profiler_set_monitor_acquired_callback (h, monitor_acquired);
    mono_profiler_set_monitor_failed_callback (h, monitor_failed);
  }
  if (o->alloc) {
    mono_profiler_enable_allocations ();
    mono_profiler_set_gc_allocation_callback (h, gc_allocation);
  }
  if (o->calls) {
    mono_profiler_set_call_instrumentation_filter_callback (h, call_filter);
    mono_profiler_set_method_enter_callback (h, method_enter);
    mono_profiler_set_method_leave_callback (h, method_leave);
    mono_profiler_set_method_tail_call_callback (h, method_tail_call);
    mono_profiler_set_method_exception_leave_callback (h, method_exception_leave);
  } else if (o->stacks == STACKS_SHADOW) {
    mono_profiler_set_call_instrumentation_filter_callback (h, stack_filter);
    mono_profiler_set_method_enter_callback (h, stack_enter);
    mono_profiler_set_method_leave_callback (h, stack_leave);
    mono_profiler_set_method_tail_call_callback (h, stack_tail_call);
    mono_profiler_set_method_exception_leave_callback (h, stack_exception_leave);
    if (!o->exception) {
      mono_profiler_enable_clauses ();
      mono_profiler_set_exception_throw_callback (h, search_begins);
      mono_profiler_set_exception_clause_callback (h, search_ends);
    }
  }
}

/* Puts a variable back to what it was before `proflog run`. */
static void
restore_variable (const char *name, const char *old_name)
{
  const char *before = getenv (old_name);
  if (before != NULL)
    setenv (name, before, 1);
  else
    unsetenv (name);
  unsetenv (old_name);
}

/* `proflog run` changes LD_LIBRARY_PATH so that the runtime finds us, and perhaps MONO_ENV_OPTIONS;
 * the program shall not see that. */
static void
restore_environment (void)
{
  if (getenv ("PROFLOG_RESTORE_ENV") == NULL)
    return;
  restore_variable ("LD_LIBRARY_PATH", "PROFLOG_OLD_LD_LIBRARY_PATH");
  if (getenv ("PROFLOG_RESTORE_OPTIONS") != NULL)
    restore_variable ("MONO_ENV_OPTIONS", "PROFLOG_OLD_MONO_ENV_OPTIONS");
  unsetenv ("PROFLOG_RESTORE_OPTIONS");
  unsetenv ("PROFLOG_RESTORE_ENV");
}

static void
choose_stacks (struct options *o, bool no_aot)
{
  /* With enter and leave in the log the frames can be told from these. */
  if (o->calls || o->stacks == STACKS_NONE)
    o->max_frames = 0;
  if (o->max_frames == 0)
    o->stacks = STACKS_NONE;
  /* Instrumenting all methods is worth it for many events only. */
  if (o->stacks == STACKS_AUTO)
    o->stacks = o->alloc && no_aot ? STACKS_SHADOW : STACKS_WALK;
}

/* What the runtime calls for --profile=proflog:OPTIONS, before it initialises itself.  `desc` is
 * all behind --profile=. */
void mono_profiler_init_proflog (const char *desc);

__attribute__ ((visibility ("default"))) void
mono_profiler_init_proflog (const char *desc)
{
  static bool loaded;
  char why[512];
  struct options *o = &profiler.options;
  warn_start ();
  const bool no_aot = command_line_has_no_aot ();
  restore_environment ();
  if (loaded) {
    warn ("given twice; '%s' is ignored", desc);
    return;
  }
  if (!options_parse (o, desc, why, sizeof why)) {
    warn ("%s; the program runs unprofiled", why);
    return;
  }
  if (o->help) {
    options_print_help ();
    exit (0);
  }
  choose_stacks (o, no_aot);
  struct sink *sink = sink_open (o->output, o->zip, why, sizeof why);
  if (sink == NULL) {
    warn ("%s; the program runs unprofiled", why);
    return;
  }
  clock_start ();
  const bool drops
      = o->overflow == OVERFLOW_DROP || (o->overflow == OVERFLOW_AUTO && sink_has_reader (sink));
  const struct writer_limits limits
      = { .memory = o->memory, .patience_ms = drops ? 0 : o->patience_ms };
  spool_start (sink, o->spool, (size_t) o->buffer, offsetof (struct buffer, data));
  int error = recorder_start ();
  if (error == 0)
    error = writer_start (sink, &limits);
  if (error != 0) {
    recorder_stop ();
    warn ("output '%s': %s; the program runs unprofiled", o->output, strerror (error));
    return;
  }
  loaded = true;
  pthread_atfork (NULL, NULL, forked);
  atexit (writer_finish); /* for programs that end without the runtime's shutdown */
  profiler.handle = mono_profiler_create (&profiler);
  set_callbacks (&profiler);
}
