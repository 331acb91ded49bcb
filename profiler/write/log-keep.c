/* log-keep.c -- a list of the log's files, under a lock. */
#include "config.h"

#include "profiler/write/log-keep.h"
#include "agent/clock.h"
#include "agent/own-files.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
  char *name;
  dev_t device;
  ino_t inode;
  uint64_t from;
  struct sink_whole whole;
  uint64_t ended; /* by clock_now; UINT64_MAX: it is the current one */
};

static struct log_keeping keeping;
static struct sink *current; /* NULL: the log goes elsewhere, or there was no memory for the file */
static _Atomic bool has_file; /* there is one.  Stands alone: relaxed */
static uint64_t deleted;      /* bytes */
static struct {
  struct file *files;
  size_t count;
} left_ring; /* which the log has left */

/* Other threads read the list.  The oldest file comes first; the current one is the last. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct file *files;
  size_t count, room;
  bool has_open_shot;
} list;

void
log_keep_start (const struct log_keeping *k)
{
  keeping = *k;
}

/* ---- deleting, under the lock ---- */

/* Another file may have its name by now. */
static void
delete_file (const struct file *f)
{
  struct stat st;
  if (lstat (f->name, &st) == 0 && st.st_dev == f->device && st.st_ino == f->inode)
    unlink (f->name);
  deleted += f->whole.length;
}

static void
delete_oldest (size_t count)
{
  for (size_t i = 0; i < count; i++) {
    delete_file (&list.files[i]);
    free (list.files[i].name);
  }
  list.count -= count;
  memmove (list.files, list.files + count, list.count * sizeof *list.files);
}

static void
delete_old (void)
{
  size_t finished = 0, old = 0;
  while (finished < list.count && list.files[finished].ended != UINT64_MAX)
    finished++;
  if (keeping.files != 0 && finished > keeping.files)
    old = finished - keeping.files;
  const uint64_t now = clock_now ();
  while (keeping.ns != 0 && old < finished && now - list.files[old].ended > keeping.ns)
    old++;
  delete_oldest (old);
}

/* ---- the current file ---- */

static bool
make_room (void)
{
  if (list.count < list.room)
    return true;
  const size_t room = list.room != 0 ? 2 * list.room : 16;
  struct file *larger = realloc (list.files, room * sizeof *larger);
  if (larger == NULL)
    return false;
  list.files = larger;
  list.room = room;
  return true;
}

static bool
add_file (const struct sink *sink, uint64_t from)
{
  const struct stat *st = sink_identity (sink);
  struct file f = { .device = st->st_dev, .inode = st->st_ino, .from = from, .ended = UINT64_MAX };
  /* The program may change its directory. */
  if (!make_room () || (f.name = realpath (sink_file (sink), NULL)) == NULL)
    return false;
  sink_get_whole (sink, &f.whole);
  list.files[list.count++] = f;
  return true;
}

static void
set_current (struct sink *sink)
{
  current = sink;
  atomic_store_explicit (&has_file, sink != NULL, memory_order_relaxed);
}

void
log_keep_begin (struct sink *sink, uint64_t from)
{
  set_current (NULL);
  if (sink_file (sink) == NULL || from == 0)
    return;
  pthread_mutex_lock (&lock);
  if (add_file (sink, from))
    set_current (sink);
  pthread_mutex_unlock (&lock);
}

void
log_keep_note (bool shot_is_open)
{
  if (current == NULL)
    return;
  pthread_mutex_lock (&lock);
  list.has_open_shot = shot_is_open;
  if (!shot_is_open)
    sink_get_whole (current, &list.files[list.count - 1].whole);
  pthread_mutex_unlock (&lock);
}

void
log_keep_end (bool is_finished)
{
  if (current == NULL)
    return;
  pthread_mutex_lock (&lock);
  struct file *const f = &list.files[list.count - 1];
  f->ended = clock_now ();
  /* The end of a compression cannot be left out. */
  if (is_finished && sink_is_packed_file (current))
    f->whole = (struct sink_whole){ .length = sink_written (current) };
  delete_old ();
  pthread_mutex_unlock (&lock);
  set_current (NULL);
}

void
log_keep_leave (void)
{
  pthread_mutex_lock (&lock);
  if (keeping.is_ring && left_ring.files == NULL) {
    left_ring.files = list.files;
    left_ring.count = list.count;
    list.files = NULL;
    list.room = 0;
  } else {
    for (size_t i = 0; i < list.count; i++)
      free (list.files[i].name);
  }
  list.count = 0;
  list.has_open_shot = false;
  if (keeping.is_ring)
    keeping = (struct log_keeping){ .pack = keeping.pack };
  pthread_mutex_unlock (&lock);
  set_current (NULL);
}

bool
log_keep_is_ring (void)
{
  return keeping.is_ring;
}

/* ---- by time, and at the end ---- */

void
log_keep_run_timers (void)
{
  if (keeping.ns == 0)
    return;
  pthread_mutex_lock (&lock);
  delete_old ();
  pthread_mutex_unlock (&lock);
}

uint64_t
log_keep_next_deadline (void)
{
  enum { LONGEST_NS = 60 * 1000000000ll, SHORTEST_NS = 1000000 };
  if (keeping.ns == 0 || list.count == 0 || list.files[0].ended == UINT64_MAX)
    return LONGEST_NS;
  const uint64_t passed = clock_now () - list.files[0].ended;
  const uint64_t rest = passed < keeping.ns ? keeping.ns - passed : 0;
  return rest > LONGEST_NS ? LONGEST_NS : rest + SHORTEST_NS;
}

uint64_t
log_keep_deleted (void)
{
  return deleted;
}

void
log_keep_discard (void)
{
  pthread_mutex_lock (&lock);
  if (keeping.is_ring)
    delete_oldest (list.count);
  for (size_t i = 0; i < left_ring.count; i++)
    delete_file (&left_ring.files[i]);
  left_ring.count = 0;
  pthread_mutex_unlock (&lock);
}

/* ---- other threads ---- */

static void
close_files (struct kept_file *files, size_t count)
{
  for (size_t i = 0; i < count; i++)
    close (files[i].fd);
}

/* Whatever has the name must be the file. */
static int
open_file (const struct file *f)
{
  struct stat st;
  const int fd = above_standard (open (f->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (fd < 0 || (fstat (fd, &st) == 0 && st.st_dev == f->device && st.st_ino == f->inode))
    return fd;
  close (fd);
  errno = ENOENT;
  return -1;
}

/* Under the lock. */
static size_t
open_since (uint64_t since, struct kept_file *to, char *why, size_t size)
{
  size_t count = 0;
  for (size_t i = 0; i < list.count; i++) {
    const struct file *const f = &list.files[i];
    if (f->ended < since)
      continue;
    const int fd = open_file (f);
    if (fd < 0) {
      snprintf (why, size, "%s: %s", f->name, strerror (errno));
      close_files (to, count);
      return 0;
    }
    to[count++] = (struct kept_file){ .fd = fd, .from = f->from, .whole = f->whole };
  }
  return count;
}

size_t
log_keep_open (uint64_t since, struct kept_file **files, char *why, size_t size)
{
  size_t count = 0;
  pthread_mutex_lock (&lock);
  *files = calloc (list.count + 1, sizeof **files);
  if (*files == NULL)
    snprintf (why, size, "no memory for the list of files");
  else if (list.count == 0 || list.files[list.count - 1].ended != UINT64_MAX)
    snprintf (why, size, "the log goes to no file that it could be read from");
  else
    count = open_since (since, *files, why, size);
  pthread_mutex_unlock (&lock);
  return count;
}

enum pack
log_keep_pack (void)
{
  return keeping.pack;
}

bool
log_keep_has_open_shot (void)
{
  pthread_mutex_lock (&lock);
  const bool has_open_shot = list.has_open_shot;
  pthread_mutex_unlock (&lock);
  return has_open_shot;
}

bool
log_keep_has_file (void)
{
  return atomic_load_explicit (&has_file, memory_order_relaxed);
}

size_t
log_keep_count (void)
{
  pthread_mutex_lock (&lock);
  const size_t count = list.count;
  pthread_mutex_unlock (&lock);
  return count;
}

/* The parent's thread may have had the lock. */
void
log_keep_start_over (void)
{
  pthread_mutex_init (&lock, NULL);
  list.files = NULL;
  list.count = list.room = 0;
  list.has_open_shot = false;
  set_current (NULL);
  left_ring.files = NULL;
  left_ring.count = 0;
  deleted = 0;
}
