/* mlpd-span.c -- gives out the events of a buffer that a reader has at hand. */
#include "config.h"

#include "decoder/mlpd/mlpd-span.h"

#include "decoder/mlpd/mlpd-bulk.h"
#include "decoder/mlpd/mlpd-reader-private.h"

uint64_t
mlpd_reader_offset (const struct mlpd_reader *r)
{
  return r->input.offset;
}

bool
mlpd_span_of (struct mlpd_reader *r, struct mlpd_span *span)
{
  const size_t length
      = (size_t) MIN (mlpd_reader_left (r), MIN (r->buffer_left, MLPD_EVENT_BYTES_MAX));
  if (r->state != STATE_EVENTS || length == 0)
    return false;
  *span = (struct mlpd_span){ .at = r->input.at,
                              .end = r->input.at + length,
                              .offset = r->input.offset,
                              .decoder = &r->decoder };
  return true;
}

void
mlpd_span_pass (struct mlpd_reader *r, const struct mlpd_span *span)
{
  const size_t length = (size_t) (span->at - r->input.at);
  mlpd_reader_consume (r, length);
  r->buffer_left -= length;
}

void
mlpd_span_skip_bulk (struct mlpd_span *span)
{
  struct mlpd_decoder *const d = span->decoder;
  struct mlpd_bases b = d->bases;
  union mlpd_payload payload;
  while (span->at < span->end) {
    struct cursor cursor = cursor_over (span->at, (size_t) (span->end - span->at));
    if (mlpd_get_bulk (&b, d, &cursor, &payload) == MLPD_KINDS)
      break;
    d->bases.time = b.time;
    d->bases.method = b.method;
    span->at = cursor.at;
  }
}
