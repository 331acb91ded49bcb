/* info.c -- headers, sizes, events by kind. */
#include "decoder/views/info.h"
#include "config.h"
#include "decoder/formats/mlpd-describe.h"
#include "decoder/views/report-log.h"

static void
put_kinds (struct emitter *e, const struct log *log)
{
  static const struct emitter_column columns[] = { { "events", "Events", EMIT_NUMBER },
                                                   { "bytes", "Bytes", EMIT_NUMBER },
                                                   { NULL, "%", EMIT_SHARE },
                                                   { "kind", "Kind", EMIT_TEXT } };
  emitter_open_table (e, "kinds", "Events", columns, G_N_ELEMENTS (columns));
  for (int kind = 0; kind < MLPD_KINDS; kind++) {
    if (log->kind_events[kind] == 0)
      continue;
    const union emitter_value row[] = { { .number = log->kind_events[kind] },
                                        { .number = log->kind_bytes[kind] },
                                        { .number = log->kind_bytes[kind] * 1000 / log->bytes },
                                        { .text = mlpd_describe ((enum mlpd_kind) kind)->name } };
    emitter_row (e, row);
  }
  emitter_close_table (e, 0);
}

void
info_write (struct emitter *e, const char *log_name, const struct summary *s, guint limit)
{
  emitter_begin (e, "proflog.info/1");
  report_log (e, log_name, &s->log);
  report_damage (e, &s->log);
  emitter_open (e, "content", "Content");
  emitter_number (e, "threads", "Threads", threads_with_events (&s->threads));
  emitter_number (e, "heapshots", "Heap shots", s->heapshots.shots->len);
  emitter_number (e, "throws", "Exceptions", s->exceptions.throws);
  emitter_number (e, "classes", "Classes", g_hash_table_size (s->metadata.classes));
  emitter_number (e, "images", "Images", g_hash_table_size (s->metadata.images));
  emitter_number (e, "compiled_methods", "Compiled methods", s->metadata.methods);
  emitter_truth (e, "complete", "Complete", s->log.damages == 0);
  emitter_close (e);
  put_kinds (e, &s->log);
  report_threads (e, &s->threads, &s->log, limit);
  emitter_end (e);
}
