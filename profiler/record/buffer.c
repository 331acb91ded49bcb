/* buffer.c -- counts the events of a buffer. */
#include "config.h"

#include "profiler/record/buffer.h"

static const struct buffer_format *format;

void
buffer_set_format (const struct buffer_format *f)
{
  format = f;
}

bool
buffer_count (const struct buffer *b, size_t length, uint64_t *events,
              struct mlpd_buffer_header *rest)
{
  const size_t from = buffer_flushed (b);
  const struct mlpd_buffer_header header = buffer_rest_header (b);
  return format->pass (&header, b->data + from, length - from, events, rest);
}
