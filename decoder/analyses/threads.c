/* threads.c -- threads by id. */
#include "decoder/analyses/threads.h"
#include "config.h"

static void
thread_free (void *data)
{
  struct thread *t = data;
  if (t->frames != NULL)
    g_array_free (t->frames, TRUE);
  if (t->active != NULL)
    g_array_free (t->active, TRUE);
  g_free (t);
}

void
threads_init (struct threads *threads)
{
  threads->by_id = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, thread_free);
  threads->all = g_ptr_array_new ();
}

void
threads_clear (struct threads *threads)
{
  g_ptr_array_free (threads->all, TRUE);
  g_hash_table_destroy (threads->by_id);
}

struct thread *
threads_get (struct threads *threads, uint64_t id)
{
  struct thread *t = g_hash_table_lookup (threads->by_id, &id);
  if (t == NULL) {
    t = g_new0 (struct thread, 1);
    t->id = id;
    g_hash_table_insert (threads->by_id, &t->id, t);
    g_ptr_array_add (threads->all, t);
  }
  return t;
}

void
thread_touch (struct thread *t, uint64_t time)
{
  if (t->events++ == 0)
    t->start = t->end = time;
  t->start = MIN (t->start, time);
  t->end = MAX (t->end, time);
}

guint
threads_with_events (const struct threads *threads)
{
  guint count = 0;
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *t = g_ptr_array_index (threads->all, i);
    count += t->events != 0;
  }
  return count;
}
