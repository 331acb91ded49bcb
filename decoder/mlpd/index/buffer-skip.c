/* buffer-skip.c -- from one buffer that is needed to the next. */
#include "config.h"

#include "decoder/mlpd/index/buffers.h"

enum { READ_BYTES = 256 << 10 };

void
buffer_skip_init (struct buffer_skip *s, const struct buffer_index *index, struct log_input *input,
                  struct mlpd_reader *reader)
{
  *s = (struct buffer_skip){
    .index = index, .input = input, .reader = reader, .bytes = g_malloc (READ_BYTES)
  };
}

void
buffer_skip_clear (struct buffer_skip *s)
{
  g_clear_pointer (&s->bytes, g_free);
}

/* The reader passes the buffers from here on that are not needed; those after them that are needed
 * will be read. */
static void
pass_unneeded (struct buffer_skip *s)
{
  const GArray *all = s->index->buffers;
  const uint64_t begin = s->at;
  bool end_mark = false;
  for (; s->next < all->len && !s->is_needed (s->data, s->next); s->next++) {
    const struct indexed_buffer *b = &g_array_index (all, struct indexed_buffer, s->next);
    s->at = b->offset + indexed_buffer_size (b);
    end_mark = b->is_end_mark;
    if (s->passed != NULL)
      s->passed (s->data, s->next);
  }
  if (s->at != begin)
    mlpd_reader_pass (s->reader, s->at - begin, end_mark);
  for (s->end = s->at; s->next < all->len && s->is_needed (s->data, s->next); s->next++) {
    const struct indexed_buffer *b = &g_array_index (all, struct indexed_buffer, s->next);
    s->end = b->offset + indexed_buffer_size (b);
  }
}

size_t
buffer_skip_read (struct buffer_skip *s)
{
  if (s->at == 0)
    s->end = s->index->header_length;
  else if (s->at == s->end && s->next < s->index->buffers->len
           && mlpd_reader_is_at_border (s->reader))
    pass_unneeded (s);
  if (s->at == s->end)
    s->end = UINT64_MAX;
  const size_t n
      = log_input_read_at (s->input, s->at, s->bytes, (size_t) MIN (s->end - s->at, READ_BYTES));
  s->at += n;
  return n;
}
