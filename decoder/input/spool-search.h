/* spool-search.h -- finds the spool of a program whose log went through a pipe, socket or command:
 * it is not beside the log, but in a directory of the user.
 *
 * Thread safe.
 */
#ifndef PROFLOG_SPOOL_SEARCH_H
#define PROFLOG_SPOOL_SEARCH_H

/* The spool of a process that has ended, and whose log began as the log at `path` does; NULL if
 * there is none.  It may belong to another log of that process, which had readers one after the
 * other.  Free it with g_free. */
char *spool_search (const char *path);

/* Where such spools lie, in this order.  Free with g_strfreev. */
char **spool_search_directories (void);

/* The process id in the name of such a spool (proflog-PID.spool); 0: it is none, as those that lie
 * beside the file of their log. */
long spool_search_pid (const char *name);

#endif
