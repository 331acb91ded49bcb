/* live-flame.c -- makes flame graphs of live stacks. */
#include "config.h"

#include "decoder/live/live-flame.h"
#include "decoder/exports/flame-tree.h"

/* A page gets the graph every few seconds: smaller nodes are summed. */
#define SHARE_MIN 5000
#define NODES_MAX 10000

GBytes *
live_flame (struct live_model *model)
{
  GString *json = g_string_new (NULL);
  struct export_stacks stacks;
  struct flame_tree tree;
  export_stacks_init (&stacks);
  live_model_add_stacks (model, &stacks);
  flame_tree_init (&tree, &stacks, SHARE_MIN, NODES_MAX);
  flame_data_put (&tree, json);
  flame_tree_clear (&tree);
  export_stacks_clear (&stacks);
  return g_string_free_to_bytes (json);
}
