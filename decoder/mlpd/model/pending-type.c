/* pending-type.c -- retains events until the types of their objects are known. */
#include "config.h"

#include "decoder/mlpd/model/pending-type.h"

void
pending_types_init (struct pending_types *p)
{
  *p = (struct pending_types){ .events
                               = g_array_new (FALSE, FALSE, sizeof (struct pending_typed_event)) };
}

void
pending_types_clear (struct pending_types *p)
{
  g_array_unref (p->events);
}

void
pending_types_add (struct pending_types *p, const struct pending_typed_event *event)
{
  struct pending_typed_event e = *event;
  if (e.type.is_pending && p->events->len == PENDING_TYPES_MAX) {
    p->left_out++;
    e.type.is_pending = false;
  }
  if (!e.type.is_pending) {
    e.count (e.state, &e);
    return;
  }
  e.place = (struct queried_address){ .object = e.object,
                                      .time = e.type.time,
                                      .offset = e.type.offset };
  g_array_append_val (p->events, e);
}

void
pending_types_count (struct pending_types *p)
{
  for (guint i = 0; i < p->events->len; i++) {
    const struct pending_typed_event *e = &g_array_index (p->events, struct pending_typed_event, i);
    e->count (e->state, e);
  }
  g_array_set_size (p->events, 0);
}
