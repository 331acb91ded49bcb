/* ghc-cost-centres.h -- the cost centres that an eventlog names, and names for stacks of them. */
#ifndef PROFLOG_GHC_COST_CENTRES_H
#define PROFLOG_GHC_COST_CENTRES_H

#include <glib.h>
#include <proflog/ghc.h>

struct ghc_cost_centre {
  uint32_t id;
  bool is_caf; /* stands for the constants of its module */
  char *label, *module, *location;
};

struct ghc_cost_centres {
  GHashTable *by_id; /* struct ghc_cost_centre */
};

void ghc_cost_centres_init (struct ghc_cost_centres *centres);
void ghc_cost_centres_clear (struct ghc_cost_centres *centres);

/* A cost centre is reported; a former one of the same number is forgotten. */
void ghc_cost_centres_add (struct ghc_cost_centres *centres,
                           const struct ghc_heap_prof_cost_centre *event);

/* The cost centre of a number, or NULL. */
const struct ghc_cost_centre *ghc_cost_centres_find (const struct ghc_cost_centres *centres,
                                                     uint32_t id);

/* Does it stand for the time in which nothing ran? */
bool ghc_cost_centres_is_idle (const struct ghc_cost_centres *centres, uint32_t id);

/* "label", of constants "Module.CAF", of unknown ones "#12" (transfer full). */
char *ghc_cost_centres_name (const struct ghc_cost_centres *centres, uint32_t id);

/* The names of a stack, the innermost first: "inner/outer"; of an empty one "MAIN" (transfer
 * full). */
char *ghc_cost_centres_stack (const struct ghc_cost_centres *centres, const uint32_t *ids,
                              size_t n);

#endif
