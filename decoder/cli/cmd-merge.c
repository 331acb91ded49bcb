/* cmd-merge.c -- proflog merge: opens the logs, converts those of Mono, selects the format of the
 * output. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/edit/edit.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/core/temporary-file.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include <unistd.h>

/* The process that a Mono log is of. */
struct process {
  bool is_known; /* the log is a Mono log */
  uint32_t pid;
  uint64_t start_ms;
};

struct merging {
  struct log_command *command;
  struct merge_log *logs;
  struct process *processes; /* of the logs */
  size_t n_logs;
};

/* ---- opening ---- */

/* Reads the header. */
static struct process
find_process (struct log_input *input)
{
  struct process process = { .is_known = false };
  struct mlpd_reader *reader = log_input_new_reader (input);
  const struct mlpd_item *item;
  const uint8_t *bytes;
  size_t length = 1;
  enum proflog_result result = PROFLOG_NEED_MORE;
  while (result == PROFLOG_NEED_MORE && length != 0
         && log_input_read (input, &bytes, &length, NULL)) {
    if (length == 0)
      mlpd_reader_finish (reader);
    else
      mlpd_reader_push (reader, bytes, length);
    result = mlpd_reader_next (reader, &item);
  }
  if (result == PROFLOG_EVENT && item->type == MLPD_ITEM_FILE_HEADER)
    process = (struct process){ true, item->header->pid, item->header->start_ms };
  mlpd_reader_free (reader);
  log_input_rewind (input);
  return process;
}

static bool
open_log (struct merging *m, size_t nth)
{
  struct log_command *c = m->command;
  struct merge_log *log = &m->logs[nth];
  GError *error = NULL;
  log->path = c->logs[nth];
  log->kind = log_kind_detect (c, log->path, false);
  if (log->kind == NULL)
    return false;
  if (!log_input_make_rewindable (c->input, &error)) {
    struct log_read_context r = { .command = c, .name = log->path };
    log_read_context_refuse (&r, g_steal_pointer (&c->input), error);
    return false;
  }
  if (log->kind == &log_kind_mono) {
    m->processes[nth] = find_process (c->input);
    if (!m->processes[nth].is_known) {
      log->kind->refuse (c, log->path, "its header is damaged");
      return false;
    }
  }
  log->input = g_steal_pointer (&c->input);
  log->name = g_strdup (log_input_name (log->input));
  return true;
}

static bool
open_logs (struct merging *m)
{
  for (size_t i = 0; i < m->n_logs; i++)
    if (!open_log (m, i))
      return false;
  return true;
}

/* ---- the format of the output ---- */

/* The first eventlog; n_logs: there is none. */
static size_t
find_eventlog (const struct merging *m)
{
  size_t i = 0;
  while (i < m->n_logs && m->logs[i].kind != &log_kind_ghc)
    i++;
  return i;
}

static bool
is_same_process (const struct merging *m, size_t one, size_t other)
{
  const struct process *a = &m->processes[one], *b = &m->processes[other];
  return a->is_known && b->is_known && a->pid == b->pid && a->start_ms == b->start_ms;
}

/* The first log that is of another process than the first one, n_logs: there is none. */
static size_t
find_other_process (const struct merging *m)
{
  size_t i = 1;
  while (i < m->n_logs && is_same_process (m, 0, i))
    i++;
  return MIN (i, m->n_logs);
}

/* The format that the name of the output states, or else the one that can have all logs. */
static const struct log_kind *
pick_target (const struct merging *m)
{
  const struct log_kind *named = log_kind_of_name (m->command->path);
  return named != NULL
             ? named
             : log_kind_of (find_eventlog (m) != m->n_logs || find_other_process (m) != m->n_logs);
}

static int
refuse_processes (const struct merging *m, size_t other)
{
  cli_message ("proflog merge: %s is of the process %u and %s of the process %u, and a log of Mono "
               "has one process: name the output .eventlog",
               m->logs[0].name, m->processes[0].pid, m->logs[other].name, m->processes[other].pid);
  return CLI_USAGE;
}

static int
refuse_eventlog (const struct merging *m, size_t eventlog)
{
  cli_message ("proflog merge: %s is an eventlog of GHC: the output has to be one, too, and not %s",
               m->logs[eventlog].name, m->command->path);
  return CLI_USAGE;
}

static int
merge_to_mono (struct merging *m)
{
  const size_t eventlog = find_eventlog (m), other = find_other_process (m);
  if (eventlog != m->n_logs)
    return refuse_eventlog (m, eventlog);
  if (other != m->n_logs)
    return refuse_processes (m, other);
  return merge_mono_logs (m->command, m->logs, m->n_logs);
}

/* ---- logs of Mono as eventlogs ---- */

/* Puts an eventlog in the place of the log, which is one of Mono. */
static int
convert_log (struct merging *m, struct merge_log *log)
{
  GError *error = NULL;
  const int fd = temporary_file_open (&error);
  int status = CLI_INPUT;
  if (fd >= 0) {
    m->command->input = g_steal_pointer (&log->input);
    status = convert_mono_to_eventlog (m->command, log->path, fd);
  }
  if (status == CLI_OK) {
    g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
    log->input = log_input_open_alone (path, &error);
    status
        = log->input != NULL && log_input_make_rewindable (log->input, &error) ? CLI_OK : CLI_INPUT;
  }
  if (error != NULL)
    cli_message ("proflog merge: %s: %s", log->path, error->message);
  g_clear_error (&error);
  if (fd >= 0)
    close (fd);
  log->kind = &log_kind_ghc;
  return status;
}

/* An eventlog has each process once. */
static bool
has_process_twice (const struct merging *m)
{
  for (size_t i = 0; i < m->n_logs; i++)
    for (size_t j = i + 1; j < m->n_logs; j++)
      if (is_same_process (m, i, j)) {
        cli_message (
            "proflog merge: %s and %s are of one process: merge them first, 'proflog merge "
            "%s %s -o NAME.mlpd'",
            m->logs[i].name, m->logs[j].name, m->logs[i].path, m->logs[j].path);
        return true;
      }
  return false;
}

static int
merge_to_eventlog (struct merging *m)
{
  if (has_process_twice (m))
    return CLI_USAGE;
  int status = CLI_OK;
  for (size_t i = 0; i < m->n_logs && status == CLI_OK; i++)
    if (m->logs[i].kind == &log_kind_mono)
      status = convert_log (m, &m->logs[i]);
  return status == CLI_OK ? merge_eventlogs (m->command, m->logs, m->n_logs) : status;
}

/* ---- the command ---- */

static int
merge (struct log_command *c)
{
  const size_t n = g_strv_length (c->logs);
  struct merging m = { .command = c,
                       .logs = g_new0 (struct merge_log, n),
                       .processes = g_new0 (struct process, n),
                       .n_logs = n };
  int status = CLI_INPUT;
  if (open_logs (&m))
    status = pick_target (&m) == &log_kind_mono ? merge_to_mono (&m) : merge_to_eventlog (&m);
  for (size_t i = 0; i < n; i++) {
    g_clear_pointer (&m.logs[i].input, log_input_close);
    g_free (m.logs[i].name);
  }
  g_free (m.logs);
  g_free (m.processes);
  if (status != CLI_OK)
    write_command_discard (c);
  return status;
}

/* A folder can have many logs. */
static bool
names_folder (const struct log_command *c)
{
  return c->logs[0] != NULL && g_file_test (c->logs[0], G_FILE_TEST_IS_DIR);
}

/* Without -o the first word is the output, as it is in ghc-events; with one log after it, it
 * might be a log to be read. */
static bool
move_output (struct log_command *c)
{
  if (c->path != NULL)
    return true;
  c->path = c->logs[0];
  for (char **log = c->logs; *log != NULL; log++)
    log[0] = log[1];
  return g_strv_length (c->logs) >= 2 || names_folder (c);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct log_command command = { .keeps_files = true }; /* the first word may be the output */
  GError *error = NULL;
  int status;
  if (!log_command_parse (&command, spec, argc, argv, &status))
    return status;
  if (!move_output (&command)) {
    cli_message ("proflog merge: OUT and two logs are needed at least, or -o OUT and one log; see "
                 "'proflog merge --help'");
    return log_command_finish (&command, CLI_USAGE);
  }
  if (!log_command_find_logs (&command, &command.logs, &error))
    return log_command_refuse (&command, error);
  if (!write_command_open (&command, &status))
    return status;
  status = merge (&command);
  return log_command_finish (&command, status);
}

const struct cli_command command_merge = {
  .name = "merge",
  .group = CLI_CONVERT,
  .summary = "merge several logs into one",
  .parameters = "OUT LOG LOG...\n-o OUT LOG...",
  .description
  = "Logs of one Mono process become one log of Mono: the files of a log (rotate=), or the parts "
    "that cut wrote of it.  All parts give the reports of the whole; if some are missing, the "
    "result is a part, too.\n\n"
    "Logs of several Mono processes, or of Mono and GHC, become an eventlog: what is in 'proflog "
    "convert' of each, with a set of capabilities for each process.  What an eventlog cannot "
    "represent is listed on standard error, unless --quiet is given.\n\n"
    "Parts of one eventlog, as 'proflog cut --time-range' and 'proflog ctl PID output' write them, "
    "become that log again: they state the same process and clock.\n\n"
    "Of other GHC eventlogs, capabilities, capability sets, threads, tasks and cost centres of "
    "each log get numbers after those of the logs before it, so that none clash.  Times are "
    "aligned by the time of day that the logs recorded; a log without one begins with the first "
    "log.  The header declares the events of all logs in their longest form; fields that an "
    "earlier GHC did not write are 0.  Blocks are in the order of their beginnings, with one end "
    "mark after them.\n\n"
    "With -o OUT all other arguments are logs, and one log is enough.  If recording of an eventlog "
    "was stopped and started again, it has several headers; the result has one header and one end "
    "mark, as ghc-events requires.  Damaged parts are left out, with a warning.",
  .examples = CLI_EXAMPLES ({ "Merge eventlogs, as ghc-events does",
                              "proflog merge all.eventlog client.eventlog server.eventlog" },
                            { "Join the parts of a log in which recording was stopped",
                              "proflog merge restarted.eventlog -o whole.eventlog" },
                            { "Report on several eventlogs together",
                              "proflog merge -o - a.eventlog b.eventlog | proflog report -" },
                            { "Join parts of one log of Mono",
                              "proflog merge first-part.mlpd second-part.mlpd -o whole.mlpd" },
                            { "Put a log of Mono and one of GHC into an eventlog",
                              "proflog merge client.mlpd server.eventlog -o both.eventlog" }),
  .options = { { log_no_format_option, 0 }, { log_options, 0 } },
  .run = run,
};
