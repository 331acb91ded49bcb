/* summary-test.h -- for tests of the summary of one log.
 *
 *   SUMMARY_TEST (test_gc)
 *   {
 *     script_gc (&script, 1010, ...);           in a buffer of thread 1 from 1000 on
 *     script_summarize (&script, &summary);
 *     ...                                       the summary is cleared after the test
 *   }
 */
#ifndef PROFLOG_TESTS_SUMMARY_TEST_H
#define PROFLOG_TESTS_SUMMARY_TEST_H

#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

extern struct script script;
extern struct summary summary;

void summary_test_begin (void);
void summary_test_end (void);

/* The state of an analysis in the summary, by its name: STATE (gc)->moves. */
#define STATE(name) SUMMARY_STATE (&summary, name)

#define SUMMARY_TEST(name) TEST_WITH (name, summary_test_begin, summary_test_end)

#endif
