/* marks.c -- counts marks, and matches STARTs with STOPs in order of time. */
#include "config.h"

#include "decoder/core/marks.h"
#include <string.h>

struct mark_edge {
  uint64_t time;
  uint32_t order; /* of its coming */
  uint32_t span : 31;
  uint32_t is_start : 1;
};

static void
mark_free (void *data)
{
  struct mark *mark = data;
  g_free (mark->name);
  g_free (mark);
}

static void
interval_free (void *data)
{
  struct mark_interval *interval = data;
  g_free (interval->name);
  g_free (interval);
}

void
marks_init (struct marks *m)
{
  *m = (struct marks){
    .all = g_ptr_array_new_with_free_func (mark_free),
    .by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .spans = g_ptr_array_new_with_free_func (g_free),
    .by_span = g_hash_table_new (g_str_hash, g_str_equal),
    .edges = g_array_new (FALSE, FALSE, sizeof (struct mark_edge)),
  };
}

void
marks_clear (struct marks *m)
{
  g_hash_table_destroy (m->by_name);
  g_hash_table_destroy (m->by_span);
  g_ptr_array_unref (m->all);
  g_ptr_array_unref (m->spans);
  g_array_unref (m->edges);
}

/* ---- events ---- */

/* NULL: there are too many names already. */
static struct mark *
find_mark (struct marks *m, bool is_message, const char *name)
{
  char *key = g_strconcat (is_message ? "e" : "m", name, NULL);
  struct mark *mark = g_hash_table_lookup (m->by_name, key);
  if (mark != NULL || m->all->len == MARK_NAMES_MAX) {
    g_free (key);
    return mark;
  }
  mark = g_new0 (struct mark, 1);
  mark->name = g_strdup (name);
  mark->is_message = is_message;
  g_ptr_array_add (m->all, mark);
  g_hash_table_insert (m->by_name, key, mark);
  return mark;
}

static void
add_edge (struct marks *m, const char *name, bool is_start, uint64_t time)
{
  guint span = GPOINTER_TO_UINT (g_hash_table_lookup (m->by_span, name));
  if (m->edges->len == MARK_EDGES_MAX || (span == 0 && m->spans->len == MARK_NAMES_MAX)) {
    m->lost_edges++;
    return;
  }
  if (span == 0) {
    char *copy = g_strdup (name);
    g_ptr_array_add (m->spans, copy);
    span = m->spans->len;
    g_hash_table_insert (m->by_span, copy, GUINT_TO_POINTER (span));
  }
  const struct mark_edge edge
      = { .time = time, .order = m->edges->len, .span = span - 1, .is_start = is_start };
  g_array_append_val (m->edges, edge);
}

void
marks_add (struct marks *m, bool is_message, const char *name, size_t length, uint64_t time)
{
  char *text = g_strndup (name, length);
  struct mark *mark = find_mark (m, is_message, text);
  m->count++;
  if (mark == NULL)
    m->others++;
  else {
    mark->first = mark->count == 0 ? time : MIN (mark->first, time);
    mark->last = MAX (mark->last, time);
    mark->count++;
  }
  if (g_str_has_prefix (text, MARK_START))
    add_edge (m, text + strlen (MARK_START), true, time);
  else if (g_str_has_prefix (text, MARK_STOP))
    add_edge (m, text + strlen (MARK_STOP), false, time);
  g_free (text);
}

/* ---- intervals ---- */

/* By name, then by time. */
static gint
compare_edges (gconstpointer a, gconstpointer b)
{
  const struct mark_edge *x = a, *y = b;
  if (x->span != y->span)
    return x->span < y->span ? -1 : 1;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static gint
compare_durations (gconstpointer a, gconstpointer b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

static gint
compare_intervals (gconstpointer a, gconstpointer b)
{
  const struct mark_interval *x = *(const struct mark_interval *const *) a;
  const struct mark_interval *y = *(const struct mark_interval *const *) b;
  if (x->total_ns != y->total_ns)
    return x->total_ns < y->total_ns ? 1 : -1;
  return strcmp (x->name, y->name);
}

/* The duration that so many percent of all do not exceed. */
static uint64_t
percentile (const GArray *sorted, guint percent)
{
  const guint64 rank = ((guint64) sorted->len * percent + 99) / 100;
  return sorted->len == 0 ? 0 : g_array_index (sorted, uint64_t, MAX (rank, 1) - 1);
}

/* The edges of one name. */
static struct mark_interval *
match (const char *name, const struct mark_edge *edges, guint n, GArray *durations)
{
  struct mark_interval *interval = g_new0 (struct mark_interval, 1);
  uint64_t depth = 0, begun = 0;
  g_array_set_size (durations, 0);
  for (guint i = 0; i < n; i++) {
    if (edges[i].is_start) {
      begun = depth == 0 ? edges[i].time : begun;
      depth++;
    } else if (depth == 0) {
      interval->unfinished++;
    } else if (--depth == 0) {
      const uint64_t duration = edges[i].time - begun;
      interval->total_ns += duration;
      g_array_append_val (durations, duration);
    }
  }
  g_array_sort (durations, compare_durations);
  interval->name = g_strdup (name);
  interval->count = durations->len;
  interval->unfinished += depth;
  interval->p50_ns = percentile (durations, 50);
  interval->p90_ns = percentile (durations, 90);
  interval->p99_ns = percentile (durations, 99);
  interval->max_ns = percentile (durations, 100);
  return interval;
}

GPtrArray *
marks_intervals (struct marks *m)
{
  GPtrArray *intervals = g_ptr_array_new_with_free_func (interval_free);
  GArray *durations = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_array_sort (m->edges, compare_edges);
  const struct mark_edge *edges = (const struct mark_edge *) m->edges->data;
  for (guint i = 0, n; i < m->edges->len; i += n) {
    for (n = 1; i + n < m->edges->len && edges[i + n].span == edges[i].span; n++)
      continue;
    g_ptr_array_add (intervals,
                     match (g_ptr_array_index (m->spans, edges[i].span), edges + i, n, durations));
  }
  g_ptr_array_sort (intervals, compare_intervals);
  g_array_unref (durations);
  return intervals;
}
