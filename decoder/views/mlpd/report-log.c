/* report-log.c -- header, sizes, damage, events by kind. */
#include "config.h"

#include "decoder/mlpd/analyses/program-marks.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/section-parts.h"
#include "decoder/views/result.h"
#include <proflog/module-options.h>
#include <string.h>

static void
put_start (struct emitter *e, const struct mlpd_file_header *header)
{
  GDateTime *start = NULL;
  if (header->start_ms <= G_MAXINT64)
    start = g_date_time_new_from_unix_utc ((gint64) (header->start_ms / 1000));
  char *text = start != NULL ? g_date_time_format (start, "%Y-%m-%d %H:%M:%S UTC") : NULL;
  result_number (e, LOG_START_TIME, header->start_ms);
  result_text (e, LOG_START_TIME_TEXT, text);
  g_free (text);
  if (start != NULL)
    g_date_time_unref (start);
}

/* A log that reached a limit states so. */
static void
put_limit (struct emitter *e, const struct marks *marks)
{
  for (guint i = 0; i < marks->all->len; i++) {
    const struct mark *mark = g_ptr_array_index (marks->all, i);
    if (!g_str_has_prefix (mark->name, PROFLOG_LIMIT_MARK))
      continue;
    result_text (e, LOG_LIMIT, mark->name + strlen (PROFLOG_LIMIT_MARK));
    return; /* one is enough, of logs that were merged */
  }
}

static void
put_log (const struct report *r)
{
  struct emitter *e = r->e;
  const struct log *log = &r->s->log;
  const struct mlpd_file_header *header = &log->header;
  const bool is_whole = !r->view->is_brief;
  emitter_open (e, "log", "Log");
  result_text (e, LOG_NAME, r->log_name);
  char *version = g_strdup_printf ("%u.%u", header->major, header->minor);
  result_text_if (e, LOG_PROFILER_VERSION, is_whole, version);
  g_free (version);
  result_number_if (e, LOG_DATA_VERSION, is_whole, header->data_version);
  result_number_if (e, LOG_OBJECT_UNIT, is_whole && header->data_version == 1,
                    header->has_byte_objects ? 1 : 8);
  result_number (e, LOG_PID, header->pid);
  if (log->writer != 0)
    result_number (e, LOG_WRITER, (uint64_t) log->writer);
  result_number_if (e, LOG_POINTER_SIZE, is_whole, header->pointer_size);
  put_start (e, header);
  result_text_if (e, LOG_ARGUMENTS, is_whole && header->arguments.text != NULL,
                  header->arguments.text);
  result_text_if (e, LOG_ARCHITECTURE, is_whole, log_architecture (header));
  result_text_if (e, LOG_OPERATING_SYSTEM, is_whole, log_operating_system (header));
  result_number_if (e, LOG_TIMER_OVERHEAD_NS, is_whole, header->timer_overhead_ns);
  result_number (e, LOG_DURATION_NS, log_duration (log));
  if (log->threads_ns != 0 && !log->is_part)
    result_put (e, LOG_RECORDING_THREADS_NS, true,
                (union emitter_value){ .number = log->threads_ns });
  put_limit (e, &SUMMARY_STATE (r->s, program_marks)->marks);
  result_number (e, LOG_BYTES, log->bytes);
  result_number_if (e, LOG_BUFFERS, is_whole, log->blocks);
  result_number (e, LOG_EVENTS, log->events);
  emitter_close (e);
}

const struct section section_log = { .key = "log", .alias = "header", .put = put_log };

static void
put_skipped_blocks (const struct report *r, bool any)
{
  result_number_if (r->e, DAMAGE_SKIPPED_BLOCKS, any, r->s->log.skipped_blocks);
}

static void
put_damage (const struct report *r)
{
  const struct log *log = &r->s->log;
  section_put_damage (r, &(const struct report_damage){
                             log->damages, log->truncated, log->missing_bytes, log->skipped_bytes,
                             log->lost_events, log->messages, put_skipped_blocks });
}

const struct section section_damage = { .key = "damage", .put = put_damage };

static const struct emitter_column kind_columns[] = { { "events", "Events", EMIT_NUMBER },
                                                      { "bytes", "Bytes", EMIT_NUMBER },
                                                      { NULL, "%", EMIT_SHARE },
                                                      { "kind", "Kind", EMIT_TEXT } };
static const struct table_shape kinds_shape
    = { .key = "kinds", .title = "Events", TABLE_SHAPE_COLUMNS (kind_columns), .whole = true };

static void
put_kinds (const struct report *r)
{
  const struct log *log = &r->s->log;
  struct table *t = section_table (r, &kinds_shape);
  for (int kind = 0; kind < MLPD_KINDS; kind++)
    if (log->kind_events[kind] != 0)
      SECTION_ROW (t, { .number = log->kind_events[kind] }, { .number = log->kind_bytes[kind] },
                   { .number = emitter_share (log->kind_bytes[kind], log->bytes) },
                   { .text = mlpd_describe ((enum mlpd_kind) kind)->name });
  table_write (t, r->e);
}

#define KINDS                                                                                      \
  .key = "kinds", .alias = "stats", .put = put_kinds, .tables = SECTION_TABLES (&kinds_shape)

const struct section section_kinds = { KINDS };
const struct section section_stats = { KINDS, .extra = true };
