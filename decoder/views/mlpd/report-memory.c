/* report-memory.c -- the parts of the process's memory, at the end and over time. */
#include "config.h"

#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/memory-sizes.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

static const struct emitter_column columns[] = {
  { "from_ns", "From, ms", EMIT_NS },
  { "to_ns", "To, ms", EMIT_NS },
  { "least_resident_bytes", "Resident at least", EMIT_NUMBER },
  { "resident_bytes", "at most", EMIT_NUMBER },
  { "heap_bytes", "Managed heap", EMIT_NUMBER },
  { "live_bytes", "Live", EMIT_NUMBER },
  { "code_bytes", "JIT code", EMIT_NUMBER },
  { "metadata_bytes", "Metadata", EMIT_NUMBER },
  { "stacks_bytes", "Stacks", EMIT_NUMBER },
  { "files_bytes", "Files", EMIT_NUMBER },
  { "rest_bytes", "Rest", EMIT_NUMBER },
};
static const struct table_shape shape = { .key = "quarters",
                                          .title = "Quarters of the time, when most was resident",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .whole = true,
                                          .hides_zeros = true };

/* The last whole heap snapshot within the times; NULL: there is none. */
static const struct heapshot *
shot_in (const struct report *r, uint64_t from, uint64_t to)
{
  const GPtrArray *shots = SUMMARY_STATE (r->s, heapshots)->shots;
  for (guint i = shots->len; i-- > 0;) {
    const struct heapshot *shot = g_ptr_array_index (shots, i);
    if (shot->state == HEAPSHOT_COMPLETE && shot->time >= from && shot->time <= to)
      return shot;
  }
  return NULL;
}

static uint64_t
since_start (const struct report *r, uint64_t time)
{
  const int64_t when = log_when (&r->s->log, time);
  return when > 0 ? (uint64_t) when : 0;
}

/* One reading has none. */
static bool
has_quarters (const struct memory_sizes *m)
{
  return memory_sizes_quarter (m, 0) != memory_sizes_quarter (m, MEMORY_QUARTERS);
}

static void
put_quarters (const struct report *r)
{
  const struct memory_sizes *m = SUMMARY_STATE (r->s, memory_sizes);
  struct table *t = section_table (r, &shape);
  for (guint i = 0; has_quarters (m) && i < MEMORY_QUARTERS; i++) {
    const uint64_t from = memory_sizes_quarter (m, i), to = memory_sizes_quarter (m, i + 1);
    struct memory_reading range;
    if (!memory_sizes_in (m, from, to, &range))
      break;
    const struct heapshot *shot = shot_in (r, from, to);
    const struct memory_parts *p = &range.parts;
    SECTION_ROW (t, { .number = since_start (r, from) }, { .number = since_start (r, to) },
                 { .number = range.least }, { .number = p->bytes[MEMORY_RESIDENT] },
                 { .number = memory_sizes_heap (p) }, { .number = shot != NULL ? shot->bytes : 0 },
                 { .number = p->bytes[MEMORY_CODE] }, { .number = p->bytes[MEMORY_METADATA] },
                 { .number = p->bytes[MEMORY_STACKS] }, { .number = p->bytes[MEMORY_FILES] },
                 { .number = memory_sizes_rest (p) });
  }
  table_write (t, r->e);
}

/* At the end; the rest at the end is what was resident then and is no part. */
static void
put_parts (const struct report *r, const struct memory_parts *p, bool is_known, uint64_t most)
{
  const struct {
    enum result result;
    uint64_t bytes;
  } values[] = {
    { MEMORY_RESIDENT_BYTES, p->bytes[MEMORY_RESIDENT] },
    { MEMORY_MOST_RESIDENT_BYTES, most },
    { MEMORY_HEAP_BYTES, memory_sizes_heap (p) },
    { MEMORY_NURSERY_BYTES, p->bytes[MEMORY_NURSERY] },
    { MEMORY_OLD_BYTES, p->bytes[MEMORY_OLD] },
    { MEMORY_LARGE_BYTES, p->bytes[MEMORY_LARGE] },
    { MEMORY_CODE_BYTES, p->bytes[MEMORY_CODE] },
    { MEMORY_METADATA_BYTES, p->bytes[MEMORY_METADATA] },
    { MEMORY_STACKS_BYTES, p->bytes[MEMORY_STACKS] },
    { MEMORY_FILES_BYTES, p->bytes[MEMORY_FILES] },
    { MEMORY_REST_BYTES, memory_sizes_rest (p) },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (values); i++)
    result_put_known (r->e, values[i].result, is_known, is_known,
                      (union emitter_value){ .number = values[i].bytes });
}

static void
put_memory (const struct report *r)
{
  const struct memory_sizes *m = SUMMARY_STATE (r->s, memory_sizes);
  struct memory_reading all = { 0 };
  const bool is_known = memory_sizes_in (m, 0, UINT64_MAX, &all);
  const struct heapshot *shot = is_known ? shot_in (r, 0, UINT64_MAX) : NULL;
  const uint64_t heap = memory_sizes_heap (&m->last), live = shot != NULL ? shot->bytes : 0;
  /* Who looks at a program that ended at once did not come for its memory. */
  const bool is_shown = is_known && (has_quarters (m) || r->view->sections != NULL);
  emitter_open (r->e, "memory", is_shown ? "Memory of the process" : NULL);
  put_parts (r, &m->last, is_known, all.parts.bytes[MEMORY_RESIDENT]);
  result_put_known (r->e, MEMORY_LIVE_BYTES, shot != NULL, shot != NULL,
                    (union emitter_value){ .number = live });
  result_put_known (r->e, MEMORY_FREE_BYTES, shot != NULL, shot != NULL,
                    (union emitter_value){ .number = heap - MIN (heap, live) });
  put_quarters (r);
  emitter_close (r->e);
  if (!is_known)
    section_absent_rare (r, "Parts of the memory");
}

const struct section section_memory
    = { .key = "memory", .put = put_memory, .tables = SECTION_TABLES (&shape) };
