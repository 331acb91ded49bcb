/* emitter-markdown.c -- reports as text, for pages: headings, lists, tables as GitHub reads them.
 *
 * A table's cell cannot hold a list, so the contents of a row follow after the table.
 */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include <string.h>

/* Text that stands for itself (transfer full). */
static char *
escaped (const char *text)
{
  char *safe = emitter_printable (text);
  GString *out = g_string_sized_new (strlen (safe));
  for (const char *p = safe; *p != 0; p++) {
    if (strchr ("\\`*_<>[]|&~", *p) != NULL)
      g_string_append_c (out, '\\');
    g_string_append_c (out, *p);
  }
  g_free (safe);
  return g_string_free (out, FALSE);
}

/* Blocks are separated by an empty line. */
static void
start_block (struct emitter *e)
{
  if (e->out->len > 0 && !g_str_has_suffix (e->out->str, "\n\n"))
    g_string_append_c (e->out, '\n');
}

/* The beginning of an item; in rows, lists lie in each other. */
static void
start_item (struct emitter *e)
{
  if (e->rows == 0 && g_str_has_suffix (e->out->str, "|\n"))
    start_block (e); /* after a table */
  for (unsigned i = e->row_depth; e->rows > 0 && i <= e->depth; i++)
    g_string_append (e->out, "  ");
  g_string_append (e->out, "- ");
}

static void
put_title (struct emitter *e, const char *title)
{
  if (title == NULL)
    return;
  char *text = escaped (title);
  if (e->rows > 0) {
    start_item (e);
    g_string_append_printf (e->out, "%s\n", text);
  } else {
    start_block (e);
    for (unsigned i = 0; i <= e->depth; i++)
      g_string_append_c (e->out, '#');
    g_string_append_printf (e->out, " %s\n\n", text);
  }
  g_free (text);
}

static void
markdown_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  (void) key;
  if (e->muted > 0 || (bracket == '{' && title == NULL && e->depth > 0)) {
    e->muted++;
    return;
  }
  put_title (e, title);
  e->depth += bracket == '{';
}

static void
markdown_close (struct emitter *e, char bracket)
{
  if (e->muted > 0)
    e->muted--;
  else
    e->depth -= bracket == '}';
}

static void
put_item (struct emitter *e, const char *label, const char *text)
{
  char *safe = escaped (text);
  start_item (e);
  g_string_append_printf (e->out, "%s: %s\n", label, safe);
  g_free (safe);
}

static void
markdown_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
                union emitter_value value)
{
  if (label == NULL)
    return;
  g_autofree char *text = emitter_value_text (e, key, type, value);
  g_autofree char *head = emitter_value_label (e, key, label);
  put_item (e, head, text);
}

static void
markdown_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  (void) key;
  if (label != NULL)
    put_item (e, label, truth ? "yes" : "no");
}

static void
markdown_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  (void) key;
  for (guint i = 0; label != NULL && i < texts->len; i++)
    put_item (e, label, g_ptr_array_index (texts, i));
}

static void
markdown_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  (void) key;
  for (guint i = 0; i < texts->len; i++) {
    char *text = escaped (g_ptr_array_index (texts, i));
    start_item (e);
    g_string_append_printf (e->out, "%s\n", text);
    g_free (text);
  }
}

static void
markdown_note (struct emitter *e, const char *text)
{
  if (text[0] == 0)
    return;
  char *safe = escaped (text);
  start_block (e);
  g_string_append_printf (e->out, "%s\n", safe);
  g_free (safe);
}

static void
markdown_open_table (struct emitter *e, const char *key)
{
  (void) key;
  emitter_start_cells (e);
}

static void
markdown_open_row (struct emitter *e, const union emitter_value *values)
{
  emitter_add_cells (e, values);
  if (e->rows++ == 0)
    e->row_depth = e->depth;
  else
    e->depth++;
}

static void
markdown_close_row (struct emitter *e)
{
  if (--e->rows > 0)
    e->depth--;
  emitter_end_cells (e);
}

static void
put_row (struct emitter *e, guint row, const bool *columns)
{
  const struct emitter_table *t = e->table;
  g_string_append_c (e->out, '|');
  for (size_t i = 0; i < t->n_columns; i++) {
    if (!columns[i])
      continue;
    char *cell = escaped (emitter_shown (t->cells->pdata[row * t->n_columns + i]));
    g_string_append_printf (e->out, " %s |", cell);
    g_free (cell);
  }
  g_string_append_c (e->out, '\n');
}

static void
put_head (struct emitter *e, const bool *columns)
{
  const struct emitter_table *t = e->table;
  GString *line = g_string_new ("|");
  g_string_append_c (e->out, '|');
  for (size_t i = 0; i < t->n_columns; i++) {
    if (!columns[i])
      continue;
    g_autofree char *head = escaped (t->heads[i]);
    g_string_append_printf (e->out, " %s |", head);
    g_string_append (line, t->columns[i].type == EMIT_TEXT ? " --- |" : " ---: |");
  }
  g_string_append_printf (e->out, "\n%s\n", line->str);
  g_string_free (line, TRUE);
}

/* The contents of rows, each under the last cell of its row, which names it. */
static void
put_details (struct emitter *e)
{
  const struct emitter_table *t = e->table;
  bool any = false;
  for (guint row = 0; row < t->details->len; row++) {
    const char *detail = g_ptr_array_index (t->details, row);
    if (detail[0] == 0)
      continue;
    if (!any && e->rows == 0)
      start_block (e);
    any = true;
    char *name = escaped (emitter_shown (t->cells->pdata[(row + 1) * t->n_columns - 1]));
    g_string_append_printf (e->out, "- %s\n%s", name, detail);
    g_free (name);
  }
}

/* A table in a row: an item a row. */
static void
put_items (struct emitter *e)
{
  const struct emitter_table *t = e->table;
  g_autofree bool *columns = emitter_shown_columns (t);
  for (guint row = 0; row < t->details->len; row++) {
    const char *separator = "";
    start_item (e);
    for (size_t i = 0; i < t->n_columns; i++) {
      if (!columns[i])
        continue;
      char *cell = escaped (emitter_shown (t->cells->pdata[row * t->n_columns + i]));
      g_string_append_printf (e->out, "%s%s: %s", separator, t->heads[i], cell);
      separator = ", ";
      g_free (cell);
    }
    g_string_append_printf (e->out, "\n%s", (const char *) g_ptr_array_index (t->details, row));
  }
}

static void
put_table (struct emitter *e)
{
  put_title (e, e->table->title);
  start_block (e);
  bool *columns = emitter_shown_columns (e->table);
  put_head (e, columns);
  for (guint row = 0; row < e->table->details->len; row++)
    put_row (e, row, columns);
  g_free (columns);
  put_details (e);
}

static void
markdown_close_table (struct emitter *e, uint64_t more)
{
  emitter_scale_cells (e);
  if (e->table->details->len > 0 && e->rows > 0)
    put_items (e);
  else if (e->table->details->len > 0)
    put_table (e);
  if (more > 0) {
    char *note = g_strdup_printf ("... and %" G_GUINT64_FORMAT " more (--limit 0 shows all)", more);
    if (e->rows > 0)
      put_title (e, note);
    else
      markdown_note (e, note);
    g_free (note);
  }
  emitter_free_cells (e);
}

const struct emitter_ops emitter_markdown_ops = {
  .open = markdown_open,
  .close = markdown_close,
  .value = markdown_value,
  .truth = markdown_truth,
  .texts = markdown_texts,
  .lines = markdown_lines,
  .note = markdown_note,
  .open_table = markdown_open_table,
  .open_row = markdown_open_row,
  .close_row = markdown_close_row,
  .close_table = markdown_close_table,
};
