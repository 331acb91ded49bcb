/* host.h -- a simulated runtime, for the fake host of the tests and for `proflog replay`.
 *
 *   host-runtime.c  the mono_* functions that a profiler module imports
 *   host.c          calls the module's callbacks through libffi
 *
 * The program that links these decides which entities exist and which events happen: it registers a
 * struct host_world.  Firing acquires no lock and shares nothing between threads, so that
 * ThreadSanitizer sees the module's own synchronisation alone.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions that the module passes to the runtime, with the signatures of Mono. */
typedef int (*host_walk_stack) (void *method, int32_t native_offset, int32_t il_offset, int managed,
                                void *data);
typedef int (*host_walk_heap) (void *object, void *klass, uintptr_t size, uintptr_t count,
                               void **references, uintptr_t *offsets, void *data);

/* ---- the world ---- */

enum host_entity_kind {
  HOST_IMAGE
  = 0x486f7301, /* each entity begins with its kind; unusual values reveal wild pointers */
  HOST_ASSEMBLY,
  HOST_CLASS,
  HOST_METHOD,
  HOST_POOL,
  HOST_ARRAY,
  HOST_THREAD,
  HOST_DOMAIN,
  HOST_CONTEXT,
  HOST_VTABLE,
};

/* The beginning of all entities.  `alive`: defined and not forgotten. */
struct host_entity {
  enum host_entity_kind kind;
  bool alive;
  const char *symbol; /* its name in messages */
  struct host_entity *next;
};

struct host_image {
  struct host_entity entity;
  const char *file_name;
  const char *guid; /* NULL: none */
};

struct host_assembly {
  struct host_entity entity;
  struct host_image *image;
  const char *name; /* with version and all; NULL: that of the image */
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
  _Atomic int instrumentation; /* the result of the module's filter; -1: not called yet */
};

struct host_domain {
  struct host_entity entity;
  int32_t id;
};

struct host_context {
  struct host_entity entity;
  struct host_domain *domain;
  int32_t id;
};

struct host_vtable {
  struct host_entity entity;
  struct host_domain *domain;
  struct host_class *klass;
};

/* An object is an address without memory.  `vtable` may be NULL where the program has none. */
struct host_object {
  struct host_class *klass;
  struct host_vtable *vtable;
  uint64_t size;
  int generation;
};

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
#include "host/callbacks.def"
  HOST_CALLBACKS
};

struct host_signature {
  const char *name;
  enum host_arg args[HOST_ARGS + 1]; /* up to ARG_END */
};
extern const struct host_signature host_signatures[HOST_CALLBACKS];

/* A profiler that the module registered. */
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

/* Calls this callback of every handle, then `fired` of the world. */
void host_fire (enum host_callback callback, const uint64_t *values);

/* Calls the cleanup callbacks. */
void host_fire_cleanup (void);

/* The events of calls of this method that the module selected. */
enum { HOST_ENTER = 1 << 1, HOST_LEAVE = 1 << 3, HOST_TAIL_CALL = 1 << 5, HOST_EXC_LEAVE = 1 << 6 };
int host_instrumentation (struct host_method *method);

/* The argument of jit_done for a method. */
static inline void *
host_jit_info (struct host_method *method)
{
  return &method->code;
}

/* ---- the simulated world, which the program provides ---- */

/* The methods that a thread is in, innermost first; NULL is native code. */
struct host_stack {
  struct host_method *const *frames;
  size_t depth;
};

/* The functions of the runtime query it on the thread that calls them. */
struct host_world {
  /* False: the runtime does not know this thread. */
  bool (*stack_of_thread) (struct host_stack *stack);
  /* False: there is no object at this address. */
  bool (*find_object) (uint64_t address, struct host_object *object);
  /* The program's own; NULL: none yet. */
  struct host_assembly *(*main_assembly) (void);
  /* NULL: none yet. */
  struct host_domain *(*root_domain) (void);
  /* Whether this thread has stopped all others. */
  bool (*has_stopped_world) (void);
  /* Whether any thread collects; NULL: that is not known. */
  bool (*is_collecting) (void);
  bool (*can_walk_heap) (void);
  /* Calls the function with every object of the heap. */
  void (*walk_heap) (host_walk_heap function, void *data);
  /* Runs a collection that the module requests. */
  void (*collect) (unsigned generation);
  /* A callback was called, or (not `delivered`) no module has registered it. */
  void (*fired) (enum host_callback callback, const uint64_t *values, bool delivered);
  /* Prints the error and ends the process.  A violation is an error of the module. */
  void (*fail) (bool is_violation, const char *format, va_list args);
};
extern const struct host_world *host_world;

/* To be called before the module is loaded.  The world must stay valid. */
void host_start (const struct host_world *world);

/* The module did something that would harm a real runtime. */
void host_violation (const char *format, ...) __attribute__ ((format (printf, 1, 2), noreturn));

/* Any other error. */
void host_fail (const char *format, ...) __attribute__ ((format (printf, 1, 2), noreturn));

/* The module woke the thread of the finalizers. */
extern _Atomic bool host_finalizer_notified;

#endif
