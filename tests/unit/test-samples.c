/* test-samples.c -- hits by what their instruction pointer lies in. */
#include "decoder/analyses/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static struct samples samples;

static int
begin (void **state)
{
  (void) state;
  samples_init (&samples);
  return 0;
}

static int
end (void **state)
{
  (void) state;
  samples_clear (&samples);
  return 0;
}

/* A hit with these methods on the stack, innermost first. */
/* Hits in the thread of an id. */
static uint64_t
hits_of_thread (const struct samples *of, uint64_t id)
{
  const uint64_t *hits = g_hash_table_lookup (of->threads, &id);
  return hits != NULL ? *hits : 0;
}

static void
hit_in (uint64_t ip, uint64_t thread, const guint *methods, size_t n)
{
  static const struct mlpd_frame frames[8];
  const struct mlpd_sample_hit event
      = { .sample_type = MLPD_SAMPLE_TYPE_CYCLES, .ips = { &ip, 1 }, .frames = { frames, n } };
  samples_hit (&samples, &event, thread, methods);
}

static void
hit (uint64_t ip)
{
  hit_in (ip, 1, NULL, 0);
}

static void
symbol (uint64_t address, uint64_t size, const char *name)
{
  const struct mlpd_sample_symbol event
      = { .address = address, .size = size, .name = { name, strlen (name) } };
  samples_symbol (&samples, &event);
}

static void
expect (uint64_t hits, uint64_t managed, uint64_t unmanaged, uint64_t unresolved)
{
  assert_int_equal (samples.hits, hits);
  assert_int_equal (samples.managed, managed);
  assert_int_equal (samples.unmanaged, unmanaged);
  assert_int_equal (samples.unresolved, unresolved);
}

static uint64_t
hits_of_symbol (const char *name)
{
  uint64_t hits = 0;
  for (guint i = 0; i < samples.symbols->len; i++) {
    const struct sample_symbol *s = &g_array_index (samples.symbols, struct sample_symbol, i);
    if (strcmp (s->name, name) == 0)
      hits += s->hits;
  }
  return hits;
}

static struct sample_sum
sum_of_method (guint method)
{
  return g_array_index (samples.methods, struct sample_sum, method);
}

/* Method 3 has 0x1000..0x10ff, method 4 0x1100..0x110f; announced after the hits, out of order. */
static void
test_code (void **state)
{
  (void) state;
  hit (0xfff);
  hit (0x1000);
  hit (0x10ff);
  hit (0x10ff);
  hit (0x1100);
  hit (0x110f);
  hit (0x1110);
  samples_code (&samples, 4, 0x1100, 0x10);
  samples_code (&samples, 3, 0x1000, 0x100);
  samples_resolve (&samples);
  expect (7, 5, 2, 2);
  assert_int_equal (sum_of_method (3).hits, 3);
  assert_int_equal (sum_of_method (4).hits, 2);
}

/* Code that is used again belongs to the later method.  Sizes out of all reason and methods
 * without code have no range. */
static void
test_odd_code (void **state)
{
  (void) state;
  hit (0x1010);
  hit (0x5000);
  hit (0);
  samples_code (&samples, 3, 0x1000, 0x100);
  samples_code (&samples, 5, 0x1000, 0x20);
  samples_code (&samples, 6, 0x4000, UINT64_C (0xffffffff));
  samples_code (&samples, 6, 0, 0x10);
  samples_resolve (&samples);
  expect (3, 1, 2, 2);
  assert_int_equal (sum_of_method (5).hits, 1);
  assert_int_equal (sum_of_method (3).hits, 0);
}

/* A name holds for 4096 bytes, or to the next symbol, or as far as the symbol's size says. */
static void
test_symbols (void **state)
{
  (void) state;
  hit (0x10000);
  hit (0x10fff);
  hit (0x11000);
  hit (0x20000);
  hit (0x2000f);
  hit (0x20010);
  hit (0x31fff);
  hit (0x32000);
  hit (0xffff);
  symbol (0x20010, 0, "b");
  symbol (0x10000, 0, "a");
  symbol (0x20000, 0, "old");
  symbol (0x20000, 0, "new");
  symbol (0x30000, 0x2000, "large");
  samples_resolve (&samples);
  expect (9, 0, 9, 3);
  assert_int_equal (hits_of_symbol ("a"), 2);
  assert_int_equal (hits_of_symbol ("b"), 1);
  assert_int_equal (hits_of_symbol ("old"), 0);
  assert_int_equal (hits_of_symbol ("new"), 2);
  assert_int_equal (hits_of_symbol ("large"), 1);
}

/* Managed code comes before native symbols; a hit in the runtime is unmanaged whoever called. */
static void
test_managed_callers (void **state)
{
  (void) state;
  static const guint stack[] = { 3, 3, 4 }, other[] = { 4 };
  samples_code (&samples, 3, 0x1000, 0x100);
  symbol (0x1000, 0, "native");
  hit_in (0x1000, 1, stack, 3);
  hit_in (0x1200, 1, stack, 3);
  hit_in (0x9000, 2, other, 1);
  samples_resolve (&samples);
  expect (3, 1, 2, 1);
  assert_int_equal (hits_of_symbol ("native"), 1);
  assert_int_equal (sum_of_method (3).hits, 1);
  assert_int_equal (sum_of_method (3).total, 2);
  assert_int_equal (sum_of_method (4).hits, 0);
  assert_int_equal (sum_of_method (4).total, 3);
  assert_int_equal (hits_of_thread (&samples, 1), 2);
  assert_int_equal (hits_of_thread (&samples, 2), 1);
  assert_int_equal (hits_of_thread (&samples, 3), 0);
}

/* No instruction pointer at all is unresolved; types out of range count as unknown.  Looking up
 * again, when more was announced, begins anew. */
static void
test_again (void **state)
{
  (void) state;
  const struct mlpd_sample_hit nothing = { .sample_type = 99 };
  samples_hit (&samples, &nothing, 1, NULL);
  hit (0x1000);
  samples_resolve (&samples);
  expect (2, 0, 2, 2);
  samples_code (&samples, 3, 0x1000, 0x100);
  samples_resolve (&samples);
  samples_resolve (&samples);
  expect (2, 1, 1, 1);
  assert_int_equal (sum_of_method (3).hits, 1);
  assert_int_equal (samples.types[0], 1);
  assert_int_equal (samples.types[MLPD_SAMPLE_TYPE_CYCLES], 1);
}

#define TEST(test) cmocka_unit_test_setup_teardown (test, begin, end)

int
main (void)
{
  const struct CMUnitTest tests[] = {
    TEST (test_code),  TEST (test_odd_code), TEST (test_symbols), TEST (test_managed_callers),
    TEST (test_again),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
