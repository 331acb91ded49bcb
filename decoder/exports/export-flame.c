/* export-flame.c -- a flame graph as a picture: a row for each depth, the root above. */
#include "config.h"

#include "decoder/exports/export-flame.h"
#include "decoder/core/library-names.h"
#include "decoder/core/method-words.h"
#include "decoder/exports/flame-tree.h"
#include "decoder/output/figure.h"
#include "decoder/output/html.h"

#include <string.h>

#define WIDTH 1200
#define ROW 18
#define LETTER 6.7
/* A rectangle narrower than a third of a pixel cannot be seen. */
#define SHARE_MIN (3 * WIDTH)
#define NODES_MAX 50000
#define HEADING 24 /* above the graph */
#define ELLIPSIS "\xe2\x80\xa6"

/* Native code is blue, that of the class library green, other code red to yellow, by the name of
 * its class. */
static void
append_colour (GString *bytes, const char *name)
{
  const bool is_native = strchr (name, ':') == NULL || g_str_has_suffix (name, "[native]");
  const bool is_library = !is_native && !library_names_is_program (name);
  guint hash = 0;
  for (const char *c = name; *c != 0 && *c != ':'; c++)
    hash = (hash * 31 + (guint8) *c) % 997;
  const guint hue = is_native ? 205 + hash % 25 : is_library ? 80 + hash % 50 : 12 + hash % 44;
  g_string_append_printf (bytes, "hsl(%u,%u%%,%u%%)", hue,
                          is_native    ? 45
                          : is_library ? 38
                                       : 80,
                          62 + hash % 12);
}

struct place {
  double x;     /* of the node */
  double taken; /* by the callees before */
  guint depth;
};

/* The name, the figures, and in a comparison those of the earlier log. */
static void
put_title (const struct flame_tree *t, const struct flame_node *node, const char *name,
           GString *bytes)
{
  g_autofree char *amount = figure_text (export_stacks_figure (t->stacks), node->total);
  g_string_append (bytes, "<title>");
  html_append_text (bytes, name);
  g_string_append_printf (bytes, " (%s, %.1f %%", amount,
                          100 * (double) node->total / (double) t->stacks->total);
  if (t->stacks->is_comparison) {
    g_autofree char *before = figure_text (export_stacks_figure (t->stacks), node->before);
    g_string_append_printf (bytes, "; before %s, ", before);
    flame_change_append_text (bytes, t->stacks, node->total, node->before);
  }
  g_string_append (bytes, ")</title>");
}

/* The text of a rectangle with room for `letters` letters: the name, in a comparison after the
 * change.  An ellipsis is in place of the cut part of the name; the change is there as a whole, or
 * nothing is (NULL). */
static char *
make_label (const struct flame_tree *t, const struct flame_node *node, const char *name,
            int letters)
{
  g_autoptr (GString) label = g_string_new (NULL);
  if (t->stacks->is_comparison) {
    flame_change_append_text (label, t->stacks, node->total, node->before);
    g_string_append_c (label, ' ');
  }
  const int change = (int) g_utf8_strlen (label->str, -1);
  if (letters < MAX (change - 1, 3))
    return NULL;
  g_string_append (label, name);
  if (g_utf8_strlen (label->str, -1) <= letters)
    return g_strdup (label->str);
  g_autofree char *part
      = g_utf8_substring (label->str, 0, letters > change ? letters - 1 : change - 1);
  return g_strconcat (part, letters > change ? ELLIPSIS : "", NULL);
}

static void
put_node (const struct flame_tree *t, const struct flame_node *node, const struct place *place,
          struct export_out *out)
{
  const char *name = node == &g_array_index (t->nodes, struct flame_node, FLAME_ROOT)
                         ? "all"
                         : flame_tree_name (t, node->frame);
  g_autofree char *words = method_words (name, true);
  const double width = (double) node->total * WIDTH / (double) t->stacks->total;
  const int letters = (int) ((width - 6) / LETTER);
  if (node->total == 0)
    return;
  g_string_append (out->bytes, "<g>");
  put_title (t, node, words, out->bytes);
  g_string_append_printf (out->bytes,
                          "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" fill=\"",
                          place->x, place->depth * ROW, MAX (width - 0.6, 0.3), ROW - 1);
  if (t->stacks->is_comparison)
    flame_change_append_colour (out->bytes, t->stacks, node->total, node->before);
  else
    append_colour (out->bytes, name);
  g_string_append (out->bytes, "\"/>");
  g_autofree char *label = make_label (t, node, words, letters);
  if (label != NULL) {
    g_string_append_printf (out->bytes, "<text x=\"%.2f\" y=\"%u\">", place->x + 3,
                            place->depth * ROW + ROW - 5);
    html_append_text (out->bytes, label);
    g_string_append (out->bytes, "</text>");
  }
  g_string_append (out->bytes, "</g>\n");
  export_flush_much (out);
}

/* A parent comes before its callees, which stand side by side in their order. */
static struct place *
place_nodes (const struct flame_tree *t, guint *depth)
{
  struct place *places = g_new0 (struct place, t->nodes->len);
  for (guint i = 1; i < t->nodes->len; i++) {
    const struct flame_node *node = &g_array_index (t->nodes, struct flame_node, i);
    struct place *parent = &places[node->parent];
    places[i].x = parent->x + parent->taken;
    places[i].depth = parent->depth + 1;
    parent->taken += (double) node->total * WIDTH / (double) t->stacks->total;
    if (node->total != 0)
      *depth = MAX (*depth, places[i].depth);
  }
  return places;
}

/* The meaning of the colours, each with its sign. */
static void
put_legend (guint y, GString *bytes)
{
  static const struct {
    uint64_t now, before;
    const char *text;
  } parts[] = { { 2, 1, "+ more than before" },
                { 1, 2, "- less than before" },
                { 1, 0, "new: not there before" },
                { 1, 1, "= the same; (..) by chance" } };
  static const struct export_stacks exact = { .sample = 0 };
  const guint width = WIDTH / G_N_ELEMENTS (parts);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_string_append_printf (bytes, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" fill=\"",
                            i * width, y, width - 4, ROW - 1);
    flame_change_append_colour (bytes, &exact, parts[i].now, parts[i].before);
    g_string_append_printf (bytes, "\"/><text x=\"%u\" y=\"%u\">%s</text>\n", i * width + 3,
                            y + ROW - 5, parts[i].text);
  }
}

/* The log, the cost, its sum, and the selection (transfer full). */
static char *
make_heading (const struct export_stacks *stacks)
{
  const enum figure_unit unit = export_stacks_figure (stacks);
  GString *text = g_string_new (stacks->title != NULL ? stacks->title : "Flame graph");
  g_autofree char *total = figure_text (unit, stacks->total);
  g_string_append_printf (text, ": %s, %s", stacks->cost, total);
  if (stacks->is_comparison) {
    g_autofree char *before = figure_text (unit, stacks->total_before);
    g_string_append_printf (text, ", before %s (", before);
    flame_change_append_text (text, stacks, stacks->total, stacks->total_before);
    g_string_append_c (text, ')');
  }
  if (stacks->selection != NULL)
    g_string_append_printf (text, "; %s", stacks->selection);
  return g_string_free (text, FALSE);
}

/* The heading is the picture's title, too, which viewers show. */
static void
put_heading (const struct export_stacks *stacks, GString *bytes)
{
  g_autofree char *heading = make_heading (stacks);
  g_string_append (bytes, "<title>");
  html_append_text (bytes, heading);
  g_string_append_printf (bytes, "</title>\n<text x=\"3\" y=\"%d\" font-size=\"13\">",
                          -HEADING / 3);
  html_append_text (bytes, heading);
  g_string_append (bytes, "</text>\n");
}

/* A page has a heading of its own. */
static void
append_svg (const struct export_stacks *stacks, bool has_heading, struct export_out *out)
{
  const guint above = has_heading ? HEADING : 0;
  struct flame_tree tree;
  guint depth = 0;
  flame_tree_init (&tree, stacks, SHARE_MIN, NODES_MAX);
  struct place *places = place_nodes (&tree, &depth);
  g_string_append_printf (out->bytes,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 %d %d %u\" "
                          "font-family=\"monospace\" font-size=\"11\">\n",
                          -(int) above, WIDTH,
                          above + (depth + 1) * ROW + (stacks->is_comparison ? 2 * ROW : 0));
  if (has_heading)
    put_heading (stacks, out->bytes);
  for (guint i = 0; i < tree.nodes->len && !out->failed; i++)
    put_node (&tree, &g_array_index (tree.nodes, struct flame_node, i), &places[i], out);
  if (stacks->is_comparison)
    put_legend ((depth + 2) * ROW, out->bytes);
  g_string_append (out->bytes, "</svg>\n");
  g_free (places);
  flame_tree_clear (&tree);
}

void
export_flame_append_svg (const struct export_stacks *stacks, struct export_out *out)
{
  append_svg (stacks, false, out);
}

static void
write_svg (const struct export_stacks *stacks, struct export_out *out)
{
  g_string_append (out->bytes, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  append_svg (stacks, true, out);
  export_flush (out);
}

const struct export_format export_flame_svg
    = { "svg", "flame graph as a picture", .write_stacks = write_svg };
