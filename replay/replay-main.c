/* replay-main.c -- proflog replay: fires the events of a log into a profiler module.
 *
 * A program of its own, which `proflog` runs: it exports the functions of Mono that a module
 * imports.
 */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "replay/replay-values.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "replay/replay-private.h"
#include <dlfcn.h>
#include <locale.h>
#include <proflog/module-options.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the report ---- */

/* "gc_allocation" as it is; a record without a callback is reported by its kind in the log. */
static void
put_callbacks (struct emitter *e)
{
  static const struct emitter_column columns[] = { { "name", "Callback", EMIT_TEXT },
                                                   { "fired", "Fired", EMIT_NUMBER },
                                                   { "asked_for", "Requested", EMIT_NUMBER } };
  emitter_open_table (e, "callbacks", "Callbacks", columns, G_N_ELEMENTS (columns));
  for (guint c = 0; c < HOST_CALLBACKS; c++) {
    const union emitter_value row[] = { { .text = host_signatures[c].name },
                                        { .number = replay_counts.fired[c] },
                                        { .number = replay_counts.delivered[c] } };
    if (replay_counts.fired[c] == 0)
      continue;
    emitter_open_row (e, row);
    emitter_close_row (e);
  }
  emitter_close_table (e, 0);
}

static void
put_not_fired (struct emitter *e)
{
  static const struct emitter_column columns[] = { { "kind", "Kind", EMIT_TEXT },
                                                   { "events", "Events", EMIT_NUMBER },
                                                   { "why", "Why", EMIT_TEXT } };
  emitter_open_table (e, "not_fired", "Events that cannot be fired", columns,
                      G_N_ELEMENTS (columns));
  for (enum mlpd_kind k = 0; k < MLPD_KINDS; k++) {
    const char *why = replay_not_fired (k, replay_log.header.data_version);
    const union emitter_value row[] = { { .text = mlpd_describe (k)->name },
                                        { .number = replay_log.kinds[k] },
                                        { .text = why } };
    if (replay_log.kinds[k] == 0 || why == NULL)
      continue;
    emitter_open_row (e, row);
    emitter_close_row (e);
  }
  emitter_close_table (e, 0);
}

static uint64_t
sum (const uint64_t *counts)
{
  uint64_t total = 0;
  for (guint c = 0; c < HOST_CALLBACKS; c++)
    total += counts[c];
  return total;
}

static void
put_replay (struct emitter *e, const struct replay_result *result)
{
  emitter_open (e, "replay", "Replay");
  emitter_text (e, "log", "Log", result->log);
  emitter_text (e, "module", "Module", result->module);
  emitter_text (e, "options", "Options", result->description);
  emitter_number (e, "events", "Events in the log", replay_log.events);
  emitter_number (e, "said_again", "Names re-announced", replay_log.reannounced);
  emitter_number (e, "threads", "Threads", replay_log.threads->len);
  emitter_number (e, "turns", "Turns of threads", replay_turns ());
  emitter_number (e, "fired", "Callbacks fired", sum (replay_counts.fired));
  emitter_number (e, "asked_for", "Requested", sum (replay_counts.delivered));
  emitter_ns (e, "firing_ns", "Firing ms", replay_firing_ns ());
  emitter_ns (e, "shutdown_ns", "Shutdown ms", result->shutdown_ns);
  emitter_close (e);
}

static void
put_heap (struct emitter *e)
{
  emitter_open (e, "heap", "Heap snapshots");
  emitter_number (e, "shots", "In the log", replay_counts.shots);
  emitter_number (e, "shots_asked_for", "Requested", replay_counts.shots_walked);
  emitter_number (e, "objects", "Objects in the log", replay_counts.objects);
  emitter_number (e, "objects_asked_for", "Requested", replay_counts.objects_walked);
  emitter_number (e, "empty_walks", "Walks where the log has none", replay_counts.empty_walks);
  emitter_close (e);
}

static void
put_made_up (struct emitter *e)
{
  emitter_open (e, "made_up", "Supplied by replay, since the log lacks it");
  emitter_number (e, "gc_events", "GC events of the collector's lock", replay_counts.made_up);
  emitter_number (e, "collections", "Collections requested by the module",
                  replay_counts.collections);
  emitter_number (e, "finalizations", "Runs of finalizers requested by it",
                  replay_counts.finalizations);
  emitter_number (e, "object_types", "Answers for objects of no known type",
                  replay_counts.unknown_objects);
  emitter_close (e);
}

static bool
replay_report (struct log_command *command, const struct replay_result *result)
{
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (command->format, out);
  emitter_begin (e, "proflog.replay/1");
  put_replay (e, result);
  put_callbacks (e);
  put_not_fired (e);
  put_heap (e);
  put_made_up (e);
  emitter_end (e);
  emitter_free (e);
  const bool written = output_write (&command->output, out);
  g_string_free (out, TRUE);
  return written;
}

/* ---- the program ---- */

#define MODULE_PREFIX "libmono-profiler-"
#define INIT_PREFIX "mono_profiler_init_"

static char *module_name; /* as it was given, for messages */

/* The module's threads are at work, and its state is not known: nothing else is to run. */
G_GNUC_PRINTF (2, 0)
static void
fail (bool is_violation, const char *format, va_list args)
{
  char *text = g_strdup_vprintf (format, args);
  cli_message ("proflog replay: %s%s%s", is_violation ? module_name : "",
               is_violation ? " breaks a rule of the runtime: " : "", text);
  _exit (CLI_INPUT);
}

static const struct host_world world = { .stack_of_thread = replay_stack_of_thread,
                                         .find_object = replay_find_object,
                                         .main_assembly = replay_main_assembly,
                                         .root_domain = replay_root_domain,
                                         .has_stopped_world = replay_has_stopped_world,
                                         .can_walk_heap = replay_can_walk_heap,
                                         .walk_heap = replay_walk_heap,
                                         .collect = replay_collect,
                                         .fired = replay_fired,
                                         .fail = fail };

/* ---- the module ---- */

struct module {
  char *path;        /* MODULE.so */
  char *name;        /* in --profile= */
  char *description; /* the value of --profile=: NAME:OPTIONS */
  void (*init) (const char *);
};

/* MODULE.so[:OPTIONS]: a colon may be in the file's name. */
static void
split (const char *into, char **path, char **options)
{
  const char *colon = strchr (into, ':');
  for (; colon != NULL; colon = strchr (colon + 1, ':')) {
    *path = g_strndup (into, (gsize) (colon - into));
    if (g_file_test (*path, G_FILE_TEST_EXISTS)) {
      *options = g_strdup (colon);
      return;
    }
    g_free (*path);
  }
  colon = strchr (into, ':');
  const bool is_whole = colon == NULL || g_file_test (into, G_FILE_TEST_EXISTS);
  *path = is_whole ? g_strdup (into) : g_strndup (into, (gsize) (colon - into));
  *options = g_strdup (is_whole ? "" : colon);
}

/* libmono-profiler-NAME.so.0 -> NAME */
static char *
file_name (const char *path)
{
  char *base = g_path_get_basename (path);
  char *so = strstr (base, ".so");
  const gsize skip = g_str_has_prefix (base, MODULE_PREFIX) ? strlen (MODULE_PREFIX) : 0;
  char *name = so != NULL
                   ? g_strndup (base + skip, (gsize) (so - base) - MIN (skip, (gsize) (so - base)))
                   : g_strdup (base + skip);
  g_free (base);
  return name;
}

/* False if the module cannot be used; the reason was reported. */
static bool
load (struct module *m, const char *into)
{
  char *options;
  split (into, &m->path, &options);
  module_name = m->path;
  m->name = file_name (m->path);
  m->description = g_strconcat (m->name, options, NULL);
  g_free (options);
  if (!g_file_test (m->path, G_FILE_TEST_IS_REGULAR)) {
    cli_message ("proflog replay: there is no module '%s'", m->path);
    return false;
  }
  char *full = g_canonicalize_filename (m->path, NULL);
  void *handle = dlopen (full, RTLD_NOW);
  g_free (full);
  if (handle == NULL) {
    const char *why = dlerror ();
    cli_message ("proflog replay: the module cannot be loaded: %s%s", why,
                 strstr (why, "undefined symbol") != NULL
                     ? ": it needs more of the runtime than is pretended here"
                     : "");
    return false;
  }
  char *symbol = g_strconcat (INIT_PREFIX, m->name, NULL);
  m->init = (void (*) (const char *)) dlsym (handle, symbol);
  if (m->init == NULL)
    cli_message ("proflog replay: '%s' is no profiler module: it has no %s", m->path, symbol);
  g_free (symbol);
  return m->init != NULL;
}

/* Whether the module's options name the log that is replayed as their output. */
static bool
overwrites_log (const char *options, const char *log)
{
  char option[PROFLOG_OPTION_SIZE];
  struct stat of_log, of_output;
  const char *p = options != NULL ? strchr (options, ':') : NULL;
  if (p == NULL || stat (log, &of_log) != 0)
    return false;
  p++;
  while (*p != 0 && proflog_next_option (&p, option, sizeof option) == PROFLOG_OPTION_READ)
    if (g_str_has_prefix (option, "output=") && stat (option + strlen ("output="), &of_output) == 0
        && of_output.st_dev == of_log.st_dev && of_output.st_ino == of_log.st_ino) {
      cli_message ("proflog replay: '%s' is the log that is replayed; use another output",
                   option + strlen ("output="));
      return true;
    }
  return false;
}

/* As the runtime does, before it initialises itself. */
static bool
begin (const struct module *m)
{
  host_profiling.initializing = true;
  m->init (m->description);
  host_profiling.initializing = false;
  if (atomic_load (&host_profiling.count) != 0)
    return true;
  cli_message ("proflog replay: '%s' registers no callback with the options '%s'", m->path,
               m->description);
  return false;
}

/* ---- the replay ---- */

static uint64_t
shut_down (void)
{
  static const uint64_t none[HOST_ARGS];
  const uint64_t start = replay_clock_now ();
  host_fire (CB_runtime_shutdown_begin, none);
  host_fire (CB_runtime_shutdown_end, none);
  host_fire_cleanup ();
  return replay_clock_now () - start;
}

static int
fire_all (struct log_command *command, const struct module *module)
{
  static const uint64_t none[HOST_ARGS];
  struct replay_result result = { .log = replay_log.reading.name,
                                  .module = module->path,
                                  .description = module->description };
  host_fire (CB_runtime_initialized, none);
  replay_run ();
  result.shutdown_ns = shut_down ();
  if (replay_log.missing != 0) {
    cli_message ("proflog replay: %s was changed while it was replayed: %" G_GUINT64_FORMAT
                 " bytes of it are missing",
                 result.log, replay_log.missing);
    command->damaged = true;
  }
  return replay_report (command, &result) ? CLI_OK : CLI_INPUT;
}

/* The bytes of which options that the module knows make it record one allocation; 0: all, or none.
 */
static uint64_t
sampling_of (const struct module *module)
{
  const struct mlpd_file_header header
      = { .data_version = MLPD_VERSION_LAST,
          .arguments = { module->description, strlen (module->description) } };
  return mlpd_header_alloc_sampling (&header);
}

/* A sample of a sample would be taken for one of all allocations. */
static bool
has_sampling (const struct module *module, const char *path)
{
  const uint64_t before = replay_log.sampling;
  if (before == 0)
    return false;
  const uint64_t again = sampling_of (module);
  if (again != 0)
    cli_message ("proflog replay: '%s' has one allocation in %" G_GUINT64_FORMAT
                 " bytes already; the module would record one in %" G_GUINT64_FORMAT
                 " of these: use alloc without a size",
                 path, before, again);
  else
    cli_message ("proflog replay: '%s' has one allocation in %" G_GUINT64_FORMAT
                 " bytes only; the module's log does not state that",
                 path, before);
  return again != 0;
}

static int
replay (struct log_command *command, const char *path, const char *into)
{
  static struct replay_thread self; /* the runtime's own: it starts and ends */
  struct module module = { 0 };
  int status = CLI_INPUT;
  self.calls = g_ptr_array_new ();
  self.frames = g_ptr_array_new ();
  replay_self = &self;
  if (overwrites_log (into, path))
    status = CLI_USAGE;
  else if (load (&module, into) && replay_log_open (command, path, &status)) {
    status = has_sampling (&module, path) ? CLI_USAGE
             : begin (&module)            ? fire_all (command, &module)
                                          : CLI_INPUT;
    replay_log_close ();
  }
  g_free (module.path);
  g_free (module.name);
  g_free (module.description);
  return status;
}

static int
run (struct log_command *command, const char *into)
{
  int status;
  if (into == NULL || *into == 0 || command->logs[1] != NULL) {
    cli_message ("proflog replay: %s; see 'proflog replay --help'",
                 command->logs[1] != NULL ? "one log at a time"
                                          : "into which module? (--into MODULE.so:OPTIONS)");
    return log_command_finish (command, CLI_USAGE);
  }
  if (!log_command_open (command, &status))
    return status;
  return log_command_finish (command, replay (command, command->logs[0], into));
}

int
main (int argc, char **argv)
{
  struct replay_values v = { .into = NULL };
  int status;
  out_of_memory_start (NULL);
  setlocale (LC_ALL, "");
  host_start (&world);
  if (log_command_parse (&v.log, &command_replay, argc, argv, &status))
    status = run (&v.log, v.into);
  return cli_end (status);
}
