/* dispatch.h -- which analyses handle which kinds of events. */
#ifndef PROFLOG_DISPATCH_H
#define PROFLOG_DISPATCH_H

#include "decoder/mlpd/analyses/analysis.h"

/* Analyses that handle one kind, at most. */
#define DISPATCH_MAX 6

struct dispatch_handler {
  analysis_handler *handle; /* NULL after the last one of a kind */
  void *state;
};

/* By kind, in the order in which the analyses were added. */
struct dispatch {
  struct dispatch_handler events[MLPD_KINDS][DISPATCH_MAX + 1];
  struct dispatch_handler names[MLPD_KINDS][DISPATCH_MAX + 1]; /* for events that do not count */
};

/* Adds the handlers of an analysis; of one that `names_only` leaves out those of names alone, which
 * then handle all events.  `dispatch` is all zeros at first. */
void dispatch_add (struct dispatch *dispatch, const struct analysis *analysis, void *state,
                   bool names_only);

/* Hands an event to the analyses that handle its kind. */
static inline void
dispatch_event (const struct dispatch *dispatch, const struct analysis_event *event, bool name_only)
{
  const struct dispatch_handler *h
      = name_only ? dispatch->names[event->kind] : dispatch->events[event->kind];
  for (; h->handle != NULL; h++)
    h->handle (h->state, event);
}

#endif
