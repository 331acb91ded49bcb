/* cmd-heap.c -- proflog heap: the table of its subcommands. */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/report/heap-bands.h"
#include "decoder/cli/heap-options.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-open.h"
#include "decoder/views/ghc/ghc-bands.h"
#include <limits.h>

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
  { .name = "diff",
    .parameters = "LOG N M",
    .summary = "added, removed and grown objects between snapshots N and M",
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
  const enum log_format format = log_command_detect_format (c, request->log);
  if (format == LOG_FORMAT_NONE || !log_command_can_select (c, request->log, format))
    return CLI_INPUT;
  const struct section *section
      = format == LOG_FORMAT_GHC ? request->subcommand->bands : request->subcommand->section;
  g_ptr_array_set_size (view->sections, 0);
  if (section != NULL)
    g_ptr_array_add (view->sections, (gpointer) section);
  return format == LOG_FORMAT_GHC ? heap_bands_run (c, request, view)
                                  : heap_query_run (c, request, view);
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
      { "Compare two samples of a heap profile", "proflog heap diff app.eventlog 0 10" }),
  .options = { { heap_options, 0 },
               { view_limit_30, offsetof (struct heap_values, view) },
               { view_options, offsetof (struct heap_values, view) },
               { log_selection_options, 0 },
               { log_format_option, 0 },
               { log_object_option, 0 },
               { log_index_option, 0 },
               { log_options, 0 } },
  .words = list_words,
  .columns = list_columns,
  .selects = SELECTS_PARTS | SELECTS_NAMES | SELECTS_BYTES,
  .run = run,
};
