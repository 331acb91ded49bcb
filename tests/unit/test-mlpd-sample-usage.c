/* test-mlpd-sample-usage.c -- the usage after a hit belongs to the hit, whatever is selected. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "decoder/mlpd/analyses/counters.h"
#include "decoder/mlpd/analyses/lines.h"
#include "decoder/mlpd/analyses/samples.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include "tests/unit/summary-test.h"

static void
put_hit (uint64_t time, uint64_t thread)
{
  script_hit (&script, time, thread, 0x1000, NULL, 0);
}

/* In the buffer of thread 9: hits of threads 5 and 6, and one of 5 without a usage. */
static void
begin (void)
{
  script_begin_version (&script, 17);
  script_buffer (&script, 9, 1000);
  put_hit (1100, 5);
  script_usage (&script, 1100, 100, 80);
  put_hit (1100, 6);
  script_usage (&script, 1100, 100, 7);
  put_hit (1200, 5);
}

static void
expect_sums (uint64_t hits, uint64_t running, uint64_t cpu_ns, uint64_t wait_ns)
{
  assert_int_equal (STATE (samples)->hits, hits);
  assert_int_equal (STATE (samples)->running, running);
  assert_int_equal (STATE (samples)->cpu_ns, cpu_ns);
  assert_int_equal (STATE (samples)->wait_ns, wait_ns);
  assert_int_equal (STATE (counters)->all->len, 0);
}

TEST_WITH (test_all, begin, summary_test_end)
{
  script_summarize (&script, &summary);
  expect_sums (3, 2, 87, 113);
}

/* One that follows no hit counts for none, and is no counter. */
TEST_WITH (test_without_hit, begin, summary_test_end)
{
  script_monitor (&script, 1210, MLPD_MONITOR_EVENT_DONE, 0x8000);
  script_usage (&script, 1220, 100, 80);
  script_buffer (&script, 9, 2000);
  script_usage (&script, 2000, 100, 80);
  script_summarize (&script, &summary);
  expect_sums (3, 2, 87, 113);
}

static void
summarize_thread (const char *thread)
{
  struct selection selection = { 0 };
  struct buffer_filter filter;
  assert_true (selection_thread (&selection, thread, NULL));
  buffer_filter_init (&filter, &selection, NULL);
  buffer_filter_begin (&filter, 1000);
  script_summarize_with (&script, &summary, &(struct scan_options){ .filter = &filter });
  buffer_filter_clear (&filter);
  selection_clear (&selection);
}

/* A hit and its usage are selected by the thread of the hit. */
TEST_WITH (test_sampled_thread, begin, summary_test_end)
{
  summarize_thread ("6");
  expect_sums (1, 0, 7, 93);
  assert_int_equal (summary.log.events, 2);
}

TEST_WITH (test_recording_thread, begin, summary_test_end)
{
  summarize_thread ("9");
  expect_sums (0, 0, 0, 0);
  assert_int_equal (summary.log.events, 0);
}

#define TEXT(text)                                                                                 \
  {                                                                                                \
    text, sizeof text - 1                                                                          \
  }

/* Lines follow the times of the hit, or stand alone. */
TEST (test_lines)
{
  const struct mlpd_counter_value values[]
      = { { MLPD_SAMPLE_ELAPSED_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = 100 },
          { MLPD_SAMPLE_CPU_INDEX, MLPD_COUNTER_TYPE_ULONG, .number = 80 },
          { MLPD_SAMPLE_LINES_INDEX, MLPD_COUNTER_TYPE_STRING, .text = TEXT ("a.cs:7") } };
  const union mlpd_payload both = { .sample_counters = { .values = { values, 3 } } },
                           alone = { .sample_counters = { .values = { values + 2, 1 } } },
                           half = { .sample_counters = { .values = { values + 1, 2 } } };
  struct mlpd_sample_usage usage;
  assert_true (mlpd_sample_usage_of (MLPD_SAMPLE_COUNTERS, &both, &usage));
  assert_int_equal (usage.cpu_ns, 80);
  assert_string_equal (usage.lines.text, "a.cs:7");
  assert_true (mlpd_sample_usage_of (MLPD_SAMPLE_COUNTERS, &alone, &usage));
  assert_int_equal (usage.elapsed_ns, 0);
  assert_int_equal (usage.lines.length, 6);
  assert_false (mlpd_sample_usage_of (MLPD_SAMPLE_COUNTERS, &half, &usage));
  assert_true (mlpd_is_sample_usage (MLPD_SAMPLE_LINES_INDEX));
}

/* Lines count for threads that ran: of three hits, the second was of one that waited. */
TEST_WITH (test_lines_of_running, begin, summary_test_end)
{
  script_summarize (&script, &summary);
  assert_int_equal (STATE (lines)->hits, 2);
}

/* More than the elapsed time is not possible; other counters are no usage. */
TEST (test_values)
{
  struct mlpd_counter_value values[] = { { .index = MLPD_SAMPLE_ELAPSED_INDEX, .number = 100 },
                                         { .index = MLPD_SAMPLE_CPU_INDEX, .number = 101 } };
  const union mlpd_payload payload = { .sample_counters = { .values = { values, 2 } } };
  struct mlpd_sample_usage usage;
  assert_true (mlpd_sample_usage_of (MLPD_SAMPLE_COUNTERS, &payload, &usage));
  assert_int_equal (usage.elapsed_ns, 100);
  assert_int_equal (usage.cpu_ns, 100);
  assert_false (mlpd_sample_usage_of (MLPD_SAMPLE_COUNTERS_DESC, &payload, &usage));
  values[0].index = MLPD_LOST_EVENTS_INDEX;
  assert_false (mlpd_sample_usage_of (MLPD_SAMPLE_COUNTERS, &payload, &usage));
}
