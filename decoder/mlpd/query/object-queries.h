/* object-queries.h -- the scans of a log for objects. */
#ifndef PROFLOG_OBJECT_QUERIES_H
#define PROFLOG_OBJECT_QUERIES_H

#include "decoder/filter/filter.h"
#include "decoder/mlpd/query/scan-log.h"

/* ---- requested objects: scans until all is known of them ---- */

/* Scans at most.  Where an object is moved so often that these are too few, the names and addresses
 * that are known then count. */
#define OBJECT_SCANS_MAX 32

/* As log_selection_scan.  The summary's option `objects` is this filter, or NULL: then nothing
 * is requested, and one scan is made.  Else the log is retained and scanned again as long as that
 * adds to the filter; the summary is of the last scan, `watch` is known of the items of the first.
 */
bool select_objects (struct summary *summary, struct log_input *input, unsigned threads,
                     const struct selection *selection, struct object_filter *filter,
                     const struct log_scan_watch *watch, GError **error);

/* ---- types of thrown or locked objects that the log does not state right there ---- */

/* Those of their allocations.
 *
 * The buffers of threads come in any order, so an allocation may stand after the throw of its
 * object.  For the addresses in question the log is read again: the object at an address at a time
 * is the one that was allocated there or moved there last, in order of time; one that was moved is
 * queried at the address where it came from, in the next way through.  Selections do not matter
 * here.
 *
 * A type that is not sure is none: where allocations may be missing (they are sampled, or the log
 * is not known to be whole), only earlier allocations of the same thread count, before any damage;
 * where the log reports about collections but of no moves, only allocations since the last one. */

/* The most passes over the log.  An object that was moved more often has no type. */
#define OBJECT_TYPES_SCANS_MAX 8

/* Searches for the types of a summary that is not finished, whose option `types` is set, in the log
 * that it is of: which was retained (log_input_make_rewindable) and read.  Of `watch` only the
 * progress is used.  Damage was reported when the log was read before. */
void object_types_search (struct summary *summary, struct log_input *input, unsigned threads,
                          const struct log_scan_watch *watch);

#endif
