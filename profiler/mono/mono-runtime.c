/* mono-runtime.c -- domains, contexts, threads, code that is no method: events of later data
 * versions. */
#include "config.h"

#include "profiler/mono/mono-locks.h"
#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-samples.h"
#include "profiler/os/cpu-timers.h"
#include <string.h>

/* ---- domains and contexts ---- */

static void
record_domain (MonoDomain *domain, uint64_t action, const char *name)
{
  struct mlpd_metadata_domain event = { .action = action,
                                        .domain = (uint64_t) mono_domain_get_id (domain),
                                        .name = string_of (name) };
  RECORD (metadata_domain, event, 0, 0, 0);
}

static uint64_t
domain_key (MonoDomain *domain)
{
  return names_key ((uint64_t) mono_domain_get_id (domain));
}

static void
domain_loaded (MonoProfiler *p, MonoDomain *domain)
{
  (void) p;
  names_set (NAME_DOMAIN, domain_key (domain), 0, "", 0, 0);
  record_domain (domain, MLPD_LOAD_END_LOAD, NULL);
}

/* They may be freed. */
static void
forget_code_and_types (void)
{
  frames_forget ();
  new_objects_forget_types ();
}

/* Some of its code may run as it is being unloaded: both times. */
static void
forget_domain (MonoProfiler *p, MonoDomain *domain)
{
  (void) p;
  (void) domain;
  forget_code_and_types ();
}

/* For logs without domains. */
static void
domain_ending (MonoProfiler *p, MonoDomain *domain)
{
  layouts_note_domain_ending ();
  forget_domain (p, domain);
}

static void
domain_gone (MonoProfiler *p, MonoDomain *domain)
{
  layouts_note_domain_gone ();
  forget_domain (p, domain);
}

static void
image_unloading (MonoProfiler *p, MonoImage *image)
{
  (void) p;
  forget_code_and_types ();
  names_forget_image (address (image));
}

/* Its memory is there until it is unloaded; nothing more runs in it. */
static void
domain_unloading (MonoProfiler *p, MonoDomain *domain)
{
  forked_shots_forget_domains ();
  domain_ending (p, domain);
  names_forget_domain ((uint64_t) mono_domain_get_id (domain));
}

static void
domain_unloaded (MonoProfiler *p, MonoDomain *domain)
{
  domain_gone (p, domain);
  names_remove (NAME_DOMAIN, domain_key (domain));
  record_domain (domain, MLPD_LOAD_END_UNLOAD, NULL);
}

static void
domain_named (MonoProfiler *p, MonoDomain *domain, const char *name)
{
  (void) p;
  names_set (NAME_DOMAIN, domain_key (domain), 0, name != NULL ? name : "", 0, 0);
  record_domain (domain, MLPD_LOAD_NAME, name);
}

static void
record_context (MonoAppContext *context, uint64_t action)
{
  struct mlpd_metadata_context event
      = { .action = action,
          .context = (uint64_t) mono_context_get_id (context),
          .domain = (uint64_t) mono_context_get_domain_id (context) };
  RECORD (metadata_context, event, 0, 0, 0);
}

/* Each domain numbers its own. */
static uint64_t
context_key (MonoAppContext *context)
{
  return names_key ((uint64_t) mono_context_get_domain_id (context) << 32
                    | (uint32_t) mono_context_get_id (context));
}

static void
context_loaded (MonoProfiler *p, MonoAppContext *context)
{
  (void) p;
  names_set (NAME_CONTEXT, context_key (context), 0, "",
             (uint64_t) mono_context_get_domain_id (context), 0);
  record_context (context, MLPD_LOAD_END_LOAD);
}

static void
context_unloaded (MonoProfiler *p, MonoAppContext *context)
{
  (void) p;
  names_remove (NAME_CONTEXT, context_key (context));
  record_context (context, MLPD_LOAD_END_UNLOAD);
}

/* ---- threads ---- */

static void
thread_started (MonoProfiler *p, uintptr_t thread)
{
  (void) p;
  locks_note_thread ();
  names_start_thread (thread);
  if (is_armed (CLASS_SAMPLE))
    cpu_timers_add_thread ();
  state_record_thread (thread, MLPD_LOAD_END_LOAD, NULL);
}

static void
thread_stopped (MonoProfiler *p, uintptr_t thread)
{
  (void) p;
  names_forget_thread (thread);
  samples_note_end ();
  cpu_timers_remove_thread ();
  locks_forget_thread ();
  state_record_thread (thread, MLPD_LOAD_END_UNLOAD, NULL);
}

/* Of a log that has no threads. */
static void
unlisted_thread_started (MonoProfiler *p, uintptr_t thread)
{
  (void) p;
  (void) thread;
  locks_note_thread ();
}

static void
unlisted_thread_stopped (MonoProfiler *p, uintptr_t thread)
{
  (void) p;
  (void) thread;
  locks_forget_thread ();
}

/* From any thread. */
static void
thread_named (MonoProfiler *p, uintptr_t thread, const char *name)
{
  (void) p;
  const char *const text = name != NULL ? name : "";
  names_set_thread (thread, text);
  state_record_thread (thread, MLPD_LOAD_NAME, name);
  sample_clock_note_thread (thread, text);
}

/* ---- code ---- */

static void
code_made (MonoProfiler *p, const mono_byte *buffer, uint64_t size, MonoProfilerCodeBufferType type,
           const void *data)
{
  (void) p;
  struct mlpd_runtime_jit_helper event
      = { .helper_type = (uint64_t) type, .address = address (buffer), .size = size };
  if (type == MONO_PROFILER_CODE_BUFFER_SPECIFIC_TRAMPOLINE)
    event.name = string_of (data);
  RECORD (runtime_jit_helper, event, event.address, 0, 0);
}

void
runtime_set_code_callback (struct _MonoProfiler *p)
{
  mono_profiler_set_jit_code_buffer_callback (p->handle,
                                              is_recorded (CLASS_JIT) ? code_made : NULL);
}

void
runtime_set_callbacks (struct _MonoProfiler *p)
{
  MonoProfilerHandle h = p->handle;
  mono_profiler_set_image_unloading_callback (h, image_unloading);
  mono_profiler_set_domain_unloading_callback (h, domain_ending);
  mono_profiler_set_domain_unloaded_callback (h, domain_gone);
  if (!log_has_vtables ()) {
    mono_profiler_set_thread_started_callback (h, unlisted_thread_started);
    mono_profiler_set_thread_stopped_callback (h, unlisted_thread_stopped);
    return;
  }
  mono_profiler_set_domain_loaded_callback (h, domain_loaded);
  mono_profiler_set_domain_unloading_callback (h, domain_unloading);
  mono_profiler_set_domain_unloaded_callback (h, domain_unloaded);
  mono_profiler_set_domain_name_callback (h, domain_named);
  mono_profiler_set_context_loaded_callback (h, context_loaded);
  mono_profiler_set_context_unloaded_callback (h, context_unloaded);
  mono_profiler_set_thread_started_callback (h, thread_started);
  mono_profiler_set_thread_stopped_callback (h, thread_stopped);
  mono_profiler_set_thread_name_callback (h, thread_named);
}
