/* buffer-index-file.c -- the content of the index of a log of Mono.
 *
 * Numbers are little-endian:
 *
 *   u32       the kinds of events that there are: another program may number them otherwise
 *   u64       bytes of the log's header
 *   of each buffer, one after the other from there on:
 *     u64     thread, time base, earliest and latest time, kinds of its events
 *     u32     bytes of its events, their number, flags
 */
#include "config.h"

#include "decoder/mlpd/index/buffer-index-file.h"

#include "decoder/core/cursor.h"
#include "decoder/mlpd/mlpd-describe.h"

enum {
  RECORD_BYTES = 5 * 8 + 3 * 4,
  /* Among the flags of the file. */
  BEGINS_WITH_JIT = 1 << 16,
  IS_END_MARK = 1 << 17,
  /* Flags that follow from no other buffer. */
  OWN_FLAGS = BUFFER_HAS_NAMES | BUFFER_HAS_HITS | BUFFER_HAS_COUNTERS | BUFFER_ENDS_THREAD
              | BUFFER_IS_DAMAGED,
  /* Headers of buffers that are witnesses, besides the last one. */
  WITNESSES = 16,
};

/* No two tables of kinds have the same. */
static uint32_t
sum_of_kinds (void)
{
  uint32_t sum = MLPD_KINDS;
  for (unsigned kind = 0; kind < MLPD_KINDS; kind++)
    sum = sum * 31 + g_str_hash (mlpd_describe (kind)->name);
  return sum;
}

/* ---- reading ---- */

static struct indexed_buffer
get_buffer (struct cursor *c, uint64_t offset)
{
  struct indexed_buffer b = { .offset = offset };
  b.thread = cursor_u64 (c);
  b.time_base = cursor_u64 (c);
  b.earliest = cursor_u64 (c);
  b.latest = cursor_u64 (c);
  b.kinds = cursor_u64 (c);
  b.length = cursor_u32 (c);
  b.events = cursor_u32 (c);
  const uint32_t flags = cursor_u32 (c);
  b.begins_with_jit = (flags & BEGINS_WITH_JIT) != 0;
  b.is_end_mark = (flags & IS_END_MARK) != 0;
  b.flags = flags & OWN_FLAGS;
  return b;
}

/* False if they are not those of a log of this size. */
static bool
get_buffers (struct cursor *c, uint64_t at, uint64_t size, GArray *buffers)
{
  if (cursor_u32 (c) != sum_of_kinds () || cursor_u64 (c) != at
      || cursor_left (c) % RECORD_BYTES != 0 || c->error != CURSOR_OK)
    return false;
  while (cursor_left (c) != 0) {
    const struct indexed_buffer b = get_buffer (c, at);
    if (b.length > BUFFER_WHOLE_MAX || indexed_buffer_size (&b) > size - at)
      return false;
    at += indexed_buffer_size (&b);
    g_array_append_val (buffers, b);
  }
  return true;
}

enum index_state
buffer_index_file_read (struct log_input *input, uint64_t header_length, GArray *buffers)
{
  GByteArray *content;
  enum index_state state = index_file_read (input, INDEX_KIND_MONO, &content);
  struct cursor c = cursor_over (content->data, content->len);
  if (state != INDEX_NONE && !get_buffers (&c, header_length, log_input_size (input), buffers)) {
    g_array_set_size (buffers, 0);
    state = INDEX_NONE;
  }
  g_byte_array_unref (content);
  return state;
}

/* ---- writing ---- */

static void
put_buffer (GByteArray *content, const struct indexed_buffer *b)
{
  index_put_u64 (content, b->thread);
  index_put_u64 (content, b->time_base);
  index_put_u64 (content, b->earliest);
  index_put_u64 (content, b->latest);
  index_put_u64 (content, b->kinds);
  index_put_u32 (content, b->length);
  index_put_u32 (content, b->events);
  index_put_u32 (content, (b->flags & OWN_FLAGS) | (b->begins_with_jit ? BEGINS_WITH_JIT : 0)
                              | (b->is_end_mark ? IS_END_MARK : 0));
}

static const struct indexed_buffer *
nth_buffer (const GArray *buffers, guint n)
{
  return &g_array_index (buffers, struct indexed_buffer, n);
}

static void
add_witness (GArray *witnesses, const struct indexed_buffer *b)
{
  const struct index_witness witness = { b->offset, MLPD_BUFFER_HEADER_SIZE };
  g_array_append_val (witnesses, witness);
}

/* The header of the log, and those of some buffers and of the last one. */
static GArray *
witnesses_of (uint64_t header_length, const GArray *buffers)
{
  GArray *witnesses = g_array_new (FALSE, FALSE, sizeof (struct index_witness));
  const struct index_witness header = { 0, (uint32_t) header_length };
  const guint n = buffers->len;
  g_array_append_val (witnesses, header);
  for (guint i = 0; i < n; i += n / WITNESSES + 1)
    add_witness (witnesses, nth_buffer (buffers, i));
  add_witness (witnesses, nth_buffer (buffers, n - 1));
  return witnesses;
}

bool
buffer_index_file_write (struct log_input *input, uint64_t header_length, const GArray *buffers,
                         GError **error)
{
  GByteArray *content = g_byte_array_new ();
  GArray *witnesses = witnesses_of (header_length, buffers);
  index_put_u32 (content, sum_of_kinds ());
  index_put_u64 (content, header_length);
  for (guint i = 0; i < buffers->len; i++)
    put_buffer (content, nth_buffer (buffers, i));
  const bool good = index_file_write (input, INDEX_KIND_MONO, witnesses, content, error);
  g_array_free (witnesses, TRUE);
  g_byte_array_unref (content);
  return good;
}
