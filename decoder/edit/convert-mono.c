/* convert-mono.c -- reads a Mono log twice: for its classes, and to convert it. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/edit/edit.h"
#include "decoder/log/log-ordered.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/convert/convert-to-ghc.h"
#include "decoder/convert/convert-version.h"
#include "decoder/input/log-file.h"
#include "decoder/log/log-reads.h"
#include <errno.h>

/* ---- another data version ---- */

struct version_job {
  struct convert_version convert;
  GError *error;
};

static void
handle_item (void *data, const struct mlpd_item *item, GString *out)
{
  struct version_job *job = data;
  if (job->error == NULL && convert_version_item (&job->convert, item, &job->error))
    write_command_take_mono (job->convert.writer, out);
}

static int
convert_again (struct log_command *c, struct ordered_log *log, struct version_job *job)
{
  static const struct log_handler handler = { .item = handle_item };
  const bool reports_damage = c->reports_damage;
  job->convert.first_time = log->mono.order.first_time;
  job->convert.earliest = log->mono.order.earliest;
  c->input = ordered_log_steal_input (log);
  c->reports_damage = true;
  int status = log_command_read (c, c->logs[0], &handler, job);
  c->reports_damage = reports_damage;
  if (status == CLI_OK && job->error == NULL)
    convert_version_end (&job->convert);
  if (job->error != NULL) {
    cli_message ("proflog convert: %s: %s", c->logs[0], job->error->message);
    status = CLI_INPUT;
  } else if (status == CLI_OK) {
    status = write_command_rest_mono (c, job->convert.writer) ? CLI_OK : CLI_INPUT;
  }
  return status;
}

int
convert_mono_version (struct log_command *c, unsigned version)
{
  int status;
  struct version_job job = { .error = NULL };
  struct ordered_log *log = ordered_log_open (c, c->logs[0], true, &status);
  char *target = g_strdup_printf ("data version %u", version);
  if (log != NULL) {
    convert_version_init (&job.convert, version, log->mono.names);
    status = convert_again (c, log, &job);
    if (status == CLI_OK)
      write_command_report_losses (c, c->logs[0], target, &job.convert.losses);
    convert_version_clear (&job.convert);
    g_clear_error (&job.error);
    ordered_log_close (log);
  }
  g_free (target);
  return status;
}

/* ---- an eventlog ---- */

enum { WRITE_AT = 1 << 20 };

struct eventlog_job {
  struct log_command *command;
  int fd; /* of a file that is written; -1: the command's output */
  struct convert_to_ghc convert;
  bool failed; /* to write; that was reported */
};

static bool
write_to_file (const struct eventlog_job *job, const GString *out)
{
  if (log_file_write (job->fd, (const uint8_t *) out->str, out->len))
    return true;
  cli_message ("proflog %s: cannot write a temporary file: %s", job->command->name,
               g_strerror (errno));
  return false;
}

static bool
write_some (struct eventlog_job *job, size_t least)
{
  GString *out = job->convert.caps.out;
  if (out->len >= least && !job->failed) {
    progress_clear (&job->command->progress);
    job->failed
        = job->fd >= 0 ? !write_to_file (job, out) : !output_write (&job->command->output, out);
    g_string_truncate (out, 0);
  }
  return !job->failed;
}

static bool
handle_event (void *data, const struct mlpd_item *item, uint64_t time)
{
  struct eventlog_job *job = data;
  convert_to_ghc_event (&job->convert, item, time);
  return job->convert.caps.error == NULL && write_some (job, WRITE_AT);
}

/* Up to major version 2, the header does not state the start. */
static struct convert_origin
origin_of (const struct mlpd_order *order)
{
  const struct mlpd_file_header *header = &order->header;
  const bool has_start
      = header->major >= 3 && header->start_ns != 0 && header->start_ns <= order->earliest;
  const uint64_t start = has_start ? header->start_ns : order->earliest;
  return (struct convert_origin){
    .start = start,
    .clock_ns = header->start_ms != 0 ? mlpd_order_clock (order, start) : 0,
    .pid = header->pid,
  };
}

static int
convert_events (struct eventlog_job *job, struct ordered_log *log)
{
  const struct convert_origin origin = origin_of (&log->mono.order);
  struct convert_to_ghc *convert = &job->convert;
  convert_to_ghc_init (convert, &origin, log->mono.names);
  mlpd_order_events (&log->mono.order, log->input, handle_event, job);
  convert->has_hole = log->mono.has_hole;
  convert->lost = log->mono.lost;
  convert->lost_error = log->mono.lost_error;
  convert_to_ghc_end (convert);
  if (convert->caps.error != NULL)
    cli_message ("proflog %s: %s: %s", job->command->name, log->path, convert->caps.error->message);
  const bool good = convert->caps.error == NULL && write_some (job, 0);
  if (good)
    write_command_report_losses (job->command, log->path, "an eventlog", &convert->losses);
  convert_to_ghc_clear (convert);
  return good ? CLI_OK : CLI_INPUT;
}

int
convert_mono_to_eventlog (struct log_command *c, const char *path, int fd)
{
  int status;
  struct eventlog_job job = { .command = c, .fd = fd };
  struct ordered_log *log = ordered_log_open (c, path, true, &status);
  if (log != NULL) {
    status = convert_events (&job, log);
    ordered_log_close (log);
  }
  return status;
}
