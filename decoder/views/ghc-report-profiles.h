/* ghc-report-profiles.h -- heap and time profiles of an eventlog. */
#ifndef PROFLOG_GHC_REPORT_PROFILES_H
#define PROFLOG_GHC_REPORT_PROFILES_H

#include "decoder/analyses/ghc-heap-profile.h"
#include "decoder/analyses/ghc-time-profile.h"
#include "decoder/views/table.h"

/* The tables that they have, up to NULL. */
extern const struct table_shape *const ghc_report_heap_profiles_tables[];
extern const struct table_shape *const ghc_report_time_profile_tables[];

/* Writes the list "heap_profiles". */
void ghc_report_heap_profiles_put (struct emitter *emitter, const struct view *view,
                                   const struct ghc_heap_profiles *profiles);

/* Writes the object "time_profile". */
void ghc_report_time_profile_put (struct emitter *emitter, const struct view *view,
                                  const struct ghc_time_profile *profile);

#endif
