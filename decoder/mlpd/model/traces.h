/* traces.h -- backtraces, each stored once, and sums of them.
 *
 * A program has far fewer stacks than events that concern one: equal stacks share a dense number,
 * and their frames are stored once.  Frames are whatever numbers the caller has for methods, in the
 * caller's order.  All frames are retained; cutting is up to the view.
 */
#ifndef PROFLOG_TRACES_H
#define PROFLOG_TRACES_H

#include "decoder/core/id-map.h"
#include "decoder/core/whole-number.h"
#include "decoder/mlpd/model/allocations.h"
#include "decoder/mlpd/model/symbols.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* In place of a trace: the event has none. */
#define TRACE_NONE G_MAXUINT32

struct trace_slot {
  guint32 hash;
  guint32 place; /* of the trace, + 1; 0: the slot is free */
};

struct traces {
  GArray *all;    /* of struct trace */
  GArray *frames; /* of guint: those of all traces, one after the other */
  struct trace_slot *slots;
  guint n_slots; /* a power of 2 */
};

void traces_init (struct traces *traces);
void traces_clear (struct traces *traces);

/* Forgets all. */
void traces_start (struct traces *traces);

/* The number of the trace of these frames: 0, 1, 2 ... in the order they come first.  A trace may
 * be empty. */
guint traces_add (struct traces *traces, const guint *methods, size_t n);

/* Its frames; valid until the next traces_add. */
const guint *traces_frames (const struct traces *traces, guint trace, guint *n);

/* The order of the frames of two traces, by the names of their methods: < 0, 0 or > 0.  TRACE_NONE
 * comes last. */
int traces_compare (const struct traces *traces, const struct symbols *symbols, guint a, guint b);

/* ---- sums ---- */

struct trace_sum {
  guint key; /* its subject: a type, a method, a kind; small numbers */
  guint trace;
  guint before;                  /* the sum of the same key before this one: place + 1; 0: none */
  struct allocation_error error; /* where they are sampled allocations */
  uint64_t count;
  uint64_t bytes;
};

struct trace_sums {
  GArray *all;          /* of struct trace_sum, in the order they come first */
  GArray *latest;       /* of guint: by key, place of its latest sum + 1 */
  struct id_map places; /* by key and trace */
  bool has_traces;      /* not only TRACE_NONE */
};

enum trace_order { TRACES_BY_COUNT, TRACES_BY_BYTES };

void trace_sums_init (struct trace_sums *sums);
void trace_sums_clear (struct trace_sums *sums);

/* Forgets all. */
void trace_sums_start (struct trace_sums *sums);

/* Where the sum of a key and a trace is, which may be TRACE_NONE: until all are forgotten. */
guint trace_sums_place (struct trace_sums *sums, guint key, guint trace);

static inline void
trace_sums_add_at (struct trace_sums *sums, guint place, uint64_t count, uint64_t bytes)
{
  struct trace_sum *sum = &((struct trace_sum *) (void *) sums->all->data)[place];
  sum->count += count;
  sum->bytes = saturated_sum (sum->bytes, bytes);
}

void trace_sums_add (struct trace_sums *sums, guint key, guint trace, uint64_t count,
                     uint64_t bytes);

/* The error of what was added as estimates. */
void trace_sums_add_error (struct trace_sums *sums, guint key, guint trace,
                           const struct allocation_error *error);

/* The sums of a key, the largest first, then by the frames that they have in `traces`: methods of
 * `symbols`, by name (transfer container; of const struct trace_sum *, valid until the next
 * trace_sums_add).  Their order of arrival, and the numbers of their methods, depend on how the log
 * was divided. */
GPtrArray *trace_sums_for_key (const struct trace_sums *sums, const struct traces *traces,
                               const struct symbols *symbols, guint key, enum trace_order order);

#endif
