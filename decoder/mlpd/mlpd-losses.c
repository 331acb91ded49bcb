/* mlpd-losses.c -- reads the counter of lost events, and makes messages of losses. */
#include "config.h"

#include "decoder/mlpd/mlpd-losses.h"

/* Each value is the number of losses since the one before. */
uint64_t
mlpd_losses_of (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  uint64_t lost = 0;
  if (kind != MLPD_SAMPLE_COUNTERS)
    return 0;
  const struct mlpd_counter_values *values = &payload->sample_counters.values;
  for (size_t i = 0; i < values->count; i++)
    if (values->items[i].index == MLPD_LOST_EVENTS_INDEX)
      lost += values->items[i].number;
  return lost;
}

char *
mlpd_loss_message (uint64_t lost, int error)
{
  if (error == 0)
    return g_strdup_printf ("the profiler dropped %" G_GUINT64_FORMAT
                            " events, as they could not be read or not be written in time",
                            lost);
  if (error == MLPD_LOSS_BY_DAMAGE)
    return g_strdup ("the log was made of a damaged one, whose damaged bytes it lacks");
  if (lost == 0) /* but names may be missing */
    return g_strdup_printf ("the log could no longer be written: %s", g_strerror (error));
  return g_strdup_printf ("the log lacks %" G_GUINT64_FORMAT
                          " events, as it could no longer be written: %s",
                          lost, g_strerror (error));
}
