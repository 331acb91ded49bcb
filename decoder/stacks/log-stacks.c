/* log-stacks.c -- reads logs, and writes their stacks, also those of each thread. */
#include "config.h"

#include "decoder/log/log-kind.h"
#include "decoder/log/log-passes.h"
#include "decoder/log/log-summary.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/query/waits.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/command/cli.h"
#include "decoder/stacks/ghc-heap-stacks.h"
#include "decoder/stacks/ghc-time-stacks.h"
#include "decoder/stacks/heap-stacks.h"
#include "decoder/log/log-open.h"
#include "decoder/command/message.h"
#include "decoder/trace/log-trace.h"
#include "decoder/trace/trace-timeline.h"
#include "decoder/views/mlpd/report-parts.h"
#include <string.h>

/* ---- of Mono ---- */

static const struct {
  const char *title; /* of what the weights are */
  const char *lacks; /* of a log without them */
} costs[] = {
  [STACKS_ANY]
  = { NULL,
      "no samples and no recorded calls; 'proflog run' samples each 10 ms of processor time" },
  [STACKS_TIME] = { "Processor time of samples",
                    "no samples; 'proflog run' takes one for each 10 ms of processor time" },
  [STACKS_WALL] = { "Time of samples, working and waiting",
                    "no samples of the wall clock; 'proflog run --wall' records them" },
  [STACKS_CALLS] = { "Calls", "no recorded calls; 'proflog run --calls' records them" },
  [STACKS_SELF]
  = { "Time of calls without callees", "no recorded calls; 'proflog run --calls' records them" },
  [STACKS_ALLOC]
  = { "Bytes of allocated objects", "no allocations; 'proflog run --allocs' records them" },
  [STACKS_LOCK] = { "Time of waiting for monitors",
                    "no waits for monitors: there were none, or they were not recorded" },
  [STACKS_RETAINED] = { "Bytes of the last heap snapshot, by what keeps them alive",
                        "no heap snapshot; 'proflog run --heapshot' records them" },
  [STACKS_LEAK] = { "Bytes of suspected leaks, by the way from a root to them",
                    "no suspected leak; 'proflog heap leaks' states the evidence" },
  [STACKS_LIVE] = { "Bytes of objects that live at the end", "no objects that live at the end" },
  [STACKS_PEAK] = { "Bytes of objects that lived at the peak", "no objects that lived at a peak" },
  [STACKS_TEMPORARY] = { "Bytes of temporary objects", "no temporary objects" },
  [STACKS_EXCEPTION]
  = { "Thrown exceptions", "no exceptions: there were none, or they were not recorded" },
};

const struct cli_choice log_stacks_costs[] = {
  { "time", STACKS_TIME, false },
  { "wall", STACKS_WALL, false },
  { "calls", STACKS_CALLS, false },
  { "self", STACKS_SELF, false },
  { "alloc", STACKS_ALLOC, false },
  { "live", STACKS_LIVE, false },
  { "peak", STACKS_PEAK, false },
  { "temporary", STACKS_TEMPORARY, false },
  { "retained", STACKS_RETAINED, false },
  { "leak", STACKS_LEAK, false },
  { "lock", STACKS_LOCK, false },
  { "exception", STACKS_EXCEPTION, false },
  { NULL, 0, false },
};

const struct cli_choice log_stacks_kinds[]
    = { { "samples", STACKS_TIME, false },         { "calls", STACKS_SELF, false },
        { "allocations", STACKS_ALLOC, false },    { "locks", STACKS_LOCK, false },
        { "exceptions", STACKS_EXCEPTION, false }, { NULL, 0, false } };

const char *
log_stacks_title (enum stacks_cost cost)
{
  return costs[cost].title;
}

static enum stacks_cost
choose_cost (const struct summary *s, enum stacks_cost cost)
{
  if (cost != STACKS_ANY)
    return cost;
  return report_tree_is_of_calls (s, VIEW_SOURCE_ANY) ? STACKS_SELF : STACKS_TIME;
}

static void
warn_of_shot (struct log_command *c, const char *path, const struct heap_graph *graph)
{
  if (graph->state == HEAPSHOT_COMPLETE)
    return;
  g_autofree char *message = g_strdup_printf ("heap snapshot %u is %s: its readable part is shown",
                                              graph->index, heapshot_state_name (graph->state));
  log_command_warn (c, path, message);
}

/* A snapshot is of all threads, and of one time. */
static void
add_retained (struct log_command *c, const char *path, struct export_stacks *stacks,
              struct summary *s)
{
  struct heap_graph *graph = summary_build_heap (s, 0);
  if (graph == NULL)
    return;
  warn_of_shot (c, path, graph);
  heap_stacks_add (stacks, graph);
  heap_graph_free (graph);
}

/* False if there is no heap snapshot. */
static bool
add_leaks (struct log_command *c, const char *path, struct export_stacks *stacks, struct summary *s)
{
  struct shot_leaks found;
  if (!shot_leaks_init (&found, s, 0))
    return false;
  warn_of_shot (c, path, found.graph);
  heap_stacks_add_leaks (stacks, &found);
  shot_leaks_clear (&found);
  return true;
}

/* That there are no stacks of this cost. */
static void
report_lack (struct log_command *c, const char *path, enum stacks_cost cost,
             const struct summary *s)
{
  const bool is_time = cost == STACKS_ANY || cost == STACKS_TIME;
  cli_message ("proflog %s: %s: %s has %s", c->name, path,
               selection_is_partial (&c->selection) ? "what is selected" : "it",
               is_time && s != NULL && SUMMARY_STATE (s, samples)->wait_ns != 0
                   ? "no samples of threads that work: 'proflog flame --cost wall' shows what they "
                     "wait for"
                   : costs[cost].lacks);
}

static int
read_summary (struct log_command *c, const char *path, enum stacks_cost *cost,
              struct export_stacks *stacks, struct summary *s)
{
  const enum stacks_cost shown = choose_cost (s, *cost);
  enum stacks_cost lack = *cost;
  if (shown == STACKS_RETAINED)
    add_retained (c, path, stacks, s);
  else if (shown != STACKS_LEAK)
    mono_stacks_add (stacks, s, shown);
  else if (!add_leaks (c, path, stacks, s))
    lack = STACKS_RETAINED;
  stacks->cost = costs[shown].title;
  if (stacks->total == 0) {
    report_lack (c, path, lack, s);
    return CLI_INPUT;
  }
  *cost = shown;
  return CLI_OK;
}

/* Options of a scan that finds the stacks of a cost. */
static void
request_cost (struct scan_options *options, enum stacks_cost cost)
{
  options->call_times |= cost == STACKS_ANY || cost == STACKS_SELF || cost == STACKS_CALLS;
  options->traces |= cost == STACKS_ALLOC || cost == STACKS_EXCEPTION;
  options->types |= cost == STACKS_LOCK || cost == STACKS_EXCEPTION;
}

static int
read_mono (struct log_command *c, const char *path, enum stacks_cost *cost,
           struct export_stacks *stacks)
{
  const struct shot_selection shots = { .last = true, .peak = *cost == STACKS_LEAK };
  struct scan_options options
      = { .graphs = *cost == STACKS_RETAINED || *cost == STACKS_LEAK ? &shots : NULL };
  struct summary summary;
  request_cost (&options, *cost);
  int status = log_command_read_summary (c, path, &options, NULL, &summary);
  if (summary.log.has_header) {
    const int read = read_summary (c, path, cost, stacks, &summary);
    status = MAX (status, read);
  }
  summary_clear (&summary);
  return status;
}

/* The cost of one of log_stacks_kinds. */
static enum stacks_cost
cost_of (const struct export_named_stacks *stacks)
{
  const struct cli_choice *kind = log_stacks_kinds;
  while (strcmp (kind->name, stacks->name) != 0)
    kind++;
  return kind->value;
}

/* Adds the stacks of all these kinds. */
static int
read_mono_kinds (struct log_command *c, const char *path, const GPtrArray *kinds)
{
  struct scan_options options = { .depth = 0 };
  struct summary summary;
  for (guint i = 0; i < kinds->len; i++)
    request_cost (&options, cost_of (kinds->pdata[i]));
  const int status = log_command_read_summary (c, path, &options, NULL, &summary);
  for (guint i = 0; i < kinds->len && summary.log.has_header; i++) {
    struct export_named_stacks *kind = g_ptr_array_index (kinds, i);
    mono_stacks_add (&kind->stacks, &summary, cost_of (kind));
  }
  summary_clear (&summary);
  return status;
}

static int
read_survival (struct log_command *c, const char *path, enum stacks_cost cost,
               struct export_stacks *stacks)
{
  struct symbols symbols;
  struct traces traces;
  struct survival survival;
  symbols_init (&symbols);
  traces_init (&traces);
  int status = log_survival_read (
      c, path, &(const struct survival_model){ .symbols = &symbols, .traces = &traces }, &survival);
  if (status == CLI_OK)
    mono_stacks_add_survival (stacks, &survival, &symbols, &traces, cost);
  stacks->cost = costs[cost].title;
  if (status == CLI_OK && stacks->total == 0) {
    report_lack (c, path, cost, NULL);
    status = CLI_INPUT;
  }
  survival_clear (&survival);
  traces_clear (&traces);
  symbols_clear (&symbols);
  return status;
}

/* ---- of GHC ---- */

/* The heap of a program, as its heap profile has it. */
static int
read_bands (struct log_command *c, const char *path, bool at_peak, struct export_stacks *stacks)
{
  struct ghc_summary summary;
  int status = log_command_summarize_eventlog (c, path, &summary, GHC_FEATURE_PROFILES);
  if (summary.log.headers != 0)
    ghc_heap_stacks_add (stacks, &summary.heap_profiles, at_peak);
  if (summary.log.headers != 0 && stacks->total == 0) {
    cli_message ("proflog %s: %s: %s has no sample of a heap profile; 'proflog run --heap=10ms' "
                 "records one by closure type, +RTS -l -hc or -hi one by place",
                 c->name, path, selection_is_partial (&c->selection) ? "what is selected" : "it");
    status = CLI_INPUT;
  }
  ghc_summary_clear (&summary);
  return status;
}

static int
read_eventlog (struct log_command *c, const char *path, enum stacks_cost *cost, unsigned features,
               struct export_stacks *stacks)
{
  if (*cost == STACKS_LIVE || *cost == STACKS_PEAK)
    return read_bands (c, path, *cost == STACKS_PEAK, stacks);
  if (*cost == STACKS_CALLS || *cost == STACKS_SELF)
    return log_kind_ghc.refuse (c, path, "only logs of Mono have calls");
  if (*cost != STACKS_ANY && *cost != STACKS_TIME && *cost != STACKS_WALL)
    return log_kind_ghc.refuse (c, path, "only logs of Mono have such stacks");
  struct ghc_summary summary;
  int status = log_command_summarize_eventlog (c, path, &summary, GHC_FEATURE_PROFILES | features);
  const struct ghc_time_profile *p = &summary.time_profile;
  if (p->samples != 0 && !p->has_call_stacks
      && ((features & GHC_FEATURE_BY_THREAD) != 0 || c->selection.threads != NULL)) {
    ghc_summary_clear (&summary);
    return log_kind_ghc.refuse (c, path, "its time profile does not name threads");
  }
  if (summary.log.headers != 0)
    ghc_time_stacks_add (stacks, p, *cost == STACKS_WALL);
  if (summary.log.headers != 0 && stacks->total == 0) {
    cli_message ("proflog %s: %s: it has no time profile%s; +RTS -p -l of a program with cost "
                 "centres records one, ghc-stack-profiler in any program call stacks",
                 c->name, path, selection_is_partial (&c->selection) ? " of what is selected" : "");
    status = CLI_INPUT;
  }
  *cost = *cost == STACKS_WALL ? STACKS_WALL : STACKS_TIME;
  ghc_summary_clear (&summary);
  return status;
}

/* What is about all stacks remains. */
static int
read_eventlog_by_thread (struct log_command *c, const char *path, enum stacks_cost cost,
                         struct export_stacks *stacks)
{
  char *title = g_steal_pointer (&stacks->title), *selection = g_steal_pointer (&stacks->selection);
  export_stacks_clear (stacks);
  export_stacks_init (stacks);
  stacks->title = title;
  stacks->selection = selection;
  stacks->is_by_thread = true;
  return read_eventlog (c, path, &cost, GHC_FEATURE_BY_THREAD, stacks);
}

static int
read_eventlog_kinds (struct log_command *c, const char *path, const GPtrArray *kinds)
{
  struct ghc_summary summary;
  const int status = log_command_summarize_eventlog (c, path, &summary, GHC_FEATURE_PROFILES);
  for (guint i = 0; i < kinds->len && summary.log.headers != 0; i++) {
    struct export_named_stacks *kind = g_ptr_array_index (kinds, i);
    if (cost_of (kind) == STACKS_TIME)
      ghc_time_stacks_add (&kind->stacks, &summary.time_profile, false);
  }
  ghc_summary_clear (&summary);
  return status;
}

/* ---- of any log ---- */

/* `features`: further ones of the summary of an eventlog. */
static int
read_any (struct log_command *c, const char *path, enum stacks_cost *cost, unsigned features,
          struct export_stacks *stacks)
{
  export_stacks_init (stacks);
  if (strcmp (path, "-") != 0)
    stacks->title = g_path_get_basename (path);
  if (c->selection.given != NULL)
    stacks->selection = g_strdup (c->selection.given->str);
  const struct log_kind *kind = log_kind_detect (c, path, true);
  if (kind == NULL)
    return CLI_INPUT;
  return kind == &log_kind_ghc  ? read_eventlog (c, path, cost, features, stacks)
         : *cost >= STACKS_LIVE ? read_survival (c, path, *cost, stacks)
                                : read_mono (c, path, cost, stacks);
}

int
log_stacks_read (struct log_command *c, const char *path, enum stacks_cost *cost,
                 struct export_stacks *stacks)
{
  return read_any (c, path, cost, 0, stacks);
}

GPtrArray *
log_stacks_read_kinds (struct log_command *c, const char *path, const struct log_kind *format,
                       const char *kind, int *status)
{
  GPtrArray *kinds = export_named_stacks_new ();
  for (const struct cli_choice *k = log_stacks_kinds; k->name != NULL; k++)
    if (kind == NULL || strcmp (kind, k->name) == 0)
      export_named_stacks_add (kinds, k->name);
  *status = kinds->len == 0           ? CLI_OK
            : format == &log_kind_ghc ? read_eventlog_kinds (c, path, kinds)
                                      : read_mono_kinds (c, path, kinds);
  return kinds;
}

int
log_stacks_write (struct log_command *c, const struct export_format *format,
                  const struct export_stacks *stacks)
{
  struct export_out out = { .bytes = g_string_new (NULL), .put = output_put, .data = &c->output };
  format->write_stacks (stacks, &out);
  g_string_free (out.bytes, TRUE);
  return out.failed ? CLI_INPUT : CLI_OK;
}

int
log_stacks_export (struct log_command *c, const char *path, enum stacks_cost cost,
                   const struct export_format *format)
{
  struct export_stacks stacks;
  int status = read_any (c, path, &cost, format->has_order ? GHC_FEATURE_ORDER : 0, &stacks);
  if (stacks.total != 0) {
    const int written = log_stacks_write (c, format, &stacks);
    status = MAX (status, written);
  }
  export_stacks_clear (&stacks);
  return status;
}

/* ---- by thread: the stacks of a timeline of one interval ---- */

bool
log_stacks_have_threads (enum stacks_cost cost)
{
  switch (cost) {
  case STACKS_ANY:
  case STACKS_TIME:
  case STACKS_WALL:
  case STACKS_CALLS:
  case STACKS_SELF:
  case STACKS_ALLOC:
    return true;
  default:
    return false;
  }
}

static void
add (struct export_stacks *stacks, const struct trace_timeline *e, enum stacks_cost cost,
     const char *unit)
{
  const bool counts = strcmp (unit, "hits") == 0 || strcmp (unit, "calls") == 0;
  if (cost == STACKS_ALLOC) {
    trace_timeline_add_stacks (e, TIMELINE_ALLOCATIONS, false, stacks);
  } else if (cost == STACKS_SELF || cost == STACKS_CALLS) {
    trace_timeline_add_stacks (e, TIMELINE_CALLS, counts, stacks);
  } else {
    trace_timeline_add_stacks (e, TIMELINE_SAMPLES, counts, stacks);
    if (cost == STACKS_WALL)
      trace_timeline_add_stacks (e, TIMELINE_WAITS, counts, stacks);
  }
}

/* What is about all stacks remains. */
static void
replace (struct export_stacks *stacks, const struct trace_timeline *e, enum stacks_cost cost)
{
  struct export_stacks by_thread;
  export_stacks_init (&by_thread);
  add (&by_thread, e, cost, stacks->unit);
  by_thread.is_by_thread = true;
  by_thread.cost = stacks->cost;
  by_thread.unit = stacks->unit;
  by_thread.counted = stacks->counted;
  by_thread.sample = stacks->sample;
  by_thread.weighed = stacks->weighed;
  by_thread.title = g_steal_pointer (&stacks->title);
  by_thread.selection = g_steal_pointer (&stacks->selection);
  export_stacks_clear (stacks);
  *stacks = by_thread;
}

int
log_stacks_read_by_thread (struct log_command *c, const char *path, enum stacks_cost cost,
                           struct export_stacks *stacks)
{
  if (log_kind_detect (c, path, false) == &log_kind_ghc)
    return read_eventlog_by_thread (c, path, cost, stacks);
  const struct trace_format *format
      = cost == STACKS_ALLOC ? &trace_timeline_stacks_format : &trace_timeline_format;
  const struct scan_options options = { .depth = 0 };
  struct trace_timeline e;
  struct summary summary;
  struct waits_idle *idle = NULL;
  struct timeline *timeline = timeline_new (0, 0, UINT64_MAX / 2);
  trace_timeline_init (&e, timeline, false);
  e.has_threads = true;
  if (cost == STACKS_WALL) {
    log_command_read_summary (c, path, &options, NULL, &summary);
    idle = waits_idle_new (&summary);
  }
  const struct log_trace_known known = { .idle = idle };
  const int status = log_trace_read (c, path, &known, format, &e, 0);
  waits_idle_free (idle);
  if (cost == STACKS_WALL)
    summary_clear (&summary);
  replace (stacks, &e, cost);
  trace_timeline_clear (&e);
  timeline_free (timeline);
  return status;
}
