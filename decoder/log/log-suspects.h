/* log-suspects.h -- suspected leaks of a log: for the page of its report, and where their objects
 * were allocated.
 *
 * A class may be allocated in many places, so a log is read again, and the objects of each suspect
 * are followed from their allocations to the heap snapshot that has them.
 */
#ifndef PROFLOG_LOG_SUSPECTS_H
#define PROFLOG_LOG_SUSPECTS_H

#include "decoder/log/log-command.h"
#include "decoder/mlpd/analyses/summary.h"
#include "decoder/mlpd/query/shot-leaks.h"

/* The names of growing classes, and how roots lead to their objects (char * to char *; transfer
 * full). The summary is that of the log, which is read again if it has classes that grow; NULL: it
 * is damaged, a pipe, or its last snapshot has too many objects for a report. */
GHashTable *log_suspects_of (struct log_command *command, const char *path,
                             const struct summary *summary);

/* Those of each suspect, in the order of leak_suspects_new (of struct leak_site; transfer full).
 * NULL: the log is damaged, a pipe or a part of one, its allocations are sampled, or each class was
 * allocated in one place alone. */
GArray *log_leak_sites (struct log_command *command, const char *path, struct summary *summary,
                        const struct shot_leaks *leaks);

#endif
