/* log-stacks.h -- the stacks of a log with their costs, from the trees that reports show. */
#ifndef PROFLOG_LOG_STACKS_H
#define PROFLOG_LOG_STACKS_H

#include "decoder/log/log-kind.h"
#include "decoder/stacks/mono-stacks.h"
#include "decoder/exports/export.h"

/* Reads the selected stacks of a log of either runtime, and its name as their title; the cost is
 * STACKS_ANY no more after that. A cost that the log lacks is an error, which names the option that
 * records it: the total is 0 then. The stacks are to be cleared in any case.  Returns the exit
 * status. */
int log_stacks_read (struct log_command *command, const char *path, enum stacks_cost *cost,
                     struct export_stacks *stacks);

/* The kinds of stacks that exports have: their names, and their costs. */
extern const struct cli_choice log_stacks_kinds[];

/* Reads the stacks of the kind of this name (NULL: of all kinds) in one pass: of struct
 * export_named_stacks (transfer full).  What the log lacks is no error.  *status is the exit
 * status. */
GPtrArray *log_stacks_read_kinds (struct log_command *command, const char *path,
                                  const struct log_kind *format, const char *kind, int *status);

/* Writes stacks to the output of the command.  Returns the exit status. */
int log_stacks_write (struct log_command *command, const struct export_format *format,
                      const struct export_stacks *stacks);

/* Choices of --cost. */
extern const struct cli_choice log_stacks_costs[];

/* The name of a cost, which is not STACKS_ANY. */
const char *log_stacks_title (enum stacks_cost cost);

/* Both. */
int log_stacks_export (struct log_command *command, const char *path, enum stacks_cost cost,
                       const struct export_format *format);

/* Whether stacks of a cost are known by thread. */
bool log_stacks_have_threads (enum stacks_cost cost);

/* Reads a log, of which these stacks of this cost are (log_stacks_read), once more, and puts those
 * by thread in their place.  Eventlogs without call stacks are refused: the total is 0 then.
 * Returns the exit status.
 */
int log_stacks_read_by_thread (struct log_command *command, const char *path, enum stacks_cost cost,
                               struct export_stacks *stacks);

#endif
