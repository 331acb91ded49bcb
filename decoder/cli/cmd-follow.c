/* cmd-follow.c -- proflog follow: the events of a log that is being written, as they come. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/follow-lines.h"
#include "decoder/cli/live-reading.h"
#include "decoder/cli/tell.h"
#include <errno.h>
#include <unistd.h>

/* Without --delay: how long lines are held at most where others still come; and how long nothing
 * has to come until all that was flushed together is taken to be here. */
#define DELAY_NS UINT64_C (1000000000)
#define SETTLE_NS UINT64_C (20000000)

/* How long at most until it is looked again, ms. */
#define WAIT_MS 200

/* In a stream that does not pause, lines are written this often, ns. */
#define WRITE_NS UINT64_C (10000000)

/* Whoever closes a pipe has seen enough: that is no error, and the rest goes nowhere. */
static void
give_up_output (struct log_command *c)
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

/* Until the end, a signal, or nobody reads the output. */
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
      cli_tell ("proflog follow: %s: the connection ended before the log did; connecting again",
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
    give_up_output (r->command);
  return news;
}

static int
follow (struct log_command *command, const struct live_options *options, uint64_t delay_ns,
        bool shows_delays)
{
  struct follow_lines lines;
  struct live_reading reading = { 0 };
  const struct live_handler handler
      = { .mono = follow_lines_mono, .ghc = follow_lines_ghc, .data = &lines };
  int status;
  follow_lines_init (&lines, command, &reading.last_came, delay_ns, SETTLE_NS);
  lines.shows_delays = shows_delays;
  if (live_reading_open (&reading, command, options, &handler, &status)) {
    lines.is_past = live_reading_is_past (&reading);
    if (follow_all (&reading, &lines) == LIVE_FAILED)
      status = CLI_INPUT;
    follow_lines_tell (&lines);
  }
  live_reading_close (&reading);
  follow_lines_clear (&lines);
  return status;
}

int
cmd_follow (int argc, char **argv)
{
  static struct live_options options;
  static char *delay;
  static gboolean shows_delays;
  static const GOptionEntry own[]
      = { { "delay", 0, 0, G_OPTION_ARG_FILENAME, &delay,
            "Hold events that long at most to put them in order (default 1s; 0: as they come)",
            "TIME" },
          { "delays", 0, 0, G_OPTION_ARG_NONE, &shows_delays,
            "Begin lines of text with how long they were held, and say which are late", NULL },
          LIVE_OPTION_ENTRIES (options),
          G_OPTION_ENTRY_NULL };
  static const struct log_command_sort sort = {
    .name = "follow",
    .summary = "print the events of a log as they come",
    .parameters = "SOURCE",
    .description
    = "SOURCE is a file that grows, a FIFO, - for standard input, unix:PATH for a socket to\n"
      "connect to, unix-listen:PATH for one to make, or the process id of a program under the\n"
      "module, which is asked where its log is; nothing else changes for the program.\n"
      "Lines are those of 'proflog dump', in order of time: each is held until all threads or\n"
      "capabilities that tell anything have come as far, or nothing came for 20 ms, and for\n"
      "--delay at most.  What comes later than that is printed, and is late: JSON tells held_ns\n"
      "and late_ns in each line, --delays in text, and the end how many.\n"
      "It ends with the log, with Ctrl-C, or when nobody reads the output.\n\n"
      "Examples:\n"
      "  proflog follow app.mlpd\n"
      "  proflog follow --format jsonl 4711 | jq 'select (.kind == \"gc-event\")'\n"
      "  proflog follow --reconnect unix-listen:/tmp/app.socket",
    .own = own,
    .selects = (SELECTS_ALL & ~SELECTS_TIMES) | SELECTS_CAPS,
    .is_lines = true,
  };
  struct log_command command;
  int status;
  uint64_t delay_ns = DELAY_NS;
  GError *error = NULL;
  if (!log_command_parse (&command, &sort, argc, argv, &status))
    return status;
  if (delay != NULL && !live_reading_parse_time ("--delay", delay, &delay_ns, &error))
    return log_command_refuse (&command, error);
  if (selection_needs_last_time (&command.selection))
    return log_command_refuse (
        &command,
        g_error_new_literal (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                             "--time-range: a log that is being written has no percents"));
  if (!log_command_open (&command, &status))
    return status;
  return log_command_finish (&command, follow (&command, &options, delay_ns, shows_delays));
}
