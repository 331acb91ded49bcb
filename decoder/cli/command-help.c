/* command-help.c -- help texts out of the tables of options, wrapped. */
#include "config.h"

#include "decoder/cli/command-help.h"
#include "decoder/cli/terminal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a list's second column. */
#define OPTION_COLUMN 29
#define COLUMN_MAX 32

static const char *const group_titles[CLI_GROUPS] = {
  [CLI_RECORD] = "Record",   [CLI_INSPECT] = "Inspect",
  [CLI_HEAP] = "Heap",       [CLI_LIVE] = "Live (while the log is written)",
  [CLI_CONVERT] = "Convert",
};
static const char *const group_names[CLI_GROUPS] = {
  [CLI_RECORD] = "record", [CLI_INSPECT] = "inspect", [CLI_HEAP] = "heap",
  [CLI_LIVE] = "live",     [CLI_CONVERT] = "convert",
};

/* ---- wrapping ---- */

static void
append_blanks (GString *out, size_t count)
{
  for (; count > 0; count--)
    g_string_append_c (out, ' ');
}

/* Appends words at column `at`, and ends the line; lines after the first begin at `indent`. */
static void
append_words (GString *out, const char *text, size_t at, size_t indent, size_t width)
{
  bool is_first = true; /* of its line */
  while (*text != 0) {
    const size_t length = strcspn (text, " \n");
    if (!is_first && at + 1 + length > width) {
      g_string_append_c (out, '\n');
      append_blanks (out, indent);
      at = indent;
      is_first = true;
    }
    if (!is_first) {
      g_string_append_c (out, ' ');
      at++;
    }
    g_string_append_len (out, text, (gssize) length);
    at += length;
    is_first = false;
    text += length;
    text += strspn (text, " \n");
  }
  g_string_append_c (out, '\n');
}

/* A row of a list: a name at column 2, and its text from `column` on. */
static void
append_row (GString *out, const char *name, const char *text, size_t column, size_t width)
{
  size_t at = 2 + strlen (name);
  append_blanks (out, 2);
  g_string_append (out, name);
  if (at + 2 > column) {
    g_string_append_c (out, '\n');
    at = 0;
  }
  append_blanks (out, column - at);
  append_words (out, text, column, column, width);
}

/* Where the second column of a line "  NAME  text" begins; 0: it is no such line. */
static size_t
second_column (const char *line)
{
  if (line[0] != ' ')
    return 0;
  const char *name = line + strspn (line, " ");
  const char *gap = strstr (name, "  ");
  const char *end = strchr (name, '\n');
  return gap == NULL || (end != NULL && gap > end) ? 0 : (size_t) (gap - line) + strspn (gap, " ");
}

/* Appends paragraphs, and rows of lists, whose further lines are indented as the second column. */
static void
append_text (GString *out, const char *text, size_t width)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL;) {
    const size_t column = second_column (*line);
    g_autofree char *first = g_strdup (*line + column);
    GString *words = g_string_new (g_strstrip (first));
    if (**line == 0) {
      g_string_append_c (out, '\n');
      line++;
    } else {
      g_autofree char *name = g_strndup (*line, column);
      const bool is_row = **line == ' ';
      for (line++; *line != NULL && **line != 0
                   && (is_row ? g_str_has_prefix (*line, "      ") && second_column (*line) == 0
                              : **line != ' ');
           line++) {
        g_string_append_c (words, ' ');
        g_string_append (words, *line + strspn (*line, " "));
      }
      if (is_row) {
        append_row (out, g_strstrip (name), words->str, MIN (column, COLUMN_MAX), width);
      } else {
        append_words (out, words->str, 0, 0, width);
      }
    }
    g_string_free (words, TRUE);
  }
}

/* ---- one command ---- */

static void
append_option (GString *out, const struct cli_option *o, size_t width)
{
  GString *name = g_string_new (NULL);
  if (o->letter != 0)
    g_string_append_printf (name, "-%c, ", o->letter);
  else
    g_string_append (name, "    ");
  g_string_append_printf (name, "--%s", o->name);
  if (o->argument != NULL)
    g_string_append_printf (name, o->is_optional ? "[=%s]" : "=%s", o->argument);
  append_row (out, name->str, o->help, OPTION_COLUMN, width);
  g_string_free (name, TRUE);
}

static void
append_options (GString *out, const struct cli_command *command, size_t width)
{
  const struct cli_option *o;
  size_t base;
  g_string_append (out, "\nOptions:\n");
  for (guint i = 0; (o = cli_option_at (command, i, &base)) != NULL; i++)
    if (cli_option_is_listed (command, o))
      append_option (out, o, width);
}

static void
append_usage (GString *out, const struct cli_command *command)
{
  g_auto (GStrv) lines = g_strsplit (command->parameters, "\n", -1);
  if (lines[0] == NULL)
    g_string_append_printf (out, "Usage: proflog %s [OPTION...]\n", command->name);
  for (char **line = lines; *line != NULL; line++)
    g_string_append_printf (out, "%s proflog %s [OPTION...] %s\n",
                            line == lines ? "Usage:" : "      ", command->name, *line);
}

void
command_help_print (const struct cli_command *command)
{
  const size_t width = terminal_columns ();
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (command->description);
  append_usage (out, command);
  g_autofree char *summary
      = g_strdup_printf ("%c%s.", g_ascii_toupper (command->summary[0]), command->summary + 1);
  append_words (out, summary, 0, 0, width);
  append_options (out, command, width);
  if (command->describe != NULL)
    command->describe (command, text);
  if (text->len != 0) {
    g_string_append_c (out, '\n');
    append_text (out, g_strchomp (text->str), width);
  }
  if (command->examples != NULL)
    g_string_append_printf (out, "\nExamples:\n%s\n", command->examples);
  fputs (out->str, stdout);
}

/* ---- all commands ---- */

char *
command_help_list (void)
{
  const size_t width = terminal_columns ();
  GString *out = g_string_new ("Usage: proflog COMMAND [OPTION...] [ARGUMENT...]\n");
  append_words (
      out,
      "Records Mono programs, and reads the logs of Mono's profilers and the eventlogs of "
      "GHC.",
      0, 0, width);
  for (enum cli_group group = 0; group < CLI_GROUPS; group++) {
    g_string_append_printf (out, "\n%s:\n", group_titles[group]);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; c++)
      if ((*c)->group == group)
        append_row (out, (*c)->name, (*c)->summary, 13, width);
  }
  g_string_append (out,
                   "\n'proflog COMMAND --help' or 'proflog help COMMAND' describes a command.\n");
  return g_string_free (out, FALSE);
}

/* ---- completion ---- */

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
complete_option (const struct cli_command *command, const struct cli_option *o)
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

void
command_help_complete (void)
{
  for (const struct cli_command *const *c = cli_commands; *c != NULL; c++) {
    const struct cli_option *o;
    size_t base;
    g_autoptr (GPtrArray) words = g_ptr_array_new ();
    printf ("command\t%s\t%s\t%s\n", (*c)->name, group_names[(*c)->group], (*c)->summary);
    if ((*c)->words != NULL)
      (*c)->words (*c, words);
    for (guint i = 0; i < words->len; i++)
      printf ("word\t%s\t%s\n", (*c)->name, (const char *) words->pdata[i]);
    for (guint i = 0; (o = cli_option_at (*c, i, &base)) != NULL; i++)
      if (!is_shadowed (*c, i, o))
        complete_option (*c, o);
  }
}
