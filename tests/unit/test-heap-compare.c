/* test-heap-compare.c -- what holds the objects of two heaps. */
#include "config.h"

#include "decoder/heap/heap-compare.h"
#include "decoder/heap/heap-fields.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"
#include <string.h>

enum { LIST, ARRAY, ITEM, CLASSES };

/* A list with an array of so many items, and an item that no root leads to. */
static struct heap_graph *
make_heap (uint32_t n_items)
{
  uint32_t classes[16] = { LIST, ARRAY }, first[17] = { 0, 1 }, targets[16] = { 1 };
  uint32_t offsets[16] = { 16 };
  static const char *const names[] = { "List", "Item[]", "Item" };
  static const struct heap_root roots[]
      = { { .object = 0, .kind = "static", .holder = "Cache", .field = "all" } };
  const uint32_t n = 3 + n_items;
  for (uint32_t i = 2; i < n; i++) {
    classes[i] = ITEM;
    first[i] = 1 + n_items;
    targets[i - 1] = i;
    offsets[i - 1] = 32 + 8 * (i - 2);
  }
  first[n] = 1 + n_items;
  struct heap_graph *g = graph_from_arrays (&(const struct graph_arrays){ .n_objects = n,
                                                                          .classes = classes,
                                                                          .first = first,
                                                                          .targets = targets,
                                                                          .offsets = offsets,
                                                                          .class_names = names,
                                                                          .n_classes = CLASSES,
                                                                          .roots = roots,
                                                                          .n_roots = 1 });
  heap_class_add_field (&g->class_list[LIST], 16, "items");
  g->has_fields = true;
  return g;
}

static const struct heap_place *
find (const GArray *places, const char *name, const char *place)
{
  for (guint i = 0; i < places->len; i++) {
    const struct heap_place *p = &g_array_index (places, struct heap_place, i);
    if (strcmp (p->name, name) == 0 && strcmp (p->place, place) == 0)
      return p;
  }
  return NULL;
}

static void
check (const GArray *places, const char *name, const char *place, uint64_t before, uint64_t now)
{
  const struct heap_place *p = find (places, name, place);
  assert_non_null (p);
  assert_int_equal (p->before.objects, before);
  assert_int_equal (p->now.objects, now);
}

TEST (holders)
{
  struct heap_graph *before = make_heap (3), *now = make_heap (7);
  struct heap_compare c;
  heap_compare_init (&c, before, now);
  assert_int_equal (c.holders->len, 4);
  check (c.holders, "List", "static Cache.all", 1, 1);
  check (c.holders, "Item[]", "List.items", 1, 1);
  check (c.holders, "Item", "Item[]", 3, 7);
  check (c.holders, "Item", "(no root leads there)", 1, 1);
  assert_int_equal (find (c.holders, "Item", "Item[]")->now.bytes, 7 * 8);
  heap_compare_add_site (&c, false, "Item", "Cache:Fill ()", 3);
  heap_compare_add_site (&c, true, "Item", "Cache:Fill ()", 5);
  heap_compare_add_site (&c, true, "Item", "Cache:Fill ()", 1);
  heap_compare_add_site (&c, true, "Item", "Cache:Other ()", 1);
  assert_int_equal (c.sites->len, 2);
  check (c.sites, "Item", "Cache:Fill ()", 3, 6);
  check (c.sites, "Item", "Cache:Other ()", 0, 1);
  heap_compare_clear (&c);
  heap_graph_free (before);
  heap_graph_free (now);
}

/* Of two runs nothing is followed. */
TEST (classes)
{
  struct heap_graph *before = make_heap (3), *now = make_heap (7);
  struct heap_dominators *d1 = heap_dominators_new (before), *d2 = heap_dominators_new (now);
  struct heap_diff diff;
  heap_diff_init (&diff, NULL, before, d1, now, d2);
  assert_int_equal (diff.classes->len, CLASSES);
  assert_int_equal (diff.followed, 0);
  const struct heap_change *item = &g_array_index (diff.classes, struct heap_change, ITEM);
  assert_int_equal (item->before.objects, 4);
  assert_int_equal (item->now.objects, 8);
  assert_int_equal (item->come.objects, 0);
  assert_int_equal (item->gone.objects, 0);
  heap_diff_clear (&diff);
  heap_dominators_free (d1);
  heap_dominators_free (d2);
  heap_graph_free (before);
  heap_graph_free (now);
}
