/* ghc-heap-bands.c -- the answers of proflog heap about the heap profiles of an eventlog. */
#include "config.h"

#include "decoder/views/ghc/ghc-bands.h"

static const struct emitter_column sample_columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                        { "share_permille", "%", EMIT_SHARE },
                                                        { "location", "Where", EMIT_TEXT },
                                                        { "name", "Band", EMIT_TEXT } };
static const struct table_shape sample_shape = { .key = "bands",
                                                 .title = "Bands",
                                                 TABLE_SHAPE_COLUMNS (sample_columns),
                                                 .order = TABLE_KEYS ("bytes", "name"),
                                                 .name = "name",
                                                 .place = "location",
                                                 .apart = "location",
                                                 .bytes = "bytes" };

static const struct emitter_column change_columns[] = { { "bytes_change", "Change", EMIT_CHANGE },
                                                        { "bytes_before", "Before", EMIT_NUMBER },
                                                        { "bytes", "Bytes", EMIT_NUMBER },
                                                        { "location", "Where", EMIT_TEXT },
                                                        { "name", "Band", EMIT_TEXT } };
static const struct table_shape change_shape
    = { .key = "bands",
        .title = "Bands",
        TABLE_SHAPE_COLUMNS (change_columns),
        .order = TABLE_KEYS ("bytes_change", "bytes", "name"),
        .name = "name",
        .place = "location",
        .apart = "location",
        .bytes = "bytes" };

/* ---- the profiles ---- */

/* Answers about one profile, which is open. */
typedef void answer (const struct report *report, const struct ghc_bands *bands);

static void
answer_all (const struct report *r, answer *about, const struct table_shape *shape)
{
  const struct ghc_heap_profiles *profiles = &r->ghc->heap_profiles;
  emitter_open_list (r->e, "heap_profiles", NULL);
  table_expect (shape, r->view, "index", r->e);
  for (guint i = 0; i < profiles->all->len; i++) {
    const struct ghc_bands bands = { profiles, g_ptr_array_index (profiles->all, i), r->view };
    ghc_bands_open (r->e, &bands, i + 1);
    about (r, &bands);
    emitter_close (r->e);
  }
  emitter_close_list (r->e);
}

/* The sample that a query is about, or else this one, among those of which each band's bytes are
 * retained. */
static uint32_t
find_sample (const struct report *r, const struct ghc_heap_profile *profile, int which,
             uint32_t otherwise)
{
  const uint32_t count = profile->samples->len;
  const uint32_t number = r->samples->is_set ? r->samples->numbers[which] : otherwise;
  return ghc_heap_profile_retained (profile, MIN (number, count > 0 ? count - 1 : 0));
}

/* ---- the answers ---- */

static void
list_samples (const struct report *r, const struct ghc_bands *bands)
{
  ghc_bands_put_samples (r->e, bands);
}

static void
put_list (const struct report *r)
{
  answer_all (r, list_samples, &ghc_samples_shape);
}

const struct section ghc_heap_list = { .key = "heap_profiles",
                                       .put = put_list,
                                       .tables = SECTION_TABLES (&ghc_samples_shape),
                                       .features = GHC_FEATURE_PROFILES };

static void
put_sample (const struct report *r, const struct ghc_bands *bands)
{
  const struct ghc_heap_profile *profile = bands->profile;
  if (profile->samples->len == 0)
    return;
  const uint32_t number = find_sample (r, profile, 0, profile->largest);
  const struct ghc_heap_sample *sample = ghc_heap_profile_sample (profile, number);
  emitter_number (r->e, "sample", "Sample", number);
  emitter_ns (r->e, "time_ns", "Taken at", sample->time);
  emitter_number (r->e, "bytes", "Bytes", sample->bytes);
  struct table *t = ghc_bands_table (bands, &sample_shape);
  for (guint i = 0; i < profile->bands->len; i++) {
    const uint64_t bytes = ghc_band_bytes (g_ptr_array_index (profile->bands, i), number);
    if (bytes != 0)
      SECTION_ROW (t, { .number = bytes }, { .number = emitter_share (bytes, sample->bytes) },
                   { .number = i }, { .number = i });
  }
  table_write (t, r->e);
}

static void
put_histogram (const struct report *r)
{
  answer_all (r, put_sample, &sample_shape);
}

const struct section ghc_heap_histogram = { .key = "heap_profiles",
                                            .put = put_histogram,
                                            .tables = SECTION_TABLES (&sample_shape),
                                            .features = GHC_FEATURE_PROFILES };

static void
put_change (const struct report *r, const struct ghc_bands *bands)
{
  const struct ghc_heap_profile *profile = bands->profile;
  if (profile->samples->len == 0)
    return;
  const uint32_t first = find_sample (r, profile, 0, profile->first),
                 second = find_sample (r, profile, 1, profile->end);
  const struct ghc_heap_sample *before = ghc_heap_profile_sample (profile, first),
                               *now = ghc_heap_profile_sample (profile, second);
  emitter_number (r->e, "sample_before", "From sample", first);
  emitter_number (r->e, "sample", "To sample", second);
  emitter_ns (r->e, "time_before_ns", "Taken at", before->time);
  emitter_ns (r->e, "time_ns", "And at", now->time);
  emitter_value (r->e, "bytes_change", "Change of bytes", EMIT_CHANGE,
                 (union emitter_value){ .change = (int64_t) (now->bytes - before->bytes) });
  struct table *t = ghc_bands_table (bands, &change_shape);
  for (guint i = 0; i < profile->bands->len; i++) {
    const struct ghc_band *band = g_ptr_array_index (profile->bands, i);
    const uint64_t was = ghc_band_bytes (band, first), is = ghc_band_bytes (band, second);
    if (was != is)
      SECTION_ROW (t, { .change = (int64_t) (is - was) }, { .number = was }, { .number = is },
                   { .number = i }, { .number = i });
  }
  table_write (t, r->e);
}

static void
put_diff (const struct report *r)
{
  answer_all (r, put_change, &change_shape);
}

const struct section ghc_heap_diff = { .key = "heap_profiles",
                                       .put = put_diff,
                                       .tables = SECTION_TABLES (&change_shape),
                                       .features = GHC_FEATURE_PROFILES };

static void
put_over_time (const struct report *r, const struct ghc_bands *bands)
{
  ghc_bands_put (r->e, bands);
}

static void
put_growth (const struct report *r)
{
  answer_all (r, put_over_time, &ghc_bands_shape);
}

const struct section ghc_heap_growth = { .key = "heap_profiles",
                                         .put = put_growth,
                                         .tables = SECTION_TABLES (&ghc_bands_shape),
                                         .features = GHC_FEATURE_PROFILES };

static void
put_suspects (const struct report *r, const struct ghc_bands *bands)
{
  const struct ghc_heap_profile *profile = bands->profile;
  const guint growing = ghc_bands_put_growing (r->e, bands);
  if (growing != 0 || !profile->is_judged)
    return;
  g_autofree char *line = g_strdup_printf (
      "No band grows steadily, by a hundredth of the heap, from sample %u to sample %u%s.",
      profile->first, profile->end, profile->grows ? " by itself; all together do" : "");
  emitter_note (r->e, line);
}

static void
put_leaks (const struct report *r)
{
  answer_all (r, put_suspects, &ghc_growing_shape);
}

const struct section ghc_heap_leaks = { .key = "heap_profiles",
                                        .put = put_leaks,
                                        .tables = SECTION_TABLES (&ghc_growing_shape),
                                        .features = GHC_FEATURE_PROFILES };
