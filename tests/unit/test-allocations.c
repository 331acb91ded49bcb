/* test-allocations.c -- objects and bytes by type, and the types of objects by address. */
#include "tests/unit/log-script.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { NODE = 0x1000, LEAF = 0x2000, OBJECT = 0x70000 };

static void
expect_type (const struct summary *s, uint64_t klass, uint64_t objects, uint64_t bytes)
{
  const struct type_sum *sum
      = type_sums_get (s->allocations.types, symbol_of (s, SYMBOL_CLASS, klass));
  assert_int_equal (sum->objects, objects);
  assert_int_equal (sum->bytes, bytes);
}

static void
test_sums (void **state)
{
  (void) state;
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
allocate (struct allocations *a, uint64_t object, guint klass)
{
  const struct mlpd_alloc event = { .object = object, .size = 8 };
  allocations_alloc (a, klass, &event);
}

static void
expect_class (const struct allocations *a, uint64_t object, int klass)
{
  guint found = 12345;
  assert_int_equal (allocations_find_class (a, object, &found), klass >= 0);
  assert_int_equal (found, klass >= 0 ? klass : 12345);
}

static void
move (struct allocations *a, uint64_t from, uint64_t to)
{
  const uint64_t objects[] = { from, to };
  allocations_move (a, (struct mlpd_list){ objects, 2 });
}

static void
test_classes_of_objects (void **state)
{
  (void) state;
  struct allocations a;
  allocations_init (&a);
  expect_class (&a, OBJECT, -1);
  move (&a, OBJECT, OBJECT + 8);
  allocate (&a, OBJECT, 5);
  expect_class (&a, OBJECT, 5);
  expect_class (&a, OBJECT + 8, -1);
  expect_class (&a, 0, -1);
  allocate (&a, OBJECT, 0); /* the collector had taken the first one */
  expect_class (&a, OBJECT, 0);
  allocations_clear (&a);
}

/* Objects take their class along when they are moved. */
static void
test_moved_objects (void **state)
{
  (void) state;
  struct allocations a;
  allocations_init (&a);
  allocate (&a, 0x1000, 1);
  allocate (&a, 0x2000, 2);
  move (&a, 0x1000, 0x5000);
  expect_class (&a, 0x1000, -1);
  expect_class (&a, 0x5000, 1);
  /* Onto a place that another object had: what came there is known ... */
  move (&a, 0x5000, 0x2000);
  expect_class (&a, 0x2000, 1);
  /* ... or is not, and then must not pass for what was there before. */
  move (&a, 0x9000, 0x2000);
  expect_class (&a, 0x2000, -1);
  move (&a, 0, 0x3000);
  expect_class (&a, 0x3000, -1);
  /* Half a pair moves nothing. */
  const uint64_t odd[] = { 0x1000, 0x1008, 0x4000 };
  allocate (&a, 0x4000, 4);
  allocations_move (&a, (struct mlpd_list){ odd, 3 });
  expect_class (&a, 0x4000, 4);
  allocations_clear (&a);
}

/* Old objects give way; no object is ever taken for another. */
static void
test_bounded (void **state)
{
  (void) state;
  enum { OBJECTS = 1 << 20 };
  struct allocations a;
  allocations_init (&a);
  for (uint64_t i = 1; i <= OBJECTS; i++)
    allocate (&a, i * 8, (guint) (i % 1000));
  guint known = 0, klass;
  for (uint64_t i = 1; i <= OBJECTS; i++)
    if (allocations_find_class (&a, i * 8, &klass)) {
      assert_int_equal (klass, i % 1000);
      known++;
    }
  assert_true (known >= 1000 && known <= 65536);
  expect_class (&a, (uint64_t) OBJECTS * 8, OBJECTS % 1000);
  allocations_clear (&a);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_sums),
    cmocka_unit_test (test_classes_of_objects),
    cmocka_unit_test (test_moved_objects),
    cmocka_unit_test (test_bounded),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
