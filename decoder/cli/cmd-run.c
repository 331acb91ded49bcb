/* cmd-run.c -- proflog run: runs a Mono program under the profiler module.
 *
 * Mono says nothing when it cannot find a module, so this sets up all that the module needs,
 * refuses what cannot work before the program starts, and looks for the log afterwards. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/run-child.h"
#include "decoder/cli/run-log.h"
#include "decoder/cli/tell.h"
#include <getopt.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <proflog/module-options.h>
#include <proflog/spool.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MODULE_FILE "libmono-profiler-proflog.so"

struct run {
  bool calls, allocs, samples, keep_aot, children, force;
  const char *rate;     /* of samples; NULL: the module's */
  const char *sampling; /* of allocations; NULL: all */
  const char *heapshot; /* NULL: none */
  const char *output;   /* NULL: made from the program's name */
  char **command;
};

static void
print_module_options (void)
{
  static const struct {
    const char *name, *argument, *doc;
    bool negatable;
  } options[] = {
#define OPTION(ID, name, argument, doc) { name, argument, doc, false },
#define NEGATABLE_WITH(ID, name, argument, doc) { name, argument, doc, true },
#include <proflog/module-options.def>
  };
  for (size_t i = 0; i < G_N_ELEMENTS (options); i++) {
    g_autofree char *form = g_strconcat (options[i].negatable ? "[no]" : "", options[i].name,
                                         options[i].argument, NULL);
    printf ("  %-22s %s\n", form, options[i].doc);
  }
}

static void
print_help (void)
{
  fputs (
      "Usage: proflog run [OPTION...] [--] COMMAND [ARGUMENT...]\n"
      "Runs COMMAND, normally `mono app.exe`, and records what it does in a log.\n\n"
      "      --calls              record every method call\n"
      "      --allocs[=SIZE]      record every allocation, with backtraces; or, at hardly any "
      "cost,\n"
      "                           one in SIZE bytes, each as likely as it is large: reports "
      "estimate\n"
      "                           from those, the better the more there are (512k, for example)\n"
      "      --sample[=HZ]        take samples of what threads are in, HZ in a second (default "
      "100,\n"
      "                           at most 250: the runtime's timer is that slow)\n"
      "      --keep-aot           with --allocs: run code that was compiled ahead of time, too; "
      "its\n"
      "                           calls cannot be followed, and recording takes longer\n"
      "      --heapshot[=Xms|Xgc] take heap shots: at each major collection, at a collection\n"
      "                           every X ms, or at every Xth major collection\n"
      "      --children           record also the Mono programs that it starts, and children that "
      "it\n"
      "                           forks, each in a log of its own: %p must be in LOG\n"
      "  -o, --output=LOG         where the log goes; %p is the process id, %t the time, %% a %\n"
      "                           (default: APP.%p.mlpd here, APP being the program's name)\n"
      "      --force              overwrite LOG if it is a log; else the command is not started.\n"
      "                           What is no log is never overwritten\n"
      "  -h, --help               print this text\n\n"
      "Collections, exceptions and contention on locks are recorded always.\n\n"
      "If COMMAND is Mono, the option that loads the module is put behind it.  Otherwise, as\n"
      "with a script that starts Mono, it goes into MONO_ENV_OPTIONS; if several processes run\n"
      "Mono, give each a log of its own by %p.  The program's input, output, environment and\n"
      "exit status are its own: the exit status of run is that of COMMAND, 128+N if signal N\n"
      "ended it.  It is 2 if the options make no sense or COMMAND is not found, and 3 if\n"
      "the program cannot be profiled, or COMMAND succeeded but no log came.\n\n"
      "Examples:\n"
      "  proflog run mono app.exe\n"
      "  proflog run --allocs -o app.mlpd mono app.exe input.txt\n"
      "  proflog run --heapshot=5gc -o 'logs/app.%p.mlpd' ./start-app.sh\n"
      "  proflog report app.mlpd\n\n"
      "PROFLOG_MODULE_DIR names the directory of the module " MODULE_FILE " if it\n"
      "is not where it was installed.\n\n"
      "The module can do more; it is used without run as mono --profile=proflog:OPTION,...\n",
      stdout);
  print_module_options ();
}

static int G_GNUC_PRINTF (1, 2) usage_error (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  cli_tell ("proflog run: %s", text);
  return CLI_USAGE;
}

enum {
  OPTION_CALLS = 256,
  OPTION_ALLOCS,
  OPTION_SAMPLE,
  OPTION_KEEP_AOT,
  OPTION_HEAPSHOT,
  OPTION_CHILDREN,
  OPTION_FORCE
};

/* Whether each process has a log of its own. */
static bool
has_pid (const char *output)
{
  for (const char *p = strchr (output, '%'); p != NULL && p[1] != 0; p = strchr (p + 2, '%'))
    if (p[1] == 'p')
      return true;
  return false;
}

/* Reads the options.  Returns -1 to go on, else the exit status. */
static int
parse_options (struct run *run, int argc, char **argv)
{
  static const struct option options[] = {
    { "calls", no_argument, NULL, OPTION_CALLS },
    { "allocs", optional_argument, NULL, OPTION_ALLOCS },
    { "sample", optional_argument, NULL, OPTION_SAMPLE },
    { "keep-aot", no_argument, NULL, OPTION_KEEP_AOT },
    { "heapshot", optional_argument, NULL, OPTION_HEAPSHOT },
    { "children", no_argument, NULL, OPTION_CHILDREN },
    { "force", no_argument, NULL, OPTION_FORCE },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
  };
  struct proflog_heapshot_mode mode;
  uint64_t size;
  uint32_t rate;
  const char *end;
  int option;
  optind = 1;
  opterr = 0;
  while ((option = getopt_long (argc, argv, "+:o:h", options, NULL)) != -1)
    switch (option) {
    case OPTION_CALLS:
      run->calls = true;
      break;
    case OPTION_ALLOCS:
      run->allocs = true;
      run->sampling = optarg;
      if (optarg != NULL && !proflog_parse_size (optarg, 1, PROFLOG_ALLOC_SAMPLING_MAX, &size))
        return usage_error ("--allocs=%s: not a size from 1 to 1024G, such as 512k", optarg);
      break;
    case OPTION_SAMPLE:
      run->samples = true;
      run->rate = optarg;
      if (optarg != NULL
          && (!proflog_parse_u32 (optarg, &end, &rate) || *end != 0 || rate == 0
              || rate > PROFLOG_SAMPLE_HZ_MAX))
        return usage_error ("--sample=%s: not a number from 1 to %d", optarg,
                            PROFLOG_SAMPLE_HZ_MAX);
      break;
    case OPTION_KEEP_AOT:
      run->keep_aot = true;
      break;
    case OPTION_HEAPSHOT:
      run->heapshot = optarg != NULL ? optarg : "";
      if ((optarg != NULL && *optarg == 0) || !proflog_parse_heapshot (run->heapshot, &mode))
        return usage_error ("--heapshot=%s: not of the form Xms or Xgc with X from 1 to %u", optarg,
                            UINT32_MAX);
      break;
    case OPTION_CHILDREN:
      run->children = true;
      break;
    case OPTION_FORCE:
      run->force = true;
      break;
    case 'o':
      run->output = optarg;
      break;
    case 'h':
      print_help ();
      return CLI_OK;
    case ':':
      return usage_error ("option '%s' needs a value; see 'proflog run --help'", argv[optind - 1]);
    default:
      return usage_error ("there is no option '%s', or it takes no value; see 'proflog run --help'",
                          argv[optind - 1]);
    }
  if (run->children && run->output != NULL && !has_pid (run->output))
    return usage_error ("--children: each process needs a log of its own; put %%p into '%s'",
                        run->output);
  if (optind >= argc)
    return usage_error ("no command to run, such as: proflog run mono app.exe");
  run->command = argv + optind;
  return -1;
}

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

/* hello.exe -> hello.%p.mlpd */
static char *
default_output (char *const *command, bool mono)
{
  g_autofree char *base = g_path_get_basename (program_of (command, mono));
  char *dot = strrchr (base, '.');
  if (dot != NULL && dot != base)
    *dot = 0;
  g_auto (GStrv) parts = g_strsplit (base, "%", -1);
  g_autofree char *name = g_strjoinv ("%%", parts);
  return g_strconcat (name, ".%p.mlpd", NULL);
}

/* The directory of the module; NULL if it is in none of those that it may be in, which *tried
 * then tells. */
static char *
find_module (char **tried)
{
  const char *set = g_getenv ("PROFLOG_MODULE_DIR");
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  if (set != NULL && *set != 0) {
    g_ptr_array_add (places, g_canonicalize_filename (set, NULL));
  } else {
    if (self != NULL) {
      g_autofree char *bin = g_path_get_dirname (self);
      g_ptr_array_add (places, g_build_filename (bin, ".libs", NULL)); /* in the build tree */
      g_autofree char *lib = g_build_filename (bin, "..", "lib", NULL);
      g_ptr_array_add (places, g_canonicalize_filename (lib, NULL));
    }
    g_ptr_array_add (places, g_strdup (PROFLOG_LIBDIR));
  }
  for (guint i = 0; i < places->len; i++) {
    g_autofree char *file = g_build_filename (places->pdata[i], MODULE_FILE, NULL);
    if (g_file_test (file, G_FILE_TEST_IS_REGULAR))
      return g_strdup (places->pdata[i]);
  }
  g_ptr_array_add (places, NULL);
  *tried = g_strjoinv (", ", (char **) places->pdata);
  return NULL;
}

static char *
module_option (const struct run *run, const struct run_log *log)
{
  g_autofree char *output = run_log_option (log);
  GString *option = g_string_new ("--profile=proflog:");
  if (run->sampling != NULL)
    g_string_append_printf (option, "alloc=%s,", run->sampling);
  else if (run->allocs)
    g_string_append (option, "alloc,");
  if (run->calls)
    g_string_append (option, "calls,");
  if (run->samples)
    g_string_append_printf (option, "sample%s%s,", run->rate != NULL ? "=" : "",
                            run->rate != NULL ? run->rate : "");
  if (run->heapshot != NULL)
    g_string_append_printf (option, "gcroot,heapshot%s%s,", *run->heapshot != 0 ? "=" : "",
                            run->heapshot);
  if (run->children)
    g_string_append (option, "follow-fork,");
  g_string_append_printf (option, "output=%s", output);
  return g_string_free (option, FALSE);
}

/* Puts `option` behind `mono` in the arguments. */
static char **
arguments_with (char *const *command, const char *option)
{
  GPtrArray *arguments = g_ptr_array_new ();
  g_ptr_array_add (arguments, g_strdup (command[0]));
  if (option != NULL)
    g_ptr_array_add (arguments, g_strdup (option));
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

/* Backtraces of allocations come from the stack that enter and leave keep; code compiled ahead of
 * time raises neither. */
static char **
environment_without_aot (char **environment)
{
  g_autofree char *before = g_strdup (g_environ_getenv (environment, "MONO_ENV_OPTIONS"));
  environment = environment_with_option (environment, "-O=-aot");
  environment = g_environ_setenv (environment, "PROFLOG_RESTORE_OPTIONS", "1", TRUE);
  return before != NULL
             ? g_environ_setenv (environment, "PROFLOG_OLD_MONO_ENV_OPTIONS", before, TRUE)
             : g_environ_unsetenv (environment, "PROFLOG_OLD_MONO_ENV_OPTIONS");
}

/* The environment in which Mono finds the module.  Unless the program's children are recorded, too,
 * the module puts the variables back to what they were as soon as it is loaded, so the program
 * never sees the change. */
static char **
environment_for (const char *module_dir, bool is_kept)
{
  char **environment = g_get_environ ();
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

/* The command could not be started, because of `reason`. */
static int
command_failed (const char *name, const char *reason)
{
  if (g_str_has_suffix (name, ".exe") && g_file_test (name, G_FILE_TEST_EXISTS))
    return usage_error ("'%s' cannot be run by itself; try: proflog run mono %s", name, name);
  return usage_error ("'%s' cannot be run: %s", name, reason);
}

/* Says on standard error what came of the log.  Returns whether there is one. */
static bool
tell_logs (const struct run_log *log, pid_t pid, bool mono)
{
  g_autoptr (GPtrArray) logs = run_log_written (log, pid);
  bool any = false;
  for (guint i = 0; i < logs->len; i++) {
    const char *path = logs->pdata[i];
    GStatBuf st;
    if (run_log_state (path) != RUN_LOG_GOOD || g_stat (path, &st) != 0) {
      cli_tell ("proflog run: '%s' was written but is no log", path);
      continue;
    }
    any = true;
    g_autofree char *quoted = g_shell_quote (path);
    bool plain
        = strspn (path, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._-+,=@%") == strlen (path);
    cli_tell ("proflog run: the log is %s (%lld bytes); read it with: proflog report %s", path,
              (long long) st.st_size, plain ? path : quoted);
    g_autofree char *spool = g_strconcat (path, PROFLOG_SPOOL_SUFFIX, NULL);
    if (g_file_test (spool, G_FILE_TEST_EXISTS))
      cli_tell (
          "proflog run: it did not end normally: the last events are in %s, and belong to the "
          "log",
          spool);
  }
  if (!any)
    cli_tell ("proflog run: no log came (%s): %s", run_log_path (log),
              mono ? "this Mono could not load the module, or it ended before it started a program"
                   : "the command did not start Mono, or Mono could not load the module");
  return any;
}

static int
run_profiled (const struct run *run, const char *executable, const char *module_dir)
{
  bool mono = is_mono (executable);
  g_autofree char *made = run->output == NULL ? default_output (run->command, mono) : NULL;
  g_autoptr (GError) error = NULL;
  struct run_log *log = run_log_new (made != NULL ? made : run->output, run->force, &error);
  if (log == NULL) {
    cli_tell ("proflog run: the log cannot be written: %s", error->message);
    return CLI_INPUT;
  }
  g_autofree char *option = module_option (run, log);
  /* What stands in the environment is there for children, too. */
  const bool as_argument = mono && !run->children;
  g_auto (GStrv) arguments = arguments_with (run->command, as_argument ? option : NULL);
  char **environment = environment_for (module_dir, run->children);
  if (!as_argument)
    environment = environment_with_option (environment, option);
  const bool no_aot = run->allocs && run->sampling == NULL && !run->calls && !run->keep_aot;
  if (no_aot && as_argument)
    environment = environment_without_aot (environment);
  else if (no_aot)
    environment = environment_with_option (environment, "-O=-aot");

  pid_t pid;
  int status = run_child (executable, arguments, environment, &pid, &error);
  if (status < 0) {
    status = command_failed (run->command[0], error->message);
  } else if (!tell_logs (log, as_argument ? pid : 0, mono) && status == 0) {
    status = CLI_INPUT;
  }
  g_strfreev (environment);
  run_log_free (log);
  return status;
}

int
cmd_run (int argc, char **argv)
{
  struct run run = { 0 };
  int status = parse_options (&run, argc, argv);
  if (status >= 0)
    return status;
  g_autofree char *executable = g_find_program_in_path (run.command[0]);
  if (executable == NULL)
    return command_failed (run.command[0], "there is no such command");
  g_autofree char *tried = NULL;
  g_autofree char *module_dir = find_module (&tried);
  if (module_dir == NULL) {
    cli_tell ("proflog run: the module " MODULE_FILE " is not in %s; set PROFLOG_MODULE_DIR",
              tried);
    return CLI_INPUT;
  }
  if (strpbrk (module_dir, ":;") != NULL) {
    cli_tell ("proflog run: Mono cannot load a module from '%s': its name has a ':' or ';'",
              module_dir);
    return CLI_INPUT;
  }
  return run_profiled (&run, executable, module_dir);
}
