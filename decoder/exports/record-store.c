/* record-store.c -- chunks of records in a temporary file. */
#include "config.h"

#include "decoder/exports/record-store.h"
#include "decoder/core/temporary-file.h"

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
  g_clear_pointer (&stream->waiting, g_byte_array_unref);
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
  for (guint done = 0; done < stream->waiting->len && s->error == NULL;) {
    const ssize_t n = pwrite (s->fd, stream->waiting->data + done, stream->waiting->len - done,
                              (off_t) (s->size + done));
    if (n > 0)
      done += (guint) n;
    else if (n == 0 || errno != EINTR)
      fail (s, "written");
  }
  g_array_append_val (stream->chunks, s->size);
  s->size += stream->waiting->len;
  g_byte_array_set_size (stream->waiting, 0);
}

void
record_store_put (struct record_store *s, struct record_stream *stream, const void *record,
                  guint size)
{
  if (stream->waiting == NULL) {
    stream->waiting = g_byte_array_new ();
    stream->chunks = g_array_new (FALSE, FALSE, sizeof (uint64_t));
    stream->record = size;
  }
  g_byte_array_append (stream->waiting, record, size);
  stream->count++;
  if (stream->waiting->len == chunk_bytes (stream))
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

static bool
each_record (const unsigned char *bytes, guint size, guint record,
             bool (*handle) (void *data, const void *record), void *data)
{
  for (guint at = 0; at < size; at += record)
    if (!handle (data, bytes + at))
      return false;
  return true;
}

void
record_store_each (struct record_store *s, const struct record_stream *stream,
                   bool (*handle) (void *data, const void *record), void *data)
{
  if (stream->waiting == NULL)
    return;
  const guint size = chunk_bytes (stream);
  g_autofree unsigned char *bytes = g_malloc (size);
  for (guint i = 0; i < stream->chunks->len; i++)
    if (!read_chunk (s, g_array_index (stream->chunks, uint64_t, i), bytes, size)
        || !each_record (bytes, size, stream->record, handle, data))
      return;
  each_record (stream->waiting->data, stream->waiting->len, stream->record, handle, data);
}
