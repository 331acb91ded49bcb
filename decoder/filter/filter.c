/* filter.c -- the predicates of a selection. */
#include "config.h"

#include "decoder/filter/filter.h"
#include "decoder/core/whole-number.h"
#include <string.h>

void
selection_clear (struct selection *s)
{
  g_clear_pointer (&s->threads, g_ptr_array_unref);
  g_clear_pointer (&s->from.mark, g_free);
  g_clear_pointer (&s->to.mark, g_free);
  g_clear_pointer (&s->span.name, g_free);
  g_clear_pointer (&s->filters, g_ptr_array_unref);
  g_clear_pointer (&s->excludes, g_ptr_array_unref);
  g_clear_pointer (&s->finds, g_array_unref);
  g_clear_pointer (&s->tracked, g_array_unref);
  g_clear_pointer (&s->caps, g_array_unref);
  if (s->given != NULL)
    g_string_free (g_steal_pointer (&s->given), TRUE);
}

/* ---- threads ---- */

static bool
matches_any (const struct selection_thread *thread, uint64_t id, char *const *names)
{
  bool matches = thread->has_id && thread->id == id;
  for (; !matches && *names != NULL; names++)
    matches = g_pattern_spec_match_string (thread->name, *names);
  return matches;
}

bool
selection_has_thread (const struct selection *s, uint64_t id, const char *name)
{
  if (s == NULL || s->threads == NULL)
    return true;
  /* Patterns are of characters: a name that breaks off in one would be read beyond its end.
   * '*' is for those without a name, too. */
  g_autofree char *valid = g_utf8_make_valid (name != NULL ? name : "", -1);
  g_auto (GStrv) names = valid[0] != '\0' ? g_strsplit (valid, SELECTION_NAMES_APART, -1)
                                          : g_strdupv ((char *[]){ valid, NULL });
  bool has = false, needs = false, is_excluded = false;
  for (guint i = 0; i < s->threads->len; i++) {
    const struct selection_thread *thread = g_ptr_array_index (s->threads, i);
    const bool matches = matches_any (thread, id, names);
    needs |= !thread->is_excluded;
    has |= matches && !thread->is_excluded;
    is_excluded |= matches && thread->is_excluded;
  }
  return (has || !needs) && !is_excluded;
}

/* Bytes of the names of a thread. */
#define NAMES_MAX 4096

char *
selection_add_name (char *before, const char *name)
{
  if (before == NULL)
    return g_strdup (name);
  g_auto (GStrv) names = g_strsplit (before, SELECTION_NAMES_APART, -1);
  if (g_strv_contains ((const char *const *) names, name)
      || strlen (before) + strlen (name) >= NAMES_MAX)
    return before;
  char *all = g_strconcat (before, SELECTION_NAMES_APART, name, NULL);
  g_free (before);
  return all;
}

bool
selection_needs_thread_names (const struct selection *s)
{
  for (guint i = 0; s != NULL && s->threads != NULL && i < s->threads->len; i++)
    if (!((const struct selection_thread *) g_ptr_array_index (s->threads, i))->has_id)
      return true;
  return false;
}

/* ---- times ---- */

bool
selection_has_span (const struct selection *s)
{
  return s != NULL && s->span.name != NULL;
}

bool
selection_has_times (const struct selection *s)
{
  return s != NULL && (s->from.given || s->to.given || selection_has_span (s));
}

bool
selection_chooses_events (const struct selection *s)
{
  return s->threads != NULL || s->caps != NULL || selection_has_times (s) || selection_has_names (s)
         || s->min_bytes != 0;
}

bool
selection_needs_last_time (const struct selection *s)
{
  return s != NULL && ((s->from.given && s->from.percent) || (s->to.given && s->to.percent));
}

bool
selection_has_marks (const struct selection *s)
{
  return s != NULL && (s->from.mark != NULL || s->to.mark != NULL);
}

bool
selection_needs_survey (const struct selection *s)
{
  return selection_needs_thread_names (s) || selection_needs_last_time (s)
         || selection_has_marks (s) || selection_has_span (s);
}

static uint64_t
time_of (const struct selection *s, const struct selection_bound *bound, uint64_t first,
         uint64_t last)
{
  uint64_t ns = bound->ns;
  if (bound->percent)
    ns = last > first ? whole_number ((double) (last - first) * (bound->percents / 100)) : 0;
  else if (ns < s->axis_ns)
    return first - MIN (first, s->axis_ns - ns);
  else
    ns -= s->axis_ns;
  return ns > G_MAXUINT64 - first ? G_MAXUINT64 : first + ns;
}

void
selection_time_bounds (const struct selection *s, uint64_t first, uint64_t last, uint64_t *from,
                       uint64_t *to)
{
  const bool has_from = s != NULL && s->from.given && s->from.mark == NULL;
  const bool has_to = s != NULL && s->to.given && s->to.mark == NULL;
  *from = has_from ? time_of (s, &s->from, first, last) : 0;
  *to = has_to ? time_of (s, &s->to, first, last) : G_MAXUINT64;
}

/* ---- names ---- */

static bool
any_matches (const GPtrArray *list, const char *name)
{
  bool matches = false;
  char *valid = g_utf8_make_valid (name != NULL ? name : "", -1);
  for (guint i = 0; i < list->len && !matches; i++)
    matches = g_regex_match (g_ptr_array_index (list, i), valid, 0, NULL);
  g_free (valid);
  return matches;
}

bool
selection_filters (const struct selection *s, const char *name)
{
  return s == NULL || s->filters == NULL || any_matches (s->filters, name);
}

bool
selection_excludes (const struct selection *s, const char *name)
{
  return s != NULL && s->excludes != NULL && any_matches (s->excludes, name);
}

bool
selection_accepts_name (const struct selection *s, const char *name)
{
  return selection_filters (s, name) && !selection_excludes (s, name);
}

bool
selection_has_names (const struct selection *s)
{
  return s != NULL && (s->filters != NULL || s->excludes != NULL);
}

/* ---- objects ---- */

bool
selection_has_objects (const struct selection *s)
{
  return s != NULL && (s->finds != NULL || s->tracked != NULL);
}

/* Does one of the finds of a kind match, or is there none of it? */
static bool
finds_one (const struct selection *s, enum selection_find_kind kind, const char *class_name,
           uint64_t size)
{
  bool any = false, matches = false;
  for (guint i = 0; i < s->finds->len && !matches; i++) {
    const struct selection_find *find = &g_array_index (s->finds, struct selection_find, i);
    if (find->kind != kind)
      continue;
    any = true;
    matches = kind == SELECTION_FIND_SIZE
                  ? size >= find->min_size
                  : class_name != NULL && strstr (class_name, find->part) != NULL;
  }
  return matches || !any;
}

bool
selection_finds_name (const struct selection *s, const char *class_name)
{
  return s != NULL && s->finds != NULL && finds_one (s, SELECTION_FIND_TYPE, class_name, 0);
}

bool
selection_finds_size (const struct selection *s, uint64_t size)
{
  return s != NULL && s->finds != NULL && finds_one (s, SELECTION_FIND_SIZE, NULL, size);
}

bool
selection_finds (const struct selection *s, const char *class_name, uint64_t size)
{
  return selection_finds_name (s, class_name) && selection_finds_size (s, size);
}

bool
selection_finds_names (const struct selection *s)
{
  for (guint i = 0; s != NULL && s->finds != NULL && i < s->finds->len; i++)
    if (g_array_index (s->finds, struct selection_find, i).kind == SELECTION_FIND_TYPE)
      return true;
  return false;
}

bool
selection_tracks (const struct selection *s, uint64_t address)
{
  for (guint i = 0; s != NULL && s->tracked != NULL && i < s->tracked->len; i++)
    if (g_array_index (s->tracked, uint64_t, i) == address)
      return true;
  return false;
}

/* ---- capabilities ---- */

bool
selection_has_cap (const struct selection *s, unsigned cap)
{
  for (guint i = 0; s != NULL && s->caps != NULL && i < s->caps->len; i++)
    if (g_array_index (s->caps, guint, i) == cap)
      return true;
  return s == NULL || s->caps == NULL;
}

bool
selection_is_partial (const struct selection *s)
{
  return s != NULL
         && (s->threads != NULL || s->caps != NULL || selection_has_times (s) || s->depth != 0);
}
