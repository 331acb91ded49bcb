/* test-finalizers.c -- phases and objects, a thread each. */
#include "config.h"

#include "decoder/mlpd/analyses/finalizers.h"
#include "tests/unit/test.h"

static struct finalizers finalizers;

static void
begin (void)
{
  finalizers_init (&finalizers);
}

static void
end (void)
{
  finalizers_clear (&finalizers);
}

static void
expect_span (const struct finalizer_span *span, uint64_t count, uint64_t total_ns, uint64_t max_ns)
{
  assert_int_equal (span->count, count);
  assert_int_equal (span->total_ns, total_ns);
  assert_int_equal (span->max_ns, max_ns);
}

/* A phase of 100 with objects of 30 and 50, another of 20 without. */
TEST_WITH (test_spans, begin, end)
{
  finalizers_start (&finalizers, 7, 1000);
  finalizers_object_start (&finalizers, 7, 1005);
  finalizers_object_end (&finalizers, 7, 1035);
  finalizers_object_start (&finalizers, 7, 1040);
  finalizers_object_end (&finalizers, 7, 1090);
  finalizers_end (&finalizers, 7, 1100);
  finalizers_start (&finalizers, 7, 2000);
  finalizers_end (&finalizers, 7, 2020);
  expect_span (&finalizers.all.phases, 2, 120, 100);
  expect_span (&finalizers.all.objects, 2, 80, 50);
}

/* Two threads at the same time; the one of 8 is there first. */
TEST_WITH (test_threads, begin, end)
{
  finalizers_object_start (&finalizers, 8, 1000);
  finalizers_object_start (&finalizers, 7, 1010);
  finalizers_object_end (&finalizers, 8, 1100);
  finalizers_object_end (&finalizers, 7, 1200);
  assert_int_equal (finalizers.threads->len, 2);
  const struct finalizer_sum *first = g_ptr_array_index (finalizers.threads, 0);
  const struct finalizer_sum *second = g_ptr_array_index (finalizers.threads, 1);
  assert_int_equal (first->thread, 8);
  expect_span (&first->objects, 1, 100, 100);
  assert_int_equal (second->thread, 7);
  expect_span (&second->objects, 1, 190, 190);
  expect_span (&finalizers.all.objects, 2, 290, 190);
}

/* An end without a start is nothing; a start without an end counts, and takes no time; nor does
 * one that ends before it starts. */
TEST_WITH (test_halves, begin, end)
{
  finalizers_object_end (&finalizers, 7, 1000);
  finalizers_end (&finalizers, 7, 1000);
  finalizers_object_start (&finalizers, 7, 1010);
  finalizers_object_start (&finalizers, 7, 1020);
  finalizers_object_end (&finalizers, 7, 1025);
  finalizers_object_end (&finalizers, 7, 1030);
  finalizers_start (&finalizers, 7, 1040);
  finalizers_end (&finalizers, 7, 1039);
  expect_span (&finalizers.all.objects, 2, 5, 5);
  expect_span (&finalizers.all.phases, 1, 0, 0);
}
