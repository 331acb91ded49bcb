/* test-event-memory.c -- what a reader that comes late gets: the latest announcement of each thing
 * that lives, in the order in which they came first, within bounds. */
#include "config.h"

#include "eventlog/event-memory.h"
#include "tests/unit/test.h"

#include <glib.h>
#include <string.h>

enum { BYTES_MAX = 64 };

struct replayed {
  guint count;
  uint64_t sum; /* of the numbers that payloads begin with */
  enum ghc_kind last_kind;
  unsigned last_cap;
  uint8_t last[BYTES_MAX];
  size_t last_length;
  uint32_t before;
  bool in_order; /* the numbers grow */
};

static void
put_number (uint8_t *to, uint64_t number, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    to[i] = (uint8_t) (number >> (8 * (bytes - 1 - i)));
}

static uint32_t
first_number (const uint8_t *payload)
{
  return (uint32_t) payload[0] << 24 | (uint32_t) payload[1] << 16 | (uint32_t) payload[2] << 8
         | payload[3];
}

static void
take (void *data, enum ghc_kind kind, unsigned cap, const uint8_t *payload, size_t length)
{
  struct replayed *r = data;
  const uint32_t number = length >= 4 ? first_number (payload) : 0;
  r->in_order &= r->count == 0 || number > r->before;
  r->before = number;
  r->count++;
  r->sum += number;
  r->last_kind = kind;
  r->last_cap = cap;
  r->last_length = MIN (length, sizeof r->last);
  memcpy (r->last, payload, r->last_length);
}

static struct replayed
replay (const struct event_memory *memory, uint64_t time)
{
  struct replayed r = { .in_order = true };
  event_memory_replay (memory, time, take, &r);
  assert_int_equal (r.count, event_memory_count (memory));
  return r;
}

/* An event that begins with a number of 4 bytes, and has `length` bytes. */
static void
store (struct event_memory *memory, enum ghc_kind kind, unsigned cap, uint32_t number,
       size_t length)
{
  uint8_t payload[BYTES_MAX] = { 0 };
  put_number (payload, number, 4);
  event_memory_store (memory, kind, cap, 0, payload, length);
}

/* More threads than the table has places at first; half of them end. */
TEST (test_many_threads)
{
  enum { THREADS = 5000 };
  uint8_t stop[10] = { 0 };
  struct event_memory *memory = event_memory_new ();
  for (uint32_t i = 1; i <= THREADS; i++)
    store (memory, GHC_CREATE_THREAD, 0, i, 4);
  struct replayed all = replay (memory, 0);
  assert_int_equal (all.count, THREADS);
  assert_int_equal (all.sum, (uint64_t) THREADS * (THREADS + 1) / 2);
  assert_true (all.in_order);
  for (uint32_t i = 1; i <= THREADS; i++) {
    put_number (stop, i, 4);
    put_number (stop + 4, i % 2 == 0 ? GHC_STOP_STATUS_FINISHED : 1, 2);
    event_memory_store (memory, GHC_STOP_THREAD, 0, 0, stop, sizeof stop);
  }
  all = replay (memory, 0);
  assert_int_equal (all.count, THREADS / 2);
  assert_int_equal (all.sum, (uint64_t) (THREADS / 2) * (THREADS / 2));
  assert_int_equal (event_memory_forgotten (memory), 0);
  event_memory_free (memory);
}

/* The latest announcement is in the place of the first one. */
TEST (test_repeated)
{
  struct event_memory *memory = event_memory_new ();
  for (uint32_t i = 1; i <= 3; i++)
    store (memory, GHC_HEAP_SIZE, 0, i, 12);
  store (memory, GHC_HEAP_SIZE, 7, 2, 12);
  struct replayed all = replay (memory, 0);
  assert_int_equal (all.count, 3);
  assert_true (all.in_order);
  store (memory, GHC_HEAP_SIZE, 7, 3, 12);
  all = replay (memory, 0);
  assert_int_equal (all.count, 3);
  assert_int_equal (all.last_cap, 7);
  event_memory_free (memory);
}

/* Payloads that are too short for the number of their thing, and kinds that nobody has to know. */
TEST (test_skipped)
{
  uint8_t bytes[BYTES_MAX] = { 0 };
  struct event_memory *memory = event_memory_new ();
  store (memory, GHC_CREATE_THREAD, 0, 1, 3);
  store (memory, GHC_TASK_CREATE, 0, 1, 7);
  store (memory, GHC_RUN_THREAD, 0, 1, 4);
  event_memory_store (memory, GHC_KINDS, 0, 0, bytes, sizeof bytes);
  assert_int_equal (event_memory_count (memory), 0);
  /* What ends or moves, with payloads that are too short for that, too. */
  store (memory, GHC_CREATE_THREAD, 0, 1, 4);
  store (memory, GHC_TASK_CREATE, 0, 1, 18);
  for (size_t length = 0; length < 6; length++) {
    event_memory_store (memory, GHC_STOP_THREAD, 0, 0, bytes, length);
    event_memory_store (memory, GHC_MIGRATE_THREAD, 0, 0, bytes, length);
    event_memory_store (memory, GHC_TASK_MIGRATE, 0, 0, bytes, length);
    event_memory_store (memory, GHC_TASK_DELETE, 0, 0, bytes, length);
  }
  assert_int_equal (event_memory_count (memory), 2);
  assert_true (event_memory_cares (GHC_MIGRATE_THREAD) && event_memory_cares (GHC_TASK_MIGRATE));
  assert_true (event_memory_cares (GHC_STOP_THREAD) && event_memory_cares (GHC_IPE));
  assert_false (event_memory_cares (GHC_RUN_THREAD));
  event_memory_free (memory);
}

/* A thread and a task that go on elsewhere are announced there. */
TEST (test_moved)
{
  uint8_t migrate[8] = { 0 }, task[18] = { 0 }, moved[12] = { 0 };
  struct event_memory *memory = event_memory_new ();
  put_number (migrate, 5, 4);
  put_number (migrate + 4, 3, 2);
  event_memory_store (memory, GHC_MIGRATE_THREAD, 0, 0, migrate, sizeof migrate); /* of none */
  store (memory, GHC_CREATE_THREAD, 0, 5, 4);
  event_memory_store (memory, GHC_MIGRATE_THREAD, 0, 0, migrate, sizeof migrate);
  struct replayed all = replay (memory, 0);
  assert_int_equal (all.last_kind, GHC_CREATE_THREAD);
  assert_int_equal (all.last_cap, 3);
  put_number (task, 77, 8);
  put_number (moved, 77, 8);
  put_number (moved + 10, 2, 2);                                            /* from 0 to 2 */
  event_memory_store (memory, GHC_TASK_MIGRATE, 0, 0, moved, sizeof moved); /* of none */
  event_memory_store (memory, GHC_TASK_CREATE, 0, 0, task, sizeof task);
  event_memory_store (memory, GHC_TASK_MIGRATE, 0, 0, moved, sizeof moved);
  all = replay (memory, 0);
  assert_int_equal (all.last_kind, GHC_TASK_CREATE);
  assert_int_equal (all.last[8] << 8 | all.last[9], 2);
  event_memory_free (memory);
}

/* A set of capabilities ends with all that was reported of it; others stay. */
TEST (test_set_ends)
{
  static const enum ghc_kind of_set[] = { GHC_CAPSET_CREATE, GHC_RTS_IDENTIFIER, GHC_PROGRAM_ARGS,
                                          GHC_OSPROCESS_PID, GHC_WALL_CLOCK_TIME };
  struct event_memory *memory = event_memory_new ();
  for (uint32_t set = 1; set <= 2; set++) {
    for (guint i = 0; i < G_N_ELEMENTS (of_set); i++)
      store (memory, of_set[i], 0, set, 16);
    for (unsigned cap = 0; cap < 4; cap++) {
      uint8_t assigned[6];
      put_number (assigned, set, 4);
      put_number (assigned + 4, cap, 2);
      event_memory_store (memory, GHC_CAPSET_ASSIGN_CAP, 0, 0, assigned, sizeof assigned);
    }
  }
  assert_int_equal (event_memory_count (memory), 2 * (G_N_ELEMENTS (of_set) + 4));
  store (memory, GHC_CAPSET_DELETE, 0, 1, 4);
  const struct replayed all = replay (memory, 0);
  assert_int_equal (all.count, G_N_ELEMENTS (of_set) + 4);
  assert_int_equal (all.sum, 2 * all.count);
  event_memory_free (memory);
}

/* One thing more than there is room for. */
TEST (test_bound)
{
  struct event_memory *memory = event_memory_new ();
  for (uint32_t i = 0; i < EVENT_MEMORY_EVENTS + 10; i++)
    store (memory, GHC_CREATE_THREAD, 0, i, 4);
  assert_int_equal (event_memory_count (memory), EVENT_MEMORY_EVENTS);
  assert_int_equal (event_memory_forgotten (memory), 10);
  event_memory_free (memory);
  event_memory_free (NULL);
}

/* The wall clock goes on with the time of the log. */
TEST (test_clock)
{
  uint8_t clock[16] = { 0 };
  struct event_memory *memory = event_memory_new ();
  put_number (clock, 1, 4);
  put_number (clock + 4, 1000, 8);
  put_number (clock + 12, 900000000, 4);
  event_memory_store (memory, GHC_WALL_CLOCK_TIME, 0, 500000000, clock, sizeof clock);
  const struct replayed all = replay (memory, 2700000000);
  assert_int_equal (all.last_length, sizeof clock);
  /* 1000.9 s at 0.5 s: at 2.7 s it is 1003.1 s. */
  assert_int_equal (first_number (all.last + 8), 1003);
  assert_int_equal (first_number (all.last + 12), 100000000);
  event_memory_free (memory);
}
