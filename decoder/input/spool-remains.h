/* spool-remains.h -- crash buffers in the user's own directories whose programs are gone: those of
 * logs that went through pipes, sockets and commands.
 *
 * Thread safe.
 */
#ifndef PROFLOG_SPOOL_REMAINS_H
#define PROFLOG_SPOOL_REMAINS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct spool_remain {
  char *path;
  long pid;        /* the process that it was of */
  bool is_running; /* it still is of that: such a file is no remain */
  uint64_t bytes;  /* on the disk */
  int64_t age;     /* seconds since it was last written, at least 1 */
  char *options;   /* of the profiler, which name the log; NULL: unknown */
};

/* Of `directory` (NULL: of this user's directories), in order of their names.  Free with
 * g_ptr_array_unref. */
GPtrArray *spool_remains_list (const char *directory);

/* Removes one.  Returns 0 or an errno number. */
int spool_remain_remove (const struct spool_remain *remain);

/* Removes those of this user's directories that were not used for 30 days. */
void spool_remains_remove_old (void);

#endif
