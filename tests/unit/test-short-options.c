/* test-short-options.c -- which words are taken apart. */
#include "decoder/cli/short-options.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const GOptionEntry flags[]
    = { { "quiet", 'q', 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
        { "other", 0, 0, G_OPTION_ARG_STRING, NULL, NULL, NULL },
        { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, NULL },
        G_OPTION_ENTRY_NULL };
static const GOptionEntry values[]
    = { { "limit", 'n', 0, G_OPTION_ARG_STRING, NULL, NULL, NULL }, G_OPTION_ENTRY_NULL };

static void
expect (const char *line, const char *expected)
{
  const GOptionEntry *const entries[] = { flags, values, NULL };
  char **words = g_strsplit (line, " ", -1);
  char **split = short_options_split (entries, (int) g_strv_length (words), words);
  char *joined = g_strjoinv (" ", split);
  assert_string_equal (joined, expected);
  g_free (joined);
  g_strfreev (split);
  g_strfreev (words);
}

static void
test_split (void **state)
{
  (void) state;
  expect ("p -n10 log", "p -n 10 log");
  expect ("p -qn10 log", "p -qn 10 log");
  expect ("p -qqn-1", "p -qqn -1");
  expect ("p log -n10 -n0", "p log -n 10 -n 0");
  expect ("p -n=1", "p -n =1");
  /* Nothing to be taken apart. */
  expect ("p -n 10 -q -", "p -n 10 -q -");
  expect ("p --limit=10 --quiet", "p --limit=10 --quiet");
  expect ("p -x10", "p -x10");
  expect ("p -qx10", "p -qx10");
  expect ("-n10", "-n10");
  /* Arguments of options, and what is no option any more. */
  expect ("p -n -n10", "p -n -n10");
  expect ("p -qn -n10 -n1", "p -qn -n10 -n 1");
  expect ("p --limit -n10 -n10", "p --limit -n10 -n 10");
  expect ("p --other -n10 -n10", "p --other -n10 -n 10");
  expect ("p --quiet -n10", "p --quiet -n 10");
  expect ("p -n10 -- -n10", "p -n 10 -- -n10");
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_split) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
