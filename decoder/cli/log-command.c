/* log-command.c -- options and output of the commands that read logs. */
#include "decoder/cli/log-command.h"
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/short-options.h"
#include "decoder/cli/tell.h"
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

static gboolean
parse_format (const char *option, const char *value, gpointer data, GError **error)
{
  static const struct {
    const char *name;
    enum emitter_format format;
  } formats[]
      = { { "text", EMITTER_TEXT }, { "json", EMITTER_JSON },         { "jsonl", EMITTER_JSON },
          { "csv", EMITTER_CSV },   { "markdown", EMITTER_MARKDOWN }, { "md", EMITTER_MARKDOWN } };
  struct log_command *command = data;
  (void) option;
  if (command->sort->format != NULL) {
    g_free (*command->sort->format);
    *command->sort->format = g_strdup (value);
    return TRUE;
  }
  if (command->sort->is_log) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
                 "--format: what it writes is a log");
    return FALSE;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (value, formats[i].name) == 0
        && !(formats[i].format == EMITTER_MARKDOWN && command->sort->is_lines)
        && (command->sort->is_lines || strcmp (value, "jsonl") != 0)
        && !(formats[i].format != EMITTER_TEXT && command->sort->is_text)) {
      command->format = formats[i].format;
      return TRUE;
    }
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--format %s: there %s", value,
               command->sort->is_text    ? "is text only; 'proflog dump' has others"
               : command->sort->is_lines ? "are text, json and csv"
                                         : "are text, json, csv and markdown");
  return FALSE;
}

/* Options of mprof-report that have another name here. */
static gboolean
refuse_stock (const char *option, const char *value, gpointer data, GError **error)
{
  static const struct {
    const char *option, *ours;
  } names[] = {
    { "--time", "--time-range A~B" },
    { "--method-sort", "proflog report --reports=calls --sort total, self or calls" },
    { "--alloc-sort", "proflog report --reports=alloc --sort bytes or objects" },
    { "--out", "--output" },
  };
  (void) value;
  (void) data;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (option, names[i].option) == 0)
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
                   "%s is an option of mprof-report; here it is %s", option, names[i].ours);
  return FALSE;
}

/* Options of the selection, each with its own parser. */
static const struct selection_option {
  const char *name, *argument, *doc;
  unsigned set;
  bool (*parse) (struct selection *selection, const char *text, GError **error);
  const char *why; /* a command has no use for it */
} selection_options[]
    = { { "thread", "ID|NAME|GLOB,...",
          "Only these threads: ids, names or patterns; may be repeated", SELECTS_PARTS,
          selection_thread, "single threads" },
        { "time-range", "A~B",
          "Only these times from the log's beginning on: seconds, or with ns, us, ms, s, m, h, %",
          SELECTS_PARTS | SELECTS_TIME_RANGE, selection_time_range, NULL },
        { "cap", "N,...", "Only these capabilities of an eventlog, 'none' too; may be repeated",
          SELECTS_CAPS, selection_cap, "capabilities" },
        { "filter", "RE", "Only names (of eventlogs texts) that match; may be repeated",
          SELECTS_NAMES, selection_filter, "names of methods or types" },
        { "exclude", "RE", "No names (of eventlogs texts) that match; may be repeated",
          SELECTS_NAMES, selection_exclude, "names of methods or types" },
        { "depth", "N", "Calls to this depth only", SELECTS_DEPTH, selection_depth, "calls" },
        { "min-time", "T", "Only what takes so long: seconds, or with ns, us, ms, s, m, h",
          SELECTS_TIMES, selection_min_time, "how long something takes" },
        { "min-bytes", "N[K|M|G]", "Only types and objects of at least so many bytes",
          SELECTS_BYTES, selection_min_bytes, "sizes" } };

static gboolean
parse_selection (const char *option, const char *value, gpointer data, GError **error)
{
  struct log_command *command = data;
  for (size_t i = 0; i < G_N_ELEMENTS (selection_options); i++) {
    const struct selection_option *o = &selection_options[i];
    if (strcmp (option + strlen ("--"), o->name) != 0)
      continue;
    if ((command->sort->selects & o->set) != 0)
      return o->parse (&command->selection, value, error);
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "%s chooses nothing here: 'proflog %s' does not show %s", option, command->name,
                 o->why);
    return FALSE;
  }
  g_return_val_if_reached (FALSE);
}

/* Values are taken as they are: text in them is UTF-8, whatever the locale. */
#define BYTES G_OPTION_FLAG_FILENAME

/* Those that the command has no use for are known, so that they can be refused, but not told. */
static void
make_selection_entries (unsigned selects, GOptionEntry *entries)
{
  for (size_t i = 0; i < G_N_ELEMENTS (selection_options); i++) {
    const struct selection_option *o = &selection_options[i];
    entries[i] = (GOptionEntry){
      .long_name = o->name,
      .flags = (selects & o->set) != 0 ? BYTES : BYTES | G_OPTION_FLAG_HIDDEN,
      .arg = G_OPTION_ARG_CALLBACK,
      .arg_data = (gpointer) parse_selection,
      .description = o->doc,
      .arg_description = o->argument,
    };
  }
  entries[G_N_ELEMENTS (selection_options)] = (GOptionEntry){ .long_name = NULL };
}

/* What the command line comes to: true to go on, else *status. */
static bool
parse (struct log_command *c, GOptionContext *context, int argc, char **argv, int *status)
{
  gboolean help = FALSE, version = FALSE;
  const GOptionEntry common[]
      = { { "format", 'f',
            (c->sort->is_text || c->sort->is_log) && c->sort->format == NULL
                ? BYTES | G_OPTION_FLAG_HIDDEN
                : BYTES,
            G_OPTION_ARG_CALLBACK, (gpointer) parse_format,
            c->sort->format != NULL ? "What to write: see below"
            : c->sort->is_lines     ? "How to print: text (default), json or csv"
                                    : "How to print: text (default), json, csv or markdown",
            "FORMAT" },
          { "output", 'o', 0, G_OPTION_ARG_FILENAME, &c->path,
            "Write to FILE instead of standard output", "FILE" },
          { "force", 0, 0, G_OPTION_ARG_NONE, &c->force, "Replace FILE if it is there", NULL },
          { "strict", 0, 0, G_OPTION_ARG_NONE, &c->strict,
            "End with status 4 if a log is damaged or cut", NULL },
          { "quiet", 'q', 0, G_OPTION_ARG_NONE, &c->quiet, "No warnings, no progress", NULL },
          { "time", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK, (gpointer) refuse_stock,
            NULL, NULL },
          { "method-sort", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK,
            (gpointer) refuse_stock, NULL, NULL },
          { "alloc-sort", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK,
            (gpointer) refuse_stock, NULL, NULL },
          { "out", 0, BYTES | G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK, (gpointer) refuse_stock,
            NULL, NULL },
          { "version", 'V', 0, G_OPTION_ARG_NONE, &version, "Tell which proflog this is", NULL },
          { "help", 'h', 0, G_OPTION_ARG_NONE, &help, "Print this text", NULL },
          { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &c->logs, NULL, NULL },
          G_OPTION_ENTRY_NULL };
  GOptionEntry selection[G_N_ELEMENTS (selection_options) + 1];
  make_selection_entries (c->sort->selects, selection);
  GOptionGroup *group = g_option_context_get_main_group (context);
  if (c->sort->selects != 0)
    g_option_group_add_entries (group, selection);
  g_option_group_add_entries (group, common);

  char *program = g_strconcat ("proflog ", c->name, NULL);
  g_set_prgname (program);
  GError *error = NULL;
  *status = CLI_USAGE;
  const GOptionEntry *const all[] = { common, selection, c->sort->own, NULL };
  char **words = short_options_split (all, argc, argv);
  bool go_on = g_option_context_parse_strv (context, &words, &error);
  g_strfreev (words);
  if (!go_on) {
    cli_tell ("%s: %s; see '%s --help'", program, error->message, program);
    g_error_free (error);
  } else if (help) {
    char *text = g_option_context_get_help (context, TRUE, NULL);
    fputs (text, stdout);
    g_free (text);
    *status = CLI_OK;
    go_on = false;
  } else if (version) {
    puts ("proflog " PACKAGE_VERSION);
    *status = CLI_OK;
    go_on = false;
  } else if (c->logs == NULL) {
    cli_tell ("%s: which log? ('-' is standard input); see '%s --help'", program, program);
    go_on = false;
  }
  g_free (program);
  return go_on;
}

bool
log_command_parse (struct log_command *c, const struct log_command_sort *sort, int argc,
                   char **argv, int *status)
{
  *c = (struct log_command){ .name = sort->name, .sort = sort };
  char *parameters = g_strdup_printf (
      "%s - %s", sort->parameters != NULL ? sort->parameters : "LOG...", sort->summary);
  GOptionContext *context = g_option_context_new (parameters);
  GOptionGroup *group = g_option_group_new (sort->name, NULL, NULL, c, NULL);
  if (sort->own != NULL)
    g_option_group_add_entries (group, sort->own);
  g_option_context_set_main_group (context, group);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_description (context, sort->description);
  bool go_on = parse (c, context, argc, argv, status);
  g_option_context_free (context);
  g_free (parameters);
  c->sort = NULL;
  if (!go_on)
    log_command_finish (c, *status);
  return go_on;
}

/* Is the output one of the logs?  It would be gone before it is read. */
static bool
is_log (const struct log_command *c)
{
  GStatBuf output, log;
  if (c->path == NULL || g_stat (c->path, &output) != 0 || !S_ISREG (output.st_mode))
    return false;
  for (char **path = c->logs; *path != NULL; path++)
    if (g_stat (*path, &log) == 0 && log.st_dev == output.st_dev && log.st_ino == output.st_ino)
      return true;
  return false;
}

bool
log_command_open (struct log_command *c, int *status)
{
  /* A file that grows beyond the limit is an error of its write, and no sudden death. */
  signal (SIGXFSZ, SIG_IGN);
  if (is_log (c)) {
    cli_tell ("proflog: %s: is a log to be read, and cannot be the output too", c->path);
    *status = log_command_finish (c, CLI_USAGE);
    return false;
  }
  if (output_open (&c->output, c->name, c->path, c->force))
    return true;
  *status = log_command_finish (c, CLI_INPUT);
  return false;
}

int
log_command_refuse (struct log_command *c, GError *error)
{
  cli_tell ("proflog %s: %s; see 'proflog %s --help'", c->name, error->message, c->name);
  g_error_free (error);
  return log_command_finish (c, CLI_USAGE);
}

bool
log_command_order (struct log_command *c, char **name, enum log_order *order, int *status)
{
  GError *error = NULL;
  if (g_strcmp0 (*name, "time") == 0)
    *order = LOG_ORDER_TIME;
  else if (g_strcmp0 (*name, "file") == 0)
    *order = LOG_ORDER_FILE;
  else if (*name != NULL)
    g_set_error (&error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--order %s: there are time and file", *name);
  g_clear_pointer (name, g_free);
  if (error != NULL)
    *status = log_command_refuse (c, error);
  return error == NULL;
}

int
log_command_finish (struct log_command *c, int status)
{
  if (!output_close (&c->output) && status <= CLI_TRUE)
    status = CLI_INPUT;
  if (status <= CLI_TRUE && c->strict && c->damaged)
    status = CLI_DAMAGED;
  g_free (c->path);
  g_strfreev (c->logs);
  selection_clear (&c->selection);
  return status;
}
