/* ghc-report-scheduling.h -- what the threads of an eventlog do with their time. */
#ifndef PROFLOG_GHC_REPORT_SCHEDULING_H
#define PROFLOG_GHC_REPORT_SCHEDULING_H

#include "decoder/analyses/ghc-threads.h"
#include "decoder/views/table.h"

/* The tables that it has, up to NULL. */
extern const struct table_shape *const ghc_report_scheduling_tables[];

/* Writes it as the object "scheduling". */
void ghc_report_scheduling_put (struct emitter *emitter, const struct view *view,
                                const struct ghc_threads *threads);

#endif
