/* summary-test.c -- the log and the summary of a test. */
#include "config.h"

#include "tests/unit/summary-test.h"

struct script script;
struct summary summary;

void
summary_test_begin (void)
{
  script_begin (&script);
  script_buffer (&script, 1, 1000);
}

void
summary_test_end (void)
{
  summary_clear (&summary);
}
