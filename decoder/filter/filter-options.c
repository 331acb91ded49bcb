/* filter-options.c -- parses the options that select part of a log. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include <proflog/units.h>
#include <string.h>

/* Refuses an option's text. */
static bool
refuse (GError **error, const char *option, const char *text, const char *needed)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s %s: %s", option, text, needed);
  return false;
}

/* Remembers an option that was accepted; returns true. */
static bool
accept (struct selection *s, const char *option, const char *text)
{
  if (s->given == NULL)
    s->given = g_string_new (NULL);
  g_string_append_printf (s->given, "%s%s %s", s->given->len != 0 ? " " : "", option, text);
  return true;
}

/* A whole text that is a number, decimal or 0x... */
static bool
parse_number (const char *text, uint64_t *number)
{
  bool hex = g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X");
  return g_ascii_string_to_unsigned (text + (hex ? 2 : 0), hex ? 16 : 10, 0, G_MAXUINT64, number,
                                     NULL);
}

/* ---- threads ---- */

static void
free_thread (void *data)
{
  struct selection_thread *thread = data;
  g_pattern_spec_free (thread->name);
  g_free (thread);
}

/* The terms of a list that commas separate; a comma or a backslash after a backslash is an ordinary
 * character.  NULL if one is empty. */
static GPtrArray *
split_terms (const char *text)
{
  GPtrArray *terms = g_ptr_array_new_with_free_func (g_free);
  GString *term = g_string_new (NULL);
  bool good = true;
  for (const char *p = text;; p++) {
    if (*p == '\\' && (p[1] == ',' || p[1] == '\\')) {
      g_string_append_c (term, *++p);
    } else if (*p != ',' && *p != 0) {
      g_string_append_c (term, *p);
    } else {
      good &= term->len > 0;
      g_ptr_array_add (terms, g_strdup (term->str));
      g_string_truncate (term, 0);
      if (*p == 0)
        break;
    }
  }
  g_string_free (term, TRUE);
  if (!good)
    g_clear_pointer (&terms, g_ptr_array_unref);
  return terms;
}

bool
selection_thread (struct selection *s, const char *text, GError **error)
{
  GPtrArray *terms = split_terms (text);
  if (terms == NULL)
    return refuse (error, "--thread", text, "a thread's id, name or pattern is needed");
  if (s->threads == NULL)
    s->threads = g_ptr_array_new_with_free_func (free_thread);
  for (guint i = 0; i < terms->len; i++) {
    const char *term = g_ptr_array_index (terms, i);
    struct selection_thread *thread = g_new0 (struct selection_thread, 1);
    thread->is_excluded = term[0] == '!' && term[1] != '\0';
    term += thread->is_excluded;
    thread->has_id = parse_number (term, &thread->id);
    char *valid = g_utf8_make_valid (term, -1);
    thread->name = g_pattern_spec_new (valid);
    g_free (valid);
    g_ptr_array_add (s->threads, thread);
  }
  g_ptr_array_unref (terms);
  return accept (s, "--thread", text);
}

/* ---- times ---- */

/* Messages for a value that is missing. */
#define TIME_NEEDED "a time is seconds, or a number with ns, us, ms, s, m or h"
#define BOUND_NEEDED "a time is seconds, a number with ns, us, ms, s, m, h or %, or mark:NAME"
#define TOO_LARGE "a time is below 2^64 ns, which is 584 years"

/* Seconds, or a number with its unit.  Returns NULL, or the error. */
static const char *
parse_time (const char *text, uint64_t *ns)
{
  switch (proflog_parse_time_ns (text, ns)) {
  case PROFLOG_PARSED:
    return NULL;
  case PROFLOG_TOO_LARGE:
    return TOO_LARGE;
  case PROFLOG_NO_QUANTITY:
    break;
  }
  return TIME_NEEDED;
}

static bool
parse_percent (const char *text, double *percents)
{
  uint64_t whole;
  double fraction;
  const char *end;
  if (!proflog_parse_decimal (text, true, &end, &whole, &fraction) || strcmp (end, "%") != 0)
    return false;
  *percents = (double) whole + fraction;
  return true;
}

#define MARK_PREFIX "mark:"

static bool
is_mark (const char *text)
{
  return g_str_has_prefix (text, MARK_PREFIX);
}

/* Returns NULL, or the error. */
static const char *
parse_bound (const char *text, struct selection_bound *bound)
{
  g_free (bound->mark);
  *bound = (struct selection_bound){ .given = text[0] != 0 };
  if (!bound->given)
    return NULL;
  if (is_mark (text)) {
    bound->mark = g_strdup (text + strlen (MARK_PREFIX));
    return bound->mark[0] != 0 ? NULL : "the name of a mark is needed after mark:";
  }
  bound->percent = parse_percent (text, &bound->percents);
  if (bound->percent)
    return bound->percents <= 100 ? NULL : "percents go from 0 to 100";
  const char *problem = parse_time (text, &bound->ns);
  return problem != NULL && strcmp (problem, TIME_NEEDED) == 0 ? BOUND_NEEDED : problem;
}

/* The beginning of the log: 0 of any unit.  Its other end is 100 % only. */
static bool
is_zero (const struct selection_bound *bound)
{
  return bound->given && bound->mark == NULL
         && (bound->percent ? bound->percents == 0 : bound->ns == 0);
}

/* Can nothing lie between the bounds?  Of marks, and of a percent and a time, that is not known
 * yet.
 */
static bool
is_empty (const struct selection_bound *from, const struct selection_bound *to)
{
  if (is_zero (to))
    return true;
  if (!from->given || !to->given || from->mark != NULL || to->mark != NULL
      || from->percent != to->percent)
    return false;
  return from->percent ? from->percents >= to->percents : from->ns >= to->ns;
}

/* Both ends, of which one may be left out.  A '-' between them is no part of a mark's name. */
static const char *
parse_range (const char *text, struct selection_bound *from, struct selection_bound *to)
{
  const char *separator = strchr (text, '~');
  if (separator == NULL && strstr (text, MARK_PREFIX) == NULL)
    separator = strchr (text, '-');
  if (separator == NULL)
    return "a range A~B is needed, such as 1.5~2, 10ms~ or ~50%";
  char *first = g_strstrip (g_strndup (text, (gsize) (separator - text)));
  char *second = g_strstrip (g_strdup (separator + 1));
  const char *problem = parse_bound (first, from);
  if (problem == NULL)
    problem = parse_bound (second, to);
  g_free (first);
  g_free (second);
  if (problem != NULL)
    return problem;
  if (!from->given && !to->given)
    return "one end of the range is needed at least, such as 10ms~ or ~50%";
  return is_empty (from, to) ? "the time range is empty" : NULL;
}

bool
selection_time_range (struct selection *s, const char *text, GError **error)
{
  const char *problem = parse_range (text, &s->from, &s->to);
  if (problem != NULL)
    return refuse (error, "--time-range", text, problem);
  /* From end to end the log is open: events of other threads just before the first buffer, and the
   * very last event, belong to it. */
  if (is_zero (&s->from))
    s->from.given = false;
  if (s->to.percent && s->to.percents == 100)
    s->to.given = false;
  return accept (s, "--time-range", text);
}

/* ---- spans ---- */

bool
selection_span (struct selection *s, const char *text, GError **error)
{
  if (text[0] == 0)
    return refuse (error, "--span", text, "the name of spans, or an id, is needed");
  g_free (s->span.name);
  s->span.name = g_utf8_make_valid (text, -1);
  return accept (s, "--span", text);
}

static bool
parse_share (const char *option, const char *text, double *percents, GError **error)
{
  return (parse_percent (text, percents) && *percents > 0 && *percents < 100)
         || refuse (error, option, text, "percents above 0 and below 100 are needed, such as 1%");
}

bool
selection_slowest (struct selection *s, const char *text, GError **error)
{
  return parse_share ("--slowest", text, &s->span.slowest, error) && accept (s, "--slowest", text);
}

bool
selection_not_slowest (struct selection *s, const char *text, GError **error)
{
  return parse_share ("--not-slowest", text, &s->span.not_slowest, error)
         && accept (s, "--not-slowest", text);
}

/* ---- names ---- */

static bool
add_regex (GPtrArray **list, const char *option, const char *text, GError **error)
{
  GError *problem = NULL;
  if (!g_utf8_validate (text, -1, NULL))
    return refuse (error, option, text, "an expression in UTF-8 is needed");
  GRegex *regex = g_regex_new (text, G_REGEX_OPTIMIZE, 0, &problem);
  if (regex == NULL) {
    refuse (error, option, text, problem->message);
    g_error_free (problem);
    return false;
  }
  if (*list == NULL)
    *list = g_ptr_array_new_with_free_func ((GDestroyNotify) g_regex_unref);
  g_ptr_array_add (*list, regex);
  return true;
}

bool
selection_filter (struct selection *s, const char *text, GError **error)
{
  return add_regex (&s->filters, "--filter", text, error) && accept (s, "--filter", text);
}

bool
selection_exclude (struct selection *s, const char *text, GError **error)
{
  return add_regex (&s->excludes, "--exclude", text, error) && accept (s, "--exclude", text);
}

/* ---- sizes ---- */

bool
selection_depth (struct selection *s, const char *text, GError **error)
{
  guint64 depth;
  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &depth, NULL))
    return refuse (error, "--depth", text,
                   "a depth of calls is needed, 1 or more (without --depth there is no limit)");
  s->depth = (guint) depth;
  return true;
}

bool
selection_min_time (struct selection *s, const char *text, GError **error)
{
  const char *problem = parse_time (text, &s->min_ns);
  return problem == NULL || refuse (error, "--min-time", text, problem);
}

bool
selection_min_bytes (struct selection *s, const char *text, GError **error)
{
  return proflog_parse_bytes (text, &s->min_bytes) == PROFLOG_PARSED
         || refuse (error, "--min-bytes", text,
                    "a number of bytes is needed, or with K, M or G (1024 of the one before)");
}

/* ---- objects ---- */

static void
clear_find (void *data)
{
  g_free (((struct selection_find *) data)->part);
}

bool
selection_find (struct selection *s, const char *text, GError **error)
{
  struct selection_find find = { .kind = SELECTION_FIND_SIZE };
  if (g_str_has_prefix (text, "T:") && text[2] != 0) {
    find.kind = SELECTION_FIND_TYPE;
    find.part = g_strdup (text + 2);
  } else if (!g_str_has_prefix (text, "S:")
             || proflog_parse_bytes (text + 2, &find.min_size) != PROFLOG_PARSED) {
    return refuse (error, "--find", text,
                   "S:BYTES (objects of this size or above) or "
                   "T:PART (of the class's name) is needed");
  }
  if (s->finds == NULL) {
    s->finds = g_array_new (FALSE, FALSE, sizeof find);
    g_array_set_clear_func (s->finds, clear_find);
  }
  g_array_append_val (s->finds, find);
  return true;
}

/* Adds the terms of a list, which commas separate, to an array of such items.  Nothing is added if
 * one cannot be parsed. */
static bool
add_terms (GArray **items, guint item_size, const char *text,
           bool (*parse) (const char *term, void *item))
{
  uint64_t item = 0;
  g_assert (item_size <= sizeof item);
  char **terms = g_strsplit (text, ",", -1);
  GArray *added = g_array_new (FALSE, FALSE, item_size);
  bool good = terms[0] != NULL;
  for (char **term = terms; good && *term != NULL; term++) {
    good = parse (*term, &item);
    g_array_append_vals (added, &item, 1);
  }
  g_strfreev (terms);
  if (good && *items == NULL)
    *items = g_array_new (FALSE, FALSE, item_size);
  if (good)
    g_array_append_vals (*items, added->data, added->len);
  g_array_unref (added);
  return good;
}

static bool
parse_address (const char *text, void *item)
{
  uint64_t *address = item;
  return parse_number (text, address);
}

bool
selection_track (struct selection *s, const char *text, GError **error)
{
  return add_terms (&s->tracked, sizeof (uint64_t), text, parse_address)
         || refuse (error, "--track", text, "addresses of objects are needed, such as 0x7f0012c0");
}

/* ---- capabilities ---- */

/* A capability's number; "none" stands for events without one. */
static bool
parse_cap (const char *text, void *item)
{
  guint *cap = item;
  uint64_t number = SELECTION_NO_CAP;
  if (strcmp (text, "none") != 0 && (!parse_number (text, &number) || number >= SELECTION_NO_CAP))
    return false;
  *cap = (guint) number;
  return true;
}

bool
selection_cap (struct selection *s, const char *text, GError **error)
{
  return add_terms (&s->caps, sizeof (guint), text, parse_cap)
             ? accept (s, "--cap", text)
             : refuse (error, "--cap", text, "numbers of capabilities are needed, or 'none'");
}
