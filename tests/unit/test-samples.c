/* test-samples.c -- hits by the code of their instruction pointers. */
#include "config.h"

#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/model/recording.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"
#include <string.h>

static struct samples samples;
static struct symbols symbols;

static void
begin (void)
{
  samples_init (&samples);
  symbols_init (&symbols);
}

static void
end (void)
{
  samples_clear (&samples);
  symbols_clear (&symbols);
}

/* A hit with these methods on the stack, innermost first. */
static void
hit_in (uint64_t ip, uint64_t thread, const guint *methods, size_t n)
{
  static const struct mlpd_frame frames[8];
  const struct mlpd_sample_hit event
      = { .sample_type = MLPD_SAMPLE_TYPE_CYCLES, .ips = { &ip, 1 }, .frames = { frames, n } };
  samples_hit (&samples, &event, 1, thread, methods, (struct sample_time){ 0 });
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
expect_samples (uint64_t hits, uint64_t managed, uint64_t unmanaged, uint64_t unresolved)
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
TEST_WITH (test_code, begin, end)
{
  hit (0xfff);
  hit (0x1000);
  hit (0x10ff);
  hit (0x10ff);
  hit (0x1100);
  hit (0x110f);
  hit (0x1110);
  samples_code (&samples, 4, 0x1100, 0x10);
  samples_code (&samples, 3, 0x1000, 0x100);
  samples_resolve (&samples, &symbols);
  expect_samples (7, 5, 2, 2);
  assert_int_equal (sum_of_method (3).hits, 3);
  assert_int_equal (sum_of_method (4).hits, 2);
}

/* Code that is used again belongs to the later method.  Sizes out of all reason and methods
 * without code have no range. */
TEST_WITH (test_odd_code, begin, end)
{
  hit (0x1010);
  hit (0x5000);
  hit (0);
  samples_code (&samples, 3, 0x1000, 0x100);
  samples_code (&samples, 5, 0x1000, 0x20);
  samples_code (&samples, 6, 0x4000, UINT64_C (0xffffffff));
  samples_code (&samples, 6, 0, 0x10);
  samples_resolve (&samples, &symbols);
  expect_samples (3, 1, 2, 2);
  assert_int_equal (sum_of_method (5).hits, 1);
  assert_int_equal (sum_of_method (3).hits, 0);
}

/* A name holds for 4096 bytes, or to the next symbol, or as far as the symbol's size states. */
TEST_WITH (test_symbols, begin, end)
{
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
  samples_resolve (&samples, &symbols);
  expect_samples (9, 0, 9, 3);
  assert_int_equal (hits_of_symbol ("a"), 2);
  assert_int_equal (hits_of_symbol ("b"), 1);
  assert_int_equal (hits_of_symbol ("old"), 0);
  assert_int_equal (hits_of_symbol ("new"), 2);
  assert_int_equal (hits_of_symbol ("large"), 1);
}

/* Managed code comes before native symbols; a hit in native code is unmanaged, and charged to the
 * method that called it. */
TEST_WITH (test_managed_callers, begin, end)
{
  static const guint stack[] = { 3, 3, 4 }, other[] = { 4 };
  samples_code (&samples, 3, 0x1000, 0x100);
  symbol (0x1000, 0, "native");
  hit_in (0x1000, 1, stack, 3);
  hit_in (0x1200, 1, stack, 3);
  hit_in (0x9000, 2, other, 1);
  samples_resolve (&samples, &symbols);
  expect_samples (3, 1, 2, 1);
  assert_int_equal (hits_of_symbol ("native"), 1);
  assert_int_equal (sum_of_method (3).hits, 2);
  assert_int_equal (sum_of_method (3).native_hits, 1);
  assert_int_equal (sum_of_method (3).total, 2);
  assert_int_equal (sum_of_method (4).hits, 1);
  assert_int_equal (sum_of_method (4).native_hits, 1);
  assert_int_equal (sum_of_method (4).total, 3);
  assert_int_equal (sum_of_method (4).outermost, 3);
  assert_int_equal (samples.unnamed, 0);
  assert_int_equal (hits_of_thread (&samples, 1), 2);
  assert_int_equal (hits_of_thread (&samples, 2), 1);
  assert_int_equal (hits_of_thread (&samples, 3), 0);
}

/* No instruction pointer at all is unresolved; types out of range count as unknown.  Looking up
 * again, when more was announced, begins anew. */
TEST_WITH (test_again, begin, end)
{
  const struct mlpd_sample_hit nothing = { .sample_type = 99 };
  samples_hit (&samples, &nothing, 1, 1, NULL, (struct sample_time){ 0 });
  hit (0x1000);
  samples_resolve (&samples, &symbols);
  expect_samples (2, 0, 2, 2);
  samples_code (&samples, 3, 0x1000, 0x100);
  samples_resolve (&samples, &symbols);
  samples_resolve (&samples, &symbols);
  expect_samples (2, 1, 1, 1);
  assert_int_equal (sum_of_method (3).hits, 1);
  assert_int_equal (samples.types[0], 1);
  assert_int_equal (samples.types[MLPD_SAMPLE_TYPE_CYCLES], 1);
}

static void
hit_for (uint64_t cpu_ns, uint64_t wait_ns, uint64_t ip, const guint *methods, size_t n)
{
  static const struct mlpd_frame frames[8];
  const struct mlpd_sample_hit event = { .ips = { &ip, 1 }, .frames = { frames, n } };
  samples_hit (&samples, &event, 1, 1, methods,
               (struct sample_time){ .cpu_ns = cpu_ns, .wait_ns = wait_ns });
}

/* Processor time is charged to methods, the rest is of waits; hits of methods are those of threads
 * that ran for half of their interval. */
TEST_WITH (test_usage, begin, end)
{
  const guint stack[] = { 3, 4 };
  samples_code (&samples, 3, 0x1000, 0x100);
  hit_for (70, 30, 0x1000, stack, 2);
  hit_for (50, 50, 0x1000, stack, 2);
  hit_for (1, 99, 0x1000, stack, 2);
  hit_for (2, 98, 0x2000, stack + 1, 1);
  hit_for (3, 97, 0x3000, NULL, 0);
  samples_resolve (&samples, &symbols);
  expect_samples (5, 3, 2, 2);
  assert_int_equal (samples.running, 2);
  assert_int_equal (samples.cpu_ns, 126);
  assert_int_equal (samples.wait_ns, 374);
  assert_int_equal (sum_of_method (3).hits, 2);
  assert_int_equal (sum_of_method (3).self_ns, 121);
  assert_int_equal (sum_of_method (4).hits, 0);
  assert_int_equal (sum_of_method (4).total, 2);
  assert_int_equal (sum_of_method (4).self_ns, 2);
  assert_int_equal (sum_of_method (4).total_ns, 123);
  assert_int_equal (samples.unnamed_ns, 3);
  assert_int_equal (hits_of_thread (&samples, 1), 2);
  assert_int_equal (g_hash_table_size (samples.waits), 3);
  assert_int_equal (samples_ns_per_hit (&samples), 63);
  /* The root, 4 and 3. */
  assert_int_equal (samples.tree.nodes->len, 3);
  assert_int_equal (g_array_index (samples.tree.nodes, struct call_node, 1).calls, 2);
  assert_int_equal (g_array_index (samples.wait_tree.nodes, struct call_node, 1).calls, 4);
}

#define RAISES "(wrapper managed-to-native) object:__icall_wrapper_mono_profiler_raise_"

static void
name_method (uint64_t address, const char *name)
{
  symbols_announce (&symbols, SYMBOL_METHOD, address, (struct mlpd_string){ name, strlen (name) });
}

/* Methods 1 to 4 of the symbols: one that calls, two wrappers, one that allocates. */
static void
name_methods (void)
{
  name_method (0x10, "unused");
  name_method (0x11, "Caller:Main ()");
  name_method (0x12, RAISES "gc_allocation (object)");
  name_method (0x13, RAISES "method_enter (intptr)");
  name_method (0x14, "(wrapper alloc) object:ProfilerAllocSmall (intptr,intptr)");
}

static uint64_t
hits_in_tree (guint parent, guint method)
{
  const guint node = call_tree_find (&samples.tree, parent, method);
  return node == CALL_TREE_ROOT ? 0
                                : g_array_index (samples.tree.nodes, struct call_node, node).calls;
}

/* Hits in the recording are one frame below the method that caused the event, by the wrapper on the
 * stack or by the native function, and in nothing else of the program. */
TEST_WITH (test_recording, begin, end)
{
  const guint allocates[] = { 2, 4, 1 }, enters[] = { 3, 1 }, runs[] = { 1 };
  name_methods ();
  samples_code (&samples, 2, 0x1000, 0x100);
  samples_code (&samples, 1, 0x2000, 0x100);
  symbol (0x5000, 0x100, "memcpy");
  symbol (0x6000, 0x100, "libmono-profiler-proflog.so:method_enter");
  symbol (0x7000, 0x100, "mono_profiler_raise_gc_resize");
  hit_for (10, 0, 0x1000, allocates, 3); /* in the wrapper's code, in native code */
  hit_for (10, 0, 0x5000, allocates, 3);
  hit_for (10, 0, 0x6010, enters, 2);
  hit_for (10, 0, 0x6010, runs, 1); /* no wrapper is on the stack */
  hit_for (10, 0, 0x7010, NULL, 0); /* nothing is */
  hit_for (10, 0, 0x2000, runs, 1); /* the program's own */
  hit_for (10, 0, 0x5000, runs, 1);
  samples_resolve (&samples, &symbols);
  expect_samples (7, 2, 5, 0);
  assert_int_equal (samples.recording_hits, 5);
  assert_int_equal (samples.recording_ns, 50);
  assert_int_equal (samples_own_hits (&samples), 2);
  assert_int_equal (samples_own_ns (&samples), 20);
  const guint recording = symbols.all[SYMBOL_METHOD]->len - 1;
  assert_string_equal (g_array_index (symbols.all[SYMBOL_METHOD], struct symbol, recording).name,
                       RECORDING_NAME);
  assert_int_equal (sum_of_method (recording).hits, 5);
  assert_int_equal (sum_of_method (recording).self_ns, 50);
  assert_int_equal (sum_of_method (1).hits, 2);
  assert_int_equal (sum_of_method (1).total, 2);
  assert_int_equal (sum_of_method (1).total_ns, 20);
  assert_int_equal (sum_of_method (2).hits + sum_of_method (2).total, 0);
  assert_int_equal (sum_of_method (3).hits + sum_of_method (3).total, 0);
  assert_int_equal (sum_of_method (4).hits + sum_of_method (4).total_ns, 0);
  /* Of those that other readers count, nothing changes. */
  assert_int_equal (sum_of_method (2).recording_hits, 1);
  assert_int_equal (hits_of_symbol ("memcpy"), 2);
  assert_int_equal (hits_of_symbol ("libmono-profiler-proflog.so:method_enter"), 2);
  /* Two different wrappers and the native function below one method are one node. */
  const guint main = call_tree_find (&samples.tree, CALL_TREE_ROOT, 1);
  const guint alloc = call_tree_find (&samples.tree, main, 4);
  assert_int_equal (hits_in_tree (CALL_TREE_ROOT, recording), 1);
  assert_int_equal (hits_in_tree (CALL_TREE_ROOT, 1), 6);
  assert_int_equal (hits_in_tree (main, recording), 2);
  assert_int_equal (hits_in_tree (alloc, recording), 2);
  assert_int_equal (samples.tree.nodes->len, 6);
}

/* The names may come after the hits; waits of the recording are no time of the program either. */
TEST_WITH (test_recording_waits, begin, end)
{
  const guint allocates[] = { 2, 4, 1 };
  hit_for (3, 97, 0x5000, allocates, 3);
  hit_for (100, 0, 0x2000, &allocates[2], 1);
  name_methods ();
  samples_resolve (&samples, &symbols);
  assert_int_equal (samples.recording_hits, 0);
  assert_int_equal (samples.recording_ns, 3);
  assert_int_equal (sum_of_method (1).total_ns, 100);
}
