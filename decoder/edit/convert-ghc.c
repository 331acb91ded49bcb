/* convert-ghc.c -- reads an eventlog once for its facts, and converts it. */
#include "config.h"

#include "decoder/edit/edit.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/convert/convert-to-mono.h"
#include "decoder/ghc/analyses/ghc-collector.h"
#include "decoder/ghc/ghc-span.h"
#include "decoder/log/log-reads.h"

struct mono_job {
  struct convert_to_mono convert;
  bool knows_process;
  GError *error;
};

static void
handle_item (void *data, const struct ghc_item *item, GString *out)
{
  struct mono_job *job = data;
  if (job->error == NULL && convert_to_mono_item (&job->convert, item, &job->error))
    write_command_take_mono (job->convert.writer, out);
}

static void
handle_span (void *data, struct ghc_span *span)
{
  struct mono_job *job = data;
  convert_to_mono_span (&job->convert, span);
}

/* Which capability leads a collection is known only after the events of all of them. */
static void
note_collection (void *data, const struct ghc_cap *leader, const struct ghc_interval *main,
                 bool is_stated)
{
  struct mono_job *job = data;
  if (!is_stated)
    convert_to_mono_lead (&job->convert, leader->number, main->start);
}

/* Finds the facts that the conversion needs: the process, and the leading capabilities, unless
 * events state them.  True when all are known. */
static bool
find_in_item (struct mono_job *job, struct ghc_collector *collector, const struct ghc_item *item)
{
  job->knows_process = job->knows_process || convert_to_mono_find (&job->convert, item);
  if (item->type == GHC_ITEM_EVENT)
    ghc_collector_event (collector, item);
  return job->knows_process && ghc_collector_has_leads (collector);
}

/* Reads until these are known.  Damage is reported when the log is read again. */
static void
find_before (struct mono_job *job, struct log_input *input)
{
  const struct ghc_collections_watch watch = { note_collection, job };
  struct ghc_collector collector;
  struct ghc_reader *reader = ghc_reader_new ();
  const struct ghc_item *item;
  const uint8_t *bytes;
  size_t length = 1;
  bool is_known = false, wanted[GHC_KINDS + 1];
  for (unsigned kind = 0; kind <= GHC_KINDS; kind++)
    wanted[kind]
        = ghc_collector_handles (kind) || kind == GHC_WALL_CLOCK_TIME || kind == GHC_OSPROCESS_PID;
  ghc_span_want (reader, wanted);
  ghc_collector_init (&collector, &watch, GHC_INTERVALS_MAX, false);
  while (!is_known && length != 0 && log_input_read (input, &bytes, &length, NULL)) {
    enum proflog_result result = PROFLOG_END;
    if (length != 0)
      ghc_reader_push (reader, bytes, length);
    while (length != 0 && !is_known && (result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
      is_known = find_in_item (job, &collector, item);
    if (result != PROFLOG_NEED_MORE)
      break;
  }
  ghc_reader_free (reader);
  if (!is_known)
    ghc_collector_finish (&collector);
  ghc_collector_clear (&collector);
  log_input_rewind (input);
}

int
convert_eventlog_to_mono (struct log_command *c)
{
  static const struct ghc_handler handler = { .item = handle_item, .span = handle_span };
  struct mono_job job = { .error = NULL };
  convert_to_mono_init (&job.convert);
  if (!log_input_make_rewindable (c->input, &job.error)) {
    cli_message ("proflog convert: %s", job.error->message);
    g_clear_error (&job.error);
    convert_to_mono_clear (&job.convert);
    return CLI_INPUT;
  }
  find_before (&job, c->input);
  int status = log_command_read_eventlog (c, c->logs[0], &handler, &job);
  if (status == CLI_OK && job.error == NULL) {
    convert_to_mono_end (&job.convert);
    if (!write_command_rest_mono (c, job.convert.writer))
      status = CLI_INPUT;
  }
  if (job.error != NULL) {
    cli_message ("proflog convert: %s: %s", c->logs[0], job.error->message);
    status = CLI_INPUT;
  }
  if (status == CLI_OK)
    write_command_report_losses (c, c->logs[0], "a log of Mono", &job.convert.losses);
  g_clear_error (&job.error);
  convert_to_mono_clear (&job.convert);
  return status;
}
