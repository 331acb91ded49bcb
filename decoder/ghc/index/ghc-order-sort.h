/* ghc-order-sort.h -- sorts events by time, those of one time as they were added. */
#ifndef PROFLOG_GHC_ORDER_SORT_H
#define PROFLOG_GHC_ORDER_SORT_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* Places that an event is moved. */
#define GHC_ORDER_MOVE_MOST 32

/* An event of a slice. */
struct ghc_order_event {
  uint64_t time;
  uint64_t offset; /* in the file */
  uint32_t at;     /* in the worker's bytes */
  uint32_t cap;
};

struct ghc_order_events {
  GArray *events; /* struct ghc_order_event */
  GArray *other;  /* to merge them into */
  GArray *runs;   /* guint: where events begin that are in order */
};

void ghc_order_events_init (struct ghc_order_events *events);
void ghc_order_events_clear (struct ghc_order_events *events);

/* Puts an event after `n` others, for whom there is room.  They are sorted by time as far as that
 * takes few moves; else a run begins. */
static inline void
ghc_order_events_add (struct ghc_order_events *o, struct ghc_order_event *events, guint n,
                      const struct ghc_order_event *event)
{
  if (n != 0 && events[n - 1].time <= event->time) {
    events[n] = *event;
    return;
  }
  const guint run = n != 0 ? g_array_index (o->runs, guint, o->runs->len - 1) : 0;
  guint to = n;
  while (to > run && n - to < GHC_ORDER_MOVE_MOST && events[to - 1].time > event->time)
    to--;
  if (n == 0 || (to > run && events[to - 1].time > event->time)) {
    g_array_append_val (o->runs, n);
    to = n;
  }
  memmove (&events[to + 1], &events[to], (n - to) * sizeof *events);
  events[to] = *event;
}

/* Sorts all that were added. */
void ghc_order_events_sort (struct ghc_order_events *events);

#endif
