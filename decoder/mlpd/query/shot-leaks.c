/* shot-leaks.c -- the suspects of the peak, then of the last snapshot, and their objects in earlier
 * snapshots. */
#include "config.h"

#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/core/large-array.h"
#include "decoder/mlpd/query/leaks.h"
#include <stdlib.h>

/* ---- the history of suspects ---- */

/* A class may grow in one place and stay as it is in another, as a cache that is full.  So of a
 * suspect only its own objects count.  Which objects of earlier snapshots are in the same place is
 * known from the way from a root to them: the root, and the classes on it, each once. */

/* Objects that they must have grown by. */
#define OBJECTS_MIN 16

/* ---- ways ---- */

/* The way to an object, without it: one number for a root and the classes after it, in the order in
 * which they come first.  It is the same in all snapshots. */
struct way {
  uint32_t above; /* 0: it is a root */
  uint32_t klass; /* of all snapshots */
};

struct way_table {
  GArray *ways;        /* of struct way, from 1 */
  GHashTable *numbers; /* uint64_t: above, class -> number */
  GHashTable *roots;   /* text -> number */
  GHashTable *classes; /* name and image -> number */
};

static void
way_table_init (struct way_table *t)
{
  *t = (struct way_table){
    .ways = g_array_new (FALSE, TRUE, sizeof (struct way)),
    .numbers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
    .roots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .classes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
  g_array_set_size (t->ways, 1);
}

static void
way_table_clear (struct way_table *t)
{
  g_array_unref (t->ways);
  g_hash_table_destroy (t->numbers);
  g_hash_table_destroy (t->roots);
  g_hash_table_destroy (t->classes);
}

static uint32_t
add_way (struct way_table *t, uint32_t above, uint32_t klass)
{
  const struct way way = { above, klass };
  g_array_append_val (t->ways, way);
  return t->ways->len - 1;
}

/* The slot of a static field stays where it is, so that each field is a root of its own. */
static uint32_t
way_of_root (struct way_table *t, const struct heap_root *root)
{
  const bool is_static = strcmp (root->kind, "static") == 0;
  char *key = g_strdup_printf ("%s\n%s\n%" G_GINT64_MODIFIER "x", root->kind,
                               root->name != NULL ? root->name : "",
                               is_static ? root->address : UINT64_C (0));
  uint32_t way = GPOINTER_TO_UINT (g_hash_table_lookup (t->roots, key));
  if (way != 0) {
    g_free (key);
    return way;
  }
  way = add_way (t, 0, 0);
  g_hash_table_insert (t->roots, key, GUINT_TO_POINTER (way));
  return way;
}

static uint32_t
way_below (struct way_table *t, uint32_t above, uint32_t klass)
{
  const struct way *ways = (const void *) t->ways->data;
  for (uint32_t at = above; ways[at].above != 0; at = ways[at].above)
    if (ways[at].klass == klass)
      return above;
  const uint64_t key = (uint64_t) above << 32 | klass;
  uint32_t way = GPOINTER_TO_UINT (g_hash_table_lookup (t->numbers, &key));
  if (way == 0) {
    way = add_way (t, above, klass);
    g_hash_table_insert (t->numbers, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (way));
  }
  return way;
}

/* The classes of a graph, by numbers of all snapshots, from 1 (transfer full). */
static uint32_t *
number_classes (struct way_table *t, const struct heap_graph *g)
{
  uint32_t *numbers = g_new (uint32_t, g->n_classes + 1);
  for (uint32_t i = 0; i < g->n_classes; i++) {
    const struct heap_class *klass = &g->class_list[i];
    char *key = g_strdup_printf ("%s\n%s", klass->name, klass->image != NULL ? klass->image : "");
    uint32_t number = GPOINTER_TO_UINT (g_hash_table_lookup (t->classes, key));
    if (number == 0) {
      number = g_hash_table_size (t->classes) + 1;
      g_hash_table_insert (t->classes, g_strdup (key), GUINT_TO_POINTER (number));
    }
    numbers[i] = number;
    g_free (key);
  }
  return numbers;
}

/* By object: the way to it; 0: no root leads to it (free). */
static uint32_t *
find_ways (struct way_table *t, const struct heap_graph *g, const uint32_t *classes)
{
  uint32_t *ways = large_array ((size_t) g->n_objects + 1, sizeof *ways);
  struct heap_paths paths;
  heap_paths_init (&paths, g);
  memset (ways, 0, ((size_t) g->n_objects + 1) * sizeof *ways);
  for (uint32_t i = 0; i < paths.n_reached; i++) {
    const uint32_t object = paths.order[i], parent = paths.parents[object];
    ways[object] = parent == HEAP_PATH_ROOT
                       ? way_of_root (t, &g->roots[paths.through[object]])
                       : way_below (t, ways[parent], classes[g->classes[parent]]);
  }
  heap_paths_clear (&paths);
  return ways;
}

/* ---- counts of classes ---- */

/* A class of a leak. */
struct place {
  guint leak, klass; /* among all, and of the leak */
  uint64_t *counts;  /* in the earlier snapshots, and then in the leak's own */
};

struct history_search {
  struct heap_leaks *leaks;
  const struct heap_graph *g;
  struct way_table ways;
  GArray *places;     /* of struct place */
  GHashTable *by_way; /* uint64_t: way, class -> GArray of places' numbers */
  guint n_shots;
};

static void
add_place_of (struct history_search *s, uint32_t way, uint32_t klass, guint place)
{
  const uint64_t key = (uint64_t) way << 32 | klass;
  GArray *found = g_hash_table_lookup (s->by_way, &key);
  if (found == NULL) {
    found = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (s->by_way, g_memdup2 (&key, sizeof key), found);
  }
  if (found->len == 0 || g_array_index (found, guint, found->len - 1) != place)
    g_array_append_val (found, place);
}

/* The objects of a leak, in the tree of dominators: their ways are those that count. */
static void
add_places (struct history_search *s, guint number, const struct heap_tree *tree,
            const uint32_t *ways, const uint32_t *classes)
{
  const struct leak *leak = g_ptr_array_index (s->leaks->all, number);
  guint *place_of = g_new0 (guint, s->g->n_classes + 1); /* by class; + 1 */
  for (guint i = 0; i < leak->classes->len; i++) {
    const struct place place
        = { .leak = number, .klass = i, .counts = g_new0 (uint64_t, s->n_shots + 1) };
    g_array_append_val (s->places, place);
    place_of[g_array_index (leak->classes, struct leak_class, i).klass] = s->places->len;
  }
  g_autoptr (GArray) objects = heap_leaks_objects (leak, tree);
  for (guint i = 0; i < objects->len; i++) {
    const uint32_t object = g_array_index (objects, uint32_t, i);
    const guint place = place_of[s->g->classes[object]];
    if (place != 0 && ways[object] != 0)
      add_place_of (s, ways[object], classes[s->g->classes[object]], place - 1);
  }
  g_free (place_of);
}

static void
count_shot (struct history_search *s, guint shot, const struct heap_graph *g, const uint32_t *ways,
            const uint32_t *classes)
{
  for (uint32_t i = 0; i < g->n_objects; i++) {
    const uint64_t key = (uint64_t) ways[i] << 32 | classes[g->classes[i]];
    const GArray *found = ways[i] != 0 ? g_hash_table_lookup (s->by_way, &key) : NULL;
    for (guint p = 0; found != NULL && p < found->len; p++)
      g_array_index (s->places, struct place, g_array_index (found, guint, p)).counts[shot]++;
  }
}

static void
count_all (struct history_search *s, const struct heap_dominators *dominators,
           const GPtrArray *earlier)
{
  struct heap_tree tree;
  uint32_t *classes = number_classes (&s->ways, s->g), *ways = find_ways (&s->ways, s->g, classes);
  heap_tree_init (&tree, dominators);
  for (guint i = 0; i < s->leaks->all->len; i++)
    add_places (s, i, &tree, ways, classes);
  heap_tree_clear (&tree);
  count_shot (s, earlier->len, s->g, ways, classes);
  free (ways);
  g_free (classes);
  for (guint i = 0; i < earlier->len; i++) {
    const struct heap_graph *g = g_ptr_array_index (earlier, i);
    classes = number_classes (&s->ways, g);
    ways = find_ways (&s->ways, g, classes);
    count_shot (s, i, g, ways, classes);
    free (ways);
    g_free (classes);
  }
}

/* ---- verdict on a leak ---- */

/* The place of a snapshot in the series; that of the last one if it is not in them. */
static guint
place_of_shot (const struct heap_growth *growth, guint index)
{
  guint place = 0;
  while (place + 1 < growth->n_shots && growth->indexes[place] != index)
    place++;
  return place;
}

/* A pool that breathes had as many objects before its growth began.  The snapshots that were
 * inspected show those of the place; of the others the class counts, if it was mostly there. */
static bool
had_as_many (const struct place *place, const struct leak_class *klass, uint64_t now,
             const struct heap_growth *growth, const GPtrArray *earlier)
{
  const struct heap_series *const series = klass->series;
  uint64_t here = 0, all = 0;
  for (guint i = 0; i < earlier->len; i++) {
    const guint at = place_of_shot (growth, ((const struct heap_graph *) earlier->pdata[i])->index);
    if (at >= series->since)
      continue;
    if (place->counts[i] + OBJECTS_MIN > now)
      return true;
    here += place->counts[i];
    all += series->shots[at].objects;
  }
  for (guint i = 0; i < series->since && here != 0 && here >= all / 2; i++)
    if (series->shots[i].objects + OBJECTS_MIN > series->shots[growth->n_shots - 1].objects)
      return true;
  return false;
}

/* Of the class's growth the snapshots since its beginning count, and the last one before that. */
static struct leak_history
read_history (const struct place *place, const struct leak_class *klass,
              const struct heap_growth *growth, const GPtrArray *earlier)
{
  struct leak_history h = { .now = place->counts[earlier->len] };
  const guint last = growth->n_shots - 1;
  bool has_end = false;
  uint64_t end_objects = 0;
  guint end = 0;
  for (guint i = 0; i < earlier->len; i++) {
    const struct heap_graph *g = g_ptr_array_index (earlier, i);
    const guint at = place_of_shot (growth, g->index);
    if (!h.is_known || at <= klass->series->since) {
      h.is_known = true;
      h.since = at;
      h.before = place->counts[i];
    }
    if (at + HEAP_GROWTH_END <= last && at > h.since) {
      has_end = true;
      end = at;
      end_objects = place->counts[i];
    }
  }
  if (!h.is_known)
    return h;
  h.grows = h.now >= h.before + OBJECTS_MIN && !had_as_many (place, klass, h.now, growth, earlier)
            && (!has_end
                || heap_growth_goes_on (h.before, end_objects, h.now, last - h.since, last - end));
  return h;
}

/* Classes that grow by themselves stay, in their order.  The leak's growth is no more than that of
 * its first class. */
static void
judge_leak (struct leak *leak, const struct place *places, const struct heap_growth *growth,
            const GPtrArray *earlier)
{
  double share = 1;
  guint n = 0;
  for (guint i = 0; i < leak->classes->len; i++) {
    struct leak_class klass = g_array_index (leak->classes, struct leak_class, i);
    klass.history = read_history (&places[i], &klass, growth, earlier);
    if (klass.history.is_known && !klass.history.grows)
      continue;
    if (n == 0 && klass.history.is_known) {
      const struct type_sum *shots = klass.series->shots;
      const double now
          = (double) shots[growth->n_shots - 1].objects,
          of_class = (now - (double) shots[klass.series->since].objects) / now,
          own = (double) (klass.history.now - klass.history.before) / (double) klass.history.now;
      share = i == 0 ? own / of_class : own * (double) klass.retained / (double) leak->grown;
    }
    g_array_index (leak->classes, struct leak_class, n++) = klass;
  }
  if (leak->classes->len != 0 && n == 0)
    leak->grown = 0;
  else
    leak->grown = MIN (whole_number ((double) leak->grown * share + 0.5), leak->bytes);
  g_array_set_size (leak->classes, n);
}

/* Counts the objects of the leaks in their own snapshot and in earlier ones (of struct heap_graph,
 * in order), and removes classes, and leaks, that have not grown to the end in these.  `growth`
 * ends with the snapshot of the graph. */
static void
leak_history_apply (struct heap_leaks *leaks, const struct heap_graph *g,
                    const struct heap_dominators *dominators, const struct heap_growth *growth,
                    const GPtrArray *earlier)
{
  if (leaks->all->len == 0 || earlier->len == 0)
    return;
  struct history_search s = { .leaks = leaks,
                              .g = g,
                              .places = g_array_new (FALSE, FALSE, sizeof (struct place)),
                              .by_way = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                                               (GDestroyNotify) g_array_unref),
                              .n_shots = earlier->len };
  way_table_init (&s.ways);
  count_all (&s, dominators, earlier);
  guint first = 0;
  for (guint i = 0; i < leaks->all->len; i++) {
    struct leak *leak = g_ptr_array_index (leaks->all, i);
    const guint n = leak->classes->len;
    judge_leak (leak, &g_array_index (s.places, struct place, first), growth, earlier);
    first += n;
  }
  for (guint i = 0; i < s.places->len; i++)
    g_free (g_array_index (s.places, struct place, i).counts);
  g_array_unref (s.places);
  g_hash_table_destroy (s.by_way);
  way_table_clear (&s.ways);
  for (guint i = leaks->all->len; i-- > 0;)
    if ((double) ((const struct leak *) g_ptr_array_index (leaks->all, i))->grown
        < LEAK_SHARE * (double) dominators->reached_bytes)
      g_ptr_array_remove_index (leaks->all, i);
}

/* ---- the suspects of a snapshot ---- */

/* The graphs of earlier snapshots that were retained are needed only where there are suspects. */
static void
inspect_earlier (struct shot_leaks *l, struct summary *s)
{
  struct heap_builder *heap_builder = SUMMARY_STATE (s, heap_builder);
  GPtrArray *earlier = g_ptr_array_new_with_free_func ((GDestroyNotify) heap_graph_free);
  g_autoptr (GArray) indexes = heap_builder_earlier (heap_builder, l->graph->index);
  for (guint i = 0; l->leaks.all->len != 0 && i < indexes->len; i++) {
    struct heap_graph *graph = summary_build_heap (s, g_array_index (indexes, guint, i));
    if (graph != NULL)
      g_ptr_array_add (earlier, graph);
  }
  leak_history_apply (&l->leaks, l->graph, l->dominators, &l->growth, earlier);
  g_ptr_array_unref (earlier);
}

static bool
inspect (struct shot_leaks *l, struct summary *s, guint shot, const struct heapshot *skipped_shot)
{
  *l = (struct shot_leaks){
    .graph = summary_build_heap (s, shot),
    .skipped_shot = skipped_shot,
  };
  if (l->graph == NULL)
    return false;
  l->dominators = heap_dominators_new (l->graph);
  heap_growth_init (&l->growth, s, l->graph->index);
  heap_leaks_init (&l->leaks, l->graph, l->dominators, &l->growth, skipped_shot != NULL);
  return true;
}

/* Objects of the peak that no root reaches were garbage already: has most of the rest gone
 * since? */
static bool
has_lost_most (const struct shot_leaks *peak, const struct heapshot *last)
{
  return peak->dominators->n_reached / 2 > last->objects
         || peak->dominators->reached_bytes / 2 > last->bytes;
}

bool
shot_leaks_init (struct shot_leaks *l, struct summary *s, guint shot)
{
  const struct heapshot *last = NULL;
  const struct heapshot *peak = shot == 0 ? heap_leaks_pick_peak (s, &last) : NULL;
  if (peak != NULL && inspect (l, s, peak->index, last)) {
    if (l->leaks.all->len != 0 && has_lost_most (l, last)) {
      inspect_earlier (l, s);
      return true;
    }
    shot_leaks_clear (l);
  }
  if (!inspect (l, s, shot, NULL))
    return false;
  inspect_earlier (l, s);
  return true;
}

void
shot_leaks_clear (struct shot_leaks *l)
{
  heap_leaks_clear (&l->leaks);
  heap_growth_clear (&l->growth);
  heap_dominators_free (l->dominators);
  heap_graph_free (l->graph);
}

bool
shot_leaks_may_be (const struct summary *s)
{
  struct heap_growth growth;
  bool any = false;
  heap_growth_init (&growth, s, 0);
  for (guint i = 0; i < growth.classes->len && growth.n_shots >= LEAK_SHOTS_MIN; i++)
    any |= ((const struct heap_series *) g_ptr_array_index (growth.classes, i))->since
           != HEAP_NOT_GROWING;
  heap_growth_clear (&growth);
  return any;
}
