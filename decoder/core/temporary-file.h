/* temporary-file.h -- files without a name. */
#ifndef PROFLOG_TEMPORARY_FILE_H
#define PROFLOG_TEMPORARY_FILE_H

#include <glib.h>
#include <stdint.h>

/* A new file in the folder for temporary files, to read and write; it is gone once it is closed.
 * -1 and an error if there can be none. */
int temporary_file_open (GError **error);

/* All of the bytes, at an offset.  0, or the number of the system's error: on any thread, but
 * GLib's errors have locks that are unknown to the thread sanitizer. */
int temporary_file_write (int fd, uint64_t offset, const void *bytes, size_t length);
int temporary_file_read (int fd, uint64_t offset, void *bytes, size_t length);

/* "written" or "read" failed with this number (transfer full). */
GError *temporary_file_error (const char *problem, int number);

#endif
