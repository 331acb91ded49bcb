/* ghc-perf.h -- events of Linux's perf that an importer added to an eventlog: the count of each
 * counter, and of the hits of each tracepoint.
 */
#ifndef PROFLOG_GHC_PERF_H
#define PROFLOG_GHC_PERF_H

#include "decoder/core/id-map.h"

#include <glib.h>
#include <proflog/ghc-reader.h>
#include <stdbool.h>

struct ghc_perf_event {
  uint32_t number;
  char *name;       /* NULL: the log has none */
  bool is_counter;  /* else a tracepoint */
  uint64_t count;   /* samples of the counter, hits of the tracepoint */
  uint64_t counted; /* by the counter: the sum of the periods of its samples */
};

struct ghc_perf {
  GArray *all; /* struct ghc_perf_event, in the order of the log */
  struct id_map places;
};

void ghc_perf_init (struct ghc_perf *perf);
void ghc_perf_clear (struct ghc_perf *perf);

/* An event of any kind.  `counts`: it belongs to the selected part of the log; names always do. */
void ghc_perf_event (struct ghc_perf *perf, enum ghc_kind kind, const union ghc_payload *payload,
                     bool counts);

#endif
