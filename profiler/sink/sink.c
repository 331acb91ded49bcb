/* sink.c -- opens, compresses, writes. */
#include "config.h"

#include "agent/command.h"
#include "agent/own-files.h"
#include "profiler/sink/sink-private.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than the losses and the log's end need, also compressed. */
enum { END_ROOM = 512 };

/* Destinations that are not named files. */
static const struct destination {
  const char *prefix;
  bool (*open) (struct sink *s, const char *rest, char *why, size_t size);
  enum { NONE, SAME, OTHER, PATTERN } in_child;
} destinations[] = {
#define SINK(prefix, open, in_child) { prefix, open, in_child },
#include "profiler/sink/sinks.def"
};

/* NULL: it is a named file. */
static const struct destination *
destination_of (const char *output)
{
  for (size_t i = 0; i < sizeof destinations / sizeof *destinations; i++)
    if (strncmp (output, destinations[i].prefix, strlen (destinations[i].prefix)) == 0)
      return &destinations[i];
  return NULL;
}

static bool
is_file (const char *output)
{
  return destination_of (output) == NULL;
}

static bool
open_kind (struct sink *s, char *why, size_t size)
{
  const char *output = s->output;
  const struct destination *to = destination_of (output);
  if (to != NULL)
    return to->open (s, output + strlen (to->prefix), why, size);
  return sink_open_file (s, output, why, size);
}

/* The program may change its directory before the file is made.  False if that is too long. */
static bool
make_absolute (char *output)
{
  char directory[PATH_MAX], name[PATH_MAX];
  const bool adds_pid = output[0] == '+';
  if (output[adds_pid] == '/')
    return true;
  snprintf (name, sizeof name, "/%s", output + adds_pid);
  return getcwd (directory, sizeof directory) != NULL
         && sink_pattern_in (output + adds_pid, PATH_MAX - adds_pid, directory, name);
}

/* Remembers the files that were opened. */
static void
note_opened (struct sink *s)
{
  if (fstat (s->fd, &s->opened) != 0)
    s->opened = (struct stat){ 0 };
  if (fstat (s->listener, &s->listening) != 0)
    s->listening = (struct stat){ 0 };
}

static struct sink *
open_number (const char *output, enum pack pack, unsigned number, char *why, size_t size)
{
  struct sink *s = calloc (1, sizeof *s);
  if (s == NULL) {
    snprintf (why, size, "no memory");
    return NULL;
  }
  s->fd = s->listener = -1;
  s->number = number;
  s->pack = pack;
  snprintf (s->output, sizeof s->output, "%s", output);
  if (number == 1 && is_file (output) && !make_absolute (s->output))
    snprintf (why, size, "rotate: output '%s': the whole name is too long", output);
  else if (pack != PACK_NONE && (s->packer = packer_new (pack)) == NULL)
    snprintf (why, size, "zip: no memory");
  else if ((number == 0 || is_file (output)) && !open_kind (s, why, size))
    ; /* it was reported */
  else if (number == 0 || s->file[0] != 0) {
    note_opened (s);
    return s;
  } else
    snprintf (why, size, "rotate: output '%s' is not a file that other files could follow", output);
  note_opened (s);
  sink_free (s);
  return NULL;
}

struct sink *
sink_open (const char *output, enum pack pack, bool numbered, char *why, size_t size)
{
  struct sink *const s = open_number (output, pack, numbered, why, size);
  if (s != NULL)
    sink_protect_newer (UINT64_MAX);
  return s;
}

struct sink *
sink_open_other (const struct sink *s, const char *output, bool numbered, char *why, size_t size)
{
  char name[PATH_MAX];
  struct stat st;
  if (!is_file (output))
    return open_number (output, s->pack, 0, why, size);
  if (!sink_name_file (name, sizeof name, output, 0, why, size))
    return NULL;
  const unsigned number = numbered && (lstat (name, &st) != 0 || S_ISREG (st.st_mode));
  if (!sink_name_file (name, sizeof name, output, number, why, size))
    return NULL;
  if (lstat (name, &st) == 0 && S_ISREG (st.st_mode)) {
    snprintf (why, size, "output '%s': there is %s", output, name);
    return NULL;
  }
  return open_number (output, s->pack, number, why, size);
}

bool
sink_is_numbered (const struct sink *s)
{
  return s->number != 0;
}

struct sink *
sink_open_next (const struct sink *s, char *why, size_t size)
{
  return open_number (s->output, s->pack, s->number + 1, why, size);
}

bool
sink_name_for_child (char *child, const char *output, char *why, size_t size)
{
  const struct destination *to = destination_of (output);
  const bool has_pid = sink_has_pid (output);
  snprintf (child, PATH_MAX, "%s", output);
  if (to != NULL && (to->in_child == SAME || (to->in_child == PATTERN && has_pid)))
    return true;
  if (to != NULL && to->in_child != OTHER)
    snprintf (why, size, "follow-fork: output '%s': a child process cannot share it%s", output,
              to->in_child == PATTERN ? "; use %p in the command" : "");
  else if ((to == NULL && !make_absolute (child))
           || (output[0] != '+' && !has_pid && !sink_insert (child, PATH_MAX, ".%p")))
    snprintf (why, size, "follow-fork: output '%s': the whole name is too long", output);
  else
    return true;
  return false;
}

bool
sink_name_beside (char *pattern, const char *output, const char *text, char *why, size_t size)
{
  snprintf (pattern, PATH_MAX, "%s", output);
  if (!is_file (output))
    snprintf (why, size, "output '%s' is not a file", output);
  else if (!make_absolute (pattern) || !sink_insert (pattern, PATH_MAX, text))
    snprintf (why, size, "output '%s': the whole name is too long", output);
  else
    return true;
  return false;
}

static void
close_either (struct sink *s, int *fd, const struct stat *opened)
{
  if (*fd >= 0 && is_still_open (*fd, opened) && close (*fd) != 0 && errno != EINTR
      && s->error == 0)
    s->error = errno;
  *fd = -1;
}

/* Closes the descriptor, if it is still of its file. */
static void
close_output (struct sink *s)
{
  close_either (s, &s->fd, &s->opened);
}

/* Not if the file was open before (#N): it may have other contents before the log. */
static bool
can_be_truncated (const struct sink *s)
{
  return s->file[0] != 0 && s->output[0] != '#';
}

/* Below a limit of the size of files there is still room for the losses and the log's end. */
static bool
leaves_room_for_end (const struct sink *s, size_t length)
{
  struct rlimit limit;
  return !can_be_truncated (s) || s->is_truncated || getrlimit (RLIMIT_FSIZE, &limit) != 0
         || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur < END_ROOM
         || s->written + length <= limit.rlim_cur - END_ROOM;
}

/* After a failed write: whether it may be tried again.  The descriptor of an output that was open
 * before (#N) may not block. */
static bool
can_write_again (int fd)
{
  struct pollfd p = { .fd = fd, .events = POLLOUT };
  return errno == EINTR || (errno == EAGAIN && (poll (&p, 1, -1) > 0 || errno == EINTR));
}

/* Finds out whether another program has made the file shorter: then the next bytes go beyond its
 * end, and zeros come in between. */
static void
find_removed (struct sink *s)
{
  struct stat st;
  if (s->file[0] == 0 || s->fd < 0 || fstat (s->fd, &st) != 0)
    return;
  const off_t at = lseek (s->fd, 0, SEEK_CUR);
  if (at <= st.st_size)
    return;
  if (s->removed.to == 0 || (uint64_t) st.st_size < s->removed.from)
    s->removed.from = (uint64_t) st.st_size;
  s->removed.to = (uint64_t) at;
}

static int
accept_first (struct sink *s)
{
  const int error = sink_accept (s);
  note_opened (s);
  return error;
}

static int
write_all (void *sink, const void *from, size_t length)
{
  struct sink *s = sink;
  const unsigned char *bytes = from;
  if (s->error == 0 && !leaves_room_for_end (s, length))
    s->error = EFBIG;
  if (s->listener >= 0 && s->fd < 0 && s->error == 0)
    s->error = accept_first (s);
  if (s->error == 0 && !is_still_open (s->fd, &s->opened))
    s->error = EBADF;
  if (s->error == 0)
    find_removed (s);
  while (length > 0 && s->error == 0) {
    ssize_t n = write (s->fd, bytes, length);
    if (n < 0) {
      if (!can_write_again (s->fd))
        s->error = errno;
      continue;
    }
    bytes += n;
    length -= (size_t) n;
    s->written += (uint64_t) n;
  }
  return s->error;
}

static int
run_packer (struct sink *s, const void *bytes, size_t length, enum pack_then then)
{
  if (s->error == 0)
    s->error = packer_run (s->packer, bytes, length, then,
                           &(struct pack_to){ .put = write_all, .data = s });
  return s->error;
}

int
sink_write (struct sink *s, const void *bytes, size_t length)
{
  s->given += length;
  return s->packer != NULL ? run_packer (s, bytes, length, PACK_MORE)
                           : write_all (s, bytes, length);
}

int
sink_flush (struct sink *s)
{
  if (s->packer == NULL || run_packer (s, "", 0, PACK_FLUSH) != 0 || !can_be_truncated (s))
    return s->error;
  s->whole_given = s->given;
  s->whole_written = s->written;
  s->tail_length = packer_tail (s->packer, s->tail);
  return 0;
}

void
sink_get_whole (const struct sink *s, struct sink_whole *whole)
{
  *whole = (struct sink_whole){ .length = s->packer != NULL ? s->whole_written : s->written };
  if (s->packer != NULL) {
    whole->tail_length = s->tail_length;
    memcpy (whole->tail, s->tail, s->tail_length);
  }
}

bool
sink_divide (struct sink *s)
{
  struct packer *const next = s->packer != NULL ? packer_new (s->pack) : NULL;
  if (next == NULL)
    return s->packer == NULL;
  run_packer (s, "", 0, PACK_END);
  packer_free (s->packer);
  s->packer = next;
  s->whole_given = s->given;
  s->whole_written = s->written;
  s->tail_length = 0;
  return true;
}

const struct stat *
sink_identity (const struct sink *s)
{
  return &s->opened;
}

bool
sink_is_packed_file (const struct sink *s)
{
  return s->packer != NULL && can_be_truncated (s);
}

uint64_t
sink_written (const struct sink *s)
{
  return s->written;
}

/* Allocates disk blocks for the log's end now: until it is written, other programs may fill the
 * disk. Not all file systems can. */
static bool
truncate_file (struct sink *s, uint64_t length)
{
  const off_t end = (off_t) length;
  if (length > s->written || !is_still_open (s->fd, &s->opened) || ftruncate (s->fd, end) != 0
      || lseek (s->fd, end, SEEK_SET) != end)
    return false;
  fallocate (s->fd, FALLOC_FL_KEEP_SIZE, end, END_ROOM);
  s->written = length;
  s->error = 0;
  return true;
}

/* The compression cannot be reset to the last flush: its stream ends there, and another one
 * follows. */
static bool
truncate_packed (struct sink *s)
{
  struct packer *packer = packer_new (s->pack);
  if (packer == NULL)
    return false;
  packer_free (s->packer);
  s->packer = packer;
  if (!truncate_file (s, s->whole_written) || write_all (s, s->tail, s->tail_length) != 0)
    return false;
  s->whole_written = s->written;
  s->tail_length = 0;
  return true;
}

bool
sink_truncate (struct sink *s, uint64_t length)
{
  s->is_truncated = true;
  if (!can_be_truncated (s) || (s->packer != NULL && length != s->whole_given)
      || !(s->packer != NULL ? truncate_packed (s) : truncate_file (s, length)))
    return false;
  s->given = length;
  return true;
}

/* Frees the blocks of truncate_file that the end did not use. */
static void
free_blocks_after_end (const struct sink *s)
{
  if (s->is_truncated && can_be_truncated (s) && s->error == 0 && is_still_open (s->fd, &s->opened)
      && ftruncate (s->fd, (off_t) s->written) != 0)
    return; /* the file is whole nevertheless */
}

int
sink_finish (struct sink *s, bool process_ends)
{
  if (s->packer != NULL)
    run_packer (s, "", 0, PACK_END);
  free_blocks_after_end (s);
  /* A file system may write a file out that was once made shorter when it is closed.  That takes
   * tens of milliseconds, and threads of the program go on; not so when the system closes it. */
  if (process_ends && s->file[0] != 0)
    s->fd = -1;
  else
    close_output (s);
  return s->error;
}

static void
close_all (struct sink *s)
{
  close_output (s);
  close_either (s, &s->listener, &s->listening);
}

void
sink_discard (struct sink *s)
{
  if (can_be_truncated (s))
    unlink (s->file);
  sink_free (s);
}

void
sink_free (struct sink *s)
{
  packer_free (s->packer);
  sink_abandon (s);
  close_all (s);
  if (s->command != 0)
    command_leave (s->command, s->name + 1);
  free (s);
}

void
sink_wait (struct sink *s, char *outcome, size_t size)
{
  *outcome = 0;
  if (s->command == 0)
    return;
  close_output (s); /* if it could not be finished */
  command_wait (s->command, s->name + 1, outcome, size);
  s->command = 0;
}

void
sink_check_command (const struct sink *s, char *outcome, size_t size)
{
  *outcome = 0;
  if (s->command != 0 && command_runs (s->command))
    snprintf (outcome, size, "the command '%s' is still running and reads nothing", s->name + 1);
}

void
sink_abandon (struct sink *s)
{
  if (s->listener >= 0)
    unlink (s->name);
}

void
sink_after_fork (struct sink *s)
{
  close_all (s);
  commands_forget ();
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
sink_is_removed (const struct sink *s)
{
  struct stat st;
  return s->file[0] != 0 && is_still_open (s->fd, &s->opened) && fstat (s->fd, &st) == 0
         && st.st_nlink == 0;
}

struct sink_range
sink_removed_bytes (struct sink *s)
{
  if (is_still_open (s->fd, &s->opened))
    find_removed (s);
  return s->removed;
}

bool
sink_has_reader (const struct sink *s)
{
  return s->has_reader;
}

/* ---- one reader after the other ---- */

static bool
has_event (int fd, int event)
{
  struct pollfd p = { .fd = fd, .events = (short) event };
  return poll (&p, 1, 0) > 0 && p.revents != 0;
}

bool
sink_listens (const struct sink *s)
{
  return s->listener >= 0;
}

bool
sink_reader_has_gone (const struct sink *s)
{
  return is_still_open (s->fd, &s->opened) && has_event (s->fd, 0);
}

bool
sink_reader_waits (const struct sink *s)
{
  return is_still_open (s->listener, &s->listening) && has_event (s->listener, POLLIN);
}

bool
sink_accept_reader (struct sink *s)
{
  struct packer *packer = s->packer != NULL ? packer_new (s->pack) : NULL;
  if (s->packer != NULL && packer == NULL)
    return false;
  const int fd = sink_reader_waits (s) ? sink_accept_waiting (s) : -1;
  if (fd < 0) {
    packer_free (packer);
    return false;
  }
  packer_free (s->packer);
  s->packer = packer;
  close_output (s);
  s->fd = fd;
  s->error = 0;
  s->written = s->given = 0;
  note_opened (s);
  return true;
}
