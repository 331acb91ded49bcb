/* random-test.h -- for tests with random input.
 *
 *   static guint64 seed = 1, count = 400;
 *   RANDOM_TEST (seed, count)
 *
 * lets PROFLOG_TEST_SEED and PROFLOG_TEST_COUNT override these before the tests run.
 */
#ifndef PROFLOG_TESTS_RANDOM_TEST_H
#define PROFLOG_TESTS_RANDOM_TEST_H

#include <glib.h>

/* Reads both from the environment, and prints them. */
void random_test_settings (guint64 *seed, guint64 *count);

#define RANDOM_TEST(seed, count)                                                                   \
  static void __attribute__ ((constructor)) read_settings (void)                                   \
  {                                                                                                \
    random_test_settings (&seed, &count);                                                          \
  }

#endif
