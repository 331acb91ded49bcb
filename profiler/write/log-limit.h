/* log-limit.h -- the size and the time after which the log ends while the program runs on.
 *
 * On the writer's thread only, unless a comment permits other threads.
 */
#ifndef PROFILER_LOG_LIMIT_H
#define PROFILER_LOG_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_limit {
  uint64_t bytes;      /* of all files, as they are on the disk; 0: any number */
  uint64_t ns;         /* of recording; 0: any time */
  void (*stop) (void); /* from now on nothing is recorded */
};

/* Before the writer's thread is started. */
void log_limit_start (const struct log_limit *limit);

/* Stops the recording if what was recorded up to now, and the end of the log, would nearly reach
 * the limit of bytes; before `length` bytes are written. */
void log_limit_check_size (size_t length);

/* Whether `length` bytes more, and the end of the log, fit.  After the first that do not, none do.
 */
bool log_limit_allows (size_t length);

/* Whether the log is to end now.  Stops the recording if its time is over. */
bool log_limit_is_reached (void);

/* The log ends because of its size. */
bool log_limit_is_of_size (void);

/* The system's time when log_limit_is_reached is to be called even if no work arrives. */
uint64_t log_limit_next_deadline (void);

/* In the child of a fork. */
void log_limit_start_over (void);

#endif
