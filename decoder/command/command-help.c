/* command-help.c -- help texts out of the tables of options, wrapped. */
#include "config.h"

#include "decoder/command/command-help.h"
#include "decoder/command/terminal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a list's second column. */
#define OPTION_COLUMN 29
#define COLUMN_MAX 32

const char *const command_help_groups[CLI_GROUPS] = {
  [CLI_RECORD] = "Record",   [CLI_INSPECT] = "Inspect",
  [CLI_HEAP] = "Heap",       [CLI_LIVE] = "Live (while the log is written)",
  [CLI_CONVERT] = "Convert",
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

#define SENTENCE_END ".  "

/* A help text: all, if `whole`, else its first sentence (transfer full). */
static char *
sentences (const char *text, bool whole)
{
  const char *end = whole ? NULL : strstr (text, SENTENCE_END);
  return end != NULL ? g_strndup (text, (gsize) (end - text)) : g_strdup (text);
}

static void
append_option (GString *out, const struct cli_option *o, bool whole, size_t width)
{
  g_autofree char *text = sentences (o->help, whole);
  GString *name = g_string_new (NULL);
  if (o->letter != 0)
    g_string_append_printf (name, "-%c, ", o->letter);
  else
    g_string_append (name, "    ");
  g_string_append_printf (name, "--%s", o->name);
  if (o->argument != NULL)
    g_string_append_printf (name, o->is_optional ? "[=%s]" : "=%s", o->argument);
  append_row (out, name->str, text, OPTION_COLUMN, width);
  g_string_free (name, TRUE);
}

static void
append_options (GString *out, const struct cli_command *command, bool whole, size_t width)
{
  const struct cli_option *o;
  size_t base;
  g_string_append (out, "\nOptions:\n");
  for (guint i = 0; (o = cli_option_at (command, i, &base)) != NULL; i++)
    if (cli_option_is_listed (command, o))
      append_option (out, o, whole, width);
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

static void
append_examples (GString *out, const struct cli_command *command)
{
  if (command->examples == NULL)
    return;
  g_string_append (out, "\nExamples:\n");
  for (const struct cli_example *e = command->examples; e->purpose != NULL; e++)
    g_string_append_printf (out, "%s  # %s\n  %s\n", e == command->examples ? "" : "\n", e->purpose,
                            e->line);
}

/* (transfer full) */
static GString *
whole_description (const struct cli_command *command)
{
  GString *text = g_string_new (command->description);
  g_string_replace (text, CLI_MORE, "", 0);
  return text;
}

char *
command_help_description (const struct cli_command *command)
{
  return g_strchomp (g_string_free (whole_description (command), FALSE));
}

char *
command_help_text (const struct cli_command *command)
{
  GString *text = whole_description (command);
  if (command->describe != NULL)
    command->describe (command, text);
  return g_strchomp (g_string_free (text, FALSE));
}

char *
command_help_row (const struct cli_command *command, const char *name)
{
  g_autofree char *text = command_help_text (command);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  const size_t length = strlen (name);
  for (char **line = lines; *line != NULL; line++) {
    const size_t column = second_column (*line);
    const char *word = *line + strspn (*line, " ");
    if (column != 0 && strncmp (word, name, length) == 0 && word[length] == ' ')
      return g_strdup (*line + column);
  }
  return NULL;
}

/* The part of a command's description that its short help has (transfer full). */
static char *
short_text (const struct cli_command *command)
{
  const char *more = strstr (command->description, CLI_MORE);
  return more != NULL
             ? g_strchomp (g_strndup (command->description, (gsize) (more - command->description)))
             : command_help_text (command);
}

/* Has the short help less than all of it? */
static bool
has_more (const struct cli_command *command)
{
  const struct cli_option *o;
  size_t base;
  for (guint i = 0; (o = cli_option_at (command, i, &base)) != NULL; i++)
    if (cli_option_is_listed (command, o) && strstr (o->help, SENTENCE_END) != NULL)
      return true;
  return strstr (command->description, CLI_MORE) != NULL;
}

void
command_help_print (const struct cli_command *command, bool whole)
{
  const size_t width = terminal_columns ();
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *text = whole ? command_help_text (command) : short_text (command);
  append_usage (out, command);
  g_autofree char *summary
      = g_strdup_printf ("%c%s.", g_ascii_toupper (command->summary[0]), command->summary + 1);
  append_words (out, summary, 0, 0, width);
  append_options (out, command, whole, width);
  if (*text != 0) {
    g_string_append_c (out, '\n');
    append_text (out, text, width);
  }
  append_examples (out, command);
  if (!whole && has_more (command))
    g_string_append_printf (out, "\n'proflog help %s' states all of it.\n", command->name);
  fputs (out->str, stdout);
}

/* ---- all commands ---- */

const char command_help_first[]
    = "Usage: proflog COMMAND [OPTION...] [ARGUMENT...]\n"
      "Finds where the time and memory of Mono and GHC programs go.\n\n"
      "  proflog run mono app.exe      record a program; --wall: what it waits for,\n"
      "                                --allocs: what it allocates, --heapshot: its heap\n"
      "  proflog attach PID            record a running one\n"
      "  proflog report LOG            what stands out, and all figures\n"
      "  proflog flame LOG -o F.html   a flame graph, for the browser\n"
      "  proflog heap leaks LOG        what grows, and what retains it\n"
      "  proflog diff OLD NEW          what is slower, or larger\n"
      "  proflog top PID               what a running program does\n"
      "  proflog serve LOG             the same in a browser\n\n"
      "'proflog --help' lists all commands, 'proflog COMMAND --help' describes one.\n";

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
    g_string_append_printf (out, "\n%s:\n", command_help_groups[group]);
    for (const struct cli_command *const *c = cli_commands; *c != NULL; c++)
      if ((*c)->group == group)
        append_row (out, (*c)->name, (*c)->summary, 13, width);
  }
  g_string_append (
      out, "\n'proflog COMMAND --help' describes a command, 'proflog help COMMAND' all of it.\n");
  return g_string_free (out, FALSE);
}
