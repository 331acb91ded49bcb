/* record-store.h -- records of many streams, each of which is read again as a whole, in order.
 *
 * A format whose file has one column after the other needs all values of one before the first of
 * the next.  They wait in a temporary file: a stream has at most RECORD_STREAM_WAITING bytes in
 * memory, and 8 bytes for each chunk of as many in the file.
 */
#ifndef PROFLOG_RECORD_STORE_H
#define PROFLOG_RECORD_STORE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define RECORD_STREAM_WAITING (1u << 16)

struct record_store {
  int fd; /* -1: none yet */
  uint64_t size;
  GError *error; /* NULL: none; records are lost after one */
};

struct record_stream {
  unsigned char *waiting; /* NULL: none yet */
  guint used;             /* bytes that wait */
  GArray *chunks;         /* of uint64_t: offsets; of RECORD_STREAM_WAITING bytes, or less */
  guint record;           /* bytes of each */
  uint64_t count;         /* of records */
};

void record_store_init (struct record_store *store);
void record_store_clear (struct record_store *store);
void record_stream_clear (struct record_stream *stream);

/* Adds a record; those of a stream, which is zero before its first one, have one size. */
void record_store_put (struct record_store *store, struct record_stream *stream, const void *record,
                       guint size);

/* Calls for each record of the stream, until `handle` is false. */
void record_store_each (struct record_store *store, const struct record_stream *stream,
                        bool (*handle) (void *data, const void *record), void *data);

/* Texts of all records of the stream with commas between them, as one text in parts: `append` makes
 * that of a record, on any thread; `put` gets the parts in order, on the caller's, until it is
 * false. */
void record_store_list (struct record_store *store, const struct record_stream *stream,
                        void (*append) (GString *text, const void *record),
                        bool (*put) (void *data, const GString *part), void *data);

#endif
