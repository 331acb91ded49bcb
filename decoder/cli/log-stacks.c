/* log-stacks.c -- trees into stacks. */
#include "config.h"

#include "decoder/cli/log-stacks.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-open.h"
#include "decoder/cli/log-summary.h"
#include "decoder/cli/message.h"
#include "decoder/mlpd/model/call-tree-query.h"
#include "decoder/views/mlpd/report-tree.h"
#include "decoder/views/section.h"

#include <string.h>

/* ---- of Mono ---- */

/* What hits weigh: each the average, and all together `sum`. */
struct scale {
  uint64_t sum, hits; /* 0: a hit weighs one */
  uint64_t added;     /* hits so far */
};

struct adding {
  struct export_stacks *stacks;
  const struct summary *summary;
  GArray *frames; /* of uint32_t, by method: number + 1; 0: none yet */
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

static uint64_t
weigh (struct scale *scale, uint64_t hits)
{
  const uint64_t before = scale->added;
  scale->added += hits;
  if (scale->hits == 0)
    return hits;
  return (uint64_t) ((unsigned __int128) scale->sum * scale->added / scale->hits
                     - (unsigned __int128) scale->sum * before / scale->hits);
}

/* Adds the stacks of a tree, with its self times or hits, or with the numbers of calls of each. */
static void
add_tree (struct adding *a, const struct call_tree *tree, bool counts_calls, struct scale *scale)
{
  g_autofree uint64_t *self = call_tree_self (tree);
  /* Nodes have other numbers than in the tree if stacks were added before. */
  const uint32_t shift = a->stacks->nodes->len - 1;
  for (guint i = 1; i < tree->nodes->len; i++) {
    const struct call_node *node = &g_array_index (tree->nodes, struct call_node, i);
    const uint32_t parent
        = node->parent == CALL_TREE_ROOT ? EXPORT_STACKS_ROOT : node->parent + shift;
    export_stacks_add (a->stacks, parent, frame_of (a, node->method),
                       weigh (scale, counts_calls ? node->calls : self[i]));
  }
}

static void
add_bare (struct adding *a, uint32_t frame, uint64_t hits, struct scale *scale)
{
  export_stacks_add (a->stacks, EXPORT_STACKS_ROOT, frame, weigh (scale, hits));
}

/* Hits without managed frames, which the tree does not have. */
static void
add_bare_hits (struct adding *a, struct scale *scale)
{
  const struct samples *s = &a->summary->samples;
  for (guint i = 0; i < s->methods->len; i++) {
    const struct sample_sum *sum = &g_array_index (s->methods, struct sample_sum, i);
    if (sum->bare_hits != 0)
      add_bare (a, frame_of (a, i), sum->bare_hits, scale);
  }
  for (guint i = 0; i < s->symbols->len; i++) {
    const struct sample_symbol *symbol = &g_array_index (s->symbols, struct sample_symbol, i);
    if (symbol->bare != 0)
      add_bare (a, export_stacks_frame (a->stacks, symbol->name), symbol->bare, scale);
  }
  if (s->unnamed_running != 0)
    add_bare (a, export_stacks_frame (a->stacks, "[unknown]"), s->unnamed_running, scale);
}

static void
add_samples (struct adding *a)
{
  const struct samples *s = &a->summary->samples;
  struct scale scale = { .sum = s->cpu_ns, .hits = s->cpu_ns != 0 ? s->running : 0 };
  add_tree (a, &s->tree, false, &scale);
  add_bare_hits (a, &scale);
  a->stacks->unit = s->cpu_ns != 0 ? "ns" : "hits";
}

static void
add_waits (struct adding *a)
{
  const struct call_tree *tree = &a->summary->samples.wait_tree;
  struct scale scale = { .sum = a->summary->samples.wait_ns };
  for (guint i = 1; i < tree->nodes->len; i++)
    if (g_array_index (tree->nodes, struct call_node, i).parent == CALL_TREE_ROOT)
      scale.hits += g_array_index (tree->nodes, struct call_node, i).calls;
  add_tree (a, tree, false, &scale);
}

/* Traces begin with the outermost frame. */
static void
add_allocations (struct adding *a)
{
  const GArray *all = a->summary->allocation_traces.classes.all;
  for (guint i = 0; i < all->len; i++) {
    const struct trace_sum *sum = &g_array_index (all, struct trace_sum, i);
    g_autofree char *type = section_class_name (a->summary, sum->key);
    uint32_t node = EXPORT_STACKS_ROOT;
    guint n = 0;
    const guint *frames
        = sum->trace != TRACE_NONE ? traces_frames (&a->summary->traces, sum->trace, &n) : NULL;
    for (guint f = 0; f < n; f++)
      node = export_stacks_add (a->stacks, node, frame_of (a, frames[f]), 0);
    export_stacks_add (a->stacks, node, export_stacks_frame (a->stacks, type), sum->bytes);
  }
  a->stacks->unit = "bytes";
}

static void
add_calls (struct adding *a, bool counts)
{
  struct scale scale = { .sum = 0 };
  if (!a->summary->calls.keeps_stacks || a->summary->calls.tree.kind != CALL_TIMES_CALLS)
    return;
  add_tree (a, &a->summary->calls.tree, counts, &scale);
  a->stacks->unit = counts ? "calls" : "ns";
}

static const struct {
  const char *title; /* of what the weights are */
  const char *lacks; /* of a log without them */
} costs[] = {
  [STACKS_ANY] = { NULL, "no samples and no recorded calls; see 'proflog run --help'" },
  [STACKS_TIME] = { "Processor time of samples", "no samples; 'proflog run' records them" },
  [STACKS_WALL] = { "Time of samples, working and waiting",
                    "no samples of the wall clock; 'proflog run --with sample-real' records them" },
  [STACKS_CALLS] = { "Calls", "no recorded calls; 'proflog run --calls' records them" },
  [STACKS_SELF]
  = { "Time of calls without callees", "no recorded calls; 'proflog run --calls' records them" },
  [STACKS_ALLOC]
  = { "Bytes of allocated objects", "no allocations; 'proflog run --allocs' records them" },
};

static void
add_cost (struct adding *a, enum stacks_cost cost)
{
  const struct samples *s = &a->summary->samples;
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
  }
}

static bool
put (void *data, const GString *bytes)
{
  return output_write (data, bytes);
}

static int
write_stacks (struct log_command *c, const char *path, const struct export_format *format,
              struct export_stacks *stacks)
{
  struct export_out out = { .bytes = g_string_new (NULL), .put = put, .data = &c->output };
  if (strcmp (path, "-") != 0)
    stacks->title = g_path_get_basename (path);
  format->write_stacks (stacks, &out);
  g_string_free (out.bytes, TRUE);
  return out.failed ? CLI_INPUT : CLI_OK;
}

static int
write_summary (struct log_command *c, const char *path, enum stacks_cost cost,
               const struct export_format *format, const struct summary *s)
{
  struct export_stacks stacks;
  int status = CLI_INPUT;
  export_stacks_init (&stacks);
  struct adding a
      = { .stacks = &stacks, .summary = s, .frames = g_array_new (FALSE, TRUE, sizeof (uint32_t)) };
  const enum stacks_cost shown
      = cost == STACKS_ANY
            ? (report_tree_is_of_calls (s, VIEW_SOURCE_ANY) ? STACKS_SELF : STACKS_TIME)
            : cost;
  add_cost (&a, shown);
  stacks.cost = costs[shown].title;
  if (stacks.total != 0)
    status = write_stacks (c, path, format, &stacks);
  else
    cli_message ("proflog %s: %s: it has %s%s", c->name, path, costs[cost].lacks,
                 selection_is_partial (&c->selection) ? " (of what is selected)" : "");
  g_array_unref (a.frames);
  export_stacks_clear (&stacks);
  return status;
}

static int
write_mono (struct log_command *c, const char *path, enum stacks_cost cost,
            const struct export_format *format)
{
  const struct scan_options options
      = { .call_times = cost == STACKS_ANY || cost == STACKS_SELF || cost == STACKS_CALLS,
          .traces = cost == STACKS_ALLOC };
  struct summary summary;
  summary_init (&summary, &options);
  int status = log_command_summarize (c, path, &summary, NULL);
  const guint warned = summary.log.messages->len;
  summary_finish (&summary);
  for (guint i = warned; i < summary.log.messages->len; i++)
    log_command_warn (c, path, g_ptr_array_index (summary.log.messages, i));
  if (summary.log.has_header) {
    const int written = write_summary (c, path, cost, format, &summary);
    status = MAX (status, written);
  }
  summary_clear (&summary);
  return status;
}

/* ---- of GHC ---- */

static void
add_time_profile (struct export_stacks *stacks, const struct ghc_time_profile *p)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  const uint64_t weight = p->interval != 0 ? p->interval : 1;
  stacks->cost = "Time of the time profile";
  stacks->unit = p->interval != 0 ? "ns" : "hits";
  for (guint i = 0; i < p->nodes->len; i++) {
    const struct ghc_time_node *node = &g_array_index (p->nodes, struct ghc_time_node, i);
    g_autofree char *name
        = i == 0 ? g_strdup ("MAIN") : ghc_cost_centres_name (&p->centres, node->centre);
    const uint32_t parent
        = i == 0 ? EXPORT_STACKS_ROOT : g_array_index (places, uint32_t, node->parent);
    const uint32_t place = export_stacks_add (stacks, parent, export_stacks_frame (stacks, name),
                                              node->self * weight);
    g_array_append_val (places, place);
  }
  g_array_unref (places);
}

static int
write_eventlog (struct log_command *c, const char *path, enum stacks_cost cost,
                const struct export_format *format)
{
  if (cost == STACKS_CALLS || cost == STACKS_SELF)
    return log_command_refuse_eventlog (c, path, "only logs of Mono have calls");
  if (cost == STACKS_ALLOC || cost == STACKS_WALL)
    return log_command_refuse_eventlog (c, path, "only logs of Mono have such stacks");
  if (c->selection.threads != NULL)
    return log_command_refuse_eventlog (c, path, "its time profile does not name threads");
  struct ghc_summary summary;
  int status = log_command_summarize_eventlog (c, path, &summary, GHC_FEATURE_PROFILES);
  if (summary.log.headers != 0) {
    struct export_stacks stacks;
    int written = CLI_INPUT;
    export_stacks_init (&stacks);
    add_time_profile (&stacks, &summary.time_profile);
    if (stacks.total != 0)
      written = write_stacks (c, path, format, &stacks);
    else
      cli_message ("proflog %s: %s: it has no time profile%s; +RTS -p -l of a program with cost "
                   "centres records one",
                   c->name, path,
                   selection_is_partial (&c->selection) ? " of what is selected" : "");
    status = MAX (status, written);
    export_stacks_clear (&stacks);
  }
  ghc_summary_clear (&summary);
  return status;
}

int
log_stacks_write (struct log_command *c, const char *path, enum stacks_cost cost,
                  const struct export_format *format)
{
  const enum log_format log_format = log_command_detect_format (c, path);
  if (log_format == LOG_FORMAT_NONE || !log_command_can_select (c, path, log_format))
    return CLI_INPUT;
  return log_format == LOG_FORMAT_GHC ? write_eventlog (c, path, cost, format)
                                      : write_mono (c, path, cost, format);
}
