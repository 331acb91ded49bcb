/* mark-pairs.c -- pairs by thread first, then those that are left over. */
#include "config.h"

#include "decoder/core/mark-pairs.h"
#include <string.h>

struct mark_edge {
  uint64_t time, thread;
  uint64_t key; /* a START and a STOP of one key may be a pair: the thread, or the span's number */
  uint32_t order; /* of its coming */
  uint32_t span : 29;
  uint32_t is_start : 1;
  uint32_t counts : 1;
  uint32_t has_number : 1; /* `key` is the number of a span */
};

/* A span of which one end is there. */
struct open_span {
  uint64_t number;
  bool is_begun;
  guint place; /* of its begin, its name; of its end, that among the edges */
};

enum { SPAN_MASK = 0x1fffffff };

/* The name of a span that ends and did not begin. */
#define NO_NAME "(unknown)"

/* In front of the names of the moments between which an interval is. */
static const struct prefix {
  const char *text;
  bool is_start;
} prefixes[] = { { "START ", true }, { "STOP ", false }, { "B:", true }, { "E:", false } };

void
mark_pairs_init (struct mark_edges *m)
{
  *m = (struct mark_edges){
    .names = g_ptr_array_new_with_free_func (g_free),
    .by_name = g_hash_table_new (g_str_hash, g_str_equal),
    .edges = g_array_new (FALSE, FALSE, sizeof (struct mark_edge)),
    .spans = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free),
  };
}

void
mark_pairs_clear (struct mark_edges *m)
{
  g_hash_table_destroy (m->by_name);
  g_hash_table_destroy (m->spans);
  g_ptr_array_unref (m->names);
  g_array_unref (m->edges);
}

static bool
is_wanted (const struct mark_edges *m, const char *name)
{
  return m->choice.is_wanted == NULL || m->choice.is_wanted (m->choice.data, name);
}

/* ---- more than there is room for ---- */

/* All but those that `stays` has.  Returns the number of edges that are gone. */
static guint
drop_names (struct mark_edges *m, const bool *stays)
{
  g_autofree uint32_t *numbers = g_new (uint32_t, m->names->len);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_hash_table_remove_all (m->by_name);
  g_hash_table_remove_all (m->spans);
  m->bytes = 0;
  for (guint i = 0; i < m->names->len; i++) {
    char *name = g_steal_pointer (&g_ptr_array_index (m->names, i));
    numbers[i] = names->len;
    if (!stays[i]) {
      g_free (name);
      continue;
    }
    g_ptr_array_add (names, name);
    g_hash_table_insert (m->by_name, name, GUINT_TO_POINTER (names->len));
    m->bytes += strlen (name);
  }
  guint n = 0;
  for (guint i = 0; i < m->edges->len; i++) {
    struct mark_edge edge = g_array_index (m->edges, struct mark_edge, i);
    if (!stays[edge.span])
      continue;
    edge.span = numbers[edge.span] & SPAN_MASK;
    g_array_index (m->edges, struct mark_edge, n++) = edge;
  }
  const guint lost = m->edges->len - n;
  g_array_set_size (m->edges, n);
  g_ptr_array_unref (m->names);
  m->names = names;
  return lost;
}

static void
drop_unwanted (struct mark_edges *m)
{
  g_autofree bool *stays = g_new (bool, m->names->len);
  for (guint i = 0; i < m->names->len; i++)
    stays[i] = is_wanted (m, g_ptr_array_index (m->names, i));
  drop_names (m, stays);
  m->has_only_wanted = true;
}

struct frequency {
  guint count, name;
};

/* The most first; of as many the latest. */
static gint
compare_frequencies (gconstpointer a, gconstpointer b)
{
  const struct frequency *x = a, *y = b;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->name > y->name ? -1 : x->name < y->name;
}

static void
drop_rare (struct mark_edges *m)
{
  const guint n = m->names->len;
  g_autofree bool *stays = g_new0 (bool, n);
  g_autofree struct frequency *all = g_new0 (struct frequency, n);
  for (guint i = 0; i < n; i++)
    all[i].name = i;
  for (guint i = 0; i < m->edges->len; i++)
    all[g_array_index (m->edges, struct mark_edge, i).span].count++;
  qsort (all, n, sizeof all[0], compare_frequencies);
  size_t bytes = 0;
  for (guint i = 0; i < n / 2; i++) {
    bytes += strlen (g_ptr_array_index (m->names, all[i].name));
    if (bytes > MARK_SPANS_BYTES_MAX / 2)
      break;
    stays[all[i].name] = true;
  }
  m->lost += drop_names (m, stays);
}

static void
make_room_for_name (struct mark_edges *m)
{
  if (m->choice.is_wanted != NULL && !m->has_only_wanted)
    drop_unwanted (m);
  if (m->names->len >= MARK_SPANS_MAX / 4 * 3 || m->bytes >= MARK_SPANS_BYTES_MAX / 4 * 3)
    drop_rare (m);
}

/* The number of a name; there is room. */
static guint
find_span (struct mark_edges *m, const char *name)
{
  guint span = GPOINTER_TO_UINT (g_hash_table_lookup (m->by_name, name));
  if (span != 0)
    return span - 1;
  const size_t bytes = strlen (name);
  char *copy = g_strdup (name);
  g_ptr_array_add (m->names, copy);
  m->bytes += bytes;
  span = m->names->len;
  g_hash_table_insert (m->by_name, copy, GUINT_TO_POINTER (span));
  return span - 1;
}

/* Makes room for an edge of this name; false if there is none, or it is not wanted. */
static bool
make_room (struct mark_edges *m, const char *name, bool counts)
{
  const bool is_new = !g_hash_table_contains (m->by_name, name);
  if (m->edges->len >= MARK_EDGES_MAX && m->choice.is_wanted != NULL && !m->has_only_wanted)
    drop_unwanted (m);
  if (is_new
      && (m->names->len >= MARK_SPANS_MAX || m->bytes + strlen (name) > MARK_SPANS_BYTES_MAX))
    make_room_for_name (m);
  if (m->has_only_wanted && is_new && !is_wanted (m, name))
    return false;
  if (m->edges->len < MARK_EDGES_MAX)
    return true;
  m->lost += counts;
  return false;
}

static void
add_edge (struct mark_edges *m, struct mark_edge edge, const struct mark_time *at)
{
  edge.time = at->time;
  edge.thread = at->thread;
  edge.counts = at->counts;
  edge.order = m->all++;
  if (!edge.has_number)
    edge.key = at->thread;
  g_array_append_val (m->edges, edge);
}

/* NULL: neither a START nor a STOP, or of no interval. */
static const struct prefix *
find_prefix (const char *name, size_t length)
{
  for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++) {
    const size_t n = strlen (prefixes[i].text);
    if (length > n && memcmp (name, prefixes[i].text, n) == 0)
      return &prefixes[i];
  }
  return NULL;
}

size_t
mark_pairs_prefix (const char *name, size_t length)
{
  const struct prefix *prefix = find_prefix (name, length);
  return prefix != NULL ? strlen (prefix->text) : 0;
}

void
mark_pairs_add (struct mark_edges *m, const char *name, const struct mark_time *at)
{
  const struct prefix *prefix = find_prefix (name, strlen (name));
  const char *span = prefix != NULL ? name + strlen (prefix->text) : NULL;
  if (span != NULL && make_room (m, span, at->counts))
    add_edge (
        m,
        (struct mark_edge){ .span = find_span (m, span) & SPAN_MASK, .is_start = prefix->is_start },
        at);
}

/* The other end of a span, which is open no more; false if it is not there. */
static bool
take_span (struct mark_edges *m, uint64_t number, bool is_begun, guint *place)
{
  const struct open_span *open = g_hash_table_lookup (m->spans, &number);
  if (open == NULL || open->is_begun != is_begun)
    return false;
  *place = open->place;
  g_hash_table_remove (m->spans, &number);
  return true;
}

static void
leave_open (struct mark_edges *m, uint64_t number, bool is_begun, guint place)
{
  struct open_span *open = g_new (struct open_span, 1);
  *open = (struct open_span){ .number = number, .is_begun = is_begun, .place = place };
  g_hash_table_replace (m->spans, &open->number, open);
}

void
mark_pairs_add_span (struct mark_edges *m, uint64_t number, const char *name,
                     const struct mark_time *at)
{
  const bool is_start = name != NULL;
  guint other = 0;
  if (!make_room (m, is_start ? name : NO_NAME, at->counts))
    return;
  const bool is_pair = take_span (m, number, !is_start, &other);
  const guint span = is_pair && !is_start ? other : find_span (m, is_start ? name : NO_NAME);
  if (is_pair && is_start)
    g_array_index (m->edges, struct mark_edge, other).span = span & SPAN_MASK;
  if (!is_pair)
    leave_open (m, number, is_start, is_start ? span : m->edges->len);
  add_edge (m,
            (struct mark_edge){
                .span = span & SPAN_MASK, .is_start = is_start, .has_number = true, .key = number },
            at);
}

/* ---- pairs ---- */

/* In order of time. */
static int
compare_times (const struct mark_edge *x, const struct mark_edge *y)
{
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

/* By name, then by key, then by time. */
static gint
compare_edges (gconstpointer a, gconstpointer b)
{
  const struct mark_edge *x = a, *y = b;
  if (x->span != y->span)
    return x->span < y->span ? -1 : 1;
  if (x->has_number != y->has_number)
    return x->has_number ? 1 : -1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return compare_times (x, y);
}

static gint
compare_left (gconstpointer a, gconstpointer b)
{
  return compare_times (*(const struct mark_edge *const *) a, *(const struct mark_edge *const *) b);
}

static gint
compare_pairs (gconstpointer a, gconstpointer b)
{
  const struct mark_pair *x = a, *y = b;
  if (x->begin.time != y->begin.time)
    return x->begin.time < y->begin.time ? -1 : 1;
  return x->end.time > y->end.time ? -1 : x->end.time < y->end.time;
}

static struct mark_time
time_of (const struct mark_edge *edge)
{
  return (struct mark_time){ edge->time, edge->thread, edge->counts };
}

static void
add_pair (GArray *pairs, const struct mark_edge *start, const struct mark_edge *stop)
{
  struct mark_pair pair = { .kind = MARK_PAIR_WHOLE };
  if (start != NULL)
    pair.begin = time_of (start);
  if (stop != NULL)
    pair.end = time_of (stop);
  if (start == NULL) {
    pair.kind = MARK_PAIR_STOP;
    pair.begin = (struct mark_time){ stop->time, stop->thread, false };
  } else if (stop == NULL) {
    pair.kind = MARK_PAIR_OPEN;
    pair.end = (struct mark_time){ UINT64_MAX, start->thread, false };
  }
  g_array_append_val (pairs, pair);
}

/* The edges of one key; those without a partner are left over. */
static void
pair_key (const struct mark_edge *edges, guint n, GPtrArray *open, GPtrArray *left, GArray *pairs)
{
  g_ptr_array_set_size (open, 0);
  for (guint i = 0; i < n; i++) {
    if (edges[i].is_start)
      g_ptr_array_add (open, (gpointer) &edges[i]);
    else if (open->len != 0)
      add_pair (pairs, g_ptr_array_steal_index (open, open->len - 1), &edges[i]);
    else
      g_ptr_array_add (left, (gpointer) &edges[i]);
  }
  for (guint i = 0; i < open->len; i++)
    g_ptr_array_add (left, g_ptr_array_index (open, i));
}

/* Pairs the ends that have no partner on their own thread. */
static void
pair_left (GPtrArray *left, GPtrArray *open, GArray *pairs)
{
  guint oldest = 0;
  g_ptr_array_set_size (open, 0);
  g_ptr_array_sort (left, compare_left);
  for (guint i = 0; i < left->len; i++) {
    const struct mark_edge *edge = g_ptr_array_index (left, i);
    if (edge->has_number) /* its partner is not there */
      add_pair (pairs, edge->is_start ? edge : NULL, edge->is_start ? NULL : edge);
    else if (edge->is_start)
      g_ptr_array_add (open, (gpointer) edge);
    else
      add_pair (pairs, oldest < open->len ? g_ptr_array_index (open, oldest++) : NULL, edge);
  }
  for (; oldest < open->len; oldest++)
    add_pair (pairs, g_ptr_array_index (open, oldest), NULL);
}

/* How many of the edges are of the first one's name, and key. */
static guint
count_same (const struct mark_edge *edges, guint n, bool of_key)
{
  guint same = 1;
  while (same < n && edges[same].span == edges->span
         && (!of_key
             || (edges[same].has_number == edges->has_number && edges[same].key == edges->key)))
    same++;
  return same;
}

void
mark_pairs_each (struct mark_edges *m, mark_pairs_put *put, void *data)
{
  g_autoptr (GPtrArray) open = g_ptr_array_new (), left = g_ptr_array_new ();
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (struct mark_pair));
  g_array_sort (m->edges, compare_edges);
  const struct mark_edge *edges = (const struct mark_edge *) (const void *) m->edges->data;
  for (guint i = 0, n; i < m->edges->len; i += n) {
    n = count_same (edges + i, m->edges->len - i, false);
    g_array_set_size (pairs, 0);
    g_ptr_array_set_size (left, 0);
    for (guint j = 0, of_key; j < n; j += of_key) {
      of_key = count_same (edges + i + j, n - j, true);
      pair_key (edges + i + j, of_key, open, left, pairs);
    }
    pair_left (left, open, pairs);
    g_array_sort (pairs, compare_pairs);
    put (data, g_ptr_array_index (m->names, edges[i].span),
         (const struct mark_pair *) (const void *) pairs->data, pairs->len);
  }
}
