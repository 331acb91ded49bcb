/* summary-view.c -- checks options that depend on each other, and makes the view of them. */
#include "config.h"

#include "decoder/report/summary-view.h"
#include "decoder/report/log-sums.h"
#include "decoder/report/section-names.h"
#include "decoder/views/joint-report.h"

/* Rows of each table of sums over logs in text, if the usual ones are shown. */
#define SUMS_ROWS 5

/* Backtraces in text, unless --maxframes specifies otherwise. */
#define FRAMES 6

/* In other formats than text, what there is in text only would be nothing at all. */
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

const struct cli_choice summary_bys[] = { { "type", VIEW_BY_TYPE, false },
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

bool
summary_view_has_sums (const struct view *view)
{
  return view->by >= VIEW_BY_LOG;
}

/* What --by requests has to be in one of the sections. */
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

bool
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

bool
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
      || !check_interval (own, o, view, mono, error) || !check_sums (o, view, error))
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
