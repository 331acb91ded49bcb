/* cmd-replay.c -- proflog replay: its options; the command is a program of its own (replay/). */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "replay/replay-values.h"
#include "decoder/command/cli.h"
#include "decoder/command/helper-program.h"
#include "decoder/command/message.h"

static int
run (const struct cli_command *command, int argc, char **argv)
{
  (void) command;
  (void) argc;
#ifdef HAVE_LIBFFI
  return helper_program_run ("proflog-replay", argv);
#else
  cli_message ("proflog %s: proflog was built without libffi", argv[0]);
  return CLI_INPUT;
#endif
}

static const struct cli_option own[] = {
  { .name = "into",
    .kind = CLI_STRING,
    .argument = "MODULE.so[:OPTIONS]",
    .offset = offsetof (struct replay_values, into),
    .help = "The module, and the options that --profile= would pass to it" },
  { .name = NULL },
};

const struct cli_command command_replay = {
  .name = "replay",
  .group = CLI_CONVERT,
  .summary = "replay the events of a Mono log into a profiler module",
  .parameters = "LOG",
  .description
  = "Loads MODULE.so, any profiler module of Mono that uses only Mono's public functions, into a "
    "simulated runtime, and calls it for the events of the log: the same calls in the same order "
    "each time.  Threads of the log are threads, which run in turn, in the order of their times.  "
    "Images, classes, methods and objects have their names and types from the log.  Backtraces are "
    "the stack that the module finds, and heap snapshots are the objects that it visits when it "
    "walks the heap.\n\n"
    "The report lists the calls, those that the module requested, the events that cannot be "
    "replayed (samples, counters, coverage), and the time of the calls without reading the log.\n\n"
    "The exit status is 3 if the log cannot be read, if the module cannot be loaded or requests "
    "nothing, or if it does something that a real runtime would not survive.",
  .examples = CLI_EXAMPLES (
      { "Record the events of a log once more",
        "proflog replay app.mlpd --into libmono-profiler-proflog.so:alloc,output=b.mlpd" },
      { "Test a module of your own",
        "proflog replay app.mlpd --into ./libmono-profiler-mine.so --format json" }),
  .options = { { own, 0 }, { log_format_option, 0 }, { log_options, 0 } },
  .run = run,
};
