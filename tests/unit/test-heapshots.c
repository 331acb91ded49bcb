/* test-heapshots.c -- objects and bytes of heap snapshots by type. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/input/log-input.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/query/heap-growth.h"
#include "decoder/mlpd/query/select.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/summary-test.h"

#include <string.h>

enum { NODE = 0x1000, LEAF = 0x2000, GONE = 0x3000, A = 0x70000, B = 0x70100, C = 0x70200 };

static const struct heapshot *
shot (guint index)
{
  assert_true (index < STATE (heapshots)->shots->len);
  return g_ptr_array_index (STATE (heapshots)->shots, index);
}

static void
expect_type (guint index, uint64_t klass, uint64_t objects, uint64_t bytes)
{
  struct type_sums types = shot (index)->types;
  const struct type_sum *sum = type_sums_get (&types, symbol_of (&summary, SYMBOL_CLASS, klass));
  assert_int_equal (sum->objects, objects);
  assert_int_equal (sum->bytes, bytes);
}

static void
expect_shot (guint index, uint64_t time, uint64_t objects, uint64_t bytes, uint64_t classes,
             uint64_t references)
{
  assert_int_equal (shot (index)->time, time);
  assert_int_equal (shot (index)->objects, objects);
  assert_int_equal (shot (index)->bytes, bytes);
  assert_int_equal (shot (index)->classes, classes);
  assert_int_equal (shot (index)->references, references);
}

/* Two snapshots.  In the first A refers to B and C in two records: the second has size 0, goes on
 * with A and is no object.  In the second GONE is gone and NODE is there twice. */
SUMMARY_TEST (test_shots)
{
  const uint64_t b[] = { B }, c[] = { C };
  script_shot_start (&script, 1000);
  script_shot_object (&script, A, NODE, 24, b, 1);
  script_shot_object (&script, A, NODE, 0, c, 1);
  script_shot_object (&script, B, LEAF, 16, NULL, 0);
  script_shot_object (&script, C, GONE, 40, NULL, 0);
  script_shot_end (&script, 1010);
  script_shot_start (&script, 2000);
  script_shot_object (&script, A, NODE, 24, b, 1);
  script_shot_object (&script, B, LEAF, 16, NULL, 0);
  script_shot_object (&script, C, NODE, 24, NULL, 0);
  script_shot_end (&script, 2010);
  script_summarize (&script, &summary);
  assert_int_equal (STATE (heapshots)->shots->len, 2);
  expect_shot (0, 1000, 3, 24 + 16 + 40, 3, 2);
  expect_type (0, NODE, 1, 24);
  expect_type (0, LEAF, 1, 16);
  expect_type (0, GONE, 1, 40);
  expect_shot (1, 2000, 3, 24 + 16 + 24, 2, 1);
  expect_type (1, NODE, 2, 48);
  expect_type (1, LEAF, 1, 16);
  expect_type (1, GONE, 0, 0);
  assert_int_equal (shot (0)->state, HEAPSHOT_COMPLETE);
  assert_int_equal (shot (1)->state, HEAPSHOT_COMPLETE);
  assert_int_equal (summary.log.damages, 0);
}

/* A snapshot goes on in the thread's next buffer; buffers of other threads between do not matter.
 */
SUMMARY_TEST (test_over_buffers)
{
  script_shot_start (&script, 1000);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_buffer (&script, 2, 1000);
  script_alloc (&script, 1001, NODE, A, 24);
  script_buffer (&script, 1, 1005);
  script_shot_object (&script, B, LEAF, 16, NULL, 0);
  script_shot_end (&script, 1010);
  script_summarize (&script, &summary);
  expect_shot (0, 1000, 2, 40, 2, 0);
}

/* Objects outside of a snapshot are not counted in one; that they are there is damage. */
SUMMARY_TEST (test_stray_objects)
{
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_shot_start (&script, 1000);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_shot_end (&script, 1010);
  script_shot_object (&script, B, LEAF, 16, NULL, 0);
  script_buffer (&script, 2, 1000);
  script_shot_end (&script, 1010);
  script_summarize (&script, &summary);
  expect_shot (0, 1000, 1, 24, 1, 0);
  assert_int_equal (STATE (heapshots)->stray_objects, 2);
  assert_int_equal (summary.log.damages, 1);
  assert_non_null (strstr (g_ptr_array_index (summary.log.messages, 0), ": 2 records"));
}

/* Of a part of the log that is no damage: the start may not be selected. */
SUMMARY_TEST (test_stray_objects_of_part)
{
  struct selection selection = { 0 };
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_buffer (&script, 2, 1000);
  script_shot_start (&script, 1010);
  GByteArray *log = script_end (&script);
  struct log_input *input = fixture_input (log->data, log->len);
  g_byte_array_unref (log);
  assert_true (selection_thread (&selection, "1", NULL));
  summary_init (&summary, NULL);
  assert_true (log_selection_scan (&summary, input, 1, &selection, NULL, NULL));
  summary_finish (&summary);
  assert_int_equal (STATE (heapshots)->stray_objects, 1);
  assert_int_equal (summary.log.damages, 0);
  selection_clear (&selection);
  log_input_close (input);
}

/* A snapshot without end, because another starts or the log ends, is reported to be incomplete. */
SUMMARY_TEST (test_incomplete)
{
  script_shot_start (&script, 1000);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_shot_start (&script, 2000);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_shot_end (&script, 2010);
  script_shot_start (&script, 3000);
  script_summarize (&script, &summary);
  expect_shot (0, 1000, 1, 24, 1, 0);
  expect_shot (1, 2000, 1, 24, 1, 0);
  expect_shot (2, 3000, 0, 0, 0, 0);
  assert_int_equal (shot (0)->state, HEAPSHOT_CUT);
  assert_int_equal (shot (1)->state, HEAPSHOT_COMPLETE);
  assert_int_equal (shot (2)->state, HEAPSHOT_CUT);
}

/* No heap is without objects: one that has none is not complete, and in no series. */
SUMMARY_TEST (test_empty)
{
  struct heap_growth growth;
  script_shot_start (&script, 1000);
  script_shot_end (&script, 1010);
  script_shot_start (&script, 2000);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_shot_end (&script, 2010);
  script_summarize (&script, &summary);
  assert_int_equal (shot (0)->state, HEAPSHOT_EMPTY);
  assert_int_equal (shot (1)->state, HEAPSHOT_COMPLETE);
  heap_growth_init (&growth, &summary, 0);
  assert_int_equal (growth.n_shots, 1);
  assert_int_equal (growth.left_out, 1);
  heap_growth_clear (&growth);
}

/* Damage between start and end, here an event that no version has, leaves the rest of its buffer
 * out: the snapshot is damaged, and so is one that is made of two as an end and a start are lost.
 * Damage before, or after, is not the snapshot's. */
SUMMARY_TEST (test_damaged)
{
  static const uint8_t none[] = { 0xff, 0xff };
  const struct scan_options options = { .graphs = &(struct shot_selection){ .last = true } };
  script_bytes (&script, none, sizeof none);
  script_buffer (&script, 1, 1000);
  script_shot_start (&script, 1000);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_shot_end (&script, 1010);
  script_bytes (&script, none, sizeof none);
  script_buffer (&script, 1, 2000);
  script_shot_start (&script, 2000);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_bytes (&script, none, sizeof none);
  script_shot_end (&script, 2010);
  script_shot_start (&script, 3000);
  script_buffer (&script, 1, 3005);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_shot_end (&script, 3010);
  script_summarize_with (&script, &summary, &options);
  assert_int_equal (summary.log.damages, 3);
  assert_int_equal (STATE (heapshots)->shots->len, 2);
  assert_int_equal (shot (0)->state, HEAPSHOT_COMPLETE);
  assert_int_equal (shot (1)->state, HEAPSHOT_DAMAGED);
  assert_int_equal (shot (1)->objects, 2);
  /* The last whole one is the first. */
  struct heap_graph *graph = summary_build_heap (&summary, 0);
  assert_int_equal (graph->index, 1);
  assert_int_equal (graph->state, HEAPSHOT_COMPLETE);
  heap_graph_free (graph);
  /* Nor is it in the series. */
  struct heap_growth growth;
  heap_growth_init (&growth, &summary, 0);
  assert_int_equal (growth.n_shots, 1);
  assert_int_equal (growth.left_out, 1);
  assert_int_equal (growth.indexes[0], 1);
  heap_growth_clear (&growth);
}

/* The world is stopped for each snapshot anew: where the end of one and the start of another are
 * missing without a trace, that distinguishes them. */
SUMMARY_TEST (test_other_stop)
{
  script_shot_start (&script, 1000);
  script_gc (&script, 1001, MLPD_GC_EVENT_START, 1);
  script_shot_object (&script, A, NODE, 24, NULL, 0);
  script_gc (&script, 1002, MLPD_GC_EVENT_END, 1);
  script_shot_object (&script, B, NODE, 24, NULL, 0);
  script_gc (&script, 2000, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_shot_object (&script, C, NODE, 24, NULL, 0);
  script_shot_end (&script, 2010);
  script_summarize (&script, &summary);
  expect_shot (0, 1000, 2, 48, 1, 0);
  assert_int_equal (shot (0)->state, HEAPSHOT_CUT);
  assert_int_equal (STATE (heapshots)->stray_objects, 1);
}
