/* record-store.c -- chunks of records, or of their texts, in a temporary file. */
#include "config.h"

#include "decoder/exports/record-store.h"
#include "decoder/core/temporary-file.h"
#include "decoder/output/emitter-values.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

/* Chunks that wait for the writer. */
enum { CHUNKS = 8 };

struct record_place {
  uint64_t offset, length; /* in the file */
};

/* Records for the writer. */
struct record_chunk {
  struct record_stream *stream;
  unsigned char *records;
  guint used;
};

/* The thread that writes texts, and a ring of chunks for it.  POSIX's locks, as GLib's are unknown
 * to the thread sanitizer. */
struct text_writer {
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
free_writer (struct text_writer *w)
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
  struct text_writer *w = s->writer;
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
  for (guint i = 0; stream->chunks != NULL && stream->chunks[i] != NULL; i++)
    g_array_unref (stream->chunks[i]);
  g_clear_pointer (&stream->chunks, g_free);
}

static bool
writer_failed (struct text_writer *w)
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

/* ---- the file ---- */

static void
fail (struct record_store *s, const char *problem)
{
  if (s->error == NULL)
    g_set_error (&s->error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "a temporary file in %s cannot be %s: %s", g_get_tmp_dir (), problem,
                 g_strerror (errno));
}

static void
append_chunk (struct record_store *s, GArray *chunks, const void *bytes, size_t length)
{
  const struct record_place place = { .offset = s->size, .length = length };
  if (s->fd < 0 && s->error == NULL)
    s->fd = temporary_file_open (&s->error);
  for (size_t done = 0; done < length && s->error == NULL;) {
    const ssize_t n
        = pwrite (s->fd, (const char *) bytes + done, length - done, (off_t) (place.offset + done));
    if (n > 0)
      done += (size_t) n;
    else if (n == 0 || errno != EINTR)
      fail (s, "written");
  }
  g_array_append_val (chunks, place);
  s->size += length;
}

static bool
read_chunk (struct record_store *s, const struct record_place *place, void *bytes)
{
  for (size_t done = 0; done < place->length && s->error == NULL;) {
    const ssize_t n = pread (s->fd, (char *) bytes + done, place->length - done,
                             (off_t) (place->offset + done));
    if (n > 0)
      done += (size_t) n;
    else if (n == 0 || errno != EINTR)
      fail (s, "read");
  }
  return s->error == NULL;
}

/* ---- texts ---- */

/* A comma is before each. */
static void
append_texts (GString *text, const struct record_stream *stream, guint column,
              const unsigned char *records, guint used)
{
  const record_text append = stream->columns[column];
  for (guint at = 0; at < used; at += stream->record) {
    emitter_append_bytes (text, ",", 1);
    append (text, records + at);
  }
}

static void
write_chunk_texts (struct record_store *s, const struct record_chunk *chunk, GString *text)
{
  const struct record_stream *stream = chunk->stream;
  for (guint i = 0; i < stream->n_columns && s->error == NULL; i++) {
    g_string_truncate (text, 0);
    append_texts (text, stream, i, chunk->records, chunk->used);
    append_chunk (s, stream->chunks[i], text->str, text->len);
  }
}

static void *
write_texts (void *data)
{
  struct record_store *s = data;
  struct text_writer *w = s->writer;
  GString *text = g_string_new (NULL);
  pthread_mutex_lock (&w->lock);
  while (!w->at_end || w->n_written != w->n_put)
    if (w->n_written == w->n_put)
      pthread_cond_wait (&w->changed, &w->lock);
    else {
      const struct record_chunk *chunk = &w->chunks[w->n_written % CHUNKS];
      pthread_mutex_unlock (&w->lock);
      write_chunk_texts (s, chunk, text);
      pthread_mutex_lock (&w->lock);
      w->failed = s->error != NULL;
      w->n_written++;
      pthread_cond_signal (&w->changed);
    }
  pthread_mutex_unlock (&w->lock);
  g_string_free (text, TRUE);
  return NULL;
}

/* False: there is no thread for it. */
static bool
has_writer (struct record_store *s)
{
  if (s->writer != NULL)
    return true;
  struct text_writer *w = s->writer = g_new0 (struct text_writer, 1);
  pthread_mutex_init (&w->lock, NULL);
  pthread_cond_init (&w->changed, NULL);
  for (guint i = 0; i < CHUNKS; i++)
    w->chunks[i].records = g_malloc (RECORD_STREAM_WAITING);
  if (pthread_create (&w->thread, NULL, write_texts, s) == 0)
    return true;
  g_clear_pointer (&s->writer, free_writer);
  return false;
}

/* On this thread. */
static void
write_waiting (struct record_store *s, struct record_stream *stream)
{
  g_autoptr (GString) text = g_string_new (NULL);
  write_chunk_texts (s, &(struct record_chunk){ stream, stream->waiting, stream->used }, text);
}

/* The writer gets the records, and the stream the memory of others. */
static void
hand_over (struct text_writer *w, struct record_stream *stream)
{
  pthread_mutex_lock (&w->lock);
  while (w->n_put - w->n_written == CHUNKS)
    pthread_cond_wait (&w->changed, &w->lock);
  struct record_chunk *chunk = &w->chunks[w->n_put++ % CHUNKS];
  unsigned char *records = chunk->records;
  *chunk = (struct record_chunk){ stream, stream->waiting, stream->used };
  stream->waiting = records;
  pthread_cond_signal (&w->changed);
  pthread_mutex_unlock (&w->lock);
}

/* ---- putting records ---- */

void
record_stream_begin (struct record_stream *stream, guint size, const record_text *columns)
{
  stream->columns = columns;
  while (columns != NULL && columns[stream->n_columns] != NULL)
    stream->n_columns++;
  const guint n = MAX (stream->n_columns, 1);
  stream->waiting = g_malloc (RECORD_STREAM_WAITING);
  stream->record = size;
  stream->chunks = g_new0 (GArray *, n + 1);
  for (guint i = 0; i < n; i++)
    stream->chunks[i] = g_array_new (FALSE, FALSE, sizeof (struct record_place));
}

void
record_store_put_chunk (struct record_store *s, struct record_stream *stream)
{
  if (stream->columns == NULL)
    append_chunk (s, stream->chunks[0], stream->waiting, stream->used);
  else if (has_writer (s))
    hand_over (s->writer, stream);
  else
    write_waiting (s, stream);
  stream->used = 0;
}

/* ---- reading ---- */

static bool
handle_records (const struct record_stream *stream, const unsigned char *records, guint bytes,
                bool (*handle) (void *data, const void *record), void *data)
{
  for (guint at = 0; at < bytes; at += stream->record)
    if (!handle (data, records + at))
      return false;
  return true;
}

void
record_store_each (struct record_store *s, const struct record_stream *stream,
                   bool (*handle) (void *data, const void *record), void *data)
{
  g_autofree unsigned char *records = g_malloc (RECORD_STREAM_WAITING);
  const GArray *chunks = stream->chunks != NULL ? stream->chunks[0] : NULL;
  for (guint i = 0; chunks != NULL && i < chunks->len; i++) {
    const struct record_place *place = &g_array_index (chunks, struct record_place, i);
    if (!read_chunk (s, place, records)
        || !handle_records (stream, records, (guint) place->length, handle, data))
      return;
  }
  handle_records (stream, stream->waiting, stream->used, handle, data);
}

/* The first comma is one too many. */
static bool
append_place (struct record_store *s, const struct record_place *place, bool is_first, GString *to)
{
  const struct record_place texts = { place->offset + is_first, place->length - is_first };
  const size_t before = to->len;
  g_string_set_size (to, before + texts.length);
  return read_chunk (s, &texts, to->str + before);
}

void
record_store_list (struct record_store *s, const struct record_stream *stream, guint column,
                   GString *to, bool (*flush) (void *data), void *data)
{
  end_writer (s);
  if (stream->waiting == NULL)
    return;
  const GArray *chunks = stream->chunks[column];
  for (guint i = 0; i < chunks->len; i++)
    if (!append_place (s, &g_array_index (chunks, struct record_place, i), i == 0, to)
        || !flush (data))
      return;
  const size_t before = to->len;
  append_texts (to, stream, column, stream->waiting, stream->used);
  if (chunks->len == 0 && to->len != before)
    g_string_erase (to, (gssize) before, 1);
  flush (data);
}
