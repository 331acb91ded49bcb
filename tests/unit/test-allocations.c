/* test-allocations.c -- objects and bytes by type. */
#include "config.h"

#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

enum { NODE = 0x1000, LEAF = 0x2000, OBJECT = 0x70000 };

static void
expect_type (struct summary *s, uint64_t klass, uint64_t objects, uint64_t bytes)
{
  const struct type_sum *sum
      = type_sums_get (&s->allocations.types, symbol_of (s, SYMBOL_CLASS, klass));
  assert_int_equal (sum->objects, objects);
  assert_int_equal (sum->bytes, bytes);
}

TEST (test_sums)
{
  struct script log;
  struct summary s;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_class (&log, 1000, NODE, "Node");
  script_alloc (&log, 1001, NODE, OBJECT, 24);
  script_alloc (&log, 1002, LEAF, OBJECT + 24, 16);
  script_buffer (&log, 2, 1000);
  script_alloc (&log, 1003, NODE, OBJECT + 64, 40);
  script_alloc (&log, 1004, LEAF, OBJECT + 128, UINT64_C (5000000000));
  script_summarize (&log, &s);
  assert_int_equal (s.allocations.objects, 4);
  assert_int_equal (s.allocations.bytes, UINT64_C (24 + 16 + 40 + 5000000000));
  expect_type (&s, NODE, 2, 24 + 40);
  expect_type (&s, LEAF, 2, UINT64_C (16 + 5000000000));
  summary_clear (&s);
}

static void
expect_size (const struct summary *s, guint class, uint64_t objects, uint64_t bytes)
{
  assert_int_equal (s->allocations.sizes[class].objects, objects);
  assert_int_equal (s->allocations.sizes[class].bytes, bytes);
}

/* A class begins with a power of two; 0 is one of its own.  Threads have their own sums, also where
 * they have several buffers. */
TEST (test_groups)
{
  static const uint64_t sizes[] = { 0, 1, 2, 3, 4, 7, 8, UINT64_C (1) << 40 };
  const struct scan_options options = { .alloc_groups = true };
  struct script log;
  struct summary s;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_class (&log, 1000, NODE, "Node");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    script_alloc (&log, 1001 + i, NODE, OBJECT + 64 * i, sizes[i]);
  script_buffer (&log, 2, 1000);
  for (guint i = 0; i < 100; i++)
    script_alloc (&log, 1101 + i, NODE, OBJECT + 4096 + 64 * i, 5);
  script_buffer (&log, 1, 2000);
  script_alloc (&log, 2003, NODE, OBJECT, 6);
  script_summarize_with (&log, &s, &options);
  expect_size (&s, 0, 1, 0);
  expect_size (&s, 1, 1, 1);
  expect_size (&s, 2, 2, 5);
  expect_size (&s, 3, 2 + 100 + 1, 4 + 7 + 500 + 6);
  expect_size (&s, 4, 1, 8);
  expect_size (&s, 5, 0, 0);
  expect_size (&s, 41, 1, UINT64_C (1) << 40);
  assert_int_equal (s.allocations.objects, 8 + 100 + 1);
  expect_type (&s, NODE, 8 + 100 + 1, 25 + (UINT64_C (1) << 40) + 500 + 6);
  const struct thread *first = threads_get (&s.threads, 1), *second = threads_get (&s.threads, 2);
  assert_int_equal (first->allocated_objects, 9);
  assert_int_equal (first->allocated_bytes, 25 + (UINT64_C (1) << 40) + 6);
  assert_int_equal (second->allocated_objects, 100);
  assert_int_equal (second->allocated_bytes, 500);
  summary_clear (&s);
}
