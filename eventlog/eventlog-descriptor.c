/* eventlog-descriptor.c -- writes to a descriptor without waiting. */
#include "config.h"

#include "eventlog/eventlog-parts.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A pipe that has room at all has room for PIPE_BUF bytes: this much never waits. */
static bool
has_room (int fd)
{
  struct pollfd polled = { .fd = fd, .events = POLLOUT };
  return poll (&polled, 1, 0) > 0;
}

static ssize_t
write_some (int fd, bool is_socket, bool may_be_full, const char *bytes, size_t length)
{
  if (is_socket)
    return send (fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (!may_be_full)
    return write (fd, bytes, length);
  if (has_room (fd))
    return write (fd, bytes, length < PIPE_BUF ? length : PIPE_BUF);
  errno = EAGAIN;
  return -1;
}

static ssize_t
write_all (int fd, bool is_socket, bool may_be_full, const char *bytes, size_t length)
{
  size_t done = 0;
  while (done < length) {
    const ssize_t n = write_some (fd, is_socket, may_be_full, bytes + done, length - done);
    if (n > 0)
      done += (size_t) n;
    else if (n < 0 && errno == EAGAIN)
      break;
    else if (n == 0 || errno != EINTR) {
      errno = n == 0 ? EIO : errno;
      return -1;
    }
  }
  return (ssize_t) done;
}

ssize_t
eventlog_descriptor_write (int fd, bool is_socket, bool may_be_full, const void *bytes,
                           size_t length)
{
  if (is_socket)
    return write_all (fd, true, false, bytes, length);
  /* The signal that a pipe without readers raises is ours to take, unless it waited before. */
  const struct timespec at_once = { 0 };
  sigset_t pipe_signal, pending, before;
  sigemptyset (&pipe_signal);
  sigaddset (&pipe_signal, SIGPIPE);
  sigpending (&pending);
  const bool was_pending = sigismember (&pending, SIGPIPE) == 1;
  pthread_sigmask (SIG_BLOCK, &pipe_signal, &before);
  const ssize_t n = write_all (fd, false, may_be_full, bytes, length);
  const int error = errno;
  if (n < 0 && error == EPIPE && !was_pending)
    while (sigtimedwait (&pipe_signal, NULL, &at_once) < 0 && errno == EINTR)
      ;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = error;
  return n;
}
