/* dump-merged.c -- merges the events of several logs by time of day.
 *
 * First every log is inspected, one after the other: damage is reported, and when its clock
 * began is found.  Then each makes its lines on a thread of its own.
 */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-clock.h"
#include "decoder/log/log-ordered.h"
#include "decoder/command/message.h"
#include "decoder/show/show.h"
#include "decoder/views/mlpd/dump.h"
#include "decoder/views/ghc/ghc-dump.h"
#include "decoder/output/line-merge.h"

/* Lines that are handed over at once. */
#define LINES_BYTES (256 * 1024)

/* One of the logs, while all are open. */
struct dumped {
  struct ordered_log *log;
  uint64_t events;
  GString *lines;                                        /* of Mono logs */
  void (*make) (void *dumped, struct line_queue *queue); /* its lines */
  struct line_queue *queue;
  struct dump mono;
  struct ghc_dump ghc;
};

static struct dump_lines
lines_of (const struct ordered_log *log)
{
  struct log_command *c = log->r.command;
  return (struct dump_lines){ .format = c->format,
                              .log_name = c->logs[1] != NULL ? log->path : NULL,
                              .by_clock = true,
                              .begun = true };
}

/* ---- logs of Mono ---- */

static bool
put_mono (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct dumped *d = data;
  const uint64_t clock = log_clock_of (d->log, time);
  const size_t begun = line_begin (d->lines, clock);
  dump_event (&d->mono, item, time, clock, d->lines);
  line_end (d->lines, begun);
  return d->lines->len < LINES_BYTES || line_queue_push (d->queue, d->lines);
}

static void
make_mono (void *data, struct line_queue *queue)
{
  struct dumped *d = data;
  d->queue = queue;
  d->lines = g_string_new (NULL);
  if (mlpd_order_events (&d->log->mono.order, d->log->input, put_mono, d))
    line_queue_push (queue, d->lines);
  d->events = d->mono.events;
  g_string_free (d->lines, TRUE);
}

static void
begin_mono (struct dumped *d)
{
  const struct selection *s = &d->log->r.command->selection;
  dump_init (&d->mono, d->log->r.command->format, s);
  d->mono.lines = lines_of (d->log);
  if (s->threads != NULL || selection_has_times (s))
    d->mono.filter = &d->log->mono.filter;
  d->mono.first_time = d->log->mono.order.first_time;
}

/* ---- eventlogs ---- */

static void
put_ghc (void *data, const struct ghc_item *item, GString *text)
{
  const struct dumped *d = data;
  const uint64_t clock = log_clock_of (d->log, item->time);
  if (!ghc_filter_has (&d->log->ghc.filter, item))
    return;
  const size_t begun = line_begin (text, clock);
  ghc_dump_event (&d->ghc, item, clock, text);
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
  struct ordered_log *log = d->log;
  const struct ghc_order_sink sink = { .item = put_ghc, .write = push_ghc_lines, .data = d };
  const struct ghc_order_options options
      = { .from = log->ghc.filter.from,
          .to = log->ghc.filter.to != UINT64_MAX ? MAX (log->ghc.filter.to, 1) - 1 : UINT64_MAX };
  d->queue = queue;
  for (guint i = 0; i < log->ghc.map.chunks.parts->len; i++) {
    const struct ghc_part *part = &g_array_index (log->ghc.map.chunks.parts, struct ghc_part, i);
    d->events += part->events;
    if (!ghc_order_events (&log->ghc.map.chunks, part, log->input, &options, &sink))
      return;
  }
}

/* ---- all ---- */

/* Opens a log; NULL if it is not to be dumped. */
static struct dumped *
open_log (struct log_command *c, const char *path, int *status)
{
  struct ordered_log *log = ordered_log_open (c, path, false, status);
  if (log == NULL)
    return NULL;
  if (!log->has_clock && log_axis_needs_clocks (&c->axis)) {
    ordered_log_refuse (log, log->no_clock);
    *status = log->status;
    ordered_log_close (log);
    return NULL;
  }
  struct dumped *d = g_new0 (struct dumped, 1);
  d->log = log;
  if (log->kind == &log_kind_mono) {
    begin_mono (d);
    d->make = make_mono;
  } else {
    d->ghc = (struct ghc_dump){ .lines = lines_of (log), .filter = &log->ghc.filter };
    d->make = make_ghc;
  }
  return d;
}

static void
close_log (struct dumped *d)
{
  if (d->make == make_mono)
    dump_clear (&d->mono);
  ordered_log_close (d->log);
  g_free (d);
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
    makers[i] = (struct line_source){ .make = logs[i]->make, .data = logs[i] };
  int status = CLI_OK;
  if (!write_head (c) || !line_merge (makers, n, write_lines, c, &error))
    status = CLI_INPUT;
  if (error != NULL)
    cli_message ("proflog dump: %s", error->message);
  g_clear_error (&error);
  for (guint i = 0; i < n; i++)
    if (status == CLI_OK && makers[i].lines == 0 && selection_chooses_events (&c->selection))
      log_command_warn_empty_selection (c, logs[i]->log->path, logs[i]->events, "events");
  g_free (makers);
  return status;
}

static void
place_logs (const struct log_command *c, const GPtrArray *dumped)
{
  g_autoptr (GPtrArray) logs = g_ptr_array_new ();
  for (guint i = 0; i < dumped->len; i++)
    g_ptr_array_add (logs, ((const struct dumped *) g_ptr_array_index (dumped, i))->log);
  log_clock_place (c, logs);
}

int
dump_by_clock (struct log_command *c)
{
  GPtrArray *logs = g_ptr_array_new ();
  int status = CLI_OK;
  log_range_place (c);
  for (char **path = c->logs; *path != NULL; path++) {
    int this_status;
    struct dumped *d = open_log (c, *path, &this_status);
    if (d != NULL)
      g_ptr_array_add (logs, d);
    status = MAX (status, this_status);
  }
  place_logs (c, logs);
  if (logs->len != 0) {
    const int this_status = merge (c, (struct dumped **) logs->pdata, logs->len);
    status = MAX (status, this_status);
  }
  for (guint i = 0; i < logs->len; i++)
    close_log (g_ptr_array_index (logs, i));
  g_ptr_array_free (logs, TRUE);
  return status;
}
