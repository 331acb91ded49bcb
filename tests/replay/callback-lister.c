/* callback-lister.c -- a profiler module that lists every callback with the answers of the runtime.
 *
 *   --into .libs/libmono-profiler-callbacks.so:FILE
 *
 * A line is "thread N CALLBACK ARGUMENT..."; where frames matter, " in " and the frames follow,
 * innermost first. Heap snapshots are taken where the world is about to start after a collection of
 * the oldest generation.
 *
 * With :rude instead of a file it walks the heap where that is not allowed.
 */
#include "config.h"

#include "host/host-runtime.h"
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64, MAX_GENERATION = 1 };

static const struct host_signature signatures[] = {
#define CALLBACK(name, ...) { #name, { __VA_ARGS__ } },
#include "host/callbacks.def"
};

static FILE *out;
static pthread_t threads[THREADS]; /* in the order in which they come; callbacks come in turn */
static unsigned n_threads;

static unsigned
number_of (pthread_t thread)
{
  unsigned i = 0;
  while (i < n_threads && !pthread_equal (threads[i], thread))
    i++;
  if (i == n_threads && n_threads < THREADS)
    threads[n_threads++] = thread;
  return i + 1;
}

/* A text that the runtime gave away. */
static void
put_text (char *text)
{
  fprintf (out, " %s", text);
  mono_free (text);
}

static void
put_class (void *klass)
{
  put_text (mono_type_get_name (mono_class_get_type (klass)));
}

static void
put_method (void *method)
{
  put_text (mono_method_full_name (method, 1));
}

static int
put_frame (void *method, int32_t native_offset, int32_t il_offset, int managed, void *data)
{
  (void) native_offset;
  (void) il_offset;
  (void) managed;
  (void) data;
  put_method (method);
  return 0;
}

/* The runtime's data of it; of calls there is no context here. */
static void
put_pointer (enum host_callback callback, void *pointer)
{
  if (callback >= CB_domain_loading && callback <= CB_domain_name)
    fprintf (out, " domain %d", mono_domain_get_id (pointer));
  else if (callback == CB_context_loaded || callback == CB_context_unloaded)
    fprintf (out, " context %d of %d", mono_context_get_id (pointer),
             mono_context_get_domain_id (pointer));
  else if (callback >= CB_vtable_loading && callback <= CB_vtable_loaded)
    put_class (mono_vtable_class (pointer));
  else if (callback != CB_method_enter && callback != CB_method_leave)
    fprintf (out, " 0x%" PRIxPTR, (uintptr_t) pointer);
}

/* The owner of a root, by its source, and the purpose of code. */
static void
put_key (uint32_t source, void *key)
{
  if (source == 3)
    put_class (mono_vtable_class (key));
  else
    fprintf (out, " 0x%" PRIxPTR, (uintptr_t) key);
}

static void
put_code_data (const char *text)
{
  fprintf (out, " \"%s\"", text != NULL ? text : "(none)");
}

static void
put_argument (enum host_callback callback, enum host_arg kind, uint64_t value)
{
  void *pointer = (void *) (uintptr_t) value;
  switch (kind) {
  case ARG_IMAGE:
    fprintf (out, " %s", mono_image_get_filename (pointer));
    break;
  case ARG_ASSEMBLY:
    put_text (mono_stringify_assembly_name (mono_assembly_get_name (pointer)));
    break;
  case ARG_CLASS:
    put_class (pointer);
    break;
  case ARG_METHOD:
    put_method (pointer);
    break;
  case ARG_JIT_INFO:
    fprintf (out, " 0x%" PRIxPTR "+%d", (uintptr_t) mono_jit_info_get_code_start (pointer),
             mono_jit_info_get_code_size (pointer));
    break;
  case ARG_OBJECT:
    fprintf (out, " 0x%" PRIx64, value);
    if (value != 0)
      put_class (mono_object_get_class (pointer));
    break;
  case ARG_TEXT:
    fprintf (out, " \"%s\"", pointer != NULL ? (const char *) pointer : "(none)");
    break;
  case ARG_U32:
    fprintf (out, " %" PRIu32, (uint32_t) value);
    break;
  case ARG_WORD:
    if (callback >= CB_thread_started && callback <= CB_thread_name)
      fprintf (out, " thread %u", number_of ((pthread_t) value));
    else
      fprintf (out, " %" PRIu64, value);
    break;
  case ARG_POINTER:
    put_pointer (callback, pointer);
    break;
  default:
    fprintf (out, " %" PRIu64, value);
  }
}

static void
put_addresses (const uint64_t *addresses, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    fprintf (out, " 0x%" PRIx64, addresses[i]);
}

static int
put_object (void *object, void *klass, uintptr_t size, uintptr_t count, void **references,
            uintptr_t *offsets, void *data)
{
  (void) data;
  fprintf (out, "object 0x%" PRIxPTR " %s %" PRIuPTR " generation %d:", (uintptr_t) object,
           mono_class_get_name (klass), size, mono_gc_get_generation (object));
  for (uintptr_t i = 0; i < count; i++)
    fprintf (out, " 0x%" PRIxPTR "@%" PRIuPTR, (uintptr_t) references[i], offsets[i]);
  fputc ('\n', out);
  return 0;
}

/* The rest after an address comes as a list. */
static void
put_arguments (enum host_callback callback, const uint64_t *values)
{
  if (callback == CB_gc_moves) {
    put_addresses ((const uint64_t *) (uintptr_t) values[0], values[1]);
  } else if (callback == CB_gc_roots) {
    put_addresses ((const uint64_t *) (uintptr_t) values[1], values[0]);
    fputs (" ->", out);
    put_addresses ((const uint64_t *) (uintptr_t) values[2], values[0]);
  } else {
    for (size_t i = 0; signatures[callback].args[i] != ARG_END; i++)
      if (callback == CB_gc_root_register && i == 3)
        put_key ((uint32_t) values[2], (void *) (uintptr_t) values[i]);
      else if (callback == CB_jit_code_buffer && i == 3)
        put_code_data ((const char *) (uintptr_t) values[i]);
      else
        put_argument (callback, signatures[callback].args[i], values[i]);
  }
}

static void
put_call (enum host_callback callback, const uint64_t *values)
{
  fprintf (out, "thread %u %s", number_of (pthread_self ()), signatures[callback].name);
  put_arguments (callback, values);
  if (callback == CB_gc_allocation)
    fprintf (out, " %u", mono_object_get_size ((void *) (uintptr_t) values[0]));
  if (callback == CB_gc_allocation || callback == CB_exception_throw
      || callback == CB_monitor_contention || callback == CB_gc_handle_created
      || callback == CB_gc_handle_deleted) {
    fputs (" in", out);
    mono_stack_walk_no_il (put_frame, NULL);
  }
  fputc ('\n', out);
  if (callback == CB_gc_event && (uint32_t) values[0] == 8
      && (uint32_t) values[1] == MAX_GENERATION)
    mono_gc_walk_heap (0, put_object, NULL);
}

/* Arguments that a callback lacks are left as they were, and not inspected. */
#define CALLBACK(name, ...)                                                                        \
  static void on_##name (void *profiler, uint64_t a, uint64_t b, uint64_t c, uint64_t d,           \
                         uint64_t e)                                                               \
  {                                                                                                \
    (void) profiler;                                                                               \
    put_call (CB_##name, (const uint64_t[HOST_ARGS]){ a, b, c, d, e });                            \
  }
#include "host/callbacks.def"

static int
all_calls (void *profiler, void *method)
{
  (void) profiler;
  (void) method;
  return HOST_ENTER | HOST_LEAVE | HOST_TAIL_CALL | HOST_EXC_LEAVE;
}

static void
be_rude (void *profiler)
{
  (void) profiler;
  mono_gc_walk_heap (0, put_object, NULL);
}

static void
finish (void *profiler)
{
  (void) profiler;
  fputs ("cleanup\n", out);
  fclose (out);
}

void mono_profiler_init_callbacks (const char *description);

__attribute__ ((visibility ("default"))) void
mono_profiler_init_callbacks (const char *description)
{
  const char *file = strchr (description, ':');
  if (file == NULL) /* wants nothing */
    return;
  struct host_handle *handle = mono_profiler_create (NULL);
  if (strcmp (file, ":rude") == 0) {
    mono_profiler_set_runtime_initialized_callback (handle, (void *) be_rude);
    return;
  }
  out = fopen (file + 1, "we");
  if (out == NULL)
    abort ();
  mono_profiler_enable_allocations ();
  mono_profiler_enable_clauses ();
  mono_profiler_set_call_instrumentation_filter_callback (handle, (void *) all_calls);
  mono_profiler_set_cleanup_callback (handle, (void *) finish);
#define CALLBACK(name, ...) mono_profiler_set_##name##_callback (handle, (void *) on_##name);
#include "host/callbacks.def"
}
