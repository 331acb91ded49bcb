/* test-gc.c -- collections and pauses from their phases. */
#include "config.h"

#include "decoder/mlpd/analyses/gc.h"
#include "tests/unit/summary-test.h"

enum { MAIN = 1, OTHER = 2 };

static void
expect_collections (int generation, uint64_t collections, uint64_t total_ns, uint64_t max_ns)
{
  assert_int_equal (STATE (gc)->generations[generation].collections, collections);
  assert_int_equal (STATE (gc)->generations[generation].total_ns, total_ns);
  assert_int_equal (STATE (gc)->generations[generation].max_ns, max_ns);
}

static void
expect_pauses (int generation, uint64_t pauses, uint64_t total_ns, uint64_t max_ns)
{
  assert_int_equal (STATE (gc)->generations[generation].pauses.count, pauses);
  assert_int_equal (STATE (gc)->generations[generation].pauses.total_ns, total_ns);
  assert_int_equal (STATE (gc)->generations[generation].pauses.max_ns, max_ns);
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

static void
expect_phase (enum gc_phase phase, uint64_t count, uint64_t total_ns, uint64_t max_ns)
{
  assert_int_equal (STATE (gc)->phases[phase].count, count);
  assert_int_equal (STATE (gc)->phases[phase].total_ns, total_ns);
  assert_int_equal (STATE (gc)->phases[phase].max_ns, max_ns);
}

static void
script_pause (uint64_t start, uint64_t stopped, uint64_t restart, uint64_t end, int generation)
{
  script_gc (&script, start, MLPD_GC_EVENT_PRE_STOP_WORLD, generation);
  script_gc (&script, stopped, MLPD_GC_EVENT_POST_STOP_WORLD, generation);
  script_gc (&script, restart, MLPD_GC_EVENT_PRE_START_WORLD, generation);
  script_gc (&script, end, MLPD_GC_EVENT_POST_START_WORLD, generation);
}

/* Pauses of 10 + 40 + 5 and 30 + 20 + 15.  Of the third one it is not known when the threads stood
 * still, of the fourth one when they were started. */
SUMMARY_TEST (test_phases)
{
  script_pause (1000, 1010, 1050, 1055, 0);
  script_pause (2000, 2030, 2050, 2065, 1);
  script_gc (&script, 3000, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_gc (&script, 3020, MLPD_GC_EVENT_PRE_START_WORLD, 1);
  script_gc (&script, 3030, MLPD_GC_EVENT_POST_START_WORLD, 1);
  script_gc (&script, 4000, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_gc (&script, 4020, MLPD_GC_EVENT_POST_STOP_WORLD, 1);
  script_gc (&script, 4030, MLPD_GC_EVENT_POST_START_WORLD, 1);
  script_summarize (&script, &summary);
  expect_phase (GC_PHASE_STOP, 2, 40, 30);
  expect_phase (GC_PHASE_COLLECT, 2, 60, 40);
  expect_phase (GC_PHASE_RESTART, 2, 20, 15);
  expect_pauses (0, 1, 55, 55);
  expect_pauses (1, 3, 65 + 30 + 30, 65);
}

#define MS UINT64_C (1000000)

static void
script_size (uint64_t time, uint64_t bytes)
{
  script_event (&script, MLPD_GC_RESIZE,
                &(union mlpd_payload){ .gc_resize = { .time = time, .size = bytes } });
}

/* Pauses of 2 and 1 ms of MAIN, and between them one of 3 ms of OTHER, whose buffer stands after
 * both: 2 + 3 ms of the 10 ms that end at 9, or 3 + 1 ms of those that begin at 6.  A resize within
 * a pause is the size after it; the first pause found an unknown size. */
SUMMARY_TEST (test_order_of_pauses)
{
  script_pause (1 * MS, 1 * MS, 2 * MS, 3 * MS, 0);
  script_size (3 * MS, 1000);
  script_pause (15 * MS, 15 * MS, 16 * MS, 16 * MS, 0);
  script_buffer (&script, OTHER, 5 * MS);
  script_gc (&script, 6 * MS, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_size (8 * MS, 5000);
  script_gc (&script, 9 * MS, MLPD_GC_EVENT_POST_START_WORLD, 1);
  script_size (10 * MS, 3000);
  script_summarize (&script, &summary);
  assert_int_equal (utilisation_paused (&STATE (gc)->utilisation, UTILISATION_FIRST), MS);
  assert_int_equal (
      utilisation_paused (&STATE (gc)->utilisation, UTILISATION_FIRST + UTILISATION_STEP), 5 * MS);
  assert_int_equal (
      utilisation_paused (&STATE (gc)->utilisation, UTILISATION_FIRST + 2 * UTILISATION_STEP),
      6 * MS);
  const struct heap_sizes *young = &STATE (gc)->generations[0].heap,
                          *old = &STATE (gc)->generations[1].heap;
  assert_int_equal (young->count, 1);
  assert_int_equal (young->before_bytes, 3000);
  assert_int_equal (young->after_bytes, 3000);
  assert_int_equal (old->count, 1);
  assert_int_equal (old->before_max, 1000);
  assert_int_equal (old->after_max, 5000);
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
  assert_int_equal (STATE (gc)->events, 4);
  assert_int_equal (STATE (gc)->ignored, 2);
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
  assert_int_equal (STATE (gc)->resizes, 3);
  assert_int_equal (STATE (gc)->max_heap_bytes, 1048576);
  assert_int_equal (STATE (gc)->moves, 4); /* objects, not addresses: 3 and 1 */
}
