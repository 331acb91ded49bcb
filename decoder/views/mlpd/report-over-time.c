/* report-over-time.c -- the events that began in each interval. */
#include "config.h"

#include "decoder/mlpd/model/allocations.h"
#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/timeline-section.h"
#include "decoder/views/result.h"

#define BAR_LENGTH 30

/* With an amount. */
#define AMOUNT_COLUMNS 5

/* Objects of parts of them.  Sums are rounded, not rows, so that the rows add up to the whole. */
static void
round_objects (uint64_t *counts, guint n)
{
  uint64_t parts = 0, objects = 0;
  for (guint i = 0; i < n; i++) {
    parts += counts[i];
    counts[i] = allocation_whole_objects (parts) - objects;
    objects += counts[i];
  }
}

static void
add_rows (const struct report *r, struct table *table, enum timeline_table_key key, bool has_amount,
          bool is_of_amount)
{
  const struct timeline *t = r->view->timeline;
  g_autofree uint64_t *counts = g_new (uint64_t, t->bins);
  g_autofree uint64_t *amounts = g_new (uint64_t, t->bins);
  uint64_t most = 1;
  timeline_sums (t, TIMELINE_ALL, key, counts, amounts);
  if (key == TIMELINE_ALLOCATIONS)
    round_objects (counts, t->bins);
  for (guint bin = 0; bin < t->bins; bin++)
    most = MAX (most, is_of_amount ? amounts[bin] : counts[bin]);
  for (guint bin = 0; bin < t->bins; bin++) {
    const uint64_t sum = is_of_amount ? amounts[bin] : counts[bin];
    g_autofree char *bar = g_strnfill (
        sum != 0 ? MAX (1, (gsize) ((double) sum / (double) most * BAR_LENGTH + 0.5)) : 0, '#');
    const union emitter_value time = { .change = timeline_section_time (t, bin) },
                              count = { .number = counts[bin] },
                              rate = { .number = timeline_section_rate (t, sum) },
                              shown = { .text = bar };
    if (has_amount)
      table_add (table, (const union emitter_value[]){
                            time, count, { .number = amounts[bin] }, rate, shown });
    else
      table_add (table, (const union emitter_value[]){ time, count, rate, shown });
  }
}

void
over_time_put (const struct report *r, const struct table_shape *shape, enum result interval,
               enum timeline_table_key key, bool is_of_amount)
{
  if (r->view->timeline == NULL) {
    emitter_note (r->e, "over time: only of logs that are files");
    return;
  }
  result_number (r->e, interval, r->view->timeline->width);
  struct table *table = section_table (r, shape);
  add_rows (r, table, key, shape->n_columns == AMOUNT_COLUMNS, is_of_amount);
  table_write (table, r->e);
}
