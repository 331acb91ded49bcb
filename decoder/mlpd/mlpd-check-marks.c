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
mlpd_reader_pass_marked (struct mlpd_reader *r, const struct mlpd_marked *last)
{
  r->verify.last = *last;
}

const struct mlpd_marked *
mlpd_reader_marked (const struct mlpd_reader *r)
{
  return &r->verify.last;
}

void
mlpd_begin_sum (struct mlpd_reader *r)
{
  r->verify.last.has_sum = r->buffer.length != 0;
  r->verify.last.offset = r->buffer_offset;
  content_sum_start (&r->verify.last.sum);
}

static enum step
emit_wrong_sum (struct mlpd_reader *r)
{
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                            "the buffer at offset %" G_GUINT64_FORMAT
                            " is not as it was written: its %" G_GUINT64_FORMAT
                            " bytes have the sum %014" G_GINT64_MODIFIER
                            "x, and its check mark states %014" G_GINT64_MODIFIER "x",
                            r->verify.last.offset, r->buffer_offset - r->verify.last.offset,
                            r->verify.found % MLPD_BASE_LIMIT, r->buffer.ptr_base);
  return mlpd_reader_emit_damage (r, false);
}

static enum step
emit_wrong_number (struct mlpd_reader *r, uint64_t before)
{
  mlpd_reader_begin_damage (r, MLPD_DAMAGE_CORRUPT,
                            "buffers before offset %" G_GUINT64_FORMAT
                            " are missing, or in another order: check mark %" G_GUINT64_FORMAT
                            " follows mark %" G_GUINT64_FORMAT,
                            r->verify.last.offset, r->buffer.method_base, before);
  return mlpd_reader_emit_damage (r, false);
}

enum step
mlpd_read_check (struct mlpd_reader *r)
{
  const struct mlpd_marked before = r->verify.last;
  const uint64_t number = r->buffer.method_base;
  r->state = STATE_BORDER;
  r->verify.last.has_sum = false;
  r->verify.last.number = number;
  if (!r->verify.is_on)
    return STEP_CONTINUE;
  if (before.has_sum && r->verify.found % MLPD_BASE_LIMIT != r->buffer.ptr_base)
    return emit_wrong_sum (r);
  if (!mlpd_marked_has_next (&before, number))
    return emit_wrong_number (r, before.number);
  return STEP_CONTINUE;
}
