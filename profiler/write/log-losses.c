/* log-losses.c -- counts and records events that are not in the log. */
#include "config.h"

#include "profiler/record/recorder.h"
#include "profiler/write/log-contents.h"
#include "profiler/write/log-file.h"

static uint64_t recorded; /* lost events, up to now, that the log has recorded */
static bool rest_is_left; /* at the end: in the spool */

void
log_put_losses (int reason, uint64_t time)
{
  struct recorder_losses losses;
  recorder_get_losses (&losses);
  const uint64_t lost = recorder_lost_events (&losses) - recorded;
  if (log_current.error != 0 || (lost == 0 && (reason == 0 || rest_is_left)))
    return;
  log_format->put_losses (&log_current, lost, reason, time);
  if (log_current.error != 0)
    return;
  recorded += lost;
  spool_subtract_lost (lost);
}

void
log_count_loss (const struct buffer *b, size_t length)
{
  struct mlpd_buffer_header rest;
  uint64_t events;
  buffer_count (b, length, &events, &rest);
  recorder_add_unwritten (b->owner, events, length - buffer_flushed (b));
}

void
log_abandon_buffer (const struct buffer *b, size_t length)
{
  if (length == buffer_flushed (b))
    return;
  if (b->slot.number != 0 && spool_path () != NULL && sink_file (log_current.sink) != NULL)
    rest_is_left = true;
  else
    log_count_loss (b, length);
}

void
log_leave_rest (void)
{
  rest_is_left = true;
}

bool
log_rest_is_left (void)
{
  return rest_is_left;
}

void
log_losses_start_over (void)
{
  recorded = 0;
  rest_is_left = false;
}
