/* test-handles.c -- handles by kind, the most at once, and where. */
#include "decoder/analyses/handles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
  WEAK = MLPD_HANDLE_TYPE_WEAK,
  NORMAL = MLPD_HANDLE_TYPE_NORMAL,
  PINNED = MLPD_HANDLE_TYPE_PINNED,
};

static struct handles handles;

/* Each event is 1 later than the one before. */
static uint64_t now;

static int
begin (void **state)
{
  (void) state;
  handles_init (&handles);
  now = 1000;
  return 0;
}

static int
end (void **state)
{
  (void) state;
  handles_clear (&handles);
  return 0;
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
expect (uint64_t kind, uint64_t created, uint64_t destroyed, uint64_t max)
{
  assert_int_equal (handles.kinds[kind].created, created);
  assert_int_equal (handles.kinds[kind].destroyed, destroyed);
  assert_int_equal (handles.kinds[kind].max, max);
}

/* Normal: 1, 2, 1, 2, 3.  Pinned: 1, 0, 1. */
static void
test_kinds (void **state)
{
  (void) state;
  create (NORMAL, TRACE_NONE);
  create (PINNED, TRACE_NONE);
  destroy (PINNED, TRACE_NONE);
  create (NORMAL, TRACE_NONE);
  destroy (NORMAL, TRACE_NONE);
  create (NORMAL, TRACE_NONE);
  create (PINNED, TRACE_NONE);
  create (NORMAL, TRACE_NONE);
  handles_finish (&handles);
  expect (NORMAL, 4, 1, 3);
  expect (PINNED, 2, 1, 1);
  expect (WEAK, 0, 0, 0);
  assert_false (handles.created_at.has_traces);
}

/* In the file the thread that frees comes first: created at 10, 20, 30, destroyed at 15 and 25. */
static void
test_order (void **state)
{
  (void) state;
  now = 15;
  destroy (WEAK, TRACE_NONE);
  now = 25;
  destroy (WEAK, TRACE_NONE);
  for (now = 10; now <= 30; now += 9)
    create (WEAK, TRACE_NONE);
  handles_finish (&handles);
  expect (WEAK, 3, 2, 1);
}

/* A log that begins late knows of fewer handles than there are: -1, 0, 1. */
static void
test_late (void **state)
{
  (void) state;
  destroy (WEAK, TRACE_NONE);
  create (WEAK, TRACE_NONE);
  create (WEAK, TRACE_NONE);
  handles_finish (&handles);
  expect (WEAK, 2, 1, 1);
}

/* Created and destroyed in turn, more often than the window is long, by one thread after the
 * other, each thread's thousand at once in the file. */
static void
test_window (void **state)
{
  (void) state;
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
  expect (NORMAL, ROUNDS * 1000, ROUNDS * 1000, 1);
  assert_int_equal (handles.window->len, 0);
}

static void
test_unknown_kinds (void **state)
{
  (void) state;
  create (4, 0);
  destroy (UINT64_MAX, 0);
  assert_int_equal (handles.of_unknown, 2);
}

static void
test_sites (void **state)
{
  (void) state;
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

#define TEST(test) cmocka_unit_test_setup_teardown (test, begin, end)

int
main (void)
{
  const struct CMUnitTest tests[] = {
    TEST (test_kinds),  TEST (test_order),         TEST (test_late),
    TEST (test_window), TEST (test_unknown_kinds), TEST (test_sites),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
