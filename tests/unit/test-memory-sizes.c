/* test-memory-sizes.c -- parts of the memory from counters; readings that become one. */
#include "config.h"

#include "decoder/mlpd/analyses/memory-sizes.h"
#include "tests/unit/test.h"
#include <string.h>

enum { RESIDENT = 5, FILES = 6, STRANGER = 7 }; /* indices */

static struct memory_sizes sizes;

static void
describe (uint64_t index, uint64_t section, const char *name)
{
  const struct mlpd_counter counter = { .section = section,
                                        .name = { name, strlen (name) },
                                        .type = MLPD_COUNTER_TYPE_ULONG,
                                        .index = index };
  const struct mlpd_sample_counters_desc event = { .counters = { &counter, 1 } };
  memory_sizes_describe (&sizes, &event);
}

static void
begin (void)
{
  memory_sizes_init (&sizes);
  describe (RESIDENT, MLPD_COUNTER_SECTION_PROFILER, MLPD_MEMORY "resident");
  describe (FILES, MLPD_COUNTER_SECTION_PROFILER, MLPD_MEMORY "files");
  describe (STRANGER, MLPD_COUNTER_SECTION_USER, MLPD_MEMORY "nursery");
}

static void
end (void)
{
  memory_sizes_clear (&sizes);
}

static void
update (uint64_t time, uint64_t index, int64_t change, bool counts, bool repeated)
{
  const struct mlpd_counter_value value
      = { .index = index, .type = MLPD_COUNTER_TYPE_ULONG, .number = (uint64_t) change };
  const struct mlpd_sample_counters event = { .values = { &value, 1 } };
  memory_sizes_update (&sizes, &event, time, counts, repeated);
}

static void
expect_range (uint64_t from, uint64_t to, uint64_t least, uint64_t most)
{
  struct memory_reading range;
  assert_true (memory_sizes_in (&sizes, from, to, &range));
  assert_int_equal (range.least, least);
  assert_int_equal (range.parts.bytes[MEMORY_RESIDENT], most);
}

TEST_WITH (test_levels_from_differences, begin, end)
{
  struct memory_reading range;
  assert_false (memory_sizes_in (&sizes, 0, 100, &range));
  update (10, RESIDENT, 50, true, false);
  update (20, RESIDENT, -20, true, false);
  update (30, FILES, 7, true, false);
  update (40, STRANGER, 99, true, false);
  update (50, RESIDENT, 1000, false, false); /* not selected, but the next is a difference */
  update (60, RESIDENT, -1000, true, false);
  assert_int_equal (sizes.readings->len, 4);
  assert_int_equal (sizes.last_time, 60);
  expect_range (0, 100, 30, 50);
  expect_range (25, 28, 30, 30); /* what holds there */
  assert_int_equal (sizes.last.bytes[MEMORY_FILES], 7);
  assert_int_equal (sizes.last.bytes[MEMORY_NURSERY], 0);
  assert_int_equal (memory_sizes_rest (&sizes.last), 23);
  assert_int_equal (memory_sizes_quarter (&sizes, 0), 10);
  assert_int_equal (memory_sizes_quarter (&sizes, 1), 22);
  assert_int_equal (memory_sizes_quarter (&sizes, 4), 60);
}

/* At the beginning of a file the values are repeated; an index may be another counter from there.
 */
TEST_WITH (test_files, begin, end)
{
  update (10, RESIDENT, 50, true, true);
  update (20, RESIDENT, 10, true, false);
  update (30, RESIDENT, 60, true, true);
  update (40, RESIDENT, 1, true, false);
  assert_int_equal (sizes.readings->len, 3);
  expect_range (0, 100, 50, 61);
  describe (RESIDENT, MLPD_COUNTER_SECTION_GC, "Collections");
  update (50, RESIDENT, 1, true, false);
  assert_int_equal (sizes.last_time, 40);
}

/* What does not fit is joined; extremes stay. */
TEST_WITH (test_many_readings, begin, end)
{
  const int n = 3 * MEMORY_READINGS_MAX;
  for (int i = 0; i < n; i++)
    update ((uint64_t) i, RESIDENT,
            i == 0     ? 1000
            : i == 777 ? 5000
            : i == 778 ? -5999
            : i == 779 ? 999
                       : 0,
            true, false);
  assert_true (sizes.readings->len <= MEMORY_READINGS_MAX);
  assert_true (sizes.readings->len >= MEMORY_READINGS_MAX / 4);
  expect_range (0, (uint64_t) n, 1, 6000);
  expect_range (5000, 6000, 1000, 1000);
  assert_int_equal (sizes.last_time, n - 1);
}

/* The runtime may have got more than is resident. */
TEST_WITH (test_rest, begin, end)
{
  struct memory_parts parts = { 0 };
  parts.bytes[MEMORY_RESIDENT] = 100;
  parts.bytes[MEMORY_NURSERY] = 40;
  parts.bytes[MEMORY_OLD] = 30;
  parts.bytes[MEMORY_LARGE] = 20;
  assert_int_equal (memory_sizes_heap (&parts), 90);
  assert_int_equal (memory_sizes_rest (&parts), 10);
  parts.bytes[MEMORY_CODE] = 11;
  assert_int_equal (memory_sizes_rest (&parts), 0);
}
