/* test-live-metrics.c -- figures as metrics. */
#include "config.h"

#include "decoder/live/live-outputs.h"
#include "tests/unit/test.h"

#include <string.h>

static bool
has (const GString *text, const char *part)
{
  return strstr (text->str, part) != NULL;
}

TEST (test_metrics)
{
  struct live_figures f;
  GString *text = g_string_new (NULL), *open = g_string_new (NULL);
  live_figures_init (&f);
  f.format = LIVE_MONO;
  f.wait_ns.all = UINT64_C (12000000345); /* 12.000000345 s */
  f.events.all = 42;
  f.heap_bytes = 4096;
  f.collections[2].all = 9;
  live_metrics_append (&(struct live_named){ .name = "a\"b\\c\nd\xff", .figures = &f }, 1,
                       LIVE_METRICS_TEXT, text);
  assert_true (has (
      text, "proflog_source_info{format=\"mono\",source=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\"} 1\n"));
  assert_true (has (text, "# TYPE proflog_wait_seconds_total counter\n"));
  assert_true (has (text, "\nproflog_wait_seconds_total 12.000000345\n"));
  assert_true (has (text, "\nproflog_events_total 42\n"));
  assert_true (has (text, "# TYPE proflog_heap_bytes gauge\n"));
  assert_true (has (text, "\nproflog_heap_bytes 4096\n"));
  assert_true (has (text, "\nproflog_collections_total{generation=\"2\"} 9\n"));
  assert_false (has (text, "proflog_live_bytes")); /* nothing was reported */
  assert_false (has (text, "proflog_collections_total{generation=\"0\""));
  assert_false (has (text, "# EOF"));
  live_metrics_append (&(struct live_named){ .name = "x", .figures = &f }, 1, LIVE_METRICS_OPEN,
                       open);
  assert_true (has (open, "# TYPE proflog_source info\n"));
  assert_true (
      has (open, "# TYPE proflog_wait_seconds counter\n# UNIT proflog_wait_seconds seconds\n"));
  assert_true (has (open, "\nproflog_wait_seconds_total 12.000000345\n"));
  assert_true (g_str_has_suffix (open->str, "\n# EOF\n"));
  g_string_free (text, TRUE);
  g_string_free (open, TRUE);
  live_figures_clear (&f);
}

/* Of several sources each value has its label, and each family one description. */
TEST (test_metrics_of_two)
{
  struct live_figures one, two;
  live_figures_init (&one);
  live_figures_init (&two);
  one.events.all = 1;
  two.events.all = 2;
  two.heap_bytes = 4096;
  two.collections[1].all = 3;
  const struct live_named sources[]
      = { { .name = "4711", .figures = &one }, { .name = "b.eventlog", .figures = &two } };
  GString *text = g_string_new (NULL);
  live_metrics_append (sources, 2, LIVE_METRICS_TEXT, text);
  assert_true (has (text, "proflog_events_total counter\n# HELP proflog_events_total Events of the "
                          "log.\nproflog_events_total{source=\"4711\"} 1\n"
                          "proflog_events_total{source=\"b.eventlog\"} 2\n"));
  assert_true (has (text, "\nproflog_heap_bytes{source=\"b.eventlog\"} 4096\n"));
  assert_false (has (text, "proflog_heap_bytes{source=\"4711\"}"));
  assert_true (has (text, "{source=\"b.eventlog\",generation=\"1\"} 3\n"));
  g_string_free (text, TRUE);
  live_figures_clear (&one);
  live_figures_clear (&two);
}

/* Each step has those before it, too; the ends are decimal numbers or exponents. */
TEST (test_histograms)
{
  struct live_figures f;
  struct durations pauses = { .count = 0 };
  GString *text = g_string_new (NULL), *open = g_string_new (NULL);
  live_figures_init (&f);
  f.format = LIVE_MONO;
  const uint64_t ns[]
      = { 700, 9999, 15000, 3000000, 3000001, 999999999, 2000000001, UINT64_C (50000000000) };
  for (guint i = 0; i < G_N_ELEMENTS (ns); i++)
    durations_add (&pauses, ns[i]);
  f.pause_durations[1] = live_durations_of (&pauses);
  live_metrics_append (&(struct live_named){ .name = "x", .figures = &f }, 1, LIVE_METRICS_TEXT,
                       text);
  assert_true (has (text, "\n# TYPE proflog_gc_pause_seconds histogram\n"));
  static const char *const lines[]
      = { "le=\"1e-05\"} 2", "le=\"2e-05\"} 3", "le=\"0.002\"} 3", "le=\"0.005\"} 5",
          "le=\"0.5\"} 5",   "le=\"1.0\"} 6",   "le=\"2.0\"} 6",   "le=\"5.0\"} 7",
          "le=\"10.0\"} 7",  "le=\"+Inf\"} 8" };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    g_autofree char *line
        = g_strdup_printf ("\nproflog_gc_pause_seconds_bucket{generation=\"1\",%s\n", lines[i]);
    assert_true (has (text, line));
  }
  assert_true (has (text, "\nproflog_gc_pause_seconds_sum{generation=\"1\"} 53.006025700\n"));
  assert_true (has (text, "\nproflog_gc_pause_seconds_count{generation=\"1\"} 8\n"));
  /* The first increase is one from 0. */
  assert_true (has (text, "\nproflog_gc_pause_seconds_count{generation=\"0\"} 0\n"));
  assert_false (has (text, "generation=\"2\""));
  assert_true (has (text, "\nproflog_lock_wait_seconds_bucket{le=\"+Inf\"} 0\n"));
  assert_true (has (text, "\nproflog_lock_wait_seconds_count 0\n"));
  live_metrics_append (&(struct live_named){ .name = "x", .figures = &f }, 1, LIVE_METRICS_OPEN,
                       open);
  assert_true (has (open, "# UNIT proflog_gc_pause_seconds seconds\n"));
  durations_clear (&pauses);
  g_string_free (text, TRUE);
  g_string_free (open, TRUE);
  live_figures_clear (&f);
}

/* Two processes of one program, of which one is over: of that only the sums remain. */
TEST (test_processes)
{
  struct live_figures one, two;
  live_figures_init (&one);
  live_figures_init (&two);
  one.format = two.format = LIVE_MONO;
  one.pid = 10;
  two.pid = 11;
  one.events.all = 1;
  two.events.all = 2;
  one.heap_bytes = two.heap_bytes = 4096;
  const struct live_named sources[]
      = { { .name = "a.exe", .is_process = true, .figures = &one, .is_over = true },
          { .name = "a.exe", .is_process = true, .figures = &two } };
  GString *text = g_string_new (NULL);
  live_metrics_append (sources, 2, LIVE_METRICS_TEXT, text);
  assert_true (has (text, "\nproflog_events_total{program=\"a.exe\",pid=\"10\"} 1\n"));
  assert_true (has (text, "\nproflog_events_total{program=\"a.exe\",pid=\"11\"} 2\n"));
  assert_true (has (text, "\nproflog_heap_bytes{program=\"a.exe\",pid=\"11\"} 4096\n"));
  assert_true (has (text, "\nproflog_gc_pause_seconds_count{program=\"a.exe\",pid=\"11\","
                          "generation=\"0\"} 0\n"));
  assert_true (
      has (text, "\nproflog_source_info{format=\"mono\",program=\"a.exe\",pid=\"11\"} 1\n"));
  assert_false (has (text, "proflog_heap_bytes{program=\"a.exe\",pid=\"10\"}"));
  assert_false (has (text, "proflog_threads{program=\"a.exe\",pid=\"10\"}"));
  assert_false (has (text, "proflog_source_info{format=\"mono\",program=\"a.exe\",pid=\"10\"}"));
  /* One alone has its labels, too, and none is no error. */
  g_string_truncate (text, 0);
  live_metrics_append (&sources[1], 1, LIVE_METRICS_TEXT, text);
  assert_true (has (text, "\nproflog_events_total{program=\"a.exe\",pid=\"11\"} 2\n"));
  g_string_truncate (text, 0);
  live_metrics_append (NULL, 0, LIVE_METRICS_OPEN, text);
  assert_true (g_str_has_suffix (text->str, "\n# EOF\n"));
  assert_false (has (text, "\nproflog_"));
  g_string_free (text, TRUE);
  live_figures_clear (&one);
  live_figures_clear (&two);
}
