/* control-folders.c -- finds control sockets by their names. */
#include "config.h"

#include "decoder/system/control-folders.h"
#include "decoder/system/process-files.h"
#include "decoder/system/process-reach.h"
#include <errno.h>
#include <proflog/control.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Adds the directories of `parent` whose names are `prefix` and a user's number. */
static void
add_all_users (GPtrArray *folders, const char *parent, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix)
        && g_ascii_string_to_unsigned (name + strlen (prefix), 10, 0, G_MAXUINT32, NULL, NULL))
      g_ptr_array_add (folders, g_build_filename (parent, name, NULL));
}

/* The directories in which sockets of ours, or for root of anybody's, can be. */
static GPtrArray *
find_folders (void)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");
  if (runtime != NULL && runtime[0] == '/')
    g_ptr_array_add (folders, g_strdup (runtime));
  if (geteuid () == 0) {
    add_all_users (folders, "/run/user", "");
    add_all_users (folders, "/tmp", "proflog-");
  } else {
    g_ptr_array_add (folders, g_strdup_printf (PROFLOG_RUNTIME_DIRECTORY, (long) geteuid ()));
    g_ptr_array_add (folders, g_strdup_printf (PROFLOG_OWN_DIRECTORY, (long) geteuid ()));
  }
  return folders;
}

/* The process id in the name of a socket; 0: it is none. */
static long
pid_of_name (const char *name)
{
  if (!g_str_has_prefix (name, PROFLOG_CONTROL_PREFIX)
      || !g_str_has_suffix (name, PROFLOG_CONTROL_SUFFIX))
    return 0;
  const size_t first = strlen (PROFLOG_CONTROL_PREFIX);
  const size_t length = strlen (name) - first - strlen (PROFLOG_CONTROL_SUFFIX);
  g_autofree char *digits = g_strndup (name + first, length);
  guint64 pid;
  return g_ascii_string_to_unsigned (digits, 10, 1, G_MAXINT, &pid, NULL) ? (long) pid : 0;
}

/* That of a process which was killed is of no use to anybody. */
static void
remove_socket (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  unlink (path);
}

static void
list_folder (GArray *pids, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    const long pid = pid_of_name (name);
    if (pid == 0 || process_list_has (pids, pid))
      continue;
    const int fd = process_connect_in (folder, name, pid);
    if (fd < 0) {
      if (errno == ECONNREFUSED && kill ((pid_t) pid, 0) != 0 && errno == ESRCH)
        remove_socket (folder, name);
      continue;
    }
    close (fd);
    g_array_append_val (pids, pid);
  }
}

GArray *
control_folders_list (void)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (long));
  g_autoptr (GPtrArray) folders = find_folders ();
  for (guint i = 0; i < folders->len; i++)
    list_folder (pids, g_ptr_array_index (folders, i));
  return pids;
}

int
control_folders_connect (long pid, char **path)
{
  g_autoptr (GPtrArray) folders = find_folders ();
  g_autofree char *name = g_strdup_printf (PROFLOG_CONTROL_NAME, pid);
  int error = 0;
  *path = NULL;
  for (guint i = 0; i < folders->len && error == 0; i++) {
    const char *folder = g_ptr_array_index (folders, i);
    const int fd = process_connect_in (folder, name, pid);
    if (fd >= 0)
      return fd;
    if (errno != ENOENT && errno != ECONNREFUSED && errno != ENOTDIR) {
      error = errno;
      *path = g_build_filename (folder, name, NULL);
    }
  }
  const int fd = process_connect (pid);
  if (fd >= 0)
    g_clear_pointer (path, g_free);
  errno = error;
  return fd;
}
