/* mono-private.h -- shared by the files that use Mono's API.
 *
 * Each callback first gets data from the runtime (stack walks and names may raise other callbacks
 * on the same thread), then reserves room, then writes.  The runtime calls nothing here between
 * reserving and publishing.
 *
 *   mono-state.c         the state that all use
 *   mono-module.c        the start, the end
 *   mono-names.c         images, classes, vtables, methods
 *   mono-frames.c        walks of frames that are known
 *   mono-calls.c         enter and leave in the log: of all calls
 *   mono-long-calls.c    of long calls
 *   mono-sizes.c         types and sizes of new objects
 *   mono-objects.c       backtraces, allocations, handles, finalizers, exceptions, monitors
 *   mono-runtime.c       domains, contexts, assemblies, threads, code that is no method
 *   mono-shots.c         the events of a heap snapshot, requests for one
 *   mono-boehm.c         objects and roots of a heap that Boehm's collector has
 *   mono-layouts.c       the fields of the classes in heap snapshots
 *   mono-contents.c      contents of strings and collections of heap snapshots
 *   mono-collections.c   where collections have their counts
 *   mono-span-calls.c    calls of managed programs that begin and end spans
 *   mono-heap.c          collections, heap snapshots, roots
 *   mono-forked-shots.c  heap snapshots by a child process
 *   mono-eventlog.c      all of these, where the log is an eventlog
 *   mono-samples.c       statistical samples
 *   mono-sample-signal.c the signal of samples, and its handler
 *   mono-sample-clock.c  the times of samples
 *   mono-waits.c         waits of threads
 *   mono-locks.c         the owners of locks
 *   mono-memory.c        the parts of the process's memory
 *   mono-native-memory.c samples of the memory that native libraries allocate
 *   mono-ticker.c        the thread that writes samples and the counters of the runtime
 *   mono-code-files.c    files for other profilers: the names of compiled code
 */
#ifndef PROFILER_MONO_PRIVATE_H
#define PROFILER_MONO_PRIVATE_H

#include "profiler/mono/event-switch.h"
#include "profiler/mono/mono-imports.h"
#include "profiler/names/names.h"
#include "profiler/options/options.h"
#include "profiler/os/addresses.h"
#include "profiler/record/object-ring.h"
#include "profiler/record/recorder.h"
#include <proflog/memory-parts.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

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

/* The size of an object as it is in the log. */
static inline uint64_t
rounded_size (uint64_t size)
{
  return (size + 7) & ~UINT64_C (7);
}

static inline struct mlpd_string
string_of (const char *text)
{
  return (struct mlpd_string){ text != NULL ? text : "", text != NULL ? strlen (text) : 0 };
}

/* A number of a counter as the runtime has it, in 64 bits. */
static inline uint64_t
counter_number (int type, const void *bytes)
{
  int32_t i;
  uint32_t u;
  uint64_t wide;
  switch (type) {
  case MONO_COUNTER_INT:
    memcpy (&i, bytes, sizeof i);
    return (uint64_t) (int64_t) i;
  case MONO_COUNTER_UINT:
    memcpy (&u, bytes, sizeof u);
    return u;
  default:
    memcpy (&wide, bytes, sizeof wide);
    return wide;
  }
}

/* ---- names ---- */

/* "Namespace.Outer/Inner" into `text`. */
void names_plain_class (MonoClass *klass, char *text, size_t size);

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
void names_add_classes (struct address_set *set);
void names_add_vtables (struct address_set *set);

/* Names the classes that were loaded before the runtime could name all; it can now. */
void names_add_early (void);

/* An object that the runtime has just made: its type, a class or vtable, which is named, and its
 * size as it is in the log. */
struct new_object {
  uint64_t type, size;
};

struct new_object new_object_read (MonoObject *object);

/* Where objects have them: a string's length follows the header, an array's that and the address of
 * its bounds (Mono's object-internals.h, all versions). */
enum {
  OBJECT_STRING_LENGTH = 2 * sizeof (void *),
  OBJECT_ARRAY_BOUNDS = 2 * sizeof (void *),
  OBJECT_ARRAY_LENGTH = 3 * sizeof (void *),
};

/* Types may be freed: nothing is known of any. */
void new_objects_forget_types (void);

/* ---- backtraces ---- */

#define CALL_FLAGS                                                                                 \
  (MONO_PROFILER_CALL_INSTRUMENTATION_ENTER | MONO_PROFILER_CALL_INSTRUMENTATION_LEAVE             \
   | MONO_PROFILER_CALL_INSTRUMENTATION_TAIL_CALL                                                  \
   | MONO_PROFILER_CALL_INSTRUMENTATION_EXCEPTION_LEAVE)

struct frames {
  uint64_t methods[PROFLOG_MAX_FRAMES]; /* innermost first while walking */
  bool unnamed;                         /* some have no name yet, and may be wrappers */
  size_t count, limit;
};

/* The methods that this thread is in, at most `limit`, outermost first; all are named.  Valid until
 * its next walk.  False if they cannot be known without the runtime's walk.  Where several
 * instances of a generic method share code, that method is in the list. */
bool frames_walk (struct mlpd_list *list, size_t limit);

/* These are the same by the runtime's walk: walks begin to be possible, and are compared at first.
 * The list becomes that of a walk that agrees. */
void frames_learn (struct mlpd_list *walked, size_t limit);

/* Code may be freed: nothing is known of any. */
void frames_forget (void);

/* ---- samples and counters, at intervals ---- */

/* Starts the ticker, a thread; ends it, after its last work. */
void ticker_start (void);
void ticker_finish (bool process_ends);
void ticker_after_fork (void);

/* On the ticker's thread: the sizes of the parts of the process's memory.  False if they cannot be
 * read, or if that takes so long that the next ones are not due yet. */
bool memory_read (uint64_t bytes[MEMORY_PART_COUNT]);

/* On the ticker's thread: records the name of the native function at this address, once. */
void native_names_add (uint64_t ip);

/* The runtime knows this thread, which is one of ours, as a tool: it may request names, and is
 * never stopped for a collection. */
void state_attach_thread (void);

/* Whether the runtime is shut down: then its locks and domains may be gone, and a thread that it
 * does not know must not touch them. */
bool state_runtime_ends (void);

/* Whether it has begun to shut down. */
bool state_end_has_begun (void);

/* Records an event of a thread.  From any thread. */
void state_record_thread (uint64_t thread, uint64_t action, const char *name);

/* ---- the times of samples ---- */

/* A thread has a name; that of the runtime's own thread for samples is waited for. */
void sample_clock_note_thread (uint64_t thread, const char *name);

/* When the runtime has started. */
void sample_clock_begin (struct _MonoProfiler *p);

/* Whether samples are taken by processor time. */
bool sample_clock_is_running (void);

/* At intervals: ends the samples if the program uses their signal. */
void sample_clock_check (void);

/* At the end: warns of threads that were not sampled. */
void sample_clock_finish (void);

/* When the runtime has stopped its thread for samples: waits until that has left the runtime. */
void sample_clock_wait_for_sampler (void);

/* The ns of a thread's processor time between its samples. */
uint64_t sample_clock_interval (const struct options *options);

/* ---- samples of a program that ran before the module came ---- */

/* Samples are taken by a handler of the module's own: it has come late, or the runtime's handler is
 * not to be used.  Before all else. */
void late_samples_set (void);
bool late_samples_are_set (void);

/* On the ticker's thread: a thread that started before the module came gets the name that the
 * kernel has, once. */
void late_samples_name_thread (uint64_t thread, int tid);

enum late_stack {
  LATE_STACK_REFUSED, /* it may not be walked: the thread runs native code */
  LATE_STACK_UNKNOWN, /* nor may this one, of which the method alone is known */
  LATE_STACK_KNOWN,
};

/* In the handler: whether a walk of the interrupted thread's stack takes no lock; `waits`: also of
 * one that waits in a call of the system.  Of an unknown stack, up to `most` addresses are to be
 * looked up, if it is not too deep. */
enum late_stack late_stacks_scan (const void *context, bool is_first_thread, bool waits,
                                  void **unknown, size_t most, size_t *count);

/* On the ticker's thread: the runtime knows the code at this address from now on. */
void late_stacks_look_up (void *code);

/* Finds the memory of managed code. */
void late_stacks_find_code (void);

/* On the ticker's thread: passes the memory that the runtime's compiler writes, as it was found. */
void late_stacks_visit_code (void (*use) (uint64_t start, uint64_t end));

/* At intervals, on the ticker's thread: does so if it is due, or an image was loaded. */
void late_stacks_check (bool is_due);

/* An image is loaded: its code may follow. */
void late_stacks_note_image (void);

/* ---- files for other profilers ---- */

/* Creates the files that the options request, and sets the callbacks that extend them.  `log`: the
 * log's file, or ""; `is_late`: code was compiled before.  Before the ticker starts.  False with a
 * message in `why` if one cannot be created; the other is. */
bool code_files_start (const struct options *options, const char *log, bool is_late, char *why,
                       size_t size);

/* On the ticker's thread: whether code is to be found that was compiled before; adds it. */
bool code_files_want_old_code (void);
void code_files_add_old_code (void);

/* On the ticker's thread: a sample has found code at this address.  Methods of images that were
 * compiled ahead of time are found by that only, where other such code calls them. */
void code_files_note_place (const void *code);

/* In the child of a fork; `is_recorded`: it may have a log.  When its log begins, there. */
void code_files_after_fork (bool is_recorded);
void code_files_begin_in_child (const char *log);

/* ---- native memory ---- */

/* If it is to be recorded: libraries that are loaded from now on are followed. */
void native_memory_start (void);

/* On the ticker's thread: records allocations and their ends. */
void native_memory_check (void);

/* From now on nothing is, for ever; also in the child of a fork. */
void native_memory_stop (void);

/* ---- callbacks ---- */

/* Sets callbacks that the runtime needs at its start, for classes that are selected or armed. Once.
 */
void calls_arm (struct _MonoProfiler *p);
void objects_arm (struct _MonoProfiler *p);
void sample_clock_arm (struct _MonoProfiler *p);

void names_set_callbacks (struct _MonoProfiler *p);

/* The callbacks of the classes that are recorded now, and no others; also while the program runs.
 */
void calls_set_callbacks (struct _MonoProfiler *p);
void objects_set_callbacks (struct _MonoProfiler *p);
void heap_set_callbacks (struct _MonoProfiler *p);
void runtime_set_callbacks (struct _MonoProfiler *p);
void runtime_set_code_callback (struct _MonoProfiler *p);
void samples_set_callback (struct _MonoProfiler *p);

/* Instead of these, for an eventlog. */
void eventlog_set_callbacks (struct _MonoProfiler *p);

/* The log is an eventlog.  Before anything is recorded. */
void eventlog_begin (void);

/* ---- heap snapshots ---- */

/* struct control_ops (verbs.h) describes these. */
const char *heap_shots_refusal (void);
void heap_shots_set (const struct proflog_heapshot_mode *mode);

/* When the runtime is initialized, on a thread that it knows: finds out whether heap snapshots can
 * be taken; if not, none are from then on. */
void heap_shots_learn (void);
void heap_shot_request (void);

void heap_shot_run (void);
uint64_t heap_shots_run (void);

/* Whether snapshots are taken by time (PROFLOG_HEAPSHOT_AUTO).  At intervals, on the ticker's
 * thread: requests one if it is due, and there was no collection for it. */
bool heap_shots_are_auto (void);
void heap_shots_check (void);

/* Whether one is to be taken at the next major collection; now it no longer is. */
bool heap_shot_is_requested (void);
void heap_shot_end_request (void);

/* A heap snapshot at the end of the program. */
void heap_shot_run_last (struct _MonoProfiler *p);

/* The events of a heap snapshot, on the thread that records it.  The START: returns the number of
 * events that the thread has lost, UINT64_MAX if there was no room.  The END is not recorded if the
 * thread has lost more since then. */
uint64_t heap_record_start (void);
bool heap_record_object (const struct object_record *record);
void heap_record_end (uint64_t losses);
void heap_count_shot (void);

/* The events that this thread has lost. */
uint64_t heap_lost_of_thread (void);

/* Names the types of objects that this thread recorded without a name.  The world runs. */
void heap_name_types (void);

/* A heap snapshot begins that this thread records; an object of it has this type: false if that was
 * so shortly before.  With the world stopped. */
void layouts_begin (void);
bool layouts_note_type (uint64_t type);

/* It was recorded, and the world runs: the classes that no snapshot had before are to be described.
 */
void layouts_end (void);

/* Who describes them: woken by this; NULL: nobody, and they are not described. */
void layouts_set_waker (void (*wake) (void));

/* On the ticker's thread: describes the fields of these classes. */
void layouts_write (void);

/* A domain is about to be unloaded, with its types: waits for the users of these; it is
 * unloaded. */
void layouts_note_domain_ending (void);
void layouts_note_domain_gone (void);

/* ---- contents of strings and collections of heap snapshots ---- */

/* Finds where strings and collections have their contents: of all images; of an image that is
 * loaded.  The world runs, and the thread is one that may call the runtime. */
void contents_learn (void);
void collections_learn (MonoImage *image);

/* Finds where objects of a class have their state, if they are operations.  One thread does. */
void operations_learn (MonoClass *klass);

/* Offsets of fields; 0: it has none of these names.  `names`: alternatives, separated by blanks. */
uint32_t collections_find_field (MonoClass *klass, const char *names);

/* The rest is for the thread, or the copy of the process, that walks the heap, with the world
 * stopped: no lock, no malloc. */

/* A walk begins: types may be others than those of the walk before. */
void collections_begin (void);

struct collection_sizes {
  bool is_array;            /* of references, of which the log has those that are not null */
  uint32_t element;         /* bytes of each; 0: not known */
  uint64_t count, capacity; /* elements that there are, and that there is room for */
};

/* False: it is no collection that is known. */
bool collections_read (MonoObject *object, MonoClass *klass, struct collection_sizes *sizes);

/* The state of an operation, the state machine of an async method; false: it is none that is known.
 */
bool operations_read (MonoObject *object, MonoClass *klass, int32_t *state);

/* Whether anything is to be noted. */
bool contents_begin (void);

/* Passes the object's contents to `use`, in records that have no object.  False: `use` has returned
 * that. */
bool contents_note (MonoObject *object, MonoClass *klass,
                    bool (*use) (const struct object_record *record));

/* Passes the rest.  Frees all memory. */
void contents_end (bool (*use) (const struct object_record *record));
void contents_forget (void);

/* The values of such a record, in order; `texts` has the texts among them.  Returns their number.
 */
size_t contents_values (const struct object_record *record, struct mlpd_counter_value *values,
                        char *texts);

#define CONTENTS_TEXTS_SIZE (OBJECT_RECORD_REFERENCES * sizeof (uint64_t) + 1)

/* Adds calls for spans to the runtime, which is initialized. */
void span_calls_add (void);

/* Passes all objects to `use`, with the world stopped, until that returns false. */
void heap_walk (bool (*use) (const struct object_record *record));

/* ---- the heap of Boehm's collector ---- */

/* Whether the runtime has that collector. */
bool boehm_is_there (void);

/* Why its objects cannot be listed (static); NULL: they can be, if boehm_learn does not find
 * otherwise.  Not while the world is stopped. */
const char *boehm_refusal (void);

/* When the runtime is initialized, on a thread that it knows: finds the layouts for a walk. */
void boehm_learn (void);

/* The rest is for the thread that collects, with the world stopped: no lock, no malloc. */

/* A collection begins.  False: its objects cannot be listed. */
bool boehm_begin (void);

/* Whether it has found all objects that are alive.  Then they can be listed. */
bool boehm_has_marked (void);

/* Before the rest. */
void boehm_begin_walk (void);

/* Passes all objects, in several calls those that have many references, the first of which has the
 * size; until a call does not return 0. */
typedef int boehm_object_user (MonoObject *object, MonoClass *klass, uintptr_t size,
                               uintptr_t count, MonoObject **references, uintptr_t *offsets,
                               void *data);
void boehm_walk (boehm_object_user *use, void *data);

/* The objects that the last walk did not pass: their types are not known, or they do not fit their
 * places. */
uint64_t boehm_left_out (void);

/* Passes the roots: where each is, and its object. */
typedef void boehm_roots_user (uint64_t count, const mono_byte *const *addresses,
                               MonoObject *const *objects);
void boehm_find_roots (boehm_roots_user *use);

/* Memory of roots that the runtime does not register. */
struct boehm_memory {
  uint64_t start, size;
  MonoGCRootSource source;
  uint64_t key; /* the thread of a stack */
  const char *name;
};

void boehm_visit_memory (void (*use) (const struct boehm_memory *memory));

/* ---- heap snapshots by a child of a fork ---- */

/* Starts the thread that records them; ends it, after the snapshot that is open. */
void forked_shots_start (void);
void forked_shots_finish (void);
void forked_shots_after_fork (void);

/* A domain is about to be unloaded, with its objects and types. */
void forked_shots_forget_domains (void);

/* The number of snapshots that failed. */
uint64_t forked_shots_failed (void);

/* Whether a snapshot is still being recorded. */
bool forked_shot_is_open (void);

/* On the collecting thread, when the world has stopped: begins a snapshot.  False: it is to be
 * taken in place.  `is_requested`: another one is requested if this fails. */
bool forked_shot_begin (bool is_requested);

/* On that thread, before the world starts again: a child walks the heap, or where that cannot be,
 * this thread. */
void forked_shot_walk (void);

/* On that thread, when the world runs again. */
void forked_shot_release (void);

/* ---- calls ---- */

struct call_callbacks {
  MonoProfilerMethodEnterCallback enter;
  MonoProfilerMethodLeaveCallback leave;
  MonoProfilerMethodTailCallCallback tail_call;
  MonoProfilerMethodExceptionLeaveCallback exception_leave;
};

/* Only calls of a threshold, and their callers.  Started before anything is recorded. */
extern const struct call_callbacks long_calls_callbacks;
void long_calls_start (const struct proflog_calls_mode *mode);

/* The open frames of this thread end at that time. */
void long_calls_close (struct recorder *recorder, uint64_t time);

/* Calls are no longer recorded: those that are open end now. */
void calls_end (void);

/* In the child of a fork, whose log has no enters of open calls. */
void calls_after_fork (void);

#endif
