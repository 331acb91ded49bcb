/* log-suspects.c -- reads a log again for the graph of its last heap snapshot. */
#include "config.h"

#include "decoder/log/log-suspects.h"
#include "decoder/command/cli.h"
#include "decoder/log/log-summary.h"
#include "decoder/mlpd/query/shot-leaks.h"
#include "decoder/views/heap/leak-path.h"
#include <string.h>

/* A graph has some hundred bytes an object. */
#define OBJECTS_MAX 2000000

static bool
has_growth (const struct summary *s)
{
  struct heap_growth growth;
  bool any = false;
  heap_growth_init (&growth, s, 0);
  for (guint i = 0; i < growth.classes->len && growth.n_shots >= LEAK_SHOTS_MIN; i++)
    any |= ((const struct heap_series *) g_ptr_array_index (growth.classes, i))->since
           != HEAP_NOT_GROWING;
  heap_growth_clear (&growth);
  return any;
}

static bool
is_small (const struct summary *s)
{
  for (guint i = 0; i < s->heapshots.shots->len; i++)
    if (((const struct heapshot *) g_ptr_array_index (s->heapshots.shots, i))->objects
        > OBJECTS_MAX)
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
  if (strcmp (path, "-") == 0 || s->log.damages != 0 || !is_small (s) || !has_growth (s))
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
