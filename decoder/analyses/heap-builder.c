/* heap-builder.c -- see heap-builder.h. */
#include "decoder/analyses/heap-builder.h"
#include "config.h"
#include "decoder/analyses/address-ranks.h"
#include "decoder/formats/mlpd-describe.h"
#include <stdlib.h>
#include <string.h>

/* What a scan met of a shot. */
struct part {
  GByteArray *bytes; /* of struct heap_records */
  guint *types;      /* by numbers of the scan's: types, later classes of the graph */
  guint n_types;
};

/* A root, with what is known only while its shot is read. */
struct kept_root {
  uint64_t object;
  uint64_t address;
  bool is_weak, is_pinning;
  const char *kind; /* static */
  const char *name; /* of the memory that it is in; NULL: none; the builder's */
  guint source;     /* of that; ROOT_SOURCES - 1: none */
  uint64_t key;     /* of that, or of static fields the symbol of the vtable */
};

struct kept_shot {
  const struct heapshot *shot; /* while it is open */
  guint index;
  unsigned version;
  uint64_t time;
  bool is_whole;
  GArray *parts; /* of struct part */
  GArray *roots; /* of struct kept_root */
  GStringChunk *names;
};

static void
part_clear (void *data)
{
  struct part *part = data;
  g_byte_array_unref (part->bytes);
  g_free (part->types);
}

static void
kept_shot_free (void *data)
{
  struct kept_shot *kept = data;
  g_array_unref (kept->parts);
  g_array_unref (kept->roots);
  g_string_chunk_free (kept->names);
  g_free (kept);
}

void
heap_builder_init (struct heap_builder *b, const struct heap_choice *choice)
{
  *b = (struct heap_builder){ .choice = choice,
                              .shots = g_ptr_array_new_with_free_func (kept_shot_free) };
  heap_moves_init (&b->moves);
}

void
heap_builder_clear (struct heap_builder *b)
{
  g_ptr_array_free (b->shots, TRUE);
  heap_moves_clear (&b->moves);
}

/* ---- while the log is read ---- */

static bool
is_asked_for (const struct heap_choice *choice, guint index)
{
  bool asked = choice->all;
  for (guint i = 0; i < choice->n_indexes; i++)
    asked |= choice->indexes[i] == index;
  return asked;
}

static struct kept_shot *
find_open (const struct heap_builder *b, const struct heapshot *shot)
{
  for (guint i = b->shots->len; i-- > 0;) {
    struct kept_shot *kept = g_ptr_array_index (b->shots, i);
    if (kept->shot == shot)
      return kept;
  }
  return NULL;
}

/* What a root is in, from data version 15 on. */
static void
place_root (struct kept_shot *kept, const struct roots *roots, struct symbols *symbols,
            struct kept_root *root)
{
  const struct root_memory *memory = roots_memory (roots, root->address);
  root->source = memory != NULL ? memory->source : ROOT_SOURCES - 1;
  root->kind = mlpd_value_name (MLPD_UNIT_ROOT_SOURCE, root->source);
  if (root->kind == NULL)
    root->kind = root_kind_name (ROOT_UNKNOWN);
  if (memory == NULL)
    return;
  if (memory->name != NULL)
    root->name = g_string_chunk_insert_const (kept->names, memory->name);
  root->key = memory->source == MLPD_ROOT_SOURCE_STATIC
                  ? symbols_use (symbols, SYMBOL_VTABLE, memory->key)
                  : memory->key;
}

static void
keep_roots (struct kept_shot *kept, const struct roots *roots, struct symbols *symbols)
{
  GArray *now = roots_now (roots);
  const struct root_sums sums = root_sums_of (now);
  const bool are_bits = root_kinds_are_bits (&sums, kept->version);
  g_array_set_size (kept->roots, 0);
  for (guint i = 0; i < now->len; i++) {
    const struct mlpd_root *met = &g_array_index (now, struct mlpd_root, i);
    struct kept_root root = { .object = met->object,
                              .address = met->address,
                              .is_weak = (met->type & MLPD_ROOT_FLAG_WEAK) != 0,
                              .is_pinning = (met->type & MLPD_ROOT_FLAG_PINNING) != 0,
                              .source = ROOT_SOURCES - 1 };
    if (kept->version >= MLPD_VERSION_ROOT_ADDRESSES)
      place_root (kept, roots, symbols, &root);
    else
      root.kind = root_kind_name (root_kind_numbered (met, are_bits));
    g_array_append_val (kept->roots, root);
  }
  g_array_unref (now);
}

void
heap_builder_start (struct heap_builder *b, const struct heapshot *shot, unsigned version,
                    const struct roots *roots, struct symbols *symbols)
{
  if (b->choice == NULL || !(b->choice->last || is_asked_for (b->choice, shot->index)))
    return;
  struct kept_shot *kept = g_new0 (struct kept_shot, 1);
  kept->shot = shot;
  kept->index = shot->index;
  kept->version = version;
  kept->time = shot->time;
  kept->parts = g_array_new (FALSE, FALSE, sizeof (struct part));
  g_array_set_clear_func (kept->parts, part_clear);
  kept->roots = g_array_new (FALSE, FALSE, sizeof (struct kept_root));
  kept->names = g_string_chunk_new (1024);
  g_ptr_array_add (b->shots, kept);
  /* In earlier versions they come before the start. */
  if (version < ROOTS_VERSION_INSIDE)
    keep_roots (kept, roots, symbols);
}

void
heap_builder_merge (struct heap_builder *b, const struct heapshot *shot,
                    const struct scan_heap *scanned, const guint *types, guint n_types)
{
  struct kept_shot *kept = shot != NULL ? find_open (b, shot) : NULL;
  if (kept == NULL || scanned->packed.bytes == NULL)
    return;
  const struct part part = { .bytes = g_byte_array_ref (scanned->packed.bytes),
                             .types = g_memdup2 (types, n_types * sizeof *types),
                             .n_types = n_types };
  g_array_append_val (kept->parts, part);
}

/* A whole one takes the place of the last ones before, and of those that were cut. */
static void
forget_earlier (struct heap_builder *b, const struct kept_shot *last)
{
  for (guint i = b->shots->len; i-- > 0;) {
    const struct kept_shot *kept = g_ptr_array_index (b->shots, i);
    if (kept != last && kept->shot == NULL && !is_asked_for (b->choice, kept->index))
      g_ptr_array_remove_index (b->shots, i);
  }
}

void
heap_builder_moved (struct heap_builder *b, struct mlpd_list addresses)
{
  const struct heap_choice *c = b->choice;
  if (c != NULL && c->moves && b->ended >= c->indexes[0] && b->ended < c->indexes[c->n_indexes - 1])
    heap_moves_add (&b->moves, b->ended, addresses);
}

void
heap_builder_end (struct heap_builder *b, const struct heapshot *shot, bool is_whole,
                  const struct roots *roots, struct symbols *symbols)
{
  struct kept_shot *kept = shot != NULL ? find_open (b, shot) : NULL;
  if (shot != NULL)
    b->ended = shot->index;
  if (kept == NULL)
    return;
  kept->shot = NULL;
  kept->is_whole = is_whole;
  if (is_whole || kept->version >= ROOTS_VERSION_INSIDE)
    keep_roots (kept, roots, symbols);
  if (is_whole)
    forget_earlier (b, kept);
}

/* ---- making a graph ---- */

struct making {
  struct heap_graph *g;
  struct kept_shot *kept;
  struct address_ranks ranks;
  struct symbols *symbols;
  GHashTable *classes; /* symbol of a class + 1 -> number + 1 */
  GArray *list;        /* of struct heap_class */
  bool has_offsets;
};

/* A record of the shot, read in order. */
struct walk {
  const struct making *m;
  guint next_part;
  const struct part *part;
  struct cursor cursor;
  struct heap_record record;
};

static bool
walk_next (struct walk *w)
{
  const GArray *parts = w->m->kept->parts;
  while (w->part == NULL || !heap_records_next (&w->cursor, &w->record)) {
    if (w->next_part == parts->len)
      return false;
    w->part = &g_array_index (parts, struct part, w->next_part++);
    w->cursor = cursor_over (w->part->bytes->data, w->part->bytes->len);
    w->record = (struct heap_record){ 0 };
  }
  return true;
}

/* Which records are of no use: those that describe an object again, and the references of such. */
struct twice {
  uint8_t *described; /* a bit an object */
  uint64_t object;    /* that is described again; 0: none */
};

static bool
twice_takes (struct twice *t, const struct heap_record *r, uint32_t object)
{
  if (r->bytes == 0)
    return r->object != t->object;
  const uint8_t bit = (uint8_t) (1 << object % 8);
  const bool again = (t->described[object / 8] & bit) != 0;
  t->object = again ? r->object : 0;
  t->described[object / 8] |= bit;
  return !again;
}

/* The number of a class, by its symbol. */
static guint
number_class (struct making *m, guint symbol)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (m->classes, GUINT_TO_POINTER (symbol + 1)));
  if (number != 0)
    return number - 1;
  char *name = symbols_name (m->symbols, SYMBOL_CLASS, symbol);
  const char *image = symbols_class_image (m->symbols, symbol);
  const struct heap_class klass
      = { .name = g_string_chunk_insert_const (m->g->names, name),
          .image = image != NULL ? g_string_chunk_insert_const (m->g->names, image) : NULL };
  g_free (name);
  g_array_append_val (m->list, klass);
  number = m->list->len;
  g_hash_table_insert (m->classes, GUINT_TO_POINTER (symbol + 1), GUINT_TO_POINTER (number));
  return number - 1;
}

/* Types become numbers of classes. */
static void
make_classes (struct making *m)
{
  for (guint i = 0; i < m->kept->parts->len; i++) {
    const struct part *part = &g_array_index (m->kept->parts, struct part, i);
    for (guint t = 0; t < part->n_types; t++)
      part->types[t] = number_class (m, type_class (m->symbols, part->types[t]));
  }
}

/* First way: which objects there are. */
static bool
find_objects (struct making *m)
{
  struct walk w = { .m = m };
  while (walk_next (&w)) {
    if (w.record.object != 0)
      address_ranks_add (&m->ranks, w.record.object);
    m->has_offsets |= w.record.has_offsets;
    heap_records_pass (&w.cursor, &w.record);
  }
  const uint64_t n = address_ranks_count (&m->ranks);
  m->g->n_objects = (uint32_t) MIN (n, HEAP_GRAPH_MAX);
  return n <= HEAP_GRAPH_MAX;
}

/* Second way: what they are, and in `first` how many references each has.  False if these are too
 * many. */
static bool
take_objects (struct making *m, struct twice *twice)
{
  struct heap_graph *g = m->g;
  struct walk w = { .m = m };
  uint64_t references = 0;
  while (walk_next (&w)) {
    const struct heap_record *r = &w.record;
    const uint32_t object = address_ranks_find (&m->ranks, r->object);
    heap_records_pass (&w.cursor, r);
    if (object == ADDRESS_NO_RANK)
      continue;
    if (!twice_takes (twice, r, object)) {
      g->duplicate_objects += r->bytes != 0;
      continue;
    }
    g->addresses[object] = r->object;
    g->classes[object] = w.part->types[r->type];
    g->generations[object] = r->generation;
    g->bytes[object] += r->bytes;
    g->total_bytes += r->bytes;
    references += r->n_references;
    if (references > HEAP_GRAPH_MAX)
      return false;
    g->first[object] += (uint32_t) r->n_references;
  }
  return true;
}

/* Third way: references.  `next` has the place of the next one of each object. */
static void
take_references (struct making *m, struct twice *twice, uint32_t *next)
{
  struct heap_graph *g = m->g;
  struct walk w = { .m = m };
  while (walk_next (&w)) {
    const struct heap_record *r = &w.record;
    const uint32_t object = address_ranks_find (&m->ranks, r->object);
    if (object == ADDRESS_NO_RANK || !twice_takes (twice, r, object)) {
      heap_records_pass (&w.cursor, r);
      continue;
    }
    uint64_t offset = 0;
    uint32_t place = next[object];
    for (uint64_t i = 0; i < r->n_references; i++) {
      const uint64_t address = heap_records_reference (&w.cursor, r, &offset);
      const uint32_t target = address_ranks_find (&m->ranks, address);
      if (target == ADDRESS_NO_RANK) {
        g->dangling_references += address != 0;
        continue;
      }
      g->targets[place] = target;
      if (g->offsets != NULL)
        g->offsets[place] = (uint32_t) MIN (offset, UINT32_MAX);
      place++;
    }
    next[object] = place;
  }
}

/* Closes the places of references that were left out; `end` is behind the last of each object. */
static void
close_gaps (struct heap_graph *g, const uint32_t *end)
{
  uint32_t to = 0;
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint32_t from = g->first[i], n = end[i] - from;
    g->first[i] = to;
    if (from != to) {
      memmove (&g->targets[to], &g->targets[from], n * sizeof *g->targets);
      if (g->offsets != NULL)
        memmove (&g->offsets[to], &g->offsets[from], n * sizeof *g->offsets);
    }
    to += n;
  }
  g->first[g->n_objects] = g->n_references = to;
}

static void *
cleared (size_t n, size_t size)
{
  return memset (heap_array (n, size), 0, MAX (n, 1) * size);
}

static bool
make_objects (struct making *m)
{
  struct heap_graph *g = m->g;
  if (!find_objects (m))
    return false;
  const size_t n = g->n_objects, bits = n / 8 + 1;
  struct twice twice = { .described = g_malloc0 (bits) };
  g->addresses = cleared (n, sizeof *g->addresses);
  g->bytes = cleared (n, sizeof *g->bytes);
  g->classes = cleared (n, sizeof *g->classes);
  g->generations = cleared (n, sizeof *g->generations);
  g->first = cleared (n + 1, sizeof *g->first);
  bool good = take_objects (m, &twice);
  if (good) {
    uint32_t sum = 0;
    for (size_t i = 0; i <= n; i++) {
      const uint32_t count = g->first[i];
      g->first[i] = sum;
      sum += count;
    }
    g->targets = heap_array (sum, sizeof *g->targets);
    if (m->has_offsets)
      g->offsets = heap_array (sum, sizeof *g->offsets);
    uint32_t *next = heap_array (n + 1, sizeof *next);
    memcpy (next, g->first, (n + 1) * sizeof *next);
    memset (twice.described, 0, bits);
    twice.object = 0;
    take_references (m, &twice, next);
    close_gaps (g, next);
    free (next);
  }
  g_free (twice.described);
  return good;
}

/* ---- roots ---- */

static char *
name_thread (const struct threads *threads, uint64_t id)
{
  const struct thread *t = g_hash_table_lookup (threads->by_id, &id);
  return t != NULL && t->name != NULL
             ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x (%s)", id, t->name)
             : g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", id);
}

/* What the memory of a root is called, with whose it is (transfer full). */
static char *
name_root (struct making *m, const struct threads *threads, const struct kept_root *root)
{
  char *whose = NULL;
  const char *name = root->name != NULL && *root->name != '\0' ? root->name : root->kind;
  if (root->source == MLPD_ROOT_SOURCE_STATIC)
    whose = symbols_name (m->symbols, SYMBOL_CLASS,
                          symbols_class_of_vtable (m->symbols, (guint) root->key));
  else if (root->source == MLPD_ROOT_SOURCE_STACK || root->source == MLPD_ROOT_SOURCE_THREAD_STATIC)
    whose = name_thread (threads, root->key);
  char *full = whose != NULL ? g_strdup_printf ("%s of %s", name, whose) : g_strdup (name);
  g_free (whose);
  return full;
}

static void
make_roots (struct making *m, const struct threads *threads)
{
  struct heap_graph *g = m->g;
  GArray *roots = g_array_new (FALSE, FALSE, sizeof (struct heap_root));
  for (guint i = 0; i < m->kept->roots->len; i++) {
    const struct kept_root *kept = &g_array_index (m->kept->roots, struct kept_root, i);
    const uint32_t object = heap_graph_find_inside (g, kept->object);
    if (object == HEAP_NONE) {
      g->dangling_roots += kept->object != 0;
      continue;
    }
    struct heap_root root = { .object = object,
                              .is_weak = kept->is_weak,
                              .is_pinning = kept->is_pinning,
                              .kind = kept->kind,
                              .address = kept->address };
    if (kept->source != ROOT_SOURCES - 1) {
      char *name = name_root (m, threads, kept);
      root.name = g_string_chunk_insert_const (g->names, name);
      g_free (name);
    }
    g_array_append_val (roots, root);
  }
  g->n_roots = roots->len;
  g->roots = (struct heap_root *) (void *) g_array_free (roots, FALSE);
  if (m->kept->roots->len == 0)
    heap_graph_assume_roots (g);
}

static guint
find_kept (const struct heap_builder *b, guint index)
{
  guint found = b->shots->len;
  bool is_whole = false;
  for (guint i = 0; i < b->shots->len; i++) {
    const struct kept_shot *kept = g_ptr_array_index (b->shots, i);
    if (index != 0 ? kept->index == index : kept->is_whole || !is_whole) {
      found = i;
      is_whole = kept->is_whole;
    }
  }
  return found;
}

struct heap_graph *
heap_builder_make (struct heap_builder *b, struct symbols *symbols, const struct threads *threads,
                   guint index)
{
  const guint place = find_kept (b, index);
  if (place == b->shots->len)
    return NULL;
  struct making m = { .g = g_new0 (struct heap_graph, 1),
                      .kept = g_ptr_array_steal_index (b->shots, place),
                      .symbols = symbols,
                      .classes = g_hash_table_new (NULL, NULL),
                      .list = g_array_new (FALSE, FALSE, sizeof (struct heap_class)) };
  struct heap_graph *g = m.g;
  g->names = g_string_chunk_new (4096);
  g->index = m.kept->index;
  g->time_ns = m.kept->time;
  g->is_whole = m.kept->is_whole;
  address_ranks_init (&m.ranks);
  make_classes (&m);
  const bool good = make_objects (&m);
  g_array_set_size (m.kept->parts, 0);
  address_ranks_clear (&m.ranks);
  if (good)
    make_roots (&m, threads);
  g->n_classes = m.list->len;
  g->class_list = (struct heap_class *) (void *) g_array_free (m.list, FALSE);
  g_hash_table_destroy (m.classes);
  kept_shot_free (m.kept);
  if (!good)
    g_clear_pointer (&g, heap_graph_free);
  return g;
}
