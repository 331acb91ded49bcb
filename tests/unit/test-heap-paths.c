/* test-heap-paths.c -- shortest ways, branches and groups of a graph that was computed by hand.
 */
#include "config.h"

#include "decoder/heap/heap-branches.h"
#include "decoder/heap/heap-groups.h"
#include "decoder/heap/heap-paths.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

#include <string.h>

/* A static field holds Cache 0, a stack and another static field hold Node 1.  0 -> 2; 2 -> 3; 3 ->
 * 4; 1 -> 4; 4 -> 5; 2 -> 6; 7 is not reached and refers to 6.  Items are 5 and 6; 1 to 4 are
 * Nodes. */
enum { CACHE, NODE, ITEM, CLASSES };

static const uint32_t first[] = { 0, 1, 2, 4, 5, 6, 6, 6, 7 };
static const uint32_t targets[] = { 2, 4, 3, 6, 4, 5, 6 };
static const uint32_t classes[] = { CACHE, NODE, NODE, NODE, NODE, ITEM, ITEM, CACHE };
static const uint64_t bytes[] = { 1, 2, 4, 8, 16, 32, 64, 128 };
static const char *const names[] = { "Cache", "Node", "Item" };
static const struct heap_root roots[]
    = { { .object = 1, .kind = "stack", .name = "Main" },
        { .object = 0, .kind = "static", .name = "fields of Cache" },
        { .object = 1, .kind = "static", .name = "fields of Node" },
        { .object = 7, .kind = "handle", .is_weak = true } };

static struct heap_graph *g;

static void
begin (void)
{
  const struct graph_arrays arrays = { .n_objects = 8,
                                       .bytes = bytes,
                                       .classes = classes,
                                       .first = first,
                                       .targets = targets,
                                       .class_names = names,
                                       .n_classes = CLASSES,
                                       .roots = roots,
                                       .n_roots = G_N_ELEMENTS (roots) };
  g = graph_from_arrays (&arrays);
}

static void
end (void)
{
  heap_graph_free (g);
}

TEST_WITH (test_paths, begin, end)
{
  static const uint32_t parents[]
      = { HEAP_PATH_ROOT, HEAP_PATH_ROOT, 0, 2, 1, 4, 2, HEAP_PATH_NONE };
  struct heap_paths p;
  heap_paths_init (&p, g);
  for (uint32_t i = 0; i < 8; i++)
    assert_int_equal (p.parents[i], parents[i]);
  assert_int_equal (p.n_reached, 7);
  assert_int_equal (p.through[0], 1);
  assert_int_equal (p.through[1], 2); /* the static field, not the stack */
  assert_int_equal (p.through[6], 3);
  heap_paths_clear (&p);
}

/* A stack holds Node 4 itself, and a static field by three steps: that is the way to it, and to
 * what it leads to.  What the stack alone leads to is reached from there. */
TEST (test_static_before_stack)
{
  static const uint32_t chain_first[] = { 0, 1, 2, 3, 4, 5, 5, 6, 6 };
  static const uint32_t chain_targets[] = { 1, 2, 3, 4, 5, 7 };
  static const struct heap_root chain_roots[]
      = { { .object = 4, .kind = "stack", .name = "Main" },
          { .object = 6, .kind = "stack", .name = "Main" },
          { .object = 0, .kind = "static", .name = "fields of Cache" } };
  const struct graph_arrays arrays = { .n_objects = 8,
                                       .bytes = bytes,
                                       .classes = classes,
                                       .first = chain_first,
                                       .targets = chain_targets,
                                       .class_names = names,
                                       .n_classes = CLASSES,
                                       .roots = chain_roots,
                                       .n_roots = G_N_ELEMENTS (chain_roots) };
  static const uint32_t parents[] = { HEAP_PATH_ROOT, 0, 1, 2, 3, 4, HEAP_PATH_ROOT, 6 };
  struct heap_graph *chain = graph_from_arrays (&arrays);
  struct heap_paths p;
  heap_paths_init (&p, chain);
  for (uint32_t i = 0; i < 8; i++)
    assert_int_equal (p.parents[i], parents[i]);
  assert_int_equal (p.through[0], 2);
  heap_paths_clear (&p);
  heap_graph_free (chain);
}

/* To the Items: fields of Cache, Cache, Node, Item; and fields of Node, Node, Node, Item. */
TEST_WITH (test_merged, begin, end)
{
  static const struct heap_path_node expected[] = { { HEAP_NONE, HEAP_NONE, 1, 1, 64, 0, 0, NULL },
                                                    { 0, CACHE, 1, 1, 64, 0, 0, NULL },
                                                    { HEAP_NONE, HEAP_NONE, 2, 1, 32, 0, 0, NULL },
                                                    { 2, NODE, 2, 1, 32, 0, 0, NULL },
                                                    { 1, NODE, 1, 1, 64, 0, 0, NULL },
                                                    { 3, NODE, 2, 1, 32, 0, 0, NULL },
                                                    { 4, ITEM, 1, 1, 64, 1, 64, NULL },
                                                    { 5, ITEM, 2, 1, 32, 1, 32, NULL } };
  static const uint8_t selected[] = { 0, 0, 0, 0, 0, 1, 1, 0 };
  struct heap_paths p;
  heap_paths_init (&p, g);
  GArray *nodes = heap_paths_merge (&p, selected);
  assert_int_equal (nodes->len, G_N_ELEMENTS (expected));
  for (guint i = 0; i < nodes->len; i++) {
    const struct heap_path_node *node = &g_array_index (nodes, struct heap_path_node, i);
    assert_int_equal (node->parent, expected[i].parent);
    assert_int_equal (node->klass, expected[i].klass);
    assert_int_equal (node->root, expected[i].root);
    assert_int_equal (node->objects, expected[i].objects);
    assert_int_equal (node->bytes, expected[i].bytes);
    assert_int_equal (node->own_objects, expected[i].own_objects);
    assert_ptr_equal (node->field, expected[i].field);
  }
  g_array_unref (nodes);
  heap_paths_clear (&p);
}

/* A list of Nodes that each have an Item between them: after the first of both, the steps come
 * again. */
TEST_WITH (test_list, begin, end)
{
  enum { LENGTH = 1000 };
  uint32_t list_first[LENGTH + 1], list_targets[LENGTH], list_classes[LENGTH];
  uint8_t selected[LENGTH];
  const struct heap_root root = { .object = 0, .kind = "static" };
  for (uint32_t i = 0; i < LENGTH; i++) {
    list_first[i] = i;
    list_targets[i] = i + 1;
    list_classes[i] = i % 2 == 0 ? NODE : ITEM;
    selected[i] = i % 2 != 0;
  }
  list_first[LENGTH] = LENGTH - 1;
  const struct graph_arrays arrays = { .n_objects = LENGTH,
                                       .classes = list_classes,
                                       .first = list_first,
                                       .targets = list_targets,
                                       .class_names = names,
                                       .n_classes = CLASSES,
                                       .roots = &root,
                                       .n_roots = 1 };
  struct heap_graph *list = graph_from_arrays (&arrays);
  struct heap_paths p;
  heap_paths_init (&p, list);
  GArray *nodes = heap_paths_merge (&p, selected);
  assert_int_equal (nodes->len, 4); /* the root, Node, Item, Node below Item */
  assert_int_equal (g_array_index (nodes, struct heap_path_node, 2).own_objects, LENGTH / 2);
  g_array_unref (nodes);
  heap_paths_clear (&p);
  heap_graph_free (list);
}

static void
expect_branch (const GArray *found, guint place, struct heap_branch expected)
{
  assert_true (place < found->len);
  const struct heap_branch *b = &g_array_index (found, struct heap_branch, place);
  assert_int_equal (b->parent, expected.parent);
  assert_int_equal (b->klass, expected.klass);
  assert_int_equal (b->first, expected.first);
  assert_int_equal (b->objects, expected.objects);
  assert_int_equal (b->bytes, expected.bytes);
  assert_int_equal (b->retained, expected.retained);
}

/* Below the roots: Cache 0 with 77 bytes, Nodes 1 and 4 with 2 + 48; below Cache Node 2, below that
 * Item 6 and Node 3; below Node 4 Item 5. */
TEST_WITH (test_branches, begin, end)
{
  static const uint32_t order[][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 5, 2 }, { 3, 0 }, { 4, 1 } };
  struct heap_dominators *d = heap_dominators_new (g);
  bool more;
  GArray *found = heap_branches_find (g, d, 0, &more);
  assert_false (more);
  assert_int_equal (found->len, 6);
  expect_branch (found, 0, (struct heap_branch){ HEAP_NONE, CACHE, 0, 1, 1, 77 });
  expect_branch (found, 1, (struct heap_branch){ 0, NODE, 2, 1, 4, 76 });
  expect_branch (found, 2, (struct heap_branch){ 1, ITEM, 6, 1, 64, 64 });
  expect_branch (found, 3, (struct heap_branch){ HEAP_NONE, NODE, 1, 2, 18, 50 });
  expect_branch (found, 4, (struct heap_branch){ 3, ITEM, 5, 1, 32, 32 });
  expect_branch (found, 5, (struct heap_branch){ 1, NODE, 3, 1, 8, 8 });
  uint32_t parents[6];
  uint64_t weights[6];
  for (guint i = 0; i < 6; i++) {
    parents[i] = g_array_index (found, struct heap_branch, i).parent;
    weights[i] = g_array_index (found, struct heap_branch, i).retained;
  }
  GArray *rows = heap_rows_of_tree (parents, weights, 6);
  assert_int_equal (rows->len, 6);
  for (guint i = 0; i < 6; i++) {
    assert_int_equal (g_array_index (rows, struct heap_row, i).node, order[i][0]);
    assert_int_equal (g_array_index (rows, struct heap_row, i).depth, order[i][1]);
  }
  g_array_unref (rows);
  g_array_unref (found);
  found = heap_branches_find (g, d, 2, &more);
  assert_true (more);
  assert_int_equal (found->len, 2);
  g_array_unref (found);
  heap_dominators_free (d);
}

TEST_WITH (test_groups, begin, end)
{
  struct heap_dominators *d = heap_dominators_new (g);
  struct heap_groups groups;
  heap_groups_init (&groups, g, d, HEAP_BY_CLASS, HEAP_ALL);
  assert_int_equal (groups.n, CLASSES);
  assert_string_equal (groups.all[NODE].name, "Node");
  assert_int_equal (groups.all[NODE].objects, 4);
  assert_int_equal (groups.all[NODE].bytes, 30);
  assert_int_equal (groups.all[NODE].retained, 2 + (16 + 32) + (4 + 8 + 64));
  assert_int_equal (groups.all[CACHE].retained, 77);
  heap_groups_clear (&groups);
  heap_groups_init (&groups, g, d, HEAP_BY_CLASS, HEAP_UNREACHED_ONLY);
  assert_int_equal (groups.all[CACHE].objects, 1);
  assert_int_equal (groups.all[CACHE].bytes, 128);
  assert_int_equal (groups.all[NODE].objects, 0);
  heap_groups_clear (&groups);
  heap_groups_init (&groups, g, d, HEAP_BY_SIZE, HEAP_ALL);
  assert_string_equal (groups.all[1].name, "1");
  assert_string_equal (groups.all[5].name, "16-31");
  assert_int_equal (groups.all[5].objects, 1);
  assert_string_equal (groups.all[64].name, "9223372036854775808-18446744073709551615");
  heap_groups_clear (&groups);
  heap_dominators_free (d);
}
