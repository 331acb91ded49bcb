/* mprof-alloc.c -- objects and bytes by type. */
#include "config.h"

#include "decoder/views/mprof/mprof.h"

static void
put_alloc (const struct mprof_report *r)
{
  const struct allocations *a = &r->s->allocations;
  const GArray *classes = a->types.classes;
  GArray *rows = mprof_rows_of_types (r, classes);
  if (rows->len != 0) {
    g_string_append (r->out, "\nAllocation summary\n");
    mprof_append_type_head (r->out, "", "Type name");
  }
  for (guint i = 0; i < rows->len; i++) {
    const guint klass = g_array_index (rows, struct mprof_row, i).symbol;
    const struct type_sum *sum = &g_array_index (classes, struct type_sum, klass);
    g_autofree char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
    mprof_append_type_row (r->out, "", sum->bytes, sum->objects, name);
    g_string_append_c (r->out, '\n');
    mprof_append_traces (r, &r->s->allocation_traces.classes, klass, "bytes", TRACES_BY_BYTES);
  }
  if (rows->len != 0)
    g_string_append_printf (r->out,
                            "Total memory allocated: %" G_GUINT64_FORMAT
                            " bytes in %" G_GUINT64_FORMAT " objects\n",
                            a->bytes, a->objects);
  g_array_unref (rows);
}

const struct mprof_section mprof_section_alloc
    = { .name = "alloc", .is_usual = true, .put = put_alloc };
