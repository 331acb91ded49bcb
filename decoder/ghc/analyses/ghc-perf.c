/* ghc-perf.c -- adds up the events of perf by their numbers. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-perf.h"
#include "decoder/core/whole-number.h"

static void
clear_event (gpointer data)
{
  g_free (((struct ghc_perf_event *) data)->name);
}

void
ghc_perf_init (struct ghc_perf *perf)
{
  perf->all = g_array_new (FALSE, TRUE, sizeof (struct ghc_perf_event));
  g_array_set_clear_func (perf->all, clear_event);
  id_map_init (&perf->places);
}

void
ghc_perf_clear (struct ghc_perf *perf)
{
  g_array_unref (perf->all);
  id_map_clear (&perf->places);
}

static struct ghc_perf_event *
event_of (struct ghc_perf *perf, uint32_t number)
{
  const guint place = id_map_number (&perf->places, number);
  if (place == perf->all->len) {
    const struct ghc_perf_event event = { .number = number };
    g_array_append_val (perf->all, event);
  }
  return &g_array_index (perf->all, struct ghc_perf_event, place);
}

void
ghc_perf_event (struct ghc_perf *perf, enum ghc_kind kind, const union ghc_payload *p, bool counts)
{
  if (kind == GHC_PERF_NAME) {
    struct ghc_perf_event *event = event_of (perf, p->perf_name.number);
    g_free (event->name);
    event->name = g_strndup (p->perf_name.name.text, p->perf_name.name.length);
  } else if (kind == GHC_PERF_COUNTER && counts) {
    struct ghc_perf_event *event = event_of (perf, p->perf_counter.number);
    event->is_counter = true;
    event->count++;
    event->counted = saturated_sum (event->counted, p->perf_counter.period);
  } else if (kind == GHC_PERF_TRACEPOINT && counts) {
    event_of (perf, p->perf_tracepoint.number)->count++;
  }
}
