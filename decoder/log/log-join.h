/* log-join.h -- joins the files of one log (rotate=) that a command line names. */
#ifndef PROFLOG_LOG_JOIN_H
#define PROFLOG_LOG_JOIN_H

#include <glib.h>
#include <stdbool.h>

/* Replaces those of `n` words that are files of one log by one name for the log, at the place of
 * the first of them.  Other words stay.  Returns how many words there are now.  *joined has the
 * files of these names, and owns the names; NULL as long as there is no such log. */
guint log_join_files (GHashTable **joined, char **words, guint n);

/* The files of the log of this name, in their order; NULL if it is one file. */
char *const *log_joined_files (GHashTable *joined, const char *log);

/* Can the log be read again?  A pipe cannot. */
bool log_join_is_file (GHashTable *joined, const char *log);

#endif
