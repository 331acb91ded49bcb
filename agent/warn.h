/* warn.h -- messages of the module on the standard error of the program. */
#ifndef AGENT_WARN_H
#define AGENT_WARN_H

/* To be called before the program starts.  If it is started without standard error, nothing is ever
 * written: a later file of that descriptor is the program's. */
void proflog_warn_start (void);

/* Nothing is ever written: the program was not started with the profiler, and readers of its output
 * expect no such lines.  `proflog ctl PID status` and the log report problems. */
void proflog_warn_never (void);

/* Writes "proflog: " and the message as one line to stderr, in one piece.  Never fails, does not
 * touch stdio or errno.  Not for hot paths. */
void proflog_warn (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

#endif
