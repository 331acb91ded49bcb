/* log-writer.c -- searches /proc for a log's writer. */
#include "config.h"

#include "decoder/input/log-writer.h"
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
log_writer_writes (long pid, const char *descriptor)
{
  static const char key[] = "flags:\t";
  g_autofree char *path = g_strdup_printf ("/proc/%ld/fdinfo/%s", pid, descriptor);
  g_autofree char *text = NULL;
  const char *flags = g_file_get_contents (path, &text, NULL, NULL) ? strstr (text, key) : NULL;
  return flags != NULL && (strtoul (flags + strlen (key), NULL, 8) & O_ACCMODE) != O_RDONLY;
}

static bool
has_open (long pid, const struct stat *file)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%ld/fd", pid);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *descriptor;
  bool found = false;
  while (!found && dir != NULL && (descriptor = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, descriptor, NULL);
    struct stat st;
    found = stat (path, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino
            && log_writer_writes (pid, descriptor);
  }
  return found;
}

long
log_writer_of (const char *path)
{
  struct stat file;
  if (stat (path, &file) != 0 || !S_ISREG (file.st_mode))
    return 0;
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  long writer = 0;
  while (writer == 0 && dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    const long pid = g_ascii_isdigit (*name) ? strtol (name, NULL, 10) : 0;
    if (pid != 0 && pid != (long) getpid () && has_open (pid, &file))
      writer = pid;
  }
  return writer;
}
