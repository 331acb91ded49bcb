/* test-units.c -- sizes and times of options, by the units that the manual lists. */
#include "config.h"

#include "tests/unit/test.h"

#include <proflog/module-options.h>

#define KB UINT64_C (1024)
#define SECOND UINT64_C (1000000000)

static void
expect_time (const char *text, enum proflog_parsed parsed, uint64_t ns)
{
  uint64_t value = 0;
  assert_int_equal (proflog_parse_time_ns (text, &value), parsed);
  assert_int_equal (value, ns);
}

static void
expect_bytes (const char *text, enum proflog_parsed parsed, uint64_t bytes)
{
  uint64_t value = 0;
  assert_int_equal (proflog_parse_bytes (text, &value), parsed);
  assert_int_equal (value, bytes);
}

TEST (times)
{
  expect_time ("0", PROFLOG_PARSED, 0);
  expect_time ("2", PROFLOG_PARSED, 2 * SECOND);
  expect_time ("1.5", PROFLOG_PARSED, 1500000000);
  expect_time (".25s", PROFLOG_PARSED, 250000000);
  expect_time ("7ns", PROFLOG_PARSED, 7);
  expect_time ("7us", PROFLOG_PARSED, 7000);
  expect_time ("7ms", PROFLOG_PARSED, 7000000);
  expect_time ("2min", PROFLOG_PARSED, 120 * SECOND);
  expect_time ("3m", PROFLOG_PARSED, 180 * SECOND);
  expect_time ("2h", PROFLOG_PARSED, 7200 * SECOND);
  for (const char *const *text
       = (const char *const[]){ "", ".", "s", "-1", "+1", " 1", "1 s", "1mi", "1S", "1e3", "0x1",
                                "1.2.3", "18446744073709551616", NULL };
       *text != NULL; text++)
    expect_time (*text, PROFLOG_NO_QUANTITY, 0);
  expect_time ("18446744073709551615", PROFLOG_TOO_LARGE, 0);
  expect_time ("18446744073709551615ns", PROFLOG_PARSED, UINT64_MAX);
}

TEST (sizes)
{
  expect_bytes ("5", PROFLOG_PARSED, 5);
  expect_bytes ("5B", PROFLOG_PARSED, 5);
  expect_bytes ("5b", PROFLOG_PARSED, 5);
  expect_bytes ("3k", PROFLOG_PARSED, 3 * KB);
  expect_bytes ("3KB", PROFLOG_PARSED, 3 * KB);
  expect_bytes ("3KiB", PROFLOG_PARSED, 3 * KB);
  expect_bytes ("3m", PROFLOG_PARSED, 3 * KB * KB);
  expect_bytes ("3gib", PROFLOG_PARSED, 3 * KB * KB * KB);
  expect_bytes ("1.5K", PROFLOG_PARSED, 1536);
  for (const char *const *text
       = (const char *const[]){ "", "1.5", "1.5B", "5iB", "5T", "5Kb/s", "5 K", "-5", NULL };
       *text != NULL; text++)
    expect_bytes (*text, PROFLOG_NO_QUANTITY, 0);
  expect_bytes ("18446744073709551615K", PROFLOG_TOO_LARGE, 0);
}

/* Options of the module have the same units, and limits; a time has a unit. */
TEST (options)
{
  uint64_t value = 0;
  assert_true (proflog_parse_size ("64k", 1, UINT64_MAX, &value));
  assert_int_equal (value, 64 * KB);
  assert_true (proflog_parse_size ("64K", 64 * KB, 64 * KB, &value));
  assert_true (proflog_parse_size ("2G", 1, UINT64_MAX, &value));
  assert_int_equal (value, 2 * KB * KB * KB);
  assert_false (proflog_parse_size ("64k", 64 * KB + 1, UINT64_MAX, &value));
  assert_false (proflog_parse_size ("64k", 1, 64 * KB - 1, &value));
  assert_true (proflog_parse_size ("64m", 64 * KB * KB, 64 * KB * KB, &value));
  assert_true (proflog_parse_size ("64KiB", 64 * KB, 64 * KB, &value));
  assert_true (proflog_parse_size ("1.5K", 1536, 1536, &value));
  assert_true (proflog_parse_size ("4294967296", 1, UINT64_MAX, &value));
  assert_int_equal (value, 4294967296);
  assert_false (proflog_parse_size ("64Kx", 1, UINT64_MAX, &value));
  assert_true (proflog_parse_time_ms ("90s", 0, UINT64_MAX, &value));
  assert_int_equal (value, 90000);
  assert_true (proflog_parse_time_ms ("5min", 0, UINT64_MAX, &value));
  assert_int_equal (value, 300000);
  assert_true (proflog_parse_time_ms ("1.5s", 1500, 1500, &value));
  assert_true (proflog_parse_time_ms ("1us", 0, UINT64_MAX, &value));
  assert_int_equal (value, 1); /* and not 0, which stands for something else */
  assert_true (proflog_parse_time_ms ("5m", 300000, 300000, &value));
  assert_false (proflog_parse_time_ms ("5", 0, UINT64_MAX, &value));
  assert_false (proflog_parse_time_ms ("2h", 0, 3600 * 1000, &value));
  assert_int_equal (value, 300000);
}

static void
expect_calls (const char *text, uint64_t threshold_ns, bool skips_inlinable, bool is_exact)
{
  struct proflog_calls_mode mode;
  assert_true (proflog_parse_calls (text, &mode));
  assert_int_equal (mode.threshold_ns, threshold_ns);
  assert_int_equal (mode.skips_inlinable, skips_inlinable);
  assert_int_equal (mode.is_exact, is_exact);
}

TEST (calls)
{
  expect_calls ("", 0, false, false);
  expect_calls ("1ns", 1, false, false);
  expect_calls ("10us", 10000, false, false);
  expect_calls ("3ms", 3000000, false, false);
  expect_calls ("3600s", 3600 * SECOND, false, false);
  expect_calls ("1.5us", 1500, false, false);
  expect_calls ("1min", 60 * SECOND, false, false);
  expect_calls ("auto", 0, true, false);
  expect_calls ("10us+auto", 10000, true, false);
  expect_calls ("auto+10us", 10000, true, false);
  expect_calls ("10us+exact", 10000, false, true);
  expect_calls ("exact+auto+10us", 10000, true, true);
  for (const char *const *text
       = (const char *const[]){ "10", "0ns", "3601s", "61min", "1.1h", "10us+", "+10us", "+",
                                "10us+20us", "auto+auto", "10us+exact+exact", "exact", "exact+auto",
                                "10us,auto", "AUTO", "10us +auto", NULL };
       *text != NULL; text++) {
    struct proflog_calls_mode mode;
    assert_false (proflog_parse_calls (*text, &mode));
  }
}

static void
expect_heapshot (const char *text, enum proflog_heapshot_when when, uint32_t interval)
{
  struct proflog_heapshot_mode mode;
  assert_true (proflog_parse_heapshot (text, &mode));
  assert_int_equal (mode.when, when);
  assert_int_equal (mode.interval, interval);
}

TEST (heapshots)
{
  expect_heapshot ("", PROFLOG_HEAPSHOT_MAJOR, 1);
  expect_heapshot ("100ms", PROFLOG_HEAPSHOT_MS, 100);
  expect_heapshot ("1s", PROFLOG_HEAPSHOT_MS, 1000);
  expect_heapshot ("1.5min", PROFLOG_HEAPSHOT_MS, 90000);
  expect_heapshot ("5gc", PROFLOG_HEAPSHOT_GC, 5);
  expect_heapshot ("ondemand", PROFLOG_HEAPSHOT_ON_DEMAND, 1);
  expect_heapshot ("auto", PROFLOG_HEAPSHOT_AUTO, PROFLOG_HEAPSHOT_AUTO_MS);
  for (const char *const *text = (const char *const[]){ "5", "0ms", "0gc", "-5ms", "gc", "s", "5 s",
                                                        "4294967296ms", "1200h", "5gcx", NULL };
       *text != NULL; text++) {
    struct proflog_heapshot_mode mode;
    assert_false (proflog_parse_heapshot (*text, &mode));
  }
}
