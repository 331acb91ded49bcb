/* spool-reader.h -- what a killed process left beside its log: proflog/spool.h.
 *
 * Not thread safe; different spools are independent.
 */
#ifndef PROFLOG_SPOOL_READER_H
#define PROFLOG_SPOOL_READER_H

#include <glib.h>
#include <proflog/spool.h>
#include <stdbool.h>
#include <stdint.h>

struct spool;

/* What a log and its spool come to together: the first `log_length` bytes of the log, then `rest`.
 */
struct spool_share {
  uint64_t log_length;
  GByteArray *rest; /* the caller's, with g_byte_array_unref */
  uint64_t buffers, names;
  uint64_t missing; /* bytes of the log that are in neither, before the rest */
  uint64_t damages; /* slots of the spool that make no sense or are not there */
  int log_error;    /* why the log goes no further; 0: its program was killed */
  int spool_error;  /* why buffers may be in neither; 0: none is */
};

/* Whether the file is a spool, by its first bytes. */
bool spool_is_at (const char *path);

/* The process that still writes the spool's log; 0: none; -1: one outside of this container. */
long spool_writer_of (const char *path);

/* Opens a spool.  NULL and PROFLOG_READ_ERROR_INPUT when that cannot be read, is none, or belongs
 * to a process that runs.  Free it with spool_close. */
struct spool *spool_open (const char *path, GError **error);
void spool_close (struct spool *spool);

/* What the log begins with. */
const uint8_t *spool_log_header (const struct spool *spool, size_t *length);

/* Whether that is an eventlog. */
bool spool_is_of_eventlog (const struct spool *spool);

/* This many bytes of its log were written before the process was killed. */
uint64_t spool_log_length (const struct spool *spool);

/* The error number with which the log ended, which the program has reported; 0: none. */
int spool_log_error (const struct spool *spool);

/* Works out what a log of `log_length` bytes, inflated, lacks.  `border`: where its last whole
 * buffer ends.  False and PROFLOG_READ_ERROR_INPUT when reading fails. */
bool spool_share (struct spool *spool, uint64_t log_length, uint64_t border,
                  struct spool_share *share, GError **error);

#endif
