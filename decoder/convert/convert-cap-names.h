/* convert-cap-names.h -- how a log of Mono that was an eventlog represents capabilities: each is a
 * thread with buffers and counters of its own. */
#ifndef PROFLOG_CONVERT_CAP_NAMES_H
#define PROFLOG_CONVERT_CAP_NAMES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Ids of capabilities are above those of Haskell threads. */
#define CONVERT_CAP_ID (UINT64_C (1) << 32)

/* Names of counters, which go on with the number of the capability. */
#define CONVERT_ALLOCATED "Allocated by capability "
#define CONVERT_LIVE "Live bytes by capability "

enum { CONVERT_CAP_NAME_SIZE = 32 };

/* The name of the thread of a capability. */
void convert_cap_name (char name[CONVERT_CAP_NAME_SIZE], unsigned cap);

/* Whether a thread of this id and name is a capability. */
bool convert_is_cap (uint64_t thread, const char *name);

#endif
