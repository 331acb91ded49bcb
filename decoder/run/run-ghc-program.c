/* run-ghc-program.c -- has a GHC program's runtime write its eventlog. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/run/run.h"
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The word, of the arguments or the environment, that ends with the path of the log. */
struct log_word {
  char **at;
  char *before; /* the text before the path */
  const struct run_log *log;
};

/* In the child: its process id may be in the path. */
static void
name_log (void *data)
{
  const struct log_word *word = data;
  g_autofree char *path = run_log_expand (word->log, getpid ());
  *word->at = g_strconcat (word->before, path, NULL);
}

/* Ticks of the runtime's timer, by which its samples are, last this long by themselves. */
#define TICK_NS UINT64_C (10000000)

/* The options of the runtime for a heap profile, in order (transfer full). */
static GPtrArray *
heap_options (const struct run_values *run)
{
  GPtrArray *options = g_ptr_array_new_with_free_func (g_free);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (seconds, sizeof seconds, "%.3f", (double) run->heap_period / 1e9);
  if (run->heap)
    g_ptr_array_add (options, g_strdup ("-hT"));
  if (run->heap_period != 0)
    g_ptr_array_add (options, g_strconcat ("-i", seconds, NULL));
  if (run->heap_period != 0 && run->heap_period < TICK_NS)
    g_ptr_array_add (options, g_strconcat ("-V", seconds, NULL));
  return options;
}

/* The options of the runtime as arguments.  The program does not see them. */
static char **
arguments_with_options (const struct run_values *run, struct log_word *word)
{
  GPtrArray *arguments = g_ptr_array_new ();
  g_ptr_array_add (arguments, g_strdup (run->command[0]));
  g_ptr_array_add (arguments, g_strdup ("+RTS"));
  g_ptr_array_add (arguments, g_strdup ("-l"));
  g_ptr_array_extend_and_steal (arguments, heap_options (run));
  const guint at = arguments->len;
  g_ptr_array_add (arguments, g_strdup (""));
  g_ptr_array_add (arguments, g_strdup ("-RTS"));
  for (char **argument = run->command + 1; *argument != NULL; argument++)
    g_ptr_array_add (arguments, g_strdup (*argument));
  g_ptr_array_add (arguments, NULL);
  char **const all = (char **) g_ptr_array_free (arguments, FALSE);
  word->at = all + at;
  word->before = g_strdup ("-ol");
  return all;
}

/* The variable, whose value ends with the path of the log. */
static char **
environment_with (char **environment, const char *name, const char *value, struct log_word *word)
{
  environment = g_environ_setenv (environment, name, value, TRUE);
  word->before = g_strconcat (name, "=", value, NULL);
  for (word->at = environment; strcmp (*word->at, word->before) != 0; word->at++)
    ;
  return environment;
}

/* Where the runtime accepts no arguments, but options in the environment. */
static char **
environment_with_options (const struct run_values *run, struct log_word *word)
{
  char **environment = g_get_environ ();
  const char *before = g_environ_getenv (environment, "GHCRTS");
  g_autoptr (GPtrArray) heap = heap_options (run);
  g_ptr_array_add (heap, g_strdup ("-ol"));
  g_ptr_array_add (heap, NULL);
  g_autofree char *last = g_strjoinv (" ", (char **) heap->pdata);
  g_autofree char *value
      = g_strconcat (before != NULL ? before : "", before != NULL ? " " : "", "-l ", last, NULL);
  return environment_with (environment, "GHCRTS", value, word);
}

/* Options of run that only the module for Mono has; NULL: none was given. */
static const char *
option_for_mono (const struct run_values *run)
{
  const struct {
    bool is_given;
    const char *name;
  } options[] = {
    { run->calls, "calls" },
    { run->allocs, "allocs" },
    { run->samples, "sample" },
    { run->wall, "wall" },
    { run->lines, "lines" },
    { run->native, "native" },
    { run->heapshot != NULL, "heapshot" },
    { run->is_version_1, "data-version" },
    { run->children, "children" },
    { run->zip != NULL, "zip" },
    { run->rotate_size != NULL || run->rotate_time != NULL, "rotate" },
    { run->flush != NULL, "flush" },
    { run->paused, "paused" },
    { run->duration != NULL, "duration" },
    { run->max_size != NULL, "max-size" },
    { run->with->len != 0, "with" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].is_given)
      return options[i].name;
  return NULL;
}

/* The runtime also writes a heap profile as text, named for the program (transfer full). */
static char *
text_profile (const char *program)
{
  g_autofree char *base = g_path_get_basename (program);
  return g_strconcat (base, ".hp", NULL);
}

/* Does the runtime accept -l among the arguments? */
static bool
accepts_arguments (const struct run_ghc *ghc)
{
  return ghc->options == RUN_GHC_SOME || ghc->options == RUN_GHC_ALL;
}

static bool
check_request (const struct run_values *run, const struct run_ghc *ghc, const char *path)
{
  const char *program = run->command[0];
  const char *option = option_for_mono (run);
  g_autofree char *text = text_profile (program);
  if (option != NULL)
    run_usage_error (
        "--%s: '%s' is a GHC program; for its runtime there are --heap, -o and --force", option,
        program);
  else if (!ghc->is_live && !accepts_arguments (ghc) && strpbrk (path, " \t\n") != NULL)
    run_usage_error ("'%s': the runtime of this program accepts no path with blanks", path);
  else if (ghc->is_live && strchr (path, ',') != NULL)
    run_usage_error ("'%s': a program with libproflog-ghc accepts no path with commas", path);
  else if (run->heap && g_file_test (text, G_FILE_TEST_EXISTS))
    run_usage_error ("--heap: the runtime would overwrite '%s'", text);
  else
    return true;
  return false;
}

static int
run_with_log (const struct run_values *run, const char *executable, const struct run_ghc *ghc,
              const struct run_log *log, GError **error)
{
  struct log_word word = { .log = log };
  char **environment, **arguments;
  if (!ghc->is_live && accepts_arguments (ghc)) {
    environment = g_get_environ ();
    arguments = arguments_with_options (run, &word);
  } else {
    arguments = g_strdupv (run->command);
    environment = ghc->is_live
                      ? environment_with (g_get_environ (), "PROFLOG_GHC", "output=", &word)
                      : environment_with_options (run, &word);
  }
  pid_t pid;
  const struct run_child_watch watch = { .begin = name_log, .data = &word };
  int status = run_child (executable, arguments, environment, &watch, &pid, error);
  g_strfreev (arguments);
  g_strfreev (environment);
  g_free (word.before);
  if (status < 0)
    return status;
  if (run->heap) {
    g_autofree char *text = text_profile (run->command[0]);
    g_unlink (text);
  }
  if (!run_report_logs (log, pid, "the program ended before its runtime could write it")
      && status == 0)
    status = CLI_INPUT;
  return status;
}

int
run_ghc_program (const struct run_values *run, const char *executable, const struct run_ghc *ghc,
                 const char *output, GError **error)
{
  g_autoptr (GError) problem = NULL;
  if (run_ghc_report_obstacles (ghc, run->heap, run->command[0]))
    return CLI_INPUT;
  struct run_log *log = run_log_new (output, false, run->force, &problem);
  if (log == NULL) {
    cli_message ("proflog run: cannot write the log: %s", problem->message);
    return CLI_INPUT;
  }
  const int status = check_request (run, ghc, run_log_path (log))
                         ? run_with_log (run, executable, ghc, log, error)
                         : CLI_USAGE;
  run_log_free (log);
  return status;
}
