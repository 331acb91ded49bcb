/* code-file.c -- creates and extends a file that other programs find by its name. */
#include "config.h"

#include "profiler/os/code-file.h"
#include "agent/own-files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { COPIED_BYTES = 1 << 14, ATTEMPTS = 2 };

/* The reason not to remove the file of this name; NULL: it is removed, or gone. */
static const char *
remove_own (const char *path)
{
  struct stat st;
  if (lstat (path, &st) != 0)
    return errno == ENOENT ? NULL : strerror (errno);
  if (!S_ISREG (st.st_mode))
    return "is there and is no regular file; it is not followed";
  if (st.st_uid != geteuid ())
    return "is there and belongs to another user";
  return unlink (path) == 0 || errno == ENOENT ? NULL : strerror (errno);
}

bool
code_file_create (struct code_file *f, const char *path, char *why, size_t size)
{
  const char *problem = NULL;
  *f = (struct code_file) CODE_FILE_NONE;
  if (strlen (path) >= sizeof f->path) {
    snprintf (why, size, "%.100s...: %s", path, strerror (ENAMETOOLONG));
    return false;
  }
  strcpy (f->path, path);
  for (int i = 0; i < ATTEMPTS && f->fd < 0 && problem == NULL; i++) {
    f->fd = above_standard (
        open (path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (f->fd < 0)
      problem = errno == EEXIST && i + 1 < ATTEMPTS ? remove_own (path) : strerror (errno);
  }
  if (f->fd >= 0 && fstat (f->fd, &f->file) == 0)
    return true;
  snprintf (why, size, "%s: %s", path, problem != NULL ? problem : strerror (errno));
  code_file_close (f);
  return false;
}

/* Beyond a limit of the size of files the kernel sends a signal, to a thread of the program. */
static bool
exceeds_limit (uint64_t size)
{
  struct rlimit limit;
  return getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
         && size > limit.rlim_cur;
}

int
code_file_append (struct code_file *f, const struct iovec *parts, int count)
{
  size_t length = 0;
  if (f->fd < 0)
    return 0;
  for (int i = 0; i < count; i++)
    length += parts[i].iov_len;
  if (exceeds_limit (f->size + length)) {
    code_file_close (f);
    return EFBIG;
  }
  errno = EBADF;
  const ssize_t n = is_still_open (f->fd, &f->file) ? writev (f->fd, parts, count) : -1;
  if (n == (ssize_t) length) {
    f->size += length;
    return 0;
  }
  const int error = n >= 0 ? ENOSPC : errno;
  if (n > 0 && ftruncate (f->fd, (off_t) f->size) != 0)
    f->size += (uint64_t) n; /* a part of a record is its end */
  code_file_close (f);
  return error;
}

int
code_file_copy (struct code_file *f, const struct code_file *other)
{
  char bytes[COPIED_BYTES];
  for (uint64_t at = 0; at < other->size;) {
    const uint64_t left = other->size - at;
    const ssize_t n
        = pread (other->fd, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t) at);
    if (n <= 0) {
      const int error = n < 0 ? errno : EIO;
      code_file_close (f);
      return error;
    }
    const int error
        = code_file_append (f, &(struct iovec){ .iov_base = bytes, .iov_len = (size_t) n }, 1);
    if (error != 0)
      return error;
    at += (uint64_t) n;
  }
  return 0;
}

void
code_file_close (struct code_file *f)
{
  if (f->fd >= 0 && is_still_open (f->fd, &f->file))
    close (f->fd);
  f->fd = -1;
}
