/* exceptions.c -- counts exceptions. */
#include "decoder/analyses/exceptions.h"
#include "config.h"

void
exceptions_init (struct exceptions *e)
{
  *e = (struct exceptions){ 0 };
  type_sums_init (&e->types);
}

void
exceptions_clear (struct exceptions *e)
{
  type_sums_clear (&e->types);
}

void
exceptions_throw (struct exceptions *e, bool known, guint type)
{
  e->events++;
  e->throws++;
  if (!known) {
    e->throws_of_unknown++;
    return;
  }
  type_sums_get (&e->types, type)->objects++;
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
