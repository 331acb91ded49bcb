/* mono-stacks.h -- the stacks of a log of Mono with one of their costs. */
#ifndef PROFLOG_MONO_STACKS_H
#define PROFLOG_MONO_STACKS_H

#include "decoder/exports/export-stacks.h"
#include "decoder/stacks/live-stacks.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/analyses/survival.h"

/* Costs that stacks have.  Eventlogs have processor time only: that of their time profile. */
enum stacks_cost {
  STACKS_ANY,   /* processor time where there are samples, else the time of calls by itself */
  STACKS_TIME,  /* processor time of samples; their number where the log does not state it */
  STACKS_WALL,  /* of samples of the wall clock: working and waiting */
  STACKS_CALLS, /* numbers of recorded calls */
  STACKS_SELF,  /* times of recorded calls, without callees */
  STACKS_ALLOC, /* bytes of objects, by the stack of their allocation; the type is the innermost
                   frame */
  STACKS_LOCK,  /* times of waiting for monitors; the class of the monitor is the innermost frame */
  STACKS_EXCEPTION, /* numbers of throws; the type is the innermost frame */
  STACKS_RETAINED,  /* bytes of the last heap snapshot, by the classes that dominate them */
  STACKS_LEAK,      /* bytes of suspected leaks, by the way from a root to where they accumulate */
  /* Bytes of objects as of STACKS_ALLOC, but of a part of them: */
  STACKS_LIVE,      /* those that live at the end */
  STACKS_PEAK,      /* those that lived after the collection after which most lived */
  STACKS_TEMPORARY, /* those that died in the first collection of their generation */
};

/* Adds the stacks of a finished summary, and sets their unit; none if it lacks the cost, which is
 * not STACKS_ANY. */
void mono_stacks_add (struct export_stacks *stacks, const struct summary *summary,
                      enum stacks_cost cost);

/* Adds the stacks of one of the costs that objects are followed for. */
void mono_stacks_add_survival (struct export_stacks *stacks, const struct survival *survival,
                               const struct symbols *symbols, const struct traces *traces,
                               enum stacks_cost cost);

/* Adds the stacks of samples that came up to now. */
void mono_stacks_add_live (struct export_stacks *stacks, const struct live_stacks *live,
                           const struct symbols *symbols);

#endif
