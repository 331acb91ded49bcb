/* cmd-serve.c -- proflog serve: its options; the command is a program of its own (decoder/serve).
 */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/serve/serve-values.h"
#include "decoder/command/cli.h"
#include "decoder/command/helper-program.h"
#include "decoder/command/message.h"

static int
run (const struct cli_command *command, int argc, char **argv)
{
  (void) command;
  (void) argc;
#ifdef HAVE_LIBMICROHTTPD
  return helper_program_run ("proflog-serve", argv);
#else
  cli_message ("proflog %s: proflog was built without libmicrohttpd", argv[0]);
  return CLI_INPUT;
#endif
}

static const struct cli_option own[] = {
  { .name = "all",
    .kind = CLI_FLAG,
    .offset = offsetof (struct serve_values, log.needs_no_log),
    .help = "Serve all processes of this user that are recorded, for root those of all users; new "
            "ones are added, and those that end are removed" },
  LIVE_INTERVAL_OPTION (struct serve_values, interval),
  { .name = "port",
    .letter = 'p',
    .kind = CLI_NUMBER,
    .argument = "PORT",
    .offset = offsetof (struct serve_values, port),
    .max = G_MAXUINT16,
    .needed = "a number up to 65535 is needed; 0 takes any free port",
    .help = "Listen at this port of 127.0.0.1 (default 0: any free port)" },
  { .name = "token-file",
    .kind = CLI_STRING,
    .argument = "FILE",
    .offset = offsetof (struct serve_values, token_file),
    .help = "Read the token of the address from FILE, which is created if it does not exist" },
  { .name = NULL },
};

const struct cli_command command_serve = {
  .name = "serve",
  .group = CLI_LIVE,
  .summary = "show the activity of running programs in a browser, and as metrics",
  .parameters = "SOURCE... | --all",
  .description
  = "SOURCE is as in 'proflog follow': a file that grows, a FIFO, -, unix:PATH, unix-listen:PATH, "
    "or the process id or the name of a program that is being recorded.  Without SOURCE the "
    "command "
    "lists these programs.\n\n"
    "Prints the address of a page with the figures of 'proflog top' as plots.  Only this machine "
    "can open the page, and only with the random token in the address.  For a process it has "
    "buttons that start and stop recording, switch classes of events and take heap snapshots.  "
    "Below the same address are metrics, for Prometheus, and events, the figures of each interval "
    "as server-sent events.  A file that is complete is shown as its report ('proflog report "
    "--format html').  The command ends with Ctrl-C.\n\n"
    "Several sources, of Mono and GHC, have a page of all with a line and a page of each.  Metrics "
    "have the source as a label then.  When one ends, the others go on.  Below the address, "
    "metrics, figures and report are of all; 1/, 2/, ... are the pages of each, with 1/events and "
    "1/report.\n\n"
    "With --all the sources are the processes that are recorded.  Their metrics have the labels "
    "program and pid; the page of a process is PID/.  A process that has ended is shown for 60 "
    "more intervals; then its metrics are counters and histograms only.",
  .examples = CLI_EXAMPLES ({ "Show a program in a browser", "proflog serve 4711" },
                            { "The same at an address that stays",
                              "proflog serve --port 9700 --token-file ~/.proflog-token 4711" },
                            { "Show a program and a log", "proflog serve 4711 server.eventlog" },
                            { "Give Prometheus the metrics of all programs",
                              "proflog serve --all --port 9700 --token-file ~/.proflog-token" },
                            { "Show a program without writing a log to the disk",
                              "mono --profile=proflog:calls,output=#1 app.exe | proflog serve -" }),
  .options = { { own, 0 },
               { live_options, offsetof (struct serve_values, live) },
               { log_text_format_option, 0 },
               { log_options, 0 } },
  .run = run,
};
