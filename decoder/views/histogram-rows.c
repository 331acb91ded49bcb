/* histogram-rows.c -- the steps of a histogram as rows, with bars. */
#include "config.h"

#include "decoder/views/histogram-rows.h"

#define BAR_LENGTH 30

/* A bar of the share of all; what is there has one mark at least (transfer full). */
static char *
bar_of (uint64_t count, uint64_t of)
{
  const gsize length = (gsize) ((double) count / (double) of * BAR_LENGTH + 0.5);
  return g_strnfill (count != 0 ? MAX (length, 1) : 0, '#');
}

void
histogram_add_rows (struct table *t, const union emitter_value *first, const struct durations *d)
{
  unsigned step, end;
  for (bool any = durations_steps (d, &step, &end); any && step < end; step++) {
    const struct duration_step s = durations_step (d, step);
    g_autofree char *bar = bar_of (s.count, d->count);
    const union emitter_value values[]
        = { first != NULL ? *first : (union emitter_value){ .number = 0 },
            { .number = s.from_ns },
            { .number = s.to_ns },
            { .number = s.count },
            { .number = s.total_ns },
            { .text = bar } };
    table_add (t, first != NULL ? values : values + 1);
  }
}

void
histogram_put_pauses (struct emitter *e, const struct durations *pauses)
{
  emitter_ns (e, "pause_total_ns", NULL, pauses->total_ns);
  emitter_ns (e, "pause_p50_ns", NULL, durations_at (pauses, 500));
  emitter_ns (e, "pause_p90_ns", NULL, durations_at (pauses, 900));
  emitter_ns (e, "pause_p99_ns", NULL, durations_at (pauses, 990));
  emitter_ns (e, "pause_max_ns", NULL, pauses->max_ns);
}
