/* log-range.c -- finds when each log begins, before events of any are selected. */
#include "config.h"

#include "decoder/log/log-range.h"
#include "decoder/log/log-clock.h"
#include "decoder/log/log-join.h"
#include "decoder/command/message.h"

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

/* Those that can be read (transfer full); what is wrong with others is reported later. */
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

/* What times of a range count from: Mono's first buffer need not be the earliest. */
static uint64_t
clock_of_range (const struct ordered_log *log)
{
  return log_clock_of (log, log->format == LOG_FORMAT_MONO ? log->mono.order.first_time : 0);
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
    const uint64_t begin = clock_of_range (log) - start;
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
