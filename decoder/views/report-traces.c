/* report-traces.c -- backtraces in rows of tables. */
#include "decoder/views/report-traces.h"
#include "config.h"

static const struct emitter_column columns[]
    = { { "count", "Count", EMIT_NUMBER }, { "bytes", "Bytes", EMIT_NUMBER } };
const struct table_shape traces_shape = { .key = "traces", TABLE_SHAPE_COLUMNS (columns) };

static void
put_frames (const void *data, uint64_t trace, struct emitter *e)
{
  const struct report *r = data;
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  guint n = 0, max = r->view->max_frames;
  const guint *frames
      = trace != TRACE_NONE ? traces_frames (&r->s->traces, (guint) trace, &n) : NULL;
  for (guint i = max != 0 && n > max ? n - max : 0; i < n; i++)
    g_ptr_array_add (names, section_method_name (r->s, frames[i]));
  emitter_lines (e, "frames", names);
  g_ptr_array_free (names, TRUE);
}

void
traces_put (const struct report *r, const struct table_shape *shape, const struct trace_sums *sums,
            guint key, enum trace_order order)
{
  struct table *t = section_table (r, shape);
  GPtrArray *found = trace_sums_for_key (sums, &r->s->traces, key, order);
  table_set_detail (t, put_frames, r);
  for (guint i = 0; i < found->len; i++) {
    const struct trace_sum *sum = g_ptr_array_index (found, i);
    table_add_id (
        t, sum->trace,
        (const union emitter_value[]){ { .number = sum->count }, { .number = sum->bytes } });
  }
  table_write (t, r->e);
  g_ptr_array_free (found, TRUE);
}
