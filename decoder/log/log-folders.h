/* log-folders.h -- folders in a command line stand for the logs in them. */
#ifndef PROFLOG_LOG_FOLDERS_H
#define PROFLOG_LOG_FOLDERS_H

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

#endif
