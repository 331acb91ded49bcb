/* test-timeline-cells.c -- sums of random cells, beside those of a table of all of them. */
#include "config.h"

#include "decoder/core/timeline-cells.h"
#include "tests/unit/test.h"
#include <stdlib.h>

enum { ROWS = 60, BINS = 40, TIMES = 600000 };

struct sums {
  uint64_t count, amount;
};

/* Of a row and bins that were added; the first of these is the highest. */
struct expected {
  struct sums of[ROWS][BINS][BINS];
};

static void
compare (struct timeline_cells *cells, const struct expected *expected, uint32_t rows_apart)
{
  struct timeline_cells_reader reader;
  struct timeline_cell cell;
  timeline_cells_pack (cells);
  timeline_cells_begin (&reader, cells);
  for (uint32_t row = 0; row < ROWS; row++)
    for (uint32_t begin = 0; begin < BINS; begin++)
      for (uint32_t end = 0; end < BINS; end++) {
        const struct sums *const of = &expected->of[row][begin][end];
        if (of->count == 0)
          continue;
        assert_true (timeline_cells_next (&reader, &cell));
        assert_int_equal (cell.row, row * rows_apart);
        assert_int_equal (cell.begin, begin);
        assert_int_equal (cell.end, end);
        assert_int_equal (cell.count, of->count);
        assert_int_equal (cell.amount, of->amount);
      }
  assert_false (timeline_cells_next (&reader, &cell));
}

TEST (test_random)
{
  for (uint32_t rows_apart = 1; rows_apart < 100000; rows_apart *= 40) {
    struct expected *const expected = calloc (1, sizeof *expected);
    struct timeline_cells cells;
    timeline_cells_init (&cells);
    srandom (47 + rows_apart);
    for (unsigned i = 0; i < TIMES; i++) {
      struct timeline_cell cell = { .row = (uint32_t) random () % ROWS,
                                    .begin = (uint16_t) (random () % BINS),
                                    .end = (uint16_t) (random () % BINS),
                                    .count = 1 + (uint64_t) random () % 3,
                                    .amount = (uint64_t) random () << (random () % 30) };
      struct sums *const of = &expected->of[cell.row][cell.begin][cell.end];
      of->count += cell.count;
      of->amount += cell.amount;
      cell.row *= rows_apart;
      timeline_cells_add (&cells, &cell);
      if (i == TIMES / 3)
        compare (&cells, expected, rows_apart);
    }
    compare (&cells, expected, rows_apart);
    timeline_cells_clear (&cells);
    free (expected);
  }
}

/* In each block each cell begins where the one before ended. */
TEST (test_large)
{
  struct timeline_cells cells;
  struct timeline_cells_reader reader;
  struct timeline_cell cell;
  const guint n = 300000;
  timeline_cells_init (&cells);
  assert_int_equal (timeline_cells_count (&cells), 0);
  timeline_cells_begin (&reader, &cells);
  assert_false (timeline_cells_next (&reader, &cell));
  for (guint i = n; i-- > 0;) {
    cell = (struct timeline_cell){
      .row = UINT32_MAX - 2 * i, .begin = UINT16_MAX, .end = 0, .count = UINT64_MAX, .amount = i
    };
    timeline_cells_add (&cells, &cell);
  }
  timeline_cells_pack (&cells);
  assert_int_equal (timeline_cells_count (&cells), n);
  timeline_cells_begin (&reader, &cells);
  for (guint i = n; i-- > 0;) {
    assert_true (timeline_cells_next (&reader, &cell));
    assert_int_equal (cell.row, UINT32_MAX - 2 * i);
    assert_int_equal (cell.begin, UINT16_MAX);
    assert_int_equal (cell.end, 0);
    assert_true (cell.count == UINT64_MAX && cell.amount == i);
  }
  assert_false (timeline_cells_next (&reader, &cell));
  timeline_cells_clear (&cells);
}
