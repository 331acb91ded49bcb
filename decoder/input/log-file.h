/* log-file.h -- the bytes of one file or of standard input, plain or compressed (gzip, zstd).
 *
 * A file belongs to one thread at a time, except for log_file_read_at.
 */
#ifndef PROFLOG_LOG_FILE_H
#define PROFLOG_LOG_FILE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct log_file;

/* Damage of a compressed file: all bytes before it were read.  Or a read error, or a file that
 * became shorter while it was read: others may have been read after it. */
struct log_file_damage {
  bool is_read_error;
  bool truncated;      /* else: corrupt, or followed by something else */
  uint64_t offset;     /* in the compressed bytes, where it was found */
  const char *message; /* the file's */
};

/* The identity of a file when it was opened. */
struct log_identity {
  const char *path; /* the file's */
  uint64_t device;
  uint64_t inode;
  uint64_t size;
  uint64_t changed_ns; /* when its contents were changed last */
  unsigned owner;
  unsigned mode;
};

/* Opens a file; "-" is standard input.  NULL and PROFLOG_READ_ERROR_INPUT if it cannot be opened or
 * is a directory.  Free it with log_file_close, which accepts NULL. */
struct log_file *log_file_open (const char *path, GError **error);
void log_file_close (struct log_file *file);

/* The name for messages: the path, or "standard input".  The file's. */
const char *log_file_name (const struct log_file *file);

/* Whether it is a regular file that was named, and its size in bytes. */
bool log_file_is_regular (const struct log_file *file, uint64_t *size);

/* Whether it can be read again from its beginning. */
bool log_file_is_seekable (const struct log_file *file);

/* Bytes of a plain file that can be read anywhere; 0: it is compressed, or a pipe. */
uint64_t log_file_plain_size (const struct log_file *file);

/* The identity of a regular file when it was opened; NULL if it is none, or has no name.  The
 * file's. */
const struct log_identity *log_file_identity (const struct log_file *file);

/* The next chunk of inflated bytes, valid until the next call; *length is 0 at the end.  Waits for
 * a pipe that has nothing yet.  False and PROFLOG_READ_ERROR_INPUT if reading fails; an empty file
 * is such an error, too. */
bool log_file_read (struct log_file *file, const uint8_t **bytes, size_t *length, GError **error);

/* Whether the next bytes are plain and none of them is in memory. */
bool log_file_is_direct (const struct log_file *file);

/* Reads such bytes to `to`, without a copy in between; *length is 0 at the end. */
bool log_file_read_into (struct log_file *file, uint8_t *to, size_t room, size_t *length,
                         GError **error);

/* Whether nothing is left to read, or reading failed. */
bool log_file_is_done (const struct log_file *file);

/* Reads `length` bytes of a plain file, fewer at its end or at an error.  Safe in any thread;
 * sequential reading is not affected. */
size_t log_file_read_at (struct log_file *file, uint64_t offset, uint8_t *to, size_t length);

/* Copies the first inflated bytes to `to`, up to `room`; *length are fewer only if there are no
 * more (or not within the first bytes of a compressed file).  They are read again later.  False and
 * PROFLOG_READ_ERROR_INPUT if reading fails. */
bool log_file_peek (struct log_file *file, uint8_t *to, size_t room, size_t *length,
                    GError **error);

/* Sequential reading continues at this offset, or at the beginning. */
void log_file_seek (struct log_file *file, uint64_t offset);
void log_file_rewind (struct log_file *file);

/* Copies the rest of the file, as it is, to a descriptor, which is then at its beginning.  False
 * with errno if that fails. */
bool log_file_copy (struct log_file *file, int fd);

/* Reads from another descriptor from now on, which is the file's then.  `is_unpacked`: it has bytes
 * that were inflated, which are not inflated once more. */
void log_file_replace (struct log_file *file, int fd, bool is_unpacked);

/* Writes all bytes to a descriptor.  False with errno if that fails. */
bool log_file_write (int fd, const uint8_t *bytes, size_t length);

/* Ends reading with the error "NAME: WHY"; returns false. */
bool log_file_fail (struct log_file *file, const char *why, GError **error);

/* After the end: damage of the compression, a failure of log_file_read_at, or that the file became
 * shorter; NULL if there is none.  The file's. */
const struct log_file_damage *log_file_damage (struct log_file *file);

#endif
