/* log-leak-sites.h -- where the objects of suspected leaks were allocated.
 *
 * A class may be allocated in many places, so a log is read again, and the objects of each suspect
 * are followed from their allocations to the heap snapshot that has them.
 */
#ifndef PROFLOG_LOG_LEAK_SITES_H
#define PROFLOG_LOG_LEAK_SITES_H

#include "decoder/log/log-command.h"
#include "decoder/mlpd/query/leak-sites.h"
#include "decoder/mlpd/query/shot-leaks.h"

/* Those of each suspect, in the order of leak_suspects_new (of struct leak_site; transfer full).
 * NULL: the log is damaged, a pipe or a part of one, its allocations are sampled, or each class was
 * allocated in one place alone. */
GArray *log_leak_sites (struct log_command *command, const char *path, struct summary *summary,
                        const struct shot_leaks *leaks);

#endif
