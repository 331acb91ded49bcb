/* budget-options.c -- budgets of the command line, their messages and files. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/compare/compare.h"
#include <string.h>

static GPtrArray *
keys_of (struct budget_options *o)
{
  if (o->keys == NULL)
    o->keys = figure_keys_new ();
  return o->keys;
}

static GPtrArray *
budgets_of (struct budget_options *o)
{
  if (o->budgets == NULL) {
    o->budgets = budgets_new ();
    budget_results_init (&o->results);
  }
  return o->budgets;
}

static bool
parse_fail_above (void *field, const char *text, GError **error)
{
  struct budget_options *o = field;
  if (strcmp (text, "help") != 0)
    return budgets_add (budgets_of (o), text, keys_of (o), error);
  o->lists_keys = o->command->needs_no_log = true;
  return true;
}

/* Files are read after all options were parsed. */
static bool
parse_budgets (void *field, const char *path, GError **error)
{
  struct budget_options *o = field;
  (void) error;
  if (o->files == NULL)
    o->files = g_ptr_array_new ();
  g_ptr_array_add (o->files, (gpointer) path);
  return true;
}

const struct cli_option budget_options[] = {
  { .name = "fail-above",
    .kind = CLI_PARSED,
    .argument = "KEY=LIMIT",
    .offset = 0,
    .parse = parse_fail_above,
    .help
    = "Exit with status 1 if this figure of the JSON report is above LIMIT, as in "
      "gc.pause_p99_ns=5ms, or +5% of the base of 'proflog diff'; 'help' lists the keys; may be "
      "repeated" },
  { .name = "budgets",
    .kind = CLI_PARSED,
    .argument = "FILE",
    .offset = 0,
    .parse = parse_budgets,
    .help = "The same for each line KEY=LIMIT of FILE; '#' begins a comment; may be repeated" },
  { .name = "junit",
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct budget_options, junit),
    .help = "Write the results of --fail-above and --budgets to FILE as JUnit XML" },
  { .name = NULL },
};

bool
budget_options_check (struct budget_options *o, bool has_base, GError **error)
{
  const struct selection *s = &o->command->selection;
  /* A thread whose name is misspelt would never exceed a budget.  Of rows there may be none, as
   * there may be of a type. */
  o->needs_selection = !has_base && !selection_has_names (s) && s->min_ns == 0 && s->min_bytes == 0;
  for (guint i = 0; o->files != NULL && i < o->files->len; i++)
    if (!budgets_add_file (budgets_of (o), g_ptr_array_index (o->files, i), keys_of (o), error))
      return false;
  if (o->junit != NULL && o->budgets == NULL)
    return cli_refuse (error,
                       "--junit writes the results of --fail-above or --budgets: give one of them");
  if (o->junit != NULL && log_command_reads (o->command, o->junit))
    return cli_refuse (error, "--junit %s: is an input, and cannot be the output too", o->junit);
  if (o->junit != NULL && g_strcmp0 (o->junit, o->command->path) == 0)
    return cli_refuse (error, "--junit %s: is the output of the report, too", o->junit);
  if (!has_base && o->budgets != NULL && budgets_need_base (o->budgets))
    return cli_refuse (error,
                       "a limit that begins with '+' is relative to another log: use 'proflog "
                       "diff'");
  return true;
}

int
budget_options_list_keys (struct budget_options *o)
{
  const GPtrArray *keys = keys_of (o);
  for (guint i = 0; i < keys->len; i++)
    puts (g_ptr_array_index (keys, i));
  return CLI_OK;
}

static bool
write_junit (const struct budget_options *o)
{
  struct output output = { .command = o->command->name };
  if (!output_open (&output, o->command->name, o->junit, o->command->force))
    return false;
  GString *text = junit_new (&o->results);
  const bool is_written = output_write (&output, text);
  g_string_free (text, TRUE);
  return output_close (&output) && is_written;
}

int
budget_options_finish (struct budget_options *o, int status)
{
  if (o->budgets == NULL)
    return status;
  for (guint i = 0; i < o->results.all->len; i++) {
    const struct budget_result *r = g_ptr_array_index (o->results.all, i);
    if (r->verdict != BUDGET_WITHIN || (r->lacks_row && !o->command->quiet))
      cli_message ("proflog %s: %s: %s", o->command->name, r->log, r->sentence);
  }
  const bool is_empty = o->needs_selection && o->command->selected_nothing;
  if (status == CLI_OK && is_empty)
    cli_message ("proflog %s: nothing was selected that could exceed the budgets",
                 o->command->name);
  if (status == CLI_OK && (is_empty || !budget_results_are_good (&o->results)))
    status = CLI_TRUE;
  return o->junit == NULL || write_junit (o) ? status : MAX (status, CLI_INPUT);
}

void
budget_options_clear (struct budget_options *o)
{
  if (o->budgets != NULL)
    budget_results_clear (&o->results);
  g_clear_pointer (&o->budgets, g_ptr_array_unref);
  g_clear_pointer (&o->keys, g_ptr_array_unref);
  g_clear_pointer (&o->files, g_ptr_array_unref);
}
