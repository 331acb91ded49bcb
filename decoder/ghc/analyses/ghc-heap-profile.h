/* ghc-heap-profile.h -- the heap profiles of an eventlog: samples, and the bands that they are made
 * of, over time.
 *
 * Items come in the order of the file.  A sample ends where the log states so, or, as early writers
 * do not, where the next one begins or the log ends.
 */
#ifndef PROFLOG_GHC_HEAP_PROFILE_H
#define PROFLOG_GHC_HEAP_PROFILE_H

#include "decoder/core/steady-growth.h"
#include "decoder/ghc/analyses/ghc-cost-centres.h"
#include "decoder/ghc/analyses/ghc-provenance.h"

#include <proflog/ghc-reader.h>

/* Bands of a profile.  If it has more after a sample, the smaller ones are one band, without a
 * name; and so are those that come last in a sample of very many. */
#define GHC_BANDS_MAX 65536
#define GHC_BANDS_OF_SAMPLE_MAX (4 * GHC_BANDS_MAX)
/* Points of a band: when there are more, every other one goes. */
#define GHC_BAND_POINTS_MAX 512
/* A band is inspected in the first sample, the one up to which growth is judged, and between them:
 * this many at even distances. */
enum { GHC_BAND_STEPS = 5 };
/* Samples that growth is judged by, at least. */
enum { GHC_PROFILE_SAMPLES_MIN = STEADY_GROWTH_MIN };

struct ghc_heap_sample {
  uint64_t era;
  uint64_t time; /* ns; of a biography when it is to be plotted, else when it was taken */
  uint64_t bytes;
  uint32_t bands; /* with anything in them */
};

struct ghc_band_point {
  uint32_t sample;
  uint64_t bytes;
};

struct ghc_band {
  struct ghc_heap_profile *profile;
  GBytes *key; /* the text, or the numbers of the cost centres */
  bool is_stack;
  uint64_t max_bytes;
  uint64_t last_bytes; /* in the last sample with anything in it */
  GArray *points;      /* struct ghc_band_point: of some samples, without zeros */
  uint64_t peak_bytes; /* in the largest sample */
  /* Where it stands from the first sample to the profile's `end`. */
  uint64_t steps[GHC_BAND_STEPS];
  bool grows; /* to that end: it may leak */
  /* The sample that is being read. */
  uint64_t now;
  uint32_t sample; /* the last one in which it was, with last_bytes */
};

struct ghc_heap_profile {
  unsigned number;
  bool is_begun; /* the members below were reported */
  unsigned breakdown;
  uint64_t period;
  char *filters[7]; /* as in the event; "": none */
  GArray *samples;  /* struct ghc_heap_sample */
  GPtrArray *bands; /* struct ghc_band, in the order they come first */
  GHashTable *by_key;
  struct ghc_band *others; /* NULL: there is none */
  GPtrArray *open_bands;   /* bands of the sample that is being read */
  uint32_t stride;         /* samples a point */
  /* Samples: the first and the last with anything in it, and the largest. */
  uint32_t first, last, largest;
  /* The sample up to which growth is judged: the last of all, or the largest, if only the end of
   * the program follows, where most is freed. */
  uint32_t end;
  bool is_judged; /* there are enough samples to judge growth */
  bool grows;     /* all bands together do, to that end */
  bool is_in_sample;
};

/* The sample of this number, which has to be one; the profile's. */
static inline const struct ghc_heap_sample *
ghc_heap_profile_sample (const struct ghc_heap_profile *profile, guint number)
{
  return &g_array_index (profile->samples, struct ghc_heap_sample, number);
}

struct ghc_heap_profiles {
  uint64_t from, to; /* times of samples: from <= time < to */
  struct ghc_cost_centres centres;
  struct ghc_provenances provenances;
  GPtrArray *all;  /* struct ghc_heap_profile */
  bool has_sample; /* one has begun */
  bool is_needed;
  struct ghc_heap_sample sample;
};

void ghc_heap_profiles_init (struct ghc_heap_profiles *profiles, uint64_t from, uint64_t to);
void ghc_heap_profiles_clear (struct ghc_heap_profiles *profiles);

/* Adds the next item, an event. */
void ghc_heap_profiles_item (struct ghc_heap_profiles *profiles, const struct ghc_item *item);

/* The sample that has begun is whole: its log ends. */
void ghc_heap_profiles_end_sample (struct ghc_heap_profiles *profiles);

/* After the last item. */
void ghc_heap_profiles_finish (struct ghc_heap_profiles *profiles);

/* Forgets all samples but the last of each profile, and the bands that it lacks, so that a log that
 * is being written may go on for ever.  Between two samples. */
void ghc_heap_profiles_forget (struct ghc_heap_profiles *profiles);

/* Its bytes in the retained sample that is this one or the nearest before it: see below. */
uint64_t ghc_band_bytes (const struct ghc_band *band, uint32_t sample);

/* The number of that sample. */
uint32_t ghc_heap_profile_retained (const struct ghc_heap_profile *profile, uint32_t sample);

/* The name of a band (transfer full): cost centres by their labels, info tables by theirs. */
char *ghc_band_name (const struct ghc_heap_profiles *profiles, const struct ghc_band *band);

/* Module and place in the source of the band's code (transfer full); NULL: not known. */
char *ghc_band_location (const struct ghc_heap_profiles *profiles, const struct ghc_band *band);

/* The provenance of a band's info table; NULL: it is of none, or not known. */
const struct ghc_provenance *ghc_band_provenance (const struct ghc_heap_profiles *profiles,
                                                  const struct ghc_band *band);

/* The cost centres of a band's stack, the innermost first; NULL: it is of none. */
const uint32_t *ghc_band_stack (const struct ghc_band *band, size_t *n);

/* The module of the band's code; NULL: not known. */
const char *ghc_band_module (const struct ghc_heap_profiles *profiles, const struct ghc_band *band);

#endif
