/* host-runtime.c -- the functions that the module imports from Mono.
 *
 * Stricter than a runtime can be: whatever would be undefined there ends the process here.
 */
#include "config.h"

#include "host/host-runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Mono 6.8 crashes in a later collection if this callback goes and comes while it collects. */
static bool
breaks_collection (struct host_handle *handle, _Atomic (void *) *callback, void *function)
{
  return callback == &handle->callbacks[CB_gc_roots] && host_world->is_collecting != NULL
         && host_world->is_collecting () && atomic_load (callback) != function;
}

static void
set (struct host_handle *handle, _Atomic (void *) *callback, void *function)
{
  if (handle < host_profiling.handles || handle >= &host_profiling.handles[HOST_HANDLES])
    host_violation ("a callback set on a handle that is none: %p", (void *) handle);
  if (breaks_collection (handle, callback, function))
    host_violation ("the callback of roots is changed in the middle of a collection");
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
#include "host/callbacks.def"

/* ---- metadata ---- */

static void *
living (void *pointer, enum host_entity_kind kind, const char *function)
{
  struct host_entity *e = pointer;
  if (e == NULL)
    host_violation ("%s called with NULL", function);
  if (e->kind != kind)
    host_violation ("%s called with a pointer of another kind", function);
  if (!e->alive)
    host_violation ("%s called with %s, which is gone or was never defined", function, e->symbol);
  return pointer;
}

#define LIVING_CLASS(p) ((struct host_class *) living (p, HOST_CLASS, __func__))
#define LIVING_METHOD(p) ((struct host_method *) living (p, HOST_METHOD, __func__))
#define LIVING_IMAGE(p) ((struct host_image *) living (p, HOST_IMAGE, __func__))
#define LIVING_ASSEMBLY(p) ((struct host_assembly *) living (p, HOST_ASSEMBLY, __func__))
#define LIVING_DOMAIN(p) ((struct host_domain *) living (p, HOST_DOMAIN, __func__))
#define LIVING_CONTEXT(p) ((struct host_context *) living (p, HOST_CONTEXT, __func__))
#define LIVING_VTABLE(p) ((struct host_vtable *) living (p, HOST_VTABLE, __func__))

/* A string that the caller frees.  In a runtime this takes locks that a suspended thread may
 * hold. */
static char *
string_for_module (const char *text, const char *function)
{
  if (host_world->has_stopped_world ())
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

uint32_t
mono_method_get_flags (void *method, uint32_t *kind)
{
  LIVING_METHOD (method);
  *kind = 0;
  return 0;
}

/* Methods have no code here. */
void *
mono_method_get_header (void *method)
{
  LIVING_METHOD (method);
  return NULL;
}

const unsigned char *
mono_method_header_get_code (void *header, uint32_t *size, uint32_t *max_stack)
{
  (void) header;
  (void) size;
  (void) max_stack;
  host_violation ("%s called for a method without code", __func__);
  return NULL;
}

void
mono_metadata_free_mh (void *header)
{
  (void) header;
  host_violation ("%s called for a method without code", __func__);
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

/* No method has one, as dynamic methods have none. */
uint32_t
mono_method_get_token (void *method)
{
  (void) LIVING_METHOD (method);
  return 0;
}

int
mono_image_is_dynamic (void *image)
{
  (void) image;
  return 0;
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

/* Objects of any class may have any sizes here, as arrays have. */
int
mono_class_get_rank (void *klass)
{
  (void) LIVING_CLASS (klass);
  return 1;
}

/* Objects have no memory: sizes of classes say nothing of them. */
int32_t
mono_class_instance_size (void *klass)
{
  (void) LIVING_CLASS (klass);
  return 0;
}

int32_t
mono_array_element_size (void *klass)
{
  (void) LIVING_CLASS (klass);
  return 0;
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

const char *
mono_image_get_guid (void *image)
{
  return LIVING_IMAGE (image)->guid;
}

void *
mono_assembly_get_main (void)
{
  return host_world->main_assembly ();
}

void *
mono_assembly_get_image (void *assembly)
{
  return LIVING_ASSEMBLY (assembly)->image;
}

/* A MonoAssemblyName is the address of its assembly's name. */
void *
mono_assembly_get_name (void *assembly)
{
  return &LIVING_ASSEMBLY (assembly)->name;
}

char *
mono_stringify_assembly_name (void *assembly_name)
{
  struct host_assembly *a = LIVING_ASSEMBLY (OWNER_OF (assembly_name, host_assembly, name));
  return string_for_module (a->name != NULL ? a->name : mono_image_get_name (a->image), __func__);
}

void *
mono_get_root_domain (void)
{
  return host_world->root_domain ();
}

void *
mono_domain_get (void)
{
  return host_world->root_domain ();
}

void *
mono_get_string_class (void)
{
  return NULL;
}

int32_t
mono_domain_get_id (void *domain)
{
  return LIVING_DOMAIN (domain)->id;
}

int32_t
mono_context_get_id (void *context)
{
  return LIVING_CONTEXT (context)->id;
}

int32_t
mono_context_get_domain_id (void *context)
{
  return LIVING_DOMAIN (LIVING_CONTEXT (context)->domain)->id;
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

void *
mono_jit_info_get_method (void *jit_info)
{
  return LIVING_METHOD (OWNER_OF (jit_info, host_method, code));
}

/* ---- objects ---- */

static struct host_object
living_object (void *pointer, const char *function)
{
  struct host_object object;
  if (!host_world->find_object ((uint64_t) (uintptr_t) pointer, &object))
    host_violation ("%s called with %p, where no object is", function, pointer);
  return object;
}

void *
mono_object_get_class (void *object)
{
  return living_object (object, __func__).klass;
}

unsigned
mono_object_get_size (void *object)
{
  return (unsigned) living_object (object, __func__).size;
}

void *
mono_object_get_vtable (void *object)
{
  return living_object (object, __func__).vtable;
}

void *
mono_vtable_class (void *vtable)
{
  return LIVING_VTABLE (vtable)->klass;
}

void *
mono_vtable_domain (void *vtable)
{
  return LIVING_VTABLE (vtable)->domain;
}

/* ---- stacks, heap, collections ---- */

void
mono_stack_walk_no_il (host_walk_stack function, void *data)
{
  struct host_stack stack;
  if (!host_world->stack_of_thread (&stack))
    host_violation ("%s called on a thread that the runtime does not know", __func__);
  for (size_t i = 0; i < stack.depth; i++) {
    struct host_method *m = stack.frames[i];
    if (function (m, (int32_t) (16 * i), -1, m != NULL, data))
      return;
  }
}

int
mono_gc_walk_heap (int flags, host_walk_heap function, void *data)
{
  if (flags != 0)
    host_violation ("%s called with flags %d", __func__, flags);
  if (!host_world->can_walk_heap ())
    host_violation ("%s called while the world is not stopped", __func__);
  host_world->walk_heap (function, data);
  return 0;
}

_Atomic bool host_finalizer_notified;

void
mono_gc_finalize_notify (void)
{
  atomic_store (&host_finalizer_notified, true);
}

void
mono_gc_collect (int generation)
{
  struct host_stack stack;
  if (!host_world->stack_of_thread (&stack))
    host_violation ("%s called on a thread that the runtime does not know", __func__);
  if (host_world->has_stopped_world ())
    host_violation ("%s called during a collection", __func__);
  host_world->collect ((unsigned) generation);
}

int
mono_gc_max_generation (void)
{
  return 1;
}

const char *
mono_config_get_cpu (void)
{
  return "host";
}

const char *
mono_config_get_os (void)
{
  return "none";
}

char *
mono_get_runtime_build_info (void)
{
  return string_for_module ("0.0 (host)", __func__);
}

int64_t
mono_gc_get_heap_size (void)
{
  return 1 << 20;
}

/* Acquires the collector's lock. */
int64_t
mono_gc_get_used_size (void)
{
  if (host_world->has_stopped_world ())
    host_violation ("%s called while the world is stopped", __func__);
  return 1 << 19;
}

int
mono_gc_get_generation (void *object)
{
  return living_object (object, __func__).generation;
}

/* ---- samples, counters: there are none ---- */

int
mono_profiler_enable_sampling (struct host_handle *handle)
{
  (void) handle;
  only_in_init (__func__);
  return 1;
}

int
mono_profiler_set_sample_mode (struct host_handle *handle, int mode, uint32_t frequency)
{
  (void) handle;
  (void) mode;
  if (frequency == 0)
    host_violation ("%s called with the frequency 0", __func__);
  return 1;
}

void
mono_stack_walk_async_safe (void *function, void *context, void *data)
{
  (void) function;
  (void) context;
  (void) data;
}

void *
mono_jit_info_table_find (void *domain, void *code)
{
  (void) domain;
  (void) code;
  return NULL;
}

/* Code has no lines here. */
int
mono_debug_enabled (void)
{
  return 0;
}

void *
mono_debug_lookup_source_location (void *method, uint32_t address, void *domain)
{
  LIVING_METHOD (method);
  (void) address;
  (void) domain;
  return NULL;
}

void
mono_debug_free_source_location (void *location)
{
  (void) location;
  host_violation ("%s called, but there are no locations", __func__);
}

int
mono_threads_attach_tools_thread (void)
{
  return 1;
}

void
mono_counters_foreach (void *function, void *data)
{
  (void) function;
  (void) data;
}

static int
no_counter (const char *function)
{
  host_violation ("%s called, but there are no counters", function);
  return 0;
}

int
mono_counters_sample (void *counter, void *buffer, int size)
{
  (void) counter;
  (void) buffer;
  (void) size;
  return no_counter (__func__);
}

const char *
mono_counter_get_name (void *counter)
{
  (void) counter;
  no_counter (__func__);
  return "";
}

int
mono_counter_get_section (void *counter)
{
  (void) counter;
  return no_counter (__func__);
}

int
mono_counter_get_type (void *counter)
{
  (void) counter;
  return no_counter (__func__);
}

int
mono_counter_get_unit (void *counter)
{
  (void) counter;
  return no_counter (__func__);
}

int
mono_counter_get_variance (void *counter)
{
  (void) counter;
  return no_counter (__func__);
}
