/* roots.c -- finds what roots belong to. */
#include "decoder/analyses/roots.h"
#include "config.h"

enum {
  KIND_MASK = 0xff,
  FIRST_VERSION_WITH_BITS = 14,
};

struct root_memory {
  uint64_t start;
  uint64_t size;
  guint source;
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
                       .counted = g_tree_new_full (compare_starts, NULL, NULL, g_free) };
}

void
roots_clear (struct roots *r)
{
  g_tree_destroy (r->memory);
  g_tree_destroy (r->counted);
  g_clear_pointer (&r->objects, g_array_unref);
}

void
roots_keep_objects (struct roots *r)
{
  r->objects = g_array_new (FALSE, FALSE, sizeof (struct mlpd_root));
}

/* None have been met since. */
static void
forget_pending (struct roots *r)
{
  r->pending = (struct root_sums){ 0 };
  if (r->objects != NULL)
    g_array_set_size (r->objects, 0);
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
enter (GTree *memory, const struct mlpd_heap_root_register *event)
{
  struct root_memory *entered = g_new (struct root_memory, 1);
  *entered = (struct root_memory){ .start = event->start,
                                   .size = event->size,
                                   .source = (guint) MIN (event->source, ROOT_SOURCES - 1) };
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
  /* Memory that is registered again takes the place of what was there. */
  count_unregistered (r, event->start);
  enter (r->counted, event);
  come (&r->sources[MIN (event->source, ROOT_SOURCES - 1)], event->size);
  come (&r->all, event->size);
  enter (r->memory, event);
}

void
roots_unregister (struct roots *r, const struct mlpd_heap_root_unregister *event)
{
  count_unregistered (r, event->start);
  g_tree_remove (r->memory, &event->start);
}

void
roots_know (struct roots *r, const struct mlpd_heap_root_register *event)
{
  enter (r->memory, event);
}

void
roots_forget (struct roots *r, uint64_t start)
{
  g_tree_remove (r->memory, &start);
}

guint
roots_source (const struct roots *r, uint64_t address)
{
  GTreeNode *above = g_tree_upper_bound (r->memory, &address);
  GTreeNode *node = above != NULL ? g_tree_node_previous (above) : g_tree_node_last (r->memory);
  if (node == NULL)
    return ROOT_SOURCES - 1;
  const struct root_memory *memory = g_tree_node_value (node);
  return address - memory->start < memory->size ? memory->source : ROOT_SOURCES - 1;
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

void
roots_met (struct roots *r, const struct mlpd_heap_root *event, unsigned version)
{
  r->events++;
  if (version < MLPD_VERSION_ROOT_ADDRESSES && event->roots.collections != r->collections) {
    r->collections = event->roots.collections;
    forget_pending (r);
  }
  if (r->objects != NULL)
    g_array_append_vals (r->objects, event->roots.items, (guint) event->roots.count);
  for (size_t i = 0; i < event->roots.count; i++) {
    const struct mlpd_root *root = &event->roots.items[i];
    if (version < MLPD_VERSION_ROOT_ADDRESSES) {
      add (&r->pending, root);
      continue;
    }
    r->pending.count++;
    r->pending.sources[roots_source (r, root->address)]++;
  }
}

/* From data version 14 on, what comes before belongs to collections without a shot. */
void
roots_shot_starts (struct roots *r, unsigned version)
{
  if (version >= FIRST_VERSION_WITH_BITS)
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

void
root_kinds_of (const struct root_sums *s, unsigned version, uint64_t kinds[ROOT_KINDS])
{
  const bool numbered = s->numbers[0] + s->numbers[3] > 0;
  const bool bits = s->numbers[8] + s->numbers[16] > 0;
  const bool take_bits = numbered != bits ? bits : version >= FIRST_VERSION_WITH_BITS;
  uint64_t unknown = s->count;
  for (guint i = 0; i < ROOT_UNKNOWN; i++) {
    kinds[i] = s->numbers[take_bits ? 1u << i : i];
    unknown -= kinds[i];
  }
  kinds[ROOT_UNKNOWN] = unknown;
}

enum root_kind
root_kind_of (const struct mlpd_root *root, unsigned version)
{
  struct root_sums sum = { 0 };
  uint64_t kinds[ROOT_KINDS];
  guint kind = 0;
  add (&sum, root);
  root_kinds_of (&sum, version, kinds);
  while (kinds[kind] == 0)
    kind++;
  return (enum root_kind) kind;
}

const char *
root_kind_name (enum root_kind kind)
{
  static const char *const names[] = { "stack", "finalizer", "handle", "other", "misc", "unknown" };
  return names[kind];
}
