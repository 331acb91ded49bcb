/* heap-stacks.c -- walks the tree of dominators. */
#include "config.h"

#include "decoder/cli/heap-stacks.h"
#include "decoder/heap/heap-dominators.h"

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
    w->class_frames[klass]
        = export_stacks_frame (w->stacks, w->graph->class_list[klass].name);
  return w->class_frames[klass];
}

/* The first root of each object names it: "static: static fields of Cache". */
static void
name_roots (struct heap_walk *w)
{
  for (uint32_t i = 0; i < w->graph->n_roots; i++) {
    const struct heap_root *root = &w->graph->roots[i];
    if (root->is_weak || w->root_frames[root->object] != NO_FRAME)
      continue;
    g_autofree char *name = g_strdup_printf ("[%s%s%s]", root->kind,
                                             root->name != NULL ? ": " : "",
                                             root->name != NULL ? root->name : "");
    w->root_frames[root->object] = export_stacks_frame (w->stacks, name);
  }
}

static void
add_object (struct heap_walk *w, uint32_t object, uint32_t dominator)
{
  struct export_stacks *s = w->stacks;
  const uint32_t frame = frame_of_class (w, w->graph->classes[object]);
  uint32_t parent;
  if (dominator == HEAP_ROOTS) {
    const uint32_t root = w->root_frames[object];
    parent = export_stacks_add (
        s, EXPORT_STACKS_ROOT,
        root != NO_FRAME ? root : export_stacks_frame (s, "[several roots]"), 0);
  } else {
    parent = w->places[dominator];
    if (w->graph->classes[dominator] == w->graph->classes[object])
      parent = g_array_index (s->nodes, struct export_node, parent).parent;
  }
  w->places[object] = export_stacks_add (s, parent, frame, w->graph->bytes[object]);
  export_stacks_count (s, w->places[object], 1);
}

/* Each object after its dominator. */
static void
walk (struct heap_walk *w, const struct heap_tree *tree, const struct heap_dominators *dominators)
{
  const uint32_t n = dominators->n_objects;
  GArray *waiting = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_array_append_vals (waiting, tree->children + tree->first[n],
                       tree->first[n + 1] - tree->first[n]);
  while (waiting->len != 0) {
    const uint32_t object = g_array_index (waiting, uint32_t, waiting->len - 1);
    g_array_set_size (waiting, waiting->len - 1);
    add_object (w, object, dominators->dominators[object]);
    g_array_append_vals (waiting, tree->children + tree->first[object],
                         tree->first[object + 1] - tree->first[object]);
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

void
heap_stacks_add (struct export_stacks *s, const struct heap_graph *graph)
{
  struct heap_dominators *dominators = heap_dominators_new (graph);
  struct heap_tree tree;
  struct heap_walk w = { .stacks = s,
                         .graph = graph,
                         .class_frames = no_frames (graph->n_classes),
                         .root_frames = no_frames (graph->n_objects),
                         .places = g_new0 (uint32_t, graph->n_objects) };
  s->unit = "bytes";
  s->counted = "objects";
  s->weighed = "inuse_space";
  name_roots (&w);
  heap_tree_init (&tree, dominators);
  walk (&w, &tree, dominators);
  heap_tree_clear (&tree);
  heap_dominators_free (dominators);
  g_free (w.class_frames);
  g_free (w.root_frames);
  g_free (w.places);
}
