/* log-save.c -- copies the bytes of the log's files. */
#include "config.h"

#include "profiler/write/log-save.h"
#include "agent/clock.h"
#include "agent/own-files.h"
#include "profiler/write/log-file.h"
#include "profiler/write/log-keep.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <proflog/mlpd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static const char unfinished[] = ".part"; /* after the name, until the file is whole */
static _Atomic bool is_given_up;

/* The file that is written. */
struct output {
  int fd;
  uint64_t bytes;
  int error; /* errno number */
};

static void
put (struct output *to, const void *bytes, size_t length)
{
  for (const char *p = bytes; length != 0 && to->error == 0;) {
    const ssize_t n = write (to->fd, p, length);
    if (n < 0 && errno != EINTR)
      to->error = errno;
    if (n <= 0)
      continue;
    p += n;
    length -= (size_t) n;
    to->bytes += (uint64_t) n;
  }
}

static int
put_packed (void *output, const void *bytes, size_t length)
{
  struct output *const to = output;
  put (to, bytes, length);
  return to->error;
}

/* Copies the bytes of a file from `from` to `end`. */
static void
copy (struct output *to, int fd, uint64_t from, uint64_t end)
{
  enum { MOST = 1 << 20 };
  off_t at = (off_t) from;
  while ((uint64_t) at < end && to->error == 0) {
    const uint64_t left = end - (uint64_t) at;
    const ssize_t n = sendfile (to->fd, fd, &at, left < MOST ? (size_t) left : MOST);
    if (n < 0 && errno != EINTR)
      to->error = errno;
    else if (n == 0)
      to->error = ESPIPE; /* another program has truncated the file */
    else if (n > 0)
      to->bytes += (uint64_t) n;
    if (atomic_load (&is_given_up))
      to->error = ECANCELED;
  }
}

/* The bytes that end a whole log, compressed as it is. */
static void
put_end (struct output *to, enum pack pack)
{
  uint8_t end[LOG_END_ROOM];
  const size_t length = log_file_make_end (end, clock_now ());
  if (pack == PACK_NONE) {
    put (to, end, length);
    return;
  }
  struct packer *const packer = packer_new (pack);
  const int error = packer == NULL ? ENOMEM
                                   : packer_run (packer, end, length, PACK_END,
                                                 &(struct pack_to){ put_packed, to });
  packer_free (packer);
  if (to->error == 0)
    to->error = error;
}

static void
put_files (struct output *to, const struct kept_file *files, size_t count, enum pack pack)
{
  for (size_t i = 0; i < count; i++) {
    copy (to, files[i].fd, i == 0 ? 0 : files[i].from, files[i].whole.length);
    put (to, files[i].whole.tail, files[i].whole.tail_length);
  }
  put_end (to, pack);
}

/* Other data under the name stay unchanged. */
static int
give_name (const char *from, const char *path)
{
  if (link (from, path) == 0)
    return unlink (from) == 0 ? 0 : errno;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
    return errno;
  /* The file system has no links. */
  if (access (path, F_OK) == 0)
    return EEXIST;
  return rename (from, path) == 0 ? 0 : errno;
}

/* Makes the file `path`, under the name `name` until it is whole.  Returns 0 or an errno number. */
static int
save (const char *path, const char *name, const struct kept_file *files, size_t count,
      enum pack pack, uint64_t *bytes)
{
  struct stat st;
  if (lstat (path, &st) == 0)
    return EEXIST;
  struct output to = { .fd = above_standard (open (
                           name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)) };
  if (to.fd < 0)
    return errno;
  put_files (&to, files, count, pack);
  if (close (to.fd) != 0 && to.error == 0)
    to.error = errno;
  if (to.error == 0)
    to.error = give_name (name, path);
  if (to.error != 0)
    unlink (name);
  *bytes = to.bytes;
  return to.error;
}

bool
log_save (const char *path, uint64_t last_ns, struct log_saved *saved, char *why, size_t size)
{
  struct kept_file *files;
  const uint64_t now = clock_now ();
  const size_t count = log_keep_open (last_ns < now ? now - last_ns : 0, &files, why, size);
  int error = 0;
  *saved = (struct log_saved){ .files = count };
  if (count > 1 && log_format->put_state != NULL) {
    snprintf (why, size,
              "%zu files of an eventlog cannot be saved as one; 'proflog merge' makes one of them",
              count);
    error = EINVAL;
  } else if (count != 0) {
    char name[PATH_MAX + sizeof unfinished];
    struct stat st;
    snprintf (name, sizeof name, "%s%s", path, unfinished);
    error = save (path, name, files, count, log_keep_pack (), &saved->bytes);
    const bool is_left = error == EEXIST && lstat (path, &st) != 0; /* of a killed program */
    if (error == ECANCELED)
      snprintf (why, size, "%s: the program ends", path);
    else if (error != 0)
      snprintf (why, size, "%s: %s", is_left ? name : path, strerror (error));
  }
  for (size_t i = 0; i < count; i++)
    close (files[i].fd);
  free (files);
  return count != 0 && error == 0;
}

void
log_save_give_up (void)
{
  atomic_store (&is_given_up, true);
}
