/* mprof-call.c -- calls by method. */
#include "config.h"

#include "decoder/mlpd/analyses/calls.h"
#include "decoder/views/mprof/mprof.h"

#define NS_PER_MS 1000000

static uint64_t
order_of (const struct mprof_report *r, const struct method_sum *sum)
{
  switch (r->view->method_order) {
  case MPROF_METHODS_BY_SELF:
    return sum->self_ns;
  case MPROF_METHODS_BY_CALLS:
    return sum->calls;
  default:
    return sum->total_ns;
  }
}

static void
put_call (const struct mprof_report *r)
{
  const struct calls *c = SUMMARY_STATE (r->s, calls);
  GArray *rows = mprof_rows_new ();
  for (guint i = 0; i < c->methods->len; i++) {
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, i);
    if (sum->calls != 0 && (r->view->verbose || sum->total_ns >= NS_PER_MS))
      mprof_rows_add (rows, i, order_of (r, sum));
  }
  mprof_rows_sort (rows, &r->s->symbols, SYMBOL_METHOD);
  if (rows->len != 0) {
    g_string_append (r->out, "\nMethod call summary\n");
    g_string_append_printf (r->out, "%8s %8s %10s %s\n", "Total(ms)", "Self(ms)", "Calls",
                            "Method name");
  }
  for (guint i = 0; i < rows->len; i++) {
    const guint method = g_array_index (rows, struct mprof_row, i).symbol;
    const struct method_sum *sum = &g_array_index (c->methods, struct method_sum, method);
    g_autofree char *name = symbols_name (&r->s->symbols, SYMBOL_METHOD, method);
    g_string_append_printf (
        r->out, "%8" G_GUINT64_FORMAT " %8" G_GUINT64_FORMAT " %10" G_GUINT64_FORMAT " %s\n",
        sum->total_ns / NS_PER_MS, sum->self_ns / NS_PER_MS, sum->calls, name);
    if (c->has_callers)
      mprof_append_traces (r, &c->callers, method, "calls", TRACES_BY_COUNT);
  }
  if (c->total != 0)
    g_string_append_printf (r->out, "Total calls: %" G_GUINT64_FORMAT "\n", c->total);
  g_array_unref (rows);
}

const struct mprof_section mprof_section_call
    = { .name = "call", .is_usual = true, .put = put_call };
