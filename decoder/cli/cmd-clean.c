/* cmd-clean.c -- proflog clean: lists or removes crash buffers whose programs are gone. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-line.h"
#include "decoder/command/message.h"
#include "decoder/command/shell-word.h"
#include "decoder/input/spool-logs.h"
#include "decoder/output/emitter.h"
#include "decoder/output/figure.h"
#include <stdio.h>

enum { YOUNG_S = 24 * 60 * 60 };

struct clean_values {
  bool deletes, all;
};

struct files {
  guint number;
  uint64_t bytes;
};

struct sums {
  struct files old, young;
  guint running;
  bool failed;
};

static void
print_remain (const struct spool_remain *remain, const char *path)
{
  g_autofree char *size = figure_bytes_text (remain->bytes);
  g_autofree char *age = figure_text (FIGURE_NS, (uint64_t) remain->age * 1000000000);
  g_autofree char *options = remain->options != NULL ? emitter_printable (remain->options) : NULL;
  printf ("%s  %s  %s old  process %ld%s%s\n", path, size, age, remain->pid,
          options != NULL ? "  " : "", options != NULL ? options : "");
}

/* Lists one, or removes it. */
static void
clean (const struct spool_remain *remain, const struct clean_values *v, struct sums *sums)
{
  if (remain->is_running) {
    sums->running++;
    return;
  }
  struct files *const files = remain->age < YOUNG_S ? &sums->young : &sums->old;
  const bool stays = v->deletes && !v->all && files == &sums->young;
  g_autofree char *path = emitter_printable (remain->path);
  const int error = v->deletes && !stays ? spool_remain_remove (remain) : 0;
  if (error != 0) {
    cli_message ("proflog clean: %s: %s", path, g_strerror (error));
    sums->failed = true;
    return;
  }
  if (!stays)
    print_remain (remain, path);
  files->number++;
  files->bytes += remain->bytes;
}

static void
say_removed (const struct sums *sums, bool all)
{
  const struct files removed = { sums->old.number + (all ? sums->young.number : 0),
                                 sums->old.bytes + (all ? sums->young.bytes : 0) };
  g_autofree char *size = figure_bytes_text (removed.bytes);
  g_autofree char *left
      = all || sums->young.number == 0
            ? g_strdup ("")
            : g_strdup_printf ("; %u younger than a day left: --all removes these, too",
                               sums->young.number);
  cli_message ("proflog clean: %u files with %s removed%s; %u belong to programs that run",
               removed.number, size, left, sums->running);
}

/* Prints the number of files, and how to remove them. */
static void
say_listed (const struct sums *sums, const char *directory)
{
  const guint old = sums->old.number, young = sums->young.number;
  g_autofree char *size = figure_bytes_text (sums->old.bytes + sums->young.bytes);
  g_autofree char *where = directory != NULL ? shell_word (directory) : NULL;
  const char *const blank = where != NULL ? " " : "", *const end = where != NULL ? where : "";
  cli_message ("proflog clean: %u files with %s; %u belong to programs that run", old + young, size,
               sums->running);
  if (old != 0)
    cli_message ("proflog clean: to remove %s: proflog clean --delete%s%s",
                 young != 0 ? "those that are at least a day old" : "them", blank, end);
  if (young != 0)
    cli_message ("proflog clean: to remove %s: proflog clean --delete --all%s%s",
                 old != 0 ? "all" : "them, all younger than a day", blank, end);
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
  if (v.all && !v.deletes) {
    cli_message ("proflog clean: --all is of use with --delete only");
    return CLI_USAGE;
  }
  const char *const directory = words->len != 0 ? words->pdata[0] : NULL;
  if (directory != NULL && !g_file_test (directory, G_FILE_TEST_IS_DIR)) {
    cli_message ("proflog clean: %s: no directory", directory);
    return CLI_INPUT;
  }
  g_autoptr (GPtrArray) remains = spool_remains_list (directory);
  for (guint i = 0; i < remains->len; i++)
    clean (remains->pdata[i], &v, &sums);
  if (v.deletes)
    say_removed (&sums, v.all);
  else
    say_listed (&sums, directory);
  return sums.failed ? CLI_INPUT : CLI_OK;
}

static const struct cli_option own[] = {
  { .name = "delete",
    .kind = CLI_FLAG,
    .offset = offsetof (struct clean_values, deletes),
    .help = "Remove those that are at least a day old" },
  { .name = "all",
    .kind = CLI_FLAG,
    .offset = offsetof (struct clean_values, all),
    .help = "With --delete: also those that are younger" },
  { .name = NULL },
};

const struct cli_command command_clean = {
  .name = "clean",
  .group = CLI_RECORD,
  .summary = "list or remove crash buffers that killed programs have left",
  .parameters = "[DIRECTORY]",
  .description
  = "A log that goes through a pipe, a socket or a command has its crash buffer (spool) in "
    "XDG_RUNTIME_DIR or /tmp/proflog-UID.  It stays if the program is killed, as it has the last "
    "events of the log; 'proflog repair' makes one log of both.  This command lists those whose "
    "programs are gone, with their sizes and ages and the options of the profiler, which name the "
    "log; --delete removes them.  With DIRECTORY, those there (of crash-buffer=DIRECTORY).  "
    "'proflog ctl' removes them when they are 30 days old.\n\n"
    "A crash buffer beside the file of its log (LOG.spool) is a part of that log: it stays.",
  .examples
  = CLI_EXAMPLES ({ "List the crash buffers of programs that are gone", "proflog clean" },
                  { "Remove those that are at least a day old", "proflog clean --delete" },
                  { "Remove all of them", "proflog clean --delete --all" }),
  .options = { { own, 0 } },
  .run = run,
};
