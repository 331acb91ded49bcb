/* ghc-bands.c -- heap profiles of eventlogs as tables. */
#include "config.h"

#include "decoder/ghc/ghc-describe.h"
#include "decoder/output/emitter-values.h"
#include "decoder/views/ghc/ghc-bands.h"
#include "decoder/views/result.h"
#include <string.h>

static const struct emitter_column point_columns[] = {
  { "sample", "Sample", EMIT_NUMBER },
  { "bytes", "Bytes", EMIT_NUMBER },
};
static const struct table_shape points_shape
    = { .key = "points", TABLE_SHAPE_COLUMNS (point_columns), .whole = true };

static const struct emitter_column band_columns[] = {
  { "peak_bytes", "At the peak", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  { "growth_bytes", "Growth", EMIT_CHANGE },
  { "grows", "Grows", EMIT_TEXT },
  { "first_bytes", "At first", EMIT_NUMBER },
  { "quarter_bytes", NULL, EMIT_NUMBER },
  { "half_bytes", NULL, EMIT_NUMBER },
  { "three_quarters_bytes", NULL, EMIT_NUMBER },
  { "last_bytes", "At last", EMIT_NUMBER },
  { "max_bytes", NULL, EMIT_NUMBER },
  { NULL, "Over time", EMIT_TEXT },
  { "closure", "Closures", EMIT_TEXT },
  { "location", "Where", EMIT_TEXT },
  { "name", "Band", EMIT_TEXT },
};
const struct table_shape ghc_bands_shape
    = { .key = "bands",
        .title = "Bands",
        TABLE_SHAPE_COLUMNS (band_columns),
        .order = TABLE_KEYS ("peak_bytes", "max_bytes", "name"),
        .hides_zeros = true,
        .name = "name",
        .place = "location",
        .apart = "location",
        .bytes = "max_bytes",
        .inner = TABLE_SHAPES (&points_shape) };

static const struct emitter_column suspect_columns[] = {
  { "growth_bytes", "Growth", EMIT_CHANGE },    { "bytes_per_second", "Bytes/s", EMIT_NUMBER },
  { "peak_bytes", "At the peak", EMIT_NUMBER }, { "closure", "Closures", EMIT_TEXT },
  { "location", "Where", EMIT_TEXT },           { "name", "Band that keeps growing", EMIT_TEXT },
};
const struct table_shape ghc_growing_shape
    = { .key = "growing",
        .title = "Growth",
        TABLE_SHAPE_COLUMNS (suspect_columns),
        .order = TABLE_KEYS ("growth_bytes", "peak_bytes", "name"),
        .hides_zeros = true,
        .name = "name",
        .place = "location",
        .apart = "location",
        .bytes = "peak_bytes" };

static const struct emitter_column sum_columns[] = {
  { "peak_bytes", "At the peak", EMIT_NUMBER },
  { NULL, "%", EMIT_SHARE },
  { "growth_bytes", "Growth", EMIT_CHANGE },
  { "last_bytes", "At last", EMIT_NUMBER },
  { "bands", "Bands", EMIT_NUMBER },
  { "by", "By", EMIT_TEXT },
  { "name", "Sum", EMIT_TEXT },
};
const struct table_shape ghc_band_sums_shape = { .key = "sums",
                                                 .title = "Sums of bands",
                                                 TABLE_SHAPE_COLUMNS (sum_columns),
                                                 .order = TABLE_KEYS ("peak_bytes", "by", "name"),
                                                 .name = "name",
                                                 .bytes = "peak_bytes" };

static const struct emitter_column sample_columns[] = {
  { "sample", "Sample", EMIT_NUMBER }, { "time_ns", "Time ms", EMIT_NS },
  { "bytes", "Bytes", EMIT_NUMBER },   { "bands", "Bands", EMIT_NUMBER },
  { "era", NULL, EMIT_NUMBER },
};
const struct table_shape ghc_samples_shape = {
  .key = "samples", .title = "Samples", TABLE_SHAPE_COLUMNS (sample_columns), .bytes = "bytes"
};

static const struct ghc_band *
band_at (const struct ghc_bands *shown, uint64_t place)
{
  return g_ptr_array_index (shown->profile->bands, place);
}

static char *
name_of (const void *shown, uint64_t place)
{
  return ghc_band_name (((const struct ghc_bands *) shown)->profiles, band_at (shown, place));
}

static char *
location_of (const void *shown, uint64_t place)
{
  return ghc_band_location (((const struct ghc_bands *) shown)->profiles, band_at (shown, place));
}

/* NULL: the band is of no info table. */
static const char *
closure_of (const struct ghc_bands *shown, const struct ghc_band *band)
{
  const struct ghc_provenance *provenance = ghc_band_provenance (shown->profiles, band);
  return provenance != NULL ? ghc_provenance_closure (provenance) : NULL;
}

static void
put_points (const void *data, uint64_t place, struct emitter *e)
{
  const struct ghc_bands *shown = data;
  const GArray *points = band_at (shown, place)->points;
  struct table *t = table_new (&points_shape, shown->view);
  for (guint i = 0; i < points->len; i++) {
    const struct ghc_band_point *point = &g_array_index (points, struct ghc_band_point, i);
    SECTION_ROW (t, { .number = point->sample }, { .number = point->bytes });
  }
  table_write (t, e);
}

struct table *
ghc_bands_table (const struct ghc_bands *shown, const struct table_shape *shape)
{
  struct table *t = table_new (shape, shown->view);
  table_set_text (t, "name", name_of, shown);
  table_set_text (t, "location", location_of, shown);
  return t;
}

/* Samples of a small picture. */
#define TREND_WIDTH 16u

/* The bytes of a band from the first sample to the last, from none to its most (transfer full). */
static char *
draw_trend (const struct ghc_band *band, guint samples)
{
  const guint n = MIN (samples, TREND_WIDTH);
  GString *line = g_string_new (NULL);
  for (guint i = 0; i < n; i++) {
    const guint sample = n == 1 ? 0 : (guint) ((uint64_t) i * (samples - 1) / (n - 1));
    emitter_append_bar (line,
                        (double) ghc_band_bytes (band, sample) / (double) MAX (band->max_bytes, 1));
  }
  return g_string_free (line, FALSE);
}

/* In the samples that are judged. */
static int64_t
growth (const struct ghc_band *band)
{
  return (int64_t) (band->steps[GHC_BAND_STEPS - 1] - band->steps[0]);
}

void
ghc_bands_put (struct emitter *e, const struct ghc_bands *shown)
{
  const struct ghc_heap_profile *profile = shown->profile;
  const uint64_t peak
      = profile->samples->len != 0 ? ghc_heap_profile_sample (profile, profile->largest)->bytes : 0;
  struct table *t = ghc_bands_table (shown, &ghc_bands_shape);
  const enum emitter_format format = emitter_get_format (e);
  if (format == EMITTER_JSON || format == EMITTER_CSV)
    table_set_detail (t, put_points, shown);
  for (guint i = 0; i < profile->bands->len; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    const uint64_t *steps = band->steps, at_peak = band->peak_bytes;
    g_autofree char *trend
        = emitter_format_is_for_people (format) ? draw_trend (band, profile->samples->len) : NULL;
    if (band->max_bytes != 0)
      table_add_id (t, i,
                    (const union emitter_value[]){ { .number = at_peak },
                                                   { .number = emitter_share (at_peak, peak) },
                                                   { .change = growth (band) },
                                                   { .text = band->grows ? "yes" : NULL },
                                                   { .number = steps[0] },
                                                   { .number = steps[1] },
                                                   { .number = steps[2] },
                                                   { .number = steps[3] },
                                                   { .number = band->last_bytes },
                                                   { .number = band->max_bytes },
                                                   { .text = trend },
                                                   { .text = closure_of (shown, band) },
                                                   { .number = i },
                                                   { .number = i } });
  }
  table_write (t, e);
}

/* ---- sums ---- */

struct band_sum {
  const char *by;
  char *name;
  guint bands;
  uint64_t peak_bytes, last_bytes;
  uint64_t first_bytes, judged_bytes; /* in the first sample and in the last one that is judged */
};

static guint
hash_sum (gconstpointer data)
{
  const struct band_sum *sum = data;
  return g_str_hash (sum->by) ^ g_str_hash (sum->name);
}

static gboolean
equal_sums (gconstpointer a, gconstpointer b)
{
  const struct band_sum *x = a, *y = b;
  return strcmp (x->by, y->by) == 0 && strcmp (x->name, y->name) == 0;
}

static void
free_sum (gpointer data)
{
  struct band_sum *sum = data;
  g_free (sum->name);
  g_free (sum);
}

/* A band without a name is in no sum. */
static void
add_to_sum (GHashTable *sums, const char *by, const char *name, const struct ghc_band *band)
{
  const struct band_sum key = { .by = by, .name = (char *) name };
  if (name == NULL || name[0] == '\0')
    return;
  struct band_sum *sum = g_hash_table_lookup (sums, &key);
  if (sum == NULL) {
    sum = g_new0 (struct band_sum, 1);
    sum->by = by;
    sum->name = g_strdup (name);
    g_hash_table_add (sums, sum);
  }
  sum->bands++;
  sum->peak_bytes += band->peak_bytes;
  sum->last_bytes += band->last_bytes;
  sum->first_bytes += band->steps[0];
  sum->judged_bytes += band->steps[GHC_BAND_STEPS - 1];
}

static int64_t
growth_of_sum (const struct band_sum *sum)
{
  return (int64_t) (sum->judged_bytes - sum->first_bytes);
}

/* Of bands that name the place of their code (transfer full). */
static GHashTable *
add_up (const struct ghc_bands *shown)
{
  const struct ghc_heap_profile *profile = shown->profile;
  GHashTable *sums = g_hash_table_new_full (hash_sum, equal_sums, free_sum, NULL);
  for (guint i = 0; i < profile->bands->len; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    const struct ghc_provenance *of = ghc_band_provenance (shown->profiles, band);
    if (band->max_bytes == 0)
      continue;
    add_to_sum (sums, "module", ghc_band_module (shown->profiles, band), band);
    if (of == NULL)
      continue;
    add_to_sum (sums, "type", of->type, band);
    add_to_sum (sums, "function", of->label, band);
    add_to_sum (sums, "closures", ghc_provenance_closure (of), band);
  }
  return sums;
}

char *
ghc_bands_growing_module (const struct ghc_bands *shown, uint64_t *first, uint64_t *last)
{
  g_autoptr (GHashTable) sums = add_up (shown);
  const struct band_sum *most = NULL;
  GHashTableIter i;
  gpointer key;
  g_hash_table_iter_init (&i, sums);
  while (g_hash_table_iter_next (&i, &key, NULL)) {
    const struct band_sum *sum = key;
    if (strcmp (sum->by, "module") == 0
        && growth_of_sum (sum) > (most != NULL ? growth_of_sum (most) : 0))
      most = sum;
  }
  if (most == NULL)
    return NULL;
  *first = most->first_bytes;
  *last = most->judged_bytes;
  return g_strdup (most->name);
}

void
ghc_bands_put_sums (struct emitter *e, const struct ghc_bands *shown)
{
  const struct ghc_heap_profile *profile = shown->profile;
  const uint64_t peak
      = profile->samples->len != 0 ? ghc_heap_profile_sample (profile, profile->largest)->bytes : 0;
  g_autoptr (GHashTable) sums = add_up (shown);
  struct table *t = table_new (&ghc_band_sums_shape, shown->view);
  GHashTableIter i;
  gpointer key;
  g_hash_table_iter_init (&i, sums);
  while (g_hash_table_iter_next (&i, &key, NULL)) {
    const struct band_sum *sum = key;
    SECTION_ROW (t, { .number = sum->peak_bytes },
                 { .number = emitter_share (sum->peak_bytes, peak) },
                 { .change = growth_of_sum (sum) }, { .number = sum->last_bytes },
                 { .number = sum->bands }, { .text = sum->by }, { .text = sum->name });
  }
  table_write (t, e);
}

guint
ghc_bands_put_growing (struct emitter *e, const struct ghc_bands *shown)
{
  const struct ghc_heap_profile *profile = shown->profile;
  struct table *t = ghc_bands_table (shown, &ghc_growing_shape);
  guint found = 0;
  for (guint i = 0; i < profile->bands->len; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    if (!band->grows)
      continue;
    found++;
    const uint64_t ns = ghc_heap_profile_sample (profile, profile->end)->time
                        - ghc_heap_profile_sample (profile, profile->first)->time;
    const double rate = ns != 0 ? (double) growth (band) * 1e9 / (double) ns : 0;
    SECTION_ROW (t, { .change = growth (band) }, { .number = (uint64_t) rate },
                 { .number = band->peak_bytes }, { .text = closure_of (shown, band) },
                 { .number = i }, { .number = i });
  }
  table_write (t, e);
  return found;
}

void
ghc_bands_put_samples (struct emitter *e, const struct ghc_bands *shown)
{
  const struct ghc_heap_profile *profile = shown->profile;
  struct table *t = table_new (&ghc_samples_shape, shown->view);
  for (guint i = 0; i < profile->samples->len; i++) {
    const struct ghc_heap_sample *sample = ghc_heap_profile_sample (profile, i);
    SECTION_ROW (t, { .number = i }, { .number = sample->time }, { .number = sample->bytes },
                 { .number = sample->bands }, { .number = sample->era });
  }
  table_write (t, e);
}

static void
put_filters (struct emitter *e, const struct ghc_heap_profile *profile)
{
  for (size_t i = 0; i < G_N_ELEMENTS (profile->filters); i++)
    if (profile->filters[i] != NULL && *profile->filters[i] != '\0')
      result_text (e, HEAP_PROFILES_MODULE + i, profile->filters[i]);
}

/* Samples with anything in them. */
static guint
count_filled (const struct ghc_heap_profile *profile)
{
  guint n = 0;
  for (guint i = 0; i < profile->samples->len; i++)
    n += ghc_heap_profile_sample (profile, i)->bytes != 0;
  return n;
}

char *
ghc_bands_unjudged (const struct ghc_heap_profile *profile, const struct selection *selection)
{
  const guint filled = count_filled (profile);
  if (profile->is_judged)
    return NULL;
  if (profile->samples->len == 0 && selection_is_partial (selection))
    return g_strdup ("the heap profile has no samples there");
  if (profile->samples->len == 0)
    return g_strdup ("the heap profile has no samples: the program worked for less than a period; "
                     "'proflog run --heap=10ms' and +RTS -i0.01 have more");
  return filled == 0
             ? g_strdup ("all samples of the heap profile are empty")
             : g_strdup_printf ("%u sample%s of the heap profile %s anything in %s, %d are needed",
                                filled, filled == 1 ? "" : "s", filled == 1 ? "has" : "have",
                                filled == 1 ? "it" : "them", GHC_PROFILE_SAMPLES_MIN);
}

/* Growth, and the bytes at 1/4 and so on, are of the samples from one to another. */
static void
put_judged (struct emitter *e, const struct ghc_bands *shown)
{
  const struct ghc_heap_profile *profile = shown->profile;
  g_autofree char *unjudged = ghc_bands_unjudged (profile, shown->view->selection);
  if (unjudged != NULL) {
    result_text (e, HEAP_PROFILES_GROWTH_CANNOT_BE_JUDGED, unjudged);
    return;
  }
  result_number (e, HEAP_PROFILES_GROWTH_FROM_SAMPLE, profile->first);
  result_number (e, HEAP_PROFILES_GROWTH_TO_SAMPLE, profile->end);
  if (profile->end + 1 != profile->samples->len)
    emitter_note (e, "The samples after that are the end of the program, where most was freed.");
}

void
ghc_bands_open (struct emitter *e, const struct ghc_bands *shown, guint index)
{
  const struct ghc_heap_profile *profile = shown->profile;
  const char *breakdown
      = profile->is_begun ? ghc_value_name (GHC_UNIT_BREAKDOWN, profile->breakdown) : NULL;
  char *title = g_strdup_printf ("Heap profile by %s", breakdown != NULL ? breakdown : "parts");
  emitter_open (e, NULL, title);
  g_free (title);
  result_number (e, HEAP_PROFILES_INDEX, index);
  result_number (e, HEAP_PROFILES_PROFILE, profile->number);
  result_text (e, HEAP_PROFILES_BREAKDOWN, breakdown);
  result_number_if (e, HEAP_PROFILES_PERIOD_NS, profile->period != 0, profile->period);
  put_filters (e, profile);
  result_number (e, HEAP_PROFILES_SAMPLE_COUNT, profile->samples->len);
  if (profile->samples->len != 0) {
    const struct ghc_heap_sample *largest = ghc_heap_profile_sample (profile, profile->largest);
    result_number (e, HEAP_PROFILES_PEAK_BYTES, largest->bytes);
    result_number (e, HEAP_PROFILES_PEAK_NS, largest->time);
  }
  put_judged (e, shown);
}
