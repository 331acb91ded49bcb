/* page-flames.h -- flame graphs that the page of a report has beside those of its timeline. */
#ifndef PROFLOG_PAGE_FLAMES_H
#define PROFLOG_PAGE_FLAMES_H

#include "decoder/mlpd/analyses/summary.h"

/* Allocated bytes, waits for monitors and throws of the whole log, each with its stacks: an array
 * for the script of the page, each with a title and the data that flame-graph.js reads (transfer
 * full). */
char *page_flames (const struct summary *summary);

#endif
