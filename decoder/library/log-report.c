/* log-report.c -- the report of a log, as JSON and by the keys of its figures. */
#include "config.h"

#include "decoder/ghc/index/ghc-order.h"
#include "decoder/library/log-private.h"
#include "decoder/mlpd/query/object-queries.h"
#include "decoder/output/emitter-record.h"
#include "decoder/views/ghc/ghc-report.h"
#include "decoder/views/mlpd/report.h"

struct proflog_report {
  GString *json;
  struct emitter_record *record;
};

/* The report of a summary: one of the two. */
static struct proflog_report *
new_report (const char *path, const struct summary *mono, const struct ghc_summary *ghc,
            const struct view *view)
{
  struct proflog_report *report = g_new0 (struct proflog_report, 1);
  report->json = g_string_new (NULL);
  report->record = emitter_record_new ();
  struct emitter *const emitters[]
      = { emitter_new (EMITTER_JSON, report->json), emitter_new_record (report->record) };
  for (guint i = 0; i < G_N_ELEMENTS (emitters); i++) {
    if (mono != NULL)
      sections_write (emitters[i], REPORT_SCHEMA, path, mono, view, report_sections);
    else
      sections_write_eventlog (emitters[i], REPORT_SCHEMA, path, ghc, view, ghc_report_sections);
    emitter_free (emitters[i]);
  }
  return report;
}

void
proflog_report_free (struct proflog_report *report)
{
  if (report == NULL)
    return;
  g_string_free (report->json, TRUE);
  emitter_record_free (report->record);
  g_free (report);
}

const char *
proflog_report_json (const struct proflog_report *report)
{
  return report->json->str;
}

bool
proflog_report_number (const struct proflog_report *report, const char *key, uint64_t *number)
{
  const struct emitter_record_value *value = emitter_record_value (report->record, key);
  if (value == NULL || !emitter_record_is_amount (value->type))
    return false;
  *number = value->value.number;
  return true;
}

/* ---- logs of Mono ---- */

static bool
read_mono (struct log_input *input, struct summary *summary, const struct selection *selection,
           GError **error)
{
  const bool types = summary->options.types;
  if ((types && !log_input_make_rewindable (input, error))
      || !select_objects (summary, input, 0, selection, NULL, NULL, error))
    return false;
  if (types)
    object_types_search (summary, input, 0, NULL);
  const struct log_file_damage *damage = log_input_damage (input);
  if (damage != NULL)
    log_damage (&summary->log, damage->truncated, damage->message);
  summary_finish (summary);
  return true;
}

static struct proflog_report *
report_mono (const struct proflog_log *log, struct log_input *input, const struct view *view,
             GError **error)
{
  static const char *const with_types[] = { "exceptions", "monitors", "waits", "findings" };
  struct scan_options options = { .call_times = sections_show (view, report_sections, "tree") };
  for (guint i = 0; i < G_N_ELEMENTS (with_types); i++)
    options.types |= sections_show (view, report_sections, with_types[i]);
  struct proflog_report *report = NULL;
  struct summary summary;
  summary_init (&summary, &options);
  if (read_mono (input, &summary, &log->selection, error))
    report = new_report (log->path, &summary, NULL, view);
  summary_clear (&summary);
  return report;
}

/* ---- eventlogs ---- */

/* All items, in the order of the file. */
static bool
read_items (struct log_input *input, struct ghc_summary *summary, GError **error)
{
  struct ghc_reader *reader = ghc_reader_new ();
  enum proflog_result result = PROFLOG_NEED_MORE;
  const struct ghc_item *item;
  const uint8_t *bytes;
  size_t length;
  while (result == PROFLOG_NEED_MORE && log_input_read (input, &bytes, &length, error)) {
    if (length != 0)
      ghc_reader_push (reader, bytes, length);
    else
      ghc_reader_finish (reader);
    while ((result = ghc_reader_next (reader, &item)) == PROFLOG_EVENT)
      ghc_summary_item (summary, item);
  }
  if (result == PROFLOG_ERROR)
    g_propagate_error (error, g_error_copy (ghc_reader_error (reader)));
  ghc_reader_free (reader);
  return result == PROFLOG_END;
}

static bool
wants_kind (const void *data, enum ghc_kind kind)
{
  (void) data;
  return ghc_threads_handles (kind);
}

static bool
take_item (void *data, const struct ghc_item *item)
{
  ghc_summary_ordered (data, item);
  return true;
}

/* The log was read before: all is known of its damage. */
static void
pass_item (void *data, const struct ghc_item *item)
{
  (void) data;
  (void) item;
}

static void
pass_progress (void *data, uint64_t bytes)
{
  (void) data;
  (void) bytes;
}

/* All events again, in the order of time. */
static bool
read_ordered (struct log_input *input, struct ghc_summary *summary, GError **error)
{
  const struct ghc_order_sink sink = { .data = summary, .wants = wants_kind, .take = take_item };
  const struct ghc_order_options options = { .to = UINT64_MAX };
  const struct ghc_chunks_watch watch = { .item = pass_item, .progress = pass_progress };
  struct ghc_chunks chunks;
  log_input_rewind (input);
  if (!log_input_make_seekable (input, error))
    return false;
  const bool good = ghc_chunks_init (&chunks, input, 0, &watch, error);
  for (guint i = 0; good && i < chunks.parts->len; i++) {
    const struct ghc_part *part = &g_array_index (chunks.parts, struct ghc_part, i);
    ghc_summary_ordered (summary, &(const struct ghc_item){ .type = GHC_ITEM_HEADER,
                                                            .header = &part->types->header });
    ghc_order_events (&chunks, part, input, &options, &sink);
  }
  ghc_chunks_clear (&chunks);
  return good;
}

static bool
read_ghc (struct log_input *input, struct ghc_summary *summary, GError **error)
{
  if (!read_items (input, summary, error)
      || (ghc_summary_needs_order (summary) && !read_ordered (input, summary, error)))
    return false;
  const struct log_file_damage *damage = log_input_damage (input);
  if (damage != NULL)
    ghc_log_damage (&summary->log, damage->truncated, damage->message);
  ghc_summary_finish (summary);
  return true;
}

static struct proflog_report *
report_ghc (const struct proflog_log *log, struct log_input *input, const struct view *view,
            GError **error)
{
  struct ghc_filter filter;
  struct ghc_summary summary;
  struct proflog_report *report = NULL;
  if (!log_input_make_rewindable (input, error))
    return NULL;
  if (!ghc_filter_init (&filter, &log->selection, input, error)) {
    ghc_filter_clear (&filter);
    return NULL;
  }
  const struct ghc_times times = { filter.from, filter.to };
  ghc_summary_init (&summary, &times, sections_features (view, ghc_report_sections));
  ghc_summary_select (&summary, &log->selection);
  if (read_ghc (input, &summary, error))
    report = new_report (log->path, NULL, &summary, view);
  ghc_summary_clear (&summary);
  ghc_filter_clear (&filter);
  return report;
}

/* Sections over time are made of a reading of their own, which the command does. */
static bool
can_show (const struct view *view, const struct section *const *all, GError **error)
{
  static const char *const over_time[] = { "timeline", "series" };
  for (guint i = 0; view->sections != NULL && i < G_N_ELEMENTS (over_time); i++)
    if (sections_show (view, all, over_time[i])) {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "the section '%s' is of the command 'proflog report' only", over_time[i]);
      return false;
    }
  return true;
}

struct proflog_report *
proflog_log_report (struct proflog_log *log, const char *sections, GError **error)
{
  const bool is_mono = log->format == PROFLOG_LOG_MONO;
  struct view view = { .selection = &log->selection };
  const struct section *const *all = is_mono ? report_sections : ghc_report_sections;
  if (sections != NULL && (view.sections = sections_parse (all, sections, error)) == NULL)
    return NULL;
  struct proflog_report *report = NULL;
  struct log_input *input = can_show (&view, all, error) ? take_log_input (log, error) : NULL;
  if (input != NULL) {
    report
        = is_mono ? report_mono (log, input, &view, error) : report_ghc (log, input, &view, error);
    log_input_close (input);
  }
  g_clear_pointer (&view.sections, g_ptr_array_unref);
  return report;
}
