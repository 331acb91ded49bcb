/* record-store.h -- records of many streams, each of which is read again as a whole, in order.
 *
 * A format whose file has one column after the other needs all values of one before the first of
 * the next.  Records wait in a temporary file in few bytes: each word as the difference from that
 * of the record before, the words of a chunk one after the other, so that the text of a column is
 * made of its own alone.  A thread of the store packs them; several threads read them.  A stream
 * has at most RECORD_STREAM_WAITING bytes in memory, and a few for each chunk in the file.
 *
 * A store is used by one thread at a time.
 */
#ifndef PROFLOG_RECORD_STORE_H
#define PROFLOG_RECORD_STORE_H

#include "decoder/exports/export-out.h"

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RECORD_STREAM_WAITING (1u << 16)

/* Records have whole words, and no padding. */
#define RECORD_WORD_BYTES 8
#define RECORD_WORDS_MAX 8
#define RECORD_WORD(type, member) (1u << (offsetof (type, member) / RECORD_WORD_BYTES))

/* A value of each record, as text. */
struct record_column {
  void (*append) (GString *text, const void *record); /* on any thread */
  guint words; /* a bit for each word that it is made of, as RECORD_WORD has it; others may be 0 */
};

struct record_store {
  int fd; /* -1: none yet */
  uint64_t size;
  GError *error;                /* NULL: none; records are lost after one */
  struct record_writer *writer; /* NULL: none yet.  The error, the size and the places of chunks are
                                 * its own until it is ended. */
};

struct record_stream {
  unsigned char *waiting; /* NULL: none yet */
  guint used;             /* bytes that wait */
  guint record;           /* bytes of each */
  uint64_t count;         /* of records */
  GArray *places;         /* of struct record_place: of each word of each chunk */
};

void record_store_init (struct record_store *store);

/* Streams are cleared after their store, which may have their records still. */
void record_store_clear (struct record_store *store);
void record_stream_clear (struct record_stream *stream);

/* The slow parts of record_store_put. */
void record_stream_begin (struct record_stream *stream, guint size);
bool record_store_put_chunk (struct record_store *store, struct record_stream *stream);

/* Adds a record; those of a stream, which is zero before its first one, have one size.  False: the
 * store is known to have an error. */
static inline bool
record_store_put (struct record_store *store, struct record_stream *stream, const void *record,
                  guint size)
{
  if (G_UNLIKELY (stream->waiting == NULL))
    record_stream_begin (stream, size);
  memcpy (stream->waiting + stream->used, record, size);
  stream->used += size;
  stream->count++;
  return G_LIKELY (stream->used + size <= RECORD_STREAM_WAITING)
         || record_store_put_chunk (store, stream);
}

/* Removes and returns the error that is known (transfer full); NULL: none. */
GError *record_store_take_error (struct record_store *store);

/* The output fails with the error that is known, unless there is none or the output has failed
 * already. */
void record_store_check (struct record_store *store, struct export_out *out);

/* Calls for each record of the stream, until `handle` is false. */
void record_store_each (struct record_store *store, const struct record_stream *stream,
                        bool (*handle) (void *data, const void *record), void *data);

/* Appends the texts of a column of all records, with commas between them; calls after each part,
 * until `flush` is false, which may empty the text. */
void record_store_list (struct record_store *store, const struct record_stream *stream,
                        const struct record_column *column, GString *to, bool (*flush) (void *data),
                        void *data);

#endif
