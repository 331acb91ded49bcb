/* page-matrix.c -- adds up waits by pairs of names. */
#include "config.h"

#include "decoder/core/id-map.h"
#include "decoder/output/figure.h"
#include "decoder/output/html.h"
#include "decoder/views/page-matrix.h"

/* Rows and columns with a name of their own, unless --limit requests fewer. */
#define NAMES_MAX 16u

struct wait_sum {
  uint64_t ns, count;
};

/* A row or a column. */
struct line {
  const char *name; /* the key of the table of names */
  struct wait_sum sum;
  guint number;
};

struct axis {
  GHashTable *numbers; /* char * -> number */
  GArray *all;         /* of struct line */
  GArray *places;      /* of guint: by number, where it is shown */
  guint shown;
};

struct page_matrix {
  const struct report *r;
  struct axis rows, columns;
  struct id_map numbers; /* of row << 32 | column */
  GArray *cells;         /* of struct wait_sum */
  GArray *pairs;         /* of uint64_t: their rows and columns */
};

static void
axis_init (struct axis *l)
{
  l->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  l->all = g_array_new (FALSE, FALSE, sizeof (struct line));
  l->places = g_array_new (FALSE, TRUE, sizeof (guint));
}

static void
axis_clear (struct axis *l)
{
  g_hash_table_unref (l->numbers);
  g_array_unref (l->all);
  g_array_unref (l->places);
}

struct page_matrix *
page_matrix_new (const struct report *r)
{
  if (emitter_get_format (r->e) != EMITTER_HTML)
    return NULL;
  struct page_matrix *m = g_new0 (struct page_matrix, 1);
  m->r = r;
  axis_init (&m->rows);
  axis_init (&m->columns);
  id_map_init (&m->numbers);
  m->cells = g_array_new (FALSE, TRUE, sizeof (struct wait_sum));
  m->pairs = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  return m;
}

static void
add_sum (struct wait_sum *to, uint64_t ns, uint64_t count)
{
  to->ns += ns;
  to->count += count;
}

static guint
add_to_axis (struct axis *l, const char *name, uint64_t ns, uint64_t count)
{
  gpointer known;
  guint number = l->all->len;
  if (g_hash_table_lookup_extended (l->numbers, name, NULL, &known)) {
    number = GPOINTER_TO_UINT (known);
  } else {
    char *copy = g_strdup (name);
    const struct line line = { .name = copy, .number = number };
    g_hash_table_insert (l->numbers, copy, GUINT_TO_POINTER (number));
    g_array_append_val (l->all, line);
  }
  add_sum (&g_array_index (l->all, struct line, number).sum, ns, count);
  return number;
}

void
page_matrix_add (struct page_matrix *m, const char *row, const char *column, uint64_t ns,
                 uint64_t count)
{
  if (m == NULL)
    return;
  const uint64_t pair = (uint64_t) add_to_axis (&m->rows, row, ns, count) << 32
                        | add_to_axis (&m->columns, column, ns, count);
  const guint number = id_map_number (&m->numbers, pair);
  if (number == m->cells->len) {
    g_array_set_size (m->cells, number + 1);
    g_array_append_val (m->pairs, pair);
  }
  add_sum (&g_array_index (m->cells, struct wait_sum, number), ns, count);
}

/* ---- the output ---- */

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  const struct line *x = a, *y = b;
  if (x->sum.ns != y->sum.ns)
    return x->sum.ns < y->sum.ns ? 1 : -1;
  if (x->sum.count != y->sum.count)
    return x->sum.count < y->sum.count ? 1 : -1;
  return g_strcmp0 (x->name, y->name);
}

/* The longest waits are first; one place is for all others. */
static void
place_axis (struct axis *l, const struct view *view)
{
  const guint n = l->all->len;
  const guint most
      = view->limit_whole && view->limit != 0 ? MIN (view->limit, NAMES_MAX) : NAMES_MAX;
  l->shown = n > most + 1 ? most + 1 : n;
  g_array_sort (l->all, compare_lines);
  g_array_set_size (l->places, n);
  for (guint i = 0; i < n; i++)
    g_array_index (l->places, guint, g_array_index (l->all, struct line, i).number)
        = MIN (i, l->shown - 1);
}

static char *
name_of (const struct axis *l, guint place)
{
  const guint n = l->all->len;
  if (place + 1 == l->shown && n > l->shown)
    return g_strdup_printf ("[%u others]", n - place);
  return g_strdup (g_array_index (l->all, struct line, place).name);
}

/* The cells as they are shown, row by row (transfer full). */
static struct wait_sum *
add_up (const struct page_matrix *m)
{
  struct wait_sum *sums = g_new0 (struct wait_sum, (gsize) m->rows.shown * m->columns.shown);
  for (guint i = 0; i < m->cells->len; i++) {
    const uint64_t pair = g_array_index (m->pairs, uint64_t, i);
    const struct wait_sum *cell = &g_array_index (m->cells, struct wait_sum, i);
    const guint row = g_array_index (m->rows.places, guint, (guint) (pair >> 32)),
                column = g_array_index (m->columns.places, guint, (guint) pair);
    add_sum (&sums[row * m->columns.shown + column], cell->ns, cell->count);
  }
  return sums;
}

static void
put_cell (GString *html, const struct wait_sum *sum, uint64_t most)
{
  if (sum->count == 0) {
    g_string_append (html, "<td></td>");
    return;
  }
  g_autofree char *text = figure_text (FIGURE_NS, sum->ns);
  g_autofree char *count = figure_text (FIGURE_COUNT, sum->count);
  g_string_append (html, "<td");
  if (most != 0)
    g_string_append_printf (html, " class=\"heat-%u\"",
                            (unsigned) (8.0 * (double) sum->ns / (double) most));
  g_string_append_printf (html,
                          " data-value=\"%" G_GUINT64_FORMAT "\">%s "
                          "<small data-value=\"%" G_GUINT64_FORMAT "\">%s &times;</small></td>",
                          sum->ns, text, sum->count, count);
}

static void
put_head (GString *html, const struct page_matrix *m, const char *rows)
{
  g_string_append (html, "<thead>\n<tr><th scope=\"col\" class=\"text\">");
  html_append_text (html, rows);
  g_string_append (html, "</th>");
  for (guint i = 0; i < m->columns.shown; i++) {
    g_autofree char *name = name_of (&m->columns, i);
    g_string_append (html, "<th scope=\"col\">");
    html_append_text (html, name);
    g_string_append (html, "</th>");
  }
  g_string_append (html, "<th scope=\"col\">All</th></tr>\n</thead>\n");
}

static void
put_row (GString *html, const struct page_matrix *m, guint row, const struct wait_sum *sums,
         uint64_t most)
{
  g_autofree char *name = name_of (&m->rows, row);
  struct wait_sum all = { 0 };
  g_string_append (html, "<tr><td class=\"text\">");
  html_append_text (html, name);
  g_string_append (html, "</td>");
  for (guint i = 0; i < m->columns.shown; i++) {
    const struct wait_sum *sum = &sums[row * m->columns.shown + i];
    put_cell (html, sum, most);
    add_sum (&all, sum->ns, sum->count);
  }
  put_cell (html, &all, 0);
  g_string_append (html, "</tr>\n");
}

static void
put_table (GString *html, const struct page_matrix *m, const char *key, const char *title,
           const char *rows, const char *columns)
{
  g_autofree struct wait_sum *sums = add_up (m);
  uint64_t most = 1;
  for (guint i = 0; i < m->rows.shown * m->columns.shown; i++)
    most = MAX (most, sums[i].ns);
  g_string_append (html, "<div class=\"matrix\">\n<h3>");
  html_append_text (html, title);
  g_string_append (html, "</h3>\n<p>");
  html_append_text (html, columns);
  g_string_append (html, "</p>\n<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"");
  html_append_text (html, title);
  g_string_append_printf (html, "\">\n<table data-section=\"%s\" data-table=\"matrix\">\n", key);
  put_head (html, m, rows);
  g_string_append (html, "<tbody>\n");
  for (guint i = 0; i < m->rows.shown; i++)
    put_row (html, m, i, sums, most);
  g_string_append (html, "</tbody>\n</table>\n</div>\n</div>\n");
}

void
page_matrix_put (struct page_matrix *m, const char *key, const char *title, const char *rows,
                 const char *columns)
{
  if (m == NULL)
    return;
  if (m->cells->len != 0) {
    GString *html = g_string_new (NULL);
    place_axis (&m->rows, m->r->view);
    place_axis (&m->columns, m->r->view);
    put_table (html, m, key, title, rows, columns);
    emitter_html_block (m->r->e, html->str);
    g_string_free (html, TRUE);
  }
  axis_clear (&m->rows);
  axis_clear (&m->columns);
  id_map_clear (&m->numbers);
  g_array_unref (m->cells);
  g_array_unref (m->pairs);
  g_free (m);
}
