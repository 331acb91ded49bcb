/* emitter.c -- text and JSON behind the same calls. */
#include "decoder/views/emitter.h"
#include "config.h"
#include <string.h>

struct emitter {
  const struct emitter_ops *ops;
  GString *out;
  unsigned depth;
  unsigned muted; /* text: objects and lists that are open, from one that is for programs only on */
  bool first;     /* JSON: nothing was put into the innermost object or list yet */
  const struct emitter_column *columns;
  size_t n_columns;
  const char *title; /* of the table, text */
  GPtrArray *cells;  /* of char *, NULL for null: rows wait for the widths of columns, text */
};

/* What a format does.  All are called as the public functions of the same names. */
struct emitter_ops {
  void (*open) (struct emitter *e, const char *key, const char *title, char bracket);
  void (*close) (struct emitter *e, char bracket);
  void (*value) (struct emitter *e, const char *key, const char *label, enum emitter_type type,
                 union emitter_value value);
  void (*truth) (struct emitter *e, const char *key, const char *label, bool truth);
  void (*texts) (struct emitter *e, const char *key, const char *label, const GPtrArray *texts);
  void (*note) (struct emitter *e, const char *text);
  void (*open_table) (struct emitter *e, const char *key, const char *title);
  void (*row) (struct emitter *e, const union emitter_value *values);
  void (*close_table) (struct emitter *e, uint64_t more);
};

static void
append_digits (GString *out, uint64_t number, unsigned base)
{
  char digits[20], *at = digits + sizeof digits; /* 2^64 has 20 decimal digits */
  do {
    *--at = "0123456789abcdef"[number % base];
    number /= base;
  } while (number != 0);
  g_string_append_len (out, at, digits + sizeof digits - at);
}

void
emitter_append_decimal (GString *out, uint64_t number)
{
  append_digits (out, number, 10);
}

void
emitter_append_address (GString *out, uint64_t number)
{
  g_string_append_len (out, "0x", 2);
  append_digits (out, number, 16);
}

/* Control characters, those above 0x7f too. */
static bool
acts_on_terminal (gunichar u)
{
  return u < 0x20 || (u >= 0x7f && u < 0xa0);
}

/* ---- JSON ---- */

void
emitter_append_json_string (GString *out, const char *text, size_t length)
{
  g_string_append_c (out, '"');
  for (const char *p = text, *end = text + length; p < end;) {
    const char *plain = p;
    while (p < end && *p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\')
      p++;
    g_string_append_len (out, plain, p - plain);
    if (p == end)
      break;
    unsigned char c = (unsigned char) *p;
    gunichar u = g_utf8_get_char_validated (p, end - p);
    if (c == '"' || c == '\\') {
      g_string_append_c (out, '\\');
      g_string_append_c (out, (char) c);
      p++;
    } else if (u == (gunichar) -1 || u == (gunichar) -2) {
      g_string_append (out, c == 0 ? "\\u0000" : "\\ufffd");
      p++;
    } else {
      const char *next = g_utf8_next_char (p);
      if (acts_on_terminal (u))
        g_string_append_printf (out, "\\u%04x", u);
      else
        g_string_append_len (out, p, next - p);
      p = next;
    }
  }
  g_string_append_c (out, '"');
}

static void
json_key (struct emitter *e, const char *key)
{
  if (!e->first)
    g_string_append_c (e->out, ',');
  e->first = false;
  g_string_append_c (e->out, '\n');
  for (unsigned i = 0; i < e->depth; i++)
    g_string_append (e->out, "  ");
  if (key != NULL) {
    emitter_append_json_string (e->out, key, strlen (key));
    g_string_append (e->out, ": ");
  }
}

static void
json_bare_value (struct emitter *e, enum emitter_type type, union emitter_value value)
{
  switch (type) {
  case EMIT_NUMBER:
  case EMIT_NS:
  case EMIT_SHARE:
    g_string_append_printf (e->out, "%" G_GUINT64_FORMAT, value.number);
    break;
  case EMIT_CHANGE:
  case EMIT_TIME:
    g_string_append_printf (e->out, "%" G_GINT64_FORMAT, value.change);
    break;
  case EMIT_ADDRESS:
    g_string_append_printf (e->out, "\"0x%" G_GINT64_MODIFIER "x\"", value.number);
    break;
  case EMIT_TEXT:
    if (value.text != NULL)
      emitter_append_json_string (e->out, value.text, strlen (value.text));
    else
      g_string_append (e->out, "null");
    break;
  }
}

static void
json_open (struct emitter *e, const char *key, const char *title, char bracket)
{
  (void) title;
  if (e->depth > 0)
    json_key (e, key);
  g_string_append_c (e->out, bracket);
  e->depth++;
  e->first = true;
}

static void
json_close (struct emitter *e, char bracket)
{
  e->depth--;
  if (!e->first) {
    g_string_append_c (e->out, '\n');
    for (unsigned i = 0; i < e->depth; i++)
      g_string_append (e->out, "  ");
  }
  g_string_append_c (e->out, bracket);
  e->first = false;
  if (e->depth == 0)
    g_string_append_c (e->out, '\n');
}

static void
json_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
            union emitter_value value)
{
  (void) label;
  json_key (e, key);
  json_bare_value (e, type, value);
}

static void
json_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  (void) label;
  json_key (e, key);
  g_string_append (e->out, truth ? "true" : "false");
}

static void
json_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  json_open (e, key, label, '[');
  for (guint i = 0; i < texts->len; i++) {
    union emitter_value value = { .text = g_ptr_array_index (texts, i) };
    json_value (e, NULL, NULL, EMIT_TEXT, value);
  }
  json_close (e, ']');
}

static void
json_note (struct emitter *e, const char *text)
{
  (void) e;
  (void) text;
}

static void
json_open_table (struct emitter *e, const char *key, const char *title)
{
  json_open (e, key, title, '[');
}

/* A row is a line. */
static void
json_row (struct emitter *e, const union emitter_value *values)
{
  json_key (e, NULL);
  g_string_append (e->out, "{ ");
  const char *separator = "";
  for (size_t i = 0; i < e->n_columns; i++) {
    if (e->columns[i].key == NULL)
      continue;
    g_string_append (e->out, separator);
    separator = ", ";
    emitter_append_json_string (e->out, e->columns[i].key, strlen (e->columns[i].key));
    g_string_append (e->out, ": ");
    json_bare_value (e, e->columns[i].type, values[i]);
  }
  g_string_append (e->out, " }");
}

static void
json_close_table (struct emitter *e, uint64_t more)
{
  (void) more;
  json_close (e, ']');
}

static const struct emitter_ops json_ops = {
  .open = json_open,
  .close = json_close,
  .value = json_value,
  .truth = json_truth,
  .texts = json_texts,
  .note = json_note,
  .open_table = json_open_table,
  .row = json_row,
  .close_table = json_close_table,
};

/* ---- text ---- */

static void
text_indent (struct emitter *e)
{
  for (unsigned i = 1; i < e->depth; i++)
    g_string_append (e->out, "  ");
}

/* Text from a log may hold anything; nothing in it may act on a terminal. */
static char *
printable (const char *text)
{
  char *valid = g_utf8_make_valid (text, -1);
  GString *safe = g_string_sized_new (strlen (valid));
  for (const char *p = valid; *p != 0; p = g_utf8_next_char (p)) {
    gunichar u = g_utf8_get_char (p);
    g_string_append_unichar (safe, acts_on_terminal (u) ? '?' : u);
  }
  g_free (valid);
  return g_string_free (safe, FALSE);
}

static char *
milliseconds (const char *sign, uint64_t ns)
{
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%03u", sign, ns / 1000000,
                          (unsigned) (ns / 1000 % 1000));
}

/* NULL for null. */
static char *
text_of (enum emitter_type type, union emitter_value value)
{
  switch (type) {
  case EMIT_NUMBER:
    return g_strdup_printf ("%" G_GUINT64_FORMAT, value.number);
  case EMIT_CHANGE:
    return g_strdup_printf ("%+" G_GINT64_FORMAT, value.change);
  case EMIT_ADDRESS:
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", value.number);
  case EMIT_NS:
    return milliseconds ("", value.number);
  case EMIT_TIME:
    return value.change < 0 ? milliseconds ("-", -value.number) : milliseconds ("", value.number);
  case EMIT_SHARE:
    return g_strdup_printf ("%" G_GUINT64_FORMAT ".%u", value.number / 10,
                            (unsigned) (value.number % 10));
  case EMIT_TEXT:
    break;
  }
  return value.text != NULL ? printable (value.text) : NULL;
}

static const char *
shown (const char *text)
{
  return text != NULL ? text : "-";
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
  char *text = text_of (type, value);
  text_line (e, label, shown (text), type == EMIT_NS || type == EMIT_TIME ? " ms" : "");
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
    char *text = printable (g_ptr_array_index (texts, i));
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
text_open_table (struct emitter *e, const char *key, const char *title)
{
  (void) key;
  e->title = title;
  e->cells = g_ptr_array_new_with_free_func (g_free);
}

static void
text_row (struct emitter *e, const union emitter_value *values)
{
  for (size_t i = 0; i < e->n_columns; i++)
    g_ptr_array_add (e->cells, text_of (e->columns[i].type, values[i]));
}

/* Widths of the columns, -1 for one that has nothing to show.  Free it. */
static glong *
text_widths (const struct emitter *e)
{
  glong *widths = g_new (glong, e->n_columns);
  for (size_t i = 0; i < e->n_columns; i++) {
    bool any = e->columns[i].type != EMIT_TEXT;
    widths[i] = g_utf8_strlen (e->columns[i].label, -1);
    for (guint c = (guint) i; c < e->cells->len; c += (guint) e->n_columns) {
      const char *cell = g_ptr_array_index (e->cells, c);
      widths[i] = MAX (widths[i], g_utf8_strlen (shown (cell), -1));
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
  text_indent (e);
  const char *separator = "";
  for (size_t i = 0; i < e->n_columns; i++) {
    if (widths[i] < 0)
      continue;
    const char *cell = shown (cells[i]);
    int padding = (int) (widths[i] - g_utf8_strlen (cell, -1));
    g_string_append (e->out, separator);
    separator = "  ";
    if (e->columns[i].type != EMIT_TEXT)
      g_string_append_printf (e->out, "%*s%s", padding, "", cell);
    else if (i + 1 < e->n_columns)
      g_string_append_printf (e->out, "%s%*s", cell, padding, "");
    else
      g_string_append (e->out, cell);
  }
  g_string_append_c (e->out, '\n');
}

static void
text_close_table (struct emitter *e, uint64_t more)
{
  if (e->cells->len > 0) {
    glong *widths = text_widths (e);
    const char **labels = g_new (const char *, e->n_columns);
    for (size_t i = 0; i < e->n_columns; i++)
      labels[i] = e->columns[i].label;
    text_title (e, e->title);
    text_table_line (e, labels, widths);
    for (guint c = 0; c < e->cells->len; c += (guint) e->n_columns)
      text_table_line (e, (const char *const *) &e->cells->pdata[c], widths);
    g_free (labels);
    g_free (widths);
  }
  if (more > 0) {
    text_indent (e);
    g_string_append_printf (e->out, "... and %" G_GUINT64_FORMAT " more (--limit 0 shows all)\n",
                            more);
  }
  g_ptr_array_free (e->cells, TRUE);
  e->cells = NULL;
}

static const struct emitter_ops text_ops = {
  .open = text_open,
  .close = text_close,
  .value = text_value,
  .truth = text_truth,
  .texts = text_texts,
  .note = text_note,
  .open_table = text_open_table,
  .row = text_row,
  .close_table = text_close_table,
};

/* ---- the calls ---- */

struct emitter *
emitter_new (enum emitter_format format, GString *out)
{
  struct emitter *e = g_new0 (struct emitter, 1);
  e->ops = format == EMITTER_JSON ? &json_ops : &text_ops;
  e->out = out;
  return e;
}

void
emitter_free (struct emitter *e)
{
  g_free (e);
}

void
emitter_begin (struct emitter *e, const char *schema)
{
  e->ops->open (e, NULL, NULL, '{');
  emitter_text (e, "schema", NULL, schema);
}

void
emitter_end (struct emitter *e)
{
  e->ops->close (e, '}');
}

void
emitter_open (struct emitter *e, const char *key, const char *title)
{
  e->ops->open (e, key, title, '{');
}

void
emitter_close (struct emitter *e)
{
  e->ops->close (e, '}');
}

void
emitter_open_list (struct emitter *e, const char *key, const char *title)
{
  e->ops->open (e, key, title, '[');
}

void
emitter_close_list (struct emitter *e)
{
  e->ops->close (e, ']');
}

void
emitter_value (struct emitter *e, const char *key, const char *label, enum emitter_type type,
               union emitter_value value)
{
  if (e->muted == 0)
    e->ops->value (e, key, label, type, value);
}

void
emitter_number (struct emitter *e, const char *key, const char *label, uint64_t number)
{
  emitter_value (e, key, label, EMIT_NUMBER, (union emitter_value){ .number = number });
}

void
emitter_ns (struct emitter *e, const char *key, const char *label, uint64_t ns)
{
  emitter_value (e, key, label, EMIT_NS, (union emitter_value){ .number = ns });
}

void
emitter_text (struct emitter *e, const char *key, const char *label, const char *text)
{
  emitter_value (e, key, label, EMIT_TEXT, (union emitter_value){ .text = text });
}

void
emitter_truth (struct emitter *e, const char *key, const char *label, bool truth)
{
  if (e->muted == 0)
    e->ops->truth (e, key, label, truth);
}

void
emitter_texts (struct emitter *e, const char *key, const char *label, const GPtrArray *texts)
{
  if (e->muted == 0)
    e->ops->texts (e, key, label, texts);
}

void
emitter_note (struct emitter *e, const char *text)
{
  if (e->muted == 0)
    e->ops->note (e, text);
}

void
emitter_open_table (struct emitter *e, const char *key, const char *title,
                    const struct emitter_column *columns, size_t n_columns)
{
  e->columns = columns;
  e->n_columns = n_columns;
  if (e->muted == 0)
    e->ops->open_table (e, key, title);
}

void
emitter_row (struct emitter *e, const union emitter_value *values)
{
  if (e->muted == 0)
    e->ops->row (e, values);
}

void
emitter_close_table (struct emitter *e, uint64_t more)
{
  if (e->muted == 0)
    e->ops->close_table (e, more);
}
