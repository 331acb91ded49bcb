/* temporary-file.c -- files without a name. */
#include "config.h"

#include "decoder/core/temporary-file.h"

#include <unistd.h>

int
temporary_file_open (GError **error)
{
  char *path = NULL;
  const int fd = g_file_open_tmp ("proflog-XXXXXX", &path, error);
  if (fd >= 0)
    unlink (path);
  g_free (path);
  return fd;
}
