/* report-log.c -- header, sizes, damage. */
#include "decoder/views/report-log.h"
#include "config.h"
#include "decoder/views/ranking.h"

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

void
report_log (struct emitter *e, const char *name, const struct log *log)
{
  const struct mlpd_file_header *header = &log->header;
  emitter_open (e, "log", "Log");
  emitter_text (e, "name", "Name", name);
  char *version = g_strdup_printf ("%u.%u", header->major, header->minor);
  emitter_text (e, "profiler_version", "Profiler version", version);
  g_free (version);
  emitter_number (e, "data_version", "Data version", header->data_version);
  emitter_number (e, "pid", "Process", header->pid);
  emitter_number (e, "pointer_size", "Pointer size", header->pointer_size);
  put_start (e, header);
  emitter_text (e, "arguments", NULL, NULL); /* from major version 1 on */
  emitter_text (e, "architecture", "Architecture", log_architecture (header));
  emitter_text (e, "operating_system", "Operating system", log_operating_system (header));
  emitter_number (e, "timer_overhead_ns", "Timer overhead, ns", header->timer_overhead_ns);
  emitter_ns (e, "duration_ns", "Duration", log_duration (log));
  emitter_number (e, "bytes", "Bytes", log->bytes);
  emitter_number (e, "blocks", "Buffers", log->blocks);
  emitter_number (e, "events", "Events", log->events);
  emitter_close (e);
}

void
report_damage (struct emitter *e, const struct log *log)
{
  emitter_open (e, "damage", log->damages != 0 ? "Damage" : NULL);
  emitter_truth (e, "truncated", "Truncated", log->truncated);
  emitter_number (e, "missing_bytes", "Missing bytes", log->missing_bytes);
  emitter_number (e, "skipped_bytes", "Skipped bytes", log->skipped_bytes);
  emitter_number (e, "skipped_blocks", "Skipped buffers", log->skipped_blocks);
  emitter_number (e, "lost_events", NULL, 0); /* version 1 cannot tell */
  emitter_texts (e, "messages", "What", log->messages);
  emitter_close (e);
}

void
report_threads (struct emitter *e, const struct threads *threads, const struct log *log,
                guint limit)
{
  static const struct emitter_column columns[] = { { "id", "Thread", EMIT_ADDRESS },
                                                   { "start_ns", "First event ms", EMIT_TIME },
                                                   { "end_ns", "Last event ms", EMIT_TIME },
                                                   { "events", "Events", EMIT_NUMBER },
                                                   { "name", "Name", EMIT_TEXT } };
  struct ranking ranking;
  ranking_init (&ranking);
  for (guint i = 0; i < threads->all->len; i++) {
    const struct thread *t = g_ptr_array_index (threads->all, i);
    if (t->events != 0)
      ranking_add (&ranking, i, t->events, 0);
  }
  ranking_sort (&ranking, limit);
  emitter_open_table (e, "threads", "Threads", columns, G_N_ELEMENTS (columns));
  for (guint i = 0; i < ranking.shown; i++) {
    const struct thread *t = g_ptr_array_index (threads->all, ranking_at (&ranking, i));
    const union emitter_value row[] = { { .number = t->id },
                                        { .change = log_when (log, t->start) },
                                        { .change = log_when (log, t->end) },
                                        { .number = t->events },
                                        { .text = NULL } }; /* names came later than version 1 */
    emitter_row (e, row);
  }
  emitter_close_table (e, ranking_more (&ranking));
  ranking_clear (&ranking);
}
