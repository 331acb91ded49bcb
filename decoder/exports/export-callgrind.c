/* export-callgrind.c -- costs of functions and of their calls, as callgrind writes them.
 *
 * A function has its own cost, and for each callee the cost of that with its own callees.  Of a
 * call that is within the same call, only the outer one counts.  The number of calls is not known;
 * it is that of different stacks.
 */
#include "config.h"

#include "decoder/exports/export.h"
#include "decoder/output/emitter-values.h"

/* All calls of a function by another one. */
struct edge {
  uint32_t caller, callee;
  uint64_t stacks;
  uint64_t cost;
};

struct profile {
  const struct export_stacks *stacks;
  uint64_t *own;   /* by frame */
  uint64_t *whole; /* by node: with those below */
  GArray *edges;   /* of struct edge */
  bool *has_name;  /* by frame: the name was written */
};

static const struct export_node *
node_at (const struct profile *p, uint32_t node)
{
  return &g_array_index (p->stacks->nodes, struct export_node, node);
}

/* ---- costs ---- */

static void
add_costs (struct profile *p)
{
  for (guint i = p->stacks->nodes->len; i-- > EXPORT_STACKS_ROOT + 1;) {
    const struct export_node *node = node_at (p, i);
    p->own[node->frame] += node->weight;
    p->whole[i] += node->weight;
    p->whole[node->parent] += p->whole[i];
  }
}

/* Is the call of this node within the same call? */
static bool
is_nested (const struct profile *p, const struct export_node *node)
{
  const uint32_t callee = node->frame, caller = node_at (p, node->parent)->frame;
  for (node = node_at (p, node->parent); node->parent != EXPORT_STACKS_ROOT;
       node = node_at (p, node->parent))
    if (node->frame == callee && node_at (p, node->parent)->frame == caller)
      return true;
  return false;
}

static void
add_edges (struct profile *p)
{
  GHashTable *places
      = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL); /* both -> place + 1 */
  for (guint i = EXPORT_STACKS_ROOT + 1; i < p->stacks->nodes->len; i++) {
    const struct export_node *node = node_at (p, i);
    if (node->parent == EXPORT_STACKS_ROOT || p->whole[i] == 0)
      continue;
    const uint32_t caller = node_at (p, node->parent)->frame;
    const uint64_t key = (uint64_t) caller << 32 | node->frame;
    guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, &key));
    if (place == 0) {
      const struct edge edge = { .caller = caller, .callee = node->frame };
      g_array_append_val (p->edges, edge);
      place = p->edges->len;
      g_hash_table_insert (places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (place));
    }
    struct edge *edge = &g_array_index (p->edges, struct edge, place - 1);
    edge->stacks++;
    if (!is_nested (p, node))
      edge->cost += p->whole[i];
  }
  g_hash_table_unref (places);
}

static gint
compare_edges (gconstpointer a, gconstpointer b)
{
  const struct edge *x = a, *y = b;
  if (x->caller != y->caller)
    return x->caller < y->caller ? -1 : 1;
  return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* ---- the file ---- */

/* A line has one name. */
static void
put_name (GString *to, const char *name)
{
  g_autofree char *printable = emitter_printable (name);
  g_string_append (to, printable);
}

/* "fn=(1) name", and later "fn=(1)". */
static void
put_function (struct profile *p, GString *to, const char *key, uint32_t frame)
{
  g_string_append_printf (to, "%s=(%u)", key, frame + 1);
  if (!p->has_name[frame]) {
    g_string_append_c (to, ' ');
    put_name (to, g_ptr_array_index (p->stacks->frames, frame));
  }
  p->has_name[frame] = true;
  g_string_append_c (to, '\n');
}

static void
put_head (const struct export_stacks *stacks, GString *to)
{
  g_string_append (to, "# callgrind format\nversion: 1\ncreator: proflog " PACKAGE_VERSION "\n");
  if (stacks->title != NULL) {
    g_string_append (to, "cmd: ");
    put_name (to, stacks->title);
    g_string_append_c (to, '\n');
  }
  g_autofree char *event = g_strdup (stacks->unit);
  event[0] = g_ascii_toupper (event[0]);
  g_string_append_printf (
      to, "\npositions: line\nevent: %s : %s\nevents: %s\nsummary: %" G_GUINT64_FORMAT "\n\n",
      event, stacks->cost, event, stacks->total);
}

static void
put_functions (struct profile *p, struct export_out *out)
{
  guint next = 0;
  g_string_append (out->bytes, "fl=(1) unknown\n");
  for (uint32_t frame = 0; frame < p->stacks->frames->len && !out->failed; frame++) {
    put_function (p, out->bytes, "fn", frame);
    g_string_append_printf (out->bytes, "0 %" G_GUINT64_FORMAT "\n", p->own[frame]);
    for (; next < p->edges->len; next++) {
      const struct edge *edge = &g_array_index (p->edges, struct edge, next);
      if (edge->caller != frame)
        break;
      put_function (p, out->bytes, "cfn", edge->callee);
      g_string_append_printf (out->bytes,
                              "calls=%" G_GUINT64_FORMAT " 0\n0 %" G_GUINT64_FORMAT "\n",
                              edge->stacks, edge->cost);
      export_flush_much (out);
    }
    g_string_append_c (out->bytes, '\n');
  }
  g_string_append_printf (out->bytes, "totals: %" G_GUINT64_FORMAT "\n", p->stacks->total);
}

static void
write_callgrind (const struct export_stacks *stacks, struct export_out *out)
{
  struct profile p = { .stacks = stacks,
                       .own = g_new0 (uint64_t, stacks->frames->len),
                       .whole = g_new0 (uint64_t, stacks->nodes->len),
                       .edges = g_array_new (FALSE, FALSE, sizeof (struct edge)),
                       .has_name = g_new0 (bool, stacks->frames->len) };
  add_costs (&p);
  add_edges (&p);
  g_array_sort (p.edges, compare_edges);
  put_head (stacks, out->bytes);
  put_functions (&p, out);
  export_flush (out);
  g_free (p.own);
  g_free (p.whole);
  g_array_unref (p.edges);
  g_free (p.has_name);
}

const struct export_format export_callgrind
    = { "callgrind", "costs of functions and calls: KCachegrind, callgrind_annotate",
        .write_stacks = write_callgrind };
