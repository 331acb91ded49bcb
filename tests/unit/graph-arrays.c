/* graph-arrays.c -- makes a graph of the arrays of a test. */
#include "config.h"

#include "decoder/core/large-array.h"
#include "tests/unit/graph-arrays.h"
#include <string.h>

static void *
copy (const void *items, size_t n, size_t size)
{
  void *to = large_array (n, size);
  if (n != 0)
    memcpy (to, items, n * size);
  return to;
}

static void
fill (struct heap_graph *g, const struct graph_arrays *a)
{
  for (uint32_t i = 0; i < g->n_objects; i++) {
    g->addresses[i] = a->addresses != NULL ? a->addresses[i] : 0x1000 + 8 * (uint64_t) i;
    g->bytes[i] = a->bytes != NULL ? a->bytes[i] : 8;
    g->classes[i] = a->classes != NULL ? a->classes[i] : 0;
    g->generations[i] = 0;
    g->total_bytes += g->bytes[i];
  }
}

struct heap_graph *
graph_from_arrays (const struct graph_arrays *a)
{
  static const char *const one_class[] = { "C" };
  const char *const *names = a->n_classes != 0 ? a->class_names : one_class;
  struct heap_graph *g = g_new0 (struct heap_graph, 1);
  g->n_objects = a->n_objects;
  g->n_references = a->first[a->n_objects];
  g->n_classes = MAX (a->n_classes, 1);
  g->n_roots = a->n_roots;
  g->state = HEAPSHOT_COMPLETE;
  g->names = g_string_chunk_new (4096);
  g->addresses = large_array (g->n_objects, sizeof *g->addresses);
  g->bytes = large_array (g->n_objects, sizeof *g->bytes);
  g->classes = large_array (g->n_objects, sizeof *g->classes);
  g->generations = large_array (g->n_objects, sizeof *g->generations);
  fill (g, a);
  g->first = copy (a->first, (size_t) g->n_objects + 1, sizeof *g->first);
  g->targets = copy (a->targets, g->n_references, sizeof *g->targets);
  if (a->offsets != NULL)
    g->offsets = copy (a->offsets, g->n_references, sizeof *g->offsets);
  g->class_list = g_new0 (struct heap_class, g->n_classes);
  for (uint32_t i = 0; i < g->n_classes; i++)
    g->class_list[i].name = g_string_chunk_insert_const (g->names, names[i]);
  g->roots = g_memdup2 (a->roots, a->n_roots * sizeof *a->roots);
  for (uint32_t i = 0; i < g->n_roots; i++)
    if (g->roots[i].name != NULL)
      g->roots[i].name = g_string_chunk_insert_const (g->names, g->roots[i].name);
  return g;
}
