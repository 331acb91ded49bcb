/* survival.c -- follows objects from address to address and from collection to collection. */
#include "config.h"

#include "decoder/mlpd/analyses/survival.h"
#include "decoder/heap/heap-changes.h"

#define GENERATION_MAJOR 1

struct tracked_object {
  uint64_t address;
  uint64_t size; /* 0: none is at the address */
  struct type_sum sum;
  guint row;
  guint born;   /* collections that had begun */
  guint majors; /* major ones of them */
  guint known;  /* collections that it is known to have survived, or that were before it */
  guint shot;   /* the last heap snapshot that has it */
  bool is_old;
};

static guint
hash_sum (gconstpointer sum)
{
  const struct survival_sum *s = sum;
  return (s->row * 31 + s->born) * 31 + s->died;
}

static gboolean
is_same_sum (gconstpointer a, gconstpointer b)
{
  const struct survival_sum *x = a, *y = b;
  return x->row == y->row && x->born == y->born && x->died == y->died;
}

void
survival_init (struct survival *s)
{
  *s = (struct survival){
    .rows = g_array_new (FALSE, TRUE, sizeof (struct survival_row)),
    .objects = g_array_new (FALSE, TRUE, sizeof (struct tracked_object)),
    .sums = g_hash_table_new_full (hash_sum, is_same_sum, g_free, NULL),
    .lived = g_array_new (FALSE, TRUE, sizeof (struct type_sum)),
  };
  id_map_init (&s->numbers);
  address_map_init (&s->places);
}

void
survival_clear (struct survival *s)
{
  id_map_clear (&s->numbers);
  address_map_clear (&s->places);
  g_array_unref (s->rows);
  g_array_unref (s->objects);
  g_hash_table_destroy (s->sums);
  g_array_unref (s->lived);
}

guint
survival_row_of (struct survival *s, guint type, guint trace)
{
  const guint row = id_map_number (&s->numbers, (uint64_t) trace << 32 | type);
  if (row == s->rows->len) {
    const struct survival_row first = { .type = type, .trace = trace };
    g_array_append_val (s->rows, first);
  }
  return row;
}

/* ---- the end of an object ---- */

static struct survival_row *
row_at (const struct survival *s, guint row)
{
  return &g_array_index (s->rows, struct survival_row, row);
}

static void
add_survivor (struct survival *s, const struct tracked_object *o, guint died)
{
  const struct survival_sum key = { .row = o->row, .born = o->born, .died = died };
  struct survival_sum *sum = g_hash_table_lookup (s->sums, &key);
  if (sum == NULL) {
    sum = g_memdup2 (&key, sizeof key);
    g_hash_table_add (s->sums, sum);
  }
  type_sum_add (&sum->sum, &o->sum);
}

/* Does a collection move the object if it survives? */
static bool
is_new (const struct survival *s, const struct tracked_object *o)
{
  return !o->is_old && o->address >= s->nursery_start && o->address < s->nursery_end;
}

static bool
is_dead_by_collections (const struct survival *s, const struct tracked_object *o)
{
  return is_new (s, o) && o->known < s->collections;
}

static guint
last_chance (const struct survival *s, const struct tracked_object *o)
{
  if (is_new (s, o))
    return o->known + 1;
  return s->last_major > o->known ? s->last_major : MAX (s->collections, o->known);
}

/* An object is dead; `died` is its last collection.  Without any it counts as one that none had the
 * chance to find. */
static void
end_dead (struct survival *s, struct tracked_object *o)
{
  const guint died = last_chance (s, o);
  const bool counts = o->sum.objects != 0;
  o->size = 0;
  if (!counts)
    return;
  if (s->died != NULL)
    s->died (s->died_data, o->row, MAX (died, o->born + 1));
  const bool is_temporary
      = is_new (s, o) ? died == o->born + 1 : o->known == o->born && s->majors <= o->majors + 1;
  const guint lived = died > o->born ? died - o->born - 1 : 0;
  if (is_temporary)
    type_sum_add (&row_at (s, o->row)->temporary, &o->sum);
  if (died > o->born + 1)
    add_survivor (s, o, died);
  if (lived >= s->lived->len)
    g_array_set_size (s->lived, lived + 1);
  type_sum_add (&g_array_index (s->lived, struct type_sum, lived), &o->sum);
}

static void
end_live (struct survival *s, struct tracked_object *o)
{
  o->size = 0;
  if (o->sum.objects == 0)
    return;
  type_sum_add (&row_at (s, o->row)->live, &o->sum);
  if (o->born < s->collections)
    add_survivor (s, o, SURVIVAL_LIVE);
}

/* ---- addresses ---- */

static struct tracked_object *
object_at (const struct survival *s, uint64_t address)
{
  const guint place = address_map_find (&s->places, address);
  struct tracked_object *o
      = place != ID_MAP_NONE ? &g_array_index (s->objects, struct tracked_object, place) : NULL;
  return o != NULL && o->size != 0 ? o : NULL;
}

/* Whatever was there is dead. */
static void
put_object (struct survival *s, uint64_t address, const struct tracked_object *object)
{
  const guint place = address_map_number (&s->places, address);
  if (place == s->objects->len)
    g_array_set_size (s->objects, place + 1);
  struct tracked_object *o = &g_array_index (s->objects, struct tracked_object, place);
  if (o->size != 0)
    end_dead (s, o);
  *o = *object;
  o->address = address;
}

/* The same for a size that has more places than there are objects: a damaged log states any. */
static void
clear_large_place (struct survival *s, uint64_t address, uint64_t size)
{
  for (guint i = 0; i < s->objects->len; i++) {
    struct tracked_object *o = &g_array_index (s->objects, struct tracked_object, i);
    const uint64_t distance = o->address - address; /* too large, if it is before */
    if (o->size != 0 && o->is_old && distance != 0 && distance < size && distance % 8 == 0)
      end_dead (s, o);
  }
}

/* Ends the old objects that begin within a new place of an old one, which may be the last of the
 * address space. */
static void
clear_place (struct survival *s, uint64_t address, uint64_t size)
{
  if (size / 8 > s->objects->len) {
    clear_large_place (s, address, size);
    return;
  }
  for (uint64_t distance = 8; distance < size; distance += 8) {
    struct tracked_object *o = object_at (s, address + distance);
    if (o != NULL && o->is_old)
      end_dead (s, o);
  }
}

void
survival_allocate (struct survival *s, uint64_t object, uint64_t size, guint row,
                   struct type_sum sum)
{
  const struct tracked_object o = { .size = MAX (size, 1),
                                    .sum = sum,
                                    .row = row,
                                    .born = s->collections,
                                    .majors = s->majors,
                                    .known = s->collections,
                                    .is_old = size > SURVIVAL_NEW_BYTES_MAX };
  if (o.is_old)
    clear_place (s, object, size);
  put_object (s, object, &o);
}

/* ---- moves ---- */

struct moving {
  struct survival *s;
  const uint64_t *addresses;
  struct tracked_object *objects; /* that are between two places */
};

/* Minor collections move new objects alone. */
static void
add_nursery (struct survival *s, uint64_t address)
{
  const uint64_t start = address / SURVIVAL_NURSERY_BYTES * SURVIVAL_NURSERY_BYTES;
  const bool is_known = s->nursery_end != 0;
  if (!s->is_minor && is_known)
    return;
  s->nursery_start = is_known ? MIN (s->nursery_start, start) : start;
  s->nursery_end = MAX (s->nursery_end, start + SURVIVAL_NURSERY_BYTES);
}

static gpointer
leave (void *data, guint nth)
{
  struct moving *m = data;
  struct tracked_object *o = object_at (m->s, m->addresses[2 * nth]);
  if (o != NULL && m->s->is_sampled && !o->is_old && o->known + 1 < m->s->collections)
    end_dead (m->s, o);
  if (o == NULL || o->size == 0)
    return NULL;
  if (!o->is_old)
    add_nursery (m->s, o->address);
  m->objects[nth] = *o;
  o->size = 0;
  return &m->objects[nth];
}

static void
arrive (void *data, gpointer moved, guint nth)
{
  struct moving *m = data;
  struct tracked_object *o = moved;
  const uint64_t to = m->addresses[2 * nth + 1];
  struct tracked_object *there = object_at (m->s, to);
  if (o == NULL) { /* of which no allocation is known */
    if (there != NULL)
      end_dead (m->s, there);
    return;
  }
  o->known = m->s->collections;
  o->is_old = true;
  clear_place (m->s, to, o->size);
  put_object (m->s, to, o);
}

void
survival_move (struct survival *s, struct mlpd_list objects)
{
  const guint n = (guint) (objects.count / 2);
  g_autofree struct tracked_object *moving = g_new (struct tracked_object, n);
  struct moving m = { .s = s, .addresses = objects.items, .objects = moving };
  const struct object_mover mover = { leave, arrive, &m };
  s->moves += n;
  object_moves_apply (&mover, n);
}

/* ---- collections and heap snapshots ---- */

void
survival_collect (struct survival *s, const struct mlpd_gc_event *event)
{
  if (event->event != MLPD_GC_EVENT_START)
    return;
  s->collections++;
  s->is_minor = event->generation != GENERATION_MAJOR;
  if (s->is_minor)
    return;
  s->majors++;
  s->last_major = s->collections;
}

void
survival_begin_shot (struct survival *s)
{
  s->shots++;
  s->is_shot_empty = true;
}

void
survival_find_in_shot (struct survival *s, uint64_t object)
{
  struct tracked_object *o = object_at (s, object);
  s->is_shot_empty = false;
  if (o == NULL)
    return;
  o->shot = s->shots;
  o->known = s->collections;
  if (s->in_shot != NULL)
    s->in_shot (s->in_shot_data, s->shots, object, o->row);
}

/* Later allocations are not in it.  One without objects says nothing about any. */
void
survival_end_shot (struct survival *s)
{
  for (guint i = 0; i < s->objects->len && !s->is_shot_empty; i++) {
    struct tracked_object *o = &g_array_index (s->objects, struct tracked_object, i);
    if (o->size != 0 && o->shot != s->shots && o->born < s->collections)
      end_dead (s, o);
  }
}

/* ---- the end ---- */

/* The bytes that live after each collection: changes from one to the next, modulo 2^64. */
static uint64_t *
sum_changes (const struct survival *s)
{
  uint64_t *changes = g_new0 (uint64_t, s->collections + 2);
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, s->sums);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    const struct survival_sum *sum = key;
    changes[sum->born + 1] += sum->sum.bytes;
    if (sum->died != SURVIVAL_LIVE)
      changes[sum->died] -= sum->sum.bytes;
  }
  return changes;
}

/* The collection after which most bytes lived; `collections` + 1 is the end. */
static guint
find_peak (const struct survival *s)
{
  g_autofree uint64_t *changes = sum_changes (s);
  uint64_t now = 0;
  guint peak = s->collections + 1;
  uint64_t most = s->live.bytes;
  for (guint i = 1; i <= s->collections; i++) {
    now += changes[i];
    if (now > most) {
      most = now;
      peak = i;
    }
  }
  return peak;
}

static void
add_peak (struct survival *s, guint peak)
{
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, s->sums);
  while (g_hash_table_iter_next (&iter, &key, NULL)) {
    const struct survival_sum *sum = key;
    if (sum->born < peak && sum->died > peak)
      type_sum_add (&row_at (s, sum->row)->peak, &sum->sum);
  }
}

static void
make_whole (struct type_sum *sum)
{
  sum->objects = allocation_whole_objects (sum->objects);
}

/* Makes whole objects of their parts, and classes of types. */
static void
finish_rows (struct survival *s, struct symbols *symbols)
{
  for (guint i = 0; i < s->rows->len; i++) {
    struct survival_row *row = row_at (s, i);
    if (symbols != NULL)
      row->type = type_class (symbols, row->type);
    if (!s->is_sampled)
      continue;
    make_whole (&row->temporary);
    make_whole (&row->live);
    make_whole (&row->peak);
  }
  for (guint i = 0; s->is_sampled && i < s->lived->len; i++)
    make_whole (&g_array_index (s->lived, struct type_sum, i));
}

void
survival_finish (struct survival *s, struct symbols *symbols)
{
  for (guint i = 0; i < s->objects->len; i++) {
    struct tracked_object *o = &g_array_index (s->objects, struct tracked_object, i);
    if (o->size != 0)
      (is_dead_by_collections (s, o) ? end_dead : end_live) (s, o);
  }
  for (guint i = 0; i < s->rows->len; i++)
    type_sum_add (&s->live, &row_at (s, i)->live);
  const guint peak = find_peak (s);
  s->peak_after = MIN (peak, s->collections);
  if (peak <= s->collections)
    add_peak (s, peak);
  for (guint i = 0; peak > s->collections && i < s->rows->len; i++)
    row_at (s, i)->peak = row_at (s, i)->live;
  finish_rows (s, symbols);
  s->live = (struct type_sum){ 0, 0 };
  for (guint i = 0; i < s->rows->len; i++) {
    type_sum_add (&s->temporary, &row_at (s, i)->temporary);
    type_sum_add (&s->live, &row_at (s, i)->live);
    type_sum_add (&s->peak, &row_at (s, i)->peak);
  }
}
