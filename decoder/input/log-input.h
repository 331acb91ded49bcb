/* log-input.h -- the bytes of a log, from a file or standard input, plain or compressed (gzip,
 * zstd).
 *
 * If the process that wrote it was killed, and its spool (proflog/spool.h) lies beside the file,
 * the missing end is read from there, and all that read the log find it whole.  A spool can be read
 * as a log, too.
 *
 * One input belongs to one thread at a time.
 */
#ifndef PROFLOG_LOG_INPUT_H
#define PROFLOG_LOG_INPUT_H

#include "decoder/input/log-file.h"
#include "decoder/input/spool-logs.h"

#include <glib.h>
#include <proflog/mlpd-reader.h>
#include <stdbool.h>
#include <stdint.h>

struct log_input;

/* Opens a file; "-" is standard input.  NULL and PROFLOG_READ_ERROR_INPUT when it cannot be
 * opened or is a directory.  Free it with log_input_close. */
struct log_input *log_input_open (const char *path, GError **error);
void log_input_close (struct log_input *input);

/* The same with a spool that lies elsewhere; NULL: beside it, as above.  Whether it was used,
 * log_input_recovery states. */
struct log_input *log_input_open_with (const char *path, const char *spool, GError **error);

/* The same without the spool that may lie beside it. */
struct log_input *log_input_open_alone (const char *path, GError **error);

/* Opens a log that its writer went on with in several files (log-parts.h), in their order; `spool`
 * is that of the last one.  It can be read anywhere.  `name` is for messages. */
struct log_input *log_input_open_parts (const char *name, char *const *paths, const char *spool,
                                        GError **error);

/* The name for messages: the path, or "standard input". */
const char *log_input_name (const struct log_input *input);

/* The name of the first of several files, if the log began before it; else NULL. */
const char *log_input_first_file (const struct log_input *input);

/* The same of the file that the log ends in. */
const char *log_input_last_file (const struct log_input *input);

/* NULL if there is no spool. */
const struct log_input_recovery *log_input_recovery (const struct log_input *input);

/* Before anything was read: is the log an eventlog of GHC, by the bytes that its header begins
 * with?  They stay to be read.  Other files are none, either; reading reports them.  False and
 * PROFLOG_READ_ERROR_INPUT if they cannot be read. */
bool log_input_detect_eventlog (struct log_input *input, bool *is_eventlog, GError **error);

/* Before anything was read: is there a 0d before each 0a at the beginning of the log, as there is
 * if it was copied as a text of Windows? */
bool log_input_has_text_ends (struct log_input *input);

/* From here on each 0d before a 0a is removed from the bytes of log_input_read, and counted. */
void log_input_drop_text_ends (struct log_input *input, uint64_t *dropped);

/* The option --object-unit: whether differences of objects in a log of Mono count bytes (1) or
 * units of 8 bytes (8); 0: the beginning of the log decides (mlpd-object-unit.h). */
void log_input_set_object_unit (struct log_input *input, unsigned unit);
/* The answer, the first time before anything was read. */
bool log_input_has_byte_objects (struct log_input *input);

/* A reader of the log's events, which is the caller's; it compares buffers with their check marks.
 * The first time before anything was read. */
struct mlpd_reader *log_input_new_reader (struct log_input *input);

/* Gives the next chunk of the (inflated) log, valid until the next call; *length is 0 at the
 * end.  Waits for a pipe that has nothing yet.  False and PROFLOG_READ_ERROR_INPUT when reading
 * fails; an empty input is such an error too. */
bool log_input_read (struct log_input *input, const uint8_t **bytes, size_t *length,
                     GError **error);

/* The same into memory of the caller's: up to `room` bytes, fewer only at the end. */
bool log_input_fill (struct log_input *input, uint8_t *to, size_t room, size_t *length,
                     GError **error);

/* ---- more than one way through ---- */

/* Bytes of a plain file that can be read anywhere; 0 if the log is none. */
uint64_t log_input_size (const struct log_input *input);

/* The plain file that the log is, all of it and nothing else; NULL: it is none, such as a log of
 * several files, or with a spool.  The input's. */
const struct log_identity *log_input_identity (const struct log_input *input);

/* Reads `length` bytes of such a file, fewer at its end or at an error.  Several threads may, and
 * sequential reads are not affected. */
size_t log_input_read_at (struct log_input *input, uint64_t offset, uint8_t *to, size_t length);

/* Sequential reads go on from this offset of such a file. */
void log_input_seek (struct log_input *input, uint64_t offset);

/* Before anything was read: makes sure that the log can be read again from its beginning.  A pipe's
 * is copied to a temporary file for that, to its end.  False and PROFLOG_READ_ERROR_INPUT when that
 * fails. */
bool log_input_make_rewindable (struct log_input *input, GError **error);

/* Before anything was read, or after log_input_rewind: makes sure that the (inflated) log can be
 * read anywhere.  Input other than a plain file is copied to a temporary one, to its end.  Errors
 * as above.
 */
bool log_input_make_seekable (struct log_input *input, GError **error);

/* Goes back to the beginning of a log that was retained. */
void log_input_rewind (struct log_input *input);

/* After the end: a fault of the compression or the reading (log_file_damage), NULL if nothing is.
 * The input's. */
const struct log_file_damage *log_input_damage (struct log_input *input);

#endif
