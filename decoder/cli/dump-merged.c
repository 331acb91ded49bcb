/* dump-merged.c -- merges the events of several logs by time of day.
 *
 * First every log is inspected, one after the other: damage is reported, and when its clock
 * began is found.  Then each makes its lines on a thread of its own.
 */
#include "config.h"

#include "decoder/cli/dump-merged.h"
#include "decoder/ghc/index/ghc-clock.h"
#include "decoder/ghc/index/ghc-order.h"
#include "decoder/mlpd/query/select.h"
#include "decoder/mlpd/query/time-order.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-open.h"
#include "decoder/cli/message.h"
#include "decoder/views/mlpd/dump.h"
#include "decoder/views/ghc/ghc-dump.h"
#include "decoder/output/line-merge.h"

/* Lines that are handed over at once. */
#define LINES_BYTES (256 * 1024)

/* One of the logs, while all are open. */
struct dumped {
  struct log_read_context r;
  const char *path;
  struct log_input *input;
  enum log_format format;
  int status;
  uint64_t events;
  GString *lines; /* of Mono logs */
  struct line_queue *queue;
  union {
    struct {
      struct mlpd_order order;
      struct buffer_filter filter;
      struct dump dump;
    } mono;
    struct {
      struct ghc_chunks chunks;
      struct ghc_filter filter;
      struct ghc_dump dump;
      uint64_t start; /* its time 0 in ns since 1970 */
    } ghc;
  };
};

static struct dump_lines
lines_of (const struct dumped *d)
{
  struct log_command *c = d->r.command;
  return (struct dump_lines){ .format = c->format,
                              .log_name = c->logs[1] != NULL ? d->path : NULL,
                              .by_clock = true,
                              .begun = true };
}

static void
watch_progress (void *data, uint64_t bytes)
{
  struct dumped *d = data;
  progress_update (&d->r.command->progress, bytes);
}

static void
fail (struct dumped *d, GError *error)
{
  if (d->status == CLI_OK)
    log_read_context_error (&d->r, error);
  d->status = CLI_INPUT;
  g_error_free (error);
}

static void
fail_for (struct dumped *d, const char *why)
{
  if (d->status == CLI_OK)
    fail (d, g_error_new_literal (PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_NOT_A_LOG, why));
}

/* ---- logs of Mono ---- */

static void
watch_mono (void *data, const struct mlpd_item *item)
{
  struct dumped *d = data;
  log_read_context_handle_item (&d->r, item, &d->status);
}

static void
open_mono (struct dumped *d)
{
  const struct selection *s = &d->r.command->selection;
  const struct mlpd_order_watch watch = { watch_mono, watch_progress, d };
  struct mlpd_order *order = &d->mono.order;
  GError *error = NULL;
  buffer_filter_init (&d->mono.filter, s, NULL);
  dump_init (&d->mono.dump, d->r.command->format, s);
  d->mono.dump.lines = lines_of (d);
  if (s->threads != NULL || selection_has_times (s))
    d->mono.dump.filter = &d->mono.filter;
  if (!mlpd_order_init (order, d->input, &watch, &error))
    fail (d, error);
  else if (order->header.start_ms == 0)
    fail_for (d, "its header has no time of day");
  log_input_rewind (d->input);
  if (d->status == CLI_OK && selection_needs_survey (s)
      && !log_selection_survey (&d->mono.filter, d->input, &error))
    fail (d, error);
  buffer_filter_begin (&d->mono.filter, order->first_time);
  d->mono.dump.first_time = order->first_time;
}

static bool
put_mono (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct dumped *d = data;
  const uint64_t clock = mlpd_order_clock (&d->mono.order, time);
  const size_t begun = line_begin (d->lines, clock);
  dump_event (&d->mono.dump, item, time, clock, d->lines);
  line_end (d->lines, begun);
  return d->lines->len < LINES_BYTES || line_queue_push (d->queue, d->lines);
}

static void
make_mono (void *data, struct line_queue *queue)
{
  struct dumped *d = data;
  d->queue = queue;
  d->lines = g_string_new (NULL);
  if (mlpd_order_events (&d->mono.order, d->input, put_mono, d))
    line_queue_push (queue, d->lines);
  d->events = d->mono.dump.events;
  g_string_free (d->lines, TRUE);
}

static void
forget_mono (struct dumped *d)
{
  mlpd_order_clear (&d->mono.order);
  buffer_filter_clear (&d->mono.filter);
  dump_clear (&d->mono.dump);
}

/* ---- eventlogs ---- */

static void
watch_ghc (void *data, const struct ghc_item *item)
{
  struct dumped *d = data;
  log_read_context_handle_ghc_item (&d->r, item, &d->status);
}

static void
open_ghc (struct dumped *d)
{
  const struct ghc_chunks_watch watch = { watch_ghc, watch_progress, d };
  bool found = false;
  GError *error = NULL;
  if (!ghc_filter_init (&d->ghc.filter, &d->r.command->selection, d->input, &error))
    fail (d, g_steal_pointer (&error));
  if (!ghc_chunks_init (&d->ghc.chunks, d->input, 0, &watch, &error))
    fail (d, g_steal_pointer (&error));
  if (d->status == CLI_OK && !ghc_clock_find (d->input, &found, &d->ghc.start, &error))
    fail (d, error);
  else if (!found)
    fail_for (d, "it has no time of day (no event wall-clock-time)");
  d->ghc.dump = (struct ghc_dump){ .lines = lines_of (d), .filter = &d->ghc.filter };
}

static void
put_ghc (void *data, const struct ghc_item *item, GString *text)
{
  const struct dumped *d = data;
  const uint64_t clock = d->ghc.start + item->time;
  if (!ghc_filter_has (&d->ghc.filter, item))
    return;
  const size_t begun = line_begin (text, clock);
  ghc_dump_event (&d->ghc.dump, item, clock, text);
  line_end (text, begun);
}

static bool
push_ghc_lines (void *data, GString *text)
{
  const struct dumped *d = data;
  return line_queue_push (d->queue, text);
}

static void
make_ghc (void *data, struct line_queue *queue)
{
  struct dumped *d = data;
  const struct ghc_order_sink sink = { put_ghc, push_ghc_lines, d };
  const struct ghc_order_options options
      = { .from = d->ghc.filter.from,
          .to = d->ghc.filter.to != UINT64_MAX ? d->ghc.filter.to - 1 : UINT64_MAX };
  d->queue = queue;
  for (guint i = 0; i < d->ghc.chunks.parts->len; i++) {
    const struct ghc_part *part = &g_array_index (d->ghc.chunks.parts, struct ghc_part, i);
    d->events += part->events;
    if (!ghc_order_events (&d->ghc.chunks, part, d->input, &options, &sink))
      return;
  }
}

static void
forget_ghc (struct dumped *d)
{
  ghc_chunks_clear (&d->ghc.chunks);
  ghc_filter_clear (&d->ghc.filter);
}

/* ---- all ---- */

static const struct {
  void (*look_at) (struct dumped *d);
  void (*make) (void *data, struct line_queue *queue);
  void (*forget) (struct dumped *d);
} formats[] = {
  [LOG_FORMAT_MONO] = { open_mono, make_mono, forget_mono },
  [LOG_FORMAT_GHC] = { open_ghc, make_ghc, forget_ghc },
};

/* Opens a log and inspects it.  If it is not to be dumped, it is closed and freed; NULL then. */
static struct dumped *
open_log (struct log_command *c, const char *path, int *status)
{
  GError *error = NULL;
  const enum log_format format = log_command_detect_format (c, path);
  *status = CLI_INPUT;
  if (format == LOG_FORMAT_NONE || !log_command_can_select (c, path, format))
    return NULL;
  struct dumped *d = g_new0 (struct dumped, 1);
  d->r = (struct log_read_context){ .command = c, .name = path };
  d->path = path;
  d->format = format;
  d->input = log_read_context_open (&d->r, path);
  bool truncated;
  if (!log_input_make_seekable (d->input, &error)) {
    log_read_context_refuse (&d->r, d->input, error);
    g_free (d);
    return NULL;
  }
  g_free (log_read_context_report (&d->r, d->input, CLI_OK, &truncated)); /* of what was copied */
  log_input_rewind (d->input);
  formats[format].look_at (d);
  *status = d->status;
  g_free (log_read_context_report (&d->r, d->input, d->status, &truncated));
  if (d->status == CLI_OK)
    return d;
  formats[format].forget (d);
  log_input_close (d->input);
  g_free (d);
  return NULL;
}

static bool
write_lines (void *data, GString *text)
{
  struct log_command *c = data;
  const bool good = output_write (&c->output, text);
  g_string_truncate (text, 0);
  return good;
}

static bool
write_head (struct log_command *c)
{
  GString *head = g_string_new (NULL);
  if (c->format == EMITTER_CSV)
    dump_lines_head_by_clock (c->logs[1] != NULL, head);
  const bool good = write_lines (c, head);
  g_string_free (head, TRUE);
  return good;
}

static int
merge (struct log_command *c, struct dumped **logs, guint n)
{
  struct line_source *makers = g_new0 (struct line_source, n);
  GError *error = NULL;
  for (guint i = 0; i < n; i++)
    makers[i] = (struct line_source){ .make = formats[logs[i]->format].make, .data = logs[i] };
  int status = CLI_OK;
  if (!write_head (c) || !line_merge (makers, n, write_lines, c, &error))
    status = CLI_INPUT;
  if (error != NULL)
    cli_message ("proflog dump: %s", error->message);
  g_clear_error (&error);
  for (guint i = 0; i < n; i++)
    if (status == CLI_OK && makers[i].lines == 0 && selection_chooses_events (&c->selection))
      log_command_warn_empty_selection (c, logs[i]->r.name, logs[i]->events, "events");
  g_free (makers);
  return status;
}

int
dump_by_clock (struct log_command *c)
{
  GPtrArray *logs = g_ptr_array_new ();
  int status = CLI_OK;
  for (char **path = c->logs; *path != NULL; path++) {
    int this_status;
    struct dumped *d = open_log (c, *path, &this_status);
    if (d != NULL)
      g_ptr_array_add (logs, d);
    status = MAX (status, this_status);
  }
  if (logs->len != 0) {
    const int this_status = merge (c, (struct dumped **) logs->pdata, logs->len);
    status = MAX (status, this_status);
  }
  for (guint i = 0; i < logs->len; i++) {
    struct dumped *d = g_ptr_array_index (logs, i);
    bool truncated;
    g_free (log_read_context_report (&d->r, d->input, CLI_OK, &truncated));
    formats[d->format].forget (d);
    log_input_close (d->input);
    g_free (d);
  }
  g_ptr_array_free (logs, TRUE);
  return status;
}
