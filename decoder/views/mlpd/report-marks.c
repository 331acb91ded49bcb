/* report-marks.c -- marks of a Mono log. */
#include "config.h"

#include "decoder/mlpd/analyses/program-marks.h"
#include "decoder/views/section-parts.h"
#include "decoder/views/mlpd/report.h"

static void
put_marks (const struct report *r)
{
  struct marks marks = SUMMARY_STATE (r->s, program_marks)
                           ->marks; /* the order of edges changes, and nothing else */
  section_put_marks (r, &marks, log_duration (&r->s->log), r->s->log.first_time, NULL);
}

const struct section section_marks
    = { .key = "marks",
        .put = put_marks,
        .tables = SECTION_TABLES (&section_mark_names_shape, &section_mark_intervals_shape) };
