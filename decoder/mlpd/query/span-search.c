/* span-search.c -- follows all spans in order of time, and retains where the requested ones were.
 */
#include "config.h"

#include "decoder/mlpd/query/span-search.h"
#include "decoder/mlpd/analyses/span-costs.h"
#include "decoder/mlpd/query/mlpd-order.h"

#include <stdlib.h>
#include <string.h>

struct found_span {
  uint64_t duration_ns;
  bool has_name; /* that is requested, or the id */
  bool has_end;
  bool is_chosen;
};

struct stay {
  uint64_t number, thread, from, to;
};

struct search {
  const struct selection_span *wanted;
  GPatternSpec *pattern;
  uint64_t id;
  bool has_id;
  struct span_costs costs;
  GArray *all;   /* of struct found_span, by number */
  GArray *stays; /* of struct stay, of those that have the name */
};

static void
begins (void *data, uint64_t id, const char *name)
{
  struct search *s = data;
  const struct found_span span = { .has_name = (s->has_id && id == s->id)
                                               || g_pattern_spec_match_string (s->pattern, name) };
  g_array_append_val (s->all, span);
}

static void
stays (void *data, uint64_t number, uint64_t thread, uint64_t from, uint64_t to)
{
  struct search *s = data;
  const struct stay stay = { number, thread, from, to };
  if (g_array_index (s->all, struct found_span, number).has_name)
    g_array_append_val (s->stays, stay);
}

static void
ends (void *data, uint64_t number, uint64_t duration_ns)
{
  struct search *s = data;
  struct found_span *span = &g_array_index (s->all, struct found_span, number);
  span->has_end = true;
  span->duration_ns = duration_ns;
}

static bool
handle_item (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct search *s = data;
  struct mlpd_program_span edge;
  uint64_t number;
  const char *name = mlpd_program_span_announced (item->kind, item->payload, &number);
  if (name != NULL)
    span_costs_name (&s->costs, number, name);
  else if (mlpd_program_span_of (item->kind, item->payload, &edge))
    span_costs_edge (&s->costs, span_costs_thread (&s->costs, item->buffer->thread, time, true),
                     time, &edge);
  return true;
}

/* ---- which ---- */

static int
compare_durations (const void *a, const void *b)
{
  const struct found_span *x = *(struct found_span *const *) a;
  const struct found_span *y = *(struct found_span *const *) b;
  if (x->duration_ns != y->duration_ns)
    return x->duration_ns < y->duration_ns ? 1 : -1;
  return (x > y) - (x < y); /* the earlier ones first */
}

/* At least one. */
static guint
count_share (guint n, double percents)
{
  const guint share = (guint) ((double) n * percents / 100 + 0.5);
  return MAX (share, 1);
}

/* Of the slowest, or all but these, only those that ended. */
static guint
choose (struct search *s)
{
  const bool has_share = s->wanted->slowest != 0 || s->wanted->not_slowest != 0;
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  for (guint i = 0; i < s->all->len; i++) {
    struct found_span *span = &g_array_index (s->all, struct found_span, i);
    if (span->has_name && (span->has_end || !has_share))
      g_ptr_array_add (named, span);
  }
  if (named->len == 0)
    return 0;
  guint from = 0, to = named->len;
  if (has_share)
    qsort (named->pdata, named->len, sizeof *named->pdata, compare_durations);
  if (s->wanted->slowest != 0)
    to = count_share (named->len, s->wanted->slowest);
  if (s->wanted->not_slowest != 0)
    from = count_share (named->len, s->wanted->not_slowest);
  for (guint i = from; i < to; i++)
    ((struct found_span *) g_ptr_array_index (named, i))->is_chosen = true;
  return to - MIN (from, to);
}

static struct span_places *
places_of (const struct search *s)
{
  struct span_places *places = span_places_new ();
  for (guint i = 0; i < s->stays->len; i++) {
    const struct stay *stay = &g_array_index (s->stays, struct stay, i);
    if (g_array_index (s->all, struct found_span, stay->number).is_chosen)
      span_places_add (places, stay->thread, stay->from, stay->to);
  }
  span_places_sort (places);
  return places;
}

/* How many spans have the name. */
static guint
count_named (const struct search *s)
{
  guint n = 0;
  for (guint i = 0; i < s->all->len; i++)
    n += g_array_index (s->all, struct found_span, i).has_name;
  return n;
}

/* Lists the names that there are. */
static void
refuse_unknown (const struct search *s, GError **error)
{
  const guint named = count_named (s);
  if (named != 0) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--span: the log has %u of '%s', and none of these that are requested ended",
                 named, s->wanted->name);
    return;
  }
  g_autoptr (GString) names = g_string_new (NULL);
  const GPtrArray *all = s->costs.names;
  for (guint i = 0; i < MIN (all->len, 10); i++)
    g_string_append_printf (names, "%s'%s'", i == 0 ? "; there are " : ", ",
                            ((const struct span_name *) g_ptr_array_index (all, i))->name);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               "--span: the log has no span '%s'%s", s->wanted->name,
               all->len != 0 ? names->str : ", and no other");
}

/* Damage of the log is reported when it is read again. */
static void
ignore_item (void *data, const struct mlpd_item *item)
{
  (void) data;
  (void) item;
}

static void
ignore_progress (void *data, uint64_t bytes)
{
  (void) data;
  (void) bytes;
}

static bool
read_spans (struct search *s, struct log_input *input, GError **error)
{
  static const struct mlpd_order_watch quiet = { ignore_item, ignore_progress, NULL, false };
  const struct span_watch watch = { begins, stays, ends, s };
  struct mlpd_order order;
  log_input_rewind (input); /* that was copied to its end */
  const bool good = mlpd_order_init (&order, input, &quiet, error);
  log_input_rewind (input);
  s->costs.watch = &watch;
  if (good) {
    mlpd_order_events (&order, input, handle_item, s);
    span_costs_finish (&s->costs);
  }
  s->costs.watch = NULL;
  mlpd_order_clear (&order);
  log_input_rewind (input);
  return good;
}

struct span_places *
span_search (struct log_input *input, const struct selection_span *wanted, GError **error)
{
  struct span_places *places = NULL;
  struct search s
      = { .wanted = wanted,
          .pattern = g_pattern_spec_new (wanted->name),
          .has_id = g_ascii_string_to_unsigned (wanted->name, 10, 0, G_MAXUINT64, &s.id, NULL),
          .all = g_array_new (FALSE, FALSE, sizeof (struct found_span)),
          .stays = g_array_new (FALSE, FALSE, sizeof (struct stay)) };
  span_costs_init (&s.costs, 0, UINT64_MAX);
  if (log_input_make_seekable (input, error) && read_spans (&s, input, error)) {
    if (choose (&s) != 0)
      places = places_of (&s);
    else
      refuse_unknown (&s, error);
  }
  span_costs_clear (&s.costs);
  g_array_unref (s.all);
  g_array_unref (s.stays);
  g_pattern_spec_free (s.pattern);
  return places;
}
