/* ghc-report.h -- the sections of reports of eventlogs; ghc-report-NAME.c and ghc-stats.c have
 * them.
 */
#ifndef PROFLOG_GHC_REPORT_H
#define PROFLOG_GHC_REPORT_H

#include "decoder/analyses/ghc-figures.h"
#include "decoder/views/section.h"

#define STATS_SCHEMA "proflog.stats/1"

/* All sections, up to NULL, of `proflog report`, `info` and `stats`. */
extern const struct section *const ghc_report_sections[];
extern const struct section *const ghc_info_sections[];
extern const struct section *const ghc_stats_sections[];

/* About the log itself: ghc-report-log.c. */
extern const struct section ghc_section_log;
extern const struct section ghc_section_damage;
extern const struct section ghc_section_content;
extern const struct section ghc_section_kinds;
extern const struct section ghc_section_stats; /* the same, when asked for */
extern const struct section ghc_section_threads;

/* Figures of each process, and of all: ghc-report-heap.c, ghc-report-gc.c, ghc-report-sparks.c. */
extern const struct section ghc_section_heap;
extern const struct section ghc_section_gc;
extern const struct section ghc_section_sparks;
extern const struct section ghc_section_tasks;
extern const struct section ghc_section_time;
extern const struct section ghc_section_caps;
extern const struct section ghc_section_writing;
extern const struct section ghc_section_processes;

/* What threads do, and profiles: ghc-report-scheduling.c, ghc-report-heap-profiles.c,
 * ghc-report-time-profile.c. */
extern const struct section ghc_section_thread_times;
extern const struct section ghc_section_scheduling;
extern const struct section ghc_section_heap_profiles;
extern const struct section ghc_section_time_profile;

/* The same figures for programs, and none for people: +RTS -s shows them, too. */
extern const struct section ghc_section_quiet_heap;
extern const struct section ghc_section_quiet_tasks;
extern const struct section ghc_section_quiet_time;

/* The summary of +RTS -s, for people: ghc-stats.c. */
extern const struct section ghc_section_layout;

/* ---- for the sections ---- */

/* Objects of these keys with the figures; `title` NULL: for programs only. */
void ghc_put_heap (const struct report *report, const char *title, const struct ghc_figures *f);
void ghc_put_gc (const struct report *report, const char *title, const struct ghc_figures *f);
void ghc_put_sparks (const struct report *report, const char *title, const struct ghc_figures *f);
void ghc_put_time (const struct report *report, const char *title, const struct ghc_figures *f);

extern const struct table_shape ghc_generations_shape;
extern const struct table_shape ghc_pauses_shape;
extern const struct table_shape ghc_generation_pauses_shape;
extern const struct table_shape ghc_utilisation_shape;

/* A value that may not be told. */
void ghc_put_maybe (struct emitter *e, const char *key, const char *label, enum emitter_type type,
                    bool is_told, union emitter_value value);

/* The words of a process for people: its arguments, or its id (transfer full). */
char *ghc_process_name (const struct ghc_capset *process);

#endif
