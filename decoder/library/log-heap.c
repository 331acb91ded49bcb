/* log-heap.c -- a heap snapshot of a log, as arrays. */
#include "config.h"

#include "decoder/heap/heap-dominators.h"
#include "decoder/library/log-private.h"
#include "decoder/mlpd/analyses/heap-builder.h"
#include "decoder/mlpd/analyses/heapshots.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/query/object-queries.h"

/* The public part, first, and its graph. */
struct own_heap {
  struct proflog_heap public;
  struct heap_graph *graph;
  struct heap_dominators *dominators;
};

static struct proflog_heap *
heap_new (struct heap_graph *graph)
{
  struct own_heap *heap = g_new0 (struct own_heap, 1);
  heap->graph = graph;
  heap->dominators = heap_dominators_new (graph);
  heap->public = (struct proflog_heap){ .objects = graph->n_objects,
                                        .addresses = graph->addresses,
                                        .bytes = graph->bytes,
                                        .retained = heap->dominators->retained,
                                        .dominators = heap->dominators->dominators,
                                        .classes = graph->classes,
                                        .first = graph->first,
                                        .targets = graph->targets };
  return &heap->public;
}

static void
set_no_snapshot (GError **error, const char *path, guint index, guint snapshots)
{
  if (snapshots == 0)
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT,
                 "%s: the log has no heap snapshots", path);
  else if (index == 0)
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT,
                 "%s: none of the log's %u heap snapshots is selected", path, snapshots);
  else
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT,
                 "%s: heap snapshot %u is not there or not selected: the log has %u", path, index,
                 snapshots);
}

struct proflog_heap *
proflog_log_heap (struct proflog_log *log, unsigned snapshot, GError **error)
{
  const guint index = snapshot;
  const struct shot_selection shots
      = { .last = index == 0, .indexes = &index, .n_indexes = index != 0 };
  const struct scan_options options = { .graphs = &shots };
  if (log->format == PROFLOG_LOG_GHC) {
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_NOT_A_LOG,
                 "%s: eventlogs have no heap snapshots", log->path);
    return NULL;
  }
  struct log_input *input = take_log_input (log, error);
  if (input == NULL)
    return NULL;
  struct heap_graph *graph = NULL;
  struct summary summary;
  summary_init (&summary, &options);
  if (select_objects (&summary, input, 0, &log->selection, NULL, NULL, error)) {
    summary_finish (&summary);
    graph = summary_build_heap (&summary, index);
    if (graph == NULL)
      set_no_snapshot (error, log->path, index, SUMMARY_STATE (&summary, heapshots)->begun);
  }
  summary_clear (&summary);
  log_input_close (input);
  return graph != NULL ? heap_new (graph) : NULL;
}

void
proflog_heap_free (struct proflog_heap *heap)
{
  struct own_heap *own = (struct own_heap *) heap;
  if (heap == NULL)
    return;
  heap_dominators_free (own->dominators);
  heap_graph_free (own->graph);
  g_free (own);
}

const char *
proflog_heap_class (const struct proflog_heap *heap, uint32_t klass)
{
  const struct heap_graph *graph = ((const struct own_heap *) heap)->graph;
  return klass < graph->n_classes ? graph->class_list[klass].name : NULL;
}
