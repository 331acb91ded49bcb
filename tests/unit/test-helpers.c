/* test-helpers.c -- JIT helpers by type. */
#include "decoder/analyses/helpers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void
add (struct helpers *helpers, uint64_t type, uint64_t size)
{
  const struct mlpd_runtime_jit_helper event = { .helper_type = type, .size = size };
  helpers_add (helpers, &event);
}

static void
expect (const struct helper_sum *sum, uint64_t count, uint64_t bytes)
{
  assert_int_equal (sum->count, count);
  assert_int_equal (sum->bytes, bytes);
}

static void
test_types (void **state)
{
  (void) state;
  struct helpers helpers = { 0 };
  add (&helpers, MLPD_HELPER_TYPE_METHOD, 1);
  add (&helpers, MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE, 10);
  add (&helpers, MLPD_HELPER_TYPE_EXCEPTION_HANDLING, 100);
  add (&helpers, MLPD_HELPER_TYPE_SPECIFIC_TRAMPOLINE, 1000);
  add (&helpers, MLPD_HELPER_TYPE_UNKNOWN, 10000);
  add (&helpers, UINT64_MAX, 100000);
  expect (&helpers.all, 6, 111111);
  expect (&helpers.types[0], 1, 1);
  expect (&helpers.types[5], 2, 1010);
  expect (&helpers.types[9], 1, 100);
  expect (&helpers.types[10], 2, 110000);
  expect (&helpers.types[1], 0, 0);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_types) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
