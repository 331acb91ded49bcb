/* main.c -- finds the command and runs it. */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/tell.h"
#include <glib.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

struct command {
  const char *name;
  const char *summary;
  int (*run) (int argc, char **argv);
};

static const struct command commands[] = {
#define COMMAND(name, summary) { #name, summary, cmd_##name },
#include "decoder/cli/commands.def"
};

static void
print_usage (FILE *to)
{
  fputs ("Usage: proflog COMMAND [OPTION...] [ARGUMENT...]\n"
         "Records what Mono programs do, and explains the logs of Mono's profilers and of GHC.\n\n"
         "Commands:\n",
         to);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (to, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fputs ("\n`proflog COMMAND --help` (or `proflog help COMMAND`) tells about one of them.\n", to);
}

static const struct command *
find_command (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static int
unknown_command (const char *name)
{
  cli_tell ("proflog: there is no command '%s'; see 'proflog --help'", name);
  return CLI_USAGE;
}

/* `proflog help [COMMAND]` */
static int
help (int argc, char **argv)
{
  if (argc < 2) {
    print_usage (stdout);
    return CLI_OK;
  }
  const struct command *command = find_command (argv[1]);
  if (command == NULL)
    return unknown_command (argv[1]);
  char *args[] = { argv[1], (char *) "--help", NULL };
  return command->run (2, args);
}

static int
run (int argc, char **argv)
{
  if (argc < 2) {
    print_usage (stderr);
    return CLI_USAGE;
  }
  if (strcmp (argv[1], "--version") == 0 || strcmp (argv[1], "-V") == 0) {
    puts ("proflog " PACKAGE_VERSION);
    return CLI_OK;
  }
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0
      || strcmp (argv[1], "help") == 0)
    return help (argc - 1, argv + 1);
  const struct command *command = find_command (argv[1]);
  if (command == NULL)
    return unknown_command (argv[1]);
  return command->run (argc - 1, argv + 1);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  return cli_end (run (argc, argv));
}
