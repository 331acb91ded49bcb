/* test-export-hprof.c -- heap snapshots as HPROF 1.0.2, read back by its records: instances have
 * fields of 8 bytes, and arrays of objects elements. */
#include "config.h"

#include "decoder/exports/export.h"
#include "tests/unit/graph-arrays.h"
#include "tests/unit/string-sinks.h"
#include "tests/unit/test.h"

#include <string.h>

enum { MOST = 8 };

/* ---- reading ---- */

struct reading {
  const uint8_t *at, *end;
};

static uint64_t
get (struct reading *r, unsigned bytes)
{
  uint64_t number = 0;
  assert_true ((size_t) (r->end - r->at) >= bytes);
  for (unsigned i = 0; i < bytes; i++)
    number = number << 8 | *r->at++;
  return number;
}

static void
pass_over (struct reading *r, uint64_t bytes)
{
  assert_true ((uint64_t) (r->end - r->at) >= bytes);
  r->at += bytes;
}

/* An object of the file. */
struct object {
  bool is_array;
  uint64_t n;           /* elements, or 8 bytes of fields */
  uint64_t words[MOST]; /* the first ones */
  char *class_name;
};

struct file {
  GHashTable *texts;   /* id -> text */
  GHashTable *names;   /* id of a class -> id of its text */
  GHashTable *objects; /* id -> struct object */
  unsigned roots;
  uint64_t other_sizes, cut, cut_bytes;
};

static void
free_object (gpointer data)
{
  struct object *o = data;
  g_free (o->class_name);
  g_free (o);
}

static gpointer
key (uint64_t id)
{
  return GSIZE_TO_POINTER (id);
}

static void
read_class (struct reading *r)
{
  pass_over (r, 8 + 4 + 8 + 5 * 8 + 4);
  assert_int_equal (get (r, 2), 0);
  for (uint64_t statics = get (r, 2); statics > 0; statics--)
    pass_over (r, 8 + 1 + 8);
  for (uint64_t fields = get (r, 2); fields > 0; fields--)
    pass_over (r, 8 + 1);
}

static void
read_object (struct file *f, struct reading *r, bool is_array)
{
  struct object *o = g_new0 (struct object, 1);
  const uint64_t id = get (r, 8);
  uint64_t klass, n;
  pass_over (r, 4);
  if (is_array) {
    n = get (r, 4);
    klass = get (r, 8);
  } else {
    klass = get (r, 8);
    n = get (r, 4) / 8;
  }
  o->is_array = is_array;
  o->n = n;
  o->class_name
      = g_strdup (g_hash_table_lookup (f->texts, g_hash_table_lookup (f->names, key (klass))));
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t word = get (r, 8);
    if (i < MOST)
      o->words[i] = word;
  }
  assert_true (g_hash_table_insert (f->objects, key (id), o)); /* each once */
}

static void
read_segment (struct file *f, struct reading r)
{
  while (r.at < r.end) {
    const unsigned tag = (unsigned) get (&r, 1);
    switch (tag) {
    case 0x01: /* global: with a reference of its own */
      pass_over (&r, 8 + 8);
      f->roots++;
      break;
    case 0x05:
    case 0xff:
      pass_over (&r, 8);
      f->roots++;
      break;
    case 0x20:
      read_class (&r);
      break;
    case 0x21:
    case 0x22:
      read_object (f, &r, tag == 0x22);
      break;
    default:
      fail_msg ("a tag 0x%x in a segment", tag);
    }
  }
}

static void
read_records (struct file *f, struct reading r)
{
  bool has_end = false;
  while (r.at < r.end) {
    const unsigned tag = (unsigned) get (&r, 1);
    pass_over (&r, 4);
    const uint64_t length = get (&r, 4);
    struct reading record = { r.at, r.at + length };
    pass_over (&r, length);
    if (tag == 0x01) {
      const uint64_t id = get (&record, 8);
      g_hash_table_insert (f->texts, key (id),
                           g_strndup ((const char *) record.at, (gsize) (record.end - record.at)));
    } else if (tag == 0x02) {
      pass_over (&record, 4);
      const uint64_t id = get (&record, 8);
      pass_over (&record, 4);
      g_hash_table_insert (f->names, key (id), key (get (&record, 8)));
    } else if (tag == 0x1c) {
      read_segment (f, record);
    } else {
      assert_int_equal (tag, 0x2c);
      assert_int_equal (length, 0);
      assert_true (r.at == r.end);
      has_end = true;
    }
  }
  assert_true (has_end);
}

/* The graph as a file, whose objects have at most `limit` bytes together, more or less; 0: any. */
static void
write_and_read (struct file *f, const struct graph_arrays *arrays, uint64_t limit)
{
  static const char magic[] = "JAVA PROFILE 1.0.2";
  struct heap_graph *graph = graph_from_arrays (arrays);
  struct heap_dominators *dominators = heap_dominators_new (graph);
  const struct export_shot shot = { .graph = graph, .dominators = dominators, .limit = limit };
  GString *all = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = append_text, .data = all };
  *f = (struct file){ .texts = g_hash_table_new_full (NULL, NULL, NULL, g_free),
                      .names = g_hash_table_new (NULL, NULL),
                      .objects = g_hash_table_new_full (NULL, NULL, NULL, free_object) };
  f->other_sizes = export_find ("hprof")->write_shot (&shot, &out);
  f->cut = out.cut;
  f->cut_bytes = out.cut_bytes;
  const uint8_t *bytes = (const uint8_t *) all->str;
  assert_memory_equal (bytes, magic, sizeof magic);
  struct reading r = { bytes + sizeof magic, bytes + all->len };
  assert_int_equal (get (&r, 4), 8); /* bytes of an id */
  pass_over (&r, 8);
  read_records (f, r);
  /* With the two that readers need. */
  assert_int_equal (g_hash_table_size (f->objects), arrays->n_objects + 2);
  g_string_free (out.bytes, TRUE);
  g_string_free (all, TRUE);
  heap_dominators_free (dominators);
  heap_graph_free (graph);
}

static void
free_file (struct file *f)
{
  g_hash_table_destroy (f->texts);
  g_hash_table_destroy (f->names);
  g_hash_table_destroy (f->objects);
}

static const struct object *
object_at (const struct file *f, uint64_t address)
{
  const struct object *o = g_hash_table_lookup (f->objects, key (address));
  assert_non_null (o);
  return o;
}

/* ---- graphs ---- */

enum { A = 0x1000, B = 0x2000, C = 0x3000, D = 0x4000 };
static const uint64_t addresses[] = { A, B, C, D };
static const struct heap_root root = { .object = 0, .kind = "stack" };

static void
expect_words (const struct object *o, const uint64_t *words, size_t n)
{
  assert_int_equal (o->n, n);
  for (size_t i = 0; i < n; i++)
    assert_int_equal (o->words[i], words[i]);
}

/* A and B are of a class with references at 16 and 32, of which B has the second one only. */
TEST (fields)
{
  static const uint64_t bytes[] = { 40, 40, 16, 24 };
  static const uint32_t classes[] = { 0, 0, 1, 2 }, first[] = { 0, 2, 3, 3, 3 },
                        targets[] = { 1, 2, 3 }, offsets[] = { 16, 32, 32 };
  static const char *const names[] = { "Shop.Cart;x", "E", "F" };
  struct graph_arrays arrays = { .n_objects = 4,
                                 .addresses = addresses,
                                 .bytes = bytes,
                                 .classes = classes,
                                 .first = first,
                                 .targets = targets,
                                 .offsets = offsets,
                                 .class_names = names,
                                 .n_classes = 3,
                                 .roots = &root,
                                 .n_roots = 1 };
  static const uint64_t a[] = { B, C, 0 }, b[] = { 0, D, 0 }, d[] = { 0 };
  struct file f;
  write_and_read (&f, &arrays, 0);
  assert_false (object_at (&f, A)->is_array);
  assert_string_equal (object_at (&f, A)->class_name, "Shop/Cart,x");
  expect_words (object_at (&f, A), a, 3);
  expect_words (object_at (&f, B), b, 3);
  expect_words (object_at (&f, C), NULL, 0);
  expect_words (object_at (&f, D), d, 1);
  assert_int_equal (f.other_sizes, 0);
  free_file (&f);
  /* Without offsets, the references are the first fields. */
  static const uint64_t b_first[] = { D, 0, 0 };
  arrays.offsets = NULL;
  write_and_read (&f, &arrays, 0);
  expect_words (object_at (&f, A), a, 3);
  expect_words (object_at (&f, B), b_first, 3);
  free_file (&f);
}

/* A property that no class with fields can have makes arrays of all objects of the class. */
TEST (sizes_that_vary)
{
  static const struct {
    uint64_t bytes[2];
    uint32_t offsets[2]; /* of the references of the first object */
    bool has_offsets;
  } cases[] = {
    { { 40, 48 }, { 16, 24 }, true },                         /* two sizes */
    { { 12, 12 }, { 16, 24 }, true },                         /* less than a head */
    { { 44, 44 }, { 16, 24 }, true },                         /* not of 8 bytes each */
    { { 40, 40 }, { 8, 24 }, true },                          /* in the head */
    { { 40, 40 }, { 16, 28 }, true },                         /* between two fields */
    { { 40, 40 }, { 16, 40 }, true },                         /* after the end */
    { { 40, 40 }, { 24, 16 }, true },                         /* of a damaged log */
    { { 40, 40 }, { 16, 16 }, true },                         /* likewise */
    { { 24, 24 }, { 0, 0 }, false },                          /* without room for two references */
    { { 16 + 8 * 65536, 16 + 8 * 65536 }, { 16, 24 }, true }, /* more fields than there may be */
  };
  static const uint32_t first[] = { 0, 2, 2 }, targets[] = { 0, 1 };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct graph_arrays arrays = { .n_objects = 2,
                                         .addresses = addresses,
                                         .bytes = cases[i].bytes,
                                         .first = first,
                                         .targets = targets,
                                         .offsets = cases[i].has_offsets ? cases[i].offsets : NULL,
                                         .roots = &root,
                                         .n_roots = 1 };
    struct file f;
    write_and_read (&f, &arrays, 0);
    const struct object *a = object_at (&f, A), *b = object_at (&f, B);
    if (!a->is_array || !b->is_array || strcmp (a->class_name, "[LC (size varies);") != 0)
      fail_msg ("case %zu: %s", i, a->class_name);
    /* 24 bytes and its elements, of which it has one for each reference. */
    const uint64_t room = cases[i].bytes[0] < 24 ? 0 : (cases[i].bytes[0] - 24) / 8;
    assert_int_equal (a->n, MAX (room, 2));
    free_file (&f);
  }
}

/* Elements begin at 32; those that are none, or come twice, are at the first ones that are free. */
TEST (elements)
{
  static const uint64_t bytes[] = { 24 + 8 * 5, 16, 16, 16 };
  static const uint32_t classes[] = { 0, 1, 1, 1 }, first[] = { 0, 4, 4, 4, 4 };
  static const uint32_t targets[] = { 1, 1, 2, 3 };
  static const uint32_t whole[] = { 32, 40, 56, 64 }, damaged[] = { 32, 32, 32 + 8 * 9, 40 };
  static const char *const names[] = { "Shop.Item[]", "E" };
  struct graph_arrays arrays = { .n_objects = 4,
                                 .addresses = addresses,
                                 .bytes = bytes,
                                 .classes = classes,
                                 .first = first,
                                 .targets = targets,
                                 .offsets = whole,
                                 .class_names = names,
                                 .n_classes = 2,
                                 .roots = &root,
                                 .n_roots = 1 };
  static const uint64_t expected[] = { B, B, 0, C, D };
  struct file f;
  write_and_read (&f, &arrays, 0);
  assert_true (object_at (&f, A)->is_array);
  assert_string_equal (object_at (&f, A)->class_name, "[LShop/Item;");
  expect_words (object_at (&f, A), expected, 5);
  assert_int_equal (f.other_sizes, 0);
  free_file (&f);
  arrays.offsets = damaged;
  write_and_read (&f, &arrays, 0);
  const struct object *a = object_at (&f, A);
  assert_int_equal (a->n, 5);
  assert_int_equal (a->words[0], B);
  assert_int_equal (a->words[1], D);
  assert_true ((a->words[2] == B && a->words[3] == C) || (a->words[2] == C && a->words[3] == B));
  assert_int_equal (a->words[4], 0);
  free_file (&f);
}

/* An array that fills a segment is written around the others. */
TEST (large_array)
{
  enum { ELEMENTS = (1 << 20) / 8 + 1 };
  static const uint64_t bytes[] = { 16, 24 + 8 * ELEMENTS, 16 };
  static const uint32_t classes[] = { 0, 1, 0 }, first[] = { 0, 0, 2, 2 };
  static const uint32_t targets[] = { 0, 2 }, offsets[] = { 32, 48 };
  static const char *const names[] = { "E", "Shop.Item[]" };
  static const struct heap_root array_root = { .object = 1, .kind = "static" };
  const struct graph_arrays arrays = { .n_objects = 3,
                                       .addresses = addresses,
                                       .bytes = bytes,
                                       .classes = classes,
                                       .first = first,
                                       .targets = targets,
                                       .offsets = offsets,
                                       .class_names = names,
                                       .n_classes = 2,
                                       .roots = &array_root,
                                       .n_roots = 1 };
  struct file f;
  write_and_read (&f, &arrays, 0);
  const struct object *array = object_at (&f, B);
  assert_int_equal (array->n, ELEMENTS);
  assert_int_equal (array->words[0], A);
  assert_int_equal (array->words[1], 0);
  assert_int_equal (array->words[2], C);
  free_file (&f);
}

/* Above the limit, large objects are arrays of a power of two bytes, so that all fit into it; those
 * of 256 bytes stay. */
TEST (limit)
{
  static const uint64_t bytes[] = { 16, 200, 1 << 12, 1 << 20 };
  static const uint32_t classes[] = { 0, 1, 2, 3 }, first[] = { 0, 0, 0, 0, 0 };
  static const char *const names[] = { "E", "F", "G", "H" };
  const struct {
    uint64_t limit, cut, most;
  } cases[] = {
    { 0, 0, UINT64_MAX },    { 1 << 21, 0, UINT64_MAX }, { 1 << 17, 1, 1 << 16 },
    { 1 << 13, 2, 1 << 11 }, /* twice 4096, with the smaller ones, is more */
    { 1, 2, 256 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct graph_arrays arrays = { .n_objects = 4,
                                         .addresses = addresses,
                                         .bytes = bytes,
                                         .classes = classes,
                                         .first = first,
                                         .class_names = names,
                                         .n_classes = 4,
                                         .roots = &root,
                                         .n_roots = 1 };
    struct file f;
    write_and_read (&f, &arrays, cases[i].limit);
    if (f.cut != cases[i].cut || f.cut_bytes != cases[i].most)
      fail_msg ("case %zu: %" G_GUINT64_FORMAT " objects of %" G_GUINT64_FORMAT " bytes", i, f.cut,
                f.cut_bytes);
    for (size_t o = 0; o < 4; o++)
      if (bytes[o] > cases[i].most) {
        assert_true (object_at (&f, addresses[o])->is_array);
        assert_int_equal (object_at (&f, addresses[o])->n, (cases[i].most - 24) / 8);
      }
    free_file (&f);
  }
}

/* Roots but weak ones, and that of the two objects that readers need. */
TEST (roots)
{
  static const uint32_t first[] = { 0, 0 };
  static const struct heap_root roots[] = { { .object = 0, .kind = "gc-handle" },
                                            { .object = 0, .kind = "static" },
                                            { .object = 0, .kind = "stack" },
                                            { .object = 0, .kind = "gc-handle", .is_weak = true } };
  struct graph_arrays arrays = { .n_objects = 1,
                                 .addresses = addresses,
                                 .first = first,
                                 .roots = roots,
                                 .n_roots = G_N_ELEMENTS (roots) };
  struct file f;
  write_and_read (&f, &arrays, 0);
  assert_int_equal (f.roots, 3 + 1);
  free_file (&f);
  arrays.n_objects = arrays.n_roots = 0;
  write_and_read (&f, &arrays, 0);
  assert_int_equal (f.roots, 1);
  free_file (&f);
}
