/* main.c -- finds the command and runs it; prints the tables of all for programs. */
#include "config.h"

#include "decoder/cli/module-help.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-help.h"
#include "decoder/cli/command-list.h"
#include "decoder/cli/complete-line.h"
#include "decoder/command/helper-program.h"
#include "decoder/command/message.h"
#include "decoder/command/out-of-memory.h"
#include "decoder/core/suggest.h"
#include "decoder/report/report-commands.h"
#include "decoder/run/run.h"
#ifdef PROFLOG_STATIC
#include "decoder/mcp/mcp-main.h"
#include "decoder/query/query-main.h"
#endif
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* ---- the tables of commands and options ---- */

static const char *
option_kind (const struct cli_option *o)
{
  switch (o->kind) {
  case CLI_FLAG:
  case CLI_HELP:
  case CLI_VERSION:
    return "flag";
  case CLI_PARSED:
    return o->is_optional ? "optional" : "many";
  default:
    return o->is_optional ? "optional" : "value";
  }
}

static void
print_option (const struct cli_command *command, const struct cli_option *o)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  const char letter[] = { '-', o->letter, 0 };
  if (cli_option_is_listed (command, o))
    printf ("option\t%s\t--%s\t%s\t%s\t%s\t%s\n", command->name, o->name,
            o->letter != 0 ? letter : "", option_kind (o), o->argument != NULL ? o->argument : "",
            o->help);
  else if (o->kind == CLI_ALIAS)
    printf ("alias\t%s\t--%s\t--%s\n", command->name, o->name, o->help);
  else
    printf ("%s\t%s\t--%s\n", o->is_hidden ? "hidden" : "refused", command->name, o->name);
  cli_option_values (command, o, values);
  for (guint i = 0; i < values->len; i++)
    printf ("value\t%s\t--%s\t%s\n", command->name, o->name, (const char *) values->pdata[i]);
}

/* Has the command an option of this name before? */
static bool
is_shadowed (const struct cli_command *command, guint index, const struct cli_option *o)
{
  size_t base;
  for (guint i = 0; i < index; i++)
    if (strcmp (cli_option_at (command, i, &base)->name, o->name) == 0)
      return true;
  return false;
}

/* The rows of each line of a text. */
static void
print_lines (const struct cli_command *command, const char *kind, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  if (*text == 0)
    printf ("%s\t%s\t\n", kind, command->name);
  for (char **line = lines; *line != NULL; line++)
    printf ("%s\t%s\t%s\n", kind, command->name, *line);
}

static void
print_texts (const struct cli_command *command)
{
  /* The list of run there has the options of the module, which have rows of their own. */
  g_autofree char *text = command->describe == module_help_describe
                              ? command_help_description (command)
                              : command_help_text (command);
  printf ("command\t%s\t%s\t%s\n", command->name, command_help_groups[command->group],
          command->summary);
  print_lines (command, "usage", command->parameters);
  print_lines (command, "text", text);
  for (const struct cli_example *e = command->examples; e != NULL && e->purpose != NULL; e++)
    printf ("example\t%s\t%s\t%s\n", command->name, e->purpose, e->line);
}

/* Prints all commands, options, fixed values and texts to standard output: docs/man/write-page
 * makes the manual pages and docs/cli.md of it, and tests compare it with the accepted options.
 * Each line has fields between tabs:
 *
 *   command  COMMAND  GROUP  SUMMARY
 *   usage    COMMAND  ARGUMENTS                              of a line of usage
 *   text     COMMAND  LINE                                   of the description
 *   example  COMMAND  PURPOSE  LINE
 *   word     COMMAND  VALUE                                  an argument, such as a verb of ctl
 *   option   COMMAND  --NAME  -X  KIND  ARGUMENT  SENTENCE   "" where there is none
 *   value    COMMAND  --NAME  VALUE
 *   alias    COMMAND  --NAME  --NEW-NAME                     hidden
 *   hidden   COMMAND  --NAME                                 accepted
 *   refused  COMMAND  --NAME                                 known, for its message
 *   module   run  NAME  FORM  SENTENCE                       an option of the module
 *
 * KIND is "flag", "value", "optional" (--NAME or --NAME=VALUE) or "many" (may be repeated).  FORM
 * is NAME with its argument and "[no]". */
static void
command_data_print (void)
{
  for (const struct cli_command *const *c = cli_commands; *c != NULL; c++) {
    const struct cli_option *o;
    size_t base;
    g_autoptr (GPtrArray) words = g_ptr_array_new ();
    print_texts (*c);
    if ((*c)->words != NULL)
      (*c)->words (*c, words);
    for (guint i = 0; i < words->len; i++)
      printf ("word\t%s\t%s\n", (*c)->name, (const char *) words->pdata[i]);
    for (guint i = 0; (o = cli_option_at (*c, i, &base)) != NULL; i++)
      if (!is_shadowed (*c, i, o))
        print_option (*c, o);
  }
  for (const struct module_option *o = module_help_options; o->name != NULL; o++) {
    g_autofree char *form = module_help_form (o);
    printf ("module\trun\t%s\t%s\t%s\n", o->name, form, o->doc);
  }
}

/* ---- the program ---- */

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
    g_autofree char *text = command_help_list ();
    fputs (text, stdout);
    return CLI_OK;
  }
  const struct cli_command *command = cli_find_command (argv[1]);
  if (command == NULL)
    return refuse_command (argv[1]);
  command_help_print (command, true);
  return CLI_OK;
}

static int
run (int argc, char **argv)
{
  if (argc < 2) {
    fputs (command_help_first, stderr);
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

#ifdef PROFLOG_STATIC
static const struct helper_program programs[]
    = { { "proflog-query", query_main }, { "proflog-mcp", mcp_main }, { NULL, NULL } };
#endif

int
main (int argc, char **argv)
{
  out_of_memory_start (run_child_outlast);
  cli_commands = cli_command_list;
#ifdef PROFLOG_STATIC
  helper_programs = programs;
#endif
  if (argc > 0 && mprof_command_is_name (argv[0])) {
    setlocale (LC_CTYPE, "");
    return cli_end (mprof_command_run (argc, argv));
  }
  setlocale (LC_ALL, "");
  return cli_end (run (argc, argv));
}
