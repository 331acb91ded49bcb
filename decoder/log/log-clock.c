/* log-clock.c -- the shift of each log of a command. */
#include "config.h"

#include "decoder/log/log-clock.h"
#include "decoder/mlpd/analyses/log.h"

#define NS_PER_US 1000
#define NS_PER_MS 1000000

uint64_t
log_clock_first (const struct ordered_log *log)
{
  return log->format == LOG_FORMAT_GHC ? 0 : log->mono.order.earliest;
}

/* As the log states it; 0 if it does not. */
static uint64_t
time_of_day (const struct ordered_log *log, uint64_t time)
{
  if (!log->has_clock)
    return time - log_clock_first (log);
  return log->format == LOG_FORMAT_GHC ? log->ghc.start.clock + time
                                       : mlpd_order_clock (&log->mono.order, time);
}

uint64_t
log_clock_of (const struct ordered_log *log, uint64_t time)
{
  return time_of_day (log, time) + (uint64_t) log->shift_ns;
}

/* The start of the first log that has a time of day; 0: none has. */
static uint64_t
common_start (GPtrArray *logs)
{
  for (guint i = 0; i < logs->len; i++) {
    const struct ordered_log *log = g_ptr_array_index (logs, i);
    if (log->has_clock)
      return time_of_day (log, log_clock_first (log));
  }
  return 0;
}

void
log_clock_place (const struct log_command *c, GPtrArray *logs)
{
  const struct log_axis *axis = &c->axis;
  const uint64_t start = common_start (logs);
  uint64_t before = 0; /* by how much a log begins before the time 0 of the axis */
  for (guint i = 0; i < logs->len; i++) {
    struct ordered_log *log = g_ptr_array_index (logs, i);
    const uint64_t own = time_of_day (log, log_clock_first (log));
    const int64_t offset = log_axis_offset (axis, c->joined, log->path);
    log->shift_ns = offset + (axis->align == LOG_ALIGN_START ? (int64_t) (start - own) : 0);
    const uint64_t placed = axis->align == LOG_ALIGN_START ? start : own;
    if (offset < 0 && placed < -(uint64_t) offset)
      before = MAX (before, -(uint64_t) offset - placed);
  }
  for (guint i = 0; before != 0 && i < logs->len; i++) {
    struct ordered_log *log = g_ptr_array_index (logs, i);
    log->shift_ns += (int64_t) before;
  }
}

/* Runtimes of GHC read us.  Headers of Mono logs have ms; those of old ones do not state the start
 * on the log's clock besides. */
int64_t
log_clock_error (const struct ordered_log *log)
{
  if (!log->has_clock)
    return -1;
  if (log->format == LOG_FORMAT_GHC)
    return NS_PER_US;
  return log->mono.order.header.major >= LOG_MAJOR_WITH_START_NS ? NS_PER_MS : -1;
}
