/* buffer-marks.c -- goes through all events of a log in as little time as can be. */
#include "decoder/analyses/buffer-marks.h"
#include "config.h"
#include "decoder/analyses/buffer-choice.h"
#include "decoder/analyses/log-scan.h"
#include "decoder/formats/mlpd-wires.h"
#include <pthread.h>

/* Bytes that are read at once, unless a buffer is longer: few, so that they stay in the cache. */
#define RUN_BYTES ((size_t) 256 << 10)

/* So many bytes hold the event byte and the numbers of a call. */
#define CALL_ROOM ((size_t) 1 + 2 * CURSOR_ROOM)

enum {
  BYTE_ENTER = MLPD_TYPE_METHOD | 0x20,
  BYTE_LEAVE = MLPD_TYPE_METHOD | 0x10,
  BYTE_HEAP_OBJECT = MLPD_TYPE_HEAP | 0x20,
};

/* What several threads share. */
struct marking {
  struct buffer_index *index;
  struct log_input *input;
  pthread_mutex_t lock;
  guint next; /* buffer that no thread has yet */
};

/* ---- events ---- */

struct times {
  uint64_t earliest;
  uint64_t latest;
};

CURSOR_INLINE void
meet (struct times *times, uint64_t time)
{
  times->earliest = MIN (times->earliest, time);
  times->latest = MAX (times->latest, time);
}

/* Goes through calls, up to anything else or a number of many bytes.  Each has CALL_ROOM bytes. */
static inline const uint8_t *
pass_calls (const uint8_t *at, const uint8_t *end, struct mlpd_bases *bases, struct times *times)
{
  struct mlpd_bases b = *bases;
  struct times t = *times;
  while (at < end && (*at == BYTE_ENTER || *at == BYTE_LEAVE)) {
    struct cursor c = { .at = at + 1, .end = end, .roomy = true };
    const uint64_t time = b.time;
    if (*at == BYTE_ENTER) {
      struct mlpd_method_enter e;
      mlpd_get_method_enter (&b, NULL, &c, BYTE_ENTER, &e);
    } else {
      struct mlpd_method_leave e;
      mlpd_get_method_leave (&b, NULL, &c, BYTE_LEAVE, &e);
    }
    if (G_UNLIKELY (c.at - at >= CURSOR_TOO_FAR)) {
      b.time = time;
      break;
    }
    meet (&t, b.time);
    at = c.at;
  }
  *times = t;
  bases->time = b.time; /* what methods they were of is no concern */
  return at;
}

/* What an event of this kind, in a buffer of this thread, makes of the buffer. */
static unsigned
marks_of (enum mlpd_kind kind, const union mlpd_payload *payload, uint64_t thread)
{
  if (kind == MLPD_SAMPLE_HIT)
    return BUFFER_HAS_HITS;
  if (kind == MLPD_SAMPLE_COUNTERS)
    return BUFFER_HAS_COUNTERS;
  /* Heap shots are numbered. */
  unsigned marks = buffer_choice_is_name (kind) || kind == MLPD_HEAP_START ? BUFFER_HAS_NAMES : 0;
  if (kind == MLPD_METADATA_THREAD && payload->metadata_thread.action == MLPD_LOAD_END_UNLOAD
      && payload->metadata_thread.thread == thread)
    marks |= BUFFER_ENDS_THREAD;
  return marks;
}

/* An event that does not come in masses.  False if it cannot be decoded. */
static bool
mark_event (struct mlpd_decoder *decoder, struct cursor *c, struct indexed_buffer *buffer)
{
  enum mlpd_kind kind;
  if (mlpd_decode_event (decoder, c, &kind) != MLPD_DECODED)
    return false;
  uint64_t time;
  /* See scan_event. */
  if (kind != MLPD_SAMPLE_HIT && mlpd_event_time (kind, &decoder->payload, &time))
    decoder->bases.time = time;
  buffer->marks |= marks_of (kind, &decoder->payload, buffer->thread);
  return true;
}

/* One event.  False if it cannot be decoded. */
static bool
pass_event (struct mlpd_decoder *decoder, struct cursor *c, struct indexed_buffer *buffer)
{
  const uint8_t byte = *c->at;
  struct cursor behind = { .at = c->at + 1, .end = c->end };
  if ((byte & 0xef) == MLPD_TYPE_ALLOC) {
    struct mlpd_alloc e;
    mlpd_get_alloc (&decoder->bases, NULL, &behind, byte, &e);
  } else if (byte == BYTE_HEAP_OBJECT) {
    struct mlpd_heap_object e;
    mlpd_get_heap_object (&decoder->bases, NULL, &behind, byte, &e);
  } else {
    return mark_event (decoder, c, buffer);
  }
  c->at = behind.at;
  return behind.error == CURSOR_OK;
}

/* The events of a buffer, from its header on. */
static void
mark_buffer (struct mlpd_decoder *decoder, struct indexed_buffer *buffer, const uint8_t *bytes)
{
  struct cursor c = cursor_over (bytes, (size_t) indexed_buffer_size (buffer));
  struct mlpd_buffer_header header;
  struct times times = { UINT64_MAX, 0 };
  mlpd_decode_buffer_header (&c, &header);
  mlpd_decoder_start_buffer (decoder, &header);
  const uint8_t *const roomy_end = buffer->length > CALL_ROOM ? c.end - CALL_ROOM : c.at;
  while (c.at < c.end) {
    if (c.at < roomy_end)
      c.at = pass_calls (c.at, roomy_end, &decoder->bases, &times);
    if (!pass_event (decoder, &c, buffer)) {
      buffer->marks |= BUFFER_IS_DAMAGED;
      break;
    }
    meet (&times, decoder->bases.time);
  }
  buffer->earliest = times.earliest;
  buffer->latest = times.latest;
}

/* ---- buffers ---- */

static struct indexed_buffer *
nth_buffer (const struct buffer_index *index, guint n)
{
  return &g_array_index (index->buffers, struct indexed_buffer, n);
}

/* The next buffers that no thread has: from *first on, before the one returned; 0: none is left. */
static guint
take_run (struct marking *m, guint *first, size_t *bytes)
{
  const guint n = m->index->buffers->len;
  *bytes = 0;
  pthread_mutex_lock (&m->lock);
  guint next = *first = m->next;
  while (
      next < n
      && (*bytes == 0 || *bytes + indexed_buffer_size (nth_buffer (m->index, next)) <= RUN_BYTES))
    *bytes += (size_t) indexed_buffer_size (nth_buffer (m->index, next++));
  m->next = next;
  pthread_mutex_unlock (&m->lock);
  return next != *first ? next : 0;
}

static void *
mark_runs (void *data)
{
  struct marking *m = data;
  struct mlpd_decoder decoder = { 0 };
  GByteArray *bytes = g_byte_array_new ();
  size_t length;
  mlpd_decoder_start_file (&decoder, &m->index->header);
  for (guint first, next; (next = take_run (m, &first, &length)) != 0;) {
    g_byte_array_set_size (bytes, (guint) length);
    const uint64_t start = nth_buffer (m->index, first)->offset;
    const bool good = log_input_read_at (m->input, start, bytes->data, length) == length;
    for (guint i = first; i < next; i++) {
      struct indexed_buffer *buffer = nth_buffer (m->index, i);
      if (good)
        mark_buffer (&decoder, buffer, bytes->data + (buffer->offset - start));
      else
        buffer->marks |= BUFFER_IS_DAMAGED;
    }
  }
  g_byte_array_unref (bytes);
  mlpd_decoder_clear (&decoder);
  return NULL;
}

/* Ids are used again: where another thread begins. */
static void
mark_beginnings (struct buffer_index *index)
{
  GHashTable *ended = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint i = 0; i < index->buffers->len; i++) {
    struct indexed_buffer *buffer = nth_buffer (index, i);
    if (buffer->is_first || g_hash_table_contains (ended, &buffer->thread))
      buffer->marks |= BUFFER_BEGINS_THREAD;
    if (buffer->length != 0)
      g_hash_table_remove (ended, &buffer->thread);
    if ((buffer->marks & BUFFER_ENDS_THREAD) != 0)
      g_hash_table_add (ended, &buffer->thread);
  }
  g_hash_table_destroy (ended);
}

void
buffer_marks_make (struct buffer_index *index, struct log_input *input, unsigned threads)
{
  if (index->is_marked)
    return;
  if (threads == 0)
    threads = g_get_num_processors ();
  struct marking m = { .index = index, .input = input };
  pthread_t helpers[LOG_SCAN_THREADS_MAX];
  unsigned n_helpers = 0; /* fewer where the system has no more threads */
  pthread_mutex_init (&m.lock, NULL);
  /* What is worked out at first use is worked out before there are several threads. */
  mlpd_describe (0);
  while (n_helpers + 1 < MIN (threads, LOG_SCAN_THREADS_MAX)
         && pthread_create (&helpers[n_helpers], NULL, mark_runs, &m) == 0)
    n_helpers++;
  mark_runs (&m);
  for (unsigned i = 0; i < n_helpers; i++)
    pthread_join (helpers[i], NULL);
  pthread_mutex_destroy (&m.lock);
  mark_beginnings (index);
  index->is_marked = true;
}
