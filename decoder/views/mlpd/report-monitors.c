/* report-monitors.c -- contention by lock, its type, method, stack, thread or over time; lengths of
 * waits. */
#include "config.h"

#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/model/wait-kind.h"
#include "decoder/views/section-parts.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/page-matrix.h"
#include "decoder/views/result.h"

static const struct emitter_column contended_columns[]
    = { { "contentions", "Contentions", EMIT_NUMBER } };
static const struct table_shape contended_at = { .key = "traces",
                                                 TABLE_SHAPE_COLUMNS (contended_columns),
                                                 .details = TABLE_KEYS ("frames") };

static const struct emitter_column columns[] = { { "wait_total_ns", "Wait ms", EMIT_NS },
                                                 { "wait_max_ns", "Max ms", EMIT_NS },
                                                 { "contentions", "Contentions", EMIT_NUMBER },
                                                 { "acquired", "Acquired", EMIT_NUMBER },
                                                 { "failed", "Failed", EMIT_NUMBER },
                                                 { "object", "Lock", EMIT_ADDRESS },
                                                 { "type", "Type", EMIT_TEXT } };
static const struct table_shape objects = { .key = "objects",
                                            TABLE_SHAPE_COLUMNS (columns),
                                            .order = TABLE_KEYS ("wait_total_ns", "object"),
                                            .name = "type",
                                            .time = "wait_total_ns",
                                            .inner = TABLE_SHAPES (&contended_at) };

static char *
type_name (const void *summary, uint64_t symbol)
{
  return symbol == STACK_TYPE_UNKNOWN ? NULL : section_class_name (summary, symbol);
}

static void
put_traces (const void *data, uint64_t lock, struct emitter *e)
{
  const struct report *r = data;
  (void) e; /* the report's */
  traces_put (r, &contended_at, &SUMMARY_STATE (r->s, monitors)->traces, (guint) lock,
              TRACES_BY_COUNT);
}

static void
put_objects (const struct report *r)
{
  const struct monitors *monitors = SUMMARY_STATE (r->s, monitors);
  struct table *t = section_table (r, &objects);
  table_set_text (t, "type", type_name, r->s);
  if (r->view->traces)
    table_set_detail (t, put_traces, r);
  for (guint i = 0; i < monitors->locks->len; i++) {
    const struct monitor_sum *sum = g_ptr_array_index (monitors->locks, i);
    SECTION_ROW_ID (
        t, sum->number, { .number = sum->wait_total_ns }, { .number = sum->wait_max_ns },
        { .number = sum->contentions }, { .number = sum->acquired }, { .number = sum->failed },
        { .number = sum->object }, { .number = sum->type_known ? sum->type : STACK_TYPE_UNKNOWN });
  }
  table_write (t, r->e);
}

/* ---- by type ---- */

static const struct emitter_column type_columns[] = { { "wait_total_ns", "Wait ms", EMIT_NS },
                                                      { "wait_max_ns", "Max ms", EMIT_NS },
                                                      { "contentions", "Contentions", EMIT_NUMBER },
                                                      { "acquired", "Acquired", EMIT_NUMBER },
                                                      { "failed", "Failed", EMIT_NUMBER },
                                                      { "locks", "Locks", EMIT_NUMBER },
                                                      { "type", "Type", EMIT_TEXT } };
static const struct table_shape types
    = { .key = "types",
        TABLE_SHAPE_COLUMNS (type_columns),
        .order = TABLE_KEYS ("wait_total_ns", "contentions", "type"),
        .name = "type",
        .time = "wait_total_ns" };

/* Sums of locks of a type, by its symbol + 1; 0: the log does not state it. */
struct lock_type {
  struct monitor_sum sum;
  uint64_t locks;
};

static GArray *
add_up_types (const struct monitors *m)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (struct lock_type));
  for (guint i = 0; i < m->locks->len; i++) {
    const struct monitor_sum *lock = g_ptr_array_index (m->locks, i);
    const guint at = lock->type_known ? lock->type + 1 : 0;
    if (at >= all->len)
      g_array_set_size (all, at + 1);
    struct lock_type *type = &g_array_index (all, struct lock_type, at);
    type->locks++;
    type->sum.contentions += lock->contentions;
    type->sum.acquired += lock->acquired;
    type->sum.failed += lock->failed;
    type->sum.wait_total_ns += lock->wait_total_ns;
    type->sum.wait_max_ns = MAX (type->sum.wait_max_ns, lock->wait_max_ns);
  }
  return all;
}

static void
put_types (const struct report *r)
{
  g_autoptr (GArray) all = add_up_types (SUMMARY_STATE (r->s, monitors));
  struct table *t = section_table (r, &types);
  table_set_text (t, "type", stack_type_name, r->s);
  for (guint i = 0; i < all->len; i++) {
    const struct lock_type *type = &g_array_index (all, struct lock_type, i);
    const struct monitor_sum *sum = &type->sum;
    if (type->locks != 0)
      SECTION_ROW (t, { .number = sum->wait_total_ns }, { .number = sum->wait_max_ns },
                   { .number = sum->contentions }, { .number = sum->acquired },
                   { .number = sum->failed }, { .number = type->locks },
                   { .number = i != 0 ? i - 1 : STACK_TYPE_UNKNOWN });
  }
  table_write (t, r->e);
}

/* ---- by method, by stack ---- */

static const struct emitter_column method_columns[] = { { "wait_total_ns", "Wait ms", EMIT_NS },
                                                        { "wait_max_ns", "Max ms", EMIT_NS },
                                                        { "waits", "Waits", EMIT_NUMBER },
                                                        { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (method_columns),
                                            .order = TABLE_KEYS ("wait_total_ns", "waits"),
                                            .name = "name",
                                            .method = "name",
                                            .time = "wait_total_ns" };

static const struct emitter_column stack_columns[] = { { "wait_total_ns", "Wait ms", EMIT_NS },
                                                       { "wait_max_ns", "Max ms", EMIT_NS },
                                                       { "waits", "Waits", EMIT_NUMBER },
                                                       { "name", "Type", EMIT_TEXT } };
static const struct table_shape stacks = { .key = "stacks",
                                           TABLE_SHAPE_COLUMNS (stack_columns),
                                           .order = TABLE_KEYS ("wait_total_ns", "waits"),
                                           .name = "name",
                                           .time = "wait_total_ns",
                                           .details = TABLE_KEYS ("frames") };

static void
add_row (struct table *t, uint64_t id, const struct stack_sum *sum)
{
  SECTION_ROW_ID (t, id, { .number = sum->amount }, { .number = sum->max },
                  { .number = sum->count }, { .number = id });
}

static void
put_groups (const struct report *r)
{
  const struct monitors *m = SUMMARY_STATE (r->s, monitors);
  struct stack_groups *groups = stack_groups_new (r, wait_is_inside);
  GHashTableIter i;
  gpointer key, value;
  g_hash_table_iter_init (&i, m->waits.sums);
  while (g_hash_table_iter_next (&i, &key, &value)) {
    const struct lock_wait *wait = key;
    const struct lock_wait_sum *sum = value;
    const struct monitor_sum *lock = g_ptr_array_index (m->locks, wait->lock);
    stack_groups_add (groups, &(const struct stack_sum){
                                  .type = lock->type_known ? lock->type : STACK_TYPE_UNKNOWN,
                                  .trace = wait->trace,
                                  .count = sum->count,
                                  .amount = sum->ns,
                                  .max = sum->max_ns });
  }
  stack_groups_put (groups, &(const struct stack_tables){ &methods, &stacks, add_row });
}

/* ---- by thread, over time ---- */

static const struct emitter_column thread_columns[] = { { "wait_total_ns", "Wait ms", EMIT_NS },
                                                        { "wait_max_ns", "Max ms", EMIT_NS },
                                                        { "waits", "Waits", EMIT_NUMBER },
                                                        { "thread", "Thread", EMIT_ADDRESS } };
static const struct table_shape threads
    = { .key = "threads",
        TABLE_SHAPE_COLUMNS (thread_columns),
        .order = TABLE_KEYS ("wait_total_ns", "waits", "thread"),
        .time = "wait_total_ns" };

/* Threads of one id are one row. */
static void
put_threads (const struct report *r)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  struct table *t = section_table (r, &threads);
  GHashTableIter i;
  gpointer key, value;
  g_hash_table_iter_init (&i, SUMMARY_STATE (r->s, monitors)->waits.sums);
  while (g_hash_table_iter_next (&i, &key, &value)) {
    const struct lock_wait *wait = key;
    const struct lock_wait_sum *sum = value;
    struct thread *thread = g_ptr_array_index (r->s->threads.all, wait->thread);
    struct lock_wait_sum *all = g_hash_table_lookup (sums, &thread->id);
    if (all == NULL)
      g_hash_table_insert (sums, &thread->id, all = g_new0 (struct lock_wait_sum, 1));
    all->ns += sum->ns;
    all->count += sum->count;
    all->max_ns = MAX (all->max_ns, sum->max_ns);
  }
  g_hash_table_iter_init (&i, sums);
  while (g_hash_table_iter_next (&i, &key, &value)) {
    const struct lock_wait_sum *sum = value;
    SECTION_ROW (t, { .number = sum->ns }, { .number = sum->max_ns }, { .number = sum->count },
                 { .number = *(const uint64_t *) key });
  }
  table_write (t, r->e);
}

static const struct emitter_column time_columns[]
    = { { "time_ns", "Time, ms", EMIT_TIME },
        { "contentions", "Contentions", EMIT_NUMBER },
        { "wait_total_ns", "Wait ms", EMIT_NS },
        { "contentions_per_second", "Per s", EMIT_NUMBER },
        { NULL, "Rate", EMIT_TEXT } };
static const struct table_shape over_time
    = { .key = "times", TABLE_SHAPE_COLUMNS (time_columns), .whole = true };

/* ---- all of it ---- */

static const struct emitter_column histogram_columns[] = { HISTOGRAM_COLUMNS };
static const struct table_shape histogram
    = { .key = "wait_histogram", TABLE_SHAPE_COLUMNS (histogram_columns), .whole = true };

static void
put_histogram (const struct report *r)
{
  struct table *t = section_table (r, &histogram);
  section_add_histogram (t, NULL, &SUMMARY_STATE (r->s, monitors)->durations);
  table_write (t, r->e);
}

static void
put_rows (const struct report *r)
{
  switch (r->view->by) {
  case VIEW_BY_TYPE:
    put_types (r);
    break;
  case VIEW_BY_METHOD:
  case VIEW_BY_STACK:
    put_groups (r);
    break;
  case VIEW_BY_THREAD:
    put_threads (r);
    break;
  case VIEW_BY_LENGTH:
    put_histogram (r);
    break;
  case VIEW_BY_TIME:
    over_time_put (r, &over_time, MONITORS_INTERVAL_NS, TIMELINE_LOCKS, false);
    break;
  default:
    put_objects (r);
    break;
  }
}

/* Which thread waits for locks of which type. */
static void
put_matrix (const struct report *r)
{
  const struct monitors *m = SUMMARY_STATE (r->s, monitors);
  struct page_matrix *matrix = page_matrix_new (r);
  GHashTableIter i;
  gpointer key, value;
  g_hash_table_iter_init (&i, m->waits.sums);
  while (matrix != NULL && g_hash_table_iter_next (&i, &key, &value)) {
    const struct lock_wait *wait = key;
    const struct lock_wait_sum *sum = value;
    const struct monitor_sum *lock = g_ptr_array_index (m->locks, wait->lock);
    const struct thread *thread = g_ptr_array_index (r->s->threads.all, wait->thread);
    g_autofree char *type
        = stack_type_name (r->s, lock->type_known ? lock->type : STACK_TYPE_UNKNOWN);
    g_autofree char *name = g_strdup_printf ("%s%s0x%" G_GINT64_MODIFIER "x",
                                             thread->name != NULL ? thread->name : "",
                                             thread->name != NULL ? " " : "", thread->id);
    page_matrix_add (matrix, name, type, sum->ns, sum->count);
  }
  page_matrix_put (
      matrix, "monitors", "Threads and locks", "Thread",
      "Each thread that waited for locks, and their types; the section waits has their "
      "owners.");
}

static void
put_monitors (const struct report *r)
{
  const struct monitor_sum *all = &SUMMARY_STATE (r->s, monitors)->all;
  section_open (r, "monitors", "Monitors", all->contentions + all->acquired + all->failed != 0);
  result_number (r->e, MONITORS_CONTENTIONS, all->contentions);
  result_number (r->e, MONITORS_ACQUIRED, all->acquired);
  result_number (r->e, MONITORS_FAILED, all->failed);
  result_number (r->e, MONITORS_WAIT_TOTAL_NS, all->wait_total_ns);
  result_number (r->e, MONITORS_WAIT_MAX_NS, all->wait_max_ns);
  put_rows (r);
  put_matrix (r);
  emitter_close (r->e);
}

const struct section section_monitors
    = { .key = "monitors",
        .alias = "monitor",
        .other = "locks",
        .put = put_monitors,
        .by = 1u << VIEW_BY_TYPE | 1u << VIEW_BY_METHOD | 1u << VIEW_BY_STACK | 1u << VIEW_BY_THREAD
              | 1u << VIEW_BY_LENGTH | 1u << VIEW_BY_TIME,
        .tables
        = SECTION_TABLES (&objects, &types, &methods, &stacks, &threads, &over_time, &histogram) };
