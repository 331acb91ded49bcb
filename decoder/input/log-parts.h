/* log-parts.h -- the files in which a program wrote one log (rotate=, ctl output), as one log.
 *
 * A log of Mono has the file header of the first one only; an eventlog has all.  The beginning of
 * the next file is not mistaken for the rest of its last buffer: that is as long as the bytes that
 * are there of it.
 *
 * Not thread safe, except for log_parts_read_at; different logs are independent.
 */
#ifndef PROFLOG_LOG_PARTS_H
#define PROFLOG_LOG_PARTS_H

#include "decoder/input/log-file.h"

struct log_parts;

/* The place of a file in a log, by its own statements. */
struct log_part_head {
  GBytes *header; /* its file header, or an eventlog's statements about its program, which all files
                     of a log share; NULL: it has none */
  uint64_t first_time; /* of its first buffer, or of an eventlog's clock */
  bool continues;      /* it begins with names that an earlier file announced */
  bool has_end;        /* the last file is plain, and ends with an end mark */
  uint64_t end_time;   /* the time of the end mark */
};

/* Inspects a regular file; no other is opened.  The header is NULL if it is neither a Mono log with
 * buffers nor an eventlog that states its process and the time of day.  Clear it with
 * log_part_head_clear. */
void log_part_head_read (struct log_part_head *head, const char *path);
void log_part_head_clear (struct log_part_head *head);

/* Does the log go on in `next`? */
bool log_part_head_precedes (const struct log_part_head *head, const struct log_part_head *next);

/* The bytes of a file, inflated, to be read anywhere by any thread. */
struct log_part_bytes {
  const char *name; /* for messages; copied */
  uint64_t size;
  size_t (*read_at) (void *data, uint64_t offset, uint8_t *to, size_t length);
  void *data;
};

struct log_parts *log_parts_new (void);
void log_parts_free (struct log_parts *parts);

/* Adds a file, after those that were added; `is_last`: the log ends in it. */
void log_parts_add (struct log_parts *parts, const struct log_part_bytes *bytes, bool is_last);

/* Bytes of the log. */
uint64_t log_parts_size (const struct log_parts *parts);

/* Reads `length` bytes, fewer at the end or at an error.  Safe in any thread. */
size_t log_parts_read_at (const struct log_parts *parts, uint64_t offset, uint8_t *to,
                          size_t length);

/* The name of the first file if the log began before it, as files are deleted that were not to be
 * retained; NULL: it did not.  The parts'. */
const char *log_parts_first (const struct log_parts *parts);

/* Which files are missing between others, and which are cut; empty if none is.  The parts'. */
const char *log_parts_notes (const struct log_parts *parts);

#endif
