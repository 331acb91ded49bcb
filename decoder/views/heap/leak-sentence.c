/* leak-sentence.c -- a suspected leak in one sentence. */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include "decoder/output/figure.h"
#include "decoder/views/heap/heap-views.h"

#define N G_GUINT64_FORMAT

/* "Cache.entries", or what the memory of the root is called (transfer full). */
static char *
root_name (const struct heap_root *root)
{
  if (root->field != NULL)
    return heap_field_of_class (root->holder, root->field);
  return g_strdup (root->name != NULL ? root->name : root->kind);
}

/* "10.2 MB, 99.6 % of the heap, of which about 10.1 MB are growth." */
static void
append_bytes (GString *text, const struct leak_suspect *suspect, uint64_t all)
{
  g_autofree char *bytes = figure_bytes_text (suspect->bytes),
                  *grown = figure_bytes_text (suspect->grown);
  g_string_append_printf (text, "%s, %.1f %% of the heap, of which about %s are growth.", bytes,
                          all != 0 ? 100.0 * (double) suspect->bytes / (double) all : 0, grown);
}

char *
leak_sentence (const struct heap_graph *g, const struct heap_dominators *dominators,
               const struct leak_suspect *suspect)
{
  const struct leak *leak = g_ptr_array_index (suspect->alike, 0);
  const struct leak_class *own = leak_suspect_own (suspect);
  const char *holder
      = leak->holder != HEAP_NONE ? g->class_list[g->classes[leak->holder]].name : NULL;
  GString *text = g_string_new (NULL);
  g_autofree char *root = root_name (&g->roots[leak->root]);
  if (own != NULL)
    g_string_append_printf (text, "%" N " objects of %s accumulate below %s: ", own->objects,
                            g->class_list[own->klass].name, root);
  if (holder == NULL)
    g_string_append (text, "no single object keeps them, together ");
  else if (suspect->alike->len > 1)
    g_string_append_printf (text, "%u %s alike, together ", suspect->alike->len, holder);
  else
    g_string_append_printf (text, "%s 0x%" G_GINT64_MODIFIER "x keeps alive ", holder,
                            g->addresses[leak->holder]);
  append_bytes (text, suspect, dominators->reached_bytes);
  return g_string_free (text, FALSE);
}
