/* test-helpers.c -- JIT helpers by type. */
#include "config.h"

#include "decoder/mlpd/analyses/helpers.h"
#include "tests/unit/test.h"

static void
add (struct helpers *helpers, uint64_t type, uint64_t size)
{
  const struct mlpd_runtime_jit_helper event = { .helper_type = type, .size = size };
  helpers_add (helpers, &event);
}

static void
expect_helper (const struct helper_sum *sum, uint64_t count, uint64_t bytes)
{
  assert_int_equal (sum->count, count);
  assert_int_equal (sum->bytes, bytes);
}

TEST (test_types)
{
  struct helpers helpers = { 0 };
  add (&helpers, MLPD_HELPER_TYPE_METHOD, 1);
  add (&helpers, MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE, 10);
  add (&helpers, MLPD_HELPER_TYPE_EXCEPTION_HANDLING, 100);
  add (&helpers, MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE, 1000);
  add (&helpers, MLPD_HELPER_TYPE_UNKNOWN, 10000);
  add (&helpers, UINT64_MAX, 100000);
  expect_helper (&helpers.all, 6, 111111);
  expect_helper (&helpers.types[0], 1, 1);
  expect_helper (&helpers.types[5], 2, 1010);
  expect_helper (&helpers.types[9], 1, 100);
  expect_helper (&helpers.types[10], 2, 110000);
  expect_helper (&helpers.types[1], 0, 0);
}
