/* doctor-system.c -- the clock, ptrace, the directory of control sockets. */
#include "config.h"

#include "decoder/run/doctor-system.h"
#include "decoder/run/doctor.h"
#include "decoder/command/shell-word.h"
#include <errno.h>
#include <proflog/control.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
  /* What others write to is not to be taken from them. */
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
