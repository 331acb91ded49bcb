/* sink.c -- opens, compresses, writes. */
#include "profiler/sink.h"
#include "proflog/module-options.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

struct sink {
  int fd;
  int error; /* the first failure */
  bool zip;
  z_stream stream;
  unsigned char packed[64 * 1024];
  char name[PATH_MAX];
  char file[PATH_MAX]; /* "": it is no regular file that has a name */
  bool has_reader;
};

/* Appends text to name; false if it does not fit. */
static bool
append (char *name, size_t size, const char *text)
{
  size_t length = strlen (name);
  if (strlen (text) >= size - length)
    return false;
  strcpy (name + length, text);
  return true;
}

/* %p -> process id, %t -> UTC time as YYYYMMDDhhmmss, %% -> %. */
static bool
expand (char *name, size_t size, const char *pattern, char *why, size_t why_size)
{
  name[0] = 0;
  for (const char *p = pattern; *p != 0; p++) {
    char piece[32] = { *p, 0 };
    if (*p == '%') {
      p++;
      if (*p == 'p') {
        snprintf (piece, sizeof piece, "%ld", (long) getpid ());
      } else if (*p == 't') {
        time_t now = time (NULL);
        struct tm utc;
        strftime (piece, sizeof piece, "%Y%m%d%H%M%S", gmtime_r (&now, &utc));
      } else if (*p != '%') {
        snprintf (why, why_size, "output '%s': '%%' must be followed by p, t or %%", pattern);
        return false;
      }
    }
    if (!append (name, size, piece)) {
      snprintf (why, why_size, "output: the name is longer than %zu bytes", size - 1);
      return false;
    }
  }
  return true;
}

static int
open_descriptor (const char *number, char *why, size_t size)
{
  uint32_t fd;
  const char *end;
  if (!proflog_parse_u32 (number, &end, &fd) || *end != 0 || fd > INT_MAX) {
    snprintf (why, size, "output '#%s': not a descriptor number", number);
    return -1;
  }
  int copy = fcntl ((int) fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int mode = copy < 0 ? -1 : fcntl (copy, F_GETFL);
  if (copy < 0 || (mode & O_ACCMODE) == O_RDONLY) {
    snprintf (why, size, "output '#%s': %s", number,
              copy < 0 ? strerror (errno) : "not open for writing");
    if (copy >= 0)
      close (copy);
    return -1;
  }
  return copy;
}

int
sink_above_standard (int fd)
{
  if (fd < 0 || fd > STDERR_FILENO)
    return fd;
  int copy = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int error = errno;
  close (fd);
  errno = error;
  return copy;
}

static int
open_file (const char *name, char *why, size_t size)
{
  /* O_NONBLOCK: a FIFO that nobody reads is an error and not a program that hangs. */
  int fd = sink_above_standard (
      open (name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600));
  struct stat st;
  const char *problem = NULL;
  if (fd < 0)
    problem = errno == ELOOP   ? "is a symbolic link, which is not followed"
              : errno == ENXIO ? "is a FIFO that nobody reads"
                               : strerror (errno);
  else if (fstat (fd, &st) != 0)
    problem = strerror (errno);
  else if (S_ISREG (st.st_mode) && (fchmod (fd, 0600) != 0 || ftruncate (fd, 0) != 0))
    problem = strerror (errno);
  else if (fcntl (fd, F_SETFL, O_WRONLY) != 0)
    problem = strerror (errno);
  if (problem == NULL)
    return fd;
  snprintf (why, size, "output '%s': %s", name, problem);
  if (fd >= 0)
    close (fd);
  return -1;
}

/* Finds out what the log goes to.  A descriptor's file is known by the name that the kernel has for
 * it, if that is still its name. */
static void
look_at_file (struct sink *s, bool is_descriptor)
{
  struct stat st, named;
  if (fstat (s->fd, &st) != 0)
    return;
  s->has_reader = S_ISFIFO (st.st_mode) || S_ISSOCK (st.st_mode);
  if (!S_ISREG (st.st_mode))
    return;
  if (is_descriptor) {
    char link[32];
    snprintf (link, sizeof link, "/proc/self/fd/%d", s->fd);
    const ssize_t n = readlink (link, s->file, sizeof s->file - 1);
    s->file[n > 0 ? n : 0] = 0;
  } else {
    strcpy (s->file, s->name);
  }
  if (lstat (s->file, &named) != 0 || named.st_dev != st.st_dev || named.st_ino != st.st_ino)
    s->file[0] = 0;
}

struct sink *
sink_open (const char *output, bool zip, char *why, size_t size)
{
  struct sink *s = calloc (1, sizeof *s);
  if (s == NULL) {
    snprintf (why, size, "no memory");
    return NULL;
  }
  if (output[0] == '#') {
    snprintf (s->name, sizeof s->name, "%s", output);
    s->fd = open_descriptor (output + 1, why, size);
  } else {
    char pid[16] = "";
    if (output[0] == '+')
      snprintf (pid, sizeof pid, ".%ld", (long) getpid ());
    s->fd = -1;
    if (expand (s->name, sizeof s->name - sizeof pid, output + (pid[0] != 0), why, size)) {
      append (s->name, sizeof s->name, pid);
      s->fd = open_file (s->name, why, size);
    }
  }
  if (s->fd < 0) {
    free (s);
    return NULL;
  }
  look_at_file (s, output[0] == '#');
  s->zip = zip;
  if (zip
      && deflateInit2 (&s->stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY)
             != Z_OK) {
    snprintf (why, size, "zip: no memory");
    close (s->fd);
    free (s);
    return NULL;
  }
  return s;
}

static int
write_all (struct sink *s, const unsigned char *bytes, size_t length)
{
  while (length > 0 && s->error == 0) {
    ssize_t n = write (s->fd, bytes, length);
    if (n < 0) {
      if (errno != EINTR)
        s->error = errno;
      continue;
    }
    bytes += n;
    length -= (size_t) n;
  }
  return s->error;
}

static int
pack (struct sink *s, const void *bytes, size_t length, int flush)
{
  s->stream.next_in = (unsigned char *) bytes;
  s->stream.avail_in = (uInt) length;
  do {
    s->stream.next_out = s->packed;
    s->stream.avail_out = sizeof s->packed;
    deflate (&s->stream, flush);
    write_all (s, s->packed, sizeof s->packed - s->stream.avail_out);
  } while (s->stream.avail_out == 0 && s->error == 0);
  return s->error;
}

int
sink_write (struct sink *s, const void *bytes, size_t length)
{
  return s->zip ? pack (s, bytes, length, Z_NO_FLUSH) : write_all (s, bytes, length);
}

int
sink_flush (struct sink *s)
{
  return s->zip ? pack (s, "", 0, Z_SYNC_FLUSH) : s->error;
}

int
sink_finish (struct sink *s)
{
  if (s->zip)
    pack (s, "", 0, Z_FINISH);
  if (close (s->fd) != 0 && s->error == 0 && errno != EINTR)
    s->error = errno;
  s->fd = -1;
  return s->error;
}

void
sink_free (struct sink *s)
{
  if (s->zip)
    deflateEnd (&s->stream);
  if (s->fd >= 0)
    close (s->fd);
  free (s);
}

const char *
sink_name (const struct sink *s)
{
  return s->name;
}

const char *
sink_file (const struct sink *s)
{
  return s->file[0] != 0 ? s->file : NULL;
}

bool
sink_has_reader (const struct sink *s)
{
  return s->has_reader;
}
