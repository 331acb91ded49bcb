/* command-line.c -- parses command lines by the tables of options. */
#include "config.h"

#include "decoder/command/command-line.h"
#include "decoder/command/cli.h"
#include "decoder/command/command-help.h"
#include "decoder/command/message.h"
#include "decoder/core/suggest.h"
#include <proflog/units.h>
#include <stdio.h>
#include <string.h>

/* A command line that is parsed. */
struct parser {
  const struct cli_command *command;
  char *values;
  char **next; /* the words that are left, up to NULL */
  GPtrArray *words;
  bool wants_help, wants_version;
};

static bool
refuse_unknown (const struct parser *p, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const struct cli_option *o;
  size_t base;
  for (guint i = 0; (o = cli_option_at (p->command, i, &base)) != NULL; i++)
    if (cli_option_is_listed (p->command, o))
      g_ptr_array_add (names, (gpointer) o->name);
  g_autofree char *near = suggest_text ("--", name, names);
  return cli_refuse (error, "there is no option '--%s'%s", name, near);
}

/* ---- values ---- */

static bool
parse_number (const struct cli_option *o, struct cli_number *number, const char *text,
              GError **error)
{
  guint64 value;
  if (!g_ascii_string_to_unsigned (text, 10, o->min, o->max, &value, NULL))
    return cli_refuse (error, "--%s %s: %s", o->name, text, o->needed);
  *number = (struct cli_number){ .is_set = true, .value = value };
  return true;
}

static bool
parse_time (const struct cli_option *o, struct cli_number *number, const char *text, GError **error)
{
  uint64_t ns;
  if (proflog_parse_time_ns (text, &ns) != PROFLOG_PARSED)
    return cli_refuse (error,
                       "--%s %s: a time is needed: seconds, or a number with ns, us, ms, s, m or h",
                       o->name, text);
  if (ns < o->min || ns > o->max)
    return cli_refuse (error, "--%s %s: %s", o->name, text, o->needed);
  *number = (struct cli_number){ .is_set = true, .value = ns };
  return true;
}

static bool
parse_choice (const struct parser *p, const struct cli_option *o, unsigned *value, const char *text,
              GError **error)
{
  for (const struct cli_choice *c = o->choices; c->name != NULL; c++)
    if (strcmp (c->name, text) == 0) {
      *value = c->value;
      return true;
    }
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *option = g_strconcat ("--", o->name, NULL);
  cli_option_values (p->command, o, names);
  return cli_refuse_value (error, option, text, names);
}

static bool
set_value (struct parser *p, const struct cli_option *o, size_t base, const char *text,
           GError **error)
{
  void *field = p->values + base + o->offset;
  switch (o->kind) {
  case CLI_FLAG:
    *(bool *) field = true;
    return true;
  case CLI_STRING:
    *(const char **) field = text;
    return true;
  case CLI_NUMBER:
    return parse_number (o, field, text, error);
  case CLI_TIME:
    return parse_time (o, field, text, error);
  case CLI_CHOICE:
    return parse_choice (p, o, field, text, error);
  case CLI_PARSED:
    return o->parse (field, text, error);
  case CLI_HELP:
    return p->wants_help = true;
  case CLI_VERSION:
    return p->wants_version = true;
  case CLI_ALIAS:
  case CLI_REFUSED:
    break;
  }
  g_return_val_if_reached (false);
}

/* Can the option be used with this command? */
static bool
check_option (const struct parser *p, const struct cli_option *o, GError **error)
{
  if (o->kind == CLI_REFUSED)
    return cli_refuse (error, "--%s %s", o->name, o->help);
  return cli_option_applies (p->command, o)
         || cli_refuse (error, "--%s does not apply: 'proflog %s' does not show %s", o->name,
                        p->command->name, o->selects);
}

/* `text` is the argument that stands in the same word; NULL: there is none. */
static bool
parse_option (struct parser *p, const struct cli_option *o, size_t base, const char *text,
              GError **error)
{
  if (!check_option (p, o, error))
    return false;
  if (!cli_option_has_argument (o) && text != NULL)
    return cli_refuse (error, "option '--%s' has no value", o->name);
  if (cli_option_has_argument (o) && text == NULL && !o->is_optional) {
    text = *p->next;
    if (text == NULL)
      return cli_refuse (error, "option '--%s' needs a value", o->name);
    p->next++;
  }
  return set_value (p, o, base, text, error);
}

/* ---- words ---- */

/* --NAME or --NAME=VALUE */
static bool
parse_long (struct parser *p, const char *word, GError **error)
{
  const char *equals = strchr (word, '=');
  g_autofree char *name
      = equals != NULL ? g_strndup (word, (gsize) (equals - word)) : g_strdup (word);
  const char *const value = equals != NULL ? equals + 1 : NULL;
  size_t base = 0;
  const struct cli_option *o = cli_find_option (p->command, name, &base);
  return o != NULL ? parse_option (p, o, base, value, error) : refuse_unknown (p, name, error);
}

/* Letters in one word, of which the last may have its argument there, as in -qn10. */
static bool
parse_letters (struct parser *p, const char *letters, GError **error)
{
  for (; *letters != 0; letters++) {
    size_t base = 0;
    const struct cli_option *o = cli_find_letter (p->command, *letters, &base);
    if (o == NULL)
      return cli_refuse (error, "there is no option '-%s'", letters);
    if (cli_option_has_argument (o))
      return parse_option (p, o, base, letters[1] != 0 ? letters + 1 : NULL, error);
    if (!parse_option (p, o, base, NULL, error))
      return false;
  }
  return true;
}

static void
parse_words (struct parser *p)
{
  for (; *p->next != NULL; p->next++)
    g_ptr_array_add (p->words, *p->next);
}

static bool
parse_all (struct parser *p, GError **error)
{
  while (*p->next != NULL) {
    const char *word = *p->next++;
    if (strcmp (word, "--") == 0) {
      parse_words (p);
    } else if (g_str_has_prefix (word, "--")) {
      if (!parse_long (p, word + 2, error))
        return false;
    } else if (word[0] == '-' && word[1] != 0) {
      if (!parse_letters (p, word + 1, error))
        return false;
    } else {
      g_ptr_array_add (p->words, (gpointer) word);
      if (p->command->is_posix)
        parse_words (p);
    }
  }
  return true;
}

enum cli_parse
cli_parse (const struct cli_command *command, int argc, char **argv, void *values, GPtrArray *words,
           GError **error)
{
  struct parser p
      = { .command = command, .values = values, .next = argv + MIN (argc, 1), .words = words };
  if (!parse_all (&p, error))
    return CLI_PARSE_ERROR;
  if (p.wants_help)
    command_help_print (command, false);
  else if (p.wants_version)
    puts ("proflog " PACKAGE_VERSION);
  return p.wants_help || p.wants_version ? CLI_PARSE_DONE : CLI_PARSE_GO_ON;
}

bool
cli_parse_or_report (const struct cli_command *command, int argc, char **argv, void *values,
                     GPtrArray *words, int *status)
{
  GError *error = NULL;
  const enum cli_parse result = cli_parse (command, argc, argv, values, words, &error);
  if (result == CLI_PARSE_ERROR) {
    cli_message ("proflog %s: %s; see 'proflog %s --help'", command->name, error->message,
                 command->name);
    g_error_free (error);
  }
  *status = result == CLI_PARSE_DONE ? CLI_OK : CLI_USAGE;
  return result == CLI_PARSE_GO_ON;
}
