/* ghc-report-memory.c -- the memory that the runtime of an eventlog holds and needs. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/result.h"

static const struct emitter_column columns[] = {
  { "from_ns", "From, ms", EMIT_NS },
  { "to_ns", "To, ms", EMIT_NS },
  { "least_held_bytes", "Held at least", EMIT_NUMBER },
  { "held_bytes", "at most", EMIT_NUMBER },
  { "blocks_bytes", "In blocks", EMIT_NUMBER },
  { "needed_bytes", "Needed", EMIT_NUMBER },
  { "live_bytes", "Live", EMIT_NUMBER },
};
static const struct table_shape shape = { .key = "quarters",
                                          .title = "Quarters of the time",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .whole = true,
                                          .hides_zeros = true };

/* The most within a quarter; 0: it is not known. */
static uint64_t
most_in (const struct ghc_memory *memory, enum ghc_memory_size size, uint64_t from, uint64_t to)
{
  struct ghc_memory_range range;
  ghc_memory_in (memory, size, from, to, &range);
  return range.most;
}

static void
put_quarters (const struct report *r)
{
  const struct ghc_memory *memory = &r->ghc->memory;
  struct table *t = section_table (r, &shape);
  for (guint i = 0; i < GHC_MEMORY_QUARTERS && memory->has_time; i++) {
    const uint64_t from = ghc_memory_quarter (memory, i), to = ghc_memory_quarter (memory, i + 1);
    struct ghc_memory_range held;
    ghc_memory_in (memory, GHC_MEMORY_HELD, from, to, &held);
    SECTION_ROW (t, { .number = from }, { .number = to }, { .number = held.least },
                 { .number = held.most },
                 { .number = most_in (memory, GHC_MEMORY_BLOCKS, from, to) },
                 { .number = most_in (memory, GHC_MEMORY_NEEDED, from, to) },
                 { .number = most_in (memory, GHC_MEMORY_LIVE, from, to) });
  }
  table_write (t, r->e);
}

/* At the end. */
static void
put_size (const struct report *r, enum result result, enum ghc_memory_size size)
{
  const struct ghc_memory *memory = &r->ghc->memory;
  struct ghc_memory_range range;
  const bool is_known = ghc_memory_in (memory, size, memory->last, memory->last, &range);
  result_put_known (r->e, result, is_known, is_known,
                    (union emitter_value){ .number = range.most });
}

/* The facts of early runtimes about it are in the section heap. */
static void
put_memory (const struct report *r)
{
  const struct ghc_memory *memory = &r->ghc->memory;
  struct ghc_memory_range range;
  const bool has_own
      = ghc_memory_in (memory, GHC_MEMORY_BLOCKS, memory->first, memory->last, &range)
        || ghc_memory_in (memory, GHC_MEMORY_NEEDED, memory->first, memory->last, &range);
  const bool is_shown
      = memory->has_time && (has_own || r->view->sections != NULL || !r->view->is_brief);
  emitter_open (r->e, "memory", is_shown ? "Memory of the runtime" : NULL);
  put_size (r, MEMORY_HELD_BYTES, GHC_MEMORY_HELD);
  put_size (r, MEMORY_BLOCKS_BYTES, GHC_MEMORY_BLOCKS);
  put_size (r, MEMORY_NEEDED_BYTES, GHC_MEMORY_NEEDED);
  put_size (r, MEMORY_LIVE_BYTES, GHC_MEMORY_LIVE);
  result_number_if (r->e, MEMORY_RETURNS, has_own, memory->returns);
  result_number_if (r->e, MEMORY_RETURNED_BYTES, has_own, ghc_memory_returned (memory));
  put_quarters (r);
  emitter_close (r->e);
  if (!memory->has_time)
    section_absent_rare (r, "Sizes of the memory");
}

const struct section ghc_section_memory = { .key = "memory",
                                            .put = put_memory,
                                            .features = GHC_FEATURE_MEMORY,
                                            .tables = SECTION_TABLES (&shape) };
