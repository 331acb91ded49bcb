/* mlpd-reader.c -- reads a .mlpd log, one item after the other: selects the next step. */
#include "config.h"

#include "decoder/mlpd/mlpd-reader-private.h"

struct mlpd_reader *
mlpd_reader_new (void)
{
  struct mlpd_reader *reader = g_new0 (struct mlpd_reader, 1);
  input_buffer_init (&reader->input);
  return reader;
}

void
mlpd_reader_free (struct mlpd_reader *reader)
{
  if (reader == NULL)
    return;
  mlpd_decoder_clear (&reader->decoder);
  input_buffer_clear (&reader->input);
  g_free (reader->message);
  for (size_t i = 0; i < G_N_ELEMENTS (reader->header_texts); i++)
    g_free (reader->header_texts[i]);
  g_clear_error (&reader->error);
  g_free (reader);
}

void
mlpd_reader_set_byte_objects (struct mlpd_reader *reader, bool has_byte_objects)
{
  reader->has_byte_objects = has_byte_objects;
}

void
mlpd_reader_push (struct mlpd_reader *reader, const void *bytes, size_t length)
{
  g_return_if_fail (input_buffer_can_push (&reader->input));
  if (length != 0 && reader->state != STATE_END && reader->state != STATE_ERROR)
    input_buffer_push (&reader->input, bytes, length);
}

void
mlpd_reader_finish (struct mlpd_reader *reader)
{
  input_buffer_finish (&reader->input);
}

static enum step
step_border (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < ID_SIZE)
    return STEP_NEED_MORE;
  const uint32_t id = mlpd_id_at (r->input.at);
  if (id == MLPD_BUFFER_ID)
    return mlpd_read_buffer_header (r);
  if (id == MLPD_FILE_ID) {
    if (mlpd_reader_left (r) < MLPD_FILE_HEADER_SIZE)
      return STEP_NEED_MORE;
    if (mlpd_is_file_header (r->input.at))
      return mlpd_begin_other_log (r);
  }
  mlpd_reader_begin_damage (
      r, MLPD_DAMAGE_CORRUPT,
      "no buffer begins at offset %" G_GUINT64_FORMAT " (bytes %02x %02x %02x %02x)",
      r->input.offset, r->input.at[0], r->input.at[1], r->input.at[2], r->input.at[3]);
  mlpd_reader_consume (r, 1);
  r->state = STATE_SEARCH;
  return STEP_CONTINUE;
}

static enum step
run_step (void *reader)
{
  struct mlpd_reader *r = reader;
  switch (r->state) {
  case STATE_START:
    return mlpd_read_start (r);
  case STATE_NEWER:
    return mlpd_read_newer (r);
  case STATE_BORDER:
    return step_border (r);
  case STATE_EVENTS:
    return mlpd_read_event (r);
  case STATE_CHECK:
    return mlpd_read_check (r);
  case STATE_LOSS:
    return mlpd_read_loss (r);
  case STATE_SKIP:
    return mlpd_skip_rest_of_buffer (r);
  case STATE_DAMAGED:
    return mlpd_skip_damaged_buffer (r);
  case STATE_SEARCH:
    return mlpd_search_header (r);
  case STATE_OTHER:
    return mlpd_skip_other_log (r);
  case STATE_ENDING:
    return mlpd_read_ending (r);
  default:
    return r->state == STATE_END ? STEP_END : STEP_ERROR;
  }
}

enum proflog_result
mlpd_reader_next (struct mlpd_reader *reader, const struct mlpd_item **item)
{
  const enum proflog_result result
      = reader_run_steps (&reader->input, run_step, mlpd_read_input_end, reader);
  if (result == PROFLOG_EVENT)
    *item = &reader->item;
  return result;
}

void
mlpd_reader_skip_buffer (struct mlpd_reader *reader)
{
  if (reader->state == STATE_EVENTS)
    reader->state = STATE_SKIP;
}

bool
mlpd_reader_is_at_border (const struct mlpd_reader *reader)
{
  return reader->state == STATE_BORDER && mlpd_reader_left (reader) == 0
         && input_buffer_is_empty (&reader->input);
}

void
mlpd_reader_pass (struct mlpd_reader *reader, uint64_t length, bool end_mark)
{
  g_return_if_fail (mlpd_reader_is_at_border (reader));
  reader->input.offset += length;
  reader->end_is_settled = end_mark;
  reader->verify.last = (struct mlpd_marked){ .number = MLPD_MARK_UNKNOWN };
}

const GError *
mlpd_reader_error (const struct mlpd_reader *reader)
{
  return reader->error;
}
