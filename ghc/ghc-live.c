/* ghc-live.c -- queues the runtime's blocks for each reader, and sends them. */
#include "config.h"

#include "ghc/ghc-live.h"
#include "eventlog/eventlog-parts.h"
#include "ghc/ghc-destination.h"
#include "ghc/live-queue.h"
#include "agent/clock.h"
#include "agent/command.h"
#include "agent/native-thread.h"
#include "agent/warn.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  READERS = 8,    /* at a time */
  RETRY_MS = 100, /* between attempts to reach a reader that is not there */
  STACK_BYTES = 256 * 1024,
};

struct live_reader {
  bool is_used;
  int fd; /* -1: no one has come yet, and all is retained for the first reader */
  bool is_socket, may_be_full;
  bool is_leaving; /* its log has ended: it goes when it has all that is queued */
  struct live_queue queue;
  uint64_t lost; /* events since something was queued */
  bool in_log;   /* after a header, and not yet after its end mark */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all of this, and of the stream */
static struct ghc_destination destination;
static const struct ghc_destination *next_destination; /* requested; NULL: none */
static char next_name[PATH_MAX];
static struct live_reader readers[READERS];
static size_t memory;
static uint64_t missed, dropped, sent;
static uint64_t passed; /* events */
/* The number of events that had passed when a reader went, or that it had got of them; for the next
 * reader. */
static uint64_t went[READERS];
static unsigned n_went;
static int wake = -1;
static pid_t process; /* whose log it is */
static bool is_closed;
static char name[PATH_MAX];

/* ---- queues; with the lock ---- */

static void
append (struct live_reader *r, struct live_piece *p)
{
  if (!live_queue_append (&r->queue, p))
    r->lost += p->events;
  else
    r->in_log |= p->events == 0;
}

/* Queues a piece for one reader, whether or not its queue has room. */
static void
put_to_one (void *data, const uint8_t *bytes, size_t length, uint64_t events)
{
  struct live_reader *const r = data;
  struct live_piece *p = live_piece_new (bytes, length, events);
  if (p == NULL) {
    r->lost += events;
    return;
  }
  append (r, p);
  live_piece_release (p);
}

/* To be called before a piece that finds room is queued. */
static void
report_lost (struct live_reader *r)
{
  const uint64_t lost = r->lost;
  r->lost = 0;
  if (lost != 0)
    ghc_stream_report_missed (lost, put_to_one, r);
}

/* NULL: there was no memory for the piece.  Headers and end marks, which have no events, find room
 * always. */
static void
offer (struct live_reader *r, struct live_piece *p, uint64_t events)
{
  if (p == NULL || (events != 0 && r->queue.bytes + p->length > memory)) {
    r->lost += events;
    dropped += events;
    return;
  }
  if (events != 0)
    report_lost (r);
  append (r, p);
}

static void
put (void *unused, const uint8_t *bytes, size_t length, uint64_t events)
{
  bool any = false;
  struct live_piece *p = live_piece_new (bytes, length, events);
  (void) unused;
  passed += events;
  for (int i = 0; i < READERS; i++)
    if (readers[i].is_used && !readers[i].is_leaving) {
      offer (&readers[i], p, events);
      any = true;
    }
  if (!any)
    missed += events;
  if (p != NULL)
    live_piece_release (p);
}

/* ---- readers; with the lock ---- */

static unsigned
count_readers (void)
{
  unsigned n = 0;
  for (int i = 0; i < READERS; i++)
    n += readers[i].is_used && readers[i].fd >= 0 && !readers[i].is_leaving;
  return n;
}

static void
introduce (struct live_reader *r)
{
  const uint64_t lost = r->lost;
  r->lost = 0;
  ghc_stream_introduce (lost, put_to_one, r);
}

static void
put_end_to (struct live_reader *r)
{
  static const uint8_t end[] = { GHC_DATA_END >> 8, GHC_DATA_END & 0xff };
  if (!r->in_log)
    return;
  report_lost (r);
  put_to_one (r, end, sizeof end, 0);
  r->in_log = false;
}

/* In the place of a reader that went: the number of events since then, of which the next one is
 * informed. */
static uint64_t
claim_place (void)
{
  if (n_went == 0)
    return 0;
  const uint64_t since = passed - went[0];
  memmove (went, went + 1, --n_went * sizeof *went);
  return since;
}

static void
accept_client (struct live_reader *r, int fd)
{
  struct stat st;
  const bool is_known = fstat (fd, &st) == 0, was_used = r->is_used;
  r->is_used = true;
  r->fd = fd;
  r->is_socket = is_known && S_ISSOCK (st.st_mode);
  r->may_be_full = is_known && (S_ISFIFO (st.st_mode) || S_ISCHR (st.st_mode));
  if (!was_used)
    r->lost = claim_place ();
  if (!was_used && ghc_stream_records ())
    introduce (r);
  missed = 0;
}

static void
disconnect (struct live_reader *r)
{
  uint64_t left = r->lost;
  const bool was_leaving = r->is_leaving;
  close (r->fd);
  const struct live_piece *p;
  while ((p = live_queue_first (&r->queue)) != NULL) {
    left += p->events;
    live_queue_remove_first (&r->queue);
  }
  *r = (struct live_reader){ .fd = -1 };
  if (was_leaving) {
    dropped += left; /* no other reader is informed */
    return;
  }
  if (n_went < READERS)
    went[n_went++] = passed - left;
  if (count_readers () == 0)
    missed = left;
}

/* The first reader gets the retained blocks. */
static void
welcome (int fd)
{
  struct live_reader *free_one = NULL;
  for (int i = READERS - 1; i >= 0; i--)
    if (!readers[i].is_used || readers[i].fd < 0)
      free_one = &readers[i];
  if (free_one != NULL && !is_closed)
    accept_client (free_one, fd);
  else
    close (fd);
}

/* ---- the thread ---- */

static void
wake_sender (void)
{
  const uint64_t one = 1;
  const ssize_t n = write (wake, &one, sizeof one);
  (void) n;
}

/* Sends the bytes that the reader accepts.  Only this thread removes pieces, so it can read the
 * first one without the lock. */
static void
send_pieces (struct live_reader *r)
{
  pthread_mutex_lock (&lock);
  const struct live_piece *p;
  while ((p = live_queue_first (&r->queue)) != NULL) {
    const size_t at = r->queue.at;
    pthread_mutex_unlock (&lock);
    const ssize_t n = eventlog_descriptor_write (r->fd, r->is_socket, r->may_be_full, p->bytes + at,
                                                 p->length - at);
    pthread_mutex_lock (&lock);
    if (n < 0) {
      disconnect (r);
      break;
    }
    sent += (uint64_t) n;
    r->queue.at += (size_t) n;
    if (r->queue.at < p->length)
      break;
    live_queue_remove_first (&r->queue);
  }
  if (p == NULL && r->is_leaving)
    disconnect (r);
  pthread_mutex_unlock (&lock);
}

/* Disconnects a reader that has gone; the bytes of one that sends some are ignored. */
static void
receive (struct live_reader *r)
{
  char text[256];
  const ssize_t n = recv (r->fd, text, sizeof text, MSG_DONTWAIT);
  if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
    return;
  pthread_mutex_lock (&lock);
  disconnect (r);
  pthread_mutex_unlock (&lock);
}

/* Whether to try to reach a reader: one that does not connect by itself. */
static bool
is_reader_missing (void)
{
  return (destination.kind == GHC_DESTINATION_CONNECT || destination.kind == GHC_DESTINATION_FIFO)
         && count_readers () == 0;
}

/* False if there is none, or no descriptor for it. */
static bool
find_reader (void)
{
  const int fd = ghc_destination_find_reader (&destination);
  if (fd < 0)
    return false;
  pthread_mutex_lock (&lock);
  welcome (fd);
  pthread_mutex_unlock (&lock);
  return true;
}

static void
serve_reader (struct live_reader *r, short events)
{
  if ((events & (POLLIN | POLLHUP | POLLERR)) != 0 && r->is_socket)
    receive (r);
  else if ((events & POLLERR) != 0 && r->may_be_full) {
    pthread_mutex_lock (&lock);
    disconnect (r);
    pthread_mutex_unlock (&lock);
  }
  if (r->fd >= 0 && (events & POLLOUT) != 0)
    send_pieces (r);
}

/* ---- another destination; with the lock ---- */

static void
leave_reader (struct live_reader *r)
{
  r->is_leaving = true;
  if (live_queue_first (&r->queue) == NULL)
    disconnect (r);
}

static struct live_reader *
find_place (bool is_used)
{
  for (int i = 0; i < READERS; i++)
    if (readers[i].is_used == is_used && readers[i].fd < 0)
      return &readers[i];
  return NULL;
}

/* Readers get the end of the log.  Blocks that are retained for a reader that has not come stay. */
static void
leave_readers (void)
{
  for (int i = 0; i < READERS; i++)
    if (readers[i].is_used && readers[i].fd >= 0 && !readers[i].is_leaving) {
      put_end_to (&readers[i]);
      leave_reader (&readers[i]);
    }
  n_went = 0;
}

/* False: readers that leave have all places. */
static bool
change_if_requested (void)
{
  if (next_destination == NULL)
    return true;
  struct live_reader *r = find_place (true);
  const bool is_retained = r != NULL;
  if (r == NULL && (r = find_place (false)) == NULL)
    return false;
  leave_readers ();
  ghc_destination_close (&destination);
  if (destination.command != 0)
    command_leave (destination.command, destination.path);
  destination = *next_destination;
  strcpy (name, next_name);
  next_destination = NULL;
  if (destination.fd >= 0) {
    accept_client (r, destination.fd);
  } else if (!is_retained) {
    r->is_used = true;
    if (ghc_stream_records ())
      introduce (r);
  }
  return true;
}

/* ---- the thread's loop ---- */

/* After a reader could not be accepted, the listener, which stays readable, is left out of one
 * poll: the thread would have no pause otherwise. */
static void *
run (void *unused)
{
  struct pollfd polled[READERS + 2];
  bool is_accepting = true;
  (void) unused;
  for (;;) {
    pthread_mutex_lock (&lock);
    bool waits = !change_if_requested ();
    waits |= commands_reap ();
    for (int i = 0; i < READERS; i++) {
      const struct live_reader *r = &readers[i];
      polled[i]
          = (struct pollfd){ .fd = r->is_used ? r->fd : -1,
                             .events
                             = (short) ((r->is_socket ? POLLIN : 0)
                                        | (live_queue_first (&r->queue) != NULL ? POLLOUT : 0)) };
    }
    const bool searches = is_reader_missing ();
    const int timeout = searches || waits || !is_accepting ? RETRY_MS : -1;
    const int listener = is_closed || !is_accepting ? -1 : destination.listener;
    polled[READERS] = (struct pollfd){ .fd = wake, .events = POLLIN };
    polled[READERS + 1] = (struct pollfd){ .fd = listener, .events = POLLIN };
    pthread_mutex_unlock (&lock);
    if (poll (polled, READERS + 2, timeout) < 0 && errno != EINTR)
      return NULL;
    uint64_t count;
    if ((polled[READERS].revents & POLLIN) != 0 && read (wake, &count, sizeof count) < 0
        && errno != EAGAIN)
      return NULL;
    for (int i = 0; i < READERS; i++)
      if (polled[i].fd >= 0 && polled[i].revents != 0)
        serve_reader (&readers[i], polled[i].revents);
    const bool has_client = (polled[READERS + 1].revents & POLLIN) != 0;
    is_accepting = !(searches || has_client) || find_reader () || !has_client;
  }
}

/* ---- for the runtime and the control ---- */

static void
leave (void)
{
  pthread_mutex_unlock (&lock);
  wake_sender ();
}

bool
ghc_live_open (const char *output, size_t bytes, char *why, size_t size)
{
  pthread_t thread;
  for (int i = 0; i < READERS; i++)
    readers[i].fd = -1;
  memory = bytes;
  snprintf (name, sizeof name, "%s", output);
  if (!ghc_stream_start ()) {
    snprintf (why, size, "no memory");
    return false;
  }
  if (!ghc_destination_open (&destination, output, why, size))
    return false;
  readers[0].is_used = true;
  if (destination.fd >= 0)
    accept_client (&readers[0], destination.fd);
  wake = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  const int error = wake < 0 ? errno : native_thread_start (&thread, STACK_BYTES, run);
  if (error != 0) {
    snprintf (why, size, "%s", strerror (error));
    ghc_destination_close (&destination);
    return false;
  }
  pthread_detach (thread); /* it ends with the process */
  process = getpid ();
  return true;
}

bool
ghc_live_change (const char *output, unsigned limit_ms, char *why, size_t size)
{
  struct ghc_destination next;
  if (!ghc_destination_open_other (&next, output, why, size))
    return false;
  snprintf (why, size, "readers of the log up to now accepted no data for %u ms", limit_ms);
  pthread_mutex_lock (&lock);
  snprintf (next_name, sizeof next_name, "%s", output);
  next_destination = &next;
  leave ();
  bool is_done = false;
  for (unsigned i = 0; i < limit_ms && !is_done; i++) {
    native_thread_sleep (1);
    pthread_mutex_lock (&lock);
    is_done = next_destination == NULL;
    pthread_mutex_unlock (&lock);
  }
  pthread_mutex_lock (&lock);
  is_done = next_destination == NULL;
  next_destination = NULL;
  if (!is_done && next.command != 0)
    command_leave (next.command, next.path);
  pthread_mutex_unlock (&lock);
  if (is_done)
    return true;
  ghc_destination_close (&next);
  if (next.fd >= 0)
    close (next.fd);
  return false;
}

void
ghc_live_write (const uint8_t *bytes, size_t length)
{
  /* In the child of a fork nothing is written; the other functions are not called there. */
  if (process != getpid ())
    return;
  pthread_mutex_lock (&lock);
  ghc_stream_write (bytes, length, put, NULL);
  leave ();
}

static void
introduce_to_all (void)
{
  for (int i = 0; i < READERS; i++)
    if (readers[i].is_used && !readers[i].is_leaving)
      introduce (&readers[i]);
}

static void
put_end (void)
{
  for (int i = 0; i < READERS; i++)
    if (readers[i].is_used)
      put_end_to (&readers[i]);
}

bool
ghc_live_record (bool on)
{
  pthread_mutex_lock (&lock);
  const bool changes = ghc_stream_records () != on;
  if (changes) {
    ghc_stream_record (on);
    if (on)
      introduce_to_all ();
    else
      put_end ();
  }
  leave ();
  return changes;
}

void
ghc_live_set_classes (unsigned classes)
{
  bool more = false;
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < EVENTLOG_CLASSES; i++) {
    const bool on = (classes & 1u << i) != 0;
    more |= on && !ghc_stream_is_enabled ((enum eventlog_class) i);
    ghc_stream_enable ((enum eventlog_class) i, on);
  }
  if (more && ghc_stream_records ()) {
    put_end ();
    introduce_to_all ();
  }
  leave ();
}

unsigned
ghc_live_classes (void)
{
  unsigned classes = 0;
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < EVENTLOG_CLASSES; i++)
    classes |= ghc_stream_is_enabled ((enum eventlog_class) i) ? 1u << i : 0;
  leave ();
  return classes;
}

void
ghc_live_sync (void)
{
  pthread_mutex_lock (&lock);
  if (ghc_stream_records ()) {
    put_end ();
    introduce_to_all ();
  }
  leave ();
}

void
ghc_live_get_figures (struct ghc_live_figures *f)
{
  *f = (struct ghc_live_figures){ .memory = memory };
  pthread_mutex_lock (&lock);
  snprintf (f->output, sizeof f->output, "%s", name);
  f->recording = ghc_stream_records ();
  f->readers = count_readers ();
  f->bytes = sent;
  f->dropped = dropped;
  f->missed = missed;
  for (int i = 0; i < READERS; i++)
    if (readers[i].queue.bytes > f->waiting)
      f->waiting = readers[i].queue.bytes;
  ghc_stream_get_figures (&f->stream);
  leave ();
}

/* Bytes that were sent, and whether some wait for a reader that is there. */
static uint64_t
check_readers (bool *waits)
{
  pthread_mutex_lock (&lock);
  *waits = false;
  for (int i = 0; i < READERS; i++)
    *waits
        |= readers[i].is_used && readers[i].fd >= 0 && live_queue_first (&readers[i].queue) != NULL;
  const uint64_t now = sent;
  pthread_mutex_unlock (&lock);
  return now;
}

static void
wait_for_command (pid_t command)
{
  char outcome[PATH_MAX];
  command_wait (command, destination.path, outcome, sizeof outcome);
  if (outcome[0] != 0)
    proflog_warn ("%s", outcome);
}

void
ghc_live_finish (unsigned patience_ms)
{
  enum { STEP_MS = 2 };
  bool waits;
  pthread_mutex_lock (&lock);
  if (ghc_stream_records ())
    put_end ();
  ghc_stream_record (false);
  const pid_t command = destination.command;
  for (int i = 0; i < READERS && command != 0; i++)
    if (readers[i].is_used && readers[i].fd == destination.fd)
      leave_reader (&readers[i]);
  leave ();
  uint64_t before = check_readers (&waits), since = clock_of_system ();
  while (waits && clock_of_system () - since < patience_ms * UINT64_C (1000000)) {
    native_thread_sleep (STEP_MS);
    const uint64_t now = check_readers (&waits);
    if (now != before)
      since = clock_of_system ();
    before = now;
  }
  if (command != 0 && !waits)
    wait_for_command (command);
}

void
ghc_live_close (void)
{
  pthread_mutex_lock (&lock);
  is_closed = true;
  ghc_destination_close (&destination);
  leave ();
}
