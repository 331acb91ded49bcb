/* spool-remains.h -- crash buffers in the user's own directories, where those lie of logs that went
 * through pipes, sockets and commands: that of a log, and all whose programs are gone.
 *
 * Thread safe.
 */
#ifndef PROFLOG_SPOOL_REMAINS_H
#define PROFLOG_SPOOL_REMAINS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The spool of a process that has ended, and whose log began as the log at `path` does; NULL if
 * there is none.  It may belong to another log of that process, which had readers one after the
 * other.  Free it with g_free. */
char *spool_search (const char *path);

/* The process id in the name of such a spool (proflog-PID.spool); 0: it is none, as those that lie
 * beside the file of their log. */
long spool_search_pid (const char *name);

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
