/* mark-search.h -- finds the times of the marks that a time range begins or ends with.
 */
#ifndef PROFLOG_MARK_SEARCH_H
#define PROFLOG_MARK_SEARCH_H

#include "decoder/core/marks.h"
#include "decoder/filter/filter.h"

struct mark_search {
  const struct selection *selection; /* borrowed */
  struct marks marks;                /* all of the log */
  GArray *starts, *ends;   /* of uint64_t: times of marks that the range may begin, or end with */
  struct mark_edges edges; /* the same marks, if they may be those of an interval */
};

void mark_search_init (struct mark_search *search, const struct selection *selection);
void mark_search_clear (struct mark_search *search);

/* The next mark of the log, and where it is from, as in struct mark_time.  They may come in any
 * order of time. */
void mark_search_add (struct mark_search *search, const char *name, size_t length, uint64_t time,
                      uint64_t place);

/* After the last mark: the times that are requested, as selection_time_bounds (filter.h).  A range
 * begins with the first mark of its name, and ends before the first one that is later than its
 * beginning.  Of a range from a mark to another that is its first occurrence; the next one begins
 * with the first mark of its name that is not in it.  An earlier mark that none follows is no
 * occurrence.  From the START to the STOP of an interval the occurrences are the intervals, as they
 * are paired (mark-pairs.h).  False with G_OPTION_ERROR if there is no such mark, or nothing lies
 * in the range. */
bool mark_search_bounds (struct mark_search *search, uint64_t first, uint64_t last, uint64_t *from,
                         uint64_t *to, GError **error);

#endif
