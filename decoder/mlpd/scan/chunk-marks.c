/* chunk-marks.c -- the check marks of a chunk. */
#include "config.h"

#include "decoder/mlpd/scan/chunk-marks.h"
#include "decoder/mlpd/mlpd-decode.h"

void
chunk_marks_start (struct chunk_marks *m)
{
  *m = (struct chunk_marks){ .first = MLPD_MARK_UNKNOWN, .last.number = MLPD_MARK_UNKNOWN };
}

/* Is a buffer's sum needed?  Not if it is known that no mark follows. */
static bool
may_have_mark (const uint8_t *after, size_t left)
{
  struct mlpd_buffer_header next;
  if (left < MLPD_BUFFER_HEADER_SIZE)
    return true;
  struct cursor c = cursor_over (after, left);
  mlpd_decode_buffer_header (&c, &next);
  return mlpd_is_check_mark (&next);
}

static bool
has_sum (const struct mlpd_marked *before, uint64_t sum)
{
  return !before->has_sum || content_sum_get (&before->sum) % MLPD_BASE_LIMIT == sum;
}

static bool
add_mark (struct chunk_marks *m, const struct mlpd_buffer_header *mark)
{
  const bool good
      = has_sum (&m->last, mark->ptr_base) && mlpd_marked_has_next (&m->last, mark->method_base);
  if (m->first == MLPD_MARK_UNKNOWN) {
    m->first = mark->method_base;
    m->first_sum = mark->ptr_base;
    m->begins = !m->has_any;
  }
  m->last.has_sum = false;
  m->last.number = mark->method_base;
  return good;
}

bool
chunk_marks_add (struct chunk_marks *m, const struct mlpd_buffer_header *buffer,
                 const uint8_t *bytes, size_t left, uint64_t offset)
{
  bool good = true;
  const size_t size = MLPD_BUFFER_HEADER_SIZE + (size_t) buffer->length;
  if (mlpd_is_check_mark (buffer)) {
    good = add_mark (m, buffer);
  } else {
    m->last.has_sum = buffer->length != 0 && may_have_mark (bytes + size, left - size);
    m->last.offset = offset;
    content_sum_start (&m->last.sum);
    if (m->last.has_sum)
      content_sum_add (&m->last.sum, bytes, size);
  }
  m->has_any = true;
  return good;
}

struct mlpd_marked
chunk_marks_after (const struct chunk_marks *m, const struct mlpd_marked *before)
{
  struct mlpd_marked last = m->last;
  if (m->first == MLPD_MARK_UNKNOWN)
    last.number = before->number;
  return last;
}

bool
chunk_marks_may_follow (const struct chunk_marks *m, const struct mlpd_marked *before)
{
  return m->first == MLPD_MARK_UNKNOWN
         || ((!m->begins || has_sum (before, m->first_sum))
             && mlpd_marked_has_next (before, m->first));
}
