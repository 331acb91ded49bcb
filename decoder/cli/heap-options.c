/* heap-options.c -- makes a request of the command line of proflog heap. */
#include "config.h"

#include "decoder/cli/heap-options.h"
#include "decoder/core/suggest.h"
#include <limits.h>
#include <proflog/units.h>
#include <string.h>

/* ---- options ---- */

/* "5%", or bytes as "64K". */
static bool
parse_threshold (void *field, const char *text, GError **error)
{
  struct heap_threshold *t = field;
  char *end;
  uint64_t bytes;
  const double percents = g_ascii_strtod (text, &end);
  t->is_set = true;
  t->is_percent = strcmp (end, "%") == 0;
  if (t->is_percent && end != text && percents >= 0 && percents < 1e18) {
    t->number = percents;
    return true;
  }
  if (proflog_parse_bytes (text, &bytes) != PROFLOG_PARSED)
    return cli_refuse (
        error, "--fail-above %s: a number of bytes is needed, as 64K, or percents as 5%%", text);
  t->number = (double) bytes;
  return true;
}

static const struct cli_choice bys[] = { { "class", HEAP_BY_CLASS, false },
                                         { "assembly", HEAP_BY_ASSEMBLY, false },
                                         { "size", HEAP_BY_SIZE, false },
                                         { NULL, 0, false } };

const struct cli_option heap_options[] = {
  { .name = "shot",
    .kind = CLI_NUMBER,
    .argument = "N",
    .offset = offsetof (struct heap_values, shot),
    .max = G_MAXINT,
    .needed = "the number of a heap snapshot is needed; 'proflog heap LOG' lists them",
    .help = "Number of the heap snapshot, instead of the last argument" },
  { .name = "by",
    .kind = CLI_CHOICE,
    .argument = "KEY",
    .offset = offsetof (struct heap_values, by),
    .choices = bys,
    .help = "histogram: one row for each class (default), assembly or size" },
  { .name = "exit-code",
    .kind = CLI_FLAG,
    .offset = offsetof (struct heap_values, exit_code),
    .help
    = "diff, growth: exit with status 1 if the heap grew; leaks: if there is a suspect; also if "
      "there are too few heap snapshots to check that" },
  { .name = "fail-above",
    .kind = CLI_PARSED,
    .argument = "N[%|K|M|G]",
    .offset = offsetof (struct heap_values, fail_above),
    .parse = parse_threshold,
    .help = "diff, growth: exit with status 1 if the heap grew by more than this, as 5% or 64K" },
  { .name = "dot",
    .kind = CLI_FLAG,
    .offset = offsetof (struct heap_values, dot),
    .help = "paths: write them as a graph in the language of Graphviz's dot" },
  { .name = NULL },
};

/* ---- arguments ---- */

static bool
parse_number (struct heap_request *r, const char *text, guint *shot, GError **error)
{
  guint64 number;
  r->has_number = true;
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &number, NULL))
    return cli_refuse (
        error, "%s: the number of a heap snapshot is needed; 'proflog heap LOG' lists them", text);
  *shot = (guint) number;
  return true;
}

bool
heap_parse_shot (struct heap_request *r, char ***words, GError **error)
{
  return **words == NULL || parse_number (r, *(*words)++, &r->shot, error);
}

static bool
parse_subject (struct heap_request *r, char ***words, const char *needed, GError **error)
{
  if (**words == NULL)
    return cli_refuse (error, "%s: %s is needed", r->subcommand->name, needed);
  r->subject = *(*words)++;
  return heap_parse_shot (r, words, error);
}

bool
heap_parse_object (struct heap_request *r, char ***words, GError **error)
{
  return parse_subject (r, words, "the address of an object", error);
}

bool
heap_parse_subject (struct heap_request *r, char ***words, GError **error)
{
  return parse_subject (r, words, "the address of an object, or a class", error);
}

bool
heap_parse_pair (struct heap_request *r, char ***words, GError **error)
{
  for (size_t i = 0; i < G_N_ELEMENTS (r->pair); i++) {
    if (**words == NULL)
      return cli_refuse (error, "%s: the numbers of two heap snapshots are needed",
                         r->subcommand->name);
    if (!parse_number (r, *(*words)++, &r->pair[i], error))
      return false;
  }
  return r->pair[0] < r->pair[1]
         || cli_refuse (error, "%s %u %u: the earlier heap snapshot comes first",
                        r->subcommand->name, r->pair[0], r->pair[1]);
}

static const struct heap_subcommand *
find_subcommand (const struct heap_request *r, const char *name)
{
  for (const struct heap_subcommand *s = r->subcommands; s->name != NULL; s++)
    if (strcmp (s->name, name) == 0)
      return s;
  return NULL;
}

static bool
is_log (const char *word)
{
  return strcmp (word, "-") == 0 || g_file_test (word, G_FILE_TEST_EXISTS);
}

/* Removes the word of the subcommand, which is the first or, after the log, the second one.  False
 * if there is a subcommand alone. */
static bool
parse_subcommand (struct heap_request *r, GPtrArray *words, GError **error)
{
  const char *first = words->pdata[0];
  guint at = 0;
  r->subcommand = find_subcommand (r, first);
  if (r->subcommand != NULL && words->len == 1 && !is_log (first))
    return cli_refuse (error, "%s: no log given", first);
  if (r->subcommand == NULL && words->len > 1)
    r->subcommand = find_subcommand (r, words->pdata[at = 1]);
  if (r->subcommand == NULL || words->len == 1)
    r->subcommand = &r->subcommands[0];
  else
    g_ptr_array_remove_index (words, at);
  return true;
}

/* Removes the word of the log: the first one that is a file, else the first. */
static void
pop_log (struct heap_request *r, GPtrArray *words)
{
  guint at = 0;
  while (at < words->len && !is_log (words->pdata[at]))
    at++;
  r->log = g_ptr_array_remove_index (words, at < words->len ? at : 0);
}

static bool
refuse_word (const struct heap_request *r, const char *word, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const struct heap_subcommand *s = r->subcommands; s->name != NULL; s++)
    g_ptr_array_add (names, (gpointer) s->name);
  g_autofree char *near = suggest_text ("", word, names);
  return cli_refuse (error, "'%s' makes no sense here%s", word, near);
}

static bool
parse_words (struct heap_request *r, GPtrArray *words, GError **error)
{
  if (!parse_subcommand (r, words, error))
    return false;
  pop_log (r, words);
  g_ptr_array_add (words, NULL);
  char **rest = (char **) words->pdata;
  if (r->subcommand->parse != NULL && !r->subcommand->parse (r, &rest, error))
    return false;
  return *rest == NULL || refuse_word (r, *rest, error);
}

/* ---- both ---- */

/* "diff, growth and leaks": the subcommands that accept something. */
static char *
list_accepting (const struct heap_request *r, unsigned what)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (const struct heap_subcommand *s = r->subcommands; s->name != NULL; s++)
    if ((s->accepts & what) != 0)
      g_ptr_array_add (names, (gpointer) s->name);
  return cli_join (names);
}

static bool
check_option (const struct heap_request *r, const char *option, bool is_given, unsigned what,
              GError **error)
{
  if (!is_given || (r->subcommand->accepts & what) != 0)
    return true;
  g_autofree char *names = list_accepting (r, what);
  return cli_refuse (error, "%s: it is for %s", option, names);
}

/* Paths to a class have no rows that names could choose. */
static bool
check_names (const struct heap_request *r, const struct selection *selection, GError **error)
{
  const bool has_class = (r->subcommand->accepts & HEAP_ACCEPTS_CLASS) != 0;
  guint64 address;
  if (!selection_has_names (selection)
      || ((r->subcommand->accepts & HEAP_ACCEPTS_NAMES) != 0
          && (!has_class || heap_parse_address (r->subject, &address))))
    return true;
  return cli_refuse (error, "--filter and --exclude: %s",
                     has_class ? "paths to a class are not chosen by names"
                               : "heap snapshots have no names");
}

static bool
parse_all (const struct heap_values *v, struct heap_request *r, GPtrArray *words, GError **error)
{
  if (!parse_words (r, words, error))
    return false;
  if (v->shot.is_set && r->has_number)
    return cli_refuse (error, "--shot: there is a number of a heap snapshot already");
  if (v->shot.is_set)
    r->shot = (guint) v->shot.value;
  r->has_number |= v->shot.is_set;
  r->by = v->by != HEAP_BY_DEFAULT ? (enum heap_by) v->by : HEAP_BY_CLASS;
  r->is_dot = v->dot;
  r->threshold = v->fail_above;
  r->threshold.is_set |= v->exit_code;
  return check_option (r, "--fail-above", v->fail_above.is_set, HEAP_ACCEPTS_FAIL_ABOVE, error)
         && check_option (r, "--exit-code", v->exit_code, HEAP_ACCEPTS_EXIT_CODE, error)
         && check_option (r, "--by", v->by != HEAP_BY_DEFAULT, HEAP_ACCEPTS_BY, error)
         && check_option (r, "--dot", v->dot, HEAP_ACCEPTS_DOT, error)
         && (!v->dot || !v->log.has_format
             || cli_refuse (error, "--dot and --format cannot be together"))
         && check_names (r, &v->log.selection, error);
}

bool
heap_options_parse (const struct heap_values *v, const struct heap_subcommand *subcommands,
                    struct heap_request *r, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  *r = (struct heap_request){ .subcommands = subcommands };
  for (char **word = v->log.logs; *word != NULL; word++)
    g_ptr_array_add (words, *word);
  return parse_all (v, r, words, error);
}
