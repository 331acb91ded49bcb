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

#endif
