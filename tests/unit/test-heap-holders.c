/* test-heap-holders.c -- the fields of the program that hold objects in collections. */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-holders.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

enum { CACHE, LIST, ARRAY, ITEM, CLASSES };

static struct heap_graph *g;
static struct heap_paths paths;

/* 0 a cache with a list (1), whose array (2) has two items (3, 4); a static list (5) with an array
 * (6) of an item (7); an array on a stack (8) with an item (9); 10 nothing leads to. */
static void
begin (void)
{
  static const uint32_t classes[]
      = { CACHE, LIST, ARRAY, ITEM, ITEM, LIST, ARRAY, ITEM, ARRAY, ITEM, ITEM };
  static const uint32_t first[] = { 0, 1, 2, 4, 4, 4, 5, 6, 6, 7, 7, 7 };
  static const uint32_t targets[] = { 1, 2, 3, 4, 6, 7, 9 };
  static const uint32_t offsets[] = { 16, 16, 32, 40, 16, 32, 32 };
  static const char *const names[]
      = { "Cache", "System.Collections.Generic.List<Item>", "Item[]", "Item" };
  static const struct heap_root roots[]
      = { { .object = 0, .kind = "static" },
          { .object = 5, .kind = "static", .holder = "Cache", .field = "all" },
          { .object = 8, .kind = "stack" } };
  g = graph_from_arrays (&(const struct graph_arrays){ .n_objects = G_N_ELEMENTS (classes),
                                                       .classes = classes,
                                                       .first = first,
                                                       .targets = targets,
                                                       .offsets = offsets,
                                                       .class_names = names,
                                                       .n_classes = CLASSES,
                                                       .roots = roots,
                                                       .n_roots = G_N_ELEMENTS (roots) });
  heap_class_add_field (&g->class_list[CACHE], 16, "items");
  heap_class_add_field (&g->class_list[LIST], 16, "_items");
  g->has_fields = true;
  heap_paths_init (&paths, g);
}

static void
end (void)
{
  heap_paths_clear (&paths);
  heap_graph_free (g);
}

static void
expect (uint32_t object, const char *wanted)
{
  g_autofree char *text = heap_holder_text (g, heap_holder_of (&paths, object));
  if (wanted == NULL)
    assert_null (text);
  else
    assert_string_equal (text, wanted);
}

TEST_WITH (test_holders, begin, end)
{
  expect (0, "static");
  expect (1, "Cache.items");
  expect (3, "Cache.items");
  expect (4, "Cache.items");
  expect (5, "static Cache.all");
  expect (7, "static Cache.all");
  expect (9, "Item[]");
  expect (10, NULL);
}

static uint64_t
key_of (uint32_t object)
{
  return heap_holder_key (g, heap_holder_of (&paths, object));
}

TEST_WITH (test_keys, begin, end)
{
  assert_true (key_of (3) == key_of (4));
  assert_true (key_of (3) != key_of (7));
  assert_true (key_of (7) == key_of (5));
  assert_true (key_of (9) != key_of (10));
}

/* Without offsets the class is all that is known. */
TEST_WITH (test_without_offsets, begin, end)
{
  free (g->offsets);
  g->offsets = NULL;
  expect (3, "Cache");
  assert_true (key_of (3) == key_of (4));
}
