/* eventlog-test.h -- for tests of small eventlogs that know all kinds of events.
 *
 *   EVENTLOG_TEST (test_gc)
 *   {
 *     ghc_put_kind (block, GHC_GC_START, 1000, 0);
 *     put_block (0, 900, 2000);                 of capability 0
 *     ...                                       reads log_bytes, which are freed after the test
 *   }
 */
#ifndef PROFLOG_TESTS_EVENTLOG_TEST_H
#define PROFLOG_TESTS_EVENTLOG_TEST_H

#include "tests/unit/ghc-items.h"
#include "tests/unit/test.h"

extern GByteArray *log_bytes; /* a header, and the blocks so far */
extern GByteArray *block;     /* its next block, so far */

void eventlog_test_begin (void);
void eventlog_test_end (void);

/* The block is complete, and the next one begins. */
void put_block (guint cap, guint64 time, guint64 end_time);

#define EVENTLOG_TEST(name) TEST_WITH (name, eventlog_test_begin, eventlog_test_end)

#endif
