/* report-traces.c -- backtraces in rows of tables. */
#include "decoder/views/report-traces.h"
#include "config.h"

static const struct emitter_column columns[]
    = { { "objects", "Objects", EMIT_NUMBER }, { "bytes", "Bytes", EMIT_NUMBER } };
const struct table_shape traces_shape
    = { .key = "traces", TABLE_SHAPE_COLUMNS (columns), .details = TABLE_KEYS ("frames") };

void
traces_put_frames (const void *report, uint64_t trace, struct emitter *e)
{
  const struct report *r = report;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  guint n = 0, max = r->view->max_frames;
  const guint *frames
      = trace != TRACE_NONE ? traces_frames (&r->s->traces, (guint) trace, &n) : NULL;
  for (guint i = max != 0 && n > max ? n - max : 0; i < n; i++)
    g_ptr_array_add (names, section_method_name (r->s, frames[i]));
  emitter_lines (e, "frames", names);
  g_ptr_array_free (names, TRUE);
}

static void
put_rows (const struct report *r, const struct table_shape *shape, const GPtrArray *found,
          const guint *traces)
{
  struct table *t = section_table (r, shape);
  table_set_detail (t, traces_put_frames, r);
  for (guint i = 0; i < found->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (found, i);
    const guint trace
        = traces != NULL && sum->trace != TRACE_NONE ? traces[sum->trace] : sum->trace;
    table_add_id (
        t, trace,
        (const union emitter_value[]){ { .number = sum->count }, { .number = sum->bytes } });
  }
  table_write (t, r->e);
}

/* Stacks whose frames that are shown are the same are one row.  Each has its frames from one of
 * those that it is made of. */
static void
put_cut_rows (const struct report *r, const struct table_shape *shape, const GPtrArray *whole,
              enum trace_order order)
{
  const guint max = r->view->max_frames;
  struct traces traces;
  struct trace_sums sums;
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (guint));
  traces_init (&traces);
  trace_sums_init (&sums);
  for (guint i = 0; i < whole->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (whole, i);
    guint trace = TRACE_NONE, n;
    if (sum->trace != TRACE_NONE) {
      const guint *frames = traces_frames (&r->s->traces, sum->trace, &n);
      const guint hidden = n > max ? n - max : 0;
      trace = traces_add (&traces, frames + hidden, n - hidden);
      if (trace == shown->len)
        g_array_append_val (shown, sum->trace);
    }
    trace_sums_add (&sums, 0, trace, sum->count, sum->bytes);
  }
  GPtrArray *found = trace_sums_for_key (&sums, &traces, &r->s->symbols, 0, order);
  put_rows (r, shape, found, &g_array_index (shown, guint, 0));
  g_ptr_array_free (found, TRUE);
  trace_sums_clear (&sums);
  traces_clear (&traces);
  g_array_free (shown, TRUE);
}

void
traces_put (const struct report *r, const struct table_shape *shape, const struct trace_sums *sums,
            guint key, enum trace_order order)
{
  GPtrArray *found = trace_sums_for_key (sums, &r->s->traces, &r->s->symbols, key, order);
  if (r->view->max_frames == 0)
    put_rows (r, shape, found, NULL);
  else
    put_cut_rows (r, shape, found, order);
  g_ptr_array_free (found, TRUE);
}
