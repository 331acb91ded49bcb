/* test-recent-objects.c -- the types of objects by address, whole and divided into scans. */
#include "decoder/analyses/recent-objects.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Types mean themselves. */
enum { TYPES = 1000, OBJECT = 0x70000 };

struct table {
  struct recent_scan scan;
  struct recent_objects merged;
  guint types[TYPES];
};

static void
table_init (struct table *t)
{
  recent_scan_init (&t->scan);
  recent_scan_start (&t->scan);
  t->merged = (struct recent_objects){ 0 };
  for (guint i = 0; i < TYPES; i++)
    t->types[i] = i;
}

static void
table_clear (struct table *t)
{
  recent_scan_clear (&t->scan);
  recent_objects_clear (&t->merged);
}

/* Ends a scan and begins another. */
static void
divide (struct table *t)
{
  guint next = 0;
  recent_objects_merge_steps (&t->merged, &t->scan, &next, 0, t->types);
  recent_objects_merge (&t->merged, &t->scan, t->types);
  recent_scan_start (&t->scan);
}

static void
move (struct table *t, uint64_t from, uint64_t to)
{
  const uint64_t objects[] = { from, to };
  recent_scan_move (&t->scan, (struct mlpd_list){ objects, 2 }, 0);
}

/* -1: not known. */
static int
find (struct table *t, uint64_t object)
{
  guint type;
  divide (t);
  return recent_objects_find (&t->merged, object, &type) ? (int) type : -1;
}

static void
test_types (void **state)
{
  (void) state;
  struct table t;
  table_init (&t);
  assert_int_equal (find (&t, OBJECT), -1);
  move (&t, OBJECT, OBJECT + 8);
  recent_scan_alloc (&t.scan, OBJECT, 5);
  assert_int_equal (find (&t, OBJECT), 5);
  assert_int_equal (find (&t, OBJECT + 8), -1);
  assert_int_equal (find (&t, 0), -1);
  recent_scan_alloc (&t.scan, OBJECT, 0); /* the collector had taken the first one */
  assert_int_equal (find (&t, OBJECT), 0);
  table_clear (&t);
}

/* A scan knows what it wrote itself, and asks for the rest. */
static void
test_answers (void **state)
{
  (void) state;
  struct table t;
  table_init (&t);
  recent_scan_alloc (&t.scan, OBJECT, 7);
  assert_int_equal (recent_scan_find (&t.scan, OBJECT).state, RECENT_KNOWN);
  assert_int_equal (recent_scan_find (&t.scan, OBJECT).type, 7);
  assert_int_equal (recent_scan_find (&t.scan, OBJECT + 64).state, RECENT_ASK);
  move (&t, OBJECT, OBJECT + 64);
  assert_int_equal (recent_scan_find (&t.scan, OBJECT).state, RECENT_UNKNOWN);
  assert_int_equal (recent_scan_find (&t.scan, OBJECT + 64).type, 7);
  divide (&t);
  assert_int_equal (recent_scan_find (&t.scan, OBJECT + 64).state, RECENT_ASK);
  table_clear (&t);
}

/* Objects take their type along when they are moved. */
static void
test_moved_objects (void **state)
{
  (void) state;
  for (int divided = 0; divided < 2; divided++) {
    struct table t;
    table_init (&t);
    recent_scan_alloc (&t.scan, 0x1000, 1);
    recent_scan_alloc (&t.scan, 0x2000, 2);
    if (divided)
      divide (&t);
    move (&t, 0x1000, 0x5000);
    assert_int_equal (find (&t, 0x1000), -1);
    assert_int_equal (find (&t, 0x5000), 1);
    /* Onto a place that another object had: what came there is known ... */
    move (&t, 0x5000, 0x2000);
    assert_int_equal (find (&t, 0x2000), 1);
    /* ... or is not, and then must not pass for what was there before. */
    move (&t, 0x9000, 0x2000);
    assert_int_equal (find (&t, 0x2000), -1);
    move (&t, 0, 0x3000);
    assert_int_equal (find (&t, 0x3000), -1);
    /* Half a pair moves nothing. */
    const uint64_t odd[] = { 0x1000, 0x1008, 0x4000 };
    recent_scan_alloc (&t.scan, 0x4000, 4);
    if (divided)
      divide (&t);
    recent_scan_move (&t.scan, (struct mlpd_list){ odd, 3 }, 0);
    assert_int_equal (find (&t, 0x4000), 4);
    table_clear (&t);
  }
}

/* Old objects give way; no object is ever taken for another. */
static void
test_bounded (void **state)
{
  (void) state;
  enum { OBJECTS = 1 << 20 };
  struct table t;
  table_init (&t);
  for (uint64_t i = 1; i <= OBJECTS; i++)
    recent_scan_alloc (&t.scan, i * 8, (guint) (i % TYPES));
  divide (&t);
  guint known = 0, type;
  for (uint64_t i = 1; i <= OBJECTS; i++)
    if (recent_objects_find (&t.merged, i * 8, &type)) {
      assert_int_equal (type, i % TYPES);
      known++;
    }
  assert_true (known >= 1000 && known <= 1 << RECENT_BITS);
  assert_int_equal (find (&t, (uint64_t) OBJECTS * 8), OBJECTS % TYPES);
  table_clear (&t);
}

/* Where a log is divided makes no difference: random steps over addresses of which many share
 * places, in one scan and in many. */
static void
test_divided (void **state)
{
  (void) state;
  enum { STEPS = 20000, ADDRESSES = 600 };
  GRand *rand = g_rand_new_with_seed (1);
  struct table whole, divided;
  table_init (&whole);
  table_init (&divided);
  uint64_t addresses[ADDRESSES];
  guint n = 0;
  for (uint64_t object = 8; n < ADDRESSES; object += 8)
    if (recent_place (object) < 100) /* so that they meet */
      addresses[n++] = object;
  for (int step = 0; step < STEPS; step++) {
    const uint64_t object = addresses[g_rand_int_range (rand, 0, ADDRESSES)];
    const uint64_t to = addresses[g_rand_int_range (rand, 0, ADDRESSES)];
    const guint type = (guint) g_rand_int_range (rand, 0, TYPES);
    if (g_rand_int_range (rand, 0, 2) == 0) {
      recent_scan_alloc (&whole.scan, object, type);
      recent_scan_alloc (&divided.scan, object, type);
    } else {
      move (&whole, object, to);
      move (&divided, object, to);
    }
    if (g_rand_int_range (rand, 0, 10) == 0)
      divide (&divided);
  }
  divide (&whole);
  divide (&divided);
  guint known = 0;
  for (guint i = 0; i < ADDRESSES; i++) {
    guint a = TYPES, b = TYPES;
    known += recent_objects_find (&whole.merged, addresses[i], &a);
    recent_objects_find (&divided.merged, addresses[i], &b);
    assert_int_equal (a, b);
  }
  assert_true (known > 10);
  table_clear (&whole);
  table_clear (&divided);
  g_rand_free (rand);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_types),
    cmocka_unit_test (test_answers),
    cmocka_unit_test (test_moved_objects),
    cmocka_unit_test (test_bounded),
    cmocka_unit_test (test_divided),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
