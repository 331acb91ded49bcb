/* trace-runs.c -- the runs of Haskell threads, sorted into lanes when all are known. */
#include "config.h"

#include "decoder/core/id-map.h"
#include "decoder/ghc/analyses/ghc-threads.h"
#include "decoder/trace/trace-runs.h"
#include <string.h>

struct run {
  uint64_t begin, ns;
  guint thread; /* its place */
  unsigned cap;
};

struct trace_runs {
  GArray *all; /* of struct run */
  struct id_map places;
  GArray *totals; /* of uint64_t, by place: for how long each thread ran */
  GArray *ids;    /* of uint32_t, likewise */
  uint64_t left_out;
};

struct trace_runs *
trace_runs_new (void)
{
  struct trace_runs *r = g_new0 (struct trace_runs, 1);
  r->all = g_array_new (FALSE, FALSE, sizeof (struct run));
  r->totals = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  r->ids = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  id_map_init (&r->places);
  return r;
}

static void
free_runs (struct trace_runs *r)
{
  g_array_unref (r->all);
  g_array_unref (r->totals);
  g_array_unref (r->ids);
  id_map_clear (&r->places);
  g_free (r);
}

static gint
compare_lengths (gconstpointer a, gconstpointer b)
{
  const struct run *x = a, *y = b;
  if (x->ns != y->ns)
    return x->ns < y->ns ? 1 : -1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void
make_room (struct trace_runs *r)
{
  const guint kept = TRACE_RUNS_MAX / 2;
  g_array_sort (r->all, compare_lengths);
  r->left_out += r->all->len - kept;
  g_array_set_size (r->all, kept);
}

void
trace_runs_add (struct trace_runs *r, uint32_t thread, unsigned cap, uint64_t begin, uint64_t end)
{
  const uint64_t none = 0;
  const struct run run = { .begin = begin,
                           .ns = end - MIN (begin, end),
                           .thread = id_map_number (&r->places, thread),
                           .cap = cap };
  if (run.thread == r->totals->len) {
    g_array_append_val (r->totals, none);
    g_array_append_val (r->ids, thread);
  }
  g_array_index (r->totals, uint64_t, run.thread) += run.ns;
  if (r->all->len == TRACE_RUNS_MAX)
    make_room (r);
  g_array_append_val (r->all, run);
}

/* ---- the order of lanes ---- */

struct run_thread {
  guint place;
  uint32_t id;
  uint64_t ns, label_ns; /* for which it ran, and all of its label */
  const char *label;     /* "": none */
  bool is_of_runtime;
};

/* Threads without a label are no group. */
static gint
compare_threads (gconstpointer a, gconstpointer b)
{
  const struct run_thread *x = a, *y = b;
  if (x->is_of_runtime != y->is_of_runtime)
    return x->is_of_runtime ? 1 : -1;
  if (x->label_ns != y->label_ns)
    return x->label_ns < y->label_ns ? 1 : -1;
  const gint order = strcmp (x->label, y->label);
  if (order != 0)
    return order;
  if (x->ns != y->ns)
    return x->ns < y->ns ? 1 : -1;
  return x->id < y->id ? -1 : x->id > y->id;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const struct run_thread *x = a, *y = b;
  return x->ns != y->ns ? (x->ns < y->ns ? 1 : -1) : (x->id > y->id) - (x->id < y->id);
}

/* The threads that have a lane, in the order of these (transfer full). */
static GArray *
choose_threads (const struct trace_runs *r, const struct trace_runs_names *names)
{
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (struct run_thread));
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint i = 0; i < r->ids->len; i++) {
    const uint32_t id = g_array_index (r->ids, uint32_t, i);
    const char *label = names->label (names->data, id);
    const struct run_thread thread = { .place = i,
                                       .id = id,
                                       .ns = g_array_index (r->totals, uint64_t, i),
                                       .label = label != NULL ? label : "",
                                       .is_of_runtime = ghc_threads_label_is_of_runtime (label) };
    g_array_append_val (threads, thread);
  }
  g_array_sort (threads, compare_times);
  g_array_set_size (threads, MIN (threads->len, TRACE_RUN_THREADS_MAX));
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < threads->len; i++) {
      struct run_thread *thread = &g_array_index (threads, struct run_thread, i);
      uint64_t *sum = g_hash_table_lookup (sums, thread->label);
      if (sum == NULL)
        g_hash_table_insert (sums, (gpointer) thread->label, sum = g_new0 (uint64_t, 1));
      if (pass == 0)
        *sum += thread->ns;
      else
        thread->label_ns = thread->label[0] != 0 ? *sum : thread->ns;
    }
  g_array_sort (threads, compare_threads);
  return threads;
}

/* ---- lanes ---- */

static gint
compare_begins (gconstpointer a, gconstpointer b)
{
  const struct run *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static struct trace_track *
new_lane (struct trace *t, const struct trace_track *process, const char *name)
{
  g_autofree char *full = g_strconcat (name, ": runs", NULL);
  return trace_add (t, TRACE_LANE, process, full, TRACE_COUNT);
}

/* That of all threads without one on a capability. */
static struct trace_track *
shared_lane (struct trace *t, GHashTable *shared, const struct trace_track *process, unsigned cap)
{
  struct trace_track *lane = g_hash_table_lookup (shared, GUINT_TO_POINTER (cap));
  if (lane != NULL)
    return lane;
  g_autofree char *name = g_strdup_printf ("Other threads on capability %u", cap);
  lane = new_lane (t, process, name);
  g_hash_table_insert (shared, GUINT_TO_POINTER (cap), lane);
  return lane;
}

static void
put_runs (struct trace *t, const struct trace_runs *r, struct trace_track **lanes,
          const struct trace_track *process, const struct trace_runs_names *names)
{
  g_autoptr (GHashTable) shared = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < r->all->len; i++) {
    const struct run *run = &g_array_index (r->all, struct run, i);
    struct trace_track *lane = lanes[run->thread];
    g_autofree char *name = NULL;
    if (lane != NULL) {
      name = g_strdup_printf ("Capability %u", run->cap);
    } else {
      lane = shared_lane (t, shared, process, run->cap);
      name = names->name (names->data, g_array_index (r->ids, uint32_t, run->thread));
    }
    trace_slice (t, lane, trace_name (t, name), run->begin);
    trace_slice_end (t, lane, run->begin + run->ns);
  }
}

uint64_t
trace_runs_finish (struct trace *t, struct trace_runs *r, const struct trace_track *process,
                   const struct trace_runs_names *names)
{
  g_autofree struct trace_track **lanes = g_new0 (struct trace_track *, r->ids->len + 1);
  g_autoptr (GArray) threads = choose_threads (r, names);
  for (guint i = 0; i < threads->len; i++) {
    const struct run_thread *thread = &g_array_index (threads, struct run_thread, i);
    g_autofree char *name = names->name (names->data, thread->id);
    lanes[thread->place] = new_lane (t, process, name);
  }
  g_array_sort (r->all, compare_begins);
  put_runs (t, r, lanes, process, names);
  const uint64_t left_out = r->left_out;
  free_runs (r);
  return left_out;
}
