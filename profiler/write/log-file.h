/* log-file.h -- a file of the log: its bytes, and why no more can be written.
 *
 * On the writer's thread only, unless a comment permits other threads.
 */
#ifndef PROFILER_LOG_FILE_H
#define PROFILER_LOG_FILE_H

#include "profiler/write/log-format.h"
#include "profiler/sink/sink.h"

struct log_file {
  struct sink *sink;   /* NULL: closed */
  uint64_t length;     /* bytes, before compression */
  int error;           /* why nothing more is written; 0: it can be written */
  bool is_truncated;   /* after an error, to the last whole buffer */
  uint64_t buffers;    /* of events */
  uint64_t checks;     /* check marks */
  uint64_t header_end; /* bytes of its header in the file; 0: others follow that need it */
  uint64_t end_size;   /* limit of its bytes, before another file is begun */
  uint64_t end_time;   /* limit of its time, likewise */
};

/* The file that the log goes to.  Only an error of this one fails the log; while the next file is
 * begun, its errors are its own. */
extern struct log_file log_current;

/* Starts the log in this sink.  `set_failed` is called when it fails, and with false when another
 * output was selected. */
void log_file_open (struct sink *sink, void (*set_failed) (bool has_failed));

/* The log goes on in another file, or for another reader. */
void log_file_switch (const struct log_file *next);

/* Frees the sink after the end of the log. */
void log_file_close (void);

/* In the child of a fork: the parent's files are forgotten. */
void log_file_start_over (void);

/* Writes bytes, and flushes the sink.  Returns 0 or an errno number, which the file does not get.
 */
int log_file_send (struct log_file *to, const void *bytes, size_t length);

/* Flushes the sink. */
void log_file_flush (struct log_file *to);

/* Writes events with their frame.  If that fails, the file is truncated to the last whole buffer,
 * where that is possible. */
void log_put_events (struct log_file *to, struct mlpd_buffer_header header, const uint8_t *events,
                     size_t length);

/* The header was written: the rest can be read without it, if it is a file. */
void log_file_end_header (struct log_file *file);

/* Writes bytes without a frame. */
void log_file_put (struct log_file *to, const void *bytes, size_t length);

/* Writes that the file begins or ends at this time (make_moment of the format). */
void log_file_put_moment (struct log_file *to, uint64_t time);

/* Writes the bytes that end a whole log, at this time, into the current file. */
void log_file_put_end (uint64_t time);

/* Makes both, at most LOG_END_ROOM bytes, for a copy of the log's files; returns their length.
 * From any thread. */
size_t log_file_make_end (uint8_t *to, uint64_t time);

/* The log can no longer be written, or its reader has disconnected: events that are recorded from
 * then on wait for another output or reader, or are counted. */
void log_file_fail (int error);

/* Whether the log can no longer be written (a log without a reader can). */
bool log_has_failed (void);

/* From any thread: why nothing can be written; 0: it can; LOG_UNREAD: it has no reader, or lost
 * it; LOG_ENDED: it has reached its limit (log-output.h); else an errno number. */
#define LOG_UNREAD (-1)
#define LOG_ENDED (-2)
int log_problem (void);
void log_set_problem (int problem);

/* From any thread: for how many ms the reader of the log has accepted nothing of the bytes that
 * are being written; 0: nothing is being written. */
unsigned log_reader_stalls (void);

/* From any thread: bytes of all files of the log, before compression. */
uint64_t log_bytes (void);
void log_set_bytes (uint64_t bytes);

/* Bytes of all files of the log that are there, as they are on the disk. */
uint64_t log_written (void);

/* From any thread: the name of the current file; "" after log_file_close. */
void log_get_name (char *name, size_t size);

/* A heap snapshot begins in the current file; from any thread: the name of that of the last one. */
void log_note_shot (void);
void log_get_shot_name (char *name, size_t size);

/* From any thread: the number of files of the log up to now, with the current one; and the name of
 * the file of a number, from 1 on, of the last LOG_FILES_KEPT.  False if it is none of these. */
#define LOG_FILES_KEPT 16
uint64_t log_files (void);
bool log_get_file (uint64_t number, char *name, size_t size);

/* The next file of the log is this one, if the sink is a file. */
void log_file_add (const struct sink *sink);

#endif
