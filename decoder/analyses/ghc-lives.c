/* ghc-lives.c -- see ghc-lives.h. */
#include "decoder/analyses/ghc-lives.h"

static void
free_life (gpointer data)
{
  struct ghc_life *life = data;
  g_free (life->label);
  g_free (life);
}

void
ghc_lives_init (struct ghc_lives *lives)
{
  *lives = (struct ghc_lives){ .by_id = g_hash_table_new_full (NULL, NULL, NULL, free_life) };
}

void
ghc_lives_clear (struct ghc_lives *lives)
{
  g_hash_table_unref (lives->by_id);
}

bool
ghc_lives_names (enum ghc_kind kind, const union ghc_payload *p, guint *thread)
{
  switch (kind) {
  case GHC_CREATE_THREAD:
    *thread = p->create_thread.thread;
    return true;
  case GHC_RUN_THREAD:
    *thread = p->run_thread.thread;
    return true;
  case GHC_STOP_THREAD:
    *thread = p->stop_thread.thread;
    return true;
  case GHC_THREAD_RUNNABLE:
    *thread = p->thread_runnable.thread;
    return true;
  case GHC_MIGRATE_THREAD:
    *thread = p->migrate_thread.thread;
    return true;
  case GHC_THREAD_WAKEUP:
    *thread = p->thread_wakeup.thread;
    return true;
  case GHC_THREAD_LABEL:
    *thread = p->thread_label.thread;
    return true;
  case GHC_CREATE_SPARK_THREAD:
    *thread = p->create_spark_thread.spark_thread;
    return true;
  case GHC_RUN_SPARK:
    *thread = p->run_spark.thread;
    return true;
  case GHC_STEAL_SPARK:
    *thread = p->steal_spark.thread;
    return true;
  default:
    return false;
  }
}

static struct ghc_life *
find (struct ghc_lives *lives, guint id)
{
  if (lives->last != NULL && lives->last->id == id)
    return lives->last;
  struct ghc_life *life = g_hash_table_lookup (lives->by_id, GUINT_TO_POINTER (id));
  if (life == NULL) {
    life = g_new0 (struct ghc_life, 1);
    life->id = id;
    g_hash_table_insert (lives->by_id, GUINT_TO_POINTER (id), life);
  }
  lives->last = life;
  return life;
}

void
ghc_lives_event (struct ghc_lives *lives, enum ghc_kind kind, uint64_t time,
                 const union ghc_payload *p, bool counts)
{
  guint id;
  if (!ghc_lives_names (kind, p, &id) || (!counts && kind != GHC_THREAD_LABEL))
    return;
  struct ghc_life *life = find (lives, id);
  if (kind == GHC_THREAD_LABEL) {
    g_free (life->label);
    life->label = g_strndup (p->thread_label.label.text, p->thread_label.label.length);
  }
  if (!counts)
    return;
  life->start = life->events == 0 ? time : MIN (life->start, time);
  life->end = MAX (life->end, time);
  life->events++;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const struct ghc_life *const *x = a, *const *y = b;
  return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

GPtrArray *
ghc_lives_all (const struct ghc_lives *lives)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, lives->by_id);
  while (g_hash_table_iter_next (&i, NULL, &value))
    if (((struct ghc_life *) value)->events != 0)
      g_ptr_array_add (all, value);
  g_ptr_array_sort (all, compare_ids);
  return all;
}
