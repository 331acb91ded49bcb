/* mprof-heapshot.c -- heap snapshots, and their changes. */
#include "config.h"

#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/views/mprof/mprof.h"

/* Classes that are shown without `verbose`. */
#define CLASSES 30

static struct type_sum
sum_at (const struct heapshot *shot, guint klass)
{
  const GArray *classes = shot != NULL ? shot->types.classes : NULL;
  return classes != NULL && klass < classes->len ? g_array_index (classes, struct type_sum, klass)
                                                 : (struct type_sum){ 0 };
}

/* Where objects of a class are referred to from. */
static void
put_references (const struct mprof_report *r, const struct heapshot *shot, guint klass)
{
  const struct class_roots roots = shot_references_roots (&shot->by_type, klass);
  guint n;
  const struct class_reference *references = shot_references_to (&shot->by_type, klass, &n);
  if (roots.count != 0)
    g_string_append_printf (
        r->out, "\t\t%" G_GUINT64_FORMAT " root references (%" G_GUINT64_FORMAT " pinning)\n",
        roots.count, roots.pinning);
  GArray *rows = mprof_rows_new ();
  for (guint i = 0; i < n; i++)
    mprof_rows_add (rows, references[i].from, references[i].count);
  mprof_rows_sort (rows, &r->s->symbols, SYMBOL_CLASS);
  for (guint i = 0; i < rows->len; i++) {
    const struct mprof_row *row = &g_array_index (rows, struct mprof_row, i);
    g_autofree char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, row->symbol);
    g_string_append_printf (r->out, "\t\t%" G_GUINT64_FORMAT " references from: %s\n", row->amount,
                            name);
  }
  g_array_unref (rows);
}

/* Classes that the heap snapshot before did not have, have no change. */
static void
put_class (const struct mprof_report *r, const struct heapshot *shot, const struct heapshot *before,
           guint klass)
{
  const struct type_sum now = sum_at (shot, klass), old = sum_at (before, klass);
  g_autofree char *name = symbols_name (&r->s->symbols, SYMBOL_CLASS, klass);
  mprof_append_type_row (r->out, "\t", now.bytes, now.objects, name);
  if (old.objects != 0)
    g_string_append_printf (r->out, " (bytes: %+" G_GINT64_FORMAT ", count: %+" G_GINT64_FORMAT ")",
                            (int64_t) (now.bytes - old.bytes),
                            (int64_t) (now.objects - old.objects));
  g_string_append_c (r->out, '\n');
  if (r->view->traces)
    put_references (r, shot, klass);
}

static void
put_shot (const struct mprof_report *r, const struct heapshot *shot, const struct heapshot *before)
{
  const GArray *classes = shot->types.classes;
  GArray *rows = mprof_rows_of_types (r, classes);
  g_string_append_printf (r->out, "\n\tHeap shot %u at ", shot->index - 1);
  mprof_append_seconds (r->out, (double) log_when (&r->s->log, shot->time), 3);
  g_string_append_printf (r->out,
                          " secs: size: %" G_GUINT64_FORMAT ", object count: %" G_GUINT64_FORMAT
                          ", class count: %u, roots: %" G_GUINT64_FORMAT "\n",
                          shot->bytes, shot->objects, rows->len, shot->roots.count);
  mprof_append_type_head (r->out, "\t", "Class name");
  for (guint i = 0; i < rows->len && (r->view->verbose || i < CLASSES); i++)
    put_class (r, shot, before, g_array_index (rows, struct mprof_row, i).symbol);
  g_array_unref (rows);
}

static void
put_heapshot (const struct mprof_report *r)
{
  const GPtrArray *shots = SUMMARY_STATE (r->s, heapshots)->shots;
  if (shots->len != 0)
    g_string_append (r->out, "\nHeap shot summary\n");
  for (guint i = 0; i < shots->len; i++)
    put_shot (r, g_ptr_array_index (shots, i), i != 0 ? g_ptr_array_index (shots, i - 1) : NULL);
}

const struct mprof_section mprof_section_heapshot
    = { .name = "heapshot", .is_usual = true, .put = put_heapshot };
