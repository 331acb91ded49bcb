/* ghc-time-stacks.h -- the time profile of an eventlog as stacks. */
#ifndef PROFLOG_GHC_TIME_STACKS_H
#define PROFLOG_GHC_TIME_STACKS_H

#include "decoder/exports/export-stacks.h"
#include "decoder/ghc/analyses/ghc-time-profile.h"

/* Adds the samples, of cost centres or of call stacks, in their order if the profile has it; as in
 * the section cpu, without those of idle capabilities, or with them. */
void ghc_time_stacks_add (struct export_stacks *stacks, const struct ghc_time_profile *profile,
                          bool with_idle);

#endif
