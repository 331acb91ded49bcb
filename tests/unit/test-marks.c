/* test-marks.c -- marks are counted, and STARTs matched with STOPs; computed by hand. */
#include "config.h"

#include "decoder/core/marks.h"
#include "tests/unit/test.h"
#include <string.h>

static struct marks marks;

static void
add_on (uint64_t thread, const char *name, uint64_t time)
{
  marks_add (&marks,
             &(const struct mark_event){ true, name, strlen (name), { time, thread, true } });
}

static void
add (const char *name, uint64_t time)
{
  add_on (1, name, time);
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
  marks_add (&marks, &(const struct mark_event){ false, "abc", 1, { 40, 1, true } });
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

/* In any order, nested, and without their other ends: 100 to 150; 210 to 220 within 200 to 300. */
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
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  assert_int_equal (all->len, 2);
  check (g_ptr_array_index (all, 0), "x", 3, 50 + 100 + 10, 1);
  check (g_ptr_array_index (all, 1), "y", 1, 100, 1);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}

static const struct mark_interval *
only (GPtrArray *all)
{
  assert_int_equal (all->len, 1);
  return g_ptr_array_index (all, 0);
}

/* Requests of 10 and 30 on two threads, which overlap. */
TEST (test_marks_threads)
{
  marks_init (&marks);
  add_on (1, "START x", 10);
  add_on (2, "START x", 15);
  add_on (1, "STOP x", 20);
  add_on (2, "STOP x", 45);
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  check (only (all), "x", 2, 10 + 30, 0);
  assert_int_equal (only (all)->max_ns, 30);
  assert_int_equal (only (all)->across_threads, 0);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}

/* Thread 1 begins 100 and 110, threads 2 and 3 end them at 150 and 170, in this order: 50 and 60.
 * Thread 4, which has its own from 90 to 180, is not concerned.  The one that thread 5 ends at 95
 * nobody had begun, and the one that it begins at 200 does not end. */
TEST (test_marks_across_threads)
{
  marks_init (&marks);
  add_on (4, "START x", 90);
  add_on (5, "STOP x", 95);
  add_on (1, "START x", 100);
  add_on (1, "START x", 110);
  add_on (2, "STOP x", 150);
  add_on (3, "STOP x", 170);
  add_on (4, "STOP x", 180);
  add_on (5, "START x", 200);
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  check (only (all), "x", 3, 50 + 60 + 90, 2);
  assert_int_equal (only (all)->across_threads, 2);
  assert_int_equal (only (all)->p50_ns, 60);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}

/* Times from 100 to 199 count.  The STOP at 120 is that of 90, and not that of the other thread at
 * 110, which ends later. */
TEST (test_marks_outside)
{
  const struct mark_event events[] = {
    { true, "START x", 7, { 90, 1, false } },  { true, "START x", 7, { 110, 2, true } },
    { true, "STOP x", 6, { 120, 1, true } },   { true, "START x", 7, { 130, 3, true } },
    { true, "STOP x", 6, { 150, 3, true } },   { true, "STOP x", 6, { 210, 2, false } },
    { true, "START y", 7, { 220, 2, false } },
  };
  marks_init (&marks);
  for (size_t i = 0; i < G_N_ELEMENTS (events); i++)
    marks_add (&marks, &events[i]);
  assert_int_equal (marks.count, 4);
  assert_int_equal (marks.all->len, 2);
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  check (only (all), "x", 1, 20, 2);
  marks_clear_intervals (&found);
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
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  assert_int_equal (all->len, 6);
  check (g_ptr_array_index (all, 0), "longest", 1, 11, 0);
  check (g_ptr_array_index (all, 1), "a", 1, 10, 0);
  check (g_ptr_array_index (all, 2), "b", 1, 10, 0);
  check (g_ptr_array_index (all, 3), "c", 1, 10, 0);
  check (g_ptr_array_index (all, 4), "none", 1, 0, 0);
  check (g_ptr_array_index (all, 5), "open", 0, 0, 1);
  assert_int_equal (((const struct mark_interval *) all->pdata[5])->p99_ns, 0);
  marks_clear_intervals (&found);
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
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  const struct mark_interval *x = g_ptr_array_index (all, 0);
  check (x, "x", 200, 200 * 201 / 2, 0);
  assert_int_equal (x->p50_ns, 100);
  assert_int_equal (x->p90_ns, 180);
  assert_int_equal (x->p99_ns, 198);
  assert_int_equal (x->max_ns, 200);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}

static void
add_number (const char *prefix, guint number, uint64_t time)
{
  g_autofree char *name = g_strdup_printf ("%s%u", prefix, number);
  add (name, time);
}

static const struct mark *
find (const char *name)
{
  const struct mark *found = NULL;
  for (guint i = 0; i < marks.all->len; i++)
    if (strcmp (((const struct mark *) g_ptr_array_index (marks.all, i))->name, name) == 0)
      found = g_ptr_array_index (marks.all, i);
  return found;
}

/* More different names than had a place once: all are listed. */
TEST (test_marks_many)
{
  marks_init (&marks);
  for (guint i = 0; i < 10000; i++)
    add_number ("START ", i, i);
  for (guint i = 0; i < 10000; i++)
    add_number ("STOP ", i, 10000 + 2 * i);
  assert_int_equal (marks.all->len, 20000);
  assert_int_equal (marks.others, 0);
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  assert_int_equal (all->len, 10000);
  check (g_ptr_array_index (all, 0), "9999", 1, 10000 + 9999, 0);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}

/* One name comes 300 times after twice as many others as there is room for, and one 500 times
 * before: both are listed, with their counts; the rest is counted. */
TEST (test_marks_limit)
{
  const guint n = 2 * MARK_NAMES_MAX;
  marks_init (&marks);
  for (guint i = 0; i < 500; i++)
    add ("early", i);
  for (guint i = 0; i < n; i++)
    add_number ("START ", i, 1000 + i);
  for (guint i = 0; i < 300; i++) {
    add ("late", 2 * n + 2 * i);
    add ("START late", 2 * n + 2 * i);
    add ("STOP late", 2 * n + 2 * i + 1);
  }
  assert_int_equal (marks.count, 500 + n + 900);
  assert_true (marks.all->len <= MARK_NAMES_MAX);
  uint64_t listed = 0;
  for (guint i = 0; i < marks.all->len; i++)
    listed += ((const struct mark *) g_ptr_array_index (marks.all, i))->count;
  assert_int_equal (listed + marks.others, marks.count);
  assert_int_equal (find ("early")->count, 500);
  assert_int_equal (find ("late")->count, 300);
  assert_true (marks.missing_at_most > 0 && marks.missing_at_most < 10);
  struct mark_intervals found;
  marks_measure (&marks, &found);
  GPtrArray *all = found.all;
  check (g_ptr_array_index (all, 0), "late", 300, 300, 0);
  assert_int_equal (all->len - 1 + marks.edges.lost, n);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}

static bool
is_wanted (const void *data, const char *name)
{
  return strstr (name, data) != NULL;
}

/* All that are wanted are listed, wherever they are, however rare, and whatever else there is. */
TEST (test_marks_wanted)
{
  marks_init (&marks);
  marks_choose (&marks, (struct mark_choice){ is_wanted, "hot" });
  add ("hot early", 1);
  for (guint i = 0; i < 3 * MARK_NAMES_MAX; i++) {
    add_number ("START ", i, i);
    if (i % 1000 == 0)
      add_number ("START hot ", i, i);
  }
  const guint wanted = 1 + (3 * MARK_NAMES_MAX + 999) / 1000;
  guint found = 0;
  for (guint i = 0; i < marks.all->len; i++)
    found += strstr (((const struct mark *) g_ptr_array_index (marks.all, i))->name, "hot") != NULL;
  assert_int_equal (found, wanted);
  assert_int_equal (marks.missing_at_most, 0);
  assert_int_equal (marks.others, 0);
  assert_int_equal (marks.edges.lost, 0);
  assert_int_equal (marks.count, 3 * MARK_NAMES_MAX + wanted);
  found = 0;
  struct mark_intervals intervals;
  marks_measure (&marks, &intervals);
  GPtrArray *all = intervals.all;
  for (guint i = 0; i < all->len; i++)
    found += strstr (((const struct mark_interval *) all->pdata[i])->name, "hot") != NULL;
  assert_int_equal (found, wanted - 1);
  marks_clear_intervals (&intervals);
  marks_clear (&marks);
}

/* Thread 1: a from 100 to 200 has b from 110 to 150, which has c from 120 to 130, and b from 160 to
 * 170.  Thread 2: a from 180 to 260.  Nobody covers 200 to 180. */
TEST (test_marks_self)
{
  struct mark_intervals found;
  marks_init (&marks);
  add_on (1, "START a", 100);
  add_on (1, "B:b", 110);
  add_on (1, "START c", 120);
  add_on (1, "STOP c", 130);
  add_on (1, "E:b", 150);
  add_on (1, "START b", 160);
  add_on (1, "STOP b", 170);
  add_on (2, "START a", 180);
  add_on (1, "STOP a", 200);
  add_on (2, "STOP a", 260);
  add_on (1, "B:", 300); /* no name */
  marks_measure (&marks, &found);
  assert_int_equal (found.all->len, 3);
  const struct mark_interval *a = found.all->pdata[0], *b = found.all->pdata[1],
                             *c = found.all->pdata[2];
  check (a, "a", 2, 180, 0);
  assert_int_equal (a->self_ns, 180 - 40 - 10);
  check (b, "b", 2, 50, 0);
  assert_int_equal (b->self_ns, 40);
  check (c, "c", 1, 10, 0);
  assert_int_equal (c->self_ns, 10);
  /* Thread 2 has the longest a, of 80, and thread 1 one of 50 without b; b is on thread 1 only. */
  assert_int_equal (a->threads, 2);
  assert_int_equal (a->slowest.thread, 2);
  assert_int_equal (marks_share_average (&a->slowest), 80);
  assert_int_equal (a->second.thread, 1);
  assert_int_equal (marks_share_average (&a->second), 50);
  assert_int_equal (b->threads, 1);
  assert_int_equal (b->slowest.count, 2);
  assert_int_equal (marks_share_average (&b->slowest), 20);
  assert_int_equal (marks_share_average (&b->second), 0);
  assert_int_equal (found.covered_ns, 160);
  assert_int_equal (found.threads->len, 2);
  const struct mark_thread *threads = (const struct mark_thread *) (void *) found.threads->data;
  assert_int_equal (threads[0].covered_ns, 100);
  assert_int_equal (threads[0].count, 4);
  assert_int_equal (threads[1].covered_ns, 80);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}

static void
add_span (uint64_t thread, uint64_t number, const char *name, uint64_t time)
{
  const struct mark_time at = { time, thread, true };
  marks_add_span (&marks, number, name, name != NULL ? strlen (name) : 0, &at);
}

/* Spans by number: two of a name at a time in one thread, which do not nest; an end that comes
 * before its begin, one without, and a begin without. */
TEST (test_marks_spans)
{
  struct mark_intervals found;
  marks_init (&marks);
  add_span (1, 1, "q", 100);
  add_span (1, 2, "q", 110);
  add_span (1, 1, NULL, 120);
  add_span (1, 2, NULL, 150);
  add_span (2, 3, NULL, 300);
  add_span (1, 3, "r", 200);
  add_span (1, 4, "r", 400);
  add_span (1, 5, NULL, 410);
  marks_measure (&marks, &found);
  assert_int_equal (found.all->len, 3);
  check (found.all->pdata[0], "r", 1, 100, 1);
  assert_int_equal (((const struct mark_interval *) found.all->pdata[0])->across_threads, 1);
  check (found.all->pdata[1], "q", 2, 20 + 40, 0);
  check (found.all->pdata[2], "(unknown)", 0, 0, 1);
  marks_clear_intervals (&found);
  marks_clear (&marks);
}
