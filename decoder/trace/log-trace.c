/* log-trace.c -- one log after the other into a trace, on a common clock. */
#include "config.h"

#include "decoder/trace/log-trace.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-clock.h"
#include "decoder/log/log-join.h"
#include "decoder/log/log-summary.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/query/waits.h"
#include "decoder/command/message.h"
#include "decoder/trace/log-trace-private.h"
#include <string.h>

/* When a log begins, in ns since 1970. */
static uint64_t
first_clock (const struct ordered_log *log)
{
  return log_clock_of (log, log_clock_first (log));
}

/* ---- all logs ---- */

static char *
name_of_process (const char *path)
{
  return strcmp (path, "-") == 0 ? g_strdup ("standard input") : g_path_get_basename (path);
}

static void
write_log (struct ordered_log *log, const struct log_trace_known *known, struct trace *trace,
           uint64_t zero)
{
  struct log_command *c = log->r.command;
  g_autofree char *name
      = trace->format->has_paths ? g_strdup (log->path) : name_of_process (log->path);
  trace->clock_error_ns = log_clock_error (log);
  const struct log_trace t = { .log = log,
                               .trace = trace,
                               .name = name,
                               .zero = zero,
                               .idle = known->idle,
                               .summary = known->names,
                               .threads = known->threads };
  ordered_log_begin (log);
  const uint64_t selected = log->kind == &log_kind_ghc ? trace_eventlog (&t) : trace_mono (&t);
  progress_end (&c->progress);
  if (selected == 0 && selection_chooses_events (&c->selection))
    log_command_warn_empty_selection (c, log->path, log->count, log->lack);
}

/* Of a log of Mono, if the format needs it: which samples of the wall clock are idle, and names of
 * native functions. */
struct facts {
  struct summary summary;
  struct log_trace_known known;
  bool has_summary;
};

/* Reads the log once more.  A pipe cannot be.  Returns the exit status. */
static int
find_facts (const struct ordered_log *log, const struct trace_format *format, struct facts *facts)
{
  static const struct scan_options options = { .depth = 0 };
  struct log_command *c = log->r.command;
  const bool was_quiet = c->quiet;
  facts->known = (struct log_trace_known){ .idle = NULL };
  facts->has_summary = false;
  if (log->kind != &log_kind_mono
      || !((format->needs_idle && log->mono.order.has_usage) || format->has_natives)
      || !log_join_is_file (c->joined, log->path))
    return CLI_OK;
  c->quiet = true; /* damage was reported */
  const int status = log_command_read_summary (c, log->path, &options, NULL, &facts->summary);
  c->quiet = was_quiet;
  facts->has_summary = true;
  if (!facts->summary.log.has_header)
    return status;
  if (SUMMARY_STATE (&facts->summary, samples)->wait_ns != 0)
    facts->known.idle = waits_idle_new (&facts->summary);
  facts->known.names = &facts->summary;
  return status;
}

static void
clear_facts (struct facts *facts)
{
  waits_idle_free (facts->known.idle);
  if (facts->has_summary)
    summary_clear (&facts->summary);
}

static void
report_short (const struct log_command *c, const struct trace *trace)
{
  g_autofree char *text = trace_short_text (trace);
  if (text != NULL && !c->quiet)
    cli_message ("proflog %s: %s", c->name, text);
}

/* Returns the exit status of the other logs. */
static int
write_logs (GPtrArray *logs, const struct trace_format *format, void *data, uint64_t min_ns,
            struct export_out *out)
{
  struct trace trace;
  uint64_t first = UINT64_MAX;
  int status = CLI_OK;
  for (guint i = 0; logs->len > 1 && i < logs->len; i++)
    first = MIN (first, first_clock (g_ptr_array_index (logs, i)));
  trace_begin (&trace, format, out);
  if (data != NULL) /* else the format may have its own */
    trace.data = data;
  trace.min_ns = min_ns;
  const struct ordered_log *only = g_ptr_array_index (logs, 0);
  trace.start_ns = logs->len > 1 ? first : first_clock (only);
  trace.range_ns
      = logs->len > 1 ? 0 : only->range_ns - MIN (only->range_ns, log_clock_first (only));
  for (guint i = 0; i < logs->len && !out->failed; i++) {
    struct ordered_log *log = g_ptr_array_index (logs, i);
    struct facts facts;
    const int read = find_facts (log, format, &facts);
    status = MAX (status, read);
    write_log (log, &facts.known, &trace,
               log_clock_first (log) - (logs->len > 1 ? first_clock (log) - first : 0));
    clear_facts (&facts);
  }
  trace_end (&trace);
  report_short (only->r.command, &trace);
  return status;
}

/* Those of the command's logs that can be read (transfer full). */
static GPtrArray *
open_logs (struct log_command *c, int *status)
{
  GPtrArray *logs = g_ptr_array_new_with_free_func ((GDestroyNotify) ordered_log_close);
  *status = CLI_OK;
  for (char **path = c->logs; *path != NULL; path++) {
    int this_status;
    struct ordered_log *log = ordered_log_open (c, *path, true, &this_status);
    if (log != NULL && c->logs[1] != NULL && !log->has_clock && log_axis_needs_clocks (&c->axis)) {
      ordered_log_refuse (log, "it has no time of day, which several logs in one trace need");
      this_status = log->status;
      ordered_log_close (log);
    } else if (log != NULL) {
      g_ptr_array_add (logs, log);
    }
    *status = MAX (*status, this_status);
  }
  log_clock_place (c, logs);
  return logs;
}

int
log_trace_read_all (struct log_command *c, const struct trace_format *format, void *data)
{
  struct export_out out = { .bytes = g_string_new (NULL) };
  int status, read = CLI_OK;
  GPtrArray *logs = open_logs (c, &status);
  if (logs->len != 0)
    read = write_logs (logs, format, data, 0, &out);
  g_ptr_array_unref (logs);
  g_string_free (out.bytes, TRUE);
  return MAX (status, read);
}

int
log_trace_write (struct log_command *c, const struct trace_format *format, struct export_out *out,
                 uint64_t *zero)
{
  int status;
  log_range_place (c);
  GPtrArray *logs = open_logs (c, &status);
  struct log_input *input = NULL;
  if (logs->len != 0) {
    const int read = write_logs (logs, format, NULL, c->selection.min_ns, out);
    status = MAX (status, read);
  }
  if (logs->len == 1 && zero != NULL) {
    struct ordered_log *log = g_ptr_array_index (logs, 0);
    *zero = log_clock_first (log);
    if (log->kind == &log_kind_mono)
      input = ordered_log_steal_input (log);
  }
  g_ptr_array_unref (logs);
  c->input = input;
  if (out->error != NULL)
    cli_message ("proflog %s: %s", c->name, out->error->message);
  g_clear_error (&out->error);
  return out->failed ? CLI_INPUT : status;
}

int
log_trace_read (struct log_command *c, const char *path, const struct log_trace_known *known,
                const struct trace_format *format, void *data, uint64_t zero)
{
  const bool was_quiet = c->quiet;
  int status;
  c->quiet = true;
  struct ordered_log *log
      = known->mono != NULL  ? ordered_log_open_known (c, path, known->mono, true, &status)
        : known->map != NULL ? ordered_log_open_map (c, path, known->map, &status)
                             : ordered_log_open (c, path, true, &status);
  if (log != NULL) {
    struct export_out out = { .bytes = g_string_new (NULL) };
    struct trace trace;
    trace_begin (&trace, format, &out);
    trace.data = data;
    write_log (log, known, &trace, zero);
    trace_end (&trace);
    g_string_free (out.bytes, TRUE);
    ordered_log_close (log);
  }
  c->quiet = was_quiet;
  return status;
}
