/* page-heap.c -- chooses the classes and the times that a plot of a heap has. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/mlpd/query/heap-growth.h"
#include "decoder/views/page.h"

/* Of a plot. */
#define NAMES_MAX 10
#define GROWING_MAX 6
#define POINTS_MAX 512u

/* The flag of a line. */
#define GROWS "grows"

/* A class or band; `number` is its place among all. */
struct candidate {
  guint number;
  uint64_t max_bytes;
  int64_t growth; /* bytes; at most 0 without growth */
};

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const struct candidate *x = a, *y = b;
  return x->max_bytes != y->max_bytes ? (x->max_bytes < y->max_bytes ? 1 : -1)
                                      : (x->number > y->number) - (x->number < y->number);
}

static int
compare_growth (gconstpointer a, gconstpointer b)
{
  const struct candidate *x = a, *y = b;
  return x->growth != y->growth ? (x->growth < y->growth ? 1 : -1) : compare_sizes (a, b);
}

/* Retains those of most bytes, and of the others those that grow most; the largest first. */
static void
choose (GArray *all)
{
  g_array_sort (all, compare_sizes);
  GArray *rest = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  for (guint i = NAMES_MAX; i < all->len; i++)
    if (g_array_index (all, struct candidate, i).growth > 0)
      g_array_append_val (rest, g_array_index (all, struct candidate, i));
  g_array_sort (rest, compare_growth);
  g_array_set_size (all, MIN (all->len, NAMES_MAX));
  g_array_append_vals (all, rest->data, MIN (rest->len, GROWING_MAX));
  g_array_unref (rest);
}

/* ---- a plot ---- */

static void
open_plot (GString *json, const char *title, guint points, guint left_out)
{
  page_json_open (json, '{');
  page_json_key (json, "title");
  page_json_text (json, title);
  page_json_key (json, "points");
  page_json_number (json, points);
  page_json_key (json, "left_out");
  page_json_number (json, left_out);
}

/* Subtracts the drawn bytes from all.  `flag` is true of the line; `way` leads from a root to a
 * suspected leak; NULL: none. */
static void
put_line (GString *json, const char *name, const char *flag, const char *way,
          const uint64_t *values, guint n, uint64_t *others)
{
  page_json_open (json, '{');
  page_json_key (json, "name");
  page_json_text (json, name);
  if (flag != NULL) {
    page_json_key (json, flag);
    g_string_append (json, "true");
  }
  if (way != NULL) {
    page_json_key (json, "way");
    page_json_text (json, way);
  }
  page_json_key (json, "values");
  page_json_open (json, '[');
  for (guint i = 0; i < n; i++) {
    page_json_number (json, values[i]);
    others[i] -= MIN (values[i], others[i]);
  }
  g_string_append (json, "]}");
}

static void
put_others (GString *json, guint more, const uint64_t *others, guint n)
{
  g_autofree uint64_t *none = g_new0 (uint64_t, n + 1);
  g_autofree char *name = g_strdup_printf ("%u others", more);
  uint64_t sum = 0;
  for (guint i = 0; i < n; i++)
    sum += others[i];
  if (sum != 0)
    put_line (json, more != 0 ? name : "others", "isRest", NULL, others, n, none);
}

/* ---- snapshots ---- */

static GArray *
classes_of (const struct heap_growth *g)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  for (guint i = 0; i < g->classes->len; i++) {
    const struct heap_series *s = g_ptr_array_index (g->classes, i);
    struct candidate one = { .number = i };
    for (guint shot = 0; shot < g->n_shots; shot++)
      one.max_bytes = MAX (one.max_bytes, s->shots[shot].bytes);
    if (s->since != HEAP_NOT_GROWING)
      one.growth = (int64_t) (s->shots[g->n_shots - 1].bytes - s->shots[s->since].bytes);
    g_array_append_val (all, one);
  }
  choose (all);
  return all;
}

/* The bytes of every `step`-th snapshot. */
static guint
copy_bytes (const struct heap_series *s, guint n_shots, guint step, uint64_t *bytes)
{
  guint n = 0;
  for (guint i = 0; i < n_shots; i += step)
    bytes[n++] = s->shots[i].bytes;
  return n;
}

static void
put_growth (GString *json, const struct report *r, const struct heap_growth *g)
{
  const guint step = (g->n_shots + POINTS_MAX - 1) / POINTS_MAX;
  g_autofree uint64_t *others = g_new (uint64_t, g->n_shots), *bytes = g_new (uint64_t, g->n_shots);
  g_autoptr (GArray) chosen = classes_of (g);
  const guint n = copy_bytes (&g->all, g->n_shots, step, others);
  open_plot (json, "Heap by class, in heap snapshots", n, g->n_shots + g->left_out - n);
  page_json_key (json, "times");
  page_json_open (json, '[');
  for (guint i = 0; i < g->n_shots; i += step)
    page_json_change (json, log_when (&r->s->log, g->times[i]));
  g_string_append_c (json, ']');
  page_json_key (json, "series");
  page_json_open (json, '[');
  for (guint i = 0; i < chosen->len; i++) {
    const struct candidate *one = &g_array_index (chosen, struct candidate, i);
    const struct heap_series *s = g_ptr_array_index (g->classes, one->number);
    const char *way
        = r->view->suspects != NULL ? g_hash_table_lookup (r->view->suspects, s->name) : NULL;
    copy_bytes (s, g->n_shots, step, bytes);
    put_line (json, s->name, one->growth > 0 ? GROWS : NULL, way, bytes, n, others);
  }
  put_others (json, g->classes->len - chosen->len, others, n);
  g_string_append (json, "]}");
}

static void
put_snapshots (GString *json, const struct report *r)
{
  struct heap_growth growth;
  heap_growth_init (&growth, r->s, 0);
  if (growth.n_shots != 0)
    put_growth (json, r, &growth);
  heap_growth_clear (&growth);
}

/* ---- profiles ---- */

static GArray *
bands_of (const struct ghc_heap_profile *profile)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct candidate));
  for (guint i = 0; i < profile->bands->len; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    const struct candidate one
        = { i, band->max_bytes,
            band->grows ? (int64_t) (band->steps[GHC_BAND_STEPS - 1] - band->steps[0]) : 0 };
    if (band->max_bytes != 0)
      g_array_append_val (all, one);
  }
  choose (all);
  return all;
}

/* Of the samples whose points are retained. */
static void
copy_points (const struct ghc_band *band, guint n, uint64_t *bytes)
{
  const guint stride = band->profile->stride;
  for (guint i = 0; i < n; i++)
    bytes[i] = 0;
  for (guint i = 0; i < band->points->len; i++) {
    const struct ghc_band_point *point = &g_array_index (band->points, struct ghc_band_point, i);
    if (point->sample / stride < n)
      bytes[point->sample / stride] = point->bytes;
  }
}

static void
put_sample_times (GString *json, const struct ghc_heap_profile *profile, uint64_t *totals)
{
  guint n = 0;
  page_json_key (json, "times");
  page_json_open (json, '[');
  for (guint i = 0; i < profile->samples->len; i += profile->stride) {
    const struct ghc_heap_sample *sample
        = &g_array_index (profile->samples, struct ghc_heap_sample, i);
    page_json_number (json, sample->time);
    totals[n++] = sample->bytes;
  }
  g_string_append_c (json, ']');
}

static guint
bands_with_bytes (const struct ghc_heap_profile *profile)
{
  guint n = 0;
  for (guint i = 0; i < profile->bands->len; i++)
    n += ((const struct ghc_band *) g_ptr_array_index (profile->bands, i))->max_bytes != 0;
  return n;
}

static void
put_profile (GString *json, const struct report *r, const struct ghc_heap_profile *profile)
{
  const guint samples = profile->samples->len,
              points = (samples + profile->stride - 1) / profile->stride;
  const char *breakdown
      = profile->is_begun ? ghc_value_name (GHC_UNIT_BREAKDOWN, profile->breakdown) : NULL;
  g_autofree char *title
      = g_strdup_printf ("Heap profile by %s", breakdown != NULL ? breakdown : "parts");
  g_autofree uint64_t *others = g_new (uint64_t, points), *bytes = g_new (uint64_t, points);
  g_autoptr (GArray) chosen = bands_of (profile);
  open_plot (json, title, points, samples - points);
  put_sample_times (json, profile, others);
  page_json_key (json, "series");
  page_json_open (json, '[');
  for (guint i = 0; i < chosen->len; i++) {
    const struct ghc_band *band
        = g_ptr_array_index (profile->bands, g_array_index (chosen, struct candidate, i).number);
    g_autofree char *name = ghc_band_name (&r->ghc->heap_profiles, band);
    copy_points (band, points, bytes);
    put_line (json, name, band->grows ? GROWS : NULL, NULL, bytes, points, others);
  }
  put_others (json, bands_with_bytes (profile) - chosen->len, others, points);
  g_string_append (json, "]}");
}

void
page_heap_put (GString *json, const struct report *r)
{
  page_json_open (json, '[');
  if (r->s != NULL) {
    put_snapshots (json, r);
  } else if (r->ghc != NULL) {
    const GPtrArray *profiles = r->ghc->heap_profiles.all;
    for (guint i = 0; i < profiles->len; i++) {
      const struct ghc_heap_profile *profile = g_ptr_array_index (profiles, i);
      if (profile->samples->len != 0)
        put_profile (json, r, profile);
    }
  }
  g_string_append_c (json, ']');
}
