/* report-log.c -- header, sizes, damage, events by kind. */
#include "config.h"

#include "decoder/mlpd/analyses/program-marks.h"
#include "decoder/views/mlpd/report.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/views/section-parts.h"
#include <proflog/module-options.h>
#include <string.h>

static void
put_start (struct emitter *e, const struct mlpd_file_header *header)
{
  GDateTime *start = NULL;
  if (header->start_ms <= G_MAXINT64)
    start = g_date_time_new_from_unix_utc ((gint64) (header->start_ms / 1000));
  char *text = start != NULL ? g_date_time_format (start, "%Y-%m-%d %H:%M:%S UTC") : NULL;
  emitter_number (e, "start_time", NULL, header->start_ms);
  emitter_text (e, "start_time_text", "Started", text);
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
    emitter_text (e, "limit", "Ended early, at", mark->name + strlen (PROFLOG_LIMIT_MARK));
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
  emitter_text (e, "name", "Name", r->log_name);
  char *version = g_strdup_printf ("%u.%u", header->major, header->minor);
  emitter_text (e, "profiler_version", is_whole ? "Profiler version" : NULL, version);
  g_free (version);
  emitter_number (e, "data_version", is_whole ? "Data version" : NULL, header->data_version);
  emitter_number (e, "object_unit",
                  is_whole && header->data_version == 1 ? "Object unit, bytes" : NULL,
                  header->has_byte_objects ? 1 : 8);
  emitter_number (e, "pid", "Process", header->pid);
  if (log->writer != 0)
    emitter_number (e, "writer", "Still written by", (uint64_t) log->writer);
  emitter_number (e, "pointer_size", is_whole ? "Pointer size" : NULL, header->pointer_size);
  put_start (e, header);
  emitter_text (e, "arguments", is_whole && header->arguments.text != NULL ? "Arguments" : NULL,
                header->arguments.text);
  emitter_text (e, "architecture", is_whole ? "Architecture" : NULL, log_architecture (header));
  emitter_text (e, "operating_system", is_whole ? "Operating system" : NULL,
                log_operating_system (header));
  emitter_number (e, "timer_overhead_ns", is_whole ? "Timer overhead, ns" : NULL,
                  header->timer_overhead_ns);
  emitter_ns (e, "duration_ns", "Duration", log_duration (log));
  put_limit (e, &SUMMARY_STATE (r->s, program_marks)->marks);
  emitter_number (e, "bytes", "Bytes", log->bytes);
  emitter_number (e, "blocks", is_whole ? "Buffers" : NULL, log->blocks);
  emitter_number (e, "events", "Events", log->events);
  emitter_close (e);
}

const struct section section_log = { .key = "log", .alias = "header", .put = put_log };

static void
put_skipped_blocks (const struct report *r, bool any)
{
  emitter_number (r->e, "skipped_blocks", any ? "Skipped buffers" : NULL, r->s->log.skipped_blocks);
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
