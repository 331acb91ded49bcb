/* live-marks.h -- the marks of a program that came since the last figures. */
#ifndef PROFLOG_LIVE_MARKS_H
#define PROFLOG_LIVE_MARKS_H

#include "decoder/live/live-figures.h"
#include <proflog/ghc-reader.h>
#include <proflog/mlpd.h>

struct live_marks {
  GPtrArray *names; /* of char *: of the interval, LIVE_MARK_NAMES_MAX at most */
  uint64_t all;
  GHashTable *counters; /* of Mono: uint64_t index of the counter -> name of the mark */
};

void live_marks_init (struct live_marks *marks);
void live_marks_clear (struct live_marks *marks);

/* Another program's log begins. */
void live_marks_reset (struct live_marks *marks);

/* Inspects an event of Mono: marks are counters (program-marks.h). */
void live_marks_mono (struct live_marks *marks, enum mlpd_kind kind,
                      const union mlpd_payload *payload);

/* Likewise of GHC: markers and messages of the program. */
void live_marks_ghc (struct live_marks *marks, const struct ghc_item *item);

/* Puts the marks into figures; the interval begins anew. */
void live_marks_figures (struct live_marks *marks, struct live_figures *figures);

#endif
