/* live-figures.c -- holds the figures of an interval, with the names in them. */
#include "config.h"

#include "decoder/live/live-figures.h"

const char *
live_format_name (enum live_format format)
{
  static const char *const names[]
      = { [LIVE_NOTHING] = "none", [LIVE_MONO] = "mono", [LIVE_GHC] = "ghc" };
  return names[format];
}

void
live_figures_init (struct live_figures *f)
{
  *f = (struct live_figures){ 0 };
  f->mark_names = g_ptr_array_new ();
  f->methods = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->types = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->throws = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->locks = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->bands = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->frames = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->threads = g_array_new (FALSE, TRUE, sizeof (struct live_thread));
  f->names = g_string_chunk_new (4096);
}

void
live_figures_clear (struct live_figures *f)
{
  g_ptr_array_unref (f->mark_names);
  g_array_unref (f->methods);
  g_array_unref (f->types);
  g_array_unref (f->throws);
  g_array_unref (f->locks);
  g_array_unref (f->bands);
  g_array_unref (f->frames);
  g_array_unref (f->threads);
  g_string_chunk_free (f->names);
}

double
live_rate (const struct live_figures *f, uint64_t count)
{
  return f->interval_ns == 0 ? 0 : (double) count * 1e9 / (double) f->interval_ns;
}

/* The step of struct durations that ends where the first of ours does. */
enum { STEPS_BEFORE = 3 };

struct live_durations
live_durations_of (const struct durations *d)
{
  struct live_durations sums = { .count = d->count, .total_ns = d->total_ns };
  for (unsigned i = 0; i < DURATION_STEPS; i++) {
    const unsigned step = i < STEPS_BEFORE ? 0 : MIN (i - STEPS_BEFORE, LIVE_STEPS - 1);
    sums.steps[step] += durations_step (d, i).count;
  }
  return sums;
}

uint64_t
live_durations_end (unsigned step)
{
  const struct durations none = { .count = 0 };
  return step + 1 < LIVE_STEPS ? durations_step (&none, step + STEPS_BEFORE).to_ns : UINT64_MAX;
}

const char *
live_figures_name (struct live_figures *f, const char *name)
{
  return name != NULL ? g_string_chunk_insert (f->names, name) : NULL;
}
