/* dump-by-clock.c -- see dump-by-clock.h.
 *
 * First every log is looked at, one after the other: what is damaged is told, and when its clock
 * began is found.  Then each makes its lines on a thread of its own.
 */
#include "decoder/cli/dump-by-clock.h"
#include "config.h"
#include "decoder/analyses/ghc-clock.h"
#include "decoder/analyses/ghc-order.h"
#include "decoder/analyses/log-selection.h"
#include "decoder/analyses/mlpd-order.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-reading.h"
#include "decoder/cli/tell.h"
#include "decoder/views/dump.h"
#include "decoder/views/ghc-dump.h"
#include "decoder/views/line-merge.h"

/* Lines that are handed over at once. */
#define LINES_BYTES (256 * 1024)

/* One of the logs, while all are open. */
struct dumped {
  struct log_reading r;
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
      struct buffer_choice choice;
      struct dump dump;
    } mono;
    struct {
      struct ghc_chunks chunks;
      struct ghc_choice choice;
      struct ghc_dump dump;
      uint64_t start; /* its time 0 in ns since 1970 */
    } ghc;
  };
};

static struct dump_lines
lines_of (const struct dumped *d)
{
  const struct log_command *c = d->r.command;
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
    log_reading_error (&d->r, error);
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
  log_reading_look_at (&d->r, item, &d->status);
}

static void
look_at_mono (struct dumped *d)
{
  const struct selection *s = &d->r.command->selection;
  const struct mlpd_order_watch watch = { watch_mono, watch_progress, d };
  struct mlpd_order *order = &d->mono.order;
  GError *error = NULL;
  buffer_choice_init (&d->mono.choice, s, NULL);
  dump_init (&d->mono.dump, d->r.command->format, s);
  d->mono.dump.lines = lines_of (d);
  if (s->threads != NULL || selection_has_times (s))
    d->mono.dump.choice = &d->mono.choice;
  if (!mlpd_order_init (order, d->input, &watch, &error))
    fail (d, error);
  else if (order->header.start_ms == 0)
    fail_for (d, "its header does not tell at what time of day it began");
  log_input_rewind (d->input);
  if (d->status == CLI_OK && (selection_needs_thread_names (s) || selection_needs_last_time (s))
      && !log_selection_survey (&d->mono.choice, d->input, &error))
    fail (d, error);
  buffer_choice_begin (&d->mono.choice, order->first_time);
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
  return d->lines->len < LINES_BYTES || line_queue_give (d->queue, d->lines);
}

static void
make_mono (void *data, struct line_queue *queue)
{
  struct dumped *d = data;
  d->queue = queue;
  d->lines = g_string_new (NULL);
  if (mlpd_order_events (&d->mono.order, d->input, put_mono, d))
    line_queue_give (queue, d->lines);
  d->events = d->mono.dump.events;
  g_string_free (d->lines, TRUE);
}

static void
forget_mono (struct dumped *d)
{
  mlpd_order_clear (&d->mono.order);
  buffer_choice_clear (&d->mono.choice);
  dump_clear (&d->mono.dump);
}

/* ---- eventlogs ---- */

static void
watch_ghc (void *data, const struct ghc_item *item)
{
  struct dumped *d = data;
  d->r.has_header |= item->type == GHC_ITEM_HEADER;
  if (item->type == GHC_ITEM_DAMAGE)
    log_reading_damage (&d->r, item->damage->message, item->damage->skipped, &d->status);
}

static void
look_at_ghc (struct dumped *d)
{
  const struct ghc_chunks_watch watch = { watch_ghc, watch_progress, d };
  bool found = false;
  GError *error = NULL;
  if (!ghc_choice_init (&d->ghc.choice, &d->r.command->selection, d->input, &error))
    fail (d, g_steal_pointer (&error));
  if (!ghc_chunks_init (&d->ghc.chunks, d->input, 0, &watch, &error))
    fail (d, g_steal_pointer (&error));
  if (d->status == CLI_OK && !ghc_clock_find (d->input, &found, &d->ghc.start, &error))
    fail (d, error);
  else if (!found)
    fail_for (d, "it does not tell the time of day (no event wall-clock-time)");
  d->ghc.dump = (struct ghc_dump){ .lines = lines_of (d), .choice = &d->ghc.choice };
}

static void
put_ghc (void *data, const struct ghc_item *item, GString *text)
{
  const struct dumped *d = data;
  const uint64_t clock = d->ghc.start + item->time;
  if (!ghc_choice_has (&d->ghc.choice, item))
    return;
  const size_t begun = line_begin (text, clock);
  ghc_dump_event (&d->ghc.dump, item, clock, text);
  line_end (text, begun);
}

static bool
give_ghc (void *data, GString *text)
{
  const struct dumped *d = data;
  return line_queue_give (d->queue, text);
}

static void
make_ghc (void *data, struct line_queue *queue)
{
  struct dumped *d = data;
  const struct ghc_order_sink sink = { put_ghc, give_ghc, d };
  const struct ghc_order_options options
      = { .from = d->ghc.choice.from,
          .to = d->ghc.choice.to != UINT64_MAX ? d->ghc.choice.to - 1 : UINT64_MAX };
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
  ghc_choice_clear (&d->ghc.choice);
}

/* ---- all ---- */

static const struct {
  void (*look_at) (struct dumped *d);
  void (*make) (void *data, struct line_queue *queue);
  void (*forget) (struct dumped *d);
} formats[] = {
  [LOG_FORMAT_MONO] = { look_at_mono, make_mono, forget_mono },
  [LOG_FORMAT_GHC] = { look_at_ghc, make_ghc, forget_ghc },
};

/* Opens a log and looks at it.  If it is not to be dumped, it is closed and freed; NULL then. */
static struct dumped *
open_log (struct log_command *c, const char *path, int *status)
{
  GError *error = NULL;
  const enum log_format format = log_command_look (c, path);
  *status = CLI_INPUT;
  if (format == LOG_FORMAT_NONE || !log_command_can_choose (c, path, format))
    return NULL;
  struct dumped *d = g_new0 (struct dumped, 1);
  d->r = (struct log_reading){ .command = c, .name = path };
  d->path = path;
  d->format = format;
  d->input = log_reading_open (&d->r, path);
  bool truncated;
  if (!log_input_spool (d->input, &error)) {
    log_reading_refuse (&d->r, d->input, error);
    g_free (d);
    return NULL;
  }
  g_free (log_reading_tell (&d->r, d->input, CLI_OK, &truncated)); /* of what was copied */
  log_input_rewind (d->input);
  formats[format].look_at (d);
  *status = d->status;
  g_free (log_reading_tell (&d->r, d->input, d->status, &truncated));
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
  struct line_maker *makers = g_new0 (struct line_maker, n);
  GError *error = NULL;
  for (guint i = 0; i < n; i++)
    makers[i] = (struct line_maker){ .make = formats[logs[i]->format].make, .data = logs[i] };
  int status = CLI_OK;
  if (!write_head (c) || !line_merge (makers, n, write_lines, c, &error))
    status = CLI_INPUT;
  if (error != NULL)
    cli_tell ("proflog dump: %s", error->message);
  g_clear_error (&error);
  for (guint i = 0; i < n; i++)
    if (status == CLI_OK && makers[i].lines == 0 && selection_chooses_events (&c->selection))
      log_command_tell_nothing (c, logs[i]->r.name, logs[i]->events, "events");
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
    formats[d->format].forget (d);
    log_input_close (d->input);
    g_free (d);
  }
  g_ptr_array_free (logs, TRUE);
  return status;
}
