/* coverage.c -- counts what coverage events tell. */
#include "decoder/analyses/coverage.h"
#include "config.h"

void
coverage_assembly (struct coverage *c, const struct mlpd_coverage_assembly *event)
{
  c->assemblies++;
  c->all_methods += event->methods;
  c->full_methods += event->full;
  c->partial_methods += event->partial;
}

/* The methods of classes are those of their assemblies. */
void
coverage_class (struct coverage *c)
{
  c->classes++;
}

void
coverage_method (struct coverage *c)
{
  c->methods++;
}

void
coverage_statement (struct coverage *c, const struct mlpd_coverage_statement *event)
{
  c->statements++;
  c->covered_statements += event->count != 0;
}
