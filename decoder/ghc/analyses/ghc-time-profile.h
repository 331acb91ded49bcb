/* ghc-time-profile.h -- the time profile of an eventlog: at each tick of a clock, in which stack of
 * cost centres each capability was; as a tree, and by cost centre.
 *
 * Give it all events in the order of the file.
 */
#ifndef PROFLOG_GHC_TIME_PROFILE_H
#define PROFLOG_GHC_TIME_PROFILE_H

#include "decoder/ghc/analyses/ghc-cost-centres.h"
#include "decoder/filter/filter.h"

#include <proflog/ghc-reader.h>

/* Nodes of the tree; samples that would need more count for the innermost node that there is. */
#define GHC_TIME_NODES_MAX (1 << 20)

struct ghc_time_node {
  uint32_t parent; /* a node; of the root itself */
  uint32_t depth;  /* 0: the root, which stands for MAIN */
  uint32_t centre;
  uint64_t self;  /* samples with this as the whole stack */
  uint64_t total; /* with this at its outer end: after ghc_time_profile_finish */
};

/* A cost centre, wherever it is in the tree. */
struct ghc_time_centre {
  uint32_t centre;
  uint64_t self, total; /* each sample counts once in a total */
};

struct ghc_time_profile {
  const struct selection *selection; /* of capabilities; NULL: all.  Borrowed */
  uint64_t from, to;                 /* times of samples: from <= time < to */
  struct ghc_cost_centres centres;
  uint64_t interval; /* ns from tick to tick; 0: unknown */
  uint64_t samples;
  uint64_t cut;       /* of these: whose stack is not whole in the tree */
  GHashTable *caps;   /* samples by capability: uint64_t */
  GArray *nodes;      /* struct ghc_time_node: a parent is before its children */
  GHashTable *places; /* parent and cost centre -> place in nodes */
};

void ghc_time_profile_init (struct ghc_time_profile *profile, uint64_t from, uint64_t to);
void ghc_time_profile_clear (struct ghc_time_profile *profile);

/* Takes the next item, an event. */
void ghc_time_profile_item (struct ghc_time_profile *profile, const struct ghc_item *item);

/* After the last item. */
void ghc_time_profile_finish (struct ghc_time_profile *profile);

/* Whether samples in this cost centre are of a capability that had nothing to do: the runtime
 * samples those, too, in a cost centre of its own. */
bool ghc_time_profile_is_idle (const struct ghc_time_profile *profile, uint32_t centre);

/* All cost centres that were seen, by number (transfer full: struct ghc_time_centre). */
GArray *ghc_time_profile_centres (const struct ghc_time_profile *profile);

/* The places of all nodes but the root, each before its children, siblings by their totals
 * (transfer full: guint). */
GArray *ghc_time_profile_tree (const struct ghc_time_profile *profile);

#endif
