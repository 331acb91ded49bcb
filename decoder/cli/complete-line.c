/* complete-line.c -- completes command lines, from the tables of commands and options. */
#include "config.h"

#include "decoder/cli/complete-line.h"
#include "decoder/command/command-help.h"
#include "decoder/system/control-programs.h"
#include "decoder/cli/module-help.h"
#include "decoder/ghc/ghc-describe.h"
#include "decoder/system/processes.h"
#include "decoder/system/program-control.h"
#include "decoder/views/compare/compare.h"
#include <stdio.h>
#include <string.h>

/* A command line, and the word at its end. */
struct line {
  const struct cli_command *command;
  const char *word;                /* that is completed */
  const struct cli_option *option; /* the word, or its end, is a value of this one; NULL: none */
  guint arguments;                 /* before the word */
  const char *first[2];            /* of these */
  bool is_ended;                   /* no options follow */
};

/* Prints `prefix` and `text` if they begin with the word. */
static void
propose (const struct line *line, const char *prefix, const char *text, const char *description)
{
  g_autofree char *whole = g_strconcat (prefix, text, NULL);
  if (!g_str_has_prefix (whole, line->word))
    return;
  printf ("%s", whole);
  if (description != NULL) {
    g_autofree char *one_line = g_strdelimit (g_strdup (description), "\t\n", ' ');
    printf ("\t%s", one_line);
  }
  putchar ('\n');
}

/* ---- values of options ---- */

static bool
has_upper (const char *text)
{
  for (; *text != 0; text++)
    if (g_ascii_isupper (*text))
      return true;
  return false;
}

/* Adds the fixed words of "TIME|auto" to `names`, as `owned` has them. */
static void
add_alternatives (const char *argument, GPtrArray *names, char ***owned)
{
  *owned = g_strsplit (argument, "|", -1);
  for (char **word = *owned; *word != NULL && (*owned)[1] != NULL; word++)
    if (!has_upper (*word) && strpbrk (*word, "[],%.") == NULL)
      g_ptr_array_add (names, *word);
}

static bool
is_file (const char *argument)
{
  static const char *const files[] = { "FILE", "LOG", "LOG=T", NULL };
  return g_strv_contains (files, argument) || g_str_has_prefix (argument, "MODULE");
}

/* Of a list, the text before its last value belongs to the prefix. */
static char *
prefix_of (const struct line *line, const char *argument)
{
  const char *equals = line->word[0] == '-' ? strchr (line->word, '=') : NULL;
  const char *value = equals != NULL ? equals + 1 : line->word;
  const char *comma = g_str_has_suffix (argument, ",...") ? strrchr (value, ',') : NULL;
  const char *end = comma != NULL ? comma + 1 : value;
  return g_strndup (line->word, (gsize) (end - line->word));
}

static void
complete_module_options (const struct line *line, const char *prefix)
{
  for (const struct module_option *o = module_help_options; o->name != NULL; o++) {
    const bool is_needed = o->argument[0] == '=';
    g_autofree char *word = g_strconcat (o->name, is_needed ? "=" : "", NULL);
    propose (line, prefix, word, o->doc);
  }
}

/* Figures of rows need the row's name. */
static void
complete_figures (const struct line *line, const char *prefix)
{
  g_autoptr (GPtrArray) keys = figure_keys_new ();
  for (guint i = 0; i < keys->len; i++) {
    g_autofree char *begun = g_strconcat (keys->pdata[i], "=", NULL);
    if (strchr (begun, '[') == NULL)
      propose (line, prefix, begun, NULL);
  }
}

static void
complete_ghc_events (const struct line *line, const char *prefix)
{
  for (enum ghc_kind kind = 0; kind < GHC_KINDS; kind++)
    propose (line, prefix, ghc_describe (kind)->name, NULL);
}

/* Values that are no list of the option's own, by the argument of its help. */
static void
complete_known (const struct line *line, const char *argument, const char *prefix)
{
  static const struct {
    const char *argument;
    void (*complete) (const struct line *line, const char *prefix);
  } known[] = { { "OPTION,...", complete_module_options },
                { "KEY=LIMIT", complete_figures },
                { "NAME|TAG,...", complete_ghc_events } };
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (argument, known[i].argument) == 0)
      known[i].complete (line, prefix);
}

static void
complete_value (const struct line *line)
{
  const struct cli_option *o = line->option;
  const char *argument = o->argument != NULL ? o->argument : "";
  g_autofree char *prefix = prefix_of (line, argument);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_auto (GStrv) owned = NULL;
  cli_option_values (line->command, o, names);
  if (names->len == 0 && line->command->columns != NULL && strcmp (argument, "KEY,...") == 0)
    line->command->columns (line->command, names);
  if (names->len == 0)
    add_alternatives (argument, names, &owned);
  for (guint i = 0; i < names->len; i++)
    propose (line, prefix, names->pdata[i], NULL);
  complete_known (line, argument, prefix);
  if (strcmp (argument, "DIR") == 0)
    printf (":folders\t%s\n", prefix);
  else if (is_file (argument))
    printf (":%s\t%s\n", g_str_has_prefix (argument, "LOG") ? "logs" : "files", prefix);
}

/* ---- options ---- */

/* Has it an argument that may be the next word? */
static bool
needs_value (const struct cli_option *o)
{
  return cli_option_has_argument (o) && !o->is_optional;
}

static void
complete_option (const struct line *line)
{
  const struct cli_option *o;
  size_t base;
  for (guint i = 0; (o = cli_option_at (line->command, i, &base)) != NULL; i++) {
    g_autofree char *word = g_strconcat ("--", o->name, needs_value (o) ? "=" : "", NULL);
    if (cli_option_is_listed (line->command, o))
      propose (line, "", word, o->help);
  }
}

/* ---- arguments ---- */

/* Those that a command may be about. */
static void
complete_programs (const struct line *line)
{
  const bool is_attach = strcmp (line->command->name, "attach") == 0;
  g_autoptr (GArray) programs = control_programs_list ();
  if (is_attach)
    detach_mark (programs);
  for (guint i = 0; i < programs->len; i++) {
    const struct control_program *p = &g_array_index (programs, struct control_program, i);
    if ((p->state == CONTROL_UNPROFILED || p->state == CONTROL_DETACHED) != is_attach)
      continue;
    g_autofree char *pid = g_strdup_printf ("%ld", p->pid);
    g_autofree char *command = process_command (p->pid);
    propose (line, "", pid, command);
  }
}

/* The command's fixed values, but those that lines of usage have themselves. */
static void
complete_words (const struct line *line)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *prefix = prefix_of (line, ",...");
  line->command->words (line->command, names);
  for (guint i = 0; i < names->len; i++) {
    const char *const name = names->pdata[i];
    g_autofree char *literal = g_strdup_printf ("[%s]", name);
    g_autofree char *summary = command_help_row (line->command, name);
    if (strstr (line->command->parameters, literal) == NULL)
      propose (line, prefix, name, summary);
  }
}

/* After "PROGRAM enable": the classes that the program can record from now on, and after "PROGRAM
 * disable" those that it records. */
static void
complete_classes (const struct line *line)
{
  const char *const verb = line->arguments >= 2 ? line->first[1] : "";
  const bool enables = strcmp (verb, "enable") == 0;
  if (!enables && strcmp (verb, "disable") != 0)
    return;
  const long pid = control_programs_find_process (line->first[0], NULL);
  g_autofree char *names
      = pid == 0
            ? NULL
            : control_client_status (pid, enables ? "can be enabled" : "classes", CONTROL_SHORT_MS);
  g_auto (GStrv) words = g_strsplit (names != NULL ? names : "none", " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (strcmp (*word, "none") != 0)
      propose (line, "", *word, NULL);
}

/* The words "threads|caps" of a line of usage. */
static void
complete_literals (const struct line *line, const char *token)
{
  g_auto (GStrv) words = g_strsplit (token, "|", -1);
  for (char **word = words; *word != NULL; word++)
    propose (line, "", *word, NULL);
}

/* Those of a program may be, and those of ctl's verbs that name a file. */
static bool
may_be_file (const struct line *line)
{
  static const char *const verbs[] = { "output", "save", NULL };
  if (strcmp (line->command->name, "ctl") != 0)
    return line->command->is_posix;
  return line->arguments >= 2 && g_strv_contains (verbs, line->first[1]);
}

/* Files, unless they are in `done`. */
static void
complete_files (const struct line *line, const char *token, GHashTable *done)
{
  static const struct {
    const char *name, *directive;
  } kinds[] = { { "LOG", ":logs" },      { "BASE", ":logs" },         { "SOURCE", ":logs" },
                { "OUT", ":logs" },      { "SPOOL", ":files" },       { "SOCKET", ":files" },
                { "DIR", ":folders" },   { "DIRECTORY", ":folders" }, { "COMMAND", ":commands" },
                { "ARGUMENT", ":files" } };
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    const bool is_wanted = strcmp (token, "ARGUMENT") != 0 || may_be_file (line);
    if (is_wanted && strcmp (token, kinds[i].name) == 0
        && g_hash_table_add (done, g_strdup (kinds[i].directive)))
      puts (kinds[i].directive);
  }
}

/* Completes a word at the place of `token` of a line of usage. */
static void
complete_token (const struct line *line, const char *token)
{
  if (!has_upper (token))
    complete_literals (line, token);
  else if (strcmp (token, "PROGRAM") == 0 || strcmp (token, "SOURCE") == 0)
    complete_programs (line);
  else if (strcmp (token, "SUBCOMMAND") == 0 || strcmp (token, "VERB") == 0
           || strcmp (token, "MACHINE") == 0)
    complete_words (line);
  else if (strcmp (token, "ARGUMENT") == 0 && strcmp (line->command->name, "ctl") == 0)
    complete_classes (line);
}

/* Completes an argument by a line of usage, as "[SUBCOMMAND] LOG [ARGUMENT...]": optional words
 * before it may be missing. */
static void
complete_usage (const struct line *line, const char *usage, GHashTable *done)
{
  g_auto (GStrv) tokens = g_strsplit (usage, " ", -1);
  const guint n = g_strv_length (tokens);
  guint first = 0, last = 0; /* the argument is one of these */
  for (guint i = 0; i < line->arguments; i++) {
    while (last < n && tokens[last][0] == '[')
      last++;
    const bool repeats = first < n && strstr (tokens[first], "...") != NULL;
    first += repeats ? 0 : 1;
    last += last < n && strstr (tokens[last], "...") != NULL ? 0 : 1;
  }
  while (last < n && tokens[last][0] == '[')
    last++;
  for (guint i = first; i <= last && i < n; i++) {
    char *token = tokens[i] + (tokens[i][0] == '[' ? 1 : 0);
    token[strcspn (token, "].,")] = 0;
    if (*token == '-' || *token == 0 || !g_hash_table_add (done, g_strdup (token)))
      continue;
    complete_token (line, token);
    complete_files (line, token, done);
  }
}

static void
complete_argument (const struct line *line)
{
  g_auto (GStrv) usages = g_strsplit (line->command->parameters, "\n", -1);
  g_autoptr (GHashTable) done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (char **usage = usages; *usage != NULL; usage++)
    complete_usage (line, g_str_has_prefix (*usage, "[--] ") ? *usage + 5 : *usage, done);
}

/* ---- the line ---- */

static void
complete_command (const struct line *line)
{
  for (const struct cli_command *const *c = cli_commands; *c != NULL; c++)
    propose (line, "", (*c)->name, (*c)->summary);
}

/* The option of a word "--NAME" or "-X"; NULL: none, or its value is in the word. */
static const struct cli_option *
option_before_value (const struct cli_command *command, const char *word)
{
  const struct cli_option *o;
  size_t base;
  if (word[0] != '-' || strchr (word, '=') != NULL)
    return NULL;
  if (word[1] == '-')
    o = cli_find_option (command, word + 2, &base);
  else
    o = word[1] != 0 && word[2] == 0 ? cli_find_letter (command, word[1], &base) : NULL;
  return o != NULL && needs_value (o) ? o : NULL;
}

/* Reads the words before the present one. */
static void
read_words (struct line *line, int count, char **words)
{
  for (int i = 0; i < count; i++) {
    const bool is_argument = line->is_ended || words[i][0] != '-' || words[i][1] == 0;
    if (line->option != NULL) {
      line->option = NULL;
    } else if (is_argument) {
      if (line->arguments < G_N_ELEMENTS (line->first))
        line->first[line->arguments] = words[i];
      line->arguments++;
      line->is_ended |= line->command->is_posix;
    } else if (strcmp (words[i], "--") == 0) {
      line->is_ended = true;
    } else {
      line->option = option_before_value (line->command, words[i]);
    }
  }
}

void
complete_line_print (int count, char **words)
{
  struct line line = { .word = words[count - 1] };
  if (count == 1 || (count == 2 && strcmp (words[0], "help") == 0)) {
    complete_command (&line);
    return;
  }
  line.command = cli_find_command (words[0]);
  if (line.command == NULL)
    return;
  read_words (&line, count - 2, words + 1);
  const char *equals = strchr (line.word, '=');
  if (line.option != NULL) {
    complete_value (&line);
  } else if (!line.is_ended && g_str_has_prefix (line.word, "--") && equals != NULL) {
    size_t base;
    g_autofree char *name = g_strndup (line.word + 2, (gsize) (equals - line.word - 2));
    line.option = cli_find_option (line.command, name, &base);
    if (line.option != NULL)
      complete_value (&line);
  } else if (!line.is_ended && line.word[0] == '-') {
    complete_option (&line);
  } else {
    complete_argument (&line);
  }
}
