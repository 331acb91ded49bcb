/* summary.h -- all analyses of a Mono log.
 *
 * Scans of chunks of the log (scan.h) are merged in file order; or items are passed one by one,
 * which are scanned here.  Both give the same figures.
 */
#ifndef PROFLOG_SUMMARY_H
#define PROFLOG_SUMMARY_H

#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"

/* Analyses that handle one kind, at most. */
#define DISPATCH_MAX 8

struct dispatch_handler {
  analysis_handler *handle; /* NULL after the last one of a kind */
  void *state;
};

/* By kind, in the order in which the analyses were added. */
struct dispatch {
  struct dispatch_handler events[MLPD_KINDS][DISPATCH_MAX + 1];
  struct dispatch_handler names[MLPD_KINDS][DISPATCH_MAX + 1]; /* for events that do not count */
};

/* Hands an event to the analyses that handle its kind. */
static inline void
dispatch_event (const struct dispatch *dispatch, const struct analysis_event *event, bool name_only)
{
  const struct dispatch_handler *h
      = name_only ? dispatch->names[event->kind] : dispatch->events[event->kind];
  for (; h->handle != NULL; h++)
    h->handle (h->state, event);
}

struct summary {
  /* The model, which the analyses share (analysis.h). */
  struct scan_options options;
  struct log log;
  struct symbols symbols;
  struct threads threads;
  struct traces traces; /* backtraces of all events */
  struct pending_types pending_types;
  struct allocations allocations;
  struct type_traces allocation_traces; /* if backtraces are requested */

  void **states;               /* in the order of analyses.def: SUMMARY_STATE */
  struct analysis_model model; /* of the members above: a summary is not copied or moved */
  struct dispatch dispatch;
  struct scan *items; /* of those that were passed one by one; NULL: none */
  uint64_t items_bytes;
};

/* `options` may be NULL: nothing but the sums. */
void summary_init (struct summary *summary, const struct scan_options *options);
void summary_clear (struct summary *summary);

/* The state of an analysis of analyses.def; the summary's.  It is searched for: call it once before
 * a loop. */
void *summary_state (const struct summary *summary, const struct analysis *analysis);

/* The same with its type, which is declared in the header of the analysis: SUMMARY_STATE (s, gc) is
 * a struct gc. */
#define SUMMARY_STATE(summary, name) ((struct name *) summary_state ((summary), &name##_analysis))

/* Between these, scans have only the events that the filter selects; it is borrowed.  The figures
 * are then of a part of the log.  Before the first scan, and after the last one. */
void summary_begin_part (struct summary *summary, struct buffer_filter *filter);
void summary_end_part (struct summary *summary);

/* Adds the next item. */
void summary_item (struct summary *summary, const struct mlpd_item *item);

/* Is nothing requested of the events after this item, up to the next buffer? */
bool summary_skips (const struct summary *summary, const struct mlpd_item *item);

/* Merges the items so far, before scans that others made; only between buffers. */
void summary_merge_items (struct summary *summary);

/* Adds the next chunk of the log, `end` bytes of which are then known. */
void summary_merge (struct summary *summary, const struct scan *scan, uint64_t end);

/* After the last item or scan. */
void summary_finish (struct summary *summary);

/* heap_builder_build of its snapshots, after summary_finish. */
struct heap_graph *summary_build_heap (struct summary *summary, guint index);

#endif
