/* cmd-check.c -- proflog check */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/log/log-kind.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-reads.h"
#include "decoder/log/log-verdicts.h"
#include "decoder/views/ghc/ghc-check.h"
#include "decoder/views/mlpd/check.h"
#include <string.h>

static void
check_one (void *data, const struct mlpd_item *item, GString *text)
{
  (void) text;
  log_check_item (data, item);
}

static void
check_span (void *data, struct mlpd_span *span)
{
  log_check_span (data, span);
}

static void
check_other_damage (void *data, bool truncated, const char *message, GString *text)
{
  (void) text;
  log_check_damage (data, truncated, message);
}

static void
check_ghc_item (void *data, const struct ghc_item *item, GString *text)
{
  (void) text;
  ghc_log_check_item (data, item);
}

static void
check_ghc_span (void *data, struct ghc_span *span)
{
  ghc_log_check_span (data, span);
}

static void
check_ghc_damage (void *data, bool truncated, const char *message, GString *text)
{
  (void) text;
  ghc_log_check_damage (data, truncated, message);
}

/* Prints the findings of a log; returns the exit status. */
static int
put_out (struct log_command *command, GString *text, int status, enum check_level level)
{
  if (status == CLI_OK && level != CHECK_NOTE)
    status = CLI_TRUE;
  if (!output_write (&command->output, text))
    status = CLI_INPUT;
  log_command_separate (command, text);
  return status;
}

struct check_values {
  struct log_command log;
  bool verbose, is_deep;
  struct view view;
  struct emitter *emitter;
  GString *text;
};

/* Names the log, if there are several. */
static void
name_log (const struct check_values *v, const char *path)
{
  if (v->log.logs[1] != NULL)
    emitter_set_log (v->emitter, path);
}

static int
check_eventlog (void *data, const char *path)
{
  struct check_values *v = data;
  static const struct ghc_handler handler
      = { .item = check_ghc_item, .damage = check_ghc_damage, .span = check_ghc_span };
  struct ghc_log_check check;
  ghc_log_check_init (&check, v->verbose);
  int status = log_command_read_eventlog (&v->log, path, &handler, &check);
  ghc_log_check_finish (&check);
  v->log.damaged |= check.log.damages != 0;
  if (check.log.headers != 0) {
    name_log (v, path);
    ghc_check_write (v->emitter, path, &check, &v->view);
    status = put_out (&v->log, v->text, status, ghc_log_check_level (&check));
  }
  ghc_log_check_clear (&check);
  return status;
}

static int
check_mono (void *data, const char *path)
{
  struct check_values *v = data;
  static const struct log_handler handler
      = { .item = check_one, .damage = check_other_damage, .span = check_span };
  struct log_check check;
  log_check_init (&check, v->verbose);
  int status = log_command_read (&v->log, path, &handler, &check);
  log_check_finish (&check);
  v->log.damaged |= check.log.damages != 0;
  if (check.log.has_header) {
    name_log (v, path);
    check_write (v->emitter, path, &check, &v->view);
    status = put_out (&v->log, v->text, status, log_check_level (&check));
  }
  log_check_clear (&check);
  return status;
}

/* The order of the events, too, of a log that can be read. */
static int
check_order (struct check_values *v, const char *path, int status)
{
  struct log_verdicts verdicts
      = { .command = &v->log, .view = &v->view, .emitter = v->emitter, .text = v->text };
  if (!v->is_deep || status >= CLI_USAGE)
    return status;
  log_verdicts_select_all (&verdicts);
  const int order = log_verdicts_put (&verdicts, path);
  return MAX (status, order);
}

/* Standard input is gone after the first reading. */
static bool
can_be_deep (const struct check_values *v, GError **error)
{
  for (char **path = v->log.logs; v->is_deep && *path != NULL; path++)
    if (strcmp (*path, "-") == 0)
      return cli_refuse (error, "--deep reads a log twice: it needs a file in place of '-'");
  return true;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct check_values v = { .verbose = false };
  static const struct log_action actions[]
      = { [LOG_MONO] = { .run = check_mono }, [LOG_GHC] = { .run = check_eventlog } };
  struct log_command *const command = &v.log;
  GError *error = NULL;
  int status;
  if (!log_command_parse (command, spec, argc, argv, &status))
    return status;
  if (!can_be_deep (&v, &error))
    return log_command_refuse (command, error);
  if (!log_command_open (command, &status))
    return status;
  status = CLI_OK;
  command->reports_damage = true;
  v.view.verbose = v.verbose;
  v.text = g_string_new (NULL);
  v.emitter = log_command_new_emitter (command, v.text);
  for (char **path = command->logs; *path != NULL; path++) {
    const int this_status
        = check_order (&v, *path, log_kind_run (command, *path, false, actions, &v));
    status = MAX (status, this_status);
  }
  g_string_truncate (v.text, 0);
  emitter_free (v.emitter);
  if (!output_write (&command->output, v.text))
    status = MAX (status, CLI_INPUT);
  g_string_free (v.text, TRUE);
  return log_command_finish (command, status);
}

static const struct cli_option own[] = {
  { .name = "deep",
    .kind = CLI_FLAG,
    .offset = offsetof (struct check_values, is_deep),
    .help = "Check the order of the events, too, as 'proflog validate' does" },
  { .name = "verbose",
    .letter = 'v',
    .kind = CLI_FLAG,
    .offset = offsetof (struct check_values, verbose),
    .help = "Show all buffers or blocks, not only those with damage" },
  { .name = NULL },
};

const struct cli_command command_check = {
  .name = "check",
  .group = CLI_INSPECT,
  .summary = "check a log for damage and inconsistencies",
  .parameters = "LOG...",
  .description
  = "Findings have three levels:\n"
    "  errors    damage: bytes or events that are missing, or bytes that make no sense\n"
    "  warnings  events that contradict each other, so that figures may be wrong\n"
    "  notes     findings of complete logs: a program that ends within calls leaves them open\n\n"
    "Offsets are those of the uncompressed log.  A finding in many places is counted, with its "
    "first offset.  --deep checks the order of events, too: of calls, collections and monitors, of "
    "threads, tasks and sparks.\n\n"
    "The exit status is 1 if there are errors or warnings (with --strict 4 if there is damage), "
    "and 3 if the file is not a log.",
  .examples = CLI_EXAMPLES (
      { "List damage and contradictions", "proflog check app.mlpd" },
      { "Check the order of its events, too", "proflog check --deep app.mlpd" },
      { "Test many logs in a script",
        "proflog check -q logs/*.mlpd >/dev/null || echo some have findings" },
      { "Write a table of all buffers", "proflog check --verbose --format csv app.mlpd" }),
  .options = { { own, 0 }, { log_format_option, 0 }, { log_object_option, 0 }, { log_options, 0 } },
  .run = run,
};
