/* final-states.h -- the state of each thread at the end of a log: its last stack, its wait, who
 * owned that. */
#ifndef PROFLOG_FINAL_STATES_H
#define PROFLOG_FINAL_STATES_H

#include "decoder/log/log-command.h"

/* Reads a log of either runtime and writes the states of its threads to the output of the command,
 * which is open. Returns the exit status. */
int final_states_write (struct log_command *command, const char *path);

#endif
