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
                             .ends = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  marks_init (&m->marks);
}

void
mark_search_clear (struct mark_search *m)
{
  marks_clear (&m->marks);
  g_array_unref (m->ends);
}

static bool
is_of (const struct selection_bound *bound, const char *name, size_t length)
{
  return bound->mark != NULL && strlen (bound->mark) == length
         && memcmp (bound->mark, name, length) == 0;
}

void
mark_search_add (struct mark_search *m, const char *name, size_t length, uint64_t time)
{
  const struct selection *s = m->selection;
  if (is_of (&s->from, name, length)) {
    m->start = m->has_start ? MIN (m->start, time) : time;
    m->has_start = true;
  }
  if (is_of (&s->to, name, length))
    g_array_append_val (m->ends, time);
  const struct mark_event event = { .name = name, .length = length, .at = { time, 0, true } };
  marks_add (&m->marks, &event);
}

/* ---- after the last one ---- */

/* A time of the log for people. */
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

/* The earliest end after the beginning; UINT64_MAX if there is none. */
static uint64_t
find_end (const struct mark_search *m, uint64_t from)
{
  uint64_t end = UINT64_MAX;
  for (guint i = 0; i < m->ends->len; i++) {
    const uint64_t time = g_array_index (m->ends, uint64_t, i);
    if (time < end && (time > from || !m->selection->from.given))
      end = time;
  }
  return end;
}

bool
mark_search_bounds (const struct mark_search *m, uint64_t first, uint64_t last, uint64_t *from,
                    uint64_t *to, GError **error)
{
  const struct selection *s = m->selection;
  selection_time_bounds (s, first, last, from, to);
  if (s->from.mark != NULL && !m->has_start)
    return refuse_unknown (m, s->from.mark, error);
  if (s->to.mark != NULL && m->ends->len == 0)
    return refuse_unknown (m, s->to.mark, error);
  if (s->from.mark != NULL)
    *from = m->start;
  if (s->to.mark != NULL) {
    *to = find_end (m, *from);
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
