/* buffer-flags.c -- reads all events of a log in as little time as can be. */
#include "config.h"

#include "decoder/core/ordered-pool.h"
#include "decoder/mlpd/index/buffer-filter.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/mlpd-decode.h"
#include "decoder/mlpd/mlpd-fields.h"

/* Bytes that are read at once, unless a buffer is longer: few, so that they stay in the cache. */
#define RUN_BYTES ((size_t) 256 << 10)

/* This many bytes hold the event byte and the numbers of a call. */
#define CALL_ROOM ((size_t) 1 + 2 * CURSOR_ROOM)

enum {
  BYTE_ENTER = MLPD_TYPE_METHOD | 0x20,
  BYTE_LEAVE = MLPD_TYPE_METHOD | 0x10,
  BYTE_HEAP_OBJECT = MLPD_TYPE_HEAP | 0x20,
};

/* Data of the pool. */
struct flag_job {
  struct buffer_index *index;
  struct log_input *input;
  guint next;  /* buffer that is in no run yet */
  bool counts; /* calls, too */
};

/* Buffers that one thread marks. */
struct flag_run {
  guint first, end; /* from the first on, before the end */
  size_t bytes;
};

/* A thread's own. */
struct flag_worker {
  struct mlpd_decoder decoder;
  GByteArray *bytes;
};

/* ---- events ---- */

struct times {
  uint64_t earliest;
  uint64_t latest;
  uint64_t kinds; /* of these events */
  uint32_t events;
};

#define KIND(kind) (UINT64_C (1) << (kind))
G_STATIC_ASSERT (MLPD_KINDS <= 64);

CURSOR_INLINE void
include_time (struct times *times, uint64_t time)
{
  times->earliest = MIN (times->earliest, time);
  times->latest = MAX (times->latest, time);
}

/* Goes through calls, up to anything else or a number of many bytes.  Each has CALL_ROOM bytes.  To
 * count them needs a tenth more time. */
CURSOR_INLINE const uint8_t *
skip_calls (const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases, struct times *times,
            bool counts)
{
  struct mlpd_bases b = *bases;
  struct times t = *times;
  while (at < end && (*at == BYTE_ENTER || *at == BYTE_LEAVE)) {
    struct cursor c = { .at = at + 1, .end = end, .unchecked = true };
    const uint64_t time = b.time;
    const bool enters = *at == BYTE_ENTER;
    if (enters) {
      struct mlpd_method_enter e;
      mlpd_get_method_enter (&b, NULL, &c, BYTE_ENTER, &e);
    } else {
      struct mlpd_method_leave e;
      mlpd_get_method_leave (&b, NULL, &c, BYTE_LEAVE, &e);
    }
    if (G_UNLIKELY (c.at - at >= CURSOR_OVERRUN)) {
      b.time = time;
      break;
    }
    include_time (&t, b.time);
    if (counts) {
      t.events++;
      t.kinds |= enters ? KIND (MLPD_METHOD_ENTER) : KIND (MLPD_METHOD_LEAVE);
    }
    at = c.at;
  }
  *times = t;
  bases->time = b.time; /* their methods do not matter */
  return at;
}

/* The flags that an event of this kind gives to a buffer of this thread. */
static unsigned
event_flags (enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t thread)
{
  if (kind == MLPD_SAMPLE_HIT)
    return BUFFER_HAS_HITS;
  if (kind == MLPD_SAMPLE_COUNTERS)
    return BUFFER_HAS_COUNTERS;
  /* Heap snapshots are numbered. */
  unsigned flags = buffer_filter_is_name (kind) || kind == MLPD_HEAP_START ? BUFFER_HAS_NAMES : 0;
  if (kind == MLPD_METADATA_THREAD && payload->metadata_thread.action == MLPD_LOAD_END_UNLOAD
      && payload->metadata_thread.thread == thread)
    flags |= BUFFER_ENDS_THREAD;
  return flags;
}

/* An event that does not come in bulk.  False if it cannot be decoded. */
static bool
flag_event (struct mlpd_decoder *decoder, struct cursor *c, struct indexed_buffer *buffer)
{
  enum mlpd_kind kind;
  if (mlpd_decode_event (decoder, c, &kind) != MLPD_DECODED)
    return false;
  uint64_t time;
  /* See scan_event. */
  if (kind != MLPD_SAMPLE_HIT && mlpd_event_time (kind, &decoder->payload, &time))
    decoder->bases.time = time;
  buffer->flags |= event_flags (kind, &decoder->payload, buffer->thread);
  buffer->kinds |= KIND (kind);
  return true;
}

/* One event.  False if it cannot be decoded. */
static bool
scan_one_event (struct mlpd_decoder *decoder, struct cursor *c, struct indexed_buffer *buffer)
{
  const uint8_t byte = *c->at;
  struct cursor after = { .at = c->at + 1, .end = c->end };
  if ((byte & 0xef) == MLPD_TYPE_ALLOC) {
    struct mlpd_alloc e;
    mlpd_get_alloc (&decoder->bases, NULL, &after, byte, &e);
    buffer->kinds |= KIND (MLPD_ALLOC);
  } else if (byte == BYTE_HEAP_OBJECT) {
    struct mlpd_heap_object e;
    mlpd_get_heap_object (&decoder->bases, NULL, &after, byte, &e);
    buffer->kinds |= KIND (MLPD_HEAP_OBJECT);
  } else {
    return flag_event (decoder, c, buffer);
  }
  c->at = after.at;
  return after.error == CURSOR_OK;
}

/* The events of a buffer, from its header on. */
static void
flag_buffer (struct mlpd_decoder *decoder, struct indexed_buffer *buffer, const uint8_t *bytes,
             bool counts)
{
  struct cursor c = cursor_over (bytes, (size_t) indexed_buffer_size (buffer));
  struct mlpd_buffer_header header;
  struct times times = { .earliest = UINT64_MAX };
  mlpd_decode_buffer_header (&c, &header);
  mlpd_decoder_start_buffer (decoder, &header);
  const uint8_t *const unchecked_end = buffer->length > CALL_ROOM ? c.end - CALL_ROOM : c.at;
  while (c.at < c.end) {
    if (c.at < unchecked_end)
      c.at = counts ? skip_calls (c.at, unchecked_end, &decoder->bases, &times, true)
                    : skip_calls (c.at, unchecked_end, &decoder->bases, &times, false);
    if (!scan_one_event (decoder, &c, buffer)) {
      buffer->flags |= BUFFER_IS_DAMAGED;
      break;
    }
    include_time (&times, decoder->bases.time);
    times.events++;
  }
  buffer->earliest = times.earliest;
  buffer->latest = times.latest;
  buffer->kinds |= times.kinds;
  buffer->events = times.events;
}

/* ---- buffers ---- */

static struct indexed_buffer *
nth_buffer (const struct buffer_index *index, guint n)
{
  return &g_array_index (index->buffers, struct indexed_buffer, n);
}

/* The next buffers that are in no run. */
static bool
next_run (void *data, void *item)
{
  struct flag_job *m = data;
  struct flag_run *run = item;
  const guint n = m->index->buffers->len;
  *run = (struct flag_run){ .first = m->next, .end = m->next };
  while (run->end < n
         && (run->bytes == 0
             || run->bytes + indexed_buffer_size (nth_buffer (m->index, run->end)) <= RUN_BYTES))
    run->bytes += (size_t) indexed_buffer_size (nth_buffer (m->index, run->end++));
  m->next = run->end;
  return run->end != run->first;
}

static void
flag_run (void *data, void *item, void *worker)
{
  const struct flag_job *m = data;
  const struct flag_run *run = item;
  struct flag_worker *flag_worker = worker;
  g_byte_array_set_size (flag_worker->bytes, (guint) run->bytes);
  const uint64_t start = nth_buffer (m->index, run->first)->offset;
  const bool good
      = log_input_read_at (m->input, start, flag_worker->bytes->data, run->bytes) == run->bytes;
  for (guint i = run->first; i < run->end; i++) {
    struct indexed_buffer *buffer = nth_buffer (m->index, i);
    if (good)
      flag_buffer (&flag_worker->decoder, buffer,
                   flag_worker->bytes->data + (buffer->offset - start), m->counts);
    else
      buffer->flags |= BUFFER_IS_DAMAGED;
  }
}

static void *
flag_worker_new (void *data)
{
  const struct flag_job *m = data;
  struct flag_worker *flag_worker = g_new0 (struct flag_worker, 1);
  flag_worker->bytes = g_byte_array_new ();
  mlpd_decoder_start_file (&flag_worker->decoder, &m->index->header);
  return flag_worker;
}

static void
flag_worker_free (void *worker)
{
  struct flag_worker *flag_worker = worker;
  g_byte_array_unref (flag_worker->bytes);
  mlpd_decoder_clear (&flag_worker->decoder);
  g_free (flag_worker);
}

/* Ids are used again: where another thread begins. */
static void
flag_beginnings (struct buffer_index *index)
{
  GHashTable *ended = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < index->buffers->len; i++) {
    struct indexed_buffer *buffer = nth_buffer (index, i);
    if (buffer->is_first || g_hash_table_contains (ended, &buffer->thread))
      buffer->flags |= BUFFER_BEGINS_THREAD;
    if (buffer->length != 0)
      g_hash_table_remove (ended, &buffer->thread);
    if ((buffer->flags & BUFFER_ENDS_THREAD) != 0)
      g_hash_table_add (ended, &buffer->thread);
  }
  g_hash_table_destroy (ended);
}

static void
make (struct buffer_index *index, struct log_input *input, unsigned threads, bool counts)
{
  if (index->has_flags)
    return;
  static const struct ordered_pool pool = { .worker_new = flag_worker_new,
                                            .worker_free = flag_worker_free,
                                            .produce = next_run,
                                            .work = flag_run };
  struct flag_job m = { .index = index, .input = input, .next = index->marked, .counts = counts };
  struct flag_run runs[ORDERED_POOL_ITEMS_MAX];
  threads = ordered_pool_threads (threads);
  /* Tables that are computed at first use must be there before there are several threads. */
  mlpd_describe (0);
  ordered_pool_run (&pool, &m, runs, sizeof *runs, 2 * threads + 1, threads);
  flag_beginnings (index);
  index->has_flags = true;
}

void
buffer_flags_make (struct buffer_index *index, struct log_input *input, unsigned threads)
{
  make (index, input, threads, false);
}

bool
buffer_flags_store (struct log_input *input, GError **error)
{
  struct buffer_index *index = buffer_index_read (input);
  bool good = true;
  if (index != NULL && index->cached != INDEX_WHOLE) {
    make (index, input, 0, true);
    good = buffer_index_file_write (input, index->header_length, index->buffers, error);
  }
  buffer_index_free (index);
  return good;
}
