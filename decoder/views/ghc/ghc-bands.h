/* ghc-bands.h -- heap profiles of eventlogs as tables: of samples, of bands, of bands that grow. */
#ifndef PROFLOG_GHC_BANDS_H
#define PROFLOG_GHC_BANDS_H

#include "decoder/ghc/analyses/ghc-heap-profile.h"
#include "decoder/views/section.h"

/* A profile that is shown. */
struct ghc_bands {
  const struct ghc_heap_profiles *profiles;
  const struct ghc_heap_profile *profile;
  const struct view *view;
};

extern const struct table_shape ghc_bands_shape, ghc_growing_shape, ghc_band_sums_shape,
    ghc_samples_shape;

/* Opens the object of a profile, the first of a log having index 1: its kind and its largest
 * sample. */
void ghc_bands_open (struct emitter *emitter, const struct ghc_bands *bands, guint index);

void ghc_bands_put (struct emitter *emitter, const struct ghc_bands *bands);
void ghc_bands_put_samples (struct emitter *emitter, const struct ghc_bands *bands);

/* Sums over bands of one module, type, function and kind of closures, where bands name these. */
void ghc_bands_put_sums (struct emitter *emitter, const struct ghc_bands *bands);

/* The module whose bands grow most (transfer full), and their bytes in the first sample and in the
 * last one that is judged; NULL: none grows, or no band names its module. */
char *ghc_bands_growing_module (const struct ghc_bands *bands, uint64_t *first, uint64_t *last);

/* Why nothing can be stated about growth in the selected part of a log (transfer full); NULL: it
 * can. */
char *ghc_bands_unjudged (const struct ghc_heap_profile *profile,
                          const struct selection *selection);

/* Bands that grow to the last sample that is judged; returns their number. */
guint ghc_bands_put_growing (struct emitter *emitter, const struct ghc_bands *bands);

/* A table whose columns "name" and "location" have texts of bands: their places in the profile. */
struct table *ghc_bands_table (const struct ghc_bands *bands, const struct table_shape *shape);

/* The answers of `proflog heap` about an eventlog: its samples; the bands of one sample, of two;
 * over time; those that grow. */
extern const struct section ghc_heap_list, ghc_heap_histogram, ghc_heap_diff, ghc_heap_growth,
    ghc_heap_leaks;

#endif
