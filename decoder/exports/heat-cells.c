/* heat-cells.c -- collects the entries of cells, and packs them. */
#include "config.h"

#include "decoder/exports/heat-cells.h"
#include "decoder/core/id-map.h"
#include <zlib.h>

/* Entries of a layer that wait: 6 MiB of them. */
#define ENTRIES_MAX (1u << 18)

const struct heat_weight_name heat_weight_names[HEAT_WEIGHTS] = {
  [HEAT_SAMPLES] = { "samples", "Samples", "samples" },
  [HEAT_ALLOCATED] = { "allocated", "Allocated bytes", "bytes" },
  [HEAT_PAUSES] = { "pauses", "Pauses", "ns" },
  [HEAT_WAITS] = { "waits", "Waits of samples", "ns" },
  [HEAT_LOCKS] = { "locks", "Waits for locks", "ns" },
  [HEAT_EXCEPTIONS] = { "exceptions", "Exceptions", "throws" },
};

struct waiting {
  uint32_t cell; /* of the piece */
  uint32_t stack;
  uint32_t span; /* further cells in which it lasted */
  uint64_t amount;
};

struct heat_layer {
  GArray *entries; /* of struct waiting */
  uint64_t column; /* of the first cell */
  bool is_sorted;  /* by cell */
};

static void
free_layer (void *data)
{
  struct heat_layer *layer = data;
  if (layer == NULL)
    return;
  g_array_unref (layer->entries);
  g_free (layer);
}

static void
clear_piece (void *data)
{
  struct heat_piece *piece = data;
  g_byte_array_unref (piece->bytes);
}

void
heat_cells_init (struct heat_cells *cells)
{
  *cells = (struct heat_cells){ .layers = g_ptr_array_new_with_free_func (free_layer),
                                .pieces = g_array_new (FALSE, FALSE, sizeof (struct heat_piece)),
                                .seconds = g_array_new (FALSE, TRUE, sizeof (struct heat_second)) };
  g_array_set_clear_func (cells->pieces, clear_piece);
}

void
heat_cells_clear (struct heat_cells *cells)
{
  g_ptr_array_unref (cells->layers);
  g_array_unref (cells->pieces);
  g_array_unref (cells->seconds);
}

/* ---- pieces ---- */

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const struct waiting *x = a, *y = b;
  if (x->cell != y->cell)
    return x->cell < y->cell ? -1 : 1;
  if (x->stack != y->stack)
    return x->stack < y->stack ? -1 : 1;
  return (x->span > y->span) - (x->span < y->span);
}

/* Puts entries in order; those with amounts that differ in nothing else become one. */
static void
sort_entries (struct heat_layer *layer, bool is_counted)
{
  GArray *const all = layer->entries;
  guint kept = 0;
  if (!layer->is_sorted || !is_counted)
    g_array_sort (all, compare_entries);
  layer->is_sorted = true;
  for (guint i = 0; i < all->len && !is_counted; i++) {
    const struct waiting entry = g_array_index (all, struct waiting, i);
    struct waiting *last = kept != 0 ? &g_array_index (all, struct waiting, kept - 1) : NULL;
    if (last != NULL && compare_entries (last, &entry) == 0)
      last->amount += entry.amount;
    else
      g_array_index (all, struct waiting, kept++) = entry;
  }
  if (!is_counted)
    g_array_set_size (all, kept);
}

static void
append_byte (GByteArray *bytes, uint64_t value)
{
  const guint8 byte = (guint8) value;
  g_byte_array_append (bytes, &byte, 1);
}

static void
append_number (GByteArray *bytes, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    append_byte (bytes, value | 0x80);
  append_byte (bytes, value);
}

static void
append_counts (GByteArray *bytes, const GArray *entries, guint columns)
{
  guint at = 0;
  for (guint cell = 0; cell < columns * HEAT_ROWS; cell++) {
    const guint before = at;
    while (at < entries->len && g_array_index (entries, struct waiting, at).cell == cell)
      at++;
    append_number (bytes, at - before);
  }
}

/* A stack of a piece. */
struct ranked {
  uint32_t stack;
  guint local; /* its number in the order of their first entries */
  guint entries;
};

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const struct ranked *x = a, *y = b;
  if (x->entries != y->entries)
    return x->entries > y->entries ? -1 : 1;
  return (x->stack > y->stack) - (x->stack < y->stack);
}

/* Appends the stacks; returns the place of each, by its number in `locals` (transfer full). */
static guint *
append_stacks (GByteArray *bytes, const GArray *entries, struct id_map *locals)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (struct ranked));
  for (guint i = 0; i < entries->len; i++) {
    const uint32_t stack = g_array_index (entries, struct waiting, i).stack;
    const guint local = id_map_number (locals, stack);
    if (local == all->len)
      g_array_append_val (all, ((const struct ranked){ stack, local, 0 }));
    g_array_index (all, struct ranked, local).entries++;
  }
  g_array_sort (all, compare_ranked);
  guint *places = g_new (guint, all->len);
  append_number (bytes, all->len);
  for (guint i = 0; i < all->len; i++) {
    const struct ranked *ranked = &g_array_index (all, struct ranked, i);
    places[ranked->local] = i;
    append_number (bytes, ranked->stack);
  }
  return places;
}

static guint
place_of (const struct id_map *locals, const guint *places, const GArray *entries, guint i)
{
  return places[id_map_find (locals, g_array_index (entries, struct waiting, i).stack)];
}

static void
append_places (GByteArray *bytes, const GArray *entries)
{
  struct id_map locals;
  id_map_init (&locals);
  g_autofree guint *places = append_stacks (bytes, entries, &locals);
  for (guint i = 0; i < entries->len; i++)
    append_byte (bytes, MIN (place_of (&locals, places, entries, i), 255));
  for (unsigned shift = 0; shift < 24; shift += 8)
    for (guint i = 0; i < entries->len; i++) {
      const guint place = place_of (&locals, places, entries, i);
      if (place >= 255)
        append_byte (bytes, (place - 255) >> shift);
    }
  id_map_clear (&locals);
}

/* GLib ends the process without memory. */
static voidpf
allocate (voidpf data, uInt items, uInt size)
{
  (void) data;
  return g_malloc_n (items, size);
}

static void
release (voidpf data, voidpf memory)
{
  (void) data;
  g_free (memory);
}

/* It cannot fail: the room is enough, and there is memory. */
static GByteArray *
deflate_with (const GByteArray *bytes, int level, int strategy)
{
  z_stream stream
      = { .zalloc = allocate, .zfree = release, .next_in = bytes->data, .avail_in = bytes->len };
  int result = deflateInit2 (&stream, level, Z_DEFLATED, MAX_WBITS, MAX_MEM_LEVEL, strategy);
  const uLong room = deflateBound (&stream, bytes->len);
  guint8 *packed = g_malloc (room);
  stream.next_out = packed;
  stream.avail_out = (uInt) room;
  if (result == Z_OK)
    result = deflate (&stream, Z_FINISH);
  const uLong length = stream.total_out;
  deflateEnd (&stream);
  if (result != Z_STREAM_END)
    g_error ("heat map: cannot deflate %u bytes: zlib reports %d", bytes->len, result);
  return g_byte_array_new_take (g_realloc (packed, length), length);
}

/* Of stacks in no order, matches cost more than they save; those of a loop are all matches. */
static GByteArray *
deflate_bytes (const GByteArray *bytes)
{
  GByteArray *plain = deflate_with (bytes, Z_BEST_SPEED, Z_RLE);
  GByteArray *matched = deflate_with (bytes, Z_BEST_SPEED, Z_DEFAULT_STRATEGY);
  const bool is_plain = plain->len <= matched->len;
  g_byte_array_unref (is_plain ? matched : plain);
  return is_plain ? plain : matched;
}

static void
pack_layer (struct heat_cells *cells, guint program, enum heat_weight weight,
            struct heat_layer *layer)
{
  GArray *const entries = layer->entries;
  const bool is_counted = heat_weight_is_counted (weight);
  if (entries->len == 0)
    return;
  sort_entries (layer, is_counted);
  const guint columns
      = g_array_index (entries, struct waiting, entries->len - 1).cell / HEAT_ROWS + 1;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  append_counts (bytes, entries, columns);
  append_places (bytes, entries);
  for (guint i = 0; i < entries->len && !is_counted; i++)
    append_number (bytes, g_array_index (entries, struct waiting, i).amount);
  for (guint i = 0; i < entries->len && !is_counted; i++)
    append_number (bytes, g_array_index (entries, struct waiting, i).span);
  const struct heat_piece piece = { .program = program,
                                    .weight = weight,
                                    .column = (guint) layer->column,
                                    .columns = columns,
                                    .entries = entries->len,
                                    .bytes = deflate_bytes (bytes) };
  g_array_append_val (cells->pieces, piece);
  g_array_set_size (entries, 0);
}

/* ---- layers ---- */

static struct heat_layer *
layer_of (struct heat_cells *cells, guint program, enum heat_weight weight)
{
  const guint place = program * HEAT_WEIGHTS + weight;
  if (place >= cells->layers->len)
    g_ptr_array_set_size (cells->layers, (gint) (program + 1) * HEAT_WEIGHTS);
  struct heat_layer *layer = g_ptr_array_index (cells->layers, place);
  if (layer == NULL) {
    layer = g_new0 (struct heat_layer, 1);
    layer->entries = g_array_new (FALSE, FALSE, sizeof (struct waiting));
    cells->layers->pdata[place] = layer;
  }
  return layer;
}

/* The layer has room for another entry of this column. */
static void
make_room (struct heat_cells *cells, guint program, enum heat_weight weight,
           struct heat_layer *layer, uint64_t column)
{
  if (layer->entries->len >= ENTRIES_MAX) {
    if (!heat_weight_is_counted (weight))
      sort_entries (layer, false);
    if (layer->entries->len >= ENTRIES_MAX / 4 * 3)
      pack_layer (cells, program, weight, layer);
  }
  if (column < layer->column || column >= layer->column + HEAT_PIECE_COLUMNS)
    pack_layer (cells, program, weight, layer);
  if (layer->entries->len == 0) {
    layer->column = column;
    layer->is_sorted = true;
  }
}

void
heat_cells_add (struct heat_cells *cells, guint program, enum heat_weight weight,
                const struct heat_entry *e)
{
  const uint64_t first = e->begin / HEAT_ROW_NS, last = MAX (e->begin, e->end) / HEAT_ROW_NS;
  const uint64_t cell = heat_weight_is_backward (weight) ? last : first, column = cell / HEAT_ROWS;
  cells->last = MAX (cells->last, column);
  if (column >= HEAT_COLUMNS_MAX || e->amount == 0)
    return;
  struct heat_layer *layer = layer_of (cells, program, weight);
  make_room (cells, program, weight, layer, column);
  const struct waiting entry = { .cell = (uint32_t) (cell - layer->column * HEAT_ROWS),
                                 .stack = e->stack,
                                 .span = (uint32_t) MIN (last - first, UINT32_MAX),
                                 .amount = e->amount };
  const guint n = layer->entries->len;
  if (n != 0 && entry.cell < g_array_index (layer->entries, struct waiting, n - 1).cell)
    layer->is_sorted = false;
  g_array_append_val (layer->entries, entry);
  if (column >= cells->seconds->len)
    g_array_set_size (cells->seconds, (guint) column + 1);
  g_array_index (cells->seconds, struct heat_second, column).amounts[weight] += e->amount;
}

void
heat_cells_finish (struct heat_cells *cells)
{
  for (guint i = 0; i < cells->layers->len; i++) {
    struct heat_layer *layer = g_ptr_array_index (cells->layers, i);
    if (layer != NULL)
      pack_layer (cells, i / HEAT_WEIGHTS, i % HEAT_WEIGHTS, layer);
  }
  g_ptr_array_set_size (cells->layers, 0);
}

uint64_t
heat_cells_sum (const struct heat_cells *cells, enum heat_weight weight)
{
  uint64_t sum = 0;
  for (guint i = 0; i < cells->seconds->len; i++)
    sum += g_array_index (cells->seconds, struct heat_second, i).amounts[weight];
  return sum;
}
