/* live-source.h -- the bytes of a log that is being written: of a file that grows, a pipe, a
 * socket; plain or compressed.
 *
 * A source belongs to one thread at a time.
 */
#ifndef PROFLOG_LIVE_SOURCE_H
#define PROFLOG_LIVE_SOURCE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define LIVE_CONNECT "unix:"
#define LIVE_LISTEN "unix-listen:"

/* The result of reading. */
enum live_news {
  LIVE_BEGIN,  /* a log follows from its beginning */
  LIVE_BYTES,  /* the next bytes of it */
  LIVE_QUIET,  /* nothing came */
  LIVE_END,    /* nothing will come */
  LIVE_FAILED, /* with an error */
};

struct live_source;

/* Opens a source: "-" is standard input, "unix:PATH" connects to a socket, "unix-listen:PATH" makes
 * one and waits for a writer; all else is a file or FIFO.  `reconnect`: when a FIFO or socket
 * ends, and when there is none to connect to yet, it is waited for the next one.  NULL and
 * PROFLOG_READ_ERROR_INPUT if it cannot be opened.  Free it with live_source_close. */
struct live_source *live_source_open (const char *spec, bool reconnect, GError **error);
void live_source_close (struct live_source *source);

/* Is it a pipe, FIFO or device, and no file or socket? */
bool live_source_is_pipe (const struct live_source *source);

/* The name for messages. */
const char *live_source_name (const struct live_source *source);

/* The next news, without waiting.  *bytes, of LIVE_BYTES, are valid until the next call. */
enum live_news live_source_read (struct live_source *source, const uint8_t **bytes, size_t *length,
                                 GError **error);

/* A descriptor to poll for input while it is quiet; -1: none.  It may change with each call of
 * live_source_read.  Files, and sockets without a listener yet, also have news without: they are to
 * be read every LIVE_LOOK_MS. */
#define LIVE_LOOK_MS 100
int live_source_descriptor (const struct live_source *source);

/* After LIVE_END: goes on if this was a connection to a process that still lives, which may only
 * have lost it.  LIVE_BEGIN follows, or in some seconds LIVE_END if nothing listens there.
 * False if there is nothing to connect to, or nothing came from there. */
bool live_source_reconnect (struct live_source *source);

/* How many bytes of the file were read; 0 for other sources than files. */
uint64_t live_source_offset (const struct live_source *source);

/* The bytes that the file has now; 0 if it is none. */
uint64_t live_source_size (const struct live_source *source);

/* The file's path; NULL if it is no file that has one. */
const char *live_source_file (const struct live_source *source);

#endif
