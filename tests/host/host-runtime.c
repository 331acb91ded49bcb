/* host-runtime.c -- what the module imports from Mono.
 *
 * Stricter than a runtime can be: whatever would be undefined there ends the process here.
 */
#include "tests/host/host-runtime.h"
#include "tests/host/host.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { HEAP_CHUNK = 128 }; /* references in one call of a heap walk */

static _Atomic long strings_in_use;

long
host_strings_in_use (void)
{
  return atomic_load_explicit (&strings_in_use, memory_order_relaxed);
}

/* ---- the profiler API ---- */

struct host_handle *
mono_profiler_create (void *profiler)
{
  size_t count = atomic_load (&host_profiling.count);
  if (count == HOST_HANDLES)
    host_fail ("more than %d profilers", HOST_HANDLES);
  host_profiling.handles[count].profiler = profiler;
  atomic_store (&host_profiling.count, count + 1);
  return &host_profiling.handles[count];
}

static void
only_in_init (const char *function)
{
  if (!host_profiling.initializing)
    host_violation ("%s called outside the init function", function);
}

int
mono_profiler_enable_allocations (void)
{
  only_in_init (__func__);
  host_profiling.allocations = true;
  return 1;
}

int
mono_profiler_enable_clauses (void)
{
  only_in_init (__func__);
  host_profiling.clauses = true;
  return 1;
}

static void
set (struct host_handle *handle, _Atomic (void *) *callback, void *function)
{
  if (handle < host_profiling.handles || handle >= &host_profiling.handles[HOST_HANDLES])
    host_violation ("a callback set on a handle that is none: %p", (void *) handle);
  atomic_store_explicit (callback, function, memory_order_release);
}

void
mono_profiler_set_cleanup_callback (struct host_handle *handle, void *function)
{
  set (handle, &handle->cleanup, function);
}

void
mono_profiler_set_call_instrumentation_filter_callback (struct host_handle *handle, void *function)
{
  set (handle, &handle->filter, function);
}

#define CALLBACK(name, ...)                                                                        \
  void mono_profiler_set_##name##_callback (struct host_handle *handle, void *function)            \
  {                                                                                                \
    set (handle, &handle->callbacks[CB_##name], function);                                         \
  }
#include "tests/host/callbacks.def"

/* ---- metadata ---- */

static void *
living (void *pointer, enum host_sort sort, const char *function)
{
  struct host_entity *e = pointer;
  if (e == NULL)
    host_violation ("%s called with NULL", function);
  if (e->sort != sort)
    host_violation ("%s called with a pointer of another kind", function);
  if (!e->alive)
    host_violation ("%s called with %s, which is gone or was never defined", function, e->symbol);
  return pointer;
}

#define LIVING_CLASS(p) ((struct host_class *) living (p, HOST_CLASS, __func__))
#define LIVING_METHOD(p) ((struct host_method *) living (p, HOST_METHOD, __func__))
#define LIVING_IMAGE(p) ((struct host_image *) living (p, HOST_IMAGE, __func__))
#define LIVING_ASSEMBLY(p) ((struct host_assembly *) living (p, HOST_ASSEMBLY, __func__))

/* A string that the caller frees.  In a runtime this takes locks that a suspended thread may
 * hold. */
static char *
string_for_module (const char *text, const char *function)
{
  if (host_self != NULL && host_self->collecting)
    host_violation ("%s called while the world is stopped", function);
  char *copy = strdup (text);
  if (copy == NULL)
    host_fail ("no memory");
  atomic_fetch_add_explicit (&strings_in_use, 1, memory_order_relaxed);
  return copy;
}

void
mono_free (void *memory)
{
  if (memory != NULL)
    atomic_fetch_sub_explicit (&strings_in_use, 1, memory_order_relaxed);
  free (memory);
}

char *
mono_method_full_name (void *method, int signature)
{
  struct host_method *m = LIVING_METHOD (method);
  if (!signature)
    host_violation ("%s called without the signature", __func__);
  return string_for_module (m->full_name, __func__);
}

const char *
mono_method_get_name (void *method)
{
  return LIVING_METHOD (method)->name;
}

void *
mono_method_get_class (void *method)
{
  return LIVING_METHOD (method)->klass;
}

/* A MonoType is the address of its class's type name, a MonoJitInfo that of its method's code. */
void *
mono_class_get_type (void *klass)
{
  return &LIVING_CLASS (klass)->type_name;
}

#define OWNER_OF(pointer, type, member)                                                            \
  ((pointer) == NULL ? NULL : (void *) ((char *) (pointer) -offsetof (struct type, member)))

char *
mono_type_get_name (void *type)
{
  struct host_class *klass = LIVING_CLASS (OWNER_OF (type, host_class, type_name));
  return string_for_module (klass->type_name, __func__);
}

const char *
mono_class_get_name (void *klass)
{
  return LIVING_CLASS (klass)->name;
}

const char *
mono_class_get_namespace (void *klass)
{
  return LIVING_CLASS (klass)->name_space;
}

void *
mono_class_get_nesting_type (void *klass)
{
  return LIVING_CLASS (klass)->outer;
}

void *
mono_class_get_image (void *klass)
{
  return LIVING_CLASS (klass)->image;
}

const char *
mono_image_get_filename (void *image)
{
  return LIVING_IMAGE (image)->file_name;
}

/* The assembly's name: the file's without folder and ".dll" or ".exe"; without a file the
 * symbol. */
const char *
mono_image_get_name (void *image)
{
  static _Thread_local char name[256];
  const char *file = LIVING_IMAGE (image)->file_name;
  if (file == NULL)
    return ((struct host_image *) image)->entity.symbol;
  const char *slash = strrchr (file, '/');
  snprintf (name, sizeof name, "%s", slash != NULL ? slash + 1 : file);
  char *dot = strrchr (name, '.');
  if (dot != NULL && (strcmp (dot, ".dll") == 0 || strcmp (dot, ".exe") == 0))
    *dot = 0;
  return name;
}

void *
mono_assembly_get_main (void)
{
  struct host_entity *oldest = NULL;
  for (struct host_entity *e = host_entities (); e != NULL; e = e->next)
    if (e->sort == HOST_ASSEMBLY && e->alive)
      oldest = e;
  return oldest;
}

void *
mono_assembly_get_image (void *assembly)
{
  return LIVING_ASSEMBLY (assembly)->image;
}

void *
mono_jit_info_get_code_start (void *jit_info)
{
  return (void *) (uintptr_t) LIVING_METHOD (OWNER_OF (jit_info, host_method, code))->code;
}

int
mono_jit_info_get_code_size (void *jit_info)
{
  return (int) LIVING_METHOD (OWNER_OF (jit_info, host_method, code))->code_size;
}

/* ---- objects ---- */

static struct host_pool *
pool_of (void *object, const char *function)
{
  struct host_pool *pool = host_pool_at ((uint64_t) (uintptr_t) object);
  if (pool == NULL)
    host_violation ("%s called with %p, where no object is", function, object);
  return pool;
}

void *
mono_object_get_class (void *object)
{
  return pool_of (object, __func__)->klass;
}

unsigned
mono_object_get_size (void *object)
{
  return (unsigned) pool_of (object, __func__)->size;
}

/* ---- stacks, heap, collections ---- */

void
mono_stack_walk_no_il (host_walk_stack function, void *data)
{
  if (host_self == NULL)
    host_violation ("%s called on a thread that the runtime does not know", __func__);
  for (size_t i = 0; i < host_self->depth; i++) {
    struct host_method *m = host_self->stack[i].method;
    if (function (m, (int32_t) (16 * i), -1, m != NULL, data))
      return;
  }
}

static void
walk_object (struct host_pool *pool, uint64_t index, host_walk_heap function, void *data)
{
  void *chunk[HEAP_CHUNK];
  uintptr_t offsets[HEAP_CHUNK];
  uint64_t object = pool->address + index * pool->stride;
  uint64_t count = pool->references != NULL ? pool->references[index].count : 0;
  uint64_t done = 0;
  host_tally (KIND_heap_object, pool->klass->type_name, 0, 0, (pool->size + 7) & ~UINT64_C (7));
  do {
    uint64_t n = count - done < HEAP_CHUNK ? count - done : HEAP_CHUNK;
    for (uint64_t i = 0; i < n; i++) {
      uint64_t target = pool->references[index].items[done + i];
      chunk[i] = (void *) (uintptr_t) target;
      offsets[i] = 16 + 8 * (done + i);
      host_tally (KIND_heap_reference, NULL, object, target, 0);
    }
    function ((void *) (uintptr_t) object, pool->klass, done == 0 ? pool->size : 0, n, chunk,
              offsets, data);
    done += n;
  } while (done < count);
}

int
mono_gc_walk_heap (int flags, host_walk_heap function, void *data)
{
  if (flags != 0)
    host_violation ("%s called with flags %d", __func__, flags);
  if (!host_can_walk_heap ())
    host_violation ("%s called while the world is not stopped", __func__);
  for (size_t i = 0; i < host_heap.count; i++)
    for (uint64_t k = 0; k < host_heap.pools[i]->count; k++)
      walk_object (host_heap.pools[i], k, function, data);
  return 0;
}

void
mono_gc_collect (int generation)
{
  if (host_self == NULL)
    host_violation ("%s called on a thread that the runtime does not know", __func__);
  if (host_self->collecting)
    host_violation ("%s called during a collection", __func__);
  host_collect ((unsigned) generation, NULL);
}

int
mono_gc_max_generation (void)
{
  return 1;
}
