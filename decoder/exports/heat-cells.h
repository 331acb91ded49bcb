/* heat-cells.h -- the sums of each cell of a heat map: a column for each second, in it a row for
 * each 20 ms.
 *
 * A layer has the sums of one program and one weight.  Its cells are packed piece by piece, as time
 * passes, so that memory grows with their compressed size.  A piece is of at most
 * HEAT_PIECE_COLUMNS columns; one that comes late is another piece of the same columns, and both
 * are to be added.
 */
#ifndef PROFLOG_HEAT_CELLS_H
#define PROFLOG_HEAT_CELLS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define HEAT_COLUMN_NS UINT64_C (1000000000)
#define HEAT_ROWS 50
#define HEAT_ROW_NS (HEAT_COLUMN_NS / HEAT_ROWS)
#define HEAT_PIECE_COLUMNS 3600
/* Of a page: two days. */
#define HEAT_COLUMNS_MAX 172800

enum heat_weight {
  HEAT_SAMPLES,
  HEAT_ALLOCATED, /* bytes */
  HEAT_PAUSES,    /* ns, as are the next two */
  HEAT_WAITS,     /* of samples of the wall clock */
  HEAT_LOCKS,
  HEAT_EXCEPTIONS,
  HEAT_WEIGHTS
};

/* The key of a weight in JSON, its title, and its unit. */
struct heat_weight_name {
  const char *key, *title, *unit;
};
extern const struct heat_weight_name heat_weight_names[HEAT_WEIGHTS];

/* Whether each entry of a layer counts one: it has neither an amount nor a duration then. */
static inline bool
heat_weight_is_counted (enum heat_weight weight)
{
  return weight == HEAT_SAMPLES || weight == HEAT_EXCEPTIONS;
}

/* Whether entries stand in the cell in which they ended, as samples do that state a wait; others in
 * that in which they began. */
static inline bool
heat_weight_is_backward (enum heat_weight weight)
{
  return weight == HEAT_WAITS;
}

/* Cells of some columns of a layer, deflated (zlib).  In it, numbers are LEB128:
 *   the number of entries of each cell, column by column;
 *   the number of stacks, and these, the most frequent first;
 *   of each entry the place of its stack there, as a byte; 255: the rest, less 255, in three planes
 * of a byte for each of these entries, the lowest first; unless entries are counted: of each entry
 * its amount, then of each the number of further cells in which it
 *   lasted: after its cell, or before it (heat_weight_is_backward). */
struct heat_piece {
  guint program;
  enum heat_weight weight;
  guint column;
  guint columns;
  guint entries;
  GByteArray *bytes; /* owned */
};

/* The sums of a second by weight; an entry that lasts is of the second of its cell. */
struct heat_second {
  uint64_t amounts[HEAT_WEIGHTS];
};

struct heat_cells {
  GPtrArray *layers; /* of struct heat_layer *, by program and weight; NULL: nothing came */
  GArray *pieces;    /* of struct heat_piece */
  GArray *seconds;   /* of struct heat_second, by column */
  uint64_t last;     /* the last second that something came of, also of those that have no column */
};

void heat_cells_init (struct heat_cells *cells);
void heat_cells_clear (struct heat_cells *cells);

/* An entry. */
struct heat_entry {
  uint64_t begin; /* ns on the axis */
  uint64_t end;   /* the same, if it does not last */
  uint64_t amount;
  guint stack; /* any number of the caller's */
};

/* Adds an entry to a program's layer.  One that begins after HEAT_COLUMNS_MAX columns is left out,
 * which `last` shows. */
void heat_cells_add (struct heat_cells *cells, guint program, enum heat_weight weight,
                     const struct heat_entry *entry);

/* Packs the waiting entries; nothing is added after that. */
void heat_cells_finish (struct heat_cells *cells);

/* The sum of all entries of a weight. */
uint64_t heat_cells_sum (const struct heat_cells *cells, enum heat_weight weight);

#endif
