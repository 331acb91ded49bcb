/* mark-search.c -- finds marks by name, and the time range between two. */
#include "config.h"

#include "decoder/core/id-map.h"
#include "decoder/filter/mark-search.h"
#include <string.h>

/* Names that a message lists. */
#define LISTED_MAX 10

void
mark_search_init (struct mark_search *m, const struct selection *selection)
{
  *m = (struct mark_search){ .selection = selection,
                             .starts = g_array_new (FALSE, FALSE, sizeof (struct mark_time)),
                             .ends = g_array_new (FALSE, FALSE, sizeof (struct mark_time)) };
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
mark_search_add (struct mark_search *m, const char *name, size_t length, uint64_t time,
                 uint64_t place)
{
  const struct selection *s = m->selection;
  const struct mark_event event = { .name = name, .length = length, .at = { time, place, true } };
  if (is_named (&s->from, name, length))
    g_array_append_val (m->starts, event.at);
  if (is_named (&s->to, name, length))
    g_array_append_val (m->ends, event.at);
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
  const struct mark_time *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

static const struct mark_time *
nth (const GArray *marks, guint n)
{
  return &g_array_index (marks, struct mark_time, n);
}

/* The first mark later than a time; UINT64_MAX: there is none. */
static uint64_t
find_later (const GArray *marks, uint64_t time)
{
  guint low = 0, high = marks->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (nth (marks, middle)->time > time)
      high = middle;
    else
      low = middle + 1;
  }
  return low < marks->len ? nth (marks, low)->time : UINT64_MAX;
}

/* Of a thread, while its marks are followed. */
struct thread_marks {
  uint64_t start, end; /* the next ones; UINT64_MAX: there is none */
  uint64_t until;      /* the end of its last occurrence */
};

static struct thread_marks *
marks_of (struct id_map *numbers, GArray *all, uint64_t place)
{
  static const struct thread_marks none = { UINT64_MAX, UINT64_MAX, 0 };
  const guint number = id_map_number (numbers, place);
  if (number == all->len)
    g_array_append_val (all, none);
  return &g_array_index (all, struct thread_marks, number);
}

/* By beginning, when it ends (transfer full): with the next end of the same thread, if no other
 * beginning of the thread comes before that; else UINT64_MAX. */
static uint64_t *
find_own_ends (const struct mark_search *m, struct id_map *numbers, GArray *threads)
{
  uint64_t *own = g_new (uint64_t, m->starts->len + 1);
  guint ends = m->ends->len;
  for (guint i = m->starts->len; i-- > 0;) {
    const struct mark_time *start = nth (m->starts, i);
    for (; ends != 0 && nth (m->ends, ends - 1)->time > start->time; ends--) {
      const struct mark_time *end = nth (m->ends, ends - 1);
      marks_of (numbers, threads, end->thread)->end = end->time;
    }
    struct thread_marks *thread = marks_of (numbers, threads, start->thread);
    own[i] = thread->start >= thread->end ? thread->end : UINT64_MAX;
    thread->start = start->time;
  }
  return own;
}

/* The times of the requested occurrence of a range from a mark to another.  Returns the number of
 * all. */
static guint
find_occurrence (const struct mark_search *m, uint64_t *from, uint64_t *to)
{
  struct id_map numbers;
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (struct thread_marks));
  id_map_init (&numbers);
  uint64_t *own = find_own_ends (m, &numbers, threads);
  uint64_t until = 0;
  guint n = 0;
  for (guint i = 0; i < m->starts->len; i++) {
    const struct mark_time *start = nth (m->starts, i);
    struct thread_marks *thread = marks_of (&numbers, threads, start->thread);
    const uint64_t end = own[i] != UINT64_MAX ? own[i] : find_later (m->ends, start->time);
    if (end == UINT64_MAX || start->time < (own[i] != UINT64_MAX ? thread->until : until))
      continue;
    thread->until = end;
    until = MAX (until, end);
    if (n++ == m->selection->occurrence) {
      *from = start->time;
      *to = end;
    }
  }
  g_free (own);
  id_map_clear (&numbers);
  g_array_unref (threads);
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
    *from = nth (m->starts, 0)->time;
  if (s->to.mark != NULL) {
    guint n = 1;
    *to = UINT64_MAX;
    if (s->from.mark != NULL)
      n = find_occurrence (m, from, to);
    else
      *to = s->from.given ? find_later (m->ends, *from) : nth (m->ends, 0)->time;
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
