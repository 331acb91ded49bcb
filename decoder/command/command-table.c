/* command-table.c -- looks up commands and options. */
#include "config.h"

#include "decoder/command/command-table.h"
#include "decoder/core/suggest.h"
#include <string.h>

/* ---- the commands ---- */

static const struct cli_command *const no_commands[] = { NULL };

const struct cli_command *const *cli_commands = no_commands;

const struct cli_command *
cli_find_command (const char *name)
{
  for (const struct cli_command *const *c = cli_commands; *c != NULL; c++)
    if (strcmp ((*c)->name, name) == 0)
      return *c;
  return NULL;
}

/* ---- options ---- */

/* All commands have these. */
static const struct cli_option standard_options[] = {
  { .name = "version", .letter = 'V', .kind = CLI_VERSION, .help = "Print the version of proflog" },
  { .name = "help", .letter = 'h', .kind = CLI_HELP, .help = "Print this text" },
  { .name = NULL },
};

const struct cli_option *
cli_option_at (const struct cli_command *command, guint index, size_t *base)
{
  for (const struct cli_options *list = command->options;; list++) {
    const struct cli_option *o = list->table != NULL ? list->table : standard_options;
    *base = list->base;
    for (; o->name != NULL; o++)
      if (index-- == 0)
        return o;
    if (list->table == NULL)
      return NULL;
  }
}

const struct cli_option *
cli_find_option (const struct cli_command *command, const char *name, size_t *base)
{
  const struct cli_option *o;
  for (guint i = 0; (o = cli_option_at (command, i, base)) != NULL; i++)
    if (strcmp (o->name, name) == 0)
      return o->kind == CLI_ALIAS ? cli_find_option (command, o->help, base) : o;
  return NULL;
}

const struct cli_option *
cli_find_letter (const struct cli_command *command, char letter, size_t *base)
{
  const struct cli_option *o;
  for (guint i = 0; (o = cli_option_at (command, i, base)) != NULL; i++)
    if (o->letter == letter)
      break;
  return o;
}

bool
cli_option_has_argument (const struct cli_option *o)
{
  return o->kind != CLI_FLAG && o->kind != CLI_HELP && o->kind != CLI_VERSION;
}

bool
cli_option_applies (const struct cli_command *command, const struct cli_option *o)
{
  return o->sets == 0 || (command->selects & o->sets) != 0;
}

bool
cli_option_is_listed (const struct cli_command *command, const struct cli_option *o)
{
  return !o->is_hidden && o->kind != CLI_ALIAS && o->kind != CLI_REFUSED
         && cli_option_applies (command, o);
}

void
cli_option_values (const struct cli_command *command, const struct cli_option *o, GPtrArray *names)
{
  for (const struct cli_choice *c = o->choices; c != NULL && c->name != NULL; c++)
    if (!c->is_hidden)
      g_ptr_array_add (names, (gpointer) c->name);
  if (o->list != NULL)
    o->list (command, names);
}

/* ---- errors ---- */

bool
cli_refuse (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
  g_free (message);
  return false;
}

char *
cli_join (const GPtrArray *names)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0               ? ""
                            : i + 1 < names->len ? ", "
                                                 : " and ",
                            (const char *) names->pdata[i]);
  return g_string_free (text, FALSE);
}

bool
cli_refuse_value (GError **error, const char *option, const char *text, const GPtrArray *names)
{
  g_autofree char *all = cli_join (names);
  g_autofree char *near = suggest_text ("", text, names);
  return cli_refuse (error, "%s %s: there %s %s%s", option, text,
                     names->len == 1 ? "is only" : "are", all, near);
}
