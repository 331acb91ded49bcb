/* mprof-exception.c -- throws and clauses. */
#include "config.h"

#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/views/mprof/mprof.h"

/* Throws of all types. */
static void
put_traces (const struct mprof_report *r)
{
  const struct type_traces *all = &SUMMARY_STATE (r->s, exceptions)->traces;
  struct mprof_traces traces;
  mprof_traces_init (&traces, r);
  for (guint i = 0; i < all->classes.latest->len; i++)
    mprof_traces_add (&traces, &all->classes, i);
  mprof_traces_add (&traces, &all->unknown, 0);
  mprof_traces_append (&traces, "throws", TRACES_BY_COUNT);
  mprof_traces_clear (&traces);
}

static void
put_exception (const struct mprof_report *r)
{
  static const char *const kinds[CLAUSE_TYPES] = { "catch", "filter", "finally", NULL, "fault" };
  const struct exceptions *x = SUMMARY_STATE (r->s, exceptions);
  g_string_append_printf (r->out, "\nException summary\n\tThrows: %" G_GUINT64_FORMAT "\n",
                          x->throws);
  if (r->view->traces)
    put_traces (r);
  for (guint i = 0; i < CLAUSE_TYPES; i++)
    if (kinds[i] != NULL && x->clauses[i] != 0)
      g_string_append_printf (r->out, "\tExecuted %s clauses: %" G_GUINT64_FORMAT "\n", kinds[i],
                              x->clauses[i]);
}

const struct mprof_section mprof_section_exception
    = { .name = "exception", .is_usual = true, .put = put_exception };
