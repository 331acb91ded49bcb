/* control.c -- accepts clients at a socket, reads their requests and sends replies. */
#include "config.h"

#include "agent/clock.h"
#include "agent/native-thread.h"
#include "agent/own-files.h"
#include "agent/requests.h"
#include "agent/warn.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
  CLIENTS = 16,              /* at a time; others wait to be accepted */
  BACKLOG = 64,              /* pending connections */
  CLIENT_LIMIT_MS = 3000,    /* for a request, and for sending a reply */
  END_MS = 1000,             /* how long the end of the program waits for a pending request */
  SPACING_MS = 1,            /* between requests: more of them would be work for the program */
  RETRY_MS = 100,            /* before the next attempt to accept a client */
  STACK_BYTES = 1024 * 1024, /* of which hardly anything is ever touched */
};

struct client {
  int fd; /* -1: none */
  struct stat identity;
  uint64_t until;
  size_t length;
  char request[PROFLOG_CONTROL_REQUEST_MAX];
};

static int listener = -1;
/* Of the listener.  The program may close descriptors that it did not open, and reuse their
 * numbers. */
static struct stat identity;
static char path[PATH_MAX];
static pthread_t thread;
static _Atomic bool over;
static const struct control_verbs *verbs;
static struct client clients[CLIENTS];

bool
control_is_over (void)
{
  return atomic_load (&over);
}

/* ---- clients ---- */

static uint64_t
now_ms (void)
{
  return clock_of_system () / 1000000;
}

static void
disconnect (struct client *c)
{
  if (is_still_open (c->fd, &c->identity))
    close (c->fd);
  c->fd = -1;
}

/* Ends at the time `until`, whether the client has everything or not. */
static void
send_all (int fd, const char *text, size_t length, uint64_t until)
{
  while (length > 0 && !control_is_over ()) {
    const ssize_t n = send (fd, text, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      text += n;
      length -= (size_t) n;
      continue;
    }
    const uint64_t now = now_ms ();
    struct pollfd p = { .fd = fd, .events = POLLOUT };
    if ((n < 0 && errno != EAGAIN && errno != EINTR) || now >= until)
      return;
    poll (&p, 1, (int) (until - now));
  }
}

static void
answer (struct client *c)
{
  static const char json[] = "json ";
  struct reply reply = { 0 };
  char *request = c->request;
  reply.json = strncmp (request, json, sizeof json - 1) == 0;
  if (reply.json)
    request += sizeof json - 1;
  uid_t user;
  if (!is_peer_allowed (c->fd, &user))
    reply_error (&reply, PROFLOG_CONTROL_REFUSED,
                 "process %ld belongs to another user (user id %ld)", (long) getpid (),
                 (long) geteuid ());
  else
    control_dispatch (verbs, request, &reply);
  reply_finish (&reply);
  if (reply.text != NULL)
    send_all (c->fd, reply.text, reply.length, now_ms () + CLIENT_LIMIT_MS);
  reply_clear (&reply);
  disconnect (c);
  native_thread_sleep (SPACING_MS);
}

static void
refuse_length (struct client *c)
{
  struct reply reply = { 0 };
  reply_error (&reply, PROFLOG_CONTROL_USAGE, "the request is longer than %d bytes",
               PROFLOG_CONTROL_REQUEST_MAX - 1);
  reply_finish (&reply);
  if (reply.text != NULL)
    send_all (c->fd, reply.text, reply.length, now_ms ());
  reply_clear (&reply);
  disconnect (c);
}

static void
receive (struct client *c)
{
  const ssize_t n
      = recv (c->fd, c->request + c->length, sizeof c->request - c->length, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (n < 0 || (n == 0 && c->length == 0)) {
    disconnect (c);
    return;
  }
  c->length += (size_t) n;
  char *end = memchr (c->request, '\n', c->length);
  if (end == NULL && n == 0 && c->length < sizeof c->request)
    end = c->request + c->length; /* the client sends nothing more */
  if (end != NULL) {
    *end = 0;
    answer (c);
  } else if (c->length == sizeof c->request) {
    refuse_length (c);
  }
}

static struct client *
free_client (void)
{
  for (size_t i = 0; i < CLIENTS; i++)
    if (clients[i].fd < 0)
      return &clients[i];
  return NULL;
}

/* Whether the listener's descriptor is still the same socket. */
static bool
is_ours (void)
{
  return is_still_open (listener, &identity);
}

/* A client that cannot be accepted (no descriptor is free) stays in the backlog, and the listener
 * readable: the wait keeps the thread from a busy loop. */
static void
accept_client (struct client *c)
{
  const int fd = above_standard (accept4 (listener, NULL, NULL, SOCK_CLOEXEC));
  if (fd < 0 || fstat (fd, &c->identity) != 0) {
    if (fd >= 0)
      close (fd);
    native_thread_sleep (RETRY_MS);
    return;
  }
  c->fd = fd;
  c->length = 0;
  c->until = now_ms () + CLIENT_LIMIT_MS;
}

/* Handles a client of which poll has reported these events. */
static void
serve_client (struct client *c, short events)
{
  if (!is_still_open (c->fd, &c->identity))
    c->fd = -1;
  else if (events != 0)
    receive (c);
  else if (now_ms () >= c->until)
    disconnect (c);
}

/* Waits for clients and serves them; false if no client can come. */
static bool
serve (void)
{
  struct pollfd polled[CLIENTS + 1];
  struct client *const next = free_client ();
  const uint64_t now = now_ms ();
  int wait = -1;
  for (size_t i = 0; i < CLIENTS; i++) {
    struct client *c = &clients[i];
    polled[i] = (struct pollfd){ .fd = c->fd, .events = POLLIN };
    if (c->fd < 0)
      continue;
    const int left = c->until > now ? (int) (c->until - now) : 0;
    if (wait < 0 || left < wait)
      wait = left;
  }
  polled[CLIENTS] = (struct pollfd){ .fd = next != NULL ? listener : -1, .events = POLLIN };
  if (poll (polled, CLIENTS + 1, wait) < 0 && errno != EINTR)
    return false;
  if (control_is_over () || !is_ours ())
    return false;
  for (size_t i = 0; i < CLIENTS; i++)
    if (clients[i].fd >= 0)
      serve_client (&clients[i], polled[i].revents);
  if ((polled[CLIENTS].revents & POLLIN) != 0)
    accept_client (next);
  return true;
}

static void *
run (void *unused)
{
  (void) unused;
  while (!control_is_over () && serve ())
    ;
  for (size_t i = 0; i < CLIENTS; i++)
    if (clients[i].fd >= 0)
      disconnect (&clients[i]);
  return NULL;
}

/* ---- start and end ---- */

/* Binds in a directory of the user's; removes the socket that a dead process of the same number has
 * left. */
static bool
bind_in (const char *directory)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const int n
      = snprintf (path, sizeof path, "%s/" PROFLOG_CONTROL_NAME, directory, (long) getpid ());
  if (n < 0 || (size_t) n >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy (address.sun_path, path);
  struct stat st;
  if (lstat (path, &st) == 0 && S_ISSOCK (st.st_mode) && st.st_uid == geteuid ())
    unlink (path);
  if (bind (listener, (struct sockaddr *) &address, sizeof address) != 0)
    return false;
  if (chmod (path, 0600) == 0 && listen (listener, BACKLOG) == 0)
    return true;
  unlink (path);
  return false;
}

static bool
bind_somewhere (void)
{
  char directory[PATH_MAX];
  for (unsigned n = 0; n < USER_DIRECTORIES; n++) {
    const bool is_there = user_directory (n, directory, sizeof directory);
    if (!is_there && directory[0] != 0)
      snprintf (path, sizeof path, "%s", directory);
    if (is_there && bind_in (directory))
      return true;
  }
  return false;
}

void
control_start (const struct control_verbs *v)
{
  verbs = v;
  control_dispatch_start ();
  atomic_store (&over, false); /* in the child of a fork */
  path[0] = 0;
  for (size_t i = 0; i < CLIENTS; i++)
    clients[i].fd = -1;
  listener = above_standard (socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  int error = listener < 0 ? errno : 0;
  bool bound = false;
  if (error == 0 && !(bound = bind_somewhere ()))
    error = errno;
  if (error == 0 && fstat (listener, &identity) != 0)
    error = errno;
  if (error == 0)
    error = native_thread_start (&thread, STACK_BYTES, run);
  if (error == 0)
    return;
  proflog_warn ("no control: %s: %s; 'proflog ctl' will not find the program",
                path[0] != 0 ? path : "a socket", strerror (error));
  if (bound)
    unlink (path);
  if (listener >= 0)
    close (listener);
  listener = -1;
}

/* The program has closed the listener; the thread, which waits for clients, still has it. */
static void
connect_to_listener (void)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return;
  memcpy (address.sun_path, path, strlen (path) + 1); /* bind_in has checked its length */
  (void) connect (fd, (struct sockaddr *) &address, sizeof address);
  close (fd);
}

void
control_finish (void)
{
  if (listener < 0 || atomic_exchange (&over, true))
    return;
  /* Wakes the thread. */
  if (is_ours ())
    shutdown (listener, SHUT_RDWR);
  else
    connect_to_listener ();
  unlink (path);
  if (!native_thread_join (thread, END_MS))
    pthread_detach (thread); /* it ends with the process */
}

void
control_after_fork (void)
{
  control_dispatch_after_fork ();
  if (listener >= 0 && is_ours ())
    close (listener);
  for (size_t i = 0; i < CLIENTS && listener >= 0; i++)
    if (clients[i].fd >= 0)
      disconnect (&clients[i]);
  listener = -1;
}
