/* heap-query.c -- runs the queries of proflog heap. */
#include "config.h"

#include "decoder/report/heap-query.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/exports/export-paths.h"
#include "decoder/heap/heap-collections.h"
#include "decoder/heap/heap-compare.h"
#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-tasks.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/log/log-passes.h"
#include "decoder/log/log-summary.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/core/library-names.h"
#include "decoder/mlpd/query/leaks.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/ghc/ghc-bands.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"
#include <string.h>

static int
report_no_shot_of (const struct heap_query *q, const char *log, const struct summary *s, guint shot)
{
  const guint n = SUMMARY_STATE (s, heapshots)->begun;
  if (n == 0 && q->command->selection.threads != NULL)
    cli_message ("proflog heap: %s: no heap snapshot is of the selected threads", log);
  else if (n == 0)
    cli_message ("proflog heap: %s: the log has no heap snapshots; 'proflog run --heapshot=100ms' "
                 "takes them",
                 log);
  else if (shot == 0)
    cli_message ("proflog heap: %s: none of the log's %u heap snapshots is in the selected part",
                 log, n);
  else if (shot <= n && q->command->selection.threads != NULL)
    cli_message ("proflog heap: %s: heap snapshot %u is not of the selected threads and times", log,
                 shot);
  else if (shot <= n && selection_has_times (&q->command->selection))
    cli_message ("proflog heap: %s: heap snapshot %u is outside of the time range", log, shot);
  else
    cli_message ("proflog heap: %s: there is no heap snapshot %u: the log has %u", log, shot, n);
  return CLI_INPUT;
}

static int
report_no_shot (const struct heap_query *q, const struct summary *s, guint shot)
{
  return report_no_shot_of (q, q->request->log, s, shot);
}

/* Classes of this name; if there are none, those that have it in theirs.  False if there are none
 * either. */
static bool
mark_class (struct heap_query *q, const char *name)
{
  const struct heap_graph *g = q->graph;
  bool any = false;
  uint8_t *chosen = g_new0 (uint8_t, g->n_classes + 1);
  for (int part = 0; part < 2 && !any; part++)
    for (uint32_t i = 0; i < g->n_classes; i++) {
      const char *full = g->class_list[i].name;
      chosen[i] = part ? strstr (full, name) != NULL : strcmp (full, name) == 0;
      any |= chosen[i];
    }
  q->selected = g_new0 (uint8_t, g->n_objects + 1);
  for (uint32_t i = 0; i < g->n_objects; i++)
    q->selected[i] = chosen[g->classes[i]];
  g_free (chosen);
  return any;
}

bool
heap_parse_address (const char *text, guint64 *address)
{
  return g_str_has_prefix (text, "0x")
         && g_ascii_string_to_unsigned (text + 2, 16, 0, G_MAXUINT64, address, NULL);
}

/* Finds the subject of the query.  False with a message if the snapshot does not have it. */
static bool
find_subject (struct heap_query *q)
{
  const char *subject = q->request->subject;
  guint64 address;
  q->result.object = HEAP_NONE;
  q->result.subject = subject;
  if (subject == NULL)
    return true;
  if (heap_parse_address (subject, &address)) {
    q->result.object = heap_graph_find_inside (q->graph, address);
    if (q->result.object == HEAP_NONE)
      cli_message ("proflog heap: %s: heap snapshot %u has no object at %s", q->request->log,
                   q->graph->index, subject);
    return q->result.object != HEAP_NONE;
  }
  if ((q->request->subcommand->accepts & HEAP_ACCEPTS_CLASS) == 0) {
    cli_message ("proflog heap: %s: not an address of an object, such as 0x7f0a1c0012c0", subject);
    return false;
  }
  const bool any = mark_class (q, subject);
  q->result.selected = q->selected;
  if (!any)
    cli_message ("proflog heap: %s: heap snapshot %u has no object of a class '%s'",
                 q->request->log, q->graph->index, subject);
  return any;
}

static int
write_dot (struct heap_query *q)
{
  struct heap_paths paths;
  GString *text = g_string_new (NULL);
  heap_paths_init (&paths, q->graph);
  if (q->result.selected != NULL)
    export_path_dots (text, &paths, q->result.selected, q->view->limit);
  else
    export_path_dot (text, &paths, q->result.object);
  heap_paths_clear (&paths);
  const bool good = output_write (&q->command->output, text);
  g_string_free (text, TRUE);
  return good ? CLI_OK : CLI_INPUT;
}

/* Writes an answer: `put` gets the data, the emitter and the view that counts its rows.  Returns
 * the exit status. */
static int
heap_write_answer (struct log_command *c, const struct heap_request *r, const struct view *view,
                   void (*put) (const void *data, struct emitter *emitter, const struct view *view),
                   const void *data)
{
  struct view_rows rows = { 0 };
  struct view counting = *view;
  GString *text = g_string_new (NULL);
  struct emitter *emitter = log_command_new_emitter (c, text);
  counting.rows = &rows;
  emitter_set_style (emitter, &(const struct emitter_style){ .has_units = !view->is_raw });
  emitter_set_tables_only (emitter);
  put (data, emitter, &counting);
  emitter_free (emitter);
  if (rows.shown == 0 && rows.seen != 0)
    log_command_warn_empty_selection (c, r->log, rows.seen,
                                      "rows that --filter, --exclude or --min-bytes apply to");
  const bool good = output_write (&c->output, text);
  g_string_free (text, TRUE);
  return good ? CLI_OK : CLI_INPUT;
}

struct answer {
  const struct heap_query *query;
  const struct summary *summary;
};

static void
put_answer (const void *data, struct emitter *e, const struct view *view)
{
  const struct answer *a = data;
  const struct heap_request *r = a->query->request;
  const struct section *const all[] = { r->subcommand->section, &section_damage, NULL };
  sections_write_heap (e, r->subcommand->schema, r->log, a->summary, &a->query->result, view, all);
}

static int
write_result (struct heap_query *q, const struct summary *s)
{
  const struct answer answer = { q, s };
  return heap_write_answer (q->command, q->request, q->view, put_answer, &answer);
}

/* Is the heap larger by more than the threshold? */
static bool
heap_is_above (const struct heap_threshold *t, uint64_t before, uint64_t now)
{
  const double allowed = t->is_percent ? (double) before * t->number / 100 : t->number;
  return t->is_set && now > before && (double) (now - before) > allowed;
}

/* Reports the missing parts of a queried snapshot. */
static void
warn_of_state (const struct heap_query *q, const struct heap_graph *g)
{
  if (g->state == HEAPSHOT_COMPLETE)
    return;
  char *message = g_strdup_printf (
      "heap snapshot %u is %s: objects and references are missing%s", g->index,
      heapshot_state_name (g->state),
      g->state == HEAPSHOT_DAMAGED ? ", wrong, or those of another snapshot" : "");
  log_command_warn (q->command, q->request->log, message);
  g_free (message);
}

/* Builds a snapshot; 0: the last.  Returns the exit status. */
static int
build_shot (struct heap_query *q, struct summary *s, guint shot)
{
  q->graph = summary_build_heap (s, shot);
  if (q->graph == NULL)
    return report_no_shot (q, s, shot);
  warn_of_state (q, q->graph);
  if (!find_subject (q))
    return CLI_INPUT;
  return CLI_OK;
}

static int
print_report (struct heap_query *q, const struct summary *s)
{
  q->result.graph = q->graph;
  q->result.dominators = q->dominators;
  q->result.by = q->request->by;
  const int status = q->request->is_dot ? write_dot (q) : write_result (q, s);
  return status == CLI_OK && q->is_true ? CLI_TRUE : status;
}

/* Reports that the series has not all snapshots. */
static void
warn_of_series (const struct heap_query *q, const struct heap_growth *g)
{
  if (g->left_out == 0)
    return;
  char *message
      = g_strdup_printf ("%u of %u heap snapshots are left out of the series: they are empty, "
                         "cut or damaged; 'proflog heap list' lists them",
                         g->left_out, g->left_out + g->n_shots);
  log_command_warn (q->command, q->request->log, message);
  g_free (message);
}

static int
report_no_series (const struct heap_query *q, const struct summary *s)
{
  if (SUMMARY_STATE (s, heapshots)->shots->len == 0)
    return report_no_shot (q, s, 0);
  cli_message ("proflog heap: %s: none of the heap snapshots is complete", q->request->log);
  return q->request->threshold.is_set ? CLI_TRUE : CLI_INPUT;
}

/* Where nothing can be judged, the condition of a check counts as met, with a message.  `why` NULL:
 * it can (transfer full). */
static bool
cannot_judge (const struct heap_query *q, const char *subject, char *why)
{
  const bool is_unjudged = q->request->threshold.is_set && why != NULL;
  if (is_unjudged)
    cli_message ("proflog heap: %s: %s cannot be judged: %s", q->request->log, subject, why);
  g_free (why);
  return is_unjudged;
}

/* Why nothing can be stated about the growth of all objects (transfer full); NULL: it can. */
static char *
growth_unjudged (const struct heap_growth *g)
{
  if (g->n_shots < 2)
    return g_strdup_printf ("%u complete heap snapshot%s, 2 are needed", g->n_shots,
                            g->n_shots == 1 ? "" : "s");
  return NULL;
}

int
heap_run_growth (struct heap_query *q, struct summary *s)
{
  struct heap_growth growth;
  heap_growth_init (&growth, s, 0);
  warn_of_series (q, &growth);
  q->result.growth = &growth;
  if (growth.n_shots == 0) {
    heap_growth_clear (&growth);
    return report_no_series (q, s);
  }
  q->is_true = heap_is_above (&q->request->threshold, growth.all.shots[0].bytes,
                              growth.all.shots[growth.n_shots - 1].bytes)
               || cannot_judge (q, "growth", growth_unjudged (&growth));
  const int status = print_report (q, s);
  heap_growth_clear (&growth);
  return status;
}

int
heap_run_leaks (struct heap_query *q, struct summary *s)
{
  struct shot_leaks found;
  if (!shot_leaks_init (&found, s, q->request->shot))
    return report_no_shot (q, s, q->request->shot);
  q->graph = found.graph;
  q->dominators = found.dominators;
  q->result.object = HEAP_NONE;
  q->result.growth = &found.growth;
  q->result.leaks = &found.leaks;
  q->result.skipped_shot = found.skipped_shot;
  q->is_true = (q->request->threshold.is_set && found.leaks.all->len != 0)
               || cannot_judge (q, "leaks",
                                heap_leaks_unjudged (found.graph, found.dominators, &found.growth));
  warn_of_state (q, q->graph);
  warn_of_series (q, &found.growth);
  g_autoptr (GArray) sites = log_leak_sites (q->command, q->request->log, s, &found);
  q->result.sites = sites;
  const int status = print_report (q, s);
  shot_leaks_clear (&found);
  q->graph = NULL; /* were its own */
  q->dominators = NULL;
  return status;
}

/* Why nothing can be stated about the difference (transfer full); NULL: it can. */
static char *
diff_unjudged (const struct heap_graph *before, const struct heap_graph *after)
{
  const struct heap_graph *const g = before->state != HEAPSHOT_COMPLETE ? before : after;
  return g->state != HEAPSHOT_COMPLETE
             ? g_strdup_printf ("heap snapshot %u is %s", g->index, heapshot_state_name (g->state))
             : NULL;
}

/* ---- two logs ---- */

/* The method that allocated: the innermost one of the program itself, if there is one (transfer
 * full). */
static char *
name_site (const struct summary *s, guint trace)
{
  guint n;
  const guint *frames = traces_frames (&s->traces, trace, &n);
  for (guint i = n; i-- > 0;) {
    g_autofree char *name = section_method_name (s, frames[i]);
    if (library_names_is_program (name))
      return g_steal_pointer (&name);
  }
  return n != 0 ? section_method_name (s, frames[n - 1]) : NULL;
}

static void
add_sites (struct heap_query *q, struct heap_compare *compare, bool is_now, const char *path,
           struct summary *s, const struct heap_graph *g)
{
  g_autoptr (GArray) sites = log_object_sites (q->command, path, s, g);
  for (guint i = 0; sites != NULL && i < sites->len; i++) {
    const struct object_sites *const found = &g_array_index (sites, struct object_sites, i);
    g_autofree char *site = name_site (s, found->trace);
    if (site != NULL)
      heap_compare_add_site (compare, is_now, g->class_list[found->klass].name, site, found->count);
  }
}

/* Prints the changes from the snapshot of the first log to that of the newer one. */
static int
print_comparison (struct heap_query *q, struct summary *old, struct summary *s,
                  struct heap_graph *before)
{
  struct heap_dominators *dominated = heap_dominators_new (before);
  struct heap_diff diff;
  struct heap_compare compare;
  q->dominators = heap_dominators_new (q->graph);
  heap_diff_init (&diff, NULL, before, dominated, q->graph, q->dominators);
  heap_compare_init (&compare, before, q->graph);
  add_sites (q, &compare, false, q->request->log, old, before);
  add_sites (q, &compare, true, q->request->newer, s, q->graph);
  q->result.before = before;
  q->result.diff = &diff;
  q->result.compare = &compare;
  q->is_true = heap_is_above (&q->request->threshold, before->total_bytes, q->graph->total_bytes)
               || cannot_judge (q, "the difference", diff_unjudged (before, q->graph));
  warn_of_state (q, before);
  warn_of_state (q, q->graph);
  const int status = print_report (q, s);
  heap_compare_clear (&compare);
  heap_diff_clear (&diff);
  heap_dominators_free (dominated);
  return status;
}

static int
compare_logs (struct heap_query *q, struct summary *old)
{
  struct shot_selection shots = { .last = true };
  const struct scan_options options = { .graphs = &shots, .traces = true };
  struct heap_graph *before = summary_build_heap (old, 0);
  struct summary s;
  if (before == NULL)
    return report_no_shot (q, old, 0);
  int status = log_command_read_summary (q->command, q->request->newer, &options, NULL, &s);
  q->graph = s.log.has_header ? summary_build_heap (&s, 0) : NULL;
  if (q->graph != NULL) {
    const int printed = print_comparison (q, old, &s, before);
    status = MAX (status, printed);
  } else if (s.log.has_header) {
    status = report_no_shot_of (q, q->request->newer, &s, 0);
  }
  summary_clear (&s);
  heap_graph_free (before);
  return status;
}

int
heap_run_diff (struct heap_query *q, struct summary *s)
{
  if (q->request->newer != NULL)
    return compare_logs (q, s);
  const guint *pair = q->request->pair;
  q->graph = summary_build_heap (s, pair[1]);
  if (q->graph == NULL)
    return report_no_shot (q, s, pair[1]);
  if (q->graph->index == pair[0]) {
    cli_message ("proflog heap: %s: one heap snapshot; a diff needs two", q->request->log);
    return CLI_INPUT;
  }
  struct heap_graph *before = summary_build_heap (s, pair[0]);
  if (before == NULL)
    return report_no_shot (q, s, pair[0]);
  struct heap_dominators *dominated = heap_dominators_new (before);
  struct heap_diff diff;
  q->dominators = heap_dominators_new (q->graph);
  heap_diff_init (&diff, &SUMMARY_STATE (s, heap_builder)->moves, before, dominated, q->graph,
                  q->dominators);
  q->result.before = before;
  q->result.diff = &diff;
  q->is_true = heap_is_above (&q->request->threshold, before->total_bytes, q->graph->total_bytes)
               || cannot_judge (q, "the difference", diff_unjudged (before, q->graph));
  warn_of_state (q, before);
  warn_of_state (q, q->graph);
  const int status = print_report (q, s);
  heap_diff_clear (&diff);
  heap_dominators_free (dominated);
  heap_graph_free (before);
  return status;
}

int
heap_run_list (struct heap_query *q, struct summary *s)
{
  return print_report (q, s);
}

int
heap_run_shot (struct heap_query *q, struct summary *s)
{
  const int status = build_shot (q, s, q->request->shot);
  return status == CLI_OK ? print_report (q, s) : status;
}

int
heap_run_dominated_shot (struct heap_query *q, struct summary *s)
{
  const int status = build_shot (q, s, q->request->shot);
  if (status != CLI_OK)
    return status;
  q->dominators = heap_dominators_new (q->graph);
  return print_report (q, s);
}

/* ---- contents of objects ---- */

/* Reports that a log has no contents: why not, and how it gets them. */
static int
report_no_contents (const struct heap_query *q, const struct summary *s, const char *things,
                    const char *option)
{
  if (s->log.header.data_version < MLPD_VERSION_LAYOUTS)
    cli_message (
        "proflog heap: %s: data version %u has no contents of %s; the module writes them in "
        "data version %d",
        q->request->log, s->log.header.data_version, things, MLPD_VERSION_LAST);
  else
    cli_message (
        "proflog heap: %s: heap snapshot %u has no contents of %s: 'proflog run --heapshot "
        "--with %s' records them",
        q->request->log, q->graph->index, things, option);
  return CLI_INPUT;
}

int
heap_run_strings (struct heap_query *q, struct summary *s)
{
  const int status = build_shot (q, s, q->request->shot);
  if (status != CLI_OK)
    return status;
  if (q->graph->contents == NULL || !q->graph->contents->has_strings)
    return report_no_contents (q, s, "strings", "heapshot-strings");
  return print_report (q, s);
}

int
heap_run_collections (struct heap_query *q, struct summary *s)
{
  struct heap_collections collections;
  const int status = build_shot (q, s, q->request->shot);
  if (status != CLI_OK)
    return status;
  if (q->graph->contents == NULL || !q->graph->contents->has_collections)
    return report_no_contents (q, s, "collections", "heapshot-collections");
  struct heap_graph *before = q->graph->index > 1 ? summary_build_heap (s, 1) : NULL;
  heap_collections_init (&collections, q->graph, before, &SUMMARY_STATE (s, heap_builder)->moves);
  q->result.before = before;
  q->result.collections = &collections;
  const int print_status = print_report (q, s);
  heap_collections_clear (&collections);
  heap_graph_free (before);
  return print_status;
}

/* Continuations are known by their fields. */
int
heap_run_tasks (struct heap_query *q, struct summary *s)
{
  struct heap_tasks tasks;
  const int status = build_shot (q, s, q->request->shot);
  if (status != CLI_OK)
    return status;
  if (!q->graph->has_fields) {
    cli_message ("proflog heap: %s: data version %u, or its writer, states no fields of classes, "
                 "by which tasks are known; the module writes them in data version %d",
                 q->request->log, s->log.header.data_version, MLPD_VERSION_LAST);
    return CLI_INPUT;
  }
  struct heap_graph *before = q->graph->index > 1 ? summary_build_heap (s, 1) : NULL;
  heap_tasks_init (&tasks, q->graph, before, &SUMMARY_STATE (s, heap_builder)->moves);
  q->result.before = before;
  q->result.tasks = &tasks;
  const int print_status = print_report (q, s);
  heap_tasks_clear (&tasks);
  heap_graph_free (before);
  return print_status;
}

/* ---- which snapshots are built ---- */

void
heap_select_shot (const struct heap_request *r, struct shot_selection *shots,
                  struct scan_options *options)
{
  (void) options;
  shots->last = r->shot == 0;
  shots->indexes = &r->shot;
  shots->n_indexes = r->shot != 0;
}

void
heap_select_pair (const struct heap_request *r, struct shot_selection *shots,
                  struct scan_options *options)
{
  shots->last = !heap_request_has_pair (r);
  options->traces = r->newer != NULL;
  if (r->newer != NULL)
    return;
  shots->indexes = r->pair;
  shots->n_indexes = shots->last ? 1 : G_N_ELEMENTS (r->pair);
  shots->moves = true;
}

void
heap_select_first_and_shot (const struct heap_request *r, struct shot_selection *shots,
                            struct scan_options *options)
{
  static guint first_and_shot[] = { 1, 1 };
  (void) options;
  first_and_shot[1] = MAX (r->shot, 1);
  shots->last = r->shot == 0;
  shots->indexes = first_and_shot;
  shots->n_indexes = G_N_ELEMENTS (first_and_shot);
  shots->moves = true;
}

void
heap_select_peak (const struct heap_request *r, struct shot_selection *shots,
                  struct scan_options *options)
{
  heap_select_shot (r, shots, options);
  shots->peak = r->shot == 0;
  shots->earlier = true;
  options->traces = true;
}

/* ---- the log ---- */

/* Reads the log into a summary, and runs the query on it. */
static int
read_and_run (struct heap_query *q)
{
  const struct heap_request *r = q->request;
  struct shot_selection shots = { 0 };
  struct scan_options options = { 0 };
  struct summary s;
  if (r->subcommand->select != NULL) {
    r->subcommand->select (r, &shots, &options);
    options.graphs = &shots;
  }
  const int status = log_command_read_summary (q->command, r->log, &options, NULL, &s);
  const int run_status = s.log.has_header ? r->subcommand->run (q, &s) : CLI_OK;
  summary_clear (&s);
  return MAX (status, run_status);
}

int
heap_query_run (struct log_command *c, const struct heap_request *request, const struct view *view)
{
  const guint number = heap_request_has_pair (request) ? request->pair[0] : request->shot;
  if (request->has_number && number == 0) {
    cli_message ("proflog heap: %s: heap snapshots are numbered from 1", request->log);
    g_clear_pointer (&c->input, log_input_close);
    return CLI_INPUT;
  }
  struct heap_query q = { .command = c, .request = request, .view = view };
  const int status = read_and_run (&q);
  heap_graph_free (q.graph);
  heap_dominators_free (q.dominators);
  g_free (q.selected);
  return status;
}

/* ---- heap profiles of an eventlog ---- */

/* Has each profile the samples that are requested?  Warns where the bytes of bands are those of an
 * earlier sample. */
static bool
check_samples (struct log_command *c, const struct heap_request *r,
               const struct ghc_heap_profiles *p, const struct ghc_sample_query *query)
{
  const bool is_diff = r->subcommand->section == &heap_section_diff;
  const guint wanted
      = is_diff ? 2 : query->is_set || r->subcommand->section == &heap_section_histogram;
  for (guint i = 0; i < p->all->len; i++) {
    const struct ghc_heap_profile *profile = p->all->pdata[i];
    for (guint k = 0; k < wanted && (query->is_set || profile->samples->len != 0); k++) {
      const uint32_t number = query->is_set ? query->numbers[k]
                              : !is_diff    ? profile->largest
                              : k == 0      ? profile->first
                                            : profile->end;
      if (number >= profile->samples->len) {
        cli_message ("proflog heap: %s: there is no sample %u: the heap profile has %u, from 0",
                     r->log, number, profile->samples->len);
        return false;
      }
      const uint32_t retained = ghc_heap_profile_retained (profile, number);
      if (retained != number) {
        g_autofree char *message = g_strdup_printf (
            "bands of sample %u are not retained: those of sample %u stand for them", number,
            retained);
        log_command_warn (c, r->log, message);
      }
    }
  }
  return true;
}

/* Leaks and growth need some samples; else the condition counts as met, with a message. */
static bool
cannot_check (const struct heap_request *r, const struct selection *selection,
              const struct ghc_heap_profile *profile)
{
  const bool is_leaks = r->subcommand->section == &heap_section_leaks;
  if (!r->threshold.is_set || (!is_leaks && r->subcommand->section != &heap_section_growth))
    return false;
  g_autofree char *unjudged = ghc_bands_unjudged (profile, selection);
  if (unjudged != NULL)
    cli_message ("proflog heap: %s: %s cannot be judged: %s", r->log, is_leaks ? "leaks" : "growth",
                 unjudged);
  return unjudged != NULL;
}

/* Is the condition of --exit-code or --fail-above true of a profile? */
static bool
is_true_of (const struct heap_request *r, const struct ghc_sample_query *query,
            const struct ghc_heap_profile *profile)
{
  if (!r->threshold.is_set || profile->samples->len == 0)
    return false;
  if (r->subcommand->section == &heap_section_leaks) {
    for (guint i = 0; i < profile->bands->len; i++)
      if (((const struct ghc_band *) profile->bands->pdata[i])->grows)
        return true;
    return false;
  }
  const uint32_t before = query->is_set ? query->numbers[0] : profile->first,
                 now = query->is_set ? query->numbers[1] : profile->end;
  return heap_is_above (&r->threshold, ghc_heap_profile_sample (profile, before)->bytes,
                        ghc_heap_profile_sample (profile, now)->bytes);
}

struct bands_answer {
  const struct heap_request *request;
  const struct ghc_summary *summary;
  const struct ghc_sample_query *samples;
};

static void
put_bands (const void *data, struct emitter *e, const struct view *view)
{
  const struct bands_answer *a = data;
  const struct heap_request *r = a->request;
  const struct section *const all[] = { r->subcommand->bands, &ghc_section_damage, NULL };
  sections_write_bands (e, r->subcommand->schema, r->log, a->summary, a->samples, view, all);
}

static int
answer_bands (struct log_command *c, const struct heap_request *r, const struct view *view,
              const struct ghc_summary *s)
{
  const bool is_pair = heap_request_has_pair (r);
  const struct ghc_sample_query query
      = { .is_set = r->has_number, .numbers = { is_pair ? r->pair[0] : r->shot, r->pair[1] } };
  const struct ghc_heap_profiles *p = &s->heap_profiles;
  if (p->all->len == 0) {
    cli_message (
        "proflog heap: %s: the log has no heap profile; 'proflog run --heap PROGRAM', or the "
        "program's +RTS -l -hT, records one",
        r->log);
    return CLI_INPUT;
  }
  if (!check_samples (c, r, p, &query))
    return CLI_INPUT;
  bool is_true = false;
  for (guint i = 0; i < p->all->len; i++)
    is_true |= is_true_of (r, &query, p->all->pdata[i])
               | cannot_check (r, &c->selection, p->all->pdata[i]);
  const struct bands_answer data = { r, s, &query };
  const int status = heap_write_answer (c, r, view, put_bands, &data);
  return status == CLI_OK && is_true ? CLI_TRUE : status;
}

int
heap_bands_run (struct log_command *c, const struct heap_request *r, const struct view *view)
{
  if (r->subcommand->bands == NULL) {
    g_autofree char *message = g_strdup_printf ("it has no objects for '%s': list, histogram, "
                                                "diff, growth and leaks query its heap profiles",
                                                r->subcommand->name);
    return log_kind_ghc.refuse (c, r->log, message);
  }
  if (r->by != HEAP_BY_CLASS)
    return log_kind_ghc.refuse (c, r->log, "its bands are of one kind: --by is for logs of Mono");
  if (r->newer != NULL)
    return log_kind_ghc.refuse (c, r->log,
                                "'proflog diff --reports=heap_profiles' compares the heap profiles "
                                "of two logs");
  struct ghc_summary summary;
  const int status
      = log_command_summarize_eventlog (c, r->log, &summary, r->subcommand->bands->features);
  const int answer_status = summary.log.headers != 0 ? answer_bands (c, r, view, &summary) : CLI_OK;
  ghc_summary_clear (&summary);
  return MAX (status, answer_status);
}
