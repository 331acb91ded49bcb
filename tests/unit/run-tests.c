/* run-tests.c -- main of a cmocka test: runs the tests that TEST registered. */
#include "config.h"

#include "tests/unit/test.h"

enum { TESTS_MAX = 100 };

static struct fixture {
  void (*begin) (void);
  void (*end) (void);
} fixtures[TESTS_MAX];
static struct CMUnitTest tests[TESTS_MAX];
static size_t n_tests;

static int
begin_test (void **state)
{
  const struct fixture *fixture = *state;
  if (fixture->begin != NULL)
    fixture->begin ();
  return 0;
}

static int
end_test (void **state)
{
  const struct fixture *fixture = *state;
  if (fixture->end != NULL)
    fixture->end ();
  return 0;
}

void
test_register (const char *name, CMUnitTestFunction function, void (*begin) (void),
               void (*end) (void))
{
  if (n_tests < TESTS_MAX) {
    fixtures[n_tests] = (struct fixture){ begin, end };
    tests[n_tests] = (struct CMUnitTest){ .name = name,
                                          .test_func = function,
                                          .setup_func = begin_test,
                                          .teardown_func = end_test,
                                          .initial_state = &fixtures[n_tests] };
  }
  n_tests++;
}

int
main (void)
{
  if (n_tests == 0 || n_tests > TESTS_MAX) {
    print_error ("%zu tests, of 1 to %d\n", n_tests, (int) TESTS_MAX);
    return 1;
  }
  return _cmocka_run_group_tests ("tests", tests, n_tests, NULL, NULL) != 0;
}
