/* eventlog-parts.h -- small parts of the writer of eventlogs. */
#ifndef PROFLOG_EVENTLOG_PARTS_H
#define PROFLOG_EVENTLOG_PARTS_H

#include <proflog/ghc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* ---- the clock of writers of eventlogs ---- */

/* CLOCK_MONOTONIC, in ns. */
static inline uint64_t
eventlog_system_clock (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

/* ---- descriptors that do not wait for their readers ---- */

/* Writes to a socket, or to a file that may be full (a pipe, a terminal), the bytes that it accepts
 * at once; to other files all bytes.  Returns their number, 0 for none, or -1 with errno.  Raises
 * no signal. */
ssize_t eventlog_descriptor_write (int fd, bool is_socket, bool may_be_full, const void *bytes,
                                   size_t length);

/* ---- tags and sizes of the written events ---- */

uint16_t eventlog_tag (enum ghc_kind kind);

/* Bytes of the payload, as the writer's header declares them: GHC_VARIABLE if they vary. */
uint16_t eventlog_size (enum ghc_kind kind);

#endif
