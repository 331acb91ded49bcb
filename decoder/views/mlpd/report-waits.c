/* report-waits.c -- the waits of threads: the rest of the time of samples by the wall clock, or
 * contention alone. */
#include "config.h"

#include "decoder/mlpd/query/waits.h"
#include "decoder/views/mlpd/report.h"

/* The things that are counted: waits for locks, or samples that found a thread waiting, of which
 * one wait has many. */
enum counted { OF_WAITS, OF_SAMPLES, COUNTED };

#define COLUMNS(...)                                                                               \
  {                                                                                                \
    [OF_WAITS] = COUNTED_COLUMNS ("Count", __VA_ARGS__),                                           \
    [OF_SAMPLES] = COUNTED_COLUMNS ("Samples", __VA_ARGS__),                                       \
  }
#define COUNTED_COLUMNS(count, ...)                                                                \
  {                                                                                                \
    { "total_ns", "Total ms", EMIT_NS }, { NULL, "%", EMIT_SHARE },                                \
        { "count", count, EMIT_NUMBER }, __VA_ARGS__                                               \
  }

static const struct emitter_column kind_columns[COUNTED][4]
    = COLUMNS ({ "kind", "Wait", EMIT_TEXT });
#define KINDS(counted)                                                                             \
  {                                                                                                \
    .key = "wait_kinds", .title = "Waits", TABLE_SHAPE_COLUMNS (kind_columns[counted]),            \
    .order = TABLE_KEYS ("total_ns", "kind"), .time = "total_ns"                                   \
  }
static const struct table_shape kinds[] = { KINDS (OF_WAITS), KINDS (OF_SAMPLES) };

static const struct emitter_column method_columns[COUNTED][7]
    = COLUMNS ({ "threads", "Threads", EMIT_NUMBER }, { "kind", "Wait", EMIT_TEXT },
               { "object", "Object", EMIT_TEXT }, { "method", "Method", EMIT_TEXT });
#define METHODS(counted)                                                                           \
  {                                                                                                \
    .key = "wait_methods", .title = "Waits by method",                                             \
    TABLE_SHAPE_COLUMNS (method_columns[counted]),                                                 \
    .order = TABLE_KEYS ("total_ns", "kind", "method", "object"), .name = "method",                \
    .method = "method", .time = "total_ns"                                                         \
  }
static const struct table_shape methods[] = { METHODS (OF_WAITS), METHODS (OF_SAMPLES) };

static const struct emitter_column columns[COUNTED][9]
    = COLUMNS ({ "source", "Source", EMIT_TEXT }, { "kind", "Wait", EMIT_TEXT },
               { "thread", "Thread", EMIT_ADDRESS }, { "thread_name", "Name", EMIT_TEXT },
               { "object", "Object", EMIT_TEXT }, { "method", "Method", EMIT_TEXT });
#define THREADS(counted)                                                                           \
  {                                                                                                \
    .key = "waits", .title = "Waits by thread", TABLE_SHAPE_COLUMNS (columns[counted]),            \
    .order = TABLE_KEYS ("total_ns", "kind", "method", "thread", "object"), .name = "method",      \
    .method = "method", .time = "total_ns"                                                         \
  }
static const struct table_shape threads[] = { THREADS (OF_WAITS), THREADS (OF_SAMPLES) };

static const struct emitter_column idle_columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                      { "threads", "Threads", EMIT_NUMBER },
                                                      { "name", "Name", EMIT_TEXT } };
static const struct table_shape idle = { .key = "idle_threads",
                                         .title = "Idle: threads that wait for work",
                                         TABLE_SHAPE_COLUMNS (idle_columns),
                                         .order = TABLE_KEYS ("total_ns", "name") };

static const struct emitter_column holder_columns[]
    = { { "total_ns", "Total ms", EMIT_NS }, { "count", "Waits", EMIT_NUMBER },
        { "thread", "Owner", EMIT_ADDRESS }, { "thread_name", "Name", EMIT_TEXT },
        { "object", "Object", EMIT_TEXT },   { "method", "Method", EMIT_TEXT } };
static const struct table_shape holders
    = { .key = "wait_owners",
        .title = "Owners of the locks that others waited for",
        TABLE_SHAPE_COLUMNS (holder_columns),
        .order = TABLE_KEYS ("total_ns", "count", "thread", "object", "method"),
        .name = "method",
        .time = "total_ns" };

static enum counted
counted (const struct waits *waits)
{
  return waits->has_samples ? OF_SAMPLES : OF_WAITS;
}

static void
put_kinds (const struct report *r, const struct waits *waits)
{
  struct wait sums[WAIT_KINDS] = { 0 };
  struct table *t = section_table (r, &kinds[counted (waits)]);
  for (guint i = 0; i < waits->all->len; i++) {
    const struct wait *w = &g_array_index (waits->all, struct wait, i);
    sums[w->kind].ns += w->ns;
    sums[w->kind].count += w->count;
  }
  for (int kind = 0; kind < WAIT_KINDS; kind++)
    if (sums[kind].ns != 0)
      SECTION_ROW (t, { .number = sums[kind].ns },
                   { .number = emitter_share (sums[kind].ns, waits->total_ns) },
                   { .number = sums[kind].count }, { .text = wait_kind_name (kind) });
  table_write (t, r->e);
}

/* All threads in one. */
static void
put_methods (const struct report *r, const struct waits *waits)
{
  struct table *t = section_table (r, &methods[counted (waits)]);
  g_autoptr (GArray) sums = waits_by_method (waits);
  for (guint i = 0; i < sums->len; i++) {
    const struct wait_sum *sum = &g_array_index (sums, struct wait_sum, i);
    SECTION_ROW (t, { .number = sum->ns }, { .number = emitter_share (sum->ns, waits->total_ns) },
                 { .number = sum->count }, { .number = sum->threads },
                 { .text = wait_kind_name (sum->kind) }, { .text = sum->object },
                 { .text = sum->method });
  }
  table_write (t, r->e);
}

static void
put_threads (const struct report *r, const struct waits *waits)
{
  struct table *t = section_table (r, &threads[counted (waits)]);
  for (guint i = 0; i < waits->all->len; i++) {
    const struct wait *w = &g_array_index (waits->all, struct wait, i);
    SECTION_ROW (t, { .number = w->ns }, { .number = emitter_share (w->ns, waits->total_ns) },
                 { .number = w->count }, { .text = waits->source },
                 { .text = wait_kind_name (w->kind) }, { .number = w->thread->id },
                 { .text = w->thread->name }, { .text = w->object }, { .text = w->method });
  }
  table_write (t, r->e);
}

/* Threads of one name are in one row. */
static void
put_idle (const struct report *r, const struct waits *waits)
{
  struct table *t = section_table (r, &idle);
  g_autoptr (GArray) sums = waits_idle_by_name (waits);
  for (guint i = 0; i < sums->len; i++) {
    const struct wait_sum *sum = &g_array_index (sums, struct wait_sum, i);
    SECTION_ROW (t, { .number = sum->ns }, { .number = sum->threads }, { .text = sum->method });
  }
  table_write (t, r->e);
}

/* Where the thread was seen during the wait. */
static void
put_holders (const struct report *r, struct waits *waits)
{
  g_autoptr (GArray) all = waits_holders (waits, r->s);
  struct table *t = section_table (r, &holders);
  for (guint i = 0; i < all->len; i++) {
    const struct wait_holder *h = &g_array_index (all, struct wait_holder, i);
    SECTION_ROW (t, { .number = h->ns }, { .number = h->count }, { .number = h->id },
                 { .text = h->thread != NULL ? h->thread->name : NULL }, { .text = h->object },
                 { .text = h->method });
  }
  table_write (t, r->e);
}

static void
put_waits (const struct report *r)
{
  struct waits waits;
  waits_init (&waits, r->s);
  if (waits.source == NULL)
    section_absent_rare (r, "Waits (proflog run --wall records them)");
  put_kinds (r, &waits);
  put_methods (r, &waits);
  put_holders (r, &waits);
  if (!r->view->is_brief)
    put_threads (r, &waits);
  put_idle (r, &waits);
  waits_clear (&waits);
}

const struct section section_waits
    = { .key = "waits",
        .put = put_waits,
        .tables = SECTION_TABLES (&kinds[OF_WAITS], &methods[OF_WAITS], &threads[OF_WAITS],
                                  &holders, &idle) };
