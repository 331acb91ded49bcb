/* mlpd-decode.h -- decodes the headers and single events of Mono profiler logs.
 *
 * A decoder keeps what the events of a buffer build on one another.  It belongs to one thread.
 */
#ifndef PROFLOG_MLPD_DECODE_H
#define PROFLOG_MLPD_DECODE_H

#include "decoder/cursor.h"

#include <proflog/mlpd.h>

enum mlpd_decode_result {
  MLPD_DECODED,
  MLPD_DECODE_SHORT,     /* the bytes end inside the event */
  MLPD_DECODE_MALFORMED, /* a number of it makes no sense */
  MLPD_DECODE_UNKNOWN,   /* the data version has no such event */
};

/* What the events of a buffer build on. */
struct mlpd_bases {
  unsigned version;      /* data version */
  uint64_t address_mask; /* of the addresses that the program had */
  uint64_t ptr_base;
  uint64_t obj_base;
  uint64_t time;   /* of the last event that was decoded whole ... */
  uint64_t method; /* ... and the last method */
  /* Lists of methods that were passed over, if the differences in them are wanted when they are
   * needed; then `method` lacks them (mlpd-wires.h).  NULL: methods are not wanted at all. */
  struct mlpd_passed *passed;
};

/* No fewer than fit a buffer of the stock profiler. */
#define MLPD_PASSED_MAX 8192

struct mlpd_passed {
  const uint8_t *bytes; /* of the buffer */
  size_t length;
  const uint8_t *last; /* the numbers of the backtrace that was passed over last */
  size_t n;
  struct {
    uint32_t at; /* in the bytes */
    uint32_t count;
  } lists[MLPD_PASSED_MAX];
};

/* Memory for the lists of an event: an event has at most one of each wire. */
struct mlpd_room {
  void *items;
  size_t bytes;
};

struct mlpd_lists {
  struct mlpd_room objects; /* BACKTRACE, OBJS, REFS */
  struct mlpd_room offsets; /* REFS */
  struct mlpd_room ptrs;
  struct mlpd_room roots;
  struct mlpd_room frames;
  struct mlpd_room counters; /* COUNTERS, COUNTER_VALUES */
};

struct mlpd_decoder {
  struct mlpd_bases bases;
  struct mlpd_lists lists;
  uint8_t kinds[256]; /* by event byte; see mlpd-wires.h */
  union mlpd_payload payload;
};

/* Prepares a decoder, zeroed or used before, for the events of a file. */
void mlpd_decoder_start_file (struct mlpd_decoder *decoder, const struct mlpd_file_header *header);

/* Whether an event of this byte has methods that count from the last one. */
bool mlpd_event_has_methods (const struct mlpd_decoder *decoder, uint8_t byte);

/* The events that follow are those of this buffer. */
void mlpd_decoder_start_buffer (struct mlpd_decoder *decoder,
                                const struct mlpd_buffer_header *header);

/* Frees what the decoder allocated, not the decoder. */
void mlpd_decoder_clear (struct mlpd_decoder *decoder);

/* Decodes the event at the cursor.  Its kind goes to *kind, its fields to decoder->payload, which
 * stays valid until the next call; strings point into the cursor's bytes.  If the event was not
 * decoded whole, the decoder is as before, and where the cursor stands tells where the trouble
 * is. */
enum mlpd_decode_result mlpd_decode_event (struct mlpd_decoder *decoder, struct cursor *cursor,
                                           enum mlpd_kind *kind);

/* Decodes a file header.  Its strings point into the cursor's bytes.  The cursor fails if it is too
 * short, and as malformed if a string is longer than MLPD_HEADER_STRING_MAX or lacks its NUL. */
void mlpd_decode_file_header (struct cursor *cursor, struct mlpd_file_header *header);

/* Decodes a buffer header.  The cursor fails if it is too short. */
void mlpd_decode_buffer_header (struct cursor *cursor, struct mlpd_buffer_header *header);

#endif
