/* check.c -- a summary, the findings, the buffers. */
#include "config.h"

#include "decoder/views/mlpd/check.h"
#include "decoder/views/check-findings.h"

static const struct emitter_column buffer_columns[] = { { "offset", "Offset", EMIT_NUMBER },
                                                        { "length", "Bytes", EMIT_NUMBER },
                                                        { "thread", "Thread", EMIT_ADDRESS },
                                                        { "start_ns", "First event ms", EMIT_ANY },
                                                        { "end_ns", "Last event ms", EMIT_ANY },
                                                        { "events", "Events", EMIT_NUMBER },
                                                        { "skipped_bytes", "Skipped", EMIT_NUMBER },
                                                        { "damaged_at", NULL, EMIT_ANY },
                                                        { "state", "State", EMIT_TEXT } };
static const struct table_shape buffers_shape
    = { .key = "buffers", .title = "Buffers", TABLE_SHAPE_COLUMNS (buffer_columns) };

static void
put_summary (struct emitter *e, const char *log_name, const struct log_check *c)
{
  const struct log *log = &c->log;
  emitter_open (e, "log", "Log");
  emitter_text (e, "name", "Name", log_name);
  emitter_text (e, "state", "State", check_state (log_check_level (c)));
  emitter_number (e, "data_version", "Data version", log->header.data_version);
  emitter_number (e, "pid", "Process", log->header.pid);
  emitter_number (e, "pointer_size", "Pointer size", log->header.pointer_size);
  emitter_text (e, "architecture", "Architecture", log_architecture (&log->header));
  emitter_text (e, "operating_system", "Operating system", log_operating_system (&log->header));
  emitter_ns (e, "duration_ns", "Duration", log_duration (log));
  emitter_number (e, "bytes", "Bytes", log->bytes);
  emitter_number (e, "threads", "Threads", threads_with_events (&c->lifetimes));
  emitter_number (e, "blocks", "Buffers", log->blocks);
  emitter_number (e, "events", "Events", log->events);
  emitter_number (e, "lost_events", log->lost_events != 0 ? "Lost events" : NULL, log->lost_events);
  emitter_number (e, "damages", log->damages != 0 ? "Damages" : NULL, log->damages);
  emitter_number (e, "damaged_blocks", log->damages != 0 ? "Damaged buffers" : NULL,
                  c->damaged_buffers);
  emitter_number (e, "skipped_bytes", log->damages != 0 ? "Skipped bytes" : NULL,
                  log->skipped_bytes);
  emitter_number (e, "missing_bytes", log->damages != 0 ? "Missing bytes" : NULL,
                  log->missing_bytes);
  emitter_truth (e, "truncated", log->damages != 0 ? "Truncated" : NULL, log->truncated);
  emitter_close (e);
}

static void
put_findings (struct emitter *e, const struct log_check *c, const struct view *view)
{
  check_put_findings (e, view, c->damages, c->findings, check_finding_types, CHECK_FINDINGS);
  check_put_more (e, c->log.damages, c->damages->len, "buffers");
}

static char *
state_of_buffer (const struct log_check *c, const struct check_buffer *b, uint64_t *at)
{
  if (b->damage == 0)
    return g_strdup (b->is_loss_mark    ? "loss mark"
                     : b->is_check_mark ? "check mark"
                     : b->length == 0   ? "end mark"
                                        : "ok");
  const struct check_damage *d = &g_array_index (c->damages, struct check_damage, b->damage - 1);
  *at = d->offset;
  return g_strdup_printf ("damaged at %" G_GUINT64_FORMAT ": %s", d->offset, d->message);
}

/* The optional cells of a buffer. */
struct buffer_cells {
  struct emitter_any start, end, at;
};

static void
put_buffers (struct emitter *e, const struct log_check *c, const struct view *view)
{
  struct table *t = table_new (&buffers_shape, view);
  struct buffer_cells *all = g_new (struct buffer_cells, c->buffers->len);
  for (guint i = 0; i < c->buffers->len; i++) {
    const struct check_buffer *b = &g_array_index (c->buffers, struct check_buffer, i);
    struct buffer_cells *cells = &all[i];
    uint64_t at = 0;
    char *state = state_of_buffer (c, b, &at);
    cells->start
        = (struct emitter_any){ EMIT_TIME, { .change = log_when (&c->log, b->start) }, NULL };
    cells->end = (struct emitter_any){ EMIT_TIME, { .change = log_when (&c->log, b->end) }, NULL };
    cells->at = (struct emitter_any){ EMIT_NUMBER, { .number = at }, NULL };
    /* A mark has no time of its own. */
    const bool has_time = b->length != 0;
    table_add (t, (const union emitter_value[]){ { .number = b->offset },
                                                 { .number = b->length },
                                                 { .number = b->thread },
                                                 { .any = has_time ? &cells->start : NULL },
                                                 { .any = has_time ? &cells->end : NULL },
                                                 { .number = b->events },
                                                 { .number = b->skipped },
                                                 { .any = b->damage != 0 ? &cells->at : NULL },
                                                 { .text = state } });
    g_free (state);
  }
  table_write (t, e);
  g_free (all);
}

void
check_write (struct emitter *e, const char *log_name, const struct log_check *c,
             const struct view *view)
{
  emitter_begin (e, CHECK_SCHEMA);
  put_summary (e, log_name, c);
  put_findings (e, c, view);
  put_buffers (e, c, view);
  emitter_end (e);
}
