/* summary.h -- all analyses of a Mono log over its items, in file order. */
#ifndef PROFLOG_SUMMARY_H
#define PROFLOG_SUMMARY_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/calls.h"
#include "decoder/analyses/exceptions.h"
#include "decoder/analyses/gc.h"
#include "decoder/analyses/heapshots.h"
#include "decoder/analyses/log.h"
#include "decoder/analyses/metadata.h"
#include "decoder/analyses/monitors.h"
#include "decoder/analyses/runtime.h"
#include "decoder/analyses/symbols.h"
#include "decoder/analyses/threads.h"

struct summary {
  struct log log;
  struct symbols symbols;
  struct threads threads;
  struct gc gc;
  struct metadata metadata;
  struct allocations allocations;
  struct calls calls;
  struct exceptions exceptions;
  struct monitors monitors;
  struct heapshots heapshots;
  struct runtime runtime;
  struct traces traces; /* backtraces of all events */
  struct thread *thread; /* of the buffer that is being read */
  uint64_t time;         /* of the latest event in it */
};

void summary_init (struct summary *summary);
void summary_clear (struct summary *summary);

/* Takes the next item into account. */
void summary_item (struct summary *summary, const struct mlpd_item *item);

/* After the last item. */
void summary_finish (struct summary *summary);

#endif
