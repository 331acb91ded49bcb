/* heap-groups.h -- objects of a heap graph added up by class, by assembly or by size. */
#ifndef PROFLOG_HEAP_GROUPS_H
#define PROFLOG_HEAP_GROUPS_H

#include "decoder/heap/heap-dominators.h"

enum heap_by {
  HEAP_BY_CLASS,
  HEAP_BY_ASSEMBLY,
  HEAP_BY_SIZE, /* each group has sizes up to twice the smallest */
};

struct heap_group {
  char *name;        /* class, assembly (file name without what it ends with), "16-31" */
  const char *image; /* of a class; NULL: unknown; the graph's */
  uint64_t objects;
  uint64_t bytes;
  uint64_t retained; /* see heap_dominators_by_group */
};

struct heap_groups {
  struct heap_group *all;
  uint32_t n;
};

/* Which objects are added up. */
enum heap_part {
  HEAP_ALL,
  HEAP_UNREACHED_ONLY,
};

void heap_groups_init (struct heap_groups *groups, const struct heap_graph *graph,
                       const struct heap_dominators *dominators, enum heap_by by,
                       enum heap_part part);
void heap_groups_clear (struct heap_groups *groups);

#endif
