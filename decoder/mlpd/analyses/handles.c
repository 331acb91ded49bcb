/* handles.c -- counts GC handles. */
#include "config.h"

#include "decoder/mlpd/analyses/handles.h"
#include "decoder/mlpd/analyses/analysis.h"

struct handle_change {
  uint64_t time;
  guint kind;
  int by;
};

void
handles_init (struct handles *h)
{
  *h = (struct handles){ .window = g_array_new (FALSE, FALSE, sizeof (struct handle_change)) };
  trace_sums_init (&h->created_at);
  trace_sums_init (&h->destroyed_at);
}

void
handles_clear (struct handles *h)
{
  g_array_free (h->window, TRUE);
  trace_sums_clear (&h->created_at);
  trace_sums_clear (&h->destroyed_at);
}

static int
compare_times (const void *a, const void *b)
{
  const struct handle_change *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

/* Applies the first n changes in time.  There may be less than no handles for a while, where the
 * log begins late. */
static void
settle (struct handles *h, guint n)
{
  g_array_sort (h->window, compare_times);
  for (guint i = 0; i < n; i++) {
    const struct handle_change *change = &g_array_index (h->window, struct handle_change, i);
    struct handle_sum *sum = &h->kinds[change->kind];
    sum->alive += change->by;
    if (sum->alive > (int64_t) sum->max)
      sum->max = (uint64_t) sum->alive;
  }
  g_array_remove_range (h->window, 0, n);
}

static void
add_change (struct handles *h, uint64_t time, uint64_t kind, int by)
{
  const struct handle_change change = { .time = time, .kind = (guint) kind, .by = by };
  g_array_append_val (h->window, change);
  if (h->window->len == HANDLES_WINDOW)
    settle (h, HANDLES_WINDOW / 2);
}

void
handles_created (struct handles *h, const struct mlpd_gc_handle_created *event, guint trace)
{
  if (event->handle_type >= HANDLE_KINDS) {
    h->of_unknown++;
    return;
  }
  h->kinds[event->handle_type].created++;
  add_change (h, event->time, event->handle_type, 1);
  trace_sums_add (&h->created_at, (guint) event->handle_type, trace, 1, 0);
}

void
handles_destroyed (struct handles *h, const struct mlpd_gc_handle_destroyed *event, guint trace)
{
  if (event->handle_type >= HANDLE_KINDS) {
    h->of_unknown++;
    return;
  }
  h->kinds[event->handle_type].destroyed++;
  add_change (h, event->time, event->handle_type, -1);
  trace_sums_add (&h->destroyed_at, (guint) event->handle_type, trace, 1, 0);
}

void
handles_finish (struct handles *h)
{
  settle (h, h->window->len);
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  handles_init (state);
}

static void
clear (void *state)
{
  handles_clear (state);
}

static void
handle_created (void *state, const struct analysis_event *e)
{
  const struct mlpd_gc_handle_created *h = &e->payload->gc_handle_created;
  handles_created (state, h, analysis_trace (e, h->backtrace));
}

static void
handle_destroyed (void *state, const struct analysis_event *e)
{
  const struct mlpd_gc_handle_destroyed *h = &e->payload->gc_handle_destroyed;
  handles_destroyed (state, h, analysis_trace (e, h->backtrace));
}

static void
finish (void *state, const struct analysis_model *m)
{
  (void) m;
  handles_finish (state);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_GC_HANDLE_CREATED, handle_created, NULL },
  { MLPD_GC_HANDLE_DESTROYED, handle_destroyed, NULL },
};

const struct analysis handles_analysis = { .state_bytes = sizeof (struct handles),
                                           .init = init,
                                           .clear = clear,
                                           .finish = finish,
                                           ANALYSIS_HANDLERS (handlers) };
