/* mono-names.c -- names of images, classes and methods. */
#include "config.h"

#include "profiler/mono/mono-private.h"
#include <stdio.h>
#include <string.h>

/* Classes loaded before the runtime is initialised: it cannot name all of them yet. */
static pthread_mutex_t early_lock = PTHREAD_MUTEX_INITIALIZER;
static struct address_set early_classes;

void
names_plain_class (MonoClass *klass, char *text, size_t size)
{
  MonoClass *outer = mono_class_get_nesting_type (klass);
  if (outer != NULL) {
    names_plain_class (outer, text, size);
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

/* Arrays and instances of generic types are never loaded, and some classes were before we were
 * there. */
const struct name *
name_new_class (MonoClass *klass)
{
  MonoImage *image = mono_class_get_image (klass);
  name_image (image);
  char *text = mono_type_get_name (mono_class_get_type (klass));
  const struct name *name
      = names_add (NAME_CLASS, address (klass), address (image), text != NULL ? text : "", 0, 0);
  mono_free (text);
  return name;
}

const struct name *
name_new_vtable (MonoVTable *vtable)
{
  MonoClass *klass = mono_vtable_class (vtable);
  const struct name *name = name_class (klass);
  if (name == NULL)
    return NULL;
  return names_add (NAME_VTABLE, address (vtable), name->image, "", name->address,
                    (uint64_t) mono_domain_get_id (mono_vtable_domain (vtable)));
}

static uint64_t
image_of_method (MonoMethod *method)
{
  MonoClass *klass = mono_method_get_class (method);
  return klass != NULL ? address (mono_class_get_image (klass)) : 0;
}

/* Announced with the code given. */
const struct name *
name_new_method (MonoMethod *method, uint64_t code, uint64_t size)
{
  char *text = mono_method_full_name (method, 1);
  const struct name *name = names_add (NAME_METHOD, address (method), image_of_method (method),
                                       text != NULL ? text : "", code, size);
  mono_free (text);
  return name;
}

static void
image_loaded (MonoProfiler *p, MonoImage *image)
{
  (void) p;
  late_stacks_note_image ();
  name_image (image);
}

static void
image_failed (MonoProfiler *p, MonoImage *image)
{
  (void) p;
  names_announce_error (NAME_IMAGE, address (image), address (image), image_text (image));
}

static void
class_loaded (MonoProfiler *p, MonoClass *klass)
{
  if (!recorder_running ())
    return; /* also in a forked child, where no thread would release a lock */
  pthread_mutex_lock (&early_lock);
  bool initialized = atomic_load_explicit (&p->initialized, memory_order_relaxed);
  if (!initialized)
    address_set_add (&early_classes, address (klass));
  pthread_mutex_unlock (&early_lock);
  if (initialized)
    name_class (klass);
}

void
names_add_classes (struct address_set *set)
{
  for (size_t i = 0; i < set->size; i++)
    if (set->slots[i] != 0)
      name_class ((MonoClass *) (uintptr_t) set->slots[i]);
  address_set_clear (set);
}

void
names_add_vtables (struct address_set *set)
{
  for (size_t i = 0; i < set->size; i++)
    if (set->slots[i] != 0)
      name_vtable ((MonoVTable *) (uintptr_t) set->slots[i]);
  address_set_clear (set);
}

void
names_add_early (void)
{
  /* A class that is loaded by another thread right now is in the set or is named by itself. */
  pthread_mutex_lock (&early_lock);
  atomic_store (&profiler.initialized, true);
  struct address_set early = early_classes;
  early_classes = (struct address_set){ 0 };
  pthread_mutex_unlock (&early_lock);
  names_add_classes (&early);
}

static void
class_failed (MonoProfiler *p, MonoClass *klass)
{
  (void) p;
  /* The type of a class that failed may be incomplete: take its own names only. */
  char text[1024];
  names_plain_class (klass, text, sizeof text);
  MonoImage *image = mono_class_get_image (klass);
  name_image (image);
  names_announce_error (NAME_CLASS, address (klass), address (image), text);
}

/* Before the runtime is initialised their classes cannot be named: they are when they are used. */
static void
vtable_loaded (MonoProfiler *p, MonoVTable *vtable)
{
  if (atomic_load_explicit (&p->initialized, memory_order_relaxed))
    name_vtable (vtable);
}

static void
assembly_loaded (MonoProfiler *p, MonoAssembly *assembly)
{
  MonoImage *image = mono_assembly_get_image (assembly);
  late_stacks_note_image ();
  name_image (image);
  char *text = mono_stringify_assembly_name (mono_assembly_get_name (assembly));
  names_add (NAME_ASSEMBLY, address (assembly), address (image), text != NULL ? text : "", 0, 0);
  mono_free (text);
  if (atomic_load_explicit (&p->initialized, memory_order_relaxed))
    collections_learn (image);
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

/* Naming each class that is loaded and each method that is compiled would be a third of the cost of
 * sampled allocations, and half of that of samples.  Those that events have are named at their
 * first event. */
static bool
announces_all (const struct options *o)
{
  const bool samples_allocations = o->alloc && o->alloc_sampling != 0;
  const bool takes_heap_shots = o->heapshot.when != PROFLOG_HEAPSHOT_OFF || o->heapshot_on_shutdown;
  if (o->jit || is_armed (CLASS_CALLS) || (o->alloc && !samples_allocations)
      || (takes_heap_shots && !samples_allocations))
    return true;
  return !samples_allocations && !is_armed (CLASS_SAMPLE);
}

/* Methods that cannot be named later: dynamic methods and domains may be gone by then. */
static void
jit_done_for_samples (MonoProfiler *p, MonoMethod *method, MonoJitInfo *info)
{
  MonoClass *klass = mono_method_get_class (method);
  if (mono_method_get_token (method) == 0 || mono_domain_get () != mono_get_root_domain ()
      || mono_image_is_dynamic (mono_class_get_image (klass)))
    jit_done (p, method, info);
}

void
names_set_callbacks (struct _MonoProfiler *p)
{
  mono_profiler_set_image_loaded_callback (p->handle, image_loaded);
  mono_profiler_set_image_failed_callback (p->handle, image_failed);
  mono_profiler_set_class_failed_callback (p->handle, class_failed);
  mono_profiler_set_method_free_callback (p->handle, method_free);
  if (log_has_vtables ())
    mono_profiler_set_assembly_loaded_callback (p->handle, assembly_loaded);
  if (!announces_all (&p->options)) {
    mono_profiler_set_jit_done_callback (p->handle,
                                         is_armed (CLASS_SAMPLE) ? jit_done_for_samples : NULL);
    return;
  }
  mono_profiler_set_class_loaded_callback (p->handle, class_loaded);
  mono_profiler_set_jit_done_callback (p->handle, jit_done);
  if (log_has_vtables ())
    mono_profiler_set_vtable_loaded_callback (p->handle, vtable_loaded);
}
