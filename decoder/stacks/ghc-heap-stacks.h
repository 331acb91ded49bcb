/* ghc-heap-stacks.h -- a sample of a heap profile of an eventlog as stacks. */
#ifndef PROFLOG_GHC_HEAP_STACKS_H
#define PROFLOG_GHC_HEAP_STACKS_H

#include "decoder/exports/export-stacks.h"
#include "decoder/ghc/analyses/ghc-heap-profile.h"

/* Adds the bands of the log's first heap profile: stacks of cost centres, info tables below their
 * modules and functions, others by name.  Of the sample up to which growth is judged, or the
 * largest one.  Nothing is added if there is none. */
void ghc_heap_stacks_add (struct export_stacks *stacks, const struct ghc_heap_profiles *profiles,
                          bool at_peak);

#endif
