/* test-steady-growth.c -- sizes of known shapes. */
#include "config.h"

#include "decoder/core/steady-growth.h"
#include "tests/unit/test.h"

#define GROWS(...)                                                                                 \
  steady_growth ((const double[]){ __VA_ARGS__ },                                                  \
                 sizeof ((const double[]){ __VA_ARGS__ }) / sizeof (double))

TEST (growth)
{
  assert_true (GROWS (1, 2, 3));
  assert_true (GROWS (0, 1, 2, 3, 4, 5, 6, 7));
  assert_true (GROWS (1, 2, 4, 8, 16, 32, 64, 128));    /* faster and faster */
  assert_true (GROWS (10, 14, 17, 20, 22, 24, 26, 28)); /* its square root */
  assert_true (GROWS (1, 2, 3, 3, 5, 6, 7, 8));         /* stands once */
}

TEST (no_growth)
{
  assert_false (GROWS (1));
  assert_false (GROWS (1, 2)); /* too few */
  assert_false (GROWS (3, 2, 1));
  assert_false (GROWS (5, 5, 5, 5));
  assert_false (GROWS (1, 2, 3, 4, 5, 5, 5, 5));         /* full */
  assert_false (GROWS (1, 2, 3, 4, 5, 6, 7, 7));         /* full at the end */
  assert_false (GROWS (1, 2, 3, 4, 5, 4, 3, 2));         /* falls */
  assert_false (GROWS (1, 5, 8, 9, 9.2, 9.4, 9.6, 9.8)); /* slows down */
  assert_false (GROWS (1, 3, 2, 4, 3, 5, 4, 6));         /* a saw */
}
