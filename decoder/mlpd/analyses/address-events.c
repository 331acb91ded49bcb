/* address-events.c -- hands events of objects to the query of their addresses. */
#include "config.h"

#include "decoder/mlpd/analyses/analysis.h"

static bool
is_needed (const struct scan_options *options)
{
  return options->query != NULL;
}

static void
request (struct scan_options *options)
{
  options->replay[MLPD_GC_MOVE] = options->replay[MLPD_ALLOC] = true;
}

static void
handle_collection (void *state, const struct analysis_event *e)
{
  (void) state;
  address_query_add_collection (e->model->options->query, &e->payload->gc_event);
}

static void
handle_moves (void *state, const struct analysis_event *e)
{
  (void) state;
  address_query_add_move (e->model->options->query, &e->payload->gc_move, e->offset);
}

static void
handle_alloc (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct mlpd_alloc *a = &e->payload->alloc;
  address_query_add_allocation (e->model->options->query, a, e->offset, e->thread->id,
                                analysis_type (e, a->klass, a->vtable));
}

static const struct analysis_handlers handlers[] = {
  { MLPD_GC_EVENT, handle_collection, NULL },
  { MLPD_GC_MOVE, handle_moves, NULL },
  { MLPD_ALLOC, handle_alloc, NULL },
};

const struct analysis address_query_analysis
    = { .is_needed = is_needed, .request = request, ANALYSIS_HANDLERS (handlers) };
