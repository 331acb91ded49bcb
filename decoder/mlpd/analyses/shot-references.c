/* shot-references.c -- finds the objects that references are to. */
#include "config.h"

#include "decoder/mlpd/analyses/shot-references.h"
#include "decoder/core/halves.h"
#include "decoder/core/large-array.h"
#include <stdlib.h>
#include <string.h>

#define PLACES_BITS_MIN 12

/* Objects are searched for anywhere in memory: prefetched this far ahead. */
#define AHEAD 16

/* This many are worth a thread. */
#define MANY_REFERENCES (1u << 16)

/* Pairs of types that are found without the hash table of them all. */
#define PAIRS_BITS 8

void
shot_references_init (struct shot_references *r, struct shot_objects **spare)
{
  *r = (struct shot_references){ .spare = spare };
}

void
shot_objects_free (struct shot_objects *o)
{
  if (o == NULL)
    return;
  g_array_unref (o->references);
  free (o->places);
  g_free (o);
}

static void
forget_objects (struct shot_references *r)
{
  if (*r->spare == NULL)
    *r->spare = r->objects;
  else
    shot_objects_free (r->objects);
  r->objects = NULL;
}

void
shot_references_clear (struct shot_references *r)
{
  forget_objects (r);
  g_clear_pointer (&r->counts, g_hash_table_destroy);
  g_clear_pointer (&r->roots, g_hash_table_destroy);
  g_clear_pointer (&r->by_class, g_array_unref);
  g_clear_pointer (&r->roots_by_class, g_array_unref);
}

/* ---- objects ---- */

static size_t
n_places (const struct shot_objects *o)
{
  return (size_t) 1 << (64 - o->shift);
}

static inline size_t
place_of (const struct shot_objects *o, uint64_t object)
{
  return (size_t) ((object >> 3) * UINT64_C (0x9E3779B97F4A7C15) >> o->shift);
}

static inline struct shot_object *
find (const struct shot_objects *o, uint64_t object)
{
  const size_t mask = n_places (o) - 1;
  size_t place = place_of (o, object);
  while (o->places[place].object != 0 && o->places[place].object != object)
    place = (place + 1) & mask;
  return &o->places[place];
}

/* The object of a list that will be searched for soon.  (GCC 12 leaves out calls of functions that
 * only prefetch, so that this is none.) */
#define PREFETCH(objects, list, i, n)                                                              \
  do {                                                                                             \
    if ((i) + AHEAD < (n))                                                                         \
      __builtin_prefetch (&(objects)->places[place_of (objects, (list)[(i) + AHEAD].object)]);     \
  } while (0)

static void
make_places (struct shot_objects *o, unsigned bits)
{
  o->shift = 64 - bits;
  o->places = large_array_zeroed ((size_t) 1 << bits, sizeof *o->places);
}

static void
grow (struct shot_objects *o)
{
  struct shot_object *old = o->places;
  const size_t n = n_places (o);
  make_places (o, 64 - o->shift + 1);
  for (size_t i = 0; i < n; i++)
    if (old[i].object != 0)
      *find (o, old[i].object) = old[i];
  free (old);
}

/* Those that the last snapshot left, or new ones. */
static void
get_objects (struct shot_references *r)
{
  struct shot_objects *o = *r->spare;
  *r->spare = NULL;
  r->objects = o;
  if (o != NULL) {
    memset (o->places, 0, n_places (o) * sizeof *o->places);
    o->n = 0;
    g_array_set_size (o->references, 0);
    return;
  }
  r->objects = o = g_new0 (struct shot_objects, 1);
  make_places (o, PLACES_BITS_MIN);
  o->references = g_array_new (FALSE, FALSE, sizeof (struct scan_reference));
}

static inline struct scan_reference *
references_of (const GArray *array)
{
  return (struct scan_reference *) (void *) array->data;
}

static inline void
add_object (struct shot_objects *o, uint64_t object, guint type)
{
  if (object == 0)
    return;
  if (4 * o->n >= 3 * n_places (o))
    grow (o);
  struct shot_object *place = find (o, object);
  o->n += place->object == 0;
  *place = (struct shot_object){ .object = object, .type = type };
}

void
shot_references_add (struct shot_references *r, const struct scan_heap *scanned, const guint *types)
{
  const size_t n = scanned->object_types.n, n_references = scanned->reference_types.n;
  if (n + n_references == 0)
    return;
  if (r->objects == NULL)
    get_objects (r);
  struct shot_objects *o = r->objects;
  const struct scan_reference *objects = scanned->object_types.items;
  for (size_t i = 0; i < n; i++) {
    PREFETCH (o, objects, i, n);
    add_object (o, objects[i].object, types[objects[i].type]);
  }
  const guint first = o->references->len;
  g_array_set_size (o->references, first + (guint) n_references);
  const struct scan_reference *from = scanned->reference_types.items;
  struct scan_reference *to = references_of (o->references) + first;
  for (size_t i = 0; i < n_references; i++)
    to[i] = (struct scan_reference){ .object = from[i].object, .type = types[from[i].type] };
}

/* ---- the end of the snapshot ---- */

/* A part of the references, which one thread counts. */
struct part {
  const struct shot_objects *objects;
  guint first, end;
  GHashTable *counts;
  struct class_reference *recent[1 << PAIRS_BITS]; /* few pairs of types make up most references */
};

static struct class_reference *
find_pair (GHashTable *counts, guint to, guint from)
{
  const uint64_t both = (uint64_t) to << 32 | from;
  struct class_reference *pair = g_hash_table_lookup (counts, &both);
  if (pair == NULL) {
    pair = g_new0 (struct class_reference, 1);
    pair->to = to;
    pair->from = from;
    g_hash_table_insert (counts, g_memdup2 (&both, sizeof both), pair);
  }
  return pair;
}

static inline void
count_reference (struct part *p, guint to, guint from)
{
  struct class_reference **place = &p->recent[(to * 31 + from) * 0x9E3779B1u >> (32 - PAIRS_BITS)];
  if (*place == NULL || (*place)->to != to || (*place)->from != from)
    *place = find_pair (p->counts, to, from);
  (*place)->count++;
}

static void *
count_part (void *data)
{
  struct part *p = data;
  const struct scan_reference *references = references_of (p->objects->references);
  for (guint i = p->first; i < p->end; i++) {
    PREFETCH (p->objects, references, i, p->end);
    const struct shot_object *object = find (p->objects, references[i].object);
    if (object->object != 0)
      count_reference (p, object->type, references[i].type);
  }
  return NULL;
}

/* Halves are counted at the same time where there are many. */
static GHashTable *
count_references (const struct shot_objects *o)
{
  const guint n = o->references->len;
  struct part parts[2];
  for (guint i = 0; i < 2; i++)
    parts[i] = (struct part){
      .objects = o,
      .first = i * (n / 2),
      .end = i == 0 ? n / 2 : n,
      .counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free),
    };
  run_halves (count_part, &parts[0], &parts[1], n >= MANY_REFERENCES);
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, parts[1].counts);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct class_reference *pair = value;
    find_pair (parts[0].counts, pair->to, pair->from)->count += pair->count;
  }
  g_hash_table_destroy (parts[1].counts);
  return parts[0].counts;
}

static void
count_root (struct shot_references *r, guint type, bool pinning)
{
  struct class_roots *roots = g_hash_table_lookup (r->roots, GUINT_TO_POINTER (type));
  if (roots == NULL) {
    roots = g_new0 (struct class_roots, 1);
    g_hash_table_insert (r->roots, GUINT_TO_POINTER (type), roots);
  }
  roots->count++;
  roots->pinning += pinning;
}

void
shot_references_end (struct shot_references *r, const GArray *roots)
{
  if (r->objects == NULL)
    return;
  const struct shot_objects *o = r->objects;
  r->counts = count_references (o);
  r->roots = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; roots != NULL && i < roots->len; i++) {
    const struct mlpd_root *root = &g_array_index (roots, struct mlpd_root, i);
    const struct shot_object *object = find (o, root->object);
    if (object->object != 0)
      count_root (r, object->type, (root->type & MLPD_ROOT_FLAG_PINNING) != 0);
  }
  forget_objects (r);
}

/* ---- classes ---- */

static gint
compare_types (gconstpointer a, gconstpointer b)
{
  const struct class_reference *x = a, *y = b;
  if (x->to != y->to)
    return (x->to > y->to) - (x->to < y->to);
  return (x->from > y->from) - (x->from < y->from);
}

static gint
compare_counts (gconstpointer a, gconstpointer b)
{
  const struct class_reference *x = a, *y = b;
  if (x->to == y->to && x->count != y->count)
    return (x->count < y->count) - (x->count > y->count);
  return compare_types (a, b);
}

/* Different types may come to be of one class. */
static void
add_equals_up (GArray *references)
{
  guint n = 0;
  g_array_sort (references, compare_types);
  for (guint i = 0; i < references->len; i++) {
    const struct class_reference next = g_array_index (references, struct class_reference, i);
    if (n > 0
        && compare_types (&g_array_index (references, struct class_reference, n - 1), &next) == 0)
      g_array_index (references, struct class_reference, n - 1).count += next.count;
    else
      g_array_index (references, struct class_reference, n++) = next;
  }
  g_array_set_size (references, n);
}

void
shot_references_resolve (struct shot_references *r, struct symbols *symbols)
{
  GHashTableIter iter;
  gpointer key, value;
  shot_references_end (r, NULL); /* of a snapshot that was cut */
  if (r->counts == NULL || r->by_class != NULL)
    return;
  r->by_class = g_array_new (FALSE, FALSE, sizeof (struct class_reference));
  r->roots_by_class = g_array_new (FALSE, TRUE, sizeof (struct class_roots));
  g_hash_table_iter_init (&iter, r->counts);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    struct class_reference reference = *(const struct class_reference *) value;
    reference.to = type_class (symbols, reference.to);
    reference.from = type_class (symbols, reference.from);
    g_array_append_val (r->by_class, reference);
  }
  add_equals_up (r->by_class);
  g_array_sort (r->by_class, compare_counts);
  g_hash_table_iter_init (&iter, r->roots);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    const struct class_roots *roots = value;
    const guint klass = type_class (symbols, GPOINTER_TO_UINT (key));
    if (klass >= r->roots_by_class->len)
      g_array_set_size (r->roots_by_class, klass + 1);
    struct class_roots *sum = &g_array_index (r->roots_by_class, struct class_roots, klass);
    sum->count += roots->count;
    sum->pinning += roots->pinning;
  }
  g_clear_pointer (&r->counts, g_hash_table_destroy);
  g_clear_pointer (&r->roots, g_hash_table_destroy);
}

const struct class_reference *
shot_references_to (const struct shot_references *r, guint klass, guint *n)
{
  guint low = 0, high = r->by_class != NULL ? r->by_class->len : 0;
  *n = 0;
  while (low < high) {
    const guint middle = low + (high - low) / 2;
    if (g_array_index (r->by_class, struct class_reference, middle).to < klass)
      low = middle + 1;
    else
      high = middle;
  }
  if (r->by_class == NULL || low == r->by_class->len)
    return NULL;
  const struct class_reference *first = &g_array_index (r->by_class, struct class_reference, low);
  while (low + *n < r->by_class->len && first[*n].to == klass)
    ++*n;
  return first;
}

struct class_roots
shot_references_roots (const struct shot_references *r, guint klass)
{
  return r->roots_by_class != NULL && klass < r->roots_by_class->len
             ? g_array_index (r->roots_by_class, struct class_roots, klass)
             : (struct class_roots){ 0 };
}
