/* ghc-heap-profile.c -- collects the samples of heap profiles, and the bands in them. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-heap-profile.h"
#include "decoder/core/whole-number.h"
#include <string.h>

static void
free_band (gpointer data)
{
  struct ghc_band *band = data;
  g_clear_pointer (&band->key, g_bytes_unref);
  g_array_unref (band->points);
  g_free (band);
}

static void
free_profile (gpointer data)
{
  struct ghc_heap_profile *profile = data;
  for (size_t i = 0; i < G_N_ELEMENTS (profile->filters); i++)
    g_free (profile->filters[i]);
  g_array_unref (profile->samples);
  g_hash_table_unref (profile->by_key);
  g_ptr_array_unref (profile->open_bands);
  g_ptr_array_unref (profile->bands);
  g_free (profile);
}

void
ghc_heap_profiles_init (struct ghc_heap_profiles *p, uint64_t from, uint64_t to)
{
  *p = (struct ghc_heap_profiles){ .from = from, .to = to };
  ghc_cost_centres_init (&p->centres);
  ghc_provenances_init (&p->provenances, NULL);
  p->all = g_ptr_array_new_with_free_func (free_profile);
}

void
ghc_heap_profiles_clear (struct ghc_heap_profiles *p)
{
  ghc_cost_centres_clear (&p->centres);
  ghc_provenances_clear (&p->provenances);
  g_ptr_array_unref (p->all);
}

static char *
copy (struct ghc_text text)
{
  return g_strndup (text.text, text.length);
}

static struct ghc_heap_profile *
new_profile (struct ghc_heap_profiles *p, unsigned number)
{
  struct ghc_heap_profile *profile = g_new0 (struct ghc_heap_profile, 1);
  profile->number = number;
  profile->stride = 1;
  profile->samples = g_array_new (FALSE, FALSE, sizeof (struct ghc_heap_sample));
  profile->bands = g_ptr_array_new_with_free_func (free_band);
  profile->open_bands = g_ptr_array_new ();
  profile->by_key = g_hash_table_new (g_bytes_hash, g_bytes_equal);
  g_ptr_array_add (p->all, profile);
  return profile;
}

/* The latest profile of a number; made if there is none. */
static struct ghc_heap_profile *
profile_of (struct ghc_heap_profiles *p, unsigned number)
{
  for (guint i = p->all->len; i > 0; i--) {
    struct ghc_heap_profile *profile = g_ptr_array_index (p->all, i - 1);
    if (profile->number == number)
      return profile;
  }
  return new_profile (p, number);
}

/* ---- samples ---- */

static struct ghc_heap_sample *
last_sample (const struct ghc_heap_profile *profile)
{
  return &g_array_index (profile->samples, struct ghc_heap_sample, profile->samples->len - 1);
}

static void
thin_out (struct ghc_heap_profile *profile)
{
  profile->stride *= 2;
  for (guint i = 0; i < profile->bands->len; i++) {
    GArray *points = ((struct ghc_band *) g_ptr_array_index (profile->bands, i))->points;
    guint kept = 0;
    for (guint k = 0; k < points->len; k++) {
      const struct ghc_band_point point = g_array_index (points, struct ghc_band_point, k);
      if (point.sample % profile->stride == 0)
        g_array_index (points, struct ghc_band_point, kept++) = point;
    }
    g_array_set_size (points, kept);
  }
}

static void
begin_profile_sample (struct ghc_heap_profiles *p, struct ghc_heap_profile *profile)
{
  profile->is_in_sample = true;
  g_array_append_val (profile->samples, p->sample);
  if ((profile->samples->len - 1) / profile->stride >= GHC_BAND_POINTS_MAX)
    thin_out (profile);
}

static struct ghc_band *new_band (struct ghc_heap_profile *profile, GBytes *key, bool is_stack);

/* The largest first. */
static int
compare_bands (gconstpointer a, gconstpointer b)
{
  const struct ghc_band *x = *(gpointer *) a, *y = *(gpointer *) b;
  return x->max_bytes > y->max_bytes ? -1 : x->max_bytes < y->max_bytes;
}

/* Adds the points of a band to sums by sample. */
static void
add_points (const struct ghc_band *band, uint64_t *sums)
{
  for (guint i = 0; i < band->points->len; i++) {
    const struct ghc_band_point *point = &g_array_index (band->points, struct ghc_band_point, i);
    sums[point->sample / band->profile->stride] += point->bytes;
  }
}

static void
set_points (struct ghc_band *band, const uint64_t *sums, guint n)
{
  g_array_set_size (band->points, 0);
  band->max_bytes = MAX (band->max_bytes, band->last_bytes);
  for (guint i = 0; i < n; i++) {
    const struct ghc_band_point point = { i * band->profile->stride, sums[i] };
    if (sums[i] != 0)
      g_array_append_val (band->points, point);
    band->max_bytes = MAX (band->max_bytes, sums[i]);
  }
}

/* Adds a band to that of all others. */
static void
fold_band (struct ghc_band *others, const struct ghc_band *band, uint64_t *sums)
{
  add_points (band, sums);
  if (band->sample > others->sample)
    others->last_bytes = 0;
  if (band->sample >= others->sample) {
    others->last_bytes += band->last_bytes;
    others->sample = band->sample;
  }
}

static void
drop_bands (struct ghc_heap_profile *profile, GHashTable *dropped)
{
  GPtrArray *bands = g_ptr_array_new_with_free_func (free_band);
  for (guint i = 0; i < profile->bands->len; i++) {
    struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    if (!g_hash_table_contains (dropped, band)) {
      g_ptr_array_add (bands, band);
      continue;
    }
    g_hash_table_remove (profile->by_key, band->key);
    free_band (band);
  }
  g_ptr_array_set_free_func (profile->bands, NULL);
  g_ptr_array_unref (profile->bands);
  profile->bands = bands;
}

/* Bands that the last sample has get its number, which is 0 from now on. */
static void
forget_samples (struct ghc_heap_profile *profile)
{
  const uint32_t last = profile->samples->len - 1;
  g_autoptr (GHashTable) gone = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < profile->bands->len; i++) {
    struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    if (band->sample != last && band != profile->others)
      g_hash_table_add (gone, band);
    g_array_set_size (band->points, 0);
    band->last_bytes = band->sample == last ? band->last_bytes : 0;
    band->sample = 0;
  }
  drop_bands (profile, gone);
  g_array_remove_range (profile->samples, 0, last);
  profile->stride = 1;
  profile->first = profile->last = profile->largest = 0;
}

void
ghc_heap_profiles_forget (struct ghc_heap_profiles *p)
{
  for (guint i = 0; i < p->all->len && !p->has_sample; i++) {
    struct ghc_heap_profile *profile = g_ptr_array_index (p->all, i);
    if (profile->samples->len > 1)
      forget_samples (profile);
  }
}

/* The smaller bands go to the one of all others, so that one that comes late and grows has a name.
 * Between two samples. */
static void
fold_bands (struct ghc_heap_profile *profile)
{
  if (profile->others == NULL)
    profile->others = new_band (profile, NULL, false);
  const guint n = (profile->samples->len - 1) / profile->stride + 1;
  g_autofree uint64_t *sums = g_new0 (uint64_t, n);
  g_autoptr (GHashTable) small = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  for (guint i = 0; i < profile->bands->len; i++)
    if (g_ptr_array_index (profile->bands, i) != profile->others)
      g_ptr_array_add (sorted, g_ptr_array_index (profile->bands, i));
  g_ptr_array_sort (sorted, compare_bands);
  add_points (profile->others, sums);
  for (guint i = GHC_BANDS_MAX / 2; i < sorted->len; i++) {
    fold_band (profile->others, g_ptr_array_index (sorted, i), sums);
    g_hash_table_add (small, g_ptr_array_index (sorted, i));
  }
  set_points (profile->others, sums, n);
  drop_bands (profile, small);
}

/* The sample is complete. */
static void
end_profile_sample (struct ghc_heap_profile *profile)
{
  const uint32_t number = profile->samples->len - 1;
  struct ghc_heap_sample *sample = last_sample (profile);
  profile->is_in_sample = false;
  for (guint i = 0; i < profile->open_bands->len; i++) {
    struct ghc_band *band = g_ptr_array_index (profile->open_bands, i);
    const struct ghc_band_point point = { number, band->now };
    band->max_bytes = MAX (band->max_bytes, band->now);
    band->last_bytes = band->now;
    band->sample = number;
    if (number % profile->stride == 0)
      g_array_append_val (band->points, point);
    band->now = 0;
  }
  sample->bands = profile->open_bands->len;
  g_ptr_array_set_size (profile->open_bands, 0);
  if (profile->bands->len > GHC_BANDS_MAX)
    fold_bands (profile);
  if (sample->bytes == 0)
    return;
  const struct ghc_heap_sample *samples
      = &g_array_index (profile->samples, struct ghc_heap_sample, 0);
  profile->last = number;
  if (samples[profile->first].bytes == 0)
    profile->first = profile->largest = number;
  if (sample->bytes > samples[profile->largest].bytes)
    profile->largest = number;
}

void
ghc_heap_profiles_end_sample (struct ghc_heap_profiles *p)
{
  for (guint i = 0; i < p->all->len; i++) {
    struct ghc_heap_profile *profile = g_ptr_array_index (p->all, i);
    /* One in which there is nothing is a sample, too. */
    if (p->has_sample && p->is_needed && !profile->is_in_sample && profile->is_begun
        && p->all->len == 1)
      begin_profile_sample (p, profile);
    if (profile->is_in_sample)
      end_profile_sample (profile);
  }
  p->has_sample = false;
}

static void
begin_sample (struct ghc_heap_profiles *p, uint64_t era, uint64_t time)
{
  ghc_heap_profiles_end_sample (p);
  p->has_sample = true;
  p->is_needed = time >= p->from && time < p->to;
  p->sample = (struct ghc_heap_sample){ .era = era, .time = time };
}

/* ---- bands ---- */

static struct ghc_band *
new_band (struct ghc_heap_profile *profile, GBytes *key, bool is_stack)
{
  struct ghc_band *band = g_new0 (struct ghc_band, 1);
  band->profile = profile;
  band->key = key;
  band->is_stack = is_stack;
  band->points = g_array_new (FALSE, FALSE, sizeof (struct ghc_band_point));
  g_ptr_array_add (profile->bands, band);
  return band;
}

static struct ghc_band *
band_of (struct ghc_heap_profile *profile, const void *bytes, size_t length, bool is_stack)
{
  GBytes *key = g_bytes_new_static (bytes, length);
  struct ghc_band *band = g_hash_table_lookup (profile->by_key, key);
  g_bytes_unref (key);
  if (band != NULL)
    return band;
  if (profile->bands->len >= GHC_BANDS_OF_SAMPLE_MAX) {
    if (profile->others == NULL)
      profile->others = new_band (profile, NULL, false);
    return profile->others;
  }
  band = new_band (profile, g_bytes_new (bytes, length), is_stack);
  g_hash_table_insert (profile->by_key, band->key, band);
  return band;
}

static void
add_bytes (struct ghc_heap_profiles *p, unsigned number, uint64_t bytes, const void *key,
           size_t length, bool is_stack)
{
  if (!p->has_sample || !p->is_needed)
    return;
  struct ghc_heap_profile *profile = profile_of (p, number);
  if (!profile->is_in_sample)
    begin_profile_sample (p, profile);
  struct ghc_band *band = band_of (profile, key, length, is_stack);
  if (bytes == 0)
    return;
  if (band->now == 0)
    g_ptr_array_add (profile->open_bands, band);
  struct ghc_heap_sample *sample = last_sample (profile);
  band->now = saturated_sum (band->now, bytes);
  sample->bytes = saturated_sum (sample->bytes, bytes);
}

/* ---- events ---- */

static void
begin_profile (struct ghc_heap_profiles *p, const struct ghc_heap_prof_begin *event)
{
  const struct ghc_text filters[]
      = { event->module,      event->closure_description, event->type_description,
          event->cost_centre, event->cost_centre_stack,   event->retainer,
          event->biography };
  struct ghc_heap_profile *profile = profile_of (p, event->profile);
  if (profile->is_begun) /* announced again: of another program, in the same log */
    profile = new_profile (p, event->profile);
  profile->is_begun = true;
  profile->breakdown = event->breakdown;
  profile->period = event->period;
  for (size_t i = 0; i < G_N_ELEMENTS (filters); i++)
    profile->filters[i] = copy (filters[i]);
}

void
ghc_heap_profiles_item (struct ghc_heap_profiles *p, const struct ghc_item *item)
{
  const union ghc_payload *event = item->payload;
  switch (item->kind) {
  case GHC_HEAP_PROF_BEGIN:
    begin_profile (p, &event->heap_prof_begin);
    break;
  case GHC_HEAP_PROF_COST_CENTRE:
    ghc_cost_centres_add (&p->centres, &event->heap_prof_cost_centre);
    break;
  case GHC_IPE:
    ghc_provenances_add (&p->provenances, &event->ipe);
    break;
  case GHC_HEAP_PROF_SAMPLE_BEGIN:
    begin_sample (p, event->heap_prof_sample_begin.era, item->time);
    break;
  case GHC_HEAP_BIO_PROF_SAMPLE_BEGIN:
    begin_sample (p, event->heap_bio_prof_sample_begin.era,
                  event->heap_bio_prof_sample_begin.sampled_at);
    break;
  case GHC_HEAP_PROF_SAMPLE_END:
    ghc_heap_profiles_end_sample (p);
    break;
  case GHC_HEAP_PROF_SAMPLE_STRING: {
    const struct ghc_heap_prof_sample_string *s = &event->heap_prof_sample_string;
    add_bytes (p, s->profile, s->residency, s->label.text, s->label.length, false);
    break;
  }
  case GHC_HEAP_PROF_SAMPLE_COST_CENTRE: {
    const struct ghc_heap_prof_sample_cost_centre *s = &event->heap_prof_sample_cost_centre;
    add_bytes (p, s->profile, s->residency, s->stack.items, s->stack.count * sizeof (uint32_t),
               true);
    break;
  }
  default:
    break;
  }
}

/* ---- over time ---- */

uint32_t
ghc_heap_profile_retained (const struct ghc_heap_profile *profile, uint32_t sample)
{
  return sample - sample % profile->stride;
}

uint64_t
ghc_band_bytes (const struct ghc_band *band, uint32_t sample)
{
  const uint32_t kept = ghc_heap_profile_retained (band->profile, sample);
  guint low = 0, high = band->points->len;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (band->points, struct ghc_band_point, middle).sample < kept)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == band->points->len)
    return 0;
  const struct ghc_band_point *point = &g_array_index (band->points, struct ghc_band_point, low);
  return point->sample == kept ? point->bytes : 0;
}

/* ---- growth ---- */

/* The samples that are judged, of which the bytes of bands are retained, in parts of one length. */
struct growth_parts {
  uint32_t first; /* sample / stride */
  uint32_t samples;
  unsigned n;
  double sums[STEADY_GROWTH_PARTS];
};

static struct growth_parts
divide_into_parts (const struct ghc_heap_profile *profile)
{
  const uint32_t stride = profile->stride, first = (profile->first + stride - 1) / stride,
                 end = profile->end / stride;
  const uint32_t samples = end >= first ? end - first + 1 : 0;
  return (struct growth_parts){ .first = first,
                                .samples = samples,
                                .n = MIN (samples, (uint32_t) STEADY_GROWTH_PARTS) };
}

static void
add_to_part (struct growth_parts *parts, uint32_t place, uint64_t bytes)
{
  if (place >= parts->first && place - parts->first < parts->samples)
    parts->sums[(uint64_t) (place - parts->first) * parts->n / parts->samples] += (double) bytes;
}

/* Do the means of the parts grow, and is the last sample part of that? */
static bool
parts_grow (const struct growth_parts *parts, uint64_t end_bytes)
{
  double means[STEADY_GROWTH_PARTS];
  for (unsigned i = 0; i < parts->n; i++) {
    const uint64_t from = ((uint64_t) i * parts->samples + parts->n - 1) / parts->n,
                   to = ((uint64_t) (i + 1) * parts->samples + parts->n - 1) / parts->n;
    means[i] = parts->sums[i] / (double) (to - from);
  }
  return steady_growth (means, parts->n) && (double) end_bytes >= means[parts->n - 2];
}

/* Samples that the end of a program has, at most, and samples before them, at least. */
enum { END_SAMPLES = 2, SAMPLES_BEFORE_END = 4 };

static void
find_end (struct ghc_heap_profile *profile)
{
  const uint32_t last = profile->samples->len - 1, after = last - profile->largest;
  const bool is_program_end
      = after != 0 && after <= END_SAMPLES
        && profile->largest - profile->first + 1 >= SAMPLES_BEFORE_END
        && ghc_heap_profile_sample (profile, last)->bytes
               < ghc_heap_profile_sample (profile, profile->largest)->bytes / 2;
  profile->end = is_program_end ? profile->largest : last;
}

/* Less than a hundredth of the heap is no growth, though it is steady: so grow tables of the
 * runtime.
 */
static bool
is_growth (uint64_t first, uint64_t last, const struct ghc_heap_profile *profile)
{
  return last > first
         && last - first >= ghc_heap_profile_sample (profile, profile->end)->bytes / 100;
}

static void
judge_profile (struct ghc_heap_profile *profile)
{
  if (profile->samples->len == 0)
    return;
  find_end (profile);
  struct growth_parts parts = divide_into_parts (profile);
  profile->is_judged = ghc_heap_profile_sample (profile, profile->first)->bytes != 0
                       && parts.n >= GHC_PROFILE_SAMPLES_MIN;
  for (uint32_t i = profile->first; i <= profile->end; i++)
    if (i % profile->stride == 0)
      add_to_part (&parts, i / profile->stride, ghc_heap_profile_sample (profile, i)->bytes);
  const uint64_t first = ghc_heap_profile_sample (profile, profile->first)->bytes,
                 last = ghc_heap_profile_sample (profile, profile->end)->bytes;
  profile->grows
      = profile->is_judged && is_growth (first, last, profile) && parts_grow (&parts, last);
}

static bool
band_grows (const struct ghc_band *band)
{
  const uint64_t first = band->steps[0], last = band->steps[GHC_BAND_STEPS - 1];
  if (!is_growth (first, last, band->profile))
    return false;
  const uint32_t stride = band->profile->stride;
  struct growth_parts parts = divide_into_parts (band->profile);
  for (guint i = 0; i < band->points->len; i++) {
    const struct ghc_band_point *point = &g_array_index (band->points, struct ghc_band_point, i);
    add_to_part (&parts, point->sample / stride, point->bytes);
  }
  return parts_grow (&parts, last);
}

static void
sample_band (struct ghc_band *band)
{
  const struct ghc_heap_profile *profile = band->profile;
  const uint32_t length = profile->end - profile->first;
  if (band->sample != profile->last)
    band->last_bytes = 0;
  band->peak_bytes = ghc_band_bytes (band, profile->largest);
  for (uint32_t i = 0; i < GHC_BAND_STEPS; i++)
    band->steps[i] = ghc_band_bytes (
        band, profile->first + (uint32_t) ((uint64_t) length * i / (GHC_BAND_STEPS - 1)));
  band->grows = profile->is_judged && band_grows (band);
}

void
ghc_heap_profiles_finish (struct ghc_heap_profiles *p)
{
  ghc_heap_profiles_end_sample (p);
  for (guint i = 0; i < p->all->len; i++) {
    struct ghc_heap_profile *profile = g_ptr_array_index (p->all, i);
    judge_profile (profile);
    for (guint k = 0; k < profile->bands->len; k++)
      sample_band (g_ptr_array_index (profile->bands, k));
  }
}

/* ---- names ---- */

/* The label of -hi is the address of the info table, or its number. */
const struct ghc_provenance *
ghc_band_provenance (const struct ghc_heap_profiles *p, const struct ghc_band *band)
{
  if (band->is_stack || band->key == NULL || band->profile->breakdown != GHC_BREAKDOWN_INFO_TABLE)
    return NULL;
  gsize length;
  const char *text = g_bytes_get_data (band->key, &length);
  if (length == 0) /* the text is NULL then */
    return NULL;
  char *label = g_strndup (text, length), *end;
  const bool is_hex = g_str_has_prefix (label, "0x");
  const uint64_t info_table = g_ascii_strtoull (label, &end, is_hex ? 16 : 10);
  const bool is_number = end != label && *end == '\0';
  g_free (label);
  return is_number ? ghc_provenances_find (&p->provenances, info_table) : NULL;
}

const uint32_t *
ghc_band_stack (const struct ghc_band *band, size_t *n)
{
  gsize length = 0;
  const uint32_t *ids = band->key != NULL ? g_bytes_get_data (band->key, &length) : NULL;
  *n = length / sizeof *ids;
  return band->is_stack ? ids : NULL;
}

static const struct ghc_cost_centre *
innermost (const struct ghc_heap_profiles *p, const struct ghc_band *band)
{
  size_t n;
  const uint32_t *ids = ghc_band_stack (band, &n);
  return ids != NULL && n != 0 ? ghc_cost_centres_find (&p->centres, ids[0]) : NULL;
}

const char *
ghc_band_module (const struct ghc_heap_profiles *p, const struct ghc_band *band)
{
  const struct ghc_provenance *provenance = ghc_band_provenance (p, band);
  const struct ghc_cost_centre *centre = innermost (p, band);
  return provenance != NULL ? provenance->module : centre != NULL ? centre->module : NULL;
}

char *
ghc_band_name (const struct ghc_heap_profiles *p, const struct ghc_band *band)
{
  const struct ghc_provenance *provenance = ghc_band_provenance (p, band);
  gsize length;
  if (band->key == NULL)
    return g_strdup ("(others)");
  const void *bytes = g_bytes_get_data (band->key, &length);
  if (band->is_stack)
    return ghc_cost_centres_stack (&p->centres, bytes, length / sizeof (uint32_t));
  if (provenance == NULL)
    return length != 0 ? g_strndup (bytes, length) : g_strdup ("");
  /* The function, and the type that is made there. */
  if (*provenance->type != '\0')
    return g_strdup_printf ("%s: %s", provenance->label, provenance->type);
  return g_strdup_printf ("%s: %s", provenance->label, provenance->name);
}

char *
ghc_band_location (const struct ghc_heap_profiles *p, const struct ghc_band *band)
{
  const struct ghc_provenance *provenance = ghc_band_provenance (p, band);
  const struct ghc_cost_centre *centre = innermost (p, band);
  const char *module = NULL, *location = NULL;
  if (provenance != NULL) {
    module = provenance->module;
    location = provenance->location;
  } else if (centre != NULL) {
    module = centre->module;
    location = centre->location;
  }
  return module != NULL ? g_strdup_printf ("%s %s", module, location) : NULL;
}
