/* test-object-types.c -- the types of thrown and locked objects, by allocations and moves in order
 * of time, whatever their order in the file. */
#include "config.h"

#include "decoder/mlpd/analyses/exceptions.h"
#include "decoder/mlpd/analyses/monitors.h"
#include "decoder/mlpd/query/object-queries.h"
#include "tests/unit/fixtures.h"
#include "tests/unit/summary-test.h"

enum {
  OOPS = 0x100,
  OTHER = 0x200,
  A = 0x1000,
  B = 0x2000,
  C = 0x3000,
  D = 0x4000,
  T1 = 1,
  T2 = 2,
  CONTENTION = MLPD_MONITOR_EVENT_CONTENTION,
  DONE = MLPD_MONITOR_EVENT_DONE,
};

/* Classes OOPS and OTHER, reported by the main thread.  `whole`: its end is reported, too, by which
 * the log is known to have everything. */
static void
begin (bool whole)
{
  script_begin_version (&script, MLPD_VERSION_LAST);
  script_buffer (&script, T1, 1000);
  const union mlpd_payload name
      = { .metadata_thread
          = { .action = MLPD_LOAD_NAME, .time = 1000, .thread = T1, .name = { "Main", 4 } } };
  const union mlpd_payload finish
      = { .metadata_thread = { .action = MLPD_LOAD_END_UNLOAD, .time = 9000, .thread = T1 } };
  script_event (&script, MLPD_METADATA_THREAD, &name);
  static const struct {
    uint64_t klass;
    const char *name;
  } classes[] = { { OOPS, "Oops" }, { OTHER, "Other" } };
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++) {
    const union mlpd_payload vtable = { .metadata_vtable = { .action = MLPD_LOAD_END_LOAD,
                                                             .time = 1000,
                                                             .vtable = classes[i].klass + 8,
                                                             .domain = 1,
                                                             .klass = classes[i].klass } };
    script_class (&script, 1000, classes[i].klass, classes[i].name);
    script_event (&script, MLPD_METADATA_VTABLE, &vtable);
  }
  if (whole) {
    script_buffer (&script, T1, 9000);
    script_event (&script, MLPD_METADATA_THREAD, &finish);
  }
}

static void
alloc (uint64_t time, uint64_t klass, uint64_t object)
{
  const union mlpd_payload event
      = { .alloc = { .time = time, .vtable = klass + 8, .object = object, .size = 24 } };
  script_event (&script, MLPD_ALLOC, &event);
}

static void
search (void)
{
  const struct scan_options options = { .types = true };
  GByteArray *log = script_end (&script);
  summary_init (&summary, &options);
  struct log_input *input = fixture_input (log->data, log->len);
  g_byte_array_unref (log);
  assert_true (log_scan (&summary, input, 2, NULL, NULL));
  object_types_search (&summary, input, 2, NULL);
  summary_finish (&summary);
  log_input_close (input);
}

static void
expect_throws (uint64_t oops, uint64_t other, uint64_t unknown)
{
  struct exceptions *exceptions = STATE (exceptions);
  struct type_sums *types = &exceptions->types;
  assert_int_equal (type_sums_get (types, symbol_of (&summary, SYMBOL_CLASS, OOPS))->objects, oops);
  assert_int_equal (type_sums_get (types, symbol_of (&summary, SYMBOL_CLASS, OTHER))->objects,
                    other);
  assert_int_equal (exceptions->throws_of_unknown, unknown);
  assert_int_equal (exceptions->throws, oops + other + unknown);
}

/* The thrown object is allocated among many other objects, which are scanned in loops of their own:
 * all with backtraces, or none. */
static void
check_among_many (size_t frames)
{
  enum { OBJECTS = 1000, EACH = 50, FIRST = 0x100000 };
  static const uint64_t methods[] = { 0x7000, 0x7100 };
  uint64_t oops = 0;
  begin (true);
  script_buffer (&script, T1, 2000);
  for (uint64_t i = 0; i < OBJECTS; i++) {
    const uint64_t klass = i % 3 == 0 ? OOPS : OTHER;
    const union mlpd_payload event
        = { .alloc = { .time = 2000 + i,
                       .vtable = klass + 8,
                       .object = FIRST + 24 * i,
                       .size = 24,
                       .backtrace = { .items = methods, .count = frames } } };
    script_event (&script, MLPD_ALLOC, &event);
  }
  script_buffer (&script, T2, 2000);
  for (uint64_t i = 0; i < OBJECTS; i += EACH) {
    script_throw (&script, 2000 + OBJECTS + i, FIRST + 24 * i);
    oops += i % 3 == 0;
  }
  search ();
  expect_throws (oops, OBJECTS / EACH - oops, 0);
}

TEST_WITH (test_among_many, NULL, summary_test_end)
{
  check_among_many (0);
}

TEST_WITH (test_among_many_with_backtraces, NULL, summary_test_end)
{
  check_among_many (2);
}

/* Calls between allocations state no more than the time, in numbers of any length: of two objects
 * at one address the right one is found. */
TEST_WITH (test_between_calls, NULL, summary_test_end)
{
  enum { ROUNDS = 100, METHOD = 0x7000 };
  static const uint64_t steps[] = { 5, 500, 50000, UINT64_C (1) << 60 };
  uint64_t time = 2000;
  begin (true);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    const uint64_t object = A + 24 * i;
    script_buffer (&script, T1, time);
    alloc (time, OOPS, object);
    const uint64_t first = time;
    for (guint round = 0; round < (i < 3 ? ROUNDS : 1); round++) {
      script_enter (&script, time += steps[i], METHOD + 8 * (uint64_t) round);
      script_leave (&script, time += steps[i], METHOD + 8 * (uint64_t) round);
    }
    alloc (++time, OTHER, object);
    script_buffer (&script, T2, first);
    script_throw (&script, time - 1, object);
    script_throw (&script, time, object);
  }
  search ();
  expect_throws (G_N_ELEMENTS (steps), G_N_ELEMENTS (steps), 0);
}

/* The allocating thread's buffer stands after that of the throwing one. */
TEST_WITH (test_allocated_behind, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T2, 1100);
  script_throw (&script, 1200, A); /* of the first allocation */
  script_throw (&script, 1400, A); /* of the second */
  script_throw (&script, 1450, B); /* never allocated */
  script_throw (&script, 1050, A); /* before any */
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  alloc (1300, OTHER, A);
  search ();
  expect_throws (1, 1, 2);
}

/* Moves stand anywhere, too. */
TEST_WITH (test_moved, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T2, 1100);
  script_throw (&script, 1500, C);
  script_throw (&script, 1501, A); /* nothing is left */
  script_throw (&script, 1601, A); /* another one */
  script_throw (&script, 1250, B);
  script_buffer (&script, 3, 1100);
  script_move (&script, 1400, B, C);
  script_move (&script, 1200, A, B);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  alloc (1600, OTHER, A);
  search ();
  expect_throws (2, 1, 1);
}

/* Objects of one event move at once: the object that comes to A is not the one that goes from
 * there. */
TEST_WITH (test_moved_at_once, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  alloc (1151, OTHER, B);
  uint64_t both[] = { A, C, B, A }, swapped[] = { C, D, A, C };
  const union mlpd_payload first = { .gc_move = { .time = 1200, .objects = { both, 4 } } };
  const union mlpd_payload second = { .gc_move = { .time = 1300, .objects = { swapped, 4 } } };
  script_event (&script, MLPD_GC_MOVE, &first);
  script_throw (&script, 1250, A); /* Other */
  script_throw (&script, 1251, C); /* Oops */
  script_throw (&script, 1252, B); /* gone */
  script_event (&script, MLPD_GC_MOVE, &second);
  script_throw (&script, 1350, C); /* Other */
  script_throw (&script, 1351, D); /* Oops */
  search ();
  expect_throws (2, 2, 1);
}

/* More moves than ways through. */
TEST_WITH (test_moved_often, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  for (unsigned i = 0; i <= OBJECT_TYPES_SCANS_MAX; i++) {
    script_throw (&script, 1200 + 10 * i, A + 0x100 * i);
    script_move (&script, 1205 + 10 * i, A + 0x100 * i, A + 0x100 * (i + 1));
  }
  search ();
  expect_throws (OBJECT_TYPES_SCANS_MAX, 0, 1);
}

/* Where the log may lack allocations of others, only the throwing thread's own count. */
TEST_WITH (test_not_whole, NULL, summary_test_end)
{
  begin (false);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  alloc (1151, OOPS, B);
  script_buffer (&script, T2, 1160);
  script_throw (&script, 1200, A); /* another's */
  script_throw (&script, 1201, C); /* its own, but later in the file */
  alloc (1170, OTHER, C);
  alloc (1210, OTHER, D);
  script_throw (&script, 1220, D); /* its own */
  search ();
  expect_throws (0, 1, 2);
}

/* The same, and nothing after damage counts. */
TEST_WITH (test_damaged, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  script_throw (&script, 1160, A);
  script_buffer (&script, T1, 1170);
  script_bytes (&script, "\xff\xff\xff\xff", 4);
  script_buffer (&script, T1, 1180);
  script_throw (&script, 1190, A);
  search ();
  assert_true (summary.log.damages != 0);
  expect_throws (1, 0, 1);
}

static const struct monitor_sum *
lock (guint i)
{
  assert_true (i < STATE (monitors)->locks->len);
  return g_ptr_array_index (STATE (monitors)->locks, i);
}

/* So it is of locks. */
TEST_WITH (test_locks_not_whole, NULL, summary_test_end)
{
  begin (false);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, B);
  script_buffer (&script, T2, 1160);
  alloc (1170, OTHER, A);
  script_monitor (&script, 1200, CONTENTION, A); /* its own */
  script_monitor (&script, 1300, DONE, A);
  script_monitor (&script, 1400, CONTENTION, B); /* another's */
  script_monitor (&script, 1420, DONE, B);
  search ();
  assert_int_equal (STATE (monitors)->locks->len, 2);
  assert_true (lock (0)->type_known && !lock (1)->type_known);
  assert_int_equal (lock (0)->type, symbol_of (&summary, SYMBOL_CLASS, OTHER));
}

/* A log of collections without moves: an object that was allocated before one may be elsewhere
 * since. */
TEST_WITH (test_unrecorded_moves, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  script_throw (&script, 1160, A);
  script_gc (&script, 1200, MLPD_GC_EVENT_START, 0);
  script_throw (&script, 1250, A);
  alloc (1260, OTHER, A);
  script_throw (&script, 1270, A);
  search ();
  expect_throws (1, 1, 1);
}

/* A mark states more than the allocations. */
TEST_WITH (test_marked, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  script_class (&script, 1160, OTHER, "Other");
  script_throw (&script, 1160, A);
  search ();
  expect_throws (0, 1, 0);
}

/* The type is named in a buffer that begins after the throw, which the search skips at first. */
TEST_WITH (test_named_later, NULL, summary_test_end)
{
  enum { LATE = 0x300 };
  const union mlpd_payload vtable = {
    .metadata_vtable
    = { .action = MLPD_LOAD_END_LOAD, .time = 3000, .vtable = LATE + 8, .domain = 1, .klass = LATE }
  };
  begin (true);
  script_buffer (&script, T1, 2000);
  alloc (2000, LATE, A);
  script_throw (&script, 2100, A);
  script_buffer (&script, T2, 3000);
  script_class (&script, 3000, LATE, "Late");
  script_event (&script, MLPD_METADATA_VTABLE, &vtable);
  search ();
  assert_int_equal (STATE (exceptions)->throws_of_unknown, 0);
  const guint late = symbol_of (&summary, SYMBOL_CLASS, LATE);
  assert_int_equal (type_sums_get (&STATE (exceptions)->types, late)->objects, 1);
}

/* Locks of two types were at one address, the one after the other.  The end of a wait has the type
 * of its beginning, though another object is allocated there at that moment. */
TEST_WITH (test_locks, NULL, summary_test_end)
{
  begin (true);
  script_buffer (&script, T2, 1100);
  script_monitor (&script, 1200, CONTENTION, A);
  script_monitor (&script, 1300, DONE, A);
  script_monitor (&script, 1400, CONTENTION, A);
  script_monitor (&script, 1420, DONE, A);
  script_monitor (&script, 1500, CONTENTION, B);
  script_monitor (&script, 1501, DONE, B);
  script_buffer (&script, T1, 1100);
  alloc (1150, OOPS, A);
  alloc (1290, OTHER, A);
  search ();
  assert_int_equal (STATE (monitors)->locks->len, 3);
  assert_true (lock (0)->type_known && lock (1)->type_known && !lock (2)->type_known);
  assert_int_equal (lock (0)->type, symbol_of (&summary, SYMBOL_CLASS, OOPS));
  assert_int_equal (lock (1)->type, symbol_of (&summary, SYMBOL_CLASS, OTHER));
  static const struct {
    uint64_t object, contentions, acquired, wait;
  } expected[] = { { A, 1, 1, 100 }, { A, 1, 1, 20 }, { B, 1, 1, 1 } };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    assert_int_equal (lock (i)->object, expected[i].object);
    assert_int_equal (lock (i)->contentions, expected[i].contentions);
    assert_int_equal (lock (i)->acquired, expected[i].acquired);
    assert_int_equal (lock (i)->wait_total_ns, expected[i].wait);
  }
}
