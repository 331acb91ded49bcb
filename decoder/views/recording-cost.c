/* recording-cost.c -- judges the recording by its samples. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/output/figure.h"
#include "decoder/views/recording-cost.h"

/* Fewer samples are not enough for a share. */
#define HITS_MIN 5
#define LARGE_SHARE 10 /* one part of this number */

bool
recording_cost_is_large (const struct summary *s)
{
  const struct samples *samples = SUMMARY_STATE (s, samples);
  return samples->recording_hits >= HITS_MIN
         && samples->recording_hits >= samples->running / LARGE_SHARE;
}

bool
recording_cost_is_known (const struct summary *s)
{
  return SUMMARY_STATE (s, samples)->cpu_ns != 0;
}

char *
recording_cost_text (const struct summary *s)
{
  const struct samples *samples = SUMMARY_STATE (s, samples);
  g_autofree char *time = figure_text (FIGURE_NS, samples->recording_ns);
  return g_strdup_printf ("%s (%.1f %% of processor time)", time,
                          100 * (double) samples->recording_ns / (double) MAX (samples->cpu_ns, 1));
}

const char *
recording_cost_advice (const struct summary *s)
{
  const struct calls *calls = SUMMARY_STATE (s, calls);
  const bool all_objects = s->allocations.objects != 0 && s->allocations.samples == 0,
             all_calls = calls->total != 0 && calls->skipped == 0;
  return all_objects && all_calls ? "--allocs=512k and --calls=10us"
         : all_objects            ? "--allocs=512k"
         : all_calls              ? "--calls=10us"
                                  : NULL;
}
