/* show.h -- the outputs of 'proflog show' and 'proflog dump' that need more than one reader's
 * items. */
#ifndef PROFLOG_SHOW_H
#define PROFLOG_SHOW_H

#include "decoder/log/log-command.h"
#include "decoder/views/ghc/ghc-show-groups.h"

/* ---- events of logs of either format in one stream, by the time of day ---- */

/* Dumps the command's logs so.  A log that cannot be read, or has no time of day, is left
 * out, with a message.  Returns the exit status. */
int dump_by_clock (struct log_command *command);

/* ---- events of an eventlog by thread or by capability ---- */

/* Reads the eventlog that was opened and prints its groups; as ghc-show.h has them.  Returns the
 * exit status. */
int show_groups (struct log_command *command, const char *path, enum ghc_show_by by,
                 enum ghc_show_like like);

/* ---- events of a Mono log ---- */

/* Prints the events of the Mono log that was opened, in this order.  Returns the exit status. */
int show_mono (struct log_command *command, const char *path, enum log_order order);

#endif
