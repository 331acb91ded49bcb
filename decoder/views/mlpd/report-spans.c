/* report-spans.c -- spans of the program and their costs. */
#include "config.h"

#include "decoder/mlpd/analyses/program-spans.h"
#include "decoder/mlpd/model/allocations.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"

/* Of each name those that took longest. */
#define SLOWEST_MAX 100

static const struct emitter_column name_columns[] = {
  { "total_ns", "Total ms", EMIT_NS },    { "count", "Count", EMIT_NUMBER },
  { "p50_ns", "p50 ms", EMIT_NS },        { "p90_ns", "p90 ms", EMIT_NS },
  { "p99_ns", "p99 ms", EMIT_NS },        { "max_ns", "Max ms", EMIT_NS },
  { "own_ns", "Own ms", EMIT_NS },        { "own_cpu_ns", "CPU ms", EMIT_NS },
  { "own_wait_ns", "Waits ms", EMIT_NS }, { "own_pause_ns", "GC ms", EMIT_NS },
  { "own_lock_ns", "Locks ms", EMIT_NS }, { "own_objects", "Objects", EMIT_NUMBER },
  { "own_bytes", "Bytes", EMIT_NUMBER },  { "own_exceptions", "Throws", EMIT_NUMBER },
  { "unfinished", "Open", EMIT_NUMBER },  { "across_threads", "Across", EMIT_NUMBER },
  { "name", "Span", EMIT_TEXT },
};
static const struct table_shape names_shape = { .key = "names",
                                                TABLE_SHAPE_COLUMNS (name_columns),
                                                .order = TABLE_KEYS ("total_ns", "name"),
                                                .hides_zeros = true,
                                                .name = "name",
                                                .time = "total_ns",
                                                .bytes = "own_bytes" };

static const struct emitter_column cost_columns[] = {
  { "total", "Total", EMIT_ANY }, { "p50", "p50", EMIT_ANY }, { "p90", "p90", EMIT_ANY },
  { "p99", "p99", EMIT_ANY },     { "max", "Max", EMIT_ANY }, { "cost", "Cost", EMIT_TEXT },
  { "name", "Span", EMIT_TEXT },
};
static const struct table_shape costs_shape = {
  .key = "costs", .title = "What a span costs", TABLE_SHAPE_COLUMNS (cost_columns), .name = "name"
};

static const struct emitter_column slowest_columns[] = {
  { "duration_ns", "Duration, ms", EMIT_NS },
  { "start_ns", "Start, ms", EMIT_TIME },
  { "wall_ns", "On threads, ms", EMIT_NS },
  { "cpu_ns", "CPU ms", EMIT_NS },
  { "wait_ns", "Waits ms", EMIT_NS },
  { "pause_ns", "GC ms", EMIT_NS },
  { "pauses", "Collections", EMIT_NUMBER },
  { "lock_ns", "Locks ms", EMIT_NS },
  { "locks", "Lock waits", EMIT_NUMBER },
  { "objects", "Objects", EMIT_NUMBER },
  { "bytes", "Bytes", EMIT_NUMBER },
  { "exceptions", "Throws", EMIT_NUMBER },
  { "thread", "Thread", EMIT_ADDRESS },
  { "id", "Id", EMIT_NUMBER },
  { "name", "Span", EMIT_TEXT },
};
static const struct table_shape slowest_shape = { .key = "slowest",
                                                  .title = "Slowest spans",
                                                  TABLE_SHAPE_COLUMNS (slowest_columns),
                                                  .order = TABLE_KEYS ("duration_ns", "id"),
                                                  .hides_zeros = true,
                                                  .name = "name",
                                                  .time = "duration_ns",
                                                  .bytes = "bytes" };

static const struct {
  const char *name;
  enum emitter_type type;
} costs[SPAN_WAITS] = {
  [SPAN_WALL_NS] = { "time on threads, ms", EMIT_NS },
  [SPAN_CPU_NS] = { "processor time, ms", EMIT_NS },
  [SPAN_WAIT_NS] = { "waits, ms", EMIT_NS },
  [SPAN_PAUSE_NS] = { "stopped by collections, ms", EMIT_NS },
  [SPAN_PAUSES] = { "collections that stopped it", EMIT_NUMBER },
  [SPAN_LOCK_NS] = { "waits for locks, ms", EMIT_NS },
  [SPAN_LOCKS] = { "locks waited for", EMIT_NUMBER },
  [SPAN_OBJECTS] = { "objects", EMIT_NUMBER },
  [SPAN_BYTES] = { "bytes", EMIT_NUMBER },
  [SPAN_EXCEPTIONS] = { "exceptions", EMIT_NUMBER },
};

static const guint percents[] = { 50, 90, 99, 100 };

static enum emitter_type
type_of (enum span_cost cost)
{
  return cost < SPAN_WAITS ? costs[cost].type : EMIT_NS;
}

/* Transfer full. */
static char *
name_of (enum span_cost cost)
{
  return cost < SPAN_WAITS
             ? g_strdup (costs[cost].name)
             : g_strdup_printf ("waits: %s, ms",
                                wait_kind_name ((enum wait_kind) (cost - SPAN_WAITS)));
}

/* Whole objects, where they were estimated in parts. */
static uint64_t
cost_of (const struct span_costs *c, const struct span_sum *sum, enum span_cost cost)
{
  const uint64_t value = sum->of[cost];
  return cost == SPAN_OBJECTS && c->is_sampled ? allocation_whole_objects (value) : value;
}

static void
put_names (const struct report *r, const struct span_costs *c)
{
  struct table *t = section_table (r, &names_shape);
  for (guint i = 0; i < c->names->len; i++) {
    const struct span_name *n = g_ptr_array_index (c->names, i);
    uint64_t p[G_N_ELEMENTS (percents)];
    if (n->count == 0 && n->unfinished == 0)
      continue;
    span_costs_percentiles (n, SPAN_COSTS, percents, G_N_ELEMENTS (p), p);
#define OWN(cost) { .number = cost_of (c, &n->own, cost) }
    SECTION_ROW (t, { .number = n->total_ns }, { .number = n->count }, { .number = p[0] },
                 { .number = p[1] }, { .number = p[2] }, { .number = n->max_ns },
                 OWN (SPAN_WALL_NS), OWN (SPAN_CPU_NS), OWN (SPAN_WAIT_NS), OWN (SPAN_PAUSE_NS),
                 OWN (SPAN_LOCK_NS), OWN (SPAN_OBJECTS), OWN (SPAN_BYTES), OWN (SPAN_EXCEPTIONS),
                 { .number = n->unfinished }, { .number = n->across_threads }, { .text = n->name });
  }
  table_write (t, r->e);
}

/* The cost of all spans of a name, with the spans in them. */
static uint64_t
total_of (const struct span_name *n, enum span_cost cost)
{
  uint64_t total = 0;
  for (guint i = 0; i < n->done->len; i++)
    total += g_array_index (n->done, struct span_done, i).cost.of[cost];
  return total;
}

/* The total and the percentiles. */
enum { COST_CELLS = 1 + G_N_ELEMENTS (percents) };

static void
put_cost (struct table *t, struct emitter_any *any, const struct span_costs *c,
          const struct span_name *n, enum span_cost cost)
{
  uint64_t values[COST_CELLS] = { total_of (n, cost) };
  if (values[0] == 0)
    return;
  span_costs_percentiles (n, cost, percents, G_N_ELEMENTS (percents), values + 1);
  for (guint i = 0; i < COST_CELLS; i++) {
    const struct span_sum sum = { .of[SPAN_OBJECTS] = values[i] };
    any[i] = emitter_any_number (type_of (cost),
                                 cost == SPAN_OBJECTS ? cost_of (c, &sum, cost) : values[i]);
  }
  g_autofree char *name = name_of (cost);
  SECTION_ROW (t, { .any = &any[0] }, { .any = &any[1] }, { .any = &any[2] }, { .any = &any[3] },
               { .any = &any[4] }, { .text = name }, { .text = n->name });
}

static void
put_costs (const struct report *r, const struct span_costs *c)
{
  struct table *t = section_table (r, &costs_shape);
  g_autofree struct emitter_any *cells
      = g_new (struct emitter_any, c->names->len * SPAN_COSTS * COST_CELLS);
  for (guint i = 0; i < c->names->len; i++)
    for (guint cost = 0; cost < SPAN_COSTS; cost++)
      put_cost (t, cells + (i * SPAN_COSTS + cost) * COST_CELLS, c, g_ptr_array_index (c->names, i),
                (enum span_cost) cost);
  table_write (t, r->e);
}

static gint
compare_durations (gconstpointer a, gconstpointer b)
{
  const struct span_done *x = a, *y = b;
  if (x->duration_ns != y->duration_ns)
    return x->duration_ns < y->duration_ns ? 1 : -1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void
put_slowest (const struct report *r, const struct span_costs *c)
{
  struct table *t = section_table (r, &slowest_shape);
  for (guint i = 0; i < c->names->len; i++) {
    const struct span_name *n = g_ptr_array_index (c->names, i);
    g_array_sort (n->done, compare_durations);
    for (guint k = 0; k < MIN (n->done->len, SLOWEST_MAX); k++) {
      const struct span_done *d = &g_array_index (n->done, struct span_done, k);
#define COST(which) { .number = cost_of (c, &d->cost, which) }
      SECTION_ROW (t, { .number = d->duration_ns },
                   { .change = (int64_t) (d->begin - r->s->log.first_time) }, COST (SPAN_WALL_NS),
                   COST (SPAN_CPU_NS), COST (SPAN_WAIT_NS), COST (SPAN_PAUSE_NS),
                   COST (SPAN_PAUSES), COST (SPAN_LOCK_NS), COST (SPAN_LOCKS), COST (SPAN_OBJECTS),
                   COST (SPAN_BYTES), COST (SPAN_EXCEPTIONS), { .number = d->thread },
                   { .number = d->id }, { .text = n->name });
    }
  }
  table_write (t, r->e);
}

static void
put_sums (const struct report *r, const struct span_costs *c)
{
  uint64_t count = 0, unfinished = c->without_begin;
  for (guint i = 0; i < c->names->len; i++) {
    const struct span_name *n = g_ptr_array_index (c->names, i);
    count += n->count;
    unfinished += n->unfinished;
  }
  const bool any = c->names->len != 0;
  result_number_if (r->e, SPANS_COUNT, any, count);
  result_number_if (r->e, SPANS_UNFINISHED, unfinished != 0, unfinished);
  result_number_if (r->e, SPANS_LEFT_OUT, c->left_out != 0, c->left_out);
  if (selection_has_span (r->view->selection))
    return; /* the time outside of these was not requested */
  result_number_if (r->e, SPANS_OUTSIDE_WALL_NS, any, cost_of (c, &c->outside, SPAN_WALL_NS));
  const struct {
    enum result result;
    enum span_cost cost;
  } outside[] = { { SPANS_OUTSIDE_CPU_NS, SPAN_CPU_NS },
                  { SPANS_OUTSIDE_OBJECTS, SPAN_OBJECTS },
                  { SPANS_OUTSIDE_BYTES, SPAN_BYTES },
                  { SPANS_OUTSIDE_EXCEPTIONS, SPAN_EXCEPTIONS } };
  for (guint i = 0; i < G_N_ELEMENTS (outside); i++) {
    const uint64_t value = cost_of (c, &c->outside, outside[i].cost);
    result_number_if (r->e, outside[i].result, any && value != 0, value);
  }
}

static void
put_spans (const struct report *r)
{
  const struct program_spans *spans = SUMMARY_STATE (r->s, program_spans);
  struct span_costs none;
  span_costs_init (&none, 0, UINT64_MAX);
  const struct span_costs *c = spans->has_costs ? &spans->costs : &none;
  const bool any = c->names->len != 0;
  emitter_open (r->e, "spans", any ? "Spans" : NULL);
  put_sums (r, c);
  put_names (r, c);
  put_costs (r, c);
  put_slowest (r, c);
  emitter_close (r->e);
  if (!any)
    section_absent_rare (r, "Spans");
  span_costs_clear (&none);
}

const struct section section_spans
    = { .key = "spans",
        .put = put_spans,
        .tables = SECTION_TABLES (&names_shape, &costs_shape, &slowest_shape) };
