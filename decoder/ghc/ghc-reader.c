/* ghc-reader.c -- the states of the reader of eventlogs, and its interface.
 *
 * The reader inspects the log through a window (input-buffer.h).  Each state has a step function,
 * which yields an item, goes on to another state or reports that the window is too short for a
 * decision. The decision of a step must not depend on where the window happens to end.
 */
#include "config.h"

#include "decoder/ghc/ghc-reader-private.h"

/* ---- input ---- */

struct ghc_reader *
ghc_reader_new (void)
{
  struct ghc_reader *reader = g_new0 (struct ghc_reader, 1);
  input_buffer_init (&reader->input);
  return reader;
}

void
ghc_reader_free (struct ghc_reader *reader)
{
  if (reader == NULL)
    return;
  ghc_types_clear (&reader->types);
  ghc_types_clear (&reader->next);
  input_buffer_clear (&reader->input);
  g_free (reader->message);
  g_clear_error (&reader->error);
  g_free (reader);
}

void
ghc_reader_push (struct ghc_reader *reader, const void *bytes, size_t length)
{
  g_return_if_fail (input_buffer_can_push (&reader->input));
  if (length != 0 && reader->state != STATE_END && reader->state != STATE_ERROR)
    input_buffer_push (&reader->input, bytes, length);
}

void
ghc_reader_finish (struct ghc_reader *reader)
{
  input_buffer_finish (&reader->input);
}

/* ---- the end ---- */

static enum step
emit_truncated (struct ghc_reader *r, uint64_t from, const char *what, uint64_t missing)
{
  const uint64_t end = r->input.offset + ghc_left (r);
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
  return ghc_emit_damage (r);
}

/* How many bytes the event lacks that is in the window, or its block. */
static uint64_t
missing_bytes (const struct ghc_reader *r)
{
  const uint64_t end = r->input.offset + ghc_left (r);
  if (end < r->block_end)
    return r->block_end - end;
  struct ghc_event_head head;
  if (ghc_left (r) < sizeof (uint16_t))
    return 0;
  switch (ghc_head_at (r, 0, &head)) {
  case GHC_HEAD_UNDECLARED:
    return 0;
  case GHC_HEAD_READ:
    return head.size - ghc_left (r);
  default:
    return (r->types.forms[head.tag] & ~(uint32_t) GHC_FORM_VARIES) - ghc_left (r);
  }
}

/* ---- steps of states whose window is too short, and nothing will follow ---- */

static enum step
start_ended (struct ghc_reader *r)
{
  if (ghc_left (r) < GHC_ID_SIZE)
    return ghc_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                     "not a GHC eventlog: it has %" G_GSIZE_FORMAT " bytes", ghc_left (r));
  return emit_truncated (r, r->input.offset, "its header", 0);
}

static enum step
types_ended (struct ghc_reader *r)
{
  if (r->has_header && ghc_ends_with_mark (r))
    return ghc_refuse_header (r, "it has no end, though the log has");
  return emit_truncated (r, r->header_offset, "a header", 0);
}

static enum step
events_ended (struct ghc_reader *r)
{
  if (ghc_left (r) != 0)
    return emit_truncated (r, r->input.offset, "an event", missing_bytes (r));
  r->state = STATE_ENDING;
  return STEP_CONTINUE;
}

static enum step
skip_ended (struct ghc_reader *r)
{
  return emit_truncated (r, r->input.offset, "a block", missing_bytes (r));
}

static enum step
after_end_ended (struct ghc_reader *r)
{
  if (ghc_left (r) != 0)
    return emit_truncated (r, r->input.offset, "what comes before another header", 0);
  r->state = STATE_ENDING;
  return STEP_CONTINUE;
}

static enum step
resync_ended (struct ghc_reader *r)
{
  ghc_consume (r, ghc_left (r));
  r->is_closed = true; /* no one knows */
  r->state = STATE_ENDING;
  return ghc_emit_damage (r);
}

/* ---- steps ---- */

static enum step
step_ending (struct ghc_reader *r)
{
  r->state = STATE_END;
  if (r->is_closed)
    return STEP_CONTINUE;
  const uint64_t missing = r->block_end > r->input.offset ? r->block_end - r->input.offset : 0;
  ghc_begin_damage (r, GHC_DAMAGE_TRUNCATED,
                    "the log has no end mark at offset %" G_GUINT64_FORMAT
                    ": the program was killed or the log was cut; how much is missing is unknown",
                    r->input.offset);
  r->damage.missing = missing;
  return ghc_emit_damage (r);
}

/* The window has a block to its end: are its last bytes the end mark, and not some event's?  Then
 * nothing follows, or another log. */
static enum plausibility
ends_log (const struct ghc_reader *r, size_t block)
{
  if (block < 2 || proflog_be16 (r->input.at + block - 2) != GHC_DATA_END)
    return PLAUSIBLE_NO;
  if (ghc_left (r) == block)
    return input_buffer_is_last (&r->input) ? PLAUSIBLE_YES : PLAUSIBLE_NEED_MORE;
  const enum plausibility header = ghc_is_header (r, block);
  return header == PLAUSIBLE_NO ? ghc_is_header (r, block + GHC_BLOCK_MARKER_SIZE) : header;
}

/* In a block that is skipped. */
static enum step
step_skip (struct ghc_reader *r)
{
  const uint64_t rest = r->block_end - r->input.offset;
  if (ghc_left (r) < rest) {
    if (ghc_left (r) > 2) /* there may be an end mark */
      ghc_consume (r, ghc_left (r) - 2);
    return STEP_NEED_MORE;
  }
  const enum plausibility plausible = ends_log (r, (size_t) rest);
  if (plausible == PLAUSIBLE_NEED_MORE)
    return STEP_NEED_MORE;
  ghc_consume (r, (size_t) rest - (plausible == PLAUSIBLE_YES ? 2 : 0));
  r->state = STATE_EVENTS;
  return STEP_CONTINUE;
}

void
ghc_reader_skip_block (struct ghc_reader *reader)
{
  if (reader->state == STATE_EVENTS && reader->input.offset < reader->block_end)
    reader->state = STATE_SKIP;
}

bool
ghc_reader_skip_to (struct ghc_reader *reader, uint64_t offset)
{
  struct input_buffer *const input = &reader->input;
  if (reader->state != STATE_SKIP || !input_buffer_can_push (input)
      || input->offset + ghc_left (reader) > offset)
    return false;
  ghc_consume (reader, ghc_left (reader));
  input_buffer_retain (input);
  input->offset = reader->block_end = offset;
  reader->state = STATE_EVENTS;
  return true;
}

static enum step
step_end (struct ghc_reader *r)
{
  (void) r;
  return STEP_END;
}

static enum step
step_error (struct ghc_reader *r)
{
  (void) r;
  return STEP_ERROR;
}

/* The steps of each state: with its window, and when that is too short at the end of the input. */
static const struct {
  enum step (*step) (struct ghc_reader *r);
  enum step (*ended) (struct ghc_reader *r);
} states[] = {
  [STATE_START] = { ghc_step_start, start_ended },
  [STATE_TYPES] = { ghc_step_types, types_ended },
  [STATE_EVENTS] = { ghc_step_events, events_ended },
  [STATE_SKIP] = { step_skip, skip_ended },
  [STATE_AFTER_END] = { ghc_step_after_end, after_end_ended },
  [STATE_RESYNC] = { ghc_step_resync, resync_ended },
  /* These need no bytes. */
  [STATE_ENDING] = { step_ending, NULL },
  [STATE_END] = { step_end, NULL },
  [STATE_ERROR] = { step_error, NULL },
};

static enum step
run_step (void *reader)
{
  struct ghc_reader *r = reader;
  return states[r->state].step (r);
}

static enum step
step_input_ended (void *reader)
{
  struct ghc_reader *r = reader;
  return states[r->state].ended (r);
}

enum proflog_result
ghc_reader_next (struct ghc_reader *reader, const struct ghc_item **item)
{
  const enum proflog_result result
      = ghc_take_event (reader)
            ? PROFLOG_EVENT
            : reader_run_steps (&reader->input, run_step, step_input_ended, reader);
  if (result == PROFLOG_EVENT)
    *item = &reader->item;
  return result;
}

bool
ghc_reader_is_at_border (const struct ghc_reader *reader)
{
  return reader->state == STATE_EVENTS && reader->input.offset >= reader->block_end
         && !reader->is_stray && ghc_left (reader) == 0 && input_buffer_is_empty (&reader->input);
}

void
ghc_reader_pass (struct ghc_reader *reader, uint64_t length)
{
  g_return_if_fail (ghc_reader_is_at_border (reader));
  reader->input.offset += length;
}

const GError *
ghc_reader_error (const struct ghc_reader *reader)
{
  return reader->error;
}
