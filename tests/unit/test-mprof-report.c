/* test-mprof-report.c -- the text of mprof-report, of events that its own logs seldom have. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "decoder/views/mprof/mprof.h"
#include "tests/unit/summary-test.h"

#include <string.h>

enum { MS = 1000000, FIRST = 1000, LOCK_A = 0xa000, LOCK_B = 0xb000, LOCK_C = 0xc000 };

/* These sections of the summary. */
static void
expect_text (const char *sections, const struct mprof_view *view, const char *expected)
{
  struct mprof_view all = *view;
  GPtrArray *found = mprof_sections_parse (sections);
  GString *text = g_string_new (NULL);
  assert_non_null (found);
  all.sections = found;
  mprof_report_write (text, &summary, &all);
  assert_string_equal (text->str, expected);
  g_string_free (text, TRUE);
  g_ptr_array_unref (found);
}

/* ---- counters ---- */

static void
describe (uint64_t index, uint64_t section, const char *name, uint64_t type, uint64_t unit,
          uint64_t variance)
{
  const char *user = section == MLPD_COUNTER_SECTION_USER ? "Mine" : NULL;
  const struct mlpd_counter counter = { .section = section,
                                        .section_name = { user, user != NULL ? strlen (user) : 0 },
                                        .name = { name, name != NULL ? strlen (name) : 0 },
                                        .type = type,
                                        .unit = unit,
                                        .variance = variance,
                                        .index = index };
  const struct mlpd_sample_counters_desc event = { .counters = { &counter, 1 } };
  counters_describe (STATE (counters), &event);
}

static void
update (uint64_t time, struct mlpd_counter_value value)
{
  const struct mlpd_sample_counters event = { .values = { &value, 1 } };
  counters_update (STATE (counters), &event, time);
}

/* Each type, unit and variance, those that there are none of, a section that there is none of; a
 * counter that was never sampled. */
static void
put_counters (void)
{
  const double real = 1.5;
  struct mlpd_counter_value share = { .index = 0, .type = MLPD_COUNTER_TYPE_DOUBLE };
  memcpy (&share.number, &real, sizeof share.number);
  script_summarize (&script, &summary);
  describe (0, MLPD_COUNTER_SECTION_USER, "share", MLPD_COUNTER_TYPE_DOUBLE,
            MLPD_COUNTER_UNIT_PERCENT, MLPD_COUNTER_VARIANCE_VARIABLE);
  describe (1, MLPD_COUNTER_SECTION_JIT, "words", MLPD_COUNTER_TYPE_STRING, MLPD_COUNTER_UNIT_RAW,
            MLPD_COUNTER_VARIANCE_CONSTANT);
  describe (2, MLPD_COUNTER_SECTION_USER, "other", 99, 0x5000000, 0x50000000);
  describe (3, 0x40, NULL, MLPD_COUNTER_TYPE_ULONG, MLPD_COUNTER_UNIT_COUNT,
            MLPD_COUNTER_VARIANCE_MONOTONIC);
  describe (4, MLPD_COUNTER_SECTION_USER, "never", MLPD_COUNTER_TYPE_INT, MLPD_COUNTER_UNIT_BYTES,
            MLPD_COUNTER_VARIANCE_VARIABLE);
  update (FIRST + 2 * MS, share);
  update (FIRST + 2 * MS,
          (struct mlpd_counter_value){ 1, MLPD_COUNTER_TYPE_STRING, 0, { "text", 4 } });
  update (FIRST + 3 * MS,
          (struct mlpd_counter_value){ 1, MLPD_COUNTER_TYPE_STRING, 0, { NULL, 0 } });
  update (FIRST - 1, (struct mlpd_counter_value){ 2, 99, (uint64_t) -7, { NULL, 0 } });
  update (FIRST + 3 * MS,
          (struct mlpd_counter_value){ 3, MLPD_COUNTER_TYPE_ULONG, 8, { NULL, 0 } });
}

SUMMARY_TEST (test_counters_by_category)
{
  put_counters ();
  expect_text ("counters",
               &(struct mprof_view){ .verbose = true, .counter_order = MPROF_COUNTERS_BY_CATEGORY },
               "\nCounters:\n"
               "\tMine:\n"
               "\t\tshare: [type: Double, unit: Percentage, variance: Variable]\n"
               "\t\t\t0:00:00:00.002 : 1.500000\n"
               "\t\tother: [type: <unknown>, unit: <unknown>, variance: <unknown>]\n"
               "\t\t\t0:00:00:00.000 : -7\n"
               "\tMono JIT:\n"
               "\t\twords: [type: String, unit: Raw, variance: Constant]\n"
               "\t\t\t0:00:00:00.002 : text\n"
               "\t\t\t0:00:00:00.003 : \n"
               "\t:\n"
               "\t\t: [type: ULong, unit: Count, variance: Monotonic]\n"
               "\t\t\t0:00:00:00.003 : 8\n");
}

SUMMARY_TEST (test_counters_by_time)
{
  put_counters ();
  expect_text ("counters",
               &(struct mprof_view){ .verbose = true, .counter_order = MPROF_COUNTERS_BY_TIME },
               "\nCounters:\n"
               "\t0:00:00:00.000:\n"
               "\t\tMine:\n"
               "\t\t\tother                          : -7\n"
               "\t0:00:00:00.002:\n"
               "\t\tMine:\n"
               "\t\t\tshare                          : 1.500000\n"
               "\t\tMono JIT:\n"
               "\t\t\twords                          : text\n"
               "\t0:00:00:00.003:\n"
               "\t\tMono JIT:\n"
               "\t\t\twords                          : \n"
               "\t\t:\n"
               "\t\t\t                               : 8\n");
}

/* Without `verbose` only the usual ones, none of which are here. */
SUMMARY_TEST (test_no_usual_counters)
{
  put_counters ();
  expect_text ("counters", &(struct mprof_view){ .verbose = false }, "\nCounters:\n");
}

/* A series that was thinned out ends with its last value all the same. */
SUMMARY_TEST (test_long_counter)
{
  script_summarize (&script, &summary);
  describe (0, MLPD_COUNTER_SECTION_USER, "n", MLPD_COUNTER_TYPE_ULONG, MLPD_COUNTER_UNIT_COUNT,
            MLPD_COUNTER_VARIANCE_MONOTONIC);
  for (uint64_t i = 0; i < 100000; i++)
    update (FIRST + i * MS,
            (struct mlpd_counter_value){ 0, MLPD_COUNTER_TYPE_ULONG, i + 1, { NULL, 0 } });
  for (int order = MPROF_COUNTERS_BY_TIME; order <= MPROF_COUNTERS_BY_CATEGORY; order++) {
    GString *text = g_string_new (NULL);
    GPtrArray *sections = mprof_sections_parse ("counters");
    mprof_report_write (text, &summary,
                        &(struct mprof_view){ .sections = sections,
                                              .verbose = true,
                                              .counter_order = (enum mprof_counter_order) order });
    assert_true (g_str_has_suffix (text->str, " : 100000\n"));
    assert_non_null (strstr (text->str, "\t0:00:01:39.999"));
    assert_true (text->len < 1000000);
    g_ptr_array_unref (sections);
    g_string_free (text, TRUE);
  }
}

/* ---- locks ---- */

/* The longest total wait is first, equal ones by address; a lock that nobody waited for has no
 * average wait. */
SUMMARY_TEST (test_locks)
{
  script_monitor (&script, FIRST, MLPD_MONITOR_EVENT_DONE, LOCK_C);
  script_monitor (&script, FIRST, MLPD_MONITOR_EVENT_CONTENTION, LOCK_B);
  script_monitor (&script, FIRST + 10 * MS, MLPD_MONITOR_EVENT_DONE, LOCK_B);
  script_monitor (&script, FIRST + 10 * MS, MLPD_MONITOR_EVENT_CONTENTION, LOCK_A);
  script_monitor (&script, FIRST + 20 * MS, MLPD_MONITOR_EVENT_FAIL, LOCK_A);
  script_summarize (&script, &summary);
  expect_text ("monitor", &(struct mprof_view){ .verbose = false },
               "\nMonitor lock summary\n"
               "\tLock object 0xa000: 1 contentions\n"
               "\t\t0.010000 secs total wait time, 0.010000 max, 0.010000 average\n"
               "\tLock object 0xb000: 1 contentions\n"
               "\t\t0.010000 secs total wait time, 0.010000 max, 0.010000 average\n"
               "\tLock object 0xc000: 0 contentions\n"
               "\t\t0.000000 secs total wait time, 0.000000 max, -nan average\n"
               "\tLock contentions: 2\n"
               "\tLock acquired: 2\n"
               "\tLock failures: 1\n");
}

/* ---- loads ---- */

#define EVENT(KIND, id, ...)                                                                       \
  script_event (&script, KIND, &(union mlpd_payload){ .id = { __VA_ARGS__ } })

/* One without a name; one that was unloaded only; the thread of no number. */
SUMMARY_TEST (test_loaded)
{
  EVENT (MLPD_METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_END_LOAD, .time = FIRST,
         .domain = 1);
  EVENT (MLPD_METADATA_DOMAIN, metadata_domain, .action = MLPD_LOAD_NAME, .time = FIRST,
         .domain = 2, .name = { "two", 3 });
  EVENT (MLPD_METADATA_IMAGE, metadata_image, .action = MLPD_LOAD_END_LOAD, .time = FIRST,
         .image = 5, .name = { "five.dll", 8 });
  EVENT (MLPD_METADATA_IMAGE, metadata_image, .action = MLPD_LOAD_END_UNLOAD, .time = FIRST,
         .image = 6, .name = { "six.dll", 7 });
  EVENT (MLPD_METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_END_LOAD, .time = FIRST,
         .thread = 7);
  EVENT (MLPD_METADATA_THREAD, metadata_thread, .action = MLPD_LOAD_NAME, .time = FIRST,
         .thread = 8, .name = { "eight", 5 });
  script_buffer (&script, 0, FIRST);
  script_gc (&script, FIRST, 0, 0);
  script_summarize (&script, &summary);
  expect_text ("domain", &(struct mprof_view){ .verbose = false },
               "\nDomain summary\n"
               "\tDomain: 0x2, friendly name: \"two\"\n"
               "\tDomain: 0x1, friendly name: \"\"\n");
  expect_text ("metadata", &(struct mprof_view){ .verbose = true },
               "\nMetadata summary\n"
               "\tLoaded images: 1\n"
               "\t\tfive.dll\n"
               "\tLoaded assemblies: 0\n");
  expect_text ("thread", &(struct mprof_view){ .verbose = false },
               "\nThread summary\n"
               "\tThread: 0x8, name: \"eight\"\n"
               "\tThread: 0x7, name: \"\"\n"
               "\tThread: 0x1, name: \"\"\n");
}

/* ---- the header ---- */

/* A log that states no process has none; its start is a date, whatever the number is. */
SUMMARY_TEST (test_header)
{
  script_summarize (&script, &summary);
  summary.log.header.pid = 0;
  summary.log.header.start_ms = UINT64_MAX;
  GPtrArray *sections = mprof_sections_parse ("header");
  GString *text = g_string_new (NULL);
  mprof_report_write (text, &summary, &(struct mprof_view){ .sections = sections });
  assert_null (strstr (text->str, "Program ID"));
  /* 584,554,049 years and 3 months after the beginning of 1970. */
  assert_non_null (strstr (text->str, " 584556019\n"));
  g_string_free (text, TRUE);
  g_ptr_array_unref (sections);
}

/* ---- lists of sections ---- */

TEST (test_sections)
{
  GPtrArray *found = mprof_sections_parse ("gc,header,gc");
  assert_int_equal (found->len, 3);
  assert_string_equal (((const struct mprof_section *) found->pdata[1])->name, "header");
  assert_ptr_equal (found->pdata[0], found->pdata[2]);
  g_ptr_array_unref (found);
  static const char *const bad[] = { "x", "gc,", ",gc", "gc, header", "GC", "gc,x,header" };
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_null (mprof_sections_parse (bad[i]));
}
