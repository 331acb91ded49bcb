/* cmd-heap.c -- proflog heap: its options, and the table of its subcommands. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/core/suggest.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-kind.h"
#include "decoder/report/report-commands.h"
#include "decoder/views/ghc/ghc-bands.h"
#include <limits.h>
#include <proflog/units.h>

/* ---- options and arguments ---- */

/* The values of the options. */
struct heap_values {
  struct log_command log;
  struct view_options view;
  struct cli_number shot;
  unsigned by; /* enum heap_by, or HEAP_BY_DEFAULT */
  struct heap_threshold fail_above;
  bool exit_code;
  bool dot;
};

#define HEAP_BY_DEFAULT UINT_MAX

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

static const struct cli_option heap_options[] = {
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

/* `parse` of the subcommands: [N]; ADDRESS [N]; ADDRESS|CLASS [N]; N M. */
static bool
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

static bool
heap_parse_object (struct heap_request *r, char ***words, GError **error)
{
  return parse_subject (r, words, "the address of an object", error);
}

static bool
heap_parse_subject (struct heap_request *r, char ***words, GError **error)
{
  return parse_subject (r, words, "the address of an object, or a class", error);
}

static bool
is_number (const char *word)
{
  return g_ascii_string_to_unsigned (word, 10, 0, G_MAXUINT64, NULL, NULL);
}

static bool
is_log (const char *word)
{
  return strcmp (word, "-") == 0 || g_file_test (word, G_FILE_TEST_EXISTS);
}

static bool
heap_parse_pair (struct heap_request *r, char ***words, GError **error)
{
  if (**words == NULL || (is_log (**words) && !is_number (**words))) {
    r->pair[0] = 1;
    r->newer = **words != NULL ? *(*words)++ : NULL;
    return true;
  }
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
  if (v->shot.is_set && (r->subcommand->parse == NULL || r->subcommand->parse == heap_parse_pair))
    return cli_refuse (error, "--shot: %s is not of one heap snapshot", r->subcommand->name);
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

/* The request of a command line: [SUBCOMMAND] LOG [ARGUMENT...], or LOG SUBCOMMAND [ARGUMENT...]
 * with the log at any place.  The subcommands are those up to one without a name; the first is the
 * default.  Fails with G_OPTION_ERROR. */
static bool
heap_options_parse (const struct heap_values *v, const struct heap_subcommand *subcommands,
                    struct heap_request *r, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  *r = (struct heap_request){ .subcommands = subcommands };
  for (char **word = v->log.logs; *word != NULL; word++)
    g_ptr_array_add (words, *word);
  return parse_all (v, r, words, error);
}

/* ---- the command ---- */

/* Rows of a table in text, without --limit; view_limit_30 states so. */
#define ROWS 30

static const struct heap_subcommand subcommands[] = {
  { .name = "list",
    .parameters = "LOG",
    .summary = "the heap snapshots (default)",
    .schema = "proflog.heap-list/1",
    .section = &heap_section_list,
    .bands = &ghc_heap_list,
    .run = heap_run_list },
  { .name = "histogram",
    .parameters = "LOG [N]",
    .summary = "objects, and the bytes that they retain, by class",
    .schema = "proflog.heap-histogram/1",
    .section = &heap_section_histogram,
    .bands = &ghc_heap_histogram,
    .accepts = HEAP_ACCEPTS_BY | HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_shot,
    .select = heap_select_shot,
    .run = heap_run_dominated_shot },
  { .name = "dominators",
    .parameters = "LOG [N]",
    .summary = "the tree of objects that keep others alive",
    .schema = "proflog.heap-dominators/1",
    .section = &heap_section_dominators,
    .accepts = HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_shot,
    .select = heap_select_shot,
    .run = heap_run_dominated_shot },
  { .name = "paths",
    .parameters = "LOG ADDR|CLASS [N]",
    .summary = "the shortest paths to objects from the roots",
    .schema = "proflog.heap-paths/1",
    .section = &heap_section_paths,
    .accepts = HEAP_ACCEPTS_NAMES | HEAP_ACCEPTS_CLASS | HEAP_ACCEPTS_DOT,
    .parse = heap_parse_subject,
    .select = heap_select_shot,
    .run = heap_run_shot },
  { .name = "refs",
    .parameters = "LOG ADDR [N]",
    .summary = "the references to and from an object",
    .schema = "proflog.heap-refs/1",
    .section = &heap_section_refs,
    .accepts = HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_object,
    .select = heap_select_shot,
    .run = heap_run_dominated_shot },
  { .name = "object",
    .parameters = "LOG ADDR [N]",
    .summary = "all figures of an object",
    .schema = "proflog.heap-object/1",
    .section = &heap_section_object,
    .accepts = HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_object,
    .select = heap_select_shot,
    .run = heap_run_dominated_shot },
  { .name = "unreachable",
    .parameters = "LOG [N]",
    .summary = "objects that no root reaches",
    .schema = "proflog.heap-unreachable/1",
    .section = &heap_section_unreachable,
    .accepts = HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_shot,
    .select = heap_select_shot,
    .run = heap_run_dominated_shot },
  { .name = "strings",
    .parameters = "LOG [N]",
    .summary = "strings that are there more than once, by the bytes that they waste",
    .schema = "proflog.heap-strings/1",
    .section = &heap_section_strings,
    .accepts = HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_shot,
    .select = heap_select_shot,
    .run = heap_run_strings },
  { .name = "collections",
    .parameters = "LOG [N]",
    .summary = "how full collections and arrays are, and which grow",
    .schema = "proflog.heap-collections/1",
    .section = &heap_section_collections,
    .accepts = HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_shot,
    .select = heap_select_first_and_shot,
    .run = heap_run_collections },
  { .name = "tasks",
    .parameters = "LOG [N]",
    .summary = "asynchronous operations that have not ended, and what they wait for",
    .schema = "proflog.heap-tasks/1",
    .section = &heap_section_tasks,
    .accepts = HEAP_ACCEPTS_NAMES,
    .parse = heap_parse_shot,
    .select = heap_select_first_and_shot,
    .run = heap_run_tasks },
  { .name = "diff",
    .parameters = "LOG [N M|NEWER]",
    .summary
    = "added, removed and grown objects, from the first to the last one or from N to M; or "
      "of the last ones of two logs",
    .schema = "proflog.heap-diff/1",
    .section = &heap_section_diff,
    .bands = &ghc_heap_diff,
    .accepts = HEAP_ACCEPTS_NAMES | HEAP_ACCEPTS_FAIL_ABOVE | HEAP_ACCEPTS_EXIT_CODE,
    .parse = heap_parse_pair,
    .select = heap_select_pair,
    .run = heap_run_diff },
  { .name = "growth",
    .parameters = "LOG",
    .summary = "all heap snapshots as series, by class",
    .schema = "proflog.heap-growth/1",
    .section = &heap_section_growth,
    .bands = &ghc_heap_growth,
    .accepts = HEAP_ACCEPTS_NAMES | HEAP_ACCEPTS_FAIL_ABOVE | HEAP_ACCEPTS_EXIT_CODE,
    .run = heap_run_growth },
  { .name = "leaks",
    .parameters = "LOG [N]",
    .summary = "suspected leaks, with the evidence",
    .schema = "proflog.heap-leaks/1",
    .section = &heap_section_leaks,
    .bands = &ghc_heap_leaks,
    .accepts = HEAP_ACCEPTS_NAMES | HEAP_ACCEPTS_EXIT_CODE,
    .parse = heap_parse_shot,
    .select = heap_select_peak,
    .run = heap_run_leaks },
  { .name = NULL },
};

static bool
make_view (const struct heap_values *v, const struct heap_request *request, struct view *view,
           GError **error)
{
  const struct heap_subcommand *const s = request->subcommand;
  const struct section *const all[] = { s->section, s->bands, NULL };
  *view = (struct view){ .selection = &v->log.selection, .sections = g_ptr_array_new () };
  for (const struct section *const *section = all; *section != NULL; section++)
    g_ptr_array_add (view->sections, (gpointer) *section);
  view_options_apply (&v->view, v->log.format, ROWS, view);
  GPtrArray *shapes = sections_shapes (view, all);
  const bool good = table_check_keys (view, shapes, error);
  g_ptr_array_unref (shapes);
  return good;
}

/* Runs a query of the kind of its log: from here on the view has the section of that one. */
static int
run_query (struct log_command *c, const struct heap_request *request, struct view *view)
{
  const struct log_kind *kind = log_kind_detect (c, request->log, true);
  if (kind == NULL)
    return CLI_INPUT;
  const bool is_eventlog = kind == &log_kind_ghc;
  const struct section *section
      = is_eventlog ? request->subcommand->bands : request->subcommand->section;
  g_ptr_array_set_size (view->sections, 0);
  if (section != NULL)
    g_ptr_array_add (view->sections, (gpointer) section);
  return is_eventlog ? heap_bands_run (c, request, view) : heap_query_run (c, request, view);
}

static int
run (const struct cli_command *command, int argc, char **argv)
{
  struct heap_values v = { .by = HEAP_BY_DEFAULT, .log.keeps_folders = true };
  struct heap_request request;
  struct view view = { 0 };
  GError *error = NULL;
  int status;
  if (!log_command_parse (&v.log, command, argc, argv, &status))
    return status;
  if (!heap_options_parse (&v, subcommands, &request, &error)
      || !make_view (&v, &request, &view, &error)) {
    status = log_command_refuse (&v.log, error);
  } else if (log_command_open (&v.log, &status)) {
    status = run_query (&v.log, &request, &view);
    status = log_command_finish (&v.log, status);
  }
  view_clear (&view);
  return status;
}

static void
list_words (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (const struct heap_subcommand *s = subcommands; s->name != NULL; s++)
    g_ptr_array_add (names, (gpointer) s->name);
}

static void
list_columns (const struct cli_command *command, GPtrArray *names)
{
  const struct view all = { .sections = NULL };
  (void) command;
  for (const struct heap_subcommand *s = subcommands; s->name != NULL; s++) {
    const struct section *const sections[] = { s->section, s->bands, NULL };
    g_autoptr (GPtrArray) shapes = sections_shapes (&all, sections);
    table_list_keys (shapes, names);
  }
}

static void
describe (const struct cli_command *command, GString *text)
{
  (void) command;
  GString *list
      = g_string_new ("Subcommands, for heap snapshot N or else the last complete one:\n");
  for (const struct heap_subcommand *s = subcommands; s->name != NULL; s++) {
    g_autofree char *usage = g_strdup_printf ("%s %s", s->name, s->parameters);
    g_string_append_printf (list, "  %-26s  %s\n", usage, s->summary);
  }
  g_string_append_c (list, '\n');
  g_string_prepend_len (text, list->str, (gssize) list->len);
  g_string_free (list, TRUE);
}

const struct cli_command command_heap = {
  .name = "heap",
  .group = CLI_HEAP,
  .summary = "explain the heap snapshots or heap profiles of a log",
  .parameters = "[SUBCOMMAND] LOG [ARGUMENT...]",
  .description
  = "An object retains the bytes that would be free without it.  A class retains the bytes that "
    "its objects retain, each byte counted once.  Weak roots do not count.  Addresses are written "
    "as 0x7f0a1c0012c0.  A class is given by its name, or by a part of it if no class has that "
    "name.  In JSON and CSV, dominators lists each object with its immediate dominator.\n\n"
    "Of an eventlog, list, histogram, diff, growth and leaks are about the samples of its heap "
    "profiles, which are numbered from 0, and their bands (+RTS -hT, -hc, -hi, ...): histogram is "
    "of the largest sample, growth and leaks reach from the first to the last, or to the largest "
    "if only the end of the program follows, where most is freed.",
  .describe = describe,
  .examples = CLI_EXAMPLES (
      { "List the heap snapshots", "proflog heap app.mlpd" },
      { "Add up the objects of the last one by class", "proflog heap histogram app.mlpd" },
      { "Add up those of snapshot 3 by assembly",
        "proflog heap histogram app.mlpd 3 --by assembly" },
      { "Print the object that retains most, for a script",
        "proflog heap dominators app.mlpd --format json | jq '.nodes[0]'" },
      { "Show why objects of a class are alive", "proflog heap paths app.mlpd MyApp.Session" },
      { "Draw that", "proflog heap paths app.mlpd MyApp.Session --dot | dot -Tsvg >paths.svg" },
      { "Show the references to an object and from it",
        "proflog heap refs app.mlpd 0x7f0a1c0012c0" },
      { "Fail if the heap grew by more than 5% between two snapshots",
        "proflog heap diff app.mlpd 1 5 --fail-above 5%" },
      { "Fail if something leaks", "proflog heap leaks app.mlpd --exit-code" },
      { "Compare the first and the last heap snapshot", "proflog heap diff app.mlpd" },
      { "Compare the heaps of two runs", "proflog heap diff old.mlpd new.mlpd" },
      { "Compare two samples of a heap profile", "proflog heap diff app.eventlog 0 10" }),
  .options = { { heap_options, 0 },
               { view_limit_30, offsetof (struct heap_values, view) },
               { view_options, offsetof (struct heap_values, view) },
               { log_selection_options, 0 },
               { log_format_option, 0 },
               { log_object_option, 0 },
               { log_names_option, 0 },
               { log_index_option, 0 },
               { log_options, 0 } },
  .words = list_words,
  .columns = list_columns,
  .selects = SELECTS_PARTS | SELECTS_NAMES | SELECTS_BYTES,
  .run = run,
};
