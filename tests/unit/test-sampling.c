/* test-sampling.c -- the allocations that are taken, and the bytes for which they stand. */
#include "config.h"

#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/mlpd-origin.h"
#include "profiler/options/sampling.h"
#include "tests/unit/test.h"
#include <math.h>
#include <string.h>

/* A thread that allocates like SGen: in a nursery, whose room it gets in small pieces with others
 * between them, and that is empty again after a collection; large objects lie after it. */
#define NURSERY UINT64_C (0x7f0000000000)
#define NURSERY_SIZE (4 << 20)
#define LARGE (NURSERY + NURSERY_SIZE)

struct thread {
  struct sampling sampling;
  uint64_t at, room, large;
};

static struct thread
begun (uint64_t random)
{
  return (struct thread){ { .random = random }, NURSERY, 0, 0 };
}

static uint64_t
place (struct thread *t, uint64_t size)
{
  if (size > 8000) {
    t->large = t->large % (1 << 20) + (size + 4095) / 4096 * 4096;
    return LARGE + t->large;
  }
  if (t->room < size) {
    t->at += t->room + (t->at % 3 == 0 ? 4096 : 0);
    t->room = size > 4096 ? size : 4096;
    if (t->at + t->room > NURSERY + NURSERY_SIZE)
      t->at = NURSERY + t->at % 5 * 8;
  }
  t->room -= size;
  t->at += size;
  return t->at - size;
}

static bool
hits (struct thread *t, uint64_t size, uint64_t interval)
{
  const uint64_t at = place (t, size);
  return !sampling_skips (&t->sampling, at) && sampling_selects (&t->sampling, at, size, interval);
}

/* As many of n as the probability 1 - exp (-size / interval) makes likely, within 5 standard
 * errors. */
static void
assert_likely (uint64_t taken, uint64_t n, uint64_t size, uint64_t interval)
{
  const double p = 1 - exp (-(double) size / (double) interval);
  const double error = sqrt ((double) n * p * (1 - p));
  if (fabs ((double) taken - (double) n * p) >= 5 * error + 1)
    fail_msg ("%g of %g objects of %g bytes, not %g +- %g", (double) taken, (double) n,
              (double) size, (double) n * p, error);
}

/* And these stand for the bytes that there were. */
TEST (test_chance)
{
  static const uint64_t sizes[] = { 16, 24, 64, 1000, 4096, 8000, 8192, 40000 };
  static const uint64_t intervals[] = { 4096, 65536 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t k = 0; k < sizeof intervals / sizeof *intervals; k++) {
      struct thread t = begun (UINT64_C (88172645463325252) + i);
      const uint64_t n = 4000000 / (sizes[i] < 1000 ? 1 : 20);
      uint64_t taken = 0;
      for (uint64_t object = 0; object < n; object++)
        taken += hits (&t, sizes[i], intervals[k]);
      assert_likely (taken, n, sizes[i], intervals[k]);

      const double p = 1 - exp (-(double) sizes[i] / (double) intervals[k]);
      const struct type_sum one = allocation_estimate (sizes[i], intervals[k]);
      assert_true (fabs ((double) one.objects / OBJECT_PARTS - 1 / p) < 1.0 / OBJECT_PARTS);
      assert_true (fabs ((double) one.bytes - (double) sizes[i] / p) <= 1);
      /* (1 - p) / p^2, of objects and of bytes */
      const struct allocation_error error = allocations_error_of (&one);
      const double size = (double) sizes[i], variance = (1 - p) / (p * p);
      const double rounded = 0.01 * variance + 2.0 / OBJECT_PARTS;
      assert_true (fabs (error.objects - variance) < rounded);
      assert_true (fabs (error.bytes - variance * size * size) < rounded * size * size);
    }
}

/* Sizes that come in turn do not disturb each other. */
TEST (test_mixture)
{
  static const uint64_t sizes[] = { 32, 2048, 16, 7992, 32, 100000 };
  enum { SIZES = sizeof sizes / sizeof *sizes, N = 300000 };
  for (uint64_t interval = 1024; interval <= 1 << 20; interval *= 32) {
    struct thread t = begun (UINT64_C (88172645463325252));
    uint64_t taken[SIZES] = { 0 };
    for (int i = 0; i < N; i++)
      for (size_t k = 0; k < SIZES; k++)
        taken[k] += hits (&t, sizes[k], interval);
    for (size_t k = 0; k < SIZES; k++)
      assert_likely (taken[k], N, sizes[k], interval);
  }
}

/* Most objects are known by their addresses to have no point. */
TEST (test_passing)
{
  struct thread t = begun (UINT64_C (88172645463325252));
  enum { N = 1000000 };
  int passed = 0;
  for (int i = 0; i < N; i++) {
    const uint64_t at = place (&t, 56);
    if (sampling_skips (&t.sampling, at))
      passed++;
    else
      sampling_selects (&t.sampling, at, 56, 512 * 1024);
  }
  assert_true (passed > 0.97 * N);
}

/* Each thread begins by itself, and not all with the same. */
TEST (test_start)
{
  struct thread t[4];
  uint64_t first[4] = { 0 };
  for (int i = 0; i < 4; i++)
    for (t[i] = begun (0); !hits (&t[i], 8, 4096);)
      first[i]++;
  assert_true (first[0] != first[1] || first[0] != first[2] || first[0] != first[3]);
}

static struct mlpd_file_header
header_with (const char *arguments)
{
  return (struct mlpd_file_header){ .major = 3, .arguments = { arguments, strlen (arguments) } };
}

/* The interval in the header. */
TEST (test_header)
{
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
