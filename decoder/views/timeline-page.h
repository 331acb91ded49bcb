/* timeline-page.h -- the timeline of a report that is a page: lanes, plots, and a range that the
 * tables are of. */
#ifndef PROFLOG_TIMELINE_PAGE_H
#define PROFLOG_TIMELINE_PAGE_H

#include "decoder/views/section.h"

/* Puts the place of the timeline and its data into the page; of a report without a timeline
 * nothing. */
void timeline_page_put (const struct report *report);

#endif
