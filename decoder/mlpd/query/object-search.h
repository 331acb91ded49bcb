/* object-search.h -- scans a log until all is known of the objects that are requested. */
#ifndef PROFLOG_OBJECT_SEARCH_H
#define PROFLOG_OBJECT_SEARCH_H

#include "decoder/mlpd/query/scan-log.h"
#include "decoder/filter/filter.h"

/* Scans at most.  Where an object is moved so often that these are too few, what is known then
 * counts. */
#define OBJECT_SCANS_MAX 32

/* As log_selection_scan.  The summary's option `objects` is this filter, or NULL: then nothing
 * is requested, and one scan is made.  Else the log is retained and scanned again as long as that
 * adds to the filter; the summary is of the last scan, `watch` is known of the items of the first.
 */
bool object_search (struct summary *summary, struct log_input *input, unsigned threads,
                    const struct selection *selection, struct object_filter *filter,
                    const struct log_scan_watch *watch, GError **error);

#endif
