/* export-stacks.c -- stacks as a tree, and their frames by name. */
#include "config.h"

#include "decoder/exports/export-stacks.h"

#include <string.h>

void
export_stacks_init (struct export_stacks *s)
{
  *s = (struct export_stacks){
    .nodes = g_array_new (FALSE, TRUE, sizeof (struct export_node)),
    .frames = g_ptr_array_new_with_free_func (g_free),
    .numbers = g_hash_table_new (g_str_hash, g_str_equal),
    .cost = "Samples",
    .unit = "hits",
  };
  g_array_set_size (s->nodes, EXPORT_STACKS_ROOT + 1);
}

void
export_stacks_clear (struct export_stacks *s)
{
  g_array_unref (s->nodes);
  g_hash_table_destroy (s->numbers);
  g_ptr_array_unref (s->frames);
  g_free (s->title);
}

uint32_t
export_stacks_frame (struct export_stacks *s, const char *name)
{
  gpointer number;
  name = name[0] != 0 ? name : "[unknown]";
  if (g_hash_table_lookup_extended (s->numbers, name, NULL, &number))
    return GPOINTER_TO_UINT (number);
  char *copy = g_strdup (name);
  g_ptr_array_add (s->frames, copy);
  g_hash_table_insert (s->numbers, copy, GUINT_TO_POINTER (s->frames->len - 1));
  return s->frames->len - 1;
}

uint32_t
export_stacks_add (struct export_stacks *s, uint32_t parent, uint32_t frame, uint64_t weight)
{
  const struct export_node node = { .parent = parent, .frame = frame, .weight = weight };
  g_array_append_val (s->nodes, node);
  s->total += weight;
  return s->nodes->len - 1;
}

void
export_stacks_path (const struct export_stacks *s, uint32_t node, GArray *frames)
{
  g_array_set_size (frames, 0);
  while (node != EXPORT_STACKS_ROOT) {
    const struct export_node *n = &g_array_index (s->nodes, struct export_node, node);
    g_array_append_val (frames, n->frame);
    node = n->parent;
  }
  for (guint i = 0, j = frames->len; i + 1 < j; i++) {
    uint32_t *const all = (uint32_t *) (gpointer) frames->data;
    const uint32_t outer = all[--j];
    all[j] = all[i];
    all[i] = outer;
  }
}

enum figure_unit
export_stacks_figure (const struct export_stacks *s)
{
  return strcmp (s->unit, "ns") == 0      ? FIGURE_NS
         : strcmp (s->unit, "bytes") == 0 ? FIGURE_BYTES
                                          : FIGURE_COUNT;
}
