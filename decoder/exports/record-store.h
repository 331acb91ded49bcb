/* record-store.h -- records of many streams, each of which is read again as a whole, in order.
 *
 * A format whose file has one column after the other needs all values of one before the first of
 * the next.  They wait in a temporary file, as records or, for such formats, as the texts of the
 * columns, which a thread of the store writes.  A stream has at most RECORD_STREAM_WAITING bytes in
 * memory, and a few for each chunk in the file.
 *
 * A store is used by one thread at a time.
 */
#ifndef PROFLOG_RECORD_STORE_H
#define PROFLOG_RECORD_STORE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define RECORD_STREAM_WAITING (1u << 16)

/* A value of a record: appends its text, on any thread. */
typedef void (*record_text) (GString *text, const void *record);

struct record_store {
  int fd; /* -1: none yet */
  uint64_t size;
  GError *error;              /* NULL: none; records are lost after one */
  struct text_writer *writer; /* NULL: none yet.  The error, the size and the places of texts are
                               * its own until it is ended. */
};

struct record_stream {
  unsigned char *waiting;     /* NULL: none yet */
  guint used;                 /* bytes that wait */
  GArray **chunks;            /* of struct record_place: of records, or of each column's texts */
  guint record;               /* bytes of each */
  uint64_t count;             /* of records */
  const record_text *columns; /* NULL: the stream has records */
  guint n_columns;
};

void record_store_init (struct record_store *store);
void record_store_clear (struct record_store *store);
void record_stream_clear (struct record_stream *stream);

/* The slow parts of record_store_put. */
void record_stream_begin (struct record_stream *stream, guint size, const record_text *columns);
void record_store_put_chunk (struct record_store *store, struct record_stream *stream);

/* Adds a record; those of a stream, which is zero before its first one, have one size and the same
 * columns.  These end with NULL, and stay the caller's; NULL: the records are wanted, not texts. */
static inline void
record_store_put (struct record_store *store, struct record_stream *stream, const void *record,
                  guint size, const record_text *columns)
{
  if (G_UNLIKELY (stream->waiting == NULL))
    record_stream_begin (stream, size, columns);
  memcpy (stream->waiting + stream->used, record, size);
  stream->used += size;
  stream->count++;
  if (G_UNLIKELY (stream->used + size > RECORD_STREAM_WAITING))
    record_store_put_chunk (store, stream);
}

/* Takes the error that there is by now (transfer full); NULL: none. */
GError *record_store_take_error (struct record_store *store);

/* Calls for each record of the stream, until `handle` is false. */
void record_store_each (struct record_store *store, const struct record_stream *stream,
                        bool (*handle) (void *data, const void *record), void *data);

/* Appends the texts of a column of all records, with commas between them; calls after each part,
 * until `flush` is false, which may empty the text. */
void record_store_list (struct record_store *store, const struct record_stream *stream,
                        guint column, GString *to, bool (*flush) (void *data), void *data);

#endif
