/* cmd-clean.c -- proflog clean: removes crash buffers whose programs are gone. */
#include "config.h"

#include "decoder/cli/cli.h"
#include "decoder/cli/command-line.h"
#include "decoder/cli/message.h"
#include "decoder/input/spool-remains.h"
#include "decoder/output/emitter.h"
#include <stdio.h>

struct clean_values {
  bool dry_run;
};

struct sums {
  guint removed, running;
  uint64_t bytes;
  bool failed;
};

static void
clean (const struct spool_remain *remain, bool dry_run, struct sums *sums)
{
  g_autofree char *path = emitter_printable (remain->path);
  if (remain->is_running) {
    sums->running++;
    return;
  }
  const int error = dry_run ? 0 : spool_remain_remove (remain);
  if (error != 0) {
    cli_message ("proflog clean: %s: %s", path, g_strerror (error));
    sums->failed = true;
    return;
  }
  g_autoptr (GDateTime) changed = g_date_time_new_from_unix_local (remain->changed);
  g_autofree char *date = changed != NULL ? g_date_time_format (changed, "%Y-%m-%d %H:%M") : NULL;
  printf ("%s  %" G_GUINT64_FORMAT " bytes  process %ld  last written %s\n", path, remain->bytes,
          remain->pid, date != NULL ? date : "at an unknown time");
  sums->removed++;
  sums->bytes += remain->bytes;
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct clean_values v = { 0 };
  struct sums sums = { 0 };
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  int status;
  if (!cli_parse_or_report (spec, argc, argv, &v, words, &status))
    return status;
  if (words->len > 1) {
    cli_message ("proflog clean: '%s': there is one directory at most; see 'proflog clean --help'",
                 (char *) words->pdata[1]);
    return CLI_USAGE;
  }
  const char *const directory = words->len != 0 ? words->pdata[0] : NULL;
  if (directory != NULL && !g_file_test (directory, G_FILE_TEST_IS_DIR)) {
    cli_message ("proflog clean: %s: no directory", directory);
    return CLI_INPUT;
  }
  g_autoptr (GPtrArray) remains = spool_remains_list (directory);
  for (guint i = 0; i < remains->len; i++)
    clean (remains->pdata[i], v.dry_run, &sums);
  cli_message ("proflog clean: %u files with %" G_GUINT64_FORMAT
               " bytes %s; %u belong to programs that run",
               sums.removed, sums.bytes, v.dry_run ? "would be removed" : "removed", sums.running);
  return sums.failed ? CLI_INPUT : CLI_OK;
}

static const struct cli_option own[] = {
  { .name = "dry-run",
    .letter = 'n',
    .kind = CLI_FLAG,
    .offset = offsetof (struct clean_values, dry_run),
    .help = "List the files, and remove nothing" },
  { .name = NULL },
};

const struct cli_command command_clean = {
  .name = "clean",
  .group = CLI_RECORD,
  .summary = "remove crash buffers that killed programs have left",
  .parameters = "[DIRECTORY]",
  .description
  = "A log that goes through a pipe, a socket or a command has its crash buffer (spool) in "
    "XDG_RUNTIME_DIR or /tmp/proflog-UID.  It stays if the program is killed, as it has the last "
    "events of the log; 'proflog repair' makes one log of both.  This command lists and removes "
    "those whose programs are gone; with DIRECTORY, those there (of crash-buffer=DIRECTORY).  "
    "'proflog ctl' removes them when they are 30 days old.\n\n"
    "A crash buffer beside the file of its log (LOG.spool) is a part of that log: it stays.",
  .examples
  = CLI_EXAMPLES ({ "List the crash buffers of programs that are gone", "proflog clean --dry-run" },
                  { "Remove them", "proflog clean" }),
  .options = { { own, 0 } },
  .run = run,
};
