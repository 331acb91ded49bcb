/* eventlog-output.c -- sends blocks to the output, and applies its policy. */
#include "config.h"

#include "eventlog/eventlog-output.h"
#include "eventlog/eventlog-parts.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAP_MS = 20 }; /* the longest time between two offers to a busy output */

_Thread_local bool eventlog_is_in_callback;

struct eventlog_piece {
  struct eventlog_piece *next;
  size_t length;
  uint64_t events; /* of a block */
  bool is_block;
  uint8_t bytes[];
};

static const uint8_t end_mark[] = { GHC_DATA_END >> 8, GHC_DATA_END & 0xff };

static void
add (_Atomic uint64_t *figure, uint64_t n)
{
  /* Relaxed: figures are read one by one (eventlog_writer_get_figures). */
  atomic_fetch_add_explicit (figure, n, memory_order_relaxed);
}

/* ---- offers ---- */

enum taken { TAKEN, BUSY, FAILED };

static enum taken
fail (struct eventlog_output *o, int error)
{
  atomic_store (&o->error, error); /* for enter, and for figures without the lock */
  return FAILED;
}

static enum taken
write_rest (struct eventlog_output *o)
{
  if (o->rest == NULL)
    return TAKEN;
  const ssize_t n = eventlog_descriptor_write (o->fd, o->is_socket, o->may_be_full,
                                               o->rest + o->rest_at, o->rest_length - o->rest_at);
  if (n < 0)
    return fail (o, errno);
  o->rest_at += (size_t) n;
  if (o->rest_at < o->rest_length)
    return BUSY;
  free (o->rest);
  o->rest = NULL;
  return TAKEN;
}

/* If the descriptor accepts a part of the piece, the piece counts as taken, and the rest is
 * retained. */
static enum taken
write_piece (struct eventlog_output *o, const uint8_t *bytes, size_t length)
{
  const enum taken before = write_rest (o);
  if (before != TAKEN)
    return before;
  const ssize_t n = eventlog_descriptor_write (o->fd, o->is_socket, o->may_be_full, bytes, length);
  if (n < 0)
    return fail (o, errno);
  if ((size_t) n == length)
    return TAKEN;
  if (n == 0)
    return BUSY;
  o->rest = malloc (length - (size_t) n);
  if (o->rest == NULL)
    return fail (o, ENOMEM);
  o->rest_at = 0;
  o->rest_length = length - (size_t) n;
  memcpy (o->rest, bytes + n, o->rest_length);
  return TAKEN;
}

static enum taken
offer_bytes (struct eventlog_output *o, const uint8_t *bytes, size_t length)
{
  enum taken taken;
  if (o->take != NULL) {
    eventlog_is_in_callback = true;
    taken = o->take (o->data, bytes, length) ? TAKEN : BUSY;
    eventlog_is_in_callback = false;
  } else if (o->fd < 0) {
    taken = fail (o, EBADF);
  } else {
    taken = write_piece (o, bytes, length);
  }
  if (taken == TAKEN)
    add (&o->bytes, length);
  return taken;
}

static enum taken
offer (struct eventlog_output *o, const uint8_t *bytes, size_t length, bool is_block)
{
  const enum taken taken = offer_bytes (o, bytes, length);
  if (taken == TAKEN && is_block)
    add (&o->blocks, 1);
  return taken;
}

static void
drop (struct eventlog_output *o, size_t length, uint64_t events)
{
  add (&o->dropped_blocks, 1);
  add (&o->dropped_events, events);
  add (&o->dropped_bytes, length);
}

/* ---- the spool ---- */

static void
remove_first (struct eventlog_output *o)
{
  struct eventlog_piece *p = o->first;
  /* Relaxed: changed with the lock alone; figures load it without. */
  atomic_fetch_sub_explicit (&o->spooled, p->length, memory_order_relaxed);
  o->first = p->next;
  if (o->first == NULL)
    o->last = NULL;
  free (p);
}

/* Retains a piece that was not taken, if the policy is EVENTLOG_SPOOL, within its limit.  False
 * otherwise, or without memory. */
static bool
spool (struct eventlog_output *o, const uint8_t *bytes, size_t length, bool is_block,
       uint64_t events)
{
  const uint64_t limit = atomic_load (&o->limit), spooled = atomic_load (&o->spooled);
  if (atomic_load (&o->policy) != EVENTLOG_SPOOL || spooled > limit || length > limit - spooled)
    return false;
  struct eventlog_piece *p = malloc (sizeof *p + length);
  if (p == NULL)
    return false;
  *p = (struct eventlog_piece){ .length = length, .events = events, .is_block = is_block };
  memcpy (p->bytes, bytes, length);
  if (o->last != NULL)
    o->last->next = p;
  else
    o->first = p;
  o->last = p;
  add (&o->spooled, length);
  return true;
}

/* Offers the data that come before a new piece: the rest of one, the spool, an end mark.  They are
 * taken if no part of them waits. */
static enum taken
offer_waiting (struct eventlog_output *o)
{
  enum taken taken = write_rest (o);
  while (taken == TAKEN && o->first != NULL) {
    taken = offer (o, o->first->bytes, o->first->length, o->first->is_block);
    if (taken == TAKEN)
      remove_first (o);
  }
  if (taken == TAKEN && o->owes_end) {
    taken = offer (o, end_mark, sizeof end_mark, false);
    o->owes_end = taken != TAKEN;
  }
  return taken == TAKEN ? write_rest (o) : taken;
}

static void
drop_waiting (struct eventlog_output *o)
{
  free (o->rest);
  o->rest = NULL;
  o->owes_end = false;
  while (o->first != NULL) {
    if (o->first->is_block)
      drop (o, o->first->length, o->first->events);
    remove_first (o);
  }
}

/* ---- waiting ---- */

static uint64_t
now_ms (void)
{
  return eventlog_system_clock () / 1000000;
}

static void
nap (const struct eventlog_output *o, unsigned nth)
{
  struct pollfd polled = { .fd = o->take == NULL ? o->fd : -1, .events = POLLOUT };
  poll (&polled, 1, nth < NAP_MS ? (int) nth + 1 : NAP_MS);
}

/* Offers waiting data, and then the piece (if it has bytes), until it is taken or the wait of the
 * policy is over. */
static enum taken
offer_patiently (struct eventlog_output *o, const uint8_t *bytes, size_t length, bool is_block)
{
  const uint64_t began = now_ms ();
  for (unsigned nth = 0;; nth++) {
    enum taken taken = offer_waiting (o);
    if (taken == TAKEN && length != 0)
      taken = offer (o, bytes, length, is_block);
    /* Loaded each time: eventlog_writer_set_policy stores it without our lock, to end a wait. */
    const uint64_t limit = atomic_load (&o->limit);
    if (taken != BUSY || atomic_load (&o->policy) != EVENTLOG_WAIT
        || (limit != 0 && now_ms () - began >= limit))
      return taken;
    nap (o, nth);
  }
}

/* Locks if something can be written. */
static bool
enter (struct eventlog_output *o)
{
  pthread_mutex_lock (&o->lock);
  if (atomic_load (&o->error) == 0 && o->process == getpid ())
    return true;
  pthread_mutex_unlock (&o->lock);
  return false;
}

static enum eventlog_result
leave (struct eventlog_output *o, enum taken taken)
{
  pthread_mutex_unlock (&o->lock);
  return taken == TAKEN ? EVENTLOG_OK : taken == BUSY ? EVENTLOG_ERROR_BUSY : EVENTLOG_ERROR_OUTPUT;
}

enum eventlog_result
eventlog_output_header (struct eventlog_output *o, const uint8_t *bytes, size_t length)
{
  if (!enter (o))
    return EVENTLOG_ERROR_OUTPUT;
  enum taken taken = offer_patiently (o, bytes, length, false);
  if (taken == BUSY && !o->owes_end && spool (o, bytes, length, false, 0))
    taken = TAKEN;
  return leave (o, taken);
}

enum eventlog_result
eventlog_output_block (struct eventlog_output *o, const uint8_t *bytes, size_t length,
                       uint64_t events)
{
  if (!enter (o)) {
    drop (o, length, events);
    return EVENTLOG_ERROR_OUTPUT;
  }
  enum taken taken = offer_patiently (o, bytes, length, true);
  if (taken == BUSY && spool (o, bytes, length, true, events))
    taken = TAKEN;
  if (taken != TAKEN)
    drop (o, length, events);
  return leave (o, taken);
}

enum eventlog_result
eventlog_output_end (struct eventlog_output *o)
{
  if (!enter (o))
    return EVENTLOG_ERROR_OUTPUT;
  enum taken taken = offer_patiently (o, end_mark, sizeof end_mark, false);
  if (taken == BUSY && !spool (o, end_mark, sizeof end_mark, false, 0))
    o->owes_end = true;
  return leave (o, taken);
}

enum eventlog_result
eventlog_output_flush (struct eventlog_output *o)
{
  if (!enter (o))
    return EVENTLOG_ERROR_OUTPUT;
  return leave (o, offer_patiently (o, NULL, 0, false));
}

/* ---- destinations ---- */

void
eventlog_output_init (struct eventlog_output *o)
{
  *o = (struct eventlog_output){ .fd = -1, .process = getpid (), .policy = EVENTLOG_WAIT };
  pthread_mutex_init (&o->lock, NULL);
}

/* Closes the destination; nothing more is written to it. */
static void
forget_destination (struct eventlog_output *o)
{
  drop_waiting (o);
  if (o->owns_fd)
    close (o->fd);
  free (o->path);
  o->path = NULL;
  o->take = NULL;
  o->fd = -1;
  o->owns_fd = false;
  atomic_store (&o->error, 0);
}

void
eventlog_output_clear (struct eventlog_output *o)
{
  if (enter (o)) {
    offer_waiting (o);
    pthread_mutex_unlock (&o->lock);
  }
  forget_destination (o);
  pthread_mutex_destroy (&o->lock);
}

bool
eventlog_output_set_file (struct eventlog_output *o, const char *path)
{
  char *copy = strdup (path);
  if (copy == NULL)
    return false;
  pthread_mutex_lock (&o->lock);
  forget_destination (o);
  o->path = copy;
  pthread_mutex_unlock (&o->lock);
  return true;
}

void
eventlog_output_set_callback (struct eventlog_output *o, eventlog_take take, void *data)
{
  pthread_mutex_lock (&o->lock);
  forget_destination (o);
  o->take = take;
  o->data = data;
  pthread_mutex_unlock (&o->lock);
}

/* Finds out the type of the descriptor's file; with the lock. */
static void
check_type (struct eventlog_output *o)
{
  struct stat st;
  const bool known = fstat (o->fd, &st) == 0;
  o->is_socket = known && S_ISSOCK (st.st_mode);
  o->may_be_full = known && (S_ISFIFO (st.st_mode) || S_ISCHR (st.st_mode));
}

void
eventlog_output_set_descriptor (struct eventlog_output *o, int fd)
{
  pthread_mutex_lock (&o->lock);
  forget_destination (o);
  o->fd = fd;
  check_type (o);
  pthread_mutex_unlock (&o->lock);
}

/* Without O_NONBLOCK, open would wait for the reader of a FIFO.  Writes need no such flag: they
 * poll first (eventlog-descriptor.c). */
static int
open_file (const char *path)
{
  const int fd = open (
      path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  const int flags = fd >= 0 ? fcntl (fd, F_GETFL) : -1;
  if (flags >= 0)
    fcntl (fd, F_SETFL, flags & ~O_NONBLOCK);
  return fd;
}

enum eventlog_result
eventlog_output_open (struct eventlog_output *o)
{
  enum eventlog_result result = EVENTLOG_OK;
  pthread_mutex_lock (&o->lock);
  if (o->fd < 0 && o->path != NULL) {
    o->fd = open_file (o->path);
    o->owns_fd = o->fd >= 0;
    if (o->fd >= 0)
      check_type (o);
    else
      result = EVENTLOG_ERROR_OUTPUT;
    atomic_store (&o->error, o->fd >= 0 ? 0 : errno);
  }
  pthread_mutex_unlock (&o->lock);
  return result;
}
