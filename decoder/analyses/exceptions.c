/* exceptions.c -- counts exceptions. */
#include "decoder/analyses/exceptions.h"
#include "config.h"

void
exceptions_init (struct exceptions *e)
{
  *e = (struct exceptions){ 0 };
  type_sums_init (&e->types);
  type_traces_init (&e->traces);
}

void
exceptions_clear (struct exceptions *e)
{
  type_sums_clear (&e->types);
  type_traces_clear (&e->traces);
}

void
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

void
exceptions_clause (struct exceptions *e, const struct mlpd_exception_clause *event)
{
  e->events++;
  if (event->clause_type < CLAUSE_TYPES)
    e->clauses[event->clause_type]++;
  else
    e->clauses_of_unknown++;
}
