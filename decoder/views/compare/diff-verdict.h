/* diff-verdict.h -- the sentences that a comparison begins with: whether the runs are slower or
 * faster, and whether they allocate more or less.
 */
#ifndef PROFLOG_DIFF_VERDICT_H
#define PROFLOG_DIFF_VERDICT_H

#include "decoder/views/compare/run-diff.h"

/* The sentences, at least one (transfer full: of char *).  `has_other_cpu`: processor time has
 * another meaning in some of the runs, and is not judged. */
GPtrArray *diff_verdict (const struct run_groups *groups, bool has_other_cpu);

#endif
