/* ghc-cut.h -- selects the events of an eventlog that make a part of it a log again.
 *
 * Besides the requested events these are announcements: events about the program, and names of its
 * parts, without which the others mean little.
 */
#ifndef PROFLOG_GHC_CUT_H
#define PROFLOG_GHC_CUT_H

#include "decoder/ghc/query/ghc-filter.h"

struct ghc_cut {
  struct ghc_filter *filter; /* borrowed; NULL before the log is inspected */
  bool is_bare;              /* without announcements that are not requested */
  bool *wanted, *unwanted;   /* by tag; NULL: all, none */
  uint64_t events, taken;    /* events, and those that are requested */
};

void ghc_cut_clear (struct ghc_cut *cut);

/* Kinds of events that are requested, or not: names ("gc-*" for several) and tags, with commas
 * between them; adds to the present ones.  G_OPTION_ERROR if there is none of that name. */
bool ghc_cut_events (struct ghc_cut *cut, const char *text, GError **error);
bool ghc_cut_no_events (struct ghc_cut *cut, const char *text, GError **error);

/* Whether the event stays.  To be called for each, in order.  Markers of blocks stay. */
bool ghc_cut_includes (struct ghc_cut *cut, const struct ghc_item *item);

#endif
