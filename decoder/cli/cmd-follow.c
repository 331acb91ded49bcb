/* cmd-follow.c -- proflog follow: the events of logs that are being written, as they come. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/live/follow.h"
#include "decoder/live/live-reading.h"
#include "decoder/command/message.h"
#include <errno.h>
#include <unistd.h>

/* Without --reorder-delay: how long lines are held at most where others still come; and how long
 * nothing has to come until all that was flushed together is taken to be here. */
#define DELAY_NS UINT64_C (1000000000)
#define SETTLE_NS UINT64_C (20000000)

/* In a stream that does not pause, lines are written this often, ns. */
#define WRITE_NS UINT64_C (10000000)

/* A command at work. */
struct follow {
  struct log_command *command;
  struct live_readings readings;
  struct follow_output output;
  struct follow_source *sources; /* as many as the command has */
};

struct follow_source {
  struct follow_lines lines;
  bool is_over;
  unsigned breaks; /* of the connection, that were reported */
};

/* The changes of a source in the last step. */
static void
inspect_source (struct follow *f, guint i)
{
  const struct live_reading *const r = &f->readings.all[i];
  struct follow_source *const s = &f->sources[i];
  const bool reports = !f->command->quiet;
  if (s->is_over)
    return;
  if (r->breaks != s->breaks && reports)
    cli_message (
        "proflog follow: %s: the connection closed before the end of the log; reconnecting",
        live_source_name (r->source));
  s->breaks = r->breaks;
  if (s->lines.is_past && !live_reading_is_past (r))
    follow_lines_begin_now (&s->lines);
  s->is_over = r->is_over;
  if (!r->is_over)
    return;
  follow_output_end (&f->output, s->lines.stream, f->readings.open);
  if (f->readings.open != 0 && !r->failed && reports)
    cli_message ("proflog follow: %s: the log has ended", r->name);
}

/* Until the end, a signal, or until the output has no reader. */
static void
follow_all (struct follow *f)
{
  struct log_command *const c = f->command;
  struct live_readings *const rs = &f->readings;
  enum live_news news = LIVE_QUIET;
  uint64_t written = 0;
  bool good = true;
  while (good && news != LIVE_END && !live_readings_stopped ()) {
    const int ms = live_readings_patience (follow_output_next (&f->output), live_reading_now ());
    news = live_readings_step (rs, ms, -1, STDOUT_FILENO);
    for (guint i = 0; i < rs->count; i++)
      inspect_source (f, i);
    const uint64_t now = live_reading_now ();
    if (news != LIVE_BYTES || now - written >= WRITE_NS) {
      good = follow_output_write (&f->output, false);
      written = now;
    }
    if (c->output.file == stdout && rs->output_is_closed)
      good = false;
  }
  if (good)
    good = follow_output_write (&f->output, true);
  if (!good && (errno == EPIPE || rs->output_is_closed))
    output_discard (&c->output);
}

struct follow_values {
  struct log_command log;
  struct live_options live;
  struct cli_number delay;
  bool shows_latency;
};

/* How all went, on stderr. */
static void
report (const struct follow *f)
{
  follow_output_report (&f->output);
  for (guint i = 0; i < f->readings.count; i++)
    follow_lines_report (&f->sources[i].lines);
}

static int
follow (struct follow_values *v)
{
  struct follow f = { .command = &v->log };
  const guint n = g_strv_length (v->log.logs);
  struct live_handler *const handlers = g_new0 (struct live_handler, n);
  int status = CLI_INPUT;
  f.sources = g_new0 (struct follow_source, n);
  live_readings_init (&f.readings, f.command);
  const bool good = follow_output_init (&f.output, f.command, v->delay.value, SETTLE_NS);
  f.output.shows_delays = v->shows_latency;
  for (guint i = 0; i < n; i++) {
    follow_lines_init (&f.sources[i].lines, &f.output, i, &f.readings.all[i]);
    handlers[i] = (struct live_handler){ .mono = follow_lines_mono,
                                         .ghc = follow_lines_ghc,
                                         .data = &f.sources[i].lines };
  }
  if (good && live_readings_open (&f.readings, &v->live, handlers, &status)) {
    for (guint i = 0; i < n; i++)
      f.sources[i].lines.is_past = live_reading_is_past (&f.readings.all[i]);
    follow_all (&f);
    report (&f);
    status = live_readings_status (&f.readings);
  }
  live_readings_close (&f.readings);
  for (guint i = 0; i < n; i++)
    follow_lines_clear (&f.sources[i].lines);
  follow_output_clear (&f.output);
  g_free (f.sources);
  g_free (handlers);
  return status;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct follow_values v = { .live = LIVE_DEFAULTS, .delay = { .value = DELAY_NS } };
  GError *error = NULL;
  int status;
  if (!log_command_parse (&v.log, spec, argc, argv, &status))
    return status;
  const char *unknown = selection_needs_last_time (&v.log.selection) ? "no percents"
                        : selection_has_span (&v.log.selection)
                            ? "spans that are not known yet; 'proflog dump' reads what is there"
                        : selection_has_marks (&v.log.selection)
                            ? "marks that are not known yet; 'proflog dump' reads what is there"
                            : NULL;
  if (unknown != NULL) {
    cli_refuse (&error, "%s: a log that is being written has %s",
                selection_has_span (&v.log.selection) ? "--span" : "--time-range", unknown);
    return log_command_refuse (&v.log, error);
  }
  if (!log_command_open (&v.log, &status))
    return status;
  return log_command_finish (&v.log, follow (&v));
}

static const struct cli_option own[] = {
  { .name = "reorder-delay",
    .kind = CLI_TIME,
    .argument = "TIME",
    .offset = offsetof (struct follow_values, delay),
    .max = UINT64_MAX,
    .help
    = "Hold events at most this long to put them in order (default 1s; 0: do not hold them)" },
  { .name = "delay", .kind = CLI_ALIAS, .help = "reorder-delay" },
  { .name = "show-latency",
    .kind = CLI_FLAG,
    .offset = offsetof (struct follow_values, shows_latency),
    .help = "Begin each line of text with the time that it was held, and mark late lines" },
  { .name = "delays", .kind = CLI_ALIAS, .help = "show-latency" },
  { .name = NULL },
};

const struct cli_command command_follow = {
  .name = "follow",
  .group = CLI_LIVE,
  .summary = "print the events of logs as they arrive",
  .parameters = "SOURCE...",
  .description
  = "SOURCE is one of:\n"
    "  FILE              a file that grows, or a FIFO\n"
    "  -                 standard input\n"
    "  unix:PATH         a socket to connect to\n"
    "  unix-listen:PATH  a socket to create\n"
    "  PID               the process id of a program that is being recorded, which reports the "
    "place of its log, and flushes it at the interval of --flush\n"
    "  NAME              the same by its name, such as app.exe, if one program has it\n\n"
    "Lines are those of 'proflog dump', in order of time.  Each line is held until all active "
    "threads or capabilities have reached its time, or nothing arrived for 20 ms, and for "
    "--reorder-delay at most.  Lines that arrive later are printed as late: JSON has held_ns and "
    "late_ns in each line, text has them with --show-latency, and the number of late lines is "
    "printed at the end.\n\n"
    "Several sources, of Mono and GHC, are one stream of lines in order of the time of day.  As in "
    "'proflog dump --order time', each line begins with that time and the source; JSON has them as "
    "clock and log.  Lines are held until all threads with recent events have reached their time, "
    "but no longer than --reorder-delay.  When one source ends, the others go on.\n\n"
    "The command ends with the last log, with Ctrl-C, or when the reader of its output ends.",
  .examples = CLI_EXAMPLES (
      { "Print the events of a log that grows", "proflog follow app.mlpd" },
      { "Print the collections of a program that runs",
        "proflog follow --format json 4711 | jq 'select (.kind == \"gc-event\")'" },
      { "Wait for programs that write to this socket, one after the other",
        "proflog follow --reconnect unix-listen:/tmp/app.socket" },
      { "Follow two programs at once", "proflog follow client.exe unix:/tmp/server.socket" }),
  .options = { { own, 0 },
               { live_options, offsetof (struct follow_values, live) },
               { log_selection_options, 0 },
               { log_lines_format_option, 0 },
               { log_options, 0 } },
  .selects = (SELECTS_ALL & ~SELECTS_TIMES) | SELECTS_CAPS,
  .run = run,
};
