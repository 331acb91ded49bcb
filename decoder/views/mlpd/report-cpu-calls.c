/* report-cpu-calls.c -- self times of calls: in wrappers of native code that waits, they are no
 * work. */
#include "config.h"

#include "decoder/mlpd/model/wait-kind.h"
#include "decoder/views/mlpd/report-cpu-calls.h"

static const struct emitter_column columns[]
    = { { "self_ns", "Self ms", EMIT_NS },    { NULL, "%", EMIT_SHARE },
        { "wait_ns", "Waiting ms", EMIT_NS }, { "total_ns", "Total ms", EMIT_NS },
        { "calls", "Calls", EMIT_NUMBER },    { "name", "Method", EMIT_TEXT } };
const struct table_shape cpu_calls_shape
    = { .key = "methods",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("self_ns", "wait_ns", "total_ns", "calls"),
        .name = "name",
        .time = "total_ns" };

struct work {
  uint64_t self_ns, wait_ns;
};

/* Of one method. */
static struct work
work_of (const struct report *r, guint method)
{
  const struct method_sum *sum = &g_array_index (r->s->calls.methods, struct method_sum, method);
  const GArray *symbols = r->s->symbols.all[SYMBOL_METHOD];
  const bool waits
      = wait_kind_of_method (g_array_index (symbols, struct symbol, method).name) != WAIT_NONE;
  return (struct work){ waits ? 0 : sum->self_ns, waits ? sum->self_ns : 0 };
}

bool
cpu_is_of_calls (const struct report *r)
{
  return r->s->samples.hits == 0 && r->s->calls.total != 0;
}

void
cpu_put_calls (const struct report *r)
{
  const GArray *methods = r->s->calls.methods;
  struct work all = { 0 };
  for (guint i = 0; i < methods->len; i++) {
    const struct work work = work_of (r, i);
    all.self_ns += work.self_ns;
    all.wait_ns += work.wait_ns;
  }
  emitter_text (r->e, "source", "Source", "calls");
  emitter_text (r->e, "clock", NULL, "elapsed");
  emitter_ns (r->e, "total_ns", "Work", all.self_ns);
  emitter_ns (r->e, "wait_ns", "Waiting", all.wait_ns);
  struct table *t = section_table (r, &cpu_calls_shape);
  table_set_text (t, "name", section_frame_name, r->s);
  table_set_ties (t, section_compare_methods, r->s);
  for (guint i = 0; i < methods->len; i++) {
    const struct method_sum *sum = &g_array_index (methods, struct method_sum, i);
    const struct work work = work_of (r, i);
    if (sum->calls != 0)
      SECTION_ROW_ID (t, i, { .number = work.self_ns },
                      { .number = emitter_share (work.self_ns, all.self_ns) },
                      { .number = work.wait_ns }, { .number = sum->total_ns },
                      { .number = sum->calls }, { .number = i });
  }
  table_write (t, r->e);
}
