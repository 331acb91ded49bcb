/* summary.h -- all analyses of a Mono log.
 *
 * Scans of stretches of the log (scan.h) are merged in file order; or items are given one by one,
 * which are scanned here.  Both give the same figures.
 */
#ifndef PROFLOG_SUMMARY_H
#define PROFLOG_SUMMARY_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/calls.h"
#include "decoder/analyses/exceptions.h"
#include "decoder/analyses/gc.h"
#include "decoder/analyses/heap-builder.h"
#include "decoder/analyses/heapshots.h"
#include "decoder/analyses/log.h"
#include "decoder/analyses/metadata.h"
#include "decoder/analyses/monitors.h"
#include "decoder/analyses/objects.h"
#include "decoder/analyses/runtime.h"
#include "decoder/analyses/scan.h"
#include "decoder/analyses/symbols.h"
#include "decoder/analyses/threads.h"
#include "decoder/analyses/untyped.h"

struct summary {
  struct log log;
  struct symbols symbols;
  struct threads threads;
  struct gc gc;
  struct metadata metadata;
  struct allocations allocations;
  struct type_traces allocation_traces; /* if backtraces are asked for */
  struct calls calls;
  struct exceptions exceptions;
  struct monitors monitors;
  struct heapshots heapshots;
  struct heap_builder heap_builder; /* if graphs are asked for */
  struct runtime runtime;
  struct objects objects; /* if any are asked for */
  struct traces traces;   /* backtraces of all events */
  GArray *untyped;        /* of struct untyped, in file order */
  uint64_t untyped_left_out; /* whose types are not looked for, though the log may tell them */
  bool has_domains; /* more than one: addresses may stand for one thing and then another */
  struct scan_options options;
  struct scan *items; /* of those that were given one by one; NULL: none */
  uint64_t items_bytes;
};

/* `options` may be NULL: nothing but the sums. */
void summary_init (struct summary *summary, const struct scan_options *options);
void summary_clear (struct summary *summary);

/* Takes the next item into account. */
void summary_item (struct summary *summary, const struct mlpd_item *item);

/* Does nobody ask for what follows this item, up to the next buffer? */
bool summary_passes (const struct summary *summary, const struct mlpd_item *item);

/* Merges the items so far, before scans that others made; only between buffers. */
void summary_merge_items (struct summary *summary);

/* Takes the next stretch of the log into account, `end` bytes of which are then known. */
void summary_merge (struct summary *summary, const struct scan *scan, uint64_t end);

/* After the last item or scan. */
void summary_finish (struct summary *summary);

#endif
