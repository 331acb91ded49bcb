/* mlpd-read-header.c -- reads the file header of a .mlpd log; recognizes another log after it. */
#include "config.h"

#include "decoder/mlpd/mlpd-reader-private.h"
#include "decoder/mlpd/mlpd-origin.h"

#define HEADER_VERSIONS_SIZE 8 /* of the file header: id, versions, pointer size */

/* The texts of a header outlive the bytes that they were read from. */
static void
store_header (struct mlpd_reader *r, const struct mlpd_file_header *header)
{
  struct mlpd_string *texts[]
      = { &r->header.arguments, &r->header.architecture, &r->header.operating_system };
  G_STATIC_ASSERT (G_N_ELEMENTS (texts) == G_N_ELEMENTS (r->header_texts));
  r->header = *header;
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    if (texts[i]->text != NULL)
      r->header_texts[i] = g_strndup (texts[i]->text, texts[i]->length);
    texts[i]->text = r->header_texts[i];
  }
}

/* The log begins with the id of a file header. */
static enum step
mlpd_read_file_header (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < HEADER_VERSIONS_SIZE)
    return STEP_NEED_MORE;
  const unsigned version = r->input.at[6], pointer_size = r->input.at[7];
  if (version == 0)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_VERSION,
                             "the log at offset %" G_GUINT64_FORMAT
                             " is of data version 0; there are 1 to %d",
                             r->input.offset, MLPD_VERSION_LAST);
  if (pointer_size != 4 && pointer_size != 8)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                             "the log at offset %" G_GUINT64_FORMAT
                             " has pointers of %u bytes; 4 and 8 are possible",
                             r->input.offset, pointer_size);
  struct cursor c = cursor_over (r->input.at, mlpd_reader_left (r));
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  if (c.error == CURSOR_SHORT)
    return STEP_NEED_MORE;
  if (c.error != CURSOR_OK)
    return mlpd_reader_fail (r, PROFLOG_READ_ERROR_NOT_A_LOG,
                             "the header at offset %" G_GUINT64_FORMAT
                             " has a text that is longer than %d bytes or does not end",
                             r->input.offset, MLPD_HEADER_STRING_MAX);
  header.has_byte_objects = r->has_byte_objects && version == 1;
  store_header (r, &header);
  mlpd_decoder_start_file (&r->decoder, &r->header);
  r->has_header = true;
  r->state = version > MLPD_VERSION_LAST || header.major > MAJOR_MAX ? STATE_NEWER : STATE_BORDER;
  const uint64_t offset = r->input.offset;
  r->version_offset = offset + (version > MLPD_VERSION_LAST ? 6 : 4);
  const size_t size = (size_t) (c.at - r->input.at);
  mlpd_reader_consume (r, size);
  return mlpd_reader_emit (r, MLPD_ITEM_FILE_HEADER, offset, size, false);
}

enum step
mlpd_read_start (struct mlpd_reader *r)
{
  if (mlpd_reader_left (r) < ID_SIZE)
    return STEP_NEED_MORE;
  if (mlpd_id_at (r->input.at) != MLPD_FILE_ID)
    return mlpd_reader_fail (
        r, PROFLOG_READ_ERROR_NOT_A_LOG,
        "not a profiler log: it begins with the bytes %02x %02x %02x %02x, a log of Mono "
        "with 01 5a 50 4d, an eventlog of GHC with 68 64 72 62",
        r->input.at[0], r->input.at[1], r->input.at[2], r->input.at[3]);
  return mlpd_read_file_header (r);
}

enum step
mlpd_read_newer (struct mlpd_reader *r)
{
  mlpd_reader_begin_damage (
      r, MLPD_DAMAGE_UNKNOWN,
      "the log is of profiler version %u.%u, data version %u; known are profiler versions "
      "0 to %d and data versions 1 to %d: it is read as the last of these, and buffers "
      "with events that do not fit are skipped",
      r->header.major, r->header.minor, r->header.data_version, MAJOR_MAX, MLPD_VERSION_LAST);
  r->state = STATE_BORDER;
  mlpd_reader_emit_damage (r, false);
  r->item.offset = r->version_offset; /* it is not where the reader is */
  return STEP_ITEM;
}

enum step
mlpd_begin_other_log (struct mlpd_reader *r)
{
  if (mlpd_lacks_end_mark (r))
    return mlpd_emit_no_end_mark (r);
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_OTHER_LOG,
                            "another log begins at offset %" G_GUINT64_FORMAT
                            "; it and everything after it are not "
                            "read: split concatenated logs first (tail -c +%" G_GUINT64_FORMAT ")",
                            r->input.offset, r->input.offset + 1);
  r->state = STATE_OTHER;
  return STEP_CONTINUE;
}

enum step
mlpd_skip_other_log (struct mlpd_reader *r)
{
  mlpd_reader_consume (r, mlpd_reader_left (r));
  return STEP_NEED_MORE;
}
