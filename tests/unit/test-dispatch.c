/* test-dispatch.c -- each event is dispatched to the analyses that it concerns. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/analyses/coverage.h"
#include "decoder/mlpd/analyses/finalizers.h"
#include "decoder/mlpd/analyses/handles.h"
#include "decoder/mlpd/analyses/helpers.h"
#include "decoder/mlpd/analyses/loaded.h"
#include "decoder/mlpd/analyses/roots.h"
#include "decoder/mlpd/analyses/samples.h"
#include "tests/unit/summary-test.h"
#include <string.h>

static void
begin (void)
{
  summary_init (&summary, &(const struct scan_options){ .traces = true });
  summary.log.first_time = 1000;
}

static void
take (unsigned version, enum mlpd_kind kind, const union mlpd_payload *payload)
{
  const struct analysis_event event = { .model = &summary.model,
                                        .thread = threads_get (&summary.threads, 7),
                                        .kind = kind,
                                        .payload = payload,
                                        .version = version };
  dispatch_event (&summary.dispatch, &event, false);
}

#define TAKE(KIND, id, ...) take (17, KIND, &(union mlpd_payload){ .id = { __VA_ARGS__ } })
#define STRING(text)                                                                               \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }

/* Method 0x100 has code at 0x9000; a hit there with its frame, one elsewhere. */
TEST_WITH (test_samples, begin, summary_test_end)
{
  const uint64_t ips[] = { 0x9004, 0xf008 };
  const struct mlpd_frame frame = { .method = 0x100 };
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .thread = 5, .ips = { ips, 1 }, .frames = { &frame, 1 });
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .thread = 5, .ips = { ips + 1, 1 });
  TAKE (MLPD_METHOD_JIT, method_jit, .method = 0x100, .code = 0x9000, .size = 0x10,
        .name = STRING ("M ()"));
  TAKE (MLPD_SAMPLE_SYMBOL, sample_symbol, .address = 0xf000, .name = STRING ("native"));
  summary_finish (&summary);
  assert_int_equal (STATE (samples)->managed, 1);
  assert_int_equal (STATE (samples)->unmanaged, 1);
  assert_int_equal (STATE (samples)->unresolved, 0);
  assert_int_equal (hits_of_thread (STATE (samples), threads_get (&summary.threads, 5)->number), 2);
  const guint method = symbols_use (&summary.symbols, SYMBOL_METHOD, 0x100);
  assert_int_equal (g_array_index (STATE (samples)->methods, struct sample_sum, method).hits, 1);
  assert_int_equal (g_array_index (STATE (samples)->methods, struct sample_sum, method).total, 1);
}

/* Without a thread of its own, a hit is in the buffer's. */
TEST_WITH (test_old_samples, begin, summary_test_end)
{
  const union mlpd_payload hit = { .sample_hit = { .sample_type = 1 } };
  take (10, MLPD_SAMPLE_HIT, &hit);
  assert_int_equal (hits_of_thread (STATE (samples), threads_get (&summary.threads, 7)->number), 1);
}

/* Old values have a time in ms since the start. */
TEST_WITH (test_counters, begin, summary_test_end)
{
  const struct mlpd_counter counter = { .name = STRING ("c"), .index = 1 };
  const struct mlpd_counter_value value = { .index = 1, .number = 42 };
  const union mlpd_payload values
      = { .sample_counters = { .time = 5000, .timestamp_ms = 3, .values = { &value, 1 } } };
  TAKE (MLPD_SAMPLE_COUNTERS_DESC, sample_counters_desc, .counters = { &counter, 1 });
  take (17, MLPD_SAMPLE_COUNTERS, &values);
  take (12, MLPD_SAMPLE_COUNTERS, &values);
  const struct counter *c = g_ptr_array_index (STATE (counters)->all, 0);
  assert_int_equal (c->updates, 2);
  assert_int_equal (g_array_index (c->points, struct counter_point, 0).time, 5000);
  assert_int_equal (c->last.time, 1000 + 3000000);
}

/* The backtrace of the second handle is the same as that of the first. */
TEST_WITH (test_handles, begin, summary_test_end)
{
  const uint64_t methods[] = { 0x100, 0x200, 0x100 };
  TAKE (MLPD_GC_HANDLE_CREATED, gc_handle_created, .handle_type = 2, .backtrace = { methods, 3 });
  TAKE (MLPD_GC_HANDLE_CREATED, gc_handle_created, .handle_type = 2, .backtrace = { methods, 3 });
  TAKE (MLPD_GC_HANDLE_DESTROYED, gc_handle_destroyed, .handle_type = 2);
  assert_int_equal (STATE (handles)->kinds[2].created, 2);
  assert_int_equal (STATE (handles)->kinds[2].destroyed, 1);
  assert_int_equal (STATE (handles)->created_at.all->len, 1);
  assert_false (STATE (handles)->destroyed_at.has_traces);
  guint n;
  const guint *frames = traces_frames (&summary.traces, 0, &n);
  assert_int_equal (n, 3);
  assert_int_equal (frames[0], symbols_use (&summary.symbols, SYMBOL_METHOD, 0x100));
  assert_int_equal (frames[1], symbols_use (&summary.symbols, SYMBOL_METHOD, 0x200));
  assert_int_equal (frames[2], frames[0]);
}

TEST_WITH (test_finalizers, begin, summary_test_end)
{
  TAKE (MLPD_GC_FINALIZE_START, gc_finalize_start, .time = 1000);
  TAKE (MLPD_GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .time = 1010);
  TAKE (MLPD_GC_FINALIZE_OBJECT_END, gc_finalize_object_end, .time = 1030);
  TAKE (MLPD_GC_FINALIZE_END, gc_finalize_end, .time = 1100);
  assert_int_equal (STATE (finalizers)->all.phases.total_ns, 100);
  assert_int_equal (STATE (finalizers)->all.objects.total_ns, 20);
  assert_int_equal (((struct finalizer_sum *) STATE (finalizers)->threads->pdata[0])->thread, 7);
}

TEST_WITH (test_roots, begin, summary_test_end)
{
  const struct mlpd_root root = { .address = 0x1008 };
  TAKE (MLPD_HEAP_ROOT_REGISTER, heap_root_register, .start = 0x1000, .size = 16, .source = 3);
  TAKE (MLPD_HEAP_ROOT, heap_root, .roots = { &root, 1, 0 });
  TAKE (MLPD_HEAP_START, heap_start, .time = 1);
  TAKE (MLPD_HEAP_ROOT, heap_root, .roots = { &root, 1, 0 });
  assert_int_equal (STATE (roots)->sources[3].bytes, 16);
  TAKE (MLPD_HEAP_ROOT_UNREGISTER, heap_root_unregister, .start = 0x1000);
  assert_int_equal (STATE (roots)->sources[3].bytes, 0);
  const struct root_sums sums = roots_shot_ends (STATE (roots));
  assert_int_equal (sums.count, 1);
  assert_int_equal (sums.sources[3], 1);
}

static const struct lifetime *
first (const struct lifetimes *lifetimes)
{
  assert_int_equal (lifetimes->all->len, 1);
  return g_ptr_array_index (lifetimes->all, 0);
}

TEST_WITH (test_loads, begin, summary_test_end)
{
  enum { LOAD = MLPD_LOAD_END_LOAD };
  TAKE (MLPD_METADATA_IMAGE, metadata_image, .action = LOAD, .time = 1, .image = 0x10,
        .name = STRING ("a.dll"), .mvid = STRING ("guid"));
  TAKE (MLPD_METADATA_ASSEMBLY, metadata_assembly, .action = LOAD, .time = 2, .assembly = 0x20,
        .image = 0x10, .name = STRING ("a"));
  TAKE (MLPD_METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_NAME, .time = 3, .domain = 1,
        .name = STRING ("root"));
  TAKE (MLPD_METADATA_CONTEXT, metadata_context, .action = LOAD, .time = 4, .context = 2,
        .domain = 1);
  assert_string_equal (first (&STATE (loaded)->images)->name, "a.dll");
  assert_string_equal (first (&STATE (loaded)->images)->mvid, "guid");
  assert_int_equal (first (&STATE (loaded)->assemblies)->owner, 0x10);
  assert_string_equal (first (&STATE (loaded)->assemblies)->name, "a");
  assert_string_equal (first (&STATE (loaded)->domains)->name, "root");
  assert_int_equal (first (&STATE (loaded)->contexts)->owner, 1);
  assert_int_equal (first (&STATE (loaded)->contexts)->load_time, 4);
}

TEST_WITH (test_others, begin, summary_test_end)
{
  TAKE (MLPD_RUNTIME_JIT_HELPER, runtime_jit_helper, .helper_type = 6, .size = 10);
  TAKE (MLPD_COVERAGE_ASSEMBLY, coverage_assembly, .methods = 3);
  TAKE (MLPD_COVERAGE_CLASS, coverage_class, .methods = 3);
  TAKE (MLPD_COVERAGE_METHOD, coverage_method, .statements = 3);
  TAKE (MLPD_COVERAGE_STATEMENT, coverage_statement, .count = 3);
  assert_int_equal (STATE (helpers)->all.bytes, 10);
  assert_int_equal (STATE (coverage)->all_methods, 3);
  assert_int_equal (STATE (coverage)->classes, 1);
  assert_int_equal (STATE (coverage)->methods, 1);
  assert_int_equal (STATE (coverage)->covered_statements, 1);
}
