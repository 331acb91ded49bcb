/* ghc-thread-table.c -- stores the lifetime and label of each thread id. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-thread-table.h"
#include "decoder/filter/filter.h"

static void
free_lifetime (gpointer data)
{
  struct ghc_lifetime *lifetime = data;
  g_free (lifetime->label);
  g_free (lifetime->labels);
  g_free (lifetime);
}

void
ghc_thread_table_init (struct ghc_thread_table *table)
{
  *table = (struct ghc_thread_table){ .by_id
                                      = g_hash_table_new_full (NULL, NULL, NULL, free_lifetime) };
}

void
ghc_thread_table_clear (struct ghc_thread_table *table)
{
  g_hash_table_unref (table->by_id);
}

bool
ghc_thread_table_names (enum ghc_kind kind, const union ghc_payload *p, guint *thread)
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

static struct ghc_lifetime *
find (struct ghc_thread_table *table, guint id)
{
  struct ghc_lifetime **recent = &table->recent[id % GHC_LIFETIMES_RECENT];
  if (*recent != NULL && (*recent)->id == id)
    return *recent;
  struct ghc_lifetime *lifetime = g_hash_table_lookup (table->by_id, GUINT_TO_POINTER (id));
  if (lifetime == NULL) {
    lifetime = g_new0 (struct ghc_lifetime, 1);
    lifetime->id = id;
    g_hash_table_insert (table->by_id, GUINT_TO_POINTER (id), lifetime);
  }
  return *recent = lifetime;
}

void
ghc_thread_table_add (struct ghc_thread_table *table, guint thread, uint64_t time)
{
  struct ghc_lifetime *lifetime = find (table, thread);
  lifetime->start = lifetime->events == 0 ? time : MIN (lifetime->start, time);
  lifetime->end = MAX (lifetime->end, time);
  lifetime->events++;
}

void
ghc_thread_table_event (struct ghc_thread_table *table, enum ghc_kind kind, uint64_t time,
                        const union ghc_payload *p, bool counts)
{
  guint id;
  if (!ghc_thread_table_names (kind, p, &id))
    return;
  if (kind == GHC_THREAD_LABEL) {
    struct ghc_lifetime *lifetime = find (table, id);
    g_free (lifetime->label);
    lifetime->label = g_strndup (p->thread_label.label.text, p->thread_label.label.length);
    lifetime->labels = selection_add_name (lifetime->labels, lifetime->label);
  }
  if (counts)
    ghc_thread_table_add (table, id, time);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const struct ghc_lifetime *const *x = a, *const *y = b;
  return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

GPtrArray *
ghc_thread_table_all (const struct ghc_thread_table *table)
{
  GPtrArray *all = g_ptr_array_new ();
  GHashTableIter i;
  gpointer value;
  g_hash_table_iter_init (&i, table->by_id);
  while (g_hash_table_iter_next (&i, NULL, &value))
    if (((struct ghc_lifetime *) value)->events != 0)
      g_ptr_array_add (all, value);
  g_ptr_array_sort (all, compare_ids);
  return all;
}
