/* report-calls.c -- calls and times by method. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/views/result.h"
#include <string.h>

static const struct emitter_column caller_columns[] = { { "calls", "Calls from", EMIT_NUMBER } };
static const struct table_shape callers
    = { .key = "traces", TABLE_SHAPE_COLUMNS (caller_columns), .details = TABLE_KEYS ("frames") };

static const struct emitter_column columns[] = { { "total_ns", "Total ms", EMIT_NS },
                                                 { "self_ns", "Self ms", EMIT_NS },
                                                 { "calls", "Calls", EMIT_NUMBER },
                                                 { "name", "Method", EMIT_TEXT } };
static const struct table_shape methods = { .key = "methods",
                                            TABLE_SHAPE_COLUMNS (columns),
                                            .order = TABLE_KEYS ("total_ns", "calls"),
                                            .name = "name",
                                            .method = "name",
                                            .time = "total_ns",
                                            .inner = TABLE_SHAPES (&callers) };

static const struct emitter_column thread_columns[] = { { "skipped", "Not recorded", EMIT_NUMBER },
                                                        { "id", "Thread", EMIT_ADDRESS },
                                                        { "name", "Name", EMIT_TEXT } };
static const struct table_shape threads = { .key = "threads",
                                            TABLE_SHAPE_COLUMNS (thread_columns),
                                            .order = TABLE_KEYS ("skipped", "id") };

static const struct emitter_column untimed_columns[]
    = { { "untimed", "Not timed", EMIT_NUMBER },
        { "missed_at_most", "Missed at most", EMIT_NUMBER },
        { "name", "Method", EMIT_TEXT } };
static const struct table_shape untimed = { .key = "untimed_methods",
                                            TABLE_SHAPE_COLUMNS (untimed_columns),
                                            .order = TABLE_KEYS ("untimed", "name"),
                                            .name = "name",
                                            .method = "name" };

static void
put_callers (const void *data, uint64_t method, struct emitter *e)
{
  const struct report *r = data;
  (void) e; /* the report's */
  traces_put (r, &callers, &SUMMARY_STATE (r->s, calls)->callers, (guint) method, TRACES_BY_COUNT);
}

/* "10us": the longest unit of the option that it is a whole number of. */
static void
format_threshold (uint64_t ns, char text[static 32])
{
  static const struct {
    uint64_t ns;
    const char *name;
  } units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
  guint i = 0;
  while (ns % units[i].ns != 0)
    i++;
  g_snprintf (text, 32, "%" G_GUINT64_FORMAT " %s", ns / units[i].ns, units[i].name);
}

/* Calls that were shorter than the threshold. */
static void
put_skipped (const struct report *r, uint64_t threshold_ns)
{
  char text[32];
  format_threshold (threshold_ns, text);
  result_put (r->e, CALLS_THRESHOLD_NS, true, (union emitter_value){ .number = threshold_ns });
  result_number (r->e, CALLS_SKIPPED, SUMMARY_STATE (r->s, calls)->skipped);
  char *note
      = g_strdup_printf ("  These took less than %s and had no other event in them.  Their time is "
                         "self time of their callers.",
                         text);
  emitter_note (r->e, note);
  g_free (note);
}

static void
put_threads (const struct report *r)
{
  struct table *t = section_table (r, &threads);
  for (guint i = 0; i < r->s->threads.all->len; i++) {
    const struct thread *thread = g_ptr_array_index (r->s->threads.all, i);
    if (thread->skipped_calls != 0)
      SECTION_ROW (t, { .number = thread->skipped_calls }, { .number = thread->id },
                   { .text = thread->name });
  }
  table_write (t, r->e);
}

/* The counter of our module with this index; NULL: the log has none. */
static const struct counter *
find_counter (const struct report *r, uint64_t index)
{
  const struct counter *c = g_hash_table_lookup (SUMMARY_STATE (r->s, counters)->current, &index);
  return c != NULL && c->section == MLPD_COUNTER_SECTION_PROFILER && c->name != NULL ? c : NULL;
}

/* Methods of which not all calls were timed, as they were short. */
static void
put_untimed (const struct report *r)
{
  const struct counters *counters = SUMMARY_STATE (r->s, counters);
  struct table *t = section_table (r, &untimed);
  guint found = 0;
  for (guint i = 0; i < counters->all->len; i++) {
    const struct counter *c = g_ptr_array_index (counters->all, i);
    const uint64_t number = c->index - MLPD_UNTIMED_CALLS_INDEX;
    const struct counter *missed = find_counter (r, MLPD_MISSED_CALLS_INDEX + number);
    if (find_counter (r, c->index) != c || !g_str_has_prefix (c->name, MLPD_UNTIMED_CALLS)
        || missed == NULL)
      continue;
    SECTION_ROW (t, { .number = c->last.value.number }, { .number = missed->last.value.number },
                 { .text = c->name + strlen (MLPD_UNTIMED_CALLS) });
    found++;
  }
  if (found != 0)
    emitter_note (
        r->e,
        "  10,000 calls of these methods in a row were short, so one in 64 was timed until one "
        "was not short.  With a confidence of 95 %, no more long calls than these were "
        "missed; their time is in their callers.");
  table_write (t, r->e);
}

/* Methods that report no calls. */
static void
put_left_out (const struct report *r)
{
  const struct counter *c = find_counter (r, MLPD_LEFT_OUT_METHODS_INDEX);
  result_number (r->e, CALLS_METHODS_LEFT_OUT, c != NULL ? c->last.value.number : 0);
  emitter_note (
      r->e,
      "  Without a profiler these would be inlined.  Their time is self time of their callers.");
}

static void
put_calls (const struct report *r)
{
  const struct calls *c = SUMMARY_STATE (r->s, calls);
  const struct proflog_calls_mode mode = mlpd_header_calls_mode (&r->s->log.header);
  section_open (r, "calls", "Calls", c->total + c->skipped + c->unmatched_leaves != 0);
  result_number (r->e, CALLS_TOTAL, c->total);
  result_number_if (r->e, CALLS_UNMATCHED_LEAVES, c->unmatched_leaves != 0, c->unmatched_leaves);
  if (mode.skips_inlinable)
    put_left_out (r);
  if (mode.threshold_ns != 0)
    put_skipped (r, mode.threshold_ns);
  struct table *t = section_table (r, &methods);
  table_set_text (t, "name", section_method_name, r->s);
  table_set_ties (t, section_compare_methods, r->s);
  if (c->has_stacks && r->view->traces)
    table_set_detail (t, put_callers, r);
  for (guint i = 0; i < c->methods->len; i++) {
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, i);
    if (sum->calls != 0)
      SECTION_ROW_ID (t, i, { .number = sum->total_ns }, { .number = sum->self_ns },
                      { .number = sum->calls }, { .number = i });
  }
  table_write (t, r->e);
  if (mode.threshold_ns != 0)
    put_threads (r);
  if (mode.threshold_ns != 0 && !mode.is_exact)
    put_untimed (r);
  emitter_close (r->e);
}

const struct section section_calls = { .key = "calls",
                                       .alias = "call",
                                       .put = put_calls,
                                       .tables = SECTION_TABLES (&methods, &threads, &untimed) };
