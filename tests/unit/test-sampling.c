/* test-sampling.c -- which allocations are taken, and what they stand for. */
#include "decoder/analyses/allocations.h"
#include "decoder/formats/mlpd-origin.h"
#include "profiler/sampling.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define INTERVAL 4096

/* How many of `n` objects of a size are taken by a thread of its own. */
static uint64_t
taken (uint64_t size, uint64_t n, struct sampling *s)
{
  uint64_t hits = 0;
  for (uint64_t i = 0; i < n; i++)
    hits += sampling_hits (s, size, INTERVAL);
  return hits;
}

/* As many as the probability 1 - exp (-size / interval) makes likely, within 5 standard errors, and
 * what these stand for is what there was. */
static void
test_chance (void **state)
{
  (void) state;
  static const uint64_t sizes[] = { 16, 24, 64, 1000, 4096, 8192, 40000 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct sampling s = { 0, UINT64_C (88172645463325252) + i };
    const uint64_t n = 4000000 / (sizes[i] < 1000 ? 1 : 20);
    const double p = 1 - exp (-(double) sizes[i] / INTERVAL);
    const double hits = (double) taken (sizes[i], n, &s);
    const double error = sqrt ((double) n * p * (1 - p));
    assert_true (fabs (hits - (double) n * p) < 5 * error + 1);

    const struct type_sum one = allocation_estimate (sizes[i], INTERVAL);
    assert_true (fabs ((double) one.objects / OBJECT_PARTS - 1 / p) < 1.0 / OBJECT_PARTS);
    assert_true (fabs ((double) one.bytes - (double) sizes[i] / p) <= 1);
  }
}

/* Sizes that come in turn do not disturb each other. */
static void
test_mixture (void **state)
{
  (void) state;
  struct sampling s = { 0, UINT64_C (88172645463325252) };
  enum { N = 1000000 };
  uint64_t small = 0, large = 0;
  for (int i = 0; i < N; i++) {
    small += sampling_hits (&s, 32, INTERVAL);
    large += sampling_hits (&s, 2048, INTERVAL);
  }
  const double p = 1 - exp (-32.0 / INTERVAL), q = 1 - exp (-0.5);
  assert_true (fabs ((double) small - N * p) < 5 * sqrt (N * p));
  assert_true (fabs ((double) large - N * q) < 5 * sqrt (N * q * (1 - q)));
}

/* Each thread begins by itself, and not all with the same. */
static void
test_start (void **state)
{
  (void) state;
  struct sampling s[4] = { { 0 } };
  uint64_t first[4] = { 0 };
  for (int i = 0; i < 4; i++)
    while (!sampling_hits (&s[i], 8, INTERVAL))
      first[i]++;
  assert_true (first[0] != first[1] || first[0] != first[2] || first[0] != first[3]);
}

static struct mlpd_file_header
header_with (const char *arguments)
{
  return (struct mlpd_file_header){ .major = 3, .arguments = { arguments, strlen (arguments) } };
}

/* What the header says. */
static void
test_header (void **state)
{
  (void) state;
  static const struct {
    const char *arguments;
    bool ours;
    uint64_t sampling;
  } cases[] = {
    { "proflog", true, 0 },
    { "proflog:", true, 0 },
    { "proflog:alloc", true, 0 },
    { "proflog:alloc=512k", true, 512 * 1024 },
    { "proflog:gc,alloc=1M,output='alloc=5,x'", true, 1024 * 1024 },
    { "proflog:output=\"a,alloc=5\",alloc=7", true, 7 },
    { "proflog:alloc=5,alloc", true, 0 },
    { "proflog:alloc=5,alloc=6", true, 6 },
    { "proflog:allocs=5", true, 0 },
    { "proflog:alloc=x", true, 0 },
    { "log:alloc=5", false, 0 },
    { "proflogger:alloc=5", false, 0 },
    { "", false, 0 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct mlpd_file_header header = header_with (cases[i].arguments);
    assert_int_equal (mlpd_header_is_ours (&header), cases[i].ours);
    assert_int_equal (mlpd_header_alloc_sampling (&header), cases[i].sampling);
  }
  const struct mlpd_file_header none = { .major = 3 }, first = { .system = 1 };
  assert_false (mlpd_header_is_ours (&none));
  assert_true (mlpd_header_is_ours (&first));
}

int
main (void)
{
  const struct CMUnitTest tests[]
      = { cmocka_unit_test (test_chance), cmocka_unit_test (test_mixture),
          cmocka_unit_test (test_start), cmocka_unit_test (test_header) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
