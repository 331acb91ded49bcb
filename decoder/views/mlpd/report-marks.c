/* report-marks.c -- marks of a Mono log. */
#include "config.h"

#include "decoder/views/marks-section.h"
#include "decoder/views/mlpd/report.h"

static void
put_marks (const struct report *r)
{
  struct marks marks = r->s->program_marks.marks; /* the order of edges changes, and nothing else */
  marks_section_put (r, &marks, log_duration (&r->s->log), r->s->log.first_time);
}

const struct section section_marks
    = { .key = "marks",
        .put = put_marks,
        .tables = SECTION_TABLES (&marks_names_shape, &marks_intervals_shape) };
