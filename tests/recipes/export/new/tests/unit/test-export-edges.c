/* test-export-edges.c -- a graph in the language of Graphviz. */
#include "config.h"

#include "decoder/exports/export.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"

/* Two objects, of which the first refers to the second. */
TEST (test_edges)
{
  static const uint32_t first[] = { 0, 1, 1 }, targets[] = { 1 };
  const struct graph_arrays arrays = { .n_objects = 2, .first = first, .targets = targets };
  struct heap_graph *graph = graph_from_arrays (&arrays);
  const struct export_shot shot = { .graph = graph };
  g_autoptr (GString) text = g_string_new (NULL), bytes = g_string_new (NULL);
  struct export_out out = { .bytes = bytes, .put = append_text, .data = text };
  assert_int_equal (export_edges.write_shot (&shot, &out), 0);
  assert_string_equal (text->str, "digraph heap {\n"
                                  "  n0 [label=\"C\"]\n"
                                  "  n0 -> n1\n"
                                  "  n1 [label=\"C\"]\n"
                                  "}\n");
  heap_graph_free (graph);
}
