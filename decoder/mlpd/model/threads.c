/* threads.c -- threads by id. */
#include "config.h"

#include "decoder/mlpd/model/threads.h"

static void
thread_free (void *data)
{
  struct thread *t = data;
  if (t == NULL)
    return;
  if (t->frames != NULL)
    g_array_free (t->frames, TRUE);
  if (t->outer != NULL) {
    g_byte_array_unref (t->outer);
    g_array_unref (t->outer_parts);
  }
  if (t->active != NULL)
    g_array_free (t->active, TRUE);
  g_free (t->name);
  g_free (t);
}

void
threads_init (struct threads *threads)
{
  threads->by_id = g_hash_table_new (g_int64_hash, g_int64_equal);
  threads->all = g_ptr_array_new_with_free_func (thread_free);
  threads->forgot = false;
}

void
threads_clear (struct threads *threads)
{
  g_hash_table_destroy (threads->by_id);
  g_ptr_array_free (threads->all, TRUE);
}

/* Samples from `start` to `end` are events of the thread. */
static void
adopt_samples (struct thread *t, uint64_t count, uint64_t start, uint64_t end)
{
  if (count == 0)
    return;
  t->start = t->events == 0 ? start : MIN (t->start, start);
  t->end = t->events == 0 ? end : MAX (t->end, end);
  t->events += count;
}

static void
adopt_late (struct thread *t, struct thread *from)
{
  adopt_samples (t, from->late.count, from->late.start, from->late.end);
  from->late.count = 0;
}

static struct thread *
add (struct threads *threads, uint64_t id)
{
  struct thread *t = g_new0 (struct thread, 1);
  t->id = id;
  t->number = threads->all->len;
  t->before = g_hash_table_lookup (threads->by_id, &id);
  if (t->before != NULL)
    adopt_late (t, t->before);
  g_hash_table_replace (threads->by_id, &t->id, t);
  g_ptr_array_add (threads->all, t);
  return t;
}

struct thread *
threads_get (struct threads *threads, uint64_t id)
{
  struct thread *t = g_hash_table_lookup (threads->by_id, &id);
  return t == NULL || t->ended ? add (threads, id) : t;
}

struct thread *
threads_at (struct threads *threads, uint64_t id, uint64_t time)
{
  struct thread *t = g_hash_table_lookup (threads->by_id, &id);
  return t == NULL || (t->ended && time > t->ended_at) ? add (threads, id) : t;
}

struct thread *
threads_name (struct threads *threads, const struct mlpd_metadata_thread *event, bool is_own)
{
  const bool is_end = event->action == MLPD_LOAD_END_UNLOAD && is_own;
  /* Others may state a thread's name, in buffers that come later than its end.  A thread that
   * states its end twice is no other one. */
  struct thread *t = is_end ? g_hash_table_lookup (threads->by_id, &event->thread) : NULL;
  if (t == NULL)
    t = threads_at (threads, event->thread, event->time);
  if (is_end) {
    t->ended = true;
    t->ended_at = event->time;
  } else if (event->action == MLPD_LOAD_NAME && event->name.text != NULL) {
    g_free (t->name);
    t->name = g_strdup (event->name.text);
  }
  return t;
}

void
threads_metadata (struct threads *threads, const struct mlpd_metadata_thread *event, bool is_own)
{
  struct thread *t = threads_name (threads, event, is_own);
  if (t->events == 0) {
    t->start = t->announced ? MIN (t->start, event->time) : event->time;
    t->end = t->announced ? MAX (t->end, event->time) : event->time;
  }
  t->announced = true;
}

/* The one that has this id or had it when it ended after this time. */
static struct thread *
find_before (struct thread *t, uint64_t time)
{
  while (t->before != NULL && time <= t->before->ended_at)
    t = t->before;
  return t;
}

const struct thread *
threads_find (const struct threads *threads, uint64_t id, uint64_t time)
{
  struct thread *t = g_hash_table_lookup (threads->by_id, &id);
  return t != NULL ? find_before (t, time) : NULL;
}

struct thread *
threads_sampled (struct threads *threads, uint64_t id, uint64_t time, bool *is_late)
{
  struct thread *t = g_hash_table_lookup (threads->by_id, &id);
  *is_late = false;
  if (t == NULL && threads->forgot) /* it may be one of those */
    return NULL;
  t = t == NULL ? add (threads, id) : find_before (t, time);
  if (!t->ended || time <= t->ended_at) {
    adopt_samples (t, 1, time, time);
    return t;
  }
  *is_late = true;
  t->late.start = t->late.count == 0 ? time : MIN (t->late.start, time);
  t->late.end = t->late.count == 0 ? time : MAX (t->late.end, time);
  t->late.count++;
  return t;
}

void
threads_finish (struct threads *threads)
{
  for (guint i = 0; i < threads->all->len; i++) {
    struct thread *t = g_ptr_array_index (threads->all, i);
    adopt_late (t, t);
  }
}

void
threads_forget_ended (struct threads *threads, guint more_than)
{
  guint ended = 0, kept = 0;
  GPtrArray *all = threads->all;
  for (guint i = 0; i < all->len; i++)
    ended += ((const struct thread *) g_ptr_array_index (all, i))->ended;
  if (ended <= more_than)
    return;
  threads->forgot = true;
  for (guint i = 0; i < all->len; i++) {
    struct thread *t = g_ptr_array_index (all, i);
    if (!t->ended) {
      t->before = NULL;
      g_ptr_array_index (all, kept++) = t;
      continue;
    }
    if (g_hash_table_lookup (threads->by_id, &t->id) == t)
      g_hash_table_remove (threads->by_id, &t->id);
    thread_free (t);
  }
  /* Threads that moved to the front must not be freed with their former places. */
  for (guint i = kept; i < all->len; i++)
    g_ptr_array_index (all, i) = NULL;
  g_ptr_array_set_size (all, (gint) kept);
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
