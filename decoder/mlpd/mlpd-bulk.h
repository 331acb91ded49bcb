/* mlpd-bulk.h -- decodes, inline, the kinds of events that come in bulk: calls and allocations.
 * For those that go through a span (mlpd-span.h).
 */
#ifndef PROFLOG_MLPD_BULK_H
#define PROFLOG_MLPD_BULK_H

#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-fields.h"

/* Decodes the event at the cursor, which has bytes, into *payload; lists are the decoder's.
 * MLPD_KINDS if it is of another kind, or not whole: then the bases and the cursor are of no use.
 */
CURSOR_INLINE enum mlpd_kind
mlpd_get_bulk (struct mlpd_bases *bases, struct mlpd_decoder *decoder, struct cursor *cursor,
               union mlpd_payload *payload)
{
  const uint8_t byte = *cursor->at++;
  const enum mlpd_kind kind = decoder->kinds[byte];
  switch (kind) {
  case MLPD_METHOD_ENTER:
    mlpd_get_method_enter (bases, &decoder->lists, cursor, byte, &payload->method_enter);
    break;
  case MLPD_METHOD_LEAVE:
    mlpd_get_method_leave (bases, &decoder->lists, cursor, byte, &payload->method_leave);
    break;
  case MLPD_ALLOC:
    mlpd_get_alloc (bases, &decoder->lists, cursor, byte, &payload->alloc);
    break;
  default:
    return MLPD_KINDS;
  }
  return cursor->error == CURSOR_OK ? kind : MLPD_KINDS;
}

/* The time of such an event. */
CURSOR_INLINE uint64_t
mlpd_bulk_time (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  return kind == MLPD_ALLOC          ? payload->alloc.time
         : kind == MLPD_METHOD_ENTER ? payload->method_enter.time
                                     : payload->method_leave.time;
}

#endif
