/* test-heap-collections.c -- how full collections are, computed by hand. */
#include "config.h"

#include "decoder/heap/heap-collections.h"
#include "decoder/heap/heap-fields.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

enum { LIST, ARRAY, ITEM, BUILDER, CHARS, CONCURRENT, TABLES, CLASSES };

/* 0 and 1 lists with arrays (2, 3), the first of an item (4); 5 a builder with characters (6),
 * whose part before (7) has others (8); 9 an array of 2 items by itself;
 * 10 a concurrent dictionary, whose tables (11) have buckets (12) and locks (13). */
static struct heap_graph *
make_graph (uint64_t count, bool is_cycle)
{
  static const uint32_t classes[] = { LIST,    LIST,  ARRAY, ARRAY,      ITEM,   BUILDER, CHARS,
                                      BUILDER, CHARS, ARRAY, CONCURRENT, TABLES, ARRAY,   ARRAY };
  static const uint64_t bytes[] = { 40, 40, 64, 128, 16, 48, 96, 48, 72, 96, 56, 32, 128, 48 };
  static const uint32_t first[] = { 0, 1, 2, 3, 3, 3, 5, 5, 7, 7, 9, 10, 12, 13, 13 };
  const uint32_t targets[]
      = { 2, 3, 4, 6, 7, 8, is_cycle ? 5 : 7, 4, 4, 11, is_cycle ? 11 : 13, 12, 4 };
  static const char *const names[]
      = { "System.Collections.Generic.List<Item>",
          "Item[]",
          "Item",
          "System.Text.StringBuilder",
          "System.Char[]",
          "System.Collections.Concurrent.ConcurrentDictionary<K,V>",
          "System.Collections.Concurrent.ConcurrentDictionary.Tables<K,V>" };
  static const struct heap_root roots[] = { { .object = 0, .kind = "stack" },
                                            { .object = 1, .kind = "stack" },
                                            { .object = 5, .kind = "stack" },
                                            { .object = 9, .kind = "stack" },
                                            { .object = 10, .kind = "stack" } };
  struct heap_graph *g
      = graph_from_arrays (&(const struct graph_arrays){ .n_objects = G_N_ELEMENTS (classes),
                                                         .bytes = bytes,
                                                         .classes = classes,
                                                         .first = first,
                                                         .targets = targets,
                                                         .class_names = names,
                                                         .n_classes = CLASSES,
                                                         .roots = roots,
                                                         .n_roots = G_N_ELEMENTS (roots) });
  const struct heap_collection collections[] = {
    { 0x1000, count, 4, 8 },      { 0x1008, 0, 12, 8 },  { 0x1010, 0, 4, 8 },  { 0x1018, 0, 12, 8 },
    { 0x1028, 50, 62, 2 },        { 0x1038, 30, 30, 2 }, { 0x1048, 0, 8, 8 },  { 0x1000, 9, 9, 9 },
    { 0x9999, UINT64_MAX, 1, 1 }, { 0x1050, 3, 12, 8 },  { 0x1060, 0, 12, 8 }, { 0x1068, 0, 2, 8 },
  };
  g->contents = heap_contents_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (collections); i++)
    heap_contents_add_collection (g->contents, &collections[i]);
  heap_contents_finish (g->contents);
  return g;
}

static void
expect (const struct heap_collections *c, guint nth, uint32_t object, uint64_t count,
        uint64_t capacity, uint64_t bytes, uint64_t wasted)
{
  assert_true (nth < c->all->len);
  const struct heap_filling *f = &g_array_index (c->all, struct heap_filling, nth);
  assert_int_equal (f->object, object);
  assert_int_equal (f->count, count);
  assert_int_equal (f->capacity, capacity);
  assert_int_equal (f->bytes, bytes);
  assert_int_equal (f->wasted, wasted);
}

TEST (test_filling)
{
  struct heap_graph *g = make_graph (1, false);
  struct heap_collections c;
  heap_collections_init (&c, g, NULL, NULL);
  assert_int_equal (c.all->len, 5);
  expect (&c, 0, 0, 1, 4, 40 + 64, 3 * 8);
  expect (&c, 1, 1, 0, 12, 40 + 128, 12 * 8);
  expect (&c, 2, 5, 50, 62, 48 + 96 + 48 + 72, 12 * 2);
  expect (&c, 3, 9, 2, 8, 96, 6 * 8);
  expect (&c, 4, 10, 3, 12, 56 + 32 + 128 + 48, 9 * 8);
  assert_int_equal (c.sums->len, 4);
  const struct heap_filling_sum *lists = &g_array_index (c.sums, struct heap_filling_sum, 0);
  assert_int_equal (lists->klass, LIST);
  assert_int_equal (lists->collections, 2);
  assert_int_equal (lists->empty, 1);
  assert_int_equal (lists->sparse, 0); /* a quarter is not below */
  assert_int_equal (lists->count, 1);
  assert_int_equal (lists->capacity, 16);
  assert_int_equal (lists->wasted, 15 * 8);
  heap_collections_clear (&c);
  heap_graph_free (g);
}

/* Of a damaged log: parts that refer to each other are parts of each other. */
TEST (test_cycle)
{
  struct heap_graph *g = make_graph (1, true);
  struct heap_collections c;
  heap_collections_init (&c, g, NULL, NULL);
  assert_int_equal (c.all->len, 5); /* the tables' locks are in no tables */
  heap_collections_clear (&c);
  heap_graph_free (g);
}

TEST (test_growth)
{
  struct heap_graph *before = make_graph (1, false), *g = make_graph (3, false);
  struct heap_moves moves;
  struct heap_collections c;
  heap_moves_init (&moves);
  before->index = 1;
  g->index = 2;
  heap_collections_init (&c, g, before, &moves);
  const struct heap_filling *f = &g_array_index (c.all, struct heap_filling, 0);
  assert_true (f->is_known_before);
  assert_int_equal (f->count, 3);
  assert_int_equal (f->count_before, 1);
  heap_collections_clear (&c);
  heap_moves_clear (&moves);
  heap_graph_free (before);
  heap_graph_free (g);
}
