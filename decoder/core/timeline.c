/* timeline.c -- bins, lanes, series and tables. */
#include "config.h"

#include "decoder/core/timeline.h"
#include <string.h>

/* ---- the timeline ---- */

uint64_t
timeline_width (uint64_t span, guint bins)
{
  static const unsigned steps[] = { 1, 2, 5 };
  uint64_t power = 1;
  for (;;) {
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      if (power > UINT64_MAX / 10 || span / (power * steps[i]) < bins)
        return power * steps[i];
    power *= 10;
  }
}

static void
free_lane (void *data)
{
  struct timeline_lane *lane = data;
  for (guint i = 0; i < TIMELINE_STATES; i++)
    g_free (lane->ns[i].values);
  g_free (lane->events.values);
  g_free (lane->name);
  g_free (lane);
}

static void
free_series (void *data)
{
  struct timeline_series *series = data;
  g_free (series->values);
  g_free (series->known);
  g_free (series->name);
  g_free (series);
}

#define HAS_NS_SECOND(type)                                                                        \
  G_STATIC_ASSERT (offsetof (type, ns) == sizeof (uint64_t) && sizeof (((type *) 0)->ns) == 8)
HAS_NS_SECOND (struct timeline_pause);
HAS_NS_SECOND (struct timeline_interval);
HAS_NS_SECOND (struct timeline_run);

static uint64_t
ns_of (gconstpointer event)
{
  return ((const uint64_t *) event)[1];
}

static int
compare_ns (gconstpointer a, gconstpointer b)
{
  const uint64_t x = ns_of (a), y = ns_of (b);
  return x < y ? 1 : x > y ? -1 : 0;
}

static void
longest_init (struct timeline_longest *longest, guint size)
{
  longest->list = g_array_new (FALSE, FALSE, size);
}

struct timeline *
timeline_new (uint64_t from, uint64_t to, uint64_t width)
{
  struct timeline *t = g_new0 (struct timeline, 1);
  t->width = MAX (MAX (width, 1), timeline_width (to - from, TIMELINE_BINS_MAX - 1));
  t->begin = from / t->width * t->width;
  t->bins = (guint) ((to - t->begin) / t->width) + 1;
  t->processes = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  t->lanes = g_ptr_array_new_with_free_func (free_lane);
  t->series = g_ptr_array_new_with_free_func (free_series);
  longest_init (&t->pauses, sizeof (struct timeline_pause));
  t->marks = g_array_new (FALSE, FALSE, sizeof (struct timeline_mark));
  longest_init (&t->intervals, sizeof (struct timeline_interval));
  t->interval_lanes = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  longest_init (&t->runs, sizeof (struct timeline_run));
  t->names = g_ptr_array_new_with_free_func (g_free);
  t->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < TIMELINE_TABLES; i++) {
    struct timeline_table *table = &t->tables[i];
    table->rows = g_array_new (FALSE, TRUE, sizeof (struct timeline_row));
    g_array_set_size (table->rows, 1);
    id_map_init (&table->row_numbers);
    timeline_cells_init (&table->cells);
  }
  return t;
}

void
timeline_free (struct timeline *t)
{
  for (guint i = 0; i < TIMELINE_TABLES; i++) {
    g_array_unref (t->tables[i].rows);
    id_map_clear (&t->tables[i].row_numbers);
    timeline_cells_clear (&t->tables[i].cells);
  }
  g_array_unref (t->processes);
  g_ptr_array_unref (t->lanes);
  g_ptr_array_unref (t->series);
  g_array_unref (t->pauses.list);
  g_array_unref (t->marks);
  g_array_unref (t->intervals.list);
  g_array_unref (t->interval_lanes);
  g_array_unref (t->runs.list);
  g_hash_table_unref (t->numbers);
  g_ptr_array_unref (t->names);
  g_free (t);
}

guint
timeline_bin (const struct timeline *t, uint64_t time)
{
  return (guint) MIN (time / t->width, t->bins - 1);
}

uint64_t
timeline_bin_end (const struct timeline *t, guint bin, uint64_t to)
{
  return bin + 1 < t->bins ? MIN (to, (bin + 1) * t->width) : to;
}

uint32_t
timeline_name (struct timeline *t, const char *name)
{
  gpointer number;
  if (g_hash_table_lookup_extended (t->numbers, name, NULL, &number))
    return GPOINTER_TO_UINT (number);
  char *copy = g_strdup (name);
  g_hash_table_insert (t->numbers, copy, GUINT_TO_POINTER (t->names->len));
  g_ptr_array_add (t->names, copy);
  return t->names->len - 1;
}

/* Is it that of a process? */
static bool
is_process (const struct timeline *t, const char *name)
{
  for (guint i = 0; i < t->processes->len; i++)
    if (strcmp (g_ptr_array_index (t->names, g_array_index (t->processes, uint32_t, i)), name) == 0)
      return true;
  return false;
}

guint
timeline_add_process (struct timeline *t, const char *name)
{
  char *own = g_strdup (name);
  for (guint i = 2; is_process (t, own); i++) {
    g_free (own);
    own = g_strdup_printf ("%s (%u)", name, i);
  }
  const uint32_t number = timeline_name (t, own);
  g_array_append_val (t->processes, number);
  g_free (own);
  return t->processes->len - 1;
}

/* ---- lanes and series ---- */

static bool
is_of_process (guint process, guint wanted)
{
  return wanted == TIMELINE_ALL || process == wanted;
}

struct timeline_lane *
timeline_add_lane (struct timeline *t, const char *name)
{
  struct timeline_lane *lane = g_new0 (struct timeline_lane, 1);
  lane->name = g_strdup (name);
  g_ptr_array_add (t->lanes, lane);
  return lane;
}

/* The value of a bin, for which room is made. */
static uint64_t *
bin_of (struct timeline_bins *b, guint bin)
{
  if (bin >= b->first && bin < b->end) /* as nearly always */
    return &b->values[bin - b->first];
  if (b->values == NULL)
    b->first = b->end = bin;
  const guint first = MIN (b->first, bin), end = MAX (b->end, bin + 1), before = b->first - first;
  if (end - first > b->room) {
    b->room = MAX (end - first, 2 * b->room);
    b->values = g_renew (uint64_t, b->values, b->room);
  }
  if (before != 0) {
    memmove (b->values + before, b->values, (b->end - b->first) * sizeof *b->values);
    memset (b->values, 0, before * sizeof *b->values);
  }
  memset (b->values + (b->end - first), 0, (end - b->end) * sizeof *b->values);
  b->first = first;
  b->end = end;
  return &b->values[bin - first];
}

uint64_t
timeline_bins_at (const struct timeline_bins *b, guint bin)
{
  return bin >= b->first && bin < b->end ? b->values[bin - b->first] : 0;
}

void
timeline_lane_spend (const struct timeline *t, struct timeline_lane *lane,
                     enum timeline_state state, uint64_t from, uint64_t to)
{
  if (from >= to)
    return;
  for (uint64_t end; from < to; from = end) {
    const guint bin = timeline_bin (t, from);
    end = timeline_bin_end (t, bin, to);
    *bin_of (&lane->ns[state], bin) += end - from;
  }
}

void
timeline_lane_event (const struct timeline *t, struct timeline_lane *lane, uint64_t time)
{
  timeline_lane_add_events (lane, timeline_bin (t, time), 1);
}

void
timeline_lane_add_events (struct timeline_lane *lane, guint bin, uint64_t events)
{
  *bin_of (&lane->events, bin) += events;
}

uint64_t
timeline_lane_ns (const struct timeline_lane *lane, enum timeline_state state, guint bin)
{
  return timeline_bins_at (&lane->ns[state], bin);
}

uint64_t
timeline_lane_events (const struct timeline_lane *lane, guint bin)
{
  return timeline_bins_at (&lane->events, bin);
}

uint64_t
timeline_ns (const struct timeline *t, guint process, enum timeline_state state, guint bin)
{
  uint64_t ns = 0;
  for (guint i = 0; i < t->lanes->len; i++) {
    const struct timeline_lane *lane = g_ptr_array_index (t->lanes, i);
    ns += is_of_process (lane->process, process) ? timeline_lane_ns (lane, state, bin) : 0;
  }
  return ns;
}

uint64_t
timeline_events (const struct timeline *t, guint process, guint bin)
{
  uint64_t events = 0;
  for (guint i = 0; i < t->lanes->len; i++) {
    const struct timeline_lane *lane = g_ptr_array_index (t->lanes, i);
    events += is_of_process (lane->process, process) ? timeline_lane_events (lane, bin) : 0;
  }
  return events;
}

struct timeline_series *
timeline_add_series (struct timeline *t, const char *name, enum timeline_unit unit, bool is_level)
{
  struct timeline_series *series = g_new0 (struct timeline_series, 1);
  series->name = g_strdup (name);
  series->unit = unit;
  series->is_level = is_level;
  series->values = g_new0 (double, t->bins);
  series->known = g_new0 (bool, t->bins);
  series->end = t->bins;
  g_ptr_array_add (t->series, series);
  return series;
}

void
timeline_series_put (const struct timeline *t, struct timeline_series *series, double value,
                     uint64_t time)
{
  const guint bin = timeline_bin (t, time);
  series->values[bin] = series->is_level ? value : series->values[bin] + value;
  series->known[bin] = true;
}

void
timeline_series_spend (const struct timeline *t, struct timeline_series *series, uint64_t from,
                       uint64_t to)
{
  for (uint64_t end; from < to; from = end) {
    end = timeline_bin_end (t, timeline_bin (t, from), to);
    timeline_series_put (t, series, (double) (end - from), from);
  }
}

/* ---- single events ---- */

/* Where there is no room for another one, the shorter half goes; from then on what is as short does
 * not come in, so that this is done a few times only. */
static void
longest_add (struct timeline_longest *longest, gconstpointer event)
{
  GArray *list = longest->list;
  if (ns_of (event) < longest->least_ns) {
    longest->left_out++;
    return;
  }
  if (list->len == TIMELINE_EVENTS_MAX) {
    const guint retained = TIMELINE_EVENTS_MAX / 2, size = g_array_get_element_size (list);
    g_array_sort (list, compare_ns);
    g_array_set_size (list, retained);
    longest->least_ns = ns_of (list->data + (gsize) (retained - 1) * size) + 1;
    longest->left_out += TIMELINE_EVENTS_MAX - retained;
  }
  g_array_append_vals (list, event, 1);
}

void
timeline_add_pause (struct timeline *t, guint generation, uint64_t begin, uint64_t end)
{
  const struct timeline_pause pause
      = { .time = begin, .ns = end - begin, .generation = generation };
  longest_add (&t->pauses, &pause);
}

guint
timeline_add_interval_lane (struct timeline *t, const char *name)
{
  const uint32_t number = timeline_name (t, name);
  g_array_append_val (t->interval_lanes, number);
  return t->interval_lanes->len - 1;
}

void
timeline_add_interval (struct timeline *t, const struct timeline_interval *interval)
{
  longest_add (&t->intervals, interval);
}

void
timeline_add_run (struct timeline *t, const struct timeline_run *run)
{
  longest_add (&t->runs, run);
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const struct timeline_mark *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

void
timeline_add_mark (struct timeline *t, uint64_t time, const char *text)
{
  const struct timeline_mark mark = { .time = time, .name = timeline_name (t, text) };
  if (t->marks->len < TIMELINE_EVENTS_MAX)
    g_array_append_val (t->marks, mark);
  else
    t->marks_left_out++;
}

/* ---- the end ---- */

static bool
is_sum (enum timeline_quantity quantity)
{
  return quantity == TIMELINE_ALLOCATED || quantity == TIMELINE_SPARKS_CREATED
         || quantity == TIMELINE_SPARKS_CONVERTED || quantity == TIMELINE_SPARKS_FIZZLED;
}

void
timeline_end_process (struct timeline *t, guint process, uint64_t last)
{
  for (guint i = 0; i < t->series->len; i++) {
    struct timeline_series *series = g_ptr_array_index (t->series, i);
    if (series->process == process && !is_sum (series->quantity))
      series->end = timeline_bin (t, last) + 1;
  }
}

static void
fill_level (const struct timeline *t, struct timeline_series *series)
{
  for (guint bin = 0; bin < t->bins && !series->known[bin]; bin++)
    series->values[bin] = series->before;
  for (guint bin = 1; bin < series->end; bin++)
    if (!series->known[bin] && series->known[bin - 1]) {
      series->values[bin] = series->values[bin - 1];
      series->known[bin] = true;
    }
}

void
timeline_finish (struct timeline *t)
{
  for (guint i = 0; i < TIMELINE_TABLES; i++)
    timeline_cells_pack (&t->tables[i].cells);
  g_array_sort (t->pauses.list, compare_ns);
  g_array_sort (t->intervals.list, compare_ns);
  g_array_sort (t->runs.list, compare_ns);
  if (t->processes->len > 1) /* they came one log after the other */
    g_array_sort (t->marks, compare_marks);
  for (guint i = 0; i < t->series->len; i++) {
    struct timeline_series *series = g_ptr_array_index (t->series, i);
    if (series->is_level)
      fill_level (t, series);
  }
}

bool
timeline_levels (const struct timeline *t, guint process, enum timeline_quantity quantity,
                 double *values)
{
  bool any = false;
  memset (values, 0, t->bins * sizeof *values);
  for (guint i = 0; i < t->series->len; i++) {
    const struct timeline_series *series = g_ptr_array_index (t->series, i);
    if (series->quantity != quantity || !is_of_process (series->process, process))
      continue;
    any = true;
    for (guint bin = 0; bin < t->bins; bin++)
      values[bin] += series->values[bin];
  }
  return any;
}

double
timeline_level_before (const struct timeline *t, guint process, enum timeline_quantity quantity)
{
  double before = 0;
  for (guint i = 0; i < t->series->len; i++) {
    const struct timeline_series *series = g_ptr_array_index (t->series, i);
    if (series->quantity == quantity && is_of_process (series->process, process))
      before += series->before;
  }
  return before;
}

uint64_t
timeline_growth (const double *levels, double first, guint bin)
{
  const double before = bin != 0 ? levels[bin - 1] : first;
  return levels[bin] > before ? (uint64_t) (levels[bin] - before) : 0;
}

/* ---- tables ---- */

uint32_t
timeline_row (struct timeline *t, enum timeline_table_key key, uint32_t parent, uint32_t name)
{
  struct timeline_table *table = &t->tables[key];
  const uint64_t id = (uint64_t) parent << 32 | name;
  const guint known = id_map_find (&table->row_numbers, id);
  if (known != ID_MAP_NONE)
    return known + 1;
  if (table->rows->len > TIMELINE_ROWS_MAX)
    return parent;
  const struct timeline_row row = { parent, name };
  g_array_append_val (table->rows, row);
  return id_map_number (&table->row_numbers, id) + 1;
}

void
timeline_add_bins (struct timeline *t, enum timeline_table_key key, uint32_t row, guint first,
                   guint last, uint64_t count, uint64_t amount)
{
  const struct timeline_cell cell = {
    .row = row, .begin = (uint16_t) first, .end = (uint16_t) last, .count = count, .amount = amount
  };
  timeline_cells_add (&t->tables[key].cells, &cell);
}

void
timeline_add (struct timeline *t, enum timeline_table_key key, uint32_t row, uint64_t begin,
              uint64_t end, uint64_t count, uint64_t amount)
{
  const guint first = timeline_bin (t, begin);
  timeline_add_bins (t, key, row, first, MAX (first, timeline_bin (t, end)), count, amount);
}

/* For each row whether it is of the process (transfer full); parents come before those below them.
 */
static bool *
rows_of (const struct timeline *t, guint process, const GArray *rows)
{
  bool *of = g_new0 (bool, rows->len);
  of[TIMELINE_ROOT] = process == TIMELINE_ALL;
  for (guint i = 1; i < rows->len; i++) {
    const struct timeline_row *row = &g_array_index (rows, struct timeline_row, i);
    of[i] = of[row->parent]
            || (process != TIMELINE_ALL && row->parent == TIMELINE_ROOT
                && row->name == g_array_index (t->processes, uint32_t, process));
  }
  return of;
}

void
timeline_sums (const struct timeline *t, guint process, enum timeline_table_key key,
               uint64_t *counts, uint64_t *amounts)
{
  struct timeline_cells_reader cells;
  struct timeline_cell cell;
  g_autofree bool *of = rows_of (t, process, t->tables[key].rows);
  memset (counts, 0, t->bins * sizeof *counts);
  memset (amounts, 0, t->bins * sizeof *amounts);
  timeline_cells_begin (&cells, &t->tables[key].cells);
  while (timeline_cells_next (&cells, &cell)) {
    if (!of[cell.row])
      continue;
    counts[cell.begin] += cell.count;
    amounts[cell.begin] += cell.amount;
  }
}
