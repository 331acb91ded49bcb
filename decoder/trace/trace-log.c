/* trace-log.c -- marks, and the intervals between them. */
#include "config.h"

#include "decoder/command/message.h"
#include "decoder/core/id-map.h"
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

/* Intervals that are one within another at any time. */
struct interval_lane {
  guint number;
  struct trace_track *track;
  uint64_t thread; /* of the first one that is open */
  GArray *ends;    /* of uint64_t: of those that are open */
};

/* Those of a thread, of the threads that share lanes, or of a name. */
struct interval_lanes {
  struct trace *trace;
  const struct trace_track *parent;
  uint64_t zero;
  const char *name;
  GPtrArray *all;                /* of struct interval_lane *; owns them */
  GTree *free;                   /* number -> struct interval_lane where none is open */
  GHashTable *by_thread;         /* uint64_t -> struct interval_lane: the latest of the thread */
  struct interval_lane *endless; /* where one is open that does not end; NULL: none */
};

/* An interval on its way into lanes; the times are those of the log. */
struct interval {
  uint64_t begin, end; /* UINT64_MAX: it does not end */
  uint64_t thread;     /* on which it began */
  bool is_across;      /* it ends on another */
  const char *name;    /* of the marks */
  guint slice;         /* the name as that of slices */
  guint group;         /* the number of its thread, or, if it is across, of its name */
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
  lane->track = trace_add (l->trace, TRACE_LANE, l->parent, name, TRACE_COUNT);
  lane->track->role = TRACE_INTERVALS;
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
begin_interval (struct interval_lanes *l, const struct interval *interval)
{
  struct interval_lane *lane = select_lane (l, interval->thread, interval->end);
  if (lane->ends->len == 0) {
    lane->thread = interval->thread;
    g_hash_table_replace (l->by_thread, &lane->thread, lane);
    g_tree_remove (l->free, GUINT_TO_POINTER (lane->number));
  }
  if (interval->end == UINT64_MAX)
    l->endless = lane;
  g_array_append_val (lane->ends, interval->end);
  trace_slice (l->trace, lane->track, interval->slice, trace_time (l->zero, interval->begin));
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

/* ---- the intervals of a group ---- */

/* The end of an interval that has a lane. */
struct lane_end {
  uint64_t time;
  guint interval;
};

static gint
compare_ends (gconstpointer a, gconstpointer b)
{
  const struct lane_end *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  /* the inner ones began later */
  return x->interval > y->interval ? -1 : x->interval < y->interval;
}

/* In order; those that do not last end as they begin. */
static GArray *
sort_ends (const struct interval *intervals, guint n)
{
  GArray *ends = g_array_new (FALSE, FALSE, sizeof (struct lane_end));
  for (guint i = 0; i < n; i++) {
    const struct lane_end end = { intervals[i].end, i };
    if (end.time != UINT64_MAX && end.time != intervals[i].begin)
      g_array_append_val (ends, end);
  }
  g_array_sort (ends, compare_ends);
  return ends;
}

static void
put_lanes (struct interval_lanes *l, const struct interval *intervals, guint n)
{
  g_autofree struct interval_lane **lanes = g_new0 (struct interval_lane *, n);
  g_autoptr (GArray) ends = sort_ends (intervals, n);
  guint ended = 0;
  for (guint i = 0; i <= n; i++) {
    const uint64_t begin = i < n ? intervals[i].begin : UINT64_MAX;
    for (; ended < ends->len; ended++) {
      const struct lane_end *end = &g_array_index (ends, struct lane_end, ended);
      if (end->time > begin)
        break;
      end_interval (l, lanes[end->interval], end->time);
    }
    if (i == n)
      break;
    lanes[i] = begin_interval (l, &intervals[i]);
    if (intervals[i].end == begin)
      end_interval (l, lanes[i], begin);
  }
}

/* ---- all intervals ---- */

struct sweep {
  struct trace *trace;
  const struct trace_track *process;
  uint64_t zero;
  const struct trace_threads *names;
  GArray *all;                   /* of struct interval */
  struct id_map threads, slices; /* those of intervals that stay on a thread, and of others */
};

static void
collect (void *data, const char *name, const struct mark_pair *pairs, guint n)
{
  const struct sweep *s = data;
  const guint slice = trace_name (s->trace, name);
  for (guint i = 0; i < n; i++) {
    const struct mark_pair *pair = &pairs[i];
    const bool is_whole = pair->kind == MARK_PAIR_WHOLE;
    const struct interval interval
        = { .begin = pair->begin.time,
            .end = is_whole && pair->end.counts ? pair->end.time : UINT64_MAX,
            .thread = pair->begin.thread,
            .is_across = is_whole && pair->end.thread != pair->begin.thread,
            .name = name,
            .slice = slice };
    if (pair->kind != MARK_PAIR_STOP && pair->begin.counts)
      g_array_append_val (s->all, interval);
  }
}

/* In order of time; of those that begin together the longest first. */
static gint
compare_intervals (gconstpointer a, gconstpointer b)
{
  const struct interval *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

static gint
compare_in_groups (gconstpointer a, gconstpointer b)
{
  const struct interval *x = a, *y = b;
  if (x->is_across != y->is_across)
    return x->is_across ? 1 : -1;
  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return compare_intervals (a, b);
}

/* The time of a thread in its intervals. */
struct thread_weight {
  guint thread;
  uint64_t ns;
};

static gint
compare_weights (gconstpointer a, gconstpointer b)
{
  const struct thread_weight *x = a, *y = b;
  if (x->ns != y->ns)
    return x->ns < y->ns ? 1 : -1;
  return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* For each thread whether it shares lanes: one that is not among those of the longest times
 * (transfer full). */
static bool *
sharing_threads (const struct sweep *s)
{
  const guint n = s->threads.count;
  bool *shares = g_new0 (bool, n + 1);
  if (n <= TRACE_INTERVAL_THREADS_MAX)
    return shares;
  g_autofree struct thread_weight *weights = g_new0 (struct thread_weight, n);
  for (guint i = 0; i < n; i++)
    weights[i].thread = i;
  for (guint i = 0; i < s->all->len; i++) {
    const struct interval *interval = &g_array_index (s->all, struct interval, i);
    if (!interval->is_across && interval->end != UINT64_MAX)
      weights[interval->group].ns += interval->end - interval->begin;
  }
  qsort (weights, n, sizeof *weights, compare_weights);
  for (guint i = TRACE_INTERVAL_THREADS_MAX; i < n; i++)
    shares[weights[i].thread] = true;
  return shares;
}

/* Threads and names have numbers in the order in which their intervals begin. */
static void
sort_groups (struct sweep *s)
{
  g_array_sort (s->all, compare_intervals);
  for (guint i = 0; i < s->all->len; i++) {
    struct interval *interval = &g_array_index (s->all, struct interval, i);
    interval->group = interval->is_across ? id_map_number (&s->slices, interval->slice)
                                          : id_map_number (&s->threads, interval->thread);
  }
  g_autofree bool *shares = sharing_threads (s);
  for (guint i = 0; i < s->all->len; i++) {
    struct interval *interval = &g_array_index (s->all, struct interval, i);
    if (!interval->is_across && shares[interval->group])
      interval->group = s->threads.count;
  }
  g_array_sort (s->all, compare_in_groups);
}

static void
put_group (const struct sweep *s, const struct interval *intervals, guint n)
{
  g_autofree char *name = NULL;
  const struct trace_track *parent = NULL;
  if (intervals->is_across)
    name = g_strdup (intervals->name);
  else if (intervals->group == s->threads.count)
    name = g_strdup ("Other threads: intervals");
  else
    parent = s->names->lane (s->names->data, intervals->thread, intervals->begin, &name);
  struct interval_lanes l = { .trace = s->trace,
                              .parent = parent != NULL ? parent : s->process,
                              .zero = s->zero,
                              .name = name,
                              .all = g_ptr_array_new_with_free_func (free_lane),
                              .free = g_tree_new (compare_numbers),
                              .by_thread = g_hash_table_new (g_int64_hash, g_int64_equal) };
  put_lanes (&l, intervals, n);
  g_hash_table_unref (l.by_thread);
  g_tree_unref (l.free);
  g_ptr_array_unref (l.all);
}

static void
put_groups (const struct sweep *s)
{
  const struct interval *all = (const struct interval *) (const void *) s->all->data;
  guint n;
  for (guint i = 0; i < s->all->len; i += n) {
    for (n = 1; i + n < s->all->len && all[i + n].is_across == all[i].is_across
                && all[i + n].group == all[i].group;)
      n++;
    put_group (s, all + i, n);
  }
}

uint64_t
trace_marks_finish (struct trace *t, struct trace_marks *m, const struct trace_track *process,
                    const struct trace_threads *names)
{
  struct sweep sweep = { .trace = t,
                         .process = process,
                         .zero = m->zero,
                         .names = names,
                         .all = g_array_new (FALSE, FALSE, sizeof (struct interval)) };
  id_map_init (&sweep.threads);
  id_map_init (&sweep.slices);
  mark_pairs_each (&m->edges, collect, &sweep);
  sort_groups (&sweep);
  put_groups (&sweep);
  const uint64_t lost = m->edges.lost;
  g_array_unref (sweep.all);
  id_map_clear (&sweep.threads);
  id_map_clear (&sweep.slices);
  mark_pairs_clear (&m->edges);
  g_free (m);
  return lost;
}

void
trace_log_end_marks (const struct log_trace *to, struct trace_marks *m,
                     const struct trace_track *process, const struct trace_threads *names)
{
  const uint64_t lost = trace_marks_finish (to->trace, m, process, names);
  const struct log_command *c = to->log->r.command;
  if (lost != 0 && !c->quiet)
    cli_message ("proflog %s: %s: warning: %" G_GUINT64_FORMAT
                 " marks \"START ...\" and \"STOP ...\" are in no interval: there are too many",
                 c->name, to->log->path, lost);
}
