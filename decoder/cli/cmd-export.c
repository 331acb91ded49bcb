/* cmd-export.c -- proflog export */
#include "config.h"
#include "decoder/cli/cli.h"
#include "decoder/cli/tell.h"
#include "decoder/cli/write-command.h"
#include "decoder/exports/export.h"

struct options {
  char *format, *shot;
  const struct heap_export *export;
  guint index; /* of the shot; 0: the last whole one */
};

static bool
put (void *data, const GString *bytes)
{
  return output_write (data, bytes);
}

static bool
parse_options (struct options *o, GError **error)
{
  guint64 index;
  if (o->format == NULL) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--format is needed: there are heapsnapshot, hprof and perfetto");
    return false;
  }
  o->export = heap_export_find (o->format);
  if (o->export == NULL) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--format %s: there are heapsnapshot, hprof and perfetto", o->format);
    return false;
  }
  if (o->shot == NULL)
    return true;
  if (!g_ascii_string_to_unsigned (o->shot, 10, 1, G_MAXINT, &index, NULL)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                 "--shot %s: the number of a heap shot is needed, from 1", o->shot);
    return false;
  }
  o->index = (guint) index;
  return true;
}

/* ---- one log ---- */

static void
warn (struct log_command *c, const char *path, char *message)
{
  log_command_warn (c, path, message);
  g_free (message);
}

static int
write_graph (struct log_command *c, const char *path, const struct options *o,
             const struct summary *s, const struct heap_graph *graph)
{
  struct heap_dominators *dominators = heap_dominators_new (graph);
  const struct export_shot shot = { .graph = graph,
                                    .dominators = dominators,
                                    .start_ms = s->log.header.start_ms,
                                    .pid = s->log.header.pid,
                                    .program = s->log.arguments };
  struct export_out out = { .bytes = g_string_new (NULL), .put = put, .data = &c->output };
  const uint64_t other_sizes = o->export->write (&shot, &out);
  if (graph->state != HEAPSHOT_COMPLETE)
    warn (c, path,
          g_strdup_printf ("heap shot %u is %s: what it has is written", graph->index,
                           heapshot_state_name (graph->state)));
  if (other_sizes != 0 && !c->quiet)
    cli_tell ("proflog export: %s: %" G_GUINT64_FORMAT
              " objects have another size there, as the format has none like theirs",
              path, other_sizes);
  const bool failed = out.failed;
  g_string_free (out.bytes, TRUE);
  heap_dominators_free (dominators);
  return failed ? CLI_INPUT : CLI_OK;
}

static int
write_shot (struct log_command *c, const char *path, const struct options *o, struct summary *s)
{
  struct heap_graph *graph
      = heap_builder_make (&s->heap_builder, &s->symbols, &s->threads, o->index);
  if (graph == NULL) {
    if (o->index == 0)
      cli_tell ("proflog export: %s: it has no heap shot", path);
    else
      cli_tell ("proflog export: %s: it has no heap shot %u, but %u of them", path, o->index,
                s->heapshots.begun);
    return CLI_INPUT;
  }
  const int status = write_graph (c, path, o, s, graph);
  heap_graph_free (graph);
  return status;
}

static int
export_log (struct log_command *c, const char *path, const struct options *o)
{
  const struct heap_choice choice
      = { .last = o->index == 0, .indexes = &o->index, .n_indexes = o->index != 0 };
  const struct scan_options options = { .graphs = &choice };
  const enum log_format format = log_command_look (c, path);
  if (format == LOG_FORMAT_NONE)
    return CLI_INPUT;
  if (format == LOG_FORMAT_GHC)
    return log_command_refuse_eventlog (c, path, "only logs of Mono have heap shots");
  struct summary summary;
  summary_init (&summary, &options);
  int status = log_command_summarize (c, path, &summary, NULL);
  const guint told = summary.log.messages->len;
  summary_finish (&summary);
  for (guint i = told; i < summary.log.messages->len; i++)
    log_command_warn (c, path, g_ptr_array_index (summary.log.messages, i));
  if (summary.log.has_header) {
    const int written = write_shot (c, path, o, &summary);
    status = MAX (status, written);
  }
  summary_clear (&summary);
  return status;
}

int
cmd_export (int argc, char **argv)
{
  struct options o = { .format = NULL };
  const GOptionEntry own[] = { { "shot", 0, 0, G_OPTION_ARG_FILENAME, &o.shot,
                                 "Which heap shot: its number (default: the last whole one)", "N" },
                               G_OPTION_ENTRY_NULL };
  const struct log_command_sort sort = {
    .name = "export",
    .parameters = "LOG",
    .summary = "write a heap shot in the format of another viewer",
    .description
    = "heapsnapshot  Chrome's developer tools (Memory, Load), memlab\n"
      "hprof         VisualVM, Eclipse MAT.  Has no size but its own rule's for some objects,\n"
      "              and the objects of a class have one size: those of classes where they do\n"
      "              not are told as arrays\n"
      "perfetto      ui.perfetto.dev, trace_processor: exact sizes, a table of references\n\n"
      "Examples:\n"
      "  proflog export --format heapsnapshot app.mlpd -o app.heapsnapshot\n"
      "  proflog export --format hprof --shot 2 app.mlpd -o app.hprof\n"
      "  proflog export --format perfetto app.mlpd -o app.pftrace",
    .own = own,
    .is_log = true,
    .format = &o.format,
  };
  struct log_command command;
  GError *error = NULL;
  int status;
  if (write_command_parse (&command, &sort, argc, argv, &status)) {
    if (parse_options (&o, &error)) {
      status = export_log (&command, command.logs[0], &o);
      if (status > CLI_TRUE)
        write_command_give_up (&command);
      status = log_command_finish (&command, status);
    } else {
      write_command_give_up (&command);
      status = log_command_refuse (&command, error);
    }
  }
  g_free (o.format);
  g_free (o.shot);
  return status;
}
