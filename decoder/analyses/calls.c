/* calls.c -- follows the stack of each thread. */
#include "decoder/analyses/calls.h"
#include "config.h"

void
calls_init (struct calls *c)
{
  *c = (struct calls){ .methods = g_array_new (FALSE, TRUE, sizeof (struct method_sum)) };
}

void
calls_clear (struct calls *c)
{
  g_array_free (c->methods, TRUE);
}

static struct method_sum *
sum_of (struct calls *c, guint method)
{
  if (method >= c->methods->len)
    g_array_set_size (c->methods, method + 1);
  return &g_array_index (c->methods, struct method_sum, method);
}

/* Open frames of a method on a thread. */
static guint32 *
active_of (struct thread *t, guint method)
{
  if (method >= t->active->len)
    g_array_set_size (t->active, method + 1);
  return &g_array_index (t->active, guint32, method);
}

void
calls_enter (struct calls *c, struct thread *t, guint method, uint64_t time)
{
  if (t->frames == NULL) {
    t->frames = g_array_new (FALSE, FALSE, sizeof (struct call_frame));
    t->active = g_array_new (FALSE, TRUE, sizeof (guint32));
  }
  struct call_frame frame = { .method = method, .start = time };
  g_array_append_val (t->frames, frame);
  ++*active_of (t, method);
  c->total++;
  sum_of (c, method)->calls++;
}

static void
leave_top (struct calls *c, struct thread *t, uint64_t time)
{
  struct call_frame frame = g_array_index (t->frames, struct call_frame, t->frames->len - 1);
  g_array_set_size (t->frames, t->frames->len - 1);
  uint64_t ns = span_ns (frame.start, time);
  struct method_sum *sum = sum_of (c, frame.method);
  sum->self_ns += ns - MIN (ns, frame.callees_ns);
  if (--*active_of (t, frame.method) == 0)
    sum->total_ns += ns;
  if (t->frames->len > 0)
    g_array_index (t->frames, struct call_frame, t->frames->len - 1).callees_ns += ns;
}

void
calls_leave (struct calls *c, struct thread *t, guint method, uint64_t time)
{
  if (t->frames == NULL || *active_of (t, method) == 0) {
    c->unmatched_leaves++;
    return;
  }
  while (g_array_index (t->frames, struct call_frame, t->frames->len - 1).method != method)
    leave_top (c, t, time);
  leave_top (c, t, time);
}

void
calls_pause_thread (struct thread *t)
{
  if (t->frames == NULL || t->frames->len > 0)
    return;
  g_array_free (t->frames, TRUE);
  g_array_free (t->active, TRUE);
  t->frames = t->active = NULL;
}

void
calls_end_thread (struct calls *c, struct thread *t)
{
  while (t->frames != NULL && t->frames->len > 0)
    leave_top (c, t, t->end);
}
