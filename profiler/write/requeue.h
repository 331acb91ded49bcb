/* requeue.h -- work that a log which has failed could not accept, in order, for another output.
 *
 * On the writer's thread.
 */
#ifndef PROFILER_REQUEUE_H
#define PROFILER_REQUEUE_H

#include "profiler/record/buffer.h"

struct requeue {
  struct work *oldest, *newest;
};

void requeue_add (struct requeue *requeue, struct work *work);

/* The oldest work, which is no longer in the list; NULL: there is none. */
struct work *requeue_pop (struct requeue *requeue);

#endif
