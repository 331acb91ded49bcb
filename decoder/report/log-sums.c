/* log-sums.c -- logs -> figures -> sums. */
#include "config.h"

#include "decoder/log/log-kind.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-table.h"
#include "decoder/log/log-figures.h"
#include "decoder/command/message.h"
#include "decoder/report/report-commands.h"
#include "decoder/report/summary-parts.h"
#include "decoder/views/compare/merges.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

#include <string.h>

/* ---- sections ---- */

/* The keys of the sections that are requested (transfer container); NULL: the usual ones. */
static GPtrArray *
keys_of (const struct view *view)
{
  const GPtrArray *const lists[] = { view->sections, view->ghc_sections };
  if (view->sections == NULL)
    return NULL;
  GPtrArray *keys = g_ptr_array_new ();
  for (size_t l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++) {
      const char *key = ((const struct section *) lists[l]->pdata[i])->key;
      if (!g_ptr_array_find_with_equal_func (keys, key, g_str_equal, NULL))
        g_ptr_array_add (keys, (gpointer) key);
    }
  return keys;
}

bool
log_sums_parse (const char *reports, struct view *view, GError **error)
{
  g_autofree char *rest = NULL;
  view->sums = section_names_take (reports, RUN_SUMS_SECTION, &rest);
  if (view->sums && rest[0] == 0) {
    view->sections = g_ptr_array_new ();
    view->ghc_sections = g_ptr_array_new ();
    return true;
  }
  if (!sections_parse_both (report_sections, ghc_report_sections, rest, &view->sections,
                            &view->ghc_sections, error))
    return false;
  g_autoptr (GPtrArray) keys = keys_of (view);
  for (guint i = 0; i < keys->len; i++)
    if (!run_merge_has (keys->pdata[i])) {
      g_autoptr (GPtrArray) there = run_merge_sections (false);
      g_autofree char *all = cli_join (there);
      return cli_refuse (error,
                         "--reports %s: it has no tables that can be added up over logs; there "
                         "are " RUN_SUMS_SECTION ", %s",
                         (const char *) keys->pdata[i], all);
    }
  return true;
}

static struct run_sums *
new_sums (const struct view *view)
{
  g_autoptr (GPtrArray) keys = keys_of (view);
  return run_sums_new (view->by, &(struct run_sums_parts){ keys == NULL || view->sums, keys });
}

bool
log_sums_check_keys (const struct view *view, GError **error)
{
  struct run_sums *sums = new_sums (view);
  g_autoptr (GPtrArray) shapes = run_sums_shapes (sums);
  const bool good = table_check_keys (view, shapes, error);
  run_sums_free (sums);
  return good;
}

/* The sections that are read of each log: those of the sums, and those whose tables are added up.
 */
static void
set_sections (struct view *own, const struct view *view)
{
  GPtrArray *keys = keys_of (view);
  if (keys == NULL)
    keys = run_merge_sections (true);
  g_autoptr (GString) list = g_string_new (RUN_SUMS_SECTIONS);
  for (guint i = 0; i < keys->len; i++)
    g_string_append_printf (list, ",%s", (const char *) keys->pdata[i]);
  g_ptr_array_unref (keys);
  sections_parse_both (report_sections, ghc_report_sections, list->str, &own->sections,
                       &own->ghc_sections, NULL);
}

/* ---- logs ---- */

/* NULL if the log cannot be read. */
static struct run_figures *
read_log (struct log_command *c, const char *path, const struct view *view, int *status)
{
  const struct log_kind *kind = log_kind_detect (c, path, true);
  *status = CLI_INPUT;
  return kind != NULL ? log_command_read_figures (c, path, kind, view, false, status) : NULL;
}

/* Adds a log, and frees its figures.  Returns its status. */
static int
add_log (struct log_command *c, struct run_sums *sums, const char *path, const struct view *view)
{
  const bool was_damaged = c->damaged;
  int status;
  c->damaged = false;
  struct run_figures *run = read_log (c, path, view, &status);
  if (run == NULL)
    run_sums_add_unreadable (sums);
  else {
    run_sums_add (sums, run);
    run_figures_free (run);
  }
  if (c->damaged)
    run_sums_add_damaged (sums);
  c->damaged |= was_damaged;
  return status;
}

/* Of many logs, the messages about single ones may have gone by. */
static void
report_unreadable (const struct log_command *c, guint unreadable, guint logs)
{
  if (unreadable != 0 && logs > 1)
    cli_message ("proflog %s: %u of %u logs cannot be read, and are not in the sums", c->name,
                 unreadable, logs);
}

int
log_sums_write (struct log_command *c, struct emitter *e, const struct view *view)
{
  /* Rows are chosen when they are added up. */
  struct selection selection = c->selection;
  selection.filters = selection.excludes = NULL;
  selection.min_ns = selection.min_bytes = 0;
  struct view own = { .selection = &selection, .hides_findings = true };
  struct run_sums *sums = new_sums (view);
  const guint logs = g_strv_length (c->logs);
  guint unreadable = 0;
  int status = CLI_OK;
  set_sections (&own, view);
  for (guint i = 0; i < logs; i++) {
    progress_set_place (&c->progress, i + 1, logs);
    const int this_status = add_log (c, sums, c->logs[i], &own);
    unreadable += this_status > CLI_TRUE;
    status = MAX (status, this_status);
  }
  progress_clear (&c->progress);
  report_unreadable (c, unreadable, logs);
  run_sums_write (sums, e, view);
  run_sums_free (sums);
  view_clear (&own);
  return status;
}
