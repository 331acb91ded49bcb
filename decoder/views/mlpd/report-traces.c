/* report-traces.c -- backtraces in rows of tables. */
#include "config.h"

#include "decoder/views/mlpd/report-parts.h"

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
  for (guint i = max != 0 && n > max ? n - max : 0; i < n; i++) {
    g_autofree char *name = section_method_name (r->s, frames[i]);
    g_ptr_array_add (names, section_words (r, name));
  }
  emitter_lines (e, "frames", names);
  g_ptr_array_free (names, TRUE);
}

void
traces_put_stack (const void *report, uint64_t trace, struct emitter *e)
{
  if (trace != TRACE_NONE || section_is_machine_readable (report)) {
    traces_put_frames (report, trace, e);
    return;
  }
  GPtrArray *none = g_ptr_array_new ();
  g_ptr_array_add (none, (gpointer) "(no backtrace)");
  emitter_lines (e, "frames", none);
  g_ptr_array_free (none, TRUE);
}

/* `shown`: of each trace, one that has the frames. */
static void
put_rows (const struct report *r, const struct table_shape *shape, const GPtrArray *found,
          const GArray *shown)
{
  struct table *t = section_table (r, shape);
  table_set_detail (t, traces_put_stack, r);
  for (guint i = 0; i < found->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (found, i);
    const guint trace
        = sum->trace != TRACE_NONE ? g_array_index (shown, guint, sum->trace) : TRACE_NONE;
    table_add_id (
        t, trace,
        (const union emitter_value[]){ { .number = sum->count }, { .number = sum->bytes } });
  }
  table_write (t, r->e);
}

guint
traces_add_shown (const struct report *r, struct traces *traces, guint trace, GArray *frames)
{
  const guint max = r->view->max_frames;
  guint n;
  const guint *all = traces_frames (&r->s->traces, trace, &n);
  g_array_set_size (frames, 0);
  for (guint i = max != 0 && n > max ? n - max : 0; i < n; i++)
    g_array_append_val (frames, r->by_name[all[i]]);
  return traces_add (traces, (const guint *) (const void *) frames->data, frames->len);
}

/* Puts sums of any number of traces, of which those that read the same are one. */
static void
put_sums (const struct report *r, const struct table_shape *shape, const GPtrArray *whole,
          enum trace_order order)
{
  struct traces traces;
  struct trace_sums sums;
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (guint));
  traces_init (&traces);
  trace_sums_init (&sums);
  for (guint i = 0; i < whole->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (whole, i);
    guint trace = TRACE_NONE;
    if (sum->trace != TRACE_NONE)
      trace = traces_add_shown (r, &traces, sum->trace, frames);
    if (traces.all->len > shown->len)
      g_array_append_val (shown, sum->trace);
    trace_sums_add (&sums, 0, trace, sum->count, sum->bytes);
  }
  GPtrArray *found = trace_sums_for_key (&sums, &traces, &r->s->symbols, 0, order);
  put_rows (r, shape, found, shown);
  g_ptr_array_free (found, TRUE);
  trace_sums_clear (&sums);
  traces_clear (&traces);
  g_array_free (shown, TRUE);
  g_array_free (frames, TRUE);
}

void
traces_put (const struct report *r, const struct table_shape *shape, const struct trace_sums *sums,
            guint key, enum trace_order order)
{
  GPtrArray *found = trace_sums_for_key (sums, &r->s->traces, &r->s->symbols, key, order);
  if (!sums->has_traces)
    g_ptr_array_set_size (found, 0);
  put_sums (r, shape, found, order);
  g_ptr_array_free (found, TRUE);
}
