/* live-source.c -- opens and reads the source of a live log.
 *
 * Files are read to their end, and can be polled for changes that inotify reports; not every file
 * system does.  All else is polled.
 */
#include "config.h"

#include "decoder/live/live-source.h"
#include "decoder/input/unpack.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <proflog/read.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
  CHUNK = 256 * 1024,
  AGAIN_MS = 3000, /* how long it is tried to connect again */
};

enum source_kind { SOURCE_FILE, SOURCE_PIPE, SOURCE_CONNECT, SOURCE_LISTEN };

struct live_source {
  enum source_kind kind;
  char *name; /* for messages */
  char *path; /* NULL: standard input */
  bool reconnect;
  bool begins; /* LIVE_BEGIN is to be reported */
  bool ended;
  int fd;             /* -1: not connected */
  int listener;       /* -1: none */
  int notify;         /* inotify; -1: none */
  pid_t listener_pid; /* of the connection: listening process; 0: not known */
  gint64 tries_until; /* to connect again, on GLib's steady clock; 0: no end */
  bool has_come;      /* anything, through this connection */
  dev_t device;
  ino_t inode;
  uint64_t offset; /* bytes that were read since the beginning */
  uint8_t *raw;    /* read, and not given or unpacked yet */
  size_t raw_at, raw_end;
  bool is_known; /* which compression */
  enum unpack_kind packed;
  struct unpacker *unpacker;
  uint8_t *unpacked;
  bool has_more; /* the unpacker has, as its room was full */
};

static bool
fail (const struct live_source *s, GError **error, const char *why)
{
  g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", s->name, why);
  return false;
}

/* ---- opening ---- */

/* The next log is read from its beginning. */
static void
begin (struct live_source *s)
{
  s->begins = true;
  s->offset = 0;
  s->raw_at = s->raw_end = 0;
  s->is_known = false;
  s->has_more = false;
  g_clear_pointer (&s->unpacker, unpacker_free);
}

static void
watch_file (struct live_source *s)
{
  if (s->path == NULL)
    return;
  if (s->notify >= 0)
    close (s->notify);
  s->notify = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
  if (s->notify >= 0)
    inotify_add_watch (s->notify, s->path,
                       IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF);
}

/* Why a path cannot be opened.  A socket is "no such device". */
static const char *
reason_of (const char *path, int code)
{
  struct stat st;
  if (code == ENXIO && stat (path, &st) == 0 && S_ISSOCK (st.st_mode))
    return "is a socket: unix:PATH connects to it";
  return g_strerror (code);
}

static bool
open_path (struct live_source *s, GError **error)
{
  struct stat st;
  s->fd = s->path == NULL ? STDIN_FILENO
                          : open (s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (s->fd < 0)
    return fail (s, error, reason_of (s->path, errno));
  if (fstat (s->fd, &st) != 0)
    return fail (s, error, g_strerror (errno));
  if (S_ISDIR (st.st_mode))
    return fail (s, error, g_strerror (EISDIR));
  s->kind = S_ISREG (st.st_mode) ? SOURCE_FILE : SOURCE_PIPE;
  s->device = st.st_dev;
  s->inode = st.st_ino;
  if (s->kind == SOURCE_FILE)
    watch_file (s);
  begin (s);
  return true;
}

/* A socket, and the address of the path.  -1 with an error. */
static int
make_socket (const struct live_source *s, struct sockaddr_un *address, GError **error)
{
  *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  if (s->path[0] == 0
      || g_strlcpy (address->sun_path, s->path, sizeof address->sun_path)
             >= sizeof address->sun_path) {
    char *why
        = g_strdup_printf ("the path of a socket has 1 to %zu bytes", sizeof address->sun_path - 1);
    fail (s, error, why);
    g_free (why);
    return -1;
  }
  const int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    fail (s, error, g_strerror (errno));
  return fd;
}

static bool
connect_now (struct live_source *s, GError **error)
{
  struct sockaddr_un address;
  const int fd = make_socket (s, &address, error);
  if (fd < 0)
    return false;
  if (connect (fd, (struct sockaddr *) &address, sizeof address) != 0) {
    fail (s, error, g_strerror (errno));
    close (fd);
    return false;
  }
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0)
    s->listener_pid = peer.pid;
  s->fd = fd;
  s->has_come = false;
  s->tries_until = 0;
  begin (s);
  return true;
}

static bool
listen_now (struct live_source *s, GError **error)
{
  struct sockaddr_un address;
  const int fd = make_socket (s, &address, error);
  if (fd < 0)
    return false;
  s->listener = fd;
  if (bind (fd, (struct sockaddr *) &address, sizeof address) != 0) {
    const int code = errno;
    s->listener = -1; /* the file there is not ours */
    close (fd);
    return fail (s, error, g_strerror (code));
  }
  /* Nobody can connect before it listens, so the mode is right in time. */
  if (chmod (s->path, 0600) != 0 || listen (fd, 1) != 0)
    return fail (s, error, g_strerror (errno));
  return true;
}

static bool
open_kind (struct live_source *s, GError **error)
{
  switch (s->kind) {
  case SOURCE_CONNECT:
    return connect_now (s, s->reconnect ? NULL : error) || s->reconnect;
  case SOURCE_LISTEN:
    return listen_now (s, error);
  default:
    return open_path (s, error);
  }
}

struct live_source *
live_source_open (const char *spec, bool reconnect, GError **error)
{
  struct live_source *s = g_new0 (struct live_source, 1);
  *s = (struct live_source){ .reconnect = reconnect, .fd = -1, .listener = -1, .notify = -1 };
  s->raw = g_malloc (CHUNK);
  s->name = g_strdup (strcmp (spec, "-") == 0 ? "standard input" : spec);
  if (g_str_has_prefix (spec, LIVE_CONNECT)) {
    s->kind = SOURCE_CONNECT;
    s->path = g_strdup (spec + strlen (LIVE_CONNECT));
  } else if (g_str_has_prefix (spec, LIVE_LISTEN)) {
    s->kind = SOURCE_LISTEN;
    s->path = g_strdup (spec + strlen (LIVE_LISTEN));
  } else if (strcmp (spec, "-") != 0) {
    s->path = g_strdup (spec);
  }
  if (open_kind (s, error))
    return s;
  live_source_close (s);
  return NULL;
}

void
live_source_close (struct live_source *s)
{
  if (s == NULL)
    return;
  if (s->fd > STDIN_FILENO)
    close (s->fd);
  if (s->listener >= 0) {
    unlink (s->path);
    close (s->listener);
  }
  if (s->notify >= 0)
    close (s->notify);
  unpacker_free (s->unpacker);
  g_free (s->unpacked);
  g_free (s->raw);
  g_free (s->path);
  g_free (s->name);
  g_free (s);
}

const char *
live_source_name (const struct live_source *s)
{
  return s->name;
}

bool
live_source_is_pipe (const struct live_source *s)
{
  return s->kind == SOURCE_PIPE;
}

const char *
live_source_file (const struct live_source *s)
{
  return s->kind == SOURCE_FILE ? s->path : NULL;
}

uint64_t
live_source_offset (const struct live_source *s)
{
  return s->kind == SOURCE_FILE ? s->offset : 0;
}

uint64_t
live_source_size (const struct live_source *s)
{
  struct stat st;
  return s->kind == SOURCE_FILE && fstat (s->fd, &st) == 0 ? (uint64_t) st.st_size : 0;
}

/* ---- reading ---- */

int
live_source_descriptor (const struct live_source *s)
{
  return s->kind == SOURCE_FILE ? s->notify : s->fd >= 0 ? s->fd : s->listener;
}

/* Whether reading it, or accepting a connection, does not wait. */
static bool
is_ready (int fd)
{
  struct pollfd p = { .fd = fd, .events = POLLIN };
  return poll (&p, 1, 0) > 0 && (p.revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

/* Whether it is another user's: such a peer is refused. */
static bool
is_stranger (int fd)
{
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0
         || (peer.uid != geteuid () && peer.uid != 0);
}

/* Whether the process may live that listened where the connection was. */
static bool
listener_lives (const struct live_source *s)
{
  return s->listener_pid > 0 && (kill (s->listener_pid, 0) == 0 || errno != ESRCH);
}

/* Nobody is there: tries whether somebody is now. */
static void
find_peer (struct live_source *s)
{
  if (s->kind == SOURCE_LISTEN) {
    if (!is_ready (s->listener))
      return;
    const int fd = accept4 (s->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0 && is_stranger (fd)) {
      close (fd);
    } else if (fd >= 0) {
      s->fd = fd;
      begin (s);
    }
  } else if (!connect_now (s, NULL)) {
    s->ended
        = s->tries_until != 0 && (!listener_lives (s) || g_get_monotonic_time () >= s->tries_until);
  }
}

bool
live_source_reconnect (struct live_source *s)
{
  if (s->kind != SOURCE_CONNECT || s->fd >= 0 || !s->has_come || !listener_lives (s))
    return false;
  s->has_come = false;
  s->ended = false;
  s->tries_until = g_get_monotonic_time () + AGAIN_MS * 1000;
  return true;
}

/* The log ended. */
static enum live_news
end (struct live_source *s)
{
  if (s->fd > STDIN_FILENO)
    close (s->fd);
  s->fd = -1;
  s->ended = !s->reconnect || s->path == NULL;
  if (!s->ended && s->kind == SOURCE_PIPE)
    s->ended = !open_path (s, NULL);
  return s->ended ? LIVE_END : LIVE_QUIET;
}

/* At the end of a file, which is to be read from its beginning if it became shorter or another one
 * has its name. */
static void
restart_file (struct live_source *s)
{
  struct stat st;
  if (fstat (s->fd, &st) == 0 && (uint64_t) st.st_size < s->offset) {
    lseek (s->fd, 0, SEEK_SET);
    begin (s);
    return;
  }
  if (s->path == NULL || stat (s->path, &st) != 0 || !S_ISREG (st.st_mode)
      || (st.st_dev == s->device && st.st_ino == s->inode))
    return;
  const int before = s->fd;
  if (open_path (s, NULL)) {
    close (before);
  } else {
    if (s->fd >= 0)
      close (s->fd);
    s->fd = before;
  }
}

/* Later changes are reported again. */
static void
discard_changes (struct live_source *s)
{
  char events[4096];
  while (s->notify >= 0 && read (s->notify, events, sizeof events) > 0)
    ;
}

/* Reads the bytes that are there, after those at hand.  LIVE_BYTES if anything came. */
static enum live_news
read_more (struct live_source *s, GError **error)
{
  if (s->kind == SOURCE_FILE)
    discard_changes (s);
  else if (!is_ready (s->fd))
    return LIVE_QUIET;
  if (s->raw_at != 0) {
    memmove (s->raw, s->raw + s->raw_at, s->raw_end - s->raw_at);
    s->raw_end -= s->raw_at;
    s->raw_at = 0;
  }
  const ssize_t n = read (s->fd, s->raw + s->raw_end, CHUNK - s->raw_end);
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return LIVE_QUIET;
  if (n < 0 && errno == ECONNRESET)
    return end (s);
  if (n < 0) {
    fail (s, error, g_strerror (errno));
    return LIVE_FAILED;
  }
  if (n > 0) {
    s->has_come = true;
    s->raw_end += (size_t) n;
    s->offset += (uint64_t) n;
    return LIVE_BYTES;
  }
  if (s->kind != SOURCE_FILE || s->path == NULL)
    return end (s);
  restart_file (s);
  return LIVE_QUIET;
}

/* ---- compression ---- */

static enum live_news
recognise (struct live_source *s, GError **error)
{
  s->packed = unpack_kind_of (s->raw + s->raw_at, s->raw_end - s->raw_at);
  s->is_known = true;
  if (s->packed == UNPACK_NONE)
    return LIVE_BYTES;
  const bool is_there = unpack_is_there (s->packed);
  s->unpacker = is_there ? unpacker_new (s->packed) : NULL;
  if (s->unpacker == NULL) {
    fail (s, error,
          is_there ? "no memory to inflate it"
                   : "is compressed in a way that this build of proflog cannot read");
    return LIVE_FAILED;
  }
  if (s->unpacked == NULL)
    s->unpacked = g_malloc (CHUNK);
  return LIVE_BYTES;
}

/* Unpacks the bytes at hand; LIVE_QUIET if that gave nothing. */
static enum live_news
unpack (struct live_source *s, const uint8_t **bytes, size_t *length, GError **error)
{
  const char *why;
  struct unpack_space space = { .in = s->raw + s->raw_at,
                                .in_left = s->raw_end - s->raw_at,
                                .out = s->unpacked,
                                .out_left = CHUNK };
  const enum unpack_result result = unpacker_run (s->unpacker, &space, &why);
  s->raw_at = s->raw_end - space.in_left;
  *bytes = s->unpacked;
  *length = CHUNK - space.out_left;
  s->has_more = space.out_left == 0;
  if (result != UNPACK_GOES_ON && result != UNPACK_ENDED) {
    fail (s, error, result != UNPACK_NO_MEMORY ? why : "no memory to inflate it");
    return LIVE_FAILED;
  }
  if (result == UNPACK_ENDED)
    unpacker_restart (s->unpacker);
  return *length != 0 ? LIVE_BYTES : LIVE_QUIET;
}

/* Gives the bytes that were read; LIVE_QUIET if there are none. */
static enum live_news
hand_out (struct live_source *s, const uint8_t **bytes, size_t *length, GError **error)
{
  const size_t there = s->raw_end - s->raw_at;
  if (!s->is_known && there < UNPACK_ID_SIZE)
    return LIVE_QUIET;
  if (!s->is_known && recognise (s, error) == LIVE_FAILED)
    return LIVE_FAILED;
  if (s->packed != UNPACK_NONE)
    return there != 0 || s->has_more ? unpack (s, bytes, length, error) : LIVE_QUIET;
  *bytes = s->raw + s->raw_at;
  *length = there;
  s->raw_at = s->raw_end;
  return there != 0 ? LIVE_BYTES : LIVE_QUIET;
}

enum live_news
live_source_read (struct live_source *s, const uint8_t **bytes, size_t *length, GError **error)
{
  if (s->ended)
    return LIVE_END;
  if (s->fd < 0)
    find_peer (s);
  if (s->begins) {
    s->begins = false;
    return LIVE_BEGIN;
  }
  if (s->ended)
    return LIVE_END;
  if (s->fd < 0)
    return LIVE_QUIET;
  enum live_news news = hand_out (s, bytes, length, error);
  if (news != LIVE_QUIET)
    return news;
  news = read_more (s, error);
  if (news == LIVE_END && !s->is_known && s->raw_at != s->raw_end) {
    s->is_known = true; /* it is too short to be compressed; the next call is the end */
    s->packed = UNPACK_NONE;
    return hand_out (s, bytes, length, error);
  }
  return news == LIVE_BYTES ? hand_out (s, bytes, length, error) : news;
}
