/* test-span-costs.c -- spans of threads and their costs; computed by hand. */
#include "config.h"

#include "decoder/mlpd/analyses/span-costs.h"
#include "tests/unit/test.h"

static struct span_costs costs;

static void
edge (uint64_t thread, uint64_t time, enum mlpd_span_edge what, uint64_t id, uint64_t name)
{
  span_costs_edge (&costs, span_costs_thread (&costs, thread, time, true), time,
                   &(const struct mlpd_program_span){ .edge = what, .id = id, .name = name });
}

static void
add (uint64_t thread, uint64_t time, enum span_cost cost, uint64_t amount)
{
  span_costs_add (span_costs_thread (&costs, thread, time, true), cost, amount);
}

static void
init (void)
{
  span_costs_init (&costs, 0, UINT64_MAX);
  span_costs_name (&costs, 1, "request");
  span_costs_name (&costs, 2, "query");
}

static const struct span_name *
name_at (guint i)
{
  return g_ptr_array_index (costs.names, i);
}

static void
check_name (guint i, uint64_t count, uint64_t total_ns, uint64_t own_ns, uint64_t own_objects)
{
  const struct span_name *name = name_at (i);
  assert_int_equal (name->count, count);
  assert_int_equal (name->total_ns, total_ns);
  assert_int_equal (name->own.of[SPAN_WALL_NS], own_ns);
  assert_int_equal (name->own.of[SPAN_OBJECTS], own_objects);
}

/* Thread 1 from 100 to 200: a request from 110 to 160, a query of the same id in it from 120 to
 * 140. */
TEST (test_nested)
{
  init ();
  add (1, 100, SPAN_OBJECTS, 1);
  edge (1, 110, MLPD_SPAN_BEGIN, 7, 1);
  add (1, 115, SPAN_OBJECTS, 2);
  edge (1, 120, MLPD_SPAN_BEGIN, 7, 2);
  add (1, 130, SPAN_OBJECTS, 4);
  edge (1, 140, MLPD_SPAN_END, 7, 0);
  add (1, 150, SPAN_OBJECTS, 8);
  edge (1, 160, MLPD_SPAN_END, 7, 0);
  add (1, 200, SPAN_OBJECTS, 16);
  span_costs_finish (&costs);
  check_name (0, 1, 50, 30, 10);
  check_name (1, 1, 20, 20, 4);
  assert_int_equal (costs.outside.of[SPAN_WALL_NS], 50);
  assert_int_equal (costs.outside.of[SPAN_OBJECTS], 17);
  const struct span_done *request = &g_array_index (name_at (0)->done, struct span_done, 0);
  assert_int_equal (request->id, 7);
  assert_int_equal (request->cost.of[SPAN_OBJECTS], 14);
  assert_int_equal (request->cost.of[SPAN_WALL_NS], 50);
  span_costs_clear (&costs);
}

/* From thread 1, where it is from 110 to 120, to thread 2 from 150 to 160; it ends on thread 1 at
 * 180. */
TEST (test_across)
{
  init ();
  add (1, 100, SPAN_BYTES, 1);
  add (2, 100, SPAN_BYTES, 1);
  edge (1, 110, MLPD_SPAN_BEGIN, 7, 1);
  add (1, 115, SPAN_BYTES, 10);
  edge (1, 120, MLPD_SPAN_LEAVE, 7, 0);
  add (1, 130, SPAN_BYTES, 100);
  edge (2, 150, MLPD_SPAN_ENTER, 7, 0);
  add (2, 155, SPAN_BYTES, 1000);
  edge (2, 160, MLPD_SPAN_LEAVE, 7, 0);
  add (2, 170, SPAN_BYTES, 100);
  edge (1, 180, MLPD_SPAN_END, 7, 0);
  span_costs_finish (&costs);
  assert_int_equal (name_at (0)->count, 1);
  assert_int_equal (name_at (0)->total_ns, 70);
  assert_int_equal (name_at (0)->across_threads, 1);
  assert_int_equal (name_at (0)->own.of[SPAN_WALL_NS], 20);
  assert_int_equal (name_at (0)->own.of[SPAN_BYTES], 1010);
  assert_int_equal (costs.outside.of[SPAN_WALL_NS], 80 + 70 - 20);
  assert_int_equal (costs.outside.of[SPAN_BYTES], 202);
  span_costs_clear (&costs);
}

/* Another thread ends a span where it is; one has no end, one no begin; an id has two names at
 * once. */
TEST (test_unfinished)
{
  init ();
  edge (1, 100, MLPD_SPAN_BEGIN, 1, 1);
  edge (2, 110, MLPD_SPAN_END, 1, 0);
  edge (1, 130, MLPD_SPAN_BEGIN, 2, 1);
  edge (1, 140, MLPD_SPAN_END, 3, 0);
  edge (1, 150, MLPD_SPAN_ENTER, 9, 0);
  edge (1, 150, MLPD_SPAN_BEGIN, 4, 99);
  span_costs_finish (&costs);
  assert_int_equal (name_at (0)->count, 1);
  assert_int_equal (name_at (0)->total_ns, 10);
  assert_int_equal (name_at (0)->across_threads, 1);
  assert_int_equal (name_at (0)->unfinished, 1);
  assert_int_equal (name_at (0)->own.of[SPAN_WALL_NS], 10 + 20);
  assert_string_equal (name_at (2)->name, "(unknown)");
  assert_int_equal (costs.without_begin, 1);
  assert_int_equal (costs.outside.of[SPAN_WALL_NS], 20);
  span_costs_clear (&costs);
}

/* The world is stopped from 120 to 150, as a span from 110 to 130 and one from 130 to 200 are open.
 */
TEST (test_pauses_and_locks)
{
  init ();
  edge (1, 110, MLPD_SPAN_BEGIN, 1, 1);
  span_costs_stop_world (&costs, 120);
  edge (1, 130, MLPD_SPAN_END, 1, 0);
  edge (1, 130, MLPD_SPAN_BEGIN, 2, 2);
  span_costs_start_world (&costs, 150);
  span_costs_lock (span_costs_thread (&costs, 1, 160, true), 160, true);
  span_costs_lock (span_costs_thread (&costs, 1, 175, true), 175, false);
  edge (1, 200, MLPD_SPAN_END, 2, 0);
  span_costs_finish (&costs);
  assert_int_equal (name_at (0)->own.of[SPAN_PAUSE_NS], 10);
  assert_int_equal (name_at (1)->own.of[SPAN_PAUSE_NS], 20);
  assert_int_equal (name_at (1)->own.of[SPAN_PAUSES], 1);
  assert_int_equal (name_at (1)->own.of[SPAN_LOCKS], 1);
  assert_int_equal (name_at (1)->own.of[SPAN_LOCK_NS], 15);
  span_costs_clear (&costs);
}

/* A wait from 100 to 200 is divided at the span from 120 to 170; a hit of 10 ns of processor time
 * at 210 is of that from 205 to 220. */
TEST (test_hits)
{
  const struct span_hit hits[]
      = { { .begin = 200, .end = 210, .cpu_ns = 10 },
          { .begin = 100, .end = 200, .wait_ns = 100, .kind = WAIT_SLEEP } };
  init ();
  GArray *all = g_array_new (FALSE, FALSE, sizeof (struct span_hit));
  g_array_append_vals (all, hits, 2);
  span_costs_set_hits (&costs, 1, all);
  add (1, 100, SPAN_OBJECTS, 1);
  edge (1, 120, MLPD_SPAN_BEGIN, 1, 1);
  edge (1, 170, MLPD_SPAN_END, 1, 0);
  edge (1, 205, MLPD_SPAN_BEGIN, 2, 2);
  edge (1, 220, MLPD_SPAN_END, 2, 0);
  span_costs_finish (&costs);
  assert_int_equal (name_at (0)->own.of[SPAN_WAIT_NS], 50);
  assert_int_equal (name_at (0)->own.of[SPAN_WAITS + WAIT_SLEEP], 50);
  assert_int_equal (name_at (1)->own.of[SPAN_CPU_NS], 10);
  assert_int_equal (name_at (1)->own.of[SPAN_WAIT_NS], 0);
  assert_int_equal (costs.outside.of[SPAN_WAIT_NS], 50);
  span_costs_clear (&costs);
}

TEST (test_percentiles)
{
  static const guint percents[] = { 50, 90, 99, 100 };
  uint64_t values[4];
  init ();
  for (uint64_t i = 1; i <= 200; i++) {
    edge (1, 1000 * i, MLPD_SPAN_BEGIN, i, 1);
    edge (1, 1000 * i + i, MLPD_SPAN_END, i, 0);
  }
  span_costs_finish (&costs);
  span_costs_percentiles (name_at (0), SPAN_COSTS, percents, 4, values);
  assert_int_equal (values[0], 100);
  assert_int_equal (values[1], 180);
  assert_int_equal (values[2], 198);
  assert_int_equal (values[3], 200);
  span_costs_percentiles (name_at (1), SPAN_COSTS, percents, 4, values);
  assert_int_equal (values[3], 0);
  span_costs_clear (&costs);
}

/* A thread ends and another one has its id; times from 150 to 190 count. */
TEST (test_times_and_threads)
{
  span_costs_init (&costs, 150, 190);
  span_costs_name (&costs, 1, "request");
  edge (1, 100, MLPD_SPAN_BEGIN, 1, 1);
  edge (1, 160, MLPD_SPAN_END, 1, 0);
  span_costs_end_thread (&costs, span_costs_thread (&costs, 1, 170, true), 170);
  edge (1, 180, MLPD_SPAN_BEGIN, 2, 1);
  edge (1, 185, MLPD_SPAN_END, 2, 0);
  span_costs_finish (&costs);
  assert_int_equal (name_at (0)->count, 1);
  assert_int_equal (name_at (0)->unfinished, 1);
  assert_int_equal (name_at (0)->own.of[SPAN_WALL_NS], 10 + 5);
  assert_int_equal (costs.outside.of[SPAN_WALL_NS], 10);
  span_costs_clear (&costs);
}
