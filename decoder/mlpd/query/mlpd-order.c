/* mlpd-order.c -- merges the buffers of all threads by time. */
#include "config.h"

#include "decoder/mlpd/query/mlpd-order.h"
#include "decoder/core/ordered-pool.h"
#include "decoder/mlpd/analyses/log.h"
#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/mlpd/mlpd-bulk.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-sample-usage.h"
#include "decoder/mlpd/mlpd-span.h"
#include "decoder/mlpd/query/event-batch.h"

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

/* The first event of the latest buffer has this time, if it is at this offset. */
static void
note_first (struct mlpd_order *o, uint64_t offset, uint64_t time)
{
  if (o->buffers->len == 0)
    return;
  struct mlpd_ordered_buffer *last
      = &g_array_index (o->buffers, struct mlpd_ordered_buffer, o->buffers->len - 1);
  if (last->end == 0 && offset == last->offset + MLPD_BUFFER_HEADER_SIZE)
    last->begin = MIN (last->begin, time);
}

static void
note_usage (struct mlpd_order *o, const struct mlpd_item *item)
{
  struct mlpd_sample_usage usage;
  if (item->kind == MLPD_SAMPLE_COUNTERS && !o->has_usage)
    o->has_usage
        = mlpd_sample_usage_of (item->kind, item->payload, &usage) && usage.elapsed_ns != 0;
}

static void
note_item (struct mlpd_order *o, const struct mlpd_item *item)
{
  uint64_t time;
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
        = { .offset = item->offset, .begin = item->buffer->time_base };
    end_buffer (o, item->offset);
    if (!o->has_buffer)
      o->first_time = buffer.begin;
    o->has_buffer = true;
    o->is_part |= mlpd_is_reannounced (item->buffer) || mlpd_is_context (item->buffer);
    if (item->buffer->length == 0) /* a mark, which may have no time */
      break;
    o->earliest = o->buffers->len != 0 ? MIN (o->earliest, buffer.begin) : buffer.begin;
    g_array_append_val (o->buffers, buffer);
    break;
  }
  case MLPD_ITEM_EVENT:
    if (mlpd_event_time (item->kind, item->payload, &time))
      note_first (o, item->offset, time);
    note_usage (o, item);
    break;
  default:
    break;
  }
}

static int
compare_buffers (const void *a, const void *b)
{
  const struct mlpd_ordered_buffer *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
skip_bulk (struct mlpd_order *o, struct mlpd_reader *reader)
{
  struct mlpd_span span;
  if (!mlpd_span_of (reader, &span) || span.at >= span.end)
    return;
  struct cursor cursor = cursor_over (span.at, (size_t) (span.end - span.at));
  struct mlpd_bases bases = span.decoder->bases;
  union mlpd_payload payload;
  const enum mlpd_kind kind = mlpd_get_bulk (&bases, span.decoder, &cursor, &payload);
  if (kind != MLPD_KINDS)
    note_first (o, span.offset, mlpd_bulk_time (kind, &payload));
  mlpd_span_skip_bulk (&span);
  mlpd_span_pass (reader, &span);
}

bool
mlpd_order_init (struct mlpd_order *o, struct log_input *input,
                 const struct mlpd_order_watch *watch, GError **error)
{
  struct mlpd_reader *reader = log_input_new_reader (input);
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
    skip_bulk (o, reader);
    while ((result = mlpd_reader_next (reader, &item)) == PROFLOG_EVENT) {
      note_item (o, item);
      if (item->type != MLPD_ITEM_EVENT || (watch->names && buffer_filter_is_name (item->kind)))
        watch->item (watch->data, item);
      skip_bulk (o, reader);
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

/* Inspects the file header. */
static void
inspect_header (struct mlpd_order *o, struct log_input *input)
{
  struct mlpd_reader *reader = log_input_new_reader (input);
  g_autofree uint8_t *bytes = g_malloc (READ_BYTES);
  const struct mlpd_item *item;
  uint64_t at = 0;
  size_t length;
  while (!o->has_header && (length = log_input_read_at (input, at, bytes, READ_BYTES)) != 0) {
    mlpd_reader_push (reader, bytes, length);
    at += length;
    if (mlpd_reader_next (reader, &item) == PROFLOG_EVENT)
      note_item (o, item);
  }
  mlpd_reader_free (reader);
}

void
mlpd_order_init_known (struct mlpd_order *o, struct log_input *input, GArray *buffers,
                       uint64_t first_time)
{
  *o = (struct mlpd_order){ .buffers = buffers, .has_buffer = true, .first_time = first_time };
  inspect_header (o, input);
  g_array_sort (buffers, compare_buffers);
  o->earliest = buffers->len != 0 ? g_array_index (buffers, struct mlpd_ordered_buffer, 0).begin
                                  : first_time;
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
  uint64_t at;          /* the place to read next: of the header, then of the buffer */
  uint64_t header_size; /* its bytes */
  bool in_buffer;
  struct mlpd_item bulk;        /* the latest event that was decoded without the reader */
  struct mlpd_span span;        /* the events after the next one that may be decoded so */
  bool ends_only;               /* of these, only the last event counts */
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

static void
come_to (struct open_buffer *b, const struct mlpd_item *item)
{
  b->item = item;
  b->due = MAX (b->due, b->time);
}

/* Decodes the next event if it is a call or an allocation. */
static bool
next_bulk (struct open_buffer *b)
{
  struct mlpd_span *const s = &b->span;
  if (s->at >= s->end)
    return false;
  struct cursor cursor = cursor_over (s->at, (size_t) (s->end - s->at));
  struct mlpd_bases bases = s->decoder->bases;
  const enum mlpd_kind kind = mlpd_get_bulk (&bases, s->decoder, &cursor, &s->decoder->payload);
  if (kind == MLPD_KINDS)
    return false;
  s->decoder->bases.time = bases.time;
  s->decoder->bases.method = bases.method;
  b->bulk.kind = kind;
  b->bulk.offset = s->offset;
  b->bulk.size = (uint64_t) (cursor.at - s->at);
  s->offset += b->bulk.size;
  s->at = cursor.at;
  b->time = mlpd_bulk_time (kind, &s->decoder->payload);
  come_to (b, &b->bulk);
  return true;
}

/* The reader's next event. */
static bool
next_read (struct open_buffer *b)
{
  enum proflog_result result;
  const struct mlpd_item *item;
  if (b->span.decoder != NULL)
    mlpd_span_pass (b->reader, &b->span);
  b->span = (struct mlpd_span){ .decoder = NULL };
  while ((result = mlpd_reader_next (b->reader, &item)) == PROFLOG_EVENT
         || result == PROFLOG_NEED_MORE) {
    if (result == PROFLOG_NEED_MORE && !feed (b))
      return false;
    if (result == PROFLOG_NEED_MORE || item->type != MLPD_ITEM_EVENT)
      continue;
    mlpd_event_time (item->kind, item->payload, &b->time);
    come_to (b, item);
    b->bulk = *item;
    if (!mlpd_span_of (b->reader, &b->span))
      b->span = (struct mlpd_span){ .decoder = NULL };
    return true;
  }
  return false;
}

/* Goes to the next event; false at the end of the buffer.  Damage was reported before. */
static bool
next_event (struct open_buffer *b)
{
  bool found = next_bulk (b);
  while (found && b->ends_only && next_bulk (b))
    ;
  return found || next_read (b);
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
             const struct mlpd_ordered_buffer *buffer, bool ends_only)
{
  struct open_buffer *b = g_new (struct open_buffer, 1);
  *b = (struct open_buffer){ .buffer = buffer,
                             .input = input,
                             .reader = log_input_new_reader (input),
                             .bytes = g_malloc (READ_BYTES),
                             .header_size = o->header_size,
                             .ends_only = ends_only,
                             .time = buffer->begin,
                             .due = buffer->begin };
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

/* The events are read some ahead, by another thread. */
enum {
  BATCHES = 4,
  READING_THREADS = 2,
};

struct order_reading {
  const struct mlpd_order *order;
  struct log_input *input;
  GPtrArray *heap; /* of struct open_buffer: the one due next is first */
  guint next;      /* buffer to open */
  bool ends_only;
  bool (*take) (void *data, const struct mlpd_item *item, uint64_t time);
  void *data;
  struct mlpd_reader *header_reader; /* whose header all items have */
  const struct mlpd_file_header *header;
};

/* Adds events of the first buffer while they come before those of the others and nothing is to be
 * opened before them.  Returns false if the batch is full. */
static bool
read_first (struct order_reading *r, uint64_t until, struct event_batch *batch)
{
  struct open_buffer *b = r->heap->pdata[0];
  const struct open_buffer *other = second (r->heap);
  do {
    const uint64_t offset = b->item->offset + b->buffer->offset - r->order->header_size;
    if (!event_batch_add (batch, b->item, offset, b->time)) {
      sink (r->heap, 0);
      return false;
    }
    if (!next_event (b)) {
      event_batch_end_buffer (batch);
      remove_first (r->heap);
      return true;
    }
  } while (b->due < until && (other == NULL || comes_before (b, other)));
  sink (r->heap, 0);
  return true;
}

/* Opens the buffers that begin before the next due event, or then. */
static void
open_buffers (struct order_reading *r)
{
  const GArray *buffers = r->order->buffers;
  for (; r->next < buffers->len; r->next++) {
    const struct mlpd_ordered_buffer *buffer
        = &g_array_index (buffers, struct mlpd_ordered_buffer, r->next);
    if (r->heap->len != 0 && buffer->begin > ((struct open_buffer *) r->heap->pdata[0])->due)
      break;
    struct open_buffer *b = open_buffer (r->order, r->input, buffer, r->ends_only);
    if (b != NULL)
      add (r->heap, b);
  }
}

static bool
read_batch (void *reading, void *item)
{
  struct order_reading *r = reading;
  const GArray *buffers = r->order->buffers;
  struct event_batch *batch = item;
  event_batch_empty (batch);
  for (;;) {
    open_buffers (r);
    if (r->heap->len == 0)
      return batch->used != 0;
    const uint64_t until = r->next < buffers->len
                               ? g_array_index (buffers, struct mlpd_ordered_buffer, r->next).begin
                               : UINT64_MAX;
    if (!read_first (r, until, batch))
      return true;
  }
}

static bool
hand_over_batch (void *reading, void *item, void *worker)
{
  const struct order_reading *r = reading;
  (void) worker;
  return event_batch_each (item, r->header, r->take, r->data);
}

/* Readers of buffers have the header each, and end with them; this one stays.  There is none if it
 * cannot be read again, which the input reports. */
static void
read_header (struct order_reading *r)
{
  const struct mlpd_item *item;
  g_autofree uint8_t *bytes = g_malloc (r->order->header_size);
  const size_t length = log_input_read_at (r->input, 0, bytes, r->order->header_size);
  r->header_reader = mlpd_reader_new ();
  mlpd_reader_push (r->header_reader, bytes, length);
  if (mlpd_reader_next (r->header_reader, &item) == PROFLOG_EVENT)
    r->header = item->header;
}

static bool
read_all (struct order_reading r)
{
  static const struct ordered_pool pool = { .produce = read_batch, .consume = hand_over_batch };
  struct event_batch batches[BATCHES] = { { .bytes = NULL } };
  r.heap = g_ptr_array_new ();
  read_header (&r);
  const bool good = r.header == NULL
                    || ordered_pool_run (&pool, &r, batches, sizeof batches[0], BATCHES,
                                         ordered_pool_threads (READING_THREADS));
  for (guint i = 0; i < BATCHES; i++)
    event_batch_free (&batches[i]);
  while (r.heap->len != 0)
    remove_first (r.heap);
  g_ptr_array_free (r.heap, TRUE);
  mlpd_reader_free (r.header_reader);
  return good;
}

bool
mlpd_order_events (const struct mlpd_order *o, struct log_input *input,
                   bool (*take) (void *data, const struct mlpd_item *item, uint64_t time),
                   void *data)
{
  return read_all (
      (struct order_reading){ .order = o, .input = input, .take = take, .data = data });
}

bool
mlpd_order_run_ends (const struct mlpd_order *o, struct log_input *input,
                     bool (*take) (void *data, const struct mlpd_item *item, uint64_t time),
                     void *data)
{
  return read_all ((struct order_reading){
      .order = o, .input = input, .take = take, .data = data, .ends_only = true });
}
