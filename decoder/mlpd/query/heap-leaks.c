/* heap-leaks.c -- finds growing classes and the objects that hold them. */
#include "config.h"

#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/query/heap-leaks.h"
#include "decoder/core/whole-number.h"

/* Of the growth below an object, the part that one below it must have to be gone down to. */
#define MOST 0.8

/* Objects of a class that accumulate at one place, at least; and how many times as large as those
 * beside it an object is that does not belong to them. */
#define CROWD 16

struct leak_search {
  const struct heap_graph *g;
  const struct heap_dominators *d;
  const struct heap_growth *growth;
  struct heap_tree tree;
  struct heap_paths paths;
  const struct heap_series **series; /* by class: if it grows; else NULL */
  double *parts;                     /* by class: of its objects that came since it grows */
  double *usual;                     /* by class: bytes of one that came, on average */
  double *part;                      /* by object: of its retained bytes; 0: it is no growth */
  double *grown;                     /* by object: bytes below it that have grown, with its own */
  double least;                      /* of a suspect */
  bool before_end;                   /* a class that was as many before does not count */
  GPtrArray *found;                  /* of struct leak */
};

static void
leak_free (void *data)
{
  struct leak *leak = data;
  g_array_unref (leak->way);
  g_array_unref (leak->classes);
  g_clear_pointer (&leak->tops, g_array_unref);
  g_clear_pointer (&leak->rest, g_array_unref);
  g_free (leak);
}

/* ---- the end of a program ---- */

const struct heapshot *
heap_leaks_pick_peak (const struct summary *s, const struct heapshot **last)
{
  const struct heapshots *heapshots = SUMMARY_STATE (s, heapshots);
  const guint index = heap_builder_peak (SUMMARY_STATE (s, heap_builder));
  const struct heapshot *peak = NULL;
  guint after = 0;
  for (guint i = 0; i < heapshots->shots->len; i++) {
    const struct heapshot *shot = g_ptr_array_index (heapshots->shots, i);
    if (shot->state != HEAPSHOT_COMPLETE)
      continue;
    *last = shot;
    after += peak != NULL;
    if (shot->index == index)
      peak = shot;
  }
  /* A heap with more objects and fewer bytes lost large garbage, such as the old arrays of a list.
   */
  const bool is_end = peak != NULL && after <= LEAK_SHOTS_AT_END && (*last)->objects < peak->objects
                      && ((*last)->objects < peak->objects / 2 || (*last)->bytes < peak->bytes / 2);
  return is_end ? peak : NULL;
}

/* ---- growth in the tree ---- */

/* Were there nearly as many, before it grew, as there are now? */
static bool
comes_and_goes (const struct leak_search *s, const struct heap_series *series)
{
  const guint last = s->growth->n_shots - 1;
  for (guint i = 0; i < series->since; i++)
    if (series->shots[i].objects + CROWD > series->shots[last].objects)
      return true;
  return false;
}

static void
find_growing_classes (struct leak_search *s)
{
  s->series = g_new0 (const struct heap_series *, s->g->n_classes + 1);
  s->parts = g_new0 (double, s->g->n_classes + 1);
  s->usual = g_new0 (double, s->g->n_classes + 1);
  for (uint32_t i = 0; i < s->g->n_classes; i++) {
    const struct heap_class *klass = &s->g->class_list[i];
    const struct heap_series *series = heap_growth_find (s->growth, klass->name, klass->image);
    if (series == NULL || series->since == HEAP_NOT_GROWING
        || (s->before_end && comes_and_goes (s, series)))
      continue;
    const struct type_sum *now = &series->shots[s->growth->n_shots - 1];
    const struct type_sum *before = &series->shots[series->since];
    const double came = (double) (now->objects - before->objects);
    s->series[i] = series;
    s->parts[i] = came / (double) now->objects;
    s->usual[i] = now->bytes > before->bytes ? (double) (now->bytes - before->bytes) / came : 0;
  }
}

/* Objects in the order of the tree, parents first (transfer full); `n_reached` of them. */
static uint32_t *
order_tree (const struct leak_search *s)
{
  const uint32_t n = s->g->n_objects;
  uint32_t *order = g_new (uint32_t, s->d->n_reached + 1);
  uint32_t length = 0;
  for (uint32_t i = s->tree.first[n]; i < s->tree.first[n + 1]; i++)
    order[length++] = s->tree.children[i];
  for (uint32_t next = 0; next < length; next++)
    for (uint32_t i = s->tree.first[order[next]]; i < s->tree.first[order[next] + 1]; i++)
      order[length++] = s->tree.children[i];
  return order;
}

/* By object: how many of its class it dominates, with itself (transfer full). */
static uint32_t *
count_own_classes (const struct leak_search *s)
{
  const uint32_t n = s->g->n_objects;
  const uint64_t leave = UINT64_C (1) << 32; /* an object all of whose children were seen */
  uint32_t *own = g_new0 (uint32_t, n + 1);
  uint32_t *seen = g_new0 (uint32_t, s->g->n_classes + 1);
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  for (uint64_t item = n | leave;;) {
    const uint32_t object = (uint32_t) item;
    if (object != n && (item & leave) != 0) {
      own[object] = seen[s->g->classes[object]] - own[object];
    } else {
      if (object != n) {
        const uint64_t again = item | leave;
        own[object] = seen[s->g->classes[object]]++;
        g_array_append_val (stack, again);
      }
      for (uint32_t i = s->tree.first[object]; i < s->tree.first[object + 1]; i++) {
        const uint64_t child = s->tree.children[i];
        g_array_append_val (stack, child);
      }
    }
    if (stack->len == 0)
      break;
    item = g_array_index (stack, uint64_t, stack->len - 1);
    g_array_set_size (stack, stack->len - 1);
  }
  g_array_unref (stack);
  g_free (seen);
  return own;
}

/* Objects of a class right below one object. */
struct crowd {
  uint64_t objects; /* with those of the class below them */
  uint64_t tops;
  uint64_t retained;
};

/* Objects of growing classes right below one that is no growth (or the roots, in its place) are
 * growth if they are many and alike: one that is alone, or by far larger, was not added to a
 * collection.  `crowds`, by class, is clear, and is left so. */
static void
find_crowds (const struct leak_search *s, uint32_t above, const uint32_t *own, struct crowd *crowds)
{
  const uint32_t *child = &s->tree.children[s->tree.first[above]];
  const uint32_t n = s->tree.first[above + 1] - s->tree.first[above];
  for (uint32_t i = 0; i < n; i++) {
    struct crowd *c = &crowds[s->g->classes[child[i]]];
    c->objects += own[child[i]];
    c->tops++;
    c->retained += s->d->retained[child[i]];
  }
  for (uint32_t i = 0; i < n; i++) {
    const struct crowd *c = &crowds[s->g->classes[child[i]]];
    const bool is_alike
        = (double) s->d->retained[child[i]] * (double) c->tops <= CROWD * (double) c->retained;
    if (own[child[i]] >= CROWD || (c->objects >= CROWD && is_alike))
      s->part[child[i]] = s->parts[s->g->classes[child[i]]];
  }
  for (uint32_t i = 0; i < n; i++)
    crowds[s->g->classes[child[i]]] = (struct crowd){ 0 };
}

/* All that an object of growth retains has grown with it. */
static void
find_parts (struct leak_search *s, const uint32_t *order)
{
  uint32_t *own = count_own_classes (s);
  struct crowd *crowds = g_new0 (struct crowd, s->g->n_classes + 1);
  s->part = g_new0 (double, s->g->n_objects + 1);
  find_crowds (s, s->g->n_objects, own, crowds);
  for (uint32_t i = 0; i < s->d->n_reached; i++) {
    const uint32_t object = order[i];
    if (s->part[object] == 0)
      find_crowds (s, object, own, crowds);
    else
      for (uint32_t c = s->tree.first[object]; c < s->tree.first[object + 1]; c++)
        s->part[s->tree.children[c]] = s->part[object];
  }
  g_free (crowds);
  g_free (own);
}

/* An object that is alone may still be one that came, but no larger than those were. */
static double
own_growth (const struct leak_search *s, uint32_t object)
{
  const uint32_t klass = s->g->classes[object];
  const double bytes = (double) s->g->bytes[object];
  return s->part[object] > 0 ? s->part[object] * bytes
                             : s->parts[klass] * MIN (bytes, s->usual[klass]);
}

static void
add_growth_up (struct leak_search *s)
{
  uint32_t *order = order_tree (s);
  find_parts (s, order);
  s->grown = g_new0 (double, s->g->n_objects + 1);
  for (uint32_t i = s->d->n_reached; i-- > 0;) {
    const uint32_t object = order[i], above = s->d->dominators[object];
    s->grown[object] += own_growth (s, object);
    if (above != HEAP_ROOTS)
      s->grown[above] += s->grown[object];
  }
  g_free (order);
}

/* ---- one suspect ---- */

static bool
is_growing (const struct leak_search *s, uint32_t object)
{
  return s->series[s->g->classes[object]] != NULL && s->part[object] > 0;
}

/* The object right below one that has nearly all of its growth; HEAP_NONE if there is none. */
static uint32_t
go_down (const struct leak_search *s, uint32_t object)
{
  for (uint32_t i = s->tree.first[object]; i < s->tree.first[object + 1]; i++)
    if (s->grown[s->tree.children[i]] >= MOST * s->grown[object])
      return s->tree.children[i];
  return HEAP_NONE;
}

static uint32_t
count_growing_below (const struct leak_search *s, uint32_t object)
{
  uint32_t n = 0;
  for (uint32_t i = s->tree.first[object]; i < s->tree.first[object + 1]; i++)
    n += is_growing (s, s->tree.children[i]);
  return n;
}

/* A list is a way down of growing objects with a few below each: then the holder of the first. */
static uint32_t
find_holder (const struct leak_search *s, uint32_t top)
{
  uint32_t holder = top, most = 0;
  bool in_growing = false;
  for (uint32_t at = top; at != HEAP_NONE; at = go_down (s, at)) {
    const uint32_t n = count_growing_below (s, at);
    in_growing |= is_growing (s, at);
    if (n > most && (!in_growing || n >= 2 * most + 16)) {
      holder = at;
      most = n;
    }
  }
  return holder;
}

static void
find_way (const struct leak_search *s, struct leak *leak, uint32_t object)
{
  leak->way = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  while (s->paths.parents[object] != HEAP_PATH_ROOT) {
    g_array_prepend_val (leak->way, object);
    object = s->paths.parents[object];
  }
  g_array_prepend_val (leak->way, object);
  leak->root = s->paths.through[object];
}

static gint
compare_classes (gconstpointer a, gconstpointer b)
{
  const struct leak_class *x = a, *y = b;
  if (x->retained != y->retained)
    return x->retained < y->retained ? 1 : -1;
  return (x->klass > y->klass) - (x->klass < y->klass);
}

/* Growing classes below these objects of the tree, or among them. */
static void
add_up_classes (const struct leak_search *s, struct leak *leak, const uint32_t *tops,
                uint32_t n_tops)
{
  struct leak_class *classes = g_new0 (struct leak_class, s->g->n_classes + 1);
  uint32_t *open = g_new0 (uint32_t, s->g->n_classes + 1);
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  const uint64_t leave = UINT64_C (1) << 32; /* an object all of whose children were seen */
  for (uint32_t i = 0; i < n_tops; i++) {
    const uint64_t top = tops[i];
    g_array_append_val (stack, top);
  }
  while (stack->len > 0) {
    const uint64_t item = g_array_index (stack, uint64_t, stack->len - 1);
    const uint32_t object = (uint32_t) item, klass = s->g->classes[object];
    g_array_set_size (stack, stack->len - 1);
    if ((item & leave) != 0) {
      open[klass]--;
      continue;
    }
    if (open[klass]++ == 0)
      classes[klass].retained += s->d->retained[object];
    if (classes[klass].objects++ == 0)
      classes[klass].example = object;
    const uint64_t again = item | leave;
    g_array_append_val (stack, again);
    for (uint32_t i = s->tree.first[object]; i < s->tree.first[object + 1]; i++) {
      const uint64_t child = s->tree.children[i];
      g_array_append_val (stack, child);
    }
  }
  leak->classes = g_array_new (FALSE, FALSE, sizeof (struct leak_class));
  for (uint32_t i = 0; i < s->g->n_classes; i++)
    if (s->series[i] != NULL && classes[i].objects > 0) {
      classes[i].klass = i;
      classes[i].series = s->series[i];
      g_array_append_val (leak->classes, classes[i]);
    }
  g_array_sort (leak->classes, compare_classes);
  g_array_unref (stack);
  g_free (open);
  g_free (classes);
}

/* ---- suspects ---- */

static void
suspect_one (struct leak_search *s, uint32_t top)
{
  struct leak *leak = g_new0 (struct leak, 1);
  leak->holder = find_holder (s, top);
  leak->bytes = s->d->retained[leak->holder];
  leak->grown = whole_number (s->grown[leak->holder] + 0.5);
  find_way (s, leak, leak->holder);
  add_up_classes (s, leak, &leak->holder, 1);
  g_ptr_array_add (s->found, leak);
}

/* Is there enough growth below an object, which is none itself, for a suspect? */
static bool
is_branch (const struct leak_search *s, uint32_t object)
{
  return s->part[object] == 0 && s->grown[object] >= s->least;
}

/* The objects that accumulate right below one, besides its branches. */
static void
suspect_rest (struct leak_search *s, uint32_t object, double grown)
{
  struct leak *leak = g_new0 (struct leak, 1);
  GArray *tops = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t i = s->tree.first[object]; i < s->tree.first[object + 1]; i++)
    if (!is_branch (s, s->tree.children[i]))
      g_array_append_val (tops, s->tree.children[i]);
  leak->holder = object;
  leak->bytes = s->d->retained[object];
  leak->grown = whole_number (grown + 0.5);
  find_way (s, leak, object);
  add_up_classes (s, leak, (const uint32_t *) (void *) tops->data, tops->len);
  g_ptr_array_add (s->found, leak);
  leak->rest = tops;
}

/* Goes down into each branch.  Where ways part, all have a suspect's share: so few are open. */
static void
suspect_below (struct leak_search *s, uint32_t top)
{
  uint32_t branches = 1;
  for (uint32_t at = top, next; branches == 1; at = next) {
    double rest = s->grown[at];
    branches = 0;
    next = at;
    for (uint32_t i = s->tree.first[at]; i < s->tree.first[at + 1]; i++)
      if (is_branch (s, s->tree.children[i])) {
        next = s->tree.children[i];
        rest -= s->grown[next];
        branches++;
      }
    if (branches == 0)
      suspect_one (s, at);
    else if (rest >= s->least)
      suspect_rest (s, at, rest);
    for (uint32_t i = s->tree.first[at]; branches > 1 && i < s->tree.first[at + 1]; i++)
      if (is_branch (s, s->tree.children[i]))
        suspect_below (s, s->tree.children[i]);
  }
}

/* The object that most of these are held by on shortest ways; HEAP_NONE if it is not one. */
static uint32_t
find_common_parent (const struct leak_search *s, const GArray *tops)
{
  uint32_t candidate = HEAP_NONE, votes = 0, n = 0;
  for (guint i = 0; i < tops->len; i++) {
    const uint32_t parent = s->paths.parents[g_array_index (tops, uint32_t, i)];
    if (votes == 0)
      candidate = parent;
    if (parent == candidate)
      votes++;
    else
      votes--;
  }
  for (guint i = 0; i < tops->len; i++)
    n += s->paths.parents[g_array_index (tops, uint32_t, i)] == candidate;
  return n * 2 > tops->len && candidate < s->g->n_objects ? candidate : HEAP_NONE;
}

/* Objects of one class that nothing dominates by itself: several things refer to each, or roots. */
static void
suspect_group (struct leak_search *s, GArray *tops, double grown)
{
  struct leak *leak = g_new0 (struct leak, 1);
  leak->tops = g_array_ref (tops);
  leak->holder = find_common_parent (s, tops);
  leak->grown = whole_number (grown + 0.5);
  for (guint i = 0; i < tops->len; i++)
    leak->bytes += s->d->retained[g_array_index (tops, uint32_t, i)];
  find_way (s, leak, leak->holder != HEAP_NONE ? leak->holder : g_array_index (tops, uint32_t, 0));
  add_up_classes (s, leak, (const uint32_t *) (void *) tops->data, tops->len);
  g_ptr_array_add (s->found, leak);
}

/* Those right below the roots that are no suspects by themselves, class by class. */
static void
find_groups (struct leak_search *s)
{
  const uint32_t n = s->g->n_objects;
  double *sums = g_new0 (double, s->g->n_classes + 1);
  for (uint32_t i = s->tree.first[n]; i < s->tree.first[n + 1]; i++) {
    const uint32_t top = s->tree.children[i];
    if (s->grown[top] < s->least && s->series[s->g->classes[top]] != NULL)
      sums[s->g->classes[top]] += s->grown[top];
  }
  for (uint32_t klass = 0; klass < s->g->n_classes; klass++) {
    if (sums[klass] == 0 || sums[klass] < s->least)
      continue;
    GArray *tops = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    for (uint32_t i = s->tree.first[n]; i < s->tree.first[n + 1]; i++) {
      const uint32_t top = s->tree.children[i];
      if (s->g->classes[top] == klass && s->grown[top] < s->least)
        g_array_append_val (tops, top);
    }
    suspect_group (s, tops, sums[klass]);
    g_array_unref (tops);
  }
  g_free (sums);
}

static gint
compare_leaks (gconstpointer a, gconstpointer b)
{
  const struct leak *x = *(const struct leak *const *) a, *y = *(const struct leak *const *) b;
  if (x->grown != y->grown)
    return x->grown < y->grown ? 1 : -1;
  return (x->holder > y->holder) - (x->holder < y->holder);
}

void
heap_leaks_init (struct heap_leaks *leaks, const struct heap_graph *g,
                 const struct heap_dominators *d, const struct heap_growth *growth, bool before_end)
{
  struct leak_search s = { .g = g,
                           .d = d,
                           .growth = growth,
                           .before_end = before_end,
                           .least = LEAK_SHARE * (double) d->reached_bytes,
                           .found = g_ptr_array_new_with_free_func (leak_free) };
  leaks->all = s.found;
  if (growth->n_shots < LEAK_SHOTS_MIN || d->n_reached == 0)
    return;
  heap_tree_init (&s.tree, d);
  heap_paths_init (&s.paths, g);
  find_growing_classes (&s);
  add_growth_up (&s);
  const uint32_t n = g->n_objects;
  for (uint32_t i = s.tree.first[n]; i < s.tree.first[n + 1]; i++)
    if (s.grown[s.tree.children[i]] >= s.least)
      suspect_below (&s, s.tree.children[i]);
  find_groups (&s);
  g_ptr_array_sort (s.found, compare_leaks);
  g_free (s.grown);
  g_free (s.part);
  g_free (s.usual);
  g_free (s.parts);
  g_free (s.series);
  heap_paths_clear (&s.paths);
  heap_tree_clear (&s.tree);
}

void
heap_leaks_clear (struct heap_leaks *leaks)
{
  g_ptr_array_unref (leaks->all);
}

GArray *
heap_leaks_objects (const struct leak *leak, const struct heap_tree *tree)
{
  GArray *objects = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  const GArray *tops = leak->tops != NULL ? leak->tops : leak->rest;
  if (tops != NULL)
    g_array_append_vals (objects, tops->data, tops->len);
  else
    g_array_append_val (objects, leak->holder);
  for (guint i = 0; i < objects->len; i++) {
    const uint32_t object = g_array_index (objects, uint32_t, i);
    g_array_append_vals (objects, &tree->children[tree->first[object]],
                         tree->first[object + 1] - tree->first[object]);
  }
  return objects;
}

char *
heap_leaks_unjudged (const struct heap_graph *g, const struct heap_dominators *d,
                     const struct heap_growth *growth)
{
  if (g->state != HEAPSHOT_COMPLETE)
    return g_strdup_printf ("heap snapshot %u is %s", g->index, heapshot_state_name (g->state));
  if (growth->n_shots < LEAK_SHOTS_MIN)
    return g_strdup_printf ("%u complete heap snapshot%s, %d are needed", growth->n_shots,
                            growth->n_shots == 1 ? "" : "s", LEAK_SHOTS_MIN);
  if (heap_growth_span (growth, 0) < HEAP_GROWTH_SPAN)
    return g_strdup_printf ("%u heap snapshots span %.0f ms, and growth is judged over %d",
                            growth->n_shots, (double) heap_growth_span (growth, 0) / 1e6,
                            HEAP_GROWTH_SPAN / 1000000);
  if (g->n_references == 0)
    return g_strdup_printf (
        "heap snapshot %u has no references, so what holds its objects is not known", g->index);
  if (d->n_reached == 0)
    return g_strdup_printf ("no root leads to any object of heap snapshot %u", g->index);
  return NULL;
}
