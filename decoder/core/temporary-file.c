/* temporary-file.c -- files without a name. */
#include "config.h"

#include "decoder/core/temporary-file.h"

#include <errno.h>
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

int
temporary_file_write (int fd, uint64_t offset, const void *bytes, size_t length)
{
  for (size_t done = 0; done < length;) {
    const ssize_t n
        = pwrite (fd, (const char *) bytes + done, length - done, (off_t) (offset + done));
    if (n > 0)
      done += (size_t) n;
    else if (n == 0 || errno != EINTR)
      return n == 0 ? EIO : errno;
  }
  return 0;
}

int
temporary_file_read (int fd, uint64_t offset, void *bytes, size_t length)
{
  for (size_t done = 0; done < length;) {
    const ssize_t n = pread (fd, (char *) bytes + done, length - done, (off_t) (offset + done));
    if (n > 0)
      done += (size_t) n;
    else if (n == 0 || errno != EINTR)
      return n == 0 ? EIO : errno;
  }
  return 0;
}

GError *
temporary_file_error (const char *problem, int number)
{
  return g_error_new (G_FILE_ERROR, G_FILE_ERROR_FAILED, "a temporary file in %s cannot be %s: %s",
                      g_get_tmp_dir (), problem, g_strerror (number));
}
