/* test-heap-leaks.c -- where growing objects accumulate, in graphs that were made for it. */
#include "config.h"

#include "decoder/mlpd/query/leaks.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/test.h"

enum { LEAKING = 40, LEAKING_BYTES = 800, OBJECTS_MAX = 200 };

/* Classes of all graphs here. */
enum { HOLDER, LEAK, TEXT, SMALL, CLASSES };
static const char *const class_names[CLASSES]
    = { "Shop.Holder", "Shop.Item", "System.String", "Shop.Small" };

/* A graph in the making: an object is added with its references, which may be to later ones. */
struct made {
  uint64_t addresses[OBJECTS_MAX], bytes[OBJECTS_MAX];
  uint32_t classes[OBJECTS_MAX], first[OBJECTS_MAX + 1], targets[8 * OBJECTS_MAX];
  struct heap_root roots[OBJECTS_MAX];
  uint32_t n, n_roots;
};

static uint32_t
add (struct made *m, uint32_t klass, uint64_t bytes)
{
  m->addresses[m->n] = 0x1000 + 0x1000 * (uint64_t) m->n;
  m->bytes[m->n] = bytes;
  m->classes[m->n] = klass;
  m->first[m->n + 1] = m->first[m->n];
  return m->n++;
}

/* Of the object that was added last. */
static void
refer (struct made *m, uint32_t first, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    m->targets[m->first[m->n]++] = first + i;
}

static void
add_leaking (struct made *m, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    add (m, LEAK, LEAKING_BYTES);
}

static void
add_root (struct made *m, uint32_t object)
{
  m->roots[m->n_roots++] = (struct heap_root){ .object = object, .kind = "static", .name = "Shop" };
}

/* ---- what of it grows ---- */

/* Of all classes but holders there were 0, then half, then all of the objects. */
static void
make_growth (struct heap_growth *growth, const struct heap_graph *g, guint n_shots)
{
  static uint64_t times[] = { 0, HEAP_GROWTH_SPAN / 2, HEAP_GROWTH_SPAN };
  *growth = (struct heap_growth){ .n_shots = n_shots,
                                  .times = times,
                                  .by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                                    g_free) };
  static struct type_sum shots[CLASSES][3];
  for (uint32_t klass = 0; klass < CLASSES; klass++) {
    struct heap_series *series = g_new0 (struct heap_series, 1);
    struct type_sum all = { 0, 0 };
    for (uint32_t i = 0; i < g->n_objects; i++)
      if (g->classes[i] == klass) {
        all.objects++;
        all.bytes += g->bytes[i];
      }
    shots[klass][0] = (struct type_sum){ 0, 0 };
    shots[klass][1] = (struct type_sum){ all.objects / 2, all.bytes / 2 };
    shots[klass][2] = all;
    series->shots = shots[klass];
    series->since = klass == HOLDER || all.objects == 0 ? HEAP_NOT_GROWING : 0;
    g_hash_table_insert (growth->by_name, g_strdup_printf ("%s\n", class_names[klass]), series);
  }
}

struct found {
  struct heap_graph *graph;
  struct heap_dominators *dominators;
  struct heap_growth growth;
  struct heap_leaks leaks;
};

static void
find_leaks (struct found *f, const struct made *m, guint n_shots)
{
  const struct graph_arrays arrays = { .n_objects = m->n,
                                       .addresses = m->addresses,
                                       .bytes = m->bytes,
                                       .classes = m->classes,
                                       .first = m->first,
                                       .targets = m->targets,
                                       .class_names = class_names,
                                       .n_classes = CLASSES,
                                       .roots = m->roots,
                                       .n_roots = m->n_roots };
  f->graph = graph_from_arrays (&arrays);
  f->dominators = heap_dominators_new (f->graph);
  make_growth (&f->growth, f->graph, n_shots);
  heap_leaks_init (&f->leaks, f->graph, f->dominators, &f->growth, false);
}

static void
free_found (struct found *f)
{
  heap_leaks_clear (&f->leaks);
  g_hash_table_destroy (f->growth.by_name);
  heap_dominators_free (f->dominators);
  heap_graph_free (f->graph);
}

static const struct leak *
leak_at (const struct found *f, guint i)
{
  assert_true (i < f->leaks.all->len);
  return g_ptr_array_index (f->leaks.all, i);
}

static void
expect_class (const struct leak *leak, guint i, uint32_t klass, uint64_t objects, uint64_t retained)
{
  assert_true (i < leak->classes->len);
  const struct leak_class *c = &g_array_index (leak->classes, struct leak_class, i);
  assert_int_equal (c->klass, klass);
  assert_int_equal (c->objects, objects);
  assert_int_equal (c->retained, retained);
}

/* ---- leaks ---- */

TEST (one_holder)
{
  struct made m = { .n = 0 };
  struct found f;
  const uint32_t holder = add (&m, HOLDER, 100);
  refer (&m, 1, LEAKING);
  add_leaking (&m, LEAKING);
  add_root (&m, holder);
  find_leaks (&f, &m, 3);
  assert_int_equal (f.leaks.all->len, 1);
  assert_int_equal (leak_at (&f, 0)->holder, holder);
  assert_int_equal (leak_at (&f, 0)->bytes, 100 + LEAKING * LEAKING_BYTES);
  assert_int_equal (leak_at (&f, 0)->grown, LEAKING * LEAKING_BYTES);
  assert_null (leak_at (&f, 0)->tops);
  assert_int_equal (leak_at (&f, 0)->way->len, 1);
  assert_int_equal (leak_at (&f, 0)->classes->len, 1);
  expect_class (leak_at (&f, 0), 0, LEAK, LEAKING, LEAKING * LEAKING_BYTES);
  free_found (&f);
}

/* Classes that retain as much come in the order of the graph. */
TEST (two_classes)
{
  struct made m = { .n = 0 };
  struct found f;
  const uint32_t holder = add (&m, HOLDER, 100);
  refer (&m, 1, 2 * LEAKING);
  for (uint32_t i = 0; i < LEAKING; i++)
    add (&m, TEXT, LEAKING_BYTES);
  add_leaking (&m, LEAKING);
  add_root (&m, holder);
  find_leaks (&f, &m, 3);
  assert_int_equal (f.leaks.all->len, 1);
  assert_int_equal (leak_at (&f, 0)->classes->len, 2);
  expect_class (leak_at (&f, 0), 0, LEAK, LEAKING, LEAKING * LEAKING_BYTES);
  expect_class (leak_at (&f, 0), 1, TEXT, LEAKING, LEAKING * LEAKING_BYTES);
  free_found (&f);
}

/* Objects that roots hold, each by itself; those of another class are too few bytes. */
TEST (roots_alone)
{
  struct made m = { .n = 0 };
  struct found f;
  add_leaking (&m, LEAKING);
  for (uint32_t i = 0; i < LEAKING / 2; i++)
    add (&m, SMALL, 8);
  for (uint32_t i = 0; i < m.n; i++)
    add_root (&m, i);
  find_leaks (&f, &m, 3);
  assert_int_equal (f.leaks.all->len, 1);
  const struct leak *leak = leak_at (&f, 0);
  assert_true (leak->holder == HEAP_NONE);
  assert_int_equal (leak->tops->len, LEAKING);
  assert_int_equal (leak->bytes, LEAKING * LEAKING_BYTES);
  assert_int_equal (leak->way->len, 1);
  assert_int_equal (leak->classes->len, 1);
  expect_class (leak, 0, LEAK, LEAKING, LEAKING * LEAKING_BYTES);
  free_found (&f);
}

/* Pairs of holders, each of which refers to the same objects: nothing dominates these. */
static void
add_pairs (struct made *m, uint32_t pairs)
{
  const uint32_t each = LEAKING / pairs;
  for (uint32_t i = 0; i < 2 * pairs; i++) {
    add_root (m, add (m, HOLDER, 100));
    refer (m, 2 * pairs + i / 2 * each, each);
  }
  add_leaking (m, pairs * each);
}

/* One of a pair holds all of them on shortest ways; of three pairs none holds most. */
TEST (several_holders)
{
  for (uint32_t pairs = 1; pairs <= 3; pairs += 2) {
    struct made m = { .n = 0 };
    struct found f;
    add_pairs (&m, pairs);
    find_leaks (&f, &m, 3);
    assert_int_equal (f.leaks.all->len, 1);
    const struct leak *leak = leak_at (&f, 0);
    assert_int_equal (leak->tops->len, LEAKING / pairs * pairs);
    if (pairs == 1) {
      assert_true (leak->holder < 2);
      assert_int_equal (leak->way->len, 1);
      assert_int_equal (g_array_index (leak->way, uint32_t, 0), leak->holder);
    } else {
      assert_true (leak->holder == HEAP_NONE);
      assert_int_equal (leak->way->len, 2); /* a holder, and the first of its objects */
    }
    free_found (&f);
  }
}

/* Of fewer snapshots than three, and of objects that nothing leads to, nothing is known. */
TEST (nothing)
{
  struct made m = { .n = 0 };
  struct found f;
  add_leaking (&m, LEAKING);
  find_leaks (&f, &m, 3);
  assert_int_equal (f.leaks.all->len, 0);
  free_found (&f);
  for (uint32_t i = 0; i < m.n; i++)
    add_root (&m, i);
  find_leaks (&f, &m, LEAK_SHOTS_MIN - 1);
  assert_int_equal (f.leaks.all->len, 0);
  free_found (&f);
}

/* ---- what cannot be judged ---- */

static void
expect_unjudged (const struct made *m, guint n_shots, const char *expected)
{
  struct found f;
  find_leaks (&f, m, n_shots);
  f.graph->index = 7;
  char *why = heap_leaks_unjudged (f.graph, f.dominators, &f.growth);
  if (expected == NULL)
    assert_null (why);
  else
    assert_string_equal (why, expected);
  g_free (why);
  free_found (&f);
}

TEST (unjudged)
{
  struct made m = { .n = 0 };
  expect_unjudged (&m, 1, "1 complete heap snapshot, 3 are needed");
  add_leaking (&m, LEAKING);
  expect_unjudged (&m, 3,
                   "heap snapshot 7 has no references, so what holds its objects is not known");
  add (&m, HOLDER, 100);
  refer (&m, 0, LEAKING);
  expect_unjudged (&m, 3, "no root leads to any object of heap snapshot 7");
  add_root (&m, LEAKING);
  expect_unjudged (&m, 3, NULL);
  /* Three snapshots in a moment. */
  struct found f;
  find_leaks (&f, &m, 3);
  uint64_t times[] = { 0, HEAP_GROWTH_SPAN / 2, HEAP_GROWTH_SPAN - 1000000 };
  f.growth.times = times;
  char *why = heap_leaks_unjudged (f.graph, f.dominators, &f.growth);
  assert_string_equal (why, "3 heap snapshots span 249 ms, and growth is judged over 250");
  g_free (why);
  free_found (&f);
}

/* ---- suspects ---- */

/* Two holders with the same roots. */
static void
add_two_holders (struct made *m)
{
  for (uint32_t i = 0; i < 2; i++) {
    add_root (m, add (m, HOLDER, 100));
    refer (m, 2 + i * LEAKING, LEAKING);
  }
  add_leaking (m, 2 * LEAKING);
}

/* They are one suspect, unless one is held by the other: then it is in the bytes of that. */
TEST (suspects)
{
  for (int is_nested = 0; is_nested < 2; is_nested++) {
    struct made m = { .n = 0 };
    struct found f;
    if (is_nested) {
      add_root (&m, add (&m, HOLDER, 100));
      refer (&m, 1, 1 + LEAKING);
      add (&m, HOLDER, 100);
      refer (&m, 2 + LEAKING, LEAKING);
      add_leaking (&m, 2 * LEAKING);
    } else {
      add_two_holders (&m);
    }
    find_leaks (&f, &m, 3);
    assert_int_equal (f.leaks.all->len, 2);
    GPtrArray *all = leak_suspects_new (&f.leaks, f.graph);
    const struct leak_suspect *first = g_ptr_array_index (all, 0);
    assert_int_equal (all->len, is_nested ? 2 : 1);
    assert_int_equal (first->alike->len, is_nested ? 1 : 2);
    assert_int_equal (first->grown, (is_nested ? 1 : 2) * LEAKING * LEAKING_BYTES);
    assert_int_equal (leak_suspect_own (first)->klass, LEAK);
    assert_int_equal (leak_suspect_own (first)->objects, (is_nested ? 1 : 2) * LEAKING);
    g_ptr_array_unref (all);
    free_found (&f);
  }
}

/* Nothing of it holds those that roots alone hold, so each is a suspect of its own. */
TEST (suspects_without_holder)
{
  struct made m = { .n = 0 };
  struct found f;
  add_leaking (&m, LEAKING);
  for (uint32_t i = 0; i < LEAKING; i++)
    add (&m, TEXT, 2 * LEAKING_BYTES);
  for (uint32_t i = 0; i < m.n; i++)
    add_root (&m, i);
  find_leaks (&f, &m, 3);
  GPtrArray *all = leak_suspects_new (&f.leaks, f.graph);
  assert_int_equal (all->len, 2);
  assert_int_equal (leak_suspect_own (g_ptr_array_index (all, 0))->klass, TEXT);
  assert_int_equal (leak_suspect_own (g_ptr_array_index (all, 1))->klass, LEAK);
  g_ptr_array_unref (all);
  free_found (&f);
}

/* A suspect of two classes, the first of which retains most: which of them is named. */
static void
expect_own (const char *name, const char *image, uint64_t bytes_of_other, uint32_t expected)
{
  struct heap_class list[]
      = { { .name = name, .image = image }, { .name = "Shop.Item", .image = "/home/me/Shop.exe" } };
  const struct heap_root root = { .kind = "static" };
  uint32_t classes[] = { 0 };
  struct heap_graph g
      = { .class_list = list, .roots = (struct heap_root *) &root, .classes = classes };
  struct leak_class of_leak[]
      = { { .klass = 0, .retained = 1000 }, { .klass = 1, .retained = bytes_of_other } };
  struct leak leak = { .holder = 0, .bytes = 1000, .grown = 1000 };
  leak.way = g_array_append_val (g_array_new (FALSE, FALSE, sizeof (uint32_t)), classes[0]);
  leak.classes
      = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof (struct leak_class)), of_leak, 2);
  struct heap_leaks leaks = { .all = g_ptr_array_new () };
  g_ptr_array_add (leaks.all, &leak);
  GPtrArray *all = leak_suspects_new (&leaks, &g);
  const struct leak_class *own = leak_suspect_own (g_ptr_array_index (all, 0));
  if (own->klass != expected)
    fail_msg ("%s of %s: class %u", name, image, own->klass);
  g_ptr_array_unref (all);
  g_ptr_array_unref (leaks.all);
  g_array_unref (leak.way);
  g_array_unref (leak.classes);
}

/* A class of the program's is named in place of one of the libraries, if it retains enough. */
TEST (own_classes)
{
  expect_own ("Shop.Cart", "Shop.exe", 900, 0);
  expect_own ("Shop.Cart[]", "Shop.exe", 900, 1);
  expect_own ("Dictionary", "/usr/lib/mono/4.5/mscorlib.dll", 900, 1);
  expect_own ("Dictionary", "/usr/lib/mono/4.5/mscorlib.dll", 10, 0);
  expect_own ("Dictionary", "System.Core.dll", 900, 1);
  expect_own ("Dictionary", "Mono.exe", 900, 1);
  expect_own ("Dictionary", "mscorlib", 900, 1);
  expect_own ("System.String", NULL, 900, 1); /* the namespace, as the image is unknown */
  expect_own ("Shop.Cart", NULL, 900, 0);
}
