/* live-figures.c -- holds the figures of an interval, with the names in them. */
#include "config.h"

#include "decoder/live/live-figures.h"

void
live_figures_init (struct live_figures *f)
{
  *f = (struct live_figures){ 0 };
  f->mark_names = g_ptr_array_new ();
  f->methods = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->types = g_array_new (FALSE, TRUE, sizeof (struct live_row));
  f->throws = g_array_new (FALSE, TRUE, sizeof (struct live_row));
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
  g_array_unref (f->threads);
  g_string_chunk_free (f->names);
}

double
live_rate (const struct live_figures *f, uint64_t count)
{
  return f->interval_ns == 0 ? 0 : (double) count * 1e9 / (double) f->interval_ns;
}

const char *
live_figures_name (struct live_figures *f, const char *name)
{
  return name != NULL ? g_string_chunk_insert (f->names, name) : NULL;
}
