/* show-mono.c -- prints the events of a Mono log in words. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-ordered.h"
#include "decoder/log/log-reads.h"
#include "decoder/show/show.h"
#include "decoder/views/mlpd/mono-show.h"

/* Lines that are written at once. */
#define LINES_BYTES (64 * 1024)

struct shown_log {
  struct log_command *command;
  struct mono_show show;
  GString *text; /* in order of time */
  bool has_time; /* in order of the file: a buffer began */
  uint64_t time; /* the time of the latest event in it */
};

/* The log's name before its first line, where there are several logs. */
static void
begin (struct shown_log *log, struct log_command *command, const char *path, GString *text)
{
  struct dump_lines lines
      = { .format = EMITTER_TEXT, .log_name = command->logs[1] != NULL ? path : NULL };
  log->command = command;
  dump_lines_head (&lines, "", text);
}

static void
apply_filter (struct shown_log *log, const struct buffer_filter *filter)
{
  const struct selection *s = &log->command->selection;
  if (s->threads != NULL || selection_has_times (s))
    log->show.dump.filter = filter;
}

static void
end (struct shown_log *log, const char *path, int status)
{
  const struct dump *d = &log->show.dump;
  if (status == CLI_OK && d->taken == 0 && selection_chooses_events (&log->command->selection))
    log_command_warn_empty_selection (log->command, path, d->events, "events");
  mono_show_clear (&log->show);
}

/* ---- in order of time ---- */

static bool
put_event (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct shown_log *log = data;
  mono_show_event (&log->show, item, time, log->text);
  if (log->text->len < LINES_BYTES)
    return true;
  const bool good = output_write (&log->command->output, log->text);
  g_string_truncate (log->text, 0);
  return good;
}

static int
show_by_time (struct log_command *c, const char *path)
{
  struct shown_log log = { .text = g_string_new (NULL) };
  int status;
  struct ordered_log *ordered = ordered_log_open (c, path, true, &status);
  if (ordered != NULL) {
    mono_show_init (&log.show, &c->selection, ordered->mono.names);
    begin (&log, c, path, log.text);
    apply_filter (&log, &ordered->mono.filter);
    log.show.dump.first_time = ordered->mono.order.first_time;
    if (!mlpd_order_events (&ordered->mono.order, ordered->input, put_event, &log)
        || !output_write (&c->output, log.text))
      status = CLI_INPUT;
    end (&log, path, status);
    ordered_log_close (ordered);
  }
  g_string_free (log.text, TRUE);
  return status;
}

/* ---- in order of the file ---- */

static void
put_item (void *data, const struct mlpd_item *item, GString *text)
{
  struct shown_log *log = data;
  struct dump *d = &log->show.dump;
  if (item->type == MLPD_ITEM_BUFFER) {
    log->time = item->buffer->time_base;
    if (!log->has_time)
      d->first_time = log->time;
    log->has_time = true;
  } else if (item->type == MLPD_ITEM_EVENT) {
    mlpd_event_time (item->kind, item->payload, &log->time);
    mono_show_event (&log->show, item, log->time, text);
  }
}

static int
show_by_file (struct log_command *c, const char *path)
{
  static const struct log_handler handler = { .item = put_item };
  struct shown_log log = { .has_time = false };
  GString *head = g_string_new (NULL);
  mono_show_init (&log.show, &c->selection, NULL);
  begin (&log, c, path, head);
  apply_filter (&log, &c->filter);
  int status = output_write (&c->output, head) ? CLI_OK : CLI_INPUT;
  g_string_free (head, TRUE);
  if (status == CLI_OK)
    status = log_command_read (c, path, &handler, &log);
  end (&log, path, status);
  return status;
}

int
show_mono (struct log_command *c, const char *path, enum log_order order)
{
  return order == LOG_ORDER_FILE ? show_by_file (c, path) : show_by_time (c, path);
}
