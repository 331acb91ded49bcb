/* summary-command.c -- log -> summary -> emitter. */
#include "decoder/cli/summary-command.h"
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/log-command.h"
#include "decoder/cli/view-options.h"

/* Backtraces in text, unless --maxframes says otherwise. */
#define FRAMES 6

/* The first options are about objects. */
#define OBJECT_ENTRIES 2

/* The options of these commands. */
struct options {
  struct view_options view;
  char *reports, *max_frames;
  char **find, **track;
  gboolean traces;
};

static bool
chooses_rows (const struct selection *s)
{
  return selection_has_names (s) || s->min_ns != 0 || s->min_bytes != 0;
}

/* What reports of all logs share while they are written. */
struct writing {
  const struct summary_command *own;
  struct log_command *command;
  const struct view *view;
  struct emitter *emitter;
  GString *text;
};

/* Writes the report of a log out; returns the exit status. */
static int
put_out (struct writing *w, const char *path, const struct view_rows *rows, int status)
{
  if (rows->shown == 0 && chooses_rows (&w->command->selection) && status == CLI_OK)
    log_command_tell_nothing (w->command, path, rows->seen,
                              "rows that --filter, --exclude, --min-time or --min-bytes look at");
  if (!output_write (&w->command->output, w->text))
    status = CLI_INPUT;
  g_string_assign (w->text, view_is_for_people (w->command->format) ? "\n" : "");
  return status;
}

/* Reports what could be read of one log, also of one that could not be read to its end. */
static int
report_mono_log (struct writing *w, const char *path)
{
  const struct summary_command *own = w->own;
  struct log_command *command = w->command;
  struct summary summary;
  struct object_filter objects;
  object_filter_init (&objects, &command->selection);
  struct object_filter *const asked = object_filter_is_asked (&objects) ? &objects : NULL;
  const struct scan_options options
      = { .traces = w->view->traces,
          .callers = w->view->traces && sections_show (w->view, own->sections, "calls"),
          .frames = w->view->max_frames,
          .depth = command->selection.depth,
          .types = sections_show (w->view, own->sections, "exceptions")
                   || sections_show (w->view, own->sections, "monitors"),
          .objects = asked };
  summary_init (&summary, &options);
  int status = log_command_summarize (command, path, &summary, asked);
  guint told = summary.log.messages->len;
  summary_finish (&summary);
  for (guint i = told; i < summary.log.messages->len; i++)
    log_command_warn (command, path, g_ptr_array_index (summary.log.messages, i));
  if (summary.log.has_header) {
    if (command->logs[1] != NULL)
      emitter_set_log (w->emitter, path);
    struct view_rows rows = { 0 };
    struct view counting = *w->view;
    counting.rows = &rows;
    sections_write (w->emitter, own->schema, path, &summary, &counting, own->sections);
    status = put_out (w, path, &rows, status);
  }
  summary_clear (&summary);
  object_filter_clear (&objects);
  return status;
}

/* The same of an eventlog. */
static int
report_eventlog (struct writing *w, const char *path)
{
  const struct summary_command *own = w->own;
  struct log_command *command = w->command;
  struct ghc_summary summary;
  struct view_rows rows = { 0 };
  struct view counting = *w->view;
  counting.rows = &rows;
  counting.sections = w->view->ghc_sections;
  int status = log_command_summarize_eventlog (command, path, &summary,
                                               sections_want (&counting, own->ghc_sections));
  if (summary.log.headers != 0) {
    if (command->logs[1] != NULL)
      emitter_set_log (w->emitter, path);
    sections_write_eventlog (w->emitter, own->schema, path, &summary, &counting, own->ghc_sections);
    status = put_out (w, path, &rows, status);
  }
  ghc_summary_clear (&summary);
  return status;
}

static int
report_log_file (struct writing *w, const char *path)
{
  const enum log_format format = log_command_look (w->command, path);
  if (format == LOG_FORMAT_MONO && w->own->sections == NULL)
    return log_command_refuse_mono (w->command, path, "'proflog report' reads logs of Mono");
  if (format == LOG_FORMAT_NONE || !log_command_can_choose (w->command, path, format))
    return CLI_INPUT;
  return format == LOG_FORMAT_GHC ? report_eventlog (w, path) : report_mono_log (w, path);
}

/* Each text of an option that may be repeated. */
static bool
parse_each (char **texts, struct selection *selection,
            bool (*parse) (struct selection *selection, const char *text, GError **error),
            GError **error)
{
  for (; texts != NULL && *texts != NULL; texts++)
    if (!parse (selection, *texts, error))
      return false;
  return true;
}

static bool
parse_objects (const struct options *o, struct selection *selection, GError **error)
{
  return parse_each (o->find, selection, selection_find, error)
         && parse_each (o->track, selection, selection_track, error);
}

/* In other formats than text, what there is in text only would be nothing at all. */
static bool
check_format (enum emitter_format format, const GPtrArray *sections, GError **error)
{
  for (guint i = 0; i < sections->len && format != EMITTER_TEXT; i++) {
    const struct section *section = g_ptr_array_index (sections, i);
    if (section->is_text) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "--reports %s: this is text only; the others have its figures", section->key);
      return false;
    }
  }
  return true;
}

static bool
make_view (const struct summary_command *own, const struct log_command *command,
           const struct options *o, struct view *view, GError **error)
{
  const bool cut = view_is_for_people (command->format) && !o->view.verbose;
  *view = (struct view){ .selection = &command->selection,
                         .max_frames = cut ? FRAMES : 0,
                         .traces = o->traces };
  if (!view_options_apply (&o->view, command->format, own->rows, view, error)
      || !view_parse_count ("--maxframes", o->max_frames, "a number of frames is needed, 0 for all",
                            &view->max_frames, error))
    return false;
  const struct section *const none[] = { NULL };
  const struct section *const *const mono = own->sections != NULL ? own->sections : none;
  if (o->reports != NULL) {
    if (!sections_choose_both (mono, own->ghc_sections, o->reports, &view->sections,
                               &view->ghc_sections, error))
      return false;
    if (!check_format (command->format, view->ghc_sections, error))
      return false;
    if (selection_has_objects (&command->selection)
        && !g_ptr_array_find (view->sections, own->objects, NULL))
      g_ptr_array_add (view->sections, (gpointer) own->objects);
  }
  GPtrArray *shapes = sections_shapes (view, mono);
  struct view ghc_view = *view;
  ghc_view.sections = view->ghc_sections;
  g_ptr_array_extend_and_steal (shapes, sections_shapes (&ghc_view, own->ghc_sections));
  bool good = table_check_keys (view, shapes, error);
  g_ptr_array_unref (shapes);
  return good;
}

/* All logs go to one emitter, as in CSV their tables are one. */
static int
write_reports (const struct summary_command *own, struct log_command *command,
               const struct view *view)
{
  int status = CLI_OK;
  GString *text = g_string_new (NULL);
  struct emitter *emitter = emitter_new (command->format, text);
  if (view->sections != NULL)
    emitter_set_tables_only (emitter);
  struct writing w = { own, command, view, emitter, text };
  for (char **path = command->logs; *path != NULL; path++) {
    int this_status = report_log_file (&w, *path);
    status = MAX (status, this_status);
  }
  g_string_truncate (text, 0);
  emitter_free (emitter);
  if (!output_write (&command->output, text))
    status = MAX (status, CLI_INPUT);
  g_string_free (text, TRUE);
  return status;
}

static int
report_logs (const struct summary_command *own, struct log_command *command,
             const struct options *options)
{
  struct view view = { 0 };
  GError *error = NULL;
  int status = CLI_OK;
  if (!parse_objects (options, &command->selection, &error)
      || !make_view (own, command, options, &view, &error)) {
    status = log_command_refuse (command, error);
  } else if (log_command_open (command, &status)) {
    status = write_reports (own, command, &view);
    status = log_command_finish (command, status);
  }
  view_clear (&view);
  return status;
}

int
summary_command_run (const struct summary_command *own, int argc, char **argv)
{
  struct options o = { 0 };
  char *help = view_options_limit_help (own->rows);
  const GOptionEntry entries[]
      = { { "find", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.find,
            "List objects of at least so many bytes, of types with PART in the name; may be "
            "repeated",
            "S:BYTES|T:PART" },
          { "track", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o.track,
            "Tell what happened to the objects at these addresses; may be repeated",
            "ADDRESS,..." },
          { "reports", 0, 0, G_OPTION_ARG_FILENAME, &o.reports, "Only these parts, in this order",
            "NAME,..." },
          VIEW_OPTIONS_ROWS (&o.view, help),
          { "traces", 0, 0, G_OPTION_ARG_NONE, &o.traces, "Backtraces, too", NULL },
          { "maxframes", 0, 0, G_OPTION_ARG_FILENAME, &o.max_frames,
            "Frames of a backtrace at most, 0 for all (text and markdown: 6, else all)", "N" },
          VIEW_OPTIONS_VERBOSE (&o.view),
          G_OPTION_ENTRY_NULL };
  const struct log_command_sort sort
      = { .name = own->name,
          .summary = own->summary,
          .description = own->description,
          .own = own->objects != NULL ? entries : entries + OBJECT_ENTRIES,
          .selects = own->selects };
  struct log_command command;
  int status;
  if (log_command_parse (&command, &sort, argc, argv, &status))
    status = report_logs (own, &command, &o);
  g_strfreev (o.find);
  g_strfreev (o.track);
  view_options_clear (&o.view);
  g_free (o.reports);
  g_free (o.max_frames);
  g_free (help);
  return status;
}
