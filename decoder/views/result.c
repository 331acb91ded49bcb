/* result.c -- the declarations of results.def, and values that are put by them. */
#include "config.h"

#include "decoder/core/whole-number.h"
#include "decoder/views/recording-cost.h"
#include "decoder/views/result.h"
#include <string.h>

#define YES true
#define NO false

const struct result_value result_values[RESULTS] = {
#define RESULT(id, key, type, head)                                                                \
  [id] = { key, head, EMIT_##type, RESULT_NONE, NULL, NULL, false },
#define FIGURE(id, key, type, head, rule, is_compared)                                             \
  [id] = { key, head, EMIT_##type, RESULT_##rule, NULL, NULL, is_compared },
#define FIGURE_SHARE(id, key, head, part, whole, is_compared)                                      \
  [id] = { key, head, EMIT_SHARE, RESULT_SHARE, part, whole, is_compared },
#include "decoder/views/results.def"
};

const struct result_table result_tables[] = {
#define TABLE(section, key) { #section, key },
#include "decoder/views/results.def"
  { NULL, NULL },
};

static const char *
last_part (const char *key)
{
  const char *dot = strrchr (key, '.');
  return dot != NULL ? dot + 1 : key;
}

bool
result_is_in (enum result result, const char *section)
{
  const char *key = result_values[result].key;
  const size_t length = strcspn (key, ".");
  return strlen (section) == length && strncmp (section, key, length) == 0;
}

GPtrArray *
result_shapes (const struct result_table *table, const struct section *section)
{
  GPtrArray *shapes = g_ptr_array_new ();
  const struct table_shape *const *shape = section->tables;
  if (g_strcmp0 (section->key, table->section) == 0)
    for (; shape != NULL && *shape != NULL; shape++)
      if (strcmp ((*shape)->key, last_part (table->key)) == 0)
        g_ptr_array_add (shapes, (gpointer) *shape);
  return shapes;
}

/* ---- for the sections ---- */

void
result_put (struct emitter *e, enum result result, bool is_shown, union emitter_value value)
{
  const struct result_value *v = &result_values[result];
  emitter_value (e, last_part (v->key), is_shown ? v->head : NULL, v->type, value);
}

void
result_number_if (struct emitter *e, enum result result, bool is_shown, uint64_t number)
{
  result_put (e, result, is_shown, (union emitter_value){ .number = number });
}

void
result_number (struct emitter *e, enum result result, uint64_t number)
{
  result_number_if (e, result, true, number);
}

void
result_text_if (struct emitter *e, enum result result, bool is_shown, const char *text)
{
  result_put (e, result, is_shown, (union emitter_value){ .text = text });
}

void
result_text (struct emitter *e, enum result result, const char *text)
{
  result_text_if (e, result, true, text);
}

void
result_put_known (struct emitter *e, enum result result, bool is_shown, bool is_known,
                  union emitter_value value)
{
  const struct result_value *v = &result_values[result];
  if (is_known)
    result_put (e, result, is_shown, value);
  else
    emitter_value (e, last_part (v->key), is_shown ? v->head : NULL, EMIT_ANY,
                   (union emitter_value){ .any = NULL });
}

void
result_rate (const struct report *r, enum result result, bool is_shown, uint64_t sum)
{
  const uint64_t ns = log_selected_ns (&r->s->log);
  const double rate = ns != 0 ? (double) sum * 1e9 / (double) ns : 0;
  const bool is_small = rate < 100 && rate != 0, is_slow = recording_cost_is_large (r->s);
  const struct result_value *v = &result_values[result];
  g_autofree char *slow = is_slow ? g_strconcat (v->head, ", slowed by the recording", NULL) : NULL;
  char digits[32];
  g_ascii_formatd (digits, sizeof digits, "%.3g", rate);
  const struct emitter_any cell
      = { is_small ? EMIT_REAL : EMIT_NUMBER,
          is_small ? (union emitter_value){ .real = g_ascii_strtod (digits, NULL) }
                   : (union emitter_value){ .number = whole_number (rate + 0.5) },
          NULL };
  emitter_value (r->e, last_part (v->key),
                 !is_shown      ? NULL
                 : slow != NULL ? slow
                                : v->head,
                 EMIT_ANY, (union emitter_value){ .any = ns != 0 ? &cell : NULL });
}

void
result_overflow (const struct report *r, enum result result, uint64_t sum)
{
  if (sum == UINT64_MAX && emitter_get_format (r->e) != EMITTER_CSV)
    result_text (r->e, result,
                 "a sum is too large for 64 bits, and stands at 18446744073709551615");
}
