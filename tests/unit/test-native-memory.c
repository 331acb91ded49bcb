/* test-native-memory.c -- samples of native memory, and which of them are freed. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/analyses/native-memory.h"
#include "tests/unit/summary-test.h"
#include <math.h>

enum { LOAD = 0x1000, DRAW = 0x2000, MAIN = 0x3000, KB = 1024 };

static void
put (uint64_t time, const struct mlpd_counter_value *values, size_t n)
{
  const union mlpd_payload payload
      = { .sample_counters = { .time = time, .values = { values, n } } };
  script_event (&script, MLPD_SAMPLE_COUNTERS, &payload);
}

static void
allocate (uint64_t time, uint64_t id, uint64_t size, uint64_t method)
{
  const struct mlpd_counter_value values[] = {
    { .index = MLPD_NATIVE_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = id },
    { .index = MLPD_NATIVE_SIZE_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = size },
    { .index = MLPD_NATIVE_METHOD_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = method },
    { .index = MLPD_NATIVE_METHOD_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = MAIN },
  };
  put (time, values, method != 0 ? 4 : 2);
}

static void
end (uint64_t time, uint64_t id)
{
  const struct mlpd_counter_value value
      = { .index = MLPD_NATIVE_FREE_INDEX, .type = MLPD_COUNTER_TYPE_ULONG, .number = id };
  put (time, &value, 1);
}

static void
begin (void)
{
  script_begin_version (&script, 17);
  script_buffer (&script, 1, 1000);
}

/* What a sample of a size stands for, by the probability that docs/mlpd-format.md states. */
static uint64_t
stands_for (double size)
{
  return (uint64_t) llround (size / (1 - exp (-size / 524288)));
}

static void
expect_sum (guint i, guint frames, uint64_t samples, uint64_t bytes, uint64_t live)
{
  const struct native_sum *sum = &g_array_index (STATE (native_memory)->sums, struct native_sum, i);
  guint n = 0;
  if (sum->trace != TRACE_NONE)
    traces_frames (&summary.traces, sum->trace, &n);
  assert_int_equal (n, frames);
  assert_int_equal (sum->allocated.samples, samples);
  assert_true (llabs ((long long) (sum->allocated.bytes - bytes)) <= 2);
  assert_true (llabs ((long long) (sum->live.bytes - live)) <= 2);
}

TEST_WITH (test_estimates, begin, summary_test_end)
{
  allocate (1010, 1, 100 * KB, LOAD);
  allocate (1020, 2, 200 * KB, LOAD);
  allocate (1030, 3, 50 * KB, DRAW);
  end (1040, 3);
  end (1050, 1);
  end (1060, 99); /* of which the allocation is missing */
  allocate (1070, 4, 8 * KB * KB, 0);
  script_summarize (&script, &summary);
  assert_int_equal (STATE (native_memory)->sums->len, 3);
  expect_sum (0, 2, 2, stands_for (100 * KB) + stands_for (200 * KB), stands_for (200 * KB));
  expect_sum (1, 2, 1, stands_for (50 * KB), 0);
  expect_sum (2, 0, 1, 8 * KB * KB, 8 * KB * KB);
  assert_int_equal (STATE (native_memory)->freed, 2);
  assert_int_equal (STATE (counters)->all->len, 0); /* they are no counters */
}
