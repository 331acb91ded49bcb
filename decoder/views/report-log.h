/* report-log.h -- the sections about the log itself, for report and info. */
#ifndef PROFLOG_REPORT_LOG_H
#define PROFLOG_REPORT_LOG_H

#include "decoder/views/section.h"

extern const struct section section_log;     /* the object "log" */
extern const struct section section_damage;  /* "damage"; in text nothing if there is none */
extern const struct section section_threads; /* the table "threads", those of most events first */
extern const struct section section_kinds;   /* the table "kinds": events by kind */
extern const struct section section_stats;   /* the same, when asked for */

/* What "damage" tells of a log of either format. */
struct report_damage {
  uint64_t damages;
  bool truncated;
  uint64_t missing_bytes, skipped_bytes;
  GPtrArray *messages;                                      /* of char * */
  void (*put_more) (const struct report *report, bool any); /* NULL: nothing */
};
void report_put_damage (const struct report *report, const struct report_damage *damage);

#endif
