/* cmd-diff.c -- proflog diff */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/log/log-kind.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-join.h"
#include "decoder/log/log-figures.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/compare/compare.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include <string.h>

/* Rows of a table in text, without --limit. */
#define ROWS 8

struct diff_values {
  struct log_command log;
  struct view_options view;
  const char *reports;
  struct budget_options budgets;
};

static const struct summary_command sections
    = { .sections = report_sections, .ghc_sections = ghc_report_sections };

static const struct cli_option own[] = {
  { .name = "reports",
    .kind = CLI_STRING,
    .argument = "NAME,...",
    .offset = offsetof (struct diff_values, reports),
    .list = summary_command_list_sections,
    .help = "Compare only these sections of the report" },
  { .name = NULL },
};

/* The compared logs, and the form of the output. */
struct diff {
  struct diff_values *o;
  guint n_base;                /* of the logs, which come first */
  struct view figures;         /* of the reports that are recorded */
  struct view view;            /* of the comparison */
  GPtrArray *base, *now;       /* of struct run_figures */
  const struct log_kind *kind; /* of all logs; NULL: none was read yet */
};

/* ---- the command line ---- */

/* "A1 A2 -- B1 B2": removes the "--" and returns its place; 0 if there is none. */
static int
remove_separator (int *argc, char **argv)
{
  for (int i = 1; i < *argc; i++)
    if (strcmp (argv[i], "--") == 0) {
      memmove (argv + i, argv + i + 1, sizeof *argv * (size_t) (*argc - i));
      --*argc;
      return i;
    }
  return 0;
}

static bool
is_before (char *const *argv, int end, const char *word)
{
  for (int i = 1; i < end; i++)
    if (argv[i] == word)
      return true;
  return false;
}

static char **
copy_words (char *const *words, guint n)
{
  char **copy = g_new0 (char *, n + 1);
  memcpy (copy, words, n * sizeof *copy);
  return copy;
}

/* In each group, folders stand for their logs, and files of one log are one. */
static bool
find_groups (struct diff *d, GError **error)
{
  struct log_command *c = &d->o->log;
  char **base = copy_words (c->logs, d->n_base), **const rest = c->logs + d->n_base,
       **now = copy_words (rest, g_strv_length (rest));
  const bool good
      = log_command_find_logs (c, &base, error) && log_command_find_logs (c, &now, error);
  const guint n_now = g_strv_length (now);
  if (good) {
    d->n_base = g_strv_length (base);
    c->logs = g_renew (char *, c->logs, d->n_base + n_now + 1);
    memcpy (c->logs, base, d->n_base * sizeof *base);
    memcpy (c->logs + d->n_base, now, (n_now + 1) * sizeof *now);
  }
  g_free (base);
  g_free (now);
  return good;
}

/* Two words are two groups if one of them is a folder. */
static bool
has_folder (char *const *words)
{
  for (; *words != NULL; words++)
    if (g_file_test (*words, G_FILE_TEST_IS_DIR))
      return true;
  return false;
}

/* The logs of the base: those before the separator, else the first of two. */
static bool
count_base (struct diff *d, char *const *argv, int separator, GError **error)
{
  for (int i = separator; separator != 0 && argv[i] != NULL; i++)
    if (strcmp (argv[i], "--") == 0)
      return cli_refuse (error, "'--' stands between two groups of logs, and there are more");
  char *const *const logs = d->o->log.logs;
  const guint n = g_strv_length (d->o->log.logs);
  if (separator == 0 && n != 2)
    return cli_refuse (
        error,
        "two logs are compared, and %u given; groups of logs have '--' between them: "
        "A1 A2 -- B1 B2",
        n);
  while (d->n_base < n && is_before (argv, separator, logs[d->n_base]))
    d->n_base++;
  if (separator == 0)
    d->n_base = 1;
  if (d->n_base == 0 || logs[d->n_base] == NULL)
    return cli_refuse (error, "there is no log %s '--'", d->n_base == 0 ? "before" : "after");
  return (separator == 0 && !has_folder (logs)) || find_groups (d, error);
}

static bool
make_views (struct diff *d, GError **error)
{
  struct diff_values *o = d->o;
  d->figures = (struct view){ .selection = &o->log.selection, .hides_findings = true };
  view_options_apply (&o->view, o->log.format, ROWS, &d->view);
  if (o->reports != NULL
      && !sections_parse_both (report_sections, ghc_report_sections, o->reports,
                               &d->figures.sections, &d->figures.ghc_sections, error))
    return false;
  GPtrArray *shapes = diff_report_shapes ();
  const bool good = table_check_keys (&d->view, shapes, error);
  g_ptr_array_unref (shapes);
  return good;
}

/* ---- the logs ---- */

/* Figures of the formats have other meanings, even where their keys are the same. */
static int
refuse_kind (struct diff *d, const char *path, const struct log_kind *kind)
{
  struct log_command *c = &d->o->log;
  g_autofree char *why = g_strdup_printf ("%s is %s, and only logs of one format can be compared",
                                          c->logs[0], d->kind->name);
  return kind->refuse (c, path, why);
}

static int
read_log (struct diff *d, const char *path, GPtrArray *runs)
{
  struct log_command *c = &d->o->log;
  const struct log_kind *kind = log_kind_detect (c, path, true);
  int status = CLI_INPUT;
  if (kind == NULL)
    return CLI_INPUT;
  if (d->kind != NULL && d->kind != kind)
    return refuse_kind (d, path, kind);
  d->kind = kind;
  struct run_figures *run = log_command_read_figures (c, path, kind, &d->figures,
                                                      d->o->budgets.budgets != NULL, &status);
  if (run != NULL)
    g_ptr_array_add (runs, run);
  return run != NULL ? status : MAX (status, CLI_INPUT);
}

/* A log that cannot be read ends the comparison: it would be one of other runs. */
static int
read_logs (struct diff *d)
{
  int status = CLI_OK;
  char **logs = d->o->log.logs;
  for (guint i = 0; logs[i] != NULL && status <= CLI_TRUE; i++) {
    const int this_status = read_log (d, logs[i], i < d->n_base ? d->base : d->now);
    status = MAX (status, this_status);
  }
  return status;
}

/* ---- the output ---- */

static bool
write_report (struct diff *d, const struct budget_results *results)
{
  struct log_command *c = &d->o->log;
  GString *text = g_string_new (NULL);
  struct emitter *e = log_command_new_emitter (c, text);
  emitter_set_style (e, &(const struct emitter_style){ .has_units = !d->view.is_raw });
  emitter_set_tables_only (e);
  diff_report_write (e, &(const struct run_groups){ d->base, d->now }, &d->view, results);
  emitter_free (e);
  const bool is_written = output_write (&c->output, text);
  g_string_free (text, TRUE);
  return is_written;
}

static int
compare (struct diff *d)
{
  struct budget_options *b = &d->o->budgets;
  int status = read_logs (d);
  if (status <= CLI_TRUE && b->budgets != NULL)
    budget_results_add (&b->results, b->budgets, d->now, d->base);
  if (status <= CLI_TRUE && !write_report (d, b->budgets != NULL ? &b->results : NULL))
    status = CLI_INPUT;
  status = log_command_finish (&d->o->log, status);
  return status <= CLI_TRUE ? budget_options_finish (b, status) : status;
}

static void
free_run (void *run)
{
  run_figures_free (run);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct diff_values o = { .reports = NULL };
  struct diff d = { .o = &o };
  const int separator = remove_separator (&argc, argv);
  GError *error = NULL;
  int status;
  o.budgets.command = &o.log;
  o.log.keeps_files = true; /* two are compared; those of groups are joined later */
  d.base = g_ptr_array_new_with_free_func (free_run);
  d.now = g_ptr_array_new_with_free_func (free_run);
  if (!log_command_parse (&o.log, spec, argc, argv, &status))
    ;
  else if (o.budgets.lists_keys)
    status = log_command_finish (&o.log, budget_options_list_keys (&o.budgets));
  else if (!count_base (&d, argv, separator, &error)
           || !budget_options_check (&o.budgets, true, &error) || !make_views (&d, &error))
    status = log_command_refuse (&o.log, error);
  else if (log_command_open (&o.log, &status))
    status = compare (&d);
  g_ptr_array_unref (d.base);
  g_ptr_array_unref (d.now);
  view_clear (&d.figures);
  view_clear (&d.view);
  budget_options_clear (&o.budgets);
  return status;
}

static void
list_columns (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  g_autoptr (GPtrArray) shapes = diff_report_shapes ();
  table_list_keys (shapes, names);
}

const struct cli_command command_diff = {
  .name = "diff",
  .group = CLI_INSPECT,
  .summary = "compare the figures of two runs, or groups of runs",
  .parameters = "BASE LOG\nBASE... -- LOG...",
  .description
  = "Figures of the logs after '--' are compared with those of the base before it, and sorted by "
    "the size of the change.  Rows of tables are joined by their names.  Of several runs each "
    "figure is the median, and ± is the largest distance of a run from it.  Chance "
    "explains a change that is within the spread: runs of one program are as far apart in one of "
    "20 cases or more, for which there have to be four of each, unless nothing varies.  Of one run "
    "on each side only estimates from samples have a spread: their errors.\n\n"
    "Keys of --fail-above are those of 'proflog report --format json', as in allocations.bytes=+5% "
    "or 'allocations.types[System.String].objects=1000'; without '+' the limit is one of the "
    "figure itself.  A limit with '+' that is exceeded by no more than runs of one side differ, or "
    "by "
    "no more than the error of estimates of one run on each side, is kept, with a line that says "
    "so.",
  .examples = CLI_EXAMPLES (
      { "Compare two runs", "proflog diff before.mlpd after.mlpd" },
      { "Compare two groups of runs, as Markdown for a review",
        "proflog diff --format markdown old.*.mlpd -- new.*.mlpd >>comment.md" },
      { "Fail if the program allocates 5% more than before",
        "proflog diff --fail-above allocations.bytes=+5% --junit ci.xml a.mlpd b.mlpd" },
      { "Compare two sections only",
        "proflog diff --reports=gc,allocations -n20 before.mlpd after.mlpd" }),
  .options = { { own, 0 },
               { budget_options, offsetof (struct diff_values, budgets) },
               { view_limit_8, offsetof (struct diff_values, view) },
               { view_options, offsetof (struct diff_values, view) },
               { log_selection_options, 0 },
               { log_format_option, 0 },
               { log_object_option, 0 },
               { log_names_option, 0 },
               { log_index_option, 0 },
               { log_options, 0 } },
  .selects = SELECTS_PARTS | SELECTS_NAMES | SELECTS_DEPTH | SELECTS_CAPS,
  .columns = list_columns,
  .data = &sections,
  .run = run,
};
