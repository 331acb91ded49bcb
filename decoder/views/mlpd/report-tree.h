/* report-tree.h -- which tree the section `tree` shows. */
#ifndef PROFLOG_REPORT_TREE_H
#define PROFLOG_REPORT_TREE_H

#include "decoder/mlpd/analyses/summary.h"
#include "decoder/output/view.h"

/* That of calls, or that of samples? */
bool report_tree_is_of_calls (const struct summary *summary, enum view_source source);

#endif
