/* test-lives.c -- loads, names, unloads; ids that are used again. */
#include "decoder/analyses/lives.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
  LOAD = MLPD_LOAD_END_LOAD,
  UNLOAD = MLPD_LOAD_END_UNLOAD,
  NAME = MLPD_LOAD_NAME,
};

static struct lives lives;

static int
begin (void **state)
{
  (void) state;
  lives_init (&lives, false);
  return 0;
}

static int
end (void **state)
{
  (void) state;
  lives_clear (&lives);
  return 0;
}

static const struct life *
life (guint i)
{
  assert_true (i < lives.all->len);
  return g_ptr_array_index (lives.all, i);
}

static void
test_life (void **state)
{
  (void) state;
  lives_event (&lives, 1, LOAD, 100, 0, NULL, NULL);
  lives_event (&lives, 2, LOAD, 110, 0, NULL, NULL);
  lives_event (&lives, 1, NAME, 120, 0, "old", NULL);
  lives_event (&lives, 1, NAME, 130, 0, "new", NULL);
  lives_event (&lives, 1, UNLOAD, 140, 0, NULL, NULL);
  assert_int_equal (lives.all->len, 2);
  assert_int_equal (life (0)->id, 1);
  assert_string_equal (life (0)->name, "new");
  assert_true (life (0)->loaded && life (0)->load_time == 100);
  assert_true (life (0)->unloaded && life (0)->unload_time == 140);
  assert_true (life (1)->loaded && !life (1)->unloaded && life (1)->name == NULL);
  assert_int_equal (lives_loaded (&lives), 2);
}

/* Announced again while it lives: the same.  After an unload: another. */
static void
test_again (void **state)
{
  (void) state;
  lives_event (&lives, 0x100, LOAD, 100, 0, "a.dll", "mvid-a");
  lives_event (&lives, 0x100, LOAD, 110, 0, "a.dll", NULL);
  lives_event (&lives, 0x100, UNLOAD, 120, 0, "a.dll", NULL);
  lives_event (&lives, 0x100, UNLOAD, 130, 0, "a.dll", NULL);
  lives_event (&lives, 0x100, LOAD, 140, 0, "b.dll", "mvid-b");
  assert_int_equal (lives.all->len, 2);
  assert_true (life (0)->load_time == 100 && life (0)->unload_time == 120);
  assert_string_equal (life (0)->mvid, "mvid-a");
  assert_true (life (1)->load_time == 140 && !life (1)->unloaded);
  assert_string_equal (life (1)->name, "b.dll");
  assert_string_equal (life (1)->mvid, "mvid-b");
}

/* Contexts are numbered in each domain: the domain tells which of them it is. */
static void
test_owners (void **state)
{
  (void) state;
  lives_clear (&lives);
  lives_init (&lives, true);
  lives_event (&lives, 0, LOAD, 100, 1, NULL, NULL);
  lives_event (&lives, 0, LOAD, 110, 2, NULL, NULL);
  lives_event (&lives, 0, UNLOAD, 120, 2, NULL, NULL);
  lives_event (&lives, 0, LOAD, 130, 2, NULL, NULL);
  assert_int_equal (lives.all->len, 3);
  assert_true (life (0)->owner == 1 && life (0)->load_time == 100 && !life (0)->unloaded);
  assert_true (life (1)->owner == 2 && life (1)->load_time == 110);
  assert_true (life (1)->unloaded && life (1)->unload_time == 120);
  assert_true (life (2)->owner == 2 && life (2)->load_time == 130 && !life (2)->unloaded);
}

/* Known only by name or unload: kept, but not counted as loaded.  Starts and errors are no loads.
 */
static void
test_parts (void **state)
{
  (void) state;
  lives_event (&lives, 1, NAME, 100, 0, "early", NULL);
  lives_event (&lives, 2, UNLOAD, 100, 9, NULL, NULL);
  lives_event (&lives, 3, MLPD_LOAD_START_LOAD, 100, 0, "x", NULL);
  lives_event (&lives, 3, MLPD_LOAD_START_UNLOAD, 100, 0, "x", NULL);
  lives_event (&lives, 3, MLPD_LOAD_END_LOAD_ERROR, 100, 0, "x", NULL);
  assert_int_equal (lives.all->len, 2);
  assert_int_equal (lives.errors, 1);
  assert_int_equal (lives_loaded (&lives), 0);
  assert_string_equal (life (0)->name, "early");
  assert_int_equal (life (1)->owner, 9);
}

#define TEST(test) cmocka_unit_test_setup_teardown (test, begin, end)

int
main (void)
{
  const struct CMUnitTest tests[] = {
    TEST (test_life),
    TEST (test_again),
    TEST (test_owners),
    TEST (test_parts),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
