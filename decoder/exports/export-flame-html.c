/* export-flame-html.c -- a flame graph as one page, which loads nothing and sends nothing: its
 * policy allows its own script and style alone.
 */
#include "config.h"

#include "decoder/exports/export-flame.h"
#include "decoder/exports/flame-tree.h"
#include "decoder/output/embedded-file.h"
#include "decoder/output/emitter-values.h"
#include "decoder/output/figure.h"

#include <string.h>

/* A page of 1400 pixels shows a fourteenth of a frame of this share, and a zoomed one all. */
#define SHARE_MIN 20000
#define NODES_MAX 200000
#define ROWS_MAX 30

static const struct embedded_file *
find_file (const char *name)
{
  const struct embedded_file *file = flame_files;
  while (strcmp (file->name, name) != 0)
    file++;
  return file;
}

static void
append_source_hash (GString *bytes, const struct embedded_file *file)
{
  guint8 digest[32];
  gsize length = sizeof digest;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (checksum, file->bytes, (gssize) file->length);
  g_checksum_get_digest (checksum, digest, &length);
  g_autofree char *text = g_base64_encode (digest, length);
  g_string_append_printf (bytes, "'sha256-%s'", text);
}

static void
append_file (GString *bytes, const char *element, const struct embedded_file *file)
{
  g_string_append_printf (bytes, "<%s>", element);
  g_string_append_len (bytes, (const char *) file->bytes, (gssize) file->length);
  g_string_append_printf (bytes, "</%s>\n", element);
}

static void
put_head (const struct export_stacks *stacks, struct export_out *out)
{
  GString *const b = out->bytes;
  g_string_append (b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "script-src ");
  append_source_hash (b, find_file ("flame.js"));
  g_string_append (b, "; style-src ");
  append_source_hash (b, find_file ("flame.css"));
  g_string_append (b, "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
  export_flame_append_text (b, stacks->title != NULL ? stacks->title : "proflog");
  g_string_append (b, " - flame graph</title>\n");
  append_file (b, "style", find_file ("flame.css"));
  g_string_append (b, "</head>\n<body>\n<h1>");
  export_flame_append_text (b, stacks->title != NULL ? stacks->title : "Flame graph");
  g_string_append (b, "</h1>\n");
}

static void
append_amount (GString *bytes, const struct export_stacks *stacks, uint64_t amount)
{
  g_autofree char *text = figure_text (export_stacks_figure (stacks), amount);
  g_string_append (bytes, text);
}

/* The name of the cost, the sum, and what is not there in full. */
static void
put_summary (const struct flame_tree *t, struct export_out *out)
{
  g_string_append (out->bytes, "<p>");
  export_flame_append_text (out->bytes, t->stacks->cost);
  g_string_append (out->bytes, ": ");
  append_amount (out->bytes, t->stacks, t->stacks->total);
  if (t->least != 0) {
    g_string_append (out->bytes, "; stacks of less than ");
    append_amount (out->bytes, t->stacks, t->least);
    g_string_append (out->bytes, " are summed");
  }
  g_string_append (out->bytes, ".</p>\n");
}

static void
put_graph (const struct export_stacks *stacks, struct export_out *out)
{
  g_string_append (
      out->bytes,
      "<form><input id=\"query\" type=\"search\" placeholder=\"Search a name ( / )\" "
      "aria-label=\"Search a name\"><button id=\"invert\" type=\"button\" aria-pressed=\"false\" "
      "title=\"The innermost frames first, with their callers (i)\">Invert</button>"
      "<button id=\"reset\" type=\"button\" title=\"Show all (Escape)\">Show all</button>"
      "<output id=\"matched\"></output></form>\n"
      "<div id=\"status\" role=\"status\" aria-live=\"polite\"></div>\n"
      "<canvas id=\"graph\" tabindex=\"0\" role=\"application\" aria-label=\"Flame graph: arrows "
      "move, Enter zooms, Escape shows all\"></canvas>\n"
      "<noscript>");
  export_flame_append_svg (stacks, out);
  g_string_append (out->bytes, "</noscript>\n");
}

static void
put_table (const struct export_stacks *stacks, struct export_out *out)
{
  g_autoptr (GArray) frames = flame_tree_frames (stacks);
  g_string_append (out->bytes, "<h2>Most by itself</h2>\n<table>\n<thead><tr><th>Self<th>%<th>With "
                               "callees<th>%<th>Name</thead>\n<tbody>\n");
  for (guint i = 0; i < MIN (frames->len, ROWS_MAX); i++) {
    const struct flame_frame *f = &g_array_index (frames, struct flame_frame, i);
    const double percent = 100 / (double) stacks->total;
    g_string_append (out->bytes, "<tr><td>");
    append_amount (out->bytes, stacks, f->self);
    g_string_append_printf (out->bytes, "<td>%.1f<td>", percent * (double) f->self);
    append_amount (out->bytes, stacks, f->total);
    g_string_append_printf (out->bytes, "<td>%.1f<td>", percent * (double) f->total);
    export_flame_append_text (out->bytes, stacks->frames->pdata[f->frame]);
    g_string_append_c (out->bytes, '\n');
  }
  g_string_append (out->bytes, "</tbody></table>\n");
}

/* ---- the data ---- */

/* Nothing in it ends the element, or begins another. */
static void
append_name (GString *bytes, const char *name)
{
  const gsize begin = bytes->len;
  emitter_append_json_string (bytes, name, strlen (name));
  for (gsize i = begin; i < bytes->len; i++)
    if (bytes->str[i] == '<') {
      g_string_erase (bytes, (gssize) i, 1);
      g_string_insert (bytes, (gssize) i, "\\u003c");
    }
}

enum column { PARENT, FRAME, SELF };

static void
put_column (const struct flame_tree *t, const char *name, enum column column,
            struct export_out *out)
{
  g_string_append_printf (out->bytes, ",\n\"%s\":[", name);
  for (guint i = 1; i < t->nodes->len && !out->failed; i++) {
    const struct flame_node *node = &g_array_index (t->nodes, struct flame_node, i);
    g_string_append (out->bytes, i > 1 ? "," : "");
    emitter_append_decimal (out->bytes, column == PARENT  ? node->parent
                                        : column == FRAME ? node->frame
                                                          : node->self);
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
}

static void
put_data (const struct flame_tree *t, struct export_out *out)
{
  g_string_append_printf (out->bytes,
                          "<script type=\"application/json\" id=\"data\">\n{\"unit\":\"%s\","
                          "\n\"frames\":[",
                          t->stacks->unit);
  const guint frames = t->stacks->frames->len + (t->least != 0);
  for (guint i = 0; i < frames && !out->failed; i++) {
    g_string_append (out->bytes, i > 0 ? ",\n" : "");
    append_name (out->bytes, flame_tree_name (t, i));
    export_flush_much (out);
  }
  g_string_append_c (out->bytes, ']');
  put_column (t, "parents", PARENT, out);
  put_column (t, "names", FRAME, out);
  put_column (t, "selves", SELF, out);
  g_string_append (out->bytes, "}\n</script>\n");
}

static void
write_html (const struct export_stacks *stacks, struct export_out *out)
{
  struct flame_tree tree;
  flame_tree_init (&tree, stacks, SHARE_MIN, NODES_MAX);
  put_head (stacks, out);
  put_summary (&tree, out);
  put_graph (stacks, out);
  put_table (stacks, out);
  put_data (&tree, out);
  append_file (out->bytes, "script", find_file ("flame.js"));
  g_string_append (out->bytes, "</body>\n</html>\n");
  export_flush (out);
  flame_tree_clear (&tree);
}

const struct export_format export_flame_html
    = { "html", "flame graph as a page", .write_stacks = write_html };
