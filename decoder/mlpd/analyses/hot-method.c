/* hot-method.c -- charges hits to the program's own methods. */
#include "config.h"

#include "decoder/mlpd/analyses/hot-method.h"

#include "decoder/core/library-names.h"
#include "decoder/mlpd/model/recording.h"
#include <string.h>

#define NO_METHOD G_MAXUINT

enum owner { OWNER_LIBRARY, OWNER_PROGRAM, OWNER_RECORDING };

/* For each method whose it is, an enum owner (transfer full). */
static guint8 *
find_owners (const struct symbols *symbols)
{
  const GArray *methods = symbols->all[SYMBOL_METHOD];
  guint8 *owners = g_new0 (guint8, methods->len);
  for (guint i = 0; i < methods->len; i++) {
    const char *const name = g_array_index (methods, struct symbol, i).name;
    if (name != NULL && strcmp (name, RECORDING_NAME) == 0)
      owners[i] = OWNER_RECORDING;
    else if (name != NULL && library_names_is_program (name))
      owners[i] = OWNER_PROGRAM;
  }
  return owners;
}

/* For each node of the tree the node of the program's method that its hits belong to, itself or
 * above; CALL_TREE_ROOT if there is none (transfer full). */
static guint *
find_own_nodes (const struct call_tree *tree, const guint8 *owners)
{
  guint *own = g_new0 (guint, tree->nodes->len);
  for (guint i = 1; i < tree->nodes->len; i++) {
    const struct call_node *node = &g_array_index (tree->nodes, struct call_node, i);
    if (owners[node->method] != OWNER_RECORDING)
      own[i] = owners[node->method] == OWNER_PROGRAM ? i : own[node->parent];
  }
  return own;
}

/* The hits of each node without those of its callees (transfer full). */
static uint64_t *
count_own_hits (const struct call_tree *tree)
{
  uint64_t *hits = g_new0 (uint64_t, tree->nodes->len);
  for (guint i = 1; i < tree->nodes->len; i++) {
    const struct call_node *node = &g_array_index (tree->nodes, struct call_node, i);
    hits[i] += node->calls;
    hits[node->parent] -= node->calls;
  }
  return hits;
}

/* Of methods: the one that has most; those that were announced first go before others. */
static guint
find_most (const uint64_t *hits, guint n)
{
  guint most = NO_METHOD;
  for (guint i = 0; i < n; i++)
    if (hits[i] != 0 && (most == NO_METHOD || hits[i] > hits[most]))
      most = i;
  return most;
}

/* The method of the program that called a node of this method; NO_METHOD: none. */
static guint
caller_of (const struct call_tree *tree, const guint *own, guint node)
{
  const guint method = g_array_index (tree->nodes, struct call_node, node).method;
  do
    node = own[g_array_index (tree->nodes, struct call_node, node).parent];
  while (node != CALL_TREE_ROOT
         && g_array_index (tree->nodes, struct call_node, node).method == method);
  return node != CALL_TREE_ROOT ? g_array_index (tree->nodes, struct call_node, node).method
                                : NO_METHOD;
}

static void
find_caller (struct hot_method *hot, const struct call_tree *tree, const guint *own,
             const uint64_t *own_hits, guint n)
{
  g_autofree uint64_t *hits = g_new0 (uint64_t, n);
  for (guint i = 1; i < tree->nodes->len; i++) {
    if (own[i] == CALL_TREE_ROOT
        || g_array_index (tree->nodes, struct call_node, own[i]).method != hot->method)
      continue;
    const guint caller = caller_of (tree, own, own[i]);
    if (caller != NO_METHOD)
      hits[caller] += own_hits[i];
  }
  hot->caller = find_most (hits, n);
  hot->has_caller = hot->caller != NO_METHOD && hits[hot->caller] > hot->hits / 2;
}

/* By method, of nodes whose owners are these (transfer full). */
static uint64_t *
sum_hits (const struct call_tree *tree, const guint *own, const uint64_t *own_hits, guint n)
{
  uint64_t *hits = g_new0 (uint64_t, n);
  for (guint i = 1; i < tree->nodes->len; i++)
    if (own[i] != CALL_TREE_ROOT)
      hits[g_array_index (tree->nodes, struct call_node, own[i]).method] += own_hits[i];
  return hits;
}

uint64_t *
hot_method_hits (const struct samples *samples, const struct symbols *symbols, uint64_t *others)
{
  const struct call_tree *const tree = &samples->tree;
  const guint n = symbols->all[SYMBOL_METHOD]->len;
  g_autofree guint8 *owners = find_owners (symbols);
  g_autofree guint *own = find_own_nodes (tree, owners);
  g_autofree uint64_t *own_hits = count_own_hits (tree);
  uint64_t *hits = sum_hits (tree, own, own_hits, n);
  *others = samples_own_hits (samples);
  for (guint i = 0; i < n; i++)
    *others -= MIN (*others, hits[i]);
  return hits;
}

bool
hot_method_find (const struct samples *samples, const struct symbols *symbols,
                 struct hot_method *hot)
{
  const struct call_tree *const tree = &samples->tree;
  const guint n = symbols->all[SYMBOL_METHOD]->len;
  g_autofree guint8 *owners = find_owners (symbols);
  g_autofree guint *own = find_own_nodes (tree, owners);
  g_autofree uint64_t *own_hits = count_own_hits (tree);
  g_autofree uint64_t *hits = sum_hits (tree, own, own_hits, n);
  hot->method = find_most (hits, n);
  if (hot->method == NO_METHOD)
    return false;
  hot->hits = hits[hot->method];
  hot->of = samples_own_hits (samples);
  find_caller (hot, tree, own, own_hits, n);
  return true;
}
