/* run-options.c -- the options of `proflog run`. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/command/message.h"
#include "decoder/run/run.h"
#include <proflog/mlpd.h>
#include <proflog/module-options.h>
#include <proflog/option-names.h>
#include <stdbool.h>
#include <string.h>

int
run_usage_error (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  cli_message ("proflog run: %s", text);
  return CLI_USAGE;
}

/* Whether each process has a log of its own. */
static bool
has_pid (const char *output)
{
  for (const char *p = strchr (output, '%'); p != NULL && p[1] != 0; p = strchr (p + 2, '%'))
    if (p[1] == 'p')
      return true;
  return false;
}

/* ---- options ---- */

static bool
parse_allocs (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  uint64_t size;
  run->allocs = true;
  run->sampling = text;
  if (text == NULL || proflog_parse_size (text, 1, PROFLOG_ALLOC_SAMPLING_MAX, &size))
    return true;
  return cli_refuse (error, "--allocs=%s: not a size from 1 to 1024G, such as 512k", text);
}

static bool
parse_calls (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  struct proflog_calls_mode mode;
  run->calls = true;
  run->calls_mode = text;
  if (text == NULL || (*text != 0 && proflog_parse_calls (text, &mode)))
    return true;
  return cli_refuse (error, "--calls=%s: " PROFLOG_CALLS_NEEDED, text);
}

/* The last of --sample and --wall counts, as the module takes its options. */
static bool
parse_rate (struct run_values *run, bool wall, const char *text, GError **error)
{
  const char *end;
  uint32_t rate;
  run->samples = !wall;
  run->wall = wall;
  run->rate = text;
  if (text == NULL
      || (proflog_parse_u32 (text, &end, &rate) && *end == 0 && rate != 0
          && rate <= PROFLOG_SAMPLE_HZ_MAX))
    return true;
  return cli_refuse (error, "--%s=%s: not a number from 1 to %d", wall ? "wall" : "sample", text,
                     PROFLOG_SAMPLE_HZ_MAX);
}

static bool
parse_sample (void *field, const char *text, GError **error)
{
  return parse_rate (field, false, text, error);
}

static bool
parse_wall (void *field, const char *text, GError **error)
{
  return parse_rate (field, true, text, error);
}

static bool
parse_data_version (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  uint64_t version;
  const bool is_good
      = g_ascii_string_to_unsigned (text, 10, 1, MLPD_VERSION_ALL_CLASSES, &version, NULL)
        && (version == 1 || version == MLPD_VERSION_ALL_CLASSES);
  run->is_version_1 = is_good && version == 1;
  if (is_good)
    return true;
  return cli_refuse (error, "--data-version=%s: the versions are 1 and %d", text,
                     MLPD_VERSION_ALL_CLASSES);
}

/* ---- options that the module gets as they are ---- */

static bool
parse_zip (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  run->zip = text != NULL ? text : "";
  if (text == NULL || strcmp (text, "gzip") == 0 || strcmp (text, "zstd") == 0)
    return true;
  return cli_refuse (error, "--zip=%s: the values are gzip and zstd", text);
}

static bool
parse_rotate (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  uint64_t value;
  if (proflog_parse_size (text, PROFLOG_ROTATE_SIZE_MIN, PROFLOG_ROTATE_SIZE_MAX, &value))
    run->rotate_size = text;
  else if (proflog_parse_time_ms (text, PROFLOG_ROTATE_MS_MIN, PROFLOG_ROTATE_MS_MAX, &value))
    run->rotate_time = text;
  else
    return cli_refuse (error, "--rotate=%s: " PROFLOG_ROTATE_NEEDED, text);
  run->is_numbered = true;
  return true;
}

static bool
parse_flush (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  uint64_t ms;
  run->flush = text;
  if (proflog_parse_time_ms (text, 0, PROFLOG_FLUSH_MS_MAX, &ms))
    return true;
  return cli_refuse (error, "--flush=%s: " PROFLOG_FLUSH_NEEDED, text);
}

static bool
parse_duration (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  uint64_t ms;
  run->duration = text;
  if (proflog_parse_time_ms (text, PROFLOG_DURATION_MS_MIN, PROFLOG_DURATION_MS_MAX, &ms))
    return true;
  return cli_refuse (error, "--duration=%s: " PROFLOG_DURATION_NEEDED, text);
}

static bool
parse_max_size (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  uint64_t size;
  run->max_size = text;
  if (proflog_parse_size (text, PROFLOG_MAX_SIZE_MIN, PROFLOG_MAX_SIZE_MAX, &size))
    return true;
  return cli_refuse (error, "--max-size=%s: " PROFLOG_MAX_SIZE_NEEDED, text);
}

/* The options that run gives the module itself, and their replacements. */
static const char *
option_of_run (const char *option)
{
  static const struct {
    const char *name, *instead;
  } own[] = {
    { "output", "write -o LOG" },
    { "format", "write --data-version=1 or 17" },
    { "help", "write 'proflog help run'" },
  };
  const size_t length = strcspn (option, "=");
  for (size_t i = 0; i < G_N_ELEMENTS (own); i++)
    if (strlen (own[i].name) == length && memcmp (own[i].name, option, length) == 0)
      return own[i].instead;
  return NULL;
}

static bool
parse_with (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  const char *rest = text;
  char option[PROFLOG_OPTION_SIZE], why[512];
  while (*rest != 0) {
    const enum proflog_next_option result = proflog_next_option (&rest, option, sizeof option);
    if (result == PROFLOG_OPTION_TOO_LONG)
      return cli_refuse (error, "--with: an option is longer than %zu bytes", sizeof option - 1);
    if (result == PROFLOG_OPTION_NOT_CLOSED)
      return cli_refuse (error, "--with %s: a closing quote is missing", text);
    const char *instead = option_of_run (option);
    if (instead != NULL)
      return cli_refuse (error, "--with %s: %s", option, instead);
    if (option[0] != 0 && !proflog_check_option_name (option, why, sizeof why))
      return cli_refuse (error, "--with %s: %s", option, why);
    run->is_numbered |= g_str_has_prefix (option, "rotate=");
  }
  g_ptr_array_add (run->with, (gpointer) text);
  return true;
}

/* ---- heap profiles ---- */

#define HEAP_NEEDED "a time from 1ms to 1h is needed, such as 10ms"

static bool
parse_heap (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  run->heap = true;
  run->heap_period = 0;
  if (text == NULL
      || (proflog_parse_time_ns (text, &run->heap_period) == PROFLOG_PARSED
          && run->heap_period >= UINT64_C (1000000)
          && run->heap_period <= UINT64_C (3600000000000)))
    return true;
  return cli_refuse (error, "--heap=%s: " HEAP_NEEDED, text);
}

/* ---- heap snapshots ---- */

static bool
parse_heapshot (void *field, const char *text, GError **error)
{
  struct run_values *run = field;
  struct proflog_heapshot_mode mode;
  run->heapshot = text != NULL ? text : "auto";
  if (text == NULL || (*text != 0 && proflog_parse_heapshot (text, &mode)))
    return true;
  return cli_refuse (error, "--heapshot=%s: " PROFLOG_HEAPSHOT_NEEDED, text);
}

const struct cli_option run_start_options[] = {
  { .name = "calls",
    .kind = CLI_PARSED,
    .is_optional = true,
    .argument = "TIME|auto",
    .parse = parse_calls,
    .help = "Record every method call; with TIME (10us) those that took so long, and their "
            "callers; with auto those that would not be inlined.  The number of all others is "
            "recorded, too; TIME+auto is both" },
  { .name = "allocs",
    .kind = CLI_PARSED,
    .is_optional = true,
    .argument = "SIZE",
    .parse = parse_allocs,
    .help
    = "Record every allocation with its backtrace; with SIZE (512k) one in SIZE bytes, at very low "
      "cost.  The chance of an object grows with its size, and reports estimate from the sample" },
  { .name = "lines",
    .kind = CLI_FLAG,
    .offset = offsetof (struct run_values, lines),
    .help = "Record the source lines of samples.  They are for 'proflog report --lines'; Mono runs "
            "with --debug" },
  { .name = "native",
    .kind = CLI_FLAG,
    .offset = offsetof (struct run_values, native),
    .help = "Record samples of native memory.  Of what native libraries allocate, one in 512 kB is "
            "recorded, and whether it is freed; 'proflog report --reports=native' states what is "
            "not" },
  { .name = "heap",
    .kind = CLI_PARSED,
    .is_optional = true,
    .argument = "TIME",
    .parse = parse_heap,
    .help = "GHC programs: record a heap profile, too.  It is by closure type (the runtime's "
            "option -hT), with a sample in each TIME (10ms) of the time that the program works "
            "(default: 100ms)" },
  { .name = "children",
    .kind = CLI_FLAG,
    .offset = offsetof (struct run_values, children),
    .help = "Also record Mono programs and forks that it starts.  Each has a log of its own: LOG "
            "must contain %p" },
  { .name = NULL },
};

const struct cli_option run_options[] = {
  { .name = "sample",
    .kind = CLI_PARSED,
    .is_optional = true,
    .argument = "HZ",
    .parse = parse_sample,
    .help = "Sample the stack of each thread HZ times in a second of its processor time (default: "
            "100).  More than 250 need perf_event_open.  Samples are recorded without this option, "
            "too, except with --data-version=1" },
  { .name = "wall",
    .kind = CLI_PARSED,
    .is_optional = true,
    .argument = "HZ",
    .parse = parse_wall,
    .help = "Sample all threads, also those that wait, HZ times in a second (default 100), to show "
            "what they wait for.  It is of the wall clock, in place of --sample" },
  { .name = "sample-real",
    .kind = CLI_REFUSED,
    .help = "is an option of the module; did you mean --wall?" },
  { .name = "heapshot",
    .kind = CLI_PARSED,
    .is_optional = true,
    .argument = "TIME|Xgc",
    .parse = parse_heapshot,
    .help = "Take heap snapshots, one in a second or two; with TIME (100ms) one in each TIME, with "
            "Xgc at every Xth major collection, with "
            "ondemand at 'proflog ctl PID heapshot'.  "
            "Without a value the first is at a collection, one is at the end, and there are fewer "
            "if they take more than a twentieth of the time.  Those of TIME are at a collection" },
  { .name = "data-version",
    .kind = CLI_PARSED,
    .argument = "1|17",
    .parse = parse_data_version,
    .help = "Data version of the log: 17 (default), or 1 for readers of 2010.  Version 1 has no "
            "samples, no sampled allocations, no roots and no names of threads" },
  { .name = "output",
    .letter = 'o',
    .kind = CLI_STRING,
    .argument = "LOG",
    .offset = offsetof (struct run_values, output),
    .help = "Path of the log; %p is the process id, %t the time (default: APP.%p.mlpd, of GHC "
            "programs APP.%p.eventlog).  %% is a %; by default it is in the current directory" },
  { .name = "force",
    .kind = CLI_FLAG,
    .offset = offsetof (struct run_values, force),
    .help = "Overwrite LOG if it is a log.  Without this nothing is started or recorded.  Files "
            "that are not profiler logs are never overwritten" },
  { .name = "zip",
    .kind = CLI_PARSED,
    .is_optional = true,
    .argument = "gzip|zstd",
    .parse = parse_zip,
    .help = "Compress the log (default: gzip)" },
  { .name = "rotate",
    .kind = CLI_PARSED,
    .argument = "SIZE|TIME",
    .parse = parse_rotate,
    .help = "Begin another file at this size (1M or more) or age (1s or more).  It has a number in "
            "its name; the option may be given for both" },
  { .name = "flush",
    .kind = CLI_PARSED,
    .argument = "TIME",
    .parse = parse_flush,
    .help = "Write events to the log within this time.  It is for readers of a log that grows" },
  { .name = "paused",
    .kind = CLI_FLAG,
    .offset = offsetof (struct run_values, paused),
    .help = "Record no events until 'proflog ctl PID start'" },
  { .name = "duration",
    .kind = CLI_PARSED,
    .argument = "TIME",
    .parse = parse_duration,
    .help = "End the recording after this time.  The log is complete then, and the program keeps "
            "running" },
  { .name = "max-size",
    .kind = CLI_PARSED,
    .argument = "SIZE",
    .parse = parse_max_size,
    .help = "End the log before it is larger than SIZE (default: a tenth of the free disk).  All "
            "its files "
            "count; it is complete, and the program keeps running" },
  { .name = "with",
    .kind = CLI_PARSED,
    .argument = "OPTION,...",
    .parse = parse_with,
    .help = "Give the module these options (see 'proflog help run')" },
  { .name = NULL },
};

/* Options that exclude each other. */
static int
check_options (const struct run_values *run)
{
  if (run->children && run->output != NULL && !has_pid (run->output))
    return run_usage_error ("--children: each process needs a log of its own; put %%p into '%s'",
                            run->output);
  if (run->is_version_1 && run->samples)
    return run_usage_error ("--sample: data version 1 has no samples");
  if (run->is_version_1 && run->wall)
    return run_usage_error ("--wall: data version 1 has no samples");
  if (run->is_version_1 && run->lines)
    return run_usage_error ("--lines: data version 1 has no samples");
  if (run->is_version_1 && run->native)
    return run_usage_error ("--native: data version 1 has no native memory");
  if (run->is_version_1 && run->sampling != NULL)
    return run_usage_error ("--allocs=%s: data version 1 has no sampled allocations",
                            run->sampling);
  if (run->is_version_1 && run->calls_mode != NULL)
    return run_usage_error ("--calls=%s: data version 1 has only all calls", run->calls_mode);
  return CLI_OK;
}

/* Reads the options of PROFLOG_OPTIONS, which those of the command line come after.  False with the
 * exit status if that was all. */
static bool
parse_environment (struct run_values *run, const struct cli_command *spec, int *status)
{
  const char *text = g_getenv ("PROFLOG_OPTIONS");
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  int count;
  static char **options; /* to the end: values are in it */
  if (text == NULL || text[strspn (text, " \t\n")] == 0)
    return true;
  g_autofree char *line = g_strconcat ("run ", text, NULL);
  *status = CLI_USAGE;
  if (!g_shell_parse_argv (line, &count, &options, &error)
      || cli_parse (spec, count, options, run, words, &error) == CLI_PARSE_ERROR)
    run_usage_error ("PROFLOG_OPTIONS: %s", error->message);
  else if (words->len != 0)
    run_usage_error ("PROFLOG_OPTIONS: '%s' is no option", (const char *) words->pdata[0]);
  else
    return true;
  return false;
}

bool
run_options_parse (struct run_values *run, const struct cli_command *spec, int argc, char **argv,
                   int *status)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  if (!parse_environment (run, spec, status)
      || !cli_parse_or_report (spec, argc, argv, run, words, status))
    return false;
  run->command = argv + argc - words->len;
  *status = check_options (run);
  if (*status == CLI_OK && words->len == 0)
    *status = run_usage_error ("no command to run, such as: proflog run mono app.exe");
  return *status == CLI_OK;
}

/* ---- the module's options ---- */

/* NAME, NAME=VALUE, or nothing for NULL. */
static void
add_option (GString *options, const char *name, const char *value)
{
  if (value != NULL)
    g_string_append_printf (options, "%s%s%s,", name, *value != 0 ? "=" : "", value);
}

/* A tenth of the free bytes on the disk of the log, at least the module's minimum. */
static void
add_max_size (GString *options, const struct run_log *log)
{
  const uint64_t size
      = CLAMP (run_log_free_space (log) / 10, PROFLOG_MAX_SIZE_MIN, PROFLOG_MAX_SIZE_MAX);
  g_string_append_printf (options, "max-size=%" G_GUINT64_FORMAT "M,", size >> 20);
}

char *
run_module_option (const struct run_values *run, const struct run_log *log)
{
  g_autofree char *output = run_log_option (log);
  GString *options = g_string_new ("--profile=proflog:");
  add_option (options, "alloc", run->allocs && run->sampling == NULL ? "" : run->sampling);
  add_option (options, "calls", run->calls && run->calls_mode == NULL ? "" : run->calls_mode);
  if (run->is_version_1)
    add_option (options, "format", "1");
  else
    add_option (options, run->wall ? "sample-real" : "sample", run->rate != NULL ? run->rate : "");
  add_option (options, "lines", run->lines ? "" : NULL);
  add_option (options, "native", run->native ? "" : NULL);
  add_option (options, "heapshot", run->heapshot);
  add_option (options, "follow-fork", run->children ? "" : NULL);
  add_option (options, "zip", run->zip);
  add_option (options, "rotate", run->rotate_size);
  add_option (options, "rotate", run->rotate_time);
  add_option (options, "flush", run->flush);
  add_option (options, "paused", run->paused ? "" : NULL);
  add_option (options, "duration", run->duration);
  add_option (options, "max-size", run->max_size);
  if (run->max_size == NULL)
    add_max_size (options, log);
  for (guint i = 0; i < run->with->len; i++)
    add_option (options, run->with->pdata[i], "");
  g_string_append_printf (options, "output=%s", output);
  return g_string_free (options, FALSE);
}
