/* sql-log.c -- opens logs, and reads what several statements need once. */
#include "config.h"

#include "decoder/sql/sql-log.h"
#include "decoder/mlpd/mlpd-span.h"
#include "decoder/views/mlpd/dump.h"

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

struct sql_log *
sql_log_new (const char *name, const struct sql_log_source *source, GError **error)
{
  struct log_input *input = source->open (source->data, name, error);
  bool is_eventlog = false;
  const bool good = input != NULL && log_input_detect_eventlog (input, &is_eventlog, error);
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
  g_clear_pointer (&log->figures, run_figures_free);
  g_clear_pointer (&log->heap, sql_heap_unref);
  log->has_names = log->has_index = false;
}

void
sql_log_free (struct sql_log *log)
{
  sql_log_forget (log);
  g_free (log->name);
  g_free (log);
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

const struct buffer_index *
sql_log_index (struct sql_log *log, struct log_input *input)
{
  if (!log->has_index)
    log->index = buffer_index_read (input);
  log->has_index = true;
  return log->index;
}

struct run_figures *
sql_log_figures (struct sql_log *log, GError **error)
{
  if (log->figures == NULL)
    log->figures = log->source->figures (log->source->data, log->name, log->is_eventlog, error);
  return log->figures;
}

/* ---- names ---- */

/* An address that was announced with another name is another symbol from there on. */
static bool
names_change (const struct symbols *names)
{
  for (guint kind = 0; kind < SYMBOL_KINDS; kind++)
    if (names->all[kind]->len > g_hash_table_size (names->current[kind]))
      return true;
  return false;
}

static enum proflog_result
drain (struct sql_log *log, struct mlpd_reader *reader)
{
  const struct mlpd_item *item;
  enum proflog_result result;
  do {
    struct mlpd_span span;
    if (mlpd_span_of (reader, &span)) {
      mlpd_span_skip_bulk (&span);
      mlpd_span_pass (reader, &span);
    }
    result = mlpd_reader_next (reader, &item);
    if (result == PROFLOG_EVENT && item->type == MLPD_ITEM_EVENT)
      dump_announce_name (&log->names, item->kind, item->payload);
  } while (result == PROFLOG_EVENT);
  return result;
}

bool
sql_log_read_names (struct sql_log *log, GError **error)
{
  if (log->has_names)
    return true;
  struct log_input *input = sql_log_open (log, error);
  if (input == NULL)
    return false;
  symbols_init (&log->names);
  log->has_names = true;
  struct mlpd_reader *reader = log_input_new_reader (input);
  enum proflog_result result = PROFLOG_NEED_MORE;
  const uint8_t *bytes;
  size_t length;
  while (result == PROFLOG_NEED_MORE && log_input_read (input, &bytes, &length, error)) {
    if (length != 0)
      mlpd_reader_push (reader, bytes, length);
    else
      mlpd_reader_finish (reader);
    result = drain (log, reader);
  }
  if (result == PROFLOG_ERROR)
    g_propagate_error (error, g_error_copy (mlpd_reader_error (reader)));
  mlpd_reader_free (reader);
  log_input_close (input);
  log->names_change = names_change (&log->names);
  return result == PROFLOG_END;
}
