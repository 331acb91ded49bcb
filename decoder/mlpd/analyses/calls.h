/* calls.h -- calls by method: how often, how long.
 *
 * total counts a method's outermost activation on a thread only, so recursion is counted once;
 * self is the time in the method without its callees, all activations.
 */
#ifndef PROFLOG_CALLS_H
#define PROFLOG_CALLS_H

#include "decoder/mlpd/model/call-tree.h"
#include "decoder/mlpd/scan/scan.h"
#include "decoder/mlpd/model/threads.h"

struct method_sum {
  uint64_t calls;
  uint64_t total_ns;
  uint64_t self_ns;
};

struct call_frame {
  guint method;
  guint node; /* of the tree */
  uint64_t start;
  uint64_t callees_ns;
  uint64_t spent; /* self time that cells have */
};

/* A call that was left, as it is reported. */
struct left_call {
  const struct thread *thread; /* whose stack is that of the caller now */
  guint method;
  uint64_t start, ns, self_ns;
  bool is_outermost; /* of the method's on the thread */
};

struct calls {
  void (*left) (void *data, const struct left_call *call); /* NULL: not requested */
  void *left_data;
  uint64_t total;
  uint64_t skipped; /* calls that the log does not have, as they were short; not in total */
  uint64_t unmatched_leaves; /* of methods that were not entered: ignored */
  GArray *methods;           /* of struct method_sum, by method symbol */
  guint depth;               /* deeper calls count for their callers; 0: none do */
  bool has_stacks;
  struct call_tree tree; /* if it has them */
  bool has_callers;
  struct trace_sums callers; /* if it has: the stacks that methods were called from, by method */
  struct call_cells *cells;  /* NULL: they are not requested */
};

extern const struct analysis calls_analysis;

/* `options` request depth and callers. */
void calls_init (struct calls *calls, const struct scan_options *options);
void calls_clear (struct calls *calls);
void calls_enter (struct calls *calls, struct thread *thread, guint method, uint64_t time);

/* For both kinds of leave.  Frames above the method's are left with it. */
void calls_leave (struct calls *calls, struct thread *thread, guint method, uint64_t time);

/* How many frames of a thread are open, and the innermost of them (NULL: none). */
guint calls_depth (const struct thread *thread);
const struct call_frame *calls_top (const struct thread *thread);

/* Calls that began in one bin, and their self time in that or another: their rows are nodes of the
 * tree (owned by `calls`).  NULL: they were not requested. */
struct timeline_cells *calls_cells (struct calls *calls);

/* At the end of the log: leaves all frames of a thread at its last time. */
void calls_end_thread (struct calls *calls, struct thread *thread);

#endif
