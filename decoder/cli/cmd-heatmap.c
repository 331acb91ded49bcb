/* cmd-heatmap.c -- proflog heatmap */
#include "config.h"

#include "decoder/cli/command-list.h"
#include "decoder/command/cli.h"
#include "decoder/command/message.h"
#include "decoder/edit/write-command.h"
#include "decoder/exports/export-heat.h"
#include "decoder/log/log-clock.h"
#include "decoder/log/log-page.h"
#include "decoder/trace/log-trace.h"
#include "decoder/trace/trace-heat.h"
#include <string.h>
#include <unistd.h>

#define HEATMAP_SCHEMA "proflog.heatmap/1"

/* Seconds in a text. */
#define BUSIEST 10

struct heatmap_values {
  struct log_command log;
  enum emitter_format format; /* the command has it when there is something to show */
};

static const struct cli_choice formats[] = { { "html", EMITTER_HTML, false },
                                             { "text", EMITTER_TEXT, false },
                                             { "json", EMITTER_JSON, false },
                                             { "csv", EMITTER_CSV, false },
                                             { "markdown", EMITTER_MARKDOWN, false },
                                             { "md", EMITTER_MARKDOWN, true },
                                             { NULL, 0, false } };

static const struct cli_option own[] = {
  { .name = "format",
    .letter = 'f',
    .kind = CLI_CHOICE,
    .argument = "FORMAT",
    .offset = offsetof (struct heatmap_values, format),
    .choices = formats,
    .help
    = "html: the page (default); text or markdown: its busiest seconds; json or csv: what each "
      "second has" },
  { .name = NULL },
};

/* ---- the sums by second ---- */

static const struct emitter_column columns[] = {
  { "second", "Second", EMIT_NUMBER },         { "samples", "Samples", EMIT_NUMBER },
  { "allocated", "Bytes", EMIT_NUMBER },       { "pauses", "Pauses, ms", EMIT_NS },
  { "waits", "Waits, ms", EMIT_NS },           { "locks", "Locks, ms", EMIT_NS },
  { "exceptions", "Exceptions", EMIT_NUMBER },
};

/* The weight by which seconds are busy: the first of the columns that the logs have. */
static enum heat_weight
weight_of (const struct heat_cells *cells)
{
  enum heat_weight weight = HEAT_SAMPLES;
  while (weight + 1 < HEAT_WEIGHTS && heat_cells_sum (cells, weight) == 0)
    weight++;
  return weight;
}

static bool
is_empty (const struct heat_second *second)
{
  uint64_t all = 0;
  for (unsigned i = 0; i < HEAT_WEIGHTS; i++)
    all |= second->amounts[i];
  return all == 0;
}

struct ordering {
  const struct heat_cells *cells;
  enum heat_weight weight;
};

/* The busiest first. */
static int
compare_seconds (gconstpointer a, gconstpointer b, gpointer data)
{
  const struct ordering *o = data;
  const guint i = *(const guint *) a, j = *(const guint *) b;
  const uint64_t x = g_array_index (o->cells->seconds, struct heat_second, i).amounts[o->weight];
  const uint64_t y = g_array_index (o->cells->seconds, struct heat_second, j).amounts[o->weight];
  if (x != y)
    return x > y ? -1 : 1;
  return (i > j) - (i < j);
}

static void
put_row (struct emitter *emitter, const struct heat_cells *cells, guint second)
{
  const struct heat_second *of = &g_array_index (cells->seconds, struct heat_second, second);
  union emitter_value row[G_N_ELEMENTS (columns)] = { { .number = second } };
  for (unsigned i = 0; i < HEAT_WEIGHTS; i++)
    row[i + 1].number = of->amounts[i];
  emitter_open_row (emitter, row);
  emitter_close_row (emitter);
}

static void
put_seconds (struct emitter *emitter, const struct heat_cells *cells)
{
  const bool is_for_people = emitter_format_is_for_people (emitter_get_format (emitter));
  struct ordering ordering = { cells, weight_of (cells) };
  g_autoptr (GArray) seconds = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < cells->seconds->len; i++)
    if (!is_empty (&g_array_index (cells->seconds, struct heat_second, i)))
      g_array_append_val (seconds, i);
  if (is_for_people)
    g_array_sort_with_data (seconds, compare_seconds, &ordering);
  const guint shown = is_for_people ? MIN (seconds->len, BUSIEST) : seconds->len;
  emitter_open_table (emitter, "seconds", "Busiest seconds", columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < shown; i++)
    put_row (emitter, cells, g_array_index (seconds, guint, i));
  emitter_close_table (emitter, seconds->len - shown);
}

static int
write_sums (struct log_command *c, const struct trace_heat *heat)
{
  GString *text = g_string_new (NULL);
  struct emitter *emitter = log_command_new_emitter (c, text);
  emitter_begin (emitter, HEATMAP_SCHEMA);
  emitter_number (emitter, "columns", "Seconds", heat->cells.seconds->len);
  emitter_texts (emitter, "programs", "Programs", heat->programs);
  emitter_open (emitter, "sums", "Sums");
  for (unsigned i = 0; i < HEAT_WEIGHTS; i++) {
    const union emitter_value sum = { .number = heat_cells_sum (&heat->cells, i) };
    emitter_value (emitter, heat_weight_names[i].key, heat_weight_names[i].title,
                   columns[i + 1].type, sum);
  }
  emitter_close (emitter);
  put_seconds (emitter, &heat->cells);
  emitter_end (emitter);
  emitter_free (emitter);
  const bool good = output_write (&c->output, text);
  g_string_free (text, TRUE);
  return good ? CLI_OK : CLI_INPUT;
}

/* ---- the page ---- */

static int
write_page (struct log_command *c, const struct trace_heat *heat)
{
  struct export_out out = { .bytes = g_string_new (NULL), .put = output_put, .data = &c->output };
  g_autofree char *name = g_path_get_basename (c->logs[0]);
  const guint logs = g_strv_length (c->logs);
  g_autofree char *title
      = logs > 1 ? g_strdup_printf ("%s and %u more", name, logs - 1) : g_strdup (name);
  const struct heat_page page
      = { .title = title,
          .selection = c->selection.given != NULL ? c->selection.given->str : NULL,
          .cells = &heat->cells,
          .stacks = &heat->stacks,
          .names = heat->names,
          .programs = heat->programs,
          .events = heat->events,
          .start_ns = heat->start_ns,
          .summed = heat->summed };
  export_heat_write (&page, &out);
  g_string_free (out.bytes, TRUE);
  return out.failed ? CLI_INPUT : CLI_OK;
}

/* Whether there is something to draw, and not too much of it. */
static bool
check_cells (const struct log_command *c, const struct heat_cells *cells)
{
  if (cells->seconds->len == 0) {
    cli_message ("proflog heatmap: %s: %s no samples, allocations, pauses, waits or exceptions; "
                 "'proflog run' records samples each 10 ms of processor time",
                 c->logs[0],
                 selection_is_partial (&c->selection) ? "what is selected has" : "the logs have");
    return false;
  }
  if (cells->last < HEAT_COLUMNS_MAX)
    return true;
  cli_message ("proflog heatmap: %s: the logs go on for %" G_GUINT64_FORMAT
               " s, and a heat map has %d columns of a second at most; --time-range selects a part",
               c->logs[0], cells->last + 1, HEAT_COLUMNS_MAX);
  return false;
}

static int
read_and_write (struct log_command *c, enum emitter_format format)
{
  struct trace_heat heat;
  trace_heat_init (&heat);
  log_range_place (c);
  int status = log_trace_read_all (c, &trace_heat_format, &heat);
  if (heat.names == NULL || !check_cells (c, &heat.cells)) {
    status = MAX (status, CLI_INPUT);
  } else {
    const int written = format == EMITTER_HTML ? write_page (c, &heat) : write_sums (c, &heat);
    status = MAX (status, written);
  }
  trace_heat_clear (&heat);
  return status;
}

/* ---- the command line ---- */

static bool
open_output (struct log_command *c, enum emitter_format format, int *status)
{
  if (format != EMITTER_HTML)
    return log_command_open (c, status);
  if (c->path == NULL && (c->opens || isatty (STDOUT_FILENO)))
    c->path = c->page = log_page_path (c);
  return write_command_open_other (
      c, "a page for a browser", "-o FILE.html, or --format text for its busiest seconds", status);
}

static int
run (const struct cli_command *spec, int argc, char **argv)
{
  struct heatmap_values v = { .format = EMITTER_HTML };
  struct log_command *const c = &v.log;
  int status;
  if (!log_command_parse (c, spec, argc, argv, &status))
    return status;
  if (c->opens && v.format != EMITTER_HTML) {
    GError *error = NULL;
    cli_refuse (&error, "--open is for a page, and another format is requested");
    return log_command_refuse (c, error);
  }
  if (!open_output (c, v.format, &status))
    return status;
  if (v.format != EMITTER_HTML)
    c->format = v.format;
  status = read_and_write (c, v.format);
  if (status > CLI_TRUE)
    write_command_discard (c);
  else if (c->path != NULL)
    c->format = v.format; /* a page is named, and shown */
  return log_command_finish (c, status);
}

const struct cli_command command_heatmap = {
  .name = "heatmap",
  .group = CLI_INSPECT,
  .summary = "draw what happened in each 20 ms of logs",
  .parameters = "LOG...",
  .description
  = "The page is one file for any browser, and loads nothing; that of app.mlpd is app.html, if the "
    "output would be a terminal.  A column is a second, a row in it 20 ms, and the colour shows "
    "samples, allocated bytes, pauses, waits or exceptions.  A rectangle that is dragged has its "
    "flame graph and its events; 'c' compares the next one with it.  Several logs lie on one time "
    "axis, by their times of day.\n\n"
    "The sum of a rectangle has what began and ended in it, as 'proflog report --time-range' has "
    "it.",
  .examples = CLI_EXAMPLES (
      { "Write a page with the heat map of a log", "proflog heatmap app.mlpd -o app.html" },
      { "Print the busiest seconds", "proflog heatmap --format text app.mlpd" },
      { "Print what each second has, for a script",
        "proflog heatmap --format json app.mlpd | jq '.seconds[0].samples'" }),
  .options = { { own, 0 },
               { log_open_option, 0 },
               { log_selection_options, 0 },
               { log_axis_options, offsetof (struct heatmap_values, log.axis) },
               { log_options, 0 } },
  .selects = SELECTS_PARTS | SELECTS_CAPS,
  .run = run,
};
