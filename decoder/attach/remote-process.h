/* remote-process.h -- the files and the memory of another process.
 *
 * No function here changes anything in the process but remote_process_write.  Of one process, one
 * thread at a time may use them.
 */
#ifndef PROFLOG_REMOTE_PROCESS_H
#define PROFLOG_REMOTE_PROCESS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file that is mapped from its beginning. */
struct remote_file {
  char *path; /* as the process has it */
  uint64_t start, end;
};

struct remote_process {
  long pid;
  GArray *files; /* struct remote_file, by address */
};

/* Reads the mapped files.  Fails with G_FILE_ERROR if there is no such process, or if this user may
 * not inspect it.  Close with remote_process_close. */
bool remote_process_open (struct remote_process *p, long pid, GError **error);
void remote_process_close (struct remote_process *p);

/* The path of a file of the process in this process's view (transfer full). */
char *remote_process_path (const struct remote_process *p, const char *path);

/* The address of an exported symbol, in the first file that has it and whose name, without its
 * directory, begins with `name` ("" for any).  False if there is none. */
bool remote_process_find_export (const struct remote_process *p, const char *name,
                                 const char *symbol, uint64_t *address);

/* All bytes, or false with errno. */
bool remote_process_read (const struct remote_process *p, uint64_t address, void *to,
                          size_t length);
bool remote_process_write (const struct remote_process *p, uint64_t address, const void *from,
                           size_t length);

#endif
