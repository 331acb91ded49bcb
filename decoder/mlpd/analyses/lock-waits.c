/* lock-waits.c -- sums of waits, and intervals by their start. */
#include "config.h"

#include "decoder/mlpd/analyses/lock-waits.h"

/* Intervals of one thread do not overlap. */
struct lock_interval {
  uint64_t start, end;
  guint lock;
};

static guint
hash_wait (gconstpointer wait)
{
  const struct lock_wait *w = wait;
  return (g_int64_hash (&w->thread) * 31 + w->lock) * 31 + w->trace;
}

static gboolean
is_same_wait (gconstpointer a, gconstpointer b)
{
  const struct lock_wait *x = a, *y = b;
  return x->thread == y->thread && x->lock == y->lock && x->trace == y->trace;
}

static void
free_intervals (gpointer intervals)
{
  g_array_free (intervals, TRUE);
}

void
lock_waits_init (struct lock_waits *w)
{
  *w = (struct lock_waits){ .sums = g_hash_table_new_full (hash_wait, is_same_wait, g_free, g_free),
                            .intervals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                                free_intervals) };
}

void
lock_waits_clear (struct lock_waits *w)
{
  g_hash_table_destroy (w->sums);
  g_hash_table_destroy (w->intervals);
}

void
lock_waits_add (struct lock_waits *w, const struct lock_wait *wait, uint64_t ns)
{
  struct lock_wait_sum *sum = g_hash_table_lookup (w->sums, wait);
  if (sum == NULL) {
    sum = g_new0 (struct lock_wait_sum, 1);
    g_hash_table_insert (w->sums, g_memdup2 (wait, sizeof *wait), sum);
  }
  sum->ns += ns;
  sum->max_ns = MAX (sum->max_ns, ns);
  sum->count++;
}

void
lock_waits_add_interval (struct lock_waits *w, uint64_t thread, guint lock, uint64_t start,
                         uint64_t end)
{
  const struct lock_interval interval = { .start = start, .end = end, .lock = lock };
  GArray *of_thread = g_hash_table_lookup (w->intervals, &thread);
  if (of_thread == NULL) {
    of_thread = g_array_new (FALSE, FALSE, sizeof interval);
    g_hash_table_insert (w->intervals, g_memdup2 (&thread, sizeof thread), of_thread);
  }
  g_array_append_val (of_thread, interval);
}

static int
compare_starts (const void *a, const void *b)
{
  const struct lock_interval *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

/* Waits whose type was pending came last. */
void
lock_waits_sort (struct lock_waits *w)
{
  GHashTableIter iter;
  gpointer of_thread;
  g_hash_table_iter_init (&iter, w->intervals);
  while (g_hash_table_iter_next (&iter, NULL, &of_thread))
    g_array_sort (of_thread, compare_starts);
}

bool
lock_waits_find (const struct lock_waits *w, uint64_t thread, uint64_t time, guint *lock)
{
  const GArray *of_thread = g_hash_table_lookup (w->intervals, &thread);
  guint low = 0, high = of_thread != NULL ? of_thread->len : 0;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (of_thread, struct lock_interval, middle).start <= time)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return false;
  const struct lock_interval *interval = &g_array_index (of_thread, struct lock_interval, low - 1);
  *lock = interval->lock;
  return time <= interval->end;
}
