/* trace-log.c -- marks, and the intervals between them. */
#include "config.h"

#include "decoder/command/message.h"
#include "decoder/trace/trace-log.h"

struct trace_marks {
  struct mark_edges edges;
  uint64_t zero;
};

struct trace_marks *
trace_marks_new (uint64_t zero)
{
  struct trace_marks *m = g_new0 (struct trace_marks, 1);
  m->zero = zero;
  mark_pairs_init (&m->edges);
  return m;
}

/* A time of the log, in the trace; the trace may begin before the log's clock does. */
static uint64_t
trace_time (uint64_t zero, uint64_t time)
{
  return (int64_t) (time - zero) < 0 ? 0 : time - zero;
}

void
trace_mark (struct trace *t, struct trace_marks *m, struct trace_track *track, const char *text,
            const struct mark_time *at)
{
  if (at->counts)
    trace_instant (t, track, text, trace_time (m->zero, at->time));
  mark_pairs_add (&m->edges, text, at);
}

void
trace_mark_span (struct trace_marks *m, uint64_t number, const char *name,
                 const struct mark_time *at)
{
  mark_pairs_add_span (&m->edges, number, name, at);
}

/* ---- lanes ---- */

/* Intervals of one name; those that are open at a time nest. */
struct interval_lane {
  guint number;
  struct trace_track *track;
  uint64_t thread; /* of the first one that is open */
  GArray *ends;    /* of uint64_t: of those that are open */
};

struct interval_lanes {
  struct trace *trace;
  const struct trace_track *process;
  uint64_t zero;
  const char *name;
  guint slice;                   /* the name as that of slices */
  GPtrArray *all;                /* of struct interval_lane *; owns them */
  GTree *free;                   /* number -> struct interval_lane where none is open */
  GHashTable *by_thread;         /* uint64_t -> struct interval_lane: the latest of the thread */
  struct interval_lane *endless; /* where one is open that does not end; NULL: none */
};

static void
free_lane (void *data)
{
  struct interval_lane *lane = data;
  g_array_unref (lane->ends);
  g_free (lane);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  const guint x = GPOINTER_TO_UINT (a), y = GPOINTER_TO_UINT (b);
  return (x > y) - (x < y);
}

static struct interval_lane *
new_lane (struct interval_lanes *l)
{
  struct interval_lane *lane = g_new0 (struct interval_lane, 1);
  lane->number = l->all->len;
  g_autofree char *name = lane->number == 0
                              ? g_strdup (l->name)
                              : g_strdup_printf ("%s (%u)", l->name, lane->number + 1);
  lane->track = trace_add (l->trace, TRACE_LANE, l->process, name, TRACE_COUNT);
  lane->ends = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_ptr_array_add (l->all, lane);
  g_tree_insert (l->free, GUINT_TO_POINTER (lane->number), lane);
  return lane;
}

/* Can an interval be in the lane, within the last one that is open there? */
static bool
has_room (const struct interval_lane *lane, uint64_t end)
{
  return lane != NULL && lane->ends->len != 0
         && end <= g_array_index (lane->ends, uint64_t, lane->ends->len - 1);
}

static struct interval_lane *
select_lane (struct interval_lanes *l, uint64_t thread, uint64_t end)
{
  struct interval_lane *lane = g_hash_table_lookup (l->by_thread, &thread);
  if (has_room (lane, end))
    return lane;
  if (end == UINT64_MAX && has_room (l->endless, end))
    return l->endless;
  GTreeNode *first = g_tree_node_first (l->free);
  return first != NULL ? g_tree_node_value (first) : new_lane (l);
}

static struct interval_lane *
begin_interval (struct interval_lanes *l, uint64_t thread, uint64_t begin, uint64_t end)
{
  struct interval_lane *lane = select_lane (l, thread, end);
  if (lane->ends->len == 0) {
    lane->thread = thread;
    g_hash_table_replace (l->by_thread, &lane->thread, lane);
    g_tree_remove (l->free, GUINT_TO_POINTER (lane->number));
  }
  if (end == UINT64_MAX)
    l->endless = lane;
  g_array_append_val (lane->ends, end);
  trace_slice (l->trace, lane->track, l->slice, trace_time (l->zero, begin));
  return lane;
}

static void
end_interval (struct interval_lanes *l, struct interval_lane *lane, uint64_t end)
{
  trace_slice_end (l->trace, lane->track, trace_time (l->zero, end));
  g_array_set_size (lane->ends, lane->ends->len - 1);
  if (lane->ends->len != 0)
    return;
  if (g_hash_table_lookup (l->by_thread, &lane->thread) == lane)
    g_hash_table_remove (l->by_thread, &lane->thread);
  g_tree_insert (l->free, GUINT_TO_POINTER (lane->number), lane);
}

/* ---- intervals ---- */

/* The end of an interval that has a lane. */
struct lane_end {
  uint64_t time;
  guint pair;
};

static uint64_t
end_of (const struct mark_pair *pair)
{
  return pair->kind == MARK_PAIR_WHOLE && pair->end.counts ? pair->end.time : UINT64_MAX;
}

static bool
is_shown (const struct mark_pair *pair)
{
  return pair->kind != MARK_PAIR_STOP && pair->begin.counts;
}

static gint
compare_ends (gconstpointer a, gconstpointer b)
{
  const struct lane_end *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->pair > y->pair ? -1 : x->pair < y->pair; /* the inner ones began later */
}

/* In order; those that do not last end as they begin. */
static GArray *
sort_ends (const struct mark_pair *pairs, guint n)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (struct lane_end));
  for (guint i = 0; i < n; i++) {
    const struct lane_end end = { end_of (&pairs[i]), i };
    if (is_shown (&pairs[i]) && end.time != UINT64_MAX && end.time != pairs[i].begin.time)
      g_array_append_val (ends, end);
  }
  g_array_sort (ends, compare_ends);
  return ends;
}

struct sweep {
  struct trace *trace;
  const struct trace_track *process;
  uint64_t zero;
};

static void
put_intervals (void *data, const char *name, const struct mark_pair *pairs, guint n)
{
  const struct sweep *s = data;
  struct interval_lanes l = { .trace = s->trace,
                              .process = s->process,
                              .zero = s->zero,
                              .name = name,
                              .slice = trace_name (s->trace, name),
                              .all = g_ptr_array_new_with_free_func (free_lane),
                              .free = g_tree_new (compare_numbers),
                              .by_thread = g_hash_table_new (g_int64_hash, g_int64_equal) };
  g_autofree struct interval_lane **lanes = g_new0 (struct interval_lane *, n);
  g_autoptr (GArray) ends = sort_ends (pairs, n);
  guint ended = 0;
  for (guint i = 0; i <= n; i++) {
    const uint64_t begin = i < n ? pairs[i].begin.time : UINT64_MAX;
    for (; ended < ends->len; ended++) {
      const struct lane_end *end = &g_array_index (ends, struct lane_end, ended);
      if (end->time > begin)
        break;
      end_interval (&l, lanes[end->pair], end->time);
    }
    if (i == n || !is_shown (&pairs[i]))
      continue;
    lanes[i] = begin_interval (&l, pairs[i].begin.thread, begin, end_of (&pairs[i]));
    if (end_of (&pairs[i]) == begin)
      end_interval (&l, lanes[i], begin);
  }
  g_hash_table_unref (l.by_thread);
  g_tree_unref (l.free);
  g_ptr_array_unref (l.all);
}

uint64_t
trace_marks_finish (struct trace *t, struct trace_marks *m, const struct trace_track *process)
{
  struct sweep sweep = { t, process, m->zero };
  mark_pairs_each (&m->edges, put_intervals, &sweep);
  const uint64_t lost = m->edges.lost;
  mark_pairs_clear (&m->edges);
  g_free (m);
  return lost;
}

void
trace_log_end_marks (const struct log_trace *to, struct trace_marks *m,
                     const struct trace_track *process)
{
  const uint64_t lost = trace_marks_finish (to->trace, m, process);
  const struct log_command *c = to->log->r.command;
  if (lost != 0 && !c->quiet)
    cli_message ("proflog %s: %s: warning: %" G_GUINT64_FORMAT
                 " marks \"START ...\" and \"STOP ...\" are in no interval: there are too many",
                 c->name, to->log->path, lost);
}
