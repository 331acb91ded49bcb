/* test-host.h -- the fake host of the tests: a runtime (host/host.h) that runs a scenario.
 *
 *   host-world.c      entities: images, classes, methods, objects
 *   host-truth.c    counts what was fired, prints it
 *   host-script.c   reads a scenario
 *   host-run.c      runs it
 *   host-threads.c  threads and collections
 *   host-clock.c    the clock, where the scenario sets it
 *   host-main.c     loads the module
 *
 * Definitions change only while no other scenario thread runs.
 */
#ifndef TESTS_HOST_TEST_HOST_H
#define TESTS_HOST_TEST_HOST_H

#include "host/host.h"
#include <pthread.h>
#include <stdio.h>

/* ---- the world ---- */

/* `count` objects of a class, `stride` bytes apart.  Their memory does not exist. */
struct host_pool {
  struct host_entity entity;
  struct host_class *klass;
  struct host_vtable vtable;
  uint64_t address;
  uint64_t size;
  uint64_t count;
  uint64_t stride;
  struct host_references {
    uint64_t count;
    uint64_t *items;
  } * references; /* of each object; NULL: none has any */
};

/* Addresses: the arguments of gc_moves and gc_roots. */
struct host_array {
  struct host_entity entity;
  uint64_t *values;
  uint64_t count;
};

/* Finds the entity of a symbol, or NULL. */
struct host_entity *host_find (const char *symbol);

/* A new entity of `size` bytes. */
void *host_new_entity (enum host_entity_kind kind, size_t size, const char *symbol);

/* The pool that has an object at this address; the newest one if several do; NULL if none. */
struct host_pool *host_pool_at (uint64_t address);

/* The effects of definitions when they are run. */
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

void host_tally (enum host_kind kind, const char *text, uint64_t number, uint64_t second,
                 uint64_t amount);

/* Keeps the counts of the threads that run at this moment: these must be in the log. */
void host_snapshot (void);

/* A line of the truth that is no count. */
void host_note (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* Writes the truth; once only. */
void host_print_truth (void);
void host_set_truth_file (const char *path);

/* ---- threads and the run ---- */

struct host_command;

enum { HOST_VARIABLES = 8, HOST_FRAMES = 256 };

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
  struct host_method *stack[HOST_FRAMES]; /* NULL: native code */
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

/* A thread that does not run does not touch the module: collections need not stop it.
 * A thread that is going to wait for something stops running before that. */
void host_set_running (bool running);

/* Where threads stop for a collection if signals cannot stop them anywhere. */
void host_safepoint (void);

/* Runs a collection on this thread, with all others that run suspended. */
void host_collect (unsigned generation, const struct host_array *moves);

/* Objects that a walk of the heap meets: pools. */
struct host_heap {
  struct host_pool **pools;
  size_t count;
  uint64_t walk_ns; /* how long a walk lasts; 0: the clock may be the system's */
};
extern struct host_heap host_heap;

/* Runs commands on this thread. */
void host_run_block (const struct host_command *commands);

/* When the module has finished at exit. */
void host_at_exit (void);

/* Runs the scenario on the calling thread, which becomes the scenario's "main". */
void host_run (const struct host_command *commands);

/* ---- scenarios ---- */

/* Appends the commands of a file to a list that ends at `end`; returns the list's new end. */
struct host_command **host_read_script (const char *path, struct host_command **end);

/* ---- main ---- */

/* Calls the module's init function with this text. */
void host_init_module (const char *description);

/* calloc that cannot fail. */
void *host_alloc (size_t size);

/* Room for a text that lives as long as the process: the truth may refer to it. */
char *host_text (size_t length);

/* ---- data that the runtime's functions query: struct host_world ---- */

/* host-world.c */
bool host_find_object (uint64_t address, struct host_object *object);
struct host_assembly *host_main_assembly (void);
struct host_domain *host_root_domain (void);
void host_walk_pools (host_walk_heap function, void *data);

/* host-threads.c */
bool host_stack_of_thread (struct host_stack *stack);
bool host_has_stopped_world (void);
bool host_is_collecting (void);
bool host_can_walk_heap (void);
void host_collect_for_module (unsigned generation);

/* host-truth.c */
void host_fired (enum host_callback callback, const uint64_t *values, bool delivered);

/* ---- the clock ---- */

/* The clock is the scenario's: before the module is loaded, and when it is initialised. */
void host_clock_start (void);
void host_clock_settle (void);

/* It is `ns` later. */
void host_clock_advance (uint64_t ns);

#endif
