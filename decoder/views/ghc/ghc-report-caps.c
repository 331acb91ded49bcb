/* ghc-report-caps.c -- the capabilities of an eventlog: their collections, and the writing of the
 * log itself. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"

/* Has the log this capability, and is it requested? */
static bool
is_shown (const struct ghc_cap *cap)
{
  return cap != NULL && cap->is_selected;
}

static const struct emitter_column cap_columns[] = {
  { "cap", "Cap", EMIT_NUMBER },
  { "process", NULL, EMIT_ANY },
  { "events", "Events", EMIT_NUMBER },
  { "allocated_bytes", "Allocated bytes", EMIT_ANY },
  { "collections", "GCs", EMIT_NUMBER },
  { "collections_led", "led", EMIT_NUMBER },
  { "gc_ns", "GC ms", EMIT_NS },
  { "gc_avg_ns", "Avg ms", EMIT_NS },
  { "gc_max_ns", "Max ms", EMIT_NS },
  { "gc_idle_ns", "Idle ms", EMIT_NS },
  { "gc_idle_permille", "Idle %", EMIT_SHARE },
};
static const struct table_shape caps_shape
    = { .key = "caps", .title = "Capabilities", TABLE_SHAPE_COLUMNS (cap_columns), .whole = true };

static const struct emitter_column part_columns[] = {
  { "cap", "Cap", EMIT_NUMBER },
  { "generation", "Generation", EMIT_ANY },
  { "collections", "GCs", EMIT_NUMBER },
  { "collections_led", "led", EMIT_NUMBER },
  { "gc_ns", "GC ms", EMIT_NS },
  { "gc_avg_ns", "Avg ms", EMIT_NS },
  { "gc_max_ns", "Max ms", EMIT_NS },
  { "gc_idle_ns", "Idle ms", EMIT_NS },
  { "gc_idle_permille", "Idle %", EMIT_SHARE },
};
static const struct table_shape parts_shape = { .key = "cap_generations",
                                                .title = "Capabilities by generation",
                                                TABLE_SHAPE_COLUMNS (part_columns),
                                                .whole = true };

static void
put_cap (struct table *t, const struct ghc_cap *cap, struct emitter_any *cells)
{
  const struct ghc_generation all = ghc_cap_all_generations (cap);
  cells[0] = (struct emitter_any){ EMIT_NUMBER, { .number = cap->process }, NULL };
  cells[1] = (struct emitter_any){ EMIT_NUMBER,
                                   { .number = ghc_counter_value (&cap->allocated) },
                                   NULL };
  SECTION_ROW (
      t, { .number = cap->number }, { .any = cap->has_process ? &cells[0] : NULL },
      { .number = cap->events }, { .any = cap->allocated.is_recorded ? &cells[1] : NULL },
      { .number = all.taken_part }, { .number = all.collections }, { .number = all.own.total_ns },
      { .number = ghc_mean (all.own.total_ns, all.taken_part) }, { .number = all.own.max_ns },
      { .number = all.idle_ns }, { .number = emitter_share (all.idle_ns, all.own.total_ns) });
}

/* A row for each generation; those that do not state theirs come last. */
static void
put_parts (struct table *t, const struct ghc_cap *cap, const struct emitter_any *numbers)
{
  for (guint i = 0; i <= cap->generations->len; i++) {
    const bool is_recorded = i < cap->generations->len;
    const struct ghc_generation *g
        = is_recorded ? &g_array_index (cap->generations, struct ghc_generation, i)
                      : &cap->unreported;
    if (g->taken_part + g->collections != 0)
      SECTION_ROW (
          t, { .number = cap->number }, { .any = is_recorded ? &numbers[i] : NULL },
          { .number = g->taken_part }, { .number = g->collections }, { .number = g->own.total_ns },
          { .number = ghc_mean (g->own.total_ns, g->taken_part) }, { .number = g->own.max_ns },
          { .number = g->idle_ns }, { .number = emitter_share (g->idle_ns, g->own.total_ns) });
  }
}

static void
put_caps (const struct report *r)
{
  const GPtrArray *caps = r->ghc->caps;
  struct emitter_any *cells = g_new (struct emitter_any, 2 * caps->len + 1);
  struct emitter_any numbers[GHC_GENERATIONS_MAX];
  for (guint i = 0; i < GHC_GENERATIONS_MAX; i++)
    numbers[i] = (struct emitter_any){ EMIT_NUMBER, { .number = i }, NULL };
  struct table *t = section_table (r, &caps_shape);
  for (guint i = 0; i < caps->len; i++)
    if (is_shown (g_ptr_array_index (caps, i)))
      put_cap (t, g_ptr_array_index (caps, i), &cells[(gsize) 2 * i]);
  table_write (t, r->e);
  t = section_table (r, &parts_shape);
  for (guint i = 0; i < caps->len; i++)
    if (is_shown (g_ptr_array_index (caps, i)))
      put_parts (t, g_ptr_array_index (caps, i), numbers);
  table_write (t, r->e);
  g_free (cells);
}

const struct section ghc_section_caps
    = { .key = "caps", .put = put_caps, .tables = SECTION_TABLES (&caps_shape, &parts_shape) };

/* ---- the log itself ---- */

static const struct emitter_column writing_columns[] = {
  { "cap", "Cap", EMIT_NUMBER },       { "blocks", "Blocks", EMIT_NUMBER },
  { "bytes", "Bytes", EMIT_NUMBER },   { "gaps", "Gaps", EMIT_NUMBER },
  { "total_ns", "Total ms", EMIT_NS }, { "avg_ns", "Avg ms", EMIT_NS },
  { "max_ns", "Max ms", EMIT_NS },
};
static const struct table_shape writing_shape
    = { .key = "log_writing",
        .title = "Time between blocks of a capability, in which the log is written",
        TABLE_SHAPE_COLUMNS (writing_columns),
        .whole = true };

static void
put_writing (const struct report *r)
{
  const GPtrArray *caps = r->ghc->caps;
  struct table *t = section_table (r, &writing_shape);
  for (guint i = 0; i < caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (caps, i);
    if (is_shown (cap) && (cap->gaps.count != 0 || section_is_machine_readable (r)))
      SECTION_ROW (t, { .number = i }, { .number = cap->blocks }, { .number = cap->bytes },
                   { .number = cap->gaps.count }, { .number = cap->gaps.total_ns },
                   { .number = ghc_mean (cap->gaps.total_ns, cap->gaps.count) },
                   { .number = cap->gaps.max_ns });
  }
  table_write (t, r->e);
}

const struct section ghc_section_writing = { .key = "log_writing",
                                             .alias = "writing",
                                             .put = put_writing,
                                             .tables = SECTION_TABLES (&writing_shape) };
