/* sql-log.c -- opens logs, and reads data that several statements need once. */
#include "config.h"

#include "decoder/sql/sql-log.h"
#include <proflog/mlpd-reader.h>

struct sql_heap *
sql_heap_new (struct heap_graph *graph, guint shot)
{
  struct sql_heap *heap = g_new (struct sql_heap, 1);
  *heap = (struct sql_heap){ 1, shot, graph, heap_dominators_new (graph) };
  return heap;
}

struct sql_heap *
sql_heap_ref (struct sql_heap *heap)
{
  heap->references++;
  return heap;
}

void
sql_heap_unref (struct sql_heap *heap)
{
  if (--heap->references > 0)
    return;
  heap_dominators_free (heap->dominators);
  heap_graph_free (heap->graph);
  g_free (heap);
}

/* Is it a log of Mono, by its first item?  No statement would notice that of one that reads no
 * table of the log. */
static bool
begins_as_mono (struct log_input *input, GError **error)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  const uint8_t *bytes;
  size_t length;
  enum proflog_result result;
  bool good = true;
  while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_NEED_MORE
         && (good = log_input_read (input, &bytes, &length, error))) {
    if (length == 0)
      mlpd_reader_finish (reader);
    else
      mlpd_reader_push (reader, bytes, length);
  }
  if (result == PROFLOG_ERROR) {
    good = false;
    g_propagate_prefixed_error (error, g_error_copy (mlpd_reader_error (reader)),
                                "%s: ", log_input_name (input));
  }
  mlpd_reader_free (reader);
  return good;
}

struct sql_log *
sql_log_new (const char *name, const struct sql_log_source *source, GError **error)
{
  struct log_input *input = source->open (source->data, name, error);
  bool is_eventlog = false;
  const bool good = input != NULL && log_input_detect_eventlog (input, &is_eventlog, error)
                    && (is_eventlog || begins_as_mono (input, error));
  if (input != NULL)
    log_input_close (input);
  if (!good)
    return NULL;
  struct sql_log *log = g_new0 (struct sql_log, 1);
  log->name = g_strdup (name);
  log->is_eventlog = is_eventlog;
  log->source = source;
  return log;
}

void
sql_log_forget (struct sql_log *log)
{
  if (log->has_names)
    symbols_clear (&log->names);
  g_clear_pointer (&log->index, buffer_index_free);
  g_clear_pointer (&log->blocks, ghc_block_index_free);
  g_clear_pointer (&log->figures, run_figures_free);
  g_clear_pointer (&log->heap, sql_heap_unref);
  log->has_names = log->has_index = false;
}

void
sql_log_free (struct sql_log *log)
{
  sql_log_forget (log);
  g_free (log->first_damage);
  g_free (log->name);
  g_free (log);
}

void
sql_log_add_damage (struct sql_log *log, uint64_t n, const char *message)
{
  log->damages = MAX (log->damages, n);
  if (log->first_damage == NULL)
    log->first_damage = g_strdup (message);
}

struct log_input *
sql_log_open (struct sql_log *log, GError **error)
{
  return log->source->open (log->source->data, log->name, error);
}

void
sql_log_progress (const struct sql_log *log, uint64_t bytes)
{
  if (log->source->progress != NULL)
    log->source->progress (log->source->data, bytes);
}

struct run_figures *
sql_log_figures (struct sql_log *log, GError **error)
{
  if (log->figures == NULL)
    log->figures = log->source->figures (log->source->data, log->name, log->is_eventlog, error);
  return log->figures;
}
