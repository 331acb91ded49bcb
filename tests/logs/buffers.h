/* buffers.h -- the buffers of a log that a program of this directory writes to standard output. */
#ifndef TESTS_BUFFERS_H
#define TESTS_BUFFERS_H

#include <proflog/mlpd-encode.h>
#include <stdio.h>

enum { BUFFER_BYTES = 65536 };

static uint64_t now = 1000000; /* of the events */

/* The one that is open. */
static struct {
  unsigned version;
  uint64_t thread;
  struct mlpd_encoder encoder;
  uint8_t bytes[2 * BUFFER_BYTES];
  size_t used;
} buffer;

static inline void
buffer_begin (unsigned version, uint64_t thread)
{
  buffer.version = version;
  buffer.thread = thread;
  mlpd_encoder_start (&buffer.encoder, version, now);
  buffer.used = 0;
}

static inline void
buffer_end (void)
{
  const struct mlpd_buffer_header header
      = mlpd_encoder_header (&buffer.encoder, buffer.thread, (uint32_t) buffer.used);
  uint8_t head[MLPD_BUFFER_HEADER_SIZE];
  mlpd_put_buffer_header (head, &header);
  fwrite (head, 1, sizeof head, stdout);
  fwrite (buffer.bytes, 1, buffer.used, stdout);
}

/* An event; the next buffer begins here if this one is full. */
static inline void
buffer_put (enum mlpd_kind kind, const union mlpd_payload *payload)
{
  if (buffer.used > BUFFER_BYTES) {
    buffer_end ();
    buffer_begin (buffer.version, buffer.thread);
  }
  const uint8_t *end = mlpd_put_event (&buffer.encoder, buffer.bytes + buffer.used, kind, payload);
  buffer.used = (size_t) (end - buffer.bytes);
}

#endif
