/* ghc-report-allocations.c -- bytes that a program allocated, by capability. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/core/whole-number.h"
#include "decoder/views/result.h"

static const struct emitter_column columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                 { NULL, "%", EMIT_SHARE },
                                                 { "cap", "Cap", EMIT_NUMBER } };
static const struct table_shape shape = { .key = "caps",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("bytes", "cap"),
                                          .bytes = "bytes" };

static void
put_caps (const struct report *r, uint64_t all)
{
  const GPtrArray *caps = r->ghc->caps;
  struct table *t = section_table (r, &shape);
  for (guint i = 0; i < caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (caps, i);
    const uint64_t bytes = cap != NULL && cap->is_selected && cap->allocated.is_recorded
                               ? ghc_counter_value (&cap->allocated)
                               : 0;
    if (bytes != 0)
      SECTION_ROW (t, { .number = bytes }, { .number = emitter_share (bytes, all) },
                   { .number = cap->number });
  }
  table_write (t, r->e);
}

/* Allocated bytes are recorded at collections, so there is nothing of single objects. */
static void
put_allocations (const struct report *r)
{
  struct ghc_figures f;
  ghc_figures_init (&f, r->ghc, NULL);
  section_open (r, "allocations", "Allocations", f.has_allocated);
  result_put_known (r->e, ALLOCATIONS_BYTES, f.has_allocated, f.has_allocated,
                    (union emitter_value){ .number = f.allocated });
  const bool has_rate = f.has_allocated && f.total_ns != 0;
  const struct emitter_any rate = emitter_any_number (
      EMIT_NUMBER,
      has_rate ? whole_number ((double) f.allocated * 1e9 / (double) f.total_ns + 0.5) : 0);
  result_put (r->e, ALLOCATIONS_BYTES_PER_SECOND, has_rate,
              (union emitter_value){ .any = has_rate ? &rate : NULL });
  put_caps (r, f.allocated);
  emitter_close (r->e);
  ghc_figures_clear (&f);
}

const struct section ghc_section_allocations = { .key = "allocations",
                                                 .alias = "alloc",
                                                 .other = "allocs",
                                                 .put = put_allocations,
                                                 .tables = SECTION_TABLES (&shape),
                                                 .extra = true };
