/* cmd-stacks.c -- proflog stacks: the stack of each thread of a program, now or at the end of a
 * log.
 */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/command/message.h"
#include "decoder/live/thread-stacks.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-join.h"
#include "decoder/log/log-kind.h"
#include "decoder/report/final-states.h"
#include "decoder/run/run.h"
#include "decoder/system/control-programs.h"
#include "decoder/system/program-control.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A program that was just attached to: its code is found, and then the callers in libraries. */
enum { MOMENT_MS = 100 };

struct stacks_values {
  struct log_command log;
  struct cli_number every, count;
};

static int
print_text (const char *reply)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = thread_stacks_describe (reply, &error);
  if (text != NULL) {
    fputs (text, stdout);
    return CLI_OK;
  }
  cli_message ("proflog stacks: %s", error->message);
  return CLI_INPUT;
}

static int
print_json (const char *reply)
{
  g_autofree char *line = g_strchomp (g_strdup (reply));
  g_autofree char *whole = g_utf8_make_valid (line, -1);
  puts (whole);
  return g_str_has_prefix (whole, "{\"ok\":true") ? CLI_OK : CLI_INPUT;
}

/* The stacks at one time. */
static int
print_once (long pid, bool json)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *reply
      = control_client_request (pid, json ? "json stacks\n" : "stacks\n", &error);
  if (reply != NULL)
    return json ? print_json (reply) : print_text (reply);
  cli_message ("proflog stacks: %s", error->message);
  return CLI_INPUT;
}

static void
print_time (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *text = g_date_time_format (now, "%H:%M:%S");
  printf ("At %s:\n", text);
}

static bool
is_running (long pid)
{
  return kill ((pid_t) pid, 0) == 0 || errno != ESRCH;
}

/* False: one of these signals has come before. */
static bool
wait_until (gint64 due, const sigset_t *signals)
{
  const gint64 us = MAX (due - g_get_monotonic_time (), 0);
  const struct timespec rest = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };
  return sigtimedwait (signals, NULL, &rest) < 0;
}

/* As often as is requested, at most until the program ends. */
static int
print_all (const struct stacks_values *v, long pid, const sigset_t *signals)
{
  const bool json = v->log.format == EMITTER_JSON;
  const gint64 begun = g_get_monotonic_time ();
  const uint64_t most = v->count.is_set ? v->count.value : v->every.is_set ? UINT64_MAX : 1;
  int status = CLI_OK;
  for (uint64_t i = 0; i < most && status == CLI_OK; i++) {
    if (!wait_until (begun + (gint64) (i * (v->every.value / 1000)), signals)
        || (i != 0 && !is_running (pid)))
      break;
    if (v->every.is_set && !json)
      print_time ();
    status = print_once (pid, json);
    fflush (stdout);
  }
  return status;
}

/* ---- a program of which nothing is recorded ---- */

/* The recording of 'proflog attach' without options, to nowhere. */
#define MOMENT_OPTIONS "proflog:sample,gcroot,output=" DETACHED_OUTPUT

static bool
has_module (long pid)
{
  g_autofree char *path = NULL;
  const int fd = control_folders_connect (pid, &path);
  if (fd >= 0)
    close (fd);
  return fd >= 0;
}

static bool
load_module (long pid, GError **error)
{
  g_autofree char *note = NULL;
  if (!module_file_attach (pid, MOMENT_OPTIONS, &note, error)) {
    g_prefix_error (error, "process %ld: ", pid);
    return false;
  }
  if (note != NULL)
    cli_message ("proflog stacks: process %ld: %s", pid, note);
  return true;
}

/* Has the program sampled until end_moment, unless it is recorded (*is_moment).  False with an
 * error. */
static bool
begin_moment (long pid, bool *is_moment, GError **error)
{
  static const char *const none[] = { NULL };
  *is_moment = false;
  if (control_client_is_stopped (pid)) {
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
                 "process %ld is stopped; 'kill -CONT %ld' lets it go on", pid, pid);
    return false;
  }
  const bool has_one = has_module (pid);
  *is_moment = !has_one || detach_is_done (pid);
  return !*is_moment
         || (has_one ? detach_undo (pid, DETACHED_OUTPUT, none, error) : load_module (pid, error));
}

static int
end_moment (long pid, int status)
{
  g_autoptr (GError) error = NULL;
  if (!is_running (pid) || detach_process (pid, &error))
    return status;
  cli_message ("proflog stacks: %s", error->message);
  return CLI_INPUT;
}

static int
print_of_process (const struct stacks_values *v, long pid)
{
  g_autoptr (GError) error = NULL;
  bool is_moment;
  sigset_t signals, before;
  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  sigaddset (&signals, SIGHUP);
  sigprocmask (SIG_BLOCK, &signals, &before); /* the program is not left sampled */
  int status = CLI_INPUT;
  if (begin_moment (pid, &is_moment, &error)) {
    if (is_moment)
      g_usleep (MOMENT_MS * 1000);
    status = print_all (v, pid, &signals);
    if (is_moment)
      status = end_moment (pid, status);
  } else {
    cli_message ("proflog stacks: %s", error->message);
  }
  sigprocmask (SIG_SETMASK, &before, NULL);
  return status;
}

/* ---- a log ---- */

/* The name of a program may be that of a file that is none. */
static bool
is_log (const char *word)
{
  return strcmp (word, "-") == 0
         || (g_file_test (word, G_FILE_TEST_EXISTS)
             && (log_head_of (word) != LOG_HEAD_OTHER || log_kind_of_name (word) != NULL));
}

static int
print_of_log (struct stacks_values *v, const char *path)
{
  int status = CLI_INPUT;
  if (!log_command_open (&v->log, &status))
    return status;
  return log_command_finish (&v->log, final_states_write (&v->log, path));
}

/* ---- the command line ---- */

/* A program of GHC is known by its log. */
static int
print_of_program (struct stacks_values *v, const char *name)
{
  g_autoptr (GError) error = NULL;
  const long pid = control_programs_find_process (name, &error);
  g_autofree char *log = pid != 0 && process_kind_of (pid).runtime == PROCESS_GHC
                             ? process_log_find (pid, true)
                             : NULL;
  if (log != NULL)
    return print_of_log (v, log);
  int status = CLI_INPUT;
  if (pid != 0)
    status = print_of_process (v, pid);
  else
    cli_message ("proflog stacks: %s", error->message);
  return log_command_finish (&v->log, status);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct stacks_values v = { .log = { .keeps_folders = true } };
  GError *error = NULL;
  int status;
  if (!log_command_parse (&v.log, spec, argc, argv, &status))
    return status;
  if (!log_command_find_logs (&v.log, &v.log.logs, &error))
    return log_command_refuse (&v.log, error);
  const char *const name = v.log.logs[0];
  const bool has_log = log_joined_files (v.log.joined, name) != NULL || is_log (name);
  if (v.log.logs[1] != NULL)
    cli_refuse (&error, "one program or log is needed");
  else if (v.count.is_set && !v.every.is_set)
    cli_refuse (&error, "--count needs --every");
  else if (v.every.is_set && has_log)
    cli_refuse (&error, "--every is for programs that run");
  if (error != NULL)
    return log_command_refuse (&v.log, error);
  return has_log ? print_of_log (&v, name) : print_of_program (&v, name);
}

static const struct cli_choice formats[]
    = { { "text", EMITTER_TEXT, false }, { "json", EMITTER_JSON, false }, { NULL, 0, false } };

static const struct cli_option own[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_CHOICE,
    .argument = "FORMAT",
    .offset = offsetof (struct stacks_values, log.format),
    .choices = formats,
    .help
    = "Output format: text (default) or json, of a program a line each time, errors included" },
  { .name = "every",
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct stacks_values, every),
    .min = UINT64_C (10000000),
    .max = UINT64_C (3600000000000),
    .needed = "from 10ms to 1h",
    .help = "Print them again each TIME, until the program ends" },
  { .name = "count",
    .kind = CLI_NUMBER,
    .argument = "N",
    .offset = offsetof (struct stacks_values, count),
    .min = 1,
    .max = G_MAXINT64,
    .help = "Print them N times, with --every" },
  { .name = NULL },
};

const struct cli_command command_stacks = {
  .name = "stacks",
  .group = CLI_LIVE,
  .summary = "print what each thread of a program does, or did at the end of a log",
  .parameters = "PROGRAM|LOG",
  .description
  = "PROGRAM is a process id, or a name such as app.exe, of a Mono program.  One that is not "
    "recorded is attached to for the moment, as by 'proflog attach', and left as after 'proflog "
    "detach'; one that is recorded needs samples.\n\n"
    "Each managed thread has a line with its name, numbers and state, and below it its methods, "
    "innermost first: whether it runs, sleeps, or waits for a lock, a signal, input, or another "
    "thread.  Of a lock the address, the class and the owner are stated.  Threads that wait for "
    "each other's locks, without a limit of time, come first, as a deadlock.  A thread that runs "
    "is seen at its next sample, for which the command waits at most 0.3 s; else it is 'not "
    "seen'.  "
    "Threads that wait in native code that a signal would interrupt have no stack.\n\n"
    "Of a LOG, as of a program that was killed, each thread that had not ended has a line with "
    "what "
    "it did last, and how long before the end of the log that was, or began.  Of a Mono log, its "
    "methods are those of its last sample, wait for a lock, allocation or exception; the owner of "
    "a lock is the one of when the wait began, so a circle is a possible deadlock.  Of a GHC "
    "eventlog, or a GHC program that writes one, the line states what the thread waits for, and "
    "the owner of a black hole.",
  .examples = CLI_EXAMPLES (
      { "Does it hang?", "proflog stacks 4711" },
      { "Five times, a second apart", "proflog stacks --every 1s --count 5 4711" },
      { "What did each thread do when the program was killed?", "proflog stacks app.mlpd" }),
  .options = { { own, 0 } },
  .run = run,
};
