/* report-exceptions.c -- throws by type, method, stack, thread or over time; clauses by kind. */
#include "config.h"

#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"

static const struct emitter_column thrown_columns[] = { { "throws", "Throws", EMIT_NUMBER } };
static const struct table_shape thrown_at
    = { .key = "traces", TABLE_SHAPE_COLUMNS (thrown_columns), .details = TABLE_KEYS ("frames") };

static const struct emitter_column type_columns[] = { { "throws", "Throws", EMIT_NUMBER },
                                                      { "image", NULL, EMIT_TEXT },
                                                      { "name", "Type", EMIT_TEXT } };
static const struct table_shape types = { .key = "types",
                                          TABLE_SHAPE_COLUMNS (type_columns),
                                          .order = TABLE_KEYS ("throws"),
                                          .name = "name",
                                          .apart = "image",
                                          .inner = TABLE_SHAPES (&thrown_at) };

static const struct emitter_column clause_columns[]
    = { { "count", "Clauses run", EMIT_NUMBER }, { "kind", "Kind", EMIT_TEXT } };
static const struct table_shape clauses
    = { .key = "clauses", TABLE_SHAPE_COLUMNS (clause_columns), .whole = true };

/* Those of no type come last. */
static int
compare_types (const void *summary, uint64_t a, uint64_t b)
{
  if (a == STACK_TYPE_UNKNOWN || b == STACK_TYPE_UNKNOWN)
    return (a == STACK_TYPE_UNKNOWN) - (b == STACK_TYPE_UNKNOWN);
  return section_compare_classes (summary, a, b);
}

static char *
type_image (const void *summary, uint64_t symbol)
{
  return symbol == STACK_TYPE_UNKNOWN ? NULL : section_class_image (summary, symbol);
}

static void
put_traces (const void *data, uint64_t type, struct emitter *e)
{
  const struct report *r = data;
  const struct type_traces *traces = &SUMMARY_STATE (r->s, exceptions)->traces;
  (void) e; /* the report's */
  if (type == STACK_TYPE_UNKNOWN)
    traces_put (r, &thrown_at, &traces->unknown, 0, TRACES_BY_COUNT);
  else
    traces_put (r, &thrown_at, &traces->classes, (guint) type, TRACES_BY_COUNT);
}

static void
put_types (const struct report *r)
{
  const struct exceptions *x = SUMMARY_STATE (r->s, exceptions);
  struct table *t = section_table (r, &types);
  table_set_text (t, "image", type_image, r->s);
  table_set_text (t, "name", stack_type_name, r->s);
  table_set_ties (t, compare_types, r->s);
  if (r->view->traces)
    table_set_detail (t, put_traces, r);
  for (guint i = 0; i < x->types.classes->len; i++) {
    uint64_t throws = g_array_index (x->types.classes, struct type_sum, i).objects;
    if (throws != 0)
      SECTION_ROW_ID (t, i, { .number = throws }, { .number = i }, { .number = i });
  }
  if (x->throws_of_unknown != 0)
    SECTION_ROW_ID (t, STACK_TYPE_UNKNOWN, { .number = x->throws_of_unknown },
                    { .number = STACK_TYPE_UNKNOWN }, { .number = STACK_TYPE_UNKNOWN });
  table_write (t, r->e);
}

/* ---- by method, by stack ---- */

static const struct emitter_column method_columns[]
    = { { "throws", "Throws", EMIT_NUMBER }, { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (method_columns),
                                            .order = TABLE_KEYS ("throws"),
                                            .name = "name",
                                            .method = "name" };

static const struct emitter_column stack_columns[]
    = { { "throws", "Throws", EMIT_NUMBER }, { "name", "Type", EMIT_TEXT } };
static const struct table_shape stacks = { .key = "stacks",
                                           TABLE_SHAPE_COLUMNS (stack_columns),
                                           .order = TABLE_KEYS ("throws"),
                                           .name = "name",
                                           .details = TABLE_KEYS ("frames") };

static void
add_row (struct table *t, uint64_t id, const struct stack_sum *sum)
{
  SECTION_ROW_ID (t, id, { .number = sum->count }, { .number = id });
}

static void
put_groups (const struct report *r)
{
  const struct exceptions *x = SUMMARY_STATE (r->s, exceptions);
  struct stack_groups *groups = stack_groups_new (r, NULL);
  for (guint i = 0; i < x->types.classes->len; i++)
    stack_groups_add_traces (groups, i, &x->traces.classes, i);
  stack_groups_add_traces (groups, STACK_TYPE_UNKNOWN, &x->traces.unknown, 0);
  stack_groups_put (groups, &(const struct stack_tables){ &methods, &stacks, add_row });
}

/* ---- by thread, over time ---- */

static const struct emitter_column thread_columns[] = { { "throws", "Throws", EMIT_NUMBER },
                                                        { "thread", "Thread", EMIT_ADDRESS },
                                                        { "name", "Name", EMIT_TEXT } };
static const struct table_shape threads = { .key = "threads",
                                            TABLE_SHAPE_COLUMNS (thread_columns),
                                            .order = TABLE_KEYS ("throws", "thread"),
                                            .name = "name" };

static void
put_threads (const struct report *r)
{
  struct table *t = section_table (r, &threads);
  for (guint i = 0; i < r->s->threads.all->len; i++) {
    const struct thread *thread = g_ptr_array_index (r->s->threads.all, i);
    if (thread->throws != 0)
      SECTION_ROW (t, { .number = thread->throws }, { .number = thread->id },
                   { .text = thread->name });
  }
  table_write (t, r->e);
}

static const struct emitter_column time_columns[] = { { "time_ns", "Time, ms", EMIT_TIME },
                                                      { "throws", "Throws", EMIT_NUMBER },
                                                      { "throws_per_second", "Per s", EMIT_NUMBER },
                                                      { NULL, "Rate", EMIT_TEXT } };
static const struct table_shape over_time
    = { .key = "times", TABLE_SHAPE_COLUMNS (time_columns), .whole = true };

static void
put_rows (const struct report *r)
{
  switch (r->view->by) {
  case VIEW_BY_METHOD:
  case VIEW_BY_STACK:
    put_groups (r);
    break;
  case VIEW_BY_THREAD:
    put_threads (r);
    break;
  case VIEW_BY_TIME:
    over_time_put (r, &over_time, EXCEPTIONS_INTERVAL_NS, TIMELINE_EXCEPTIONS, false);
    break;
  default:
    put_types (r);
    break;
  }
}

static void
put_clauses (const struct report *r)
{
  const struct exceptions *x = SUMMARY_STATE (r->s, exceptions);
  struct table *t = section_table (r, &clauses);
  for (guint type = 0; type < CLAUSE_TYPES; type++) {
    const char *name = mlpd_value_name (MLPD_UNIT_CLAUSE_TYPE, type);
    if (x->clauses[type] != 0)
      SECTION_ROW (t, { .number = x->clauses[type] }, { .text = name != NULL ? name : "unknown" });
  }
  if (x->clauses_of_unknown != 0)
    SECTION_ROW (t, { .number = x->clauses_of_unknown }, { .text = "unknown" });
  table_write (t, r->e);
}

static void
put_exceptions (const struct report *r)
{
  const struct exceptions *exceptions = SUMMARY_STATE (r->s, exceptions);
  section_open (r, "exceptions", "Exceptions", exceptions->events != 0);
  result_number (r->e, EXCEPTIONS_THROWS, exceptions->throws);
  section_put_rate (r, EXCEPTIONS_THROWS_PER_SECOND, exceptions->throws != 0, exceptions->throws);
  put_rows (r);
  put_clauses (r);
  emitter_close (r->e);
}

const struct section section_exceptions
    = { .key = "exceptions",
        .alias = "exception",
        .put = put_exceptions,
        .by = 1u << VIEW_BY_TYPE | 1u << VIEW_BY_METHOD | 1u << VIEW_BY_STACK | 1u << VIEW_BY_THREAD
              | 1u << VIEW_BY_TIME,
        .tables = SECTION_TABLES (&types, &methods, &stacks, &threads, &over_time, &clauses) };
