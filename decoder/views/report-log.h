/* report-log.h -- the sections about the log itself, for report and info. */
#ifndef PROFLOG_REPORT_LOG_H
#define PROFLOG_REPORT_LOG_H

#include "decoder/views/section.h"

extern const struct section section_log;     /* the object "log" */
extern const struct section section_damage;  /* "damage"; in text nothing if there is none */
extern const struct section section_threads; /* the table "threads", those of most events first */
extern const struct section section_kinds;   /* the table "kinds": events by kind */
extern const struct section section_stats;   /* the same, when asked for */

#endif
