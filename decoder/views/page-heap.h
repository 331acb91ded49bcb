/* page-heap.h -- the heap over time, stacked by class or band, as data for the scripts of a page.
 */
#ifndef PROFLOG_PAGE_HEAP_H
#define PROFLOG_PAGE_HEAP_H

#include "decoder/views/section.h"

/* Puts an array: an object for the heap snapshots of a Mono log, or for each heap profile of an
 * eventlog.  Of each: times in ns from the beginning of the log; the classes of most bytes and
 * those that grow, by name; all others in one. */
void page_heap_put (GString *json, const struct report *report);

#endif
