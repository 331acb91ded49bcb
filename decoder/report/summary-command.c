/* summary-command.c -- commands that report on logs, one after the other. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/filter/filter-options.h"
#include "decoder/log/log-clock.h"
#include "decoder/log/log-command.h"
#include "decoder/log/log-page.h"
#include "decoder/report/report-commands.h"
#include "decoder/report/summary-parts.h"
#include "decoder/views/joint-report.h"
#include <string.h>

/* ---- options that depend on each other, and the view of them ---- */

/* Rows of each table of sums over logs in text, if the usual ones are shown. */
#define SUMS_ROWS 5

/* Backtraces in text, unless --maxframes specifies otherwise. */
#define FRAMES 6

/* In other formats than text, sections of text only would be nothing at all. */
static bool
check_format (enum emitter_format format, const GPtrArray *sections, GError **error)
{
  for (guint i = 0; i < sections->len && format != EMITTER_TEXT; i++) {
    const struct section *section = g_ptr_array_index (sections, i);
    if (section->is_text)
      return cli_refuse (error, "--reports %s: this section is available only with --format text",
                         section->key);
  }
  return true;
}

/* The options of trees are for one section, which they request. */
static bool
check_tree_options (const struct summary_values *o, GError **error)
{
  if (o->is_inverted + (o->callers != NULL) + (o->callees != NULL) <= 1)
    return true;
  return cli_refuse (error,
                     "--inverted, --callers and --callees are for one tree each: give one of them");
}

/* Choices of --by. */
static const struct cli_choice summary_bys[] = { { "type", VIEW_BY_TYPE, false },
                                                 { "method", VIEW_BY_METHOD, false },
                                                 { "stack", VIEW_BY_STACK, false },
                                                 { "thread", VIEW_BY_THREAD, false },
                                                 { "size", VIEW_BY_SIZE, false },
                                                 { "length", VIEW_BY_LENGTH, false },
                                                 { "time", VIEW_BY_TIME, false },
                                                 { "log", VIEW_BY_LOG, false },
                                                 { "host", VIEW_BY_HOST, false },
                                                 { "pid", VIEW_BY_PID, false },
                                                 { "version", VIEW_BY_VERSION, false },
                                                 { "all", VIEW_BY_ALL, false },
                                                 { NULL, 0, false } };

/* The word of --by. */
static const char *
name_of (enum view_by by)
{
  const struct cli_choice *choice = summary_bys;
  while (choice->value != by)
    choice++;
  return choice->name;
}

/* Are there sums over logs in the place of a report of each? */
static bool
summary_view_has_sums (const struct view *view)
{
  return view->by >= VIEW_BY_LOG;
}

/* One of the sections must have rows of the kind that --by requests. */
static bool
check_by (const struct view *view, const struct section *const *all, GError **error)
{
  if (view->by == VIEW_BY_USUAL || summary_view_has_sums (view)
      || sections_have_rows_by (view, all))
    return true;
  return cli_refuse (
      error,
      "--by %s: none of these sections has such rows; allocations has type, method, stack, "
      "thread, size and time; exceptions has type, method, stack, thread and time; monitors has "
      "these and length",
      name_of (view->by));
}

/* Objects are followed for one section, in the rows that need no other figures of them. */
static bool
check_objects (const struct summary_values *o, const struct view *view,
               const struct section *const *all, GError **error)
{
  if (o->is_live + o->is_peak + o->is_temporary > 1)
    return cli_refuse (error,
                       "--live, --peak and --temporary are for one table each: give one of them");
  if (view->objects == VIEW_OBJECTS_ALL)
    return true;
  if (view->by > VIEW_BY_STACK)
    return cli_refuse (
        error, "--by %s: --live, --peak and --temporary have rows by type, method and stack",
        name_of (view->by));
  if (sections_show (view, all, "allocations"))
    return true;
  return cli_refuse (error, "--live, --peak and --temporary apply to the section allocations only");
}

/* Is there a part on all logs? */
static bool
summary_view_has_joint (const struct summary_command *own, const struct log_command *command)
{
  return own->has_joint && command->logs[1] != NULL;
}

/* Intervals are of some sections, and of rows by time; a page has them all. */
static bool
check_interval (const struct summary_command *own, const struct summary_values *o,
                const struct view *view, const struct section *const *mono, GError **error)
{
  const struct section *const *const ghc = own->ghc_sections;
  struct view ghc_view = *view;
  ghc_view.sections = view->ghc_sections;
  if (!o->interval.is_set || view->is_page || view->joint || view->by == VIEW_BY_TIME
      || (o->reports == NULL && summary_view_has_joint (own, &o->log))
      || sections_show (view, mono, "series") || sections_show (view, mono, "timeline")
      || sections_show (&ghc_view, ghc, "series") || sections_show (&ghc_view, ghc, "timeline"))
    return true;
  return cli_refuse (error,
                     "--interval applies to --reports=series,timeline and to --by time only");
}

/* Sums stand in the place of everything else. */
static bool
check_sums (const struct summary_values *o, const struct view *view, GError **error)
{
  const char *const other = !summary_view_has_sums (view)               ? NULL
                            : selection_has_objects (&o->log.selection) ? "--find and --track"
                            : o->budgets.budgets != NULL ? "--fail-above and --budgets"
                                                         : NULL;
  if (other == NULL)
    return true;
  return cli_refuse (error, "--by %s has sums of logs only, so %s have no place",
                     name_of (view->by), other);
}

/* A range from a mark to another may occur several times, in a log that can be read as often. */
static bool
check_each (const struct summary_values *o, const struct view *view, GError **error)
{
  const struct selection *s = &o->log.selection;
  if (!o->each)
    return true;
  if (s->from.mark == NULL || s->to.mark == NULL)
    return cli_refuse (error, "--each applies to --time-range mark:A~mark:B only");
  if (summary_view_has_sums (view) || o->log.logs[1] != NULL)
    return cli_refuse (error, "--each applies to the report of one log");
  if (!g_file_test (o->log.logs[0], G_FILE_TEST_IS_REGULAR))
    return cli_refuse (error, "--each reads a log several times, so it has to be a file");
  return true;
}

/* The shapes of the tables that the report can have (transfer container). */
static GPtrArray *
shapes_of (const struct summary_command *own, const struct log_command *command,
           const struct section *const *mono, const struct view *view)
{
  GPtrArray *shapes = g_ptr_array_new ();
  struct view ghc_view = *view;
  ghc_view.sections = view->ghc_sections;
  g_ptr_array_extend_and_steal (shapes, sections_shapes (view, mono));
  g_ptr_array_extend_and_steal (shapes, sections_shapes (&ghc_view, own->ghc_sections));
  for (guint i = 0; summary_view_has_joint (own, command) && joint_report_shapes[i] != NULL; i++)
    g_ptr_array_add (shapes, (gpointer) joint_report_shapes[i]);
  return shapes;
}

/* The sections that --reports names: those of logs, and the part on all of them. */
static bool
parse_sections (const struct summary_command *own, const struct summary_values *o,
                const struct section *const *mono, struct view *view, GError **error)
{
  g_autofree char *rest = NULL;
  if (summary_view_has_sums (view))
    return log_sums_parse (o->reports, view, error);
  view->joint = section_names_take (o->reports, JOINT_SECTION, &rest);
  if (view->joint && !summary_view_has_joint (own, &o->log))
    return cli_refuse (error, "--reports " JOINT_SECTION ": several logs have this part%s",
                       own->has_joint ? "" : " of 'proflog report'");
  if (view->joint && rest[0] == 0) {
    view->sections = g_ptr_array_new ();
    view->ghc_sections = g_ptr_array_new ();
    return true;
  }
  return sections_parse_both (mono, own->ghc_sections, rest, &view->sections, &view->ghc_sections,
                              error);
}

/* All of the view but its sections. */
static void
set_view (const struct summary_command *own, const struct summary_values *o, struct view *view)
{
  const struct log_command *command = &o->log;
  const bool cut = emitter_format_is_for_people (command->format) && !o->view.verbose;
  *view = (struct view){ .selection = &command->selection,
                         .is_page = command->format == EMITTER_HTML,
                         .max_frames = o->max_frames.is_set ? (guint) o->max_frames.value
                                       : cut                ? FRAMES
                                                            : 0,
                         .traces = o->traces,
                         .own_code = o->own_code,
                         .is_inverted = o->is_inverted,
                         .callers = o->callers,
                         .callees = o->callees,
                         .source = o->source,
                         .by = o->by,
                         .objects = o->is_live        ? VIEW_OBJECTS_LIVE
                                    : o->is_peak      ? VIEW_OBJECTS_PEAK
                                    : o->is_temporary ? VIEW_OBJECTS_TEMPORARY
                                                      : VIEW_OBJECTS_ALL,
                         .hides_findings = o->hides_findings };
  view_options_apply (&o->view, command->format, own->rows, view);
  view->is_brief = own->is_brief && command->format == EMITTER_TEXT && o->reports == NULL
                   && !o->view.verbose && !o->view.is_raw;
}

/* Sets the view (clear it with view_clear in any case).  Fails with G_OPTION_ERROR if options do
 * not fit each other, or name things that the report does not have. */
static bool
summary_view_make (const struct summary_command *own, const struct summary_values *o,
                   struct view *view, GError **error)
{
  const struct log_command *command = &o->log;
  const struct section *const none[] = { NULL };
  const struct section *const *const mono = own->sections != NULL ? own->sections : none;
  if (!check_tree_options (o, error))
    return false;
  set_view (own, o, view);
  if (o->reports != NULL) {
    if (!parse_sections (own, o, mono, view, error)
        || !check_format (command->format, view->ghc_sections, error))
      return false;
    if (selection_has_objects (&command->selection)
        && !g_ptr_array_find (view->sections, own->objects, NULL))
      g_ptr_array_add (view->sections, (gpointer) own->objects);
  }
  if (!check_by (view, mono, error) || !check_objects (o, view, mono, error)
      || !check_interval (own, o, view, mono, error) || !check_sums (o, view, error)
      || !check_each (o, view, error))
    return false;
  if (summary_view_has_sums (view)) {
    if (view->is_brief && !o->view.limit.is_set)
      view->limit = SUMS_ROWS;
    return log_sums_check_keys (view, error);
  }
  GPtrArray *shapes = shapes_of (own, command, mono, view);
  const bool good = table_check_keys (view, shapes, error);
  g_ptr_array_unref (shapes);
  return good;
}

/* Does the report of some of these logs have this section? */
static bool
shows (const struct report_context *w, const char *key)
{
  struct view ghc_view = *w->view;
  ghc_view.sections = w->view->ghc_sections;
  return sections_show (w->view, w->own->sections, key)
         || sections_show (&ghc_view, w->own->ghc_sections, key);
}

/* Of requested sections, the common part has those that are about times. */
static unsigned
joint_parts (const struct report_context *w)
{
  return (w->view->sections == NULL || w->view->joint ? JOINT_EVENTS : 0)
         | (shows (w, "series") ? JOINT_SERIES : 0) | (shows (w, "timeline") ? JOINT_TIMELINE : 0);
}

/* Is the part on all logs all that was requested? */
static bool
has_joint_only (const struct view *view)
{
  return view->joint && view->sections->len == 0 && view->ghc_sections->len == 0;
}

/* Damage of a log is reported with its own report, if it has one. */
static int
put_joint (struct report_context *w)
{
  const struct log_joint_options options
      = { joint_parts (w), w->interval_ns, report_log_intervals (w) };
  bool is_whole = true;
  if (options.parts != 0)
    is_whole = log_joint_write (w->command, w->emitter, &options, w->view);
  const bool is_written = output_write (&w->command->output, w->text);
  if (w->text->len != 0)
    log_command_separate (w->command, w->text);
  return is_written && (is_whole || !has_joint_only (w->view)) ? CLI_OK : CLI_INPUT;
}

/* Occurrences of a time range that have a report, at most. */
#define OCCURRENCES_MAX 1000

/* A report for each occurrence of the time range.  How many there are is known after the first,
 * which has also reported the damage of the log. */
static int
put_occurrences (struct report_context *w, const char *path)
{
  struct selection *s = &w->command->selection;
  const bool quiet = w->command->quiet;
  guint n = 1;
  int status = CLI_OK;
  s->occurrences = &w->occurrences;
  for (guint i = 0; i < n && status != CLI_INPUT; i++) {
    s->occurrence = i;
    const int this_status = report_log_write (w, path);
    status = MAX (status, this_status);
    n = MIN (w->occurrences, OCCURRENCES_MAX);
    w->command->quiet = true;
  }
  w->command->quiet = quiet;
  if (w->occurrences > n && !quiet)
    cli_message ("proflog: %s: warning: the time range occurs %u times; these are the first %u",
                 path, w->occurrences, n);
  s->occurrences = NULL;
  return status;
}

static int
put_reports (struct report_context *w)
{
  const struct log_command *command = w->command;
  int status = summary_view_has_joint (w->own, command) ? put_joint (w) : CLI_OK;
  for (char **path = command->logs; !has_joint_only (w->view) && *path != NULL; path++) {
    const int this_status = w->has_each ? put_occurrences (w, *path) : report_log_write (w, *path);
    status = MAX (status, this_status);
  }
  return status;
}

static int
put_sums (struct report_context *w)
{
  const int status = log_sums_write (w->command, w->emitter, w->view);
  return output_write (&w->command->output, w->text) ? status : MAX (status, CLI_INPUT);
}

/* All logs go to one emitter, as in CSV their tables of the same columns are one. */
static int
write_reports (const struct summary_command *own, struct summary_values *o, const struct view *view)
{
  struct log_command *command = &o->log;
  GString *text = g_string_new (NULL);
  struct emitter *emitter = log_command_new_emitter (command, text);
  emitter_set_style (emitter, &(const struct emitter_style){ .has_units = !view->is_raw,
                                                             .folds = view->is_brief });
  emitter_set_columns (emitter, output_columns (&command->output));
  if (view->sections != NULL || summary_view_has_sums (view))
    emitter_set_tables_only (emitter);
  struct report_context w = { .own = own,
                              .command = command,
                              .view = view,
                              .interval_ns = o->interval.value,
                              .emitter = emitter,
                              .text = text,
                              .has_each = o->each,
                              .budgets = &o->budgets };
  if (own->has_joint)
    log_range_place (command);
  int status = summary_view_has_sums (view) ? put_sums (&w) : put_reports (&w);
  g_string_truncate (text, 0);
  emitter_free (emitter);
  if (!output_write (&command->output, text))
    status = MAX (status, CLI_INPUT);
  g_string_free (text, TRUE);
  return status;
}

/* ---- the command ---- */

static bool
parse_find (void *selection, const char *text, GError **error)
{
  return selection_find (selection, text, error);
}

static bool
parse_track (void *selection, const char *text, GError **error)
{
  return selection_track (selection, text, error);
}

const struct cli_option summary_object_options[] = {
  { .name = "find",
    .kind = CLI_PARSED,
    .argument = "S:BYTES|T:PART",
    .offset = offsetof (struct summary_values, log.selection),
    .parse = parse_find,
    .help = "List objects of at least BYTES bytes, or of types with PART in the name; may be "
            "repeated" },
  { .name = "track",
    .kind = CLI_PARSED,
    .argument = "ADDRESS,...",
    .offset = offsetof (struct summary_values, log.selection),
    .parse = parse_track,
    .help = "Show the history of the objects at these addresses; may be repeated" },
  { .name = NULL },
};

static const struct cli_choice sources[] = { { "samples", VIEW_SOURCE_SAMPLES, false },
                                             { "calls", VIEW_SOURCE_CALLS, false },
                                             { NULL, 0, false } };

const struct cli_option summary_section_options[] = {
  { .name = "lines",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, lines),
    .help = "Show the source lines that samples hit ('proflog run --lines')" },
  { .name = "own",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, own_code),
    .help
    = "Of the methods that samples hit show the program's own: the time of the library and of "
      "native code is that of the method that called them" },
  { .name = "inverted",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, is_inverted),
    .help = "Show the section tree from the methods that used the processor to their callers" },
  { .name = "callers",
    .kind = CLI_STRING,
    .argument = "METHOD",
    .offset = offsetof (struct summary_values, callers),
    .help = "Show only the callers of the methods with METHOD in their names, as a tree" },
  { .name = "callees",
    .kind = CLI_STRING,
    .argument = "METHOD",
    .offset = offsetof (struct summary_values, callees),
    .help = "Show only what the methods with METHOD in their names called, as a tree" },
  { .name = "source",
    .kind = CLI_CHOICE,
    .argument = "KIND",
    .offset = offsetof (struct summary_values, source),
    .choices = sources,
    .help = "Show the section tree of samples or calls (default: samples if there are any)" },
  { .name = "by",
    .kind = CLI_CHOICE,
    .argument = "KEY",
    .offset = offsetof (struct summary_values, by),
    .choices = summary_bys,
    .help
    = "Show the rows of the sections allocations, exceptions and monitors by type, method, "
      "stack, thread, size, length or time.  With log, host, pid, version or all, show in place "
      "of the reports sums, and their tables: for each log, host, process or version, or of "
      "all logs together" },
  { .name = "live",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, is_live),
    .help = "Show in the section allocations only objects that live at the end" },
  { .name = "peak",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, is_peak),
    .help
    = "... only objects that lived at the peak: after the collection that left the most bytes" },
  { .name = "temporary",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, is_temporary),
    .help = "... only short-lived objects: dead at the next collection of their generation" },
  { .name = "interval",
    .kind = CLI_TIME,
    .argument = "T",
    .offset = offsetof (struct summary_values, interval),
    .min = 1,
    .max = G_MAXINT64,
    .needed = "a time is needed, as 10ms or 1s",
    .help = "Intervals of the sections series and timeline, and of --by time (default: by the "
            "length of the log)" },
  { .name = "each",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, each),
    .help = "Write a report for each time that the range of '--time-range mark:A~mark:B' occurs "
            "in the log" },
  { .name = "no-findings",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, hides_findings),
    .help = "Leave out the findings at the beginning" },
  { .name = NULL },
};

void
summary_command_list_sections (const struct cli_command *command, GPtrArray *names)
{
  const struct summary_command *own = command->data;
  const struct section *const *const lists[] = { own->sections, own->ghc_sections };
  for (size_t i = 0; i < G_N_ELEMENTS (lists); i++)
    for (const struct section *const *s = lists[i]; s != NULL && *s != NULL; s++)
      if (!g_ptr_array_find_with_equal_func (names, (*s)->key, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) (*s)->key);
  if (own->has_joint)
    g_ptr_array_add (names, (gpointer) JOINT_SECTION);
}

const struct cli_option summary_options[] = {
  { .name = "reports",
    .kind = CLI_STRING,
    .argument = "NAME,...",
    .offset = offsetof (struct summary_values, reports),
    .list = summary_command_list_sections,
    .help = "Only these sections, in this order" },
  { .name = "traces",
    .kind = CLI_FLAG,
    .offset = offsetof (struct summary_values, traces),
    .help = "Show backtraces, too" },
  { .name = "maxframes",
    .kind = CLI_NUMBER,
    .argument = "N",
    .offset = offsetof (struct summary_values, max_frames),
    .max = G_MAXINT,
    .needed = "a number of frames is needed, 0 for all",
    .help = "Frames of a backtrace at most, 0 for all (default: 6 in text, Markdown and HTML, else "
            "all)" },
  { .name = NULL },
};

/* "TITLE: gc, calls, ...", with a star at sections that only --reports or --verbose shows.  Is
 * there one? */
static bool
describe_sections (GString *text, const char *title, const struct section *const *all)
{
  bool has_star = false;
  g_string_append (text, title);
  for (guint i = 0; all[i] != NULL; i++) {
    g_string_append_printf (text, "%s%s%s", i == 0 ? " " : ", ", all[i]->key,
                            all[i]->extra ? "*" : "");
    has_star |= all[i]->extra;
  }
  g_string_append (text, ".\n\n");
  return has_star;
}

void
summary_command_describe (const struct cli_command *command, GString *text)
{
  const struct summary_command *own = command->data;
  bool has_star = false;
  g_string_append (text, "\n\n");
  if (own->sections != NULL)
    has_star |= describe_sections (text, "Sections of a Mono log:", own->sections);
  has_star |= describe_sections (text, "Sections of a GHC eventlog:", own->ghc_sections);
  if (own->has_joint)
    g_string_append (text, "Of several logs: " JOINT_SECTION
                           ", the part on all of them; sums, the table of sums of --by log, host, "
                           "pid, version or all.\n\n");
  if (has_star)
    g_string_append (text, "A section with * is shown only if --reports names it, or with "
                           "--verbose.");
}

void
summary_command_list_columns (const struct cli_command *command, GPtrArray *names)
{
  const struct summary_command *own = command->data;
  const struct view usual = { .sections = NULL };
  const struct section *const *const lists[] = { own->sections, own->ghc_sections };
  for (size_t i = 0; i < G_N_ELEMENTS (lists); i++) {
    if (lists[i] == NULL)
      continue;
    g_autoptr (GPtrArray) shapes = sections_shapes (&usual, lists[i]);
    table_list_keys (shapes, names);
  }
}

int
summary_command_run (const struct cli_command *command, int argc, char **argv)
{
  const struct summary_command *own = command->data;
  struct summary_values o = { .traces = false };
  struct view view = { 0 };
  GError *error = NULL;
  int status;
  o.budgets.command = &o.log;
  if (!log_command_parse (&o.log, command, argc, argv, &status)) {
    budget_options_clear (&o.budgets);
    return status;
  }
  if (o.reports == NULL
      && (o.is_inverted || o.callers != NULL || o.callees != NULL || o.source != VIEW_SOURCE_ANY))
    o.reports = "tree";
  else if (o.reports == NULL && o.lines)
    o.reports = "lines";
  else if (o.reports == NULL && o.own_code)
    o.reports = "cpu";
  else if (o.reports == NULL && (o.is_live || o.is_peak || o.is_temporary))
    o.reports = "allocations";
  mprof_options_apply (&o.mprof, o.reports, &o.view);
  if (o.budgets.lists_keys) {
    status = log_command_finish (&o.log, budget_options_list_keys (&o.budgets));
  } else if (!budget_options_check (&o.budgets, false, &error) || !log_page_apply (&o.log, &error)
             || !summary_view_make (own, &o, &view, &error)) {
    status = log_command_refuse (&o.log, error);
  } else if (log_command_open (&o.log, &status)) {
    status = write_reports (own, &o, &view);
    status = log_command_finish (&o.log, status);
    status = budget_options_finish (&o.budgets, status);
  }
  view_clear (&view);
  budget_options_clear (&o.budgets);
  return status;
}
