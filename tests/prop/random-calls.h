/* random-calls.h -- for tests: random logs of calls, with all that makes their times hard to add
 * up.
 */
#ifndef PROFLOG_TESTS_RANDOM_CALLS_H
#define PROFLOG_TESTS_RANDOM_CALLS_H

#include <glib.h>

/* Appends a whole log of a random data version: calls of a few methods on a few threads, most of
 * them left in order; some frames are never left, some leaves are of frames far below or of none,
 * methods are announced again under the same name and under others, threads end, times go back,
 * whole buffers are missing.  How often each happens is random, too.  `in_order`: times do
 * not go back, and a method has one name. */
void random_calls (GRand *rand, GByteArray *log, gboolean in_order);

#endif
