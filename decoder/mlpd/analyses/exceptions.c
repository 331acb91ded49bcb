/* exceptions.c -- counts exceptions. */
#include "config.h"

#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/analysis.h"

static void
init (void *state, const struct scan_options *options)
{
  (void) options;
  struct exceptions *e = state;
  *e = (struct exceptions){ 0 };
  type_sums_init (&e->types);
  type_traces_init (&e->traces);
}

static void
clear (void *state)
{
  struct exceptions *e = state;
  type_sums_clear (&e->types);
  type_traces_clear (&e->traces);
}

/* An exception of this type, or of one that is not known; `trace` may be TRACE_NONE. */
static void
exceptions_throw (struct exceptions *e, bool known, guint type, guint trace)
{
  e->events++;
  e->throws++;
  if (!known) {
    e->throws_of_unknown++;
    trace_sums_add (&e->traces.unknown, 0, trace, 1, 0);
    return;
  }
  type_sums_get (&e->types, type)->objects++;
  type_traces_add (&e->traces, type, trace, 1, 0);
}

static void
exceptions_clause (struct exceptions *e, const struct mlpd_exception_clause *event)
{
  e->events++;
  if (event->clause_type < CLAUSE_TYPES)
    e->clauses[event->clause_type]++;
  else
    e->clauses_of_unknown++;
}

/* ---- as an analysis ---- */

static void
count_throw (void *state, const struct pending_typed_event *u)
{
  exceptions_throw (state, u->type.is_known, u->type.type, u->trace);
}

static void
handle_throw (void *state, const struct analysis_event *e)
{
  const struct mlpd_exception_throw *t = &e->payload->exception_throw;
  e->thread->throws++;
  const struct pending_typed_event u = { .count = count_throw,
                                         .state = state,
                                         .object = t->object,
                                         .thread = e->thread->id,
                                         .trace = analysis_trace (e, t->backtrace),
                                         .type = analysis_object_type (e, t->time) };
  pending_types_add (e->model->pending_types, &u);
}

static void
handle_clause (void *state, const struct analysis_event *e)
{
  exceptions_clause (state, &e->payload->exception_clause);
}

static void
finish (void *state, const struct analysis_model *m)
{
  struct exceptions *e = state;
  type_sums_resolve (&e->types, m->symbols);
  type_traces_resolve (&e->traces, m->symbols);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_EXCEPTION_THROW, handle_throw, NULL },
  { MLPD_EXCEPTION_CLAUSE, handle_clause, NULL },
};

const struct analysis exceptions_analysis = { .state_bytes = sizeof (struct exceptions),
                                              .is_bounded = true,
                                              .init = init,
                                              .clear = clear,
                                              .finish = finish,
                                              ANALYSIS_HANDLERS (handlers) };
