/* requeue.c -- a list of work, linked through the items of the queue that it was in. */
#include "config.h"

#include "profiler/write/requeue.h"

/* The items left the queue: only the writer reads these links, so all accesses are relaxed. */

void
requeue_add (struct requeue *q, struct work *w)
{
  atomic_store_explicit (&w->item.next, NULL, memory_order_relaxed);
  if (q->newest != NULL)
    atomic_store_explicit (&q->newest->item.next, &w->item, memory_order_relaxed);
  else
    q->oldest = w;
  q->newest = w;
}

struct work *
requeue_pop (struct requeue *q)
{
  struct work *w = q->oldest;
  if (w == NULL)
    return NULL;
  q->oldest = (struct work *) atomic_load_explicit (&w->item.next, memory_order_relaxed);
  if (q->oldest == NULL)
    q->newest = NULL;
  return w;
}
