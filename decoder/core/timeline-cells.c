/* timeline-cells.c -- packed sums by row and bins.
 *
 * A block has whole cells.  A cell has the lengths of its numbers, in two bytes, and these, each in
 * as few bytes as it needs: the row, from that of the cell before; the begin, from that of the cell
 * before if it is of the same row; the bins from there to the end; both sums.  Each block begins at
 * row 0.
 */
#include "config.h"

#include "decoder/core/timeline-cells.h"
#include <stdlib.h>
#include <string.h>

enum {
  BLOCK_BYTES = 65536 - 32, /* with the head and that of malloc 64 KiB */
  CELL_BYTES_MAX = 2 + 4 + 2 + 2 + 8 + 8,
  WORD_BYTES = 8, /* numbers are read and written as words */
  RECENT_BITS = 16,
  FRESH_MIN = 1u << 16, /* they are packed if there are more, and a part as many as packed ones: */
  FRESH_PART = 3,
};

struct timeline_cell_block {
  struct timeline_cell_block *next;
  guint length;
  guint8 bytes[BLOCK_BYTES];
};

void
timeline_cells_init (struct timeline_cells *c)
{
  *c = (struct timeline_cells){ .first = NULL };
}

void
timeline_cells_clear (struct timeline_cells *c)
{
  struct timeline_cell_block *next;
  for (struct timeline_cell_block *block = c->first; block != NULL; block = next) {
    next = block->next;
    g_free (block);
  }
  if (c->fresh != NULL)
    g_array_unref (c->fresh);
  g_free (c->recent);
  timeline_cells_init (c);
}

/* ---- reading ---- */

/* Where the lengths are in their two bytes. */
enum { ROW_SHIFT = 0, BEGIN_SHIFT = 3, SPAN_SHIFT = 5, COUNT_SHIFT = 7, AMOUNT_SHIFT = 11 };

/* The number whose length is at this place of the lengths, in `bits` bits. */
static inline uint64_t
take (const guint8 **at, guint lengths, guint shift, guint bits)
{
  const guint length = lengths >> shift & ((1u << bits) - 1);
  uint64_t word;
  memcpy (&word, *at, sizeof word);
  *at += length;
  return length == 0 ? 0 : GUINT64_FROM_LE (word) & UINT64_MAX >> (64 - 8 * length);
}

bool
timeline_cells_next (struct timeline_cells_reader *r, struct timeline_cell *cell)
{
  if (r->block != NULL && r->at == r->block->length) {
    r->block = r->block->next;
    r->at = 0;
    r->last.row = 0;
    r->last.begin = 0;
  }
  if (r->block == NULL)
    return false;
  const guint8 *at = r->block->bytes + r->at;
  uint16_t lengths;
  memcpy (&lengths, at, sizeof lengths);
  at += sizeof lengths;
  const uint32_t rows = (uint32_t) take (&at, lengths, ROW_SHIFT, 3);
  r->last.begin
      = (uint16_t) (take (&at, lengths, BEGIN_SHIFT, 2) + (rows != 0 ? 0 : r->last.begin));
  r->last.row += rows;
  r->last.end = (uint16_t) (r->last.begin + take (&at, lengths, SPAN_SHIFT, 2));
  r->last.count = take (&at, lengths, COUNT_SHIFT, 4);
  r->last.amount = take (&at, lengths, AMOUNT_SHIFT, 4);
  r->at = (guint) (at - r->block->bytes);
  *cell = r->last;
  return true;
}

/* ---- packing ---- */

struct packer {
  struct timeline_cell_block *first, *last;
  struct timeline_cell previous;
  guint count;
};

/* Returns the end of the number. */
static inline guint8 *
put (guint8 *at, uint64_t number, uint16_t *lengths, guint shift)
{
  const guint length = number != 0 ? (guint) (71 - __builtin_clzll (number)) / 8 : 0;
  *lengths |= (uint16_t) (length << shift);
  const uint64_t word = GUINT64_TO_LE (number);
  memcpy (at, &word, sizeof word);
  return at + length;
}

static void
pack (struct packer *p, const struct timeline_cell *cell)
{
  if (p->last == NULL || p->last->length > BLOCK_BYTES - CELL_BYTES_MAX - WORD_BYTES) {
    struct timeline_cell_block *const block = g_malloc (sizeof *block);
    block->next = NULL;
    block->length = 0;
    *(p->last != NULL ? &p->last->next : &p->first) = block;
    p->last = block;
    p->previous.row = 0;
    p->previous.begin = 0;
  }
  const uint32_t rows = cell->row - p->previous.row;
  guint8 *const bytes = p->last->bytes;
  guint8 *const head = bytes + p->last->length;
  const uint16_t before = rows != 0 ? 0 : p->previous.begin;
  uint16_t lengths = 0;
  guint8 *end = put (head + sizeof lengths, rows, &lengths, ROW_SHIFT);
  end = put (end, (uint16_t) (cell->begin - before), &lengths, BEGIN_SHIFT);
  end = put (end, (uint16_t) (cell->end - cell->begin), &lengths, SPAN_SHIFT);
  end = put (end, cell->count, &lengths, COUNT_SHIFT);
  end = put (end, cell->amount, &lengths, AMOUNT_SHIFT);
  memcpy (head, &lengths, sizeof lengths);
  p->last->length = (guint) (end - bytes);
  p->previous = *cell;
  p->count++;
}

static int
compare_bins (const struct timeline_cell *a, const struct timeline_cell *b)
{
  if (a->begin != b->begin)
    return a->begin < b->begin ? -1 : 1;
  return a->end < b->end ? -1 : a->end > b->end;
}

static int
compare_cells (const struct timeline_cell *a, const struct timeline_cell *b)
{
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return compare_bins (a, b);
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer cells)
{
  const struct timeline_cell *const all = cells;
  return compare_bins (&all[*(const guint *) a], &all[*(const guint *) b]);
}

/* Of one row, which mostly came in order of time. */
static void
sort_row (guint *places, guint n, struct timeline_cell *all)
{
  for (guint i = 1; i < n; i++)
    if (compare_bins (&all[places[i - 1]], &all[places[i]]) > 0) {
      g_qsort_with_data (places, (gint) n, sizeof *places, compare_places, all);
      return;
    }
}

/* The places of cells in order of row and bins (transfer full). */
static guint *
sort_places (struct timeline_cell *all, guint n)
{
  uint32_t low = UINT32_MAX, high = 0;
  for (guint i = 0; i < n; i++) {
    low = MIN (low, all[i].row);
    high = MAX (high, all[i].row);
  }
  g_autofree guint *first = g_new0 (guint, (gsize) (high - low) + 2);
  guint *const places = g_new (guint, n);
  for (guint i = 0; i < n; i++)
    first[all[i].row - low + 1]++;
  for (uint32_t row = 0; row <= high - low; row++)
    first[row + 1] += first[row];
  for (guint i = 0; i < n; i++)
    places[first[all[i].row - low]++] = i;
  for (uint32_t row = 0, begin = 0; row <= high - low; begin = first[row++])
    sort_row (&places[begin], first[row] - begin, all);
  return places;
}

/* The packed cells on their way to others: each block is freed when it was read. */
struct unpacker {
  struct timeline_cells_reader reader;
  struct timeline_cell_block *block;
  struct timeline_cell cell;
  bool has_cell;
};

static void
unpack (struct unpacker *u)
{
  u->has_cell = timeline_cells_next (&u->reader, &u->cell);
  while (u->block != u->reader.block) {
    struct timeline_cell_block *const next = u->block->next;
    g_free (u->block);
    u->block = next;
  }
}

/* Those of other bins that come before this one; those of the same bins go into it. */
static void
pack_before (struct packer *p, struct unpacker *u, struct timeline_cell *cell)
{
  while (u->has_cell && compare_cells (&u->cell, cell) < 0) {
    pack (p, &u->cell);
    unpack (u);
  }
  if (u->has_cell && compare_cells (&u->cell, cell) == 0) {
    cell->count += u->cell.count;
    cell->amount += u->cell.amount;
    unpack (u);
  }
}

/* The fresh cells go to the packed ones. */
static void
pack_fresh (struct timeline_cells *c)
{
  struct timeline_cell *const all = (struct timeline_cell *) (void *) c->fresh->data;
  const guint n = c->fresh->len;
  g_autofree guint *places = sort_places (all, n);
  struct packer p = { .first = NULL };
  struct unpacker u = { .reader = { .block = c->first }, .block = c->first };
  unpack (&u);
  for (guint i = 0; i < n;) {
    struct timeline_cell cell = all[places[i++]];
    for (; i < n && compare_cells (&all[places[i]], &cell) == 0; i++) {
      cell.count += all[places[i]].count;
      cell.amount += all[places[i]].amount;
    }
    pack_before (&p, &u, &cell);
    pack (&p, &cell);
  }
  for (; u.has_cell; unpack (&u))
    pack (&p, &u.cell);
  c->first = p.first;
  c->packed = p.count;
  g_array_set_size (c->fresh, 0);
  memset (c->recent, 0, sizeof *c->recent << RECENT_BITS);
}

/* ---- the list ---- */

void
timeline_cells_add (struct timeline_cells *c, const struct timeline_cell *cell)
{
  if (c->fresh == NULL) {
    c->fresh = g_array_new (FALSE, FALSE, sizeof *cell);
    c->recent = g_new0 (guint, 1u << RECENT_BITS);
  }
  const uint64_t id = (uint64_t) cell->row << 32 | (uint32_t) cell->begin << 16 | cell->end;
  guint *const recent = &c->recent[id * UINT64_C (0x9E3779B97F4A7C15) >> (64 - RECENT_BITS)];
  if (*recent != 0) {
    struct timeline_cell *const known
        = &g_array_index (c->fresh, struct timeline_cell, *recent - 1);
    if (compare_cells (known, cell) == 0) {
      known->count += cell->count;
      known->amount += cell->amount;
      return;
    }
  }
  if (c->fresh->len >= MAX (FRESH_MIN, c->packed / FRESH_PART))
    pack_fresh (c);
  g_array_append_vals (c->fresh, cell, 1);
  *recent = c->fresh->len;
}

void
timeline_cells_move (struct timeline_cells *to, struct timeline_cells *from)
{
  timeline_cells_clear (to);
  *to = *from;
  timeline_cells_init (from);
}

bool
timeline_cells_is_empty (const struct timeline_cells *c)
{
  return c->first == NULL && c->fresh == NULL;
}

void
timeline_cells_pack (struct timeline_cells *c)
{
  if (c->fresh == NULL)
    return;
  pack_fresh (c);
  g_array_unref (c->fresh);
  g_free (c->recent);
  c->fresh = NULL;
  c->recent = NULL;
}

guint
timeline_cells_count (const struct timeline_cells *c)
{
  g_assert (c->fresh == NULL);
  return c->packed;
}

void
timeline_cells_begin (struct timeline_cells_reader *r, const struct timeline_cells *c)
{
  g_assert (c->fresh == NULL);
  *r = (struct timeline_cells_reader){ .block = c->first };
}
