/* report-log.c -- log -> passes over it -> emitter. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/exports/flame-tree.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/log/log-passes.h"
#include "decoder/log/log-summary.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/report/summary-parts.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/trace/log-timeline.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/page.h"
#include <string.h>

/* ---- flame graphs of a page ---- */

#define SHARE_MIN 5000
#define NODES_MAX 4000
#define BYTES_MAX 500000

/* A log without backtraces has one frame for each type. */
static bool
has_stacks (const struct export_stacks *stacks)
{
  for (guint i = 1; i < stacks->nodes->len; i++)
    if (g_array_index (stacks->nodes, struct export_node, i).parent != EXPORT_STACKS_ROOT)
      return true;
  return false;
}

static void
put_graph (GString *json, const struct export_stacks *stacks, const char *title)
{
  struct flame_tree tree;
  g_autoptr (GString) data = g_string_new (NULL);
  flame_tree_init (&tree, stacks, SHARE_MIN, NODES_MAX);
  flame_data_put (&tree, data);
  flame_tree_clear (&tree);
  if (data->len > BYTES_MAX)
    return;
  page_json_open (json, '{');
  page_json_key (json, "title");
  page_json_text (json, title);
  page_json_key (json, "data");
  g_string_append_len (json, data->str, (gssize) data->len);
  g_string_append_c (json, '}');
}

/* Allocated bytes, waits for monitors and throws of the whole log, each with its stacks: an array
 * for the script of the page, each with a title and the data that flame-graph.js reads (transfer
 * full). */
static char *
page_flames (const struct summary *s)
{
  static const enum stacks_cost costs[] = { STACKS_ALLOC, STACKS_LOCK, STACKS_EXCEPTION };
  GString *json = g_string_new ("[");
  for (guint i = 0; i < G_N_ELEMENTS (costs); i++) {
    struct export_stacks stacks;
    export_stacks_init (&stacks);
    mono_stacks_add (&stacks, s, costs[i]);
    if (stacks.total != 0 && has_stacks (&stacks))
      put_graph (json, &stacks, log_stacks_title (costs[i]));
    export_stacks_clear (&stacks);
  }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}

/* Intervals of a timeline at most: in 80 columns beside names of threads, and for programs. */
#define INTERVALS_SHOWN 48
#define INTERVALS 400

/* A log whose report is being written. */
struct report_log {
  const struct report_context *w;
  const struct report_kind *kind;
  const struct section *const *sections; /* that there are, up to NULL */
  const char *path;
  char *name; /* of the report */
  int status;
  bool has_header;  /* or else nothing is known of it */
  struct view view; /* with the findings of the passes */
  struct view_rows rows;
  struct summary mono; /* of a log of Mono; else `ghc` */
  struct ghc_summary ghc;
  struct log_map map; /* of an eventlog whose threads are followed with the timeline */
  struct object_filter objects;
  struct scan_bin_spec bins; /* of the scan, where the timeline's were known before it */
  struct timeline *timeline; /* NULL: it is not needed, or there is none */
  char *flames;              /* likewise */
  struct survival survival;
};

/* A pass over a log; the first one makes its summary. */
struct pass {
  bool (*is_needed) (const struct report_log *log); /* NULL: it always is */
  bool (*run) (struct report_log *log);             /* false: there is no report */
};

/* A format. */
struct report_kind {
  const struct pass *passes; /* in their order, up to one without `run` */
  void (*write) (const struct report_log *log);
  struct run_figures *(*make_figures) (const struct report_log *log, const struct view *view);
  void (*clear) (struct report_log *log);
};

guint
report_log_intervals (const struct report_context *w)
{
  return log_command_is_plain (w->command) ? INTERVALS_SHOWN : INTERVALS;
}

/* ---- needs of the sections ---- */

static bool
is_shown (const struct report_log *l, const char *key)
{
  return sections_show (&l->view, l->sections, key);
}

static bool
needs_timeline (const struct report_log *l)
{
  return l->view.by == VIEW_BY_TIME || is_shown (l, "series") || is_shown (l, "timeline");
}

/* A page has flame graphs of costs that its timeline has no stacks of. */
static bool
is_page (const struct report_log *l)
{
  return l->view.is_page && needs_timeline (l);
}

/* A page and the findings have the ways to objects of growing classes. */
static bool
needs_suspects (const struct report_log *l)
{
  return is_page (l) || (is_shown (l, "findings") && !l->view.hides_findings);
}

static bool
follows_objects (const struct report_log *l)
{
  return l->view.objects != VIEW_OBJECTS_ALL;
}

/* All figures of a log can have budgets, whatever its report shows. */
static bool
has_budgets (const struct report_log *l)
{
  return l->w->budgets->budgets != NULL;
}

static struct view
budget_view (const struct report_log *l)
{
  return (struct view){ .selection = &l->w->command->selection, .hides_findings = true };
}

/* ---- passes over a log of Mono ---- */

/* The options of a scan for the report. */
static struct scan_options
options_of (const struct report_log *l, struct object_filter *objects)
{
  const struct view *view = &l->view;
  return (struct scan_options){
    .traces
    = view->traces || view->by == VIEW_BY_METHOD || view->by == VIEW_BY_STACK || is_page (l),
    .alloc_groups = view->by == VIEW_BY_THREAD || view->by == VIEW_BY_SIZE,
    .callers = view->traces && is_shown (l, "calls"),
    .frames = view->max_frames,
    .call_times = view->source != VIEW_SOURCE_SAMPLES && is_shown (l, "tree"),
    .depth = l->w->command->selection.depth,
    .types = has_budgets (l) || is_shown (l, "exceptions") || is_shown (l, "monitors")
             || is_shown (l, "waits") || is_shown (l, "findings"),
    .spans = has_budgets (l) || is_shown (l, "spans"),
    .objects = objects,
    .names = &l->w->command->selection,
  };
}

static struct timeline_request
timeline_request_of (const struct report_log *l)
{
  return (struct timeline_request){ .width = l->w->interval_ns,
                                    .bins = report_log_intervals (l->w),
                                    .has_stacks = l->view.is_page,
                                    .has_all_buffers = follows_objects (l) };
}

/* Of these, objects and types that are searched take more scans (object-queries.h). */
static bool
summarize_mono (struct report_log *l)
{
  object_filter_init (&l->objects, &l->w->command->selection);
  struct object_filter *objects = object_filter_is_active (&l->objects) ? &l->objects : NULL;
  const struct timeline_request request = timeline_request_of (l);
  struct scan_options options = options_of (l, objects);
  if ((needs_timeline (l) || follows_objects (l)) && objects == NULL
      && log_timeline_foresee (l->w->command, l->path, &request, &l->bins))
    options.bins = &l->bins;
  l->status = log_command_read_summary (l->w->command, l->path, &options, objects, &l->mono);
  return l->has_header = l->mono.log.has_header;
}

static bool
read_mono_timeline (struct report_log *l)
{
  const struct timeline_request request = timeline_request_of (l);
  l->view.timeline = l->timeline
      = log_timeline_of_mono (l->w->command, l->path, &l->mono, &request);
  return true;
}

static bool
make_flames (struct report_log *l)
{
  if (l->timeline != NULL)
    l->view.flames = l->flames = page_flames (&l->mono);
  return true;
}

static bool
find_suspects (struct report_log *l)
{
  if (l->timeline != NULL || report_findings_heap_grows (&l->mono))
    l->view.suspects = log_suspects_of (l->w->command, l->path, &l->mono);
  return true;
}

static bool
read_survival (struct report_log *l)
{
  const struct survival_model model = {
    .symbols = &l->mono.symbols, .traces = &l->mono.traces, .has_names = true, .summary = &l->mono
  };
  int read = CLI_INPUT;
  if (strcmp (l->path, "-") != 0) {
    read = log_survival_read (l->w->command, l->path, &model, &l->survival);
  } else {
    cli_message ("proflog %s: objects are followed only in logs that are files",
                 l->w->command->name);
    survival_init (&l->survival);
  }
  l->status = MAX (l->status, read);
  l->view.survival = &l->survival;
  return read == CLI_OK;
}

static const struct pass mono_passes[] = {
  { NULL, summarize_mono },           { needs_timeline, read_mono_timeline },
  { is_page, make_flames },           { needs_suspects, find_suspects },
  { follows_objects, read_survival }, { NULL, NULL },
};

static void
write_mono (const struct report_log *l)
{
  sections_write (l->w->emitter, l->w->own->schema, l->name, &l->mono, &l->view, l->sections);
}

static struct run_figures *
make_mono_figures (const struct report_log *l, const struct view *view)
{
  return run_figures_new (l->name, &l->mono, view);
}

static void
clear_mono (struct report_log *l)
{
  if (l->view.survival != NULL)
    survival_clear (&l->survival);
  g_clear_pointer (&l->view.suspects, g_hash_table_unref);
  summary_clear (&l->mono);
  object_filter_clear (&l->objects);
}

/* ---- passes over an eventlog ---- */

static unsigned
features_of (const struct report_log *l)
{
  const struct view budgets = budget_view (l);
  return sections_features (&l->view, l->sections)
         | (has_budgets (l) ? sections_features (&budgets, l->sections) : 0);
}

/* A timeline takes all events in order of time, too. */
static bool
summarize_eventlog (struct report_log *l)
{
  struct log_command *c = l->w->command;
  if (needs_timeline (l) && strcmp (l->path, "-") != 0)
    l->status = log_command_begin_eventlog (c, l->path, &l->ghc, features_of (l), &l->map);
  else
    l->status = log_command_summarize_eventlog (c, l->path, &l->ghc, features_of (l));
  return l->has_header = l->ghc.log.headers != 0;
}

static bool
read_eventlog_timeline (struct report_log *l)
{
  const bool is_open = l->map.labels != NULL;
  l->view.timeline = l->timeline
      = log_timeline_of_eventlog (l->w->command, l->path, &l->ghc, is_open ? &l->map : NULL,
                                  l->w->interval_ns, report_log_intervals (l->w));
  if (is_open && l->timeline == NULL)
    l->status = CLI_INPUT;
  if (is_open)
    log_command_finish_eventlog (l->w->command, l->path, &l->ghc, features_of (l), l->status);
  return true;
}

static const struct pass ghc_passes[] = {
  { NULL, summarize_eventlog },
  { needs_timeline, read_eventlog_timeline },
  { NULL, NULL },
};

static void
write_eventlog (const struct report_log *l)
{
  sections_write_eventlog (l->w->emitter, l->w->own->schema, l->name, &l->ghc, &l->view,
                           l->sections);
}

static struct run_figures *
make_eventlog_figures (const struct report_log *l, const struct view *view)
{
  return run_figures_new_eventlog (l->name, &l->ghc, view);
}

static void
clear_eventlog (struct report_log *l)
{
  ghc_summary_clear (&l->ghc);
}

/* ---- any log ---- */

static bool
chooses_rows (const struct selection *s)
{
  return selection_has_names (s) || s->min_ns != 0 || s->min_bytes != 0;
}

/* Writes the report out, whose passes were run. */
static void
put_out (struct report_log *l)
{
  struct log_command *c = l->w->command;
  if (c->logs[1] != NULL || l->w->has_each)
    emitter_set_log (l->w->emitter, l->name);
  l->kind->write (l);
  if (l->rows.shown == 0 && chooses_rows (&c->selection) && l->status == CLI_OK)
    log_command_warn_empty_selection (
        c, l->path, l->rows.seen,
        "rows that --filter, --exclude, --min-time or --min-bytes apply to");
  if (!output_write (&c->output, l->w->text))
    l->status = CLI_INPUT;
  log_command_separate (c, l->w->text);
}

/* Compares the figures of a log with the budgets. */
static void
check_budgets (const struct report_log *l)
{
  const struct view view = budget_view (l);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) run_figures_free);
  g_ptr_array_add (runs, l->kind->make_figures (l, &view));
  budget_results_add (&l->w->budgets->results, l->w->budgets->budgets, runs, NULL);
}

static bool
run_passes (struct report_log *l)
{
  bool is_whole = true;
  for (const struct pass *pass = l->kind->passes; is_whole && pass->run != NULL; pass++)
    is_whole = (pass->is_needed != NULL && !pass->is_needed (l)) || pass->run (l);
  return is_whole;
}

/* The log, and which of several parts of it the report is on (transfer full). */
static char *
name_of (const struct report_log *l)
{
  return l->w->has_each ? g_strdup_printf (
             "%s (%u of %u)", l->path, l->w->command->selection.occurrence + 1, l->w->occurrences)
                        : g_strdup (l->path);
}

static int
write_report (struct report_log *l)
{
  l->view.rows = &l->rows;
  const bool is_whole = run_passes (l);
  l->name = name_of (l);
  if (is_whole)
    put_out (l);
  if (l->has_header && has_budgets (l))
    check_budgets (l);
  g_clear_pointer (&l->timeline, timeline_free);
  g_free (l->flames);
  g_free (l->name);
  l->kind->clear (l);
  return l->status;
}

static int
report_mono (void *data, const char *path)
{
  static const struct report_kind kind = { mono_passes, write_mono, make_mono_figures, clear_mono };
  const struct report_context *w = data;
  struct report_log l = { w, &kind, w->own->sections, path, .view = *w->view };
  return write_report (&l);
}

static int
report_eventlog (void *data, const char *path)
{
  static const struct report_kind kind
      = { ghc_passes, write_eventlog, make_eventlog_figures, clear_eventlog };
  const struct report_context *w = data;
  struct report_log l = { w, &kind, w->own->ghc_sections, path, .view = *w->view };
  l.view.sections = l.view.ghc_sections;
  return write_report (&l);
}

int
report_log_write (struct report_context *w, const char *path)
{
  const char *lack
      = w->view->objects != VIEW_OBJECTS_ALL ? "only logs of Mono have the fate of objects"
        : w->view->by != VIEW_BY_USUAL       ? "only rows of logs of Mono have what --by shows"
                                             : NULL;
  const struct log_action actions[]
      = { [LOG_MONO] = { .run = report_mono },
          [LOG_GHC] = { .run = lack == NULL ? report_eventlog : NULL, .lack = lack } };
  return log_kind_run (w->command, path, true, actions, w);
}
