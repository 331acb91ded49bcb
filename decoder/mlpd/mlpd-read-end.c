/* mlpd-read-end.c -- the end of a .mlpd log: complete, or inside a header, a buffer or an event. */
#include "config.h"

#include "decoder/mlpd/mlpd-reader-private.h"
#include "decoder/mlpd/mlpd-origin.h"

bool
mlpd_lacks_end_mark (const struct mlpd_reader *r)
{
  return r->has_header && mlpd_header_is_ours (&r->header) && !r->end_is_settled;
}

enum step
mlpd_emit_no_end_mark (struct mlpd_reader *r)
{
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_TRUNCATED,
                            "the log has no end mark at offset %" G_GUINT64_FORMAT
                            ": the program was killed "
                            "or the log was cut; how much is missing is unknown",
                            r->input.offset);
  r->end_is_settled = true;
  return mlpd_reader_emit_damage (r, false);
}

static enum step
emit_truncated (struct mlpd_reader *r, const char *what, const char *least, uint64_t missing,
                bool in_buffer)
{
  const uint64_t bytes = mlpd_reader_left (r);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_TRUNCATED,
                            "the log ends at offset %" G_GUINT64_FORMAT
                            " inside %s: %s%" G_GUINT64_FORMAT " bytes are missing there",
                            r->input.offset + bytes, what, least, missing);
  r->damage.missing = missing;
  mlpd_reader_consume (r, bytes);
  r->end_is_settled = true;
  r->state = STATE_ENDING;
  return mlpd_reader_emit_damage (r, in_buffer);
}

/* How many bytes a file header lacks that ends with the window: as many as are needed if what is
 * not there is 0.  It may be more: of a text, the length may be missing. */
static enum step
emit_truncated_file_header (struct mlpd_reader *r)
{
  /* All texts but the one that is cut are there, or count as empty. */
  const size_t bytes = mlpd_reader_left (r),
               room = 2 * MLPD_FILE_HEADER_SIZE + MLPD_HEADER_STRING_MAX;
  uint8_t *whole = g_malloc0 (bytes + room);
  struct cursor c = cursor_over (whole, bytes + room);
  struct mlpd_file_header header;
  memcpy (whole, r->input.at, bytes);
  mlpd_decode_file_header (&c, &header);
  const size_t size = (size_t) (c.at - whole);
  const bool has_texts = header.major != 0 || bytes <= ID_SIZE;
  g_free (whole);
  return emit_truncated (r, "a file header", has_texts ? "at least " : "",
                         size > bytes ? size - bytes : 0, false);
}

/* The input ended where a header should be, or in one. */
static enum step
end_in_header (struct mlpd_reader *r)
{
  static const uint8_t buffer_id[ID_SIZE] = { 0x01, 0x4c, 0x50, 0x4d };
  static const uint8_t file_id[ID_SIZE] = { 0x01, 0x5a, 0x50, 0x4d };
  const size_t bytes = mlpd_reader_left (r);
  const size_t compared = MIN (bytes, ID_SIZE);
  if (r->state == STATE_START && bytes < ID_SIZE)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                             "not a profiler log: it has %" G_GSIZE_FORMAT
                             " bytes, the shortest log has %d",
                             bytes, MLPD_FILE_HEADER_SIZE);
  if (bytes == 0) {
    r->state = STATE_ENDING;
    return STEP_CONTINUE;
  }
  if (r->state == STATE_BORDER && memcmp (r->input.at, buffer_id, compared) == 0)
    return emit_truncated (r, "the header of a buffer", "", MLPD_BUFFER_HEADER_SIZE - bytes, false);
  if (memcmp (r->input.at, file_id, compared) == 0)
    return emit_truncated_file_header (r);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                            "no buffer begins at offset %" G_GUINT64_FORMAT
                            ", where the last %" G_GSIZE_FORMAT " bytes are",
                            r->input.offset, bytes);
  mlpd_reader_consume (r, bytes);
  r->state = STATE_ENDING;
  return mlpd_reader_emit_damage (r, false);
}

enum step
mlpd_read_input_end (void *reader)
{
  struct mlpd_reader *r = reader;
  switch (r->state) {
  case STATE_START:
  case STATE_BORDER:
    return end_in_header (r);
  case STATE_EVENTS:
  case STATE_SKIP:
    return emit_truncated (r, mlpd_reader_left (r) != 0 ? "an event" : "a buffer", "",
                           r->buffer_left - mlpd_reader_left (r), true);
  case STATE_DAMAGED:
    r->state = STATE_SKIP; /* the truncation is reported next */
    return mlpd_reader_emit_damage (r, true);
  case STATE_SEARCH:
  case STATE_OTHER:
    mlpd_reader_consume (r, mlpd_reader_left (r));
    r->state = STATE_ENDING;
    return mlpd_reader_emit_damage (r, false);
  default:
    r->state = STATE_END;
    return STEP_CONTINUE;
  }
}

enum step
mlpd_read_ending (struct mlpd_reader *r)
{
  if (mlpd_lacks_end_mark (r))
    return mlpd_emit_no_end_mark (r);
  r->state = STATE_END;
  return STEP_CONTINUE;
}
