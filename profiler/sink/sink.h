/* sink.h -- the destination of the log's bytes: a file, a descriptor, a socket or a command, plain
 * or compressed.
 *
 * A sink belongs to one thread at a time.  Functions that may wait or raise SIGPIPE are called on
 * the writer's thread only.
 */
#ifndef PROFILER_SINK_H
#define PROFILER_SINK_H

#include "profiler/sink/pack.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct sink;

/* Opens the target of the option `output`.  Files are made with mode 0600 and never opened
 * through a symbolic link.  `numbered`: the first of several files.  NULL with a message in `why`
 * (of `size` bytes) if that cannot be. */
struct sink *sink_open (const char *output, enum pack pack, bool numbered, char *why, size_t size);

/* Opens the file that follows one that was numbered, with the next number in its name. */
struct sink *sink_open_next (const struct sink *sink, char *why, size_t size);

/* Whether it is one of several files. */
bool sink_is_numbered (const struct sink *sink);

/* Opens another target of the option `output` for the rest of the log, compressed as `sink`.
 * `numbered`: if it is a file, it is the first of several.  A regular file must not be there yet.
 */
struct sink *sink_open_other (const struct sink *sink, const char *output, bool numbered, char *why,
                              size_t size);

/* To `child` (of PATH_MAX bytes) the output that a forked child has instead: a file by its whole
 * name, with %p in it.  False with a message in `why` if a child cannot have one. */
bool sink_name_for_child (char *child, const char *output, char *why, size_t size);

/* To `pattern` (of PATH_MAX bytes) the whole name of a file beside that of the output, with `text`
 * before its last point.  False with a message in `why` if the output is no file that has a
 * name. */
bool sink_name_beside (char *pattern, const char *output, const char *text, char *why, size_t size);

/* Writes all bytes.  Returns 0 or an errno number; after a failure it writes nothing more and
 * returns the same number.  Waits for the reader of the log. */
int sink_write (struct sink *sink, const void *bytes, size_t length);

/* Makes all bytes up to now readable, even if the process is killed.  Returns 0 or an errno number.
 */
int sink_flush (struct sink *sink);

/* Whether it is a compressed file, which can be cut (sink_truncate) where it was flushed. */
bool sink_is_packed_file (const struct sink *sink);

/* The bytes of a file up to now, which with `tail` after them are whole: all that was written and,
 * if it is compressed, flushed. */
struct sink_whole {
  uint64_t length;
  unsigned char tail[PACK_TAIL_MAX];
  size_t tail_length;
};
void sink_get_whole (const struct sink *sink, struct sink_whole *whole);

/* Ends the compression and begins another: later bytes can be read without those before.  False,
 * and nothing happens, without memory; a failure to write is that of the sink. */
bool sink_divide (struct sink *sink);

/* The file's identity; zero if it is none. */
const struct stat *sink_identity (const struct sink *sink);

/* Bytes that have gone out, after compression. */
uint64_t sink_written (const struct sink *sink);

/* After a failure: cuts a file after the first `length` bytes that were written; to one that is
 * compressed, nothing was written between them and the last flush.  Then it can be written again,
 * and nothing need be: the compression is ended there.  False if that cannot be. */
bool sink_truncate (struct sink *sink, uint64_t length);

/* Finishes the compression and closes the descriptor; that of a file stays open if the process ends
 * now.  Returns 0 or an errno number. */
int sink_finish (struct sink *sink, bool process_ends);

/* After that: waits for the end of a command, a bounded time.  `outcome` is a clause for a message
 * if it did not end well, else "". */
void sink_wait (struct sink *sink, char *outcome, size_t size);

/* Instead, also while another thread may still be in sink_write, as the command reads nothing:
 * whether it still runs. */
void sink_check_command (const struct sink *sink, char *outcome, size_t size);

/* Removes a file whose log could not begin, and frees the sink. */
void sink_discard (struct sink *sink);

/* A command whose end was not waited for ends in its own time (commands_reap). */
void sink_free (struct sink *sink);

/* Also while another thread may still be in sink_write: the process ends, and no reader can
 * connect. */
void sink_abandon (struct sink *sink);

/* In the child of a fork: the parent's reader shall not wait for the child's end. */
void sink_after_fork (struct sink *sink);

/* The name of the destination, for messages. */
const char *sink_name (const struct sink *sink);

/* The path of the regular file that the log goes to; NULL if it goes elsewhere, or its path is
 * unknown. */
const char *sink_file (const struct sink *sink);

/* Whether the log has a reader while it is written: from a pipe or a socket. */
bool sink_has_reader (const struct sink *sink);

/* Whether its file no longer has a name, so that it cannot be read.  Until sink_finish. */
bool sink_is_removed (const struct sink *sink);

/* The bytes of its file that another program has removed by making it shorter; an empty range:
 * none. */
struct sink_range {
  uint64_t from, to;
};
struct sink_range sink_removed_bytes (struct sink *sink);

/* Whether writing begins when a reader comes, at any time, and when that one has gone, for the
 * next.
 */
bool sink_listens (const struct sink *sink);

/* Of a sink that listens: its reader has gone, though nothing was written since. */
bool sink_reader_has_gone (const struct sink *sink);

/* After that, or a failure: whether another one waits; accepts one.  The bytes that are written
 * from then on are for that one, from the beginning of a log. */
bool sink_reader_waits (const struct sink *sink);
bool sink_accept_reader (struct sink *sink);

#endif
