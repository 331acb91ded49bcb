/* test-gc.c -- collections and pauses from their phases. */
#include "config.h"

#include "tests/unit/summary-test.h"

enum { MAIN = 1, OTHER = 2 };

static const struct gc *gc = &summary.gc;

static void
expect_collections (int generation, uint64_t collections, uint64_t total_ns, uint64_t max_ns)
{
  assert_int_equal (gc->generations[generation].collections, collections);
  assert_int_equal (gc->generations[generation].total_ns, total_ns);
  assert_int_equal (gc->generations[generation].max_ns, max_ns);
}

static void
expect_pauses (int generation, uint64_t pauses, uint64_t total_ns, uint64_t max_ns)
{
  assert_int_equal (gc->generations[generation].pauses, pauses);
  assert_int_equal (gc->generations[generation].pause_total_ns, total_ns);
  assert_int_equal (gc->generations[generation].pause_max_ns, max_ns);
}

/* One stop: 1000 PRE_STOP, 1010 POST_STOP, 1020 START, 1050 END, 1060 PRE_START, 1075 POST_START:
 * the collection takes 30, the pause 75.  A second one of the same generation takes 10 and 20. */
SUMMARY_TEST (test_order_of_one_stop)
{
  script_gc (&script, 1000, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  script_gc (&script, 1010, MLPD_GC_EVENT_POST_STOP_WORLD, 0);
  script_gc (&script, 1020, MLPD_GC_EVENT_START, 0);
  script_gc (&script, 1050, MLPD_GC_EVENT_END, 0);
  script_gc (&script, 1060, MLPD_GC_EVENT_PRE_START_WORLD, 0);
  script_gc (&script, 1075, MLPD_GC_EVENT_POST_START_WORLD, 0);
  script_gc (&script, 2000, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  script_gc (&script, 2005, MLPD_GC_EVENT_START, 0);
  script_gc (&script, 2015, MLPD_GC_EVENT_END, 0);
  script_gc (&script, 2020, MLPD_GC_EVENT_POST_START_WORLD, 0);
  script_summarize (&script, &summary);
  expect_collections (0, 2, 30 + 10, 30);
  expect_pauses (0, 2, 75 + 20, 75);
  expect_collections (1, 0, 0, 0);
  expect_pauses (1, 0, 0, 0);
}

/* Generation 0 inside of generation 1: 20 of the 100.  The one pause is that of generation 1. */
SUMMARY_TEST (test_nested)
{
  script_gc (&script, 1000, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_gc (&script, 1001, MLPD_GC_EVENT_START, 1);
  script_gc (&script, 1010, MLPD_GC_EVENT_START, 0);
  script_gc (&script, 1030, MLPD_GC_EVENT_END, 0);
  script_gc (&script, 1101, MLPD_GC_EVENT_END, 1);
  script_gc (&script, 1110, MLPD_GC_EVENT_POST_START_WORLD, 1);
  script_summarize (&script, &summary);
  expect_collections (0, 1, 20, 20);
  expect_collections (1, 1, 100, 100);
  expect_pauses (0, 0, 0, 0);
  expect_pauses (1, 1, 110, 110);
}

/* Each thread's phases are its own: MAIN 1000..1100, OTHER 1020..1040 in the buffer between. */
SUMMARY_TEST (test_threads)
{
  script_gc (&script, 1000, MLPD_GC_EVENT_START, 0);
  script_buffer (&script, OTHER, 1010);
  script_gc (&script, 1020, MLPD_GC_EVENT_START, 0);
  script_gc (&script, 1040, MLPD_GC_EVENT_END, 0);
  script_buffer (&script, MAIN, 1090);
  script_gc (&script, 1100, MLPD_GC_EVENT_END, 0);
  script_summarize (&script, &summary);
  expect_collections (0, 2, 100 + 20, 100);
}

/* A concurrent collection may be begun by MAIN (start 1020) and ended by OTHER (1050): it counts,
 * and no time is reported where none is known of the thread. */
SUMMARY_TEST (test_ended_by_another)
{
  script_gc (&script, 1020, MLPD_GC_EVENT_START, 1);
  script_buffer (&script, OTHER, 1040);
  script_gc (&script, 1050, MLPD_GC_EVENT_END, 1);
  script_summarize (&script, &summary);
  expect_collections (1, 1, 0, 0);
}

/* A start without its end counts and takes no time; an end without its start is nothing. */
SUMMARY_TEST (test_halves)
{
  script_gc (&script, 1000, MLPD_GC_EVENT_END, 0);
  script_gc (&script, 1001, MLPD_GC_EVENT_POST_START_WORLD, 0);
  script_gc (&script, 1010, MLPD_GC_EVENT_START, 0);
  script_gc (&script, 1020, MLPD_GC_EVENT_END, 0);
  script_gc (&script, 1030, MLPD_GC_EVENT_END, 0);
  script_gc (&script, 1040, MLPD_GC_EVENT_START, 0);
  script_gc (&script, 1050, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  script_gc (&script, 1070, MLPD_GC_EVENT_POST_START_WORLD, 0);
  script_gc (&script, 1080, MLPD_GC_EVENT_POST_START_WORLD, 0);
  script_gc (&script, 1090, MLPD_GC_EVENT_PRE_STOP_WORLD, 0);
  script_summarize (&script, &summary);
  expect_collections (0, 2, 10, 10);
  expect_pauses (0, 1, 20, 20);
}

SUMMARY_TEST (test_time_runs_backwards)
{
  script_gc (&script, 1000, MLPD_GC_EVENT_START, 0);
  script_gc (&script, 990, MLPD_GC_EVENT_END, 0);
  script_summarize (&script, &summary);
  expect_collections (0, 1, 0, 0);
}

/* No generation that the log may report about reaches beyond those that are retained. */
SUMMARY_TEST (test_senseless_generation)
{
  script_gc (&script, 1000, MLPD_GC_EVENT_START, 8);
  script_gc (&script, 1001, MLPD_GC_EVENT_START, UINT64_MAX);
  script_gc (&script, 1002, MLPD_GC_EVENT_START, 7);
  script_gc (&script, 1003, 99, 0);
  script_summarize (&script, &summary);
  assert_int_equal (gc->events, 4);
  assert_int_equal (gc->ignored, 2);
  expect_collections (7, 1, 0, 0);
}

SUMMARY_TEST (test_sizes_and_moves)
{
  const uint64_t moved[] = { 0x100, 0x200, 0x108, 0x208, 0x110, 0x210 };
  for (int i = 0; i < 3; i++) {
    static const uint64_t sizes[] = { 4096, 1048576, 8192 };
    script_event (&script, MLPD_GC_RESIZE,
                  &(union mlpd_payload){ .gc_resize = { .time = 1000, .size = sizes[i] } });
  }
  script_event (&script, MLPD_GC_MOVE,
                &(union mlpd_payload){ .gc_move = { .time = 1001, .objects = { moved, 6 } } });
  script_move (&script, 1002, 0x300, 0x400);
  script_summarize (&script, &summary);
  assert_int_equal (gc->resizes, 3);
  assert_int_equal (gc->max_heap_bytes, 1048576);
  assert_int_equal (gc->moves, 4); /* objects, not addresses: 3 and 1 */
}
