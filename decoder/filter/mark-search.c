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
}

void
mark_search_clear (struct mark_search *m)
{
  marks_clear (&m->marks);
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
mark_search_add (struct mark_search *m, const char *name, size_t length, uint64_t time)
{
  const struct selection *s = m->selection;
  if (is_named (&s->from, name, length))
    g_array_append_val (m->starts, time);
  if (is_named (&s->to, name, length))
    g_array_append_val (m->ends, time);
  const struct mark_event event = { .name = name, .length = length, .at = { time, 0, true } };
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

/* The times of the requested occurrence of a range from a mark to another.  Returns the number of
 * all. */
static guint
find_occurrence (const struct mark_search *m, uint64_t *from, uint64_t *to)
{
  uint64_t end = 0;
  guint n = 0, passed = 0;
  for (guint i = 0; i < m->starts->len; i++) {
    const uint64_t start = g_array_index (m->starts, uint64_t, i);
    if (start < end)
      continue;
    end = find_end (m, start, &passed);
    if (end == UINT64_MAX)
      break;
    if (n++ == m->selection->occurrence) {
      *from = start;
      *to = end;
    }
  }
  return n;
}

bool
mark_search_bounds (const struct mark_search *m, uint64_t first, uint64_t last, uint64_t *from,
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
    *to = find_end (m, *from, &passed);
    const guint n = s->from.mark != NULL ? find_occurrence (m, from, to) : 1;
    if (s->occurrences != NULL)
      *s->occurrences = n;
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
