/* heap-stacks.c -- walks the tree of dominators. */
#include "config.h"

#include "decoder/stacks/heap-stacks.h"
#include "decoder/heap/heap-fields.h"

#define NO_FRAME UINT32_MAX

struct heap_walk {
  struct export_stacks *stacks;
  const struct heap_graph *graph;
  uint32_t *class_frames; /* by class; NO_FRAME: not yet */
  uint32_t *root_frames;  /* by object; NO_FRAME: no root refers to it */
  uint32_t *places;       /* by object: its node */
};

static uint32_t
frame_of_class (struct heap_walk *w, uint32_t klass)
{
  if (w->class_frames[klass] == NO_FRAME)
    w->class_frames[klass] = export_stacks_frame (w->stacks, w->graph->class_list[klass].name);
  return w->class_frames[klass];
}

/* Of an object below its dominator: with the field that leads to it, if that refers to it. */
static uint32_t
frame_of_object (struct heap_walk *w, uint32_t object, uint32_t dominator)
{
  const struct heap_graph *const g = w->graph;
  const struct heap_class *const klass = &g->class_list[g->classes[object]];
  const char *field = NULL;
  if (dominator < g->n_objects && g->class_list[g->classes[dominator]].fields != NULL
      && !heap_class_is_array (&g->class_list[g->classes[dominator]])) {
    const uint32_t reference = heap_field_find (g, dominator, object);
    field = reference != HEAP_NONE ? heap_field_plain (g, dominator, reference) : NULL;
  }
  if (field == NULL)
    return frame_of_class (w, g->classes[object]);
  g_autofree char *name = g_strdup_printf ("%s: %s", field, klass->name);
  return export_stacks_frame (w->stacks, name);
}

static uint32_t
frame_of_root (const struct heap_walk *w, const struct heap_root *root)
{
  g_autofree char *text = heap_root_text (root);
  g_autofree char *name = g_strdup_printf ("[%s]", text);
  return export_stacks_frame (w->stacks, name);
}

static void
name_roots_of_kind (struct heap_walk *w, bool passing)
{
  for (uint32_t i = 0; i < w->graph->n_roots; i++) {
    const struct heap_root *root = &w->graph->roots[i];
    if (root->is_weak || w->root_frames[root->object] != NO_FRAME
        || heap_root_is_passing (root) != passing)
      continue;
    w->root_frames[root->object] = frame_of_root (w, root);
  }
}

/* The first root of each object names it: "static: static fields of Cache"; one that lasts before
 * stacks. */
static void
name_roots (struct heap_walk *w)
{
  name_roots_of_kind (w, false);
  name_roots_of_kind (w, true);
}

static void
add_object (struct heap_walk *w, uint32_t object, uint32_t dominator)
{
  struct export_stacks *s = w->stacks;
  uint32_t frame = frame_of_object (w, object, dominator), parent;
  if (dominator == HEAP_ROOTS) {
    const uint32_t root = w->root_frames[object];
    parent = export_stacks_add (
        s, EXPORT_STACKS_ROOT, root != NO_FRAME ? root : export_stacks_frame (s, "[several roots]"),
        0);
  } else {
    parent = w->places[dominator];
    if (w->graph->classes[dominator] == w->graph->classes[object]) {
      const struct export_node above = g_array_index (s->nodes, struct export_node, parent);
      frame = above.frame;
      parent = above.parent;
    }
  }
  w->places[object] = export_stacks_add (s, parent, frame, w->graph->bytes[object]);
  export_stacks_count (s, w->places[object], 1);
}

static void
push_children (GArray *waiting, const struct heap_tree *tree, uint32_t object)
{
  g_array_append_vals (waiting, tree->children + tree->first[object],
                       tree->first[object + 1] - tree->first[object]);
}

/* What an object dominates, or the roots (the number of objects), each after its dominator.  Where
 * other walks begin (NULL: nowhere), it ends. */
static void
walk (struct heap_walk *w, const struct heap_tree *tree, const struct heap_dominators *dominators,
      uint32_t from, GHashTable *starts)
{
  GArray *waiting = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  push_children (waiting, tree, from);
  while (waiting->len != 0) {
    const uint32_t object = g_array_index (waiting, uint32_t, waiting->len - 1);
    g_array_set_size (waiting, waiting->len - 1);
    if (starts != NULL && g_hash_table_contains (starts, GUINT_TO_POINTER (object)))
      continue;
    add_object (w, object, dominators->dominators[object]);
    push_children (waiting, tree, object);
  }
  g_array_unref (waiting);
}

static uint32_t *
no_frames (uint32_t n)
{
  uint32_t *frames = g_new (uint32_t, n);
  for (uint32_t i = 0; i < n; i++)
    frames[i] = NO_FRAME;
  return frames;
}

static void
begin_walk (struct heap_walk *w, struct export_stacks *s, const struct heap_graph *graph)
{
  *w = (struct heap_walk){ .stacks = s,
                           .graph = graph,
                           .class_frames = no_frames (graph->n_classes),
                           .root_frames = no_frames (graph->n_objects),
                           .places = g_new0 (uint32_t, graph->n_objects) };
  s->unit = "bytes";
  s->counted = "objects";
  s->weighed = "inuse_space";
}

static void
end_walk (struct heap_walk *w)
{
  g_free (w->class_frames);
  g_free (w->root_frames);
  g_free (w->places);
}

void
heap_stacks_add (struct export_stacks *s, const struct heap_graph *graph)
{
  struct heap_dominators *dominators = heap_dominators_new (graph);
  struct heap_tree tree;
  struct heap_walk w;
  begin_walk (&w, s, graph);
  name_roots (&w);
  heap_tree_init (&tree, dominators);
  walk (&w, &tree, dominators, dominators->n_objects, NULL);
  heap_tree_clear (&tree);
  heap_dominators_free (dominators);
  end_walk (&w);
}

/* ---- leaks ---- */

struct leak_walk {
  struct heap_walk walk;
  const struct shot_leaks *found;
  struct heap_tree tree;
  GHashTable *starts; /* the objects that leaks begin with */
};

/* An object, in a node of its own below another, and what it dominates. */
static void
add_retained (struct leak_walk *w, uint32_t object, uint32_t parent)
{
  struct heap_walk *const walked = &w->walk;
  const uint32_t frame = frame_of_class (walked, walked->graph->classes[object]);
  walked->places[object]
      = export_stacks_add (walked->stacks, parent, frame, walked->graph->bytes[object]);
  export_stacks_count (walked->stacks, walked->places[object], 1);
  walk (walked, &w->tree, w->found->dominators, object, w->starts);
}

/* From the root by the classes of the way to the holder, or where there is none to the objects. */
static void
add_leak (struct leak_walk *w, const struct leak *leak)
{
  const struct heap_walk *const walked = &w->walk;
  const guint n = leak->way->len - (leak->tops == NULL || leak->holder == HEAP_NONE);
  uint32_t place = export_stacks_add (walked->stacks, EXPORT_STACKS_ROOT,
                                      frame_of_root (walked, &walked->graph->roots[leak->root]), 0);
  for (guint i = 0; i < n; i++) {
    const uint32_t klass = walked->graph->classes[g_array_index (leak->way, uint32_t, i)];
    place = export_stacks_add (walked->stacks, place, frame_of_class (&w->walk, klass), 0);
  }
  if (leak->tops == NULL)
    add_retained (w, leak->holder, place);
  else
    for (guint i = 0; i < leak->tops->len; i++)
      add_retained (w, g_array_index (leak->tops, uint32_t, i), place);
}

/* Where one leak is within another, its bytes are in its own stacks alone. */
static void
add_starts (GHashTable *starts, const struct leak *leak)
{
  if (leak->tops == NULL)
    g_hash_table_add (starts, GUINT_TO_POINTER (leak->holder));
  else
    for (guint i = 0; i < leak->tops->len; i++)
      g_hash_table_add (starts, GUINT_TO_POINTER (g_array_index (leak->tops, uint32_t, i)));
}

void
heap_stacks_add_leaks (struct export_stacks *s, const struct shot_leaks *found)
{
  const GPtrArray *leaks = found->leaks.all;
  struct leak_walk w = { .found = found, .starts = g_hash_table_new (NULL, NULL) };
  begin_walk (&w.walk, s, found->graph);
  heap_tree_init (&w.tree, found->dominators);
  for (guint i = 0; i < leaks->len; i++)
    add_starts (w.starts, g_ptr_array_index (leaks, i));
  for (guint i = 0; i < leaks->len; i++)
    add_leak (&w, g_ptr_array_index (leaks, i));
  heap_tree_clear (&w.tree);
  g_hash_table_destroy (w.starts);
  end_walk (&w.walk);
}
