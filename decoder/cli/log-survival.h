/* log-survival.h -- follows the allocated objects of a log of Mono, read in order of time. */
#ifndef PROFLOG_LOG_SURVIVAL_H
#define PROFLOG_LOG_SURVIVAL_H

#include "decoder/cli/log-ordered.h"
#include "decoder/core/id-map.h"
#include "decoder/mlpd/analyses/survival.h"
#include "decoder/mlpd/model/traces.h"

struct log_survival {
  struct ordered_log *log; /* its symbols have the names */
  struct survival survival;
  struct traces traces;
  struct id_map numbers; /* of rows, by trace and type */
  GArray *keys;          /* of struct survival_key: of rows */
  uint64_t objects;      /* that are selected */
  uint64_t sampling;     /* of allocations: one in this many bytes; 0: all are in the log */
  bool has_sampling;
};

struct survival_key {
  guint trace; /* or TRACE_NONE */
  guint type;  /* class or vtable, as in allocations.h */
};

/* Reads a log.  The allocations that the command selects count; they are followed over all of the
 * log.  Returns the exit status; with another one than CLI_OK there was a message, and there is
 * nothing to clear. */
int log_survival_read (struct log_command *command, const char *path,
                       struct log_survival *survival);
void log_survival_clear (struct log_survival *survival);

#endif
