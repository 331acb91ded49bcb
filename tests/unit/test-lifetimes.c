/* test-lifetimes.c -- loads, names, unloads; ids that are used again. */
#include "config.h"

#include "decoder/mlpd/model/lifetimes.h"
#include "tests/unit/test.h"

enum {
  LOAD = MLPD_LOAD_END_LOAD,
  UNLOAD = MLPD_LOAD_END_UNLOAD,
  NAME = MLPD_LOAD_NAME,
};

static struct lifetimes lifetimes;

static void
begin (void)
{
  lifetimes_init (&lifetimes, false);
}

static void
end (void)
{
  lifetimes_clear (&lifetimes);
}

static const struct lifetime *
lifetime (guint i)
{
  assert_true (i < lifetimes.all->len);
  return g_ptr_array_index (lifetimes.all, i);
}

TEST_WITH (test_life, begin, end)
{
  lifetimes_event (&lifetimes, 1, LOAD, 100, 0, NULL, NULL);
  lifetimes_event (&lifetimes, 2, LOAD, 110, 0, NULL, NULL);
  lifetimes_event (&lifetimes, 1, NAME, 120, 0, "old", NULL);
  lifetimes_event (&lifetimes, 1, NAME, 130, 0, "new", NULL);
  lifetimes_event (&lifetimes, 1, UNLOAD, 140, 0, NULL, NULL);
  assert_int_equal (lifetimes.all->len, 2);
  assert_int_equal (lifetime (0)->id, 1);
  assert_string_equal (lifetime (0)->name, "new");
  assert_true (lifetime (0)->loaded && lifetime (0)->load_time == 100);
  assert_true (lifetime (0)->unloaded && lifetime (0)->unload_time == 140);
  assert_true (lifetime (1)->loaded && !lifetime (1)->unloaded && lifetime (1)->name == NULL);
  assert_int_equal (lifetimes_loaded (&lifetimes), 2);
}

/* Announced again while it lives: the same.  After an unload: another. */
TEST_WITH (test_again, begin, end)
{
  lifetimes_event (&lifetimes, 0x100, LOAD, 100, 0, "a.dll", "mvid-a");
  lifetimes_event (&lifetimes, 0x100, LOAD, 110, 0, "a.dll", NULL);
  lifetimes_event (&lifetimes, 0x100, UNLOAD, 120, 0, "a.dll", NULL);
  lifetimes_event (&lifetimes, 0x100, UNLOAD, 130, 0, "a.dll", NULL);
  lifetimes_event (&lifetimes, 0x100, LOAD, 140, 0, "b.dll", "mvid-b");
  assert_int_equal (lifetimes.all->len, 2);
  assert_true (lifetime (0)->load_time == 100 && lifetime (0)->unload_time == 120);
  assert_string_equal (lifetime (0)->mvid, "mvid-a");
  assert_true (lifetime (1)->load_time == 140 && !lifetime (1)->unloaded);
  assert_string_equal (lifetime (1)->name, "b.dll");
  assert_string_equal (lifetime (1)->mvid, "mvid-b");
}

/* Another thing at its address, where no unload is recorded. */
TEST_WITH (test_another_name, begin, end)
{
  lifetimes_event (&lifetimes, 0x100, LOAD, 100, 0, "a.dll", NULL);
  lifetimes_event (&lifetimes, 0x100, LOAD, 110, 0, "b.dll", NULL);
  assert_int_equal (lifetimes_loaded (&lifetimes), 2);
  assert_string_equal (lifetime (0)->name, "a.dll");
  assert_string_equal (lifetime (1)->name, "b.dll");
}

/* The end of a thing stands before its beginning, in the buffer of another thread; a load after the
 * end is of another thing. */
TEST_WITH (test_end_before_beginning, begin, end)
{
  lifetimes_event (&lifetimes, 1, UNLOAD, 140, 0, NULL, NULL);
  lifetimes_event (&lifetimes, 1, LOAD, 100, 0, "first", NULL);
  lifetimes_event (&lifetimes, 1, LOAD, 110, 0, "first", NULL);
  assert_int_equal (lifetimes.all->len, 1);
  assert_true (lifetime (0)->load_time == 100 && lifetime (0)->unload_time == 140);
  assert_true (lifetime (0)->loaded && lifetime (0)->unloaded);
  lifetimes_event (&lifetimes, 1, LOAD, 141, 0, "second", NULL);
  assert_int_equal (lifetimes.all->len, 2);
  assert_true (lifetime (1)->load_time == 141 && !lifetime (1)->unloaded);
  /* Begun and ended at once, and begun anew at this time. */
  lifetimes_event (&lifetimes, 2, UNLOAD, 150, 0, NULL, NULL);
  lifetimes_event (&lifetimes, 2, LOAD, 150, 0, NULL, NULL);
  assert_int_equal (lifetimes.all->len, 3);
  lifetimes_event (&lifetimes, 2, LOAD, 150, 0, NULL, NULL);
  assert_int_equal (lifetimes.all->len, 4);
}

/* Contexts are numbered in each domain: the domain states which of them it is. */
TEST_WITH (test_owners, begin, end)
{
  lifetimes_clear (&lifetimes);
  lifetimes_init (&lifetimes, true);
  lifetimes_event (&lifetimes, 0, LOAD, 100, 1, NULL, NULL);
  lifetimes_event (&lifetimes, 0, LOAD, 110, 2, NULL, NULL);
  lifetimes_event (&lifetimes, 0, UNLOAD, 120, 2, NULL, NULL);
  lifetimes_event (&lifetimes, 0, LOAD, 130, 2, NULL, NULL);
  assert_int_equal (lifetimes.all->len, 3);
  assert_true (lifetime (0)->owner == 1 && lifetime (0)->load_time == 100
               && !lifetime (0)->unloaded);
  assert_true (lifetime (1)->owner == 2 && lifetime (1)->load_time == 110);
  assert_true (lifetime (1)->unloaded && lifetime (1)->unload_time == 120);
  assert_true (lifetime (2)->owner == 2 && lifetime (2)->load_time == 130
               && !lifetime (2)->unloaded);
}

/* Known only by name or unload: kept, but not counted as loaded.  Starts and errors are no loads.
 */
TEST_WITH (test_parts, begin, end)
{
  lifetimes_event (&lifetimes, 1, NAME, 100, 0, "early", NULL);
  lifetimes_event (&lifetimes, 2, UNLOAD, 100, 9, NULL, NULL);
  lifetimes_event (&lifetimes, 3, MLPD_LOAD_START_LOAD, 100, 0, "x", NULL);
  lifetimes_event (&lifetimes, 3, MLPD_LOAD_START_UNLOAD, 100, 0, "x", NULL);
  lifetimes_event (&lifetimes, 3, MLPD_LOAD_END_LOAD_ERROR, 100, 0, "x", NULL);
  assert_int_equal (lifetimes.all->len, 2);
  assert_int_equal (lifetimes.errors, 1);
  assert_int_equal (lifetimes_loaded (&lifetimes), 0);
  assert_string_equal (lifetime (0)->name, "early");
  assert_int_equal (lifetime (1)->owner, 9);
}
