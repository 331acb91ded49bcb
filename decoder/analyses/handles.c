/* handles.c -- counts GC handles. */
#include "decoder/analyses/handles.h"
#include "config.h"

void
handles_init (struct handles *h)
{
  *h = (struct handles){ 0 };
  trace_sums_init (&h->created_at);
  trace_sums_init (&h->destroyed_at);
}

void
handles_clear (struct handles *h)
{
  trace_sums_clear (&h->created_at);
  trace_sums_clear (&h->destroyed_at);
}

/* Of threads whose buffers come in another order than things happened, handles may be destroyed
 * before they are created: then there are less than none for a while, so that this evens out. */
static int64_t
alive (const struct handle_sum *sum)
{
  return (int64_t) (sum->created - sum->destroyed);
}

void
handles_created (struct handles *h, const struct mlpd_gc_handle_created *event, guint trace)
{
  if (event->handle_type >= HANDLE_KINDS) {
    h->of_unknown++;
    return;
  }
  struct handle_sum *sum = &h->kinds[event->handle_type];
  sum->created++;
  if (alive (sum) > (int64_t) sum->max)
    sum->max = (uint64_t) alive (sum);
  if (trace != TRACE_NONE)
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
  if (trace != TRACE_NONE)
    trace_sums_add (&h->destroyed_at, (guint) event->handle_type, trace, 1, 0);
}
