/* scan-log.c -- chunks in an ordered pool: read by one thread at a time, scanned by any, merged
 * by the caller's in file order.
 *
 * The reader is the judge of the meaning of the bytes.  As long as it stands where a chunk begins,
 * and the scan of the chunk found nothing wrong, the scan is merged and the reader passes the
 * chunk.  Else it reads the chunk, and the scan is forgotten.
 */
#include "config.h"

#include "decoder/mlpd/query/scan-log.h"

#include "decoder/core/ordered-pool.h"
#include "decoder/mlpd/scan/chunk-marks.h"
#include "decoder/mlpd/scan/scan.h"
#include "decoder/mlpd/scan/log-chunks.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-describe.h"
#include <stdatomic.h>

/* Bytes of passed chunks that are read at once. */
#define READ_BYTES ((size_t) 1 << 20)

struct chunk_slot {
  struct log_chunk chunk;
  struct mlpd_file_header header;
  uint64_t alloc_sampling;
  size_t remainder; /* bytes after the chunk, which was cut as too much is retained of it */
  bool is_whole;    /* the scan states the chunk's contents */
  struct chunk_marks marks;
  struct scan scan;
};

/* Data of the pool. */
struct scan_ring {
  struct log_chunks chunks;
  struct log_scan_sizes sizes;
  /* Bytes of a chunk at most: fewer where much is retained.  Threads that work change it, the one
   * that produces reads it; nothing else depends on it, so the order is relaxed. */
  atomic_size_t chunk;
  struct chunk_slot slots[ORDERED_POOL_ITEMS_MAX];
  unsigned n_slots;
  GError *error; /* of the input */

  struct summary *summary;
  struct mlpd_reader *reader;
  const struct log_scan_watch *watch;
};

/* ---- scanning ---- */

/* Bytes of a chunk that was not read, as it is scanned. */
struct read_buffer {
  uint8_t *bytes;
  size_t room;
  size_t held;   /* bytes of a buffer that goes on */
  size_t needed; /* bytes that it has */
  bool end_mark; /* the last buffer was one */
};

/* Scans whole buffers; false if there is something else. */
static bool
scan_buffers (struct chunk_slot *slot, const uint8_t *bytes, size_t length, uint64_t offset,
              struct read_buffer *read_buffer)
{
  size_t at = 0;
  read_buffer->needed = MLPD_BUFFER_HEADER_SIZE;
  while (length - at >= MLPD_BUFFER_HEADER_SIZE) {
    struct cursor c = cursor_over (bytes + at, length - at);
    struct mlpd_buffer_header buffer;
    mlpd_decode_buffer_header (&c, &buffer);
    read_buffer->needed = MLPD_BUFFER_HEADER_SIZE + (size_t) buffer.length;
    if (!buffer_is_plain (&buffer))
      return false;
    if (read_buffer->needed > length - at)
      break;
    if (!scan_block (&slot->scan, &buffer, c.at, buffer.length,
                     offset + at + MLPD_BUFFER_HEADER_SIZE)
        || !chunk_marks_add (&slot->marks, &buffer, bytes + at, length - at, offset + at))
      return false;
    at += read_buffer->needed;
    read_buffer->needed = MLPD_BUFFER_HEADER_SIZE;
    read_buffer->end_mark = mlpd_is_end_mark (&buffer);
  }
  read_buffer->held = length - at;
  return true;
}

/* Bytes that one scan retains, before its chunk is cut after the present piece. */
static size_t
retained_max (const struct scan_ring *r)
{
  return r->sizes.retained / r->n_slots;
}

/* Reads and scans a slot's chunk.  False if it is not made of whole buffers. */
static bool
scan_unread_chunk (const struct scan_ring *r, struct chunk_slot *slot,
                   struct read_buffer *read_buffer)
{
  struct scan *const scan = &slot->scan;
  struct log_chunk *const chunk = &slot->chunk;
  read_buffer->held = read_buffer->needed = 0;
  for (size_t at = 0; at < chunk->length;) {
    if (read_buffer->room < MAX (r->sizes.read_buffer, read_buffer->needed)) {
      read_buffer->room = MAX (r->sizes.read_buffer, read_buffer->needed);
      read_buffer->bytes = g_realloc (read_buffer->bytes, read_buffer->room);
    }
    const size_t wanted = MIN (read_buffer->room - read_buffer->held, chunk->length - at);
    if (log_input_read_at (r->chunks.input, chunk->offset + at,
                           read_buffer->bytes + read_buffer->held, wanted)
        != wanted)
      return false;
    const uint64_t offset = chunk->offset + at - read_buffer->held;
    const size_t length = read_buffer->held + wanted;
    at += wanted;
    if (!scan_buffers (slot, read_buffer->bytes, length, offset, read_buffer))
      return false;
    if (scan->retained > retained_max (r) && at < chunk->length && at > read_buffer->held) {
      slot->remainder = chunk->length - at + read_buffer->held;
      chunk->length -= slot->remainder;
      read_buffer->held = 0;
      return true;
    }
    memmove (read_buffer->bytes, read_buffer->bytes + length - read_buffer->held,
             read_buffer->held);
  }
  return read_buffer->held == 0;
}

static bool
scan_chunk (const struct scan_ring *r, struct chunk_slot *slot, struct read_buffer *read_buffer)
{
  struct log_chunk *const chunk = &slot->chunk;
  slot->remainder = 0;
  scan_start (&slot->scan, &slot->header, slot->alloc_sampling);
  chunk_marks_start (&slot->marks);
  if (chunk->unread ? !scan_unread_chunk (r, slot, read_buffer)
                    : !scan_buffers (slot, chunk->bytes, chunk->length, chunk->offset, read_buffer))
    return false;
  chunk->end_mark = read_buffer->end_mark;
  scan_finish (&slot->scan);
  return read_buffer->held == 0;
}

/* Chunks are to be as long as they can be without being cut. */
static void
adapt_chunk_size (struct scan_ring *r, const struct chunk_slot *slot)
{
  const size_t bytes = atomic_load_explicit (&r->chunk, memory_order_relaxed);
  size_t better = bytes;
  if (slot->remainder != 0)
    better = MIN (bytes, MAX (slot->chunk.length, CHUNK_BYTES_MIN));
  else if (slot->scan.retained < retained_max (r) / 4)
    better = MIN (2 * bytes, r->sizes.chunk);
  if (better != bytes)
    atomic_store_explicit (&r->chunk, better, memory_order_relaxed);
}

static void *
read_buffer_new (void *data G_GNUC_UNUSED)
{
  return g_new0 (struct read_buffer, 1);
}

static void
read_buffer_free (void *worker)
{
  struct read_buffer *read_buffer = worker;
  g_free (read_buffer->bytes);
  g_free (read_buffer);
}

/* The next chunk, which is read here or where it is scanned. */
static bool
next_slot (void *data, void *item)
{
  struct scan_ring *r = data;
  struct chunk_slot *slot = item;
  r->chunks.bytes = atomic_load_explicit (&r->chunk, memory_order_relaxed);
  const bool good = log_chunks_next (&r->chunks, &slot->chunk, &r->error);
  slot->header = r->chunks.header;
  slot->alloc_sampling = r->chunks.alloc_sampling;
  return good && slot->chunk.length != 0;
}

static void
scan_slot (void *data, void *item, void *worker)
{
  struct scan_ring *r = data;
  struct chunk_slot *slot = item;
  slot->is_whole = !slot->chunk.plain && !slot->chunk.skipped && scan_chunk (r, slot, worker);
  if (slot->is_whole && slot->chunk.unread)
    adapt_chunk_size (r, slot);
}

/* ---- merging ---- */

/* Pulls the reader's items; false after an error. */
static bool
drain_reader (struct scan_ring *r)
{
  const struct mlpd_item *item;
  enum proflog_result result;
  while ((result = mlpd_reader_next (r->reader, &item)) == PROFLOG_EVENT) {
    if (summary_skips (r->summary, item))
      mlpd_reader_skip_buffer (r->reader);
    summary_item (r->summary, item);
    if (r->watch != NULL && r->watch->item != NULL)
      r->watch->item (r->watch->data, item);
  }
  return result != PROFLOG_ERROR;
}

/* A chunk that is not requested. */
static void
merge_skipped (struct scan_ring *r, const struct log_chunk *chunk)
{
  summary_merge_items (r->summary);
  mlpd_reader_pass (r->reader, chunk->length, chunk->end_mark);
  r->summary->log.bytes = chunk->offset + chunk->length;
}

/* The reader reads a chunk that is not here.  If the file became shorter, that was all. */
static bool
read_chunk (struct scan_ring *r, const struct log_chunk *chunk)
{
  uint8_t *bytes = g_malloc (READ_BYTES);
  bool good = true;
  for (size_t at = 0, n; good && at < chunk->length; at += n) {
    n = log_input_read_at (r->chunks.input, chunk->offset + at, bytes,
                           MIN (READ_BYTES, chunk->length - at));
    if (n == 0)
      break;
    mlpd_reader_push (r->reader, bytes, n);
    good = drain_reader (r);
  }
  g_free (bytes);
  return good;
}

/* If the reader is not where a chunk begins, damage before it changed the meaning of its bytes, and
 * they are read after all. */
static bool
merge_slot (struct scan_ring *r, const struct chunk_slot *slot)
{
  const struct log_chunk *chunk = &slot->chunk;
  const bool at_border = mlpd_reader_is_at_border (r->reader);
  if (chunk->skipped && at_border) {
    merge_skipped (r, chunk);
    return true;
  }
  if (slot->is_whole && at_border
      && chunk_marks_may_follow (&slot->marks, mlpd_reader_marked (r->reader))) {
    summary_merge_items (r->summary);
    const struct mlpd_marked last
        = chunk_marks_after (&slot->marks, mlpd_reader_marked (r->reader));
    summary_merge (r->summary, &slot->scan, chunk->offset + chunk->length);
    mlpd_reader_pass (r->reader, chunk->length, chunk->end_mark);
    mlpd_reader_pass_marked (r->reader, &last);
    return true;
  }
  if (chunk->skipped || chunk->unread)
    return read_chunk (r, chunk);
  mlpd_reader_push (r->reader, chunk->bytes, chunk->length);
  return drain_reader (r);
}

/* The rest of a chunk that was cut is scanned when that is merged. */
static bool
merge_remainder (struct scan_ring *r, struct chunk_slot *slot, struct read_buffer *read_buffer)
{
  slot->chunk.offset += slot->chunk.length;
  slot->chunk.length = slot->remainder;
  slot->is_whole = scan_chunk (r, slot, read_buffer);
  return merge_slot (r, slot);
}

/* With all rests of a chunk. */
static bool
merge_slot_and_remainder (void *data, void *item, void *worker)
{
  struct scan_ring *r = data;
  struct chunk_slot *slot = item;
  bool good = merge_slot (r, slot);
  log_scan_progress (r->watch, slot->chunk.offset + slot->chunk.length);
  while (good && slot->remainder != 0) {
    good = merge_remainder (r, slot, worker);
    log_scan_progress (r->watch, slot->chunk.offset + slot->chunk.length);
  }
  return good;
}

/* After the pool.  An error of the reader is of bytes before those that could not be read, which
 * another thread may have found by then. */
static bool
finish_reading (struct scan_ring *r, bool good, GError **error)
{
  if (good && r->error == NULL) {
    mlpd_reader_finish (r->reader);
    good = drain_reader (r);
  }
  const GError *const misread = mlpd_reader_error (r->reader);
  if (misread != NULL) {
    g_clear_error (&r->error);
    r->error = g_error_copy (misread);
  }
  good = good && r->error == NULL;
  if (r->error != NULL)
    g_propagate_error (error, r->error);
  return good;
}

bool
log_scan_chunks (struct summary *summary, struct log_input *input, unsigned threads,
                 struct log_scan_sizes sizes, const struct log_scan_watch *watch, GError **error)
{
  static const struct ordered_pool pool = { .worker_new = read_buffer_new,
                                            .worker_free = read_buffer_free,
                                            .produce = next_slot,
                                            .work = scan_slot,
                                            .consume = merge_slot_and_remainder };
  threads = ordered_pool_threads (threads);
  struct scan_ring *r = g_new0 (struct scan_ring, 1);
  r->summary = summary;
  r->watch = watch;
  r->reader = log_input_new_reader (input);
  r->n_slots = 2 * threads + 1;
  r->sizes = sizes;
  atomic_init (&r->chunk, sizes.chunk);
  log_chunks_init (&r->chunks, input, threads, sizes.chunk);
  log_chunks_set_filter (&r->chunks, summary->options.filter);
  for (unsigned i = 0; i < r->n_slots; i++)
    scan_init (&r->slots[i].scan, &summary->options);

  /* Tables that are computed at first use must be there before there are several threads. */
  mlpd_describe (0);
  scan_has_bmi2 ();
  bool good = ordered_pool_run (&pool, r, r->slots, sizeof *r->slots, r->n_slots, threads);
  good = finish_reading (r, good, error);
  for (unsigned i = 0; i < r->n_slots; i++) {
    scan_clear (&r->slots[i].scan);
    g_free (r->slots[i].chunk.bytes);
  }
  log_chunks_clear (&r->chunks);
  mlpd_reader_free (r->reader);
  g_free (r);
  return good;
}

bool
log_scan (struct summary *summary, struct log_input *input, unsigned threads,
          const struct log_scan_watch *watch, GError **error)
{
  const struct scan_options *options = &summary->options;
  /* Pieces are few bytes, so that they stay in the cache. */
  struct log_scan_sizes sizes = { .chunk = (size_t) 32 << 20,
                                  .read_buffer = (size_t) 256 << 10,
                                  .retained = (size_t) 16 << 20 };
  if (options->objects != NULL)
    sizes.chunk /= 128; /* all may be retained, of an allocation twenty times its bytes */
  else if (options->traces || options->replay_calls) /* much is retained of each event then */
    sizes.chunk /= 4;
  return log_scan_chunks (summary, input, threads, sizes, watch, error);
}
