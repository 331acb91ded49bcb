/* fuzz-command-line.c -- any words as the command line of any command: an error states the
 * reason. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/log/log-command.h"
#include "decoder/report/report-commands.h"
#include "tests/fuzz/fuzz.h"

/* More than the values of any command have, from their beginning on. */
enum { VALUES_BYTES = 1 << 16, WORDS_MOST = 64 };

/* Help and versions are printed, which is nothing to be tested here. */
static bool
is_printed (const char *word)
{
  return g_str_has_prefix (word, "--h") || g_str_has_prefix (word, "--v")
         || strcmp (word, "-h") == 0
         || (word[0] == '-' && word[1] != '-' && strpbrk (word, "hV") != NULL);
}

static guint
split (char *text, char **argv)
{
  guint argc = 0;
  for (char *word, *rest = text; argc < WORDS_MOST && (word = strsep (&rest, "\n")) != NULL;)
    if (!is_printed (word))
      argv[argc++] = word;
  return argc;
}

/* Some values live as long as a command, which is a process. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "detect_leaks=0";
}

/* Frees the memory of parsers, but for a few words. */
static void
clear (const struct cli_command *command, char *values)
{
  for (const struct cli_options *o = command->options; o->table != NULL; o++)
    if (o->table == log_selection_options)
      selection_clear (&((struct log_command *) (void *) values)->selection);
    else if (o->table == budget_options)
      budget_options_clear ((struct budget_options *) (void *) (values + o->base));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static uint64_t values[VALUES_BYTES / sizeof (uint64_t)];
  static guint n_commands;
  char *argv[WORDS_MOST + 1] = { NULL };
  GError *error = NULL;
  g_autofree char *text = fuzz_text (data, size);
  const guint argc = split (text, argv);
  cli_commands = cli_command_list;
  while (cli_commands[n_commands] != NULL)
    n_commands++;
  if (argc == 0)
    return 0;
  const struct cli_command *command = cli_find_command (argv[0]);
  if (command == NULL)
    command = cli_commands[size % n_commands];
  GPtrArray *words = g_ptr_array_new ();
  memset (values, 0, sizeof values);
  const enum cli_parse result = cli_parse (command, (int) argc, argv, values, words, &error);
  if (result == CLI_PARSE_ERROR && (error == NULL || *error->message == 0))
    g_error ("there is no reason why the words are refused");
  clear (command, (char *) values);
  g_clear_error (&error);
  g_ptr_array_unref (words);
  return 0;
}
