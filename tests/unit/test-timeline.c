/* test-timeline.c -- intervals, and their sums. */
#include "config.h"

#include "decoder/core/timeline.h"
#include "tests/unit/test.h"

TEST (test_width)
{
  assert_int_equal (timeline_width (0, 10), 1);
  assert_int_equal (timeline_width (9, 10), 1);
  assert_int_equal (timeline_width (10, 10), 2);
  assert_int_equal (timeline_width (20, 10), 5);
  assert_int_equal (timeline_width (999, 100), 10);
  assert_int_equal (timeline_width (1000, 100), 20);
  for (uint64_t span = 1; span < UINT64_MAX / 20; span = span * 7 + 3) {
    const uint64_t width = timeline_width (span, 400);
    assert_true (span / width < 400);
    assert_true (width == 1 || span / (width / 2) + 1 > 160); /* no wider than it has to be */
  }
  assert_true (timeline_width (UINT64_MAX, 400) > UINT64_MAX / 4000);
}

TEST (test_bins)
{
  struct timeline *t = timeline_new (1234, 5678, 100);
  assert_int_equal (t->begin, 1200);
  assert_int_equal (t->bins, 45);
  assert_int_equal (timeline_bin (t, 0), 0);
  assert_int_equal (timeline_bin (t, 99), 0);
  assert_int_equal (timeline_bin (t, 100), 1);
  assert_int_equal (timeline_bin (t, UINT64_MAX), 44);
  timeline_free (t);
  t = timeline_new (0, UINT64_MAX - 1, 1);
  assert_true (t->bins <= TIMELINE_BINS_MAX);
  timeline_free (t);
}

/* A state is cut at the bounds of intervals; its sum is its time. */
TEST (test_lanes)
{
  struct timeline *t = timeline_new (0, 999, 100);
  struct timeline_lane *lane = timeline_add_lane (t, "main");
  timeline_lane_spend (t, lane, TIMELINE_RUN, 50, 320);
  timeline_lane_spend (t, lane, TIMELINE_RUN, 320, 330);
  timeline_lane_spend (t, lane, TIMELINE_RUN, 400, 400);
  timeline_lane_spend (t, lane, TIMELINE_WAIT, 500, 400); /* backwards */
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_RUN, 0), 50);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_RUN, 1), 100);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_RUN, 2), 100);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_RUN, 3), 30);
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_RUN, 4), 0);
  assert_null (lane->ns[TIMELINE_WAIT].values);
  timeline_lane_spend (t, lane, TIMELINE_PAUSE, 950, 1450); /* behind the end */
  assert_int_equal (timeline_lane_ns (lane, TIMELINE_PAUSE, 9), 500);
  /* Memory is for the intervals between the first and the last. */
  assert_int_equal (lane->ns[TIMELINE_PAUSE].room, 1);
  timeline_lane_spend (t, lane, TIMELINE_PAUSE, 610, 630);
  timeline_lane_spend (t, lane, TIMELINE_PAUSE, 430, 450);
  assert_int_equal (lane->ns[TIMELINE_PAUSE].first, 4);
  const uint64_t expected[] = { 0, 0, 0, 0, 20, 0, 20, 0, 0, 500 };
  for (guint bin = 0; bin < 10; bin++)
    assert_int_equal (timeline_lane_ns (lane, TIMELINE_PAUSE, bin), expected[bin]);
  timeline_lane_event (t, lane, 250);
  timeline_lane_event (t, lane, 50);
  timeline_lane_event (t, lane, 299);
  assert_int_equal (timeline_lane_events (lane, 0), 1);
  assert_int_equal (timeline_lane_events (lane, 1), 0);
  assert_int_equal (timeline_lane_events (lane, 2), 2);
  timeline_free (t);
}

/* A level holds until the next one; those of one quantity are added up. */
TEST (test_levels)
{
  struct timeline *t = timeline_new (0, 499, 100);
  struct timeline_series *one = timeline_add_series (t, "a", TIMELINE_BYTES, true);
  struct timeline_series *two = timeline_add_series (t, "b", TIMELINE_BYTES, true);
  double values[5];
  one->quantity = two->quantity = TIMELINE_ALLOCATED;
  one->before = 4;
  timeline_series_put (t, one, 7, 120);
  timeline_series_put (t, one, 9, 180);
  timeline_series_put (t, two, 100, 399);
  timeline_finish (t);
  assert_false (one->known[0]);
  assert_true (timeline_levels (t, TIMELINE_ALL, TIMELINE_ALLOCATED, values));
  assert_true (values[0] == 4 && timeline_level_before (t, TIMELINE_ALL, TIMELINE_ALLOCATED) == 4);
  assert_true (values[1] == 9 && values[2] == 9 && values[3] == 109 && values[4] == 109);
  assert_false (timeline_levels (t, TIMELINE_ALL, TIMELINE_LIVE, values));
  timeline_free (t);
}

/* Times of several that are under way together are added up in each interval. */
TEST (test_series_of_times)
{
  struct timeline *t = timeline_new (0, 299, 100);
  struct timeline_series *series = timeline_add_series (t, "waits", TIMELINE_NS, false);
  double values[3];
  series->quantity = TIMELINE_RUNNABLE;
  timeline_series_spend (t, series, 50, 120);
  timeline_series_spend (t, series, 90, 250);
  timeline_series_spend (t, series, 280, 350); /* behind the end */
  timeline_series_spend (t, series, 20, 20);
  timeline_finish (t);
  assert_true (timeline_levels (t, TIMELINE_ALL, TIMELINE_RUNNABLE, values));
  assert_true (values[0] == 60 && values[1] == 120 && values[2] == 120);
  timeline_free (t);
}

/* A heap ends with its process; its allocations stay. */
TEST (test_ended_process)
{
  struct timeline *t = timeline_new (0, 499, 100);
  struct timeline_series *heap = timeline_add_series (t, "heap", TIMELINE_BYTES, true);
  struct timeline_series *sum = timeline_add_series (t, "sum", TIMELINE_BYTES, true);
  heap->quantity = TIMELINE_HEAP_SIZE;
  sum->quantity = TIMELINE_ALLOCATED;
  timeline_series_put (t, heap, 7, 20);
  timeline_series_put (t, sum, 9, 20);
  timeline_end_process (t, 0, 250);
  timeline_finish (t);
  assert_true (heap->known[2] && heap->values[2] == 7);
  assert_false (heap->known[3] || heap->known[4]);
  assert_true (heap->values[3] == 0 && sum->values[4] == 9 && sum->known[4]);
  timeline_free (t);
}

/* Cells of one row, begin and end are one; sums are those of the beginnings. */
TEST (test_tables)
{
  struct timeline *t = timeline_new (0, 299, 100);
  uint64_t counts[3], amounts[3];
  const uint32_t run = timeline_row (t, TIMELINE_CALLS, TIMELINE_ROOT, timeline_name (t, "Run"));
  const uint32_t below = timeline_row (t, TIMELINE_CALLS, run, timeline_name (t, "Run"));
  assert_int_equal (t->names->len, 1);
  assert_int_not_equal (run, below);
  assert_int_equal (timeline_row (t, TIMELINE_CALLS, run, 0), below);
  timeline_add (t, TIMELINE_CALLS, run, 10, 20, 1, 10);
  timeline_add (t, TIMELINE_CALLS, run, 30, 99, 1, 5);
  timeline_add (t, TIMELINE_CALLS, run, 30, 250, 1, 7);
  timeline_add (t, TIMELINE_CALLS, below, 150, 20, 1, 3); /* ends before it begins */
  timeline_finish (t);
  assert_int_equal (timeline_cells_count (&t->tables[TIMELINE_CALLS].cells), 3);
  timeline_sums (t, TIMELINE_ALL, TIMELINE_CALLS, counts, amounts);
  assert_true (counts[0] == 3 && counts[1] == 1 && counts[2] == 0);
  assert_true (amounts[0] == 22 && amounts[1] == 3 && amounts[2] == 0);
  timeline_free (t);
}

/* Of more pauses than are retained, the longest are. */
TEST (test_pauses)
{
  struct timeline *t = timeline_new (0, 999, 100);
  const uint64_t n = 3 * TIMELINE_EVENTS_MAX;
  for (uint64_t i = 0; i < n; i++)
    timeline_add_pause (t, 0, i, i + (i * 7919 % n) + 1); /* each length once */
  guint longest = 0;
  for (guint i = 0; i < t->pauses.list->len; i++)
    longest += g_array_index (t->pauses.list, struct timeline_pause, i).ns > n - 1000;
  assert_int_equal (longest, 1000);
  assert_int_equal (t->pauses.list->len + t->pauses.left_out, n);
  timeline_finish (t);
  for (guint i = 0; i < 1000; i++)
    assert_int_equal (g_array_index (t->pauses.list, struct timeline_pause, i).ns, n - i);
  timeline_free (t);
}
