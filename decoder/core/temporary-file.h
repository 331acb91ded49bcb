/* temporary-file.h -- files without a name. */
#ifndef PROFLOG_TEMPORARY_FILE_H
#define PROFLOG_TEMPORARY_FILE_H

#include <glib.h>

/* A new file in the folder for temporary files, to read and write; it is gone once it is closed.
 * -1 and an error if there can be none. */
int temporary_file_open (GError **error);

#endif
