/* command-data.c -- prints the tables of commands and options. */
#include "config.h"

#include "decoder/cli/command-data.h"
#include "decoder/command/command-help.h"
#include "decoder/cli/module-help.h"
#include <stdio.h>
#include <string.h>

static const char *
kind_of (const struct cli_option *o)
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
            o->letter != 0 ? letter : "", kind_of (o), o->argument != NULL ? o->argument : "",
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
  /* What run lists there are the options of the module, which have rows of their own. */
  g_autofree char *text = command->describe == module_help_describe
                              ? g_strchomp (g_strdup (command->description))
                              : command_help_text (command);
  printf ("command\t%s\t%s\t%s\n", command->name, command_help_groups[command->group],
          command->summary);
  print_lines (command, "usage", command->parameters);
  print_lines (command, "text", text);
  for (const struct cli_example *e = command->examples; e != NULL && e->purpose != NULL; e++)
    printf ("example\t%s\t%s\t%s\n", command->name, e->purpose, e->line);
}

void
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
