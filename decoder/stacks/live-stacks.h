/* live-stacks.h -- the stacks of samples that come: processor time by stack, in bounded memory. */
#ifndef PROFLOG_LIVE_STACKS_H
#define PROFLOG_LIVE_STACKS_H

#include "decoder/mlpd/model/call-tree.h"
#include "decoder/mlpd/model/recording.h"
#include "decoder/mlpd/model/symbols.h"
#include <proflog/mlpd.h>

/* Stacks that are distinguished; the time of further ones is in `others_ns`. */
#define LIVE_STACKS_MAX 100000

struct live_stacks {
  struct call_tree tree; /* the counts are nanoseconds, with those of callees */
  GArray *frames;        /* of guint: method symbols of the latest hit, the innermost first */
  uint64_t bare_ns;      /* of hits without managed frames */
  uint64_t others_ns;
};

void live_stacks_init (struct live_stacks *stacks);
void live_stacks_clear (struct live_stacks *stacks);

/* The frames of a hit; its method symbols are made as needed. */
void live_stacks_hit (struct live_stacks *stacks, struct symbols *symbols,
                      const struct recording *recording, const struct mlpd_sample_hit *hit);

/* Processor time of the latest hit. */
void live_stacks_add (struct live_stacks *stacks, uint64_t ns);

#endif
