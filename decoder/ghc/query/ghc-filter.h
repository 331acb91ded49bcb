/* ghc-filter.h -- selects events of an eventlog. */
#ifndef PROFLOG_GHC_FILTER_H
#define PROFLOG_GHC_FILTER_H

#include "decoder/filter/filter.h"

#include "decoder/input/log-input.h"
#include <proflog/ghc-reader.h>

struct ghc_filter {
  const struct selection *selection; /* borrowed */
  uint64_t from, to;                 /* times: from <= time < to */
  GHashTable *labels;                /* names of threads, as far as they are known, by number */
};

/* Where the selection needs it, reads the log once for its last time and the names of its threads,
 * and returns to its beginning.  False and PROFLOG_READ_ERROR_INPUT if that fails; the filter is to
 * be cleared in any case. */
bool ghc_filter_init (struct ghc_filter *filter, const struct selection *selection,
                      struct log_input *input, GError **error);
/* For a log that is being written: names of threads count as they are reported.  No time of the
 * selection may be in percent. */
void ghc_filter_init_live (struct ghc_filter *filter, const struct selection *selection);

void ghc_filter_clear (struct ghc_filter *filter);

/* Whether the item is requested.  To be called for each, in order.  Headers, ends and damage always
 * are.  An event is of the capability in whose block it is, as the block's marker is, and of the
 * threads that it names, and passes --filter, --exclude and --min-bytes by the texts and the bytes
 * in it. */
bool ghc_filter_accepts (struct ghc_filter *filter, const struct ghc_item *item);

/* The same in any order, and by any thread, with the names of threads that were read at first. */
bool ghc_filter_has (const struct ghc_filter *filter, const struct ghc_item *item);

#endif
