/* test-shot-references.c -- references between the objects of a snapshot, by type. */
#include "config.h"

#include "decoder/mlpd/scan/scan-bulk.h"
#include "decoder/mlpd/analyses/shot-references.h"
#include "tests/unit/test.h"

enum { ITEM = 1, LIST, OTHER, TYPES };

static const guint types[TYPES] = { 0, ITEM, LIST, OTHER };
static struct scan_heap scanned;
static struct symbols symbols;

static void
begin (void)
{
  symbols_init (&symbols);
  scanned = (struct scan_heap){ .objects = 0 };
}

static void
end (void)
{
  symbols_clear (&symbols);
  g_free (scanned.object_types.items);
  g_free (scanned.reference_types.items);
}

static void
add (struct scan_references *references, uint64_t object, guint type)
{
  *scan_add_references (references, 1) = (struct scan_reference){ .object = object, .type = type };
}

static void
take (struct shot_references *r, const GArray *roots)
{
  shot_references_add (r, &scanned, types);
  shot_references_end (r, roots);
  shot_references_resolve (r, &symbols);
  scanned.object_types.n = scanned.reference_types.n = 0;
}

static void
expect_reference (const struct shot_references *r, guint to, guint place, guint from,
                  uint64_t count)
{
  guint n;
  const struct class_reference *first = shot_references_to (r, to, &n);
  assert_true (place < n);
  assert_int_equal (first[place].to, to);
  assert_int_equal (first[place].from, from);
  assert_int_equal (first[place].count, count);
}

static void
expect_number (const struct shot_references *r, guint to, guint expected)
{
  guint n;
  shot_references_to (r, to, &n);
  assert_int_equal (n, expected);
}

/* References may come before their object, and to nothing; the most first. */
TEST_WITH (test_few, begin, end)
{
  struct shot_objects *spare = NULL;
  struct shot_references r;
  const struct mlpd_root pinned = { .object = 0x200, .type = MLPD_ROOT_FLAG_PINNING };
  const struct mlpd_root plain = { .object = 0x200 }, lost = { .object = 0x300 };
  GArray *roots = g_array_new (FALSE, FALSE, sizeof (struct mlpd_root));
  g_array_append_val (roots, pinned);
  g_array_append_val (roots, plain);
  g_array_append_val (roots, lost);
  shot_references_init (&r, &spare);
  add (&scanned.reference_types, 0x100, LIST);
  add (&scanned.reference_types, 0x100, OTHER);
  add (&scanned.reference_types, 0x108, OTHER);
  add (&scanned.reference_types, 0x200, LIST);
  add (&scanned.reference_types, 0x300, LIST);
  add (&scanned.object_types, 0x100, ITEM);
  add (&scanned.object_types, 0x108, ITEM);
  add (&scanned.object_types, 0x200, LIST);
  take (&r, roots);
  expect_number (&r, ITEM, 2);
  expect_reference (&r, ITEM, 0, OTHER, 2);
  expect_reference (&r, ITEM, 1, LIST, 1);
  expect_number (&r, LIST, 1);
  expect_reference (&r, LIST, 0, LIST, 1);
  expect_number (&r, OTHER, 0);
  assert_int_equal (shot_references_roots (&r, LIST).count, 2);
  assert_int_equal (shot_references_roots (&r, LIST).pinning, 1);
  assert_int_equal (shot_references_roots (&r, ITEM).count, 0);
  shot_references_clear (&r);
  shot_objects_free (spare);
  g_array_unref (roots);
}

/* More than one thread counts, in more than one large page, and another snapshot in the same memory
 * knows nothing of it.  Two of three references are to items, and every fifth is from another. */
TEST_WITH (test_many, begin, end)
{
  enum { OBJECTS = 150000, REFERENCES = 300000 };
  struct shot_objects *spare = NULL;
  struct shot_references r;
  for (int shot = 0; shot < 2; shot++) {
    shot_references_init (&r, &spare);
    for (guint i = 0; i < OBJECTS; i++)
      add (&scanned.object_types, 0x10000 + 16 * (uint64_t) i, i % 3 == 0 ? LIST : ITEM);
    for (guint i = 0; i < REFERENCES; i++)
      add (&scanned.reference_types, 0x10000 + 16 * (uint64_t) (i % OBJECTS),
           i % 5 == 0 ? OTHER : LIST);
    take (&r, NULL);
    expect_reference (&r, ITEM, 0, LIST, REFERENCES / 3 * 2 / 5 * 4);
    expect_reference (&r, ITEM, 1, OTHER, REFERENCES / 3 * 2 / 5);
    expect_reference (&r, LIST, 0, LIST, REFERENCES / 3 / 5 * 4);
    expect_reference (&r, LIST, 1, OTHER, REFERENCES / 3 / 5);
    shot_references_clear (&r);
  }
  shot_references_init (&r, &spare);
  add (&scanned.object_types, 0x8, OTHER);
  add (&scanned.reference_types, 0x8, LIST);
  add (&scanned.reference_types, 0x10000, LIST);
  take (&r, NULL);
  expect_reference (&r, OTHER, 0, LIST, 1);
  expect_number (&r, LIST, 0);
  expect_number (&r, ITEM, 0);
  shot_references_clear (&r);
  shot_objects_free (spare);
}
