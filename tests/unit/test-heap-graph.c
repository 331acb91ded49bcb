/* test-heap-graph.c -- graphs of heap snapshots, computed by hand. */
#include "config.h"

#include "decoder/heap/heap-graph.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "tests/unit/summary-test.h"

#include <string.h>

enum { NODE = 0x1000, LEAF = 0x2000, A = 0x70000, B = 0x70100, C = 0x70200, D = 0x70300 };

#define REFS(...)                                                                                  \
  (const uint64_t[]){ __VA_ARGS__ }, sizeof ((const uint64_t[]){ __VA_ARGS__ }) / sizeof (uint64_t)

static struct heap_graph *graph;

static void
end (void)
{
  heap_graph_free (graph);
  summary_test_end ();
}

/* Sums the log up and makes the graph of a snapshot. */
static void
take (guint index)
{
  static const struct shot_selection selection = { .all = true };
  const struct scan_options options = { .graphs = &selection };
  script_summarize_with (&script, &summary, &options);
  graph = summary_build_heap (&summary, index);
  assert_non_null (graph);
}

static void
expect_object (uint32_t object, uint64_t address, const char *klass, uint64_t bytes)
{
  assert_true (object < graph->n_objects);
  assert_int_equal (graph->addresses[object], address);
  assert_string_equal (graph->class_list[graph->classes[object]].name, klass);
  assert_int_equal (graph->bytes[object], bytes);
  assert_int_equal (heap_graph_find (graph, address), object);
}

/* References of an object, by their targets; HEAP_NONE ends them. */
static void
expect_references (uint32_t object, ...)
{
  uint32_t place = graph->first[object];
  va_list targets;
  va_start (targets, object);
  for (uint32_t target; (target = va_arg (targets, uint32_t)) != HEAP_NONE; place++) {
    assert_true (place < graph->first[object + 1]);
    assert_int_equal (graph->targets[place], target);
  }
  va_end (targets);
  assert_int_equal (place, graph->first[object + 1]);
}

/* Objects come in any order, references before their objects and in several records, names after
 * all; the second buffer goes on with the snapshot. */
TEST_WITH (test_shot, summary_test_begin, end)
{
  script_shot_start (&script, 1010);
  script_shot_object (&script, C, NODE, 24, REFS (A, B));
  script_shot_object (&script, A, LEAF, 16, NULL, 0);
  script_buffer (&script, 1, 1020);
  script_shot_object (&script, C, NODE, 0, REFS (C, 0));
  script_shot_object (&script, B, NODE, 32, REFS (A));
  script_shot_end (&script, 1030);
  script_class (&script, 1040, NODE, "Node");
  script_class (&script, 1050, LEAF, "Leaf");
  take (1);
  assert_int_equal (graph->n_objects, 3);
  assert_int_equal (graph->n_references, 4);
  assert_int_equal (graph->total_bytes, 72);
  assert_int_equal (graph->index, 1);
  assert_int_equal (graph->time_ns, 1010);
  assert_true (graph->state == HEAPSHOT_COMPLETE);
  expect_object (0, A, "Leaf", 16);
  expect_object (1, B, "Node", 32);
  expect_object (2, C, "Node", 24);
  expect_references (0, HEAP_NONE);
  expect_references (1, 0, HEAP_NONE);
  expect_references (2, 0, 1, 2, HEAP_NONE);
  assert_null (graph->offsets);
  assert_int_equal (heap_graph_find (graph, B + 8), HEAP_NONE);
  assert_int_equal (heap_graph_find_inside (graph, B + 8), 1);
  assert_int_equal (heap_graph_find_inside (graph, B + 32), HEAP_NONE);
  assert_int_equal (heap_graph_find_inside (graph, A - 8), HEAP_NONE);
  /* Data version 1 states no roots: only C's own reference is to it. */
  assert_true (graph->roots_are_assumed);
  assert_int_equal (graph->n_roots, 1);
  assert_int_equal (graph->roots[0].object, 2);
  assert_string_equal (graph->roots[0].kind, "assumed");
  assert_int_equal (graph->dangling_references + graph->duplicate_objects, 0);
}

/* B and C of a cycle that A, of another cycle, leads to: one root for all, which is A or D. */
TEST_WITH (test_assumed_cycles, summary_test_begin, end)
{
  script_shot_start (&script, 1010);
  script_shot_object (&script, A, NODE, 16, REFS (D, B));
  script_shot_object (&script, B, NODE, 16, REFS (C));
  script_shot_object (&script, C, NODE, 16, REFS (B));
  script_shot_object (&script, D, NODE, 16, REFS (A));
  script_shot_end (&script, 1030);
  take (0);
  assert_true (graph->roots_are_assumed);
  assert_int_equal (graph->n_roots, 1);
  assert_true (graph->roots[0].object == 0 || graph->roots[0].object == 3);
}

/* A is described twice, with other references the second time, which go on; B refers to nothing
 * that is there; the log ends before the snapshot does. */
TEST_WITH (test_damage, summary_test_begin, end)
{
  script_shot_start (&script, 1010);
  script_shot_object (&script, A, NODE, 16, REFS (B));
  script_shot_object (&script, A, NODE, 64, REFS (C));
  script_shot_object (&script, A, NODE, 0, REFS (C, C));
  script_shot_object (&script, B, NODE, 16, REFS (D, A, D + 8));
  script_shot_object (&script, A, NODE, 0, REFS (A));
  take (0);
  assert_false (graph->state == HEAPSHOT_COMPLETE);
  assert_int_equal (graph->n_objects, 2);
  assert_int_equal (graph->duplicate_objects, 1);
  assert_int_equal (graph->dangling_references, 2);
  expect_object (0, A, "unresolved class 0x1000", 16);
  expect_references (0, 1, 0, HEAP_NONE);
  expect_references (1, 0, HEAP_NONE);
}

/* Each snapshot has its own; the last whole one is that of no index. */
TEST_WITH (test_several, summary_test_begin, end)
{
  script_shot_start (&script, 1010);
  script_shot_object (&script, A, NODE, 16, NULL, 0);
  script_shot_end (&script, 1030);
  script_shot_start (&script, 1040);
  script_shot_object (&script, B, NODE, 16, NULL, 0);
  script_shot_object (&script, C, NODE, 16, NULL, 0);
  script_shot_end (&script, 1050);
  script_shot_start (&script, 1060);
  script_shot_object (&script, D, NODE, 16, NULL, 0);
  take (0);
  assert_int_equal (graph->index, 2);
  assert_int_equal (graph->n_objects, 2);
  heap_graph_free (graph);
  graph = summary_build_heap (&summary, 3);
  assert_int_equal (graph->n_objects, 1);
  expect_object (0, D, "unresolved class 0x1000", 16);
  assert_null (summary_build_heap (&summary, 2));
}

/* ---- roots ---- */

#define EVENT(KIND, id, ...)                                                                       \
  script_event (&script, KIND, &(const union mlpd_payload){ .id = { __VA_ARGS__ } })

static void
root (uint64_t time, uint64_t address, uint64_t object, uint64_t type)
{
  const struct mlpd_root r = { .address = address, .object = object, .type = type };
  EVENT (MLPD_HEAP_ROOT, heap_root, .time = time, .roots = { &r, 1, 1 });
}

static void
object (uint64_t address, uint64_t klass, const uint64_t *items, size_t n, const uint64_t *offsets,
        size_t n_offsets)
{
  assert_true (offsets == NULL || n == n_offsets);
  EVENT (MLPD_HEAP_OBJECT, heap_object, .time = 1100, .object = address, .klass = klass,
         .vtable = klass + 8, .size = 32, .generation = 1, .references = { items, offsets, n });
}

static void
memory (uint64_t start, uint64_t size, uint64_t source, uint64_t key, const char *name)
{
  EVENT (MLPD_HEAP_ROOT_REGISTER, heap_root_register, .time = 1001, .start = start, .size = size,
         .source = (uint8_t) source, .key = key, .name = { name, strlen (name) });
}

static void
expect_root (uint32_t place, uint32_t object_number, const char *kind, const char *name)
{
  assert_true (place < graph->n_roots);
  const struct heap_root *r = &graph->roots[place];
  assert_int_equal (r->object, object_number);
  assert_string_equal (r->kind, kind);
  if (name == NULL)
    assert_null (r->name);
  else
    assert_string_equal (r->name, name);
}

/* Data version 17: a static field, which held A before it was moved to B while C took its place; a
 * stack, whose address points into C; one in no memory; one whose object is not there. */
TEST_WITH (test_roots, NULL, end)
{
  script_begin_version (&script, 17);
  script_buffer (&script, 1, 1000);
  memory (0x5000, 16, MLPD_ROOT_SOURCE_STATIC, NODE + 8, "Static Fields");
  memory (0x6000, 0x1000, MLPD_ROOT_SOURCE_STACK, 0x77, "Thread Stack");
  root (1005, 0x5000, D, 0); /* of a collection before */
  script_shot_start (&script, 1010);
  script_move (&script, 1020, A, D); /* what was at A before any root */
  root (1030, 0x5008, A, 0);
  script_move (&script, 1040, A, B);
  script_move (&script, 1041, D, A);
  root (1050, 0x6100, C + 16, 0);
  root (1060, 0x9000, A, 0);
  root (1070, 0x9000, 0x12340, 0);
  object (C, NODE, REFS (A, B), REFS (16, 24));
  object (A, NODE, NULL, 0, NULL, 0);
  object (B, LEAF, REFS (C), REFS (8));
  script_shot_end (&script, 1200);
  EVENT (MLPD_METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_NAME, .time = 1201,
         .thread = 0x77, .name = { "Main", 4 });
  script_class (&script, 1202, NODE, "Node");
  EVENT (MLPD_METADATA_VTABLE, metadata_vtable, .action = MLPD_LOAD_END_LOAD, .time = 1203,
         .vtable = NODE + 8, .klass = NODE);
  take (1);
  assert_int_equal (graph->n_objects, 3);
  assert_int_equal (graph->n_roots, 3);
  assert_false (graph->roots_are_assumed);
  expect_root (0, 1, "static", "Static Fields of Node");
  expect_root (1, 2, "stack", "Thread Stack of 0x77 (Main)");
  expect_root (2, 0, "unknown", NULL);
  assert_int_equal (graph->dangling_roots, 1);
  expect_object (2, C, "Node", 32);
  assert_int_equal (graph->offsets[graph->first[2]], 16);
  assert_int_equal (graph->offsets[graph->first[2] + 1], 24);
  assert_int_equal (graph->generations[2], 1);
}

/* Data version 12: roots stand before the snapshot, and state what they are; a weak one is
 * reported.  Those of an earlier collection are none of the snapshot's. */
TEST_WITH (test_early_roots, NULL, end)
{
  script_begin_version (&script, 12);
  script_buffer (&script, 1, 1000);
  const struct mlpd_root before = { .object = C, .type = 0 };
  EVENT (MLPD_HEAP_ROOT, heap_root, .roots = { &before, 1, 7 });
  root (1002, 0, A, 2);
  root (1003, 0, B, 0 | MLPD_ROOT_FLAG_WEAK);
  root (1004, 0, C, 3 | MLPD_ROOT_FLAG_PINNING);
  script_shot_start (&script, 1010);
  object (A, NODE, NULL, 0, NULL, 0);
  object (B, NODE, NULL, 0, NULL, 0);
  object (C, NODE, NULL, 0, NULL, 0);
  script_shot_end (&script, 1200);
  take (1);
  assert_int_equal (graph->n_roots, 3);
  expect_root (0, 0, "handle", NULL);
  expect_root (1, 1, "stack", NULL);
  expect_root (2, 2, "other", NULL);
  assert_false (graph->roots[0].is_weak || graph->roots[2].is_weak);
  assert_true (graph->roots[1].is_weak && graph->roots[2].is_pinning);
}
