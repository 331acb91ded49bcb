/* selection.c -- parses what is asked for, and tells what belongs to it. */
#include "decoder/analyses/selection.h"
#include "config.h"
#include <string.h>

#define NS_PER_SECOND UINT64_C (1000000000)

struct selection_thread {
  bool has_id;
  uint64_t id;
  GPatternSpec *name;
};

/* Refuses an option's text. */
static bool
refuse (GError **error, const char *option, const char *text, const char *needed)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s %s: %s", option, text, needed);
  return false;
}

/* A whole text that is a number, decimal or 0x... */
static bool
parse_number (const char *text, uint64_t *number)
{
  bool hex = g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X");
  return g_ascii_string_to_unsigned (text + (hex ? 2 : 0), hex ? 16 : 10, 0, G_MAXUINT64, number,
                                     NULL);
}

/* ---- clearing ---- */

static void
free_thread (void *data)
{
  struct selection_thread *thread = data;
  g_pattern_spec_free (thread->name);
  g_free (thread);
}

static void
clear_find (void *data)
{
  g_free (((struct selection_find *) data)->part);
}

void
selection_clear (struct selection *s)
{
  g_clear_pointer (&s->threads, g_ptr_array_unref);
  g_clear_pointer (&s->filters, g_ptr_array_unref);
  g_clear_pointer (&s->excludes, g_ptr_array_unref);
  g_clear_pointer (&s->finds, g_array_unref);
  g_clear_pointer (&s->tracked, g_array_unref);
  g_clear_pointer (&s->caps, g_array_unref);
}

/* ---- threads ---- */

/* The terms of a list that commas separate; a backslash takes a comma or a backslash as it is.
 * NULL if one is empty. */
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
    thread->has_id = parse_number (term, &thread->id);
    char *valid = g_utf8_make_valid (term, -1);
    thread->name = g_pattern_spec_new (valid);
    g_free (valid);
    g_ptr_array_add (s->threads, thread);
  }
  g_ptr_array_unref (terms);
  return true;
}

bool
selection_has_thread (const struct selection *s, uint64_t id, const char *name)
{
  if (s == NULL || s->threads == NULL)
    return true;
  /* Patterns are of characters: a name that breaks off in one would be read beyond its end.
   * '*' is for those without a name, too. */
  char *valid = name != NULL ? g_utf8_make_valid (name, -1) : NULL;
  bool has = false;
  for (guint i = 0; i < s->threads->len && !has; i++) {
    const struct selection_thread *thread = g_ptr_array_index (s->threads, i);
    has = (thread->has_id && thread->id == id)
          || g_pattern_spec_match_string (thread->name, valid != NULL ? valid : "");
  }
  g_free (valid);
  return has;
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

/* Digits with or without a fraction; *end is behind them.  The fraction is rounded to what doubles
 * tell apart, which is far below a nanosecond. */
static bool
parse_decimal (const char *text, uint64_t *whole, double *fraction, const char **end)
{
  const char *p = text;
  bool digits = false;
  *whole = 0;
  *fraction = 0;
  for (; g_ascii_isdigit (*p); p++, digits = true)
    if (!g_uint64_checked_mul (whole, *whole, 10)
        || !g_uint64_checked_add (whole, *whole, (guint64) (*p - '0')))
      return false;
  if (*p == '.') {
    double unit = 0.1;
    for (p++; g_ascii_isdigit (*p); p++, digits = true, unit /= 10)
      *fraction += unit * (*p - '0');
  }
  *end = p;
  return digits;
}

/* What is needed where it is not there. */
#define TIME_NEEDED "a time is seconds, or a number with ns, us, ms, s, m or h"
#define BOUND_NEEDED "a time is seconds, or a number with ns, us, ms, s, m, h or %"
#define TOO_LARGE "a time is below 2^64 ns, which is 584 years"

/* Seconds, or a number with its unit.  Returns NULL, or what is wrong. */
static const char *
parse_time (const char *text, uint64_t *ns)
{
  static const struct {
    const char *name;
    uint64_t ns;
  } units[] = { { "", NS_PER_SECOND },
                { "ns", 1 },
                { "us", 1000 },
                { "ms", 1000000 },
                { "s", NS_PER_SECOND },
                { "m", 60 * NS_PER_SECOND },
                { "h", 3600 * NS_PER_SECOND } };
  uint64_t whole;
  double fraction;
  const char *unit;
  if (!parse_decimal (text, &whole, &fraction, &unit))
    return TIME_NEEDED;
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].name) == 0)
      return g_uint64_checked_mul (ns, whole, units[i].ns)
                     && g_uint64_checked_add (ns, *ns,
                                              (guint64) (fraction * (double) units[i].ns + 0.5))
                 ? NULL
                 : TOO_LARGE;
  return TIME_NEEDED;
}

static bool
parse_percent (const char *text, double *percents)
{
  uint64_t whole;
  double fraction;
  const char *end;
  if (!parse_decimal (text, &whole, &fraction, &end) || strcmp (end, "%") != 0)
    return false;
  *percents = (double) whole + fraction;
  return true;
}

/* Returns NULL, or what is wrong. */
static const char *
parse_bound (const char *text, struct selection_bound *bound)
{
  *bound = (struct selection_bound){ .given = text[0] != 0 };
  if (!bound->given)
    return NULL;
  bound->percent = parse_percent (text, &bound->percents);
  if (bound->percent)
    return bound->percents <= 100 ? NULL : "percents go from 0 to 100";
  const char *problem = parse_time (text, &bound->ns);
  return problem != NULL && strcmp (problem, TIME_NEEDED) == 0 ? BOUND_NEEDED : problem;
}

/* What the log begins with: 0 of any unit.  Its other end is 100 % only. */
static bool
is_zero (const struct selection_bound *bound)
{
  return bound->given && (bound->percent ? bound->percents == 0 : bound->ns == 0);
}

/* Can nothing lie between the bounds?  Of a percent and a time that is not known yet. */
static bool
is_empty (const struct selection_bound *from, const struct selection_bound *to)
{
  if (is_zero (to))
    return true;
  if (!from->given || !to->given || from->percent != to->percent)
    return false;
  return from->percent ? from->percents >= to->percents : from->ns >= to->ns;
}

/* Both ends, of which one may be left out. */
static const char *
parse_range (const char *text, struct selection_bound *from, struct selection_bound *to)
{
  const char *separator = strchr (text, '~');
  if (separator == NULL)
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
  return is_empty (from, to) ? "nothing lies between these times" : NULL;
}

bool
selection_time_range (struct selection *s, const char *text, GError **error)
{
  const char *problem = parse_range (text, &s->from, &s->to);
  if (problem != NULL)
    return refuse (error, "--time-range", text, problem);
  /* From end to end the log is open: what other threads did just before the first buffer, and the
   * very last event, belong to it. */
  if (is_zero (&s->from))
    s->from.given = false;
  if (s->to.percent && s->to.percents == 100)
    s->to.given = false;
  return true;
}

bool
selection_has_times (const struct selection *s)
{
  return s != NULL && (s->from.given || s->to.given);
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

static uint64_t
time_of (const struct selection_bound *bound, uint64_t first, uint64_t last)
{
  uint64_t ns = bound->ns;
  if (bound->percent)
    ns = last > first ? (uint64_t) ((double) (last - first) * (bound->percents / 100)) : 0;
  return ns > G_MAXUINT64 - first ? G_MAXUINT64 : first + ns;
}

void
selection_time_bounds (const struct selection *s, uint64_t first, uint64_t last, uint64_t *from,
                       uint64_t *to)
{
  *from = s != NULL && s->from.given ? time_of (&s->from, first, last) : 0;
  *to = s != NULL && s->to.given ? time_of (&s->to, first, last) : G_MAXUINT64;
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
  return add_regex (&s->filters, "--filter", text, error);
}

bool
selection_exclude (struct selection *s, const char *text, GError **error)
{
  return add_regex (&s->excludes, "--exclude", text, error);
}

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
selection_takes_name (const struct selection *s, const char *name)
{
  return selection_filters (s, name) && !selection_excludes (s, name);
}

bool
selection_has_names (const struct selection *s)
{
  return s != NULL && (s->filters != NULL || s->excludes != NULL);
}

/* ---- sizes ---- */

/* Bytes; K, M and G, also as KB or KiB, are powers of 1024, of which there may be fractions. */
static bool
parse_bytes (const char *text, uint64_t *bytes)
{
  static const char *const units[] = { "", "K", "M", "G" };
  uint64_t whole, factor = 1;
  double fraction;
  const char *unit;
  if (!parse_decimal (text, &whole, &fraction, &unit) || strspn (text, "0123456789.") == 0)
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (units); i++, factor *= 1024) {
    const size_t length = strlen (units[i]);
    const char *rest = unit + length;
    if (g_ascii_strncasecmp (unit, units[i], length) != 0
        || (*rest != 0 && g_ascii_strcasecmp (rest, "B") != 0
            && (i == 0 || g_ascii_strcasecmp (rest, "iB") != 0)))
      continue;
    return (i > 0 || fraction == 0) && g_uint64_checked_mul (bytes, whole, factor)
           && g_uint64_checked_add (bytes, *bytes, (guint64) (fraction * (double) factor + 0.5));
  }
  return false;
}

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
  return parse_bytes (text, &s->min_bytes)
         || refuse (error, "--min-bytes", text,
                    "a number of bytes is needed, or with K, M or G (1024 of the one before)");
}

/* ---- objects ---- */

bool
selection_find (struct selection *s, const char *text, GError **error)
{
  struct selection_find find = { .sort = SELECTION_FIND_SIZE };
  if (g_str_has_prefix (text, "T:") && text[2] != 0) {
    find.sort = SELECTION_FIND_TYPE;
    find.part = g_strdup (text + 2);
  } else if (!g_str_has_prefix (text, "S:") || !parse_bytes (text + 2, &find.min_size)) {
    return refuse (error, "--find", text,
                   "S:BYTES (objects of this size or above) or T:PART (of the class's name) is "
                   "needed");
  }
  if (s->finds == NULL) {
    s->finds = g_array_new (FALSE, FALSE, sizeof find);
    g_array_set_clear_func (s->finds, clear_find);
  }
  g_array_append_val (s->finds, find);
  return true;
}

bool
selection_has_objects (const struct selection *s)
{
  return s != NULL && (s->finds != NULL || s->tracked != NULL);
}

/* Does one of the finds of a sort match, or is there none of it? */
static bool
finds_one (const struct selection *s, enum selection_find_sort sort, const char *class_name,
           uint64_t size)
{
  bool any = false, matches = false;
  for (guint i = 0; i < s->finds->len && !matches; i++) {
    const struct selection_find *find = &g_array_index (s->finds, struct selection_find, i);
    if (find->sort != sort)
      continue;
    any = true;
    matches = sort == SELECTION_FIND_SIZE
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
    if (g_array_index (s->finds, struct selection_find, i).sort == SELECTION_FIND_TYPE)
      return true;
  return false;
}

bool
selection_track (struct selection *s, const char *text, GError **error)
{
  char **addresses = g_strsplit (text, ",", -1);
  GArray *tracked = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  bool good = addresses[0] != NULL;
  for (char **address = addresses; good && *address != NULL; address++) {
    uint64_t number = 0;
    good = parse_number (*address, &number);
    g_array_append_val (tracked, number);
  }
  g_strfreev (addresses);
  if (!good) {
    g_array_unref (tracked);
    return refuse (error, "--track", text, "addresses of objects are needed, such as 0x7f0012c0");
  }
  if (s->tracked == NULL)
    s->tracked = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_array_append_vals (s->tracked, tracked->data, tracked->len);
  g_array_unref (tracked);
  return true;
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

/* A capability's number; "none" stands for what belongs to none. */
static bool
parse_cap (const char *text, guint *cap)
{
  uint64_t number = SELECTION_NO_CAP;
  if (strcmp (text, "none") != 0 && (!parse_number (text, &number) || number >= SELECTION_NO_CAP))
    return false;
  *cap = (guint) number;
  return true;
}

bool
selection_cap (struct selection *s, const char *text, GError **error)
{
  char **terms = g_strsplit (text, ",", -1);
  GArray *caps = g_array_new (FALSE, FALSE, sizeof (guint));
  bool good = terms[0] != NULL;
  for (char **term = terms; good && *term != NULL; term++) {
    guint cap = 0;
    good = parse_cap (*term, &cap);
    g_array_append_val (caps, cap);
  }
  g_strfreev (terms);
  if (!good) {
    g_array_unref (caps);
    return refuse (error, "--cap", text, "numbers of capabilities are needed, or 'none'");
  }
  if (s->caps == NULL)
    s->caps = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_vals (s->caps, caps->data, caps->len);
  g_array_unref (caps);
  return true;
}

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
