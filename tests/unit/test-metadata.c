/* test-metadata.c -- loads and compiled methods are counted once. */
#include "config.h"

#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/mlpd/analyses/metadata.h"
#include "tests/unit/summary-test.h"

static void
load (uint64_t action, uint64_t klass, uint64_t image, uint64_t assembly, uint64_t domain)
{
  const struct mlpd_string name = { "x", 1 };
  const union mlpd_payload c
      = { .metadata_class = { .action = action, .time = 1000, .klass = klass, .name = name } };
  const union mlpd_payload i
      = { .metadata_image = { .action = action, .time = 1000, .image = image, .name = name } };
  const union mlpd_payload a
      = { .metadata_assembly
          = { .action = action, .time = 1000, .assembly = assembly, .name = name } };
  const union mlpd_payload d
      = { .metadata_domain = { .action = action, .time = 1000, .domain = domain, .name = name } };
  script_event (&script, MLPD_METADATA_CLASS, &c);
  script_event (&script, MLPD_METADATA_IMAGE, &i);
  script_event (&script, MLPD_METADATA_ASSEMBLY, &a);
  script_event (&script, MLPD_METADATA_DOMAIN, &d);
}

static void
expect_loaded (guint classes, guint images, guint assemblies, guint domains, uint64_t load_errors)
{
  assert_int_equal (g_hash_table_size (STATE (metadata)->classes), classes);
  assert_int_equal (lifetimes_loaded (&STATE (loaded)->images), images);
  assert_int_equal (lifetimes_loaded (&STATE (loaded)->assemblies), assemblies);
  assert_int_equal (lifetimes_loaded (&STATE (loaded)->domains), domains);
  assert_int_equal (STATE (metadata)->load_errors + loaded_errors (STATE (loaded)), load_errors);
}

/* Three classes of two images; the third class and the second image come twice. */
SUMMARY_TEST (test_distinct)
{
  load (MLPD_LOAD_END_LOAD, 0x100, 0x1000, 0x5000, 1);
  load (MLPD_LOAD_END_LOAD, 0x200, 0x2000, 0x5000, 1);
  load (MLPD_LOAD_END_LOAD, 0x300, 0x2000, 0x5000, 2);
  load (MLPD_LOAD_END_LOAD, 0x300, 0x2000, 0x6000, 3);
  script_summarize (&script, &summary);
  expect_loaded (3, 2, 2, 3, 0);
}

/* A repeated announcement gives its name to uses, and is neither a load nor a compilation.  The
 * same may be loaded for the first time after that. */
SUMMARY_TEST (test_announced_again)
{
  script_buffer (&script, 9, 1000);
  script.encoder.obj_base = UINT64_C (0x6e69616761);
  load (MLPD_LOAD_END_LOAD, 0x100, 0x1000, 0x5000, 1);
  load (MLPD_LOAD_END_LOAD, 0x200, 0x2000, 0x5000, 1);
  script_jit (&script, 1000, 0x77, 0x4000, 10, "before");
  script_buffer (&script, 1, 1010);
  script_enter (&script, 1010, 0x77);
  load (MLPD_LOAD_END_LOAD, 0x200, 0x3000, 0x6000, 2);
  script_jit (&script, 1020, 0x88, 0x5000, 20, "now");
  script_summarize (&script, &summary);
  expect_loaded (1, 1, 1, 1, 0);
  assert_int_equal (STATE (metadata)->methods, 1);
  assert_int_equal (STATE (metadata)->code_bytes, 20);
  assert_string_equal (symbols_current_name (&summary.symbols, SYMBOL_METHOD, 0x77), "before");
  assert_string_equal (symbols_current_name (&summary.symbols, SYMBOL_IMAGE, 0x1000), "x");
}

/* The start of a load, unloads, names and failures are no loads. */
SUMMARY_TEST (test_other_actions)
{
  load (MLPD_LOAD_START_LOAD, 0x100, 0x1000, 0x5000, 1);
  load (MLPD_LOAD_START_UNLOAD, 0x100, 0x1000, 0x5000, 1);
  load (MLPD_LOAD_END_UNLOAD, 0x100, 0x1000, 0x5000, 1);
  load (MLPD_LOAD_NAME, 0x100, 0x1000, 0x5000, 1);
  load (MLPD_LOAD_END_LOAD_ERROR, 0x100, 0x1000, 0x5000, 1);
  script_summarize (&script, &summary);
  expect_loaded (0, 0, 0, 0, 4);
}

/* A class that is announced again right before each throw was loaded once. */
SUMMARY_TEST (test_type_marks)
{
  script_class (&script, 1000, 0x100, "Oops");
  for (uint64_t time = 1010; time < 1020; time++) {
    script_class (&script, time, 0x100, "Oops");
    script_throw (&script, time, 0x8000);
  }
  script_summarize (&script, &summary);
  expect_loaded (1, 0, 0, 0, 0);
}

/* Code 0 only names.  The same code known of twice is there once; a method with two codes is
 * compiled twice. */
SUMMARY_TEST (test_jit)
{
  script_jit (&script, 1000, 0x100, 0, 0, "named");
  script_jit (&script, 1001, 0x200, 0x9000, 50, "compiled");
  script_jit (&script, 1002, 0x300, 0x9100, 70, "again and again");
  script_jit (&script, 1003, 0x300, 0x9100, 70, "again and again");
  script_jit (&script, 1004, 0x300, 0x9200, 7, "again and again");
  script_summarize (&script, &summary);
  assert_int_equal (STATE (metadata)->methods, 3);
  assert_int_equal (STATE (metadata)->code_bytes, 50 + 70 + 7);
}

static uint64_t
code_of (unsigned version)
{
  const uint64_t method = 0x55b7c9dd5360;
  const struct mlpd_method_jit all[] = {
    { .code = 0x40be7000, .size = 50 },
    { .code = 0x7fc7aff82af0, .size = 9326 },
    { .code = 0x40be8000, .size = UINT32_MAX },
    { .code = 0x400000008, .size = 50331664 },
    /* from here on only a stock log states that these are none */
    { .code = 0xffffffff00000000, .size = 20 },
    { .code = 0x7463656a62600000, .size = 30 },
    { .code = 0x8, .size = 40 },
    { .code = 0x55b7c9dd5808, .size = 60 }, /* in the page of a method */
    { .code = 0x40be706e, .size = 0x55b7 }, /* half of a pointer */
  };
  struct metadata m;
  struct symbols symbols;
  metadata_init (&m);
  symbols_init (&symbols);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++) {
    struct mlpd_method_jit event = all[i];
    event.method = method + 0x10 * i;
    symbols_use (&symbols, SYMBOL_METHOD, event.method);
    metadata_jit (&m, &event);
  }
  metadata_finish (&m, &symbols, version);
  assert_int_equal (m.methods, G_N_ELEMENTS (all));
  const uint64_t bytes = m.code_bytes;
  metadata_clear (&m);
  symbols_clear (&symbols);
  return bytes;
}

/* The stock profiler's data of code of a domain that was unloaded are freed memory: in place of
 * code there are pointers to data, parts of them, or numbers that are no pointers; in place of
 * sizes the upper halves of pointers.  Writers of version 1 know what they write. */
TEST (test_stale_sizes)
{
  assert_int_equal (code_of (17), 50 + 9326);
  assert_int_equal (code_of (8), 50 + 9326);
  assert_int_equal (code_of (1), 50 + 9326 + 20 + 30 + 40 + 60 + 0x55b7);
}
