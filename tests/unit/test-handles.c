/* test-handles.c -- handles by kind, the most at once, and where. */
#include "config.h"

#include "decoder/mlpd/analyses/handles.h"
#include "tests/unit/test.h"

enum {
  WEAK = MLPD_HANDLE_TYPE_WEAK,
  NORMAL = MLPD_HANDLE_TYPE_NORMAL,
  PINNED = MLPD_HANDLE_TYPE_PINNED,
};

static struct handles handles;

/* Each event is 1 later than the one before. */
static uint64_t now;

static void
begin (void)
{
  handles_init (&handles);
  now = 1000;
}

static void
end (void)
{
  handles_clear (&handles);
}

static void
create (uint64_t kind, guint trace)
{
  const struct mlpd_gc_handle_created event = { .time = now++, .handle_type = kind };
  handles_created (&handles, &event, trace);
}

static void
destroy (uint64_t kind, guint trace)
{
  const struct mlpd_gc_handle_destroyed event = { .time = now++, .handle_type = kind };
  handles_destroyed (&handles, &event, trace);
}

static void
expect_handles (uint64_t kind, uint64_t created, uint64_t destroyed, uint64_t max)
{
  assert_int_equal (handles.kinds[kind].created, created);
  assert_int_equal (handles.kinds[kind].destroyed, destroyed);
  assert_int_equal (handles.kinds[kind].max, max);
}

/* Normal: 1, 2, 1, 2, 3.  Pinned: 1, 0, 1. */
TEST_WITH (test_kinds, begin, end)
{
  create (NORMAL, TRACE_NONE);
  create (PINNED, TRACE_NONE);
  destroy (PINNED, TRACE_NONE);
  create (NORMAL, TRACE_NONE);
  destroy (NORMAL, TRACE_NONE);
  create (NORMAL, TRACE_NONE);
  create (PINNED, TRACE_NONE);
  create (NORMAL, TRACE_NONE);
  handles_finish (&handles);
  expect_handles (NORMAL, 4, 1, 3);
  expect_handles (PINNED, 2, 1, 1);
  expect_handles (WEAK, 0, 0, 0);
  assert_false (handles.created_at.has_traces);
}

/* In the file the thread that frees comes first: created at 10, 20, 30, destroyed at 15 and 25. */
TEST_WITH (test_order, begin, end)
{
  now = 15;
  destroy (WEAK, TRACE_NONE);
  now = 25;
  destroy (WEAK, TRACE_NONE);
  for (now = 10; now <= 30; now += 9)
    create (WEAK, TRACE_NONE);
  handles_finish (&handles);
  expect_handles (WEAK, 3, 2, 1);
}

/* A log that begins late knows of fewer handles than there are: -1, 0, 1. */
TEST_WITH (test_late, begin, end)
{
  destroy (WEAK, TRACE_NONE);
  create (WEAK, TRACE_NONE);
  create (WEAK, TRACE_NONE);
  handles_finish (&handles);
  expect_handles (WEAK, 2, 1, 1);
}

/* Created and destroyed in turn, more often than the window is long, by one thread after the
 * other, each thread's thousand at once in the file. */
TEST_WITH (test_window, begin, end)
{
  enum { ROUNDS = HANDLES_WINDOW / 1000 };
  for (uint64_t round = 0; round < ROUNDS; round++) {
    for (uint64_t i = 0; i < 1000; i++) {
      now = round * 100000 + i * 10;
      create (NORMAL, TRACE_NONE);
    }
    for (uint64_t i = 0; i < 1000; i++) {
      now = round * 100000 + i * 10 + 5;
      destroy (NORMAL, TRACE_NONE);
    }
  }
  assert_true (handles.window->len < HANDLES_WINDOW);
  handles_finish (&handles);
  expect_handles (NORMAL, ROUNDS * 1000, ROUNDS * 1000, 1);
  assert_int_equal (handles.window->len, 0);
}

TEST_WITH (test_unknown_kinds, begin, end)
{
  create (4, 0);
  destroy (UINT64_MAX, 0);
  assert_int_equal (handles.of_unknown, 2);
}

TEST_WITH (test_sites, begin, end)
{
  create (NORMAL, 5);
  create (NORMAL, 6);
  create (NORMAL, 6);
  create (PINNED, 5);
  destroy (NORMAL, 7);
  GPtrArray *created
      = trace_sums_for_key (&handles.created_at, NULL, NULL, NORMAL, TRACES_BY_COUNT);
  GPtrArray *destroyed
      = trace_sums_for_key (&handles.destroyed_at, NULL, NULL, NORMAL, TRACES_BY_COUNT);
  assert_int_equal (created->len, 2);
  assert_int_equal (((const struct trace_sum *) created->pdata[0])->trace, 6);
  assert_int_equal (((const struct trace_sum *) created->pdata[0])->count, 2);
  assert_int_equal (((const struct trace_sum *) created->pdata[1])->trace, 5);
  assert_int_equal (((const struct trace_sum *) created->pdata[1])->count, 1);
  assert_int_equal (destroyed->len, 1);
  assert_int_equal (((const struct trace_sum *) destroyed->pdata[0])->trace, 7);
  g_ptr_array_free (created, TRUE);
  g_ptr_array_free (destroyed, TRUE);
}
