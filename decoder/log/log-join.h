/* log-join.h -- which logs a command line names: folders stand for the logs in them, and the files
 * of one log (rotate=) are joined.
 */
#ifndef PROFLOG_LOG_JOIN_H
#define PROFLOG_LOG_JOIN_H

#include <glib.h>
#include <stdbool.h>

#define LOG_FOLDERS_ERROR (log_folders_error_quark ())
GQuark log_folders_error_quark (void);

/* Replaces each of these words (const char *) that is a folder by the logs in it and in the folders
 * below: regular files whose names end in .mlpd or .eventlog, or in that and .gz or .zst, by the
 * order of their paths.  Hidden files and folders are skipped, and so are links to folders.  Other
 * words stay as they are.  *found owns the new words; it is made when it is needed, and NULL as
 * long as there are none.  Folders below that cannot be read are left out, with a message unless
 * `error` is NULL.  False with LOG_FOLDERS_ERROR if a folder has no log or cannot be read. */
bool log_folders_expand (GPtrArray **found, GPtrArray *words, GError **error);

/* Replaces those of `n` words that are files of one log by one name for the log, at the place of
 * the first of them.  Other words stay.  Returns how many words there are now.  *joined has the
 * files of these names, and owns the names; NULL as long as there is no such log. */
guint log_join_files (GHashTable **joined, char **words, guint n);

/* The files of the log of this name, in their order; NULL if it is one file. */
char *const *log_joined_files (GHashTable *joined, const char *log);

/* Can the log be read again?  A pipe cannot. */
bool log_join_is_file (GHashTable *joined, const char *log);

#endif
