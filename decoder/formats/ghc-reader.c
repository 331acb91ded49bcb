/* ghc-reader.c -- see ghc-reader.h.
 *
 * The reader looks at the log through a window (window.h).  Each state has a step function, which
 * yields an item, goes on to another state or says that the window is too short for a decision.
 * What a step decides must not depend on where the window happens to end.
 */
#include "decoder/formats/ghc-reading.h"
#include "decoder/formats/ghc-span.h"

/* ---- input ---- */

struct ghc_reader *
ghc_reader_new (void)
{
  struct ghc_reader *reader = g_new0 (struct ghc_reader, 1);
  window_init (&reader->window);
  return reader;
}

void
ghc_reader_free (struct ghc_reader *reader)
{
  if (reader == NULL)
    return;
  ghc_types_clear (&reader->types);
  ghc_types_clear (&reader->next);
  window_clear (&reader->window);
  g_free (reader->message);
  g_clear_error (&reader->error);
  g_free (reader);
}

void
ghc_reader_push (struct ghc_reader *reader, const void *bytes, size_t length)
{
  g_return_if_fail (window_wants (&reader->window));
  if (length != 0 && reader->state != STATE_END && reader->state != STATE_ERROR)
    window_push (&reader->window, bytes, length);
}

void
ghc_reader_finish (struct ghc_reader *reader)
{
  window_finish (&reader->window);
}

/* ---- items ---- */

enum step
ghc_give (struct ghc_reader *r, enum ghc_item_type type, uint64_t offset, uint64_t size)
{
  r->item = (struct ghc_item){
    .type = type,
    .offset = offset,
    .size = size,
    .header = r->has_header ? &r->header : NULL,
    .in_block = offset < r->block_end,
    .cap = GHC_NO_CAP,
    .kind = GHC_UNKNOWN,
  };
  return STEP_ITEM;
}

void
ghc_begin_damage (struct ghc_reader *r, enum ghc_damage_reason reason, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (r->message);
  r->message = g_strdup_vprintf (format, args);
  va_end (args);
  r->damage_offset = r->window.offset;
  r->damage = (struct ghc_damage){ .reason = reason };
  r->walked = 0;
}

enum step
ghc_give_damage (struct ghc_reader *r)
{
  r->damage.skipped = r->window.offset - r->damage_offset;
  r->damage.message = r->message;
  ghc_give (r, GHC_ITEM_DAMAGE, r->damage_offset, r->damage.skipped);
  r->item.damage = &r->damage;
  return STEP_ITEM;
}

enum step
ghc_search (struct ghc_reader *r)
{
  ghc_consume (r, 1);
  r->state = STATE_SEARCH;
  return STEP_GO_ON;
}

enum step
ghc_fail (struct ghc_reader *r, enum proflog_read_error code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  r->error = g_error_new_valist (PROFLOG_READ_ERROR, (gint) code, format, args);
  va_end (args);
  r->state = STATE_ERROR;
  return STEP_GO_ON;
}

/* ---- the end ---- */

static enum step
give_truncated (struct ghc_reader *r, uint64_t from, const char *what, uint64_t missing)
{
  const uint64_t end = r->window.offset + ghc_left (r);
  if (missing != 0)
    ghc_begin_damage (r, GHC_DAMAGE_TRUNCATED,
                      "the log ends at offset %" G_GUINT64_FORMAT " inside %s: %" G_GUINT64_FORMAT
                      " bytes are missing there",
                      end, what, missing);
  else
    ghc_begin_damage (r, GHC_DAMAGE_TRUNCATED,
                      "the log ends at offset %" G_GUINT64_FORMAT " inside %s", end, what);
  r->damage_offset = from;
  r->damage.missing = missing;
  ghc_consume (r, ghc_left (r));
  r->is_closed = true;
  r->state = STATE_ENDING;
  return ghc_give_damage (r);
}

/* How many bytes the event lacks that is in the window, or its block. */
static uint64_t
missing_bytes (const struct ghc_reader *r)
{
  const uint64_t end = r->window.offset + ghc_left (r);
  if (end < r->block_end)
    return r->block_end - end;
  const struct ghc_event_type *type
      = ghc_left (r) >= 2 ? ghc_types_find (&r->types, (unsigned) ghc_number_at (r->window.at, 2))
                          : NULL;
  if (type == NULL)
    return 0;
  const size_t head = GHC_EVENT_HEADER_SIZE + (type->size == GHC_VARIABLE ? GHC_LENGTH_SIZE : 0);
  if (ghc_left (r) < head)
    return head - ghc_left (r) + (type->size == GHC_VARIABLE ? 0 : type->real_size);
  return ghc_size_at (r->window.at, type) - ghc_left (r);
}

/* What is left in the window is all there will be, and too little for the state's step. */
static enum step
step_input_ended (void *reader)
{
  struct ghc_reader *r = reader;
  switch (r->state) {
  case STATE_START:
    if (ghc_left (r) < GHC_ID_SIZE)
      return ghc_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                       "not a GHC eventlog: it has %" G_GSIZE_FORMAT " bytes", ghc_left (r));
    return give_truncated (r, r->window.offset, "its header", 0);
  case STATE_TYPES:
    if (r->has_header && ghc_ends_with_mark (r))
      return ghc_refuse_header (r, "it has no end, though the log has");
    return give_truncated (r, r->header_offset, "a header", 0);
  case STATE_EVENTS:
    if (ghc_left (r) == 0) {
      r->state = STATE_ENDING;
      return STEP_GO_ON;
    }
    return give_truncated (r, r->window.offset, "an event", missing_bytes (r));
  case STATE_SKIP:
    return give_truncated (r, r->window.offset, "a block", missing_bytes (r));
  case STATE_BEHIND:
    if (ghc_left (r) != 0)
      return give_truncated (r, r->window.offset, "what comes before another header", 0);
    r->state = STATE_ENDING;
    return STEP_GO_ON;
  case STATE_SEARCH:
    ghc_consume (r, ghc_left (r));
    r->is_closed = true; /* nobody knows */
    r->state = STATE_ENDING;
    return ghc_give_damage (r);
  default:
    r->state = STATE_END;
    return STEP_GO_ON;
  }
}

static enum step
step_ending (struct ghc_reader *r)
{
  r->state = STATE_END;
  if (r->is_closed)
    return STEP_GO_ON;
  const uint64_t missing = r->block_end > r->window.offset ? r->block_end - r->window.offset : 0;
  ghc_begin_damage (r, GHC_DAMAGE_TRUNCATED,
                    "the log has no end mark at offset %" G_GUINT64_FORMAT
                    ": the program was killed "
                    "or the log was cut; how much is missing cannot be told",
                    r->window.offset);
  r->damage.missing = missing;
  return ghc_give_damage (r);
}

/* The window has a block to its end: are its last bytes the end mark, and not some event's?  Then
 * nothing follows, or another log. */
static enum sense
ends_log (const struct ghc_reader *r, size_t block)
{
  if (block < 2 || ghc_number_at (r->window.at + block - 2, 2) != GHC_DATA_END)
    return SENSE_NO;
  if (ghc_left (r) == block)
    return window_is_last (&r->window) ? SENSE_YES : SENSE_SHORT;
  const enum sense header = ghc_is_header (r, block);
  return header == SENSE_NO ? ghc_is_header (r, block + GHC_BLOCK_MARKER_SIZE) : header;
}

/* In a block that is passed over. */
static enum step
step_skip (struct ghc_reader *r)
{
  const uint64_t rest = r->block_end - r->window.offset;
  if (ghc_left (r) < rest) {
    if (ghc_left (r) > 2) /* there may be an end mark */
      ghc_consume (r, ghc_left (r) - 2);
    return STEP_SHORT;
  }
  const enum sense sense = ends_log (r, (size_t) rest);
  if (sense == SENSE_SHORT)
    return STEP_SHORT;
  ghc_consume (r, (size_t) rest - (sense == SENSE_YES ? 2 : 0));
  r->state = STATE_EVENTS;
  return STEP_GO_ON;
}

void
ghc_reader_skip_block (struct ghc_reader *reader)
{
  if (reader->state == STATE_EVENTS && reader->window.offset < reader->block_end)
    reader->state = STATE_SKIP;
}

static enum step
take_step (void *reader)
{
  struct ghc_reader *r = reader;
  switch (r->state) {
  case STATE_START:
    return ghc_step_start (r);
  case STATE_TYPES:
    return ghc_step_types (r);
  case STATE_EVENTS:
    return ghc_step_events (r);
  case STATE_SKIP:
    return step_skip (r);
  case STATE_BEHIND:
    return ghc_step_behind (r);
  case STATE_SEARCH:
    return ghc_step_search (r);
  case STATE_ENDING:
    return step_ending (r);
  default:
    return r->state == STATE_END ? STEP_END : STEP_ERROR;
  }
}

enum proflog_result
ghc_reader_next (struct ghc_reader *reader, const struct ghc_item **item)
{
  const enum proflog_result result
      = steps_take (&reader->window, take_step, step_input_ended, reader);
  if (result == PROFLOG_EVENT)
    *item = &reader->item;
  return result;
}

bool
ghc_reader_is_at_border (const struct ghc_reader *reader)
{
  return reader->state == STATE_EVENTS && reader->window.offset >= reader->block_end
         && !reader->is_stray && ghc_left (reader) == 0 && window_is_empty (&reader->window);
}

void
ghc_reader_pass (struct ghc_reader *reader, uint64_t length)
{
  g_return_if_fail (ghc_reader_is_at_border (reader));
  reader->window.offset += length;
}

const GError *
ghc_reader_error (const struct ghc_reader *reader)
{
  return reader->error;
}

bool
ghc_span_of (const struct ghc_reader *reader, struct ghc_span *span)
{
  const struct window *w = &reader->window;
  if (reader->state != STATE_EVENTS || w->offset >= reader->block_end || reader->latest == 0
      || ghc_left (reader) == 0)
    return false;
  *span = (struct ghc_span){
    .at = w->at,
    .end = w->at + MIN (ghc_left (reader), reader->block_end - w->offset),
    .offset = w->offset,
    .cap = reader->cap,
    .earliest = reader->earliest,
    .latest = reader->latest,
    .last = reader->last,
    .before = reader->before,
  };
  return true;
}

void
ghc_span_pass (struct ghc_reader *reader, const struct ghc_span *span)
{
  ghc_consume (reader, (size_t) (span->at - reader->window.at));
  reader->last = span->last;
  reader->before = span->before;
}
