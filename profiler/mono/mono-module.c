/* mono-module.c -- the module's start and end. */
#include "config.h"

#include "agent/own-files.h"
#include "agent/requests.h"
#include "profiler/control/verbs.h"
#include "profiler/os/cpu-timers.h"
#include "agent/attach-request.h"
#include "profiler/control/auto-save.h"
#include "profiler/mono/event-switch.h"
#include "profiler/record/calls-left-out.h"
#include "profiler/write/log-output.h"
#include "profiler/write/log-save.h"
#include "profiler/mono/mono-locks.h"
#include "profiler/mono/mono-module.h"
#include "profiler/mono/mono-private.h"
#include "profiler/mono/mono-waits.h"
#include "profiler/sink/sink-file.h"
#include "profiler/sink/sink-name.h"
#include "profiler/sink/sink.h"
#include "agent/warn.h"
#include "profiler/write/writer-work.h"
#include "profiler/write/writer.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_started;

static void
runtime_initialized (MonoProfiler *p)
{
  names_add_early ();
  if (!state_runtime_ends ())
    span_calls_add ();
  if (!late_samples_are_set ()) { /* on the program's first thread */
    locks_note_thread ();
    locks_probe ();
    contents_learn ();
    heap_shots_learn ();
  }
  ticker_start ();
  forked_shots_start ();
  sample_clock_begin (p);
}

static void
finish (bool process_ends)
{
  auto_save_finish ();
  log_save_give_up ();
  control_finish ();
  ticker_finish (process_ends);
  forked_shots_finish ();
  writer_finish (process_ends);
}

/* The runtime was not shut down: its threads keep running. */
static void
finish_at_exit (void)
{
  finish (true);
}

static void
runtime_shutdown_end (MonoProfiler *p)
{
  (void) p;
  finish (false);
  sample_clock_wait_for_sampler ();
}

/* What a forked child writes to instead; "": it writes nothing. */
static char child_output[PATH_MAX];

static char log_file[PATH_MAX]; /* "": the log is no file */

/* Why a file for other profilers is missing; "": none is. */
static char no_code_file[PATH_MAX + 128];

static bool begin_recording (const char *output, char *why, size_t size);

/* In a forked child that has something to record.  Most children never come to that: they are about
 * to run another program. */
static void
begin_in_child (void)
{
  char why[PATH_MAX + 128];
  recorder_start_over ();
  names_start_over ();
  writer_start_over ();
  spool_start_over ();
  left_out_start_over ();
  if (!begin_recording (child_output, why, sizeof why))
    proflog_warn ("%s; the child %ld runs unprofiled", why, (long) getpid ());
  else if (profiler.options.control)
    control_start (&module_verbs);
  code_files_begin_in_child (log_file);
}

static void
forked (void)
{
  native_memory_stop ();
  code_files_after_fork (child_output[0] != 0);
  control_after_fork ();
  auto_save_after_fork ();
  ticker_after_fork ();
  forked_shots_after_fork ();
  cpu_timers_after_fork ();
  event_switch_after_fork ();
  recorder_after_fork (child_output[0] != 0 ? begin_in_child : NULL);
  writer_after_fork ();
  if (child_output[0] != 0) {
    names_after_fork ();
    calls_after_fork ();
  }
}

static void
set_event_callbacks (struct _MonoProfiler *p)
{
  if (recorder_is_eventlog) {
    eventlog_set_callbacks (p);
    return;
  }
  calls_set_callbacks (p);
  objects_set_callbacks (p);
  heap_set_callbacks (p);
  runtime_set_code_callback (p);
  samples_set_callback (p);
}

static void
set_callbacks (struct _MonoProfiler *p)
{
  static const struct event_switch_users users
      = { .set_callbacks = set_event_callbacks, .calls_end = calls_end };
  mono_profiler_set_runtime_shutdown_end_callback (p->handle, runtime_shutdown_end);
  if (!recorder_is_eventlog) {
    mono_profiler_set_runtime_initialized_callback (p->handle, runtime_initialized);
    mono_profiler_set_runtime_shutdown_begin_callback (p->handle, heap_shot_run_last);
    names_set_callbacks (p);
    runtime_set_callbacks (p);
    sample_clock_arm (p);
    calls_arm (p);
  }
  objects_arm (p);
  event_switch_begin (&users);
}

/* The time at which `proflog run` began, in the time of the log's file system. */
static void
protect_newer_logs (void)
{
  const char *const began = getenv ("PROFLOG_RUN_BEGAN");
  if (began != NULL)
    sink_protect_newer (strtoull (began, NULL, 10));
}

/* `proflog run` changes LD_LIBRARY_PATH so that the runtime finds us; the program shall not see
 * that. */
static void
restore_environment (void)
{
  protect_newer_logs ();
  if (getenv ("PROFLOG_RESTORE_ENV") == NULL)
    return;
  const char *before = getenv ("PROFLOG_OLD_LD_LIBRARY_PATH");
  if (before != NULL)
    setenv ("LD_LIBRARY_PATH", before, 1);
  else
    unsetenv ("LD_LIBRARY_PATH");
  unsetenv ("PROFLOG_OLD_LD_LIBRARY_PATH");
  unsetenv ("PROFLOG_RUN_BEGAN");
  unsetenv ("PROFLOG_RESTORE_ENV");
}

static void
choose_stacks (struct options *o)
{
  /* With enter and leave in the log a reader can derive the frames; an eventlog has none. */
  if (o->eventlog || o->calls || o->stacks == STACKS_NONE)
    o->max_frames = 0;
  /* Frames that are not stored cannot be identified when they are left. */
  if (o->call_depth > PROFLOG_MAX_CALL_DEPTH)
    o->call_depth = PROFLOG_MAX_CALL_DEPTH;
  if (o->max_frames == 0)
    o->stacks = STACKS_NONE;
}

/* Opens the output and starts to write.  False with a message in `why`. */
static bool
begin_recording (const char *output, char *why, size_t size)
{
  const struct options *const o = &profiler.options;
  const bool rotates = o->rotate_bytes != 0 || o->rotate_ms != 0;
  struct sink *sink = sink_open (output, o->pack, rotates, why, size);
  if (sink == NULL)
    return false;
  const unsigned block_ms = (unsigned) o->block_timeout_ms;
  const struct writer_limits limits
      = { .memory = o->memory,
          .block_ms = o->overflow != OVERFLOW_DROP ? block_ms : 0,
          .reader_block_ms = o->overflow == OVERFLOW_BLOCK ? block_ms : 0,
          .rotate_bytes = o->rotate_bytes,
          .rotate_ns = o->rotate_ms * 1000000,
          .keeping = { .files = o->keep_files,
                       .ns = o->keep_ms * 1000000,
                       .pack = o->pack,
                       .is_ring = o->ring_bytes != 0 },
          .end_bytes = o->max_size,
          .end_ns = o->duration_ms * 1000000,
          .stop = event_switch_stop,
          .set_failed = event_switch_fail };
  const char *const file = sink_file (sink);
  snprintf (log_file, sizeof log_file, "%s", file != NULL ? file : "");
  if (o->heapshot_fork)
    recorder_set_shots_whole ();
  spool_start (sink_file (sink), sink_has_reader (sink), o->spool, (size_t) o->buffer,
               offsetof (struct buffer, data));
  int error = recorder_start ();
  if (error != 0) {
    sink_discard (sink);
    spool_remove ();
  } else {
    error = writer_start (sink, &limits);
  }
  if (error != 0) {
    recorder_stop ();
    snprintf (why, size, "output '%s': %s", output, strerror (error));
    return false;
  }
  writer_set_flush_interval ((unsigned) o->flush_ms);
  writer_set_reannounce_interval ((unsigned) o->reannounce_ms);
  return true;
}

/* The files of a ring lie where private files do.  False with a message in `why`. */
static bool
choose_ring (struct options *o, char *why, size_t size)
{
  enum { FILES = 8 };
  char directory[PATH_MAX], pattern[PATH_MAX];
  if (o->ring_bytes == 0)
    return true;
  const bool is_given = o->spool[0] != 0 && strcmp (o->spool, "none") != 0;
  if (is_given)
    snprintf (directory, sizeof directory, "%s", o->spool);
  else if (!user_directory (0, directory, sizeof directory)
           && !user_directory (1, directory, sizeof directory)) {
    snprintf (why, size, "output=%s: %s: %s", o->output, directory, strerror (errno));
    return false;
  }
  snprintf (pattern, sizeof pattern, "/proflog-%%p.ring.%s", o->eventlog ? "eventlog" : "mlpd");
  if (!sink_pattern_in (o->output, sizeof o->output, directory, pattern)) {
    snprintf (why, size, "output=ring: %s: the whole name is too long", directory);
    return false;
  }
  o->rotate_bytes = o->ring_bytes / FILES;
  o->keep_files = FILES - 1;
  return true;
}

/* The program, or a child before it has something to record, may change its directory. */
static void
resolve_spool (struct options *o)
{
  char resolved[PATH_MAX];
  if (o->spool[0] != 0 && strcmp (o->spool, "none") != 0 && realpath (o->spool, resolved) != NULL)
    snprintf (o->spool, sizeof o->spool, "%s", resolved);
}

static const char *
refuse_stacks (void)
{
  return !is_recorded (CLASS_SAMPLE)   ? "no samples are recorded, which find them"
         : !sample_clock_is_running () ? "the program handles or ignores all real-time signals"
                                       : NULL;
}

static const char *
put_stacks (struct reply *r)
{
  static const char *const states[] = { "unknown", "runs", "waits" };
  const char *const refusal = refuse_stacks ();
  struct waits_stacks *const s = refusal == NULL ? waits_find_stacks () : NULL;
  if (s == NULL)
    return refusal != NULL ? refusal : "the program does not answer";
  reply_list (r, "threads");
  for (size_t i = 0; i < s->thread_count; i++) {
    const struct waits_thread *const t = &s->threads[i];
    reply_row (r);
    reply_id (r, "id", t->thread);
    reply_number (r, "tid", (uint64_t) t->tid);
    reply_text (r, "state", states[t->state]);
    reply_text (r, "name", t->name);
    reply_end_row (r);
  }
  reply_end_list (r);
  reply_list (r, "frames"); /* innermost first */
  for (size_t i = 0; i < s->thread_count; i++)
    for (size_t k = 0; k < s->threads[i].frames; k++) {
      reply_row (r);
      reply_number (r, "tid", (uint64_t) s->threads[i].tid);
      reply_text (r, "method", s->frames[s->threads[i].first + k]);
      reply_end_row (r);
    }
  reply_end_list (r);
  reply_list (r, "locks");
  for (size_t i = 0; i < s->lock_count; i++) {
    const struct waits_lock *const w = &s->locks[i];
    reply_row (r);
    reply_id (r, "id", w->thread);
    reply_id (r, "lock", w->lock);
    reply_id (r, "owner", w->owner); /* 0x0: unknown */
    reply_number (r, "deadlock", w->deadlock);
    reply_text (r, "type", w->type);
    reply_end_row (r);
  }
  reply_end_list (r);
  waits_free_stacks (s);
  return NULL;
}

/* How requests reach the runtime. */
static const struct control_ops control_ops = {
  .get_switch = event_switch_get,
  .set_switch = event_switch_set,
  .get_heapshot_refusal = heap_shots_refusal,
  .set_heapshot = heap_shots_set,
  .request_heapshot = heap_shot_request,
  .take_heapshot = heap_shot_run,
  .count_heapshots = heap_shots_run,
  .count_failed_heapshots = forked_shots_failed,
  .put_stacks = put_stacks,
};

/* The options as the log has them: with the interval of the samples, which depends on the kernel.
 */
static const char *
describe_options (const struct options *o, const char *options)
{
  static char text[2 * PROFLOG_OPTION_SIZE];
  static const char name[] = PROFLOG_MODULE_NAME;
  if (!is_armed (CLASS_SAMPLE) || o->sample_real || strncmp (options, name, sizeof name - 1) != 0)
    return options;
  const char *rest = options + sizeof name - 1;
  snprintf (text, sizeof text, "%s:" PROFLOG_CPU_SAMPLE_INTERVAL "=%llu%s%s", name,
            (unsigned long long) sample_clock_interval (o), *rest == ':' ? "," : "",
            *rest == ':' ? rest + 1 : rest);
  return text;
}

/* Why the heap snapshots that were requested are not taken, and nothing requests them from then on;
 * NULL: they are, or none were. */
static const char *
refuse_heapshots (struct options *o)
{
  const bool are_requested = o->heapshot.when != PROFLOG_HEAPSHOT_OFF || o->heapshot_on_shutdown;
  const char *const why = are_requested ? heap_shots_refusal () : NULL;
  if (why != NULL) {
    o->heapshot = (struct proflog_heapshot_mode){ .when = PROFLOG_HEAPSHOT_OFF };
    o->heapshot_on_shutdown = false;
  }
  if (why != NULL || boehm_is_there ()) /* that collector stops also the thread that would record */
    o->heapshot_fork = false;
  return why;
}

static void
choose_format (const struct options *o)
{
  recorder_version = o->version;
  recorder_is_eventlog = o->eventlog;
  recorder_begun = clock_now ();
  log_format = o->eventlog ? &log_format_eventlog : &log_format_mlpd;
  if (o->eventlog)
    eventlog_begin ();
  buffer_set_format (&log_format->events);
}

/* Starts recording with the options; `is_late`: the program is running.  False with a message in
 * `why`. */
static bool
start (const char *desc, bool is_late, char *why, size_t size)
{
  struct options *o = &profiler.options;
  choose_stacks (o);
  resolve_spool (o);
  if (!choose_ring (o, why, size))
    return false;
  event_switch_start (o);
  clock_start ();
  char *build = mono_get_runtime_build_info ();
  static char runtime[128];
  snprintf (runtime, sizeof runtime, "%s", build);
  mono_free (build);
  log_describe (&(struct log_origin){ .arguments = describe_options (o, desc),
                                      .architecture = mono_config_get_cpu (),
                                      .operating_system = mono_config_get_os (),
                                      .runtime = runtime });
  choose_format (o);
  if (o->control)
    names_retain_dead (); /* the output may be changed */
  if ((o->follow_fork && !sink_name_for_child (child_output, o->output, why, size))
      || !begin_recording (o->output, why, size))
    return false;
  is_started = true;
  pthread_atfork (o->follow_fork ? names_before_fork : NULL,
                  o->follow_fork ? names_after_fork : NULL, forked);
  atexit (finish_at_exit); /* for programs that end without the runtime's shutdown */
  profiler.handle = mono_profiler_create (&profiler);
  set_callbacks (&profiler);
  code_files_start (o, log_file, is_late, no_code_file, sizeof no_code_file);
  native_memory_start ();
  heap_shots_set (&o->heapshot);
  control_verbs_set_ops (&control_ops);
  auto_save_start (o, &module_verbs);
  if (is_late)
    runtime_initialized (&profiler); /* it was, long ago */
  if (o->control)
    control_start (&module_verbs);
  return true;
}

/* What the runtime calls for --profile=proflog:OPTIONS, before it initialises itself.  `desc` is
 * all after --profile=. */
void mono_profiler_init_proflog (const char *desc);

__attribute__ ((visibility ("default"))) void
mono_profiler_init_proflog (const char *desc)
{
  char why[512];
  proflog_warn_start ();
  restore_environment ();
  if (is_started) {
    proflog_warn ("--profile=proflog is given twice; '%s' is ignored", desc);
    return;
  }
  if (!options_parse (&profiler.options, desc, pack_is_there, why, sizeof why)) {
    proflog_warn ("%s; the program runs unprofiled", why);
    return;
  }
  if (profiler.options.help) {
    options_print_help ();
    exit (0);
  }
  if (!imports_bind (__builtin_return_address (0), why, sizeof why)) {
    proflog_warn ("%s; the program runs unprofiled", why);
    return;
  }
  const char *const refusal = refuse_heapshots (&profiler.options);
  if (!start (desc, false, why, sizeof why))
    proflog_warn ("%s; the program runs unprofiled", why);
  else if (refusal != NULL)
    proflog_warn ("no heap snapshots are taken: %s", refusal);
  if (no_code_file[0] != 0)
    proflog_warn ("%s; the program is recorded without it", no_code_file);
}

bool
module_attach (const char *desc, char *why, size_t size)
{
  static char options[PROFLOG_ATTACH_TEXT]; /* the log's description refers to it */
  snprintf (options, sizeof options, "%s", desc);
  proflog_warn_never ();
  if (is_started) {
    snprintf (why, size, "the program is being profiled already");
    return false;
  }
  struct options *const o = &profiler.options;
  if (!options_parse (o, options, pack_is_there, why, size))
    return false;
  const unsigned late = options_classes (o) | o->armed;
  for (size_t i = 0; i < EVENT_CLASSES; i++)
    if ((late & 1u << i & (CLASS_CALLS | CLASS_ALLOC)) != 0) {
      snprintf (why, size,
                "%s cannot be recorded of a running program; start it with 'proflog run'",
                event_class_names[i]);
      return false;
    }
  if (o->help || o->eventlog || o->clauses) {
    snprintf (why, size, "an attached program takes neither help, format=eventlog nor clauses");
    return false;
  }
  if (!imports_bind (NULL, why, size))
    return false;
  if (state_runtime_ends ()) {
    snprintf (why, size, "it is ending");
    return false;
  }
  late_samples_set ();
  const char *const refusal = refuse_heapshots (o);
  if (!start (options, true, why, size))
    return false;
  if (is_armed (CLASS_SAMPLE) && !sample_clock_is_running ())
    snprintf (why, size,
              "no samples are recorded: the program handles or ignores all real-time signals");
  else if (refusal != NULL)
    snprintf (why, size, "no heap snapshots are taken: %s", refusal);
  else if (no_code_file[0] != 0)
    snprintf (why, size, "%s; the program is recorded without it", no_code_file);
  else
    why[0] = 0;
  return true;
}
