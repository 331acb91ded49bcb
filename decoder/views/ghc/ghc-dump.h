/* ghc-dump.h -- every item of an eventlog, a line each, in the order of the file. */
#ifndef PROFLOG_GHC_DUMP_H
#define PROFLOG_GHC_DUMP_H

#include "decoder/ghc/query/ghc-filter.h"
#include "decoder/views/dump-lines.h"

struct ghc_dump {
  struct dump_lines lines;
  struct ghc_filter *filter; /* borrowed */
  uint64_t events, taken;    /* and of them those with a line */
};

/* Appends the item's line to `out`. */
void ghc_dump_item (struct ghc_dump *dump, const struct ghc_item *item, GString *out);

/* Appends an event's line, whatever is chosen; by the clock, at this time of day.  Several threads
 * may, each with another `out`. */
void ghc_dump_event (const struct ghc_dump *dump, const struct ghc_item *item, uint64_t clock,
                     GString *out);

/* Likewise damage that has no place in the log: of its compression. */
void ghc_dump_damage (struct ghc_dump *dump, bool truncated, const char *message, GString *out);

#endif
