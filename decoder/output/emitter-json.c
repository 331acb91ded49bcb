/* emitter-json.c -- reports for programs: every value under its key, numbers exact. */
#include "config.h"

#include "decoder/core/method-words.h"
#include "decoder/output/emitter-private.h"
#include <string.h>

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
  emitter_resolve_any (&type, &value);
  if (type == EMIT_TEXT && value.text != NULL) {
    emitter_append_json_string (e->out, value.text, strlen (value.text));
    return;
  }
  g_string_append (e->out, type == EMIT_ADDRESS ? "\"" : "");
  if (!emitter_append_exact (e->out, type, value))
    g_string_append (e->out, "null");
  g_string_append (e->out, type == EMIT_ADDRESS ? "\"" : "");
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
json_lines (struct emitter *e, const char *key, const GPtrArray *texts)
{
  json_texts (e, key, NULL, texts);
}

static void
json_note (struct emitter *e, const char *text)
{
  (void) e;
  (void) text;
}

static void
json_open_table (struct emitter *e, const char *key)
{
  json_open (e, key, NULL, '[');
}

static void
json_set_words (struct emitter *e, const char *column)
{
  e->table->words = column;
}

/* After a name. */
static void
json_words (struct emitter *e, const char *name)
{
  g_autofree char *words = name != NULL ? method_words (name, true) : NULL;
  if (words == NULL || strcmp (words, name) == 0)
    return;
  g_string_append (e->out, ", \"" EMITTER_WORDS "\": ");
  emitter_append_json_string (e->out, words, strlen (words));
}

/* A row is a line, as far as its cells go. */
static void
json_open_row (struct emitter *e, const union emitter_value *values)
{
  const struct emitter_table *t = e->table;
  json_key (e, NULL);
  g_string_append (e->out, "{ ");
  e->first = true;
  for (size_t i = 0; i < t->n_columns; i++) {
    if (t->columns[i].key == NULL)
      continue;
    g_string_append (e->out, e->first ? "" : ", ");
    e->first = false;
    emitter_append_json_string (e->out, t->columns[i].key, strlen (t->columns[i].key));
    g_string_append (e->out, ": ");
    json_bare_value (e, t->columns[i].type, values[i]);
    if (t->words != NULL && strcmp (t->columns[i].key, t->words) == 0)
      json_words (e, values[i].text);
  }
  e->table->row_end = e->out->len;
  e->depth++;
}

static void
json_close_row (struct emitter *e)
{
  if (e->out->len != e->table->row_end) {
    json_close (e, '}');
    return;
  }
  e->depth--;
  e->first = false;
  g_string_append (e->out, " }");
}

static void
json_close_table (struct emitter *e, uint64_t more)
{
  (void) more;
  json_close (e, ']');
}

const struct emitter_ops emitter_json_ops = {
  .open = json_open,
  .close = json_close,
  .value = json_value,
  .truth = json_truth,
  .texts = json_texts,
  .lines = json_lines,
  .note = json_note,
  .open_table = json_open_table,
  .open_row = json_open_row,
  .close_row = json_close_row,
  .close_table = json_close_table,
  .set_words = json_set_words,
};
