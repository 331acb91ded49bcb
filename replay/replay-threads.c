/* replay-threads.c -- a thread for each of the log's, which fire one at a time.
 *
 * The thread that has the turn fires until another thread's next event is earlier, and hands the
 * turn over.  A thread that has stopped the world retains it.  So the order is the same each time.
 */
#include "config.h"

#include "replay/replay-private.h"
#include <string.h>
#include <time.h>

/* Threads that have ended keep their ids, as long as there are not more of them. */
enum { KEPT_THREADS = 4096 };

/* More than any module uses; the stacks of the runtime's threads are at least as large. */
enum { STACK_BYTES = 1 << 20 };

/* All but the one that has the turn: a heap, the earliest first. */
static GPtrArray *waiting;
static sem_t finished;

static GHashTable *living; /* log's id -> its thread that runs, or the first that will */
static GQueue ended = G_QUEUE_INIT;

static uint64_t turns;

uint64_t
replay_turns (void)
{
  return turns;
}

/* ---- the order ---- */

static bool
is_before (const struct replay_thread *a, const struct replay_thread *b)
{
  return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void
swap (guint a, guint b)
{
  gpointer p = waiting->pdata[a];
  waiting->pdata[a] = waiting->pdata[b];
  waiting->pdata[b] = p;
}

static void
push (struct replay_thread *t)
{
  guint i = waiting->len;
  g_ptr_array_add (waiting, t);
  for (; i > 0 && is_before (t, waiting->pdata[(i - 1) / 2]); i = (i - 1) / 2)
    swap (i, (i - 1) / 2);
}

static struct replay_thread *
first (void)
{
  return waiting->len != 0 ? waiting->pdata[0] : NULL;
}

static struct replay_thread *
pop (void)
{
  struct replay_thread *t = first ();
  if (t == NULL)
    return NULL;
  swap (0, waiting->len - 1);
  g_ptr_array_set_size (waiting, (gint) waiting->len - 1);
  for (guint i = 0, least;; i = least) {
    least = i;
    for (guint child = 2 * i + 1; child <= 2 * i + 2; child++)
      if (child < waiting->len && is_before (waiting->pdata[child], waiting->pdata[least]))
        least = child;
    if (least == i)
      return t;
    swap (i, least);
  }
}

/* ---- threads ---- */

static void
wait_for (sem_t *semaphore)
{
  while (sem_wait (semaphore) != 0)
    continue;
}

static void *thread_main (void *data);

static void
start (struct replay_thread *t)
{
  pthread_attr_t attributes;
  if (t->started)
    return;
  t->started = true;
  t->calls = g_ptr_array_new ();
  t->frames = g_ptr_array_new ();
  sem_init (&t->turn, 0, 0);
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, STACK_BYTES);
  const int error = pthread_create (&t->pthread, &attributes, thread_main, t);
  pthread_attr_destroy (&attributes);
  if (error != 0)
    host_fail ("thread %u of %u cannot be started: %s", t->number + 1, replay_log.threads->len,
               g_strerror (error));
}

static void
join (struct replay_thread *t)
{
  pthread_join (t->pthread, NULL);
  sem_destroy (&t->turn);
  g_ptr_array_unref (t->calls);
  g_ptr_array_unref (t->frames);
}

static void
pass_turn (struct replay_thread *t)
{
  turns++;
  start (t);
  sem_post (&t->turn);
}

/* Fires the thread's events up to the next one of another thread.  False when none is left. */
static bool
fire_some (struct replay_thread *t)
{
  const struct replay_record *r;
  const struct replay_thread *other = first ();
  while ((r = replay_record_next (t)) != NULL) {
    t->time = r->time;
    if (!t->stopped_world && other != NULL && is_before (other, t))
      return true;
    replay_fire (t, r);
  }
  return false;
}

/* Hands the turn over for good. */
static void
end (struct replay_thread *t)
{
  struct replay_thread *next = pop ();
  if (g_hash_table_lookup (living, &t->id) == t)
    g_hash_table_remove (living, &t->id);
  g_queue_push_tail (&ended, t);
  if (ended.length > KEPT_THREADS)
    join (g_queue_pop_head (&ended));
  replay_clock_stop ();
  if (next != NULL)
    pass_turn (next);
  else
    sem_post (&finished);
}

static void *
thread_main (void *data)
{
  struct replay_thread *t = replay_self = data;
  wait_for (&t->turn);
  g_hash_table_insert (living, &t->id, t);
  replay_clock_go ();
  while (fire_some (t)) {
    struct replay_thread *next = pop ();
    push (t);
    replay_clock_stop ();
    pass_turn (next);
    wait_for (&t->turn);
    replay_clock_go ();
  }
  end (t);
  return NULL;
}

uint64_t
replay_thread_id (uint64_t id)
{
  struct replay_thread *t = g_hash_table_lookup (living, &id);
  if (t == NULL)
    return id;
  start (t);
  return (uint64_t) (uintptr_t) t->pthread;
}

/* Until its first buffer is read, a thread's time is the buffer's base. */
static void
add_thread (struct replay_thread *t)
{
  if (t->buffers->len == 0)
    return;
  t->time = g_array_index (t->buffers, struct replay_buffer, 0).header.time_base;
  if (!g_hash_table_contains (living, &t->id))
    g_hash_table_insert (living, &t->id, t);
  push (t);
}

void
replay_run (void)
{
  waiting = g_ptr_array_new ();
  living = g_hash_table_new (g_int64_hash, g_int64_equal);
  sem_init (&finished, 0, 0);
  for (guint i = 0; i < replay_log.threads->len; i++)
    add_thread (replay_log.threads->pdata[i]);
  struct replay_thread *next = pop ();
  if (next != NULL) {
    pass_turn (next);
    wait_for (&finished);
  }
  while (ended.length != 0)
    join (g_queue_pop_head (&ended));
  g_hash_table_unref (living);
  g_ptr_array_unref (waiting);
}
