/* test-heap-fields.c -- fields by their offsets: of objects, arrays, values in arrays, roots. */
#include "config.h"

#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-paths.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

enum { CACHE, ARRAY, SLOTS, ITEM, CLASSES };

static struct heap_graph *g;

/* A cache refers to an array of items, to an array of slots and by a field without a name to an
 * item; each array to an item. */
static void
begin (void)
{
  static const uint32_t classes[] = { CACHE, ARRAY, SLOTS, ITEM, ITEM };
  static const uint32_t first[] = { 0, 3, 4, 5, 5, 5 };
  static const uint32_t targets[] = { 1, 2, 3, 3, 4 };
  static const uint32_t offsets[] = { 16, 24, 32, 32 + 5 * 8, 32 + 2 * 24 + 16 };
  static const char *const names[] = { "Ns.Cache", "Ns.Item[]", "Slot[]", "Item" };
  static const struct heap_root roots[] = { { .object = 0, .kind = "static" } };
  g = graph_from_arrays (&(const struct graph_arrays){ .n_objects = G_N_ELEMENTS (classes),
                                                       .classes = classes,
                                                       .first = first,
                                                       .targets = targets,
                                                       .offsets = offsets,
                                                       .class_names = names,
                                                       .n_classes = CLASSES,
                                                       .roots = roots,
                                                       .n_roots = 1 });
  heap_class_add_field (&g->class_list[CACHE], 24, "slots");
  heap_class_add_field (&g->class_list[CACHE], 16, "items");
  heap_class_add_field (&g->class_list[CACHE], 16, "other"); /* the first one counts */
  heap_class_add_field (&g->class_list[SLOTS], 16, "pair.key");
  g->class_list[SLOTS].element_bytes = 24;
  g->has_fields = true;
}

static void
end (void)
{
  heap_graph_free (g);
}

static void
check_text (char *text, const char *wanted)
{
  if (wanted == NULL)
    assert_null (text);
  else
    assert_string_equal (text, wanted);
  g_free (text);
}

TEST_WITH (test_names, begin, end)
{
  check_text (heap_field_name (g, 0, 0, true), "items");
  check_text (heap_field_name (g, 0, 1, true), "slots");
  check_text (heap_field_name (g, 0, 2, true), NULL);
  check_text (heap_field_name (g, 1, 3, true), "[5]");
  check_text (heap_field_name (g, 1, 3, false), "[]");
  check_text (heap_field_name (g, 2, 4, true), "[2].pair.key");
  check_text (heap_field_name (g, 2, 4, false), "[].pair.key");
  for (uint32_t i = 0; i < g->n_references; i++) {
    const uint32_t object = i < 3 ? 0 : i - 2;
    g_autofree char *name = heap_field_name (g, object, i, true);
    check_text (heap_field_of_reference (g, i), name);
  }
  check_text (heap_field_of_reference (g, g->n_references), NULL);
  check_text (heap_field_of_reference (g, HEAP_NONE), NULL);
}

/* What the log cannot state. */
TEST_WITH (test_unknown, begin, end)
{
  g->offsets[3] = 24; /* in the head of an array */
  check_text (heap_field_name (g, 1, 3, true), NULL);
  g->offsets[3] = UINT32_MAX;
  check_text (heap_field_name (g, 1, 3, true), NULL);
  g->has_fields = false;
  check_text (heap_field_name (g, 0, 0, true), NULL);
  check_text (heap_field_name (g, 2, 4, true), NULL);
}

TEST_WITH (test_find, begin, end)
{
  assert_int_equal (heap_field_find (g, 0, 3), 2);
  assert_int_equal (heap_field_find (g, 1, 3), 3);
  assert_int_equal (heap_field_find (g, 1, 4), HEAP_NONE);
}

TEST (test_texts)
{
  check_text (heap_field_of_class ("Cache", "items"), "Cache.items");
  check_text (heap_field_of_class ("Item[]", "[5]"), "Item[5]");
  check_text (heap_field_of_class ("Item[,]", "[5]"), "Item[,][5]");
  check_text (heap_field_of_class ("Slot[]", "[2].key"), "Slot[2].key");
  check_text (heap_field_of_class ("Cache", NULL), "Cache");
  const struct heap_root plain = { .kind = "handle" };
  const struct heap_root named = { .kind = "static", .name = "Static Fields of Cache" };
  struct heap_root field = named;
  field.holder = "Cache";
  field.field = "all";
  check_text (heap_root_text (&plain), "handle");
  check_text (heap_root_text (&named), "static: Static Fields of Cache");
  check_text (heap_root_text (&field), "static Cache.all");
}

/* Ways to items: by two fields, and by one without a name. */
TEST_WITH (test_paths, begin, end)
{
  static const uint8_t selected[] = { 0, 0, 0, 1, 1 };
  struct heap_paths p;
  heap_paths_init (&p, g);
  GArray *nodes = heap_paths_merge (&p, selected);
  GString *fields = g_string_new (NULL);
  for (guint i = 0; i < nodes->len; i++) {
    const struct heap_path_node *node = &g_array_index (nodes, struct heap_path_node, i);
    g_string_append_printf (fields, "%s ", node->field != NULL ? node->field : "-");
  }
  assert_string_equal (fields->str, "- - slots - - ");
  g_string_free (fields, TRUE);
  g_array_unref (nodes);
  heap_paths_clear (&p);
}
