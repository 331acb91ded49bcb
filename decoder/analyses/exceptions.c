/* exceptions.c -- counts exceptions. */
#include "decoder/analyses/exceptions.h"
#include "config.h"

void
exceptions_init (struct exceptions *e)
{
  *e = (struct exceptions){ .types = g_array_new (FALSE, TRUE, sizeof (uint64_t)) };
}

void
exceptions_clear (struct exceptions *e)
{
  g_array_free (e->types, TRUE);
}

void
exceptions_throw (struct exceptions *e, bool known, guint klass)
{
  e->events++;
  e->throws++;
  if (!known) {
    e->throws_of_unknown++;
    return;
  }
  if (klass >= e->types->len)
    g_array_set_size (e->types, klass + 1);
  g_array_index (e->types, uint64_t, klass)++;
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
