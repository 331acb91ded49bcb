/* test-filter.c -- the selections of the texts of options, and texts that make no sense. */
#include "config.h"

#include "decoder/filter/filter-options.h"
#include "tests/unit/test.h"

#include <string.h>

typedef bool parser (struct selection *selection, const char *text, GError **error);

/* The text is refused, with itself and why in the message. */
static void
refused_as (parser *parse, const char *option, const char *text, const char *why)
{
  struct selection s = { 0 };
  GError *error = NULL;
  char *expected = g_strdup_printf ("%s %s: %s", option, text, why);
  if (parse (&s, text, &error))
    fail_msg ("%s %s was taken", option, text);
  assert_non_null (error);
  if (!g_str_has_prefix (error->message, expected))
    fail_msg ("'%s' does not begin with '%s'", error->message, expected);
  assert_true (error->domain == G_OPTION_ERROR);
  g_error_free (error);
  g_free (expected);
  selection_clear (&s);
}

static void
refused (parser *parse, const char *option, const char *text)
{
  refused_as (parse, option, text, "");
}

TEST (test_threads)
{
  struct selection s = { 0 };
  assert_true (selection_has_thread (&s, 1, NULL));
  assert_true (selection_has_thread (NULL, 1, "x"));
  assert_false (selection_needs_thread_names (&s));
  assert_true (selection_thread (&s, "17,0x7F11", NULL));
  assert_false (selection_needs_thread_names (&s));
  assert_true (selection_has_thread (&s, 17, NULL));
  assert_true (selection_has_thread (&s, 0x7f11, "x"));
  assert_false (selection_has_thread (&s, 0x17, NULL));
  assert_false (selection_has_thread (&s, 18, NULL));
  assert_true (selection_thread (&s, "main", NULL));
  assert_true (selection_thread (&s, "Pool*,a?c", NULL));
  assert_true (selection_needs_thread_names (&s));
  assert_true (selection_has_thread (&s, 1, "main"));
  assert_true (selection_has_thread (&s, 1, "Pool 7"));
  assert_true (selection_has_thread (&s, 1, "abc"));
  assert_false (selection_has_thread (&s, 1, "mainly"));
  assert_false (selection_has_thread (&s, 1, "A Pool"));
  assert_false (selection_has_thread (&s, 1, ""));
  /* A name that breaks off within a character: nothing after its end counts. */
  static const char broken[] = "Pol\xf8\0***c";
  assert_true (selection_thread (&s, "P*c,\xf8*", NULL));
  assert_false (selection_has_thread (&s, 1, broken));
  assert_true (selection_has_thread (&s, 1, "\xf8 1"));
  /* A thread may be called as another's number is. */
  assert_true (selection_has_thread (&s, 1, "17"));
  assert_true (selection_is_partial (&s));
  assert_false (selection_has_thread (&s, 1, NULL));
  /* Those without a name, too. */
  assert_true (selection_thread (&s, "*", NULL));
  assert_true (selection_has_thread (&s, 1, NULL));
  selection_clear (&s);
  refused (selection_thread, "--thread", "");
  refused (selection_thread, "--thread", "1,,2");
  refused (selection_thread, "--thread", "main,");
}

/* A backslash takes a comma or a backslash as it is. */
TEST (test_commas)
{
  struct selection s = { 0 };
  assert_true (selection_thread (&s, "main\\,thr,a\\b,c\\\\,d", NULL));
  assert_true (selection_has_thread (&s, 1, "main,thr"));
  assert_true (selection_has_thread (&s, 1, "a\\b"));
  assert_true (selection_has_thread (&s, 1, "c\\"));
  assert_true (selection_has_thread (&s, 1, "d"));
  assert_false (selection_has_thread (&s, 1, "main"));
  assert_false (selection_has_thread (&s, 1, "thr"));
  selection_clear (&s);
}

#define FIRST UINT64_C (1000)
#define LAST UINT64_C (3000)

static void
check_times (const char *text, uint64_t from, uint64_t to)
{
  struct selection s = { 0 };
  uint64_t got_from, got_to;
  GError *error = NULL;
  if (!selection_time_range (&s, text, &error))
    fail_msg ("%s", error->message);
  selection_time_bounds (&s, FIRST, LAST, &got_from, &got_to);
  if (got_from != from || got_to != to)
    fail_msg ("%s: %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, text, got_from, got_to);
  selection_clear (&s);
}

TEST (test_times)
{
  const uint64_t end = G_MAXUINT64, s = 1000000000;
  check_times ("1~2", FIRST + s, FIRST + 2 * s);
  check_times ("1-2", FIRST + s, FIRST + 2 * s);
  check_times ("0.000498~", FIRST + 498000, end);
  check_times ("0.5-1.25", FIRST + s / 2, FIRST + s + s / 4);
  check_times ("0~.000000001", 0, FIRST + 1);
  check_times ("3ns~4us", FIRST + 3, FIRST + 4000);
  check_times ("5ms~6s", FIRST + 5000000, FIRST + 6 * s);
  check_times ("7m~1.5h", FIRST + 420 * s, FIRST + 5400 * s);
  check_times ("2~", FIRST + 2 * s, end);
  check_times ("~2", 0, FIRST + 2 * s);
  check_times ("10%~50%", FIRST + 200, FIRST + 1000);
  check_times ("12.5%~", FIRST + 250, end);
  check_times ("10%~1s", FIRST + 200, FIRST + s);
  /* From end to end: events before the first buffer, and the last event, too. */
  check_times ("0%~100%", 0, end);
  check_times ("0~100%", 0, end);
  check_times ("0ms-100%", 0, end);
  check_times ("0~", 0, end);
  check_times ("~100%", 0, end);
  check_times ("0%~2", 0, FIRST + 2 * s);
  check_times ("100%~", FIRST + 2000, end);
  check_times ("-2s", 0, FIRST + 2 * s);
  check_times ("2s-", FIRST + 2 * s, end);
  /* Blanks around a time mean nothing. */
  check_times (" ~5s", 0, FIRST + 5 * s);
  check_times ("1s ~ 5s ", FIRST + s, FIRST + 5 * s);
  check_times (" 10% - 50%", FIRST + 200, FIRST + 1000);
  /* 17,999,999,999 s still fit into 64 bits after FIRST; one digit more does not. */
  check_times ("17999999999~18000000000", FIRST + 17999999999 * s, FIRST + 18000000000 * s);
  check_times ("1~18446744073.709551615", FIRST + s, end);

  static const struct {
    const char *text, *why;
  } bad[] = {
    { "", "a range A~B is needed" },
    { "1", "a range A~B is needed" },
    { "1s", "a range A~B is needed" },
    { "~", "one end" },
    { "-", "one end" },
    { " ~ ", "one end" },
    { "a~b", "a time is seconds" },
    { "1~2~3", "a time is seconds" },
    { "1x~", "a time is seconds" },
    { "1%%~", "a time is seconds" },
    { "-1~2", "a time is seconds" },
    { "1--2", "a time is seconds" },
    { ".~1", "a time is seconds" },
    { "1e3~", "a time is seconds" },
    { "1 s~", "a time is seconds" },
    { "~5 %", "a time is seconds" },
    { "2~1", "the time range is empty" },
    { "1~1", "the time range is empty" },
    { "0~0", "the time range is empty" },
    { "50%~50%", "the time range is empty" },
    { "60%~50%", "the time range is empty" },
    { "~0", "the time range is empty" },
    { "~0%", "the time range is empty" },
    { "1~0%", "the time range is empty" },
    { "101%~", "percents" },
    { "~100.1%", "percents" },
    { "5124096h~", "a time is below 2^64" },
    { "200000000000~", "a time is below 2^64" },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    refused_as (selection_time_range, "--time-range", bad[i].text, bad[i].why);

  struct selection all = { 0 };
  uint64_t from, to;
  assert_false (selection_has_times (&all));
  selection_time_bounds (&all, FIRST, LAST, &from, &to);
  assert_true (from == 0 && to == end);
  assert_true (selection_time_range (&all, "1~2", NULL));
  assert_true (selection_has_times (&all) && !selection_needs_last_time (&all));
  assert_true (selection_is_partial (&all));
  assert_true (selection_time_range (&all, "0%~100%", NULL));
  assert_false (selection_has_times (&all) || selection_needs_last_time (&all));
  assert_true (selection_time_range (&all, "1~99%", NULL));
  assert_true (selection_needs_last_time (&all));
  /* A log without events has no span. */
  selection_time_bounds (&all, 50, 50, &from, &to);
  assert_true (from == 50 + s && to == 50);
  selection_clear (&all);
}

TEST (test_names)
{
  struct selection s = { 0 };
  assert_true (selection_accepts_name (NULL, "x"));
  assert_true (selection_accepts_name (&s, NULL));
  assert_false (selection_has_names (&s));
  assert_true (selection_exclude (&s, "^System\\.", NULL));
  assert_true (selection_accepts_name (&s, "My.System.X"));
  assert_false (selection_accepts_name (&s, "System.X"));
  assert_true (selection_filter (&s, "X", NULL));
  assert_true (selection_filter (&s, "(?i)node", NULL));
  assert_true (selection_accepts_name (&s, "Big.NODE"));
  assert_true (selection_accepts_name (&s, "My.X"));
  assert_false (selection_accepts_name (&s, "My.x"));
  assert_false (selection_accepts_name (&s, "System.X"));
  assert_false (selection_accepts_name (&s, NULL));
  /* Bytes that are no UTF-8. */
  assert_true (selection_accepts_name (&s, "\xff\xfeX"));
  assert_true (selection_has_names (&s));
  /* Rows are chosen by names, not events. */
  assert_false (selection_is_partial (&s));
  selection_clear (&s);
  refused (selection_filter, "--filter", "a(b");
  refused (selection_exclude, "--exclude", "[");
}

TEST (test_numbers)
{
  struct selection s = { 0 };
  static const struct {
    const char *text;
    uint64_t bytes;
  } sizes[] = { { "0", 0 },
                { "123", 123 },
                { "1K", 1024 },
                { "1k", 1024 },
                { "3M", 3 << 20 },
                { "1.5K", 1536 },
                { "100KB", 102400 },
                { "2kib", 2048 },
                { "7B", 7 },
                { "2g", UINT64_C (2) << 30 },
                { "17179869183G", UINT64_C (17179869183) << 30 } };
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    assert_true (selection_min_bytes (&s, sizes[i].text, NULL));
    assert_true (s.min_bytes == sizes[i].bytes);
  }
  static const char *const bad_sizes[]
      = { "", "K", "-1", "1T", "1.5", "1KX", "1iB", "x", "17179869184G" };
  for (size_t i = 0; i < G_N_ELEMENTS (bad_sizes); i++)
    refused (selection_min_bytes, "--min-bytes", bad_sizes[i]);
  assert_true (selection_min_time (&s, "2.5ms", NULL));
  assert_true (s.min_ns == 2500000);
  assert_true (selection_min_time (&s, "1", NULL));
  assert_true (s.min_ns == 1000000000);
  refused_as (selection_min_time, "--min-time", "1%",
              "a time is seconds, or a number with ns, us,");
  refused_as (selection_min_time, "--min-time", "6000000h", "a time is below 2^64 ns");
  refused (selection_min_time, "--min-time", "");
  refused (selection_min_time, "--min-time", "-1");
  assert_true (selection_depth (&s, "3", NULL));
  assert_int_equal (s.depth, 3);
  refused_as (selection_depth, "--depth", "0", "a depth of calls is needed, 1 or more");
  refused (selection_depth, "--depth", "-1");
  refused (selection_depth, "--depth", "three");
}

TEST (test_objects)
{
  struct selection s = { 0 };
  assert_false (selection_finds (&s, "Node", 1000));
  assert_false (selection_tracks (&s, 0));
  assert_false (selection_has_objects (&s));
  assert_true (selection_find (&s, "S:2K", NULL));
  assert_true (selection_has_objects (&s));
  assert_false (selection_finds_names (&s));
  assert_true (selection_finds (&s, NULL, 2048));
  assert_true (selection_finds_name (&s, NULL));
  assert_false (selection_finds (&s, "Leaf", 2047));
  /* Either of two names, and the size. */
  assert_true (selection_find (&s, "T:Node", NULL));
  assert_true (selection_find (&s, "T:Tree", NULL));
  assert_true (selection_finds_names (&s));
  assert_true (selection_finds (&s, "My.Node[]", 2048));
  assert_true (selection_finds (&s, "Tree", 4096));
  assert_false (selection_finds (&s, "My.Node[]", 2047));
  assert_false (selection_finds (&s, "Leaf", 2048));
  assert_false (selection_finds (&s, NULL, 2048));
  assert_true (selection_finds_size (&s, 2048));
  /* The smallest of two sizes. */
  assert_true (selection_find (&s, "S:16", NULL));
  assert_true (selection_finds (&s, "Node", 16));
  assert_false (selection_finds (&s, "Node", 15));
  assert_true (selection_track (&s, "0x10,32", NULL));
  assert_true (selection_track (&s, "0x40", NULL));
  assert_true (selection_tracks (&s, 16) && selection_tracks (&s, 32) && selection_tracks (&s, 64));
  assert_false (selection_tracks (&s, 0x32));
  selection_clear (&s);
  static const char *const bad[] = { "", "S", "S:", "S:x", "T:", "Node", "X:1" };
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    refused (selection_find, "--find", bad[i]);
  refused (selection_track, "--track", "");
  refused (selection_track, "--track", "0x");
  refused (selection_track, "--track", "1,,2");
  refused (selection_track, "--track", "7f0012c0");
}
