/* emitter.c -- the same calls for every format. */
#include "config.h"

#include "decoder/output/emitter.h"
#include "decoder/output/emitter-private.h"

static const struct emitter_ops *const all_ops[] = {
  [EMITTER_TEXT] = &emitter_text_ops, [EMITTER_JSON] = &emitter_json_ops,
  [EMITTER_CSV] = &emitter_csv_ops,   [EMITTER_MARKDOWN] = &emitter_markdown_ops,
  [EMITTER_HTML] = &emitter_html_ops,
};

bool
emitter_format_is_for_people (enum emitter_format format)
{
  return format != EMITTER_JSON && format != EMITTER_CSV;
}

struct emitter *
emitter_new (enum emitter_format format, GString *out)
{
  struct emitter *e = g_new0 (struct emitter, 1);
  e->format = format;
  e->ops = all_ops[format];
  e->out = out;
  if (e->ops->start != NULL)
    e->ops->start (e);
  return e;
}

void
emitter_free (struct emitter *e)
{
  if (e->ops->finish != NULL)
    e->ops->finish (e);
  text_fold_clear (&e->fold);
  g_free (e->title);
  g_free (e);
}

enum emitter_format
emitter_get_format (const struct emitter *e)
{
  return e->format;
}

void
emitter_set_style (struct emitter *e, const struct emitter_style *style)
{
  e->style = *style;
}

void
emitter_set_title (struct emitter *e, const char *title)
{
  g_free (e->title);
  e->title = g_strdup (title);
}

void
emitter_set_tables_only (struct emitter *e)
{
  if (e->ops->set_tables_only != NULL)
    e->ops->set_tables_only (e);
}

void
emitter_set_columns (struct emitter *e, unsigned columns)
{
  e->columns = e->fold.columns = columns;
}

void
emitter_set_color (struct emitter *e, bool has_color)
{
  e->has_color = e->fold.has_color = has_color;
}

void
emitter_set_clock (struct emitter *e, const uint64_t *zero)
{
  e->has_clock = zero != NULL;
  e->clock_zero = zero != NULL ? *zero : 0;
}

void
emitter_set_log (struct emitter *e, const char *log_name)
{
  e->has_log = true;
  if (e->ops->set_log != NULL)
    e->ops->set_log (e, log_name);
}

bool
emitter_has_log (const struct emitter *e)
{
  return e->has_log;
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
emitter_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  if (e->muted == 0)
    e->ops->lines (e, key, texts);
}

void
emitter_open_table (struct emitter *e, const char *key, const char *title,
                    const struct emitter_column *columns, size_t n_columns)
{
  struct emitter_table *table = g_new0 (struct emitter_table, 1);
  table->outer = e->table;
  table->columns = columns;
  table->n_columns = n_columns;
  table->title = title;
  e->table = table;
  if (e->muted == 0)
    e->ops->open_table (e, key);
}

void
emitter_grey_rows (struct emitter *e, const char *column, const char *text)
{
  e->table->grey_column = column;
  e->table->grey_text = text;
}

void
emitter_set_words (struct emitter *e, const char *column)
{
  if (e->ops->set_words != NULL && e->muted == 0)
    e->ops->set_words (e, column);
}

void
emitter_open_row (struct emitter *e, const union emitter_value *values)
{
  if (e->muted == 0)
    e->ops->open_row (e, values);
}

void
emitter_close_row (struct emitter *e)
{
  if (e->muted == 0)
    e->ops->close_row (e);
}

void
emitter_close_table (struct emitter *e, uint64_t more)
{
  struct emitter_table *table = e->table;
  if (e->muted == 0)
    e->ops->close_table (e, more);
  e->table = table->outer;
  g_free (table);
}

void
emitter_expect_table (struct emitter *e, const char *key, const char *id,
                      const struct emitter_column *columns, size_t n_columns,
                      const char *const *details)
{
  if (e->ops->expect_table != NULL)
    e->ops->expect_table (e, key, id, columns, n_columns, details);
}

void
emitter_expect_details (struct emitter *e, const char *const *details)
{
  if (e->ops->expect_details != NULL)
    e->ops->expect_details (e, details);
}

void
emitter_set_aside (struct emitter *e)
{
  if (e->ops->set_aside != NULL)
    e->ops->set_aside (e);
}
