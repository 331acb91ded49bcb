/* mprof-coverage.c -- the section that mprof-report no longer has. */
#include "config.h"

#include "decoder/views/mprof/mprof-section.h"

static void
put_coverage (const struct mprof_report *r)
{
  (void) r; /* its text is that of the command line, which names the option, too */
}

const struct mprof_section mprof_section_coverage = { .name = "coverage", .put = put_coverage };
