/* log-suspects.c -- reads a log again: for the graph of its last heap snapshot, and for the
 * allocations of the objects of suspects. */
#include "config.h"

#include "decoder/command/cli.h"
#include "decoder/log/log-passes.h"
#include "decoder/log/log-summary.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/query/leaks.h"
#include "decoder/views/heap/heap-views.h"
#include <string.h>

/* ---- where objects of suspects were allocated ---- */

/* A class may be allocated in many places, so a log is read again, and the objects of each suspect
 * are followed from their allocations to the heap snapshot that has them. */

struct site_search {
  struct survival survival;
  guint shot;          /* the snapshot that has the objects */
  GHashTable *objects; /* uint64_t address -> suspect, or class, + 1 */
  GPtrArray *counts;   /* by these: GHashTable of backtrace -> count */
};

/* Is the class allocated in several places? */
static bool
has_several_sites (const struct summary *s, const char *name)
{
  guint sites = 0;
  for (guint i = 0; i < s->allocation_traces.classes.all->len; i++) {
    const struct trace_sum *sum
        = &g_array_index (s->allocation_traces.classes.all, struct trace_sum, i);
    sites += g_strcmp0 (g_array_index (s->symbols.all[SYMBOL_CLASS], struct symbol, sum->key).name,
                        name)
             == 0;
  }
  return sites > 1;
}

/* The leak's objects of a class, in the tree of dominators. */
static void
add_objects (struct site_search *search, const struct shot_leaks *leaks,
             const struct heap_tree *tree, const struct leak *leak, uint32_t klass, guint suspect)
{
  const struct heap_graph *g = leaks->graph;
  g_autoptr (GArray) objects = heap_leaks_objects (leak, tree);
  for (guint i = 0; i < objects->len; i++) {
    const uint32_t object = g_array_index (objects, uint32_t, i);
    if (g->classes[object] == klass)
      g_hash_table_insert (search->objects, &g->addresses[object], GUINT_TO_POINTER (suspect + 1));
  }
}

static void
count_object (void *data, guint shot, uint64_t object, guint row)
{
  struct site_search *s = data;
  const guint suspect
      = shot == s->shot ? GPOINTER_TO_UINT (g_hash_table_lookup (s->objects, &object)) : 0;
  if (suspect == 0)
    return;
  GHashTable *counts = g_ptr_array_index (s->counts, suspect - 1);
  const guint trace = g_array_index (s->survival.rows, struct survival_row, row).trace;
  gpointer key = GUINT_TO_POINTER (trace);
  g_hash_table_insert (counts, key,
                       GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, key)) + 1));
  g_hash_table_remove (s->objects, &object);
}

static struct leak_site
find_most (GHashTable *counts)
{
  struct leak_site site = { .trace = TRACE_NONE };
  GHashTableIter i;
  gpointer key, value;
  g_hash_table_iter_init (&i, counts);
  while (g_hash_table_iter_next (&i, &key, &value)) {
    const guint trace = GPOINTER_TO_UINT (key), count = GPOINTER_TO_UINT (value);
    site.known += count;
    if (trace != TRACE_NONE
        && (count > site.count || (count == site.count && trace < site.trace))) {
      site.count = count;
      site.trace = trace;
    }
  }
  return site;
}

/* Counts the objects of the search by their backtraces.  False if that is not possible. */
static bool
count_sites (struct log_command *c, const char *path, struct summary *summary,
             struct site_search *search)
{
  struct survival *survival = &search->survival;
  const struct survival_model model = { .symbols = &summary->symbols,
                                        .traces = &summary->traces,
                                        .has_names = true,
                                        .summary = summary,
                                        .in_shot = count_object,
                                        .in_shot_data = search };
  const bool is_known
      = log_survival_read (c, path, &model, survival) == CLI_OK && !survival->is_sampled;
  survival_clear (survival);
  return is_known;
}

static GArray *
read_sites (struct log_command *c, const char *path, struct summary *summary,
            struct site_search *search)
{
  if (!count_sites (c, path, summary, search))
    return NULL;
  GArray *sites = g_array_new (FALSE, FALSE, sizeof (struct leak_site));
  for (guint i = 0; i < search->counts->len; i++) {
    const struct leak_site site = find_most (g_ptr_array_index (search->counts, i));
    g_array_append_val (sites, site);
  }
  return sites;
}

/* Can the log be read again, as a whole? */
static bool
is_readable_again (const struct log_command *c, const char *path, const struct summary *summary)
{
  return strcmp (path, "-") != 0 && summary->log.damages == 0
         && !selection_is_partial (&c->selection);
}

static void
append_sites (GArray *sites, guint klass, GHashTable *counts)
{
  GHashTableIter i;
  gpointer key, value;
  g_hash_table_iter_init (&i, counts);
  while (g_hash_table_iter_next (&i, &key, &value)) {
    const struct object_sites found
        = { .klass = klass, .trace = GPOINTER_TO_UINT (key), .count = GPOINTER_TO_UINT (value) };
    if (found.trace != TRACE_NONE)
      g_array_append_val (sites, found);
  }
}

GArray *
log_object_sites (struct log_command *c, const char *path, struct summary *summary,
                  const struct heap_graph *graph)
{
  if (!is_readable_again (c, path, summary))
    return NULL;
  struct site_search search
      = { .shot = graph->index,
          .objects = g_hash_table_new (g_int64_hash, g_int64_equal),
          .counts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref) };
  for (uint32_t i = 0; i < graph->n_classes; i++)
    g_ptr_array_add (search.counts, g_hash_table_new (NULL, NULL));
  for (uint32_t i = 0; i < graph->n_objects; i++)
    g_hash_table_insert (search.objects, &graph->addresses[i],
                         GUINT_TO_POINTER (graph->classes[i] + 1));
  GArray *sites = count_sites (c, path, summary, &search)
                      ? g_array_new (FALSE, FALSE, sizeof (struct object_sites))
                      : NULL;
  for (uint32_t i = 0; i < graph->n_classes && sites != NULL; i++)
    append_sites (sites, i, g_ptr_array_index (search.counts, i));
  g_hash_table_destroy (search.objects);
  g_ptr_array_unref (search.counts);
  return sites;
}

GArray *
log_leak_sites (struct log_command *c, const char *path, struct summary *summary,
                const struct shot_leaks *leaks)
{
  if (!is_readable_again (c, path, summary))
    return NULL;
  struct site_search search
      = { .shot = leaks->graph->index,
          .objects = g_hash_table_new (g_int64_hash, g_int64_equal),
          .counts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref) };
  GPtrArray *suspects = leak_suspects_new (&leaks->leaks, leaks->graph);
  struct heap_tree tree;
  bool is_needed = false;
  heap_tree_init (&tree, leaks->dominators);
  for (guint i = 0; i < suspects->len; i++) {
    const struct leak_suspect *suspect = g_ptr_array_index (suspects, i);
    const struct leak_class *own = leak_suspect_own (suspect);
    g_ptr_array_add (search.counts, g_hash_table_new (NULL, NULL));
    if (own == NULL || !has_several_sites (summary, leaks->graph->class_list[own->klass].name))
      continue;
    is_needed = true;
    for (guint k = 0; k < suspect->alike->len; k++)
      add_objects (&search, leaks, &tree, g_ptr_array_index (suspect->alike, k), own->klass, i);
  }
  GArray *sites = is_needed ? read_sites (c, path, summary, &search) : NULL;
  heap_tree_clear (&tree);
  g_ptr_array_unref (suspects);
  g_hash_table_destroy (search.objects);
  g_ptr_array_unref (search.counts);
  return sites;
}

/* ---- suspects ---- */

/* A graph has some hundred bytes an object. */
#define OBJECTS_MAX 2000000

static bool
is_small (const struct summary *s)
{
  const struct heapshots *heapshots = SUMMARY_STATE (s, heapshots);
  for (guint i = 0; i < heapshots->shots->len; i++)
    if (((const struct heapshot *) g_ptr_array_index (heapshots->shots, i))->objects > OBJECTS_MAX)
      return false;
  return true;
}

static void
add_suspects (GHashTable *paths, struct summary *s)
{
  struct shot_leaks found;
  if (!shot_leaks_init (&found, s, 0))
    return;
  GPtrArray *suspects = leak_suspects_new (&found.leaks, found.graph);
  for (guint i = 0; i < suspects->len; i++) {
    const struct leak_suspect *suspect = g_ptr_array_index (suspects, i);
    const struct leak_class *own = leak_suspect_own (suspect);
    const char *name = own != NULL ? found.graph->class_list[own->klass].name : NULL;
    if (name != NULL && !g_hash_table_contains (paths, name))
      g_hash_table_insert (paths, g_strdup (name),
                           leak_path_text (found.graph, found.dominators, suspect));
  }
  g_ptr_array_unref (suspects);
  shot_leaks_clear (&found);
}

GHashTable *
log_suspects_of (struct log_command *c, const char *path, const struct summary *s)
{
  if (strcmp (path, "-") == 0 || s->log.damages != 0 || !is_small (s) || !shot_leaks_may_be (s))
    return NULL;
  const struct shot_selection shots = { .last = true, .peak = true, .earlier = true };
  const struct scan_options options = { .graphs = &shots };
  struct summary again;
  GHashTable *paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  summary_init (&again, &options);
  const int status = log_command_summarize (c, path, &again, NULL);
  summary_finish (&again);
  if (status == CLI_OK)
    add_suspects (paths, &again);
  summary_clear (&again);
  return paths;
}
