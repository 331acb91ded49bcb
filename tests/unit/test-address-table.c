/* test-address-table.c -- a table of addresses: added ones are found, with several threads. */
#include "config.h"

#include "profiler/os/addresses.h"
#include "tests/unit/test.h"

#include <pthread.h>
#include <time.h>

static struct address_table table;

static void
add (uint64_t address)
{
  address_table_add (&table, address, (const uint64_t[]){ address + 1, address * 3, ~address });
}

/* Whether it is there; all of it, then. */
static bool
find (uint64_t address)
{
  uint64_t words[ADDRESS_TABLE_WORDS];
  if (!address_table_find (&table, address, words))
    return false;
  assert_true (words[0] == address + 1 && words[1] == address * 3 && words[2] == ~address);
  return true;
}

static void
added_and_cleared (void **state)
{
  (void) state;
  assert_false (find (0));
  assert_false (find (1));
  for (uint64_t a = 0x1000; a < 0x1000 + 1000 * 16; a += 16)
    add (a);
  unsigned found = 0;
  for (uint64_t a = 0x1000; a < 0x1000 + 1000 * 16; a += 16)
    found += find (a);
  assert_true (found > 950);
  assert_false (find (0x1008));
  address_table_clear (&table);
  for (uint64_t a = 0x1000; a < 0x1000 + 1000 * 16; a += 16)
    assert_false (find (a));
}

static void
more_than_it_holds (void **state)
{
  (void) state;
  for (uint64_t a = 0x1000; a < 0x1000 + 100000 * 16; a += 16) {
    add (a);
    assert_true (find (a));
  }
  address_table_clear (&table);
}

static _Atomic bool ends;

static void *
work (void *data)
{
  uint64_t random = (uint64_t) (uintptr_t) data;
  while (!atomic_load (&ends)) {
    random = random * UINT64_C (6364136223846793005) + 1;
    /* Few places, much competition. */
    const uint64_t address = 0x1000 + (random >> 40) % 64 * ADDRESS_TABLE_SIZE * 16;
    if (!find (address))
      add (address);
    if (random >> 52 == 0)
      address_table_clear (&table);
  }
  return NULL;
}

static void
several_threads (void **state)
{
  (void) state;
  pthread_t threads[4];
  for (size_t i = 0; i < 4; i++)
    assert_int_equal (pthread_create (&threads[i], NULL, work, (void *) (uintptr_t) (i + 1)), 0);
  nanosleep (&(struct timespec){ .tv_nsec = 500000000 }, NULL);
  atomic_store (&ends, true);
  for (size_t i = 0; i < 4; i++)
    pthread_join (threads[i], NULL);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (added_and_cleared),
    cmocka_unit_test (more_than_it_holds),
    cmocka_unit_test (several_threads),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
