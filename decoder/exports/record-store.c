/* record-store.c -- chunks of packed records in a temporary file. */
#include "config.h"

#include "decoder/exports/record-store.h"
#include "decoder/core/cursor.h"
#include "decoder/core/ordered-pool.h"
#include "decoder/core/temporary-file.h"
#include "decoder/output/emitter-values.h"

#include <proflog/mlpd-encode.h>
#include <pthread.h>
#include <unistd.h>

/* Chunks that wait for the writer. */
enum { CHUNKS = 8 };

/* Words of a chunk, and most bytes of these in the file. */
#define CHUNK_WORDS (RECORD_STREAM_WAITING / RECORD_WORD_BYTES)
#define PACKED_MAX (CHUNK_WORDS * MLPD_LEB128_MAX)

/* One word of the records of a chunk. */
struct record_place {
  uint64_t offset, length; /* in the file */
};

/* Records for the writer. */
struct record_chunk {
  struct record_stream *stream;
  unsigned char *records;
};

/* The thread that packs records, and a ring of chunks for it.  POSIX's locks, as GLib's are unknown
 * to the thread sanitizer. */
struct record_writer {
  pthread_t thread;
  pthread_mutex_t lock; /* of all that follows; a chunk that was put is the writer's alone */
  pthread_cond_t changed;
  struct record_chunk chunks[CHUNKS]; /* used in turn */
  unsigned n_put, n_written;
  bool at_end; /* no more will be put */
  bool failed; /* the store has an error */
};

void
record_store_init (struct record_store *s)
{
  *s = (struct record_store){ .fd = -1 };
}

static void
free_writer (struct record_writer *w)
{
  for (guint i = 0; i < CHUNKS; i++)
    g_free (w->chunks[i].records);
  pthread_mutex_destroy (&w->lock);
  pthread_cond_destroy (&w->changed);
  g_free (w);
}

/* Returns when all is written. */
static void
end_writer (struct record_store *s)
{
  struct record_writer *w = s->writer;
  if (w == NULL)
    return;
  pthread_mutex_lock (&w->lock);
  w->at_end = true;
  pthread_cond_signal (&w->changed);
  pthread_mutex_unlock (&w->lock);
  pthread_join (w->thread, NULL);
  g_clear_pointer (&s->writer, free_writer);
}

void
record_store_clear (struct record_store *s)
{
  end_writer (s);
  if (s->fd >= 0)
    close (s->fd);
  g_clear_error (&s->error);
}

void
record_stream_clear (struct record_stream *stream)
{
  g_clear_pointer (&stream->waiting, g_free);
  g_clear_pointer (&stream->places, g_array_unref);
}

static bool
writer_failed (struct record_writer *w)
{
  pthread_mutex_lock (&w->lock);
  const bool failed = w->failed;
  pthread_mutex_unlock (&w->lock);
  return failed;
}

GError *
record_store_take_error (struct record_store *s)
{
  if (s->writer != NULL && !writer_failed (s->writer))
    return NULL;
  end_writer (s);
  return g_steal_pointer (&s->error);
}

void
record_store_check (struct record_store *s, struct export_out *out)
{
  GError *error = out->failed ? NULL : record_store_take_error (s);
  if (error == NULL)
    return;
  out->failed = true;
  out->error = error;
}

/* ---- packing ---- */

static guint
stream_words (const struct record_stream *stream)
{
  return stream->record / RECORD_WORD_BYTES;
}

/* Each chunk in the file has as many. */
static guint
chunk_bytes (const struct record_stream *stream)
{
  return RECORD_STREAM_WAITING / stream->record * stream->record;
}

/* Returns the end. */
static uint8_t *
pack_word (uint8_t *p, const struct record_stream *stream, const unsigned char *records, guint word)
{
  const guint bytes = chunk_bytes (stream), step = stream->record;
  uint64_t last = 0;
  for (guint at = word * RECORD_WORD_BYTES; at < bytes; at += step) {
    uint64_t value;
    memcpy (&value, records + at, sizeof value);
    p = mlpd_put_sleb (p, (int64_t) (value - last));
    last = value;
  }
  return p;
}

static void
unpack_word (struct cursor c, const struct record_stream *stream, unsigned char *records,
             guint word)
{
  const guint bytes = chunk_bytes (stream), step = stream->record;
  uint64_t value = 0;
  for (guint at = word * RECORD_WORD_BYTES; at < bytes; at += step) {
    value += (uint64_t) cursor_sleb (&c);
    memcpy (records + at, &value, sizeof value);
  }
}

/* ---- writing ---- */

static void
write_chunk (struct record_store *s, struct record_stream *stream, const unsigned char *records,
             uint8_t *packed)
{
  uint8_t *end = packed;
  for (guint word = 0; word < stream_words (stream); word++) {
    const uint8_t *begin = end;
    end = pack_word (end, stream, records, word);
    const struct record_place place
        = { s->size + (uint64_t) (begin - packed), (uint64_t) (end - begin) };
    g_array_append_val (stream->places, place);
  }
  const size_t length = (size_t) (end - packed);
  if (s->fd < 0 && s->error == NULL)
    s->fd = temporary_file_open (&s->error);
  const int error = s->error == NULL ? temporary_file_write (s->fd, s->size, packed, length) : 0;
  if (error != 0)
    s->error = temporary_file_error ("written", error);
  s->size += length;
}

static void *
write_chunks (void *data)
{
  struct record_store *s = data;
  struct record_writer *w = s->writer;
  uint8_t *packed = g_malloc (PACKED_MAX);
  pthread_mutex_lock (&w->lock);
  while (!w->at_end || w->n_written != w->n_put)
    if (w->n_written == w->n_put)
      pthread_cond_wait (&w->changed, &w->lock);
    else {
      const struct record_chunk *chunk = &w->chunks[w->n_written % CHUNKS];
      pthread_mutex_unlock (&w->lock);
      write_chunk (s, chunk->stream, chunk->records, packed);
      pthread_mutex_lock (&w->lock);
      w->failed = s->error != NULL;
      w->n_written++;
      pthread_cond_signal (&w->changed);
    }
  pthread_mutex_unlock (&w->lock);
  g_free (packed);
  return NULL;
}

/* False: there is no thread for it. */
static bool
has_writer (struct record_store *s)
{
  if (s->writer != NULL)
    return true;
  struct record_writer *w = s->writer = g_new0 (struct record_writer, 1);
  pthread_mutex_init (&w->lock, NULL);
  pthread_cond_init (&w->changed, NULL);
  for (guint i = 0; i < CHUNKS; i++)
    w->chunks[i].records = g_malloc (RECORD_STREAM_WAITING);
  if (pthread_create (&w->thread, NULL, write_chunks, s) == 0)
    return true;
  g_clear_pointer (&s->writer, free_writer);
  return false;
}

/* On this thread. */
static bool
write_waiting (struct record_store *s, struct record_stream *stream)
{
  g_autofree uint8_t *packed = g_malloc (PACKED_MAX);
  write_chunk (s, stream, stream->waiting, packed);
  return s->error == NULL;
}

/* The writer gets the records, and the stream the memory of others. */
static bool
hand_over (struct record_writer *w, struct record_stream *stream)
{
  pthread_mutex_lock (&w->lock);
  while (w->n_put - w->n_written == CHUNKS)
    pthread_cond_wait (&w->changed, &w->lock);
  struct record_chunk *chunk = &w->chunks[w->n_put++ % CHUNKS];
  unsigned char *records = chunk->records;
  *chunk = (struct record_chunk){ stream, stream->waiting };
  stream->waiting = records;
  const bool good = !w->failed;
  if (w->n_put - w->n_written >= CHUNKS / 2) /* so that it wakes seldom */
    pthread_cond_signal (&w->changed);
  pthread_mutex_unlock (&w->lock);
  return good;
}

/* ---- putting records ---- */

void
record_stream_begin (struct record_stream *stream, guint size)
{
  g_assert (size != 0 && size % RECORD_WORD_BYTES == 0
            && size / RECORD_WORD_BYTES <= RECORD_WORDS_MAX);
  stream->waiting = g_malloc (RECORD_STREAM_WAITING);
  stream->record = size;
  stream->places = g_array_new (FALSE, FALSE, sizeof (struct record_place));
}

bool
record_store_put_chunk (struct record_store *s, struct record_stream *stream)
{
  stream->used = 0;
  return has_writer (s) ? hand_over (s->writer, stream) : write_waiting (s, stream);
}

/* ---- reading ---- */

/* Chunks of a part, which is large enough that handing it from thread to thread costs little. */
enum { PART_CHUNKS = 4 };

/* A stream that is read, by threads in parts. */
struct reading {
  struct record_store *store;
  const struct record_stream *stream;
  const struct record_column *column; /* NULL: the records are wanted */
  guint next, n;                      /* chunks */
  /* With a column. */
  GString *to;
  bool has_text; /* in `to`, or there before */
  bool (*flush) (void *data);
  /* With none. */
  bool (*handle) (void *data, const void *record);
  void *data;
};

struct part {
  guint first, end; /* chunks */
  GString *bytes;   /* the records, or texts of the column, with a comma before each */
  int error;        /* the system's; 0: none */
};

/* Memory of a thread. */
struct reader {
  unsigned char records[RECORD_STREAM_WAITING];
  uint8_t packed[PACKED_MAX];
};

static void *
reader_new (void *data)
{
  (void) data;
  return g_new0 (struct reader, 1);
}

static bool
next_part (void *data, void *item)
{
  struct reading *r = data;
  struct part *part = item;
  if (r->next == r->n)
    return false;
  part->first = r->next;
  part->end = r->next = MIN (r->next + PART_CHUNKS, r->n);
  return true;
}

/* Reads the words that are wanted; the system's error, or 0. */
static int
read_chunk (const struct reading *r, guint chunk, struct reader *reader)
{
  const struct record_stream *stream = r->stream;
  const guint n = stream_words (stream);
  for (guint word = 0; word < n; word++) {
    const struct record_place *place
        = &g_array_index (stream->places, struct record_place, chunk * n + word);
    if (r->column != NULL && (r->column->words & 1u << word) == 0)
      continue;
    const int error
        = temporary_file_read (r->store->fd, place->offset, reader->packed, place->length);
    if (error != 0)
      return error;
    unpack_word (cursor_over (reader->packed, place->length), stream, reader->records, word);
  }
  return 0;
}

static void
append_records (const struct reading *r, GString *to, const unsigned char *records, guint bytes)
{
  if (r->column == NULL)
    emitter_append_bytes (to, (const char *) records, bytes);
  else
    for (guint at = 0; at < bytes; at += r->stream->record) {
      emitter_append_bytes (to, ",", 1);
      r->column->append (to, records + at);
    }
}

static void
read_part (void *data, void *item, void *worker)
{
  const struct reading *r = data;
  struct part *part = item;
  struct reader *reader = worker;
  if (part->bytes == NULL)
    part->bytes = g_string_new (NULL);
  g_string_truncate (part->bytes, 0);
  part->error = 0;
  for (guint i = part->first; i < part->end && part->error == 0; i++) {
    part->error = read_chunk (r, i, reader);
    append_records (r, part->bytes, reader->records, chunk_bytes (r->stream));
  }
}

static bool
put_records (const struct reading *r, const GString *records)
{
  for (size_t at = 0; at < records->len; at += r->stream->record)
    if (!r->handle (r->data, records->str + at))
      return false;
  return true;
}

/* The first comma is one too many. */
static bool
put_texts (struct reading *r, const GString *texts)
{
  const size_t skip = r->has_text ? 0 : MIN (texts->len, 1);
  emitter_append_bytes (r->to, texts->str + skip, texts->len - skip);
  r->has_text = true;
  return r->flush (r->data);
}

static bool
put_bytes (struct reading *r, const GString *bytes)
{
  return r->column != NULL ? put_texts (r, bytes) : put_records (r, bytes);
}

static bool
put_part (void *data, void *item, void *worker)
{
  struct reading *r = data;
  struct part *part = item;
  (void) worker;
  if (part->error == 0)
    return put_bytes (r, part->bytes);
  r->store->error = temporary_file_error ("read", part->error);
  return false;
}

/* Those in the file; false: there is an error, or no more are wanted. */
static bool
read_parts (struct reading *r)
{
  static const struct ordered_pool pool = { .worker_new = reader_new,
                                            .worker_free = g_free,
                                            .produce = next_part,
                                            .work = read_part,
                                            .consume = put_part };
  struct part parts[ORDERED_POOL_ITEMS_MAX] = { { .bytes = NULL } };
  const guint n_parts = (r->n + PART_CHUNKS - 1) / PART_CHUNKS;
  const guint threads = MIN (ordered_pool_threads (0), n_parts);
  const bool good
      = n_parts == 0
        || ordered_pool_run (&pool, r, parts, sizeof parts[0], 2 * threads + 1, threads);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i].bytes != NULL)
      g_string_free (parts[i].bytes, TRUE);
  return good;
}

static void
read_all (struct reading *r)
{
  end_writer (r->store);
  if (r->store->error != NULL || r->stream->waiting == NULL)
    return;
  r->n = r->stream->places->len / stream_words (r->stream);
  if (!read_parts (r))
    return;
  g_autoptr (GString) rest = g_string_new (NULL);
  append_records (r, rest, r->stream->waiting, r->stream->used);
  put_bytes (r, rest);
}

void
record_store_each (struct record_store *s, const struct record_stream *stream,
                   bool (*handle) (void *data, const void *record), void *data)
{
  read_all (&(struct reading){ .store = s, .stream = stream, .handle = handle, .data = data });
}

void
record_store_list (struct record_store *s, const struct record_stream *stream,
                   const struct record_column *column, GString *to, bool (*flush) (void *data),
                   void *data)
{
  read_all (&(struct reading){
      .store = s, .stream = stream, .column = column, .to = to, .flush = flush, .data = data });
}
