/* ghc-report-heap-profiles.c -- the heap profiles of an eventlog in its report. */
#include "config.h"

#include "decoder/views/ghc/ghc-bands.h"
#include "decoder/views/ghc/ghc-report.h"

static void
put_profile (struct emitter *e, const struct ghc_bands *shown, guint index)
{
  ghc_bands_open (e, shown, index);
  ghc_bands_put_growing (e, shown);
  ghc_bands_put (e, shown);
  ghc_bands_put_sums (e, shown);
  ghc_bands_put_samples (e, shown);
  emitter_close (e);
}

static void
put_heap_profiles (const struct report *r)
{
  const struct ghc_heap_profiles *profiles = &r->ghc->heap_profiles;
  emitter_open_list (r->e, "heap_profiles", NULL);
  table_expect (&ghc_growing_shape, r->view, "index", r->e);
  table_expect (&ghc_bands_shape, r->view, "index", r->e);
  table_expect (&ghc_band_sums_shape, r->view, "index", r->e);
  table_expect (&ghc_samples_shape, r->view, "index", r->e);
  if (profiles->all->len == 0)
    section_absent_rare (r, "Heap profiles");
  for (guint i = 0; i < profiles->all->len; i++) {
    const struct ghc_bands shown = { profiles, g_ptr_array_index (profiles->all, i), r->view };
    put_profile (r->e, &shown, i + 1);
  }
  emitter_close_list (r->e);
}

const struct section ghc_section_heap_profiles
    = { .key = "heap_profiles",
        .put = put_heap_profiles,
        .tables = SECTION_TABLES (&ghc_growing_shape, &ghc_bands_shape, &ghc_band_sums_shape,
                                  &ghc_samples_shape),
        .features = GHC_FEATURE_PROFILES };
