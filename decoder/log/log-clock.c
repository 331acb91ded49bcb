/* log-clock.c -- the shift of each log of a command, found before events of any are selected. */
#include "config.h"

#include "decoder/log/log-clock.h"
#include "decoder/command/message.h"
#include "decoder/log/log-join.h"

uint64_t
log_clock_first (const struct ordered_log *log)
{
  return log->first_ns;
}

/* As the log states it; 0 if it does not. */
static uint64_t
time_of_day (const struct ordered_log *log, uint64_t time)
{
  return log->has_clock ? log->clock_ns + time : time - log_clock_first (log);
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

int64_t
log_clock_error (const struct ordered_log *log)
{
  return log->has_clock ? log->error_ns : -1;
}

/* ---- a range of times ---- */

/* Why a range cannot be one on the axis, as far as that is known without the logs; NULL: it can. */
static const char *
problem_of (const struct log_command *c)
{
  if (selection_needs_last_time (&c->selection) || selection_has_marks (&c->selection))
    return "percentages and marks are of each log";
  for (char **log = c->logs; *log != NULL; log++)
    if (!log_join_is_file (c->joined, *log))
      return "one is no file that can be read twice";
  return NULL;
}

/* Those that can be read (transfer full); the errors of others are reported later. */
static GPtrArray *
open_logs (struct log_command *c)
{
  GPtrArray *logs = g_ptr_array_new_with_free_func ((GDestroyNotify) ordered_log_close);
  int status;
  for (char **path = c->logs; *path != NULL; path++) {
    struct ordered_log *log = ordered_log_open (c, *path, false, &status);
    if (log != NULL)
      g_ptr_array_add (logs, log);
  }
  return logs;
}

static bool
have_clocks (const struct log_command *c, const GPtrArray *logs)
{
  bool have = true;
  for (guint i = 0; i < logs->len && log_axis_needs_clocks (&c->axis); i++)
    have &= ((const struct ordered_log *) g_ptr_array_index (logs, i))->has_clock;
  return have;
}

static void
note_begins (struct log_command *c, GPtrArray *logs)
{
  uint64_t start = UINT64_MAX;
  log_clock_place (c, logs);
  for (guint i = 0; i < logs->len; i++) {
    const struct ordered_log *log = g_ptr_array_index (logs, i);
    start = MIN (start, log_clock_of (log, log_clock_first (log)));
  }
  c->ranges = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; i < logs->len; i++) {
    const struct ordered_log *log = g_ptr_array_index (logs, i);
    const uint64_t begin = log_clock_of (log, log->range_ns) - start;
    g_hash_table_insert (c->ranges, (gpointer) log->path, g_memdup2 (&begin, sizeof begin));
  }
}

void
log_range_place (struct log_command *c)
{
  if (c->logs[1] == NULL || !selection_has_times (&c->selection))
    return;
  const char *problem = problem_of (c);
  if (problem == NULL) {
    const bool was_quiet = c->quiet;
    c->quiet = true;
    cli_mute (true);
    GPtrArray *logs = open_logs (c);
    if (have_clocks (c, logs))
      note_begins (c, logs);
    else
      problem = "one has no time of day (--align start needs none)";
    g_ptr_array_unref (logs);
    cli_mute (false);
    c->quiet = was_quiet;
  }
  if (problem != NULL && !c->quiet)
    cli_message ("proflog %s: --time-range counts from the beginning of each log: %s", c->name,
                 problem);
}
