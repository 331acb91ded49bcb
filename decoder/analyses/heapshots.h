/* heapshots.h -- heap shots: objects and bytes by class. */
#ifndef PROFLOG_HEAPSHOTS_H
#define PROFLOG_HEAPSHOTS_H

#include "decoder/analyses/allocations.h"
#include "decoder/analyses/roots.h"
#include "decoder/analyses/threads.h"

struct heapshot {
  uint64_t time; /* of its START */
  bool complete; /* its END was seen */
  uint64_t objects;
  uint64_t bytes;
  uint64_t references;
  uint64_t classes;
  struct root_sums roots; /* when it is complete */
  GArray *types; /* of struct type_sum, by class symbol */
};

struct heapshots {
  GPtrArray *shots;       /* of struct heapshot */
  uint64_t stray_objects; /* outside any shot: not counted in one */
};

void heapshots_init (struct heapshots *heapshots);
void heapshots_clear (struct heapshots *heapshots);
void heapshots_start (struct heapshots *heapshots, struct thread *thread, uint64_t time);
void heapshots_end (struct heapshots *heapshots, struct thread *thread);
void heapshots_object (struct heapshots *heapshots, struct thread *thread, guint klass,
                       const struct mlpd_heap_object *event);

#endif
