/* query-shell.h -- statements from a terminal. */
#ifndef PROFLOG_QUERY_SHELL_H
#define PROFLOG_QUERY_SHELL_H

#include "decoder/query/query.h"

/* Reads statements and commands with a prompt, until the end. */
void query_shell (struct query *query);

#endif
