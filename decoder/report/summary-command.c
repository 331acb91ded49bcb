/* summary-command.c -- commands that report on logs, one after the other. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/report/log-joint.h"
#include "decoder/log/log-clock.h"
#include "decoder/report/log-sums.h"
#include "decoder/report/report-log.h"
#include "decoder/report/section-names.h"
#include "decoder/report/summary-command.h"
#include "decoder/report/summary-view.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-command.h"
#include "decoder/command/message.h"
#include "decoder/report/view-options.h"
#include "decoder/views/joint-report.h"

#include <string.h>

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

/* What is wrong with a log is reported with its own report, if it has one. */
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

static int
put_reports (struct report_context *w)
{
  const struct log_command *command = w->command;
  int status = summary_view_has_joint (w->own, command) ? put_joint (w) : CLI_OK;
  for (char **path = command->logs; !has_joint_only (w->view) && *path != NULL; path++) {
    const int this_status = report_log_write (w, *path);
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
  struct report_context w = { own, command, view, o->interval.value, emitter, text, &o->budgets };
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
    .help = "... only objects that the next collection of their generation found dead" },
  { .name = "interval",
    .kind = CLI_TIME,
    .argument = "T",
    .offset = offsetof (struct summary_values, interval),
    .min = 1,
    .max = G_MAXINT64,
    .needed = "a time is needed, as 10ms or 1s",
    .help = "Intervals of the sections series and timeline, and of --by time (default: by the "
            "length of the log)" },
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
  else if (o.reports == NULL && (o.is_live || o.is_peak || o.is_temporary))
    o.reports = "allocations";
  mprof_options_apply (&o.mprof, o.reports, &o.view);
  if (o.budgets.lists_keys) {
    status = log_command_finish (&o.log, budget_options_list_keys (&o.budgets));
  } else if (!budget_options_check (&o.budgets, false, &error)
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
