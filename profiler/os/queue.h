/* queue.h -- a queue from many threads to one, wait-free for threads that push.
 *
 * The order of the exchanges on `newest` is the order of the queue.  Between its exchange and
 * its store of `next` a pusher may be suspended (the collector stops threads anywhere): the
 * consumer then sees the end of the queue there until the thread goes on, and others can push
 * meanwhile.  Items are linked through themselves; a stub keeps the queue non-empty.
 */
#ifndef PROFILER_QUEUE_H
#define PROFILER_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct queue_item {
  _Atomic (struct queue_item *) next;
};

struct queue {
  _Atomic (struct queue_item *) newest;
  char apart[64 - sizeof (void *)]; /* pushers and the consumer share no cache line */
  struct queue_item *oldest;        /* the consumer's */
  struct queue_item stub;
};

static inline void
queue_init (struct queue *q)
{
  atomic_store_explicit (&q->stub.next, NULL, memory_order_relaxed);
  atomic_store_explicit (&q->newest, &q->stub, memory_order_relaxed);
  q->oldest = &q->stub;
}

/* From any thread.
 *
 * The store of NULL is relaxed: the exchange after it publishes it.  The exchange releases the item
 * and its NULL to the next pusher, and acquires those of the item before, so that the store of
 * `before->next` comes after the NULL that its own pusher stored there.  That store releases the
 * item's contents to the consumer, which acquires them in queue_pop. */
static inline void
queue_push (struct queue *q, struct queue_item *item)
{
  atomic_store_explicit (&item->next, NULL, memory_order_relaxed);
  struct queue_item *before = atomic_exchange_explicit (&q->newest, item, memory_order_acq_rel);
  atomic_store_explicit (&before->next, item, memory_order_release);
}

/* From the consumer only, after queue_pop returned NULL: whether a pusher is not finished, so that
 * there is more after it.  The acquire pairs with the exchange in queue_push, as for queue_pop. */
static inline bool
queue_has_more (const struct queue *q)
{
  return atomic_load_explicit (&q->newest, memory_order_acquire) != q->oldest;
}

/* From the consumer only.  NULL if there is nothing, or the oldest item's pusher is not finished.
 *
 * Each load of `next` acquires the contents of the next item, which queue_push released with its
 * store there.  `oldest` needs no order, as only the consumer uses it. */
static inline struct queue_item *
queue_pop (struct queue *q)
{
  struct queue_item *item = q->oldest;
  struct queue_item *next = atomic_load_explicit (&item->next, memory_order_acquire);
  if (item == &q->stub) {
    if (next == NULL)
      return NULL;
    q->oldest = item = next;
    next = atomic_load_explicit (&item->next, memory_order_acquire);
  }
  if (next != NULL) {
    q->oldest = next;
    return item;
  }
  /* `item` is the last one.  Before it is returned, another must follow it: the stub.  The load
   * pairs with the exchange of a pusher: if there was one, its item is the next, once it is linked.
   */
  if (atomic_load_explicit (&q->newest, memory_order_acquire) != item)
    return NULL; /* a push is under way */
  queue_push (q, &q->stub);
  next = atomic_load_explicit (&item->next, memory_order_acquire);
  if (next == NULL)
    return NULL;
  q->oldest = next;
  return item;
}

#endif
