/* cmd-follow.c -- proflog follow: the events of a log that is being written, as they come. */
#include "config.h"

#include "decoder/cli/cli.h"
#include "decoder/cli/follow-printer.h"
#include "decoder/cli/live-reading.h"
#include "decoder/cli/message.h"
#include <errno.h>
#include <unistd.h>

/* Without --reorder-delay: how long lines are held at most where others still come; and how long
 * nothing has to come until all that was flushed together is taken to be here. */
#define DELAY_NS UINT64_C (1000000000)
#define SETTLE_NS UINT64_C (20000000)

/* How long at most until it is looked again, ms. */
#define WAIT_MS 200

/* In a stream that does not pause, lines are written this often, ns. */
#define WRITE_NS UINT64_C (10000000)

/* When the reader closes a pipe it has seen enough: that is no error, and the rest goes nowhere. */
static void
discard_output (struct log_command *c)
{
  if (c->output.file == stdout && freopen ("/dev/null", "w", stdout) != NULL)
    c->output.failed = false;
}

/* How long to wait at most, until lines are due. */
static int
patience (const struct follow_lines *l)
{
  const uint64_t next = live_order_next (&l->order), now = live_reading_now ();
  if (next == UINT64_MAX)
    return WAIT_MS;
  return next <= now ? 0 : (int) MIN (WAIT_MS, (next - now) / 1000000 + 1);
}

static void
begin_now (struct live_reading *r, struct follow_lines *l)
{
  if (l->is_past && !live_reading_is_past (r))
    follow_lines_begin_now (l);
}

/* Until the end, a signal, or no one reads the output. */
static enum live_news
follow_all (struct live_reading *r, struct follow_lines *l)
{
  enum live_news news = LIVE_QUIET;
  uint64_t written = 0;
  unsigned breaks = 0;
  bool good = true;
  live_source_watch (r->source, -1, STDOUT_FILENO);
  while (good && news != LIVE_END && news != LIVE_FAILED && !live_reading_stopped ()) {
    const struct live_source *source = r->source;
    news = live_reading_step (r, patience (l));
    if (r->source != source)
      live_source_watch (r->source, -1, STDOUT_FILENO);
    if (r->breaks != breaks && !r->command->quiet)
      cli_message (
          "proflog follow: %s: the connection closed before the end of the log; reconnecting",
          live_source_name (r->source));
    breaks = r->breaks;
    begin_now (r, l);
    const uint64_t now = live_reading_now ();
    if (news != LIVE_BYTES || now - written >= WRITE_NS) {
      good = follow_lines_write (l, false);
      written = now;
    }
    if (r->command->output.file == stdout && live_source_output_is_closed (r->source))
      good = false;
  }
  if (good)
    good = follow_lines_write (l, true);
  if (!good && (errno == EPIPE || live_source_output_is_closed (r->source)))
    discard_output (r->command);
  return news;
}

struct follow_values {
  struct log_command log;
  struct live_options live;
  struct cli_number delay;
  bool shows_latency;
};

static int
follow (struct follow_values *v)
{
  struct follow_lines lines;
  struct live_reading reading = { 0 };
  const struct live_handler handler
      = { .mono = follow_lines_mono, .ghc = follow_lines_ghc, .data = &lines };
  int status;
  follow_lines_init (&lines, &v->log, &reading.last_came, v->delay.value, SETTLE_NS);
  lines.shows_delays = v->shows_latency;
  if (live_reading_open (&reading, &v->log, &v->live, &handler, &status)) {
    lines.is_past = live_reading_is_past (&reading);
    if (follow_all (&reading, &lines) == LIVE_FAILED)
      status = CLI_INPUT;
    follow_lines_report (&lines);
  }
  live_reading_close (&reading);
  follow_lines_clear (&lines);
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
                        : selection_has_marks (&v.log.selection)
                            ? "marks that are not known yet; 'proflog dump' reads what is there"
                            : NULL;
  if (unknown != NULL) {
    cli_refuse (&error, "--time-range: a log that is being written has %s", unknown);
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
  .summary = "print the events of a log as they arrive",
  .parameters = "SOURCE",
  .description
  = "SOURCE is one of:\n"
    "  FILE              a file that grows, or a FIFO\n"
    "  -                 standard input\n"
    "  unix:PATH         a socket to connect to\n"
    "  unix-listen:PATH  a socket to create\n"
    "  PID               the process id of a program under the module, which reports the place of "
    "its log; nothing else changes for the program\n"
    "  NAME              the same by its name, as app.exe, if one program has it\n\n"
    "Lines are those of 'proflog dump', in order of time.  Each line is held until all active "
    "threads or capabilities have reached its time, or nothing arrived for 20 ms, and for "
    "--reorder-delay at most.  Lines that arrive later are printed as late: JSON has held_ns and "
    "late_ns in each line, text has them with --show-latency, and the number of late lines is "
    "printed at the end.\n\n"
    "The command ends with the log, with Ctrl-C, or when the reader of its output ends.",
  .examples = "  proflog follow app.mlpd\n"
              "  proflog follow --format jsonl 4711 | jq 'select (.kind == \"gc-event\")'\n"
              "  proflog follow --reconnect unix-listen:/tmp/app.socket",
  .options = { { own, 0 },
               { live_options, offsetof (struct follow_values, live) },
               { log_selection_options, 0 },
               { log_lines_format_option, 0 },
               { log_options, 0 } },
  .selects = (SELECTS_ALL & ~SELECTS_TIMES) | SELECTS_CAPS,
  .run = run,
};
