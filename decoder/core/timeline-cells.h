/* timeline-cells.h -- sums by row of a table and bins, in few bytes each.
 *
 * Cells that were added lately are plain ones; the others are packed in order of row, begin and
 * end, in some eight bytes each.  Rows are numbers that lie close together, as those of a table.
 * A list is used by one thread at a time.
 */
#ifndef PROFLOG_TIMELINE_CELLS_H
#define PROFLOG_TIMELINE_CELLS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Values of one row: of spans of time that began in one bin, and ended in another. */
struct timeline_cell {
  uint32_t row;
  uint16_t begin, end;
  uint64_t count;  /* of objects: in 1024 parts of one */
  uint64_t amount; /* ns or bytes */
};

struct timeline_cell_block;

struct timeline_cells {
  struct timeline_cell_block *first; /* of those that are packed */
  guint packed;                      /* the number of packed cells */
  GArray *fresh;                     /* of struct timeline_cell; NULL: there are none */
  guint *recent;                     /* by hash of the cell: places in `fresh` + 1; 0: none */
};

void timeline_cells_init (struct timeline_cells *cells);
void timeline_cells_clear (struct timeline_cells *cells);

/* All of a list become those of another one, which has none. */
void timeline_cells_move (struct timeline_cells *to, struct timeline_cells *from);

bool timeline_cells_is_empty (const struct timeline_cells *cells);

/* Adds to the sums of a row and bins. */
void timeline_cells_add (struct timeline_cells *cells, const struct timeline_cell *cell);

/* All that were added are packed; none may be unpacked when they are counted and read. */
void timeline_cells_pack (struct timeline_cells *cells);

/* How many there are, each of other bins. */
guint timeline_cells_count (const struct timeline_cells *cells);

/* A look at all of them, in order of row, begin and end. */
struct timeline_cells_reader {
  const struct timeline_cell_block *block; /* NULL: at the end */
  guint at;                                /* in the block */
  struct timeline_cell last;
};

void timeline_cells_begin (struct timeline_cells_reader *reader,
                           const struct timeline_cells *cells);

/* False at the end. */
bool timeline_cells_next (struct timeline_cells_reader *reader, struct timeline_cell *cell);

#endif
