/* recording.c -- knows code of the recording by its name. */
#include "config.h"

#include "decoder/mlpd/model/recording.h"
#include <string.h>

#define RAISES "mono_profiler_raise_"

bool
recording_is_method (const char *name)
{
  return name != NULL && strstr (name, ":__icall_wrapper_" RAISES) != NULL;
}

bool
recording_is_function (const char *name)
{
  return g_str_has_prefix (name, RAISES) || g_str_has_prefix (name, MLPD_MODULE_SYMBOL);
}

void
recording_init (struct recording *r)
{
  r->code = g_array_new (FALSE, FALSE, sizeof (struct recording_code));
  r->methods = g_array_new (FALSE, FALSE, sizeof (uint64_t));
}

void
recording_clear (struct recording *r)
{
  g_array_free (r->code, TRUE);
  g_array_free (r->methods, TRUE);
}

static bool
has_code (const struct recording *r, uint64_t ip)
{
  for (guint i = 0; i < r->code->len; i++) {
    const struct recording_code *code = &g_array_index (r->code, struct recording_code, i);
    if (ip - code->address < code->size)
      return true;
  }
  return false;
}

static bool
find_method (const struct recording *r, uint64_t method, guint *place)
{
  for (*place = 0; *place < r->methods->len; ++*place)
    if (g_array_index (r->methods, uint64_t, *place) == method)
      return true;
  return false;
}

/* An address may have another name than before. */
static void
note_method (struct recording *r, const struct mlpd_method_jit *event)
{
  guint place;
  const bool is_known = find_method (r, event->method, &place);
  if (recording_is_method (event->name.text) == is_known)
    return;
  if (is_known)
    g_array_remove_index_fast (r->methods, place);
  else
    g_array_append_val (r->methods, event->method);
}

void
recording_note (struct recording *r, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  if (kind == MLPD_METHOD_JIT) {
    note_method (r, &payload->method_jit);
  } else if (kind == MLPD_SAMPLE_SYMBOL) {
    const struct mlpd_sample_symbol *event = &payload->sample_symbol;
    const struct recording_code code = { event->address, MAX (event->size, 1) };
    if (recording_is_function (event->name.text) && !has_code (r, code.address))
      g_array_append_val (r->code, code);
  }
}

bool
recording_has_hit (const struct recording *r, const struct mlpd_sample_hit *hit, size_t *wrappers)
{
  guint place;
  *wrappers = hit->frames.count != 0 && find_method (r, hit->frames.items[0].method, &place);
  return *wrappers != 0 || (hit->ips.count != 0 && has_code (r, hit->ips.items[0]));
}
