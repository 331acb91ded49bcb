/* record-store.c -- chunks of records, or of their texts, in a temporary file. */
#include "config.h"

#include "decoder/exports/record-store.h"
#include "decoder/core/temporary-file.h"
#include "decoder/output/emitter-values.h"

#include <errno.h>
#include <unistd.h>

/* Chunks that wait for the writer. */
enum { CHUNKS = 8 };

struct record_place {
  uint64_t offset, length; /* in the file */
};

/* Records for the writer. */
struct record_chunk {
  struct record_stream *stream; /* NULL: the writer is to end */
  unsigned char *records;
  guint used;
};

void
record_store_init (struct record_store *s)
{
  *s = (struct record_store){ .fd = -1 };
}

static void
free_chunk (void *data)
{
  struct record_chunk *chunk = data;
  g_free (chunk->records);
  g_free (chunk);
}

static void
end_writer (struct record_store *s)
{
  if (s->writer == NULL)
    return;
  g_async_queue_push (s->full, g_new0 (struct record_chunk, 1));
  g_thread_join (g_steal_pointer (&s->writer));
  g_clear_pointer (&s->full, g_async_queue_unref);
  g_clear_pointer (&s->empty, g_async_queue_unref);
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

GError *
record_store_take_error (struct record_store *s)
{
  if (s->writer != NULL && !g_atomic_int_get (&s->failed))
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

static gpointer
write_texts (gpointer data)
{
  struct record_store *s = data;
  GString *text = g_string_new (NULL);
  struct record_chunk *chunk;
  while ((chunk = g_async_queue_pop (s->full))->stream != NULL) {
    const struct record_stream *stream = chunk->stream;
    for (guint i = 0; i < stream->n_columns && s->error == NULL; i++) {
      g_string_truncate (text, 0);
      append_texts (text, stream, i, chunk->records, chunk->used);
      append_chunk (s, stream->chunks[i], text->str, text->len);
    }
    g_atomic_int_set (&s->failed, s->error != NULL);
    g_async_queue_push (s->empty, chunk);
  }
  free_chunk (chunk);
  g_string_free (text, TRUE);
  return NULL;
}

static void
start_writer (struct record_store *s)
{
  s->full = g_async_queue_new ();
  s->empty = g_async_queue_new_full (free_chunk);
  for (guint i = 0; i < CHUNKS; i++) {
    struct record_chunk *chunk = g_new0 (struct record_chunk, 1);
    chunk->records = g_malloc (RECORD_STREAM_WAITING);
    g_async_queue_push (s->empty, chunk);
  }
  s->writer = g_thread_new ("texts", write_texts, s);
}

/* The writer gets the records, and the stream the memory of others. */
static void
hand_over (struct record_store *s, struct record_stream *stream)
{
  if (s->writer == NULL)
    start_writer (s);
  struct record_chunk *chunk = g_async_queue_pop (s->empty);
  unsigned char *records = chunk->records;
  *chunk = (struct record_chunk){ stream, stream->waiting, stream->used };
  stream->waiting = records;
  g_async_queue_push (s->full, chunk);
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
  if (stream->columns != NULL)
    hand_over (s, stream);
  else
    append_chunk (s, stream->chunks[0], stream->waiting, stream->used);
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
