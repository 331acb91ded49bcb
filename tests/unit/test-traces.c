/* test-traces.c -- equal stacks share a number; sums by key and stack. */
#include "config.h"

#include "decoder/mlpd/model/traces.h"
#include "tests/unit/test.h"

#include <string.h>

static struct traces traces;
static struct trace_sums sums;
static struct symbols symbols; /* methods, numbered by address */

enum { METHODS = 5001 };

static void
begin (void)
{
  traces_init (&traces);
  trace_sums_init (&sums);
  symbols_init (&symbols);
  for (guint i = 0; i < METHODS; i++)
    assert_int_equal (symbols_use (&symbols, SYMBOL_METHOD, 8 * i), i);
}

static void
end (void)
{
  traces_clear (&traces);
  trace_sums_clear (&sums);
  symbols_clear (&symbols);
}

static void
expect_frames (guint trace, const guint *methods, guint n)
{
  guint count;
  const guint *frames = traces_frames (&traces, trace, &count);
  assert_int_equal (count, n);
  for (guint i = 0; i < n; i++)
    assert_int_equal (frames[i], methods[i]);
}

/* Stacks that share a beginning, an end or all methods are different ones. */
TEST_WITH (test_equal_stacks, begin, end)
{
  static const guint deep[] = { 7, 8, 9 }, backwards[] = { 9, 8, 7 };
  assert_int_equal (traces_add (&traces, deep, 3), 0);
  assert_int_equal (traces_add (&traces, deep, 2), 1);
  assert_int_equal (traces_add (&traces, deep + 1, 2), 2);
  assert_int_equal (traces_add (&traces, backwards, 3), 3);
  assert_int_equal (traces_add (&traces, NULL, 0), 4);
  assert_int_equal (traces_add (&traces, deep, 2), 1);
  assert_int_equal (traces_add (&traces, deep, 3), 0);
  assert_int_equal (traces_add (&traces, deep, 0), 4);
  assert_int_equal (traces.frames->len, 3 + 2 + 2 + 3);
  expect_frames (0, deep, 3);
  expect_frames (1, deep, 2);
  expect_frames (2, deep + 1, 2);
  expect_frames (3, backwards, 3);
  expect_frames (4, NULL, 0);
}

/* More than there are slots at first, so the slots must grow, more than once. */
TEST_WITH (test_many, begin, end)
{
  enum { N = 5000 };
  for (int round = 0; round < 2; round++)
    for (guint i = 0; i < N; i++) {
      const guint frames[] = { 1, i, i / 2 };
      assert_int_equal (traces_add (&traces, frames, 3), i);
    }
  assert_int_equal (traces.all->len, N);
  for (guint i = 0; i < N; i++) {
    const guint frames[] = { 1, i, i / 2 };
    expect_frames (i, frames, 3);
  }
}

static void
expect_sum (const GPtrArray *found, guint i, guint trace, uint64_t count, uint64_t bytes)
{
  const struct trace_sum *sum = g_ptr_array_index (found, i);
  assert_int_equal (sum->trace, trace);
  assert_int_equal (sum->count, count);
  assert_int_equal (sum->bytes, bytes);
}

/* Trace i has the frame 5000 - i / 2 * 2, and if it is odd one more: by their frames they come
 * backwards, but in pairs. */
static void
add_traces (guint n)
{
  for (guint i = 0; i < n; i++) {
    const guint frames[] = { 5000 - i / 2 * 2, 1 };
    assert_int_equal (traces_add (&traces, frames, 1 + i % 2), i);
  }
}

/* Key 3: 2 objects of 48 at trace 10, 4 of 40 at trace 11, 2 of 8 without a trace. */
TEST_WITH (test_sums, begin, end)
{
  add_traces (12);
  trace_sums_add (&sums, 3, 10, 1, 40);
  trace_sums_add (&sums, 5, 10, 1, 99);
  trace_sums_add (&sums, 3, 11, 4, 40);
  trace_sums_add (&sums, 3, TRACE_NONE, 2, 8);
  trace_sums_add (&sums, 3, 10, 1, 8);
  GPtrArray *found = trace_sums_for_key (&sums, &traces, &symbols, 3, TRACES_BY_BYTES);
  assert_int_equal (found->len, 3);
  expect_sum (found, 0, 10, 2, 48);
  expect_sum (found, 1, 11, 4, 40);
  expect_sum (found, 2, TRACE_NONE, 2, 8);
  g_ptr_array_free (found, TRUE);
  found = trace_sums_for_key (&sums, &traces, &symbols, 3, TRACES_BY_COUNT);
  expect_sum (found, 0, 11, 4, 40);
  expect_sum (found, 1, 10, 2, 48);
  expect_sum (found, 2, TRACE_NONE, 2, 8);
  g_ptr_array_free (found, TRUE);
  found = trace_sums_for_key (&sums, &traces, &symbols, 5, TRACES_BY_COUNT);
  assert_int_equal (found->len, 1);
  expect_sum (found, 0, 10, 1, 99);
  g_ptr_array_free (found, TRUE);
  found = trace_sums_for_key (&sums, &traces, &symbols, 4, TRACES_BY_COUNT);
  assert_int_equal (found->len, 0);
  g_ptr_array_free (found, TRUE);
  found = trace_sums_for_key (&sums, &traces, &symbols, 1000, TRACES_BY_COUNT);
  assert_int_equal (found->len, 0);
  g_ptr_array_free (found, TRUE);
}

/* Key k gets the traces 0 to 999 with count k, in two rounds. */
TEST_WITH (test_many_sums, begin, end)
{
  add_traces (1000);
  for (int round = 0; round < 2; round++)
    for (guint trace = 0; trace < 1000; trace++)
      for (guint key = 0; key < 5; key++)
        trace_sums_add (&sums, key, trace, key, 1);
  assert_int_equal (sums.all->len, 5000);
  for (guint key = 0; key < 5; key++) {
    GPtrArray *found = trace_sums_for_key (&sums, &traces, &symbols, key, TRACES_BY_COUNT);
    assert_int_equal (found->len, 1000);
    for (guint i = 0; i < 1000; i++)
      expect_sum (found, i, 998 - i / 2 * 2 + i % 2, 2 * key, 2);
    g_ptr_array_free (found, TRUE);
  }
}

static void
name (guint method, const char *name)
{
  symbols_announce (&symbols, SYMBOL_METHOD, 8 * method,
                    (struct mlpd_string){ .text = name, .length = strlen (name) });
}

/* Equal sums come by the names of their methods, whatever numbers these have; of equal names by
 * address, and those without a name last. */
TEST_WITH (test_ties, begin, end)
{
  static const guint methods[] = { 1, 2, 3, 4, 5 };
  name (1, "M");
  name (3, "B");
  name (4, "B");
  name (5, "A");
  for (guint i = G_N_ELEMENTS (methods); i-- > 0;)
    trace_sums_add (&sums, 0, traces_add (&traces, &methods[i], 1), 1, 1);
  GPtrArray *found = trace_sums_for_key (&sums, &traces, &symbols, 0, TRACES_BY_COUNT);
  assert_int_equal (found->len, 5);
  expect_sum (found, 0, 0, 1, 1); /* A */
  expect_sum (found, 1, 2, 1, 1); /* B, the lower address */
  expect_sum (found, 2, 1, 1, 1);
  expect_sum (found, 3, 4, 1, 1); /* M */
  expect_sum (found, 4, 3, 1, 1);
  g_ptr_array_free (found, TRUE);
}
