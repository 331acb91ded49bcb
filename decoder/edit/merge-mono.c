/* merge-mono.c -- one Mono log of the parts of one. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/edit/edit.h"
#include "decoder/log/log-open.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/mlpd/edit/mlpd-merge.h"

#define WRITE_AT (256 * 1024)

/* One of the parts. */
struct source {
  struct log_read_context r;
  struct merge_log *log;
  struct mlpd_reader *reader;
};

struct merge_job {
  struct log_command *command;
  struct source *sources;
  size_t n_sources;
  struct mlpd_merge merge;
  GString *out;
  GError *error;
  size_t at; /* the source at work; n_sources: all of them */
  int status;
};

/* ---- reading ---- */

static bool
fail (struct merge_job *job, struct source *s, GError *error)
{
  log_read_context_error (&s->r, error);
  g_error_free (error);
  job->status = CLI_INPUT;
  return false;
}

/* Gives the reader more, or states that there is none. */
static bool
feed (struct merge_job *job, struct source *s)
{
  GError *error = NULL;
  const uint8_t *bytes;
  size_t length;
  if (!log_input_read (s->log->input, &bytes, &length, &error))
    return fail (job, s, error);
  if (length == 0)
    mlpd_reader_finish (s->reader);
  else
    mlpd_reader_push (s->reader, bytes, length);
  return true;
}

/* Reads on until the merge has an item of the part, or to its end. */
static bool
advance (struct merge_job *job, size_t nth)
{
  struct source *s = &job->sources[nth];
  struct mlpd_merged *merged = &job->merge.logs[nth];
  job->at = nth;
  while (merged->item == NULL) {
    const struct mlpd_item *item;
    const enum proflog_result result = mlpd_reader_next (s->reader, &item);
    if (result == PROFLOG_END)
      return job->status == CLI_OK;
    if (result == PROFLOG_ERROR)
      return fail (job, s, g_error_copy (mlpd_reader_error (s->reader)));
    if (result == PROFLOG_NEED_MORE ? !feed (job, s)
                                    : !mlpd_merge_offer (&job->merge, nth, item, &job->error))
      return false;
    if (result == PROFLOG_EVENT)
      log_read_context_handle_item (&s->r, item, &job->status);
  }
  return job->status == CLI_OK;
}

/* Of those parts whose item was written. */
static bool
advance_from (struct merge_job *job, size_t nth)
{
  if (nth < job->n_sources)
    return advance (job, nth);
  for (size_t i = 0; i < job->n_sources; i++)
    if (!advance (job, i))
      return false;
  return true;
}

/* ---- writing ---- */

static bool
write_some (struct merge_job *job, size_t least)
{
  write_command_take_mono (job->merge.part.writer, job->out);
  if (job->out->len < least)
    return true;
  const bool good = output_write (&job->command->output, job->out);
  g_string_truncate (job->out, 0);
  return good;
}

static bool
merge (struct merge_job *job)
{
  bool good = advance_from (job, job->n_sources);
  while (good && !mlpd_merge_is_over (&job->merge)) {
    good = mlpd_merge_step (&job->merge, &job->at, &job->error) && write_some (job, WRITE_AT)
           && advance_from (job, job->at);
  }
  if (good)
    job->at = job->n_sources;
  return good && mlpd_merge_end (&job->merge, &job->error) && write_some (job, 0);
}

/* ---- all of it ---- */

static void
open_sources (struct merge_job *job, struct merge_log *logs)
{
  for (size_t i = 0; i < job->n_sources; i++) {
    struct source *s = &job->sources[i];
    *s = (struct source){ .r = { .command = job->command, .name = logs[i].name },
                          .log = &logs[i],
                          .reader = log_input_new_reader (logs[i].input) };
    s->r.last_file = log_input_last_file (logs[i].input);
    if (log_input_recovery (logs[i].input) != NULL)
      s->r.writer = log_input_recovery (logs[i].input)->writer; /* it was reported */
  }
}

static void
close_sources (struct merge_job *job)
{
  for (size_t i = 0; i < job->n_sources; i++) {
    struct source *s = &job->sources[i];
    bool truncated;
    g_free (log_read_context_report (&s->r, s->log->input, job->status, &truncated));
    mlpd_reader_free (s->reader);
  }
}

static void
report_error (const struct merge_job *job)
{
  const size_t *other = job->merge.other;
  if (g_error_matches (job->error, MLPD_MERGE_ERROR, 0))
    cli_message ("proflog merge: %s and %s %s", job->sources[other[0]].log->name,
                 job->sources[other[1]].log->name, job->error->message);
  else if (job->at < job->n_sources)
    cli_message ("proflog merge: %s: %s", job->sources[job->at].log->name, job->error->message);
  else
    cli_message ("proflog merge: %s", job->error->message);
}

int
merge_mono_logs (struct log_command *c, struct merge_log *logs, size_t n_logs)
{
  struct merge_job job = { .command = c,
                           .sources = g_new0 (struct source, n_logs),
                           .n_sources = n_logs,
                           .out = g_string_new (NULL),
                           .status = CLI_OK };
  mlpd_merge_init (&job.merge, n_logs);
  open_sources (&job, logs);
  if (!merge (&job) && job.status == CLI_OK)
    job.status = CLI_INPUT;
  close_sources (&job);
  if (job.error != NULL)
    report_error (&job);
  g_clear_error (&job.error);
  mlpd_merge_clear (&job.merge);
  g_string_free (job.out, TRUE);
  g_free (job.sources);
  return job.status;
}
