/* log-events.c -- opens logs of either format, and reads their events. */
#include "config.h"

#include "decoder/views/mlpd/dump.h"
#include "decoder/filter/filter-options.h"
#include "decoder/library/log-private.h"
#include "decoder/mlpd/query/select.h"
#include <string.h>

/* ---- open and close ---- */

struct proflog_log *
proflog_log_open (const char *path, GError **error)
{
  bool is_eventlog;
  struct log_input *input = log_input_open (path, error);
  if (input == NULL)
    return NULL;
  if (!log_input_detect_eventlog (input, &is_eventlog, error)) {
    log_input_close (input);
    return NULL;
  }
  struct proflog_log *log = g_new0 (struct proflog_log, 1);
  log->path = g_strdup (path);
  log->format = is_eventlog ? PROFLOG_LOG_GHC : PROFLOG_LOG_MONO;
  log->input = input;
  log->texts = g_string_chunk_new (256);
  log->list = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  return log;
}

static void
end_reading (struct proflog_log *log)
{
  if (log->mono != NULL) {
    mlpd_reader_free (log->mono);
    dump_clear (&log->dump);
    buffer_filter_clear (&log->mono_filter);
  }
  if (log->ghc != NULL) {
    ghc_reader_free (log->ghc);
    ghc_filter_clear (&log->ghc_filter);
  }
}

void
proflog_log_close (struct proflog_log *log)
{
  if (log == NULL)
    return;
  end_reading (log);
  if (log->input != NULL)
    log_input_close (log->input);
  selection_clear (&log->selection);
  g_clear_error (&log->error);
  g_string_chunk_free (log->texts);
  g_array_unref (log->list);
  g_free (log->path);
  g_free (log);
}

enum proflog_log_format
proflog_log_format (const struct proflog_log *log)
{
  return log->format;
}

struct log_input *
take_log_input (struct proflog_log *log, GError **error)
{
  if (log->is_reading || log->input == NULL)
    return log_input_open (log->path, error);
  return g_steal_pointer (&log->input);
}

/* ---- selections ---- */

bool
proflog_log_select (struct proflog_log *log, const char *option, const char *value, GError **error)
{
  static const struct {
    const char *name;
    bool (*parse) (struct selection *selection, const char *text, GError **error);
  } options[] = {
    { "thread", selection_thread },       { "time-range", selection_time_range },
    { "filter", selection_filter },       { "exclude", selection_exclude },
    { "min-bytes", selection_min_bytes }, { "cap", selection_cap },
    { "span", selection_span },           { "slowest", selection_slowest },
  };
  if (log->is_reading) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                 "the selection '%s' comes after the first event was read", option);
    return false;
  }
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (strcmp (option, options[i].name) == 0)
      return options[i].parse (&log->selection, value, error);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
               "there is no selection '%s': there are thread, time-range, filter, exclude, "
               "min-bytes, cap, span and slowest",
               option);
  return false;
}

/* ---- reading ---- */

static bool
begin_mono (struct proflog_log *log)
{
  const struct selection *s = &log->selection;
  dump_init (&log->dump, EMITTER_TEXT, s);
  buffer_filter_init (&log->mono_filter, s, NULL);
  if (s->threads != NULL || selection_has_times (s))
    log->dump.filter = &log->mono_filter;
  const bool good = !selection_needs_survey (s)
                    || (log_input_make_rewindable (log->input, &log->error)
                        && log_selection_survey (&log->mono_filter, log->input, &log->error));
  log->mono = log_input_new_reader (log->input);
  return good;
}

static bool
begin_ghc (struct proflog_log *log)
{
  const bool good = ghc_filter_init (&log->ghc_filter, &log->selection, log->input, &log->error);
  log->ghc = ghc_reader_new ();
  return good;
}

/* False with the log's error. */
static bool
begin_reading (struct proflog_log *log)
{
  if (log->input == NULL && (log->input = log_input_open (log->path, &log->error)) == NULL)
    return false;
  log->is_reading = true;
  return log->format == PROFLOG_LOG_MONO ? begin_mono (log) : begin_ghc (log);
}

/* Gives the reader more; false with the log's error. */
static bool
read_more (struct proflog_log *log)
{
  const uint8_t *bytes;
  size_t length;
  if (!log_input_read (log->input, &bytes, &length, &log->error))
    return false;
  if (log->mono != NULL && length != 0)
    mlpd_reader_push (log->mono, bytes, length);
  else if (log->mono != NULL)
    mlpd_reader_finish (log->mono);
  else if (length != 0)
    ghc_reader_push (log->ghc, bytes, length);
  else
    ghc_reader_finish (log->ghc);
  return true;
}

static enum proflog_result
next_of_mono (struct proflog_log *log, bool *is_selected)
{
  if (log->mono_item != NULL)
    dump_store_name (&log->dump.names, log->mono_item);
  log->mono_item = NULL;
  const struct mlpd_item *item;
  const enum proflog_result result = mlpd_reader_next (log->mono, &item);
  if (result != PROFLOG_EVENT)
    return result;
  if (item->type == MLPD_ITEM_BUFFER)
    buffer_filter_begin (&log->mono_filter, item->buffer->time_base);
  log->mono_item = item;
  *is_selected = dump_selects (&log->dump, item)
                 && (item->type == MLPD_ITEM_EVENT || item->type == MLPD_ITEM_DAMAGE);
  return result;
}

static enum proflog_result
next_of_ghc (struct proflog_log *log, bool *is_selected)
{
  const enum proflog_result result = ghc_reader_next (log->ghc, &log->ghc_item);
  if (result != PROFLOG_EVENT) {
    log->ghc_item = NULL;
    return result;
  }
  *is_selected
      = ghc_filter_accepts (&log->ghc_filter, log->ghc_item)
        && (log->ghc_item->type == GHC_ITEM_EVENT || log->ghc_item->type == GHC_ITEM_DAMAGE);
  return result;
}

/* Damage of the compression comes after all events. */
static enum proflog_result
end_of_log (struct proflog_log *log)
{
  const struct log_file_damage *damage = log_input_damage (log->input);
  log->damage = NULL;
  if (damage == NULL || log->compression_reported)
    return PROFLOG_END;
  log->compression_reported = true;
  log->damage = damage;
  return PROFLOG_EVENT;
}

enum proflog_result
proflog_log_next (struct proflog_log *log)
{
  g_string_chunk_clear (log->texts);
  if (log->error != NULL || (!log->is_reading && !begin_reading (log)))
    return PROFLOG_ERROR;
  for (;;) {
    bool is_selected = false;
    const enum proflog_result result
        = log->mono != NULL ? next_of_mono (log, &is_selected) : next_of_ghc (log, &is_selected);
    if (result == PROFLOG_EVENT && is_selected)
      return PROFLOG_EVENT;
    if (result == PROFLOG_END)
      return end_of_log (log);
    if (result == PROFLOG_ERROR)
      log->error = g_error_copy (log->mono != NULL ? mlpd_reader_error (log->mono)
                                                   : ghc_reader_error (log->ghc));
    if (result == PROFLOG_ERROR || (result == PROFLOG_NEED_MORE && !read_more (log)))
      return PROFLOG_ERROR;
  }
}

const GError *
proflog_log_error (const struct proflog_log *log)
{
  return log->error;
}
