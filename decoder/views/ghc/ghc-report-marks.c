/* ghc-report-marks.c -- marks and messages of an eventlog: traceMarkerIO and traceEventIO. */
#include "config.h"

#include "decoder/views/ghc/ghc-report-private.h"
#include "decoder/views/section-parts.h"

static void
put_marks (const struct report *r)
{
  const struct ghc_log *log = &r->ghc->log;
  struct marks marks = r->ghc->marks; /* the order of edges changes, and nothing else */
  section_put_marks (r, &marks, log->last > log->first ? log->last - log->first : 0, 0);
}

const struct section ghc_section_marks
    = { .key = "marks",
        .put = put_marks,
        .features = GHC_FEATURE_MARKS,
        .tables = SECTION_TABLES (&section_mark_names_shape, &section_mark_intervals_shape) };
