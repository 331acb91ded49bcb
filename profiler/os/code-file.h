/* code-file.h -- a file about compiled code that other programs find by its fixed name, in a folder
 * that others may write to (/tmp).
 *
 * No function here takes a lock: calls for one file must not overlap.
 */
#ifndef PROFILER_CODE_FILE_H
#define PROFILER_CODE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/uio.h>

struct code_file {
  int fd;           /* -1: none */
  struct stat file; /* of the descriptor, as programs close descriptors that they did not open */
  char path[PATH_MAX];
  uint64_t size; /* bytes that were appended */
};

#define CODE_FILE_NONE                                                                             \
  {                                                                                                \
    .fd = -1                                                                                       \
  }

/* Creates the file, which only its user can read.  One of the same name is removed first if it is a
 * regular file of this user, as that of an earlier process with this number is.  False with a
 * message in `why` that begins with the path, and no file. */
bool code_file_create (struct code_file *file, const char *path, char *why, size_t size);

/* Appends all parts, by one call of the system.  Returns 0, or an errno number after which the file
 * is closed: readers need whole records.  0 without a file. */
int code_file_append (struct code_file *file, const struct iovec *parts, int count);

/* Appends the bytes that were appended to another one.  As code_file_append. */
int code_file_copy (struct code_file *file, const struct code_file *other);

/* Closes it, unless the program did. */
void code_file_close (struct code_file *file);

#endif
