/* test-figure.c -- figures with units, single and in columns. */
#include "config.h"

#include "decoder/output/figure.h"
#include "tests/unit/test.h"

#define S UINT64_C (1000000000)

static void
check (enum figure_unit unit, uint64_t figure, const char *expected)
{
  g_autofree char *text = figure_text (unit, figure);
  assert_string_equal (text, expected);
}

TEST (test_bytes)
{
  check (FIGURE_BYTES, 0, "0 B");
  check (FIGURE_BYTES, 999, "999 B");
  check (FIGURE_BYTES, 60588, "60.6 kB");
  check (FIGURE_BYTES, 12560792, "12.6 MB");
}

TEST (test_counts)
{
  check (FIGURE_COUNT, 0, "0");
  check (FIGURE_COUNT, 999499, "999499");
  check (FIGURE_COUNT, 1000000, "1.00 M");
  check (FIGURE_COUNT, 2160000, "2.16 M");
  check (FIGURE_COUNT, 21640000, "21.6 M");
  check (FIGURE_COUNT, 216400000, "216 M");
  check (FIGURE_COUNT, 999600000, "1.00 G");
  check (FIGURE_COUNT, UINT64_MAX, "18446744 T");
}

TEST (test_times)
{
  check (FIGURE_NS, 0, "0 ns");
  check (FIGURE_NS, 999, "999 ns");
  check (FIGURE_NS, 904600, "905 us");
  check (FIGURE_NS, 999900, "1.00 ms");
  check (FIGURE_NS, 31469000, "31.5 ms");
  check (FIGURE_NS, 1240 * S / 1000, "1.24 s");
  check (FIGURE_NS, 59 * S + S * 4 / 10, "59.4 s");
  check (FIGURE_NS, 59 * S + S * 6 / 10, "1 min 0 s");
  check (FIGURE_NS, UINT64_C (116875073000), "1 min 57 s");
  check (FIGURE_NS, 3599 * S + S * 6 / 10, "1 h 0 min");
  check (FIGURE_NS, 7384 * S, "2 h 3 min");
}

/* A column with this largest figure: its head, and another figure of it. */
static void
check_column (enum figure_unit unit, uint64_t largest, const char *label, const char *head,
              uint64_t figure, const char *expected)
{
  const struct figure_scale scale = figure_choose_scale (unit, largest);
  g_autofree char *with_unit = figure_head (unit, &scale, label);
  g_autofree char *text = figure_scaled_text (unit, &scale, figure);
  assert_string_equal (with_unit, head);
  assert_string_equal (text, expected);
}

TEST (test_columns)
{
  check_column (FIGURE_BYTES, 999999, "Bytes", "Bytes", 4096, "4096");
  check_column (FIGURE_BYTES, 1000000, "Bytes", "MB", 12560792, "12.560");
  check_column (FIGURE_BYTES, 5 * S, "Max bytes", "Max GB", 1, "1 B");
  check_column (FIGURE_BYTES, 5 * S, "Bytes", "GB", 999999, "1.0 MB");
  check_column (FIGURE_BYTES, 5 * S, "Bytes", "GB", 1000000, "0.001");
  check_column (FIGURE_BYTES, 5 * S, "Bytes", "GB", 0, "0.000");
  check_column (FIGURE_BYTES, 5 * S, "Retained", "Retained GB", 2 * S, "2.000");
  check_column (FIGURE_COUNT, 10 * S - 1, "Calls", "Calls", 7, "7");
  check_column (FIGURE_COUNT, 10 * S, "Calls", "Calls, G", 2160000000, "2.160");
  check_column (FIGURE_NS, 10 * S - 1, "Self ms", "Self ms", 31469999, "31.469");
  check_column (FIGURE_NS, 10 * S, "Self ms", "Self s", 31469999, "0.031");
  check_column (FIGURE_NS, 10 * S, "Self ms", "Self s", 314699, "315 us");
  check_column (FIGURE_NS, 1, "Time", "Time ms", 1000000, "1.000");
  check_column (FIGURE_NS, 20 * S, "ms", "s", 20 * S, "20.000");
}
