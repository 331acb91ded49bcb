/* show-groups.h -- prints the events of an eventlog by thread or by capability. */
#ifndef PROFLOG_SHOW_GROUPS_H
#define PROFLOG_SHOW_GROUPS_H

#include "decoder/log/log-command.h"
#include "decoder/views/ghc/ghc-show-groups.h"

/* Reads the eventlog that was opened and prints its groups; `raw`: texts as they are.  Returns the
 * exit status. */
int show_groups (struct log_command *command, const char *path, enum ghc_show_by by, bool raw);

#endif
