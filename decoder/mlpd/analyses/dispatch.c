/* dispatch.c -- builds the table of handlers by kind. */
#include "config.h"

#include "decoder/mlpd/analyses/dispatch.h"

static void
add (struct dispatch_handler *of_kind, analysis_handler *handle, void *state)
{
  guint n = 0;
  if (handle == NULL)
    return;
  while (of_kind[n].handle != NULL)
    n++;
  g_assert (n < DISPATCH_MAX); /* a list of ours, not of a log */
  of_kind[n] = (struct dispatch_handler){ handle, state };
}

void
dispatch_add (struct dispatch *d, const struct analysis *analysis, void *state, bool names_only)
{
  for (guint i = 0; i < analysis->n_handlers; i++) {
    const struct analysis_handlers *h = &analysis->handlers[i];
    add (d->events[h->kind], names_only ? h->name : h->event, state);
    add (d->names[h->kind], h->name, state);
  }
}
