/* eventlog-part.h -- which program's eventlog a file has, and from when on.
 *
 * A program whose log was redirected has written several eventlogs.  Each states its process, and
 * the time of day at which it begins.
 */
#ifndef PROFLOG_EVENTLOG_PART_H
#define PROFLOG_EVENTLOG_PART_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Enough for what a runtime writes until its first flush. */
#define EVENTLOG_PART_BYTES ((size_t) 4 << 20)

/* Searches the first bytes of an eventlog for both.  `program`: equal in all parts of a log, and in
 * no other log (transfer full).  `begin`: the time of the log at which the part states the time of
 * day.  False, and neither is set, if it does not state them there. */
bool eventlog_part_read (const uint8_t *bytes, size_t length, GBytes **program, uint64_t *begin);

#endif
