/* test-span-places.c -- where spans were; computed by hand. */
#include "config.h"

#include "decoder/mlpd/index/span-places.h"
#include "tests/unit/test.h"

TEST (test_places)
{
  struct span_places *p = span_places_new ();
  span_places_add (p, 1, 50, 60);
  span_places_add (p, 1, 10, 30);
  span_places_add (p, 1, 15, 20);
  span_places_add (p, 1, 30, 40);
  span_places_add (p, 2, 100, UINT64_MAX);
  span_places_sort (p);
  static const struct {
    uint64_t thread, time;
    bool has;
  } cases[] = { { 1, 9, false },  { 1, 10, true },  { 1, 25, true },   { 1, 40, true },
                { 1, 41, false }, { 1, 50, true },  { 1, 60, true },   { 1, 61, false },
                { 2, 99, false }, { 2, 100, true }, { 2, 1000, true }, { 3, 10, false } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_int_equal (span_places_has (p, cases[i].thread, cases[i].time), cases[i].has);
  span_places_free (p);
}
