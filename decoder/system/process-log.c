/* process-log.c -- searches the open files of a process. */
#include "config.h"

#include "decoder/system/process-log.h"
#include "decoder/system/log-head.h"
#include "decoder/system/process-reach.h"
#include "decoder/input/log-writer.h"
#include <glib.h>
#include <sys/stat.h>

/* Whether it begins as logs do, or as compressed files if it may be one. */
static bool
begins_as_log (const char *path, bool can_be_packed)
{
  const enum log_head head = log_head_of (path);
  return head == LOG_HEAD_LOG || (can_be_packed && head == LOG_HEAD_PACKED);
}

char *
process_log_find (long pid, bool can_be_packed)
{
  struct stat st;
  g_autofree char *folder = g_strdup_printf ("/proc/%ld/fd", pid);
  char *found = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *number;
  while (found == NULL && dir != NULL && (number = g_dir_read_name (dir)) != NULL) {
    g_autofree char *link = g_build_filename (folder, number, NULL);
    g_autofree char *name = g_file_read_link (link, NULL);
    g_autofree char *path = name != NULL && name[0] == '/' ? process_path (pid, name) : NULL;
    if (path != NULL && stat (path, &st) == 0 && S_ISREG (st.st_mode)
        && log_writer_writes (pid, number) && begins_as_log (path, can_be_packed))
      found = g_steal_pointer (&path);
  }
  return found;
}
