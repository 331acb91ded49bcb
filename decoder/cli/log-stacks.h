/* log-stacks.h -- the stacks of a log with their costs, from the trees that reports show. */
#ifndef PROFLOG_LOG_STACKS_H
#define PROFLOG_LOG_STACKS_H

#include "decoder/cli/log-command.h"
#include "decoder/exports/export.h"

/* Costs that stacks have.  Eventlogs have processor time only: that of their time profile. */
enum stacks_cost {
  STACKS_ANY,   /* processor time where there are samples, else the time of calls by itself */
  STACKS_TIME,  /* processor time of samples; their number where the log does not state it */
  STACKS_WALL,  /* of samples of the wall clock: working and waiting */
  STACKS_CALLS, /* numbers of recorded calls */
  STACKS_SELF,  /* times of recorded calls, without callees */
  STACKS_ALLOC, /* bytes of objects, by the stack of their allocation; the type is the innermost
                   frame */
};

/* Writes the stacks of a log of either runtime to the output of the command.  A cost that the log
 * lacks is an error, which names the option that records it.  Returns the exit status. */
int log_stacks_write (struct log_command *command, const char *path, enum stacks_cost cost,
                      const struct export_format *format);

#endif
