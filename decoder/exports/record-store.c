/* record-store.c -- chunks of records in a temporary file. */
#include "config.h"

#include "decoder/exports/record-store.h"
#include "decoder/core/ordered-pool.h"
#include "decoder/core/temporary-file.h"
#include "decoder/output/emitter-values.h"

#include <errno.h>
#include <unistd.h>

void
record_store_init (struct record_store *s)
{
  *s = (struct record_store){ .fd = -1 };
}

void
record_store_clear (struct record_store *s)
{
  if (s->fd >= 0)
    close (s->fd);
  g_clear_error (&s->error);
}

void
record_stream_clear (struct record_stream *stream)
{
  g_clear_pointer (&stream->waiting, g_free);
  g_clear_pointer (&stream->chunks, g_array_unref);
}

static void
fail (struct record_store *s, const char *problem)
{
  if (s->error == NULL)
    g_set_error (&s->error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                 "a temporary file in %s cannot be %s: %s", g_get_tmp_dir (), problem,
                 g_strerror (errno));
}

/* Whole records, so that none is in two chunks. */
static guint
chunk_bytes (const struct record_stream *stream)
{
  return RECORD_STREAM_WAITING / stream->record * stream->record;
}

static void
write_chunk (struct record_store *s, struct record_stream *stream)
{
  if (s->fd < 0 && s->error == NULL)
    s->fd = temporary_file_open (&s->error);
  for (guint done = 0; done < stream->used && s->error == NULL;) {
    const ssize_t n
        = pwrite (s->fd, stream->waiting + done, stream->used - done, (off_t) (s->size + done));
    if (n > 0)
      done += (guint) n;
    else if (n == 0 || errno != EINTR)
      fail (s, "written");
  }
  g_array_append_val (stream->chunks, s->size);
  s->size += stream->used;
  stream->used = 0;
}

void
record_store_put (struct record_store *s, struct record_stream *stream, const void *record,
                  guint size)
{
  if (stream->waiting == NULL) {
    stream->waiting = g_malloc (RECORD_STREAM_WAITING);
    stream->chunks = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    stream->record = size;
  }
  memcpy (stream->waiting + stream->used, record, size);
  stream->used += size;
  stream->count++;
  if (stream->used == chunk_bytes (stream))
    write_chunk (s, stream);
}

static bool
read_chunk (struct record_store *s, uint64_t offset, unsigned char *bytes, guint size)
{
  for (guint done = 0; done < size && s->error == NULL;) {
    const ssize_t n = pread (s->fd, bytes + done, size - done, (off_t) (offset + done));
    if (n > 0)
      done += (guint) n;
    else if (n == 0 || errno != EINTR)
      fail (s, "read");
  }
  return s->error == NULL;
}

/* ---- reading ---- */

struct record_reading {
  struct record_store *store;
  const struct record_stream *stream;
  guint next; /* chunk */
};

/* The next records; NULL after the last ones.  `chunk` has room for RECORD_STREAM_WAITING bytes. */
static const unsigned char *
read_records (struct record_reading *r, unsigned char *chunk, guint *bytes)
{
  const struct record_stream *stream = r->stream;
  const guint n = stream->waiting != NULL ? stream->chunks->len : 0, at = r->next++;
  *bytes = at < n ? chunk_bytes (stream) : stream->used;
  if (at > n || stream->waiting == NULL)
    return NULL;
  if (at == n)
    return stream->waiting;
  return read_chunk (r->store, g_array_index (stream->chunks, uint64_t, at), chunk, *bytes) ? chunk
                                                                                            : NULL;
}

void
record_store_each (struct record_store *s, const struct record_stream *stream,
                   bool (*handle) (void *data, const void *record), void *data)
{
  struct record_reading reading = { .store = s, .stream = stream };
  g_autofree unsigned char *chunk = g_malloc (RECORD_STREAM_WAITING);
  const unsigned char *records;
  guint bytes;
  while ((records = read_records (&reading, chunk, &bytes)) != NULL)
    for (guint at = 0; at < bytes; at += stream->record)
      if (!handle (data, records + at))
        return;
}

/* ---- texts ---- */

/* Records, and their texts. */
struct list_part {
  unsigned char *chunk;
  const unsigned char *records;
  guint bytes;
  GString *text;
};

struct list_writing {
  struct record_reading reading;
  void (*append) (GString *text, const void *record);
  bool (*put) (void *data, const GString *part);
  void *data;
};

static bool
read_part (void *data, void *item)
{
  struct list_writing *w = data;
  struct list_part *part = item;
  part->records = read_records (&w->reading, part->chunk, &part->bytes);
  return part->records != NULL;
}

/* A comma is before each. */
static void
append_texts (void *data, void *item, void *worker)
{
  const struct list_writing *w = data;
  struct list_part *part = item;
  const guint record = w->reading.stream->record;
  (void) worker;
  g_string_truncate (part->text, 0);
  for (guint at = 0; at < part->bytes; at += record) {
    emitter_append_bytes (part->text, ",", 1);
    w->append (part->text, part->records + at);
  }
}

static bool
put_part (void *data, void *item, void *worker)
{
  const struct list_writing *w = data;
  const struct list_part *part = item;
  (void) worker;
  return w->put (w->data, part->text);
}

void
record_store_list (struct record_store *s, const struct record_stream *stream,
                   void (*append) (GString *text, const void *record),
                   bool (*put) (void *data, const GString *part), void *data)
{
  enum { PARTS = 4 };
  static const struct ordered_pool pool
      = { .produce = read_part, .work = append_texts, .consume = put_part };
  struct list_writing w
      = { .reading = { .store = s, .stream = stream }, .append = append, .put = put, .data = data };
  struct list_part parts[PARTS];
  for (guint i = 0; i < PARTS; i++)
    parts[i] = (struct list_part){ .chunk = g_malloc (RECORD_STREAM_WAITING),
                                   .text = g_string_new (NULL) };
  ordered_pool_run (&pool, &w, parts, sizeof parts[0], PARTS, ordered_pool_threads (0));
  for (guint i = 0; i < PARTS; i++) {
    g_free (parts[i].chunk);
    g_string_free (parts[i].text, TRUE);
  }
}
