/* cmd-export.c -- proflog export */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/cli/cmd-query.h"
#include "decoder/log/log-join.h"
#include "decoder/log/log-index.h"
#include "decoder/log/log-kind.h"
#include "decoder/log/log-open.h"
#include "decoder/log/log-summary.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/trace/log-trace.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/exports/export.h"
#include "decoder/input/unpack.h"
#include "decoder/output/figure.h"
#include <string.h>

/* How tables are laid out. */
enum layout { LAYOUT_NONE, LAYOUT_HIVE };

struct export_values {
  struct log_command log;
  enum layout layout;
  const struct export_format *export;
  struct cli_number shot; /* not set: the last complete one */
  enum stacks_cost source;
  uint64_t zero; /* on the log's clock: when the trace begins to which a heap snapshot is added */
  uint64_t written; /* bytes of a trace */
};

/* Viewers take minutes for more, or refuse it. */
#define LARGE_BYTES 200000000

/* States how large the trace becomes. */
static void
warn_of_size (struct export_values *v)
{
  struct log_command *c = &v->log;
  const struct progress *p = &c->progress;
  /* The size of a compressed log is not known. */
  const bool is_known = c->logs[1] == NULL && p->bytes != 0 && p->bytes <= p->total;
  const double all = is_known ? (double) v->written * (double) p->total / (double) p->bytes : 0;
  g_autofree char *now = figure_text (FIGURE_BYTES, v->written);
  g_autofree char *whole = figure_text (FIGURE_BYTES, (uint64_t) all);
  g_autofree char *guess
      = is_known ? g_strdup_printf (", and becomes some %s", whole) : g_strdup ("");
  progress_clear (&c->progress);
  cli_message ("proflog export: %s: the output has %s%s; --min-time, --time-range or --thread "
               "makes it smaller",
               c->logs[0], now, guess);
}

static bool
put_trace (void *data, const GString *bytes)
{
  struct export_values *v = data;
  const bool was_large = v->written >= LARGE_BYTES;
  v->written += bytes->len;
  if (v->written >= LARGE_BYTES && !was_large && !v->log.quiet)
    warn_of_size (v);
  return output_write (&v->log.output, bytes);
}

/* ---- options ---- */

static void
list_formats (const struct cli_command *command, GPtrArray *names)
{
  (void) command;
  for (const struct export_format *const *export = export_formats; *export != NULL; export ++)
    g_ptr_array_add (names, (gpointer) (*export)->name);
}

static bool
parse_format (void *field, const char *text, GError **error)
{
  const struct export_format **export = field;
  *export = export_find (text);
  if (*export != NULL)
    return true;
  if (strcmp (text, "dot") == 0)
    return cli_refuse (error, "--format dot: paths in heap snapshots are written for Graphviz by "
                              "'proflog heap paths --dot'");
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  list_formats (NULL, names);
  return cli_refuse_value (error, "--format", text, names);
}

/* The format of a name's end, as its viewers or examples call it; NULL: there is none. */
static const struct export_format *
format_of_ending (const char *ending)
{
  return strcmp (ending, "pb") == 0        ? &export_pprof
         : strcmp (ending, "pftrace") == 0 ? &export_perfetto
                                           : export_find (ending);
}

/* By one of the last two parts of the output's name: x.folded, x.speedscope.json.  NULL: by none.
 */
static const struct export_format *
format_of_output (const char *path)
{
  const struct export_format *format = NULL;
  g_autofree char *name = g_path_get_basename (path);
  for (guint parts = 0; format == NULL && parts < 2; parts++) {
    char *dot = strrchr (name, '.');
    if (dot == NULL)
      return NULL;
    format = format_of_ending (dot + 1);
    *dot = 0;
  }
  return format;
}

static bool
has_format (struct export_values *v, GError **error)
{
  if (v->export == NULL && v->log.path != NULL)
    v->export = format_of_output (v->log.path);
  if (v->export != NULL)
    return true;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  list_formats (NULL, names);
  g_autofree char *all = cli_join (names);
  return cli_refuse (error, "--format is needed, or -o FILE.FORMAT: there are %s", all);
}

/* Tables are of whole logs, in a folder. */
static bool
check_tables (const struct export_values *v, GError **error)
{
  if (v->log.path == NULL || strcmp (v->log.path, "-") == 0)
    return cli_refuse (error, "--format %s: -o DIR is needed", v->export->name);
  if (selection_is_partial (&v->log.selection) || log_axis_is_given (&v->log.axis))
    return cli_refuse (error,
                       "--format %s is for whole logs: --thread, --time-range, --cap, --align and "
                       "--offset are not for it",
                       v->export->name);
  return true;
}

/* Are the options and the number of logs for the kind of format that is requested? */
static bool
check_options (struct export_values *v, GError **error)
{
  if (!has_format (v, error))
    return false;
  if (!v->export->is_tables && v->layout != LAYOUT_NONE)
    return cli_refuse (error, "--layout is for tables, and --format %s writes none",
                       v->export->name);
  if (v->export->write_shot == NULL && v->shot.is_set)
    return cli_refuse (error, "--shot is for heap snapshots, and --format %s writes none",
                       v->export->name);
  if (v->export->write_stacks == NULL && v->source != STACKS_ANY)
    return cli_refuse (error, "--source is for stacks, and --format %s writes none",
                       v->export->name);
  if (v->log.selection.min_ns != 0 && (v->export->trace == NULL || v->export->trace->slice == NULL))
    return cli_refuse (error, "--min-time is for slices of traces, and --format %s writes none",
                       v->export->name);
  if (v->export->is_tables)
    return check_tables (v, error);
  if (v->export->write_shot != NULL && (v->export->trace == NULL || v->shot.is_set)
      && selection_is_partial (&v->log.selection))
    return cli_refuse (error,
                       "--thread, --time-range and --cap are not for heap snapshots, and --format "
                       "%s writes one",
                       v->export->name);
  if ((v->export->trace == NULL || v->export->trace->is_of_one_log || v->shot.is_set)
      && v->log.logs[1] != NULL)
    return cli_refuse (error, "--format %s is for one log at a time, but %u are given",
                       v->export->name, g_strv_length (v->log.logs));
  return true;
}

static const struct cli_choice layouts[] = { { "hive", LAYOUT_HIVE, false }, { NULL, 0, false } };

static const struct cli_option own[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_PARSED,
    .argument = "FORMAT",
    .offset = offsetof (struct export_values, export),
    .parse = parse_format,
    .list = list_formats,
    .help = "Output format: one of those listed here (default: by the name of the output)" },
  { .name = "shot",
    .kind = CLI_NUMBER,
    .argument = "N",
    .offset = offsetof (struct export_values, shot),
    .min = 1,
    .max = G_MAXINT,
    .needed = "the number of a heap snapshot is needed, from 1",
    .help = "Number of the heap snapshot (default: the last complete one)" },
  { .name = "source",
    .kind = CLI_CHOICE,
    .argument = "KIND",
    .offset = offsetof (struct export_values, source),
    .choices = log_stacks_kinds,
    .help = "Write stacks of samples, calls, allocations, locks or exceptions (default: samples, "
            "else calls)" },
  { .name = "layout",
    .kind = CLI_CHOICE,
    .argument = "LAYOUT",
    .offset = offsetof (struct export_values, layout),
    .choices = layouts,
    .help = "Of parquet: hive, which are folders by kind, date, host and pid (default)" },
  { .name = "list",
    .kind = CLI_FLAG,
    .offset = offsetof (struct export_values, log.needs_no_log),
    .help = "List the formats, and nothing else" },
  { .name = NULL },
};

/* ---- a heap snapshot ---- */

static void
warn (struct log_command *c, const char *path, char *message)
{
  log_command_warn (c, path, message);
  g_free (message);
}

static int
write_graph (struct log_command *c, const char *path, const struct export_values *v,
             const struct summary *s, const struct heap_graph *graph)
{
  struct heap_dominators *dominators = heap_dominators_new (graph);
  const struct export_shot shot = { .graph = graph,
                                    .dominators = dominators,
                                    .start_ms = s->log.header.start_ms,
                                    .pid = s->log.header.pid,
                                    .limit = unpack_limit (s->log.bytes),
                                    .program = v->export->trace == NULL ? s->log.arguments : NULL,
                                    .zero_ns = v->zero };
  struct export_out out = { .bytes = g_string_new (NULL), .put = output_put, .data = &c->output };
  const uint64_t other_sizes = v->export->write_shot (&shot, &out);
  if (graph->state != HEAPSHOT_COMPLETE)
    warn (c, path,
          g_strdup_printf ("heap snapshot %u is %s: its readable part is written", graph->index,
                           heapshot_state_name (graph->state)));
  if (other_sizes != 0 && !c->quiet)
    cli_message ("proflog export: %s: %" G_GUINT64_FORMAT
                 " %s size in the output, as the format cannot express %s",
                 path, other_sizes,
                 other_sizes == 1 ? "object has another" : "objects have another",
                 other_sizes == 1 ? "its own" : "theirs");
  if (out.cut != 0 && !c->quiet)
    cli_message ("proflog export: %s: %" G_GUINT64_FORMAT
                 " objects are written with %" G_GUINT64_FORMAT
                 " bytes, as the contents of all of them are more than %" G_GUINT64_FORMAT
                 " bytes and the log has %" G_GUINT64_FORMAT
                 "; --max-ratio N sets another limit, --max-ratio 0 none",
                 path, out.cut, out.cut_bytes, shot.limit, s->log.bytes);
  const bool failed = out.failed;
  g_string_free (out.bytes, TRUE);
  heap_dominators_free (dominators);
  return failed ? CLI_INPUT : CLI_OK;
}

static int
write_shot (struct log_command *c, const char *path, const struct export_values *v,
            struct summary *s)
{
  const guint index = (guint) v->shot.value;
  struct heap_graph *graph = summary_build_heap (s, index);
  if (graph == NULL) {
    if (v->export->trace != NULL && index == 0)
      return CLI_OK;
    if (index == 0)
      cli_message ("proflog export: %s: it has no heap snapshot", path);
    else
      cli_message ("proflog export: %s: it has no heap snapshot %u: it has %u", path, index,
                   SUMMARY_STATE (s, heapshots)->begun);
    return CLI_INPUT;
  }
  const int status = write_graph (c, path, v, s, graph);
  heap_graph_free (graph);
  return status;
}

/* ---- one log ---- */

static int
export_shot (void *data, const char *path)
{
  const struct export_values *v = data;
  struct log_command *c = &((struct export_values *) data)->log;
  const guint index = (guint) v->shot.value;
  const struct shot_selection selection
      = { .last = index == 0, .indexes = &index, .n_indexes = index != 0 };
  const struct scan_options options = { .graphs = &selection };
  struct summary summary;
  int status = log_command_read_summary (c, path, &options, NULL, &summary);
  if (summary.log.has_header) {
    const int written = write_shot (c, path, v, &summary);
    status = MAX (status, written);
  }
  summary_clear (&summary);
  return status;
}

/* The heap snapshot of a single log, if it has one, follows its events. */
static int
write_trace (struct log_command *c, struct export_values *v)
{
  struct export_out out = { .bytes = g_string_new (NULL), .put = put_trace, .data = v };
  const bool has_shot = v->export->write_shot != NULL && c->logs[1] == NULL
                        && !selection_is_partial (&c->selection);
  const int status = log_trace_write (c, v->export->trace, &out, has_shot ? &v->zero : NULL);
  g_string_free (out.bytes, TRUE);
  if (status > CLI_TRUE || c->input == NULL)
    return status;
  c->reports_damage = true; /* it was reported */
  const int shot_status = export_shot (v, c->logs[0]);
  return MAX (status, shot_status);
}

/* Of a log without any the output is empty, and a line states that. */
static void
write_code (struct log_command *c, const char *path, const struct export_format *format,
            const struct summary *s)
{
  struct export_out out = { .bytes = g_string_new (NULL), .put = output_put, .data = &c->output };
  g_autoptr (GArray) all
      = metadata_list_code (SUMMARY_STATE (s, metadata), &s->symbols, s->log.header.data_version);
  g_autoptr (GArray) named = g_array_new (FALSE, FALSE, sizeof (struct export_code));
  for (guint i = 0; i < all->len; i++) {
    const struct metadata_code *code = &g_array_index (all, struct metadata_code, i);
    const struct export_code row
        = { code->start, code->size,
            symbols_current_name (&s->symbols, SYMBOL_METHOD, code->method) };
    if (row.name != NULL && row.size != 0)
      g_array_append_val (named, row);
  }
  format->write_code ((const struct export_code *) (const void *) named->data, named->len, &out);
  if (named->len == 0 && !c->quiet)
    cli_message ("proflog export: %s: no code of methods was recorded in it", path);
  g_string_free (out.bytes, TRUE);
}

static int
export_code (void *data, const char *path)
{
  struct export_values *v = data;
  const struct scan_options options = { .graphs = NULL };
  struct summary summary;
  const int status = log_command_read_summary (&v->log, path, &options, NULL, &summary);
  if (summary.log.has_header)
    write_code (&v->log, path, v->export, &summary);
  summary_clear (&summary);
  return status;
}

static int
export_log (struct log_command *c, const char *path, struct export_values *v)
{
  static const struct log_action shots[]
      = { [LOG_MONO] = { .run = export_shot },
          [LOG_GHC] = { .lack = "only logs of Mono have heap snapshots" } };
  static const struct log_action code[]
      = { [LOG_MONO] = { .run = export_code },
          [LOG_GHC] = { .lack = "only logs of Mono have compiled methods" } };
  if (v->export->trace != NULL)
    return write_trace (c, v);
  if (v->export->write_stacks != NULL)
    return log_stacks_export (c, path, v->source, v->export);
  return log_kind_run (c, path, true, v->export->write_code != NULL ? code : shots, v);
}

static void
describe (const struct cli_command *command, GString *text)
{
  (void) command;
  for (const struct export_format *const *export = export_formats; *export != NULL; export ++)
    g_string_append_printf (text, "  %-12s  %s\n", (*export)->name, (*export)->summary);
}

static int
print_formats (struct log_command *command)
{
  int status;
  if (!log_command_open (command, &status))
    return status;
  GString *text = g_string_new (NULL);
  for (const struct export_format *const *export = export_formats; *export != NULL; export ++)
    g_string_append_printf (text, "%-12s  %s\n", (*export)->name, (*export)->summary);
  status = output_write (&command->output, text) ? CLI_OK : CLI_INPUT;
  g_string_free (text, TRUE);
  return log_command_finish (command, status);
}

/* Most formats are text. */
static bool
open_output (struct export_values *v, int *status)
{
  if (v->export->write_shot == NULL && v->export != &export_pprof && v->export != &export_otlp
      && v->export != &export_otlp_metrics)
    return log_command_open (&v->log, status);
  g_autofree char *thing = g_strdup_printf ("a file for other viewers (%s)", v->export->name);
  return write_command_open_other (&v->log, thing, "-o FILE", status);
}

/* ---- tables ---- */

/* The files of a log, or itself. */
static void
add_files (GPtrArray *words, const struct log_command *c, char *log)
{
  char *const *files = log_joined_files (c->joined, log);
  if (files == NULL)
    g_ptr_array_add (words, log);
  for (; files != NULL && *files != NULL; files++)
    g_ptr_array_add (words, *files);
}

/* Ends in that program. */
static int
write_tables (struct log_command *c)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_ptr_array_add (words, (gpointer) command_query.name);
  g_ptr_array_add (words, (gpointer) "--parquet");
  g_ptr_array_add (words, (gpointer) c->path);
  if (c->quiet)
    g_ptr_array_add (words, (gpointer) "--quiet");
  if (c->strict)
    g_ptr_array_add (words, (gpointer) "--strict");
  g_ptr_array_add (words, (gpointer) "--");
  for (char **log = c->logs; *log != NULL; log++)
    add_files (words, c, *log);
  g_ptr_array_add (words, NULL);
  const int status = cmd_query_run ((char **) words->pdata);
  c->path = NULL; /* it was no file of ours */
  return log_command_finish (c, status);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct export_values v = { .export = NULL };
  struct log_command *const command = &v.log;
  GError *error = NULL;
  int status;
  if (!log_command_parse (command, spec, argc, argv, &status))
    return status;
  if (command->needs_no_log)
    return print_formats (command);
  if (!check_options (&v, &error))
    return log_command_refuse (command, error);
  if (v.export->is_tables)
    return write_tables (command);
  if (!open_output (&v, &status))
    return status;
  status = export_log (command, command->logs[0], &v);
  if (status > CLI_TRUE)
    write_command_discard (command);
  return log_command_finish (command, status);
}

const struct cli_command command_export = {
  .name = "export",
  .group = CLI_CONVERT,
  .summary = "write a trace, stacks, a heap snapshot or tables for other programs",
  .parameters = "LOG...",
  .description
  = "Stacks are those of the section tree of 'proflog report': of samples, with the processor time "
    "where the log states it and else their number, or of recorded calls, with the time without "
    "callees; or of allocations, waits for monitors or exceptions, with the type as last frame.  "
    "Of an eventlog they are those of its time profile.\n\n"
    "A trace has the events of one or more logs of either format over time: threads, calls, "
    "collections, waits for locks, exceptions, marks and counters.  Several logs are put together "
    "by their times of day, or as --align and --offset request.\n\n"
    "Tables are those of 'proflog query --parquet', which runs for that.\n\n"
    "Formats:\n",
  .describe = describe,
  .examples
  = CLI_EXAMPLES ({ "Draw a flame graph with Brendan Gregg's script",
                    "proflog export --format folded app.mlpd | flamegraph.pl >app.svg" },
                  { "Write stacks for speedscope",
                    "proflog export --format speedscope app.mlpd -o app.speedscope.json" },
                  { "Write allocations for 'go tool pprof'",
                    "proflog export --format pprof --source allocations app.mlpd -o app.pb" },
                  { "Write samples with their times and threads for OpenTelemetry",
                    "proflog export --format otlp app.mlpd -o app.otlp" },
                  { "Write a trace of two logs for ui.perfetto.dev",
                    "proflog export --format chrome client.mlpd server.eventlog -o app.json" },
                  { "Write a trace without calls of less than 100 us",
                    "proflog export --format chrome --min-time 100us app.mlpd -o app.json" },
                  { "Write a trace for profiler.firefox.com",
                    "proflog export --format firefox app.mlpd -o app.json" },
                  { "Write the last heap snapshot for Chrome's developer tools",
                    "proflog export --format heapsnapshot app.mlpd -o app.heapsnapshot" },
                  { "Write heap snapshot 2 for VisualVM or Eclipse MAT",
                    "proflog export --format hprof --shot 2 app.mlpd -o app.hprof" },
                  { "Write a trace with samples and heap for ui.perfetto.dev",
                    "proflog export --format perfetto app.mlpd -o app.pftrace" },
                  { "Write the tables of all logs of a folder for DuckDB or Spark",
                    "proflog export --format parquet --layout hive logs/ -o lake" }),
  .options = { { own, 0 },
               { log_selection_options, 0 },
               { log_object_option, 0 },
               { log_names_option, 0 },
               { log_axis_options, offsetof (struct export_values, log.axis) },
               { log_index_option, 0 },
               { log_options, 0 } },
  .selects = SELECTS_PARTS | SELECTS_TIMES | SELECTS_CAPS,
  .run = run,
};
