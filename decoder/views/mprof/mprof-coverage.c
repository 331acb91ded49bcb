/* mprof-coverage.c -- the section that has a name but no text: mprof-report has no coverage any
 * longer. */
#include "config.h"

#include "decoder/views/mprof/mprof.h"

static void
put_coverage (const struct mprof_report *r)
{
  (void) r;
}

const struct mprof_section mprof_section_coverage = { .name = "coverage", .put = put_coverage };
