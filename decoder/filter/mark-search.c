/* mark-search.c -- finds marks by name, and the time range between two. */
#include "config.h"

#include "decoder/filter/mark-search.h"
#include <string.h>

/* Names that a message lists. */
#define LISTED_MAX 10

void
mark_search_init (struct mark_search *m, const struct selection *selection)
{
  *m = (struct mark_search){ .selection = selection,
                             .starts = g_array_new (FALSE, FALSE, sizeof (uint64_t)),
                             .ends = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  marks_init (&m->marks);
  mark_pairs_init (&m->edges);
}

void
mark_search_clear (struct mark_search *m)
{
  marks_clear (&m->marks);
  mark_pairs_clear (&m->edges);
  g_array_unref (m->starts);
  g_array_unref (m->ends);
}

static bool
is_named (const struct selection_bound *bound, const char *name, size_t length)
{
  return bound->mark != NULL && strlen (bound->mark) == length
         && memcmp (bound->mark, name, length) == 0;
}

void
mark_search_add (struct mark_search *m, const char *name, size_t length, uint64_t time,
                 uint64_t place)
{
  const struct selection *s = m->selection;
  const struct mark_event event = { .name = name, .length = length, .at = { time, place, true } };
  if (is_named (&s->from, name, length)) {
    g_array_append_val (m->starts, time);
    mark_pairs_add (&m->edges, s->from.mark, &event.at);
  }
  if (is_named (&s->to, name, length)) {
    g_array_append_val (m->ends, time);
    mark_pairs_add (&m->edges, s->to.mark, &event.at);
  }
  marks_add (&m->marks, &event);
}

/* ---- after the last one ---- */

/* A time of the log for messages. */
static double
ms_since (uint64_t first, uint64_t time)
{
  return time >= first ? (double) (time - first) / 1e6 : -(double) (first - time) / 1e6;
}

static gint
compare_first (gconstpointer a, gconstpointer b)
{
  const struct mark *x = *(const struct mark *const *) a, *y = *(const struct mark *const *) b;
  return (x->first > y->first) - (x->first < y->first);
}

/* Lists the first ones, in order of time. */
static bool
refuse_unknown (const struct mark_search *m, const char *name, GError **error)
{
  GPtrArray *all = m->marks.all;
  g_ptr_array_sort (all, compare_first);
  GString *names = g_string_new (NULL);
  for (guint i = 0; i < MIN (all->len, LISTED_MAX); i++)
    g_string_append_printf (names, "%s'%s'", i == 0 ? "; there are " : ", ",
                            ((const struct mark *) g_ptr_array_index (all, i))->name);
  if (all->len > LISTED_MAX)
    g_string_append_printf (names, " and %u more, which '--reports=marks' lists",
                            all->len - LISTED_MAX);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "--time-range: the log has no mark '%s'%s", name,
               all->len != 0 ? names->str : " and no other mark");
  g_string_free (names, TRUE);
  return false;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

/* The earliest end after the beginning; UINT64_MAX if there is none.  Ends are in order, and those
 * up to *passed are before it. */
static uint64_t
find_end (const struct mark_search *m, uint64_t from, guint *passed)
{
  for (; *passed < m->ends->len; ++*passed) {
    const uint64_t time = g_array_index (m->ends, uint64_t, *passed);
    if (time > from || !m->selection->from.given)
      return time;
  }
  return UINT64_MAX;
}

/* Are the marks those of an interval, as "START x" and "STOP x"? */
static bool
is_interval (const struct selection *s)
{
  const size_t from = mark_pairs_prefix (s->from.mark, strlen (s->from.mark)),
               to = mark_pairs_prefix (s->to.mark, strlen (s->to.mark));
  return from != 0 && to != 0 && strcmp (s->from.mark, s->to.mark) != 0
         && strcmp (s->from.mark + from, s->to.mark + to) == 0;
}

struct occurrence {
  uint64_t from, to;
};

static void
add_intervals (void *data, const char *name, const struct mark_pair *pairs, guint n)
{
  GArray *all = data;
  (void) name;
  for (guint i = 0; i < n; i++) {
    const struct occurrence of = { pairs[i].begin.time, pairs[i].end.time };
    if (pairs[i].kind == MARK_PAIR_WHOLE && of.to > of.from)
      g_array_append_val (all, of);
  }
}

/* Of a range from a mark to another, in order of their beginnings (transfer full). */
static GArray *
list_occurrences (struct mark_search *m)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct occurrence));
  struct occurrence of = { 0, 0 };
  guint passed = 0;
  if (is_interval (m->selection)) {
    mark_pairs_each (&m->edges, add_intervals, all);
    return all;
  }
  for (guint i = 0; i < m->starts->len && of.to != UINT64_MAX; i++) {
    of.from = g_array_index (m->starts, uint64_t, i);
    if (of.from < of.to)
      continue;
    of.to = find_end (m, of.from, &passed);
    if (of.to != UINT64_MAX)
      g_array_append_val (all, of);
  }
  return all;
}

/* The times of the requested one, if it is there. */
static void
find_occurrence (struct mark_search *m, uint64_t *from, uint64_t *to)
{
  const struct selection *s = m->selection;
  g_autoptr (GArray) all = list_occurrences (m);
  if (s->occurrences != NULL)
    *s->occurrences = all->len;
  if (s->occurrence >= all->len)
    return;
  const struct occurrence *of = &g_array_index (all, struct occurrence, s->occurrence);
  *from = of->from;
  *to = of->to;
}

bool
mark_search_bounds (struct mark_search *m, uint64_t first, uint64_t last, uint64_t *from,
                    uint64_t *to, GError **error)
{
  const struct selection *s = m->selection;
  selection_time_bounds (s, first, last, from, to);
  if (s->from.mark != NULL && m->starts->len == 0)
    return refuse_unknown (m, s->from.mark, error);
  if (s->to.mark != NULL && m->ends->len == 0)
    return refuse_unknown (m, s->to.mark, error);
  g_array_sort (m->starts, compare_times);
  g_array_sort (m->ends, compare_times);
  if (s->from.mark != NULL)
    *from = g_array_index (m->starts, uint64_t, 0);
  if (s->to.mark != NULL) {
    guint passed = 0;
    *to = UINT64_MAX;
    if (s->from.mark != NULL)
      find_occurrence (m, from, to);
    else
      *to = find_end (m, *from, &passed);
    if (*to != UINT64_MAX)
      return true;
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--time-range: no mark '%s' is after the beginning of the range, %.3f ms",
                 s->to.mark, ms_since (first, *from));
    return false;
  }
  if (*from < *to)
    return true;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "--time-range: the first mark '%s' is at %.3f ms, and the range ends at %.3f ms",
               s->from.mark, ms_since (first, *from), ms_since (first, *to));
  return false;
}
