/* shot-references.c -- finds the objects that references are to. */
#include "decoder/analyses/shot-references.h"
#include "config.h"

#define PLACES_BITS_MIN 12

void
shot_references_init (struct shot_references *r)
{
  *r = (struct shot_references){ 0 };
}

/* What is needed only while objects come. */
static void
forget_objects (struct shot_references *r)
{
  g_clear_pointer (&r->objects, g_free);
  g_clear_pointer (&r->references, g_array_unref);
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

static struct shot_object *
find (const struct shot_references *r, uint64_t object)
{
  const size_t mask = ((size_t) 1 << (64 - r->shift)) - 1;
  size_t place = (size_t) ((object >> 3) * UINT64_C (0x9E3779B97F4A7C15) >> r->shift);
  while (r->objects[place].object != 0 && r->objects[place].object != object)
    place = (place + 1) & mask;
  return &r->objects[place];
}

static void
make_places (struct shot_references *r, unsigned bits)
{
  r->shift = 64 - bits;
  r->objects = g_new0 (struct shot_object, (size_t) 1 << bits);
}

static void
grow (struct shot_references *r)
{
  struct shot_object *old = r->objects;
  const size_t n = (size_t) 1 << (64 - r->shift);
  make_places (r, 64 - r->shift + 1);
  for (size_t i = 0; i < n; i++)
    if (old[i].object != 0)
      *find (r, old[i].object) = old[i];
  g_free (old);
}

static void
add_object (struct shot_references *r, uint64_t object, guint type)
{
  if (object == 0)
    return;
  if (2 * r->n_objects >= (size_t) 1 << (64 - r->shift))
    grow (r);
  struct shot_object *place = find (r, object);
  r->n_objects += place->object == 0;
  *place = (struct shot_object){ .object = object, .type = type };
}

void
shot_references_add (struct shot_references *r, const struct scan_heap *scanned, const guint *types)
{
  if (scanned->object_types == NULL)
    return;
  if (r->objects == NULL) {
    make_places (r, PLACES_BITS_MIN);
    r->references = g_array_new (FALSE, FALSE, sizeof (struct scan_reference));
  }
  for (guint i = 0; i < scanned->object_types->len; i++) {
    const struct scan_reference *object
        = &g_array_index (scanned->object_types, struct scan_reference, i);
    add_object (r, object->object, types[object->type]);
  }
  const guint first = r->references->len;
  g_array_append_vals (r->references, scanned->reference_types->data,
                       scanned->reference_types->len);
  for (guint i = first; i < r->references->len; i++) {
    struct scan_reference *reference = &g_array_index (r->references, struct scan_reference, i);
    reference->type = types[reference->type];
  }
}

/* ---- the end of the shot ---- */

/* References come in runs of the same types: `latest` saves looking for them. */
static void
count_reference (struct shot_references *r, guint to, guint from, struct class_reference **latest)
{
  if (*latest == NULL || (*latest)->to != to || (*latest)->from != from) {
    const uint64_t both = (uint64_t) to << 32 | from;
    *latest = g_hash_table_lookup (r->counts, &both);
    if (*latest == NULL) {
      *latest = g_new0 (struct class_reference, 1);
      (*latest)->to = to;
      (*latest)->from = from;
      g_hash_table_insert (r->counts, g_memdup2 (&both, sizeof both), *latest);
    }
  }
  (*latest)->count++;
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
  struct class_reference *latest = NULL;
  r->counts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  r->roots = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; i < r->references->len; i++) {
    const struct scan_reference *reference
        = &g_array_index (r->references, struct scan_reference, i);
    const struct shot_object *object = find (r, reference->object);
    if (object->object != 0)
      count_reference (r, object->type, reference->type, &latest);
  }
  for (guint i = 0; roots != NULL && i < roots->len; i++) {
    const struct mlpd_root *root = &g_array_index (roots, struct mlpd_root, i);
    const struct shot_object *object = find (r, root->object);
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
  shot_references_end (r, NULL); /* of a shot that was cut */
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
  if (r->by_class == NULL)
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
