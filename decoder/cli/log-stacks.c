/* log-stacks.c -- trees into stacks. */
#include "config.h"

#include "decoder/cli/log-stacks.h"
#include "decoder/mlpd/model/call-tree-query.h"
#include "decoder/views/mlpd/report-tree.h"
#include "decoder/views/section.h"

/* ---- of Mono ---- */

struct adding {
  struct export_stacks *stacks;
  const struct summary *summary;
  GArray *frames; /* of uint32_t, by method: number + 1; 0: none yet */
  uint64_t hits;  /* that were added */
};

static uint32_t
frame_of (struct adding *a, guint method)
{
  if (method >= a->frames->len)
    g_array_set_size (a->frames, method + 1);
  uint32_t *frame = &g_array_index (a->frames, uint32_t, method);
  if (*frame == 0) {
    g_autofree char *name = section_frame_name (a->summary, method);
    *frame = export_stacks_frame (a->stacks, name) + 1;
  }
  return *frame - 1;
}

/* The processor time of this many hits: each has the average, and the sum is that of the log. */
static uint64_t
weigh_hits (struct adding *a, uint64_t hits)
{
  const struct samples *s = &a->summary->samples;
  const uint64_t before = a->hits;
  a->hits += hits;
  if (!a->stacks->is_time || s->running == 0)
    return hits;
  return (uint64_t) ((unsigned __int128) s->cpu_ns * a->hits / s->running
                     - (unsigned __int128) s->cpu_ns * before / s->running);
}

/* The nodes of a tree get the same numbers as there. */
static void
add_tree (struct adding *a, const struct call_tree *tree)
{
  uint64_t *self = call_tree_self (tree);
  for (guint i = 1; i < tree->nodes->len; i++) {
    const struct call_node *node = &g_array_index (tree->nodes, struct call_node, i);
    const uint64_t weight = tree->kind == CALL_TIMES_CALLS ? self[i] : weigh_hits (a, self[i]);
    export_stacks_add (a->stacks, node->parent, frame_of (a, node->method), weight);
  }
  g_free (self);
}

static void
add_bare (struct adding *a, uint32_t frame, uint64_t hits)
{
  export_stacks_add (a->stacks, EXPORT_STACKS_ROOT, frame, weigh_hits (a, hits));
}

/* Hits without managed frames, which the tree does not have. */
static void
add_bare_hits (struct adding *a)
{
  const struct samples *s = &a->summary->samples;
  for (guint i = 0; i < s->methods->len; i++) {
    const struct sample_sum *sum = &g_array_index (s->methods, struct sample_sum, i);
    if (sum->bare_hits != 0)
      add_bare (a, frame_of (a, i), sum->bare_hits);
  }
  for (guint i = 0; i < s->symbols->len; i++) {
    const struct sample_symbol *symbol = &g_array_index (s->symbols, struct sample_symbol, i);
    if (symbol->bare != 0)
      add_bare (a, export_stacks_frame (a->stacks, symbol->name), symbol->bare);
  }
  if (s->unnamed_running != 0)
    add_bare (a, export_stacks_frame (a->stacks, "[unknown]"), s->unnamed_running);
}

void
log_stacks_add (struct export_stacks *stacks, const struct summary *summary,
                enum view_source source)
{
  struct adding a = { .stacks = stacks,
                      .summary = summary,
                      .frames = g_array_new (FALSE, TRUE, sizeof (uint32_t)) };
  if (report_tree_is_of_calls (summary, source)) {
    stacks->is_time = true;
    add_tree (&a, &summary->calls.tree);
  } else {
    stacks->is_time = summary->samples.cpu_ns != 0;
    add_tree (&a, &summary->samples.tree);
    add_bare_hits (&a);
  }
  g_array_unref (a.frames);
}

/* ---- of GHC ---- */

void
log_stacks_add_eventlog (struct export_stacks *stacks, const struct ghc_summary *summary)
{
  const struct ghc_time_profile *p = &summary->time_profile;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  stacks->is_time = p->interval != 0;
  for (guint i = 0; i < p->nodes->len; i++) {
    const struct ghc_time_node *node = &g_array_index (p->nodes, struct ghc_time_node, i);
    g_autofree char *name
        = i == 0 ? g_strdup ("MAIN") : ghc_cost_centres_name (&p->centres, node->centre);
    const uint32_t parent
        = i == 0 ? EXPORT_STACKS_ROOT : g_array_index (places, uint32_t, node->parent);
    const uint32_t place = export_stacks_add (stacks, parent, export_stacks_frame (stacks, name),
                                              node->self * (stacks->is_time ? p->interval : 1));
    g_array_append_val (places, place);
  }
  g_array_unref (places);
}
