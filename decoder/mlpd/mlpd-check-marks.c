/* mlpd-check-marks.c -- the sums of buffers, in the reader. */
#include "config.h"

#include "decoder/mlpd/mlpd-check-marks.h"
#include "decoder/mlpd/mlpd-reader-private.h"

void
mlpd_reader_verify (struct mlpd_reader *r)
{
  r->verify.is_on = true;
}

void
mlpd_begin_sum (struct mlpd_reader *r)
{
  r->verify.has_sum = r->buffer.length != 0;
  r->verify.offset = r->buffer_offset;
  content_sum_start (&r->verify.sum);
}

static enum step
emit_wrong_sum (struct mlpd_reader *r, uint64_t sum)
{
  mlpd_reader_begin_damage (
      r, MLPD_DAMAGE_CORRUPT,
      "the buffer at offset %" G_GUINT64_FORMAT " is not as it was written: its %" G_GUINT64_FORMAT
      " bytes have the sum %014" G_GINT64_MODIFIER
      "x, and its check mark states %014" G_GINT64_MODIFIER "x",
      r->verify.offset, r->buffer_offset - r->verify.offset, sum, r->buffer.ptr_base);
  return mlpd_reader_emit_damage (r, false);
}

static enum step
emit_wrong_number (struct mlpd_reader *r, uint64_t before)
{
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                            "buffers before offset %" G_GUINT64_FORMAT
                            " are missing, or in another order: check mark %" G_GUINT64_FORMAT
                            " follows mark %" G_GUINT64_FORMAT,
                            r->verify.offset, r->buffer.method_base, before);
  return mlpd_reader_emit_damage (r, false);
}

/* Each file of a log, and each reader's log, begins with number 1. */
enum step
mlpd_read_check (struct mlpd_reader *r)
{
  const uint64_t number = r->buffer.method_base, before = r->verify.number;
  const uint64_t sum = r->verify.found % MLPD_BASE_LIMIT;
  const bool had_sum = r->verify.has_sum;
  r->state = STATE_BORDER;
  r->verify.has_sum = false;
  r->verify.number = number;
  if (!r->verify.is_on)
    return STEP_CONTINUE;
  if (had_sum && sum != r->buffer.ptr_base)
    return emit_wrong_sum (r, sum);
  if (before != MARK_UNKNOWN && number != before + 1 && number != 1)
    return emit_wrong_number (r, before);
  return STEP_CONTINUE;
}
