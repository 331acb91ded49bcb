/* roots.c -- finds the memory of roots. */
#include "config.h"

#include "decoder/mlpd/analyses/roots.h"
#include "decoder/mlpd/analyses/analysis.h"

enum {
  KIND_MASK = 0xff,
  FIRST_VERSION_WITH_BITS = 14,
};

static int
compare_starts (const void *a, const void *b, void *data)
{
  (void) data;
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return (x > y) - (x < y);
}

void
roots_init (struct roots *r)
{
  *r = (struct roots){ .memory = g_tree_new_full (compare_starts, NULL, NULL, g_free),
                       .counted = g_tree_new_full (compare_starts, NULL, NULL, g_free),
                       .names = g_string_chunk_new (1024) };
}

void
roots_clear (struct roots *r)
{
  g_tree_destroy (r->memory);
  g_tree_destroy (r->counted);
  g_clear_pointer (&r->objects, g_array_unref);
  g_clear_pointer (&r->moves, g_array_unref);
  g_string_chunk_free (r->names);
}

/* The roots of a heap snapshot themselves are requested, not only their sums. */
static void
roots_retain_objects (struct roots *r)
{
  r->moves = g_array_new (FALSE, FALSE, sizeof (struct root_move));
  r->objects = g_array_new (FALSE, FALSE, sizeof (struct mlpd_root));
}

/* None have been seen since. */
static void
forget_pending (struct roots *r)
{
  r->pending = (struct root_sums){ 0 };
  if (r->objects == NULL)
    return;
  g_array_set_size (r->objects, 0);
  g_array_set_size (r->moves, 0);
}

/* ---- registered memory ---- */

static void
come (struct root_source *source, uint64_t bytes)
{
  source->registered++;
  source->bytes += bytes;
  source->max_bytes = MAX (source->max_bytes, source->bytes);
}

static void
go (struct root_source *source, uint64_t bytes)
{
  source->unregistered++;
  source->bytes -= bytes;
}

static void
enter (struct roots *r, GTree *memory, const struct mlpd_heap_root_register *event)
{
  struct root_memory *entered = g_new (struct root_memory, 1);
  *entered = (struct root_memory){ .start = event->start,
                                   .size = event->size,
                                   .source = (guint) MIN (event->source, ROOT_SOURCES - 1),
                                   .key = event->key };
  if (event->name.text != NULL) /* of few different ones */
    entered->name = g_string_chunk_insert_const (r->names, event->name.text);
  g_tree_replace (memory, &entered->start, entered);
}

/* Of memory of which the registration does not count, nothing does. */
static void
count_unregistered (struct roots *r, uint64_t start)
{
  const struct root_memory *memory = g_tree_lookup (r->counted, &start);
  if (memory == NULL)
    return;
  go (&r->sources[memory->source], memory->size);
  go (&r->all, memory->size);
  g_tree_remove (r->counted, &start);
}

void
roots_register (struct roots *r, const struct mlpd_heap_root_register *event)
{
  /* Memory that is registered again replaces the former one. */
  count_unregistered (r, event->start);
  enter (r, r->counted, event);
  come (&r->sources[MIN (event->source, ROOT_SOURCES - 1)], event->size);
  come (&r->all, event->size);
  enter (r, r->memory, event);
}

void
roots_unregister (struct roots *r, const struct mlpd_heap_root_unregister *event)
{
  count_unregistered (r, event->start);
  g_tree_remove (r->memory, &event->start);
}

void
roots_name (struct roots *r, const struct mlpd_heap_root_register *event)
{
  enter (r, r->memory, event);
}

void
roots_forget (struct roots *r, uint64_t start)
{
  g_tree_remove (r->memory, &start);
}

/* The memory that an address is in; *reach: how many bytes from its start on are in no other. */
static const struct root_memory *
find (const struct roots *r, uint64_t address, uint64_t *reach)
{
  GTreeNode *above = g_tree_upper_bound (r->memory, &address);
  GTreeNode *node = above != NULL ? g_tree_node_previous (above) : g_tree_node_last (r->memory);
  const struct root_memory *memory = node != NULL ? g_tree_node_value (node) : NULL;
  if (memory == NULL || address - memory->start >= memory->size)
    return NULL;
  *reach = memory->size;
  if (above != NULL)
    *reach = MIN (*reach, *(const uint64_t *) g_tree_node_key (above) - memory->start);
  return memory;
}

const struct root_memory *
roots_memory (const struct roots *r, uint64_t address)
{
  uint64_t reach;
  return find (r, address, &reach);
}

guint
roots_source (const struct roots *r, uint64_t address)
{
  const struct root_memory *memory = roots_memory (r, address);
  return memory != NULL ? memory->source : ROOT_SOURCES - 1;
}

/* ---- roots ---- */

static void
add (struct root_sums *sums, const struct mlpd_root *root)
{
  sums->count++;
  sums->numbers[MIN (root->type & KIND_MASK, ROOT_NUMBERS - 1)]++;
  sums->pinning += (root->type & MLPD_ROOT_FLAG_PINNING) != 0;
  sums->weak += (root->type & MLPD_ROOT_FLAG_WEAK) != 0;
  sums->interior += (root->type & MLPD_ROOT_FLAG_INTERIOR) != 0;
}

/* Roots of one memory come by the hundred. */
static void
count_sources (struct root_sums *sums, const struct roots *r, struct mlpd_roots roots)
{
  const struct root_memory *memory = NULL;
  uint64_t reach = 0;
  for (size_t i = 0; i < roots.count; i++) {
    const uint64_t address = roots.items[i].address;
    if (memory == NULL || address - memory->start >= reach)
      memory = find (r, address, &reach);
    sums->sources[memory != NULL ? memory->source : ROOT_SOURCES - 1]++;
  }
  sums->count += roots.count;
}

void
roots_add (struct roots *r, const struct mlpd_heap_root *event, unsigned version)
{
  r->events++;
  if (version < MLPD_VERSION_ROOT_ADDRESSES && event->roots.collections != r->collections) {
    r->collections = event->roots.collections;
    forget_pending (r);
  }
  if (r->objects != NULL)
    g_array_append_vals (r->objects, event->roots.items, (guint) event->roots.count);
  if (version >= MLPD_VERSION_ROOT_ADDRESSES) {
    count_sources (&r->pending, r, event->roots);
    return;
  }
  for (size_t i = 0; i < event->roots.count; i++)
    add (&r->pending, &event->roots.items[i]);
}

void
roots_moved (struct roots *r, struct mlpd_list moves)
{
  if (r->objects == NULL || r->objects->len == 0)
    return;
  for (size_t i = 0; i + 1 < moves.count; i += 2) {
    const struct root_move move
        = { .before = r->objects->len, .from = moves.items[i], .to = moves.items[i + 1] };
    g_array_append_val (r->moves, move);
  }
}

/* Roots of objects at an address: the first, + 1; `next` has the others, + 1. */
static void
put_at (GHashTable *at, guint *next, uint64_t address, guint root)
{
  next[root] = GPOINTER_TO_UINT (g_hash_table_lookup (at, &address));
  g_hash_table_insert (at, g_memdup2 (&address, sizeof address), GUINT_TO_POINTER (root + 1));
}

GArray *
roots_now (const struct roots *r)
{
  GArray *now = g_array_copy (r->objects);
  GHashTable *at = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint *next = g_new0 (guint, now->len + 1), seen = 0;
  for (guint i = 0; i < r->moves->len; i++) {
    const struct root_move *move = &g_array_index (r->moves, struct root_move, i);
    for (; seen < move->before; seen++)
      put_at (at, next, g_array_index (now, struct mlpd_root, seen).object, seen);
    guint root = GPOINTER_TO_UINT (g_hash_table_lookup (at, &move->from));
    g_hash_table_remove (at, &move->from);
    while (root != 0) {
      const guint after = next[root - 1];
      g_array_index (now, struct mlpd_root, root - 1).object = move->to;
      put_at (at, next, move->to, root - 1);
      root = after;
    }
  }
  g_hash_table_destroy (at);
  g_free (next);
  return now;
}

/* From data version 14 on, earlier roots belong to collections without a snapshot. */
void
roots_shot_starts (struct roots *r, unsigned version)
{
  if (version >= ROOTS_VERSION_INSIDE)
    forget_pending (r);
}

struct root_sums
roots_shot_ends (struct roots *r)
{
  const struct root_sums sums = r->pending;
  forget_pending (r);
  return sums;
}

/* ---- kinds ---- */

bool
root_kinds_are_bits (const struct root_sums *s, unsigned version)
{
  const bool numbered = s->numbers[0] + s->numbers[3] > 0;
  const bool bits = s->numbers[8] + s->numbers[16] > 0;
  return numbered != bits ? bits : version >= FIRST_VERSION_WITH_BITS;
}

void
root_kinds_of (const struct root_sums *s, unsigned version, uint64_t kinds[ROOT_KINDS])
{
  const bool take_bits = root_kinds_are_bits (s, version);
  uint64_t unknown = s->count;
  for (guint i = 0; i < ROOT_UNKNOWN; i++) {
    kinds[i] = s->numbers[take_bits ? 1u << i : i];
    unknown -= kinds[i];
  }
  kinds[ROOT_UNKNOWN] = unknown;
}

struct root_sums
root_sums_of (const GArray *roots)
{
  struct root_sums sums = { 0 };
  for (guint i = 0; i < roots->len; i++)
    add (&sums, &g_array_index (roots, struct mlpd_root, i));
  return sums;
}

enum root_kind
root_kind_numbered (const struct mlpd_root *root, bool are_bits)
{
  const uint64_t number = root->type & KIND_MASK;
  guint kind = 0;
  while (kind < ROOT_UNKNOWN && number != (are_bits ? 1u << kind : kind))
    kind++;
  return (enum root_kind) kind;
}

enum root_kind
root_kind_of (const struct mlpd_root *root, unsigned version)
{
  struct root_sums sums = { 0 };
  add (&sums, root);
  return root_kind_numbered (root, root_kinds_are_bits (&sums, version));
}

const char *
root_kind_name (enum root_kind kind)
{
  static const char *const names[] = { "stack", "finalizer", "handle", "other", "misc", "unknown" };
  return names[kind];
}

/* ---- as an analysis ---- */

static void
init (void *state, const struct scan_options *options)
{
  roots_init (state);
  if (options->traces || options->graphs != NULL)
    roots_retain_objects (state);
}

static void
clear (void *state)
{
  roots_clear (state);
}

static void
handle_shot (void *state, const struct analysis_event *e)
{
  roots_shot_starts (state, e->version);
}

static void
handle_roots (void *state, const struct analysis_event *e)
{
  roots_add (state, &e->payload->heap_root, e->version);
}

static void
handle_register (void *state, const struct analysis_event *e)
{
  roots_register (state, &e->payload->heap_root_register);
}

static void
name_register (void *state, const struct analysis_event *e)
{
  roots_name (state, &e->payload->heap_root_register);
}

static void
handle_unregister (void *state, const struct analysis_event *e)
{
  roots_unregister (state, &e->payload->heap_root_unregister);
}

static void
name_unregister (void *state, const struct analysis_event *e)
{
  roots_forget (state, e->payload->heap_root_unregister.start);
}

static const struct analysis_handlers handlers[] = {
  { MLPD_HEAP_START, handle_shot, NULL },
  { MLPD_HEAP_ROOT, handle_roots, NULL },
  { MLPD_HEAP_ROOT_REGISTER, handle_register, name_register },
  { MLPD_HEAP_ROOT_UNREGISTER, handle_unregister, name_unregister },
};

const struct analysis roots_analysis = {
  .state_bytes = sizeof (struct roots), .init = init, .clear = clear, ANALYSIS_HANDLERS (handlers)
};
