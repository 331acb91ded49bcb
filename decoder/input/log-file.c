/* log-file.c -- reads a file in chunks, or anywhere; a compressed one member by member. */
#include "config.h"

#include "decoder/input/unpack.h"
#include "decoder/input/log-file.h"
#include <errno.h>
#include <fcntl.h>
#include <proflog/read.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 256 * 1024 };

struct log_file {
  char *name;
  int fd;
  enum unpack_kind kind;
  bool is_known;    /* its format is */
  bool is_unpacked; /* its bytes were inflated before: compressed data in them stay so */
  bool at_end;      /* of the file */
  bool done;        /* nothing more is given */
  bool in_member;   /* of a compressed file, which may have several, one after the other */
  uint8_t *bytes;   /* of the file: those from `at` to `end` were not read yet */
  size_t at;
  size_t end;
  uint64_t offset; /* of the end of these bytes, in the file */
  uint8_t *inflated;
  uint64_t start; /* where the file was when it was opened */
  bool is_seekable;
  uint64_t plain_size;          /* of a plain file at its start; else 0 */
  bool is_named;                /* not standard input, nor a temporary file */
  struct log_identity identity; /* of a plain file */
  struct unpacker *unpacker;    /* NULL: none is needed yet */
  struct log_file_damage damage;
  char *message;      /* of the damage */
  GMutex failure;     /* protects the members below: several threads may read */
  bool has_failed;    /* a log_file_read_at, or the file became shorter */
  int failed;         /* errno of the first that failed; 0: the file became shorter */
  uint64_t failed_at; /* its place in the file; or the new size */
};

/* Bytes in memory that were not read yet. */
static size_t
bytes_left (const struct log_file *f)
{
  return f->end - f->at;
}

static void
note_identity (struct log_file *f, const struct stat *st)
{
  f->identity = (struct log_identity){
    .path = f->name,
    .device = st->st_dev,
    .inode = st->st_ino,
    .size = (uint64_t) st->st_size,
    .changed_ns = (uint64_t) st->st_mtim.tv_sec * 1000000000 + (uint64_t) st->st_mtim.tv_nsec,
    .owner = st->st_uid,
    .mode = st->st_mode,
  };
}

/* The format of bytes of the file. */
static enum unpack_kind
kind_of (const struct log_file *f, const uint8_t *bytes, size_t length)
{
  return f->is_unpacked ? UNPACK_NONE : unpack_kind_of (bytes, length);
}

/* Notes whether the file can be read anywhere, and its size. */
static void
inspect (struct log_file *f)
{
  struct stat st;
  uint8_t id[UNPACK_ID_SIZE];
  ssize_t n;
  const off_t start = lseek (f->fd, 0, SEEK_CUR);
  f->is_seekable = start >= 0;
  f->start = start >= 0 ? (uint64_t) start : 0;
  if (start == 0 && fstat (f->fd, &st) == 0 && S_ISREG (st.st_mode)
      && (n = pread (f->fd, id, sizeof id, 0)) > 1 && kind_of (f, id, (size_t) n) == UNPACK_NONE) {
    f->plain_size = (uint64_t) st.st_size;
    note_identity (f, &st);
  }
}

struct log_file *
log_file_open (const char *path, GError **error)
{
  const bool is_stdin = g_strcmp0 (path, "-") == 0;
  int fd = is_stdin ? STDIN_FILENO : open (path, O_RDONLY | O_CLOEXEC);
  struct stat st;
  int problem = fd < 0 || fstat (fd, &st) != 0 ? errno : S_ISDIR (st.st_mode) ? EISDIR : 0;
  if (problem != 0) {
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s",
                 is_stdin ? "standard input" : path, g_strerror (problem));
    if (fd >= 0 && !is_stdin)
      close (fd);
    return NULL;
  }
  struct log_file *f = g_new0 (struct log_file, 1);
  g_mutex_init (&f->failure);
  f->name = g_strdup (is_stdin ? "standard input" : path);
  f->fd = fd;
  f->is_named = !is_stdin;
  f->bytes = g_malloc (CHUNK);
  inspect (f);
  return f;
}

void
log_file_close (struct log_file *f)
{
  if (f == NULL)
    return;
  unpacker_free (f->unpacker);
  if (f->fd != STDIN_FILENO)
    close (f->fd);
  g_free (f->inflated);
  g_free (f->bytes);
  g_free (f->message);
  g_free (f->name);
  g_mutex_clear (&f->failure);
  g_free (f);
}

const char *
log_file_name (const struct log_file *f)
{
  return f->name;
}

bool
log_file_is_regular (const struct log_file *f, uint64_t *size)
{
  struct stat st;
  if (f->fd == STDIN_FILENO || fstat (f->fd, &st) != 0 || !S_ISREG (st.st_mode))
    return false;
  *size = (uint64_t) st.st_size;
  return true;
}

bool
log_file_is_seekable (const struct log_file *f)
{
  return f->is_seekable;
}

uint64_t
log_file_plain_size (const struct log_file *f)
{
  return f->plain_size;
}

const struct log_identity *
log_file_identity (const struct log_file *f)
{
  return f->plain_size != 0 && f->is_named ? &f->identity : NULL;
}

bool
log_file_is_direct (const struct log_file *f)
{
  return f->is_known && f->kind == UNPACK_NONE && bytes_left (f) == 0;
}

bool
log_file_is_done (const struct log_file *f)
{
  return f->done;
}

static char *
describe_failure (int error, uint64_t offset)
{
  return g_strdup_printf ("reading it at offset %" G_GUINT64_FORMAT " failed (%s)", offset,
                          g_strerror (error));
}

/* Of several threads, the first that fails is reported. */
static void
note_failure (struct log_file *f, int error, uint64_t offset)
{
  g_mutex_lock (&f->failure);
  if (!f->has_failed) {
    f->has_failed = true;
    f->failed = error;
    f->failed_at = offset;
  }
  g_mutex_unlock (&f->failure);
}

/* There are no bytes at this offset.  When the file was opened, there may have been. */
static void
note_end (struct log_file *f, uint64_t offset)
{
  struct stat st;
  if (offset < f->plain_size)
    note_failure (f, 0, fstat (f->fd, &st) == 0 ? (uint64_t) st.st_size : offset);
}

const struct log_file_damage *
log_file_damage (struct log_file *f)
{
  g_mutex_lock (&f->failure);
  const bool has_failed = f->has_failed;
  const int failed = f->failed;
  const uint64_t failed_at = f->failed_at;
  g_mutex_unlock (&f->failure);
  if (has_failed && f->message == NULL) {
    g_autofree char *reason
        = failed != 0
              ? describe_failure (failed, failed_at)
              : g_strdup_printf ("it became shorter while it was read, from %" G_GUINT64_FORMAT
                                 " to %" G_GUINT64_FORMAT " bytes",
                                 f->plain_size, failed_at);
    f->message = g_strconcat (reason, ": bytes from there on are missing", NULL);
    f->damage = (struct log_file_damage){ .is_read_error = true,
                                          .truncated = true,
                                          .message = f->message };
  }
  return f->message != NULL ? &f->damage : NULL;
}

bool
log_file_fail (struct log_file *f, const char *why, GError **error)
{
  f->done = true;
  g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", f->name, why);
  return false;
}

/* Sequential reading failed, with errno. */
static bool
fail_to_read (struct log_file *f, GError **error)
{
  g_autofree char *reason = describe_failure (errno, f->offset);
  return log_file_fail (f, reason, error);
}

/* Reads on after the bytes that are there; sets at_end. */
static bool
fill (struct log_file *f, GError **error)
{
  ssize_t n;
  do
    n = read (f->fd, f->bytes + f->end, CHUNK - f->end);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return fail_to_read (f, error);
  f->at_end = n == 0;
  if (f->at_end)
    note_end (f, f->offset);
  f->end += (size_t) n;
  f->offset += (uint64_t) n;
  return true;
}

/* Makes sure that this many bytes are in memory, if the file has them. */
static bool
require (struct log_file *f, size_t bytes, GError **error)
{
  if (bytes_left (f) < bytes && f->at != 0) {
    memmove (f->bytes, f->bytes + f->at, bytes_left (f));
    f->end = bytes_left (f);
    f->at = 0;
  }
  while (bytes_left (f) < bytes && !f->at_end)
    if (!fill (f, error))
      return false;
  return true;
}

/* ---- the members of a compressed file ---- */

/* The format of the bytes in memory. */
static enum unpack_kind
kind_here (const struct log_file *f)
{
  return kind_of (f, f->bytes + f->at, bytes_left (f));
}

/* Finds the format of the file, and prepares to inflate it. */
static bool
recognise (struct log_file *f, GError **error)
{
  if (!require (f, UNPACK_ID_SIZE, error))
    return false;
  if (bytes_left (f) == 0)
    return log_file_fail (f, "is empty", error);
  f->is_known = true;
  f->kind = kind_here (f);
  if (f->kind == UNPACK_NONE)
    return true;
  if (!unpack_is_there (f->kind))
    return log_file_fail (f, "is compressed with zstd, which this build of proflog cannot read",
                          error);
  f->unpacker = unpacker_new (f->kind);
  if (f->unpacker == NULL)
    return log_file_fail (f, "no memory to inflate it", error);
  f->inflated = g_malloc (CHUNK);
  f->in_member = true;
  return true;
}

/* The first bytes that the compressed bytes in memory give; how many. */
static size_t
inflate_first (const struct log_file *f, enum unpack_kind kind, uint8_t *to, size_t room)
{
  struct unpack_space space
      = { .in = f->bytes + f->at, .in_left = bytes_left (f), .out = to, .out_left = room };
  const char *why;
  struct unpacker *unpacker = unpack_is_there (kind) ? unpacker_new (kind) : NULL;
  if (unpacker == NULL)
    return 0;
  unpacker_run (unpacker, &space, &why);
  unpacker_free (unpacker);
  return room - space.out_left;
}

static void G_GNUC_PRINTF (3, 4)
    end_with_damage (struct log_file *f, bool truncated, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  f->message = g_strdup_vprintf (format, args);
  va_end (args);
  f->damage = (struct log_file_damage){
    .truncated = truncated,
    .offset = f->offset - bytes_left (f),
    .message = f->message,
  };
  f->done = true;
}

/* The rest of a file that may be a bomb is counted and not read. */
static void
end_at_limit (struct log_file *f, const char *why)
{
  uint64_t size;
  const uint64_t done = f->offset - bytes_left (f);
  if (log_file_is_regular (f, &size) && size >= done)
    end_with_damage (f, false,
                     "the compressed log is not read to its end: %s (%" G_GUINT64_FORMAT
                     " bytes of the file not read)",
                     why, size - done);
  else
    end_with_damage (f, false, "the compressed log is not read to its end: %s", why);
}

/* Between the members of a compressed file: begins the next one, or ends. */
static bool
next_member (struct log_file *f, GError **error)
{
  if (!require (f, UNPACK_ID_SIZE, error))
    return false;
  const uint64_t offset = f->offset - bytes_left (f);
  if (bytes_left (f) == 0) {
    f->done = true;
  } else if (kind_here (f) == f->kind) {
    unpacker_restart (f->unpacker);
    f->in_member = true;
  } else {
    end_with_damage (f, false,
                     "the compressed log is followed by something else at offset %" G_GUINT64_FORMAT
                     " of the file",
                     offset);
  }
  return true;
}

/* Inflates the bytes in memory; *length stays 0 if that gave nothing yet. */
static bool
inflate_some (struct log_file *f, size_t *length, GError **error)
{
  if (!require (f, 1, error))
    return false;
  struct unpack_space space = {
    .in = f->bytes + f->at, .in_left = bytes_left (f), .out = f->inflated, .out_left = CHUNK
  };
  const char *why = NULL;
  const enum unpack_result result = unpacker_run (f->unpacker, &space, &why);
  f->at = f->end - space.in_left;
  *length = CHUNK - space.out_left;
  if (result == UNPACK_ENDED)
    f->in_member = false;
  else if (result == UNPACK_NO_MEMORY)
    return log_file_fail (f, "no memory to inflate it", error);
  else if (result == UNPACK_CORRUPT)
    end_with_damage (
        f, false, "the compressed log is corrupt near offset %" G_GUINT64_FORMAT " of the file: %s",
        f->offset - bytes_left (f), why);
  else if (result == UNPACK_TOO_LARGE)
    end_at_limit (f, why);
  else if (*length == 0 && bytes_left (f) == 0 && f->at_end)
    end_with_damage (f, true,
                     "the compressed log is cut: its file ends at offset %" G_GUINT64_FORMAT
                     " inside compressed data",
                     f->offset);
  return true;
}

/* ---- reading ---- */

bool
log_file_peek (struct log_file *f, uint8_t *to, size_t room, size_t *length, GError **error)
{
  size_t bytes = MAX (UNPACK_ID_SIZE, room);
  bool good = true, more = true;
  *length = 0;
  while (*length < room && more) {
    good = require (f, bytes, error);
    more = good && bytes_left (f) >= bytes && bytes_left (f) < CHUNK;
    const enum unpack_kind kind = kind_here (f);
    if (kind != UNPACK_NONE) {
      *length = inflate_first (f, kind, to, room);
    } else {
      *length = MIN (bytes_left (f), room);
      memcpy (to, f->bytes + f->at, *length);
    }
    bytes = bytes_left (f) + 1;
  }
  f->done = false; /* an error will be seen again */
  return good;
}

static bool
read_plain (struct log_file *f, const uint8_t **bytes, size_t *length, GError **error)
{
  if (bytes_left (f) == 0 && !require (f, 1, error))
    return false;
  *bytes = f->bytes + f->at;
  *length = bytes_left (f);
  f->at = f->end;
  f->done = *length == 0;
  return true;
}

bool
log_file_read (struct log_file *f, const uint8_t **bytes, size_t *length, GError **error)
{
  *bytes = NULL;
  *length = 0;
  if (f->done)
    return true;
  if (!f->is_known && !recognise (f, error))
    return false;
  if (f->kind == UNPACK_NONE)
    return read_plain (f, bytes, length, error);
  *bytes = f->inflated;
  while (*length == 0 && !f->done)
    if (!(f->in_member ? inflate_some (f, length, error) : next_member (f, error)))
      return false;
  return true;
}

bool
log_file_read_into (struct log_file *f, uint8_t *to, size_t room, size_t *length, GError **error)
{
  ssize_t n;
  do
    n = read (f->fd, to, room);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return fail_to_read (f, error);
  f->offset += (uint64_t) n;
  f->at_end = f->done = n == 0;
  if (f->at_end)
    note_end (f, f->offset);
  *length = (size_t) n;
  return true;
}

size_t
log_file_read_at (struct log_file *f, uint64_t offset, uint8_t *to, size_t length)
{
  size_t done = 0;
  while (done < length) {
    const ssize_t n = pread (f->fd, to + done, length - done, (off_t) (offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      note_failure (f, errno, offset + done);
    else if (n == 0)
      note_end (f, offset + done);
    if (n <= 0)
      break;
    done += (size_t) n;
  }
  return done;
}

void
log_file_seek (struct log_file *f, uint64_t offset)
{
  g_clear_pointer (&f->unpacker, unpacker_free);
  g_clear_pointer (&f->inflated, g_free);
  g_clear_pointer (&f->message, g_free);
  f->at_end = f->done = f->in_member = false;
  f->kind = UNPACK_NONE;
  f->is_known = offset != f->start;
  f->at = f->end = 0;
  f->offset = offset;
  if (lseek (f->fd, (off_t) offset, SEEK_SET) < 0) {
    f->done = true;
    note_failure (f, errno, offset);
  }
}

void
log_file_rewind (struct log_file *f)
{
  log_file_seek (f, f->start);
}

bool
log_file_write (int fd, const uint8_t *bytes, size_t length)
{
  while (length != 0) {
    const ssize_t w = write (fd, bytes, length);
    if (w < 0 && errno != EINTR)
      return false;
    bytes += MAX (w, 0);
    length -= (size_t) MAX (w, 0);
  }
  return true;
}

bool
log_file_copy (struct log_file *f, int fd)
{
  ssize_t n;
  if (!log_file_write (fd, f->bytes + f->at, bytes_left (f)))
    return false;
  f->at = f->end = 0;
  f->offset = 0;
  while ((n = read (f->fd, f->bytes, CHUNK)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 || !log_file_write (fd, f->bytes, (size_t) n))
      return false;
  }
  f->at_end = false;
  return lseek (fd, 0, SEEK_SET) == 0;
}

void
log_file_replace (struct log_file *f, int fd, bool is_unpacked)
{
  if (f->fd != STDIN_FILENO)
    close (f->fd);
  f->fd = fd;
  f->is_named = false;
  f->is_unpacked = is_unpacked;
  inspect (f);
}
