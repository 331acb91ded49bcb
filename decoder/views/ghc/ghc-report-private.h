/* ghc-report-private.h -- shared by sections of reports of eventlogs: parts that are the same for
 * one process and for all, shapes of tables, values.
 */
#ifndef PROFLOG_GHC_REPORT_PRIVATE_H
#define PROFLOG_GHC_REPORT_PRIVATE_H

#include "decoder/views/ghc/ghc-report.h"

/* Objects of these keys with the figures; `title` NULL: for programs only. */
void ghc_put_heap (const struct report *report, const char *title, const struct ghc_figures *f);
void ghc_put_gc (const struct report *report, const char *title, const struct ghc_figures *f);
void ghc_put_sparks (const struct report *report, const char *title, const struct ghc_figures *f);
void ghc_put_time (const struct report *report, const char *title, const struct ghc_figures *f);

extern const struct table_shape ghc_generations_shape;
extern const struct table_shape ghc_pauses_shape;
extern const struct table_shape ghc_generation_pauses_shape;
extern const struct table_shape ghc_utilisation_shape;

/* A total divided by a count; 0 if that is 0. */
uint64_t ghc_mean (uint64_t total, uint64_t count);

/* For how long a capability neither ran a thread nor collected, from the first event to the last.
 */
uint64_t ghc_cap_idle_ns (const struct ghc_summary *summary, const struct ghc_cap *cap);

/* The name of a process: its arguments, or its id (transfer full). */
char *ghc_process_name (const struct ghc_capset *process);

#endif
