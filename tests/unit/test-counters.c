/* test-counters.c -- values from differences, extremes, series that stay short. */
#include "config.h"

#include "decoder/mlpd/analyses/counters.h"
#include "tests/unit/test.h"
#include <string.h>

enum {
  INT = MLPD_COUNTER_TYPE_INT,
  UINT = MLPD_COUNTER_TYPE_UINT,
  LONG = MLPD_COUNTER_TYPE_LONG,
  DOUBLE = MLPD_COUNTER_TYPE_DOUBLE,
  STRING = MLPD_COUNTER_TYPE_STRING,
  INTERVAL = MLPD_COUNTER_TYPE_TIME_INTERVAL,
};

static struct counters counters;

static void
begin (void)
{
  counters_init (&counters);
}

static void
end (void)
{
  counters_clear (&counters);
}

static void
describe (uint64_t section, const char *section_name, const char *name, uint64_t type,
          uint64_t index)
{
  const struct mlpd_counter counter
      = { .section = section,
          .section_name = { section_name, section_name != NULL ? strlen (section_name) : 0 },
          .name = { name, strlen (name) },
          .type = type,
          .unit = MLPD_COUNTER_UNIT_TIME,
          .variance = MLPD_COUNTER_VARIANCE_MONOTONIC,
          .index = index };
  const struct mlpd_sample_counters_desc event = { .counters = { &counter, 1 } };
  counters_describe (&counters, &event);
}

static void
update_one (uint64_t time, struct mlpd_counter_value value)
{
  const struct mlpd_sample_counters event = { .values = { &value, 1 } };
  counters_update (&counters, &event, time);
}

static void
update (uint64_t time, uint64_t index, uint64_t type, uint64_t difference)
{
  update_one (time, (struct mlpd_counter_value){ index, type, difference, { NULL, 0 } });
}

static void
update_real (uint64_t time, uint64_t index, double real)
{
  struct mlpd_counter_value value = { .index = index, .type = DOUBLE };
  memcpy (&value.number, &real, sizeof real);
  update_one (time, value);
}

static void
update_text (uint64_t time, uint64_t index, const char *text)
{
  update_one (time, (struct mlpd_counter_value){
                        index, STRING, 0, { text, text != NULL ? strlen (text) : 0 } });
}

static const struct counter *
counter (guint i)
{
  return g_ptr_array_index (counters.all, i);
}

static const struct counter_point *
point (const struct counter *c, guint i)
{
  assert_true (i < c->points->len);
  return &g_array_index (c->points, struct counter_point, i);
}

/* 10, 10 - 15 = -5, -5 + 7 = 2 */
TEST_WITH (test_signed, begin, end)
{
  describe (MLPD_COUNTER_SECTION_GC, NULL, "depth", INT, 1);
  assert_int_equal (counter (0)->updates, 0);
  update (100, 1, INT, 10);
  update (200, 1, INT, (uint64_t) -15);
  update (300, 1, INT, 7);
  const struct counter *c = counter (0);
  assert_int_equal (counters.all->len, 1);
  assert_int_equal (c->updates, 3);
  assert_true (c->last.value.change == 2 && c->last.time == 300);
  assert_true (c->min.change == -5 && c->max.change == 10);
  assert_int_equal (c->points->len, 3);
  assert_true (point (c, 0)->value.change == 10 && point (c, 0)->time == 100);
  assert_true (point (c, 1)->value.change == -5 && point (c, 1)->time == 200);
  assert_string_equal (counter_section (c), "Mono GC");
  assert_string_equal (c->name, "depth");
}

/* Modulo 2^64: from 5 down to 2^64 - 1, which is the largest of unsigned numbers. */
TEST_WITH (test_unsigned, begin, end)
{
  describe (MLPD_COUNTER_SECTION_JIT, NULL, "bytes", UINT, 1);
  update (1, 1, UINT, 5);
  update (2, 1, UINT, (uint64_t) -6);
  assert_true (counter (0)->last.value.number == UINT64_MAX);
  assert_true (counter (0)->min.number == 5 && counter (0)->max.number == UINT64_MAX);
}

TEST_WITH (test_doubles_and_texts, begin, end)
{
  describe (MLPD_COUNTER_SECTION_SYSTEM, NULL, "load", DOUBLE, 1);
  describe (MLPD_COUNTER_SECTION_SYSTEM, NULL, "state", STRING, 2);
  update_real (1, 1, 0.5);
  update_real (2, 1, 0.25);
  update_real (3, 1, -0.125);
  update_text (1, 2, "up");
  update_text (2, 2, NULL);
  update_text (3, 2, "down");
  assert_true (counter (0)->last.value.real == -0.125);
  assert_true (counter (0)->min.real == -0.125 && counter (0)->max.real == 0.5);
  assert_string_equal (counter (1)->last.value.text, "down");
  assert_string_equal (point (counter (1), 0)->value.text, "up");
  assert_null (point (counter (1), 1)->value.text);
}

/* Counters of the program are written as they are. */
TEST_WITH (test_user, begin, end)
{
  describe (MLPD_COUNTER_SECTION_USER, "Shop", "orders", LONG, 1);
  update (1, 1, LONG, 10);
  update (2, 1, LONG, 12);
  assert_true (counter (0)->last.value.change == 12);
  assert_string_equal (counter_section (counter (0)), "Shop");
}

/* A description that is repeated changes nothing, another one makes another counter.  Values may
 * come before it. */
TEST_WITH (test_descriptions, begin, end)
{
  update (1, 1, INT, 4);
  assert_false (counter (0)->described);
  assert_null (counter_section (counter (0)));
  describe (MLPD_COUNTER_SECTION_GC, NULL, "a", INT, 1);
  update (2, 1, INT, 3);
  describe (MLPD_COUNTER_SECTION_GC, NULL, "a", INT, 1);
  update (3, 1, INT, 2);
  describe (MLPD_COUNTER_SECTION_GC, NULL, "b", INT, 1);
  update (4, 1, INT, 100);
  assert_int_equal (counters.all->len, 2);
  assert_true (counter (0)->last.value.change == 9 && counter (0)->updates == 3);
  assert_true (counter (1)->last.value.change == 100 && counter (1)->updates == 1);
  assert_string_equal (counter (1)->name, "b");
}

/* Values of another type than the description's begin anew. */
TEST_WITH (test_other_types, begin, end)
{
  describe (MLPD_COUNTER_SECTION_GC, NULL, "odd", STRING, 1);
  update_text (1, 1, "text");
  update (2, 1, INT, 5);
  assert_int_equal (counter_kind_of (counter (0)), COUNTER_SIGNED);
  assert_int_equal (counter (0)->updates, 1);
  assert_true (counter (0)->last.value.change == 5);
  update_text (3, 1, "again");
  assert_string_equal (counter (0)->last.value.text, "again");
  /* An index that is described as another type than its values had is another counter. */
  update (4, 2, INT, 5);
  describe (MLPD_COUNTER_SECTION_GC, NULL, "two", STRING, 2);
  assert_int_equal (counters.all->len, 3);
}

/* The 512 points are full after the updates 0 to 511.  With update 512 the odd ones go: it is point
 * 256, and only every second one follows.  Update 1024 = 2 * 512 finds 512 points again. */
TEST_WITH (test_series, begin, end)
{
  describe (MLPD_COUNTER_SECTION_GC, NULL, "ticks", INT, 1);
  describe (MLPD_COUNTER_SECTION_GC, NULL, "tocks", STRING, 2);
  const struct counter *c = counter (0);
  for (guint i = 0; i < 2000; i++) {
    update (i, 1, INT, i == 0 ? 0 : 1);
    char text[16];
    g_snprintf (text, sizeof text, "%u", i);
    update_text (i, 2, text);
    if (i == 511)
      assert_int_equal (c->points->len, 512);
    if (i == 512 || i == 513)
      assert_int_equal (c->points->len, 257);
    if (i == 1023)
      assert_int_equal (c->points->len, 512);
    if (i == 1024)
      assert_int_equal (c->points->len, 257);
  }
  assert_int_equal (c->stride, 4);
  assert_int_equal (c->points->len, 500);
  for (guint i = 0; i < 500; i++) {
    assert_int_equal (point (c, i)->time, 4 * i);
    assert_true (point (c, i)->value.change == 4 * i);
  }
  assert_true (c->last.time == 1999 && c->last.value.change == 1999 && c->updates == 2000);
  assert_string_equal (point (counter (1), 499)->value.text, "1996");
}

TEST_WITH (test_times, begin, end)
{
  describe (MLPD_COUNTER_SECTION_GC, NULL, "a", LONG, 1);
  describe (MLPD_COUNTER_SECTION_GC, NULL, "b", INTERVAL, 2);
  describe (MLPD_COUNTER_SECTION_GC, NULL, "c", INT, 3);
  describe (MLPD_COUNTER_SECTION_GC, NULL, "d", MLPD_COUNTER_TYPE_ULONG, 4);
  static const struct {
    uint64_t ns;
    const char *unit;
  } expected[] = { { 100, "100ns" }, { 1000, "us" }, { 0, "time" }, { 100, "100ns" } };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    assert_int_equal (counter_ns (counter (i)), expected[i].ns);
    assert_string_equal (counter_unit (counter (i)), expected[i].unit);
  }
}
