/* mlpd-read-buffer.c -- reads the buffers of a .mlpd log: their headers, events and damage. */
#include "config.h"

#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-reader-private.h"

enum step
mlpd_read_buffer_header (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < MLPD_BUFFER_HEADER_SIZE)
    return STEP_NEED_MORE;
  struct cursor c = cursor_over (r->input.at, MLPD_BUFFER_HEADER_SIZE);
  mlpd_decode_buffer_header (&c, &r->buffer);
  mlpd_decoder_start_buffer (&r->decoder, &r->buffer);
  r->buffer_offset = r->input.offset;
  r->buffer_left = r->buffer.length;
  r->end_is_settled = mlpd_is_end_mark (&r->buffer);
  const bool is_check = mlpd_is_check_mark (&r->buffer);
  r->state = is_check ? STATE_CHECK : mlpd_is_loss_mark (&r->buffer) ? STATE_LOSS : STATE_EVENTS;
  if (is_check)
    r->verify.found = content_sum_get (&r->verify.last.sum);
  else
    mlpd_begin_sum (r);
  mlpd_reader_consume (r, MLPD_BUFFER_HEADER_SIZE);
  return mlpd_reader_emit (r, MLPD_ITEM_BUFFER, r->buffer_offset, MLPD_BUFFER_HEADER_SIZE, true);
}

enum step
mlpd_read_loss (struct mlpd_reader *r)
{
  enum { ERRNO_MAX = 4095 };
  const uint64_t lost = r->buffer.ptr_base;
  const int error = (int) MIN (r->buffer.method_base, ERRNO_MAX);
  char *message = mlpd_loss_message (lost, error);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_LOST, "%s", message);
  g_free (message);
  r->damage.lost = lost;
  r->damage.error = error;
  r->state = STATE_BORDER;
  return mlpd_reader_emit_damage (r, false);
}

/* What is damaged in a buffer goes to its end, except if another buffer or log begins right
 * where an event should: then the length in the header was wrong. */
static enum step
damage_buffer (struct mlpd_reader *r, enum mlpd_decode_result result)
{
  const uint64_t end = r->input.offset + r->buffer_left;
  const unsigned byte = r->input.at[0];
  const enum mlpd_found header = mlpd_find_header (r);
  if (header == FOUND_SHORT)
    return STEP_NEED_MORE;
  if (header == FOUND_HEADER) {
    mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                              "the buffer at offset %" G_GUINT64_FORMAT
                              " should end at %" G_GUINT64_FORMAT
                              ", but something else begins at %" G_GUINT64_FORMAT,
                              r->buffer_offset, end, r->input.offset);
    r->state = STATE_BORDER;
    return mlpd_reader_emit_damage (r, true);
  }
  if (result == MLPD_DECODE_UNKNOWN)
    mlpd_reader_begin_damage (
        r, MLPD_DAMAGE_UNKNOWN,
        "data version %u has no event such as the one at offset %" G_GUINT64_FORMAT
        " (byte 0x%02x); its buffer ends at %" G_GUINT64_FORMAT,
        r->header.data_version, r->input.offset, byte, end);
  else if (result == MLPD_DECODE_MALFORMED)
    mlpd_reader_begin_damage (
        r, MLPD_DAMAGE_CORRUPT,
        "the event at offset %" G_GUINT64_FORMAT " (byte 0x%02x) has a number that "
        "is too large%s; its buffer ends at %" G_GUINT64_FORMAT,
        r->input.offset, byte,
        (byte & 0x0f) == MLPD_TYPE_SAMPLE ? ", or a counter of an unknown type" : "", end);
  else if (r->buffer_left > MLPD_EVENT_BYTES_MAX)
    mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                              "the event at offset %" G_GUINT64_FORMAT
                              " (byte 0x%02x) is longer than %u bytes; its buffer ends at "
                              "%" G_GUINT64_FORMAT,
                              r->input.offset, byte, MLPD_EVENT_BYTES_MAX, end);
  else
    mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                              "the event at offset %" G_GUINT64_FORMAT
                              " (byte 0x%02x) runs over the end of its buffer at "
                              "%" G_GUINT64_FORMAT,
                              r->input.offset, byte, end);
  r->state = STATE_DAMAGED;
  return STEP_CONTINUE;
}

/* Was the event decoded by what follows it, of which more is to come? */
static bool
needs_rest_of_buffer (const struct mlpd_reader *r)
{
  return r->decoder.bases.version == 1
         && (r->item.kind == MLPD_METADATA_ASSEMBLY || r->item.kind == MLPD_METADATA_DOMAIN);
}

enum step
mlpd_read_event (struct mlpd_reader *r)
{
  if (r->buffer_left == 0) {
    r->state = STATE_BORDER;
    return STEP_CONTINUE;
  }
  const uint64_t room = MIN (r->buffer_left, MLPD_EVENT_BYTES_MAX);
  const size_t length = (size_t) MIN (mlpd_reader_left (r), room);
  const uint64_t time = r->decoder.bases.time;
  struct cursor c = cursor_over (r->input.at, length);
  r->decoder.is_cut = length < room;
  const enum mlpd_decode_result result = mlpd_decode_event (&r->decoder, &c, &r->item.kind);
  if (result == MLPD_DECODE_SHORT && length < room)
    return STEP_NEED_MORE;
  if (result == MLPD_DECODED && length < room && needs_rest_of_buffer (r)
      && !input_buffer_is_last (&r->input)) {
    r->decoder.bases.time = time;
    return STEP_NEED_MORE;
  }
  if (result != MLPD_DECODED)
    return damage_buffer (r, result);
  const size_t size = (size_t) (c.at - r->input.at);
  const uint64_t offset = r->input.offset;
  mlpd_reader_consume (r, size);
  r->buffer_left -= size;
  mlpd_reader_emit (r, MLPD_ITEM_EVENT, offset, size, true);
  r->item.payload = &r->decoder.payload;
  return STEP_ITEM;
}

/* Skips the rest of the buffer; true when it is after. */
static bool
pass_buffer (struct mlpd_reader *r)
{
  const size_t bytes = (size_t) MIN (mlpd_reader_left (r), r->buffer_left);
  mlpd_reader_consume (r, bytes);
  r->buffer_left -= bytes;
  return r->buffer_left == 0;
}

enum step
mlpd_skip_rest_of_buffer (struct mlpd_reader *r)
{
  if (!pass_buffer (r))
    return STEP_NEED_MORE;
  r->state = STATE_BORDER;
  return STEP_CONTINUE;
}

enum step
mlpd_skip_damaged_buffer (struct mlpd_reader *r)
{
  if (!pass_buffer (r))
    return STEP_NEED_MORE;
  r->state = STATE_BORDER;
  return mlpd_reader_emit_damage (r, true);
}
