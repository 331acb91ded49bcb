/* report.h -- the summary of a log, section by section. */
#ifndef PROFLOG_REPORT_H
#define PROFLOG_REPORT_H

#include "decoder/analyses/summary.h"
#include "decoder/views/emitter.h"

/* Writes the report "proflog.report/1".  `limit`: rows of a table at most, 0 for all. */
void report_write (struct emitter *emitter, const char *log_name, const struct summary *summary,
                   guint limit);

#endif
