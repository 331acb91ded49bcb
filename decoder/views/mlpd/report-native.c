/* report-native.c -- memory that native libraries have allocated, and not freed. */
#include "config.h"

#include "decoder/core/library-names.h"
#include "decoder/mlpd/analyses/native-memory.h"
#include "decoder/output/figure.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"
#include "decoder/views/section-parts.h"
#include <string.h>

static const struct emitter_column method_columns[] = {
  { "live_bytes", "Not freed", EMIT_NUMBER },      SECTION_INTERVAL ("live", "_bytes", EMIT_NUMBER),
  { "allocated_bytes", "Allocated", EMIT_NUMBER }, { "samples", "Samples", EMIT_NUMBER },
  { "live_samples", "Not freed", EMIT_NUMBER },    { "name", "Below", EMIT_TEXT },
};
static const struct table_shape methods = { .key = "methods",
                                            .title = "Native memory by method",
                                            TABLE_SHAPE_COLUMNS (method_columns),
                                            .order = TABLE_KEYS ("live_bytes", "allocated_bytes"),
                                            .name = "name",
                                            .method = "name",
                                            .bytes = "live_bytes" };

static const struct emitter_column stack_columns[] = {
  { "live_bytes", "Not freed", EMIT_NUMBER },
  SECTION_INTERVAL ("live", "_bytes", EMIT_NUMBER),
  { "allocated_bytes", "Allocated", EMIT_NUMBER },
  { "samples", "Samples", EMIT_NUMBER },
};
static const struct table_shape stacks = { .key = "stacks",
                                           .title = "Native memory by backtrace",
                                           TABLE_SHAPE_COLUMNS (stack_columns),
                                           .order = TABLE_KEYS ("live_bytes", "allocated_bytes"),
                                           .details = TABLE_KEYS ("frames") };

/* In place of a method. */
#define NO_METHOD G_MAXUINT

/* The innermost method of the program; where there is none, the innermost but for wrappers. */
static guint
method_of (const struct report *r, guint trace)
{
  guint n = 0, other = NO_METHOD;
  const guint *frames = trace != TRACE_NONE ? traces_frames (&r->s->traces, trace, &n) : NULL;
  for (guint i = n; i-- > 0;) {
    g_autofree char *name = section_method_name (r->s, frames[i]);
    if (name == NULL)
      continue;
    if (library_names_is_program (name))
      return frames[i];
    if (other == NO_METHOD && !g_str_has_prefix (name, "(wrapper"))
      other = frames[i];
  }
  return other;
}

static char *
method_name (const void *summary, uint64_t method)
{
  return method == NO_METHOD ? g_strdup ("(no managed method)")
                             : section_method_name (summary, method);
}

static void
add_amount (struct native_amount *to, const struct native_amount *amount)
{
  to->samples += amount->samples;
  to->bytes = saturated_sum (to->bytes, amount->bytes);
  allocation_error_add (&to->error, &amount->error);
}

/* Of struct native_sum, whose `trace` is a method. */
static GArray *
sums_by_method (const struct report *r)
{
  const GArray *all = SUMMARY_STATE (r->s, native_memory)->sums;
  GArray *sums = g_array_new (FALSE, FALSE, sizeof (struct native_sum));
  for (guint i = 0; i < all->len; i++) {
    const struct native_sum *sum = &g_array_index (all, struct native_sum, i);
    const guint method = method_of (r, sum->trace);
    guint at = 0;
    while (at < sums->len && g_array_index (sums, struct native_sum, at).trace != method)
      at++;
    if (at == sums->len)
      g_array_append_val (sums, ((struct native_sum){ .trace = method }));
    struct native_sum *to = &g_array_index (sums, struct native_sum, at);
    add_amount (&to->allocated, &sum->allocated);
    add_amount (&to->live, &sum->live);
  }
  return sums;
}

static int
compare_live (const void *a, const void *b)
{
  const struct native_sum *x = a, *y = b;
  return (x->live.bytes < y->live.bytes) - (x->live.bytes > y->live.bytes);
}

static struct section_interval
interval_of (const struct native_amount *amount)
{
  return section_estimate (amount->bytes, amount->error.bytes);
}

static void
put_methods (const struct report *r, const GArray *sums)
{
  struct table *t = section_table (r, &methods);
  table_set_text (t, "name", method_name, r->s);
  for (guint i = 0; i < sums->len; i++) {
    const struct native_sum *sum = &g_array_index (sums, struct native_sum, i);
    const struct section_interval live = interval_of (&sum->live);
    SECTION_ROW (t, { .number = sum->live.bytes }, SECTION_INTERVAL_CELLS (live),
                 { .number = sum->allocated.bytes }, { .number = sum->allocated.samples },
                 { .number = sum->live.samples }, { .number = sum->trace });
  }
  table_write (t, r->e);
}

static void
put_stacks (const struct report *r)
{
  const GArray *all = SUMMARY_STATE (r->s, native_memory)->sums;
  struct table *t = section_table (r, &stacks);
  table_set_detail (t, traces_put_stack, r);
  for (guint i = 0; i < all->len; i++) {
    const struct native_sum *sum = &g_array_index (all, struct native_sum, i);
    const struct section_interval live = interval_of (&sum->live);
    SECTION_ROW_ID (t, sum->trace, { .number = sum->live.bytes }, SECTION_INTERVAL_CELLS (live),
                    { .number = sum->allocated.bytes }, { .number = sum->allocated.samples });
  }
  table_write (t, r->e);
}

/* Sentences on the methods below which most is not freed, of at least a few samples. */
enum { SENTENCES = 3, SAMPLES_MIN = 4 };

static void
put_sentences (const struct report *r, const GArray *sums)
{
  for (guint i = 0; i < sums->len && i < SENTENCES; i++) {
    const struct native_sum *sum = &g_array_index (sums, struct native_sum, i);
    if (sum->live.samples < SAMPLES_MIN)
      break;
    g_autofree char *live = figure_text (FIGURE_BYTES, sum->live.bytes);
    g_autofree char *allocated = figure_text (FIGURE_BYTES, sum->allocated.bytes);
    g_autofree char *name = method_name (r->s, sum->trace);
    g_autofree char *words = section_words (r, name);
    const struct section_interval live_range = interval_of (&sum->live);
    const bool has_error = live_range.error[0] != 0;
    words[strcspn (words, "(")] = 0; /* without parameters */
    g_autofree char *text
        = g_strdup_printf ("%s%s%s%s of %s that native code allocated below %s are not freed", live,
                           has_error ? " (± " : "", live_range.error, has_error ? ")" : "",
                           allocated, g_strchomp (words));
    emitter_note (r->e, text);
  }
}

static void
put_native (const struct report *r)
{
  const struct native_memory *m = SUMMARY_STATE (r->s, native_memory);
  struct native_amount allocated = { 0 }, live = { 0 };
  g_autoptr (GArray) sums = sums_by_method (r);
  g_array_sort (sums, compare_live);
  for (guint i = 0; i < sums->len; i++) {
    add_amount (&allocated, &g_array_index (sums, struct native_sum, i).allocated);
    add_amount (&live, &g_array_index (sums, struct native_sum, i).live);
  }
  const bool any = m->sums->len != 0;
  emitter_open (r->e, "native", any ? "Native memory" : NULL);
  result_number_if (r->e, NATIVE_LIVE_BYTES, any, live.bytes);
  result_number_if (r->e, NATIVE_ALLOCATED_BYTES, any, allocated.bytes);
  result_number_if (r->e, NATIVE_SAMPLES, any, allocated.samples);
  result_number_if (r->e, NATIVE_LIVE_SAMPLES, any, live.samples);
  put_sentences (r, sums);
  put_methods (r, sums);
  if (r->view->traces || section_is_machine_readable (r))
    put_stacks (r);
  emitter_close (r->e);
  if (!any)
    section_absent_rare (r, "Native memory");
}

const struct section section_native
    = { .key = "native", .put = put_native, .tables = SECTION_TABLES (&methods, &stacks) };
