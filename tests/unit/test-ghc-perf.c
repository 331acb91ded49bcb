/* test-ghc-perf.c -- sums of the events of perf. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-perf.h"
#include "tests/unit/test.h"

#include <string.h>

static void
count (struct ghc_perf *perf, uint32_t number, uint64_t period, bool counts)
{
  const union ghc_payload p = { .perf_counter = { .number = number, .period = period } };
  ghc_perf_event (perf, GHC_PERF_COUNTER, &p, counts);
}

static void
hit (struct ghc_perf *perf, uint32_t number, bool counts)
{
  const union ghc_payload p = { .perf_tracepoint = { .number = number } };
  ghc_perf_event (perf, GHC_PERF_TRACEPOINT, &p, counts);
}

/* A name may come late, and counts always; those outside of the selected part do not. */
TEST (test_sums)
{
  struct ghc_perf perf;
  const union ghc_payload name = { .perf_name = { .number = 3, .name = { "cycles", 6 } } };
  ghc_perf_init (&perf);
  count (&perf, 3, 1000, true);
  hit (&perf, 9, true);
  hit (&perf, 9, true);
  count (&perf, 3, 500, true);
  count (&perf, 3, 7, false);
  hit (&perf, 9, false);
  ghc_perf_event (&perf, GHC_PERF_NAME, &name, false);
  assert_int_equal (perf.all->len, 2);
  const struct ghc_perf_event *cycles = &g_array_index (perf.all, struct ghc_perf_event, 0);
  const struct ghc_perf_event *hits = cycles + 1;
  assert_string_equal (cycles->name, "cycles");
  assert_true (cycles->is_counter);
  assert_int_equal (cycles->count, 2);
  assert_int_equal (cycles->counted, 1500);
  assert_null (hits->name);
  assert_false (hits->is_counter);
  assert_int_equal (hits->number, 9);
  assert_int_equal (hits->count, 2);
  ghc_perf_clear (&perf);
}
