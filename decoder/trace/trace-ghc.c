/* trace-ghc.c -- the events of an eventlog as a trace.
 *
 * Each log of the file is a process: its clock begins anew.  A capability is a thread of it, with
 * the Haskell threads that it runs as slices, and a lane for its collections.
 */
#include "config.h"

#include "decoder/command/message.h"
#include "decoder/trace/log-trace-private.h"
#include "decoder/trace/trace-runs.h"
#include "decoder/core/id-map.h"
#include "decoder/core/marks.h"
#include "decoder/core/whole-number.h"
#include "decoder/ghc/analyses/ghc-call-stacks.h"
#include "decoder/ghc/analyses/ghc-collector.h"
#include "decoder/ghc/analyses/ghc-cost-centres.h"
#include "decoder/ghc/analyses/ghc-memory.h"
#include "decoder/ghc/analyses/ghc-threads.h"
#include "decoder/ghc/ghc-otel.h"
#include "decoder/ghc/ghc-running.h"
#include <string.h>

enum spark_count {
  SPARKS_CREATED,
  SPARKS_CONVERTED,
  SPARKS_FIZZLED,
  SPARKS_REMAINING,
  SPARK_COUNTS
};

static const char *const spark_names[SPARK_COUNTS] = { [SPARKS_CREATED] = "created",
                                                       [SPARKS_CONVERTED] = "converted",
                                                       [SPARKS_FIZZLED] = "fizzled",
                                                       [SPARKS_REMAINING] = "remaining" };

static const enum timeline_quantity spark_quantities[SPARK_COUNTS]
    = { [SPARKS_CREATED] = TIMELINE_SPARKS_CREATED,
        [SPARKS_CONVERTED] = TIMELINE_SPARKS_CONVERTED,
        [SPARKS_FIZZLED] = TIMELINE_SPARKS_FIZZLED,
        [SPARKS_REMAINING] = TIMELINE_SPARKS_REMAINING };

struct traced_counter {
  struct trace_track *track; /* NULL: not yet */
  uint64_t before;           /* its value before the selection */
};

/* For a time of a collection a capability had no work. */
struct traced_wait {
  uint64_t begin, end;
  bool is_standby; /* before its first work, or after its last: of the leader this is no waiting */
};

/* Waits of a capability in a collection, at most. */
#define WAITS_MAX 65536u

/* Its part in a collection, which is a slice when it is known who led it: after its end. */
struct traced_collection {
  bool is_begun, is_ended;
  bool waits, has_worked;
  struct traced_wait now; /* if it waits */
  uint64_t end;
  GArray *all; /* of struct traced_wait; NULL: none yet */
};

/* A capability; the one of events that have none is the process. */
struct traced_cap {
  unsigned cap;
  bool runs;
  bool ran_before;        /* when the selection begins */
  uint32_t thread_before; /* the thread that ran then */
  struct ghc_running running;
  uint32_t thread; /* that runs, and since when */
  uint64_t since;
  struct trace_track *track, *collections; /* NULL: not yet */
  struct trace_track *marks, *messages;    /* of the program, of the runtime */
  struct traced_collection collection;
  struct traced_counter allocated, sparks[SPARK_COUNTS];
  bool has_spark_counters;
  uint64_t spark_events[SPARK_COUNTS]; /* where there are none: counted */
};

/* By the low bits of their numbers. */
#define RECENT_CAPS 64

struct ghc_trace {
  const struct log_trace *to;
  struct trace *trace;
  struct ghc_header header;
  struct ghc_filter filter; /* of the selection, but for when it begins: */
  uint64_t from, last;      /* then; and when it ends, or the log does */
  bool has_begun;
  struct trace_track *process;
  struct traced_counter heap, live, blocks, needed;
  uint64_t megablock; /* bytes */
  struct trace_marks *marks;
  struct trace_runs *runs;                /* NULL: the format has no lanes of threads */
  GHashTable *caps;                       /* by number: struct traced_cap */
  struct traced_cap *recent[RECENT_CAPS]; /* of these; NULL: none */
  GHashTable *labels;                     /* by thread: char * */
  GHashTable *first_labels; /* likewise: those that threads get later have them from the first on */
  struct id_map threads;    /* those with events */
  GArray *names;            /* guint: the names of the slices of `threads` + 1; 0: not known */
  struct ghc_threads own;   /* states of threads, for formats with runnable ones */
  struct ghc_threads *states; /* `own`, or those that others need, too */
  struct ghc_collector collector;
  struct ghc_cost_centres centres;
  struct ghc_call_stacks *stacks; /* those of the log: its frames, texts and places are known */
  const struct ghc_provenances *provenances;
  bool is_innermost;   /* their frames begin with the innermost */
  GArray *stack_names; /* of guint, by frame: its name + 1; 0: not known */
  GArray *frames;      /* of guint: names of a stack */
  uint64_t tick_ns;    /* for which a sample stands; 0: unknown */
  uint64_t selected;
  uint64_t passed; /* bytes of events */
  uint8_t takes[GHC_KINDS + 1];
};

static uint64_t
trace_time (const struct ghc_trace *g, uint64_t time)
{
  return time - g->to->zero;
}

static struct traced_cap *
cap_of (struct ghc_trace *g, unsigned cap)
{
  struct traced_cap **recent = &g->recent[cap % RECENT_CAPS];
  if (*recent != NULL && (*recent)->cap == cap)
    return *recent;
  struct traced_cap *c = g_hash_table_lookup (g->caps, GUINT_TO_POINTER (cap));
  if (c == NULL) {
    c = g_new0 (struct traced_cap, 1);
    c->cap = cap;
    g_hash_table_insert (g->caps, GUINT_TO_POINTER (cap), c);
  }
  return *recent = c;
}

static struct trace_track *
track_of (struct ghc_trace *g, struct traced_cap *c)
{
  char name[32];
  if (c->track != NULL)
    return c->track;
  if (c->cap == GHC_NO_CAP)
    g_strlcpy (name, "No capability", sizeof name);
  else
    g_snprintf (name, sizeof name, "Capability %u", c->cap);
  c->track = trace_add (g->trace, TRACE_THREAD, g->process, name, TRACE_COUNT);
  c->track->role = TRACE_RUNS;
  return c->track;
}

/* A lane of a capability. */
static struct trace_track *
lane_of (struct ghc_trace *g, struct traced_cap *c, struct trace_track **lane, const char *name,
         enum trace_role role)
{
  if (*lane == NULL)
    (*lane = trace_add (g->trace, TRACE_LANE, track_of (g, c), name, TRACE_COUNT))->role = role;
  return *lane;
}

/* ---- threads ---- */

/* A thread with events, and the name of its slices; 0: not known. */
static guint *
add_thread (struct ghc_trace *g, uint32_t thread)
{
  const guint place = id_map_number (&g->threads, thread);
  if (place == g->names->len)
    g_array_set_size (g->names, place + 1);
  return &g_array_index (g->names, guint, place);
}

static void
label (struct ghc_trace *g, const struct ghc_thread_label *event)
{
  const guint place = id_map_find (&g->threads, event->thread);
  g_hash_table_replace (g->labels, GUINT_TO_POINTER (event->thread),
                        g_strndup (event->label.text, event->label.length));
  if (place != ID_MAP_NONE)
    g_array_index (g->names, guint, place) = 0;
}

static const char *
label_of_thread (const struct ghc_trace *g, uint32_t thread)
{
  const char *text = g_hash_table_lookup (g->labels, GUINT_TO_POINTER (thread));
  return text != NULL ? text : g_hash_table_lookup (g->first_labels, GUINT_TO_POINTER (thread));
}

/* (transfer full) */
static char *
text_of_thread (const struct ghc_trace *g, uint32_t thread)
{
  const char *text = label_of_thread (g, thread);
  return g_strdup_printf ("Thread %u%s%s", thread, text != NULL ? " " : "",
                          text != NULL ? text : "");
}

static guint
name_of_thread (struct ghc_trace *g, uint32_t thread)
{
  guint *known = add_thread (g, thread);
  if (*known != 0)
    return *known - 1;
  g_autofree char *name = text_of_thread (g, thread);
  *known = trace_name (g->trace, name) + 1;
  return *known - 1;
}

static void
stop (struct ghc_trace *g, struct traced_cap *c, uint64_t time)
{
  c->ran_before = false;
  if (c->runs)
    trace_slice_end (g->trace, c->track, trace_time (g, time));
  if (c->runs && g->runs != NULL)
    trace_runs_add (g->runs, c->thread, c->cap, trace_time (g, c->since), trace_time (g, time));
  c->runs = false;
}

static void
run (struct ghc_trace *g, struct traced_cap *c, uint32_t thread, uint64_t time)
{
  stop (g, c, time); /* where the log lacks the end */
  if (time < g->from) {
    c->ran_before = true;
    c->thread_before = thread;
    return;
  }
  const guint name = name_of_thread (g, thread);
  trace_slice (g->trace, track_of (g, c), name, trace_time (g, time));
  c->runs = true;
  c->thread = thread;
  c->since = time;
}

static char *
name_of_lane (void *data, uint32_t thread)
{
  return text_of_thread (data, thread);
}

static const char *
label_of_lane (void *data, uint32_t thread)
{
  return label_of_thread (data, thread);
}

/* The lanes of threads, with a warning if there was no room for all of their runs. */
static void
put_threads (struct ghc_trace *g)
{
  const struct log_command *c = g->to->log->r.command;
  if (g->runs == NULL)
    return;
  const uint64_t lost
      = trace_runs_finish (g->trace, g->runs, g->process,
                           &(const struct trace_runs_names){ g, name_of_lane, label_of_lane });
  if (lost != 0 && !c->quiet)
    cli_message ("proflog %s: %s: warning: the %" G_GUINT64_FORMAT
                 " shortest runs of Haskell threads are on the lanes of capabilities only: there "
                 "are too many",
                 c->name, g->to->log->path, lost);
}

/* A thread that runs when the selected time begins runs from then on. */
static void
begin_runs (struct ghc_trace *g)
{
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, g->caps);
  while (!g->has_begun && g_hash_table_iter_next (&iter, NULL, &value)) {
    struct traced_cap *c = value;
    if (c->ran_before)
      run (g, c, c->thread_before, g->from);
  }
  g->has_begun = true;
}

/* ---- collections ---- */

/* The waits in a collection are slices within it. */
static void
put_waits (struct ghc_trace *g, struct traced_cap *c, bool is_led)
{
  struct traced_collection *of = &c->collection;
  const bool stands_by = !is_led && ghc_collector_has_leads (&g->collector);
  for (guint i = 0; of->all != NULL && i < of->all->len; i++) {
    const struct traced_wait *wait = &g_array_index (of->all, struct traced_wait, i);
    if (wait->is_standby && !stands_by)
      continue;
    trace_slice (g->trace, c->collections, trace_name (g->trace, "Idle"),
                 trace_time (g, wait->begin));
    trace_slice_end (g->trace, c->collections, trace_time (g, wait->end));
  }
  if (of->all != NULL)
    g_array_set_size (of->all, 0);
}

/* Who led the collection is known. */
static void
put_collection (struct ghc_trace *g, struct traced_cap *c, bool is_led)
{
  if (!c->collection.is_begun)
    return;
  put_waits (g, c, is_led);
  if (c->collection.is_ended)
    trace_slice_end (g->trace, c->collections, trace_time (g, c->collection.end));
  c->collection.is_begun = false;
}

static void
begin_wait (struct traced_collection *of, uint64_t time, bool is_standby)
{
  of->waits = true;
  of->now = (struct traced_wait){ .begin = time, .is_standby = is_standby };
}

static void
end_wait (struct traced_collection *of, uint64_t time)
{
  if (of->all == NULL)
    of->all = g_array_new (FALSE, FALSE, sizeof (struct traced_wait));
  of->now.end = time;
  if (of->waits && time > of->now.begin && of->all->len < WAITS_MAX)
    g_array_append_val (of->all, of->now);
  of->waits = false;
}

static void
begin_collection (struct ghc_trace *g, struct traced_cap *c, uint64_t time)
{
  struct traced_collection *of = &c->collection;
  put_collection (g, c, false);
  of->is_begun = true;
  of->is_ended = of->has_worked = false;
  begin_wait (of, time, true);
  trace_slice (g->trace, lane_of (g, c, &c->collections, "collections", TRACE_COLLECTIONS),
               trace_name (g->trace, "Collection"), trace_time (g, time));
}

/* It begins to work, has no more work, or has done it. */
static void
work_in_collection (struct traced_cap *c, enum ghc_kind kind, uint64_t time)
{
  struct traced_collection *of = &c->collection;
  if (!of->is_begun || of->is_ended)
    return;
  end_wait (of, time);
  of->has_worked = true;
  if (kind != GHC_GC_WORK)
    begin_wait (of, time, kind == GHC_GC_DONE);
}

static void
end_collection (struct traced_cap *c, uint64_t time)
{
  struct traced_collection *of = &c->collection;
  if (of->has_worked) /* else the log does not state who works when */
    end_wait (of, time);
  of->waits = false;
  of->is_ended = true;
  of->end = time;
}

static void
free_cap (void *data)
{
  struct traced_cap *c = data;
  if (c->collection.all != NULL)
    g_array_unref (c->collection.all);
  g_free (c);
}

/* A thread that runs at the end of the log, or of the selection, runs up to that. */
static void
end_runs (struct ghc_trace *g)
{
  GHashTableIter iter;
  gpointer cap;
  if (g->from < g->last)
    begin_runs (g);
  g_hash_table_iter_init (&iter, g->caps);
  while (g_hash_table_iter_next (&iter, NULL, &cap)) {
    stop (g, cap, g->last);
    put_collection (g, cap, false);
  }
}

/* ---- the selection ---- */

static bool
is_of_spark (enum ghc_kind kind)
{
  return kind == GHC_SPARK_CREATE || kind == GHC_SPARK_RUN || kind == GHC_SPARK_STEAL
         || kind == GHC_SPARK_FIZZLE || kind == GHC_SPARK_GC;
}

/* The state where the selection begins, and the first values of counters, are known from events
 * before it. */
static bool
has_state (enum ghc_kind kind)
{
  return kind == GHC_RUN_THREAD || kind == GHC_STOP_THREAD || kind == GHC_HEAP_ALLOCATED
         || kind == GHC_HEAP_SIZE || kind == GHC_HEAP_LIVE || kind == GHC_BLOCKS_SIZE
         || kind == GHC_MEM_RETURN || kind == GHC_SPARK_COUNTERS || is_of_spark (kind);
}

/* Samples state their capability themselves, and no thread. */
static bool
is_selected (const struct ghc_trace *g, const struct ghc_item *item)
{
  if ((item->time < g->from && !has_state (item->kind)) || item->time >= g->filter.to)
    return false;
  return item->kind == GHC_PROF_SAMPLE_COST_CENTRE
             ? g->to->log->r.command->selection.threads == NULL
             : ghc_filter_has (&g->filter, item);
}

/* ---- the rest ---- */

static void
count (struct ghc_trace *g, struct traced_counter *counter, const char *name, unsigned cap,
       enum trace_unit unit, enum timeline_quantity quantity, uint64_t number, uint64_t time)
{
  if (time < g->from) {
    counter->before = number;
    return;
  }
  if (counter->track == NULL) {
    g_autofree char *full
        = cap == GHC_NO_CAP ? g_strdup (name) : g_strdup_printf ("Capability %u: %s", cap, name);
    counter->track = trace_add (g->trace, TRACE_COUNTER, g->process, full, unit);
    counter->track->quantity = quantity;
    counter->track->before = counter->before;
  }
  const struct trace_value value = { .whole = (int64_t) MIN (number, INT64_MAX) };
  trace_counter (g->trace, counter->track, value, trace_time (g, time));
}

static void
count_spark (struct ghc_trace *g, struct traced_cap *c, enum spark_count of, uint64_t number,
             uint64_t time)
{
  g_autofree char *name = g_strconcat ("sparks ", spark_names[of], NULL);
  count (g, &c->sparks[of], name, c->cap, TRACE_COUNT, spark_quantities[of], number, time);
}

static void
count_sparks (struct ghc_trace *g, struct traced_cap *c, const struct ghc_spark_counters *event,
              uint64_t time)
{
  c->has_spark_counters = true;
  const uint64_t numbers[SPARK_COUNTS] = { [SPARKS_CREATED] = event->created,
                                           [SPARKS_CONVERTED] = event->converted,
                                           [SPARKS_FIZZLED] = event->fizzled,
                                           [SPARKS_REMAINING] = event->remaining };
  for (unsigned i = 0; i < SPARK_COUNTS; i++)
    count_spark (g, c, i, numbers[i], time);
}

/* A spark is put into the pool of a capability, or leaves it. */
static void
change_pool (struct ghc_trace *g, struct traced_cap *c, bool adds, uint64_t time)
{
  uint64_t *remaining = &c->spark_events[SPARKS_REMAINING];
  *remaining = adds ? *remaining + 1 : *remaining - (*remaining != 0);
  count_spark (g, c, SPARKS_REMAINING, *remaining, time);
}

/* A log of single sparks may have no counters. */
static void
follow_spark (struct ghc_trace *g, struct traced_cap *c, const struct ghc_item *item)
{
  static const enum spark_count counts[] = { [GHC_SPARK_CREATE] = SPARKS_CREATED,
                                             [GHC_SPARK_RUN] = SPARKS_CONVERTED,
                                             [GHC_SPARK_STEAL] = SPARKS_CONVERTED,
                                             [GHC_SPARK_FIZZLE] = SPARKS_FIZZLED };
  const enum ghc_kind kind = item->kind;
  if (c->has_spark_counters)
    return;
  if (kind != GHC_SPARK_GC)
    count_spark (g, c, counts[kind], ++c->spark_events[counts[kind]], item->time);
  change_pool (g, kind == GHC_SPARK_STEAL ? cap_of (g, item->payload->spark_steal.victim_cap) : c,
               kind == GHC_SPARK_CREATE, item->time);
}

static bool
is_mark (enum ghc_kind kind)
{
  return kind == GHC_USER_MSG || kind == GHC_USER_MARKER;
}

/* Those that are not selected may be the other ends of intervals. */
static void
mark (struct ghc_trace *g, struct traced_cap *c, const struct ghc_item *item, bool counts)
{
  const struct ghc_text text = item->kind == GHC_USER_MSG ? item->payload->user_msg.message
                                                          : item->payload->user_marker.marker;
  g_autofree char *copy = marks_text (text.text, text.length);
  const struct mark_time at = { item->time, ghc_running_place (&c->running, c->cap), counts };
  trace_mark (g->trace, g->marks, counts ? lane_of (g, c, &c->marks, "marks", TRACE_MARKS) : NULL,
              copy, &at);
}

static void
add_span (struct ghc_trace *g, const struct traced_cap *c, const struct ghc_item *item)
{
  struct ghc_otel span;
  if (!ghc_otel_span_of (&item->payload->user_binary_msg.bytes, &span))
    return;
  g_autofree char *name
      = span.text.text != NULL ? marks_text (span.text.text, span.text.length) : NULL;
  const struct mark_time at
      = { item->time, ghc_running_place (&c->running, c->cap), is_selected (g, item) };
  g->selected += at.counts;
  trace_mark_span (g->marks, span.number, name, &at);
}

/* Haskell threads go from capability to capability, so that their lanes are of the process. */
static const struct trace_track *
lane_of_intervals (void *data, uint64_t place, uint64_t time, char **name)
{
  const struct ghc_trace *g = data;
  (void) time;
  if (ghc_running_is_thread (place)) {
    g_autofree char *thread = text_of_thread (g, (uint32_t) place);
    *name = g_strconcat (thread, ": intervals", NULL);
  } else {
    *name = g_strdup_printf ("No thread, capability %u: intervals", (unsigned) (uint32_t) place);
  }
  return NULL;
}

static void
note (struct ghc_trace *g, struct traced_cap *c, struct ghc_text text, uint64_t time)
{
  g_autofree char *copy = marks_text (text.text, text.length);
  trace_instant (g->trace, lane_of (g, c, &c->messages, "messages", TRACE_OTHER), copy,
                 trace_time (g, time));
}

/* Names count, whether their event is selected or not. */
static bool
is_name (enum ghc_kind kind)
{
  return kind == GHC_THREAD_LABEL || kind == GHC_HEAP_PROF_COST_CENTRE || kind == GHC_HEAP_INFO_GHC;
}

/* ---- the time profile, and call stacks ---- */

/* Each stands for a tick, where the log states how long that is. */
static void
put_sample (struct ghc_trace *g, unsigned cap, const struct trace_stack *stack, uint64_t time)
{
  const struct trace_track *track = track_of (g, cap_of (g, cap));
  trace_sample (g->trace, track, stack, trace_time (g, time));
  if (g->trace->format->has_natives && g->tick_ns != 0)
    g->trace->format->sample_time (g->trace, track, g->tick_ns, 0, false);
}

/* As reports count them: without those of idle capabilities. */
static void
sample (struct ghc_trace *g, const struct ghc_prof_sample_cost_centre *event, uint64_t time)
{
  const struct selection *selection = &g->to->log->r.command->selection;
  const struct ghc_stack *stack = &event->stack;
  if (g->trace->format->sample == NULL || !selection_has_cap (selection, event->cap)
      || (stack->count != 0 && ghc_cost_centres_is_idle (&g->centres, stack->items[0])))
    return;
  guint name = trace_name (g->trace, "MAIN");
  g_array_set_size (g->frames, 0);
  g_array_append_val (g->frames, name);
  for (size_t i = stack->count; i > 0; i--) {
    g_autofree char *text = ghc_cost_centres_name (&g->centres, stack->items[i - 1]);
    name = trace_name (g->trace, text);
    g_array_append_val (g->frames, name);
  }
  const struct trace_stack frames
      = { (const guint *) (const void *) g->frames->data, g->frames->len, NULL };
  put_sample (g, event->cap, &frames, time);
}

static guint
name_of_frame (struct ghc_trace *g, uint32_t frame)
{
  if (frame >= g->stack_names->len)
    g_array_set_size (g->stack_names, frame + 1);
  guint *known = &g_array_index (g->stack_names, guint, frame);
  if (*known == 0) {
    g_autofree char *text = ghc_call_stacks_name (g->stacks, g->provenances, frame);
    *known = trace_name (g->trace, text) + 1;
  }
  return *known - 1;
}

/* All messages are read, as a stack may have parts; those count that are selected. */
static void
call_stack (struct ghc_trace *g, const struct ghc_item *item)
{
  const struct selection *selection = &g->to->log->r.command->selection;
  struct ghc_call_stack stack;
  if (!ghc_call_stacks_add (g->stacks, item->cap, &item->payload->user_binary_msg.bytes, &stack)
      || item->time < g->from || item->time >= g->filter.to
      || !selection_has_cap (selection, stack.cap)
      || !selection_has_thread (
          selection, stack.thread,
          g_hash_table_lookup (g->filter.labels, GUINT_TO_POINTER (stack.thread))))
    return;
  g->selected++;
  g_array_set_size (g->frames, 0);
  for (size_t i = 0; i < stack.count; i++) {
    const guint name = name_of_frame (g, stack.frames[g->is_innermost ? stack.count - 1 - i : i]);
    g_array_append_val (g->frames, name);
  }
  const struct trace_stack frames
      = { (const guint *) (const void *) g->frames->data, g->frames->len, NULL };
  put_sample (g, stack.cap, &frames, item->time);
}

static bool
is_call_stack (const struct ghc_trace *g, const struct ghc_item *item)
{
  return item->kind == GHC_USER_BINARY_MSG && g->trace->format->sample != NULL
         && ghc_call_stacks_has (&item->payload->user_binary_msg.bytes);
}

static bool
handle_item (struct ghc_trace *g, const struct ghc_item *item)
{
  const union ghc_payload *p = item->payload;
  const uint64_t time = item->time;
  struct traced_cap *c = cap_of (g, item->cap);
  if (time >= g->from) {
    begin_runs (g);
    g->selected += !is_name (item->kind);
  }
  switch (item->kind) {
  case GHC_THREAD_LABEL:
    label (g, &p->thread_label);
    break;
  case GHC_CREATE_THREAD:
    add_thread (g, p->create_thread.thread);
    break;
  case GHC_RUN_THREAD:
    run (g, c, p->run_thread.thread, time);
    break;
  case GHC_STOP_THREAD:
    stop (g, c, time);
    break;
  case GHC_GC_START:
    begin_collection (g, c, time);
    break;
  case GHC_GC_IDLE:
  case GHC_GC_WORK:
  case GHC_GC_DONE:
    work_in_collection (c, item->kind, time);
    break;
  case GHC_GC_END:
    end_collection (c, time);
    break;
  case GHC_GC_GLOBAL_SYNC:
  case GHC_GC_STATS_GHC:
    if (c->collection.is_ended)
      put_collection (g, c, true);
    break;
  case GHC_HEAP_ALLOCATED:
    count (g, &c->allocated, "allocated", c->cap, TRACE_BYTES, TIMELINE_ALLOCATED,
           p->heap_allocated.bytes, time);
    break;
  case GHC_HEAP_SIZE:
    count (g, &g->heap, "Heap size", GHC_NO_CAP, TRACE_BYTES, TIMELINE_HEAP_SIZE,
           p->heap_size.bytes, time);
    break;
  case GHC_HEAP_LIVE:
    count (g, &g->live, "Live bytes", GHC_NO_CAP, TRACE_BYTES, TIMELINE_LIVE, p->heap_live.bytes,
           time);
    break;
  case GHC_BLOCKS_SIZE:
    count (g, &g->blocks, "Blocks in use", GHC_NO_CAP, TRACE_BYTES, TIMELINE_BLOCKS,
           p->blocks_size.bytes, time);
    break;
  case GHC_HEAP_INFO_GHC:
    g->megablock = p->heap_info_ghc.mblock_size;
    break;
  case GHC_MEM_RETURN:
    count (g, &g->needed, "Needed memory", GHC_NO_CAP, TRACE_BYTES, TIMELINE_NEEDED,
           saturated_product (p->mem_return.needed_mblocks, g->megablock), time);
    break;
  case GHC_SPARK_COUNTERS:
    count_sparks (g, c, &p->spark_counters, time);
    break;
  case GHC_SPARK_CREATE:
  case GHC_SPARK_RUN:
  case GHC_SPARK_STEAL:
  case GHC_SPARK_FIZZLE:
  case GHC_SPARK_GC:
    follow_spark (g, c, item);
    break;
  case GHC_USER_MSG:
  case GHC_USER_MARKER:
    mark (g, c, item, true);
    break;
  case GHC_HEAP_PROF_COST_CENTRE:
    ghc_cost_centres_add (&g->centres, &p->heap_prof_cost_centre);
    break;
  case GHC_PROF_SAMPLE_COST_CENTRE:
    sample (g, &p->prof_sample_cost_centre, time);
    break;
  case GHC_LOG_MSG:
    note (g, c, p->log_msg.message, time);
    break;
  default:
    break;
  }
  return !g->trace->out->failed;
}

/* ---- threads that could run ---- */

/* All events count, whether they are selected or not. */
static bool
is_followed (const struct ghc_trace *g, enum ghc_kind kind)
{
  return (g->trace->format->runnable != NULL || g->states != &g->own) && ghc_threads_handles (kind);
}

static void
put_runnable (void *data, const struct ghc_thread *thread, uint64_t from, uint64_t to)
{
  struct ghc_trace *g = data;
  const char *name = g_hash_table_lookup (g->filter.labels, GUINT_TO_POINTER (thread->id));
  if (selection_has_thread (g->filter.selection, thread->id, name))
    g->trace->format->runnable (g->trace, g->process, trace_time (g, from), trace_time (g, to));
}

static void
begin_states (struct ghc_trace *g)
{
  g->states = g->to->threads != NULL ? g->to->threads : &g->own;
  if (g->states == &g->own) {
    ghc_threads_init (&g->own, g->from, g->filter.to);
    g->own.selection = g->filter.selection;
  }
  g->states->runnable = g->trace->format->runnable != NULL ? put_runnable : NULL;
  g->states->data = g;
}

/* The states of threads at the last event last up to that. */
static void
end_states (struct ghc_trace *g)
{
  g->states->last = MAX (g->states->last, g->last);
  ghc_threads_finish (g->states);
  if (g->states == &g->own)
    ghc_threads_clear (&g->own);
}

/* ---- a log of the file ---- */

/* The part of the capability that leads a collection is its main pause, as reports count it. */
static void
put_pause (void *data, const struct ghc_cap *leader, const struct ghc_interval *main,
           bool is_stated)
{
  static const union ghc_payload none;
  struct ghc_trace *g = data;
  const struct traced_cap *c = cap_of (g, leader->number);
  const struct ghc_item begin = { .type = GHC_ITEM_EVENT,
                                  .kind = GHC_GC_START,
                                  .header = &g->header,
                                  .payload = &none,
                                  .time = main->start,
                                  .cap = leader->number };
  (void) is_stated;
  if (c->collections != NULL && is_selected (g, &begin) && main->end < g->filter.to)
    trace_pause (g->trace, c->collections, TIMELINE_GENERATION_UNKNOWN, trace_time (g, main->start),
                 trace_time (g, main->end));
}

/* The followers that take an event, by its kind. */
enum {
  TAKES_STATES = 1 << 0,    /* of threads */
  TAKES_INTERVALS = 1 << 1, /* where threads run, and ends of intervals, also if not selected */
  TAKES_COLLECTIONS = 1 << 2,
  TAKES_TRACE = 1 << 3, /* there is something to show, if it is selected */
};

static bool
has_trace (enum ghc_kind kind)
{
  switch (kind) {
  case GHC_CREATE_THREAD:
  case GHC_GC_START:
  case GHC_GC_IDLE:
  case GHC_GC_WORK:
  case GHC_GC_DONE:
  case GHC_GC_END:
  case GHC_GC_GLOBAL_SYNC:
  case GHC_GC_STATS_GHC:
  case GHC_LOG_MSG:
  case GHC_PROF_SAMPLE_COST_CENTRE:
    return true;
  default:
    return has_state (kind) || is_name (kind) || is_mark (kind);
  }
}

static bool
is_traced (const struct ghc_trace *g, const struct ghc_item *item)
{
  return (g->takes[item->kind] & TAKES_TRACE) != 0
         && (is_name (item->kind) || is_selected (g, item));
}

static void
follow_intervals (struct ghc_trace *g, const struct ghc_item *item)
{
  struct traced_cap *c = cap_of (g, item->cap);
  ghc_running_event (&c->running, item->kind, item->payload);
  if (is_mark (item->kind) && !is_traced (g, item))
    mark (g, c, item, false);
}

static void
set_takes (struct ghc_trace *g)
{
  for (unsigned i = 0; i <= GHC_KINDS; i++) {
    const enum ghc_kind kind = (enum ghc_kind) i;
    const bool has_interval = kind == GHC_RUN_THREAD || kind == GHC_STOP_THREAD || is_mark (kind);
    g->takes[i] = (is_followed (g, kind) ? TAKES_STATES : 0) | (has_interval ? TAKES_INTERVALS : 0)
                  | (ghc_collector_handles (kind) ? TAKES_COLLECTIONS : 0)
                  | (has_trace (kind) ? TAKES_TRACE : 0);
  }
}

static bool
wants_kind (const void *data, enum ghc_kind kind)
{
  const struct ghc_trace *g = data;
  return g->takes[kind] != 0 || kind == GHC_USER_BINARY_MSG || kind == GHC_PROF_BEGIN;
}

static bool
take_item (void *data, const struct ghc_item *item)
{
  struct ghc_trace *g = data;
  const unsigned takes = g->takes[item->kind];
  trace_log_progress (g->to, &g->passed, item->size);
  if ((takes & TAKES_STATES) != 0)
    ghc_threads_item (g->states, item);
  if ((takes & TAKES_INTERVALS) != 0)
    follow_intervals (g, item);
  if ((takes & TAKES_COLLECTIONS) != 0)
    ghc_collector_event (&g->collector, item);
  if (item->kind == GHC_PROF_BEGIN)
    g->tick_ns = item->payload->prof_begin.tick_interval;
  if (is_call_stack (g, item))
    call_stack (g, item);
  else if (item->kind == GHC_USER_BINARY_MSG)
    add_span (g, cap_of (g, item->cap), item);
  return is_traced (g, item) ? handle_item (g, item) : true;
}

/* The time of the latest event, or the end of the selection. */
static uint64_t
last_time (const struct ordered_log *log, const struct ghc_part *part)
{
  uint64_t last = 0;
  for (guint i = part->first; i < part->first + part->n_chunks; i++)
    last = MAX (last, g_array_index (log->ghc.map.chunks.chunks, struct ghc_chunk, i).last);
  return MIN (last, log->ghc.filter.to);
}

static uint64_t
trace_part (const struct log_trace *to, guint part_number)
{
  struct ordered_log *log = to->log;
  const struct ghc_part *part
      = &g_array_index (log->ghc.map.chunks.parts, struct ghc_part, part_number);
  const struct ghc_order_options options = { .to = UINT64_MAX };
  struct ghc_trace g = { .to = to,
                         .trace = to->trace,
                         .header = part->types->header,
                         .filter = log->ghc.filter,
                         .from = log->ghc.filter.from,
                         .last = last_time (log, part),
                         .megablock = GHC_MEGABLOCK,
                         .marks = trace_marks_new (to->zero),
                         .runs = to->trace->format->has_runs ? trace_runs_new () : NULL,
                         .caps = g_hash_table_new_full (NULL, NULL, NULL, free_cap),
                         .labels = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                         .first_labels = g_ptr_array_index (log->ghc.map.labels, part_number),
                         .names = g_array_new (FALSE, TRUE, sizeof (guint)),
                         .stacks = &log->ghc.map.stacks,
                         .provenances = &log->ghc.map.provenances,
                         .stack_names = g_array_new (FALSE, TRUE, sizeof (guint)),
                         .frames = g_array_new (FALSE, FALSE, sizeof (guint)) };
  const struct ghc_order_sink sink = { .data = &g, .wants = wants_kind, .take = take_item };
  g.filter.from = 0;
  ghc_call_stacks_rewind (g.stacks);
  g.is_innermost = ghc_call_stacks_begin_innermost (g.stacks, g.provenances);
  id_map_init (&g.threads);
  ghc_cost_centres_init (&g.centres);
  ghc_collector_init (&g.collector, &(const struct ghc_collections_watch){ put_pause, &g },
                      GHC_INTERVALS_MAX, true);
  g.process = trace_add_process (to->trace, log->ghc.map.start.pid, to->name);
  g.process->runtime = "ghc";
  begin_states (&g);
  set_takes (&g);
  ghc_order_events (&log->ghc.map.chunks, part, log->input, &options, &sink);
  ghc_collector_finish (&g.collector);
  end_runs (&g);
  put_threads (&g);
  trace_log_end_marks (to, g.marks, g.process,
                       &(const struct trace_threads){ &g, lane_of_intervals });
  end_states (&g);
  g.process->threads = g.threads.count;
  id_map_clear (&g.threads);
  g_array_unref (g.names);
  g_array_unref (g.stack_names);
  g_hash_table_unref (g.caps);
  g_hash_table_unref (g.labels);
  ghc_collector_clear (&g.collector);
  ghc_cost_centres_clear (&g.centres);
  g_array_unref (g.frames);
  return g.selected;
}

uint64_t
trace_eventlog (const struct log_trace *to)
{
  const struct ghc_chunks *chunks = &to->log->ghc.map.chunks;
  uint64_t selected = 0;
  for (guint i = 0; i < chunks->parts->len && !to->trace->out->failed; i++)
    selected += trace_part (to, i);
  return selected;
}
