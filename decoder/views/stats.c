/* stats.c -- the layout of +RTS -s. */
#include "config.h"

#include "decoder/views/stats.h"
#include "decoder/core/whole-number.h"

static double
seconds (uint64_t ns)
{
  return (double) ns / 1e9;
}

void
stats_line (const struct report *r, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  emitter_note (r->e, text);
}

char *
stats_number (uint64_t number)
{
  GString *s = g_string_new (NULL);
  g_string_printf (s, "%" G_GUINT64_FORMAT, number);
  for (gssize at = (gssize) s->len - 3; at > 0; at -= 3)
    g_string_insert_c (s, at, ',');
  return g_string_free (s, FALSE);
}

void
stats_put_number (const struct report *r, uint64_t number, const char *phrase)
{
  g_autofree char *text = stats_number (number);
  stats_line (r, "%16s %s", text, phrase);
}

void
stats_put_memory (const struct report *r, uint64_t bytes)
{
  stats_line (r, "%16" G_GUINT64_FORMAT " MiB total memory in use", bytes >> 20);
}

void
stats_put_generation_titles (const struct report *r)
{
  stats_line (r, "%s", "");
  stats_line (r, "                                              (elapsed)  Avg pause  Max pause");
}

char *
stats_pauses (uint64_t total_ns, uint64_t count, uint64_t max_ns)
{
  const double total = seconds (total_ns);
  return g_strdup_printf ("%6.3fs     %3.4fs    %3.4fs", total,
                          count != 0 ? total / (double) count : 0.0, seconds (max_ns));
}

void
stats_put_time (const struct report *r, const char *name, uint64_t ns, const char *note)
{
  stats_line (r, "  %-5s   time            (%7.3fs elapsed%s)", name, seconds (ns),
              note != NULL ? note : "");
}

void
stats_put_rate (const struct report *r, uint64_t allocated, uint64_t mutator_ns)
{
  g_autofree char *rate = stats_number (whole_number ((double) allocated / seconds (mutator_ns)));
  stats_line (r, "%s", "");
  stats_line (r, "  Alloc rate    %s bytes per elapsed MUT second", rate);
}

void
stats_put_productivity (const struct report *r, uint64_t mutator_ns, uint64_t total_ns)
{
  stats_line (r, "%s", "");
  stats_line (r, "  Productivity  %.1f%% of total elapsed",
              100.0 * (double) mutator_ns / (double) total_ns);
}
