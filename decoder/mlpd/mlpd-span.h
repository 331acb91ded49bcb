/* mlpd-span.h -- events of a buffer that a reader has at hand, for those that go through many at
 * once.
 *
 * A caller decodes events from the beginning of a span on, with the decoder, and leaves to the
 * reader an event that does not decode: then the decoder has to be as it was after the last whole
 * event.
 */
#ifndef PROFLOG_MLPD_SPAN_H
#define PROFLOG_MLPD_SPAN_H

#include "decoder/mlpd/mlpd-decode.h"

#include <proflog/mlpd-reader.h>

struct mlpd_span {
  const uint8_t *at, *end; /* the reader's, valid until its next call */
  uint64_t offset;         /* of the first byte in the log */
  struct mlpd_decoder *decoder;
};

/* The offset of the first byte that the reader has not read. */
uint64_t mlpd_reader_offset (const struct mlpd_reader *reader);

/* The events that the reader has of its present buffer; false if there is nothing, or it is in
 * none. */
bool mlpd_span_of (struct mlpd_reader *reader, struct mlpd_span *span);

/* Whole events of it were decoded: the reader goes on where the span begins now. */
void mlpd_span_pass (struct mlpd_reader *reader, const struct mlpd_span *span);

/* Passes over calls and allocations at the beginning of the span, which need not be known. */
void mlpd_span_skip_bulk (struct mlpd_span *span);

#endif
