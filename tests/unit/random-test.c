/* random-test.c -- which random input a test has. */
#include "config.h"

#include "tests/unit/random-test.h"
#include "tests/unit/test.h"

static void
read_setting (const char *name, guint64 *value)
{
  const char *text = g_getenv (name);
  if (text != NULL)
    *value = g_ascii_strtoull (text, NULL, 10);
  print_message ("%s=%" G_GUINT64_FORMAT "\n", name, *value);
}

void
random_test_settings (guint64 *seed, guint64 *count)
{
  read_setting ("PROFLOG_TEST_SEED", seed);
  read_setting ("PROFLOG_TEST_COUNT", count);
}
