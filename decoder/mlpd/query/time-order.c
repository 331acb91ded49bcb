/* time-order.c -- merges the buffers of all threads by time. */
#include "config.h"

#include "decoder/mlpd/query/time-order.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/mlpd/mlpd-describe.h"

enum {
  READ_BYTES = 64 << 10, /* of a buffer at once */
};

#define NS_PER_MS 1000000

/* ---- inspecting the log ---- */

static void
end_buffer (struct mlpd_order *o, uint64_t offset)
{
  if (o->buffers->len == 0)
    return;
  struct mlpd_ordered_buffer *last
      = &g_array_index (o->buffers, struct mlpd_ordered_buffer, o->buffers->len - 1);
  if (last->end == 0)
    last->end = offset;
}

static void
note_item (struct mlpd_order *o, const struct mlpd_item *item)
{
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    o->header = *item->header;
    o->header.arguments = o->header.architecture = o->header.operating_system
        = (struct mlpd_string){ NULL, 0 };
    o->has_header = true;
    o->header_size = item->offset + item->size;
    break;
  case MLPD_ITEM_BUFFER: {
    const struct mlpd_ordered_buffer buffer
        = { .offset = item->offset, .time_base = item->buffer->time_base };
    end_buffer (o, item->offset);
    if (!o->has_buffer)
      o->first_time = buffer.time_base;
    o->has_buffer = true;
    if (item->buffer->length == 0) /* a mark, which may have no time */
      break;
    o->earliest = o->buffers->len != 0 ? MIN (o->earliest, buffer.time_base) : buffer.time_base;
    g_array_append_val (o->buffers, buffer);
    break;
  }
  default:
    break;
  }
}

static int
compare_buffers (const void *a, const void *b)
{
  const struct mlpd_ordered_buffer *x = a, *y = b;
  if (x->time_base != y->time_base)
    return x->time_base < y->time_base ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

bool
mlpd_order_init (struct mlpd_order *o, struct log_input *input,
                 const struct mlpd_order_watch *watch, GError **error)
{
  struct mlpd_reader *reader = mlpd_reader_new ();
  const struct mlpd_item *item;
  const uint8_t *bytes;
  size_t length;
  uint64_t read = 0;
  enum proflog_result result = PROFLOG_NEED_MORE;
  bool good = true;
  *o = (struct mlpd_order){ .buffers
                            = g_array_new (FALSE, FALSE, sizeof (struct mlpd_ordered_buffer)) };
  while (result == PROFLOG_NEED_MORE && (good = log_input_read (input, &bytes, &length, error))) {
    if (length == 0)
      mlpd_reader_finish (reader);
    else
      mlpd_reader_push (reader, bytes, length);
    while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT) {
      note_item (o, item);
      if (item->type != MLPD_ITEM_EVENT || (watch->names && buffer_filter_is_name (item->kind)))
        watch->item (watch->data, item);
    }
    watch->progress (watch->data, read += length);
  }
  end_buffer (o, read);
  if (result == PROFLOG_ERROR) {
    g_propagate_error (error, g_error_copy (mlpd_reader_error (reader)));
    good = false;
  }
  mlpd_reader_free (reader);
  g_array_sort (o->buffers, compare_buffers);
  return good;
}

void
mlpd_order_clear (struct mlpd_order *o)
{
  g_array_unref (o->buffers);
}

uint64_t
mlpd_order_clock (const struct mlpd_order *o, uint64_t time)
{
  const uint64_t zero
      = o->header.major >= LOG_MAJOR_WITH_START_NS ? o->header.start_ns : o->earliest;
  return o->header.start_ms * NS_PER_MS + (time - zero);
}

/* ---- the events ---- */

/* A buffer that is read. */
struct open_buffer {
  const struct mlpd_ordered_buffer *buffer;
  struct log_input *input;
  struct mlpd_reader *reader;
  uint8_t *bytes;
  uint64_t at;          /* what is to be read next: of the header, then of the buffer */
  uint64_t header_size; /* ... */
  bool in_buffer;
  const struct mlpd_item *item; /* its next event */
  uint64_t time;                /* of this */
  uint64_t due;                 /* the latest time so far: when it comes */
};

/* Gives the reader more; false where there is none. */
static bool
feed (struct open_buffer *b)
{
  if (!b->in_buffer && b->at == b->header_size) {
    b->in_buffer = true;
    b->at = b->buffer->offset;
  }
  const uint64_t end = b->in_buffer ? b->buffer->end : b->header_size;
  const size_t wanted = (size_t) MIN (READ_BYTES, end - b->at);
  const size_t length = log_input_read_at (b->input, b->at, b->bytes, wanted);
  if (length == 0)
    return false;
  mlpd_reader_push (b->reader, b->bytes, length);
  b->at += length;
  return true;
}

/* Goes to the next event; false at the end of the buffer.  What is damaged was reported before. */
static bool
next_event (struct open_buffer *b)
{
  enum proflog_result result;
  while ((result = mlpd_reader_next (b->reader, &b->item)) == PROFLOG_EVENT
         || result == PROFLOG_NEED_MORE) {
    if (result == PROFLOG_NEED_MORE && !feed (b))
      return false;
    if (result == PROFLOG_NEED_MORE || b->item->type != MLPD_ITEM_EVENT)
      continue;
    mlpd_event_time (b->item->kind, b->item->payload, &b->time);
    b->due = MAX (b->due, b->time);
    return true;
  }
  return false;
}

static void
close_buffer (struct open_buffer *b)
{
  mlpd_reader_free (b->reader);
  g_free (b->bytes);
  g_free (b);
}

/* Opens a buffer at its first event; NULL if it has none. */
static struct open_buffer *
open_buffer (const struct mlpd_order *o, struct log_input *input,
             const struct mlpd_ordered_buffer *buffer)
{
  struct open_buffer *b = g_new (struct open_buffer, 1);
  *b = (struct open_buffer){ .buffer = buffer,
                             .input = input,
                             .reader = mlpd_reader_new (),
                             .bytes = g_malloc (READ_BYTES),
                             .header_size = o->header_size,
                             .time = buffer->time_base,
                             .due = buffer->time_base };
  if (next_event (b))
    return b;
  close_buffer (b);
  return NULL;
}

static bool
comes_before (const struct open_buffer *a, const struct open_buffer *b)
{
  return a->due != b->due ? a->due < b->due : a->buffer->offset < b->buffer->offset;
}

/* A heap: each comes before those at twice its place and after. */
static void
sink (GPtrArray *heap, guint at)
{
  void **open = heap->pdata;
  for (;;) {
    guint first = at;
    for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < heap->len; child++)
      if (comes_before (open[child], open[first]))
        first = child;
    if (first == at)
      return;
    void *const moved = open[at];
    open[at] = open[first];
    open[first] = moved;
    at = first;
  }
}

static void
add (GPtrArray *heap, struct open_buffer *b)
{
  guint at = heap->len;
  g_ptr_array_add (heap, b);
  while (at != 0 && comes_before (b, heap->pdata[(at - 1) / 2])) {
    heap->pdata[at] = heap->pdata[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap->pdata[at] = b;
}

static void
remove_first (GPtrArray *heap)
{
  close_buffer (heap->pdata[0]);
  heap->pdata[0] = heap->pdata[heap->len - 1];
  g_ptr_array_set_size (heap, (gint) heap->len - 1);
  sink (heap, 0);
}

/* The buffer that comes after the first; NULL if there is one only. */
static const struct open_buffer *
second (const GPtrArray *heap)
{
  void **open = heap->pdata;
  if (heap->len < 3)
    return heap->len == 2 ? open[1] : NULL;
  return comes_before (open[1], open[2]) ? open[1] : open[2];
}

/* Hands over events of the first buffer while they come before those of the others and nothing is
 * to be opened before them.  Returns false if the caller wants no more. */
static bool
read_first (const struct mlpd_order *o, GPtrArray *heap, uint64_t until,
            bool (*take) (void *data, const struct mlpd_item *item, uint64_t time), void *data)
{
  struct open_buffer *b = heap->pdata[0];
  const struct open_buffer *other = second (heap);
  do {
    struct mlpd_item item = *b->item;
    item.offset += b->buffer->offset - o->header_size;
    if (!take (data, &item, b->time))
      return false;
    if (!next_event (b)) {
      remove_first (heap);
      return true;
    }
  } while (b->due < until && (other == NULL || comes_before (b, other)));
  sink (heap, 0);
  return true;
}

/* Opens the buffers that begin before what is due next, or then. */
static guint
open_buffers (const struct mlpd_order *o, struct log_input *input, GPtrArray *heap, guint next)
{
  for (; next < o->buffers->len; next++) {
    const struct mlpd_ordered_buffer *buffer
        = &g_array_index (o->buffers, struct mlpd_ordered_buffer, next);
    if (heap->len != 0 && buffer->time_base > ((struct open_buffer *) heap->pdata[0])->due)
      break;
    struct open_buffer *b = open_buffer (o, input, buffer);
    if (b != NULL)
      add (heap, b);
  }
  return next;
}

bool
mlpd_order_events (const struct mlpd_order *o, struct log_input *input,
                   bool (*take) (void *data, const struct mlpd_item *item, uint64_t time),
                   void *data)
{
  GPtrArray *heap = g_ptr_array_new ();
  guint next = 0;
  bool good = true;
  while (good
         && ((next = open_buffers (o, input, heap, next)) < o->buffers->len || heap->len != 0)) {
    const uint64_t until
        = next < o->buffers->len
              ? g_array_index (o->buffers, struct mlpd_ordered_buffer, next).time_base
              : UINT64_MAX;
    good = read_first (o, heap, until, take, data);
  }
  while (heap->len != 0)
    remove_first (heap);
  g_ptr_array_free (heap, TRUE);
  return good;
}
