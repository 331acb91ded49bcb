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
