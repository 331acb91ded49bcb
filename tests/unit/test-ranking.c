/* test-ranking.c -- the order of rows. */
#include "decoder/views/ranking.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void
fill (struct ranking *r)
{
  ranking_init (r);
  ranking_add (r, 0, 5, 9);
  ranking_add (r, 1, 7, 1);
  ranking_add (r, 2, UINT64_MAX, 0);
  ranking_add (r, 3, 5, 10);
  ranking_add (r, 4, 7, 1);
}

static void
test_order (void **state)
{
  (void) state;
  static const guint expected[] = { 2, 1, 4, 3, 0 };
  struct ranking r;
  fill (&r);
  ranking_sort (&r, 0);
  assert_int_equal (r.shown, 5);
  assert_int_equal (ranking_more (&r), 0);
  for (guint i = 0; i < 5; i++)
    assert_int_equal (ranking_at (&r, i), expected[i]);
  ranking_clear (&r);
}

static void
test_limit (void **state)
{
  (void) state;
  struct ranking r;
  fill (&r);
  ranking_sort (&r, 2);
  assert_int_equal (r.shown, 2);
  assert_int_equal (ranking_more (&r), 3);
  assert_int_equal (ranking_at (&r, 1), 1);
  ranking_sort (&r, 5);
  assert_int_equal (ranking_more (&r), 0);
  ranking_sort (&r, 100);
  assert_int_equal (r.shown, 5);
  ranking_clear (&r);
}

int
main (void)
{
  const struct CMUnitTest tests[]
      = { cmocka_unit_test (test_order), cmocka_unit_test (test_limit) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
