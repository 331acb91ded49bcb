/* text-table.c -- tables as text: columns of even width, as wide as the screen at most.
 *
 * Of a table that is too wide, heads get several lines, then columns move together if all texts
 * have room then, else texts are shortened, columns move together, and at last columns of numbers
 * are left out, which a line states.
 */
#include "config.h"

#include "decoder/output/emitter-private.h"
#include "decoder/output/wrap.h"
#include <string.h>

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

/* The widest column of texts that can be shorter; n_columns if there is none. */
static size_t
find_longest (const struct emitter_table *t, const struct layout *l)
{
  size_t longest = t->n_columns;
  for (size_t i = 0; i < t->n_columns; i++)
    if (t->columns[i].type == EMIT_TEXT && l->widths[i] > TEXT_MIN
        && (longest == t->n_columns || l->widths[i] > l->widths[longest]))
      longest = i;
  return longest;
}

/* The last column of numbers; 0 if there is none after the first column. */
static size_t
find_last_number (const struct emitter_table *t, const struct layout *l)
{
  size_t i = t->n_columns - 1;
  while (i > 0 && (l->widths[i] < 0 || t->columns[i].type == EMIT_TEXT))
    i--;
  return i;
}

static void
leave_columns_out (const struct emitter *e, struct layout *l)
{
  size_t column;
  while (sum_widths (e, l) > (glong) e->columns && (column = find_last_number (e->table, l)) != 0) {
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
  for (guint i = lines->len; i-- > 0;) {
    g_string_append (e->out, e->has_color ? TEXT_HEAD : "");
    put_line (e, (const char *const *) lines->pdata[i], l);
    if (e->has_color) {
      g_string_truncate (e->out, e->out->len - 1);
      g_string_append (e->out, TEXT_PLAIN "\n");
    }
  }
}

void
text_put_table (struct emitter *e)
{
  const struct emitter_table *t = e->table;
  struct layout l = { .widths = g_new (glong, t->n_columns), .gap = 2 };
  lay_out (e, &l);
  put_left_out (e, &l);
  put_heads (e, &l);
  for (guint row = 0; row < t->details->len; row++) {
    put_line (e, (const char *const *) &t->cells->pdata[row * t->n_columns], &l);
    g_string_append (e->out, g_ptr_array_index (t->details, row));
  }
  g_free (l.widths);
  g_free (l.left_out);
}
