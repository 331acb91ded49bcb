/* mprof-traces.c -- cuts backtraces, adds them up and appends them. */
#include "config.h"

#include "decoder/views/mprof/mprof.h"

/* The number of frames of `n` that are printed. */
static guint
shown_frames (const struct mprof_report *r, guint n)
{
  return MIN (n, r->view->max_frames);
}

static void
append_frames (const struct mprof_report *r, const guint *frames, guint n, const char *indent)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = symbols_name (&r->s->symbols, SYMBOL_METHOD, frames[i]);
    g_string_append_printf (r->out, "%s%s\n", indent, name);
  }
}

void
mprof_append_frames (const struct mprof_report *r, guint trace, const char *indent)
{
  guint n;
  const guint *frames = traces_frames (&r->s->traces, trace, &n);
  append_frames (r, frames, shown_frames (r, n), indent);
}

void
mprof_traces_init (struct mprof_traces *t, const struct mprof_report *report)
{
  t->report = report;
  traces_init (&t->traces);
  trace_sums_init (&t->sums);
}

void
mprof_traces_clear (struct mprof_traces *t)
{
  trace_sums_clear (&t->sums);
  traces_clear (&t->traces);
}

void
mprof_traces_add (struct mprof_traces *t, const struct trace_sums *sums, guint key)
{
  const struct mprof_report *r = t->report;
  GPtrArray *found = trace_sums_for_key (sums, &r->s->traces, &r->s->symbols, key, TRACES_BY_COUNT);
  for (guint i = 0; i < found->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (found, i);
    guint n = 0;
    const guint *frames
        = sum->trace != TRACE_NONE ? traces_frames (&r->s->traces, sum->trace, &n) : NULL;
    if (n != 0)
      trace_sums_add (&t->sums, 0, traces_add (&t->traces, frames, shown_frames (r, n)), sum->count,
                      sum->bytes);
  }
  g_ptr_array_free (found, TRUE);
}

void
mprof_traces_append (const struct mprof_traces *t, const char *what, enum trace_order order)
{
  const struct mprof_report *r = t->report;
  GPtrArray *found = trace_sums_for_key (&t->sums, &t->traces, &r->s->symbols, 0, order);
  for (guint i = 0; i < found->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (found, i);
    guint n;
    const guint *frames = traces_frames (&t->traces, sum->trace, &n);
    g_string_append_printf (r->out, "\t%" G_GUINT64_FORMAT " %s from:\n",
                            order == TRACES_BY_BYTES ? sum->bytes : sum->count, what);
    append_frames (r, frames, n, "\t\t");
  }
  g_ptr_array_free (found, TRUE);
}

void
mprof_append_traces (const struct mprof_report *r, const struct trace_sums *sums, guint key,
                     const char *what, enum trace_order order)
{
  if (!r->view->traces)
    return;
  struct mprof_traces traces;
  mprof_traces_init (&traces, r);
  mprof_traces_add (&traces, sums, key);
  mprof_traces_append (&traces, what, order);
  mprof_traces_clear (&traces);
}
