/* test-report-runtime.c -- the report's sections about the runtime. */
#include "config.h"

#include "decoder/views/mlpd/report-parts.h"
#include "decoder/views/mlpd/report.h"
#include "tests/unit/summary-test.h"

#include <string.h>

#define MS UINT64_C (1000000)
#define STRING(text)                                                                               \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }

static void
begin (void)
{
  script_begin (&script);
  script_summarize (&script, &summary);
  summary.options.traces = true;
  summary.log.has_time = true;
  summary.log.first_time = 10 * MS;
}

static void
take (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  const struct analysis_event event = { .model = &summary.model,
                                        .thread = threads_get (&summary.threads, 7),
                                        .kind = kind,
                                        .payload = payload,
                                        .version = 17 };
  dispatch_event (&summary.dispatch, &event, false);
}

#define TAKE(KIND, id, ...) take (KIND, &(union mlpd_payload){ .id = { __VA_ARGS__ } })

static void
name_method (uint64_t method, const char *name)
{
  symbols_announce (&summary.symbols, SYMBOL_METHOD, method,
                    (struct mlpd_string){ name, strlen (name) });
}

/* These sections are all that the report has. */
static void
expect_sections (enum emitter_format format, const char *reports, struct view view,
                 const char *expected)
{
  summary_finish (&summary);
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (format, out);
  view.sections = sections_parse (report_sections, reports, NULL);
  sections_write (e, REPORT_SCHEMA, "a.mlpd", &summary, &view, report_sections);
  emitter_free (e);
  assert_string_equal (out->str, expected);
  g_string_free (out, TRUE);
  g_ptr_array_free (view.sections, TRUE);
}

/* Two hits in Main, one in native code under Main, one nowhere. */
TEST_WITH (test_samples, begin, summary_test_end)
{
  const uint64_t ips[] = { 0x9000, 0xf010, 0xf020, 0x1 };
  const struct mlpd_frame frame = { .method = 0x100 };
  TAKE (MLPD_METHOD_JIT, method_jit, .method = 0x100, .code = 0x9000, .size = 0x10,
        .name = STRING ("Main ()"));
  TAKE (MLPD_SAMPLE_SYMBOL, sample_symbol, .address = 0xf000, .name = STRING ("malloc"));
  TAKE (MLPD_SAMPLE_SYMBOL, sample_symbol, .address = 0xf020, .name = STRING ("malloc"));
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .thread = 7, .ips = { ips, 1 }, .frames = { &frame, 1 });
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .thread = 7, .ips = { ips, 1 }, .frames = { &frame, 1 });
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .thread = 7, .ips = { ips + 1, 1 }, .frames = { &frame, 1 });
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .thread = 7, .ips = { ips + 2, 1 });
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .thread = 8, .sample_type = MLPD_SAMPLE_TYPE_CYCLES,
        .ips = { ips + 3, 1 });
  expect_sections (EMITTER_TEXT, "samples", (struct view){ 0 },
                   "CPU\n"
                   "  Clock                all-threads\n"
                   "  Hits                 5\n"
                   "  In managed code      2\n"
                   "  In native code       3\n"
                   "  Without a name       1\n"
                   "  With a whole stack   0\n"
                   "  Hits  Of\n"
                   "     1  cycles\n"
                   "  Hits     %  ±     Total  Native  Method\n"
                   "     3  60.0  32.6      3       1  Main ()\n"
                   "     1  20.0  29.4      1       1  [unknown]\n"
                   "     1  20.0  29.4      1       1  malloc\n"
                   "  Hits     %  ±     Native function\n"
                   "     2  40.0  32.6  malloc\n"
                   "  Hits     %  ±     Thread\n"
                   "     4  80.0  29.4     0x7\n"
                   "     1  20.0  29.4     0x8\n");
  expect_sections (
      EMITTER_JSON, "sample", (struct view){ 0 },
      "{\n"
      "  \"schema\": \"proflog.report/1\",\n"
      "  \"cpu\": {\n"
      "    \"source\": \"samples\",\n"
      "    \"clock\": \"all-threads\",\n"
      "    \"total_ns\": 0,\n"
      "    \"recording_ns\": 0,\n"
      "    \"recording_hits\": 0,\n"
      "    \"interval_ns\": 0,\n"
      "    \"hits\": 5,\n"
      "    \"managed\": 2,\n"
      "    \"unmanaged\": 3,\n"
      "    \"unresolved\": 1,\n"
      "    \"unnamed\": 1,\n"
      "    \"whole_stacks\": 0,\n"
      "    \"types\": [\n"
      "      { \"hits\": 1, \"type\": \"cycles\" }\n"
      "    ],\n"
      "    \"methods\": [\n"
      "      { \"hits\": 3, \"hits_low\": 1, \"hits_high\": 5, \"total\": 3, \"total_low\": 1, "
      "\"total_high\": 5, \"native_hits\": 1, \"kind\": \"managed\", "
      "\"name\": \"Main ()\" },\n"
      "      { \"hits\": 1, \"hits_low\": 0, \"hits_high\": 4, \"total\": 1, \"total_low\": 0, "
      "\"total_high\": 4, \"native_hits\": 1, \"kind\": \"native\", "
      "\"name\": \"[unknown]\" },\n"
      "      { \"hits\": 1, \"hits_low\": 0, \"hits_high\": 4, \"total\": 1, \"total_low\": 0, "
      "\"total_high\": 4, \"native_hits\": 1, \"kind\": \"native\", "
      "\"name\": \"malloc\" }\n"
      "    ],\n"
      "    \"native\": [\n"
      "      { \"hits\": 2, \"hits_low\": 0, \"hits_high\": 4, \"name\": \"malloc\" }\n"
      "    ],\n"
      "    \"threads\": [\n"
      "      { \"hits\": 4, \"hits_low\": 1, \"hits_high\": 5, \"id\": \"0x7\", \"name\": null },\n"
      "      { \"hits\": 1, \"hits_low\": 0, \"hits_high\": 4, \"id\": \"0x8\", \"name\": null }\n"
      "    ]\n"
      "  }\n"
      "}\n");
}

/* Samples of processor time: the header states the interval. */
TEST_WITH (test_cpu, begin, summary_test_end)
{
  static const char arguments[] = "proflog:cpu-sample-interval=4000000,sample=1000";
  const uint64_t ip = 0x9000;
  const struct mlpd_frame frames[]
      = { { .method = 0x100 }, { .method = 0x200 }, { .method = 0x300 } };
  summary.log.header.arguments = (struct mlpd_string) STRING (arguments);
  name_method (0x100, "(wrapper managed-to-native) Native:Sort ()");
  name_method (0x200, "Main ()");
  name_method (0x300, "(wrapper runtime-invoke) object:invoke ()");
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .time = 11000000, .thread = 7, .ips = { &ip, 1 },
        .frames = { frames, 3 });
  TAKE (MLPD_SAMPLE_HIT, sample_hit, .time = 13000000, .thread = 7, .ips = { &ip, 1 },
        .frames = { frames + 1, 1 });
  expect_sections (
      EMITTER_TEXT, "cpu,tree", (struct view){ 0 },
      "CPU\n"
      "  Clock                cpu\n"
      "  Processor time       8.000 ms\n"
      "  Hits                 2\n"
      "  In managed code      0\n"
      "  In native code       2\n"
      "  Without a name       0\n"
      "  With a whole stack   1\n"
      "  Self ms     %  ±     Total ms  Hits  Native  Method\n"
      "    4.000  50.0  40.5     8.000     1       1  Main ()\n"
      "    4.000  50.0  40.5     4.000     1       1  Native:Sort () [native]\n"
      "    0.000   0.0  -        4.000     0       0  (wrapper runtime-invoke) object:invoke ()\n"
      "  Hits      %  ±     Thread\n"
      "     2  100.0  32.9     0x7\n"
      "\n"
      "Tree\n"
      "  Total ms     %  ±     Self ms  Hits  First ms  Last ms  Method\n"
      "     4.000  50.0  40.5    0.000     1     1.000    1.000  (wrapper runtime-invoke) "
      "object:invoke ()\n"
      "     4.000  50.0  40.5    0.000     1     1.000    1.000    Main ()\n"
      "     4.000  50.0  40.5    4.000     1     1.000    1.000    Native:Sort () [native]\n"
      "     4.000  50.0  40.5    4.000     1     3.000    3.000  Main ()\n");
  expect_sections (
      EMITTER_TEXT, "tree", (struct view){ .callees = "Main" },
      "Callees\n"
      "  Total ms      %  ±     Self ms  Hits  First ms  Last ms  Method\n"
      "     8.000  100.0  32.9    4.000     2     1.000    3.000  Main ()\n"
      "     4.000   50.0  40.5    4.000     1     1.000    1.000    Native:Sort () [native]\n");
}

static void
count (uint64_t time, uint64_t index, uint64_t type, uint64_t number, const char *text)
{
  const struct mlpd_counter_value value
      = { index, type, number, { text, text != NULL ? strlen (text) : 0 } };
  TAKE (MLPD_SAMPLE_COUNTERS, sample_counters, .time = time, .values = { &value, 1 });
}

/* User time 2.5 ms, then 0.1 less; a load of 0.5; a text; a counter of the runtime's insides. */
static void
write_counters (void)
{
  const struct mlpd_counter counters[] = {
    { MLPD_COUNTER_SECTION_SYSTEM,
      { NULL, 0 },
      STRING ("User Time"),
      MLPD_COUNTER_TYPE_LONG,
      MLPD_COUNTER_UNIT_TIME,
      MLPD_COUNTER_VARIANCE_MONOTONIC,
      1 },
    { MLPD_COUNTER_SECTION_SYSTEM,
      { NULL, 0 },
      STRING ("Load"),
      MLPD_COUNTER_TYPE_DOUBLE,
      MLPD_COUNTER_UNIT_PERCENT,
      MLPD_COUNTER_VARIANCE_VARIABLE,
      2 },
    { MLPD_COUNTER_SECTION_USER, STRING ("Shop"), STRING ("State"), MLPD_COUNTER_TYPE_STRING,
      MLPD_COUNTER_UNIT_RAW, MLPD_COUNTER_VARIANCE_CONSTANT, 3 },
    { MLPD_COUNTER_SECTION_GC,
      { NULL, 0 },
      STRING ("Depth"),
      MLPD_COUNTER_TYPE_INT,
      MLPD_COUNTER_UNIT_RAW,
      MLPD_COUNTER_VARIANCE_VARIABLE,
      4 },
    { MLPD_COUNTER_SECTION_JIT,
      { NULL, 0 },
      STRING ("Never"),
      MLPD_COUNTER_TYPE_INT,
      MLPD_COUNTER_UNIT_COUNT,
      MLPD_COUNTER_VARIANCE_VARIABLE,
      5 },
  };
  const double load = 0.5;
  uint64_t bits;
  memcpy (&bits, &load, sizeof bits);
  TAKE (MLPD_SAMPLE_COUNTERS_DESC, sample_counters_desc,
        .counters = { counters, G_N_ELEMENTS (counters) });
  count (11 * MS, 1, MLPD_COUNTER_TYPE_LONG, 25000, NULL);
  count (12 * MS, 2, MLPD_COUNTER_TYPE_DOUBLE, bits, NULL);
  count (12 * MS, 3, MLPD_COUNTER_TYPE_STRING, 0, "open");
  count (13 * MS, 4, MLPD_COUNTER_TYPE_INT, (uint64_t) -3, NULL);
  count (14 * MS, 1, MLPD_COUNTER_TYPE_LONG, (uint64_t) -1000, NULL);
}

TEST_WITH (test_counters, begin, summary_test_end)
{
  write_counters ();
  expect_sections (EMITTER_TEXT, "counters", (struct view){ 0 },
                   "Counters\n"
                   "Section      Counter       Last    Least     Most\n"
                   "Mono System  User Time  2.40 ms  2.40 ms  2.50 ms\n"
                   "Mono System  Load           0.5      0.5      0.5\n"
                   "Shop         State         open        -        -\n"
                   "... and 2 of the runtime's insides (--verbose shows all)\n");
  expect_sections (
      EMITTER_JSON, "counters", (struct view){ 0 },
      "{\n"
      "  \"schema\": \"proflog.report/1\",\n"
      "  \"counters\": [\n"
      "    { \"section\": \"Mono System\", \"name\": \"User Time\", \"unit\": \"100ns\", "
      "\"last\": 24000, \"min\": 24000, \"max\": 25000, \"type\": \"long\", "
      "\"variance\": \"monotonic\", \"index\": 1, \"updates\": 2 },\n"
      "    { \"section\": \"Mono System\", \"name\": \"Load\", \"unit\": \"percent\", "
      "\"last\": 0.5, \"min\": 0.5, \"max\": 0.5, \"type\": \"double\", "
      "\"variance\": \"variable\", \"index\": 2, \"updates\": 1 },\n"
      "    { \"section\": \"Shop\", \"name\": \"State\", \"unit\": \"raw\", "
      "\"last\": \"open\", \"min\": null, \"max\": null, \"type\": \"string\", "
      "\"variance\": \"constant\", \"index\": 3, \"updates\": 1 },\n"
      "    { \"section\": \"Mono GC\", \"name\": \"Depth\", \"unit\": \"raw\", "
      "\"last\": -3, \"min\": -3, \"max\": -3, \"type\": \"int\", "
      "\"variance\": \"variable\", \"index\": 4, \"updates\": 1 },\n"
      "    { \"section\": \"Mono JIT\", \"name\": \"Never\", \"unit\": \"count\", "
      "\"last\": null, \"min\": null, \"max\": null, \"type\": \"int\", "
      "\"variance\": \"variable\", \"index\": 5, \"updates\": 0 }\n"
      "  ]\n"
      "}\n");
}

/* By time; times count from 10 ms. */
TEST_WITH (test_counter_values, begin, summary_test_end)
{
  write_counters ();
  expect_sections (EMITTER_CSV, "counters", (struct view){ .verbose = true },
                   "table,section,name,unit,last,min,max,type,variance,index,updates\n"
                   "counters,Mono System,User Time,100ns,24000,24000,25000,long,monotonic,1,2\n"
                   "counters,Mono System,Load,percent,0.5,0.5,0.5,double,variable,2,1\n"
                   "counters,Shop,State,raw,open,,,string,constant,3,1\n"
                   "counters,Mono GC,Depth,raw,-3,-3,-3,int,variable,4,1\n"
                   "counters,Mono JIT,Never,count,,,,int,variable,5,0\n"
                   "\n"
                   "table,time_ns,section,name,value\n"
                   "counter_values,1000000,Mono System,User Time,25000\n"
                   "counter_values,2000000,Mono System,Load,0.5\n"
                   "counter_values,2000000,Shop,State,open\n"
                   "counter_values,3000000,Mono GC,Depth,-3\n"
                   "counter_values,4000000,Mono System,User Time,24000\n");
}

/* 1026 values: the points of the updates 0, 4, 8 ... 1024, and the last one. */
TEST_WITH (test_long_series, begin, summary_test_end)
{
  for (uint64_t i = 0; i < 1026; i++)
    count (i, 9, MLPD_COUNTER_TYPE_INT, 1, NULL);
  summary_finish (&summary);
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (EMITTER_CSV, out);
  const struct view view = { .verbose = true };
  section_counters.put (&(struct report){ .e = e, .log_name = "a", .s = &summary, .view = &view });
  emitter_free (e);
  guint lines = 0;
  for (const char *p = out->str; (p = strstr (p, "counter_values,")) != NULL; p++)
    lines++;
  assert_int_equal (lines, 1024 / 4 + 1 + 1);
  assert_non_null (strstr (out->str, ",1025\n"));
  assert_non_null (strstr (out->str, ",1026\n"));
  g_string_free (out, TRUE);
}

static void
write_gc (void)
{
  const uint64_t methods[] = { 0x100, 0x200, 0x300 };
  const struct mlpd_root root = { .address = 0x1000 };
  name_method (0x100, "Main ()");
  name_method (0x200, "Work ()");
  name_method (0x300, "Alloc ()");
  for (int i = 0; i < 3; i++)
    TAKE (MLPD_GC_HANDLE_CREATED, gc_handle_created, .handle_type = MLPD_HANDLE_TYPE_PINNED,
          .backtrace = { methods, i == 0 ? 2 : 3 });
  TAKE (MLPD_GC_HANDLE_DESTROYED, gc_handle_destroyed, .handle_type = MLPD_HANDLE_TYPE_PINNED,
        .backtrace = { methods, 1 });
  TAKE (MLPD_GC_FINALIZE_START, gc_finalize_start, .time = 20 * MS);
  TAKE (MLPD_GC_FINALIZE_OBJECT_START, gc_finalize_object_start, .time = 21 * MS);
  TAKE (MLPD_GC_FINALIZE_OBJECT_END, gc_finalize_object_end, .time = 23 * MS);
  TAKE (MLPD_GC_FINALIZE_END, gc_finalize_end, .time = 25 * MS);
  TAKE (MLPD_HEAP_ROOT_REGISTER, heap_root_register, .start = 0x1000, .size = 8,
        .source = MLPD_ROOT_SOURCE_STATIC);
  TAKE (MLPD_HEAP_ROOT, heap_root, .roots = { &root, 1, 0 });
}

TEST_WITH (test_gc, begin, summary_test_end)
{
  write_gc ();
  expect_sections (EMITTER_TEXT, "gc",
                   (struct view){ .traces = true, .max_frames = 2, .verbose = true },
                   "GC\n"
                   "  Heap resizes         0\n"
                   "  Max heap bytes       0\n"
                   "  Object moves         0\n"
                   "  Created  Destroyed  Max  Handles\n"
                   "        0          0    0  weak\n"
                   "        0          0    0  weak-track-resurrection\n"
                   "        0          0    0  normal\n"
                   "        3          1    3  pinned\n"
                   "    Created\n"
                   "          2\n"
                   "      Work ()\n"
                   "      Alloc ()\n"
                   "          1\n"
                   "      Main ()\n"
                   "      Work ()\n"
                   "    Destroyed\n"
                   "            1\n"
                   "      Main ()\n"
                   "\n"
                   "  Finalizers\n"
                   "    Phases             1\n"
                   "    Total              5.000 ms\n"
                   "    Longest            5.000 ms\n"
                   "    Objects            1\n"
                   "    Objects, total     2.000 ms\n"
                   "    Objects, longest   2.000 ms\n"
                   "    Phases  Phases ms  Finalized  Finalized ms  Max ms  Finalizers of\n"
                   "         1      5.000          1         2.000   2.000            0x7\n"
                   "  Registered  Unregistered  Bytes  Max bytes  Roots\n"
                   "           1             0      8          8  static\n");
}

TEST_WITH (test_gc_json, begin, summary_test_end)
{
  write_gc ();
  expect_sections (
      EMITTER_JSON, "gc", (struct view){ 0 },
      "{\n"
      "  \"schema\": \"proflog.report/1\",\n"
      "  \"gc\": {\n"
      "    \"resizes\": 0,\n"
      "    \"max_heap_bytes\": 0,\n"
      "    \"moves\": 0,\n"
      "    \"ignored_events\": 0,\n"
      "    \"collections\": 0,\n"
      "    \"pause_total_ns\": 0,\n"
      "    \"pause_p50_ns\": 0,\n"
      "    \"pause_p90_ns\": 0,\n"
      "    \"pause_p99_ns\": 0,\n"
      "    \"pause_max_ns\": 0,\n"
      "    \"utilisation_permille\": 1000,\n"
      "    \"generations\": [],\n"
      "    \"generation_pauses\": [],\n"
      "    \"utilisation\": [],\n"
      "    \"pause_phases\": [],\n"
      "    \"pause_histogram\": [],\n"
      "    \"heap_sizes\": [],\n"
      "    \"handles\": [\n"
      "      { \"created\": 0, \"destroyed\": 0, \"max\": 0, \"kind\": \"weak\" },\n"
      "      { \"created\": 0, \"destroyed\": 0, \"max\": 0, \"kind\": "
      "\"weak-track-resurrection\" },\n"
      "      { \"created\": 0, \"destroyed\": 0, \"max\": 0, \"kind\": \"normal\" },\n"
      "      { \"created\": 3, \"destroyed\": 1, \"max\": 3, \"kind\": \"pinned\" }\n"
      "    ],\n"
      "    \"finalizers\": {\n"
      "      \"phases\": 1,\n"
      "      \"total_ns\": 5000000,\n"
      "      \"max_ns\": 5000000,\n"
      "      \"objects\": 1,\n"
      "      \"objects_total_ns\": 2000000,\n"
      "      \"objects_max_ns\": 2000000,\n"
      "      \"threads\": [\n"
      "        { \"phases\": 1, \"total_ns\": 5000000, \"objects\": 1, "
      "\"objects_total_ns\": 2000000, \"objects_max_ns\": 2000000, \"id\": \"0x7\" }\n"
      "      ]\n"
      "    },\n"
      "    \"roots\": [\n"
      "      { \"registered\": 1, \"unregistered\": 0, \"bytes\": 8, \"max_bytes\": 8, "
      "\"source\": \"static\" }\n"
      "    ]\n"
      "  }\n"
      "}\n");
}

TEST_WITH (test_loads, begin, summary_test_end)
{
  enum { LOAD = MLPD_LOAD_END_LOAD };
  TAKE (MLPD_RUNTIME_JIT_HELPER, runtime_jit_helper, .helper_type = 7, .size = 40);
  TAKE (MLPD_RUNTIME_JIT_HELPER, runtime_jit_helper, .helper_type = 77, .size = 2);
  TAKE (MLPD_METADATA_IMAGE, metadata_image, .action = LOAD, .image = 0x10,
        .name = STRING ("a.dll"), .mvid = STRING ("guid"));
  TAKE (MLPD_METADATA_ASSEMBLY, metadata_assembly, .action = LOAD, .assembly = 0x20, .image = 0x10,
        .name = STRING ("a, Version=1"));
  TAKE (MLPD_METADATA_DOMAIN, metadata_domain, .action = LOAD, .time = 9 * MS, .domain = 1);
  TAKE (MLPD_METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_NAME, .domain = 1,
        .name = STRING ("root"));
  TAKE (MLPD_METADATA_CONTEXT, metadata_context, .action = LOAD, .time = 11 * MS, .context = 2,
        .domain = 1);
  TAKE (MLPD_METADATA_CONTEXT, metadata_context, .action = MLPD_LOAD_END_UNLOAD, .time = 12 * MS,
        .context = 2, .domain = 1);
  TAKE (MLPD_COVERAGE_ASSEMBLY, coverage_assembly, .methods = 3, .full = 2);
  expect_sections (EMITTER_TEXT, "jit,metadata,domain,context", (struct view){ 0 },
                   "JIT\n"
                   "  Compiled methods     0\n"
                   "  Code bytes           0\n"
                   "  Helpers              2\n"
                   "  Helper bytes         42\n"
                   "  Helpers  Bytes  Of\n"
                   "        1     40  monitor\n"
                   "        1      2  unknown\n"
                   "\n"
                   "Metadata\n"
                   "  Images               1\n"
                   "  Assemblies           1\n"
                   "  Classes              0\n"
                   "  Domains              1\n"
                   "  Contexts             1\n"
                   "  Image\n"
                   "  a.dll\n"
                   "  Assembly\n"
                   "  a, Version=1\n"
                   "\n"
                   "  Coverage\n"
                   "    Assemblies         1\n"
                   "    Classes            0\n"
                   "    Methods            3\n"
                   "    Covered methods    2\n"
                   "    In part            0\n"
                   "    Statements         0\n"
                   "    Covered statements 0\n"
                   "\n"
                   "Domains\n"
                   "Domain  Loaded ms  Unloaded ms  Name\n"
                   "   0x1     -1.000            -  root\n"
                   "\n"
                   "Contexts\n"
                   "Context  Domain  Created ms  Freed ms\n"
                   "    0x2     0x1       1.000     2.000\n");
  expect_sections (
      EMITTER_JSON, "domains,contexts", (struct view){ 0 },
      "{\n"
      "  \"schema\": \"proflog.report/1\",\n"
      "  \"domains\": [\n"
      "    { \"id\": \"0x1\", \"load_ns\": -1000000, \"unload_ns\": null, \"name\": \"root\" "
      "}\n"
      "  ],\n"
      "  \"contexts\": [\n"
      "    { \"id\": \"0x2\", \"domain\": \"0x1\", \"load_ns\": 1000000, "
      "\"unload_ns\": 2000000 }\n"
      "  ]\n"
      "}\n");
}

/* Roots of a snapshot by source; in older logs by kind: 2 was a handle then. */
TEST_WITH (test_shot_roots, begin, summary_test_end)
{
  static const char *const expected[]
      = { "roots,source\n2,static\n1,stack\n", "roots,source\n1,handle\n" };
  struct root_sums sums[2] = { { .count = 3 }, { .count = 1 } };
  sums[0].sources[MLPD_ROOT_SOURCE_STATIC] = 2;
  sums[0].sources[MLPD_ROOT_SOURCE_STACK] = 1;
  sums[1].numbers[2] = 1;
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++) {
    const struct view view = { .verbose = true };
    GString *out = g_string_new (NULL);
    struct emitter *e = emitter_new (EMITTER_CSV, out);
    summary.log.header.data_version = i == 0 ? 17 : 5;
    section_put_shot_roots (
        &(struct report){ .e = e, .log_name = "a", .s = &summary, .view = &view }, &sums[i]);
    emitter_free (e);
    assert_string_equal (out->str, expected[i]);
    g_string_free (out, TRUE);
  }
}

/* A section that few logs have is missed only where it is requested. */
TEST_WITH (test_nothing, begin, summary_test_end)
{
  expect_sections (EMITTER_TEXT, "samples,counters,domains,contexts", (struct view){ 0 },
                   "\n"
                   "Nothing in the log of: Samples, Counters, Domains, Contexts\n");
}
