/* spool-file.c -- makes the spool, hands its slots out. */
#include "config.h"

#include "profiler/record/spool-file.h"
#include "agent/own-files.h"
#include "agent/warn.h"
#include "profiler/os/out-of-room.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  SLOTS_MAX = 64 * 1024, /* buffers beyond them live in memory alone */
  TRIES = 100,           /* interrupted calls, names in a shared directory */
};

static size_t slot_size;
static int fd = -1;
static struct stat identity; /* of the file: the program may close unknown descriptors */
/* Its path is one of these; other threads may read it while it changes to the other. */
static char paths[2][PATH_MAX];
static char *path = paths[0];
static bool is_beside;                      /* its path is made of the name of the log */
static struct proflog_spool_header *header; /* NULL: there is no spool */
static struct proflog_spool_slot *slots[SLOTS_MAX];
static _Atomic uint64_t free_slots[SLOTS_MAX / 64]; /* a bit each */
static _Atomic uint32_t slots_made;
static _Atomic uint64_t sequence;

static struct proflog_spool_slot *
map (int file, size_t size, off_t offset)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE,
                  file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, file, offset);
  return p == MAP_FAILED ? NULL : p;
}

/* ---- slots ---- */

/* Has the file's blocks reserved, so that a full disk is an error here and no SIGBUS later.
 * Returns 0 or an errno number. */
static int
reserve (off_t offset, off_t length)
{
  struct rlimit limit;
  /* Growing beyond the limit would raise a signal. */
  if (getrlimit (RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
      && (rlim_t) (offset + length) > limit.rlim_cur)
    return EFBIG;
  if (!is_still_open (fd, &identity))
    return EBADF;
  int error = EINTR;
  for (int i = 0; i < TRIES && error == EINTR; i++)
    error = posix_fallocate (fd, offset, length);
  return error;
}

/* Records the length of the file, so that readers recognize a truncated one.
 *
 * Here and below, fields of the file's header and slots are stored with release for readers of the
 * file, which are other processes, mostly after this one was killed: a field that makes others
 * valid is stored after them.  Within this process only `published` and `path` are loaded by other
 * threads. */
static void
set_slots (uint64_t n)
{
  uint64_t before = __atomic_load_n (&header->slots, __ATOMIC_RELAXED);
  while (before < n
         && !__atomic_compare_exchange_n (&header->slots, &before, n, true, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED))
    ;
}

/* Maps `n` new slots at the end of the file, in one piece.  `slots_made` only reserves numbers, and
 * the spool's error is a number alone: relaxed.  Another thread gets at slots[] by a bit of
 * `free_slots`, which free_slot releases. */
static struct proflog_spool_slot *
grow (uint32_t n)
{
  uint32_t first = atomic_load_explicit (&slots_made, memory_order_relaxed);
  do {
    if (__atomic_load_n (&header->spool_error, __ATOMIC_RELAXED) != 0 || n > SLOTS_MAX - first)
      return NULL;
  } while (!atomic_compare_exchange_weak_explicit (&slots_made, &first, first + n,
                                                   memory_order_relaxed, memory_order_relaxed));
  const off_t offset = (off_t) first * (off_t) slot_size;
  const size_t size = n * slot_size;
  int error = reserve (offset, (off_t) size);
  struct proflog_spool_slot *slot = NULL;
  if (error == 0 && (slot = map (fd, size, offset)) == NULL)
    error = errno;
  if (slot == NULL) {
    __atomic_store_n (&header->spool_error, (uint32_t) error, __ATOMIC_RELEASE);
    return NULL;
  }
  for (uint32_t i = 0; i < n; i++)
    slots[first + i] = (struct proflog_spool_slot *) ((char *) slot + i * slot_size);
  slot->number = first;
  slot->slots = n;
  set_slots (first + n);
  return slot;
}

/* Clearing a bit acquires the data that free_slot released: the pointer in slots[], and the slot's
 * memory, which its last user no longer touches.  The first load is only a hint. */
static struct proflog_spool_slot *
claim_free_slot (void)
{
  const uint32_t made = atomic_load_explicit (&slots_made, memory_order_relaxed);
  for (uint32_t word = 0; word * 64 < made; word++) {
    uint64_t bits = atomic_load_explicit (&free_slots[word], memory_order_relaxed);
    while (bits != 0) {
      const unsigned n = (unsigned) __builtin_ctzll (bits);
      const uint64_t bit = UINT64_C (1) << n;
      bits = atomic_fetch_and_explicit (&free_slots[word], ~bit, memory_order_acquire);
      if ((bits & bit) != 0)
        return slots[word * 64 + n];
    }
  }
  return NULL;
}

struct proflog_spool_slot *
spool_allocate (size_t size, size_t *mapped)
{
  const size_t n = (size + slot_size - 1) / slot_size;
  struct proflog_spool_slot *slot = NULL;
  *mapped = n * slot_size;
  if (header != NULL && n < SLOTS_MAX) {
    if (n == 1)
      slot = claim_free_slot ();
    if (slot == NULL)
      slot = grow ((uint32_t) n);
  }
  return slot != NULL ? slot : map (-1, *mapped, 0);
}

void
spool_use (struct proflog_spool_slot *slot, enum proflog_spool_state state)
{
  __atomic_store_n (&slot->state, (uint32_t) state, __ATOMIC_RELEASE);
}

void
spool_free (struct proflog_spool_slot *slot)
{
  __atomic_store_n (&slot->state, (uint32_t) PROFLOG_SPOOL_FREE, __ATOMIC_RELEASE);
}

static void
free_slot (uint32_t number)
{
  atomic_fetch_or_explicit (&free_slots[number / 64], UINT64_C (1) << number % 64,
                            memory_order_release);
}

void
spool_release (struct proflog_spool_slot *slot, size_t mapped)
{
  const uint32_t first = slot->number;
  if (first == 0) {
    munmap (slot, mapped);
    return;
  }
  /* A long one becomes several.  Those after the first get their own beginning while that still
   * stands for them all. */
  const uint32_t n = slot->slots;
  for (uint32_t i = 1; i < n; i++)
    *slots[first + i] = (struct proflog_spool_slot){ .number = first + i, .slots = 1 };
  spool_free (slot);
  __atomic_store_n (&slot->slots, 1, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < n; i++)
    free_slot (first + i);
}

size_t
spool_slot_size (void)
{
  return slot_size;
}

uint64_t
spool_file_size (void)
{
  return header != NULL ? atomic_load_explicit (&slots_made, memory_order_relaxed) * slot_size : 0;
}

/* Relaxed: the numbers of one thread rise, and those of several are compared only by readers of the
 * spool, which sort by them. */
uint64_t
spool_sequence (void)
{
  return atomic_fetch_add_explicit (&sequence, 1, memory_order_relaxed) + 1;
}

/* ---- for the writer ---- */

/* There are two parts: the one in use stays whole until the release switches to the other. */
void
spool_begin_writing (struct proflog_spool_slot *slot, uint64_t log_offset, uint64_t from,
                     uint64_t to)
{
  const uint64_t next = 1 - slot->part;
  slot->parts[next]
      = (struct proflog_spool_part){ .log_start = log_offset, .from = from, .to = to };
  __atomic_store_n (&slot->part, next, __ATOMIC_RELEASE);
}

void
spool_end_writing (struct proflog_spool_slot *slot, uint64_t to)
{
  spool_begin_writing (slot, 0, to, to);
}

void
spool_begin_names (uint64_t last, uint64_t start, uint64_t end)
{
  if (header == NULL)
    return;
  header->names_start = start;
  header->names_end = end;
  __atomic_store_n (&header->names_last, last, __ATOMIC_RELEASE);
}

void
spool_end_names (uint64_t last)
{
  if (header == NULL)
    return;
  __atomic_store_n (&header->names_written, last, __ATOMIC_RELEASE);
  __atomic_store_n (&header->names_last, 0, __ATOMIC_RELEASE);
}

void
spool_cancel_names (void)
{
  if (header != NULL)
    __atomic_store_n (&header->names_last, 0, __ATOMIC_RELEASE);
}

void
spool_set_log_length (uint64_t length, uint64_t time)
{
  if (header == NULL)
    return;
  header->log_time = time;
  __atomic_store_n (&header->log_length, length, __ATOMIC_RELEASE);
}

void
spool_set_seen_time (uint64_t time)
{
  if (header != NULL)
    __atomic_store_n (&header->seen_time, time, __ATOMIC_RELEASE);
}

void
spool_set_log_end (uint64_t length)
{
  if (header != NULL)
    __atomic_store_n (&header->log_end, length, __ATOMIC_RELEASE);
}

void
spool_set_log_header (const void *bytes, size_t length)
{
  if (header == NULL || length > sizeof header->log_header)
    return;
  memcpy (header->log_header, bytes, length);
  __atomic_store_n (&header->log_header_length, (uint32_t) length, __ATOMIC_RELEASE);
}

void
spool_set_writer (uint64_t thread)
{
  if (header != NULL)
    __atomic_store_n (&header->writer, thread, __ATOMIC_RELEASE);
}

/* Where the spool of a log lies that is a file.  False with errno. */
static bool
path_beside (const char *log, char *to, size_t size)
{
  char directory[PATH_MAX];
  char resolved[PATH_MAX];
  const char *slash = strrchr (log, '/');
  const char *base = slash != NULL ? slash + 1 : log;
  if (slash == NULL)
    strcpy (directory, ".");
  else
    snprintf (directory, sizeof directory, "%.*s", (int) (slash - log + 1), log);
  /* The program may change its directory. */
  if (realpath (directory, resolved) == NULL)
    return false;
  const int n = snprintf (to, size, "%s/%s" PROFLOG_SPOOL_SUFFIX,
                          strcmp (resolved, "/") == 0 ? "" : resolved, base);
  if (n >= 0 && (size_t) n < size)
    return true;
  errno = ENAMETOOLONG;
  return false;
}

/* Removes the spool of a killed process in this place, also of one that had hardly begun.  False
 * with errno if something else is there. */
static bool
remove_old_spool (const char *place)
{
  static const char nothing[PROFLOG_SPOOL_MAGIC_SIZE];
  char magic[PROFLOG_SPOOL_MAGIC_SIZE] = "";
  struct stat st;
  const int old = open (place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (old < 0)
    return errno == ENOENT;
  const bool ours = fstat (old, &st) == 0 && S_ISREG (st.st_mode) && st.st_uid == geteuid ()
                    && read (old, magic, sizeof magic) >= 0
                    && (memcmp (magic, PROFLOG_SPOOL_MAGIC, sizeof magic) == 0
                        || memcmp (magic, nothing, sizeof magic) == 0);
  close (old);
  if (ours)
    return unlink (place) == 0;
  errno = EEXIST;
  return false;
}

static bool
is_at (const char *place)
{
  struct stat st;
  if (lstat (place, &st) == 0 && st.st_dev == identity.st_dev && st.st_ino == identity.st_ino)
    return true;
  errno = ENOENT;
  return false;
}

/* Where the file is now: another program may have renamed it, or a directory that it is in.  False
 * with errno if that is not known. */
static bool
find_file (char *place)
{
  char link[32];
  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = is_still_open (fd, &identity) ? readlink (link, place, PATH_MAX - 1) : 0;
  place[n > 0 ? n : 0] = 0;
  if (is_at (place))
    return true;
  strcpy (place, path);
  return is_at (place);
}

/* Replaces the file that a killed program left there.  The new path is released to spool_path,
 * which any thread may call; the old one stays in its own array. */
static bool
move_to (const char *place)
{
  char now[PATH_MAX];
  if (!find_file (now))
    return false;
  if (strcmp (now, place) == 0)
    return true;
  if (!remove_old_spool (place) || rename (now, place) != 0)
    return false;
  char *other = path == paths[0] ? paths[1] : paths[0];
  strcpy (other, place);
  __atomic_store_n (&path, other, __ATOMIC_RELEASE);
  return true;
}

void
spool_add_lost (uint64_t events)
{
  if (header != NULL)
    __atomic_fetch_add (&header->lost_events, events, __ATOMIC_RELAXED);
}

void
spool_subtract_lost (uint64_t events)
{
  if (header != NULL)
    __atomic_fetch_sub (&header->lost_events, events, __ATOMIC_RELAXED);
}

/* The first slot has room after the header. */
void
spool_yield_room (int error)
{
  enum { HEADER_ROOM = 16384 }; /* whole pages */
  _Static_assert(sizeof *header <= HEADER_ROOM, "the header has room in its pages");
  if (header == NULL || !is_still_open (fd, &identity))
    return;
  __atomic_store_n (&header->spool_error, (uint32_t) error, __ATOMIC_RELEASE);
  fallocate (fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, HEADER_ROOM,
             (off_t) slot_size - HEADER_ROOM);
}

void
spool_set_log_error (int error)
{
  if (header != NULL)
    __atomic_store_n (&header->log_error, (uint32_t) error, __ATOMIC_RELEASE);
}

void
spool_set_complete (void)
{
  if (header != NULL)
    __atomic_store_n (&header->spool_error, 0, __ATOMIC_RELEASE);
}

const char *
spool_path (void)
{
  return header != NULL ? __atomic_load_n (&path, __ATOMIC_ACQUIRE) : NULL;
}

void
spool_remove (void)
{
  char place[PATH_MAX];
  if (header != NULL && find_file (place))
    unlink (place);
}

/* ---- start ---- */

static bool
make_file (void)
{
  fd = above_standard (open (path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  return fd >= 0;
}

/* The name of the process's spool in a directory, at the n-th try.  False with errno. */
static bool
path_in (const char *directory, int try, char *to, size_t size)
{
  char more[16] = "";
  if (try > 0)
    snprintf (more, sizeof more, "-%d", try);
  const int n = snprintf (to, size, "%s/proflog-%ld%s" PROFLOG_SPOOL_SUFFIX, directory,
                          (long) getpid (), more);
  if (n >= 0 && (size_t) n < size)
    return true;
  errno = ENAMETOOLONG;
  return false;
}

/* A name that is the process's own, in a directory of many. */
static bool
make_file_in (const char *directory)
{
  for (int i = 0; i < TRIES; i++) {
    if (!path_in (directory, i, path, PATH_MAX))
      return false;
    if (make_file ())
      return true;
    if (errno != EEXIST)
      return false;
  }
  return false;
}

static bool
make_file_beside (const char *log)
{
  is_beside = path_beside (log, path, PATH_MAX) && remove_old_spool (path) && make_file ();
  return is_beside;
}

static bool
make_file_of_user (void)
{
  char directory[PATH_MAX];
  for (unsigned n = 0; n < USER_DIRECTORIES; n++) {
    const bool is_there = user_directory (n, directory, sizeof directory);
    snprintf (path, PATH_MAX, "%s", directory);
    if (is_there && make_file_in (directory))
      return true;
  }
  return false;
}

/* The log is in no file: the spool goes where readers of such a log search, if that is on the same
 * file system, else it stays in its directory, with another name than that of the log before. */
static bool
move_away (void)
{
  char directory[PATH_MAX], place[PATH_MAX];
  for (unsigned n = 0; n < USER_DIRECTORIES; n++)
    if (user_directory (n, directory, sizeof directory)
        && path_in (directory, 0, place, sizeof place) && move_to (place))
      return true;
  snprintf (directory, sizeof directory, "%.*s", (int) (strrchr (path, '/') - path), path);
  if (!path_in (directory, 0, place, sizeof place) || !move_to (place))
    return false;
  proflog_warn ("if the program is killed, its last events are in %s", place);
  return true;
}

/* Where the spool of this log lies.  False with errno. */
static bool
follow_log (const char *file)
{
  char place[PATH_MAX];
  return file != NULL ? path_beside (file, place, sizeof place) && move_to (place) : move_away ();
}

void
spool_change_log (const char *file, uint64_t length)
{
  if (header == NULL)
    return;
  /* 0: to both logs nothing is missing, for as long as the name has not changed. */
  spool_set_log_length (0, header->log_time);
  if (is_beside && !follow_log (file))
    proflog_warn ("the spool stays in %s, which is not beside the log%s%s: %s", path,
                  file != NULL ? " " : "", file != NULL ? file : "", strerror (errno));
  spool_set_log_length (length, header->log_time);
}

/* Fills the first slot.  Returns 0 or an errno number. */
static int
begin_file (size_t data_offset)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  /* Nobody may open it to make it shorter: the program would be ended by SIGBUS. */
  if (fstat (fd, &identity) != 0 || fchmod (fd, 0400) != 0)
    return errno;
  int error = reserve (0, (off_t) slot_size);
  if (error != 0)
    return error;
  struct proflog_spool_header *h = (struct proflog_spool_header *) map (fd, slot_size, 0);
  if (h == NULL)
    return errno;
  /* Where files cannot be locked, readers believe that the process is dead. */
  fcntl (fd, F_SETLK, &lock);
  h->order = PROFLOG_SPOOL_ORDER;
  h->slot_size = (uint32_t) slot_size;
  h->data_offset = (uint32_t) data_offset;
  memcpy (h->magic, PROFLOG_SPOOL_MAGIC, sizeof h->magic);
  atomic_store (&slots_made, 1);
  header = h;
  return 0;
}

void
spool_start (const char *log, bool has_reader, const char *directory, size_t size,
             size_t data_offset)
{
  slot_size = size;
  const bool is_requested = directory[0] != 0;
  if (strcmp (directory, "none") == 0 || (log == NULL && !has_reader && !is_requested))
    return;
  const bool made = is_requested  ? make_file_in (directory)
                    : log != NULL ? make_file_beside (log)
                                  : make_file_of_user ();
  int error = made ? begin_file (data_offset) : errno;
  if (error == 0) {
    if (is_requested) /* readers of the log know of other places */
      proflog_warn ("if the program is killed, its last events are in %s", path);
    return;
  }
  if (!is_out_of_room (error))
    proflog_warn ("no spool: %s: %s; if the program is killed, its last events are lost", path,
                  strerror (error));
  if (made) {
    unlink (path);
    close (fd);
    fd = -1;
  }
}

void
spool_start_over (void)
{
  const uint32_t made = atomic_load (&slots_made);
  for (uint32_t i = 1; i < made; i++) {
    if (slots[i] != NULL)
      munmap (slots[i], slot_size);
    slots[i] = NULL;
  }
  memset (free_slots, 0, sizeof free_slots);
  if (header != NULL)
    munmap (header, slot_size);
  header = NULL;
  /* The program may have closed unknown descriptors. */
  if (fd >= 0 && is_still_open (fd, &identity))
    close (fd);
  fd = -1;
  path = paths[0];
  is_beside = false;
  slots_made = 0;
}
