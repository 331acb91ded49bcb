/* coverage.c -- counts the methods of coverage events. */
#include "config.h"

#include "decoder/mlpd/analyses/coverage.h"
#include "decoder/mlpd/analyses/analysis.h"

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

/* ---- as an analysis ---- */

static void
handle_assembly (void *state, const struct analysis_event *e)
{
  coverage_assembly (state, &e->payload->coverage_assembly);
}

static void
handle_class (void *state, const struct analysis_event *e)
{
  (void) e;
  coverage_class (state);
}

static void
handle_method (void *state, const struct analysis_event *e)
{
  (void) e;
  coverage_method (state);
}

static void
handle_statement (void *state, const struct analysis_event *e)
{
  coverage_statement (state, &e->payload->coverage_statement);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_COVERAGE_ASSEMBLY, handle_assembly, NULL },
  { MLPD_COVERAGE_CLASS, handle_class, NULL },
  { MLPD_COVERAGE_METHOD, handle_method, NULL },
  { MLPD_COVERAGE_STATEMENT, handle_statement, NULL },
};

const struct analysis coverage_analysis
    = { .state_bytes = sizeof (struct coverage), ANALYSIS_HANDLERS (handlers) };
