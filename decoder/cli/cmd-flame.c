/* cmd-flame.c -- proflog flame */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-page.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/exports/export-flame.h"
#include <string.h>
#include <unistd.h>

struct flame_values {
  struct log_command log;
  enum stacks_cost cost;
  bool by_thread;
  const struct export_format *format; /* NULL: by the name of the output */
};

static const struct export_format *const formats[]
    = { &export_flame_html, &export_flame_svg, &export_folded, NULL };

static void
list_formats (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (const struct export_format *const *format = formats; *format != NULL; format++)
    g_ptr_array_add (names, (gpointer) (*format)->name);
}

static const struct export_format *
find_format (const char *name)
{
  for (const struct export_format *const *format = formats; *format != NULL; format++)
    if (strcmp ((*format)->name, name) == 0)
      return *format;
  return NULL;
}

static bool
parse_format (void *field, const char *text, GError **error)
{
  const struct export_format **format = field;
  *format = find_format (text);
  if (*format != NULL)
    return true;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  list_formats (NULL, names);
  return cli_refuse_value (error, "--format", text, names);
}

static const struct cli_option own[] = {
  { .name = "cost",
    .kind = CLI_CHOICE,
    .argument = "COST",
    .offset = offsetof (struct flame_values, cost),
    .choices = log_stacks_costs,
    .help = "Cost of stacks: one of those listed here (default: time, or self of a log without "
            "samples)" },
  { .name = "by-thread",
    .kind = CLI_FLAG,
    .offset = offsetof (struct flame_values, by_thread),
    .help = "The stacks of each thread below its name; a button of the page puts them together" },
  { .name = "diff",
    .kind = CLI_STRING,
    .argument = "LOG",
    .offset = offsetof (struct flame_values, log.other),
    .help = "Compare with this earlier log: colors and signs show the change since then" },
  { .name = "format",
    .letter = 'f',
    .kind = CLI_PARSED,
    .argument = "FORMAT",
    .offset = offsetof (struct flame_values, format),
    .parse = parse_format,
    .list = list_formats,
    .help = "html, svg or folded (default: by the name of the output, else html)" },
  { .name = NULL },
};

/* The format that a file's name ends in; no name, or one without an end, is a page.  NULL: refused.
 */
static const struct export_format *
format_of_output (const char *path, GError **error)
{
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  const char *end = name != NULL ? strrchr (name, '.') : NULL;
  const struct export_format *format = end != NULL ? find_format (end + 1) : &export_flame_html;
  if (format == NULL)
    cli_refuse (error, "%s: no format is named '%s': .html, .svg or .folded, or --format", path,
                end + 1);
  return format;
}

/* Reads those of a log, of all threads or of each. */
static int
read_stacks (struct log_command *c, const struct flame_values *v, const char *path,
             enum stacks_cost *cost, struct export_stacks *stacks)
{
  int status = log_stacks_read (c, path, cost, stacks);
  if (v->by_thread && stacks->total != 0) {
    const int read = log_stacks_read_by_thread (c, path, *cost, stacks);
    status = MAX (status, read);
  }
  return status;
}

/* Adds the stacks of the other log, with the same cost. */
static int
add_other (struct log_command *c, const struct flame_values *v, enum stacks_cost cost,
           struct export_stacks *stacks)
{
  struct export_stacks other;
  int status = read_stacks (c, v, c->other, &cost, &other);
  if (other.total == 0)
    status = MAX (status, CLI_INPUT);
  else if (strcmp (stacks->cost, other.cost) == 0 && strcmp (stacks->unit, other.unit) == 0) {
    export_stacks_compare (stacks, &other);
  } else {
    cli_message ("proflog flame: %s and %s cannot be compared: %s in %s, and %s in %s", c->logs[0],
                 c->other, stacks->cost, stacks->unit, other.cost, other.unit);
    status = CLI_INPUT;
  }
  export_stacks_clear (&other);
  return status;
}

/* Is the graph that of the slowest spans, compared with the others?  Lines of stacks are of one. */
static bool
has_rest (const struct log_command *c, const struct flame_values *v)
{
  return c->selection.span.slowest != 0 && c->other == NULL && v->format != &export_folded
         && strcmp (c->logs[0], "-") != 0;
}

/* Adds the stacks of the spans that are not among the slowest, as if they had cost as much. */
static void
add_rest (struct log_command *c, const struct flame_values *v, enum stacks_cost cost,
          struct export_stacks *stacks)
{
  struct selection_span *const span = &c->selection.span;
  const struct selection_span slowest = *span;
  struct export_stacks rest;
  span->not_slowest = slowest.slowest;
  span->slowest = 0;
  read_stacks (c, v, c->logs[0], &cost, &rest);
  *span = slowest;
  if (rest.total != 0) {
    export_stacks_scale (&rest, stacks->total);
    g_free (rest.title);
    rest.title = g_strdup ("the other spans, at the same cost");
    export_stacks_compare (stacks, &rest);
  }
  export_stacks_clear (&rest);
}

static int
write_flame (struct log_command *c, const struct flame_values *v)
{
  struct export_stacks stacks;
  enum stacks_cost cost = v->cost;
  int status = read_stacks (c, v, c->logs[0], &cost, &stacks);
  if (c->other != NULL && stacks.total != 0) {
    const int read = add_other (c, v, cost, &stacks);
    status = MAX (status, read);
  }
  if (stacks.total != 0 && has_rest (c, v))
    add_rest (c, v, cost, &stacks);
  if (stacks.total != 0 && (stacks.is_comparison || c->other == NULL)) {
    const int written = log_stacks_write (c, v->format, &stacks);
    status = MAX (status, written);
  }
  export_stacks_clear (&stacks);
  return status;
}

/* Folded stacks are lines of text. */
static bool
open_output (struct flame_values *v, int *status)
{
  if (v->format == &export_folded)
    return log_command_open (&v->log, status);
  return v->format == &export_flame_html
             ? write_command_open_other (&v->log, "a page for a browser",
                                         "-o FILE.html, or --format folded for lines of text",
                                         status)
             : write_command_open_other (
                 &v->log, "a picture", "-o FILE.svg, or --format folded for lines of text", status);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct flame_values v = { .cost = STACKS_ANY };
  struct log_command *const command = &v.log;
  GError *error = NULL;
  int status;
  if (!log_command_parse (command, spec, argc, argv, &status))
    return status;
  if (command->logs[1] != NULL) {
    cli_refuse (&error, "a flame graph is of one log, but %u are given",
                g_strv_length (command->logs));
    return log_command_refuse (command, error);
  }
  if ((v.cost == STACKS_RETAINED || v.cost == STACKS_LEAK)
      && selection_is_partial (&command->selection)) {
    cli_refuse (&error,
                "--cost %s is of a whole heap snapshot: --thread, --time-range and --cap are not "
                "for it",
                v.cost == STACKS_LEAK ? "leak" : "retained");
    return log_command_refuse (command, error);
  }
  if (v.by_thread && !log_stacks_have_threads (v.cost)) {
    cli_refuse (&error, "--by-thread applies to the costs time, wall, self, calls and alloc");
    return log_command_refuse (command, error);
  }
  if (v.by_thread && strcmp (command->logs[0], "-") == 0) {
    cli_refuse (&error, "--by-thread reads a log twice, and standard input can be read once only");
    return log_command_refuse (command, error);
  }
  if (v.format == NULL)
    v.format = format_of_output (command->path, &error);
  if (v.format == NULL)
    return log_command_refuse (command, error);
  /* A page is nothing for a terminal. */
  if (command->path == NULL && v.format == &export_flame_html
      && (command->opens || isatty (STDOUT_FILENO)))
    command->path = command->page = log_page_path (command);
  if (!open_output (&v, &status))
    return status;
  status = write_flame (command, &v);
  if (status > CLI_TRUE)
    write_command_discard (command);
  else if (v.format == &export_flame_html && command->path != NULL)
    command->format = EMITTER_HTML;
  return log_command_finish (command, status);
}

const struct cli_command command_flame = {
  .name = "flame",
  .group = CLI_INSPECT,
  .summary = "draw the stacks of a log as a flame graph",
  .parameters = "LOG",
  .description
  = "The page is one file for any browser, and loads nothing; that of app.mlpd is app.html, if the "
    "output would be a terminal.  In it '/' searches, a click or Enter "
    "zooms, 'i' inverts, arrows move.  Costs:\n"
    "  time   processor time of samples, or their number where the log has no times; of an "
    "eventlog, its time profile or call stacks\n"
    "  wall   samples of the wall clock, with the time of waiting; of an\n"
    "         eventlog, its time profile with the time of idle capabilities\n"
    "  self   times of recorded calls, without callees\n"
    "  calls  numbers of recorded calls\n"
    "  alloc  bytes of allocated objects; the innermost frame is the type\n"
    "  live   of those, objects that live at the end\n"
    "  peak   ... that lived at the peak, after the collection that left the most bytes\n"
    "  temporary  short-lived objects: dead at the next collection of their generation\n"
    "  retained  bytes of the last heap snapshot, below what keeps them alive\n"
    "  leak   of these, what 'proflog heap leaks' suspects, below the way from a root\n"
    "  lock   times of waiting for monitors; the innermost frame is their class, where the log has "
    "it\n"
    "  exception  thrown exceptions; the innermost frame is the type\n\n"
    "With --slowest, the spans of --span that took longest are compared with the others, as if "
    "these had cost as much.\n",
  .examples = CLI_EXAMPLES (
      { "Write a page with the processor time of samples", "proflog flame app.mlpd -o app.html" },
      { "Draw allocated bytes as a picture", "proflog flame --cost alloc app.mlpd -o alloc.svg" },
      { "Show the calls of one thread",
        "proflog flame --cost calls --thread 'clerk 1' app.mlpd -o calls.html" },
      { "Show what changed since an earlier log",
        "proflog flame --diff before.mlpd after.mlpd -o change.html" }),
  .options = { { own, 0 },
               { log_open_option, 0 },
               { log_selection_options, 0 },
               { log_object_option, 0 },
               { log_names_option, 0 },
               { log_index_option, 0 },
               { log_options, 0 } },
  .selects = SELECTS_PARTS | SELECTS_CAPS,
  .run = run,
};
