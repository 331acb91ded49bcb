/* cmd-run.c -- proflog run: runs a Mono program under the profiler module.
 *
 * Mono states nothing when it cannot find a module, so this sets up all that the module needs,
 * refuses wrong requests before the program starts, and searches for the log afterwards. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/command/message.h"
#include "decoder/cli/module-help.h"
#include "decoder/run/run.h"
#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Is it the runtime's own program?  Scripts that start it may be named like it. */
static bool
is_mono (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  if (!g_str_has_prefix (base, "mono"))
    return false;
  char start[2] = "";
  FILE *file = g_fopen (path, "rbe");
  if (file == NULL)
    return true;
  size_t length = fread (start, 1, sizeof start, file);
  fclose (file);
  return length != sizeof start || memcmp (start, "#!", sizeof start) != 0;
}

/* The program that the log is named for: the assembly that Mono is to run, else the command. */
static const char *
program_of (char *const *command, bool mono)
{
  for (int i = 1; mono && command[i] != NULL; i++) {
    if (strcmp (command[i], "--config") == 0 && command[i + 1] != NULL)
      i++;
    else if (command[i][0] != '-')
      return command[i];
  }
  return command[0];
}

/* Puts `options` (up to NULL) after `mono` in the arguments. */
static char **
arguments_with (char *const *command, const char *const *options)
{
  GPtrArray *arguments = g_ptr_array_new ();
  g_ptr_array_add (arguments, g_strdup (command[0]));
  for (; *options != NULL; options++)
    g_ptr_array_add (arguments, g_strdup (*options));
  for (int i = 1; command[i] != NULL; i++)
    g_ptr_array_add (arguments, g_strdup (command[i]));
  g_ptr_array_add (arguments, NULL);
  return (char **) g_ptr_array_free (arguments, FALSE);
}

/* Adds `option` to MONO_ENV_OPTIONS, which Mono splits at blanks outside quotes; a backslash
 * takes the next character as it is. */
static char **
environment_with_option (char **environment, const char *option)
{
  const char *before = g_environ_getenv (environment, "MONO_ENV_OPTIONS");
  g_autoptr (GString) value = g_string_new (before);
  if (value->len > 0)
    g_string_append_c (value, ' ');
  for (const char *p = option; *p != 0; p++) {
    if (strchr (" \t\n\\'\"", *p) != NULL)
      g_string_append_c (value, '\\');
    g_string_append_c (value, *p);
  }
  return g_environ_setenv (environment, "MONO_ENV_OPTIONS", value->str, TRUE);
}

/* The environment in which Mono finds the module.  Unless the program's children are recorded, too,
 * the module restores the variables as soon as it is loaded, so the program never sees the
 * change. */
static char **
environment_for (const char *module_dir, const struct run_log *log, bool is_kept)
{
  g_autofree char *began = g_strdup_printf ("%" G_GUINT64_FORMAT, run_log_began (log));
  char **environment = g_environ_setenv (g_get_environ (), "PROFLOG_RUN_BEGAN", began, TRUE);
  g_autofree char *before = g_strdup (g_environ_getenv (environment, "LD_LIBRARY_PATH"));
  bool any = before != NULL && *before != 0;
  g_autofree char *path = g_strconcat (module_dir, any ? ":" : "", any ? before : "", NULL);
  environment = g_environ_setenv (environment, "LD_LIBRARY_PATH", path, TRUE);
  if (is_kept)
    return environment;
  environment = g_environ_setenv (environment, "PROFLOG_RESTORE_ENV", "1", TRUE);
  return before != NULL
             ? g_environ_setenv (environment, "PROFLOG_OLD_LD_LIBRARY_PATH", before, TRUE)
             : g_environ_unsetenv (environment, "PROFLOG_OLD_LD_LIBRARY_PATH");
}

/* Was the argument of an option given as a word of its own?  The option, or NULL.  The words before
 * the command are those of run. */
static const struct cli_option *
option_before (char *const *command)
{
  size_t base;
  const struct cli_option *o = g_str_has_prefix (command[-1], "--")
                                   ? cli_find_option (&command_run, command[-1] + 2, &base)
                                   : NULL;
  struct run_values ignored = { .calls = false };
  return o != NULL && o->is_optional && o->parse (&ignored, command[0], NULL) ? o : NULL;
}

/* The command could not be started, because of `reason`. */
static int
command_failed (char *const *command, const char *reason)
{
  const char *name = command[0];
  const struct cli_option *option = option_before (command);
  if (option != NULL)
    return run_usage_error ("cannot run '%s': %s; did you mean --%s=%s?", name, reason,
                            option->name, name);
  if (g_str_has_suffix (name, ".exe") && g_file_test (name, G_FILE_TEST_EXISTS))
    return run_usage_error ("'%s' cannot be run by itself; try: proflog run mono %s", name, name);
  return run_usage_error ("cannot run '%s': %s", name, reason);
}

static void
look_at_log (void *data, pid_t pid)
{
  run_report_growth (data, pid);
}

static int
run_profiled (const struct run_values *run, const char *executable, const char *module_dir)
{
  bool mono = is_mono (executable);
  g_autofree char *made
      = run->output == NULL ? run_log_default (program_of (run->command, mono), ".mlpd") : NULL;
  g_autoptr (GError) error = NULL;
  struct run_log *log
      = run_log_new (made != NULL ? made : run->output, run->is_numbered, run->force, &error);
  if (log == NULL) {
    cli_message ("proflog run: cannot write the log: %s", error->message);
    return CLI_INPUT;
  }
  g_autofree char *option = run_module_option (run, log);
  /* Variables of the environment are there for children, too. */
  const bool as_argument = mono && !run->children;
  const char *options[3] = { option };
  size_t count = 1;
  if (run->lines)
    options[count++] = "--debug";
  const char *const none[] = { NULL };
  g_auto (GStrv) arguments = arguments_with (run->command, as_argument ? options : none);
  char **environment = environment_for (module_dir, log, run->children);
  for (size_t i = 0; !as_argument && options[i] != NULL; i++)
    environment = environment_with_option (environment, options[i]);

  pid_t pid;
  struct run_growth growth = { .run = run, .log = log, .is_any_process = !as_argument };
  const struct run_child_watch watch = { .look = look_at_log, .data = &growth };
  int status = run_child (executable, arguments, environment, &watch, &pid, &error);
  if (status < 0) {
    status = command_failed (run->command, error->message);
  } else if (
      !run_report_logs (
          log, as_argument ? pid : 0,
          mono ? "the cause is above; else this Mono could not load the module, or it ended before "
                 "it started a program"
               : "the cause is above; else the command did not start Mono, or Mono could not load "
                 "the module; a program that embeds Mono may ignore what 'run' passes on: 'proflog "
                 "attach' records it")
      && status == 0) {
    status = CLI_INPUT;
  }
  g_strfreev (environment);
  run_log_free (log);
  return status;
}

static int
run_haskell (const struct run_values *run, const char *executable, const struct run_ghc *ghc)
{
  g_autofree char *made
      = run->output == NULL ? run_log_default (run->command[0], ".eventlog") : NULL;
  g_autoptr (GError) error = NULL;
  const int status
      = run_ghc_program (run, executable, ghc, made != NULL ? made : run->output, &error);
  return status < 0 ? command_failed (run->command, error->message) : status;
}

static int
run_command (const struct cli_command *spec, int argc, char **argv)
{
  g_autoptr (GPtrArray) with = g_ptr_array_new ();
  struct run_values run = { .with = with };
  int status;
  if (!run_options_parse (&run, spec, argc, argv, &status))
    return status;
  g_autofree char *executable = g_find_program_in_path (run.command[0]);
  if (executable == NULL)
    return command_failed (run.command, "command not found");
  const struct run_ghc ghc = run_ghc_inspect (executable);
  if (ghc.is_ghc)
    return run_haskell (&run, executable, &ghc);
  if (run.heap)
    return run_usage_error ("--heap: '%s' is no GHC program; --heapshot is for Mono",
                            run.command[0]);
  g_autofree char *tried = NULL;
  g_autofree char *module_dir = module_file_find (&tried);
  if (module_dir == NULL) {
    cli_message (
        "proflog run: cannot find the module " MODULE_FILE " in %s; set PROFLOG_MODULE_DIR", tried);
    return CLI_INPUT;
  }
  if (strpbrk (module_dir, ":;") != NULL) {
    cli_message ("proflog run: Mono cannot load a module from '%s': its name has a ':' or ';'",
                 module_dir);
    return CLI_INPUT;
  }
  return run_profiled (&run, executable, module_dir);
}

const struct cli_command command_run = {
  .name = "run",
  .group = CLI_RECORD,
  .summary = "run a Mono or GHC program and record a log of it",
  .parameters = "[--] COMMAND [ARGUMENT...]",
  .description
  = "COMMAND is normally 'mono app.exe', or a program that GHC made.  Collections, exceptions and "
    "contention on locks are always recorded.  The exit status is that of COMMAND; 128+N if signal "
    "N "
    "ended it; 2 if the options are wrong; 3 if there is no log.\n\n" CLI_MORE
    "If COMMAND is Mono, the option that loads the module is inserted after it.  Otherwise, as "
    "with a script that starts Mono, it is added to MONO_ENV_OPTIONS; if several processes run "
    "Mono, give each a log of its own with %p.  Input, output and environment of the program are "
    "unchanged.\n\n"
    "If COMMAND is a program that GHC made, its runtime writes an eventlog (+RTS -l): the program "
    "must have been linked with -eventlog, and not with -rtsopts=none; --heap needs -rtsopts.  "
    "What is missing is found in the file and reported, and the program is not started.\n\n"
    "The exit status is also 2 if COMMAND is not found, and 3 if the program cannot be profiled, "
    "or "
    "if COMMAND succeeded but no log was written.\n\n"
    "PROFLOG_MODULE_DIR is the directory of the module " MODULE_FILE " if it is not installed.\n\n"
    "The module has more options.  Without run it is used as mono --profile=proflog:OPTION,...\n",
  .describe = module_help_describe,
  .examples = CLI_EXAMPLES (
      { "Record collections, exceptions, waits for locks and samples", "proflog run mono app.exe" },
      { "Record each allocation with its backtrace, to a log of this name",
        "proflog run --allocs -o app.mlpd mono app.exe input.txt" },
      { "Take heap snapshots, of each process that a script starts",
        "proflog run --heapshot=5gc -o 'logs/app.%p.mlpd' ./start-app.sh" },
      { "Record a program that GHC made, with a heap profile",
        "proflog run --heap ./haskell-program" }),
  .options = { { run_start_options, 0 }, { run_options, 0 } },
  .is_posix = true,
  .run = run_command,
};
