/* main.c -- finds the command and runs it. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/cli/command-data.h"
#include "decoder/command/command-help.h"
#include "decoder/cli/command-list.h"
#include "decoder/cli/complete-line.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/report/mprof-command.h"
#include "decoder/run/run-child.h"
#include "decoder/core/suggest.h"
#include <locale.h>
#include <stdio.h>
#include <string.h>

static void
print_usage (FILE *to)
{
  g_autofree char *text = command_help_list ();
  fputs (text, to);
}

static int
refuse_command (const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const struct cli_command *const *c = cli_commands; *c != NULL; c++)
    g_ptr_array_add (names, (gpointer) (*c)->name);
  g_autofree char *near = suggest_text ("", name, names);
  cli_message ("proflog: there is no command '%s'%s; see 'proflog --help'", name, near);
  return CLI_USAGE;
}

/* `proflog help [COMMAND]` */
static int
print_help (int argc, char **argv)
{
  if (argc < 2) {
    print_usage (stdout);
    return CLI_OK;
  }
  const struct cli_command *command = cli_find_command (argv[1]);
  if (command == NULL)
    return refuse_command (argv[1]);
  command_help_print (command);
  return CLI_OK;
}

static int
run (int argc, char **argv)
{
  if (argc < 2) {
    print_usage (stderr);
    return CLI_USAGE;
  }
  const char *const name = argv[1];
  if (strcmp (name, "--version") == 0 || strcmp (name, "-V") == 0) {
    puts ("proflog " PACKAGE_VERSION);
    return CLI_OK;
  }
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0 || strcmp (name, "help") == 0)
    return print_help (argc - 1, argv + 1);
  if (strcmp (name, "--complete") == 0) {
    if (argc > 2)
      complete_line_print (argc - 2, argv + 2);
    else
      command_data_print ();
    return CLI_OK;
  }
  const struct cli_command *command = cli_find_command (name);
  return command != NULL ? command->run (command, argc - 1, argv + 1) : refuse_command (name);
}

int
main (int argc, char **argv)
{
  out_of_memory_start (run_child_outlast);
  cli_commands = cli_command_list;
  if (argc > 0 && mprof_command_is_name (argv[0])) {
    setlocale (LC_CTYPE, "");
    return cli_end (mprof_command_run (argc, argv));
  }
  setlocale (LC_ALL, "");
  return cli_end (run (argc, argv));
}
