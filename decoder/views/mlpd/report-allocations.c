/* report-allocations.c -- objects and bytes by type, method, stack, thread, size, or over time. */
#include "config.h"

#include "decoder/mlpd/analyses/survival.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/section-parts.h"

/* ---- objects that survived, or did not ---- */

static const char *const titles[] = {
  [VIEW_OBJECTS_ALL] = "Allocations",
  [VIEW_OBJECTS_LIVE] = "Allocated objects that live at the end",
  [VIEW_OBJECTS_PEAK] = "Allocated objects that lived at the peak",
  [VIEW_OBJECTS_TEMPORARY] = "Temporary objects: dead at the next collection",
};

/* The objects among those of a row, or of all, that count. */
static struct type_sum
choose_sum (const struct report *r, const struct type_sum *live, const struct type_sum *peak,
            const struct type_sum *temporary)
{
  return r->view->objects == VIEW_OBJECTS_LIVE   ? *live
         : r->view->objects == VIEW_OBJECTS_PEAK ? *peak
                                                 : *temporary;
}

static struct type_sum
sum_of_row (const struct report *r, const struct survival_row *row)
{
  return choose_sum (r, &row->live, &row->peak, &row->temporary);
}

/* By class symbol (transfer full). */
static GArray *
sum_types (const struct report *r)
{
  const struct survival *s = r->view->survival;
  if (s == NULL)
    return g_array_ref (r->s->allocations.types.classes);
  GArray *sums = g_array_new (FALSE, TRUE, sizeof (struct type_sum));
  for (guint i = 0; i < s->rows->len; i++) {
    const struct survival_row *row = &g_array_index (s->rows, struct survival_row, i);
    const struct type_sum sum = sum_of_row (r, row);
    if (row->type >= sums->len)
      g_array_set_size (sums, row->type + 1);
    struct type_sum *all = &g_array_index (sums, struct type_sum, row->type);
    all->objects += sum.objects;
    all->bytes = saturated_sum (all->bytes, sum.bytes);
  }
  return sums;
}

static const struct emitter_column lifetime_columns[]
    = { { "survived", "Collections survived", EMIT_NUMBER },
        { "objects", "Objects", EMIT_NUMBER },
        { "bytes", "Bytes", EMIT_NUMBER } };
static const struct table_shape lifetimes = { .key = "lifetimes",
                                              .title = "Objects that died",
                                              TABLE_SHAPE_COLUMNS (lifetime_columns),
                                              .whole = true,
                                              .bytes = "bytes" };

static void
put_lifetimes (const struct report *r)
{
  const struct survival *s = r->view->survival;
  if (s == NULL)
    return;
  struct table *t = section_table (r, &lifetimes);
  for (guint i = 0; i < s->lived->len; i++) {
    const struct type_sum *sum = &g_array_index (s->lived, struct type_sum, i);
    if (sum->objects != 0)
      SECTION_ROW (t, { .number = i }, { .number = sum->objects }, { .number = sum->bytes });
  }
  table_write (t, r->e);
}

/* ---- estimates, where the objects are samples ---- */

#define ESTIMATE_COLUMNS                                                                           \
  { "bytes", "Bytes", EMIT_NUMBER }, SECTION_INTERVAL ("bytes", "", EMIT_NUMBER),                  \
      { "objects", "Objects", EMIT_NUMBER }, SECTION_INTERVAL ("objects", "", EMIT_NUMBER)

struct estimate {
  struct section_interval bytes, objects;
};

static struct estimate
estimate_of (uint64_t bytes, uint64_t objects, const struct allocation_error *error)
{
  return (struct estimate){ section_estimate (bytes, error->bytes),
                            section_estimate (objects, error->objects) };
}

#define ESTIMATE_CELLS(estimate, n_bytes, n_objects)                                               \
  { .number = (n_bytes) }, SECTION_INTERVAL_CELLS ((estimate).bytes), { .number = (n_objects) },   \
      SECTION_INTERVAL_CELLS ((estimate).objects)

/* Of survivors no samples are counted. */
static bool
has_estimates (const struct report *r)
{
  return r->s->allocations.samples != 0 && r->view->survival == NULL;
}

/* ---- by type ---- */

static const struct emitter_column columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                 { "objects", "Objects", EMIT_NUMBER },
                                                 { "image", NULL, EMIT_TEXT },
                                                 { "name", "Type", EMIT_TEXT } };
static const struct table_shape types = { .key = "types",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("bytes", "objects"),
                                          .name = "name",
                                          .apart = "image",
                                          .bytes = "bytes",
                                          .inner = TABLE_SHAPES (&traces_shape) };

static const struct emitter_column estimate_columns[]
    = { ESTIMATE_COLUMNS, { "image", NULL, EMIT_TEXT }, { "name", "Type", EMIT_TEXT } };
static const struct table_shape estimates = { .key = "types",
                                              TABLE_SHAPE_COLUMNS (estimate_columns),
                                              .order = TABLE_KEYS ("bytes", "objects"),
                                              .name = "name",
                                              .apart = "image",
                                              .bytes = "bytes",
                                              .inner = TABLE_SHAPES (&traces_shape) };

static void
put_traces (const void *data, uint64_t klass, struct emitter *e)
{
  const struct report *r = data;
  (void) e; /* the report's */
  traces_put (r, &traces_shape, &r->s->allocation_traces.classes, (guint) klass, TRACES_BY_BYTES);
}

static void
put_types (const struct report *r)
{
  g_autoptr (GArray) sums = sum_types (r);
  const bool is_estimated = has_estimates (r);
  struct table *t = section_table (r, is_estimated ? &estimates : &types);
  table_set_text (t, "image", section_class_image, r->s);
  table_set_text (t, "name", section_class_name, r->s);
  table_set_ties (t, section_compare_classes, r->s);
  if (r->view->traces && r->view->survival == NULL)
    table_set_detail (t, put_traces, r);
  for (guint i = 0; i < sums->len; i++) {
    const struct type_sum *sum = &g_array_index (sums, struct type_sum, i);
    const struct allocation_error error = allocations_class_error (&r->s->allocations, i);
    const struct estimate e = estimate_of (sum->bytes, sum->objects, &error);
    if (sum->objects != 0 && is_estimated)
      SECTION_ROW_ID (t, i, ESTIMATE_CELLS (e, sum->bytes, sum->objects), { .number = i },
                      { .number = i });
    else if (sum->objects != 0)
      SECTION_ROW_ID (t, i, { .number = sum->bytes }, { .number = sum->objects }, { .number = i },
                      { .number = i });
  }
  table_write (t, r->e);
}

/* ---- by method, by stack ---- */

static const struct emitter_column method_columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                        { "objects", "Objects", EMIT_NUMBER },
                                                        { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (method_columns),
                                            .order = TABLE_KEYS ("bytes", "objects"),
                                            .name = "name",
                                            .method = "name",
                                            .bytes = "bytes" };

static const struct emitter_column stack_columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                       { "objects", "Objects", EMIT_NUMBER },
                                                       { "name", "Type", EMIT_TEXT } };
static const struct table_shape stacks = { .key = "stacks",
                                           TABLE_SHAPE_COLUMNS (stack_columns),
                                           .order = TABLE_KEYS ("bytes", "objects"),
                                           .name = "name",
                                           .bytes = "bytes",
                                           .details = TABLE_KEYS ("frames") };

static const struct emitter_column method_estimate_columns[]
    = { ESTIMATE_COLUMNS, { "name", "Method", EMIT_TEXT } };
static const struct table_shape method_estimates = { .key = "methods",
                                                     TABLE_SHAPE_COLUMNS (method_estimate_columns),
                                                     .order = TABLE_KEYS ("bytes", "objects"),
                                                     .name = "name",
                                                     .method = "name",
                                                     .bytes = "bytes" };

static const struct emitter_column stack_estimate_columns[]
    = { ESTIMATE_COLUMNS, { "name", "Type", EMIT_TEXT } };
static const struct table_shape stack_estimates = { .key = "stacks",
                                                    TABLE_SHAPE_COLUMNS (stack_estimate_columns),
                                                    .order = TABLE_KEYS ("bytes", "objects"),
                                                    .name = "name",
                                                    .bytes = "bytes",
                                                    .details = TABLE_KEYS ("frames") };

static void
add_row (struct table *t, uint64_t id, const struct stack_sum *sum)
{
  if (sum->count != 0)
    SECTION_ROW_ID (t, id, { .number = sum->amount }, { .number = sum->count }, { .number = id });
}

static void
add_estimate (struct table *t, uint64_t id, const struct stack_sum *sum)
{
  const struct estimate e = estimate_of (sum->amount, sum->count, &sum->error);
  if (sum->count != 0)
    SECTION_ROW_ID (t, id, ESTIMATE_CELLS (e, sum->amount, sum->count), { .number = id });
}

static void
add_survivors (const struct report *r, struct stack_groups *groups)
{
  const struct survival *s = r->view->survival;
  for (guint i = 0; i < s->rows->len; i++) {
    const struct survival_row *row = &g_array_index (s->rows, struct survival_row, i);
    const struct type_sum sum = sum_of_row (r, row);
    stack_groups_add (groups, &(const struct stack_sum){ .type = row->type,
                                                         .trace = row->trace,
                                                         .count = sum.objects,
                                                         .amount = sum.bytes });
  }
}

static void
put_groups (const struct report *r)
{
  struct stack_groups *groups = stack_groups_new (r, NULL);
  if (r->view->survival != NULL)
    add_survivors (r, groups);
  for (guint i = 0; r->view->survival == NULL && i < r->s->allocations.types.classes->len; i++)
    stack_groups_add_traces (groups, i, &r->s->allocation_traces.classes, i);
  stack_groups_put (groups, has_estimates (r)
                                ? &(const struct stack_tables){ &method_estimates, &stack_estimates,
                                                                add_estimate }
                                : &(const struct stack_tables){ &methods, &stacks, add_row });
}

/* ---- by thread ---- */

static const struct emitter_column thread_columns[] = { { "bytes", "Bytes", EMIT_NUMBER },
                                                        { "objects", "Objects", EMIT_NUMBER },
                                                        { "thread", "Thread", EMIT_ADDRESS },
                                                        { "name", "Name", EMIT_TEXT } };
static const struct table_shape threads = { .key = "threads",
                                            TABLE_SHAPE_COLUMNS (thread_columns),
                                            .order = TABLE_KEYS ("bytes", "objects", "thread"),
                                            .name = "name",
                                            .bytes = "bytes" };

static const struct emitter_column thread_estimate_columns[]
    = { ESTIMATE_COLUMNS, { "thread", "Thread", EMIT_ADDRESS }, { "name", "Name", EMIT_TEXT } };
static const struct table_shape thread_estimates
    = { .key = "threads",
        TABLE_SHAPE_COLUMNS (thread_estimate_columns),
        .order = TABLE_KEYS ("bytes", "objects", "thread"),
        .name = "name",
        .bytes = "bytes" };

static void
put_threads (const struct report *r)
{
  const bool is_estimated = has_estimates (r);
  struct table *t = section_table (r, is_estimated ? &thread_estimates : &threads);
  for (guint i = 0; i < r->s->threads.all->len; i++) {
    const struct thread *thread = g_ptr_array_index (r->s->threads.all, i);
    const struct estimate e = estimate_of (thread->allocated_bytes, thread->allocated_objects,
                                           &thread->allocated_error);
    if (thread->allocated_objects != 0 && is_estimated)
      SECTION_ROW (t, ESTIMATE_CELLS (e, thread->allocated_bytes, thread->allocated_objects),
                   { .number = thread->id }, { .text = thread->name });
    else if (thread->allocated_objects != 0)
      SECTION_ROW (t, { .number = thread->allocated_bytes },
                   { .number = thread->allocated_objects }, { .number = thread->id },
                   { .text = thread->name });
  }
  table_write (t, r->e);
}

/* ---- by size ---- */

static const struct emitter_column size_columns[] = { { "from_bytes", "From bytes", EMIT_NUMBER },
                                                      { "to_bytes", "Below bytes", EMIT_NUMBER },
                                                      { "objects", "Objects", EMIT_NUMBER },
                                                      { "bytes", "Bytes", EMIT_NUMBER },
                                                      { NULL, "%", EMIT_SHARE } };
static const struct table_shape sizes
    = { .key = "sizes", TABLE_SHAPE_COLUMNS (size_columns), .whole = true, .bytes = "bytes" };

/* Classes from the smallest to the largest that has any; a share is that of the bytes. */
static void
put_sizes (const struct report *r)
{
  const struct allocations *a = &r->s->allocations;
  struct table *t = section_table (r, &sizes);
  unsigned first = 0, end = ALLOCATION_SIZES;
  while (end > 0 && a->sizes[end - 1].objects == 0)
    end--;
  while (first < end && a->sizes[first].objects == 0)
    first++;
  for (unsigned i = first; i < end; i++) {
    const uint64_t from = i != 0 ? UINT64_C (1) << (i - 1) : 0;
    const uint64_t to = i == 0 ? 1 : i < ALLOCATION_SIZES - 1 ? 2 * from : UINT64_MAX;
    SECTION_ROW (t, { .number = from }, { .number = to }, { .number = a->sizes[i].objects },
                 { .number = a->sizes[i].bytes },
                 { .number = emitter_share (a->sizes[i].bytes, a->bytes) });
  }
  table_write (t, r->e);
}

/* ---- over time ---- */

static const struct emitter_column time_columns[]
    = { { "time_ns", "Time, ms", EMIT_TIME },
        { "objects", "Objects", EMIT_NUMBER },
        { "bytes", "Bytes", EMIT_NUMBER },
        { "bytes_per_second", "Per s bytes", EMIT_NUMBER },
        { NULL, "Rate", EMIT_TEXT } };
static const struct table_shape over_time
    = { .key = "times", TABLE_SHAPE_COLUMNS (time_columns), .whole = true };

/* ---- all of it ---- */

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
  case VIEW_BY_SIZE:
    put_sizes (r);
    break;
  case VIEW_BY_TIME:
    over_time_put (r, &over_time, ALLOCATIONS_INTERVAL_NS, TIMELINE_ALLOCATIONS, true);
    break;
  default:
    put_types (r);
    break;
  }
}

/* The bytes of each class are estimated by samples of its own. */
static double
variance_of_bytes (const struct allocations *a)
{
  double variance = 0;
  for (guint i = 0; i < a->class_errors->len; i++)
    variance += allocations_class_error (a, i).bytes;
  return variance;
}

static void
put_samples (const struct report *r)
{
  const struct allocations *a = &r->s->allocations;
  const struct section_interval all = section_estimate (a->bytes, variance_of_bytes (a));
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT " objects%s%s", a->samples,
                                           all.error[0] != 0 ? ", ± " : "", all.error);
  const struct emitter_any shown
      = { .type = EMIT_NUMBER, .value.number = a->samples, .shown = text };
  result_put (r->e, ALLOCATIONS_SAMPLES, true, (union emitter_value){ .any = &shown });
  if (r->view->survival != NULL)
    return;
  result_number (r->e, ALLOCATIONS_BYTES_LOW, all.low);
  result_number (r->e, ALLOCATIONS_BYTES_HIGH, all.high);
}

static void
put_allocations (const struct report *r)
{
  const struct allocations *a = &r->s->allocations;
  const struct survival *s = r->view->survival;
  const struct type_sum all = s != NULL ? choose_sum (r, &s->live, &s->peak, &s->temporary)
                                        : (struct type_sum){ a->objects, a->bytes };
  section_open (r, "allocations", titles[r->view->objects], all.objects != 0);
  result_number (r->e, ALLOCATIONS_OBJECTS, all.objects);
  result_number (r->e, ALLOCATIONS_BYTES, all.bytes);
  section_put_overflow (r, ALLOCATIONS_OVERFLOW, all.bytes);
  if (s == NULL)
    section_put_rate (r, ALLOCATIONS_BYTES_PER_SECOND, all.bytes != 0, all.bytes);
  else
    result_number (r->e, ALLOCATIONS_ALLOCATED_BYTES, a->bytes);
  if (a->samples != 0) {
    put_samples (r);
    result_number (r->e, ALLOCATIONS_SAMPLING_BYTES, a->sampling);
  }
  put_rows (r);
  put_lifetimes (r);
  emitter_close (r->e);
}

const struct section section_allocations
    = { .key = "allocations",
        .alias = "alloc",
        .other = "allocs",
        .put = put_allocations,
        .by = 1u << VIEW_BY_TYPE | 1u << VIEW_BY_METHOD | 1u << VIEW_BY_STACK | 1u << VIEW_BY_THREAD
              | 1u << VIEW_BY_SIZE | 1u << VIEW_BY_TIME,
        .tables = SECTION_TABLES (&types, &estimates, &methods, &method_estimates, &stacks,
                                  &stack_estimates, &threads, &thread_estimates, &sizes, &over_time,
                                  &lifetimes) };
