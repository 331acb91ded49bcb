/* mono-stacks.c -- trees and backtraces into stacks. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/stacks/mono-stacks.h"
#include "decoder/core/wide.h"
#include "decoder/mlpd/model/call-tree-query.h"
#include "decoder/mlpd/query/waits.h"
#include <string.h>

/* What hits weigh: each the average, and all together `sum`. */
struct scale {
  uint64_t sum, hits; /* 0: a hit weighs one */
  uint64_t added;     /* hits so far */
};

struct adding {
  struct export_stacks *stacks;
  const struct symbols *symbols;
  const struct traces *traces;
  const struct summary *summary; /* NULL: there is none */
  GArray *frames;                /* of uint32_t, by method: number + 1; 0: none yet */
};

static uint32_t
frame_of (struct adding *a, guint method)
{
  if (method >= a->frames->len)
    g_array_set_size (a->frames, method + 1);
  uint32_t *frame = &g_array_index (a->frames, uint32_t, method);
  if (*frame == 0) {
    g_autofree char *name = symbols_frame_name (symbols_name (a->symbols, SYMBOL_METHOD, method));
    *frame = export_stacks_frame (a->stacks, name) + 1;
    if (strcmp (name, RECORDING_NAME) != 0)
      export_stacks_set_type (a->stacks, *frame - 1, EXPORT_FRAME_MANAGED);
  }
  return *frame - 1;
}

static uint64_t
weigh (struct scale *scale, uint64_t hits)
{
  const uint64_t before = scale->added;
  scale->added += hits;
  if (scale->hits == 0)
    return hits;
  return wide_scale (scale->sum, scale->added, 0, scale->hits)
         - wide_scale (scale->sum, before, 0, scale->hits);
}

/* Adds the stacks of a tree, with its self times or hits, or with the numbers of calls of each. */
static void
add_tree (struct adding *a, const struct call_tree *tree, bool counts_calls, struct scale *scale)
{
  g_autofree uint64_t *self = call_tree_self (tree);
  g_autofree uint32_t *places = g_new0 (uint32_t, tree->nodes->len);
  for (guint i = 1; i < tree->nodes->len; i++) {
    const struct call_node *node = &g_array_index (tree->nodes, struct call_node, i);
    places[i] = export_stacks_add (a->stacks, places[node->parent], frame_of (a, node->method),
                                   weigh (scale, counts_calls ? node->calls : self[i]));
    export_stacks_count (a->stacks, places[i],
                         tree->kind == CALL_TIMES_CALLS ? node->calls : self[i]);
  }
}

static uint32_t
native_frame (struct adding *a, const char *name)
{
  const uint32_t frame = export_stacks_frame (a->stacks, name);
  if (name[0] != '[')
    export_stacks_set_type (a->stacks, frame, EXPORT_FRAME_NATIVE);
  return frame;
}

static void
add_bare (struct adding *a, uint32_t frame, uint64_t hits, struct scale *scale)
{
  export_stacks_count (
      a->stacks, export_stacks_add (a->stacks, EXPORT_STACKS_ROOT, frame, weigh (scale, hits)),
      hits);
}

/* Hits without managed frames, which the tree does not have. */
static void
add_bare_hits (struct adding *a, struct scale *scale)
{
  const struct samples *s = SUMMARY_STATE (a->summary, samples);
  for (guint i = 0; i < s->methods->len; i++) {
    const struct sample_sum *sum = &g_array_index (s->methods, struct sample_sum, i);
    if (sum->bare_hits != 0)
      add_bare (a, frame_of (a, i), sum->bare_hits, scale);
  }
  for (guint i = 0; i < s->symbols->len; i++) {
    const struct sample_symbol *symbol = &g_array_index (s->symbols, struct sample_symbol, i);
    if (symbol->bare != 0)
      add_bare (a, native_frame (a, symbol->name), symbol->bare, scale);
  }
  if (s->unnamed_running != 0)
    add_bare (a, export_stacks_frame (a->stacks, "[unknown]"), s->unnamed_running, scale);
}

static void
add_samples (struct adding *a)
{
  const struct samples *s = SUMMARY_STATE (a->summary, samples);
  struct scale scale = { .sum = s->cpu_ns, .hits = s->cpu_ns != 0 ? s->running : 0 };
  add_tree (a, &s->tree, false, &scale);
  add_bare_hits (a, &scale);
  a->stacks->unit = s->cpu_ns != 0 ? "ns" : "hits";
  if (samples_own_hits (s) != 0)
    a->stacks->sample = (double) (s->cpu_ns != 0 ? samples_own_ns (s) : samples_own_hits (s))
                        / samples_of_one_weight (s);
  a->stacks->weighed = s->cpu_ns != 0 ? "cpu" : NULL;
}

/* Waits by stack: their time is not that of their hits, which may be few and long. */
struct wait_times {
  const struct samples *samples;
  struct sample_wait_sum *nodes; /* by node of the tree of waits */
  GHashTable *bare;              /* function -> struct sample_wait_sum, of stacks without methods */
};

static void
note_wait (void *data, const struct sample_wait *stack, const struct sample_wait_sum *sum)
{
  const struct wait_times *times = data;
  struct sample_wait_sum *of = &times->nodes[stack->node];
  if (stack->node == CALL_TREE_ROOT) {
    const char *name = samples_native_name (times->samples, stack->ip);
    name = name != NULL ? name : "[unknown]";
    of = g_hash_table_lookup (times->bare, name);
    if (of == NULL)
      g_hash_table_insert (times->bare, (gpointer) name, of = g_new0 (struct sample_wait_sum, 1));
  }
  of->ns += sum->ns;
  of->hits += sum->hits;
}

static uint32_t
add_wait (struct adding *a, uint32_t parent, uint32_t frame, const struct sample_wait_sum *sum)
{
  const uint32_t place = export_stacks_add (a->stacks, parent, frame, sum->ns);
  export_stacks_count (a->stacks, place, sum->hits);
  return place;
}

/* Without those of idle threads. */
static void
add_waits (struct adding *a)
{
  const struct samples *samples = SUMMARY_STATE (a->summary, samples);
  const GArray *nodes = samples->wait_tree.nodes;
  g_autofree struct sample_wait_sum *sums = g_new0 (struct sample_wait_sum, nodes->len);
  g_autofree uint32_t *places = g_new0 (uint32_t, nodes->len);
  g_autoptr (GHashTable) bare = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  struct wait_times times = { samples, sums, bare };
  waits_each_stack (a->summary, note_wait, &times);
  for (guint i = 1; i < nodes->len; i++) {
    const struct call_node *node = &g_array_index (nodes, struct call_node, i);
    places[i] = add_wait (a, places[node->parent], frame_of (a, node->method), &sums[i]);
  }
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (bare), (GCompareFunc) strcmp);
  for (const GList *name = names; name != NULL; name = name->next)
    add_wait (a, EXPORT_STACKS_ROOT, native_frame (a, name->data),
              g_hash_table_lookup (bare, name->data));
}

/* Adds a stack whose innermost frame is the type of an object.  Traces begin with the outermost. */
static void
add_typed (struct adding *a, guint trace, const char *type, uint64_t weight, uint64_t count)
{
  uint32_t node = EXPORT_STACKS_ROOT;
  guint n = 0;
  const guint *frames = trace != TRACE_NONE ? traces_frames (a->traces, trace, &n) : NULL;
  for (guint f = 0; f < n; f++)
    node = export_stacks_add (a->stacks, node, frame_of (a, frames[f]), 0);
  node = export_stacks_add (a->stacks, node, export_stacks_frame (a->stacks, type), weight);
  export_stacks_count (a->stacks, node, count);
}

enum weight { BYTES, COUNT };

static void
add_type_traces (struct adding *a, const struct trace_sums *sums, enum weight weight)
{
  for (guint i = 0; i < sums->all->len; i++) {
    const struct trace_sum *sum = &g_array_index (sums->all, struct trace_sum, i);
    g_autofree char *type = symbols_name (a->symbols, SYMBOL_CLASS, sum->key);
    add_typed (a, sum->trace, type, weight == BYTES ? sum->bytes : sum->count, sum->count);
  }
}

static void
add_allocations (struct adding *a)
{
  add_type_traces (a, &a->summary->allocation_traces.classes, BYTES);
  a->stacks->unit = "bytes";
  a->stacks->counted = "alloc_objects";
  a->stacks->weighed = "alloc_space";
  a->stacks->sample = (double) a->summary->allocations.sampling;
}

static void
add_throws (struct adding *a)
{
  const struct type_traces *traces = &SUMMARY_STATE (a->summary, exceptions)->traces;
  add_type_traces (a, &traces->classes, COUNT);
  for (guint i = 0; i < traces->unknown.all->len; i++) {
    const struct trace_sum *sum = &g_array_index (traces->unknown.all, struct trace_sum, i);
    add_typed (a, sum->trace, "(type not in the log)", sum->count, sum->count);
  }
  a->stacks->unit = "throws";
  a->stacks->counted = "exceptions";
}

static gint
compare_waits (gconstpointer a, gconstpointer b, gpointer data)
{
  (void) data;
  const struct lock_wait *x = *(const struct lock_wait *const *) a;
  const struct lock_wait *y = *(const struct lock_wait *const *) b;
  return x->lock != y->lock     ? (x->lock > y->lock ? 1 : -1)
         : x->trace != y->trace ? (x->trace > y->trace ? 1 : -1)
                                : (x->thread > y->thread) - (x->thread < y->thread);
}

static void
add_lock_waits (struct adding *a)
{
  const struct monitors *m = SUMMARY_STATE (a->summary, monitors);
  guint n;
  g_autofree struct lock_wait **waits
      = (struct lock_wait **) g_hash_table_get_keys_as_array (m->waits.sums, &n);
  g_qsort_with_data (waits, (gint) n, sizeof *waits, compare_waits, NULL);
  for (guint i = 0; i < n; i++) {
    const struct monitor_sum *lock = g_ptr_array_index (m->locks, waits[i]->lock);
    const struct lock_wait_sum *sum = g_hash_table_lookup (m->waits.sums, waits[i]);
    g_autofree char *type = lock->type_known ? symbols_name (a->symbols, SYMBOL_CLASS, lock->type)
                                             : g_strdup ("(type not in the log)");
    add_typed (a, waits[i]->trace, type, sum->ns, sum->count);
  }
  a->stacks->unit = "ns";
  a->stacks->counted = "contentions";
  a->stacks->weighed = "delay";
}

static void
add_calls (struct adding *a, bool counts)
{
  const struct calls *calls = SUMMARY_STATE (a->summary, calls);
  struct scale scale = { .sum = 0 };
  if (!calls->has_stacks || calls->tree.kind != CALL_TIMES_CALLS)
    return;
  add_tree (a, &calls->tree, counts, &scale);
  a->stacks->unit = counts ? "calls" : "ns";
  a->stacks->counted = "calls";
  a->stacks->weighed = counts ? NULL : "time";
}

static void
add_cost (struct adding *a, enum stacks_cost cost)
{
  const struct samples *s = SUMMARY_STATE (a->summary, samples);
  switch (cost) {
  case STACKS_ANY:
  case STACKS_TIME:
    if (s->hits != 0)
      add_samples (a);
    break;
  case STACKS_WALL:
    if (s->hits != 0 && s->interval_ns == 0) {
      add_samples (a);
      add_waits (a);
    }
    break;
  case STACKS_CALLS:
  case STACKS_SELF:
    add_calls (a, cost == STACKS_CALLS);
    break;
  case STACKS_ALLOC:
    add_allocations (a);
    break;
  case STACKS_LOCK:
    add_lock_waits (a);
    break;
  case STACKS_EXCEPTION:
    add_throws (a);
    break;
  case STACKS_RETAINED: /* heap-stacks.h */
  case STACKS_LEAK:
  case STACKS_LIVE:
  case STACKS_PEAK:
  case STACKS_TEMPORARY: /* mono_stacks_add_survival */
    break;
  }
}

void
mono_stacks_add (struct export_stacks *stacks, const struct summary *summary, enum stacks_cost cost)
{
  struct adding a = { .stacks = stacks,
                      .symbols = &summary->symbols,
                      .traces = &summary->traces,
                      .summary = summary,
                      .frames = g_array_new (FALSE, TRUE, sizeof (uint32_t)) };
  add_cost (&a, cost);
  g_array_unref (a.frames);
}

/* ---- objects that survived, or did not ---- */

static struct type_sum
sum_of (const struct survival_row *row, enum stacks_cost cost)
{
  return cost == STACKS_LIVE ? row->live : cost == STACKS_PEAK ? row->peak : row->temporary;
}

void
mono_stacks_add_survival (struct export_stacks *stacks, const struct survival *s,
                          const struct symbols *symbols, const struct traces *traces,
                          enum stacks_cost cost)
{
  struct adding a = { .stacks = stacks,
                      .symbols = symbols,
                      .traces = traces,
                      .frames = g_array_new (FALSE, TRUE, sizeof (uint32_t)) };
  for (guint i = 0; i < s->rows->len; i++) {
    const struct survival_row *row = &g_array_index (s->rows, struct survival_row, i);
    const struct type_sum sum = sum_of (row, cost);
    if (sum.bytes == 0)
      continue;
    g_autofree char *type = symbols_name (symbols, SYMBOL_CLASS, row->type);
    add_typed (&a, row->trace, type, sum.bytes, sum.objects);
  }
  stacks->unit = "bytes";
  stacks->counted = "objects";
  stacks->weighed = "space";
  g_array_unref (a.frames);
}

/* ---- samples that come ---- */

static void
add_other (struct export_stacks *stacks, const char *name, uint64_t ns)
{
  if (ns != 0)
    export_stacks_add (stacks, EXPORT_STACKS_ROOT, export_stacks_frame (stacks, name), ns);
}

void
mono_stacks_add_live (struct export_stacks *stacks, const struct live_stacks *live,
                      const struct symbols *symbols)
{
  struct adding a = { .stacks = stacks,
                      .symbols = symbols,
                      .frames = g_array_new (FALSE, TRUE, sizeof (uint32_t)) };
  struct scale scale = { .sum = 0 };
  add_tree (&a, &live->tree, false, &scale);
  add_other (stacks, "[native]", live->bare_ns);
  add_other (stacks, "[others]", live->others_ns);
  stacks->unit = "ns";
  stacks->weighed = "cpu";
  g_array_unref (a.frames);
}
