/* live-flame.c -- makes flame graphs of live stacks. */
#include "config.h"

#include "decoder/cli/live-flame.h"
#include "decoder/cli/mono-stacks.h"
#include "decoder/exports/flame-data.h"

/* A page gets the graph every few seconds: smaller nodes are summed. */
#define SHARE_MIN 5000
#define NODES_MAX 10000

static bool
collect (void *data, const GString *bytes)
{
  g_string_append_len (data, bytes->str, (gssize) bytes->len);
  return true;
}

GBytes *
live_flame (const struct live_model *model)
{
  GString *json = g_string_new (NULL);
  struct export_out out = { .bytes = g_string_new (NULL), .put = collect, .data = json };
  struct export_stacks stacks;
  struct flame_tree tree;
  export_stacks_init (&stacks);
  mono_stacks_add_live (&stacks, live_model_stacks (model), live_model_symbols (model));
  flame_tree_init (&tree, &stacks, SHARE_MIN, NODES_MAX);
  flame_data_append (&tree, &out);
  export_flush (&out);
  flame_tree_clear (&tree);
  export_stacks_clear (&stacks);
  g_string_free (out.bytes, TRUE);
  return g_string_free_to_bytes (json);
}
