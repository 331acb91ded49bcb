/* test-marks.c -- marks are counted, and STARTs matched with STOPs; computed by hand. */
#include "config.h"

#include "decoder/core/marks.h"
#include "tests/unit/test.h"
#include <string.h>

static struct marks marks;

static void
add (const char *name, uint64_t time)
{
  marks_add (&marks, true, name, strlen (name), time);
}

static void
check (const struct mark_interval *i, const char *name, uint64_t count, uint64_t total,
       uint64_t unfinished)
{
  assert_string_equal (i->name, name);
  assert_int_equal (i->count, count);
  assert_int_equal (i->total_ns, total);
  assert_int_equal (i->unfinished, unfinished);
}

TEST (test_marks_names)
{
  marks_init (&marks);
  add ("b", 30);
  add ("a", 20);
  add ("b", 10);
  marks_add (&marks, false, "abc", 1, 40);
  assert_int_equal (marks.count, 4);
  assert_int_equal (marks.all->len, 3);
  const struct mark *b = g_ptr_array_index (marks.all, 0);
  assert_string_equal (b->name, "b");
  assert_int_equal (b->count, 2);
  assert_int_equal (b->first, 10);
  assert_int_equal (b->last, 30);
  const struct mark *a = g_ptr_array_index (marks.all, 2);
  assert_string_equal (a->name, "a");
  assert_false (a->is_message);
  marks_clear (&marks);
}

/* In any order, nested, and without their other ends. */
TEST (test_marks_intervals)
{
  marks_init (&marks);
  add ("STOP x", 150);
  add ("START x", 100);
  add ("START x", 200);
  add ("START y", 205);
  add ("START x", 210);
  add ("STOP x", 220);
  add ("STOP x", 300);
  add ("STOP x", 310);
  add ("STOP y", 305);
  add ("START y", 400);
  add ("STARTLE", 500);
  GPtrArray *all = marks_intervals (&marks);
  assert_int_equal (all->len, 2);
  check (g_ptr_array_index (all, 0), "x", 2, 50 + 100, 1);
  check (g_ptr_array_index (all, 1), "y", 1, 100, 1);
  g_ptr_array_unref (all);
  marks_clear (&marks);
}

/* Those that are as long by name; one without an end is none, and has no percentiles. */
TEST (test_marks_order)
{
  static const char *const names[] = { "b", "c", "a", "longest", "none" };
  static const uint64_t ends[] = { 30, 30, 30, 31, 20 };
  marks_init (&marks);
  add ("START open", 5);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    char *start = g_strconcat ("START ", names[i], NULL),
         *stop = g_strconcat ("STOP ", names[i], NULL);
    add (start, 20);
    add (stop, ends[i]);
    g_free (start);
    g_free (stop);
  }
  GPtrArray *all = marks_intervals (&marks);
  assert_int_equal (all->len, 6);
  check (g_ptr_array_index (all, 0), "longest", 1, 11, 0);
  check (g_ptr_array_index (all, 1), "a", 1, 10, 0);
  check (g_ptr_array_index (all, 2), "b", 1, 10, 0);
  check (g_ptr_array_index (all, 3), "c", 1, 10, 0);
  check (g_ptr_array_index (all, 4), "none", 1, 0, 0);
  check (g_ptr_array_index (all, 5), "open", 0, 0, 1);
  assert_int_equal (((const struct mark_interval *) all->pdata[5])->p99_ns, 0);
  g_ptr_array_unref (all);
  marks_clear (&marks);
}

/* Of 1, 2, ... 200 ns. */
TEST (test_marks_percentiles)
{
  marks_init (&marks);
  for (uint64_t i = 200; i > 0; i--) {
    add ("START x", i * 1000);
    add ("STOP x", i * 1000 + i);
  }
  GPtrArray *all = marks_intervals (&marks);
  const struct mark_interval *x = g_ptr_array_index (all, 0);
  check (x, "x", 200, 200 * 201 / 2, 0);
  assert_int_equal (x->p50_ns, 100);
  assert_int_equal (x->p90_ns, 180);
  assert_int_equal (x->p99_ns, 198);
  assert_int_equal (x->max_ns, 200);
  g_ptr_array_unref (all);
  marks_clear (&marks);
}

TEST (test_marks_limit)
{
  marks_init (&marks);
  for (guint i = 0; i < MARK_NAMES_MAX + 5; i++) {
    char *name = g_strdup_printf ("START %u", i);
    add (name, i);
    g_free (name);
  }
  assert_int_equal (marks.count, MARK_NAMES_MAX + 5);
  assert_int_equal (marks.others, 5);
  assert_int_equal (marks.lost_edges, 5);
  marks_clear (&marks);
}
