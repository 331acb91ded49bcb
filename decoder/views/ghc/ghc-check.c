/* ghc-check.c -- the check of an eventlog: a summary, the findings, the blocks. */
#include "config.h"

#include "decoder/views/check-findings.h"
#include "decoder/views/ghc/ghc-check.h"

static const struct emitter_column block_columns[] = { { "offset", "Offset", EMIT_NUMBER },
                                                       { "length", "Bytes", EMIT_NUMBER },
                                                       { "cap", "Cap", EMIT_ANY },
                                                       { "start_ns", "Begun ms", EMIT_NS },
                                                       { "end_ns", "Closed ms", EMIT_NS },
                                                       { "events", "Events", EMIT_NUMBER },
                                                       { "skipped_bytes", "Skipped", EMIT_NUMBER },
                                                       { "damaged_at", NULL, EMIT_ANY },
                                                       { "state", "State", EMIT_TEXT } };
static const struct table_shape blocks_shape
    = { .key = "blocks", .title = "Blocks", TABLE_SHAPE_COLUMNS (block_columns) };

static void
put_summary (struct emitter *e, const char *log_name, const struct ghc_log_check *c)
{
  const struct ghc_log *log = &c->log;
  const bool any = log->damages != 0;
  emitter_open (e, "log", "Log");
  emitter_text (e, "name", "Name", log_name);
  emitter_text (e, "format", "Format", "ghc-eventlog");
  emitter_text (e, "state", "State", check_state (ghc_log_check_level (c)));
  emitter_ns (e, "duration_ns", "Duration", log->has_time ? log->last - log->first : 0);
  emitter_number (e, "bytes", "Bytes", log->bytes);
  emitter_number (e, "headers", log->headers > 1 ? "Headers" : NULL, log->headers);
  emitter_number (e, "event_types", "Event types", log->types);
  emitter_number (e, "caps", "Capabilities", c->caps);
  emitter_number (e, "blocks", "Blocks", log->blocks);
  emitter_number (e, "events", "Events", log->events);
  emitter_number (e, "lost_events", log->lost_events != 0 ? "Lost events" : NULL, log->lost_events);
  emitter_number (e, "damages", any ? "Damages" : NULL, log->damages);
  emitter_number (e, "damaged_blocks", any ? "Damaged blocks" : NULL, c->damaged_blocks);
  emitter_number (e, "skipped_bytes", any ? "Skipped bytes" : NULL, log->skipped_bytes);
  emitter_number (e, "missing_bytes", any ? "Missing bytes" : NULL, log->missing_bytes);
  emitter_truth (e, "truncated", any ? "Truncated" : NULL, log->truncated);
  emitter_close (e);
}

static void
put_findings (struct emitter *e, const struct ghc_log_check *c, const struct view *view)
{
  check_put_findings (e, view, c->damages, c->findings, ghc_finding_types, GHC_FINDINGS);
  check_put_more (e, c->log.damages, c->damages->len, "blocks");
}

static char *
state_of_block (const struct ghc_log_check *c, const struct ghc_check_block *b,
                struct emitter_any *at)
{
  if (b->damage == 0)
    return g_strdup (b->skipped != 0 ? "damaged" : b->events == 0 ? "empty" : "ok");
  const struct check_damage *d = &g_array_index (c->damages, struct check_damage, b->damage - 1);
  *at = (struct emitter_any){ EMIT_NUMBER, { .number = d->offset }, NULL };
  return g_strdup_printf ("damaged at %" G_GUINT64_FORMAT ": %s", d->offset, d->message);
}

/* The optional cells of a block. */
struct block_cells {
  struct emitter_any cap, at;
};

static void
put_blocks (struct emitter *e, const struct ghc_log_check *c, const struct view *view)
{
  struct table *t = table_new (&blocks_shape, view);
  struct block_cells *all = g_new (struct block_cells, c->blocks->len);
  for (guint i = 0; i < c->blocks->len; i++) {
    const struct ghc_check_block *b = &g_array_index (c->blocks, struct ghc_check_block, i);
    char *state = state_of_block (c, b, &all[i].at);
    all[i].cap = (struct emitter_any){ EMIT_NUMBER, { .number = b->cap }, NULL };
    table_add (t,
               (const union emitter_value[]){ { .number = b->offset },
                                              { .number = b->size },
                                              { .any = b->cap != GHC_NO_CAP ? &all[i].cap : NULL },
                                              { .number = b->start },
                                              { .number = b->end },
                                              { .number = b->events },
                                              { .number = b->skipped },
                                              { .any = b->damage != 0 ? &all[i].at : NULL },
                                              { .text = state } });
    g_free (state);
  }
  table_write (t, e);
  g_free (all);
}

void
ghc_check_write (struct emitter *e, const char *log_name, const struct ghc_log_check *c,
                 const struct view *view)
{
  emitter_begin (e, CHECK_SCHEMA);
  put_summary (e, log_name, c);
  put_findings (e, c, view);
  put_blocks (e, c, view);
  emitter_end (e);
}
