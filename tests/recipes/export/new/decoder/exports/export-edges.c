/* export-edges.c -- a graph in the language of Graphviz. */
#include "config.h"

#include "decoder/exports/export.h"

static uint64_t
write_edges (const struct export_shot *shot, struct export_out *out)
{
  const struct heap_graph *g = shot->graph;
  g_string_append (out->bytes, "digraph heap {\n");
  for (uint32_t object = 0; object < g->n_objects && !out->failed; object++) {
    g_string_append_printf (out->bytes, "  n%u [label=\"%s\"]\n", object,
                            g->class_list[g->classes[object]].name);
    for (uint32_t i = g->first[object]; i < g->first[object + 1]; i++)
      g_string_append_printf (out->bytes, "  n%u -> n%u\n", object, g->targets[i]);
    export_flush_much (out);
  }
  g_string_append (out->bytes, "}\n");
  export_flush (out);
  return 0;
}

const struct export_format export_edges
    = { "edges", "Graphviz: nodes and edges", .write_shot = write_edges };
