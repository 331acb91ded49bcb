/* test-roots.c -- registered memory, and the roots of heap snapshots by their memory. */
#include "config.h"

#include "decoder/mlpd/analyses/roots.h"
#include "tests/unit/test.h"

enum {
  STACK = MLPD_ROOT_SOURCE_STACK,
  STATIC = MLPD_ROOT_SOURCE_STATIC,
  UNKNOWN = ROOT_SOURCES - 1,
};

static struct roots roots;

static void
begin (void)
{
  roots_init (&roots);
}

static void
end (void)
{
  roots_clear (&roots);
}

static void
reg (uint64_t start, uint64_t size, uint64_t source)
{
  const struct mlpd_heap_root_register event
      = { .start = start, .size = size, .source = (uint8_t) source };
  roots_register (&roots, &event);
}

static void
unreg (uint64_t start)
{
  const struct mlpd_heap_root_unregister event = { .start = start };
  roots_unregister (&roots, &event);
}

static void
root_at (uint64_t address)
{
  const struct mlpd_root root = { .address = address, .object = 0x8000 };
  const struct mlpd_heap_root event = { .roots = { .items = &root, .count = 1 } };
  roots_add (&roots, &event, 17);
}

static void
root_of_type (uint64_t type, uint64_t collections, unsigned version)
{
  const struct mlpd_root root = { .type = type, .object = 0x8000 };
  const struct mlpd_heap_root event
      = { .roots = { .items = &root, .count = 1, .collections = collections } };
  roots_add (&roots, &event, version);
}

static void
expect_source (const struct root_source *source, uint64_t registered, uint64_t unregistered,
               uint64_t bytes, uint64_t max_bytes)
{
  assert_int_equal (source->registered, registered);
  assert_int_equal (source->unregistered, unregistered);
  assert_int_equal (source->bytes, bytes);
  assert_int_equal (source->max_bytes, max_bytes);
}

/* Static: 100, 300, 200, 250.  All: 100, 300, 310, 210, 260. */
TEST_WITH (test_registered, begin, end)
{
  reg (0x1000, 100, STATIC);
  reg (0x2000, 200, STATIC);
  reg (0x3000, 10, STACK);
  unreg (0x1000);
  unreg (0x1000);
  unreg (0x1234);
  reg (0x4000, 50, STATIC);
  reg (0x5000, 0, 200);
  expect_source (&roots.sources[STATIC], 3, 1, 250, 300);
  expect_source (&roots.sources[STACK], 1, 0, 10, 10);
  expect_source (&roots.sources[UNKNOWN], 1, 0, 0, 0);
  expect_source (&roots.all, 5, 1, 260, 310);
}

/* Memory that is registered again without having been unregistered. */
TEST_WITH (test_registered_again, begin, end)
{
  reg (0x1000, 100, STATIC);
  reg (0x1000, 40, STACK);
  expect_source (&roots.sources[STATIC], 1, 1, 0, 100);
  expect_source (&roots.sources[STACK], 1, 0, 40, 40);
  expect_source (&roots.all, 2, 1, 40, 100);
}

/* Roots before a snapshot are of another collection. */
TEST_WITH (test_addresses, begin, end)
{
  reg (0x1000, 0x100, STATIC);
  reg (0x1100, 0x10, STACK);
  root_at (0x1000);
  roots_shot_starts (&roots, 17);
  root_at (0x1000);
  root_at (0x10ff);
  root_at (0x1100);
  root_at (0x1110);
  root_at (0xfff);
  unreg (0x1000);
  root_at (0x1000);
  struct root_sums sums = roots_shot_ends (&roots);
  assert_int_equal (sums.count, 6);
  assert_int_equal (sums.sources[STATIC], 2);
  assert_int_equal (sums.sources[STACK], 1);
  assert_int_equal (sums.sources[UNKNOWN], 3);
  roots_shot_starts (&roots, 17);
  sums = roots_shot_ends (&roots);
  assert_int_equal (sums.count, 0);
}

/* Up to data version 13 the roots come before the snapshot; those of collection 1 had none. */
TEST_WITH (test_collections, begin, end)
{
  root_of_type (MLPD_ROOT_FLAG_PINNING, 1, 12);
  root_of_type (MLPD_ROOT_FLAG_PINNING, 2, 12);
  root_of_type (MLPD_ROOT_FLAG_PINNING | MLPD_ROOT_FLAG_INTERIOR | 2, 2, 12);
  root_of_type (MLPD_ROOT_FLAG_WEAK | 2, 2, 12);
  roots_shot_starts (&roots, 12);
  const struct root_sums sums = roots_shot_ends (&roots);
  assert_int_equal (sums.count, 3);
  assert_int_equal (sums.pinning, 2);
  assert_int_equal (sums.interior, 1);
  assert_int_equal (sums.weak, 1);
  uint64_t kinds[ROOT_KINDS];
  root_kinds_of (&sums, 12, kinds);
  assert_int_equal (kinds[ROOT_STACK], 1);
  assert_int_equal (kinds[ROOT_HANDLE], 2);
}

static void
expect_kinds (const uint64_t *types, size_t n, unsigned version, const uint64_t *expected)
{
  roots_shot_starts (&roots, 14);
  for (size_t i = 0; i < n; i++)
    root_of_type (types[i], 1, version);
  const struct root_sums sums = roots_shot_ends (&roots);
  uint64_t kinds[ROOT_KINDS];
  root_kinds_of (&sums, version, kinds);
  for (guint i = 0; i < ROOT_KINDS; i++)
    assert_int_equal (kinds[i], expected[i]);
}

/* stack, finalizer, handle, other, misc, unknown */
TEST_WITH (test_numberings, begin, end)
{
  static const uint64_t both[] = { 1, 2, 4, 4 };
  expect_kinds (both, 4, 13, (uint64_t[]){ 0, 1, 1, 0, 2, 0 });
  expect_kinds (both, 4, 14, (uint64_t[]){ 1, 1, 2, 0, 0, 0 });
  static const uint64_t numbers[] = { 0, 1, 2, 3, 4, 77 };
  expect_kinds (numbers, 6, 14, (uint64_t[]){ 1, 1, 1, 1, 1, 1 });
  static const uint64_t bits[] = { 1, 1, 2, 4, 8, 16, 255 };
  expect_kinds (bits, 7, 5, (uint64_t[]){ 2, 1, 1, 1, 1, 1 });
  assert_string_equal (root_kind_name (ROOT_MISC), "misc");
}

/* Roots of one event: each belongs to the same memory as by itself, also where memory lies in
 * other. */
TEST_WITH (test_event, begin, end)
{
  static const struct mlpd_root found[]
      = { { .address = 0x1000 }, { .address = 0x103f }, { .address = 0x1048 },
          { .address = 0x1010 }, { .address = 0x2000 }, { .address = 0x1048 },
          { .address = 0xfff } };
  const struct mlpd_heap_root event
      = { .roots = { .items = found, .count = G_N_ELEMENTS (found) } };
  reg (0x1000, 0x100, STATIC);
  reg (0x1040, 0x10, STACK);
  roots_shot_starts (&roots, 17);
  roots_add (&roots, &event, 17);
  const struct root_sums sums = roots_shot_ends (&roots);
  assert_int_equal (sums.count, G_N_ELEMENTS (found));
  assert_int_equal (sums.sources[STATIC], 3);
  assert_int_equal (sums.sources[STACK], 2);
  assert_int_equal (sums.sources[UNKNOWN], 2);
}

/* One root: 3 is a number and 8 is a bit; 2 may be either, and the data version states. */
TEST_WITH (test_one, begin, end)
{
  static const struct {
    uint64_t type;
    unsigned version;
    enum root_kind kind;
  } cases[] = {
    { 0, 12, ROOT_STACK },  { 3, 14, ROOT_OTHER },     { 8, 12, ROOT_OTHER },
    { 2, 12, ROOT_HANDLE }, { 2, 14, ROOT_FINALIZER }, { 0x102, 12, ROOT_HANDLE },
    { 16, 14, ROOT_MISC },  { 9, 14, ROOT_UNKNOWN },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const struct mlpd_root root = { .type = cases[i].type };
    assert_int_equal (root_kind_of (&root, cases[i].version), cases[i].kind);
  }
  reg (0x1000, 0x100, STATIC);
  assert_int_equal (roots_source (&roots, 0x10ff), STATIC);
  assert_int_equal (roots_source (&roots, 0x1100), UNKNOWN);
}

/* Of a part of a log only memory that is registered and unregistered there counts, whatever is
 * known of the rest. */
TEST_WITH (test_part, begin, end)
{
  const struct mlpd_heap_root_register other = { .start = 0x100, .size = 32, .source = STACK };
  roots_name (&roots, &other);
  reg (0x200, 16, STACK);
  roots_forget (&roots, 0x200);
  assert_int_equal (roots_source (&roots, 0x200), UNKNOWN);
  assert_int_equal (roots_source (&roots, 0x110), STACK);
  unreg (0x100);
  expect_source (&roots.sources[STACK], 1, 0, 16, 16);
  unreg (0x200);
  expect_source (&roots.sources[STACK], 1, 1, 0, 16);
  assert_int_equal (roots_source (&roots, 0x110), UNKNOWN);
}
