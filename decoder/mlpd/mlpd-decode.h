/* mlpd-decode.h -- decodes the headers and single events of Mono profiler logs.
 *
 * A decoder has the state that the events of a buffer share.  It belongs to one thread.
 */
#ifndef PROFLOG_MLPD_DECODE_H
#define PROFLOG_MLPD_DECODE_H

#include "decoder/core/cursor.h"
#include "decoder/mlpd/mlpd-lists.h"
#include "decoder/mlpd/mlpd-wires.h"

#include <proflog/mlpd.h>

enum mlpd_decode_result {
  MLPD_DECODED,
  MLPD_DECODE_SHORT,     /* the bytes end inside the event */
  MLPD_DECODE_MALFORMED, /* a number of it makes no sense */
  MLPD_DECODE_UNKNOWN,   /* the data version has no such event */
};

/* Values of mlpd_decoder.kinds besides the kinds. */
enum {
  MLPD_BYTE_UNKNOWN = MLPD_KINDS,
  MLPD_BYTE_METADATA, /* the mtype byte states */
};

/* Events of assemblies and domains in data version 1. */
enum mlpd_metadata_form {
  MLPD_METADATA_BY_WHAT_FOLLOWS,
  MLPD_METADATA_WITH_PAYLOAD,
  MLPD_METADATA_BARE,
};

/* Of such an event without its event byte: two LEB128 numbers, a byte, and a payload of 0s. */
#define MLPD_BARE_METADATA_SIZE (10 + 1 + 10 + 2)

struct mlpd_decoder {
  struct mlpd_bases bases;
  struct mlpd_lists lists;
  uint8_t kinds[256]; /* by event byte: enum mlpd_kind or one of those above */
  union mlpd_payload payload;
  enum mlpd_metadata_form form;
  bool is_cut;                           /* the cursor ends before the buffer does */
  uint8_t bare[MLPD_BARE_METADATA_SIZE]; /* the bare event that the payload is of */
};

/* Prepares a decoder, zeroed or used before, for the events of a file. */
void mlpd_decoder_start_file (struct mlpd_decoder *decoder, const struct mlpd_file_header *header);

/* Whether an event of this byte has methods that count from the last one. */
bool mlpd_event_has_methods (const struct mlpd_decoder *decoder, uint8_t byte);

/* The events that follow are those of this buffer. */
void mlpd_decoder_start_buffer (struct mlpd_decoder *decoder,
                                const struct mlpd_buffer_header *header);

/* Frees the decoder's memory, not the decoder. */
void mlpd_decoder_clear (struct mlpd_decoder *decoder);

/* Decodes the event at the cursor, which ends where the buffer does: that matters for assemblies
 * and domains of data version 1, which are decoded by the bytes after them.  Its kind goes to
 * *kind, its fields to decoder->payload, which stays valid until the next call; strings point into
 * the cursor's bytes.  If the event was not decoded whole, the decoder is as before, and where the
 * cursor stands shows where the trouble is. */
enum mlpd_decode_result mlpd_decode_event (struct mlpd_decoder *decoder, struct cursor *cursor,
                                           enum mlpd_kind *kind);

/* Decodes a file header.  Its strings point into the cursor's bytes.  The cursor fails if it is too
 * short, and as malformed if a string is longer than MLPD_HEADER_STRING_MAX or lacks its NUL. */
void mlpd_decode_file_header (struct cursor *cursor, struct mlpd_file_header *header);

/* Decodes a buffer header.  The cursor fails if it is too short. */
void mlpd_decode_buffer_header (struct cursor *cursor, struct mlpd_buffer_header *header);

#endif
