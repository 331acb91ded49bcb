/* emitter-html-table.c -- tables of a page.  Other contents of a row are in its last cell. */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "decoder/output/html-page.h"
#include <string.h>

void
html_open_table (struct emitter *e, const char *key)
{
  struct emitter_table *t = e->table;
  t->key = key;
  t->exact = g_ptr_array_new_with_free_func (g_free);
  t->begin = e->out->len;
  html_open_element (e, key);
  emitter_start_cells (e);
}

void
html_open_row (struct emitter *e, const union emitter_value *values)
{
  const struct emitter_table *t = e->table;
  for (size_t i = 0; i < t->n_columns; i++)
    g_ptr_array_add (t->exact, emitter_exact_text (t->columns[i].type, values[i]));
  emitter_add_cells (e, values);
  e->rows++;
}

void
html_close_row (struct emitter *e)
{
  e->rows--;
  emitter_end_cells (e);
}

/* Names are on the left, figures on the right.  Texts for people alone are drawn with letters. */
static void
put_class (struct emitter *e, const struct emitter_column *column)
{
  if (column->type == EMIT_TEXT)
    g_string_append (e->out, column->key != NULL ? " class=\"text\"" : " class=\"drawing\"");
}

/* What is shown of a table. */
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
    html_put_attributes (e, t->columns[i].key, NULL);
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
  g_string_append (e->out, "<tr>");
  for (size_t i = 0; i < t->n_columns; i++) {
    if (!shown->columns[i])
      continue;
    const guint cell = (guint) (row * t->n_columns + i);
    g_string_append (e->out, "<td");
    put_class (e, &t->columns[i]);
    html_put_attributes (e, NULL, t->exact->pdata[cell]);
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
                          html_section (e), t->key);
  put_head (e, &shown);
  g_string_append (e->out, "<tbody>\n");
  for (guint row = 0; row < t->details->len; row++)
    put_row (e, row, &shown);
  g_string_append (e->out, "</tbody>\n</table>\n</div>\n");
  g_free (shown.columns);
}

void
html_close_table (struct emitter *e, uint64_t more)
{
  struct emitter_table *t = e->table;
  emitter_scale_cells (e);
  if (t->details->len > 0) {
    html_put_heading (e, t->key, t->title);
    put_table (e);
  }
  if (more > 0)
    g_string_append_printf (
        e->out, "<p class=\"more\">... and %" G_GUINT64_FORMAT " more (--limit 0 shows all)</p>\n",
        more);
  html_close_element (e);
  if (t->details->len == 0 && more == 0)
    g_string_truncate (e->out, t->begin);
  g_ptr_array_unref (t->exact);
  emitter_free_cells (e);
}
