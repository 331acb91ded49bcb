/* mlpd-losses.h -- the losses that a Mono log of our module states. */
#ifndef PROFLOG_MLPD_LOSSES_H
#define PROFLOG_MLPD_LOSSES_H

#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

/* The events that are missing by the counter of lost events; 0: the event does not have it. */
uint64_t mlpd_losses_of (enum mlpd_kind kind, const union mlpd_payload *payload);

/* Damage in the middle of a log, whose bytes are not in a log that is made of it. */
static inline bool
mlpd_damage_is_left_out (const struct mlpd_damage *damage)
{
  return damage->reason != MLPD_DAMAGE_LOST && damage->reason != MLPD_DAMAGE_TRUNCATED;
}

/* A message about `lost` events; `error`: see struct mlpd_damage.  Free it with g_free. */
char *mlpd_loss_message (uint64_t lost, int error);

#endif
