/* test-report.c -- the report of hand-made logs, whole. */
#include "config.h"

#include "decoder/views/mlpd/report.h"
#include "tests/unit/log-script.h"
#include "tests/unit/test.h"

#include <string.h>

enum {
  NODE = 0x1000,
  LEAF = 0x2000,
  OOPS = 0x3000,
  LOCK_TYPE = 0x4000,
  MAIN = 0x5000,
  WORK = 0x5100,
  OBJECT = 0x80000,
  LOCK = 0x90000,
  MS = 1000000,
};

/* Those whose text is here: another has a test of its own. */
static const struct section *const known_sections[] = { &section_findings,
                                                        &section_cpu,
                                                        &section_waits,
                                                        &section_log,
                                                        &section_damage,
                                                        &section_jit,
                                                        &section_gc,
                                                        &section_allocations,
                                                        &section_calls,
                                                        &section_metadata,
                                                        &section_exceptions,
                                                        &section_monitors,
                                                        &section_threads,
                                                        &section_heapshots,
                                                        &section_marks,
                                                        &section_domains,
                                                        &section_contexts,
                                                        &section_counters,
                                                        NULL };

static char *
report_with (struct script *log, enum emitter_format format, const struct view *view)
{
  const struct scan_options options = { .traces = view->traces };
  struct summary s;
  script_summarize_with (log, &s, &options);
  GString *out = g_string_new (NULL);
  struct emitter *e = emitter_new (format, out);
  sections_write (e, REPORT_SCHEMA, "a.mlpd", &s, view, known_sections);
  emitter_free (e);
  summary_clear (&s);
  return g_string_free (out, FALSE);
}

static char *
report (struct script *log, enum emitter_format format, guint limit)
{
  return report_with (log, format, &(struct view){ .limit = limit });
}

static void
expect_report (struct script *log, enum emitter_format format, guint limit, const char *expected)
{
  char *text = report (log, format, limit);
  assert_string_equal (text, expected);
  g_free (text);
}

/* Every key is there, whatever the log holds.  32 bytes of header, 48 of the end mark. */
TEST (test_empty_json)
{
  struct script log;
  script_begin (&log);
  expect_report (&log, EMITTER_JSON, 0,
                 "{\n"
                 "  \"schema\": \"proflog.report/1\",\n"
                 "  \"findings\": [],\n"
                 "  \"cpu\": {\n"
                 "    \"source\": null,\n"
                 "    \"clock\": null,\n"
                 "    \"total_ns\": 0,\n"
                 "    \"recording_ns\": 0,\n"
                 "    \"recording_hits\": 0,\n"
                 "    \"interval_ns\": 0,\n"
                 "    \"hits\": 0,\n"
                 "    \"managed\": 0,\n"
                 "    \"unmanaged\": 0,\n"
                 "    \"unresolved\": 0,\n"
                 "    \"unnamed\": 0,\n"
                 "    \"whole_stacks\": 0,\n"
                 "    \"types\": [],\n"
                 "    \"methods\": [],\n"
                 "    \"native\": [],\n"
                 "    \"threads\": []\n"
                 "  },\n"
                 "  \"wait_kinds\": [],\n"
                 "  \"wait_methods\": [],\n"
                 "  \"wait_owners\": [],\n"
                 "  \"waits\": [],\n"
                 "  \"idle_threads\": [],\n"
                 "  \"log\": {\n"
                 "    \"name\": \"a.mlpd\",\n"
                 "    \"profiler_version\": \"0.4\",\n"
                 "    \"data_version\": 1,\n"
                 "    \"object_unit\": 8,\n"
                 "    \"pid\": 4711,\n"
                 "    \"pointer_size\": 8,\n"
                 "    \"start_time\": 1278000000000,\n"
                 "    \"start_time_text\": \"2010-07-01 16:00:00 UTC\",\n"
                 "    \"arguments\": null,\n"
                 "    \"architecture\": \"x86-64\",\n"
                 "    \"operating_system\": \"linux\",\n"
                 "    \"timer_overhead_ns\": 25,\n"
                 "    \"duration_ns\": 0,\n"
                 "    \"bytes\": 80,\n"
                 "    \"blocks\": 1,\n"
                 "    \"events\": 0\n"
                 "  },\n"
                 "  \"damage\": {\n"
                 "    \"truncated\": false,\n"
                 "    \"missing_bytes\": 0,\n"
                 "    \"skipped_bytes\": 0,\n"
                 "    \"skipped_blocks\": 0,\n"
                 "    \"lost_events\": 0,\n"
                 "    \"messages\": []\n"
                 "  },\n"
                 "  \"jit\": {\n"
                 "    \"methods\": 0,\n"
                 "    \"code_bytes\": 0,\n"
                 "    \"helpers\": 0,\n"
                 "    \"helper_bytes\": 0,\n"
                 "    \"helper_types\": []\n"
                 "  },\n"
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
                 "    \"utilisation_permille\": null,\n"
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
                 "      { \"created\": 0, \"destroyed\": 0, \"max\": 0, \"kind\": \"pinned\" }\n"
                 "    ],\n"
                 "    \"finalizers\": {\n"
                 "      \"phases\": 0,\n"
                 "      \"total_ns\": 0,\n"
                 "      \"max_ns\": 0,\n"
                 "      \"objects\": 0,\n"
                 "      \"objects_total_ns\": 0,\n"
                 "      \"objects_max_ns\": 0,\n"
                 "      \"threads\": []\n"
                 "    },\n"
                 "    \"roots\": []\n"
                 "  },\n"
                 "  \"allocations\": {\n"
                 "    \"objects\": 0,\n"
                 "    \"bytes\": 0,\n"
                 "    \"bytes_per_second\": null,\n"
                 "    \"types\": []\n"
                 "  },\n"
                 "  \"calls\": {\n"
                 "    \"total\": 0,\n"
                 "    \"unmatched_leaves\": 0,\n"
                 "    \"methods\": []\n"
                 "  },\n"
                 "  \"metadata\": {\n"
                 "    \"images\": 0,\n"
                 "    \"assemblies\": 0,\n"
                 "    \"classes\": 0,\n"
                 "    \"domains\": 0,\n"
                 "    \"contexts\": 0,\n"
                 "    \"load_errors\": 0,\n"
                 "    \"image_files\": [],\n"
                 "    \"assembly_names\": [],\n"
                 "    \"coverage\": {\n"
                 "      \"assemblies\": 0,\n"
                 "      \"classes\": 0,\n"
                 "      \"methods\": 0,\n"
                 "      \"full_methods\": 0,\n"
                 "      \"partial_methods\": 0,\n"
                 "      \"detailed_methods\": 0,\n"
                 "      \"statements\": 0,\n"
                 "      \"covered_statements\": 0\n"
                 "    }\n"
                 "  },\n"
                 "  \"exceptions\": {\n"
                 "    \"throws\": 0,\n"
                 "    \"throws_per_second\": null,\n"
                 "    \"types\": [],\n"
                 "    \"clauses\": []\n"
                 "  },\n"
                 "  \"monitors\": {\n"
                 "    \"contentions\": 0,\n"
                 "    \"acquired\": 0,\n"
                 "    \"failed\": 0,\n"
                 "    \"wait_total_ns\": 0,\n"
                 "    \"wait_max_ns\": 0,\n"
                 "    \"objects\": []\n"
                 "  },\n"
                 "  \"threads\": [],\n"
                 "  \"heapshots\": [],\n"
                 "  \"marks\": {\n"
                 "    \"count\": 0,\n"
                 "    \"of_other_names\": 0,\n"
                 "    \"missing_at_most\": 0,\n"
                 "    \"without_interval\": 0,\n"
                 "    \"outside_ns\": null,\n"
                 "    \"names\": [],\n"
                 "    \"intervals\": []\n"
                 "  },\n"
                 "  \"domains\": [],\n"
                 "  \"contexts\": [],\n"
                 "  \"counters\": []\n"
                 "}\n");
}

TEST (test_empty_text)
{
  struct script log;
  script_begin (&log);
  expect_report (
      &log, EMITTER_TEXT, 30,
      "Log\n"
      "  Name                 a.mlpd\n"
      "  Profiler version     0.4\n"
      "  Data version         1\n"
      "  Object unit, bytes   8\n"
      "  Process              4711\n"
      "  Pointer size         8\n"
      "  Started              2010-07-01 16:00:00 UTC\n"
      "  Architecture         x86-64\n"
      "  Operating system     linux\n"
      "  Timer overhead, ns   25\n"
      "  Duration             0.000 ms\n"
      "  Bytes                80\n"
      "  Buffers              1\n"
      "  Events               0\n"
      "\n"
      "Nothing in the log of: JIT, GC, Allocations, Calls, Metadata, Exceptions, Monitors, "
      "Heap snapshots\n");
}

/* All sections.  Thread 1 from 10 ms on: Main 10..20 calls Work 12..15, which calls itself
 * 13..14; two Nodes and a Leaf; an Oops and something unknown; a wait of 2 ms; a collection of
 * 1 ms in a pause of 3 ms; a snapshot.  Thread 2 did something before the first buffer began. */
static void
write_busy_log (struct script *log)
{
  const uint64_t none[] = { 0 };
  script_begin (log);
  script_buffer (log, 1, 10 * MS);
  script_class (log, 10 * MS, NODE, "Node");
  script_class (log, 10 * MS, LEAF, "Leaf");
  script_jit (log, 10 * MS, MAIN, 0x41000, 100, "Main ()");
  script_jit (log, 10 * MS, WORK, 0x42000, 50, "Work ()");
  script_enter (log, 10 * MS, MAIN);
  script_enter (log, 12 * MS, WORK);
  script_enter (log, 13 * MS, WORK);
  script_leave (log, 14 * MS, WORK);
  script_leave (log, 15 * MS, WORK);
  script_alloc (log, 16 * MS, NODE, OBJECT, 24);
  script_alloc (log, 16 * MS, NODE, OBJECT + 24, 24);
  script_alloc (log, 16 * MS, LEAF, OBJECT + 48, 56);
  script_class (log, 17 * MS, OOPS, "Oops");
  script_throw (log, 17 * MS, OBJECT + 0x1000);
  script_throw (log, 17 * MS, OBJECT + 0x2000);
  script_clause (log, 17 * MS, MLPD_CLAUSE_TYPE_CATCH, MAIN);
  script_clause (log, 17 * MS, 9, MAIN);
  script_class (log, 18 * MS, LOCK_TYPE, "Lock");
  script_monitor (log, 18 * MS, MLPD_MONITOR_EVENT_CONTENTION, LOCK);
  script_monitor (log, 20 * MS, MLPD_MONITOR_EVENT_DONE, LOCK);
  script_leave (log, 20 * MS, MAIN);
  script_gc (log, 21 * MS, MLPD_GC_EVENT_PRE_STOP_WORLD, 1);
  script_gc (log, 22 * MS, MLPD_GC_EVENT_START, 1);
  script_move (log, 22 * MS, OBJECT, OBJECT - 0x1000);
  script_gc (log, 23 * MS, MLPD_GC_EVENT_END, 1);
  script_shot_start (log, 23 * MS);
  script_shot_object (log, OBJECT, NODE, 24, none, 1);
  script_shot_end (log, 23 * MS);
  script_gc (log, 24 * MS, MLPD_GC_EVENT_POST_START_WORLD, 1);
  script_shot_start (log, 25 * MS);
  script_shot_object (log, OBJECT, LEAF, 56, NULL, 0);
  script_shot_end (log, 25 * MS);
  script_buffer (log, 2, 4 * MS);
  script_leave (log, 5 * MS, 0x5200);
}

TEST (test_text)
{
  struct script log;
  write_busy_log (&log);
  char *text = report (&log, EMITTER_TEXT, 1);
  const char *sections = strstr (text, "JIT\n");
  assert_non_null (sections);
  assert_string_equal (
      sections, "JIT\n"
                "  Compiled methods     2\n"
                "  Code bytes           150\n"
                "\n"
                "GC\n"
                "  Heap resizes         0\n"
                "  Max heap bytes       0\n"
                "  Object moves         1\n"
                "  Not paused, %        80.0\n"
                "  Generation  Collections  Total ms  Max ms  Pauses  Paused ms  Pause max ms\n"
                "           1            1     1.000   1.000       1      3.000         3.000\n"
                "  Generation  Pauses  Avg ms  50% ms  90% ms  99% ms  Max ms\n"
                "           1       1   3.000   3.000   3.000   3.000   3.000\n"
                "\n"
                "  Minimum mutator utilisation\n"
                "  Window ms  Paused ms  Least %\n"
                "      1.000      1.000      0.0\n"
                "     10.000      3.000     70.0\n"
                "\n"
                "  Pauses by length\n"
                "  Generation  From ms  Below ms  Count  Total ms  Share\n"
                "           1    2.000     5.000      1     3.000  ##############################\n"
                "\n"
                "Allocations\n"
                "  Objects              3\n"
                "  Bytes                104\n"
                "  Bytes per second     6933\n"
                "  Bytes  Objects  Type\n"
                "     56        1  Leaf\n"
                "  ... and 1 more (--limit 0 shows all)\n"
                "\n"
                "Calls\n"
                "  Calls                3\n"
                "  Leaves without enter 1\n"
                "  Total ms  Self ms  Calls  Method\n"
                "    10.000    7.000      1  Main ()\n"
                "  ... and 1 more (--limit 0 shows all)\n"
                "\n"
                "Metadata\n"
                "  Images               0\n"
                "  Classes              4\n"
                "\n"
                "Exceptions\n"
                "  Throws               2\n"
                "  Throws per second    133\n"
                "  Throws  Type\n"
                "       1  Oops\n"
                "  ... and 1 more (--limit 0 shows all)\n"
                "  Clauses run  Kind\n"
                "            1  catch\n"
                "            1  unknown\n"
                "\n"
                "Monitors\n"
                "  Contentions          1\n"
                "  Acquired             1\n"
                "  Failed               0\n"
                "  Wait, total          2.000 ms\n"
                "  Wait, longest        2.000 ms\n"
                "  Wait ms  Max ms  Contentions  Acquired  Failed     Lock  Type\n"
                "    2.000   2.000            1         1       0  0x90000  Lock\n"
                "\n"
                "Threads\n"
                "Thread  First event ms  Last event ms  Events\n"
                "   0x1           0.000         15.000      32\n"
                "... and 1 more (--limit 0 shows all)\n"
                "\n"
                "Heap snapshot 1\n"
                "  Time                 13.000 ms\n"
                "  Objects              1\n"
                "  Bytes                24\n"
                "  Classes              1\n"
                "  References           1\n"
                "  Bytes  Objects  Bytes change  Objects change  Type\n"
                "     24        1           +24              +1  Node\n"
                "\n"
                "Heap snapshot 2\n"
                "  Time                 15.000 ms\n"
                "  Objects              1\n"
                "  Bytes                56\n"
                "  Classes              1\n"
                "  References           0\n"
                "  Bytes  Objects  Bytes change  Objects change  Type\n"
                "     56        1           +56              +1  Leaf\n"
                "  ... and 1 more (--limit 0 shows all)\n");
  g_free (text);
}

static void
expect_part (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    fail_msg ("this is not in the report: %s\nbut:\n%s", part, text);
}

TEST (test_json)
{
  struct script log;
  write_busy_log (&log);
  char *text = report (&log, EMITTER_JSON, 0);
  expect_part (text, "\"duration_ns\": 15000000,\n");
  expect_part (text, "{ \"generation\": 1, \"collections\": 1, \"total_ns\": 1000000, "
                     "\"max_ns\": 1000000, \"pauses\": 1, \"pause_total_ns\": 3000000, "
                     "\"pause_max_ns\": 3000000 }\n");
  expect_part (text,
               "    \"types\": [\n"
               "      { \"bytes\": 56, \"objects\": 1, \"image\": null, \"name\": \"Leaf\" },\n"
               "      { \"bytes\": 48, \"objects\": 2, \"image\": null, \"name\": \"Node\" }\n"
               "    ]\n");
  expect_part (text, "    \"methods\": [\n"
                     "      { \"total_ns\": 10000000, \"self_ns\": 7000000, \"calls\": 1, "
                     "\"name\": \"Main ()\" },\n"
                     "      { \"total_ns\": 3000000, \"self_ns\": 3000000, \"calls\": 2, "
                     "\"name\": \"Work ()\" }\n"
                     "    ]\n");
  expect_part (text,
               "    \"types\": [\n"
               "      { \"throws\": 1, \"image\": null, \"name\": \"Oops\" },\n"
               "      { \"throws\": 1, \"image\": null, \"name\": \"(type not in the log)\" }\n"
               "    ],\n"
               "    \"clauses\": [\n"
               "      { \"count\": 1, \"kind\": \"catch\" },\n"
               "      { \"count\": 1, \"kind\": \"unknown\" }\n"
               "    ]\n");
  expect_part (text, "{ \"wait_total_ns\": 2000000, \"wait_max_ns\": 2000000, "
                     "\"contentions\": 1, \"acquired\": 1, \"failed\": 0, \"object\": \"0x90000\", "
                     "\"type\": \"Lock\" }\n");
  /* Thread 2 was there 5 ms before the first buffer of the file began. */
  expect_part (text, "    { \"id\": \"0x2\", \"start_ns\": -5000000, \"end_ns\": -5000000, "
                     "\"events\": 1, \"name\": null }\n");
  /* The second snapshot has the Leaf and reports about the Node that is gone. */
  expect_part (text, "      \"index\": 2,\n"
                     "      \"time_ns\": 15000000,\n"
                     "      \"complete\": true,\n"
                     "      \"reason\": null,\n"
                     "      \"objects\": 1,\n"
                     "      \"bytes\": 56,\n"
                     "      \"classes\": 1,\n"
                     "      \"references\": 0,\n"
                     "      \"roots\": 0,\n"
                     "      \"root_sources\": [],\n"
                     "      \"types\": [\n"
                     "        { \"bytes\": 56, \"objects\": 1, \"bytes_delta\": 56, "
                     "\"objects_delta\": 1, \"image\": null, \"name\": \"Leaf\" },\n"
                     "        { \"bytes\": 0, \"objects\": 0, \"bytes_delta\": -24, "
                     "\"objects_delta\": -1, \"image\": null, \"name\": \"Node\" }\n"
                     "      ]\n");
  g_free (text);
}

/* Damage has a section of its own, and figures go on after it. */
TEST (test_damage)
{
  struct script log;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  script_bytes (&log, "\x0f\x01\x02", 3);
  script_buffer (&log, 1, 1000);
  script_shot_object (&log, OBJECT, NODE, 24, NULL, 0);
  script_alloc (&log, 2000, NODE, OBJECT, 24);
  char *text = report (&log, EMITTER_TEXT, 30);
  expect_part (text, "\nDamage\n"
                     "  Truncated            no\n"
                     "  Missing bytes        0\n"
                     "  Skipped bytes        3\n"
                     "  Skipped buffers      1\n"
                     "  What                 ");
  expect_part (text, " not counted, because outside of any heap snapshot: 1 records of objects\n");
  expect_part (text, "     24        1  unresolved class 0x1000\n");
  g_free (text);
}

static void
alloc_at (struct script *log, uint64_t size, const uint64_t *methods, size_t n)
{
  script_event (log, MLPD_ALLOC,
                &(union mlpd_payload){ .alloc = { .time = 1000,
                                                  .klass = NODE,
                                                  .object = OBJECT,
                                                  .size = size,
                                                  .backtrace = { methods, n } } });
}

/* Objects of 8, 16, 32 and 64 bytes, the last without a backtrace.  Of those of the first two the
 * frames are methods of the same names. */
static void
begin_traced (struct script *log)
{
  static const uint64_t at[][2]
      = { { MAIN, WORK }, { MAIN + 0x1000, WORK + 0x1000 }, { WORK, WORK + 0x2000 } };
  script_begin (log);
  script_buffer (log, 1, 1000);
  for (int i = 0; i < 2; i++) {
    script_jit (log, 1000, at[i][0], 0x9000, 8, "Main");
    script_jit (log, 1000, at[i][1], 0x9000, 8, "Work");
  }
  for (int i = 0; i < 3; i++)
    alloc_at (log, UINT64_C (8) << i, at[i], 2);
  alloc_at (log, 64, NULL, 0);
}

TEST (test_traces)
{
  struct script log;
  begin_traced (&log);
  char *text = report_with (&log, EMITTER_TEXT, &(struct view){ .traces = true });
  expect_part (text, "    120        4  unresolved class 0x1000\n"
                     "    Objects  Bytes\n"
                     "          1     64\n"
                     "      (no backtrace)\n"
                     "          1     32\n"
                     "      Work\n"
                     "      unresolved method 0x7100\n"
                     "          2     24\n"
                     "      Main\n"
                     "      Work\n");
  g_free (text);
  begin_traced (&log);
  text = report_with (&log, EMITTER_JSON, &(struct view){ .traces = true, .max_frames = 1 });
  expect_part (text, "{ \"objects\": 1, \"bytes\": 64,\n");
  expect_part (text, "\"frames\": []");
  expect_part (text, "{ \"objects\": 2, \"bytes\": 24,\n");
  assert_null (strstr (text, "no backtrace"));
  g_free (text);
}

/* Where nothing has a backtrace that need not be stated of each type. */
TEST (test_no_traces)
{
  struct script log;
  script_begin (&log);
  script_buffer (&log, 1, 1000);
  alloc_at (&log, 64, NULL, 0);
  char *text = report_with (&log, EMITTER_TEXT, &(struct view){ .traces = true });
  expect_part (text, "     64        1  unresolved class 0x1000\n");
  assert_null (strstr (text, "no backtrace"));
  g_free (text);
}
