/* emitter-html.c -- reports as one page for a browser: it loads nothing, and all is there without
 * scripts.
 *
 * The page is collected up to the end: its policy has the hashes of all scripts and styles, and the
 * list of sections is at its beginning.
 */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "decoder/output/html.h"
#include <string.h>

struct emitter_html {
  GString *page;       /* for the whole page; the emitter's output is the body up to the end */
  GString *nav;        /* the list of sections */
  GString *data;       /* elements with data for scripts */
  GPtrArray *files;    /* of const struct embedded_file * */
  GHashTable *ids;     /* of char *, each once */
  GPtrArray *ends;     /* of const char *, of elements that are open */
  const char *section; /* key of the outermost element */
  char *log;           /* one of several; NULL: the only one */
  unsigned reports;
};

static void
html_start (struct emitter *e)
{
  struct emitter_html *h = e->html = g_new0 (struct emitter_html, 1);
  h->page = e->out;
  h->nav = g_string_new (NULL);
  h->data = g_string_new (NULL);
  h->files = g_ptr_array_new ();
  h->ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  h->ends = g_ptr_array_new ();
  e->out = g_string_new (NULL);
  for (const struct embedded_file *file = report_files; file->name != NULL; file++)
    emitter_html_add_file (e, file);
}

static void
put_page (struct emitter *e)
{
  struct emitter_html *h = e->html;
  const char *const title = e->title != NULL ? e->title : "proflog";
  g_ptr_array_add (h->files, NULL);
  const struct embedded_file *const *const files = (gpointer) h->files->pdata;
  html_append_head (h->page, title, files);
  g_string_append (h->page, "<header>\n<h1>");
  html_append_text (h->page, title);
  g_string_append (
      h->page,
      "</h1>\n<form hidden><input id=\"filter\" type=\"search\" placeholder=\"Filter names ( / )\" "
      "aria-label=\"Filter names\"><output id=\"filtered\"></output></form>\n</header>\n");
  if (h->nav->len > 0)
    g_string_append_printf (h->page, "<nav aria-label=\"Sections\">\n<ul>\n%s</ul>\n</nav>\n",
                            h->nav->str);
  g_string_append (h->page, "<main>\n");
  g_string_append_len (h->page, e->out->str, (gssize) e->out->len);
  g_string_append (h->page, "</main>\n");
  g_string_append_len (h->page, h->data->str, (gssize) h->data->len);
  html_append_end (h->page, files);
}

/* Without a report, as of a log that cannot be read, there is no page. */
static void
html_finish (struct emitter *e)
{
  struct emitter_html *h = e->html;
  if (h->reports != 0)
    put_page (e);
  g_string_free (e->out, TRUE);
  e->out = h->page;
  g_string_free (h->nav, TRUE);
  g_string_free (h->data, TRUE);
  g_ptr_array_unref (h->files);
  g_hash_table_unref (h->ids);
  g_ptr_array_unref (h->ends);
  g_free (h->log);
  g_free (h);
}

static void
html_set_log (struct emitter *e, const char *log_name)
{
  g_free (e->html->log);
  e->html->log = g_strdup (log_name);
}

/* ---- headings ---- */

/* "gc", and of the second report "gc-2". */
static char *
new_id (struct emitter_html *h, const char *key)
{
  char *id = g_strdup (key);
  for (unsigned i = 2; g_hash_table_contains (h->ids, id); i++) {
    g_free (id);
    id = g_strdup_printf ("%s-%u", key, i);
  }
  g_hash_table_add (h->ids, g_strdup (id));
  return id;
}

/* `attribute` is of the item of the list, or empty. */
static void
put_nav_link (struct emitter_html *h, const char *id, const char *title, const char *attribute)
{
  g_string_append_printf (h->nav, "<li%s><a href=\"#%s\">", attribute, id);
  html_append_text (h->nav, title);
  g_string_append (h->nav, "</a></li>\n");
}

/* A heading; at the outermost level it has an id, and is in the list of sections. */
static void
put_heading (struct emitter *e, const char *key, const char *title)
{
  struct emitter_html *h = e->html;
  const unsigned level = MIN (e->depth + 1 + (h->log != NULL), 6);
  if (title == NULL)
    return;
  if (e->rows > 0) {
    g_string_append (e->out, "<p class=\"title\">");
    html_append_text (e->out, title);
    g_string_append (e->out, "</p>\n");
    return;
  }
  g_string_append_printf (e->out, "<h%u", level);
  if (e->depth == 1) {
    g_autofree char *id = new_id (h, key != NULL ? key : h->section);
    g_string_append_printf (e->out, " id=\"%s\"", id);
    put_nav_link (h, id, title, "");
  }
  g_string_append_c (e->out, '>');
  html_append_text (e->out, title);
  g_string_append_printf (e->out, "</h%u>\n", level);
}

/* ---- objects and lists ---- */

static void
push (struct emitter_html *h, const char *end)
{
  g_ptr_array_add (h->ends, (gpointer) end);
}

static void
open_report (struct emitter *e)
{
  struct emitter_html *h = e->html;
  h->reports++;
  if (h->log == NULL) {
    push (h, "");
    return;
  }
  g_autofree char *id = new_id (h, "log");
  put_nav_link (h, id, h->log, " class=\"log\"");
  g_string_append (e->out, "<article data-log=\"");
  html_append_text (e->out, h->log);
  g_string_append_printf (e->out, "\">\n<h2 id=\"%s\">", id);
  html_append_text (e->out, h->log);
  g_string_append (e->out, "</h2>\n");
  push (h, "</article>\n");
}

/* The key of the outermost object, list or table that is open. */
static const char *
section_key (const struct emitter *e)
{
  return e->html->section;
}

static void
put_attributes (struct emitter *e, const char *key, const char *exact)
{
  if (key != NULL)
    g_string_append_printf (e->out, " data-key=\"%s\"", key);
  if (exact != NULL)
    g_string_append_printf (e->out, " data-value=\"%s\"", exact);
}

/* An element for an object, list or table. */
static void
open_element (struct emitter *e, const char *key)
{
  struct emitter_html *h = e->html;
  if (h->ends->len == 1) {
    h->section = key;
    g_string_append_printf (e->out, "<section data-section=\"%s\">\n", key);
    push (h, "</section>\n");
  } else {
    g_string_append (e->out, "<div");
    put_attributes (e, key, NULL);
    g_string_append (e->out, ">\n");
    push (h, "</div>\n");
  }
}

static void
close_element (struct emitter *e)
{
  GPtrArray *ends = e->html->ends;
  g_string_append (e->out, g_ptr_array_steal_index (ends, ends->len - 1));
}

static void
html_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  if (e->muted > 0 || (bracket == '{' && title == NULL && e->depth > 0)) {
    e->muted++;
    return;
  }
  if (e->depth == 0)
    open_report (e);
  else
    open_element (e, key);
  put_heading (e, key, title);
  e->depth += bracket == '{'; /* a list is not deeper than its objects */
}

static void
html_close (struct emitter *e, char bracket)
{
  if (e->muted > 0) {
    e->muted--;
    return;
  }
  e->depth -= bracket == '}';
  close_element (e);
}

/* ---- values ---- */

/* Values that follow each other are one list. */
static void
start_item (struct emitter *e, const char *label)
{
  static const char end[] = "</dl>\n";
  if (g_str_has_suffix (e->out->str, end))
    g_string_truncate (e->out, e->out->len - strlen (end));
  else
    g_string_append (e->out, "<dl>\n");
  g_string_append (e->out, "<div><dt>");
  html_append_text (e->out, label);
  g_string_append (e->out, "</dt>");
}

static void
put_item_text (struct emitter *e, const char *key, const char *exact, const char *text)
{
  g_string_append (e->out, "<dd");
  put_attributes (e, key, exact);
  g_string_append_c (e->out, '>');
  html_append_text (e->out, text);
  g_string_append (e->out, "</dd>");
}

static void
end_item (struct emitter *e)
{
  g_string_append (e->out, "</div>\n</dl>\n");
}

static void
html_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
            union emitter_value value)
{
  if (label == NULL)
    return;
  g_autofree char *text = emitter_value_text (e, key, type, value);
  g_autofree char *head = emitter_value_label (e, key, label);
  g_autofree char *exact = emitter_exact_text (type, value);
  start_item (e, head);
  put_item_text (e, key, exact, text);
  end_item (e);
}

static void
html_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  if (label == NULL)
    return;
  start_item (e, label);
  put_item_text (e, key, truth ? "true" : "false", truth ? "yes" : "no");
  end_item (e);
}

static void
html_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  if (label == NULL || texts->len == 0)
    return;
  start_item (e, label);
  for (guint i = 0; i < texts->len; i++)
    put_item_text (e, key, NULL, g_ptr_array_index (texts, i));
  end_item (e);
}

static void
html_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  if (texts->len == 0)
    return;
  g_string_append (e->out, "<ul");
  put_attributes (e, key, NULL);
  g_string_append (e->out, ">\n");
  for (guint i = 0; i < texts->len; i++) {
    g_string_append (e->out, "<li>");
    html_append_text (e->out, g_ptr_array_index (texts, i));
    g_string_append (e->out, "</li>\n");
  }
  g_string_append (e->out, "</ul>\n");
}

/* Browsers end lines behind the hyphens of options and arrows: those are in elements that stay
 * whole. */
static void
html_note (struct emitter *e, const char *text)
{
  if (text[0] == 0)
    return;
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_string_append (e->out, "<p>");
  for (guint i = 0; words[i] != NULL; i++) {
    const bool is_whole = strstr (words[i], "--") != NULL || strcmp (words[i], "->") == 0;
    g_string_append (e->out, i != 0 ? " " : "");
    g_string_append (e->out, is_whole ? "<span class=\"whole\">" : "");
    html_append_text (e->out, words[i]);
    g_string_append (e->out, is_whole ? "</span>" : "");
  }
  g_string_append (e->out, "</p>\n");
}

/* ---- tables: other contents of a row are in its last cell ---- */

static void
html_open_table (struct emitter *e, const char *key)
{
  struct emitter_table *t = e->table;
  t->key = key;
  t->exact = g_ptr_array_new_with_free_func (g_free);
  t->begin = e->out->len;
  open_element (e, key);
  emitter_start_cells (e);
}

static void
html_open_row (struct emitter *e, const union emitter_value *values)
{
  const struct emitter_table *t = e->table;
  for (size_t i = 0; i < t->n_columns; i++)
    g_ptr_array_add (t->exact, emitter_exact_text (t->columns[i].type, values[i]));
  emitter_add_cells (e, values);
  e->rows++;
}

static void
html_close_row (struct emitter *e)
{
  e->rows--;
  emitter_end_cells (e);
}

/* Names are on the left, figures on the right.  Texts without a key are drawn with letters. */
static void
put_class (struct emitter *e, const struct emitter_column *column)
{
  if (column->type == EMIT_TEXT)
    g_string_append (e->out, column->key != NULL ? " class=\"text\"" : " class=\"drawing\"");
}

/* Bytes of a text, beside the names of a table, that is broken into lines. */
#define LONG_TEXT 40

/* The same of a cell.  The last column is as wide as there is room for, unless the others take it.
 */
static void
put_cell_class (struct emitter *e, const struct emitter_column *column, bool is_last,
                const char *text)
{
  if (!is_last && column->type == EMIT_TEXT && column->key != NULL && strlen (text) > LONG_TEXT)
    g_string_append (e->out, " class=\"text long\"");
  else
    put_class (e, column);
}

/* The parts of a table that are shown. */
struct shown {
  bool *columns;
  size_t name;     /* the last column, if it is of names, in which other contents of rows are */
  bool has_others; /* else they have a column of their own */
};

static struct shown
show (const struct emitter_table *t)
{
  struct shown shown = { emitter_shown_columns (t), t->n_columns, false };
  for (size_t i = 0; i < t->n_columns; i++)
    if (shown.columns[i])
      shown.name = t->columns[i].type == EMIT_TEXT ? i : t->n_columns;
  for (guint row = 0; row < t->details->len && shown.name == t->n_columns; row++)
    shown.has_others |= ((const char *) t->details->pdata[row])[0] != 0;
  return shown;
}

static void
put_head (struct emitter *e, const struct shown *shown)
{
  const struct emitter_table *t = e->table;
  g_string_append (e->out, "<thead>\n<tr>");
  for (size_t i = 0; i < t->n_columns; i++) {
    if (!shown->columns[i])
      continue;
    g_string_append (e->out, "<th scope=\"col\"");
    put_class (e, &t->columns[i]);
    put_attributes (e, t->columns[i].key, NULL);
    g_string_append_c (e->out, '>');
    html_append_text (e->out, t->heads[i]);
    g_string_append (e->out, "</th>");
  }
  if (shown->has_others)
    g_string_append (e->out, "<td></td>");
  g_string_append (e->out, "</tr>\n</thead>\n");
}

/* Those of a row in a row are seen with it. */
static void
put_details (struct emitter *e, guint row)
{
  const char *const details = e->table->details->pdata[row];
  if (details[0] == 0)
    return;
  g_string_append (e->out, e->rows == 0 ? "<details><summary>Details</summary>\n" : "<div>\n");
  g_string_append (e->out, details);
  g_string_append (e->out, e->rows == 0 ? "</details>" : "</div>");
}

/* A bar is drawn as one. */
static void
put_text (struct emitter *e, const struct emitter_column *column, const char *text)
{
  const bool is_bar = column->type == EMIT_TEXT && column->key == NULL && text[0] == '#'
                      && text[strspn (text, "#")] == 0;
  g_string_append (e->out, is_bar ? "<span class=\"bar\">" : "");
  html_append_text (e->out, text);
  g_string_append (e->out, is_bar ? "</span>" : "");
}

static void
put_row (struct emitter *e, guint row, const struct shown *shown)
{
  const struct emitter_table *t = e->table;
  g_string_append (e->out, emitter_row_is_grey (t, row) ? "<tr class=\"grey\">" : "<tr>");
  for (size_t i = 0; i < t->n_columns; i++) {
    if (!shown->columns[i])
      continue;
    const guint cell = (guint) (row * t->n_columns + i);
    g_string_append (e->out, "<td");
    put_cell_class (e, &t->columns[i], i + 1 == t->n_columns,
                    emitter_shown (t->cells->pdata[cell]));
    put_attributes (e, NULL, t->exact->pdata[cell]);
    g_string_append_c (e->out, '>');
    put_text (e, &t->columns[i], emitter_shown (t->cells->pdata[cell]));
    if (i == shown->name)
      put_details (e, row);
    g_string_append (e->out, "</td>");
  }
  if (shown->has_others) {
    g_string_append (e->out, "<td class=\"others\">");
    put_details (e, row);
    g_string_append (e->out, "</td>");
  }
  g_string_append (e->out, "</tr>\n");
}

/* Wide tables are scrolled in their frame. */
static void
put_table (struct emitter *e)
{
  const struct emitter_table *t = e->table;
  const struct shown shown = show (t);
  g_string_append (e->out, "<div class=\"rows\" tabindex=\"0\" role=\"region\" aria-label=\"");
  html_append_text (e->out, t->title != NULL ? t->title : t->key);
  g_string_append_printf (e->out, "\">\n<table data-section=\"%s\" data-table=\"%s\">\n",
                          section_key (e), t->key);
  put_head (e, &shown);
  g_string_append (e->out, "<tbody>\n");
  for (guint row = 0; row < t->details->len; row++)
    put_row (e, row, &shown);
  g_string_append (e->out, "</tbody>\n</table>\n</div>\n");
  g_free (shown.columns);
}

static void
html_close_table (struct emitter *e, uint64_t more)
{
  struct emitter_table *t = e->table;
  emitter_scale_cells (e);
  if (t->details->len > 0) {
    put_heading (e, t->key, t->title);
    put_table (e);
  }
  if (more > 0)
    g_string_append_printf (
        e->out, "<p class=\"more\">... and %" G_GUINT64_FORMAT " more (--limit 0 shows all)</p>\n",
        more);
  close_element (e);
  if (t->details->len == 0 && more == 0)
    g_string_truncate (e->out, t->begin);
  g_ptr_array_unref (t->exact);
  emitter_free_cells (e);
}

const struct emitter_ops emitter_html_ops = {
  .open = html_open,
  .close = html_close,
  .value = html_value,
  .truth = html_truth,
  .texts = html_texts,
  .lines = html_lines,
  .note = html_note,
  .open_table = html_open_table,
  .open_row = html_open_row,
  .close_row = html_close_row,
  .close_table = html_close_table,
  .start = html_start,
  .finish = html_finish,
  .set_log = html_set_log,
};

/* ---- further contents ---- */

void
emitter_html_block (struct emitter *e, const char *html)
{
  if (e->html != NULL && e->muted == 0)
    g_string_append (e->out, html);
}

void
emitter_html_link (struct emitter *e, const char *id, const char *title)
{
  if (e->html != NULL)
    put_nav_link (e->html, id, title, " hidden");
}

void
emitter_html_add_file (struct emitter *e, const struct embedded_file *file)
{
  if (e->html != NULL && !g_ptr_array_find (e->html->files, file, NULL))
    g_ptr_array_add (e->html->files, (gpointer) file);
}

void
emitter_html_add_data (struct emitter *e, const char *id, const char *json)
{
  if (e->html == NULL)
    return;
  GString *const data = e->html->data;
  g_string_append_printf (data, "<script type=\"application/json\" id=\"%s\">\n", id);
  html_append_json (data, json);
  g_string_append (data, "\n</script>\n");
}

unsigned
emitter_html_report_number (const struct emitter *e)
{
  return e->html != NULL ? e->html->reports : 0;
}
