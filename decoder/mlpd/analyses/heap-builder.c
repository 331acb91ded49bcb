/* heap-builder.c -- retains packed heap snapshots, and builds graphs of them. */
#include "config.h"

#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/heap/heap-contents.h"
#include "decoder/heap/heap-fields.h"
#include "decoder/heap/heap-parts.h"
#include "decoder/mlpd/analyses/analysis.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/mlpd-contents.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-layout.h"
#include <string.h>

/* Of objects and bytes of a snapshot, the part below which a later one is smaller by far. */
#define PEAK_SHARE 0.75

/* Earlier snapshots that are retained, at most. */
#define EARLIER_MAX 6

/* A root, with data that are known only while its snapshot is read. */
struct graph_root {
  uint64_t object;
  uint64_t address;
  bool is_weak, is_pinning;
  const char *kind; /* static */
  const char *name; /* of the memory that it is in; NULL: none; the builder's */
  uint64_t start;   /* of that */
  guint source;     /* of that; ROOT_SOURCES - 1: none */
  uint64_t key;     /* of that, or of static fields the symbol of the vtable */
};

struct open_graph {
  const struct heapshot *shot; /* while it is open */
  guint index;
  unsigned version;
  uint64_t time;
  enum heapshot_state state;
  guint place;   /* of one that is whole, among these */
  GArray *parts; /* of struct heap_part */
  GArray *roots; /* of struct graph_root */
  GStringChunk *names;
  struct heap_contents *contents; /* NULL: the log states none */
};

static void
part_clear (void *data)
{
  struct heap_part *part = data;
  g_byte_array_unref (part->bytes);
  g_free (part->types);
}

static void
open_graph_free (void *data)
{
  struct open_graph *stored = data;
  g_array_unref (stored->parts);
  g_array_unref (stored->roots);
  g_string_chunk_free (stored->names);
  heap_contents_free (stored->contents);
  g_free (stored);
}

static void
init (void *state, const struct scan_options *options)
{
  struct heap_builder *b = state;
  *b = (struct heap_builder){ .selection = options->graphs,
                              .whole_stride = 1,
                              .shots = g_ptr_array_new_with_free_func (open_graph_free) };
  heap_moves_init (&b->moves);
}

static void
clear (void *state)
{
  struct heap_builder *b = state;
  g_ptr_array_free (b->shots, TRUE);
  heap_moves_clear (&b->moves);
}

/* ---- while the log is read ---- */

static bool
is_selected (const struct shot_selection *selection, guint index)
{
  bool is_requested = selection->all;
  for (guint i = 0; i < selection->n_indexes; i++)
    is_requested |= selection->indexes[i] == index;
  return is_requested;
}

static struct open_graph *
find_open (const struct heap_builder *b, const struct heapshot *shot)
{
  for (guint i = b->shots->len; i-- > 0;) {
    struct open_graph *stored = g_ptr_array_index (b->shots, i);
    if (stored->shot == shot)
      return stored;
  }
  return NULL;
}

/* The memory of a root, from data version 15 on. */
static void
place_root (struct open_graph *stored, const struct roots *roots, struct symbols *symbols,
            struct graph_root *root)
{
  const struct root_memory *memory = roots_memory (roots, root->address);
  root->source = memory != NULL ? memory->source : ROOT_SOURCES - 1;
  root->kind = mlpd_value_name (MLPD_UNIT_ROOT_SOURCE, root->source);
  if (root->kind == NULL)
    root->kind = root_kind_name (ROOT_UNKNOWN);
  if (memory == NULL)
    return;
  root->start = memory->start;
  if (memory->name != NULL)
    root->name = g_string_chunk_insert_const (stored->names, memory->name);
  root->key = memory->source == MLPD_ROOT_SOURCE_STATIC
                  ? symbols_use (symbols, SYMBOL_VTABLE, memory->key)
                  : memory->key;
}

static void
store_roots (struct open_graph *stored, const struct roots *roots, struct symbols *symbols)
{
  GArray *now = roots_now (roots);
  const struct root_sums sums = root_sums_of (now);
  const bool are_bits = root_kinds_are_bits (&sums, stored->version);
  g_array_set_size (stored->roots, 0);
  for (guint i = 0; i < now->len; i++) {
    const struct mlpd_root *seen = &g_array_index (now, struct mlpd_root, i);
    struct graph_root root = { .object = seen->object,
                               .address = seen->address,
                               .is_weak = (seen->type & MLPD_ROOT_FLAG_WEAK) != 0,
                               .is_pinning = (seen->type & MLPD_ROOT_FLAG_PINNING) != 0,
                               .source = ROOT_SOURCES - 1 };
    if (stored->version >= MLPD_VERSION_ROOT_ADDRESSES)
      place_root (stored, roots, symbols, &root);
    else
      root.kind = root_kind_name (root_kind_numbered (seen, are_bits));
    g_array_append_val (stored->roots, root);
  }
  g_array_unref (now);
}

/* A snapshot begins. */
static void
heap_builder_start (struct heap_builder *b, const struct heapshot *shot, unsigned version,
                    const struct roots *roots, struct symbols *symbols)
{
  const struct shot_selection *selection = b->selection;
  if (selection == NULL
      || !(selection->last || selection->earlier || is_selected (selection, shot->index)))
    return;
  struct open_graph *stored = g_new0 (struct open_graph, 1);
  stored->shot = shot;
  stored->index = shot->index;
  stored->version = version;
  stored->time = shot->time;
  stored->parts = g_array_new (FALSE, FALSE, sizeof (struct heap_part));
  g_array_set_clear_func (stored->parts, part_clear);
  stored->roots = g_array_new (FALSE, FALSE, sizeof (struct graph_root));
  stored->names = g_string_chunk_new (1024);
  g_ptr_array_add (b->shots, stored);
  /* In earlier versions they come before the start. */
  if (version < ROOTS_VERSION_INSIDE)
    store_roots (stored, roots, symbols);
}

void
heap_builder_merge (struct heap_builder *b, const struct heapshot *shot,
                    const struct scan_heap *scanned, const guint *types, guint n_types)
{
  struct open_graph *stored = shot != NULL ? find_open (b, shot) : NULL;
  if (stored == NULL || scanned->packed.bytes == NULL)
    return;
  const struct heap_part part = { .bytes = g_byte_array_ref (scanned->packed.bytes),
                                  .types = g_memdup2 (types, n_types * sizeof *types),
                                  .n_types = n_types };
  g_array_append_val (stored->parts, part);
}

/* The contents of its objects. */
static void
heap_builder_contents (struct heap_builder *b, const struct heapshot *shot,
                       const struct mlpd_counter_values *values)
{
  struct open_graph *stored = shot != NULL ? find_open (b, shot) : NULL;
  struct mlpd_contents c = { 0 };
  if (stored == NULL)
    return;
  if (stored->contents == NULL)
    stored->contents = heap_contents_new ();
  while (mlpd_contents_next (values, &c))
    switch (c.kind) {
    case MLPD_CONTENTS_STRING:
      heap_contents_add_string (stored->contents, c.object, c.id);
      break;
    case MLPD_CONTENTS_TEXT:
      heap_contents_add_text (stored->contents, c.id, c.number, c.text.text, c.text.length);
      break;
    case MLPD_CONTENTS_COLLECTION:
      heap_contents_add_collection (stored->contents, &(const struct heap_collection){
                                                          c.object, c.count, c.number, c.element });
      break;
    case MLPD_CONTENTS_STATE:
      heap_contents_add_state (stored->contents, c.object, (int64_t) c.number);
      break;
    case MLPD_CONTENTS_STRINGS:
      stored->contents->has_strings = true;
      stored->contents->strings = c.number;
      break;
    case MLPD_CONTENTS_TEXTS:
      stored->contents->different = c.number;
      break;
    case MLPD_CONTENTS_UNREAD:
      stored->contents->unread = c.number;
      break;
    case MLPD_CONTENTS_COLLECTIONS:
      stored->contents->has_collections = true;
      break;
    case MLPD_CONTENTS_NONE:
      break;
    }
}

/* Is this whole snapshot smaller by far than the largest before? */
static bool
is_below_peak (const struct heap_builder *b, const struct heapshot *shot)
{
  return (double) shot->objects < PEAK_SHARE * (double) b->peak_objects
         || (double) shot->bytes < PEAK_SHARE * (double) b->peak_bytes;
}

static void
find_peak (struct heap_builder *b, const struct heapshot *shot)
{
  if (!b->selection->peak || is_below_peak (b, shot))
    return;
  b->peak = shot->index;
  b->peak_objects = shot->objects;
  b->peak_bytes = shot->bytes;
}

guint
heap_builder_peak (const struct heap_builder *b)
{
  return b->peak;
}

static bool
is_earlier (const struct heap_builder *b, const struct open_graph *stored)
{
  return b->selection->earlier && stored->state == HEAPSHOT_COMPLETE
         && stored->place % b->whole_stride == 0;
}

GArray *
heap_builder_earlier (const struct heap_builder *b, guint index)
{
  GArray *indexes = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < b->shots->len; i++) {
    const struct open_graph *stored = g_ptr_array_index (b->shots, i);
    if (stored->index < index && stored->shot == NULL && is_earlier (b, stored))
      g_array_append_val (indexes, stored->index);
  }
  return indexes;
}

/* A whole one replaces the last ones before, and those that were cut. */
static void
forget_earlier (struct heap_builder *b, const struct open_graph *last)
{
  for (guint i = b->shots->len; i-- > 0;) {
    const struct open_graph *stored = g_ptr_array_index (b->shots, i);
    if (stored != last && stored->shot == NULL && stored->index != b->peak
        && !is_earlier (b, stored) && !is_selected (b->selection, stored->index))
      g_ptr_array_remove_index (b->shots, i);
  }
}

/* Objects were moved: old and new address of each in turn.  `past`: they moved after this snapshot,
 * though it has not ended; 0: after the last that has. */
static void
heap_builder_moved (struct heap_builder *b, guint past, struct mlpd_list addresses)
{
  const struct shot_selection *c = b->selection;
  const guint after = past != 0 ? past : b->ended;
  if (c != NULL && c->moves && after >= c->indexes[0]
      && (c->last || after < c->indexes[c->n_indexes - 1]))
    heap_moves_add (&b->moves, after, addresses);
}

/* It ends, or is cut because something else begins; the roots are those seen so far. */
static void
heap_builder_end (struct heap_builder *b, const struct heapshot *shot, enum heapshot_state state,
                  const struct roots *roots, struct symbols *symbols)
{
  struct open_graph *stored = shot != NULL ? find_open (b, shot) : NULL;
  if (shot != NULL)
    b->ended = shot->index;
  if (stored == NULL)
    return;
  stored->shot = NULL;
  stored->state = state;
  if (state != HEAPSHOT_CUT || stored->version >= ROOTS_VERSION_INSIDE)
    store_roots (stored, roots, symbols);
  if (state == HEAPSHOT_COMPLETE) {
    find_peak (b, shot);
    stored->place = b->whole++;
    if (stored->place / b->whole_stride > EARLIER_MAX)
      b->whole_stride *= 2;
    forget_earlier (b, stored);
  }
}

/* ---- making a graph ---- */

struct graph_job {
  struct heap_graph *g;
  struct open_graph *stored;
  struct symbols *symbols;
  GHashTable *classes; /* symbol of a class + 1 -> number + 1 */
  GArray *list;        /* of struct heap_class */
};

/* Bases of a class are inspected up to here: in a damaged log one may be its own. */
#define BASES_MAX 64

/* Adds the fields of objects of a class, with those of its bases. */
static void
add_fields (struct graph_job *m, struct heap_class *klass, guint index)
{
  for (int i = 0; i < BASES_MAX; i++) {
    const struct symbol *symbol
        = &g_array_index (m->symbols->all[SYMBOL_CLASS], struct symbol, index);
    const char *parts = symbol->layout != NULL ? symbol->layout : "";
    struct mlpd_layout_part part = { 0 };
    m->g->has_fields |= symbol->layout != NULL;
    while (mlpd_layout_next (&parts, &part))
      if (part.kind == MLPD_LAYOUT_ELEMENT)
        klass->element_bytes = (uint32_t) MIN (part.number, UINT32_MAX);
      else if (part.kind == MLPD_LAYOUT_FIELD && part.number < UINT32_MAX) {
        g_autofree char *name = g_strndup (part.name, part.length);
        heap_class_add_field (klass, (uint32_t) part.number,
                              g_string_chunk_insert_const (m->g->names, name));
      }
    if (symbol->base == 0)
      break;
    index = symbol->base - 1;
  }
}

/* The number of a class, by its symbol. */
static guint
number_class (struct graph_job *m, guint symbol)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (m->classes, GUINT_TO_POINTER (symbol + 1)));
  if (number != 0)
    return number - 1;
  char *name = symbols_name (m->symbols, SYMBOL_CLASS, symbol);
  const char *image = symbols_class_image (m->symbols, symbol);
  struct heap_class klass
      = { .name = g_string_chunk_insert_const (m->g->names, name),
          .image = image != NULL ? g_string_chunk_insert_const (m->g->names, image) : NULL };
  g_free (name);
  add_fields (m, &klass, symbol);
  g_array_append_val (m->list, klass);
  number = m->list->len;
  g_hash_table_insert (m->classes, GUINT_TO_POINTER (symbol + 1), GUINT_TO_POINTER (number));
  return number - 1;
}

/* Types become numbers of classes. */
static void
make_classes (struct graph_job *m)
{
  for (guint i = 0; i < m->stored->parts->len; i++) {
    const struct heap_part *part = &g_array_index (m->stored->parts, struct heap_part, i);
    for (guint t = 0; t < part->n_types; t++)
      part->types[t] = number_class (m, type_class (m->symbols, part->types[t]));
  }
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

/* The name of a root's memory, with its owner (transfer full). */
static char *
name_root (struct graph_job *m, const struct threads *threads, const struct graph_root *root)
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

/* Names the static field that a root is, where that is known. */
static void
name_static_field (struct graph_job *m, const struct graph_root *stored, struct heap_root *root)
{
  const guint klass = symbols_class_of_vtable (m->symbols, (guint) stored->key);
  const char *parts = g_array_index (m->symbols->all[SYMBOL_CLASS], struct symbol, klass).layout;
  struct mlpd_layout_part part = { 0 };
  while (parts != NULL && mlpd_layout_next (&parts, &part)) {
    if (part.kind != MLPD_LAYOUT_STATIC || part.number != stored->address - stored->start)
      continue;
    g_autofree char *holder = symbols_name (m->symbols, SYMBOL_CLASS, klass);
    g_autofree char *field = g_strndup (part.name, part.length);
    root->holder = g_string_chunk_insert_const (m->g->names, holder);
    root->field = g_string_chunk_insert_const (m->g->names, field);
    break;
  }
}

static void
make_roots (struct graph_job *m, const struct threads *threads)
{
  struct heap_graph *g = m->g;
  GArray *roots = g_array_new (FALSE, FALSE, sizeof (struct heap_root));
  for (guint i = 0; i < m->stored->roots->len; i++) {
    const struct graph_root *stored = &g_array_index (m->stored->roots, struct graph_root, i);
    const uint32_t object = heap_graph_find_inside (g, stored->object);
    if (object == HEAP_NONE) {
      g->dangling_roots += stored->object != 0;
      continue;
    }
    struct heap_root root = { .object = object,
                              .is_weak = stored->is_weak,
                              .is_pinning = stored->is_pinning,
                              .kind = stored->kind,
                              .address = stored->address };
    if (stored->source != ROOT_SOURCES - 1) {
      char *name = name_root (m, threads, stored);
      root.name = g_string_chunk_insert_const (g->names, name);
      g_free (name);
    }
    if (stored->source == MLPD_ROOT_SOURCE_STATIC)
      name_static_field (m, stored, &root);
    g_array_append_val (roots, root);
  }
  g->n_roots = roots->len;
  g->roots = (struct heap_root *) (void *) g_array_free (roots, FALSE);
  if (m->stored->roots->len == 0)
    heap_graph_assume_roots (g);
}

static guint
find_stored (const struct heap_builder *b, guint index)
{
  guint found = b->shots->len;
  bool is_whole = false;
  for (guint i = 0; i < b->shots->len; i++) {
    const struct open_graph *stored = g_ptr_array_index (b->shots, i);
    if (index != 0 ? stored->index == index : stored->state == HEAPSHOT_COMPLETE || !is_whole) {
      found = i;
      is_whole = stored->state == HEAPSHOT_COMPLETE;
    }
  }
  return found;
}

struct heap_graph *
heap_builder_build (struct heap_builder *b, struct symbols *symbols, const struct threads *threads,
                    guint index)
{
  const guint place = find_stored (b, index);
  if (place == b->shots->len)
    return NULL;
  struct graph_job m = { .g = g_new0 (struct heap_graph, 1),
                         .stored = g_ptr_array_steal_index (b->shots, place),
                         .symbols = symbols,
                         .classes = g_hash_table_new (NULL, NULL),
                         .list = g_array_new (FALSE, FALSE, sizeof (struct heap_class)) };
  struct heap_graph *g = m.g;
  g->names = g_string_chunk_new (4096);
  g->index = m.stored->index;
  g->time_ns = m.stored->time;
  g->state = m.stored->state;
  make_classes (&m);
  const bool good = heap_parts_read (m.stored->parts, g);
  g_array_set_size (m.stored->parts, 0);
  if (good)
    make_roots (&m, threads);
  g->contents = g_steal_pointer (&m.stored->contents);
  if (g->contents != NULL)
    heap_contents_finish (g->contents);
  g->n_classes = m.list->len;
  g->class_list = (struct heap_class *) (void *) g_array_free (m.list, FALSE);
  g_hash_table_destroy (m.classes);
  open_graph_free (m.stored);
  if (!good)
    g_clear_pointer (&g, heap_graph_free);
  return g;
}

/* ---- as an analysis ---- */

/* shots_analysis handles the events of heap snapshots. */
const struct analysis heap_builder_analysis
    = { .state_bytes = sizeof (struct heap_builder), .init = init, .clear = clear };

/* ---- the events of snapshots, for the analyses of them ---- */

static void
cut_shot (const struct analysis_model *m, struct thread *t)
{
  heap_builder_end (m->heap_builder, t->shot, HEAPSHOT_CUT, m->roots, m->symbols);
  heapshots_cut (t);
}

static void
handle_start (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct analysis_model *m = e->model;
  cut_shot (m, e->thread);
  heapshots_start (m->heapshots, e->thread, e->payload->heap_start.time, m->log->damages);
  heap_builder_start (m->heap_builder, e->thread->shot, e->version, m->roots, m->symbols);
}

static void
pass_start (void *state, const struct analysis_event *e)
{
  (void) state;
  heapshots_skip (e->model->heapshots);
}

static void
handle_end (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct analysis_model *m = e->model;
  struct heapshot *shot = e->thread->shot;
  heapshots_end (e->thread, m->log->damages, m->roots->objects);
  if (shot == NULL)
    return;
  heap_builder_end (m->heap_builder, shot, shot->state, m->roots, m->symbols);
  shot->roots = roots_shot_ends (m->roots);
}

/* A snapshot that the thread records while it has stopped the world does not go on over the next
 * stop. */
static void
handle_collection (void *state, const struct analysis_event *e)
{
  (void) state;
  if (e->payload->gc_event.event != MLPD_GC_EVENT_PRE_STOP_WORLD)
    return;
  cut_shot (e->model, e->thread);
  heapshots_collect (e->model->heapshots, e->thread, e->time);
}

/* Moves after the open snapshot do not move its roots. */
static void
handle_moves (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct analysis_model *m = e->model;
  const guint past = heapshots_past (m->heapshots);
  heap_builder_moved (m->heap_builder, past, e->payload->gc_move.objects);
  if (past == 0)
    roots_moved (m->roots, e->payload->gc_move.objects);
}

static void
handle_values (void *state, const struct analysis_event *e)
{
  (void) state;
  const struct mlpd_counter_values *values = &e->payload->sample_counters.values;
  if (mlpd_are_contents (values))
    heap_builder_contents (e->model->heap_builder, e->thread->shot, values);
}

static void
request (struct scan_options *options)
{
  options->replay[MLPD_GC_MOVE] |= options->graphs != NULL;
}

static void
finish_shots (void *state, const struct analysis_model *m)
{
  (void) state;
  for (guint i = 0; i < m->threads->all->len; i++)
    cut_shot (m, g_ptr_array_index (m->threads->all, i));
}

static const struct analysis_handlers handlers[] = {
  { MLPD_HEAP_START, handle_start, pass_start }, { MLPD_HEAP_END, handle_end, NULL },
  { MLPD_GC_EVENT, handle_collection, NULL },    { MLPD_GC_MOVE, handle_moves, NULL },
  { MLPD_SAMPLE_COUNTERS, handle_values, NULL },
};

const struct analysis shots_analysis
    = { .request = request, .finish = finish_shots, ANALYSIS_HANDLERS (handlers) };
