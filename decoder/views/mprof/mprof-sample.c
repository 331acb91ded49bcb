/* mprof-sample.c -- hits of samples by method or native function. */
#include "config.h"

#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/model/recording.h"
#include "decoder/views/mprof/mprof.h"

/* Rows of less than one in this many hits are shown with `verbose` only. */
#define LEAST_SHARE 1000

struct sample_row {
  uint64_t hits;
  char *name; /* owned */
};

static void
clear_row (void *row)
{
  g_free (((struct sample_row *) row)->name);
}

static int
compare_rows (const void *a, const void *b)
{
  const struct sample_row *const x = a, *const y = b;
  return x->hits != y->hits ? (x->hits < y->hits) - (x->hits > y->hits) : strcmp (x->name, y->name);
}

static void
add_row (GArray *rows, uint64_t hits, char *name)
{
  const struct sample_row row = { hits, name };
  g_array_append_val (rows, row);
}

/* Methods with the hits in their own code, and native functions. */
static GArray *
make_rows (const struct summary *s)
{
  const struct samples *samples = SUMMARY_STATE (s, samples);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (struct sample_row));
  g_array_set_clear_func (rows, clear_row);
  for (guint i = 0; i < samples->methods->len; i++) {
    const struct sample_sum *sum = &g_array_index (samples->methods, struct sample_sum, i);
    const uint64_t hits = sum->recording_hits + sum->hits - sum->native_hits;
    const struct symbol *method = &g_array_index (s->symbols.all[SYMBOL_METHOD], struct symbol, i);
    if (hits != 0 && method->address != RECORDING_METHOD)
      add_row (rows, hits, symbols_name (&s->symbols, SYMBOL_METHOD, i));
  }
  for (guint i = 0; i < samples->symbols->len; i++) {
    const struct sample_symbol *symbol = &g_array_index (samples->symbols, struct sample_symbol, i);
    if (symbol->hits != 0)
      add_row (rows, symbol->hits, g_strdup (symbol->name));
  }
  g_array_sort (rows, compare_rows);
  return rows;
}

static double
share (uint64_t hits, uint64_t all)
{
  return 100.0 * (double) hits / (double) all;
}

static void
put_sum (const struct mprof_report *r, const char *label, uint64_t hits)
{
  g_string_append_printf (r->out, "\t%-16s %6" G_GUINT64_FORMAT " (", label, hits);
  mprof_append_real (r->out, share (hits, SUMMARY_STATE (r->s, samples)->hits), 4, 1);
  g_string_append (r->out, "%)\n");
}

static const char *
type_name (const struct samples *s)
{
  static const char *const names[SAMPLE_TYPES]
      = { "cycles",           "cycles",   "instructions", "cache misses",
          "cache references", "branches", "branch misses" };
  for (guint i = 0; i < SAMPLE_TYPES; i++)
    if (s->types[i] != 0)
      return names[i];
  return names[0];
}

static void
put_sample (const struct mprof_report *r)
{
  const struct samples *s = SUMMARY_STATE (r->s, samples);
  if (s->hits == 0)
    return;
  g_string_append_printf (r->out, "\nStatistical samples summary\n\tSample type: %s\n",
                          type_name (s));
  put_sum (r, "Unmanaged hits:", s->unmanaged);
  put_sum (r, "Managed hits:", s->managed);
  put_sum (r, "Unresolved hits:", s->unresolved);
  g_string_append_printf (r->out, "\t%6s %6s %s\n", "Hits", "%", "Method name");
  GArray *rows = make_rows (r->s);
  for (guint i = 0; i < rows->len; i++) {
    const struct sample_row *row = &g_array_index (rows, struct sample_row, i);
    if (!r->view->verbose && row->hits * LEAST_SHARE < s->hits)
      break;
    g_string_append_printf (r->out, "\t%6" G_GUINT64_FORMAT " ", row->hits);
    mprof_append_real (r->out, share (row->hits, s->hits), 6, 2);
    g_string_append_printf (r->out, " %s\n", row->name);
  }
  g_array_unref (rows);
}

const struct mprof_section mprof_section_sample
    = { .name = "sample", .is_usual = true, .put = put_sample };
