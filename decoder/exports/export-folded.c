/* export-folded.c -- a line for each stack: its frames, the outermost first, and its weight.  In a
 * comparison the weight of the earlier log stands before it, as flamegraph.pl reads them. */
#include "config.h"

#include "decoder/exports/export.h"

static void
write_folded (const struct export_stacks *stacks, struct export_out *out)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (guint i = 1; i < stacks->nodes->len && !out->failed; i++) {
    const struct export_node *node = &g_array_index (stacks->nodes, struct export_node, i);
    if (node->weight == 0 && node->before == 0)
      continue;
    export_stacks_path (stacks, i, frames);
    export_stacks_fold (stacks, frames, out->bytes);
    if (stacks->is_comparison)
      g_string_append_printf (out->bytes, " %" G_GUINT64_FORMAT, node->before);
    g_string_append_printf (out->bytes, " %" G_GUINT64_FORMAT "\n", node->weight);
    export_flush_much (out);
  }
  export_flush (out);
  g_array_unref (frames);
}

const struct export_format export_folded
    = { "folded", "stacks, one a line: flamegraph.pl, speedscope", .write_stacks = write_folded };
