/* ghc-report-ticky.c -- the ticky counters of a program, by function. */
#include "config.h"

#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/result.h"

static const struct emitter_column columns[]
    = { { "entries", "Entries", EMIT_NUMBER },  { "allocations", "Allocs", EMIT_NUMBER },
        { "allocated", "Allocd", EMIT_NUMBER }, { "arity", "Arity", EMIT_NUMBER },
        { "arg_kinds", "Kinds", EMIT_TEXT },    { "counter", NULL, EMIT_NUMBER },
        { "name", "Function", EMIT_TEXT } };
static const struct table_shape shape
    = { .key = "counters",
        TABLE_SHAPE_COLUMNS (columns),
        .order = TABLE_KEYS ("entries", "allocations", "allocated", "name", "counter"),
        .name = "name" };

/* A counter that was not defined in the log has its number for a name. */
static void
add_row (struct table *t, const struct ghc_ticky_counter *c)
{
  g_autofree char *number = g_strdup_printf ("counter %" G_GUINT64_FORMAT, c->counter);
  SECTION_ROW (t, { .number = c->entries }, { .number = c->allocations },
               { .number = c->allocated }, { .number = c->arity }, { .text = c->arg_kinds },
               { .number = c->counter }, { .text = c->is_defined ? c->name : number });
}

static void
put_ticky (const struct report *r)
{
  const struct ghc_ticky *ticky = &r->ghc->ticky;
  const bool any = ticky->counters->len != 0;
  emitter_open (r->e, "ticky", any ? "Ticky counters" : NULL);
  if (!any)
    section_absent_rare (
        r, "Ticky counters (a program compiled with -ticky and run with +RTS -lT has them)");
  result_number_if (r->e, TICKY_SAMPLES, ticky->samples != 0, ticky->samples);
  struct table *t = section_table (r, &shape);
  for (guint i = 0; i < ticky->counters->len; i++)
    add_row (t, g_ptr_array_index (ticky->counters, i));
  table_write (t, r->e);
  emitter_close (r->e);
}

const struct section ghc_section_ticky = {
  .key = "ticky", .put = put_ticky, .features = GHC_FEATURE_TICKY, .tables = SECTION_TABLES (&shape)
};
