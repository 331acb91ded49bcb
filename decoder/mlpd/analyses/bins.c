/* bins.c -- merges the sums of scans by bins. */
#include "config.h"

#include "decoder/mlpd/analyses/bins.h"
#include "decoder/mlpd/analyses/analysis.h"

static bool
is_needed (const struct scan_options *options)
{
  return options->bins != NULL;
}

static void
init (void *state, const struct scan_options *options)
{
  struct bins *b = state;
  if (!is_needed (options))
    return;
  b->calls = g_array_new (FALSE, FALSE, sizeof (struct scan_binned_enters));
  b->types = g_array_new (FALSE, FALSE, sizeof (struct bin_type));
  id_map_init (&b->type_numbers);
  b->threads = g_array_new (FALSE, FALSE, sizeof (struct bin_thread));
  b->buffers = g_array_new (FALSE, FALSE, sizeof (struct scan_binned_buffer));
  b->names = g_new (struct symbols, 1);
  symbols_init (b->names);
  recording_init (&b->recording);
}

static void
clear (void *state)
{
  struct bins *b = state;
  if (b->types == NULL)
    return;
  g_array_unref (b->calls);
  g_array_unref (b->types);
  id_map_clear (&b->type_numbers);
  g_array_unref (b->threads);
  g_array_unref (b->buffers);
  if (b->names != NULL) /* it may have been taken */
    symbols_clear (b->names);
  g_free (b->names);
  recording_clear (&b->recording);
}

/* ---- names ---- */

void
bins_note_name (struct symbols *names, enum mlpd_kind kind, const union mlpd_payload *p)
{
  if (kind == MLPD_METHOD_JIT
      && symbols_current_name (names, SYMBOL_METHOD, p->method_jit.method) == NULL)
    symbols_announce (names, SYMBOL_METHOD, p->method_jit.method, p->method_jit.name);
  else if (kind == MLPD_METADATA_CLASS
           && symbols_current_name (names, SYMBOL_CLASS, p->metadata_class.klass) == NULL)
    symbols_announce (names, SYMBOL_CLASS, p->metadata_class.klass, p->metadata_class.name);
  else if (kind == MLPD_METADATA_VTABLE
           && symbols_current_vtable_class (names, p->metadata_vtable.vtable) == NULL)
    symbols_announce_vtable (names, p->metadata_vtable.vtable,
                             symbols_use (names, SYMBOL_CLASS, p->metadata_vtable.klass));
}

static void
handle_name (void *state, const struct analysis_event *e)
{
  struct bins *b = state;
  bins_note_name (b->names, e->kind, e->payload);
  recording_note (&b->recording, e->kind, e->payload);
}

/* ---- merging ---- */

static void
add_type (struct bins *b, guint type, guint bin, const struct type_sum *sum)
{
  const guint place = id_map_number (&b->type_numbers, (uint64_t) type << 32 | bin);
  if (place == b->types->len) {
    const struct bin_type first = { .type = type, .bin = bin };
    g_array_append_val (b->types, first);
  }
  type_sum_add (&g_array_index (b->types, struct bin_type, place).sum, sum);
}

/* A buffer ends where the next one begins: a damaged one states any length. */
static void
add_buffers (struct bins *b, const struct scan_bins *scanned)
{
  if (b->buffers->len != 0) {
    struct scan_binned_buffer *last
        = &g_array_index (b->buffers, struct scan_binned_buffer, b->buffers->len - 1);
    last->end = MIN (last->end, MAX (last->offset, scanned->first_offset));
  }
  g_array_append_vals (b->buffers, scanned->buffers->data, scanned->buffers->len);
}

static void
merge (void *state, const struct analysis_scan *m)
{
  struct bins *b = state;
  if (b->types == NULL)
    return;
  const struct scan_bins *scanned = &m->scan->bins;
  g_array_append_vals (b->calls, scanned->enters->data, scanned->enters->len);
  for (guint i = 0; i < scanned->types->len; i++) {
    const struct scan_binned_type *t = &g_array_index (scanned->types, struct scan_binned_type, i);
    add_type (b, m->types[t->type], t->bin, &t->sum);
  }
  for (guint i = 0; i < scanned->threads->len; i++) {
    const struct scan_binned_thread *t
        = &g_array_index (scanned->threads, struct scan_binned_thread, i);
    const struct bin_thread thread
        = { .thread = m->threads[t->thread], .bin = t->bin, .events = t->events };
    g_array_append_val (b->threads, thread);
  }
  add_buffers (b, scanned);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_METHOD_JIT, handle_name, handle_name },
  { MLPD_METADATA_CLASS, handle_name, handle_name },
  { MLPD_METADATA_VTABLE, handle_name, handle_name },
  { MLPD_SAMPLE_SYMBOL, handle_name, handle_name },
};

const struct analysis bins_analysis = { .state_bytes = sizeof (struct bins),
                                        .is_needed = is_needed,
                                        .init = init,
                                        .clear = clear,
                                        .merge = merge,
                                        ANALYSIS_HANDLERS (handlers) };
