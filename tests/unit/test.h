/* test.h -- the beginning of a cmocka test.
 *
 *   TEST (adds_up)
 *   {
 *     assert_int_equal (1 + 1, 2);
 *   }
 *
 * defines a test.  A program runs all tests of its file, in their order; main is in run-tests.c.
 */
#ifndef PROFLOG_TESTS_TEST_H
#define PROFLOG_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Adds a test to those that main runs.  `begin` runs before it and `end` after it, also if it
 * fails; they may be NULL. */
void test_register (const char *name, CMUnitTestFunction function, void (*begin) (void),
                    void (*end) (void));

/* Constructors of a file run in their order. */
#define TEST_WITH(name, begin, end)                                                                \
  static void name (void **state);                                                                 \
  static void __attribute__ ((constructor)) name##_register (void)                                 \
  {                                                                                                \
    test_register (#name, name, begin, end);                                                       \
  }                                                                                                \
  static void name (void **state __attribute__ ((unused)))

#define TEST(name) TEST_WITH (name, NULL, NULL)

#endif
