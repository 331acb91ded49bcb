/* report-tree.c -- samples, or calls, as a tree: the callers of the methods that used the time. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/model/call-tree-query.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"
#include <string.h>

static const struct emitter_column columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                 { NULL, "%", EMIT_SHARE },
                                                 SECTION_INTERVAL ("total", "_ns", EMIT_NS),
                                                 { "self_ns", "Self ms", EMIT_NS },
                                                 SECTION_INTERVAL_RAW ("self", "_ns", EMIT_NS),
                                                 { "hits", "Hits", EMIT_NUMBER },
                                                 { "first_ns", "First ms", EMIT_TIME },
                                                 { "last_ns", "Last ms", EMIT_TIME },
                                                 { "depth", NULL, EMIT_NUMBER },
                                                 { "name", "Method", EMIT_TEXT } };
static const struct table_shape nodes
    = { .key = "nodes", TABLE_SHAPE_COLUMNS (columns), .method = "name", .whole = true };

/* Where callers follow callees, the time of a node is that of the first callee. */
static const struct emitter_column upward_columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                        { NULL, "%", EMIT_SHARE },
                                                        SECTION_INTERVAL ("total", "_ns", EMIT_NS),
                                                        { "hits", "Hits", EMIT_NUMBER },
                                                        { "first_ns", "First ms", EMIT_TIME },
                                                        { "last_ns", "Last ms", EMIT_TIME },
                                                        { "depth", NULL, EMIT_NUMBER },
                                                        { "name", "Method", EMIT_TEXT } };
static const struct table_shape upward_nodes
    = { .key = "nodes", TABLE_SHAPE_COLUMNS (upward_columns), .method = "name", .whole = true };

static const struct emitter_column call_columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                      { NULL, "%", EMIT_SHARE },
                                                      { "self_ns", "Self ms", EMIT_NS },
                                                      { "calls", "Calls", EMIT_NUMBER },
                                                      { "average_ns", "Average ms", EMIT_NS },
                                                      { "longest_ns", "Longest ms", EMIT_NS },
                                                      { "longest_start_ns", "at ms", EMIT_TIME },
                                                      { "depth", NULL, EMIT_NUMBER },
                                                      { "name", "Method", EMIT_TEXT } };
static const struct table_shape call_nodes
    = { .key = "nodes", TABLE_SHAPE_COLUMNS (call_columns), .method = "name", .whole = true };

static const struct emitter_column upward_call_columns[]
    = { { "total_ns", "Total ms", EMIT_NS },     { NULL, "%", EMIT_SHARE },
        { "calls", "Calls", EMIT_NUMBER },       { "average_ns", "Average ms", EMIT_NS },
        { "longest_ns", "Longest ms", EMIT_NS }, { "longest_start_ns", "at ms", EMIT_TIME },
        { "depth", NULL, EMIT_NUMBER },          { "name", "Method", EMIT_TEXT } };
static const struct table_shape upward_call_nodes = {
  .key = "nodes", TABLE_SHAPE_COLUMNS (upward_call_columns), .method = "name", .whole = true
};

/* The tree that the section shows. */
struct shown_tree {
  const struct report *r;
  const struct call_tree *tree;
  bool is_upward;
  uint64_t interval; /* ns of a unit of weight */
  uint64_t whole;    /* weight of the log */
  uint64_t *self;
};

bool
report_tree_is_of_calls (const struct summary *s, enum view_source source)
{
  const struct calls *calls = SUMMARY_STATE (s, calls);
  return calls->has_stacks && calls->tree.kind == CALL_TIMES_CALLS
         && (source == VIEW_SOURCE_CALLS
             || (source == VIEW_SOURCE_ANY && SUMMARY_STATE (s, samples)->hits == 0
                 && calls->total != 0));
}

/* The methods whose names contain this text, as the tree or as other sections state them. */
static GByteArray *
find_methods (const struct report *r, const char *part)
{
  GByteArray *wanted = g_byte_array_new ();
  const guint n = r->s->symbols.all[SYMBOL_METHOD]->len;
  g_byte_array_set_size (wanted, n);
  for (guint i = 0; i < n; i++) {
    char *name = section_method_name (r->s, i), *frame = section_frame_name (r->s, i);
    wanted->data[i] = strstr (name, part) != NULL || strstr (frame, part) != NULL;
    g_free (name);
    g_free (frame);
  }
  return wanted;
}

/* Whether the view wants another tree than the one of the log: that is made then. */
static bool
make_tree (const struct report *r, const struct call_tree *all, struct call_tree *made)
{
  const struct view *v = r->view;
  if (v->callers == NULL && v->callees == NULL && !v->is_inverted)
    return false;
  call_tree_init (made, all->kind);
  if (v->callers != NULL || v->callees != NULL) {
    GByteArray *wanted = find_methods (r, v->callers != NULL ? v->callers : v->callees);
    if (v->callers != NULL)
      call_tree_find_callers (all, wanted, v->limit, made);
    else
      call_tree_find_callees (all, wanted, made);
    g_byte_array_unref (wanted);
  } else {
    call_tree_invert (all, v->limit, made);
  }
  return true;
}

/* In text, with one blank for each branch. */
static char *
name_of_row (const struct report *r, const struct call_node *node, const struct call_tree_row *row)
{
  g_autofree char *name = section_frame_name (r->s, node->method);
  if (section_is_machine_readable (r))
    return g_steal_pointer (&name);
  g_autofree char *words = section_words (r, name);
  return g_strdup_printf ("%*s%s", (int) (2 * row->steps), "", words);
}

/* Of samples. */
static struct section_interval
interval_of (const struct shown_tree *shown, uint64_t weight)
{
  return section_interval (weight * shown->interval, shown->whole * shown->interval,
                           (double) shown->whole);
}

static void
put_node (const struct shown_tree *shown, struct table *t, const struct call_tree_row *row)
{
  const struct call_tree *tree = shown->tree;
  const struct call_node *node = &g_array_index (tree->nodes, struct call_node, row->node);
  const struct call_times *times = call_tree_times (tree, row->node);
  const struct log *log = &shown->r->s->log;
  const uint64_t weight = call_tree_weight (tree, row->node), longest = times->end - times->start;
  char *name = name_of_row (shown->r, node, row);
  const union emitter_value total = { .number = weight * shown->interval },
                            share = { .number = emitter_share (weight, shown->whole) },
                            self = { .number = shown->self[row->node] * shown->interval },
                            count = { .number = node->calls }, depth = { .number = row->depth },
                            start = { .change = log_when (log, times->start) },
                            text = { .text = name };
  const union emitter_value average = { .number = weight / MAX (1, node->calls) },
                            end = { .change = log_when (log, times->end) };
  const struct section_interval of_total = interval_of (shown, weight),
                                of_self = interval_of (shown, shown->self[row->node]);
  if (tree->kind == CALL_TIMES_CALLS && shown->is_upward)
    SECTION_ROW (t, total, share, count, average, { .number = longest }, start, depth, text);
  else if (tree->kind == CALL_TIMES_CALLS)
    SECTION_ROW (t, total, share, self, count, average, { .number = longest }, start, depth, text);
  else if (shown->is_upward)
    SECTION_ROW (t, total, share, SECTION_INTERVAL_CELLS (of_total), count, start, end, depth,
                 text);
  else
    SECTION_ROW (t, total, share, SECTION_INTERVAL_CELLS (of_total), self,
                 { .number = of_self.low }, { .number = of_self.high }, count, start, end, depth,
                 text);
  g_free (name);
}

static void
put_nodes (const struct shown_tree *shown)
{
  const struct report *r = shown->r;
  const bool is_of_calls = shown->tree->kind == CALL_TIMES_CALLS;
  GArray *rows = call_tree_rows (shown->tree, r->view->limit, section_compare_methods, r->s);
  const guint left_out = shown->tree->nodes->len - 1 - rows->len;
  result_number_if (r->e, TREE_LEFT_OUT, left_out != 0, left_out);
  struct table *t
      = section_table (r, is_of_calls        ? shown->is_upward ? &upward_call_nodes : &call_nodes
                          : shown->is_upward ? &upward_nodes
                                             : &nodes);
  for (guint i = 0; i < rows->len; i++)
    put_node (shown, t, &g_array_index (rows, struct call_tree_row, i));
  table_write (t, r->e);
  g_array_unref (rows);
}

/* The time of all calls, but for their callees: that of the outermost ones. */
static uint64_t
time_of_calls (const struct call_tree *tree)
{
  uint64_t sum = 0;
  for (guint i = 1; i < tree->nodes->len; i++)
    if (g_array_index (tree->nodes, struct call_node, i).parent == CALL_TREE_ROOT)
      sum += call_tree_weight (tree, i);
  return sum;
}

/* Hits of native code without a frame of a method are in no node. */
static void
put_stackless (const struct shown_tree *shown)
{
  const struct samples *samples = SUMMARY_STATE (shown->r->s, samples);
  uint64_t in_nodes = 0;
  for (guint i = 1; i < samples->tree.nodes->len; i++)
    if (g_array_index (samples->tree.nodes, struct call_node, i).parent == CALL_TREE_ROOT)
      in_nodes += call_tree_weight (&samples->tree, i);
  const uint64_t hits = samples->running - MIN (samples->running, in_nodes);
  result_number_if (shown->r->e, TREE_STACKLESS_HITS, hits != 0, hits);
  result_put (shown->r->e, TREE_STACKLESS_NS, hits != 0,
              (union emitter_value){ .number = hits * shown->interval });
}

static void
put_sums (const struct shown_tree *shown)
{
  const struct report *r = shown->r;
  const struct view *v = r->view;
  const bool is_of_calls = shown->tree->kind == CALL_TIMES_CALLS;
  result_text (r->e, TREE_SOURCE, shown->whole == 0 ? NULL : is_of_calls ? "calls" : "samples");
  result_number (r->e, TREE_HITS, SUMMARY_STATE (r->s, samples)->running);
  if (!is_of_calls)
    put_stackless (shown);
  if (shown->tree->nodes->len == 1 && shown->whole != 0
      && (v->callers != NULL || v->callees != NULL))
    result_text (r->e, TREE_MISSING, v->callers != NULL ? v->callers : v->callees);
}

static const char *
title_of (const struct view *v)
{
  return v->callers != NULL   ? "Callers"
         : v->callees != NULL ? "Callees"
         : v->is_inverted     ? "Methods and their callers"
                              : "Tree";
}

static void
put_tree (const struct report *r)
{
  const struct summary *s = r->s;
  const struct samples *samples = SUMMARY_STATE (s, samples);
  const bool is_of_calls = report_tree_is_of_calls (s, r->view->source);
  const struct call_tree *all = is_of_calls ? &SUMMARY_STATE (s, calls)->tree : &samples->tree;
  struct call_tree made;
  const bool is_made = make_tree (r, all, &made);
  struct shown_tree shown = {
    .r = r,
    .tree = is_made ? &made : all,
    .is_upward = r->view->callers != NULL || r->view->is_inverted,
    .interval = is_of_calls ? 1 : samples_ns_per_hit (samples),
    .whole = is_of_calls ? time_of_calls (all) : samples->running,
  };
  shown.self = call_tree_self (shown.tree);
  section_open (r, "tree", title_of (r->view), is_of_calls || samples->hits != 0);
  put_sums (&shown);
  put_nodes (&shown);
  emitter_close (r->e);
  g_free (shown.self);
  if (is_made)
    call_tree_clear (&made);
}

const struct section section_tree
    = { .key = "tree",
        .put = put_tree,
        .extra = true,
        .tables = SECTION_TABLES (&nodes, &upward_nodes, &call_nodes, &upward_call_nodes) };
