/* host.h -- a runtime that only pretends: what the fake host's files share.
 *
 *   host-world.c    what exists: images, classes, methods, objects
 *   host-runtime.c  the mono_* functions that a profiler module imports
 *   host-fire.c     calls the module's callbacks through libffi
 *   host-truth.c    counts what was fired, prints it
 *   host-script.c   reads a scenario
 *   host-run.c      runs it
 *   host-threads.c  threads and collections
 *   host-main.c     loads the module
 *
 * Definitions change only while no other scenario thread runs; firing takes no lock and shares
 * nothing between threads, so that ThreadSanitizer sees the module's own synchronisation alone.
 */
#ifndef TESTS_HOST_H
#define TESTS_HOST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- the world ---- */

enum host_sort {
  HOST_IMAGE = 0x486f7301, /* each entity begins with its sort; odd values catch wild pointers */
  HOST_ASSEMBLY,
  HOST_CLASS,
  HOST_METHOD,
  HOST_POOL,
  HOST_ARRAY,
  HOST_THREAD,
};

/* What all entities begin with.  `alive`: defined and not forgotten. */
struct host_entity {
  enum host_sort sort;
  bool alive;
  const char *symbol; /* its name in the scenario */
  struct host_entity *next;
};

struct host_image {
  struct host_entity entity;
  const char *file_name;
};

struct host_assembly {
  struct host_entity entity;
  struct host_image *image;
};

struct host_class {
  struct host_entity entity;
  struct host_image *image;
  const char *name_space;
  const char *name;
  const char *type_name;
  struct host_class *outer; /* that this one is nested in */
};

struct host_method {
  struct host_entity entity;
  struct host_class *klass;
  const char *name;
  const char *full_name;
  uint64_t code;
  uint64_t code_size;
  bool aot;                    /* compiled ahead of time: no enter and leave */
  _Atomic int instrumentation; /* what the module's filter said; -1: not asked yet */
};

/* `count` objects of a class, `stride` bytes apart.  Their memory does not exist. */
struct host_pool {
  struct host_entity entity;
  struct host_class *klass;
  uint64_t address;
  uint64_t size;
  uint64_t count;
  uint64_t stride;
  struct host_references {
    uint64_t count;
    uint64_t *items;
  } * references; /* of each object; NULL: none has any */
};

/* Addresses: what gc_moves and gc_roots are given. */
struct host_array {
  struct host_entity entity;
  uint64_t *values;
  uint64_t count;
};

/* Finds the entity of a symbol, or NULL. */
struct host_entity *host_find (const char *symbol);

/* A new entity of `size` bytes. */
void *host_new_entity (enum host_sort sort, size_t size, const char *symbol);

/* The pool that has an object at this address; the newest one if several do; NULL if none. */
struct host_pool *host_pool_at (uint64_t address);

/* What a definition does when it is run. */
void host_define_class (struct host_class *klass, struct host_image *image, const char *name_space,
                        const char *name, struct host_class *outer);
void host_define_method (struct host_method *method, struct host_class *klass, const char *name,
                         const char *full_name, uint64_t code, uint64_t code_size, bool aot);
void host_define_pool (struct host_pool *pool, struct host_class *klass, uint64_t address,
                       uint64_t size, uint64_t count, uint64_t stride);

/* An image goes with all that it holds; or one method. */
void host_forget (struct host_entity *entity);

/* Every entity, newest first. */
struct host_entity *host_entities (void);

/* ---- callbacks ---- */

enum host_arg {
  ARG_END,
  ARG_IMAGE,
  ARG_ASSEMBLY,
  ARG_CLASS,
  ARG_METHOD,
  ARG_JIT_INFO,
  ARG_OBJECT,
  ARG_ARRAY,
  ARG_POINTER,
  ARG_TEXT,
  ARG_WORD,
  ARG_U64,
  ARG_U32,
};

enum { HOST_ARGS = 5 };

enum host_callback {
#define CALLBACK(name, ...) CB_##name,
#include "tests/host/callbacks.def"
  HOST_CALLBACKS
};

struct host_signature {
  const char *name;
  enum host_arg args[HOST_ARGS + 1]; /* up to ARG_END */
};
extern const struct host_signature host_signatures[HOST_CALLBACKS];

/* What the module registered. */
struct host_handle {
  void *profiler; /* the module's */
  _Atomic (void *) callbacks[HOST_CALLBACKS];
  _Atomic (void *) cleanup;
  _Atomic (void *) filter;
};

enum { HOST_HANDLES = 4 };
struct host_profiling {
  struct host_handle handles[HOST_HANDLES];
  _Atomic size_t count;
  bool allocations;
  bool clauses;
  bool initializing; /* the module's init function is running */
};
extern struct host_profiling host_profiling;

/* Calls this callback of every handle and counts it. */
void host_fire (enum host_callback callback, const uint64_t *values);

/* Calls the cleanup callbacks. */
void host_fire_cleanup (void);

/* What the module wants to know of calls of this method. */
enum { HOST_ENTER = 1 << 1, HOST_LEAVE = 1 << 3, HOST_TAIL_CALL = 1 << 5, HOST_EXC_LEAVE = 1 << 6 };
int host_instrumentation (struct host_method *method);

/* ---- truth ---- */

/* Counted under the names of the log's events. */
enum host_kind {
  KIND_alloc,
  KIND_gc_event,
  KIND_gc_resize,
  KIND_gc_move,
  KIND_metadata_class,
  KIND_metadata_image,
  KIND_method_jit,
  KIND_method_enter,
  KIND_method_leave,
  KIND_method_exc_leave,
  KIND_exception_throw,
  KIND_exception_clause,
  KIND_monitor,
  KIND_heap_object,
  KIND_heap_reference,
  HOST_KINDS
};

/* Events of one kind about one subject: a text, up to two numbers, or both. */
struct host_tally {
  enum host_kind kind;
  const char *text;
  uint64_t numbers[2];
  uint64_t count; /* 0: the slot is free */
  uint64_t amount;
};

struct host_tallies {
  struct host_tally *slots;
  size_t size; /* a power of 2, or 0 */
  size_t used;
};

/* Counts a callback on this thread, after the module has returned from it. */
void host_count (enum host_callback callback, const uint64_t *values, bool delivered);
void host_tally (enum host_kind kind, const char *text, uint64_t number, uint64_t second,
                 uint64_t amount);

/* Keeps what the threads that run at this moment have counted: so much must be in the log. */
void host_snapshot (void);

/* A line of the truth that is no count. */
void host_note (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* Writes the truth; once only. */
void host_print_truth (void);
void host_set_truth_file (const char *path);

/* ---- threads and the run ---- */

struct host_command;

enum { HOST_VARIABLES = 8, HOST_FRAMES = 256 };

struct host_frame {
  struct host_method *method; /* NULL: native code */
};

struct host_thread {
  struct host_entity entity;
  pthread_t pthread;
  uint64_t id;
  struct host_thread *next;
  /* Its work: guarded by lock. */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  const struct host_command *work;
  bool busy;
  bool finish;
  /* Its own. */
  uint64_t variables[HOST_VARIABLES];
  struct host_frame stack[HOST_FRAMES];
  size_t depth;
  bool collecting;
  bool over; /* it has run the shutdown: nothing that it fires needs to be in the log */
  struct host_tallies tallies;
  /* Read by others while it runs. */
  _Atomic bool running; /* to be suspended by a collection; changes under the world's lock */
  _Atomic bool working; /* in a block */
  _Atomic uint64_t fired[HOST_CALLBACKS];
  _Atomic uint64_t delivered[HOST_CALLBACKS];
  _Atomic uint64_t totals[HOST_KINDS];
  uint64_t snapshot[HOST_KINDS];
  bool was_running; /* at the snapshot */
};

/* This thread; NULL on threads that the scenario does not know. */
extern _Thread_local struct host_thread *host_self;

/* The newest thread; the others follow by ->next. */
struct host_thread *host_threads (void);

/* This thread becomes the first one. */
void host_begin_threads (void);

/* Runs blocks on a thread of its own: starts it, gives it a block (when it has ended the one
 * before), waits for the block's end, ends it. */
void host_start_thread (struct host_thread *t);
void host_give_work (struct host_thread *t, const struct host_command *work);
void host_wait_for (struct host_thread *t);
void host_finish_thread (struct host_thread *t);

/* Runs a block on n new threads, each with its number in the variable; waits for their ends. */
void host_run_parallel (const struct host_command *work, uint64_t n, unsigned variable);

/* A thread that does not run does not touch the module: collections need not stop it.  Whoever
 * is going to wait for something stops running before that. */
void host_set_running (bool running);

/* Where threads stop for a collection if signals cannot stop them anywhere. */
void host_safepoint (void);

/* Runs a collection on this thread, with all others that run suspended. */
void host_collect (unsigned generation, const struct host_array *moves);

/* Whether this thread is in the part of a collection in which the heap may be walked. */
bool host_can_walk_heap (void);

/* Objects that a walk of the heap meets: pools. */
struct host_heap {
  struct host_pool **pools;
  size_t count;
};
extern struct host_heap host_heap;

/* Runs commands on this thread. */
void host_run_block (const struct host_command *commands);

/* Runs the scenario on the calling thread, which becomes the scenario's "main". */
void host_run (const struct host_command *commands);

/* ---- scenarios ---- */

/* Appends the commands of a file to a list that ends at `end`; returns the list's new end. */
struct host_command **host_read_script (const char *path, struct host_command **end);

/* ---- main ---- */

/* Calls the module's init function with this text. */
void host_init_module (const char *description);

/* The module did what would harm a real runtime: says so and ends the process with 99. */
void host_violation (const char *format, ...) __attribute__ ((format (printf, 1, 2), noreturn));

/* The scenario or the host's arguments are wrong: ends the process with 98. */
void host_fail (const char *format, ...) __attribute__ ((format (printf, 1, 2), noreturn));

/* calloc that cannot fail. */
void *host_alloc (size_t size);

/* Room for a text that lives as long as the process: the truth may refer to it. */
char *host_text (size_t length);

#endif
