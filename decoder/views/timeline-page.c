/* timeline-page.c -- a timeline as data for the scripts of a page.
 *
 * The page does not grow with the log: tables have so many cells at most.  The rows of the largest sums
 * keep their own, all others are one row.
 */
#include "config.h"

#include "decoder/core/timeline.h"
#include "decoder/ghc/analyses/ghc-figures.h"
#include "decoder/output/embedded-file.h"
#include "decoder/output/emitter-html.h"
#include "decoder/views/page-heap.h"
#include "decoder/views/page-json.h"
#include "decoder/views/timeline-page.h"

/* Cells of all tables, of some 20 bytes each, and how many of them a row with its name is worth. */
#define CELLS_MAX 90000u
#define CELLS_OF_ROW 3u
/* Lanes that are drawn: those of the longest times, or of most events. */
#define LANES_MAX 60u
/* Values of all lanes, and of all series. */
#define VALUES_MAX 60000u
#define PAUSES_MAX 5000
#define MARKS_MAX 2000
#define OTHERS "[others]"

/* ---- cells on their way to the page ---- */

struct cells {
  GArray *all; /* of struct timeline_cell */
  struct id_map numbers;
};

static void
cells_init (struct cells *c)
{
  c->all = g_array_new (FALSE, FALSE, sizeof (struct timeline_cell));
  id_map_init (&c->numbers);
}

static void
cells_clear (struct cells *c)
{
  g_array_unref (c->all);
  id_map_clear (&c->numbers);
}

static void
cells_add (struct cells *c, uint32_t row, const struct timeline_cell *from)
{
  const uint64_t id = (uint64_t) row << 32 | (uint32_t) from->begin << 16 | from->end;
  const guint place = id_map_number (&c->numbers, id);
  if (place == c->all->len) {
    const struct timeline_cell cell = { .row = row, .begin = from->begin, .end = from->end };
    g_array_append_val (c->all, cell);
  }
  struct timeline_cell *cell = &g_array_index (c->all, struct timeline_cell, place);
  cell->count += from->count;
  cell->amount += from->amount;
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

/* For each row whether it keeps its cells, of so many at most.  A caller comes before its callees, so
 * that with a row all that lead to it are retained.  (transfer full) */
static bool *
retained_rows (const GArray *rows, const GArray *cells, guint max)
{
  bool *retained = g_new0 (bool, rows->len);
  struct weight *weights = g_new0 (struct weight, rows->len);
  guint sum = 0;
  for (guint i = 0; i < rows->len; i++)
    weights[i].row = i;
  for (guint i = 0; i < cells->len; i++) {
    const struct timeline_cell *cell = &g_array_index (cells, struct timeline_cell, i);
    weights[cell->row].cells++;
    weights[cell->row].count += cell->count;
    weights[cell->row].amount += cell->amount;
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
  struct cells cells;
  guint left_out; /* rows that are in others */
};

static uint32_t
add_row (struct page_table *p, uint32_t parent, uint32_t name)
{
  const struct timeline_row row = { parent, name };
  g_array_append_val (p->rows, row);
  return p->rows->len - 1;
}

/* The rows of a table that fit on a page; what does not is in rows called OTHERS. */
static void
page_table_init (struct page_table *p, const GArray *rows, const GArray *cells, guint max,
                 uint32_t others)
{
  bool *retained = retained_rows (rows, cells, max);
  uint32_t *row_of = g_new0 (uint32_t, rows->len);    /* in the page's table */
  uint32_t *others_of = g_new0 (uint32_t, rows->len); /* by row of the timeline */
  p->rows = g_array_new (FALSE, TRUE, sizeof (struct timeline_row));
  g_array_set_size (p->rows, 1);
  cells_init (&p->cells);
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
  for (guint i = 0; i < cells->len; i++) {
    const struct timeline_cell *cell = &g_array_index (cells, struct timeline_cell, i);
    cells_add (&p->cells, row_of[cell->row], cell);
  }
  g_free (others_of);
  g_free (row_of);
  g_free (retained);
}

static void
page_table_clear (struct page_table *p)
{
  g_array_unref (p->rows);
  cells_clear (&p->cells);
}

/* The sums of stacks by the name of their innermost frame. */
static void
sum_by_name (const struct timeline_table *table, GArray *rows, struct cells *cells)
{
  struct id_map numbers;
  id_map_init (&numbers);
  g_array_set_size (rows, 1);
  cells_init (cells);
  for (guint i = 0; i < table->cells->len; i++) {
    const struct timeline_cell *cell = &g_array_index (table->cells, struct timeline_cell, i);
    const struct timeline_row *row = &g_array_index (table->rows, struct timeline_row, cell->row);
    const guint number = id_map_number (&numbers, row->name) + 1;
    if (number == rows->len) {
      const struct timeline_row named = { TIMELINE_ROOT, row->name };
      g_array_append_val (rows, named);
    }
    cells_add (cells, number, cell);
  }
  id_map_clear (&numbers);
}

/* ---- names ---- */

/* The names that the page uses, in the order of their first use. */
struct page_names {
  const struct timeline *timeline;
  struct id_map numbers; /* of names of the timeline */
  GArray *used;          /* of uint32_t */
};

static guint
page_name (struct page_names *n, uint32_t name)
{
  const guint number = id_map_number (&n->numbers, name);
  if (number == n->used->len)
    g_array_append_val (n->used, name);
  return number;
}

/* ---- JSON ---- */

static void
put_page_table (GString *json, const char *key, const struct page_table *p,
                struct page_names *names)
{
  page_json_key (json, key);
  g_string_append (json, "{\"parents\":[");
  for (guint i = 1; i < p->rows->len; i++)
    page_json_number (json, g_array_index (p->rows, struct timeline_row, i).parent);
  g_string_append (json, "],\n\"names\":[");
  for (guint i = 1; i < p->rows->len; i++)
    page_json_number (json, page_name (names, g_array_index (p->rows, struct timeline_row, i).name));
  g_string_append (json, "],\n\"cells\":[");
  for (guint i = 0; i < p->cells.all->len; i++) {
    const struct timeline_cell *cell = &g_array_index (p->cells.all, struct timeline_cell, i);
    page_json_number (json, cell->row);
    page_json_number (json, cell->begin);
    page_json_number (json, cell->end);
    page_json_number (json, cell->count);
    page_json_number (json, cell->amount);
  }
  g_string_append (json, "]}");
}

/* A table on its way to the page. */
struct source {
  const char *key;
  const GArray *rows, *cells;
};

static uint64_t
cost_of (const struct source *source)
{
  return source->cells->len + (uint64_t) source->rows->len * CELLS_OF_ROW;
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

static guint
put_tables (GString *json, const struct timeline *t, struct page_names *names)
{
  static const char *const keys[TIMELINE_TABLES] = {
    [TIMELINE_CALLS] = "stacks",          [TIMELINE_SAMPLES] = "samples",
    [TIMELINE_WAITS] = "waits",           [TIMELINE_ALLOCATIONS] = "allocations",
    [TIMELINE_EXCEPTIONS] = "exceptions", [TIMELINE_LOCKS] = "monitors",
    [TIMELINE_COLLECTIONS] = "collections", [TIMELINE_PAUSES] = "pauses",
    [TIMELINE_THREADS] = "threads",
  };
  /* The sums of the innermost frames of stacks. */
  static const struct {
    const char *key;
    enum timeline_table_key of;
  } flat[] = { { "calls", TIMELINE_CALLS }, { "cpu", TIMELINE_SAMPLES } };
  struct source sources[TIMELINE_TABLES + G_N_ELEMENTS (flat)];
  GArray *rows[G_N_ELEMENTS (flat)];
  struct cells cells[G_N_ELEMENTS (flat)];
  for (guint i = 0; i < TIMELINE_TABLES; i++)
    sources[i] = (struct source){ keys[i], t->tables[i].rows, t->tables[i].cells };
  for (guint i = 0; i < G_N_ELEMENTS (flat); i++) {
    rows[i] = g_array_new (FALSE, TRUE, sizeof (struct timeline_row));
    sum_by_name (&t->tables[flat[i].of], rows[i], &cells[i]);
    sources[TIMELINE_TABLES + i] = (struct source){ flat[i].key, rows[i], cells[i].all };
  }
  page_json_key (json, "tables");
  page_json_open (json, '{');
  const guint left_out = put_sources (json, sources, G_N_ELEMENTS (sources), names);
  g_string_append_c (json, '}');
  for (guint i = 0; i < G_N_ELEMENTS (flat); i++) {
    g_array_unref (rows[i]);
    cells_clear (&cells[i]);
  }
  return left_out;
}

/* Values by interval; of times in thousandths of it. */
static void
put_values (GString *json, const char *key, const uint64_t *values, guint bins, uint64_t width)
{
  if (values == NULL)
    return;
  page_json_key (json, key);
  g_string_append_c (json, '[');
  for (guint bin = 0; bin < bins; bin++)
    page_json_number (json, width != 0 ? (values[bin] * 1000 + width - 1) / width : values[bin]);
  g_string_append_c (json, ']');
}

static guint
lanes_max (const struct timeline *t)
{
  return MIN (t->lanes->len, MIN (LANES_MAX, VALUES_MAX / t->bins));
}

/* The times of a lane, and its events. */
struct lane_weight {
  guint place;
  uint64_t ns, events;
};

static int
compare_lanes (gconstpointer a, gconstpointer b)
{
  const struct lane_weight *x = a, *y = b;
  if (x->ns != y->ns)
    return x->ns < y->ns ? 1 : -1;
  if (x->events != y->events)
    return x->events < y->events ? 1 : -1;
  return x->place < y->place ? -1 : 1;
}

static struct lane_weight
weigh_lane (const struct timeline *t, guint place)
{
  const struct timeline_lane *lane = g_ptr_array_index (t->lanes, place);
  struct lane_weight weight = { .place = place };
  for (guint bin = 0; bin < t->bins; bin++) {
    weight.events += timeline_lane_events (lane, bin);
    for (guint state = 0; state < TIMELINE_STATES; state++)
      weight.ns += timeline_lane_ns (lane, (enum timeline_state) state, bin);
  }
  return weight;
}

/* For each lane whether it is drawn (transfer full). */
static bool *
drawn_lanes (const struct timeline *t)
{
  const guint n = t->lanes->len;
  bool *drawn = g_new0 (bool, n + 1);
  struct lane_weight *weights = g_new (struct lane_weight, n + 1);
  for (guint i = 0; i < n; i++)
    weights[i] = weigh_lane (t, i);
  qsort (weights, n, sizeof *weights, compare_lanes);
  for (guint i = 0; i < lanes_max (t); i++)
    drawn[weights[i].place] = true;
  g_free (weights);
  return drawn;
}

static void
put_lanes (GString *json, const struct timeline *t)
{
  g_autofree bool *drawn = drawn_lanes (t);
  page_json_key (json, "lanes");
  g_string_append_c (json, '[');
  for (guint i = 0; i < t->lanes->len; i++) {
    const struct timeline_lane *lane = g_ptr_array_index (t->lanes, i);
    if (!drawn[i])
      continue;
    page_json_open (json, '{');
    page_json_key (json, "name");
    page_json_text (json, lane->name);
    put_values (json, "run", lane->ns[TIMELINE_RUN], t->bins, t->width);
    put_values (json, "lock", lane->ns[TIMELINE_WAIT], t->bins, t->width);
    put_values (json, "gc", lane->ns[TIMELINE_PAUSE], t->bins, t->width);
    put_values (json, "events", lane->events, t->bins, 0);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

/* The series that are drawn: sizes.  Returns the number of those that are not, for there are too
 * many. */
static guint
put_series (GString *json, const struct timeline *t)
{
  guint sizes = 0;
  page_json_key (json, "series");
  g_string_append_c (json, '[');
  for (guint i = 0; i < t->series->len; i++) {
    const struct timeline_series *series = g_ptr_array_index (t->series, i);
    if (series->unit != TIMELINE_BYTES || ++sizes > VALUES_MAX / t->bins)
      continue;
    page_json_open (json, '{');
    page_json_key (json, "name");
    page_json_text (json, series->name);
    page_json_key (json, "grows");
    g_string_append (json, series->quantity == TIMELINE_ALLOCATED ? "true" : "false");
    page_json_key (json, "is_heap");
    g_string_append (json, series->quantity == TIMELINE_HEAP_SIZE
                                   || series->quantity == TIMELINE_LIVE
                               ? "true"
                               : "false");
    page_json_key (json, "values");
    g_string_append_c (json, '[');
    for (guint bin = 0; bin < t->bins; bin++) {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      g_string_append (json, bin > 0 ? "," : "");
      g_string_append (json, series->known[bin]
                                 ? g_ascii_formatd (text, sizeof text, "%.10g", series->values[bin])
                                 : "null");
    }
    g_string_append (json, "]}");
  }
  g_string_append_c (json, ']');
  return sizes - MIN (sizes, VALUES_MAX / t->bins);
}

/* The longest ones, and the first marks. */
static void
put_events (GString *json, const struct timeline *t, struct page_names *names)
{
  page_json_key (json, "pauses");
  g_string_append_c (json, '[');
  for (guint i = 0; i < MIN (t->pauses->len, PAUSES_MAX); i++) {
    page_json_number (json, g_array_index (t->pauses, struct timeline_pause, i).time);
    page_json_number (json, g_array_index (t->pauses, struct timeline_pause, i).ns);
  }
  g_string_append_c (json, ']');
  page_json_key (json, "marks");
  g_string_append_c (json, '[');
  for (guint i = 0; i < MIN (t->marks->len, MARKS_MAX); i++) {
    page_json_number (json, g_array_index (t->marks, struct timeline_mark, i).time);
    page_json_number (json, page_name (names, g_array_index (t->marks, struct timeline_mark, i).name));
  }
  g_string_append_c (json, ']');
}

/* The lengths of windows that the log has, and the most that pauses take of one. */
static void
put_windows (GString *json, const struct utilisation *u, uint64_t span)
{
  for (unsigned i = 0; i < UTILISATION_WINDOWS && utilisation_window_ns[i] <= span; i++) {
    page_json_number (json, utilisation_window_ns[i]);
    page_json_number (json, utilisation_paused (u, i));
  }
}

static void
put_utilisation (GString *json, const struct report *r)
{
  page_json_key (json, "utilisation");
  page_json_open (json, '[');
  if (r->s != NULL) {
    if (r->s->gc.utilisation.end != 0)
      put_windows (json, &r->s->gc.utilisation, log_selected_ns (&r->s->log));
  } else if (r->ghc != NULL) {
    struct ghc_figures f;
    ghc_figures_init (&f, r->ghc, NULL);
    if (f.stops != NULL && f.has_collections)
      put_windows (json, &f.stops->main, f.total_ns);
    ghc_figures_clear (&f);
  }
  g_string_append_c (json, ']');
}

static void
put_note (GString *json, uint64_t count, const char *text)
{
  g_autofree char *note = g_strdup_printf ("%" G_GUINT64_FORMAT " %s", count, text);
  if (count != 0)
    page_json_text (json, note);
}

/* Sentences about what is not drawn. */
static void
put_notes (GString *json, const struct timeline *t, guint series, guint rows)
{
  const guint lanes = lanes_max (t), pauses = MIN (t->pauses->len, PAUSES_MAX),
              marks = MIN (t->marks->len, MARKS_MAX);
  page_json_key (json, "notes");
  g_string_append_c (json, '[');
  put_note (json, t->lanes->len - lanes, "less active threads have no lane.");
  put_note (json, t->pauses->len - pauses + t->pauses_left_out, "shorter pauses are not drawn.");
  put_note (json, t->marks->len - marks + t->marks_left_out, "later marks are not drawn.");
  put_note (json, series, "sizes that change over time are not drawn.");
  put_note (json, rows, "names or stacks of small sums are together in " OTHERS " when a range is selected.");
  g_string_append_c (json, ']');
}

static void
put_names (GString *json, const struct page_names *n)
{
  const GPtrArray *all = n->timeline->names;
  page_json_key (json, "names");
  g_string_append_c (json, '[');
  for (guint i = 0; i < n->used->len; i++) {
    const uint32_t name = g_array_index (n->used, uint32_t, i);
    page_json_text (json, name < all->len ? g_ptr_array_index (all, name) : OTHERS);
  }
  g_string_append_c (json, ']');
}

static GString *
data_of (const struct report *r)
{
  const struct timeline *const t = r->view->timeline;
  struct page_names names
      = { .timeline = t, .used = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
  GString *json = g_string_new ("{");
  id_map_init (&names.numbers);
  page_json_key (json, "begin");
  page_json_number (json, t->begin);
  page_json_key (json, "width");
  page_json_number (json, t->width);
  page_json_key (json, "bins");
  page_json_number (json, t->bins);
  put_lanes (json, t);
  const guint series = put_series (json, t);
  put_events (json, t, &names);
  page_json_key (json, "heaps");
  page_heap_put (json, r);
  put_utilisation (json, r);
  const guint rows = put_tables (json, t, &names);
  put_notes (json, t, series, rows);
  put_names (json, &names);
  g_string_append_c (json, '}');
  id_map_clear (&names.numbers);
  g_array_unref (names.used);
  return json;
}

void
timeline_page_put (const struct report *r)
{
  if (r->view->timeline == NULL)
    return;
  g_autofree char *id = g_strdup_printf ("timeline-%u", emitter_html_report_number (r->e));
  g_autofree char *place = g_strdup_printf ("over-time-%u", emitter_html_report_number (r->e));
  g_autofree char *html
      = g_strdup_printf ("<section class=\"timeline\" data-timeline=\"%s\" hidden>"
                         "<h2 id=\"%s\">Over time</h2></section>\n",
                         id, place);
  GString *json = data_of (r);
  for (const struct embedded_file *file = timeline_files; file->name != NULL; file++)
    emitter_html_add_file (r->e, file);
  emitter_html_block (r->e, html);
  emitter_html_link (r->e, place, "Over time");
  emitter_html_add_data (r->e, id, json->str);
  g_string_free (json, TRUE);
}
