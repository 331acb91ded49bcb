/* doctor.c -- the checks: of the kernel, of directories, of runtimes, and whether Mono loads the
 * module.
 */
#include "config.h"

#include "decoder/run/doctor.h"
#include "decoder/command/shell-word.h"
#include "decoder/run/run.h"
#include <errno.h>
#include <proflog/control.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
free_check (gpointer data)
{
  struct doctor_check *check = data;
  g_free (check->finding);
  g_free (check->mend);
  g_free (check);
}

GPtrArray *
doctor_new (void)
{
  return g_ptr_array_new_with_free_func (free_check);
}

void
doctor_add (GPtrArray *checks, const char *name, enum doctor_state state, char *finding, char *mend)
{
  struct doctor_check *check = g_new (struct doctor_check, 1);
  *check = (struct doctor_check){ name, state, finding, mend };
  g_ptr_array_add (checks, check);
}

guint
doctor_count (const GPtrArray *checks, enum doctor_state state)
{
  guint count = 0;
  for (guint i = 0; i < checks->len; i++)
    count += ((const struct doctor_check *) checks->pdata[i])->state == state;
  return count;
}

/* The file without its end of line (transfer full); NULL: it cannot be read. */
static char *
read_line (const char *path)
{
  char *text = NULL;
  return g_file_get_contents (path, &text, NULL, NULL) ? g_strchomp (text) : NULL;
}

/* ---- the clock ---- */

#define CLOCKS "/sys/devices/system/clocksource/clocksource0/"

/* A fast clock of the kernel is read without a system call, which these need. */
static bool
is_slow (const char *source)
{
  static const char *const slow[] = { "hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit" };
  bool found = false;
  for (size_t i = 0; i < G_N_ELEMENTS (slow); i++)
    found |= strcmp (source, slow[i]) == 0;
  return found;
}

static uint64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* The time of reading the clock, in ns: the least of some mean values, as the processor may be
 * busy. */
static uint64_t
measure_reading (void)
{
  enum { TRIES = 20, READINGS = 500 };
  uint64_t least = UINT64_MAX;
  for (int try = 0; try < TRIES; try++) {
    const uint64_t begin = now_ns ();
    for (int i = 0; i < READINGS; i++)
      now_ns ();
    least = MIN (least, (now_ns () - begin) / READINGS);
  }
  return least;
}

static void
check_clock (GPtrArray *checks)
{
  enum { MAX_NS = 1000 };
  g_autofree char *source = read_line (CLOCKS "current_clocksource");
  g_autofree char *available = read_line (CLOCKS "available_clocksource");
  struct timespec resolution = { .tv_sec = 1 };
  clock_getres (CLOCK_MONOTONIC, &resolution);
  const uint64_t reading = measure_reading ();
  const bool is_bad = (source != NULL && is_slow (source)) || resolution.tv_sec > 0
                      || resolution.tv_nsec > MAX_NS || reading > MAX_NS;
  const bool has_tsc
      = available != NULL && strstr (available, "tsc") != NULL && g_strcmp0 (source, "tsc") != 0;
  doctor_add (checks, "clock", is_bad ? DOCTOR_MISSING : DOCTOR_OK,
              g_strdup_printf ("%s%s, resolution %ld ns, %" G_GUINT64_FORMAT " ns a reading",
                               source != NULL ? source : "unknown source", is_bad ? " is slow" : "",
                               resolution.tv_sec > 0 ? 1000000000L : resolution.tv_nsec, reading),
              !is_bad   ? NULL
              : has_tsc ? g_strdup ("echo tsc | sudo tee " CLOCKS "current_clocksource")
                        : g_strdup ("boot Linux with tsc=reliable"));
}

/* ---- ptrace ---- */

/* The error with which a process cannot trace another one of this user that is not its child; 0:
 * it can. */
static int
probe_ptrace (void)
{
  const pid_t target = fork ();
  if (target == 0) {
    prctl (PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
      pause ();
  }
  const pid_t tracer = target > 0 ? fork () : -1;
  if (tracer == 0)
    _exit (ptrace (PTRACE_SEIZE, target, NULL, NULL) == 0 ? 0 : errno);
  int status = 0, error = errno;
  if (tracer > 0 && waitpid (tracer, &status, 0) == tracer)
    error = WIFEXITED (status) ? WEXITSTATUS (status) : EPERM; /* a filter may end it */
  if (target > 0) {
    kill (target, SIGKILL);
    waitpid (target, NULL, 0);
  }
  return error;
}

/* A number of /proc/self/status, in this base; 0: it has none. */
static uint64_t
own_status (const char *key, unsigned base)
{
  g_autofree char *text = read_line ("/proc/self/status");
  const char *at = text != NULL ? strstr (text, key) : NULL;
  return at != NULL ? g_ascii_strtoull (at + strlen (key), NULL, base) : 0;
}

static bool
has_ptrace_capability (void)
{
  enum { CAPABILITY = 19 }; /* CAP_SYS_PTRACE */
  return (own_status ("\nCapEff:", 16) >> CAPABILITY & 1) != 0;
}

static void
check_ptrace (GPtrArray *checks)
{
  static const char name[] = "ptrace";
  const int error = probe_ptrace ();
  g_autofree char *scope = read_line ("/proc/sys/kernel/yama/ptrace_scope");
  const bool has_scope = scope != NULL && strcmp (scope, "0") != 0;
  if (error == 0) {
    doctor_add (
        checks, name, DOCTOR_OK,
        g_strdup_printf ("allowed%s", has_ptrace_capability () ? ", with CAP_SYS_PTRACE" : ""),
        NULL);
  } else if (own_status ("\nSeccomp:", 10) != 0 && !has_scope) {
    doctor_add (checks, name, DOCTOR_MISSING,
                g_strdup ("a seccomp filter, as of a container, forbids it"),
                g_strdup ("docker run --cap-add=SYS_PTRACE ..."));
  } else if (has_scope) {
    doctor_add (checks, name, DOCTOR_MISSING,
                g_strdup_printf ("kernel.yama.ptrace_scope is %s: %s may trace", scope,
                                 strcmp (scope, "3") == 0 ? "nobody" : "only root"),
                strcmp (scope, "3") == 0
                    ? g_strdup ("set kernel.yama.ptrace_scope=1 in /etc/sysctl.d, and reboot")
                    : g_strdup ("sudo sysctl kernel.yama.ptrace_scope=0"));
  } else {
    doctor_add (checks, name, DOCTOR_MISSING,
                g_strdup_printf ("not allowed: %s", g_strerror (error)),
                g_strdup ("sudo proflog doctor"));
  }
}

/* ---- the directory of control sockets ---- */

/* The line after which the module accepts the directory (transfer full), with *finding (transfer
 * full); NULL: it does.  `is_given`: it is that of XDG_RUNTIME_DIR. */
static char *
mend_directory (const char *directory, bool is_given, char **finding)
{
  static const char another[] = "export XDG_RUNTIME_DIR=DIRECTORY",
                    unset[] = "unset XDG_RUNTIME_DIR";
  struct stat st;
  g_autofree char *word = shell_word (directory);
  *finding = NULL;
  if (lstat (directory, &st) != 0) {
    *finding = g_strdup_printf ("%s: %s", g_strerror (errno), directory);
    return g_strdup_printf ("mkdir -m 700 %s", word);
  }
  if (!S_ISDIR (st.st_mode) || st.st_uid != geteuid ()) {
    *finding = g_strdup_printf ("%s: %s", S_ISDIR (st.st_mode) ? "of another user" : "no directory",
                                directory);
    return g_strdup (is_given ? unset : another);
  }
  if ((st.st_mode & 077) == 0)
    return NULL;
  *finding = g_strdup_printf ("mode %03o, not 700: %s", st.st_mode & 0777, directory);
  /* A folder that others write to is not to be taken from them. */
  return (st.st_mode & S_IWOTH) != 0 && is_given ? g_strdup (unset)
                                                 : g_strdup_printf ("chmod 700 %s", word);
}

static void
check_directory (GPtrArray *checks)
{
  static const char name[] = "control directory";
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  g_autofree char *own = g_strdup_printf (PROFLOG_OWN_DIRECTORY, (long) geteuid ());
  g_autofree char *parent = g_path_get_dirname (own);
  const bool has_runtime = runtime != NULL && runtime[0] == '/';
  char *finding;
  if (!has_runtime && access (own, F_OK) != 0 && access (parent, W_OK) == 0) {
    doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("the first program creates %s", own),
                NULL);
    return;
  }
  char *mend = mend_directory (has_runtime ? runtime : own, has_runtime, &finding);
  if (mend != NULL)
    doctor_add (checks, name, DOCTOR_MISSING, finding, mend);
  else
    doctor_add (checks, name, DOCTOR_OK, g_strdup (has_runtime ? runtime : own), NULL);
}

void
doctor_check_system (GPtrArray *checks)
{
  check_clock (checks);
  check_ptrace (checks);
  check_directory (checks);
}

/* ---- output of programs ---- */

enum { LIMIT_S = 10 };

/* In the child: the alarm remains set in the program, and ends it. */
static void
set_limit (gpointer unused)
{
  (void) unused;
  alarm (LIMIT_S);
}

/* The standard output of a program (arguments up to NULL; it is searched in PATH, /usr/sbin and
 * /sbin) within 10 s (transfer full).  `variable` ("NAME=VALUE") is added to its environment; NULL:
 * none. NULL: it cannot be run, or fails. */
static char *
program_output (char *const *arguments, const char *variable)
{
  const char *path = g_getenv ("PATH");
  g_autofree char *search
      = g_strconcat (path != NULL ? path : "/usr/bin:/bin", ":/usr/sbin:/sbin", NULL);
  char **environment = g_environ_setenv (g_get_environ (), "PATH", search, TRUE);
  g_auto (GStrv) pair = g_strsplit (variable != NULL ? variable : "", "=", 2);
  if (pair[0] != NULL)
    environment = g_environ_setenv (environment, pair[0], pair[1], TRUE);
  char *text = NULL;
  int status;
  const bool is_done = g_spawn_sync (NULL, (char **) arguments, environment,
                                     G_SPAWN_SEARCH_PATH_FROM_ENVP | G_SPAWN_STDERR_TO_DEV_NULL,
                                     set_limit, NULL, &text, NULL, &status, NULL)
                       && g_spawn_check_wait_status (status, NULL);
  g_strfreev (environment);
  if (is_done)
    return text;
  g_free (text);
  return NULL;
}

/* ---- where Mono searches the module ---- */

/* The module in the directory (transfer full); NULL: it has none. */
static char *
module_in (const char *directory)
{
  char *file = g_build_filename (directory, MODULE_FILE, NULL);
  if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
    return file;
  g_free (file);
  return NULL;
}

/* Mono searches the places in which it may lie after its own build. */
static char *
search_beside (const char *mono)
{
  static const char *const places[] = { ".libs", "../lib", "../profiler/.libs" };
  g_autofree char *real = realpath (mono, NULL);
  g_autofree char *bin = g_path_get_dirname (real != NULL ? real : mono);
  char *found = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (places) && found == NULL; i++) {
    g_autofree char *place = g_build_filename (bin, places[i], NULL);
    g_autofree char *directory = g_canonicalize_filename (place, NULL);
    found = module_in (directory);
  }
  return found;
}

/* An empty directory is the current one. */
static char *
search_library_path (void)
{
  const char *path = g_getenv ("LD_LIBRARY_PATH");
  g_auto (GStrv) directories = g_strsplit_set (path != NULL ? path : "", ":;", -1);
  char *found = NULL;
  for (char **d = directories; *d != NULL && found == NULL; d++)
    found = module_in (**d != 0 ? *d : ".");
  return found;
}

/* Lines are "NAME (KIND) => FILE". */
static char *
search_cache (void)
{
  char *const command[] = { (char *) "ldconfig", (char *) "-p", NULL };
  g_autofree char *list = program_output (command, NULL);
  g_auto (GStrv) lines = g_strsplit (list != NULL ? list : "", "\n", -1);
  for (char **line = lines; *line != NULL; line++) {
    const char *name = g_strchug (*line), *file = strstr (name, " => ");
    if (g_str_has_prefix (name, MODULE_FILE " ") && file != NULL
        && g_file_test (file + strlen (" => "), G_FILE_TEST_IS_REGULAR))
      return g_strdup (file + strlen (" => "));
  }
  return NULL;
}

/* The module that this Mono (a path) would load for --profile=proflog (transfer full): in the
 * directories beside it, then where the dynamic linker searches.  NULL: none. */
static char *
mono_module_search (const char *mono)
{
  char *found = search_beside (mono);
  if (found == NULL)
    found = search_library_path ();
  if (found == NULL)
    found = search_cache ();
  if (found == NULL)
    found = module_in ("/lib");
  return found != NULL ? found : module_in ("/usr/lib");
}

static bool
are_same (const char *path, const char *other)
{
  struct stat a, b;
  return stat (path, &a) == 0 && stat (other, &b) == 0 && a.st_dev == b.st_dev
         && a.st_ino == b.st_ino;
}

/* ---- runtimes ---- */

/* The programs of this name in PATH, each file once (transfer full). */
static GPtrArray *
find_programs (const char *name)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  const char *path = g_getenv ("PATH");
  g_auto (GStrv) directories = g_strsplit (path != NULL ? path : "", ":", -1);
  for (char **d = directories; *d != NULL; d++) {
    char *file = g_build_filename (**d != 0 ? *d : ".", name, NULL);
    bool is_new = g_file_test (file, G_FILE_TEST_IS_REGULAR)
                  && g_file_test (file, G_FILE_TEST_IS_EXECUTABLE);
    for (guint i = 0; i < found->len; i++)
      is_new &= !are_same (file, found->pdata[i]);
    if (is_new)
      g_ptr_array_add (found, file);
    else
      g_free (file);
  }
  return found;
}

/* The word after "version", or the first one, of the program's output (transfer full); NULL:
 * none. */
static char *
find_version (const char *program, const char *option)
{
  static const char before[] = "version ";
  char *const command[] = { (char *) program, (char *) option, NULL };
  g_autofree char *text = program_output (command, NULL);
  if (text == NULL)
    return NULL;
  const char *at = strstr (text, before);
  at = at != NULL ? at + strlen (before) : text;
  return g_strndup (at, strcspn (at, " \n"));
}

static void
add_runtime (GPtrArray *checks, const char *name, const char *option, const GPtrArray *programs)
{
  for (guint i = 0; i < programs->len; i++) {
    const char *program = programs->pdata[i];
    g_autofree char *version = find_version (program, option);
    if (version != NULL)
      doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("%s, %s", version, program), NULL);
    else
      doctor_add (checks, name, DOCTOR_MISSING,
                  g_strdup_printf ("%s cannot be run, or does not state its version", program),
                  g_strdup_printf ("%s %s", program, option));
  }
}

static void
add_absent (GPtrArray *checks, const char *name, const char *program, bool is_needed,
            const char *package)
{
  if (is_needed)
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup_printf ("there is no %s in PATH", program),
                g_strdup_printf ("sudo apt-get install %s", package));
  else
    doctor_add (checks, name, DOCTOR_NONE, g_strdup_printf ("there is no %s in PATH", program),
                NULL);
}

/* ---- the module ---- */

/* Is it a directory of the dynamic linker's configuration?  Lines are "DIRECTORY: (...)". */
static bool
is_configured (const char *directory)
{
  char *const command[]
      = { (char *) "ldconfig", (char *) "-v", (char *) "-N", (char *) "-X", NULL };
  g_autofree char *list = program_output (command, NULL);
  g_autofree char *begin = g_strconcat ("\n", directory, ":", NULL);
  g_autofree char *lines = g_strconcat ("\n", list != NULL ? list : "", NULL);
  return strstr (lines, begin) != NULL;
}

static void
check_search (GPtrArray *checks, const char *mono, const char *directory)
{
  static const char name[] = "module for Mono";
  g_autofree char *file = g_build_filename (directory, MODULE_FILE, NULL);
  g_autofree char *found = mono_module_search (mono);
  if (found != NULL && are_same (found, file)) {
    doctor_add (checks, name, DOCTOR_OK, g_strdup ("Mono finds it"), NULL);
    return;
  }
  if (found != NULL) {
    doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("Mono finds another one: %s", found),
                NULL);
    return;
  }
  g_autofree char *word = shell_word (directory);
  doctor_add (checks, name, DOCTOR_MISSING,
              g_strdup ("Mono does not find it without 'proflog run'"),
              is_configured (directory)
                  ? g_strdup ("sudo ldconfig")
                  : g_strdup_printf (
                      "export LD_LIBRARY_PATH=%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}", word));
}

/* The module prints its options and ends Mono before there is a program to start. */
static void
check_load (GPtrArray *checks, const char *mono, const char *directory)
{
  static const char name[] = "module loads", help[] = "proflog records";
  const char *before = g_getenv ("LD_LIBRARY_PATH");
  const bool any = before != NULL && *before != 0;
  g_autofree char *path
      = g_strconcat ("LD_LIBRARY_PATH=", directory, any ? ":" : "", any ? before : "", NULL);
  g_autofree char *file = g_build_filename (directory, MODULE_FILE, NULL);
  g_autofree char *safe = shell_word (file);
  char *const command[]
      = { (char *) mono, (char *) "--profile=proflog:help", (char *) "program.exe", NULL };
  g_autofree char *text = program_output (command, path);
  if (text != NULL && strstr (text, help) != NULL)
    doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("in %s", mono), NULL);
  else
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup_printf ("%s cannot load it", mono),
                g_strdup_printf ("ldd %s", safe));
}

static void
check_module (GPtrArray *checks, const char *mono)
{
  static const char name[] = "module";
  g_autofree char *tried = NULL;
  g_autofree char *directory = module_file_find (&tried);
  if (directory == NULL) {
    doctor_add (checks, name, DOCTOR_MISSING, g_strdup_printf ("not in %s", tried),
                g_strdup ("export PROFLOG_MODULE_DIR=DIRECTORY"));
    return;
  }
  doctor_add (checks, name, DOCTOR_OK, g_strdup_printf ("in %s", directory), NULL);
  if (mono == NULL)
    return;
  check_search (checks, mono, directory);
  check_load (checks, mono, directory);
}

void
doctor_check_programs (GPtrArray *checks)
{
  g_autoptr (GPtrArray) monos = find_programs ("mono"), ghcs = find_programs ("ghc");
  add_runtime (checks, "Mono", "--version", monos);
  if (monos->len == 0)
    add_absent (checks, "Mono", "mono", ghcs->len == 0, "mono-runtime");
  add_runtime (checks, "GHC", "--numeric-version", ghcs);
  if (ghcs->len == 0)
    add_absent (checks, "GHC", "ghc", false, "ghc");
  check_module (checks, monos->len > 0 ? monos->pdata[0] : NULL);
}
