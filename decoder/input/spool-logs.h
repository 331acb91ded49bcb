/* spool-logs.h -- logs whose last events are in a spool. */
#ifndef PROFLOG_SPOOL_LOGS_H
#define PROFLOG_SPOOL_LOGS_H

#include <glib.h>
#include <proflog/spool.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- events that a killed process left beside its log (proflog/spool.h) ---- */

/* Not thread safe; different spools are independent. */

struct spool;

/* A log and its spool together: the first `log_length` bytes of the log, then `rest`. */
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

/* The first bytes of the log. */
const uint8_t *spool_log_header (const struct spool *spool, size_t *length);

/* Whether that is an eventlog. */
bool spool_is_of_eventlog (const struct spool *spool);

/* This many bytes of its log were written before the process was killed. */
uint64_t spool_log_length (const struct spool *spool);

/* The error number with which the log ended, which the program has reported; 0: none. */
int spool_log_error (const struct spool *spool);

/* Works out the missing end of a log of `log_length` bytes, inflated.  `border`: where its last
 * whole buffer ends.  False and PROFLOG_READ_ERROR_INPUT when reading fails. */
bool spool_share (struct spool *spool, uint64_t log_length, uint64_t border,
                  struct spool_share *share, GError **error);

/* ---- spools in the user's directories: of logs through pipes, sockets and commands ---- */

/* That of a log, and all whose programs are gone.
 *
 * Thread safe. */

/* The spool of a process that has ended, and whose log began as the log at `path` does; NULL if
 * there is none.  It may belong to another log of that process, which had readers one after the
 * other.  Free it with g_free. */
char *spool_search (const char *path);

/* The process id in the name of such a spool (proflog-PID.spool); 0: it is none, as those that lie
 * beside the file of their log. */
long spool_search_pid (const char *name);

struct spool_remain {
  char *path;
  long pid;        /* the process that it was of */
  bool is_running; /* it still is of that: such a file is no remain */
  uint64_t bytes;  /* on the disk */
  int64_t age;     /* seconds since it was last written, at least 1 */
  char *options;   /* of the profiler, which name the log; NULL: unknown */
};

/* Of `directory` (NULL: of this user's directories), in order of their names.  Free with
 * g_ptr_array_unref. */
GPtrArray *spool_remains_list (const char *directory);

/* Removes one.  Returns 0 or an errno number. */
int spool_remain_remove (const struct spool_remain *remain);

/* Removes those of this user's directories that were not used for 30 days. */
void spool_remains_remove_old (void);

/* ---- events that the spool beside a log adds to it ---- */

/* Not thread safe; different ones are independent. */

/* The result of a spool beside the log. */
struct log_input_recovery {
  const char *message; /* the result in words, or the reason why there is none; the recovery's */
  bool is_loss;        /* something is missing because of that */
  bool is_taken;       /* the log is read with the data of the spool */
  long writer; /* the process that is still writing the log, to which that is left; 0: none */
};

struct log_recovery {
  bool has_rest; /* the log is that of the share */
  struct spool_share share;
  bool is_eventlog;
  bool is_alone; /* the file is the spool itself: all of the log is in the rest */
  char *message; /* NULL: there is no spool */
  struct log_input_recovery result;
};

/* Searches for the spool of the regular file `path`, which has `size` bytes; `is_plain`: of a log
 * that is not compressed.  `spool`: where it lies, NULL if beside the file, or it is that.  Free
 * the findings with log_recovery_clear. */
void log_recovery_find (struct log_recovery *recovery, const char *path, const char *spool,
                        uint64_t size, bool is_plain);
void log_recovery_clear (struct log_recovery *recovery);

#endif
