/* export-flame-html.c -- a flame graph as one page, which loads nothing and sends nothing: its
 * policy allows its own script and style alone.
 */
#include "config.h"

#include "decoder/exports/export-flame.h"
#include "decoder/core/method-words.h"
#include "decoder/exports/flame-tree.h"
#include "decoder/output/emitter-values.h"
#include "decoder/output/figure.h"
#include "decoder/output/html.h"

/* A page of 1400 pixels shows a fourteenth of a frame of this share, and a zoomed one all. */
#define SHARE_MIN 20000
#define NODES_MAX 200000
#define ROWS_MAX 30

/* The styles and scripts, up to NULL (transfer container). */
static GPtrArray *
graph_page_files (void)
{
  GPtrArray *files = g_ptr_array_new ();
  for (const struct embedded_file *file = flame_files; file->name != NULL; file++)
    g_ptr_array_add (files, (gpointer) file);
  g_ptr_array_add (files, NULL);
  return files;
}

static void
put_head (const struct export_stacks *stacks, const GPtrArray *files, struct export_out *out)
{
  const char *const name = stacks->title != NULL ? stacks->title : "proflog";
  g_autofree char *title = g_strdup_printf ("%s - flame graph", name);
  html_append_head (out->bytes, title, (gpointer) files->pdata);
  g_string_append (out->bytes, "<h1>");
  html_append_text (out->bytes, stacks->title != NULL ? stacks->title : "Flame graph");
  g_string_append (out->bytes, "</h1>\n");
}

static void
append_amount (GString *bytes, const struct export_stacks *stacks, uint64_t amount)
{
  g_autofree char *text = figure_text (export_stacks_figure (stacks), amount);
  g_string_append (bytes, text);
}

/* The name of the cost, the sum, and the missing parts. */
static void
put_summary (const struct flame_tree *t, struct export_out *out)
{
  g_string_append (out->bytes, "<p>");
  html_append_text (out->bytes, t->stacks->cost);
  g_string_append (out->bytes, ": ");
  append_amount (out->bytes, t->stacks, t->stacks->total);
  if (t->stacks->is_comparison) {
    g_string_append (out->bytes, "; before: ");
    append_amount (out->bytes, t->stacks, t->stacks->total_before);
    g_string_append (out->bytes, " (");
    flame_change_append_text (out->bytes, t->stacks, t->stacks->total, t->stacks->total_before);
    g_string_append_c (out->bytes, ')');
  }
  if (t->least != 0) {
    g_string_append (out->bytes, "; stacks of less than ");
    append_amount (out->bytes, t->stacks, t->least);
    g_string_append (out->bytes, " are summed");
  }
  g_string_append (out->bytes, ".</p>\n");
  if (t->stacks->is_comparison)
    g_string_append (
        out->bytes,
        "<ul class=\"legend\"><li class=\"more\">+ more than before"
        "<li class=\"less\">- less than before"
        "<li class=\"new\">new: not there before"
        "<li class=\"same\">= the same, within 0.5 %; (in brackets) no more than chance</ul>\n"
        "<p>Stacks that are gone have no width; "
        "they are in the table.</p>\n");
}

static void
put_graph (const struct export_stacks *stacks, struct export_out *out)
{
  static const char threads[]
      = "<button id=\"threads\" type=\"button\" aria-pressed=\"true\" title=\"The stacks of each "
        "thread, or of all together (t)\">By thread</button>";
  g_string_append_printf (
      out->bytes,
      "<form><input id=\"query\" type=\"search\" placeholder=\"Search a name ( / )\" "
      "aria-label=\"Search a name\"><button id=\"invert\" type=\"button\" aria-pressed=\"false\" "
      "title=\"The innermost frames first, with their callers (i)\">Invert</button>"
      "<button id=\"own\" type=\"button\" aria-pressed=\"false\" hidden title=\"What the "
      "library and the runtime cost is their caller's (o)\">Own code</button>%s"
      "<button id=\"reset\" type=\"button\" title=\"Show all (Escape)\">Show all</button>"
      "<output id=\"matched\"></output></form>\n"
      "<div id=\"status\" role=\"status\" aria-live=\"polite\"></div>\n"
      "<canvas id=\"graph\" tabindex=\"0\" role=\"application\" aria-label=\"Flame graph: arrows "
      "move, Enter zooms, Escape shows all\"></canvas>\n"
      "<noscript>",
      stacks->is_by_thread ? threads : "");
  export_flame_append_svg (stacks, out);
  g_string_append (out->bytes, "</noscript>\n");
}

static void
append_cells (GString *bytes, const struct export_stacks *stacks, uint64_t now, uint64_t before)
{
  g_string_append (bytes, "<td>");
  append_amount (bytes, stacks, before);
  g_string_append (bytes, "<td>");
  append_amount (bytes, stacks, now);
  g_string_append (bytes, "<td>");
  flame_change_append_text (bytes, stacks, now, before);
}

static void
append_name (GString *bytes, const struct export_stacks *stacks, uint32_t frame)
{
  g_autofree char *words = method_words (stacks->frames->pdata[frame], true);
  html_append_text (bytes, words);
  g_string_append_c (bytes, '\n');
}

static void
put_changes (const struct export_stacks *stacks, struct export_out *out)
{
  g_autoptr (GArray) frames = flame_tree_frames (stacks);
  g_string_append (out->bytes, "<h2>Biggest changes (self)</h2>\n"
                               "<table class=\"changes\">\n"
                               "<thead><tr><th>Self before<th>Self<th>Change"
                               "<th>Total before<th>Total<th>Change<th>Name</thead>\n"
                               "<tbody>\n");
  for (guint i = 0; i < MIN (frames->len, ROWS_MAX); i++) {
    const struct flame_frame *f = &g_array_index (frames, struct flame_frame, i);
    g_string_append (out->bytes, "<tr>");
    append_cells (out->bytes, stacks, f->self, f->self_before);
    append_cells (out->bytes, stacks, f->total, f->before);
    g_string_append (out->bytes, "<td>");
    append_name (out->bytes, stacks, f->frame);
  }
  g_string_append (out->bytes, "</tbody></table>\n");
}

static void
put_table (const struct export_stacks *stacks, struct export_out *out)
{
  g_autoptr (GArray) frames = flame_tree_frames (stacks);
  g_string_append (
      out->bytes,
      "<h2>Largest frames (self)</h2>\n<table class=\"selves\">\n<thead><tr><th>Self<th>%<th>Total"
      "<th>%<th>Name</thead>\n<tbody>\n");
  for (guint i = 0; i < MIN (frames->len, ROWS_MAX); i++) {
    const struct flame_frame *f = &g_array_index (frames, struct flame_frame, i);
    const double percent = 100 / (double) stacks->total;
    g_string_append (out->bytes, "<tr><td>");
    append_amount (out->bytes, stacks, f->self);
    g_string_append_printf (out->bytes, "<td>%.1f<td>", percent * (double) f->self);
    append_amount (out->bytes, stacks, f->total);
    g_string_append_printf (out->bytes, "<td>%.1f<td>", percent * (double) f->total);
    append_name (out->bytes, stacks, f->frame);
  }
  g_string_append (out->bytes, "</tbody></table>\n");
}

static void
put_data (const struct flame_tree *t, struct export_out *out)
{
  g_string_append (out->bytes, "<script type=\"application/json\" id=\"data\">\n");
  flame_data_append (t, out);
  g_string_append (out->bytes, "\n</script>\n");
}

static void
write_html (const struct export_stacks *stacks, struct export_out *out)
{
  struct flame_tree tree;
  g_autoptr (GPtrArray) files = graph_page_files ();
  flame_tree_init (&tree, stacks, SHARE_MIN, NODES_MAX);
  put_head (stacks, files, out);
  put_summary (&tree, out);
  put_graph (stacks, out);
  (stacks->is_comparison ? put_changes : put_table) (stacks, out);
  put_data (&tree, out);
  html_append_end (out->bytes, (gpointer) files->pdata);
  export_flush (out);
  flame_tree_clear (&tree);
}

const struct export_format export_flame_html
    = { "html", "flame graph as a page", .write_stacks = write_html };
