/* mprof-report.h -- the report of a Mono log in the text of Debian's mprof-report 6.8.
 *
 * The figures are those of the summary; only the text differs from that of `proflog report`.
 */
#ifndef PROFLOG_MPROF_REPORT_H
#define PROFLOG_MPROF_REPORT_H

#include "decoder/views/mprof/mprof-section.h"

/* The sections of a list such as "alloc,call", in its order (transfer container).  NULL: one of the
 * names is none of a section. */
GPtrArray *mprof_sections_parse (const char *list);

/* Appends the report of a summary that is finished. */
void mprof_report_write (GString *out, const struct summary *summary,
                         const struct mprof_view *view);

#endif
