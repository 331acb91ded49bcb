/* ordered-pool.c -- a ring of slots under one lock.
 *
 * GLib's thread pool gives no order, and its locks are unknown to the thread sanitizer.
 */
#include "config.h"

#include "decoder/core/ordered-pool.h"

#include <glib.h>
#include <pthread.h>

enum slot_state {
  SLOT_FREE,
  SLOT_BUSY,
  SLOT_DONE,
};

struct ring {
  const struct ordered_pool *pool;
  void *data;
  char *items;
  size_t size;
  unsigned n;
  pthread_mutex_t lock; /* of all that follows; a busy slot's item is its worker's alone */
  pthread_cond_t changed;
  enum slot_state states[ORDERED_POOL_ITEMS_MAX];
  unsigned next_produced; /* slots are used in turn */
  unsigned next_consumed;
  bool producing; /* a thread is */
  bool at_end;    /* no item is left, or consuming was stopped */
};

static void *
item_at (const struct ring *r, unsigned slot)
{
  return r->items + slot * r->size;
}

/* Produces the next item, if there is a slot for it, and works on it.  With the lock held, which is
 * released meanwhile.  False: there was no slot, or another thread produces. */
static bool
produce_and_work (struct ring *r, void *worker)
{
  const unsigned slot = r->next_produced % r->n;
  if (r->producing || r->at_end || r->states[slot] != SLOT_FREE)
    return false;
  r->producing = true;
  r->states[slot] = SLOT_BUSY;
  pthread_mutex_unlock (&r->lock);
  const bool has_item = r->pool->produce (r->data, item_at (r, slot));
  pthread_mutex_lock (&r->lock);
  r->producing = false;
  pthread_cond_broadcast (&r->changed);
  if (!has_item) {
    r->states[slot] = SLOT_FREE;
    r->at_end = true;
    return true;
  }
  r->next_produced++;
  pthread_mutex_unlock (&r->lock);
  if (r->pool->work != NULL)
    r->pool->work (r->data, item_at (r, slot), worker);
  pthread_mutex_lock (&r->lock);
  r->states[slot] = r->pool->consume != NULL ? SLOT_DONE : SLOT_FREE;
  pthread_cond_broadcast (&r->changed);
  return true;
}

static void *
new_worker (const struct ordered_pool *pool, void *data)
{
  return pool->worker_new != NULL ? pool->worker_new (data) : NULL;
}

static void
free_worker (const struct ordered_pool *pool, void *worker)
{
  if (pool->worker_free != NULL)
    pool->worker_free (worker);
}

static void *
worker_main (void *data)
{
  struct ring *r = data;
  void *worker = new_worker (r->pool, r->data);
  pthread_mutex_lock (&r->lock);
  while (!r->at_end)
    if (!produce_and_work (r, worker) && !r->at_end)
      pthread_cond_wait (&r->changed, &r->lock);
  pthread_mutex_unlock (&r->lock);
  free_worker (r->pool, worker);
  return NULL;
}

/* Until all is produced and consumed; with the lock held. */
static bool
consume_all (struct ring *r, void *worker)
{
  bool good = true;
  while (good) {
    const unsigned slot = r->next_consumed % r->n;
    if (r->states[slot] == SLOT_DONE) {
      pthread_mutex_unlock (&r->lock);
      good = r->pool->consume (r->data, item_at (r, slot), worker);
      pthread_mutex_lock (&r->lock);
      r->states[slot] = SLOT_FREE;
      r->next_consumed++;
      pthread_cond_broadcast (&r->changed);
    } else if (!produce_and_work (r, worker)) {
      if (r->at_end && (r->pool->consume == NULL || r->next_consumed == r->next_produced))
        break;
      pthread_cond_wait (&r->changed, &r->lock);
    }
  }
  r->at_end = true;
  pthread_cond_broadcast (&r->changed);
  return good;
}

unsigned
ordered_pool_threads (unsigned wanted)
{
  return MIN (wanted != 0 ? wanted : g_get_num_processors (), ORDERED_POOL_THREADS_MAX);
}

bool
ordered_pool_run (const struct ordered_pool *pool, void *data, void *items, size_t size, unsigned n,
                  unsigned threads)
{
  g_return_val_if_fail (n != 0 && n <= ORDERED_POOL_ITEMS_MAX, false);
  struct ring r = { .pool = pool, .data = data, .items = items, .size = size, .n = n };
  pthread_t helpers[ORDERED_POOL_THREADS_MAX];
  unsigned n_helpers = 0;
  pthread_mutex_init (&r.lock, NULL);
  pthread_cond_init (&r.changed, NULL);
  void *worker = new_worker (pool, data);
  while (n_helpers + 1 < MIN (threads, ORDERED_POOL_THREADS_MAX)
         && pthread_create (&helpers[n_helpers], NULL, worker_main, &r) == 0)
    n_helpers++;
  pthread_mutex_lock (&r.lock);
  const bool good = consume_all (&r, worker);
  pthread_mutex_unlock (&r.lock);
  for (unsigned i = 0; i < n_helpers; i++)
    pthread_join (helpers[i], NULL);
  free_worker (pool, worker);
  pthread_mutex_destroy (&r.lock);
  pthread_cond_destroy (&r.changed);
  return good;
}
