/* emitter-text.c -- reports for people: titles, labels, units, columns of even width. */
#include "config.h"

#include "decoder/views/emitter-ops.h"

static void
text_indent (struct emitter *e)
{
  for (unsigned i = 1; i < e->depth; i++)
    g_string_append (e->out, "  ");
}

static void
text_title (struct emitter *e, const char *title)
{
  if (title == NULL)
    return;
  if (e->out->len > 0 && e->depth <= 2)
    g_string_append_c (e->out, '\n');
  text_indent (e);
  g_string_append_printf (e->out, "%s\n", title);
}

static void
text_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  (void) key;
  if (e->muted > 0 || (bracket == '{' && title == NULL && e->depth > 0)) {
    e->muted++;
    return;
  }
  text_title (e, title);
  e->depth += bracket == '{'; /* a list is not indented more than what it holds */
}

static void
text_close (struct emitter *e, char bracket)
{
  if (e->muted > 0)
    e->muted--;
  else
    e->depth -= bracket == '}';
}

static void
text_line (struct emitter *e, const char *label, const char *text, const char *unit)
{
  text_indent (e);
  int width = 24 - 2 * (int) e->depth;
  g_string_append_printf (e->out, "%-*s %s%s\n", MAX (width, 0), label, text, unit);
}

static void
text_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
            union emitter_value value)
{
  (void) key;
  if (label == NULL)
    return;
  char *text = emitter_cell_text (type, value);
  text_line (e, label, emitter_shown (text), type == EMIT_NS || type == EMIT_TIME ? " ms" : "");
  g_free (text);
}

static void
text_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  (void) key;
  if (label != NULL)
    text_line (e, label, truth ? "yes" : "no", "");
}

static void
text_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  (void) key;
  for (guint i = 0; label != NULL && i < texts->len; i++) {
    char *text = emitter_printable (g_ptr_array_index (texts, i));
    text_line (e, i == 0 ? label : "", text, "");
    g_free (text);
  }
}

static void
text_note (struct emitter *e, const char *text)
{
  text_indent (e);
  g_string_append_printf (e->out, "%s\n", text);
}

static void
text_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  (void) key;
  for (guint i = 0; i < texts->len; i++) {
    char *text = emitter_printable (g_ptr_array_index (texts, i));
    text_note (e, text);
    g_free (text);
  }
}

static void
text_open_table (struct emitter *e, const char *key)
{
  (void) key;
  emitter_start_cells (e);
}

static void
text_open_row (struct emitter *e, const union emitter_value *values)
{
  emitter_add_cells (e, values);
  e->depth++;
}

static void
text_close_row (struct emitter *e)
{
  e->depth--;
  emitter_end_cells (e);
}

/* Widths of the columns, -1 for one that has nothing to show.  Free it. */
static glong *
text_widths (const struct emitter_table *t)
{
  glong *widths = g_new (glong, t->n_columns);
  for (size_t i = 0; i < t->n_columns; i++) {
    bool any = t->columns[i].type != EMIT_TEXT;
    widths[i] = -1;
    if (t->columns[i].label == NULL)
      continue;
    widths[i] = g_utf8_strlen (t->columns[i].label, -1);
    for (guint c = (guint) i; c < t->cells->len; c += (guint) t->n_columns) {
      const char *cell = g_ptr_array_index (t->cells, c);
      widths[i] = MAX (widths[i], g_utf8_strlen (emitter_shown (cell), -1));
      any |= cell != NULL;
    }
    if (!any)
      widths[i] = -1;
  }
  return widths;
}

/* Numbers to the right; text, which comes last, as long as it is. */
static void
text_table_line (struct emitter *e, const char *const *cells, const glong *widths)
{
  const struct emitter_table *t = e->table;
  text_indent (e);
  const char *separator = "";
  for (size_t i = 0; i < t->n_columns; i++) {
    if (widths[i] < 0)
      continue;
    const char *cell = emitter_shown (cells[i]);
    int padding = (int) (widths[i] - g_utf8_strlen (cell, -1));
    g_string_append (e->out, separator);
    separator = "  ";
    if (t->columns[i].type != EMIT_TEXT)
      g_string_append_printf (e->out, "%*s%s", padding, "", cell);
    else if (i + 1 < t->n_columns)
      g_string_append_printf (e->out, "%s%*s", cell, padding, "");
    else
      g_string_append (e->out, cell);
  }
  g_string_append_c (e->out, '\n');
}

static void
text_put_table (struct emitter *e)
{
  const struct emitter_table *t = e->table;
  glong *widths = text_widths (t);
  const char **labels = g_new (const char *, t->n_columns);
  for (size_t i = 0; i < t->n_columns; i++)
    labels[i] = t->columns[i].label;
  text_title (e, t->title);
  text_table_line (e, labels, widths);
  for (guint row = 0; row < t->details->len; row++) {
    text_table_line (e, (const char *const *) &t->cells->pdata[row * t->n_columns], widths);
    g_string_append (e->out, g_ptr_array_index (t->details, row));
  }
  g_free (labels);
  g_free (widths);
}

static void
text_close_table (struct emitter *e, uint64_t more)
{
  if (e->table->details->len > 0)
    text_put_table (e);
  if (more > 0) {
    text_indent (e);
    g_string_append_printf (e->out, "... and %" G_GUINT64_FORMAT " more (--limit 0 shows all)\n",
                            more);
  }
  emitter_free_cells (e);
}

const struct emitter_ops emitter_text_ops = {
  .open = text_open,
  .close = text_close,
  .value = text_value,
  .truth = text_truth,
  .texts = text_texts,
  .lines = text_lines,
  .note = text_note,
  .open_table = text_open_table,
  .open_row = text_open_row,
  .close_row = text_close_row,
  .close_table = text_close_table,
};
