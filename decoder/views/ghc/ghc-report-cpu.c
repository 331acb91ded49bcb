/* ghc-report-cpu.c -- the users of the processor: cost centres of a time profile, or call stacks,
 * and threads.  Keys are those of Mono logs (report-cpu.c). */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"

static const struct emitter_column method_columns[]
    = { { "self_ns", "Self ms", EMIT_NS },
        { NULL, "%", EMIT_SHARE },
        SECTION_INTERVAL ("self", "_ns", EMIT_NS),
        { "total_ns", "Total ms", EMIT_NS },
        SECTION_INTERVAL_RAW ("total", "_ns", EMIT_NS),
        { "hits", "Hits", EMIT_NUMBER },
        { "kind", NULL, EMIT_TEXT },
        { "module", "Module", EMIT_TEXT },
        { "name", "Cost centre", EMIT_TEXT } };
static const struct table_shape methods_shape
    = { .key = "methods",
        TABLE_SHAPE_COLUMNS (method_columns),
        .order = TABLE_KEYS ("self_ns", "hits", "total_ns", "name"),
        .name = "name",
        .time = "total_ns" };

/* The messages of call stacks do not state how often they come, so they have no time. */
static const struct emitter_column hit_columns[]
    = { { "hits", "Hits", EMIT_NUMBER },
        { NULL, "%", EMIT_SHARE },
        SECTION_INTERVAL ("hits", "", EMIT_NUMBER),
        { "total", "Total", EMIT_NUMBER },
        SECTION_INTERVAL_RAW ("total", "", EMIT_NUMBER),
        { "kind", NULL, EMIT_TEXT },
        { "module", NULL, EMIT_TEXT },
        { "name", "Function", EMIT_TEXT } };
static const struct table_shape method_hits_shape = { .key = "methods",
                                                      TABLE_SHAPE_COLUMNS (hit_columns),
                                                      .order = TABLE_KEYS ("hits", "total", "name"),
                                                      .name = "name" };

static const struct emitter_column thread_columns[] = { { "self_ns", "Ran ms", EMIT_NS },
                                                        { NULL, "%", EMIT_SHARE },
                                                        { "of_program", NULL, EMIT_NUMBER },
                                                        { "id", "Thread", EMIT_ANY },
                                                        { "name", "Label", EMIT_TEXT } };
static const struct table_shape threads_shape
    = { .key = "threads",
        TABLE_SHAPE_COLUMNS (thread_columns),
        .order = TABLE_KEYS ("of_program", "self_ns", "id"),
        .time = "self_ns" };

/* The samples in which a capability worked. */
static uint64_t
working_samples (const struct ghc_time_profile *p, const GArray *frames)
{
  uint64_t samples = p->samples;
  for (guint i = 0; i < frames->len; i++) {
    const struct ghc_time_frame *f = &g_array_index (frames, struct ghc_time_frame, i);
    samples -= ghc_time_profile_is_idle (p, f->frame) ? f->self : 0;
  }
  return samples;
}

static void
put_frame (struct table *t, const struct ghc_time_profile *p, uint64_t samples, uint64_t self,
           uint64_t total, const char *kind, const char *module, const char *name)
{
  const uint64_t unit = p->has_call_stacks ? 1 : p->interval;
  const double of = (double) samples;
  const struct section_interval of_self = section_interval (self * unit, samples * unit, of),
                                of_total = section_interval (total * unit, samples * unit, of);
  if (p->has_call_stacks)
    SECTION_ROW (t, { .number = self }, { .number = emitter_share (self, samples) },
                 SECTION_INTERVAL_CELLS (of_self), { .number = total }, { .number = of_total.low },
                 { .number = of_total.high }, { .text = kind }, { .text = module },
                 { .text = name });
  else
    SECTION_ROW (t, { .number = self * unit }, { .number = emitter_share (self, samples) },
                 SECTION_INTERVAL_CELLS (of_self), { .number = total * unit },
                 { .number = of_total.low }, { .number = of_total.high }, { .number = self },
                 { .text = kind }, { .text = module }, { .text = name });
}

static void
put_frames (const struct report *r, const GArray *frames, uint64_t samples)
{
  const struct ghc_time_profile *p = &r->ghc->time_profile;
  struct table *t = section_table (r, p->has_call_stacks ? &method_hits_shape : &methods_shape);
  const uint64_t main
      = p->has_call_stacks ? 0 : g_array_index (p->nodes, struct ghc_time_node, 0).self;
  /* In no cost centre; flame graphs and GHC's own profile call it so, too. */
  if (main != 0)
    put_frame (t, p, samples, main, samples, "cost-centre", "MAIN", "MAIN");
  for (guint i = 0; i < frames->len; i++) {
    const struct ghc_time_frame *f = &g_array_index (frames, struct ghc_time_frame, i);
    g_autofree char *name = ghc_time_profile_name (p, f->frame);
    if (!ghc_time_profile_is_idle (p, f->frame))
      put_frame (t, p, samples, f->self, f->total, ghc_time_profile_kind (p, f->frame),
                 ghc_time_profile_module (p, f->frame), name);
  }
  table_write (t, r->e);
}

/* Threads that have no entry of their own come together, without an id. */
static void
put_threads (const struct report *r, uint64_t run_ns)
{
  const struct ghc_threads *threads = &r->ghc->threads;
  GPtrArray *all = ghc_threads_all (threads);
  struct emitter_any *ids = g_new (struct emitter_any, all->len + 1);
  struct table *t = section_table (r, &threads_shape);
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    ids[i] = (struct emitter_any){ EMIT_NUMBER, { .number = thread->id }, NULL };
    if (thread->run_ns != 0
        && selection_has_thread (r->view->selection, thread->id, thread->labels))
      SECTION_ROW (t, { .number = thread->run_ns },
                   { .number = emitter_share (thread->run_ns, run_ns) },
                   { .number = !ghc_thread_is_of_runtime (thread) }, { .any = &ids[i] },
                   { .text = thread->label });
  }
  if (threads->rest.run_ns != 0 && ghc_threads_has_rest (threads))
    SECTION_ROW (t, { .number = threads->rest.run_ns },
                 { .number = emitter_share (threads->rest.run_ns, run_ns) }, { .number = 1 },
                 { .any = NULL }, { .text = NULL });
  table_write (t, r->e);
  g_free (ids);
  g_ptr_array_unref (all);
}

/* ---- sums by label ---- */

static const struct emitter_column label_columns[] = { { "self_ns", "Ran ms", EMIT_NS },
                                                       { NULL, "%", EMIT_SHARE },
                                                       { "threads", "Threads", EMIT_NUMBER },
                                                       { "of_program", NULL, EMIT_NUMBER },
                                                       { "name", "Label", EMIT_TEXT } };
static const struct table_shape labels_shape
    = { .key = "labels",
        .title = "Threads by label",
        TABLE_SHAPE_COLUMNS (label_columns),
        .order = TABLE_KEYS ("of_program", "self_ns", "name"),
        .name = "name",
        .time = "self_ns" };

struct label_sum {
  uint64_t run_ns, threads;
  bool is_of_program;
};

/* The table adds up labels that several threads have: without one it says nothing. */
static void
put_labels (const struct report *r, uint64_t run_ns)
{
  g_autoptr (GPtrArray) all = ghc_threads_all (&r->ghc->threads);
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  struct table *t = section_table (r, &labels_shape);
  bool is_shared = false;
  for (guint i = 0; i < all->len; i++) {
    const struct ghc_thread *thread = g_ptr_array_index (all, i);
    if (thread->label == NULL || thread->run_ns == 0
        || !selection_has_thread (r->view->selection, thread->id, thread->labels))
      continue;
    struct label_sum *sum = g_hash_table_lookup (sums, thread->label);
    is_shared |= sum != NULL;
    if (sum == NULL)
      g_hash_table_insert (sums, thread->label, sum = g_new0 (struct label_sum, 1));
    sum->run_ns += thread->run_ns;
    sum->threads++;
    sum->is_of_program = !ghc_thread_is_of_runtime (thread);
  }
  GHashTableIter iter;
  gpointer label, value;
  g_hash_table_iter_init (&iter, sums);
  while (is_shared && g_hash_table_iter_next (&iter, &label, &value)) {
    const struct label_sum *sum = value;
    SECTION_ROW (t, { .number = sum->run_ns }, { .number = emitter_share (sum->run_ns, run_ns) },
                 { .number = sum->threads }, { .number = sum->is_of_program }, { .text = label });
  }
  table_write (t, r->e);
}

static void
put_cpu (const struct report *r)
{
  const struct ghc_time_profile *p = &r->ghc->time_profile;
  struct ghc_thread sum;
  ghc_threads_sum (&r->ghc->threads, &sum);
  GArray *frames = ghc_time_profile_frames (p);
  const uint64_t samples = working_samples (p, frames);
  const bool any = p->samples != 0 || sum.run_ns != 0;
  const char *source = p->samples != 0 ? "samples" : "threads";
  emitter_open (r->e, "cpu", any ? "CPU" : NULL);
  if (!any)
    section_absent_rare (r,
                         ghc_processes_are_mono (&r->ghc->processes)
                             ? "CPU (as an eventlog, a log of Mono does not know when threads run)"
                             : "CPU (+RTS -p -l records it, or threads with -ls)");
  result_text_if (r->e, CPU_SOURCE, any, any ? source : NULL);
  result_text_if (r->e, CPU_CLOCK, false,
                  !any                 ? NULL
                  : p->has_call_stacks ? "threads"
                                       : "capabilities");
  result_number_if (r->e, CPU_RUN_TIME_NS, any && !p->has_call_stacks,
                    p->samples != 0 ? samples * p->interval : sum.run_ns);
  result_number (r->e, CPU_INTERVAL_NS, p->interval);
  result_number_if (r->e, CPU_HITS, p->samples != 0, samples);
  if (r->view->own_code)
    emitter_note (r->e, "What is the program's own is known of Mono logs only.");
  put_frames (r, frames, samples);
  put_threads (r, sum.run_ns);
  put_labels (r, sum.run_ns);
  emitter_close (r->e);
  g_array_unref (frames);
}

const struct section ghc_section_cpu
    = { .key = "cpu",
        .put = put_cpu,
        .tables
        = SECTION_TABLES (&methods_shape, &method_hits_shape, &threads_shape, &labels_shape),
        .features = GHC_FEATURE_PROFILES | GHC_FEATURE_THREADS };
