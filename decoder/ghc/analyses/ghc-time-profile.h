/* ghc-time-profile.h -- the time profile of an eventlog: at each tick of a clock, in which stack of
 * cost centres each capability was, or which call stack each thread had (ghc-call-stacks.h); as a
 * tree, and by frame.  A log that has both counts those that come first.
 *
 * Give it all events in the order of the file.
 */
#ifndef PROFLOG_GHC_TIME_PROFILE_H
#define PROFLOG_GHC_TIME_PROFILE_H

#include "decoder/ghc/analyses/ghc-call-stacks.h"
#include "decoder/ghc/analyses/ghc-cost-centres.h"
#include "decoder/ghc/analyses/ghc-node-map.h"
#include "decoder/filter/filter.h"

#include <proflog/ghc-reader.h>

/* Nodes of the tree; samples that would need more count for the innermost node that there is. */
#define GHC_TIME_NODES_MAX (1 << 20)
/* Frames of a stack in it, from the outermost on. */
#define GHC_TIME_DEPTH_MAX 4096

struct ghc_time_node {
  uint32_t parent; /* a node; of the root itself */
  uint32_t depth;  /* 0: the root, which stands for MAIN */
  uint32_t frame;  /* the number of a cost centre, or that in ghc-call-stacks.h */
  uint64_t self;   /* samples with this as the whole stack */
  uint64_t total;  /* with this at its outer end: after ghc_time_profile_finish */
};

/* One of the samples. */
struct ghc_time_sample {
  uint64_t time;
  uint32_t cap, node;
};

/* Samples whose order is retained; of more it is not known. */
#define GHC_TIME_SAMPLES_MAX (1u << 24)

/* A frame, wherever it is in the tree. */
struct ghc_time_frame {
  uint32_t frame;
  uint64_t self, total; /* each sample counts once in a total */
};

struct ghc_time_profile {
  const struct selection *selection; /* of capabilities, and of the threads of call stacks; NULL:
                                        all.  Borrowed */
  uint64_t from, to;                 /* times of samples: from <= time < to */
  struct ghc_cost_centres centres;
  struct ghc_call_stacks stacks;
  const struct ghc_provenances *provenances; /* of the log; borrowed */
  bool by_thread;                            /* the outermost frame of a call stack is its thread */
  struct id_map threads;                     /* those that are frames, from UINT32_MAX down */
  GArray *thread_ids;                        /* uint32_t: the ids of these */
  GHashTable *labels;                        /* of threads: char * */
  uint64_t interval;                         /* ns from tick to tick; 0: unknown */
  uint64_t samples;
  uint64_t cut;               /* of these: whose stack is not whole in the tree */
  uint64_t others;            /* samples of the other kind, which do not count */
  bool has_call_stacks;       /* the samples are call stacks */
  bool is_innermost;          /* their frames begin with the innermost, as far as that is judged */
  GHashTable *caps;           /* samples by capability: uint64_t */
  GArray *nodes;              /* struct ghc_time_node: a parent is before its children */
  struct ghc_node_map places; /* in nodes, of all but the root */
  GArray *order;   /* struct ghc_time_sample, in the order of the file; NULL: not requested,
                      or there are too many */
  GArray *waiting; /* of uint32_t: call stacks until their order is known, each after the
                      number of its frames, its thread, capability and time */
};

void ghc_time_profile_init (struct ghc_time_profile *profile, uint64_t from, uint64_t to,
                            const struct ghc_provenances *provenances);
void ghc_time_profile_clear (struct ghc_time_profile *profile);

/* Before the first item: `order` is requested. */
void ghc_time_profile_keep_order (struct ghc_time_profile *profile);

/* Takes the next item, an event. */
void ghc_time_profile_item (struct ghc_time_profile *profile, const struct ghc_item *item);

/* After the last item, or the last one so far: others may follow. */
void ghc_time_profile_finish (struct ghc_time_profile *profile);

/* Whether samples in this frame are of a capability that had nothing to do: the runtime samples
 * those, too, in a cost centre of its own. */
bool ghc_time_profile_is_idle (const struct ghc_time_profile *profile, uint32_t frame);

/* The frame "cost-centre", or a kind of ghc-call-stacks.h. */
const char *ghc_time_profile_kind (const struct ghc_time_profile *profile, uint32_t frame);

/* Its name, and its place in the source or NULL (transfer full); its module, NULL: unknown. */
char *ghc_time_profile_name (const struct ghc_time_profile *profile, uint32_t frame);
char *ghc_time_profile_location (const struct ghc_time_profile *profile, uint32_t frame);
const char *ghc_time_profile_module (const struct ghc_time_profile *profile, uint32_t frame);

/* All frames that were seen, by number (transfer full: struct ghc_time_frame). */
GArray *ghc_time_profile_frames (const struct ghc_time_profile *profile);

/* The places of all nodes but the root, each before its children, siblings by their totals
 * (transfer full: guint). */
GArray *ghc_time_profile_tree (const struct ghc_time_profile *profile);

#endif
