/* ghc-report-waits.c -- the waits of the threads of an eventlog, and the idle time of capabilities.
 * Keys are those of Mono logs (report-waits.c). */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include <string.h>

static const struct emitter_column kind_columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                      { NULL, "%", EMIT_SHARE },
                                                      { "count", "Times", EMIT_NUMBER },
                                                      { "kind", "Wait", EMIT_TEXT },
                                                      { "reason", "Waiting for", EMIT_TEXT } };
static const struct table_shape kinds_shape = { .key = "wait_kinds",
                                                .title = "Waits",
                                                TABLE_SHAPE_COLUMNS (kind_columns),
                                                .order = TABLE_KEYS ("total_ns", "reason"),
                                                .name = "reason",
                                                .time = "total_ns" };

static const struct emitter_column columns[]
    = { { "total_ns", "Total ms", EMIT_NS }, { NULL, "%", EMIT_SHARE },
        { "count", "Times", EMIT_NUMBER },   { "source", NULL, EMIT_TEXT },
        { "kind", "Wait", EMIT_TEXT },       { "reason", "Waiting for", EMIT_TEXT },
        { "method", NULL, EMIT_TEXT },       { "thread", "Thread", EMIT_ANY },
        { "name", "Label", EMIT_TEXT } };
static const struct table_shape shape = { .key = "waits",
                                          .title = "Waits by thread",
                                          TABLE_SHAPE_COLUMNS (columns),
                                          .order = TABLE_KEYS ("total_ns", "reason", "thread"),
                                          .name = "name",
                                          .time = "total_ns" };

static const struct emitter_column idle_thread_columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                             { "threads", "Threads", EMIT_NUMBER },
                                                             { "name", "Label", EMIT_TEXT } };
static const struct table_shape idle_threads_shape = { .key = "idle_threads",
                                                       .title = "Idle: threads that wait for work",
                                                       TABLE_SHAPE_COLUMNS (idle_thread_columns),
                                                       .order = TABLE_KEYS ("total_ns", "name") };

static const struct emitter_column idle_columns[]
    = { { "cap", "Cap", EMIT_NUMBER },        { "run_ns", "Threads ran ms", EMIT_NS },
        { "gc_ns", "Collected ms", EMIT_NS }, { "gc_idle_ns", "Waited in GC ms", EMIT_NS },
        { "idle_ns", "Idle ms", EMIT_NS },    { NULL, "%", EMIT_SHARE } };
static const struct table_shape idle_shape = { .key = "idle_caps",
                                               .title = "Idle capabilities",
                                               TABLE_SHAPE_COLUMNS (idle_columns),
                                               .whole = true };

/* The kind of Mono's waits that a reason is. */
static const char *
kind_of (enum ghc_wait wait)
{
  static const char *const kinds[GHC_WAITS] = {
    [GHC_WAIT_CPU] = "other",       [GHC_WAIT_MVAR] = "lock",   [GHC_WAIT_READ_MVAR] = "lock",
    [GHC_WAIT_BLACK_HOLE] = "lock", [GHC_WAIT_READ] = "io",     [GHC_WAIT_WRITE] = "io",
    [GHC_WAIT_DELAY] = "sleep",     [GHC_WAIT_STM] = "lock",    [GHC_WAIT_FOREIGN_CALL] = "other",
    [GHC_WAIT_THROW_TO] = "lock",   [GHC_WAIT_OTHER] = "other",
  };
  return kinds[wait];
}

static void
put_kinds (const struct report *r, const struct ghc_thread *sum, uint64_t all_ns)
{
  struct table *t = section_table (r, &kinds_shape);
  for (unsigned i = 0; i < GHC_WAITS; i++) {
    const struct ghc_wait_sum *wait = &sum->waits[i];
    if (wait->count != 0 || wait->total_ns != 0)
      SECTION_ROW (t, { .number = wait->total_ns },
                   { .number = emitter_share (wait->total_ns, all_ns) }, { .number = wait->count },
                   { .text = kind_of (i) }, { .text = ghc_wait_name (i) });
  }
  table_write (t, r->e);
}

static void
add_thread (struct table *t, const struct ghc_thread *thread, const struct emitter_any *id,
            uint64_t all_ns)
{
  for (unsigned i = 0; i < GHC_WAITS; i++) {
    const struct ghc_wait_sum *wait = &thread->waits[i];
    if ((wait->count != 0 || wait->total_ns != 0) && !ghc_thread_is_idle (thread, i))
      SECTION_ROW (t, { .number = wait->total_ns },
                   { .number = emitter_share (wait->total_ns, all_ns) }, { .number = wait->count },
                   { .text = "threads" }, { .text = kind_of (i) }, { .text = ghc_wait_name (i) },
                   { .text = NULL }, { .any = id }, { .text = thread->label });
  }
}

/* Threads that have no entry of their own come together, without an id. */
static void
put_threads (const struct report *r, uint64_t all_ns)
{
  GPtrArray *all = ghc_threads_all (&r->ghc->threads);
  struct emitter_any *ids = g_new (struct emitter_any, all->len + 1);
  struct table *t = section_table (r, &shape);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    ids[i] = (struct emitter_any){ EMIT_NUMBER, { .number = thread->id }, NULL };
    if (selection_has_thread (r->view->selection, thread->id, thread->labels))
      add_thread (t, thread, &ids[i], all_ns);
  }
  if (ghc_threads_has_rest (&r->ghc->threads))
    add_thread (t, &r->ghc->threads.rest, NULL, all_ns);
  table_write (t, r->e);
  g_free (ids);
  g_ptr_array_unref (all);
}

static uint64_t
idle_ns_of (const struct ghc_thread *thread)
{
  uint64_t ns = 0;
  for (unsigned i = 0; i < GHC_WAITS; i++)
    ns += ghc_thread_is_idle (thread, i) ? thread->waits[i].total_ns : 0;
  return ns;
}

/* Threads of one label. */
struct idle_sum {
  const char *label;
  uint64_t ns, threads;
};

static struct idle_sum *
find_sum (GArray *sums, const char *label)
{
  for (guint i = 0; i < sums->len; i++)
    if (strcmp (g_array_index (sums, struct idle_sum, i).label, label) == 0)
      return &g_array_index (sums, struct idle_sum, i);
  const struct idle_sum sum = { .label = label };
  g_array_append_val (sums, sum);
  return &g_array_index (sums, struct idle_sum, sums->len - 1);
}

static void
put_idle_threads (const struct report *r)
{
  g_autoptr (GPtrArray) all = ghc_threads_all (&r->ghc->threads);
  g_autoptr (GArray) sums = g_array_new (FALSE, FALSE, sizeof (struct idle_sum));
  struct table *t = section_table (r, &idle_threads_shape);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    const uint64_t ns = idle_ns_of (thread);
    if (ns == 0 || !selection_has_thread (r->view->selection, thread->id, thread->labels))
      continue;
    struct idle_sum *sum = find_sum (sums, thread->label);
    sum->ns += ns;
    sum->threads++;
  }
  for (guint i = 0; i < sums->len; i++) {
    const struct idle_sum *sum = &g_array_index (sums, struct idle_sum, i);
    SECTION_ROW (t, { .number = sum->ns }, { .number = sum->threads }, { .text = sum->label });
  }
  table_write (t, r->e);
}

uint64_t
ghc_cap_idle_ns (const struct ghc_summary *s, const struct ghc_cap *cap)
{
  const uint64_t all_ns = s->log.last - s->log.first;
  const uint64_t busy_ns = ghc_threads_cap_run_ns (&s->threads, cap->number) + cap->own_ns
                           - ghc_collections_idle_ns (s->caps, cap);
  return all_ns - MIN (busy_ns, all_ns);
}

static void
put_idle (const struct report *r, bool any)
{
  const struct ghc_log *log = &r->ghc->log;
  const GPtrArray *caps = r->ghc->caps;
  const uint64_t all_ns = log->last - log->first;
  struct table *t = section_table (r, &idle_shape);
  for (guint i = 0; any && i < caps->len; i++) {
    const struct ghc_cap *cap = g_ptr_array_index (caps, i);
    if (cap == NULL || !cap->is_selected)
      continue;
    const uint64_t run_ns = ghc_threads_cap_run_ns (&r->ghc->threads, cap->number);
    const uint64_t idle_ns = ghc_cap_idle_ns (r->ghc, cap);
    const uint64_t gc_idle_ns = ghc_collections_idle_ns (caps, cap);
    SECTION_ROW (t, { .number = cap->number }, { .number = run_ns },
                 { .number = cap->own_ns - gc_idle_ns }, { .number = gc_idle_ns },
                 { .number = idle_ns }, { .number = emitter_share (idle_ns, all_ns) });
  }
  table_write (t, r->e);
}

static void
put_waits (const struct report *r)
{
  struct ghc_thread sum;
  uint64_t all_ns = 0;
  ghc_threads_sum (&r->ghc->threads, &sum);
  for (unsigned i = 0; i < GHC_WAITS; i++)
    all_ns += sum.waits[i].total_ns;
  const bool any = all_ns != 0 || sum.run_ns != 0;
  if (!any)
    section_absent_rare (
        r, ghc_processes_are_mono (&r->ghc->processes)
               ? "Waits (as an eventlog, a log of Mono does not know when threads wait)"
               : "Waits (+RTS -ls records them)");
  put_kinds (r, &sum, all_ns);
  put_threads (r, all_ns);
  put_idle_threads (r);
  put_idle (r, any);
}

const struct section ghc_section_waits
    = { .key = "waits",
        .put = put_waits,
        .tables = SECTION_TABLES (&kinds_shape, &shape, &idle_threads_shape, &idle_shape),
        .features = GHC_FEATURE_THREADS };
