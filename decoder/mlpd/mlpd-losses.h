/* mlpd-losses.h -- what a Mono log of our module states about events that it lacks. */
#ifndef PROFLOG_MLPD_LOSSES_H
#define PROFLOG_MLPD_LOSSES_H

#include <glib.h>
#include <proflog/mlpd.h>

/* The events that are missing by the counter of lost events; 0: the event does not have it. */
uint64_t mlpd_losses_of (enum mlpd_kind kind, const union mlpd_payload *payload);

/* A message about `lost` events; `error`: see struct mlpd_damage.  Free it with g_free. */
char *mlpd_loss_message (uint64_t lost, int error);

#endif
