/* cmd-attach.c -- proflog attach: records a running Mono program. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/run/run.h"
#include "decoder/system/control-programs.h"
#include "decoder/command/message.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include "decoder/system/run-ghc.h"
#include <glib/gstdio.h>
#include <proflog/units.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How long a program that has ended the control may take to end. */
#define END_LIMIT_MS 5000

/* ---- the command line ---- */

#define AT_START "needs the module at the program's start: use 'proflog run"
static const struct cli_option refused_options[] = {
  { .name = "calls", .kind = CLI_REFUSED, .help = AT_START " --calls'" },
  { .name = "allocs", .kind = CLI_REFUSED, .help = AT_START " --allocs'" },
  { .name = "lines", .kind = CLI_REFUSED, .help = AT_START " --lines'" },
  { .name = "children", .kind = CLI_REFUSED, .help = AT_START " --children'" },
  { .name = "heap",
    .kind = CLI_REFUSED,
    .help = "is an option of 'proflog run' for GHC programs; for a Mono program give --heapshot" },
  { .name = NULL },
};

/* Has it another root directory, as in a container? */
static bool
has_other_root (long pid)
{
  struct stat here, there;
  g_autofree char *path = g_strdup_printf ("/proc/%ld/root/", pid);
  return stat ("/", &here) == 0 && stat (path, &there) == 0
         && (here.st_dev != there.st_dev || here.st_ino != there.st_ino);
}

/* The log's path if none was requested (transfer full): in a container this directory may not be.
 */
static char *
default_output (long pid, bool is_ghc)
{
  g_autofree char *name = process_name (pid);
  g_autofree char *output
      = run_log_default (*name != 0 ? name : "process", is_ghc ? ".eventlog" : ".mlpd");
  g_autofree char *base = g_path_get_basename (output);
  return has_other_root (pid) ? g_build_filename ("/tmp", base, NULL) : g_steal_pointer (&output);
}

/* ---- recording ---- */

struct target {
  long pid;
  bool is_ghc;
  bool is_idle; /* it can be controlled, and nothing is recorded */
};

/* Reports why a GHC program cannot be attached to. */
static int
report_ghc (long pid, bool is_live)
{
  g_autofree char *log = process_log_find (pid, true);
  if (log != NULL)
    cli_message (
        "proflog attach: process %ld: it is a GHC program that writes its eventlog itself, which "
        "'proflog top %ld' reads",
        pid, pid);
  else if (is_live)
    cli_message ("proflog attach: process %ld: this GHC program has libproflog-ghc and no control "
                 "socket: start it again with PROFLOG_GHC, or by 'proflog run PROGRAM'",
                 pid);
  else
    cli_message ("proflog attach: process %ld: a GHC program without libproflog-ghc is recorded "
                 "only from its start: 'proflog run PROGRAM' starts and records it",
                 pid);
  return CLI_INPUT;
}

/* Fails for a process that is no program of Mono, with a reason that its user can act on. */
static int
report_failure (long pid, const GError *error)
{
  g_autofree char *executable = g_strdup_printf ("/proc/%ld/exe", pid);
  const struct run_ghc ghc = run_ghc_inspect (executable);
  if (ghc.is_ghc)
    return report_ghc (pid, ghc.is_live);
  cli_message ("proflog attach: process %ld: %s", pid, error->message);
  return CLI_INPUT;
}

/* Options that the module takes when it is loaded only; NULL: none was given. */
static const char *
find_fixed (const struct run_values *run)
{
  return run->max_size != NULL                                  ? "--max-size"
         : run->wall                                            ? "--wall"
         : run->rate != NULL                                    ? "--sample"
         : run->zip != NULL                                     ? "--zip"
         : run->rotate_size != NULL || run->rotate_time != NULL ? "--rotate"
         : run->is_version_1                                    ? "--data-version"
         : run->with->len != 0                                  ? "--with"
                                                                : NULL;
}

/* The value that --profile= would have, with the colon (transfer full). */
static char *
module_options (const struct run_values *run, const struct run_log *log)
{
  static const char profile[] = "--profile=";
  if (!run->is_version_1)
    g_ptr_array_add (run->with, (gpointer) "gcroot"); /* heap snapshots may be requested later */
  g_autofree char *option = run_module_option (run, log);
  return g_strdup (option + strlen (profile));
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The options, in order, but for those that can be changed, and for the size, which by default
 * depends on the space on the disk (transfer full). */
static char *
settled_part (const char *options)
{
  static const char *const changing[]
      = { "output=", "heapshot", "flush=", "cpu-sample-interval=", "max-size=" };
  g_auto (GStrv) all
      = g_strsplit (strchr (options, ':') != NULL ? strchr (options, ':') + 1 : "", ",", -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  for (char **one = all; *one != NULL; one++) {
    bool changes = false;
    for (size_t i = 0; i < G_N_ELEMENTS (changing); i++)
      changes |= g_str_has_prefix (*one, changing[i]) && strcmp (*one, "heapshot-fork") != 0;
    if (!changes)
      g_ptr_array_add (kept, *one);
  }
  g_ptr_array_sort (kept, compare_texts);
  g_ptr_array_add (kept, NULL);
  return g_strjoinv (",", (char **) kept->pdata);
}

/* Have both the same settings, but for those that can be changed? */
static bool
are_equal (const char *settled, const char *wanted)
{
  if (settled == NULL)
    return false;
  g_autofree char *a = settled_part (settled), *b = settled_part (wanted);
  return strcmp (a, b) == 0;
}

/* Lets the module that is there, or a GHC program, record.  Returns the exit status. */
static int
wake (const struct run_values *run, const struct target *target, const struct run_log *log,
      const char *path)
{
  g_autoptr (GError) error = NULL;
  const long pid = target->pid;
  const char *fixed = find_fixed (run);
  if (target->is_ghc && (fixed != NULL || run->heapshot != NULL)) {
    cli_message ("proflog attach: process %ld: %s is for Mono, and this is a GHC program", pid,
                 fixed != NULL ? fixed : "--heapshot");
    return CLI_USAGE;
  }
  g_autofree char *settled = fixed != NULL ? detach_options (pid) : NULL;
  g_autofree char *wanted = fixed != NULL ? module_options (run, log) : NULL;
  if (fixed != NULL && (run->max_size != NULL || !are_equal (settled, wanted))) {
    cli_message (
        "proflog attach: process %ld: %s cannot be changed: the module in it was loaded with '%s'",
        pid, fixed, settled != NULL ? settled : "");
    return CLI_USAGE;
  }
  /* The module replaces no file while it runs; run_log_new has checked that it may be replaced. */
  if (run->force)
    g_unlink (path);
  g_autofree char *output = run_log_escape (path);
  g_autofree char *heapshot
      = g_strconcat ("set heapshot=", run->heapshot != NULL ? run->heapshot : "ondemand", NULL);
  g_autofree char *flush = run->flush != NULL ? g_strconcat ("set flush=", run->flush, NULL) : NULL;
  const char *settings[] = { NULL, NULL, NULL };
  size_t count = 0;
  if (!target->is_ghc)
    settings[count++] = heapshot;
  settings[count] = flush;
  if (detach_undo (pid, output, settings, &error))
    return CLI_OK;
  cli_message ("proflog attach: %s", error->message);
  return CLI_INPUT;
}

/* Loads the module.  Returns the exit status. */
static int
load (const struct run_values *run, long pid, const struct run_log *log)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *options = module_options (run, log);
  g_autofree char *note = NULL;
  if (!module_file_attach (pid, options, &note, &error))
    return report_failure (pid, error);
  if (note != NULL)
    cli_message ("proflog attach: process %ld: %s", pid, note);
  return CLI_OK;
}

/* Does it run?  One that ended may still have its number. */
static bool
is_running (long pid)
{
  g_autofree char *link = g_strdup_printf ("/proc/%ld/exe", pid);
  g_autofree char *program = g_file_read_link (link, NULL);
  return program != NULL;
}

/* Ends the recording, unless the program ends it by its own end.  False with an error. */
static bool
end_recording (long pid, GError **error)
{
  if (!is_running (pid) || detach_process (pid, error))
    return true;
  for (unsigned ms = 0; ms < END_LIMIT_MS && is_running (pid); ms += 10)
    g_usleep (10000); /* its control ends before it does */
  if (is_running (pid))
    return false;
  g_clear_error (error);
  return true;
}

/* The number of one of several files is taken out of its name. */
static void
remove_number (char *name)
{
  char *point = strrchr (name, '.');
  if (point == NULL)
    return;
  *point = 0;
  char *before = strrchr (name, '.');
  *point = '.';
  if (before != NULL && before + 1 < point
      && strspn (before + 1, "0123456789") == (size_t) (point - before - 1))
    memmove (before, point, strlen (point) + 1);
}

/* Does the module still write the log that this command began?  Another one may have begun another.
 */
static bool
is_own (long pid, const char *path)
{
  g_autofree char *log = detach_log (pid);
  g_autofree char *own = g_strdup (path);
  if (log == NULL)
    return true; /* that is found out otherwise */
  remove_number (log);
  remove_number (own);
  return strcmp (log, own) == 0;
}

/* From now on these signals wait, until wait_for_end. */
static sigset_t
block_signals (void)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
  sigset_t set;
  sigemptyset (&set);
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaddset (&set, signals[i]);
  sigprocmask (SIG_BLOCK, &set, NULL);
  return set;
}

/* Waits for the time, or the end of this command, the process or the recording. */
static void
wait_for_end (long pid, const char *path, uint64_t ms, const sigset_t *signals)
{
  enum { OWN_EVERY = 20 }; /* steps */
  const struct timespec step = { .tv_nsec = 50000000 };
  const gint64 end = g_get_monotonic_time () + (gint64) ms * 1000;
  for (unsigned i = 1; g_get_monotonic_time () < end && is_running (pid); i++)
    if (sigtimedwait (signals, NULL, &step) > 0 || (i % OWN_EVERY == 0 && !is_own (pid, path)))
      break;
  sigprocmask (SIG_UNBLOCK, signals, NULL);
}

/* The log's path here: that of a process with other files than this one's is below its root. */
static char *
path_here (long pid, const char *path)
{
  g_autofree char *there = g_strdup_printf ("/proc/%ld/root%s", pid, path);
  const bool is_elsewhere
      = !g_file_test (path, G_FILE_TEST_EXISTS) && g_file_test (there, G_FILE_TEST_EXISTS);
  return g_strdup (is_elsewhere ? there : path);
}

/* Waits, and ends the recording.  Returns the exit status. */
static int
record_for (long pid, const char *path, uint64_t ms, const sigset_t *signals)
{
  g_autoptr (GError) error = NULL;
  wait_for_end (pid, path, ms, signals);
  if (is_running (pid) && !is_own (pid, path)) {
    cli_message ("proflog attach: another command has ended this recording; its log is %s", path);
    return CLI_OK;
  }
  g_autofree char *problem = detach_problem (pid);
  if (!end_recording (pid, &error)) {
    cli_message ("proflog attach: %s", error->message);
    return CLI_INPUT;
  }
  if (problem != NULL) {
    cli_message ("proflog attach: the log %s is incomplete: %s", path, problem);
    return CLI_INPUT;
  }
  g_autofree char *here = path_here (pid, path);
  cli_message ("proflog attach: the log is %s; read it with: proflog report %s", here, here);
  return CLI_OK;
}

/* Records for the requested time. */
static int
record (struct run_values *run, const struct target *target, const struct run_log *log)
{
  const long pid = target->pid;
  uint64_t ms = 0;
  const char *duration = run->duration;
  g_autofree char *path = run_log_expand (log, (pid_t) pid);
  g_autoptr (GError) error = NULL;
  run->duration = NULL; /* the module's ends the log for ever */
  const int status = target->is_idle ? wake (run, target, log, path) : load (run, pid, log);
  if (status != CLI_OK)
    return status;
  if (duration == NULL) {
    cli_message ("proflog attach: recording process %ld to %s until 'proflog detach %ld'", pid,
                 path, pid);
    return CLI_OK;
  }
  proflog_parse_time_ms (duration, 0, UINT64_MAX / 1000, &ms);
  const sigset_t signals = block_signals ();
  cli_message ("proflog attach: recording process %ld to %s for %s; Ctrl-C ends it", pid, path,
               duration);
  return record_for (pid, path, ms, &signals);
}

/* Is there a module in the process that can be controlled? */
static bool
has_module (long pid)
{
  g_autofree char *path = NULL;
  const int fd = control_folders_connect (pid, &path);
  if (fd < 0)
    return false;
  close (fd);
  return true;
}

/* The program that the words name, if it can be recorded from now on; false with the exit status.
 */
static bool
find_target (const GPtrArray *words, struct target *target, int *status)
{
  g_autoptr (GError) error = NULL;
  const char *name = words->len == 1 ? words->pdata[0] : NULL;
  *status = CLI_USAGE;
  if (name == NULL) {
    cli_message (
        "proflog attach: one process is needed, by its id or name, such as: proflog attach 4711");
    return false;
  }
  *status = CLI_INPUT;
  *target = (struct target){ .pid = control_programs_find_process (name, &error) };
  if (target->pid == 0) {
    cli_message ("proflog attach: %s", error->message);
    return false;
  }
  const long pid = target->pid;
  target->is_ghc = process_kind_of (pid).runtime == PROCESS_GHC;
  const bool has_one = has_module (pid);
  target->is_idle = has_one && (target->is_ghc ? detach_is_paused (pid) : detach_is_done (pid));
  if (has_one && !target->is_idle)
    cli_message (
        "proflog attach: process %ld has a log already; 'proflog ctl %ld status' shows its state",
        pid, pid);
  return !has_one || target->is_idle;
}

/* The number in its path is the process's here: in a container it has another one. */
static struct run_log *
new_log (const struct run_values *run, const char *output, long pid, GError **error)
{
  struct run_log *log = run_log_new (output, run->is_numbered, run->force, error);
  if (log == NULL)
    return NULL;
  g_autofree char *path = run_log_expand (log, (pid_t) pid);
  g_autofree char *settled = run_log_escape (path);
  run_log_free (log);
  return run_log_new (settled, run->is_numbered, run->force, error);
}

static int
run_attach (const struct cli_command *spec, int argc, char **argv)
{
  g_autoptr (GPtrArray) with = g_ptr_array_new ();
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  struct run_values run = { .with = with };
  struct target target;
  int status;
  if (!cli_parse_or_report (spec, argc, argv, &run, words, &status))
    return status;
  if (!find_target (words, &target, &status))
    return status;
  g_autofree char *made = run.output == NULL ? default_output (target.pid, target.is_ghc) : NULL;
  g_autofree char *output = g_canonicalize_filename (made != NULL ? made : run.output, NULL);
  struct run_log *log = new_log (&run, output, target.pid, &error);
  if (log == NULL) {
    cli_message ("proflog attach: cannot write the log: %s", error->message);
    return CLI_INPUT;
  }
  status = record (&run, &target, log);
  run_log_free (log);
  return status;
}

const struct cli_command command_attach = {
  .name = "attach",
  .group = CLI_RECORD,
  .summary = "start recording a running program",
  .parameters = "PROGRAM",
  .description
  = "PROGRAM is a process id, or a name such as app.exe.  Of a Mono program, collections, "
    "exceptions, contention on locks, samples of processor time (with --wall of all threads, also "
    "of those that wait) and, with --heapshot, heap snapshots are recorded from now on.  Samples "
    "outside of managed code have no callers, nor has the first "
    "one with a method of a library that was compiled ahead of time.  Calls and "
    "allocations need the module at the program's start: 'proflog run' records them.\n\n"
    "A thread of the program that waits is stopped for some milliseconds, and made to load the "
    "module; output, result and lifetime of the program are unchanged.  That needs the right to "
    "trace the process: the same user, and where /proc/sys/kernel/yama/ptrace_scope is not 0, "
    "root.  It works on x86-64 only.\n\n"
    "The module stays in the program after 'proflog detach'.  A later attach may give other values "
    "of --output, --heapshot, --flush and --duration.  If it gives --sample, --wall, --zip, "
    "--rotate, --data-version or --with, all of these must be the same as the first time; if it "
    "gives none, "
    "the first ones still apply.  --max-size cannot be given again, and --paused has no effect "
    "then.\n\n"
    "A GHC program that links libproflog-ghc, was started with PROFLOG_GHC and is not recorded, is "
    "recorded to an eventlog from now on.  Other GHC programs record only what they were started "
    "to record.\n\n"
    "With --duration the command waits for this time, and then ends the recording.",
  .examples = CLI_EXAMPLES (
      { "Record for 30 s, with heap snapshots",
        "proflog attach 4711 --heapshot=2s --duration 30s" },
      { "Record for 10 s what it waits for", "proflog attach 4711 --wall --duration 10s" },
      { "Record until 'proflog detach 4711' ends it", "proflog attach 4711 -o /tmp/service.mlpd" }),
  .options = { { run_options, 0 }, { refused_options, 0 } },
  .run = run_attach,
};
