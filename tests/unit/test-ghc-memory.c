/* test-ghc-memory.c -- sizes of heaps over time. */
#include "config.h"

#include "decoder/ghc/analyses/ghc-memory.h"
#include "tests/unit/test.h"

#define MIB (UINT64_C (1) << 20)

static void
hold (struct ghc_memory *memory, uint32_t capset, uint64_t time, uint64_t bytes, bool counts)
{
  const union ghc_payload p = { .heap_size = { .heap_capset = capset, .bytes = bytes } };
  ghc_memory_event (memory, GHC_HEAP_SIZE, time, &p, counts);
}

static void
give_back (struct ghc_memory *memory, uint64_t time, uint32_t needed, uint32_t returned)
{
  const union ghc_payload p
      = { .mem_return = { .needed_mblocks = needed, .returned_mblocks = returned } };
  ghc_memory_event (memory, GHC_MEM_RETURN, time, &p, true);
}

static void
assert_range (const struct ghc_memory *memory, enum ghc_memory_size size, uint64_t from,
              uint64_t to, uint64_t least, uint64_t most)
{
  struct ghc_memory_range range;
  assert_true (ghc_memory_in (memory, size, from, to, &range));
  assert_int_equal (range.least, least);
  assert_int_equal (range.most, most);
}

/* They may come in any order of time; the size at the beginning of a range counts for it. */
TEST (test_ranges)
{
  struct ghc_memory memory;
  struct ghc_memory_range range;
  ghc_memory_init (&memory);
  hold (&memory, 0, 300, 7 * MIB, true);
  hold (&memory, 0, 100, 5 * MIB, true);
  hold (&memory, 0, 200, 2 * MIB, true);
  hold (&memory, 0, 250, 99 * MIB, false);
  hold (&memory, 0, 500, 3 * MIB, true);
  ghc_memory_finish (&memory);
  assert_range (&memory, GHC_MEMORY_HELD, 100, 500, 2 * MIB, 7 * MIB);
  assert_range (&memory, GHC_MEMORY_HELD, 220, 280, 2 * MIB, 2 * MIB);
  assert_range (&memory, GHC_MEMORY_HELD, 299, 301, 2 * MIB, 7 * MIB);
  assert_range (&memory, GHC_MEMORY_HELD, 500, 500, 3 * MIB, 3 * MIB);
  assert_false (ghc_memory_in (&memory, GHC_MEMORY_HELD, 10, 99, &range));
  assert_false (ghc_memory_in (&memory, GHC_MEMORY_LIVE, 0, 500, &range));
  assert_int_equal (ghc_memory_quarter (&memory, 0), 100);
  assert_int_equal (ghc_memory_quarter (&memory, 2), 300);
  assert_int_equal (ghc_memory_quarter (&memory, 4), 500);
  ghc_memory_clear (&memory);
}

/* Megablocks have the size that the log states, also if it does so late. */
TEST (test_returned)
{
  struct ghc_memory memory;
  const union ghc_payload info = { .heap_info_ghc = { .mblock_size = 2 * MIB } };
  ghc_memory_init (&memory);
  give_back (&memory, 10, 40, 3);
  give_back (&memory, 20, 50, 0);
  give_back (&memory, 30, 45, 4);
  ghc_memory_finish (&memory);
  assert_int_equal (ghc_memory_returned (&memory), 7 * MIB);
  assert_int_equal (memory.returns, 2);
  assert_range (&memory, GHC_MEMORY_NEEDED, 10, 30, 40 * MIB, 50 * MIB);
  ghc_memory_event (&memory, GHC_HEAP_INFO_GHC, 40, &info, false);
  assert_int_equal (ghc_memory_returned (&memory), 14 * MIB);
  assert_range (&memory, GHC_MEMORY_NEEDED, 10, 30, 80 * MIB, 100 * MIB);
  ghc_memory_clear (&memory);
}

/* Those of several processes are added up. */
TEST (test_heaps)
{
  struct ghc_memory memory;
  ghc_memory_init (&memory);
  hold (&memory, 0, 100, 5 * MIB, true);
  hold (&memory, 3, 100, 11 * MIB, true);
  hold (&memory, 3, 200, 13 * MIB, true);
  ghc_memory_finish (&memory);
  assert_range (&memory, GHC_MEMORY_HELD, 200, 200, 18 * MIB, 18 * MIB);
  assert_range (&memory, GHC_MEMORY_HELD, 100, 200, 16 * MIB, 18 * MIB);
  ghc_memory_clear (&memory);
}

/* Of very many values some are retained, from the first to the last. */
TEST (test_many)
{
  struct ghc_memory memory;
  ghc_memory_init (&memory);
  for (uint64_t i = 1; i <= 1000000; i++)
    hold (&memory, 0, i, i, true);
  ghc_memory_finish (&memory);
  struct ghc_memory_range range;
  assert_true (ghc_memory_in (&memory, GHC_MEMORY_HELD, 0, 1000000, &range));
  assert_in_range (range.least, 1, 1000);
  assert_in_range (range.most, 999000, 1000000);
  assert_int_equal (memory.last, 1000000);
  ghc_memory_clear (&memory);
}
