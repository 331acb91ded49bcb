/* test-heat-cells.c -- pieces of cells: their columns and entries, late ones, those that are too
 * late. */
#include "config.h"

#include "decoder/exports/heat-cells.h"
#include "tests/unit/test.h"
#include <string.h>
#include <zlib.h>

static void
add (struct heat_cells *cells, enum heat_weight weight, uint64_t ms, uint64_t lasting_ms,
     uint64_t amount, guint stack)
{
  const struct heat_entry entry = {
    .begin = ms * 1000000, .end = (ms + lasting_ms) * 1000000, .amount = amount, .stack = stack
  };
  heat_cells_add (cells, 0, weight, &entry);
}

static const struct heat_piece *
piece_at (const struct heat_cells *cells, guint i)
{
  assert_true (i < cells->pieces->len);
  return &g_array_index (cells->pieces, struct heat_piece, i);
}

/* The bytes of a piece, inflated. */
static void
assert_bytes (const struct heat_piece *piece, const uint8_t *expected, size_t n)
{
  static uint8_t bytes[1 << 20];
  uLongf length = sizeof bytes;
  assert_int_equal (uncompress (bytes, &length, piece->bytes->data, piece->bytes->len), Z_OK);
  assert_int_equal (length, n);
  assert_memory_equal (bytes, expected, n);
}

/* Of an hour each; a column has 50 rows, and a cell 20 ms. */
static void
test_columns (void **state)
{
  struct heat_cells cells;
  (void) state;
  heat_cells_init (&cells);
  add (&cells, HEAT_SAMPLES, 2040, 0, 1, 7); /* column 2, row 2 */
  add (&cells, HEAT_SAMPLES, 2059, 0, 1, 9); /* the same cell */
  add (&cells, HEAT_SAMPLES, 2045, 0, 1, 9);
  add (&cells, HEAT_SAMPLES, 3602000, 0, 1, 7); /* an hour after column 2 */
  add (&cells, HEAT_SAMPLES, 3601980, 0, 1, 7); /* late */
  heat_cells_finish (&cells);
  assert_int_equal (cells.pieces->len, 3);
  uint8_t expected[50 + 1 + 2 + 3] = { 0 };
  expected[2] = 3;
  expected[50] = 2; /* stacks, the most frequent first */
  expected[51] = 9;
  expected[52] = 7;
  expected[53] = 1; /* of each entry, in the order of their times */
  assert_bytes (piece_at (&cells, 0), expected, sizeof expected);
  assert_int_equal (piece_at (&cells, 0)->column, 2);
  assert_int_equal (piece_at (&cells, 0)->columns, 1);
  assert_int_equal (piece_at (&cells, 0)->entries, 3);
  assert_int_equal (piece_at (&cells, 1)->column, 3602);
  assert_int_equal (piece_at (&cells, 2)->column, 3601);
  assert_int_equal (heat_cells_sum (&cells, HEAT_SAMPLES), 5);
  assert_int_equal (g_array_index (cells.seconds, struct heat_second, 2).amounts[HEAT_SAMPLES], 3);
  heat_cells_clear (&cells);
}

/* Entries that differ in their amounts only become one. */
static void
test_amounts (void **state)
{
  struct heat_cells cells;
  (void) state;
  heat_cells_init (&cells);
  add (&cells, HEAT_LOCKS, 30, 0, 5, 1);
  add (&cells, HEAT_LOCKS, 10, 35, 300, 2); /* from row 0 to row 2 */
  add (&cells, HEAT_LOCKS, 31, 0, 6, 1);
  add (&cells, HEAT_LOCKS, 32, 0, 0, 3); /* nothing */
  heat_cells_finish (&cells);
  assert_int_equal (cells.pieces->len, 1);
  uint8_t expected[50 + 3 + 2 + 3 + 2] = { 1, 1 };
  memcpy (expected + 50, (const uint8_t[]){ 2, 1, 2, 1, 0, 0xac, 2, 11, 2, 0 }, 10);
  assert_bytes (piece_at (&cells, 0), expected, sizeof expected);
  assert_int_equal (heat_cells_sum (&cells, HEAT_LOCKS), 311);
  heat_cells_clear (&cells);
}

/* The places of rare stacks are in three planes. */
static void
test_rare_stacks (void **state)
{
  struct heat_cells cells;
  static uint8_t expected[50 + 2 + 400 * 2 + 400 + 3 * 145];
  size_t n = 50;
  (void) state;
  heat_cells_init (&cells);
  for (guint i = 0; i < 400; i++)
    add (&cells, HEAT_SAMPLES, 980, 0, 1, 1000 + i);
  heat_cells_finish (&cells);
  n = 0;
  for (guint row = 0; row < 49; row++)
    expected[n++] = 0;
  expected[n++] = 0x90; /* 400 */
  expected[n++] = 3;
  expected[n++] = 0x90;
  expected[n++] = 3;
  for (guint i = 0; i < 400; i++) {
    expected[n++] = (uint8_t) ((1000 + i) | 0x80);
    expected[n++] = (uint8_t) ((1000 + i) >> 7);
  }
  for (guint i = 0; i < 400; i++)
    expected[n++] = (uint8_t) MIN (i, 255);
  for (guint i = 255; i < 400; i++)
    expected[n++] = (uint8_t) (i - 255);
  n += (size_t) 2 * 145;
  assert_bytes (piece_at (&cells, 0), expected, n);
  heat_cells_clear (&cells);
}

static void
test_too_late (void **state)
{
  struct heat_cells cells;
  (void) state;
  heat_cells_init (&cells);
  add (&cells, HEAT_EXCEPTIONS, 1000 * UINT64_C (172799), 0, 1, 1);
  add (&cells, HEAT_EXCEPTIONS, 1000 * UINT64_C (172800), 0, 1, 1);
  heat_cells_finish (&cells);
  assert_int_equal (cells.last, 172800);
  assert_int_equal (heat_cells_sum (&cells, HEAT_EXCEPTIONS), 1);
  assert_int_equal (piece_at (&cells, 0)->column, 172799);
  heat_cells_clear (&cells);
}

/* Allocations of few stacks wait as one entry, however many there are. */
static void
test_many (void **state)
{
  struct heat_cells cells;
  (void) state;
  heat_cells_init (&cells);
  for (guint i = 0; i < 1000000; i++)
    add (&cells, HEAT_ALLOCATED, i / 1000, 0, 16, 1 + i % 3);
  for (guint i = 0; i < 600000; i++)
    add (&cells, HEAT_SAMPLES, i / 1000, 0, 1, 1 + i % 3);
  heat_cells_finish (&cells);
  guint pieces[HEAT_WEIGHTS] = { 0 }, entries[HEAT_WEIGHTS] = { 0 };
  for (guint i = 0; i < cells.pieces->len; i++) {
    pieces[piece_at (&cells, i)->weight]++;
    entries[piece_at (&cells, i)->weight] += piece_at (&cells, i)->entries;
  }
  assert_int_equal (pieces[HEAT_ALLOCATED], 1);
  assert_int_equal (entries[HEAT_ALLOCATED], 50 * 3);
  assert_int_equal (pieces[HEAT_SAMPLES], 3);
  assert_int_equal (entries[HEAT_SAMPLES], 600000);
  assert_int_equal (heat_cells_sum (&cells, HEAT_ALLOCATED), 16000000);
  heat_cells_clear (&cells);
}

int
main (void)
{
  const struct CMUnitTest tests[]
      = { cmocka_unit_test (test_columns), cmocka_unit_test (test_amounts),
          cmocka_unit_test (test_rare_stacks), cmocka_unit_test (test_too_late),
          cmocka_unit_test (test_many) };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
