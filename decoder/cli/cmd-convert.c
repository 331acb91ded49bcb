/* cmd-convert.c -- proflog convert */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/edit/edit.h"
#include "decoder/log/log-kind.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/system/processes.h"
#include <string.h>

struct convert_values {
  struct log_command log;
  unsigned to;           /* TO_MONO, TO_GHC, or by the name */
  unsigned data_version; /* 0: not given */
};

enum { TO_ANY, TO_MONO, TO_GHC };

static const struct cli_choice targets[] = { { .name = "mono", .value = TO_MONO },
                                             { .name = "ghc", .value = TO_GHC },
                                             { .name = NULL } };

static const struct cli_choice versions[] = { { .name = "1", .value = 1 },
                                              { .name = "17", .value = MLPD_VERSION_ALL_CLASSES },
                                              { .name = NULL } };

/* The format of the output: the requested one, or that of its name or the data version. */
static const struct log_kind *
pick_target (const struct convert_values *v)
{
  const struct log_kind *named = v->log.path != NULL ? log_kind_of_name (v->log.path) : NULL;
  if (v->to != TO_ANY)
    return log_kind_of (v->to == TO_GHC);
  return named == NULL && v->data_version != 0 ? &log_kind_mono : named;
}

/* Why the log cannot be converted so; NULL: it can. */
static const char *
objection (const struct convert_values *v, const struct log_kind *from,
           const struct log_kind *target)
{
  const bool is_eventlog = from == &log_kind_ghc, to_eventlog = target == &log_kind_ghc;
  if (target == NULL)
    return "which format? Name the output .mlpd or .eventlog, or use --to";
  if (to_eventlog && v->data_version != 0)
    return "--data-version is for logs of Mono, and the output is an eventlog";
  if (is_eventlog && to_eventlog)
    return "it is an eventlog already; use repair, cut or anonymize";
  if (!is_eventlog && !to_eventlog && v->data_version == 0)
    return "it is a log of Mono already; use --data-version";
  if (is_eventlog && v->data_version == 1)
    return "data version 1 has no counters; eventlogs become logs of data version 17";
  return NULL;
}

/* Reading anything else has an error of its own. */
static bool
may_be_log (const char *path)
{
  const enum log_head head = log_head_of (path);
  return strcmp (path, "-") == 0 || head == LOG_HEAD_LOG || head == LOG_HEAD_PACKED;
}

static int
convert (struct convert_values *v)
{
  struct log_command *c = &v->log;
  const struct log_kind *target = pick_target (v);
  const struct log_kind *from = log_kind_detect (c, c->logs[0], false);
  if (from == NULL)
    return CLI_INPUT;
  const char *why = objection (v, from, target);
  if (why != NULL && may_be_log (c->logs[0])) {
    progress_clear (&c->progress);
    cli_message ("proflog convert: %s: %s", c->logs[0], why);
    return CLI_USAGE;
  }
  if (from == &log_kind_ghc)
    return convert_eventlog_to_mono (c);
  return target == &log_kind_ghc ? convert_mono_to_eventlog (c, c->logs[0], -1)
                                 : convert_mono_version (c, v->data_version);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct convert_values v = { .to = TO_ANY };
  int status;
  if (!write_command_parse (&v.log, spec, false, argc, argv, &status))
    return status;
  status = convert (&v);
  if (status != CLI_OK)
    write_command_discard (&v.log);
  return log_command_finish (&v.log, status);
}

static const struct cli_option own[] = {
  { .name = "to",
    .kind = CLI_CHOICE,
    .argument = "FORMAT",
    .offset = offsetof (struct convert_values, to),
    .choices = targets,
    .help = "Format of the output: mono or ghc (default: by its name, .mlpd or .eventlog)" },
  { .name = "data-version",
    .kind = CLI_CHOICE,
    .argument = "N",
    .offset = offsetof (struct convert_values, data_version),
    .choices = versions,
    .help = "Write a log of Mono of this data version: 1 or 17" },
  { .name = NULL },
};

const struct cli_command command_convert = {
  .name = "convert",
  .group = CLI_CONVERT,
  .summary = "write a log in the other format, or in another data version",
  .parameters = "LOG",
  .description
  = "A log of Mono becomes one of another data version (--data-version).  Times, threads, names, "
    "backtraces and losses stay, as far as that version has them.\n\n"
    "As an eventlog, a log of Mono has the events that the module records with format=eventlog: "
    "threads, collections, allocated bytes, exceptions, waits for monitors, marks.\n\n"
    "An eventlog as a log of Mono (data version 17) has collections, threads, sizes of the heap "
    "and, as counters, allocated bytes of capabilities, live bytes and marks.\n\n"
    "What the output cannot represent is left out.  Its kinds are listed with their counts on "
    "standard error, unless --quiet is given.",
  .examples = CLI_EXAMPLES (
      { "Write a log of Mono as an eventlog, for ThreadScope",
        "proflog convert app.mlpd -o app.eventlog" },
      { "Write an eventlog as a log of Mono", "proflog convert app.eventlog -o app.mlpd" },
      { "Write a log that mprof-report of 2010 reads",
        "proflog convert --data-version 1 app.mlpd -o for-mprof-report.mlpd" },
      { "Write an old log in the last data version",
        "proflog convert --data-version 17 old.mlpd -o new.mlpd" }),
  .options = { { own, 0 }, { log_no_format_option, 0 }, { log_options, 0 } },
  .run = run,
};
