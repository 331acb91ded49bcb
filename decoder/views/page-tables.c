/* page-tables.c -- the tables of a timeline as data for the scripts of a page.
 *
 * The page does not grow with the log: the number of cells is limited.  The rows of the largest
 * sums keep their own, all others are one row.
 */
#include "config.h"

#include "decoder/mlpd/model/wait-kind.h"
#include "decoder/output/name-lists.h"
#include "decoder/views/page.h"

/* Cells of all tables, of some 20 bytes each, and how many of them a row with its name is worth. */
#define CELLS_MAX 90000u
#define CELLS_OF_ROW 3u

/* ---- cells on their way to the page ---- */

static void
cells_put (GString *json, const struct timeline_cells *c)
{
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  timeline_cells_begin (&cells, c);
  while (timeline_cells_next (&cells, &cell)) {
    page_json_number (json, cell.row);
    page_json_number (json, cell.begin);
    page_json_number (json, cell.end);
    page_json_number (json, cell.count);
    page_json_number (json, cell.amount);
  }
}

/* ---- which rows are retained ---- */

/* Of a row, with those below it. */
struct weight {
  uint32_t row;
  guint cells;
  uint64_t count, amount;
};

static int
compare_weights (gconstpointer a, gconstpointer b)
{
  const struct weight *x = a, *y = b;
  if (x->amount != y->amount)
    return x->amount < y->amount ? 1 : -1;
  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return x->row < y->row ? -1 : 1; /* callers are before their callees */
}

/* For each row whether it keeps its cells, of `max` at most.  A caller comes before its callees, so
 * that with a row all that lead to it are retained.  (transfer full) */
static bool *
retained_rows (const GArray *rows, const struct timeline_cells *all, guint max)
{
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  bool *retained = g_new0 (bool, rows->len);
  struct weight *weights = g_new0 (struct weight, rows->len);
  guint sum = 0;
  for (guint i = 0; i < rows->len; i++)
    weights[i].row = i;
  timeline_cells_begin (&cells, all);
  while (timeline_cells_next (&cells, &cell)) {
    weights[cell.row].cells++;
    weights[cell.row].count += cell.count;
    weights[cell.row].amount += cell.amount;
  }
  for (guint i = rows->len - 1; i > 0; i--) {
    struct weight *parent = &weights[g_array_index (rows, struct timeline_row, i).parent];
    parent->count += weights[i].count;
    parent->amount += weights[i].amount;
  }
  qsort (weights, rows->len, sizeof *weights, compare_weights);
  for (guint i = 0; i < rows->len && sum + weights[i].cells + CELLS_OF_ROW <= max; i++) {
    retained[weights[i].row] = true;
    sum += weights[i].cells + CELLS_OF_ROW;
  }
  retained[TIMELINE_ROOT] = true;
  g_free (weights);
  return retained;
}

/* ---- a table ---- */

/* Rows and cells, as the page has them. */
struct page_table {
  GArray *rows; /* of struct timeline_row; the first is the root */
  struct timeline_cells cells;
  guint left_out; /* rows that are in others */
};

static uint32_t
add_row (struct page_table *p, uint32_t parent, uint32_t name)
{
  const struct timeline_row row = { parent, name };
  g_array_append_val (p->rows, row);
  return p->rows->len - 1;
}

/* The rows of a table that fit on a page; the rest is in rows called OTHERS. */
static void
page_table_init (struct page_table *p, const GArray *rows, const struct timeline_cells *all,
                 guint max, uint32_t others)
{
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  bool *retained = retained_rows (rows, all, max);
  uint32_t *row_of = g_new0 (uint32_t, rows->len);    /* in the page's table */
  uint32_t *others_of = g_new0 (uint32_t, rows->len); /* by row of the timeline */
  p->rows = g_array_new (FALSE, TRUE, sizeof (struct timeline_row));
  g_array_set_size (p->rows, 1);
  timeline_cells_init (&p->cells);
  p->left_out = 0;
  for (guint i = 1; i < rows->len; i++) {
    const struct timeline_row *row = &g_array_index (rows, struct timeline_row, i);
    const uint32_t parent = row_of[row->parent];
    p->left_out += !retained[i];
    if (retained[i]) {
      row_of[i] = add_row (p, parent, row->name);
    } else if (!retained[row->parent]) {
      row_of[i] = parent; /* that is a row of others */
    } else {
      if (others_of[row->parent] == 0)
        others_of[row->parent] = add_row (p, parent, others);
      row_of[i] = others_of[row->parent];
    }
  }
  timeline_cells_begin (&cells, all);
  while (timeline_cells_next (&cells, &cell)) {
    cell.row = row_of[cell.row];
    timeline_cells_add (&p->cells, &cell);
  }
  timeline_cells_pack (&p->cells);
  g_free (others_of);
  g_free (row_of);
  g_free (retained);
}

static void
page_table_clear (struct page_table *p)
{
  g_array_unref (p->rows);
  timeline_cells_clear (&p->cells);
}

/* A table of the sums of the innermost frames of stacks. */
struct flat {
  const char *key;
  enum timeline_table_key of;
  enum {
    FLAT_ALL,
    FLAT_WORK,
    FLAT_WAITS
  } which; /* of the frames, as the section `cpu` splits calls */
  GArray *rows;
  struct timeline_cells cells;
};

static bool
flat_has (const struct flat *f, const struct timeline *t, uint32_t name)
{
  if (f->which == FLAT_ALL)
    return true;
  const bool waits = wait_kind_of_frame (g_ptr_array_index (t->names, name)) != WAIT_NONE;
  return waits == (f->which == FLAT_WAITS);
}

/* The number of a flat row, a new one for a name that had none. */
static uint32_t
row_of_name (struct flat *f, struct id_map *numbers, uint32_t name)
{
  const uint32_t row = id_map_number (numbers, name) + 1;
  if (row == f->rows->len) {
    const struct timeline_row named = { TIMELINE_ROOT, name };
    g_array_append_val (f->rows, named);
  }
  return row;
}

/* Of the rows that have cells, in their order. */
static void
flat_init (struct flat *f, const struct timeline *t)
{
  const struct timeline_table *table = &t->tables[f->of];
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  struct id_map numbers;
  uint32_t of = TIMELINE_ROOT, flat_row = TIMELINE_ROOT;
  f->rows = g_array_new (FALSE, TRUE, sizeof (struct timeline_row));
  g_array_set_size (f->rows, 1);
  timeline_cells_init (&f->cells);
  id_map_init (&numbers);
  timeline_cells_begin (&cells, &table->cells);
  while (timeline_cells_next (&cells, &cell)) {
    const uint32_t name = g_array_index (table->rows, struct timeline_row, cell.row).name;
    if (cell.row != of) {
      of = cell.row;
      flat_row = flat_has (f, t, name) ? row_of_name (f, &numbers, name) : TIMELINE_ROOT;
    }
    cell.row = flat_row;
    if (flat_row != TIMELINE_ROOT)
      timeline_cells_add (&f->cells, &cell);
  }
  timeline_cells_pack (&f->cells);
  id_map_clear (&numbers);
}

static void
flat_clear (struct flat *f)
{
  g_array_unref (f->rows);
  timeline_cells_clear (&f->cells);
}

/* ---- names ---- */

guint
page_name (struct page_names *n, uint32_t name)
{
  const guint number = id_map_number (&n->numbers, name);
  if (number == n->used->len)
    g_array_append_val (n->used, name);
  return number;
}

void
page_names_put (GString *json, const struct page_names *n)
{
  const GPtrArray *all = n->timeline->names;
  struct name_lists lists;
  name_lists_init (&lists);
  page_json_key (json, "names");
  g_string_append_c (json, '[');
  for (guint i = 0; i < n->used->len; i++) {
    const uint32_t number = g_array_index (n->used, uint32_t, i);
    const char *name = number < all->len ? g_ptr_array_index (all, number) : PAGE_OTHERS;
    page_json_text (json, name);
    name_lists_add (&lists, i, name);
  }
  g_string_append_c (json, ']');
  name_lists_append (&lists, json);
  name_lists_clear (&lists);
}

/* ---- JSON ---- */

static void
put_page_table (GString *json, const char *key, struct page_table *p, struct page_names *names)
{
  page_json_key (json, key);
  g_string_append (json, "{\"parents\":[");
  for (guint i = 1; i < p->rows->len; i++)
    page_json_number (json, g_array_index (p->rows, struct timeline_row, i).parent);
  g_string_append (json, "],\n\"names\":[");
  for (guint i = 1; i < p->rows->len; i++)
    page_json_number (json,
                      page_name (names, g_array_index (p->rows, struct timeline_row, i).name));
  g_string_append (json, "],\n\"cells\":[");
  cells_put (json, &p->cells);
  g_string_append (json, "]}");
}

/* A table on its way to the page. */
struct source {
  const char *key;
  const GArray *rows;
  const struct timeline_cells *cells;
};

static uint64_t
cost_of (const struct source *source)
{
  return timeline_cells_count (source->cells) + (uint64_t) source->rows->len * CELLS_OF_ROW;
}

/* The most cells of a table with which all have CELLS_MAX at most. */
static guint
fair_share (const struct source *sources, guint n)
{
  guint low = 0, high = CELLS_MAX;
  while (low < high) {
    const guint middle = low + (high - low + 1) / 2;
    uint64_t sum = 0;
    for (guint i = 0; i < n; i++)
      sum += MIN (cost_of (&sources[i]), middle);
    if (sum <= CELLS_MAX)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Returns the number of rows that are in others. */
static guint
put_sources (GString *json, const struct source *sources, guint n, struct page_names *names)
{
  const guint max = fair_share (sources, n);
  guint left_out = 0;
  for (guint i = 0; i < n; i++) {
    struct page_table p;
    page_table_init (&p, sources[i].rows, sources[i].cells, max, names->timeline->names->len);
    put_page_table (json, sources[i].key, &p, names);
    left_out += p.left_out;
    page_table_clear (&p);
  }
  return left_out;
}

guint
page_tables_put (GString *json, struct page_names *names)
{
  static const char *const keys[TIMELINE_TABLES] = {
    [TIMELINE_CALLS] = "stacks",
    [TIMELINE_SAMPLES] = "samples",
    [TIMELINE_WAITS] = "waits",
    [TIMELINE_ALLOCATIONS] = "allocations",
    [TIMELINE_EXCEPTIONS] = "exceptions",
    [TIMELINE_LOCKS] = "monitors",
    [TIMELINE_COLLECTIONS] = "collections",
    [TIMELINE_PAUSES] = "pauses",
    [TIMELINE_THREADS] = "threads",
  };
  const struct timeline *const t = names->timeline;
  struct flat flats[] = { { .key = "calls", TIMELINE_CALLS, FLAT_WORK },
                          { .key = "waiting_calls", TIMELINE_CALLS, FLAT_WAITS },
                          { .key = "cpu", TIMELINE_SAMPLES, FLAT_ALL } };
  struct source sources[TIMELINE_TABLES + G_N_ELEMENTS (flats)];
  for (guint i = 0; i < TIMELINE_TABLES; i++)
    sources[i] = (struct source){ keys[i], t->tables[i].rows, &t->tables[i].cells };
  for (guint i = 0; i < G_N_ELEMENTS (flats); i++) {
    flat_init (&flats[i], t);
    sources[TIMELINE_TABLES + i] = (struct source){ flats[i].key, flats[i].rows, &flats[i].cells };
  }
  page_json_key (json, "tables");
  page_json_open (json, '{');
  const guint left_out = put_sources (json, sources, G_N_ELEMENTS (sources), names);
  g_string_append_c (json, '}');
  for (guint i = 0; i < G_N_ELEMENTS (flats); i++)
    flat_clear (&flats[i]);
  return left_out;
}
