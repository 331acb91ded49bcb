/* log-trace.h -- the events of logs as a trace. */
#ifndef PROFLOG_LOG_TRACE_H
#define PROFLOG_LOG_TRACE_H

#include "decoder/log/log-command.h"
#include "decoder/exports/export-trace.h"

struct ghc_threads;
struct log_map;
struct waits_idle;
struct summary;

/* The facts of a log that was read before. */
struct log_trace_known {
  struct summary *mono;        /* ordered_log_open_known; NULL: nothing */
  struct waits_idle *idle;     /* of a log of Mono: which waits are idle; NULL: not known */
  const struct summary *names; /* likewise: it has those of native functions; NULL: not known */
  struct log_map *map;         /* ordered_log_open_map; NULL: nothing */
  struct ghc_threads *threads; /* with `map`: they are followed, and finished */
};

/* Writes the selected events of the command's logs, without slices that are shorter than its
 * --min-time; a message states their number.  Several logs are put together by their times
 * of day.  With `zero`, which may be NULL, the command can read a single log of Mono again: its
 * input is set then, and *zero is the time on the log's clock at which the trace begins.  Returns
 * the exit status. */
int log_trace_write (struct log_command *command, const struct trace_format *format,
                     struct export_out *out, uint64_t *zero);

/* Hands those of all logs of the command that can be read to a format that writes nothing, and has
 * `data`.  None may be a pipe, unless it is the only one.  Returns the exit status. */
int log_trace_read_all (struct log_command *command, const struct trace_format *format, void *data);

/* Hands the selected events of one log, which is no pipe, to a format that writes nothing.  The
 * trace begins at the time `zero` of the log's clock.  Messages about damage were output before.
 * Returns the exit status. */
int log_trace_read (struct log_command *command, const char *path,
                    const struct log_trace_known *known, const struct trace_format *format,
                    void *data, uint64_t zero);

#endif
