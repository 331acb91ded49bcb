/* log-command.c -- options and output of the commands that read logs. */
#include "config.h"

#include "decoder/log/log-command.h"
#include "decoder/filter/filter-options.h"
#include "decoder/command/browser.h"
#include "decoder/command/cli.h"
#include "decoder/system/control-programs.h"
#include "decoder/log/log-join.h"
#include "decoder/log/log-names.h"
#include "decoder/command/message.h"
#include "decoder/input/unpack.h"
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- the tables ---- */

static const struct cli_choice formats[] = { { "text", EMITTER_TEXT, false },
                                             { "json", EMITTER_JSON, false },
                                             { "csv", EMITTER_CSV, false },
                                             { "markdown", EMITTER_MARKDOWN, false },
                                             { "md", EMITTER_MARKDOWN, true },
                                             { "html", EMITTER_HTML, false },
                                             { NULL, 0, false } };
static const struct cli_choice lines_formats[] = { { "text", EMITTER_TEXT, false },
                                                   { "json", EMITTER_JSON, false },
                                                   { "jsonl", EMITTER_JSON, true },
                                                   { "csv", EMITTER_CSV, false },
                                                   { NULL, 0, false } };
static const struct cli_choice text_formats[]
    = { { "text", EMITTER_TEXT, false }, { NULL, 0, false } };

static const struct cli_choice colors[] = { { "auto", LOG_COLOR_AUTO, false },
                                            { "always", LOG_COLOR_ALWAYS, false },
                                            { "never", LOG_COLOR_NEVER, false },
                                            { NULL, 0, false } };

#define FORMAT                                                                                     \
  .name = "format", .letter = 'f', .kind = CLI_CHOICE, .argument = "FORMAT",                       \
  .offset = offsetof (struct log_command, format)

static void
list_formats (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (const struct cli_choice *c = formats; c->name != NULL; c++)
    if (!c->is_hidden)
      g_ptr_array_add (names, (gpointer) c->name);
}

static bool
parse_format (void *field, const char *text, GError **error)
{
  struct log_command *const command = field;
  for (const struct cli_choice *c = formats; c->name != NULL; c++)
    if (strcmp (c->name, text) == 0) {
      command->format = c->value;
      command->has_format = true;
      return true;
    }
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  list_formats (NULL, names);
  return cli_refuse_value (error, "--format", text, names);
}

const struct cli_option log_format_option[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_PARSED,
    .argument = "FORMAT",
    .parse = parse_format,
    .list = list_formats,
    .help
    = "Output format: text (default), json, csv, markdown or html (default if FILE of --output "
      "ends in .html)" },
  { .name = "color",
    .kind = CLI_CHOICE,
    .argument = "WHEN",
    .offset = offsetof (struct log_command, color),
    .choices = colors,
    .help = "Colors in text: auto (default: on a terminal, unless NO_COLOR is set), always or "
            "never" },
  { .name = "no-pager",
    .kind = CLI_FLAG,
    .offset = offsetof (struct log_command, no_pager),
    .help = "Start no pager for text that is larger than the screen" },
  { .name = NULL },
};

static const struct cli_choice object_units[]
    = { { "auto", 0, false }, { "1", 1, false }, { "8", 8, false }, { NULL, 0, false } };

const struct cli_option log_object_option[] = {
  { .name = "object-unit",
    .kind = CLI_CHOICE,
    .argument = "UNIT",
    .offset = offsetof (struct log_command, object_unit),
    .choices = object_units,
    .help = "Unit, in bytes, of the differences between addresses of objects in Mono logs of data "
            "version "
            "1: auto (default: found from the first objects), 8 (as all known profilers write it) "
            "or 1 (as "
            "the published description of the format states)" },
  { .name = NULL },
};

const struct cli_option log_names_option[] = {
  { .name = "names-from",
    .kind = CLI_STRING,
    .argument = "LOG",
    .offset = offsetof (struct log_command, names_from),
    .help = "Read what info tables stand for from this eventlog of the same program, where the log "
            "itself does not state it; a log of Mono has none, and is refused" },
  { .name = NULL },
};

const struct cli_option log_lines_format_option[] = {
  { FORMAT, .choices = lines_formats, .help = "Format of the lines: text (default), json or csv" },
  { .name = NULL },
};
const struct cli_option log_text_format_option[] = {
  { FORMAT, .choices = text_formats, .is_hidden = true },
  { .name = NULL },
};
const struct cli_option log_no_format_option[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_REFUSED,
    .help = "is refused: the output is a log" },
  { .name = NULL },
};

const struct cli_choice log_orders[]
    = { { "time", LOG_ORDER_TIME, false }, { "file", LOG_ORDER_FILE, false }, { NULL, 0, false } };

/* The limit is the process's: every input of it has the same. */
static bool
parse_max_ratio (void *field, const char *text, GError **error)
{
  guint64 ratio;
  (void) field;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &ratio, NULL))
    return cli_refuse (error, "--max-ratio %s: a number is needed, 0 for no limit", text);
  unpack_set_max_ratio (ratio);
  return true;
}

const struct cli_option log_options[] = {
  { .name = "output",
    .letter = 'o',
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct log_command, path),
    .help = "Write to FILE instead of standard output" },
  { .name = "force",
    .kind = CLI_FLAG,
    .offset = offsetof (struct log_command, force),
    .help = "Replace an existing FILE" },
  { .name = "strict",
    .kind = CLI_FLAG,
    .offset = offsetof (struct log_command, strict),
    .help
    = "Exit with status 4 if a log is damaged or truncated, and with 1 if --thread and the like "
      "select nothing" },
  { .name = "quiet",
    .letter = 'q',
    .kind = CLI_FLAG,
    .offset = offsetof (struct log_command, quiet),
    .help = "Print no warnings and no progress" },
  { .name = "max-ratio",
    .kind = CLI_PARSED,
    .argument = "N",
    .parse = parse_max_ratio,
    .help
    = "Read a compressed log up to N times the bytes of its file, at least 64 MiB (default 200; "
      "0: no limit)" },
  /* Options of mprof-report with another name here. */
  { .name = "time",
    .kind = CLI_REFUSED,
    .help = "is an option of mprof-report; here it is --time-range A~B" },
  { .name = "method-sort",
    .kind = CLI_REFUSED,
    .help = "is an option of mprof-report; here it is proflog report --reports=calls --sort total, "
            "self or calls" },
  { .name = "alloc-sort",
    .kind = CLI_REFUSED,
    .help = "is an option of mprof-report; here it is proflog report --reports=alloc --sort bytes "
            "or objects" },
  { .name = "counters-sort",
    .kind = CLI_REFUSED,
    .help = "is an option of mprof-report; here it is proflog report --reports=counters --verbose "
            "--sort time_ns or section" },
  { .name = "debug",
    .kind = CLI_REFUSED,
    .help = "is an option of mprof-report; here it is proflog dump" },
  { .name = "out",
    .kind = CLI_REFUSED,
    .help = "is an option of mprof-report; here it is --output" },
  { .name = NULL },
};

#define PARSE(what)                                                                                \
  static bool parse_##what (void *selection, const char *text, GError **error)                     \
  {                                                                                                \
    return selection_##what (selection, text, error);                                              \
  }
PARSE (thread)
PARSE (time_range)
PARSE (span)
PARSE (slowest)
PARSE (not_slowest)
PARSE (cap)
PARSE (filter)
PARSE (exclude)
PARSE (depth)
PARSE (min_time)
PARSE (min_bytes)

#define SELECTION(what)                                                                            \
  .kind = CLI_PARSED, .offset = offsetof (struct log_command, selection), .parse = parse_##what

const struct cli_option log_selection_options[] = {
  { SELECTION (thread), .name = "thread", .argument = "ID|NAME|GLOB,...",
    .help
    = "Only these threads: ids, names or patterns, with ! before those that are left out; may be "
      "repeated",
    .sets = SELECTS_PARTS, .selects = "single threads" },
  { SELECTION (time_range), .name = "time-range", .argument = "A~B",
    .help
    = "Only this time range, counted from the beginning of the log, or of the first of several "
      "logs on one time axis: seconds, numbers with ns, us, ms, s, m, h or %, or mark:NAME (the "
      "first mark of this name; as B, the first after A)",
    .sets = SELECTS_PARTS | SELECTS_TIME_RANGE, .selects = "single times" },
  { SELECTION (span), .name = "span", .argument = "NAME|GLOB|ID",
    .help
    = "Only what threads did in these spans of the program: of a name or pattern, or with an id",
    .sets = SELECTS_PARTS, .selects = "spans" },
  { SELECTION (slowest), .name = "slowest", .argument = "P%",
    .help = "With --span: only so many percent of the spans, those that took longest",
    .sets = SELECTS_PARTS, .selects = "spans" },
  { SELECTION (not_slowest), .name = "not-slowest", .argument = "P%",
    .help = "With --span: all spans but these", .sets = SELECTS_PARTS, .selects = "spans" },
  { SELECTION (cap), .name = "cap", .argument = "N,...",
    .help = "Only these capabilities of an eventlog; 'none' stands for events outside of them; may "
            "be repeated",
    .sets = SELECTS_CAPS, .selects = "capabilities" },
  { SELECTION (filter), .name = "filter", .argument = "RE",
    .help = "Only names (in eventlogs: texts) that match; may be repeated", .sets = SELECTS_NAMES,
    .selects = "names of methods or types" },
  { SELECTION (exclude), .name = "exclude", .argument = "RE",
    .help = "No names (in eventlogs: texts) that match; may be repeated", .sets = SELECTS_NAMES,
    .selects = "names of methods or types" },
  { SELECTION (depth), .name = "depth", .argument = "N", .help = "Only calls up to depth N",
    .sets = SELECTS_DEPTH, .selects = "calls" },
  { SELECTION (min_time), .name = "min-time", .argument = "T",
    .help
    = "Only rows, and slices of traces, of at least this time: seconds, or a number with ns, us, "
      "ms, s, m or h",
    .sets = SELECTS_TIMES, .selects = "durations" },
  { SELECTION (min_bytes), .name = "min-bytes", .argument = "N[K|M|G]",
    .help = "Only types and objects of at least this size", .sets = SELECTS_BYTES,
    .selects = "sizes" },
  { .name = NULL },
};

/* ---- the command line ---- */

/* Reports the sources that could be given. */
static void
report_no_source (const char *name)
{
  char *programs = control_programs_describe ();
  cli_message (
      "proflog %s: no log given: a file, or the process id or name of a program that is being "
      "recorded%s; see 'proflog %s --help'",
      name, programs[0] != 0 ? ", of those below" : " (there is none)", name);
  fputs (programs, stderr);
  g_free (programs);
}

/* FILE.html is a page, if no other format is requested. */
static void
set_format_by_name (struct log_command *c, const struct cli_command *spec)
{
  const struct cli_options *options = spec->options;
  while (options->table != NULL && options->table != log_format_option)
    options++;
  if (options->table != NULL && !c->has_format && c->path != NULL
      && g_str_has_suffix (c->path, ".html"))
    c->format = EMITTER_HTML;
}

bool
log_command_find_logs (struct log_command *c, char ***words, GError **error)
{
  GPtrArray *list = g_ptr_array_new ();
  for (char **word = *words; *word != NULL; word++)
    g_ptr_array_add (list, *word);
  const bool good = c->keeps_folders || log_folders_expand (&c->found, list, error);
  if (good)
    g_ptr_array_set_size (list,
                          (gint) log_join_files (&c->joined, (char **) list->pdata, list->len));
  g_ptr_array_add (list, NULL);
  g_free (*words);
  *words = (char **) g_ptr_array_free (list, FALSE);
  return good;
}

bool
log_command_parse (struct log_command *c, const struct cli_command *spec, int argc, char **argv,
                   int *status)
{
  GPtrArray *words = g_ptr_array_new ();
  GError *error = NULL;
  c->name = spec->name;
  bool go_on = cli_parse_or_report (spec, argc, argv, c, words, status);
  set_format_by_name (c, spec);
  if (c->color != LOG_COLOR_AUTO)
    cli_set_color (c->color == LOG_COLOR_ALWAYS);
  if (go_on && words->len == 0 && spec->group == CLI_LIVE && !c->needs_no_log) {
    report_no_source (c->name);
    *status = CLI_USAGE;
    go_on = false;
  } else if (go_on && words->len == 0 && !c->needs_no_log) {
    cli_message ("proflog %s: no log given ('-' reads standard input); see 'proflog %s --help'",
                 c->name, c->name);
    *status = CLI_USAGE;
    go_on = false;
  }
  g_ptr_array_add (words, NULL);
  c->logs = (char **) g_ptr_array_free (words, FALSE);
  if (go_on && !c->keeps_files && spec->group != CLI_LIVE)
    log_command_find_logs (c, &c->logs, &error);
  if (go_on && error == NULL && !selection_has_span (&c->selection)
      && (c->selection.span.slowest != 0 || c->selection.span.not_slowest != 0))
    cli_refuse (&error, "--slowest and --not-slowest are for the spans of --span");
  if (error != NULL || (go_on && !log_axis_check (&c->axis, c->logs, c->joined, &error))) {
    *status = log_command_refuse (c, error);
    return false;
  }
  if (go_on && c->names_from != NULL)
    c->names = log_names_read (c->names_from, &error);
  if (error != NULL) {
    cli_message ("proflog %s: --names-from %s: %s", c->name, c->names_from, error->message);
    g_error_free (error);
    *status = CLI_INPUT;
    go_on = false;
  }
  if (!go_on)
    log_command_finish (c, *status);
  return go_on;
}

static bool
is_file (const char *path, const GStatBuf *file)
{
  GStatBuf log;
  return g_stat (path, &log) == 0 && log.st_dev == file->st_dev && log.st_ino == file->st_ino;
}

bool
log_command_is_log (const char *word)
{
  return strcmp (word, "-") == 0 || strpbrk (word, "./ ") != NULL
         || g_file_test (word, G_FILE_TEST_EXISTS);
}

bool
log_command_drop_word (struct log_command *c, GError **error)
{
  if (c->logs[1] == NULL)
    return cli_refuse (error, "a log is needed");
  for (char **log = c->logs; *log != NULL; log++)
    log[0] = log[1];
  return true;
}

bool
log_command_reads (const struct log_command *c, const char *path)
{
  GStatBuf file;
  if (g_stat (path, &file) != 0 || !S_ISREG (file.st_mode))
    return false;
  for (char **log = c->logs; *log != NULL; log++) {
    char *const one[] = { *log, NULL };
    char *const *const files = log_joined_files (c->joined, *log);
    for (char *const *part = files != NULL ? files : one; *part != NULL; part++)
      if (is_file (*part, &file))
        return true;
  }
  return c->other != NULL && is_file (c->other, &file);
}

bool
log_command_open (struct log_command *c, int *status)
{
  /* A file that grows beyond the limit is an error of its write, and no sudden death. */
  signal (SIGXFSZ, SIG_IGN);
  if (c->path != NULL && log_command_reads (c, c->path)) {
    cli_message ("proflog: %s: is an input, and cannot be the output too", c->path);
    *status = log_command_finish (c, CLI_USAGE);
    return false;
  }
  if (output_open (&c->output, c->name, c->path, c->force))
    return true;
  *status = log_command_finish (c, CLI_INPUT);
  return false;
}

bool
log_command_is_plain (const struct log_command *c)
{
  return c->format == EMITTER_TEXT || c->format == EMITTER_MARKDOWN;
}

struct emitter *
log_command_new_emitter (struct log_command *c, GString *out)
{
  struct emitter *emitter = emitter_new (c->format, out);
  if (log_command_is_plain (c))
    output_set_text (&c->output, !c->no_pager);
  g_autofree char *words = g_strjoinv (" ", c->logs);
  g_autofree char *title = g_strdup_printf ("proflog %s %s", c->name, words);
  emitter_set_title (emitter, title);
  emitter_set_columns (emitter, output_columns (&c->output));
  emitter_set_color (emitter, c->color == LOG_COLOR_ALWAYS
                                  || (c->color == LOG_COLOR_AUTO && output_is_screen (&c->output)
                                      && cli_has_colors ()));
  return emitter;
}

void
log_command_separate (const struct log_command *c, GString *text)
{
  g_string_assign (text, log_command_is_plain (c) ? "\n" : "");
}

int
log_command_refuse (struct log_command *c, GError *error)
{
  const bool is_input = error->domain == LOG_FOLDERS_ERROR;
  if (is_input)
    cli_message ("proflog: %s", error->message);
  else
    cli_message ("proflog %s: %s; see 'proflog %s --help'", c->name, error->message, c->name);
  g_error_free (error);
  return log_command_finish (c, is_input ? CLI_INPUT : CLI_USAGE);
}

int
log_command_finish (struct log_command *c, int status)
{
  if (!output_close (&c->output) && status <= CLI_TRUE)
    status = CLI_INPUT;
  if (status <= CLI_TRUE && c->format == EMITTER_HTML && c->path != NULL)
    browser_show (c->name, c->path, c->opens, c->quiet);
  if (status == CLI_OK && c->strict && c->selected_nothing)
    status = CLI_TRUE;
  if (status <= CLI_TRUE && c->strict && c->damaged)
    status = CLI_DAMAGED;
  g_free (c->logs);
  g_free (c->page);
  log_names_free (g_steal_pointer (&c->names));
  g_clear_pointer (&c->joined, g_hash_table_unref);
  g_clear_pointer (&c->found, g_ptr_array_unref);
  g_clear_pointer (&c->ranges, g_hash_table_unref);
  g_clear_pointer (&c->unindexed, g_hash_table_unref);
  selection_clear (&c->selection);
  log_axis_clear (&c->axis);
  return status;
}
