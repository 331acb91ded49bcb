/* ghc-cut.h -- which events of an eventlog make a part of it that is a log again.
 *
 * Besides what is requested these are announcements: events that concern the program and what its
 * parts are called, without which the others mean little.
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
 * between them; adds to what is there.  G_OPTION_ERROR if there is none of that name. */
bool ghc_cut_events (struct ghc_cut *cut, const char *text, GError **error);
bool ghc_cut_no_events (struct ghc_cut *cut, const char *text, GError **error);

/* Does the event stay?  Ask for each, in order.  Markers of blocks do. */
bool ghc_cut_includes (struct ghc_cut *cut, const struct ghc_item *item);

#endif
