/* emitter-text.c -- reports for people: titles, labels, units, columns of even width. */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "decoder/output/wrap.h"
#include <string.h>

/* ---- objects that are folded into a line ---- */

enum {
  COLUMN = 12, /* where the values begin */
  WIDTH = 80,  /* of a line, where no screen says another */
  COLUMNS_MIN = 30,
  LENGTH_MAX = 190 /* of all values: three lines */
};

/* An object begins. */
static void
text_fold_begin (struct text_fold *f, const char *title, GString *out)
{
  text_fold_clear (f);
  f->title = f->copy = title != NULL ? emitter_printable (title) : NULL;
  f->begin = out->len;
  f->values = g_ptr_array_new_with_free_func (g_free);
}

/* A value of it. */
static void
text_fold_add (struct text_fold *f, const char *label, const char *value)
{
  const char *last
      = f->title != NULL && f->values->len > 0 ? f->values->pdata[f->values->len - 1] : NULL;
  if (f->title == NULL || strcmp (value, "0") == 0)
    return;
  /* The names of the counted kinds say more than their number. */
  if (last != NULL && g_str_has_prefix (last, label) && last[strlen (label)] == ' ')
    g_ptr_array_set_size (f->values, (gint) f->values->len - 1);
  g_ptr_array_add (f->values, g_strdup_printf ("%s %s", label, value));
}

static size_t
fold_length (const struct text_fold *f)
{
  size_t length = 0;
  for (guint i = 0; i < f->values->len; i++)
    length += strlen (f->values->pdata[i]) + 2;
  return length;
}

/* Values are broken only if they are longer than a line.  *at is the column where the line ends. */
static void
append_value (GString *out, const char *value, bool is_first, size_t columns, size_t *at)
{
  const size_t width = (size_t) g_utf8_strlen (value, -1);
  if (!is_first && *at + 2 + MIN (width, columns - COLUMN) >= columns) {
    g_string_append_printf (out, ";\n%*s", COLUMN, "");
    *at = COLUMN;
  } else if (!is_first) {
    g_string_append (out, "; ");
    *at += 2;
  }
  *at = text_append_words (out, value, *at, COLUMN, (unsigned) columns - 1);
}

/* It ends. */
static void
text_fold_end (struct text_fold *f, GString *out)
{
  const bool was_last = f->is_last;
  f->is_last = f->title != NULL && f->values->len > 0 && fold_length (f) <= LENGTH_MAX;
  if (f->is_last) {
    const size_t columns = f->columns != 0 ? MAX (f->columns, COLUMNS_MIN) : WIDTH;
    size_t at = MAX (COLUMN, strlen (f->title) + 2);
    g_string_truncate (out, f->begin);
    g_string_append_printf (out, "%s%s%-*s%s", was_last || out->len == 0 ? "" : "\n",
                            f->has_color ? TEXT_BOLD : "", (int) at, f->title,
                            f->has_color ? TEXT_PLAIN : "");
    for (guint i = 0; i < f->values->len; i++)
      append_value (out, f->values->pdata[i], i == 0, columns, &at);
    g_string_append_c (out, '\n');
  }
  f->title = NULL;
}

void
text_fold_clear (struct text_fold *f)
{
  g_clear_pointer (&f->values, g_ptr_array_unref);
  g_clear_pointer (&f->copy, g_free);
  f->title = NULL;
}

/* ---- tables ---- */

/* Of a table that is too wide, heads get several lines, then columns move together if all texts
 * have room then, else texts are shortened, columns move together, and at last columns of numbers
 * and small drawings are left out, which a line states. */

/* Texts are not made shorter than that. */
#define TEXT_MIN 8

struct layout {
  glong *widths; /* -1: the column has nothing to show */
  int gap;       /* between columns */
  bool has_high_heads;
  char *left_out; /* heads of columns without room, or NULL */
};

static glong
widest_word (const char *text)
{
  glong widest = 0;
  while (*text != 0) {
    const size_t length = strcspn (text, " ");
    widest = MAX (widest, g_utf8_strlen (text, (gssize) length));
    text += length;
    text += strspn (text, " ");
  }
  return widest;
}

static void
measure (const struct emitter_table *t, struct layout *l)
{
  for (size_t i = 0; i < t->n_columns; i++) {
    bool any = t->columns[i].type != EMIT_TEXT;
    l->widths[i] = -1;
    if (t->columns[i].label == NULL)
      continue;
    l->widths[i] = l->has_high_heads ? widest_word (t->heads[i]) : g_utf8_strlen (t->heads[i], -1);
    for (guint c = (guint) i; c < t->cells->len; c += (guint) t->n_columns) {
      const char *cell = g_ptr_array_index (t->cells, c);
      l->widths[i] = MAX (l->widths[i], g_utf8_strlen (emitter_shown (cell), -1));
      any |= cell != NULL;
    }
    if (!any)
      l->widths[i] = -1;
  }
}

static glong
sum_widths (const struct emitter *e, const struct layout *l)
{
  glong sum = 2 * (glong) MAX (e->depth, 1) - 2 - l->gap;
  for (size_t i = 0; i < e->table->n_columns; i++)
    sum += l->widths[i] >= 0 ? l->widths[i] + l->gap : 0;
  return sum;
}

/* Has the column small drawings beside names?  These cannot be shorter. */
static bool
has_drawings (const struct emitter_table *t, size_t column)
{
  return t->columns[column].type == EMIT_TEXT && t->columns[column].key == NULL
         && column + 1 < t->n_columns;
}

/* The widest column of texts that can be shorter; n_columns if there is none. */
static size_t
find_longest (const struct emitter_table *t, const struct layout *l)
{
  size_t longest = t->n_columns;
  for (size_t i = 0; i < t->n_columns; i++)
    if (t->columns[i].type == EMIT_TEXT && !has_drawings (t, i) && l->widths[i] > TEXT_MIN
        && (longest == t->n_columns || l->widths[i] > l->widths[longest]))
      longest = i;
  return longest;
}

/* The last column of numbers or drawings; 0 if there is none after the first column. */
static size_t
find_last_figures (const struct emitter_table *t, const struct layout *l)
{
  size_t i = t->n_columns - 1;
  while (i > 0 && (l->widths[i] < 0 || (t->columns[i].type == EMIT_TEXT && !has_drawings (t, i))))
    i--;
  return i;
}

static void
leave_columns_out (const struct emitter *e, struct layout *l)
{
  size_t column;
  while (sum_widths (e, l) > (glong) e->columns
         && (column = find_last_figures (e->table, l)) != 0) {
    g_autofree char *others = l->left_out;
    l->left_out = others == NULL ? g_strdup (e->table->heads[column])
                                 : g_strdup_printf ("%s, %s", e->table->heads[column], others);
    l->widths[column] = -1;
  }
}

static void
lay_out (const struct emitter *e, struct layout *l)
{
  size_t column;
  measure (e->table, l);
  if (e->columns == 0 || sum_widths (e, l) <= (glong) e->columns)
    return;
  l->has_high_heads = true;
  measure (e->table, l);
  l->gap = 1;
  if (sum_widths (e, l) <= (glong) e->columns)
    return;
  l->gap = 2;
  while (sum_widths (e, l) > (glong) e->columns
         && (column = find_longest (e->table, l)) < e->table->n_columns)
    l->widths[column]--;
  if (sum_widths (e, l) > (glong) e->columns)
    l->gap = 1;
  leave_columns_out (e, l);
}

static void
put_left_out (struct emitter *e, const struct layout *l)
{
  if (l->left_out == NULL)
    return;
  const unsigned indent = 2 * MAX (e->depth, 1) - 2;
  g_autofree char *line = g_strdup_printf ("(no room for the columns %s)", l->left_out);
  wrap_append (e->out, line, indent, e->columns);
}

/* Numbers to the right; text, which comes last, as long as it is. */
static void
put_line (struct emitter *e, const char *const *cells, const struct layout *l)
{
  const struct emitter_table *t = e->table;
  text_indent (e);
  const char *separator = "";
  for (size_t i = 0; i < t->n_columns; i++) {
    if (l->widths[i] < 0)
      continue;
    const bool is_text = t->columns[i].type == EMIT_TEXT;
    g_autofree char *cell = e->columns != 0 && is_text
                                ? text_shorten (emitter_shown (cells[i]), (size_t) l->widths[i])
                                : g_strdup (emitter_shown (cells[i]));
    const int padding = (int) MAX (l->widths[i] - g_utf8_strlen (cell, -1), 0);
    g_string_append (e->out, separator);
    separator = l->gap == 1 ? " " : "  ";
    if (!is_text)
      g_string_append_printf (e->out, "%*s%s", padding, "", cell);
    else if (i + 1 < t->n_columns)
      g_string_append_printf (e->out, "%s%*s", cell, padding, "");
    else
      g_string_append (e->out, cell);
  }
  g_string_append_c (e->out, '\n');
}

/* In a colour, where there are colours. */
static void
put_styled_line (struct emitter *e, const char *style, const char *const *cells,
                 const struct layout *l)
{
  g_string_append (e->out, e->has_color ? style : "");
  put_line (e, cells, l);
  if (!e->has_color)
    return;
  g_string_truncate (e->out, e->out->len - 1);
  g_string_append (e->out, TEXT_PLAIN "\n");
}

/* Removes the last words of a head that fit a width, and returns them (transfer full). */
static char *
take_last_line (char *head, glong width)
{
  char *begin = head + strlen (head);
  while (begin > head) {
    char *word = begin;
    while (word > head && word[-1] == ' ')
      word--;
    while (word > head && word[-1] != ' ')
      word--;
    if (*begin != 0 && g_utf8_strlen (word, -1) > width)
      break;
    begin = word;
  }
  char *line = g_strdup (begin);
  *begin = 0;
  g_strchomp (head);
  return line;
}

/* Heads of several lines stand on their columns. */
static void
put_heads (struct emitter *e, const struct layout *l)
{
  const size_t n = e->table->n_columns;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  bool has_more = true;
  while (has_more) {
    char **line = g_new0 (char *, n + 1);
    has_more = false;
    for (size_t i = 0; i < n; i++) {
      char *head = e->table->heads[i];
      line[i] = l->has_high_heads ? take_last_line (head, l->widths[i]) : g_strdup (head);
      has_more |= l->has_high_heads && l->widths[i] >= 0 && head[0] != 0;
    }
    g_ptr_array_add (lines, line);
  }
  for (guint i = lines->len; i-- > 0;)
    put_styled_line (e, TEXT_HEAD, (const char *const *) lines->pdata[i], l);
}

/* The table that is open and has rows, without its title. */
static void
text_put_table (struct emitter *e)
{
  const struct emitter_table *t = e->table;
  struct layout l = { .widths = g_new (glong, t->n_columns), .gap = 2 };
  lay_out (e, &l);
  put_left_out (e, &l);
  put_heads (e, &l);
  for (guint row = 0; row < t->details->len; row++) {
    const char *const *cells = (const char *const *) &t->cells->pdata[row * t->n_columns];
    if (emitter_row_is_grey (t, row))
      put_styled_line (e, TEXT_GREY, cells, &l);
    else
      put_line (e, cells, &l);
    g_string_append (e->out, g_ptr_array_index (t->details, row));
  }
  g_free (l.widths);
  g_free (l.left_out);
}

/* ---- text ---- */

static void
put_title (struct emitter *e, const char *title)
{
  if (title == NULL)
    return;
  if (e->out->len > 0 && e->depth <= 2)
    g_string_append_c (e->out, '\n');
  const size_t indent = 2 * MAX (e->depth, 1) - 2;
  g_autofree char *text = emitter_printable (title);
  text_indent (e);
  g_string_append (e->out, e->has_color ? TEXT_BOLD : "");
  text_append_words (e->out, text, indent, indent + 2, e->columns);
  g_string_append_printf (e->out, "%s\n", e->has_color ? TEXT_PLAIN : "");
}

static void
text_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  (void) key;
  if (e->muted > 0 || (bracket == '{' && title == NULL && e->depth > 0)) {
    e->muted++;
    return;
  }
  if (e->depth == 1 && bracket == '{' && e->style.folds)
    text_fold_begin (&e->fold, title, e->out);
  else
    e->fold.title = NULL;
  put_title (e, title);
  e->depth += bracket == '{'; /* a list is not indented more than its objects */
}

static void
text_close (struct emitter *e, char bracket)
{
  if (e->muted > 0) {
    e->muted--;
    return;
  }
  e->depth -= bracket == '}';
  if (bracket == '}' && e->depth == 1)
    text_fold_end (&e->fold, e->out);
}

static void
text_line (struct emitter *e, const char *label, const char *text)
{
  const int width = MAX (24 - 2 * (int) e->depth, 0);
  const size_t indent = 2 * MAX (e->depth, 1) - 2;
  const size_t at = indent + MAX ((size_t) width, strlen (label)) + 1;
  text_indent (e);
  g_string_append_printf (e->out, "%-*s ", width, label);
  text_append_words (e->out, text, at, at, e->columns);
  g_string_append_c (e->out, '\n');
}

static void
text_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
            union emitter_value value)
{
  if (label == NULL)
    return;
  g_autofree char *text = emitter_value_text (e, key, type, value);
  g_autofree char *head = emitter_value_label (e, key, label);
  text_line (e, head, text);
  text_fold_add (&e->fold, head, text);
}

static void
text_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  (void) key;
  if (label == NULL)
    return;
  text_line (e, label, truth ? "yes" : "no");
  text_fold_add (&e->fold, label, truth ? "yes" : "no");
}

static void
text_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  (void) key;
  e->fold.title = NULL;
  for (guint i = 0; label != NULL && i < texts->len; i++) {
    char *text = emitter_printable (g_ptr_array_index (texts, i));
    text_line (e, i == 0 ? label : "", text);
    g_free (text);
  }
}

static void
text_note (struct emitter *e, const char *note)
{
  g_autofree char *text = emitter_printable (note);
  e->fold.title = NULL;
  e->fold.is_last &= text[0] != 0 || e->depth > 1;
  wrap_append (e->out, text, e->depth > 1 ? 2 * (e->depth - 1) : 0, e->columns);
}

/* Lines in a row of a table, such as frames, remain lines. */
static void
text_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  const size_t indent = 2 * MAX (e->depth, 1) - 2;
  (void) key;
  for (guint i = 0; i < texts->len; i++) {
    g_autofree char *text = emitter_printable (g_ptr_array_index (texts, i));
    g_autofree char *line = e->columns != 0 && e->table != NULL
                                ? text_shorten (text, e->columns - MIN (indent, e->columns))
                                : NULL;
    text_note (e, line != NULL ? line : text);
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

/* ---- tables in paragraphs ---- */

/* A cell with its unit, NULL for null (transfer full). */
static char *
cell_with_unit (const struct emitter *e, guint cell)
{
  const struct emitter_table *t = e->table;
  const struct emitter_figure *f = &g_array_index (t->figures, struct emitter_figure, cell);
  if (f->unit == FIGURE_NONE || !e->style.has_units)
    return g_strdup (t->cells->pdata[cell]);
  g_autofree char *figure = figure_text (f->unit, f->figure);
  return g_strconcat ((char[]){ f->sign, 0 }, figure, NULL);
}

/* Folds a table of one row. */
static void
fold_row (struct emitter *e)
{
  const struct emitter_table *t = e->table;
  for (size_t i = 0; i < t->n_columns; i++) {
    const char *label = t->columns[i].label;
    if (label == NULL)
      continue;
    const int length = (int) strlen (label) - (g_str_has_suffix (label, " ms") ? 3 : 0);
    g_autofree char *name = g_strndup (label, (gsize) length);
    g_autofree char *text = cell_with_unit (e, (guint) i);
    if (text != NULL)
      text_fold_add (&e->fold, name, text);
  }
}

/* Folds a table of few numbers and names: "Clauses run 3 catch, 1 finally". */
static void
fold_pairs (struct emitter *e, size_t number, size_t name)
{
  const struct emitter_table *t = e->table;
  g_autoptr (GString) list = g_string_new (NULL);
  for (guint row = 0; row < t->details->len; row++) {
    g_autofree char *figure = cell_with_unit (e, (guint) (row * t->n_columns + number));
    g_autofree char *text = cell_with_unit (e, (guint) (row * t->n_columns + name));
    g_string_append_printf (list, "%s%s %s", row > 0 ? ", " : "", emitter_shown (figure),
                            emitter_shown (text));
  }
  text_fold_add (&e->fold, t->columns[number].label, list->str);
}

/* Rows of names that fit a line. */
#define PAIRS_MAX 3

/* Adds the table to the paragraph if it is short enough; else there is no paragraph. */
static void
fold_table (struct emitter *e, uint64_t more)
{
  const struct emitter_table *t = e->table;
  size_t shown[2] = { 0 }, n = 0;
  for (size_t i = 0; i < t->n_columns; i++)
    if (t->columns[i].label != NULL) {
      shown[MIN (n, 1)] = i;
      n++;
    }
  bool can_fold = e->fold.title != NULL && t->title == NULL && more == 0;
  for (guint row = 0; row < t->details->len; row++)
    can_fold &= ((const char *) t->details->pdata[row])[0] == 0;
  const bool has_pairs = n == 2 && t->columns[shown[0]].type == EMIT_NUMBER
                         && t->columns[shown[1]].type == EMIT_TEXT;
  if (can_fold && has_pairs && t->details->len > 0 && t->details->len <= PAIRS_MAX)
    fold_pairs (e, shown[0], shown[1]);
  else if (can_fold && t->details->len == 1)
    fold_row (e);
  else if (t->details->len > 0 || more > 0)
    e->fold.title = NULL;
}

static void
text_close_table (struct emitter *e, uint64_t more)
{
  emitter_scale_cells (e);
  fold_table (e, more);
  if (e->depth <= 1 && e->table->details->len > 0)
    e->fold.is_last = false;
  if (e->table->details->len > 0) {
    put_title (e, e->table->title);
    text_put_table (e);
  }
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
