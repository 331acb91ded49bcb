/* result.c -- the declarations of results.def, and values that are put by them. */
#include "config.h"

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

const char *
result_last_part (const char *key)
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

/* ---- for the sections ---- */

void
result_put (struct emitter *e, enum result result, bool is_shown, union emitter_value value)
{
  const struct result_value *v = &result_values[result];
  emitter_value (e, result_last_part (v->key), is_shown ? v->head : NULL, v->type, value);
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
    emitter_value (e, result_last_part (v->key), is_shown ? v->head : NULL, EMIT_ANY,
                   (union emitter_value){ .any = NULL });
}
