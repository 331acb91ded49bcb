/* page-flames.c -- stacks of costs that a timeline has without them.
 *
 * The page does not grow with the log: small nodes are summed, and a graph whose names are too long
 * is left out.
 */
#include "config.h"

#include "decoder/report/page-flames.h"
#include "decoder/stacks/log-stacks.h"
#include "decoder/exports/flame-tree.h"
#include "decoder/views/page-json.h"

#define SHARE_MIN 5000
#define NODES_MAX 4000
#define BYTES_MAX 500000

/* A log without backtraces has one frame for each type. */
static bool
has_stacks (const struct export_stacks *stacks)
{
  for (guint i = 1; i < stacks->nodes->len; i++)
    if (g_array_index (stacks->nodes, struct export_node, i).parent != EXPORT_STACKS_ROOT)
      return true;
  return false;
}

static void
put_graph (GString *json, const struct export_stacks *stacks, const char *title)
{
  struct flame_tree tree;
  g_autoptr (GString) data = g_string_new (NULL);
  flame_tree_init (&tree, stacks, SHARE_MIN, NODES_MAX);
  flame_data_put (&tree, data);
  flame_tree_clear (&tree);
  if (data->len > BYTES_MAX)
    return;
  page_json_open (json, '{');
  page_json_key (json, "title");
  page_json_text (json, title);
  page_json_key (json, "data");
  g_string_append_len (json, data->str, (gssize) data->len);
  g_string_append_c (json, '}');
}

char *
page_flames (const struct summary *s)
{
  static const enum stacks_cost costs[] = { STACKS_ALLOC, STACKS_LOCK, STACKS_EXCEPTION };
  GString *json = g_string_new ("[");
  for (guint i = 0; i < G_N_ELEMENTS (costs); i++) {
    struct export_stacks stacks;
    export_stacks_init (&stacks);
    mono_stacks_add (&stacks, s, costs[i]);
    if (stacks.total != 0 && has_stacks (&stacks))
      put_graph (json, &stacks, log_stacks_title (costs[i]));
    export_stacks_clear (&stacks);
  }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}
