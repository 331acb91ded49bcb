/* sink-file.c -- files, FIFOs and open descriptors. */
#include "config.h"

#include "agent/own-files.h"
#include "profiler/sink/sink-private.h"
#include <proflog/big-endian.h>
#include <proflog/ghc.h>
#include <proflog/mlpd.h>
#include <proflog/units.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds out the type of the destination, and the name of a regular file.  A descriptor's file has
 * the name that the kernel has for it, if that is still its name. */
static void
check_file (struct sink *s, bool is_descriptor)
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

bool
sink_open_descriptor (struct sink *s, const char *number, char *why, size_t size)
{
  uint32_t fd;
  const char *end;
  snprintf (s->name, sizeof s->name, "#%s", number);
  if (!proflog_parse_u32 (number, &end, &fd) || *end != 0 || fd > INT_MAX) {
    snprintf (why, size, "output '#%s': not a descriptor number", number);
    return false;
  }
  s->fd = fcntl ((int) fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int mode = s->fd < 0 ? -1 : fcntl (s->fd, F_GETFL);
  if (s->fd < 0 || (mode & O_ACCMODE) == O_RDONLY) {
    snprintf (why, size, "output '#%s': %s", number,
              s->fd < 0 ? strerror (errno) : "not open for writing");
    return false;
  }
  check_file (s, true);
  return true;
}

/* No other program begins a log in the file while this process writes it.  The lock (flock) is
 * released with the last copy of the descriptor, of which children retain none.  The second one
 * (fcntl) is for the number of its process, and is lost when any other descriptor of the file is
 * closed.  False with a message in `why` if another program has the lock; where files cannot be
 * locked, true. */
static bool
lock_file (const struct sink *s, char *why, size_t size)
{
  struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  if (flock (s->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (fcntl (s->fd, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK && whole.l_pid > 0)
      snprintf (why, size, "output '%s': process %ld writes its log there", s->name,
                (long) whole.l_pid);
    else
      snprintf (why, size, "output '%s': another program writes its log there", s->name);
    return false;
  }
  fcntl (s->fd, F_SETLK, &whole);
  return true;
}

/* Whether a file with these bytes at its beginning is a log, plain or compressed. */
static bool
begins_log (const unsigned char bytes[4])
{
  const uint32_t id = proflog_be32 (bytes);
  return id == __builtin_bswap32 (MLPD_FILE_ID) || id == GHC_HEADER_BEGIN
         || id >> 8 == 0x1f8b08 /* gzip */ || id == 0x28b52ffd /* zstd */;
}

static uint64_t protected_ns = UINT64_MAX;

void
sink_protect_newer (uint64_t ns)
{
  protected_ns = ns;
}

/* Whether sink_protect_newer is about this file. */
static bool
is_protected (const struct stat *file)
{
  return (uint64_t) file->st_mtim.tv_sec * 1000000000 + (uint64_t) file->st_mtim.tv_nsec
         > protected_ns;
}

/* The reason not to overwrite a file of this name: it has, or may have, other contents than those
 * of a log.  NULL: there is none.  No other descriptor of the file is open yet: to close this one
 * would release its lock. */
static const char *
obstacle (const char *name)
{
  unsigned char bytes[4];
  struct stat st;
  if (lstat (name, &st) != 0 || !S_ISREG (st.st_mode) || st.st_size == 0)
    return NULL;
  if (is_protected (&st))
    return "another program of this 'proflog run' has written it; with %p in its name each has a "
           "log of its own";
  const int fd = above_standard (open (name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  const ssize_t n = fd >= 0 ? read (fd, bytes, sizeof bytes) : -1;
  const char *const problem = n < 0 ? strerror (errno)
                              : n == sizeof bytes && begins_log (bytes)
                                  ? NULL
                                  : "is there and is no log; it is not overwritten";
  if (fd >= 0)
    close (fd);
  return problem;
}

/* The reason for which open has failed with ENXIO. */
static const char *
no_reader_of (const char *name)
{
  struct stat st;
  return lstat (name, &st) == 0 && S_ISSOCK (st.st_mode) ? "is a socket: unix:PATH connects to it"
                                                         : "is a FIFO without a reader";
}

bool
sink_open_file (struct sink *s, const char *output, char *why, size_t size)
{
  if (!sink_name_file (s->name, sizeof s->name, output, s->number, why, size))
    return false;
  const char *problem = obstacle (s->name);
  if (problem != NULL) {
    snprintf (why, size, "output '%s': %s", s->name, problem);
    return false;
  }
  /* O_NONBLOCK: a FIFO without a reader is an error and not a program that hangs. */
  s->fd = above_standard (
      open (s->name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600));
  struct stat st;
  if (s->fd < 0)
    problem = errno == ELOOP   ? "is a symbolic link, which is not followed"
              : errno == ENXIO ? no_reader_of (s->name)
                               : strerror (errno);
  else if (fstat (s->fd, &st) != 0)
    problem = strerror (errno);
  else if (S_ISREG (st.st_mode) && !lock_file (s, why, size))
    return false;
  /* A file system may flush a file that was once made shorter when it is closed: at exit. */
  else if (S_ISREG (st.st_mode)
           && (fchmod (s->fd, 0600) != 0 || (st.st_size != 0 && ftruncate (s->fd, 0) != 0)))
    problem = strerror (errno);
  else if (fcntl (s->fd, F_SETFL, O_WRONLY) != 0)
    problem = strerror (errno);
  if (problem == NULL) {
    check_file (s, false);
    return true;
  }
  snprintf (why, size, "output '%s': %s", s->name, problem);
  return false;
}
