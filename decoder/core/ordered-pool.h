/* ordered-pool.h -- worker threads for a sequence of items that is produced and consumed in order.
 *
 * Items are slots of an array, used in turn.  One thread at a time produces the next item into a
 * free slot and then works on it, while others produce and work on those that follow.  The caller's
 * thread consumes the items in the order in which they were produced, and works, too, while none
 * is ready.  So there are never more items in memory than slots.
 */
#ifndef PROFLOG_ORDERED_POOL_H
#define PROFLOG_ORDERED_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* More would need memory that no log is worth. */
#define ORDERED_POOL_THREADS_MAX 8
#define ORDERED_POOL_ITEMS_MAX (2 * ORDERED_POOL_THREADS_MAX + 1)

/* `data` is that of ordered_pool_run, `worker` the working thread's own. */
struct ordered_pool {
  /* Creates and frees the data of one thread for its work.  NULL: nothing. */
  void *(*worker_new) (void *data);
  void (*worker_free) (void *worker);
  /* Puts the next item into a slot; false if there is none.  Never in two threads at once. */
  bool (*produce) (void *data, void *item);
  /* Works on an item, in any thread.  NULL: there is nothing to do. */
  void (*work) (void *data, void *item, void *worker);
  /* Consumes an item in the caller's thread; false: stop.  NULL: there is nothing to do, and slots
   * are free at once. */
  bool (*consume) (void *data, void *item, void *worker);
};

/* Threads to use where a user requests `wanted` (0: as many as there are cores). */
unsigned ordered_pool_threads (unsigned wanted);

/* Runs until no item is left, or consuming was stopped: then it returns false.  `items` are `n`
 * slots of `size` bytes, ORDERED_POOL_ITEMS_MAX at most.  `threads` includes the caller's; where
 * the system has no more, fewer do. */
bool ordered_pool_run (const struct ordered_pool *pool, void *data, void *items, size_t size,
                       unsigned n, unsigned threads);

#endif
