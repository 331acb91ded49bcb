/* test-ghc-threads.c -- the states of the threads of an eventlog.  Times are computed by hand. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-threads.h"
#include "tests/unit/ghc-events.h"
#include "tests/unit/test.h"

#include <string.h>

static struct ghc_thread *
thread (const struct ghc_threads *t, uint32_t id)
{
  struct ghc_thread *found = g_hash_table_lookup (t->by_id, GUINT_TO_POINTER (id));
  assert_non_null (found);
  return found;
}

static void
expect_wait (const struct ghc_thread *t, enum ghc_wait wait, uint64_t count, uint64_t total,
             uint64_t max)
{
  assert_int_equal (t->waits[wait].count, count);
  assert_int_equal (t->waits[wait].total_ns, total);
  assert_int_equal (t->waits[wait].max_ns, max);
}

static void
expect_pair (const struct ghc_thread_pairs *pairs, guint place, uint32_t from, uint32_t to,
             uint64_t count, uint64_t ns)
{
  GPtrArray *all = ghc_threads_pairs (pairs);
  assert_true (place < all->len);
  const struct ghc_thread_pair *pair = g_ptr_array_index (all, place);
  assert_int_equal (pair->from, from);
  assert_int_equal (pair->to, to);
  assert_int_equal (pair->count, count);
  assert_int_equal (pair->total_ns, ns);
  g_ptr_array_unref (all);
}

/* Thread 1 waits for an MVar, of which thread 2 relieves it; thread 2 gives way at 420. */
static void
two_threads (struct ghc_threads *t)
{
  ghc_threads_item (t, CREATE (0, 100, 1));
  ghc_threads_item (t, RUN (0, 150, 1));
  ghc_threads_item (t, LABEL (0, 160, 1, "one"));
  ghc_threads_item (t, CREATE (0, 200, 2));
  ghc_threads_item (t, STOP (0, 250, 1, MVAR));
  ghc_threads_item (t, RUN (0, 260, 2));
  ghc_threads_item (t, WAKE (0, 400, 1, 0));
  ghc_threads_item (t, STOP (0, 420, 2, YIELDING));
  ghc_threads_item (t, RUN (0, 450, 1));
  ghc_threads_item (t, STOP (0, 500, 1, FINISHED));
  ghc_threads_finish (t);
}

TEST (test_times)
{
  struct ghc_threads t;
  ghc_threads_init (&t, 0, UINT64_MAX);
  two_threads (&t);
  const struct ghc_thread *one = thread (&t, 1), *two = thread (&t, 2);
  assert_int_equal (one->run_ns, 150);
  assert_int_equal (one->runs, 2);
  expect_wait (one, GHC_WAIT_CPU, 2, 100, 50);
  expect_wait (one, GHC_WAIT_MVAR, 1, 150, 150);
  assert_int_equal (one->wakes.count, 1);
  assert_int_equal (one->wakes.total_ns, 50);
  assert_int_equal (one->made, 100);
  assert_int_equal (one->maker, 0);
  assert_int_equal (one->finished, 500);
  assert_int_equal (one->state, GHC_THREAD_FINISHED);
  assert_string_equal (ghc_threads_label (&t, 1), "one");
  assert_null (ghc_threads_label (&t, 2));
  assert_int_equal (two->maker, 1);
  assert_int_equal (two->run_ns, 160);
  expect_wait (two, GHC_WAIT_CPU, 2, 60 + 80, 80);
  assert_int_equal (two->state, GHC_THREAD_WAITS);
  assert_int_equal (two->wakes.count, 0);
  expect_pair (&t.wakers, 0, 2, 1, 1, 150);
  struct ghc_thread sum;
  ghc_threads_sum (&t, &sum);
  assert_int_equal (sum.run_ns, 310);
  assert_int_equal (ghc_threads_cap_run_ns (&t, 0), 310);
  assert_int_equal (ghc_threads_cap_run_ns (&t, 1), 0);
  ghc_threads_clear (&t);
}

/* From 200 to 460 only. */
TEST (test_interval)
{
  struct ghc_threads t;
  ghc_threads_init (&t, 200, 460);
  two_threads (&t);
  const struct ghc_thread *one = thread (&t, 1);
  assert_int_equal (one->run_ns, 50 + 10);
  assert_int_equal (one->runs, 1);
  expect_wait (one, GHC_WAIT_CPU, 1, 50, 50);
  expect_wait (one, GHC_WAIT_MVAR, 1, 150, 150);
  assert_int_equal (one->wakes.count, 1);
  expect_wait (thread (&t, 2), GHC_WAIT_CPU, 2, 60 + 40, 60);
  assert_int_equal (one->state, GHC_THREAD_FINISHED);
  assert_int_equal (one->end_state, GHC_THREAD_RUNS);
  ghc_threads_clear (&t);
  /* Nothing but a wait. */
  ghc_threads_init (&t, 300, 390);
  two_threads (&t);
  expect_wait (thread (&t, 1), GHC_WAIT_MVAR, 0, 90, 90);
  assert_int_equal (thread (&t, 1)->end_state, GHC_THREAD_WAITS);
  assert_int_equal (thread (&t, 1)->end_wait, GHC_WAIT_MVAR);
  GPtrArray *all = ghc_threads_all (&t);
  assert_int_equal (all->len, 2);
  g_ptr_array_unref (all);
  ghc_threads_clear (&t);
  /* After all. */
  ghc_threads_init (&t, 501, 600);
  two_threads (&t);
  all = ghc_threads_all (&t);
  assert_int_equal (all->len, 0);
  g_ptr_array_unref (all);
  ghc_threads_clear (&t);
}

struct runnable {
  uint32_t thread;
  uint64_t from, to;
};

static void
add_runnable (void *data, const struct ghc_thread *t, uint64_t from, uint64_t to)
{
  const struct runnable one = { t->id, from, to };
  g_array_append_val ((GArray *) data, one);
}

/* Each time in which a thread could run comes, as far as it is in the interval. */
TEST (test_runnable)
{
  static const struct runnable expected[] = { { 2, 200, 260 }, { 1, 400, 450 }, { 2, 420, 460 } };
  struct ghc_threads t;
  ghc_threads_init (&t, 200, 460);
  t.runnable = add_runnable;
  t.data = g_array_new (FALSE, FALSE, sizeof (struct runnable));
  two_threads (&t);
  const GArray *all = t.data;
  assert_int_equal (all->len, G_N_ELEMENTS (expected));
  for (guint i = 0; i < all->len; i++) {
    const struct runnable *one = &g_array_index (all, struct runnable, i);
    assert_int_equal (one->thread, expected[i].thread);
    assert_int_equal (one->from, expected[i].from);
    assert_int_equal (one->to, expected[i].to);
  }
  g_array_unref (t.data);
  ghc_threads_clear (&t);
}

/* Thread 2 waits for a value that thread 1 computes, twice; once no one knows for whom. */
TEST (test_black_holes)
{
  struct ghc_threads t;
  ghc_threads_init (&t, 0, UINT64_MAX);
  ghc_threads_item (&t, RUN (1, 10, 2));
  ghc_threads_item (&t, STOP_INFO (1, 20, 2, GHC_STOP_STATUS_BLACK_HOLE, 1));
  ghc_threads_item (&t, WAKE (0, 50, 2, 1));
  ghc_threads_item (&t, RUN (1, 60, 2));
  ghc_threads_item (&t, STOP_INFO (1, 70, 2, GHC_STOP_STATUS_BLACK_HOLE, 1));
  ghc_threads_item (&t, RUN (1, 80, 2));
  ghc_threads_item (&t, STOP_INFO (1, 90, 2, GHC_STOP_STATUS_BLACK_HOLE, 0));
  ghc_threads_item (&t, RUN (1, 95, 2));
  ghc_threads_finish (&t);
  expect_pair (&t.owners, 0, 0, 2, 1, 5);
  expect_pair (&t.owners, 1, 1, 2, 2, 40);
  expect_pair (&t.wakers, 0, 0, 2, 1, 30);
  expect_wait (thread (&t, 2), GHC_WAIT_BLACK_HOLE, 3, 45, 30);
  ghc_threads_clear (&t);
}

/* Across capabilities; a thread that is woken up where it does not run, and moves. */
TEST (test_capabilities)
{
  struct ghc_threads t;
  ghc_threads_init (&t, 0, UINT64_MAX);
  ghc_threads_item (&t, RUN (0, 0, 1));
  ghc_threads_item (&t, RUN (1, 5, 2));
  ghc_threads_item (&t, STOP (1, 10, 2, STM));
  ghc_threads_item (&t, WAKE (0, 30, 2, 1));
  ghc_threads_item (&t, WAKE (0, 32, 2, 1)); /* again */
  ghc_threads_item (&t, MIGRATE (1, 35, 2, 0));
  ghc_threads_item (&t, STOP (0, 40, 1, FOREIGN_CALL));
  ghc_threads_item (&t, RUN (0, 45, 2));
  ghc_threads_item (&t, STOP (0, 47, 2, HEAP_OVERFLOW));
  ghc_threads_item (&t, RUN (0, 100, 1));
  ghc_threads_finish (&t);
  const struct ghc_thread *one = thread (&t, 1), *two = thread (&t, 2);
  assert_int_equal (two->migrations, 1);
  assert_int_equal (two->cap, 0);
  assert_int_equal (two->run_ns, 5 + 2);
  expect_wait (two, GHC_WAIT_STM, 1, 20, 20);
  expect_wait (two, GHC_WAIT_CPU, 2, 15 + 53, 53);
  assert_int_equal (two->wakes.total_ns, 15);
  expect_pair (&t.wakers, 0, 1, 2, 1, 20);
  assert_int_equal (one->run_ns, 40);
  expect_wait (one, GHC_WAIT_FOREIGN_CALL, 1, 60, 60);
  assert_int_equal (one->state, GHC_THREAD_RUNS);
  ghc_threads_clear (&t);
}

/* Unknown time counts for nothing: a stop without a run, a run without a stop, and the time while
 * nothing was recorded. */
TEST (test_gaps)
{
  struct ghc_threads t;
  ghc_threads_init (&t, 0, UINT64_MAX);
  const struct ghc_item header = { .type = GHC_ITEM_HEADER };
  ghc_threads_item (&t, &header);
  ghc_threads_item (&t, STOP (0, 100, 1, MVAR)); /* it ran for an unknown time */
  ghc_threads_item (&t, RUN (0, 110, 1));
  ghc_threads_item (&t, RUN (0, 200, 2)); /* when 1 stopped was lost */
  ghc_threads_item (&t, STOP (0, 220, 2, MVAR));
  ghc_threads_item (&t, RUN (0, 230, 3));
  ghc_threads_item (&t, &header);
  ghc_threads_item (&t, STOP (0, 1000, 3, YIELDING));
  ghc_threads_item (&t, RUN (0, 1010, 2));
  ghc_threads_item (&t, CREATE (0, 1020, 2)); /* a reminder */
  ghc_threads_item (&t, STOP (0, 1030, 2, FINISHED));
  ghc_threads_finish (&t);
  assert_int_equal (thread (&t, 1)->run_ns, 0);
  expect_wait (thread (&t, 1), GHC_WAIT_MVAR, 1, 10, 10);
  assert_int_equal (thread (&t, 2)->run_ns, 20 + 20);
  expect_wait (thread (&t, 2), GHC_WAIT_MVAR, 1, 10, 10);
  assert_int_equal (thread (&t, 2)->made, 0);
  assert_int_equal (thread (&t, 3)->run_ns, 0);
  expect_wait (thread (&t, 3), GHC_WAIT_CPU, 1, 30, 30);
  ghc_threads_clear (&t);
}

/* The reasons for which threads stop, and those of GHC 7.8.2. */
TEST (test_reasons)
{
  static const struct {
    uint16_t status, status_7_8_2; /* 0: it has none */
    enum ghc_wait wait;
  } reasons[] = {
    { 1, 1, GHC_WAIT_CPU },           { 2, 2, GHC_WAIT_CPU },          { 3, 3, GHC_WAIT_CPU },
    { 4, 4, GHC_WAIT_OTHER },         { 6, 6, GHC_WAIT_FOREIGN_CALL }, { 7, 7, GHC_WAIT_MVAR },
    { 8, 9, GHC_WAIT_BLACK_HOLE },    { 9, 10, GHC_WAIT_READ },        { 10, 11, GHC_WAIT_WRITE },
    { 11, 12, GHC_WAIT_DELAY },       { 12, 13, GHC_WAIT_STM },        { 13, 14, GHC_WAIT_OTHER },
    { 16, 0, GHC_WAIT_FOREIGN_CALL }, { 18, 17, GHC_WAIT_THROW_TO },   { 19, 18, GHC_WAIT_CPU },
    { 20, 8, GHC_WAIT_READ_MVAR },    { 77, 0, GHC_WAIT_OTHER }
  };
  for (size_t i = 0; i < G_N_ELEMENTS (reasons); i++)
    for (int is_7_8_2 = 0; is_7_8_2 < 2; is_7_8_2++) {
      const struct ghc_header header = { .is_7_8_2 = is_7_8_2 };
      const uint16_t status = is_7_8_2 ? reasons[i].status_7_8_2 : reasons[i].status;
      struct ghc_item stop = *STOP_INFO (0, 30, 1, status, 0);
      struct ghc_threads t;
      if (status == 0)
        continue;
      stop.header = &header;
      ghc_threads_init (&t, 0, UINT64_MAX);
      ghc_threads_item (&t, RUN (0, 10, 1));
      ghc_threads_item (&t, &stop);
      assert_int_equal (thread (&t, 1)->wait, reasons[i].wait);
      ghc_threads_clear (&t);
    }
}

/* Of many threads those that have finished and have no name are only in the sums. */
TEST (test_many)
{
  struct ghc_threads t;
  struct ghc_thread sum;
  const uint32_t more = 10;
  ghc_threads_init (&t, 0, UINT64_MAX);
  for (uint32_t id = 1; id <= GHC_THREADS_MAX + more; id++) {
    ghc_threads_item (&t, RUN (0, 10 * (uint64_t) id, id));
    ghc_threads_item (&t, STOP (0, 10 * (uint64_t) id + 3, id, FINISHED));
  }
  ghc_threads_finish (&t);
  assert_int_equal (t.folded, more);
  assert_int_equal (g_hash_table_size (t.by_id), GHC_THREADS_MAX);
  ghc_threads_sum (&t, &sum);
  assert_int_equal (sum.run_ns, 3 * (GHC_THREADS_MAX + more));
  assert_int_equal (sum.runs, GHC_THREADS_MAX + more);
  ghc_threads_clear (&t);
}

/* One thread wakes more threads than there are pairs, each once, and then one 100 times. */
TEST (test_late_pair)
{
  struct ghc_threads t;
  const uint32_t n = GHC_THREADS_MAX + 1000, late = 3;
  ghc_threads_init (&t, 0, UINT64_MAX);
  ghc_threads_item (&t, RUN (0, 1, 1));
  for (uint32_t id = 10; id < 10 + n; id++) {
    ghc_threads_item (&t, RUN (1, id, id));
    ghc_threads_item (&t, STOP (1, id, id, MVAR));
    ghc_threads_item (&t, WAKE (0, id, id, 1));
  }
  for (uint32_t i = 0; i < 100; i++) {
    const uint64_t time = 2 * n + 10 * i;
    ghc_threads_item (&t, RUN (1, time, late));
    ghc_threads_item (&t, STOP (1, time + 1, late, MVAR));
    ghc_threads_item (&t, WAKE (0, time + 6, late, 1));
  }
  ghc_threads_finish (&t);
  const guint place = id_map_find (&t.wakers.numbers, UINT64_C (1) << 32 | late);
  assert_true (place < t.wakers.all->len);
  const struct ghc_thread_pair *pair = &g_array_index (t.wakers.all, struct ghc_thread_pair, place);
  assert_int_equal (pair->count, 100);
  assert_int_equal (pair->total_ns, 500);
  assert_true (t.wakers.all->len <= GHC_THREADS_MAX);
  uint64_t count = 0;
  g_autoptr (GPtrArray) all = ghc_threads_pairs (&t.wakers);
  for (guint i = 0; i < all->len; i++)
    count += ((const struct ghc_thread_pair *) g_ptr_array_index (all, i))->count;
  assert_int_equal (count, n + 100);
  ghc_threads_clear (&t);
}
