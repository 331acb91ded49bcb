/* report-cpu.c -- which methods used the processor: the methods that samples found running, or self
 * times of calls: in wrappers of native code that waits, they are no work.
 */
#include "config.h"

#include "decoder/core/library-names.h"
#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/hot-method.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/mlpd/model/recording.h"
#include "decoder/mlpd/model/wait-kind.h"
#include "decoder/output/figure.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/recording-cost.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"
#include <string.h>

/* ---- of a log that has calls and no samples ---- */

static const struct emitter_column columns[]
    = { { "self_ns", "Self ms", EMIT_NS },    { NULL, "%", EMIT_SHARE },
        { "wait_ns", "Waiting ms", EMIT_NS }, { "total_ns", "Total ms", EMIT_NS },
        { "calls", "Calls", EMIT_NUMBER },    { "name", "Method", EMIT_TEXT } };
static const struct table_shape cpu_calls_shape
    = { .key = "methods",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("self_ns", "wait_ns", "total_ns", "calls"),
        .name = "name",
        .method = "name",
        .time = "total_ns" };

struct work {
  uint64_t self_ns, wait_ns;
};

/* Of one method. */
static struct work
work_of (const struct report *r, const struct method_sum *sum, guint method)
{
  const GArray *symbols = r->s->symbols.all[SYMBOL_METHOD];
  const bool waits
      = wait_kind_of_method (g_array_index (symbols, struct symbol, method).name) != WAIT_NONE;
  return (struct work){ waits ? 0 : sum->self_ns, waits ? sum->self_ns : 0 };
}

/* Whether the section is made of calls. */
static bool
cpu_is_of_calls (const struct report *r)
{
  return SUMMARY_STATE (r->s, samples)->hits == 0 && SUMMARY_STATE (r->s, calls)->total != 0;
}

/* Its values and its table, into the open section. */
static void
cpu_put_calls (const struct report *r)
{
  const GArray *methods = SUMMARY_STATE (r->s, calls)->methods;
  struct work all = { 0 };
  for (guint i = 0; i < methods->len; i++) {
    const struct work work = work_of (r, &g_array_index (methods, struct method_sum, i), i);
    all.self_ns += work.self_ns;
    all.wait_ns += work.wait_ns;
  }
  result_text (r->e, CPU_SOURCE, "calls");
  result_text_if (r->e, CPU_CLOCK, false, "elapsed");
  result_number (r->e, CPU_WORK_NS, all.self_ns);
  result_number (r->e, CPU_WAIT_NS, all.wait_ns);
  struct table *t = section_table (r, &cpu_calls_shape);
  table_set_text (t, "name", section_frame_name, r->s);
  table_set_ties (t, section_compare_methods, r->s);
  for (guint i = 0; i < methods->len; i++) {
    const struct method_sum *sum = &g_array_index (methods, struct method_sum, i);
    const struct work work = work_of (r, sum, i);
    if (sum->calls != 0)
      SECTION_ROW_ID (t, i, { .number = work.self_ns },
                      { .number = emitter_share (work.self_ns, all.self_ns) },
                      { .number = work.wait_ns }, { .number = sum->total_ns },
                      { .number = sum->calls }, { .number = i });
  }
  table_write (t, r->e);
}

/* ---- of samples ---- */

static const struct emitter_column type_columns[]
    = { { "hits", "Hits", EMIT_NUMBER }, { "type", "Of", EMIT_TEXT } };
static const struct table_shape types
    = { .key = "types", TABLE_SHAPE_COLUMNS (type_columns), .whole = true };

static const struct emitter_column method_columns[]
    = { { "self_ns", "Self ms", EMIT_NS },
        { NULL, "%", EMIT_ANY },
        SECTION_INTERVAL ("self", "_ns", EMIT_NS),
        { "total_ns", "Total ms", EMIT_NS },
        SECTION_INTERVAL_RAW ("total", "_ns", EMIT_NS),
        { "hits", "Hits", EMIT_NUMBER },
        { "native_hits", "Native", EMIT_NUMBER },
        { "kind", NULL, EMIT_TEXT },
        { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (method_columns),
                                            .order = TABLE_KEYS ("self_ns", "total_ns", "name"),
                                            .name = "name",
                                            .method = "name",
                                            .time = "total_ns" };

/* Hits that are not of processor time have no time. */
static const struct emitter_column hit_columns[]
    = { { "hits", "Hits", EMIT_NUMBER },
        { NULL, "%", EMIT_ANY },
        SECTION_INTERVAL ("hits", "", EMIT_NUMBER),
        { "total", "Total", EMIT_NUMBER },
        SECTION_INTERVAL_RAW ("total", "", EMIT_NUMBER),
        { "native_hits", "Native", EMIT_NUMBER },
        { "kind", NULL, EMIT_TEXT },
        { "name", "Method", EMIT_TEXT } };
static const struct table_shape method_hits = { .key = "methods",
                                                TABLE_SHAPE_COLUMNS (hit_columns),
                                                .order = TABLE_KEYS ("hits", "total", "name"),
                                                .name = "name",
                                                .method = "name" };

static const struct emitter_column native_columns[] = { { "hits", "Hits", EMIT_NUMBER },
                                                        { NULL, "%", EMIT_SHARE },
                                                        SECTION_INTERVAL ("hits", "", EMIT_NUMBER),
                                                        { "name", "Native function", EMIT_TEXT } };
static const struct table_shape native = { .key = "native",
                                           TABLE_SHAPE_COLUMNS (native_columns),
                                           .order = TABLE_KEYS ("hits", "name"),
                                           .name = "name" };

static const struct emitter_column thread_columns[] = { { "hits", "Hits", EMIT_NUMBER },
                                                        { NULL, "%", EMIT_SHARE },
                                                        SECTION_INTERVAL ("hits", "", EMIT_NUMBER),
                                                        { "id", "Thread", EMIT_ADDRESS },
                                                        { "name", "Name", EMIT_TEXT } };
static const struct table_shape threads = { .key = "threads",
                                            TABLE_SHAPE_COLUMNS (thread_columns),
                                            .order = TABLE_KEYS ("hits", "id") };

#define RECORDING "recording" /* the kind of its frame */

#define WRAPPER_OF_ENTRY "(wrapper runtime-invoke) "

static void
put_types (const struct report *r)
{
  const struct samples *samples = SUMMARY_STATE (r->s, samples);
  struct table *t = section_table (r, &types);
  for (uint64_t i = 1; i < SAMPLE_TYPES; i++)
    if (samples->types[i] != 0)
      SECTION_ROW (t, { .number = samples->types[i] },
                   { .text = mlpd_value_name (MLPD_UNIT_SAMPLE_TYPE, i) });
  table_write (t, r->e);
}

/* The recording has no share; `shares` retains those of the others. */
static void
add_method (const struct report *r, struct table *t, GPtrArray *shares,
            const struct sample_sum *sum, const char *kind, const char *name)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  const bool has_time = s->cpu_ns != 0, is_own = strcmp (kind, RECORDING) != 0;
  const uint64_t whole = has_time ? samples_own_ns (s) : samples_own_hits (s);
  const uint64_t self = has_time ? sum->self_ns : sum->hits,
                 total = has_time ? MAX (sum->self_ns, sum->total_ns) : MAX (sum->hits, sum->total);
  const double samples = is_own ? samples_of_one_weight (s) : 0;
  const struct section_interval of_self = section_interval (self, whole, samples),
                                of_total = section_interval (total, whole, samples);
  const struct emitter_any share = emitter_any_number (EMIT_SHARE, emitter_share (self, whole));
  if (is_own)
    g_ptr_array_add (shares, g_memdup2 (&share, sizeof share));
  const struct emitter_any *any = is_own ? shares->pdata[shares->len - 1] : NULL;
  if (has_time)
    SECTION_ROW (t, { .number = self }, { .any = any }, SECTION_INTERVAL_CELLS (of_self),
                 { .number = total }, { .number = of_total.low }, { .number = of_total.high },
                 { .number = sum->hits }, { .number = sum->native_hits }, { .text = kind },
                 { .text = name });
  else
    SECTION_ROW (t, { .number = self }, { .any = any }, SECTION_INTERVAL_CELLS (of_self),
                 { .number = total }, { .number = of_total.low }, { .number = of_total.high },
                 { .number = sum->native_hits }, { .text = kind }, { .text = name });
}

static void
put_managed (const struct report *r, struct table *t, GPtrArray *shares)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  for (guint i = 0; i < s->methods->len; i++) {
    const struct sample_sum *sum = &g_array_index (s->methods, struct sample_sum, i);
    if (sum->hits + sum->total + sum->self_ns + sum->total_ns == 0)
      continue;
    char *name = section_frame_name (r->s, i);
    add_method (r, t, shares, sum, strcmp (name, RECORDING_NAME) == 0 ? RECORDING : "managed",
                name);
    g_free (name);
  }
}

/* Native functions with their hits and bare hits.  Code has symbols at several addresses: those of
 * one name are one. */
static GArray *
native_functions (const struct samples *s)
{
  GHashTable *by_name = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (struct sample_symbol));
  for (guint i = 0; i < s->symbols->len; i++) {
    const struct sample_symbol *symbol = &g_array_index (s->symbols, struct sample_symbol, i);
    const guint place = GPOINTER_TO_UINT (g_hash_table_lookup (by_name, symbol->name));
    if (symbol->hits - symbol->recording_hits + symbol->bare_ns == 0)
      continue;
    if (place != 0) {
      struct sample_symbol *sum = &g_array_index (sums, struct sample_symbol, place - 1);
      sum->hits += symbol->hits;
      sum->recording_hits += symbol->recording_hits;
      sum->bare += symbol->bare;
      sum->bare_ns += symbol->bare_ns;
      continue;
    }
    g_array_append_val (sums, *symbol);
    g_hash_table_insert (by_name, (gpointer) symbol->name, GUINT_TO_POINTER (sums->len));
  }
  g_hash_table_destroy (by_name);
  return sums;
}

/* A function without a managed frame. */
static void
add_bare (const struct report *r, struct table *t, GPtrArray *shares, uint64_t hits, uint64_t ns,
          const char *name)
{
  const struct sample_sum sum = { .hits = hits, .native_hits = hits, .self_ns = ns };
  if (hits + ns != 0)
    add_method (r, t, shares, &sum, "native", name);
}

static void
put_methods (const struct report *r, const GArray *functions)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  struct table *t = section_table (r, s->cpu_ns != 0 ? &methods : &method_hits);
  GPtrArray *shares = g_ptr_array_new_with_free_func (g_free);
  put_managed (r, t, shares);
  for (guint i = 0; i < functions->len; i++) {
    const struct sample_symbol *f = &g_array_index (functions, struct sample_symbol, i);
    add_bare (r, t, shares, f->bare, f->bare_ns, f->name);
  }
  add_bare (r, t, shares, s->unnamed_running, s->unnamed_ns, "[unknown]");
  table_write (t, r->e);
  g_ptr_array_free (shares, TRUE);
}

/* The hits of a method that belong to it, with those of its callees that are not the program's. */
static void
add_own (const struct report *r, struct table *t, GPtrArray *shares, uint64_t hits,
         struct sample_sum sum, const char *name)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  sum.hits = hits;
  sum.native_hits = 0;
  sum.self_ns = (uint64_t) ((double) samples_own_ns (s) * (double) hits
                            / (double) MAX (samples_own_hits (s), 1));
  if (hits + sum.total != 0)
    add_method (r, t, shares, &sum, "managed", name);
}

static void
put_own_methods (const struct report *r)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  struct table *t = section_table (r, s->cpu_ns != 0 ? &methods : &method_hits);
  g_autoptr (GPtrArray) shares = g_ptr_array_new_with_free_func (g_free);
  uint64_t others;
  g_autofree uint64_t *hits = hot_method_hits (s, &r->s->symbols, &others);
  for (guint i = 0; i < s->methods->len; i++) {
    g_autofree char *name = section_frame_name (r->s, i);
    if (library_names_is_program (name) && strcmp (name, RECORDING_NAME) != 0)
      add_own (r, t, shares, hits[i], g_array_index (s->methods, struct sample_sum, i), name);
  }
  add_own (r, t, shares, others, (struct sample_sum){ .hits = 0 }, "[no code of the program]");
  table_write (t, r->e);
}

static void
put_native (const struct report *r, const GArray *functions)
{
  struct table *t = section_table (r, &native);
  const uint64_t all = samples_own_hits (SUMMARY_STATE (r->s, samples));
  for (guint i = 0; i < functions->len; i++) {
    const struct sample_symbol *f = &g_array_index (functions, struct sample_symbol, i);
    const uint64_t hits = f->hits - f->recording_hits;
    const struct section_interval error = section_interval (hits, all, (double) all);
    if (hits != 0)
      SECTION_ROW (t, { .number = hits }, { .number = emitter_share (hits, all) },
                   SECTION_INTERVAL_CELLS (error), { .text = f->name });
  }
  table_write (t, r->e);
}

static void
put_threads (const struct report *r)
{
  const struct samples *samples = SUMMARY_STATE (r->s, samples);
  struct table *t = section_table (r, &threads);
  GHashTableIter iter;
  gpointer number, hits;
  g_hash_table_iter_init (&iter, samples->threads);
  while (g_hash_table_iter_next (&iter, &number, &hits)) {
    const struct thread *thread = g_ptr_array_index (r->s->threads.all, *(const uint64_t *) number);
    const uint64_t own = *(const uint64_t *) hits;
    const struct section_interval error
        = section_interval (own, samples->running, (double) samples->running);
    SECTION_ROW (t, { .number = own }, { .number = emitter_share (own, samples->running) },
                 SECTION_INTERVAL_CELLS (error), { .number = thread->id },
                 { .text = thread->name });
  }
  table_write (t, r->e);
}

/* Hits whose frames go down to a method that the runtime called. */
static uint64_t
whole_stacks (const struct report *r)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  uint64_t whole = 0;
  for (guint i = 0; i < s->methods->len; i++) {
    const uint64_t hits = g_array_index (s->methods, struct sample_sum, i).outermost;
    char *name = hits != 0 ? section_method_name (r->s, i) : NULL;
    if (name != NULL && g_str_has_prefix (name, WRAPPER_OF_ENTRY))
      whole += hits;
    g_free (name);
  }
  return whole;
}

/* The cost of the recording itself, in a log whose samples found it. */
static void
put_recording (const struct report *r)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  const bool has_time = s->recording_ns != 0;
  g_autofree char *cost = recording_cost_text (r->s);
  g_autofree char *text = g_strconcat (cost, ", in no share", NULL);
  const struct emitter_any shown
      = { .type = EMIT_NS, .value.number = s->recording_ns, .shown = text };
  result_put (r->e, CPU_RECORDING_NS, has_time, (union emitter_value){ .any = &shown });
  result_number_if (r->e, CPU_RECORDING_HITS, s->recording_hits != 0 && !has_time,
                    s->recording_hits);
}

static void
put_sums (const struct report *r)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  const uint64_t interval = mlpd_header_cpu_sample_interval (&r->s->log.header);
  const bool any = s->hits != 0;
  result_text_if (r->e, CPU_SOURCE, false, any ? "samples" : NULL);
  result_text_if (r->e, CPU_CLOCK, any, !any ? NULL : interval != 0 ? "cpu" : "all-threads");
  result_number_if (r->e, CPU_TOTAL_NS, s->cpu_ns != 0, s->cpu_ns);
  put_recording (r);
  result_number (r->e, CPU_INTERVAL_NS, interval);
  result_number (r->e, CPU_HITS, s->hits);
  if (s->wait_ns != 0)
    result_number (r->e, CPU_RUNNING, s->running);
  result_number (r->e, CPU_MANAGED, s->managed);
  result_number (r->e, CPU_UNMANAGED, s->unmanaged);
  result_number (r->e, CPU_UNRESOLVED, s->unresolved);
  result_number (r->e, CPU_UNNAMED, s->unnamed);
  result_number (r->e, CPU_WHOLE_STACKS, whole_stacks (r));
}

/* The keys of samples are there for programs, too, and empty. */
static void
put_cpu_of_calls (const struct report *r)
{
  static const enum result sums[]
      = { CPU_RECORDING_HITS, CPU_INTERVAL_NS, CPU_HITS,    CPU_MANAGED,
          CPU_UNMANAGED,      CPU_UNRESOLVED,  CPU_UNNAMED, CPU_WHOLE_STACKS };
  const struct emitter_any none = emitter_any_number (EMIT_NS, 0);
  emitter_open (r->e, "cpu", "CPU");
  cpu_put_calls (r);
  result_put (r->e, CPU_RECORDING_NS, false, (union emitter_value){ .any = &none });
  for (size_t i = 0; i < G_N_ELEMENTS (sums); i++)
    result_number_if (r->e, sums[i], false, 0);
  table_write (section_table (r, &types), r->e);
  table_write (section_table (r, &native), r->e);
  table_write (section_table (r, &threads), r->e);
  emitter_close (r->e);
}

/* Fewer hits are not enough for shares of methods. */
#define HITS_MIN 20

static void
put_cpu (const struct report *r)
{
  if (cpu_is_of_calls (r)) {
    put_cpu_of_calls (r);
    return;
  }
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  emitter_open (r->e, "cpu", s->hits != 0 ? "CPU" : NULL);
  if (s->hits == 0)
    section_absent_rare (r, "Samples");
  put_sums (r);
  if (r->view->is_brief && s->hits != 0 && s->running < HITS_MIN) {
    emitter_text (r->e, "too_few", "Methods", "too few hits (--reports=cpu lists them)");
    emitter_close (r->e);
    return;
  }
  put_types (r);
  GArray *functions = native_functions (s);
  if (r->view->own_code)
    put_own_methods (r);
  else
    put_methods (r, functions);
  put_native (r, functions);
  g_array_free (functions, TRUE);
  put_threads (r);
  emitter_close (r->e);
}

const struct section section_cpu
    = { .key = "cpu",
        .alias = "sample",
        .other = "samples",
        .put = put_cpu,
        .tables
        = SECTION_TABLES (&types, &methods, &method_hits, &native, &threads, &cpu_calls_shape) };
