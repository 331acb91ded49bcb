/* test-symbols.c -- which name an address has at which place of a log. */
#include "config.h"

#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

enum { A = 0x1000, B = 0x2000, C = 0x3000 };

static guint
announce (struct symbols *s, uint64_t address, const char *name)
{
  return symbols_announce (s, SYMBOL_CLASS, address, (struct mlpd_string){ name, strlen (name) });
}

static guint
use (struct symbols *s, uint64_t address)
{
  return symbols_use (s, SYMBOL_CLASS, address);
}

static void
expect_name (const struct symbols *s, enum symbol_kind kind, guint index, const char *expected)
{
  char *name = symbols_name (s, kind, index);
  assert_string_equal (name, expected);
  g_free (name);
}

TEST (test_announced_first)
{
  struct symbols s;
  symbols_init (&s);
  guint a = announce (&s, A, "First"), b = announce (&s, B, "Second");
  assert_int_not_equal (a, b);
  assert_int_equal (use (&s, B), b);
  assert_int_equal (use (&s, A), a);
  assert_int_equal (announce (&s, A, "First"), a); /* once more, the same */
  expect_name (&s, SYMBOL_CLASS, a, "First");
  expect_name (&s, SYMBOL_CLASS, b, "Second");
  symbols_clear (&s);
}

/* Uses before any announcement take the first that follows, not a later one. */
TEST (test_used_first)
{
  struct symbols s;
  symbols_init (&s);
  guint early = use (&s, A);
  assert_null (symbols_current_name (&s, SYMBOL_CLASS, A));
  assert_int_equal (use (&s, A), early);
  assert_int_equal (announce (&s, A, "First"), early);
  guint later = announce (&s, A, "Second");
  assert_int_not_equal (later, early);
  expect_name (&s, SYMBOL_CLASS, early, "First");
  expect_name (&s, SYMBOL_CLASS, later, "Second");
  symbols_clear (&s);
}

/* An address that gets another name is another symbol for later uses; so it is when it gets the
 * first name again. */
TEST (test_announced_again)
{
  struct symbols s;
  symbols_init (&s);
  guint first = announce (&s, A, "First");
  assert_int_equal (use (&s, A), first);
  guint second = announce (&s, A, "Second");
  assert_int_equal (use (&s, A), second);
  assert_string_equal (symbols_current_name (&s, SYMBOL_CLASS, A), "Second");
  guint third = announce (&s, A, "First");
  assert_int_equal (use (&s, A), third);
  assert_int_not_equal (second, first);
  assert_int_not_equal (third, second);
  expect_name (&s, SYMBOL_CLASS, first, "First");
  expect_name (&s, SYMBOL_CLASS, second, "Second");
  expect_name (&s, SYMBOL_CLASS, third, "First");
  symbols_clear (&s);
}

TEST (test_unresolved)
{
  struct symbols s;
  symbols_init (&s);
  expect_name (&s, SYMBOL_CLASS, use (&s, 0xfedcba9876543210),
               "unresolved class 0xfedcba9876543210");
  expect_name (&s, SYMBOL_METHOD, symbols_use (&s, SYMBOL_METHOD, A), "unresolved method 0x1000");
  expect_name (&s, SYMBOL_IMAGE, symbols_use (&s, SYMBOL_IMAGE, 0), "unresolved image 0x0");
  /* Kinds are distinguished, and addresses by all of their bits. */
  announce (&s, A, "Class");
  expect_name (&s, SYMBOL_METHOD, symbols_use (&s, SYMBOL_METHOD, A), "unresolved method 0x1000");
  expect_name (&s, SYMBOL_CLASS, use (&s, A + (UINT64_C (1) << 40)),
               "unresolved class 0x10000001000");
  symbols_clear (&s);
}

/* Many addresses, several of them for each place of those that are found fast. */
TEST (test_many)
{
  struct symbols s;
  symbols_init (&s);
  for (guint round = 0; round < 3; round++)
    for (guint i = 0; i < 10 * SYMBOLS_RECENT; i++)
      assert_int_equal (use (&s, (uint64_t) i * 8), i);
  guint other = announce (&s, 80, "Name");
  assert_int_equal (other, 10); /* the first name of the used address */
  other = announce (&s, 80, "Other");
  assert_int_equal (other, 10 * SYMBOLS_RECENT);
  assert_int_equal (use (&s, 80), other);
  assert_int_equal (use (&s, 88), 11);
  symbols_clear (&s);
}

/* In a log: thread 2 uses a class that thread 1 announces in a later buffer; A comes to be another
 * class. */
TEST (test_in_a_log)
{
  struct script log;
  struct summary s;
  script_begin (&log);
  script_buffer (&log, 2, 1000);
  script_alloc (&log, 1010, A, 0x8000, 16);
  script_enter (&log, 1020, B);
  script_leave (&log, 1021, B);
  script_buffer (&log, 1, 900);
  script_class (&log, 950, A, "Late");
  script_jit (&log, 960, B, 0x5000, 8, "Late:Method ()");
  script_buffer (&log, 2, 1100);
  script_alloc (&log, 1110, A, 0x8100, 16);
  script_alloc (&log, 1115, C, 0x8300, 16);
  script_class (&log, 1120, A, "Other");
  script_alloc (&log, 1130, A, 0x8200, 32);
  script_summarize (&log, &s);
  guint other = symbol_of (&s, SYMBOL_CLASS, A), never = symbol_of (&s, SYMBOL_CLASS, C);
  expect_name (&s.symbols, SYMBOL_CLASS, other, "Other");
  expect_name (&s.symbols, SYMBOL_CLASS, never, "unresolved class 0x3000");
  expect_name (&s.symbols, SYMBOL_METHOD, symbol_of (&s, SYMBOL_METHOD, B), "Late:Method ()");
  assert_int_equal (type_sums_get (&s.allocations.types, other)->objects, 1);
  assert_int_equal (type_sums_get (&s.allocations.types, never)->objects, 1);
  /* Symbols are numbered as they are seen: 0 is A as long as it was Late. */
  expect_name (&s.symbols, SYMBOL_CLASS, 0, "Late");
  assert_int_equal (type_sums_get (&s.allocations.types, 0)->objects, 2);
  summary_clear (&s);
}

static void
expect_class_of (struct symbols *s, guint vtable, const char *expected)
{
  expect_name (s, SYMBOL_CLASS, symbols_class_of_vtable (s, vtable), expected);
}

/* A vtable that was used takes the class that it is announced for later, be this named or not yet.
 * When the address gets another class, the one that was used before keeps its own. */
TEST (test_vtables)
{
  struct symbols s;
  symbols_init (&s);
  const guint early = symbols_use (&s, SYMBOL_VTABLE, C),
              never = symbols_use (&s, SYMBOL_VTABLE, 8);
  symbols_announce_vtable (&s, C, use (&s, A));
  assert_int_equal (symbols_use (&s, SYMBOL_VTABLE, C), early);
  announce (&s, A, "First");
  expect_class_of (&s, early, "First");
  symbols_announce_vtable (&s, C, announce (&s, A, "First"));
  assert_int_equal (symbols_use (&s, SYMBOL_VTABLE, C), early);
  symbols_announce_vtable (&s, C, announce (&s, B, "Second"));
  const guint later = symbols_use (&s, SYMBOL_VTABLE, C);
  assert_int_not_equal (later, early);
  expect_class_of (&s, early, "First");
  expect_class_of (&s, later, "Second");
  expect_class_of (&s, never, "unresolved class 0x8");
  symbols_clear (&s);
}

/* By name, then by address; those without a name last. */
TEST (test_order)
{
  struct symbols s;
  symbols_init (&s);
  const guint unnamed_b = use (&s, B), unnamed_a = use (&s, A);
  const guint z = announce (&s, 0x10, "Z"), late_b = announce (&s, 0x30, "B"),
              b = announce (&s, 0x20, "B");
  const guint expected[] = { b, late_b, z, unnamed_a, unnamed_b };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    for (guint j = 0; j < G_N_ELEMENTS (expected); j++) {
      const int order = symbols_compare (&s, SYMBOL_CLASS, expected[i], expected[j]);
      assert_int_equal ((order > 0) - (order < 0), (i > j) - (i < j));
    }
  symbols_clear (&s);
}
