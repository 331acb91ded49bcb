/* check.c -- a summary, the findings, the buffers. */
#include "decoder/views/check.h"
#include "config.h"

static const char *const levels[]
    = { [CHECK_NOTE] = "note", [CHECK_WARNING] = "warning", [CHECK_ERROR] = "error" };

static const struct emitter_column finding_columns[]
    = { { "offset", "Offset", EMIT_NUMBER },
        { "level", "Level", EMIT_TEXT },
        { "kind", NULL, EMIT_TEXT },
        { "count", "Count", EMIT_NUMBER },
        { "skipped_bytes", "Skipped", EMIT_NUMBER },
        { "message", "What", EMIT_TEXT } };
static const struct table_shape findings_shape
    = { .key = "findings", .title = "Findings", TABLE_SHAPE_COLUMNS (finding_columns) };

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

const char *
check_state (enum check_level level)
{
  switch (level) {
  case CHECK_ERROR:
    return "damaged";
  case CHECK_WARNING:
    return "doubtful";
  default:
    return "good";
  }
}

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
  emitter_number (e, "threads", "Threads", threads_with_events (&c->lives));
  emitter_number (e, "blocks", "Buffers", log->blocks);
  emitter_number (e, "events", "Events", log->events);
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

void
check_put_findings (struct emitter *e, const struct view *view, const GArray *damages,
                    const struct check_finding *findings, const struct check_finding_sort *sorts,
                    guint n_sorts)
{
  struct table *t = table_new (&findings_shape, view);
  for (guint i = 0; i < damages->len; i++) {
    const struct check_damage *d = &g_array_index (damages, struct check_damage, i);
    table_add (t, (const union emitter_value[]){ { .number = d->offset },
                                                 { .text = levels[CHECK_ERROR] },
                                                 { .text = "damage" },
                                                 { .number = 1 },
                                                 { .number = d->skipped },
                                                 { .text = d->message } });
  }
  for (int level = CHECK_ERROR; level >= CHECK_NOTE; level--)
    for (guint i = 0; i < n_sorts; i++)
      if (findings[i].count != 0 && (int) sorts[i].level == level)
        table_add (t, (const union emitter_value[]){ { .number = findings[i].offset },
                                                     { .text = levels[level] },
                                                     { .text = sorts[i].name },
                                                     { .number = findings[i].count },
                                                     { .number = 0 },
                                                     { .text = sorts[i].text } });
  table_write (t, e);
}

void
check_put_more (struct emitter *e, uint64_t damages, guint told, const char *parts)
{
  if (damages <= told)
    return;
  char *note = g_strdup_printf ("... and %" G_GUINT64_FORMAT
                                " more damages, which are counted only, as are their %s",
                                damages - told, parts);
  emitter_note (e, note);
  g_free (note);
}

static void
put_findings (struct emitter *e, const struct log_check *c, const struct view *view)
{
  check_put_findings (e, view, c->damages, c->findings, check_finding_sorts, CHECK_FINDINGS);
  check_put_more (e, c->log.damages, c->damages->len, "buffers");
}

static char *
state_of_buffer (const struct log_check *c, const struct check_buffer *b, uint64_t *at)
{
  if (b->damage == 0)
    return g_strdup (b->length == 0 ? "end mark" : "ok");
  const struct check_damage *d = &g_array_index (c->damages, struct check_damage, b->damage - 1);
  *at = d->offset;
  return g_strdup_printf ("damaged at %" G_GUINT64_FORMAT ": %s", d->offset, d->message);
}

/* What a buffer has, or not. */
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
    /* An end mark has no time of its own. */
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
