/* serve-report.h -- reports of logs that are complete, as proflog report prints them. */
#ifndef PROFLOG_SERVE_REPORT_H
#define PROFLOG_SERVE_REPORT_H

#include "decoder/serve/serve-sources.h"

/* Serves the reports of sources that have ended, and at last of all.  True if there is any new one.
 */
bool serve_put_reports (struct serve *serve);

#endif
