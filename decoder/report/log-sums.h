/* log-sums.h -- sums over several logs, in place of a report of each. */
#ifndef PROFLOG_LOG_SUMS_H
#define PROFLOG_LOG_SUMS_H

#include "decoder/log/log-command.h"
#include "decoder/output/view.h"

/* Parses the sections of --reports that such sums have: RUN_SUMS_SECTION and sections whose tables
 * can be added up.  False with an error. */
bool log_sums_parse (const char *reports, struct view *view, GError **error);

/* Are the keys of --sort and --fields columns of the tables?  False with an error. */
bool log_sums_check_keys (const struct view *view, GError **error);

/* Reads the command's logs one after the other, and writes the sums that the view requests (--by
 * log and the like).  Returns the exit status. */
int log_sums_write (struct log_command *command, struct emitter *emitter, const struct view *view);

#endif
