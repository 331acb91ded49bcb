/* log-input.c -- see log-input.h. */
#include "decoder/formats/log-input.h"
#include "decoder/formats/log-recovery.h"
#include "decoder/formats/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <proflog/ghc-walk.h>
#include <proflog/mlpd-reader.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  CHUNK = 256 * 1024,
  /* So much of a log is looked at for ends of lines; every header has some 0a in that. */
  TEXT_PEEK = 4096,
};

struct log_input {
  char *name;
  int fd;
  enum unpack_sort sort;
  bool is_known;  /* what sort it is */
  bool at_end;    /* of the file */
  bool done;      /* nothing more is given */
  bool in_member; /* of what is compressed; a file may have several, one behind the other */
  uint8_t *file;  /* bytes of the file ... */
  size_t file_at;
  size_t file_end;
  uint64_t file_offset; /* ... of which the last is in front of this offset */
  uint8_t *inflated;
  const uint8_t *rest; /* of what log_input_fill got and had no room for */
  size_t rest_length;
  uint64_t start; /* where the file was when it was opened */
  bool is_seekable;
  uint64_t plain_size;       /* of a plain file at its start; else 0 */
  struct unpacker *unpacker; /* NULL: none is needed yet */
  bool drops_text_ends;
  bool has_cr;         /* that was not given yet */
  uint64_t *dropped;   /* borrowed */
  GByteArray *without; /* what was read, without them */
  struct log_input_damage damage;
  char *message;
  /* With a spool: the first log_length bytes of the log, then the rest. */
  struct log_recovery recovery;
  uint64_t at; /* where reading is */
};

/* Notes what can be done with the file. */
static void
look_at_file (struct log_input *input)
{
  struct stat st;
  uint8_t id[UNPACK_ID_SIZE];
  ssize_t n;
  const off_t start = lseek (input->fd, 0, SEEK_CUR);
  input->is_seekable = start >= 0;
  input->start = start >= 0 ? (uint64_t) start : 0;
  if (start == 0 && fstat (input->fd, &st) == 0 && S_ISREG (st.st_mode)
      && (n = pread (input->fd, id, sizeof id, 0)) > 1
      && unpack_sort_of (id, (size_t) n) == UNPACK_NONE)
    input->plain_size = (uint64_t) st.st_size;
}

struct log_input *
log_input_open_alone (const char *path, GError **error)
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
  struct log_input *input = g_new0 (struct log_input, 1);
  input->name = g_strdup (is_stdin ? "standard input" : path);
  input->fd = fd;
  input->file = g_malloc (CHUNK);
  look_at_file (input);
  return input;
}

struct log_input *
log_input_open (const char *path, GError **error)
{
  return log_input_open_with (path, NULL, error);
}

struct log_input *
log_input_open_with (const char *path, const char *spool, GError **error)
{
  struct log_input *input = log_input_open_alone (path, error);
  struct stat st;
  if (input == NULL || input->fd == STDIN_FILENO || fstat (input->fd, &st) != 0
      || !S_ISREG (st.st_mode))
    return input;
  log_recovery_take (&input->recovery, path, spool, (uint64_t) st.st_size,
                     st.st_size == 0 || input->plain_size != 0);
  if (input->recovery.is_alone)
    input->plain_size = input->recovery.share.rest->len;
  return input;
}

void
log_input_close (struct log_input *input)
{
  if (input == NULL)
    return;
  unpacker_free (input->unpacker);
  if (input->fd != STDIN_FILENO)
    close (input->fd);
  if (input->without != NULL)
    g_byte_array_unref (input->without);
  g_free (input->inflated);
  g_free (input->file);
  g_free (input->message);
  log_recovery_clear (&input->recovery);
  g_free (input->name);
  g_free (input);
}

const char *
log_input_name (const struct log_input *input)
{
  return input->name;
}

const struct log_input_damage *
log_input_damage (const struct log_input *input)
{
  return input->message != NULL ? &input->damage : NULL;
}

static bool
fail (struct log_input *input, const char *why, GError **error)
{
  input->done = true;
  g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", input->name, why);
  return false;
}

/* Reads on behind the bytes that are there; sets at_end. */
static bool
fill (struct log_input *input, GError **error)
{
  ssize_t n;
  do
    n = read (input->fd, input->file + input->file_end, CHUNK - input->file_end);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return fail (input, g_strerror (errno), error);
  input->at_end = n == 0;
  input->file_end += (size_t) n;
  input->file_offset += (uint64_t) n;
  return true;
}

static size_t
left (const struct log_input *input)
{
  return input->file_end - input->file_at;
}

/* Makes sure that at least `bytes` are there, if the file has them. */
static bool
want (struct log_input *input, size_t bytes, GError **error)
{
  if (left (input) < bytes && input->file_at != 0) {
    memmove (input->file, input->file + input->file_at, left (input));
    input->file_end = left (input);
    input->file_at = 0;
  }
  while (left (input) < bytes && !input->at_end)
    if (!fill (input, error))
      return false;
  return true;
}

static enum unpack_sort
sort_here (const struct log_input *input)
{
  return unpack_sort_of (input->file + input->file_at, left (input));
}

static bool
recognise (struct log_input *input, GError **error)
{
  if (!want (input, UNPACK_ID_SIZE, error))
    return false;
  if (left (input) == 0)
    return fail (input, "is empty", error);
  input->is_known = true;
  input->sort = sort_here (input);
  if (input->sort == UNPACK_NONE)
    return true;
  if (!unpack_is_there (input->sort))
    return fail (input, "is compressed with zstd, which this build of proflog cannot read", error);
  input->unpacker = unpacker_new (input->sort);
  if (input->unpacker == NULL)
    return fail (input, "no memory to inflate it", error);
  input->inflated = g_malloc (CHUNK);
  input->in_member = true;
  return true;
}

/* The first bytes that a compressed file gives, as far as its beginning is there; how many. */
static size_t
inflate_first (const struct log_input *input, enum unpack_sort sort, uint8_t *to, size_t room)
{
  struct unpack_space space = {
    .in = input->file + input->file_at, .in_left = left (input), .out = to, .out_left = room
  };
  const char *why;
  struct unpacker *unpacker = unpack_is_there (sort) ? unpacker_new (sort) : NULL;
  if (unpacker == NULL)
    return 0;
  unpacker_run (unpacker, &space, &why);
  unpacker_free (unpacker);
  return room - space.out_left;
}

/* Looks at the first bytes of the log, up to `room`, fewer only if there are no more (or not within
 * what is looked at of a compressed log). */
static size_t
peek (struct log_input *input, uint8_t *to, size_t room)
{
  size_t bytes = MAX (UNPACK_ID_SIZE, room), there = 0;
  bool more = true;
  while (there < room && more) {
    more = want (input, bytes, NULL) && left (input) >= bytes && bytes < CHUNK;
    const enum unpack_sort sort = sort_here (input);
    if (sort != UNPACK_NONE) {
      there = inflate_first (input, sort, to, room);
    } else {
      there = MIN (left (input), room);
      memcpy (to, input->file + input->file_at, there);
    }
    bytes = left (input) + 1;
  }
  input->done = false; /* an error will be met again */
  return there;
}

bool
log_input_is_eventlog (struct log_input *input)
{
  /* Before it there may be the marker of a block, event 18. */
  static const uint8_t header[] = { 'h', 'd', 'r', 'b' }, marker[] = { 0, 18 };
  uint8_t bytes[GHC_BLOCK_MARKER_SIZE + sizeof header];
  if (input->recovery.has_rest)
    return input->recovery.is_eventlog;
  const size_t there = peek (input, bytes, sizeof bytes);
  const bool is_marked
      = there > GHC_BLOCK_MARKER_SIZE && memcmp (bytes, marker, sizeof marker) == 0;
  const size_t at = is_marked ? GHC_BLOCK_MARKER_SIZE : 0;
  return there > at && memcmp (bytes + at, header, MIN (there - at, sizeof header)) == 0;
}

/* ---- copies as a text of Windows ---- */

bool
log_input_has_text_ends (struct log_input *input)
{
  uint8_t bytes[TEXT_PEEK];
  const size_t there = peek (input, bytes, sizeof bytes);
  size_t ends = 0;
  for (size_t i = 0; i < there; i++)
    if (bytes[i] == '\n') {
      if (i == 0 || bytes[i - 1] != '\r')
        return false;
      ends++;
    }
  return ends != 0;
}

void
log_input_drop_text_ends (struct log_input *input, uint64_t *dropped)
{
  input->drops_text_ends = true;
  input->dropped = dropped;
  input->without = g_byte_array_new ();
}

/* What was read without each 0d before a 0a.  One that was the last is given with what follows. */
static void
drop_text_ends (struct log_input *input, const uint8_t **bytes, size_t *length)
{
  static const uint8_t cr = '\r';
  const uint8_t *in = *bytes;
  GByteArray *out = input->without;
  const bool had_cr = input->has_cr;
  g_byte_array_set_size (out, 0);
  if (had_cr && (*length == 0 || in[0] != '\n'))
    g_byte_array_append (out, &cr, 1);
  *input->dropped += had_cr && *length != 0 && in[0] == '\n';
  input->has_cr = *length != 0 && in[*length - 1] == '\r';
  size_t kept = 0; /* up to there */
  for (size_t i = 0; i < *length; i++)
    if (in[i] == '\r' && (i + 1 == *length || in[i + 1] == '\n')) {
      g_byte_array_append (out, in + kept, (guint) (i - kept));
      kept = i + 1;
      *input->dropped += i + 1 < *length;
    }
  g_byte_array_append (out, in + kept, (guint) (*length - kept));
  *bytes = out->data;
  *length = out->len;
}

static void G_GNUC_PRINTF (3, 4)
    end_with_damage (struct log_input *input, bool truncated, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  input->message = g_strdup_vprintf (format, args);
  va_end (args);
  input->damage = (struct log_input_damage){
    .truncated = truncated,
    .offset = input->file_offset - left (input),
    .message = input->message,
  };
  input->done = true;
}

/* Between the members of a compressed file: begins the next one, or ends. */
static bool
next_member (struct log_input *input, GError **error)
{
  if (!want (input, UNPACK_ID_SIZE, error))
    return false;
  const uint64_t offset = input->file_offset - left (input);
  if (left (input) == 0) {
    input->done = true;
  } else if (sort_here (input) == input->sort) {
    unpacker_restart (input->unpacker);
    input->in_member = true;
  } else {
    end_with_damage (input, false,
                     "the compressed log is followed by something else at offset %" G_GUINT64_FORMAT
                     " of the file",
                     offset);
  }
  return true;
}

/* Inflates what is there; *length stays 0 if that gave nothing yet. */
static bool
inflate_some (struct log_input *input, size_t *length, GError **error)
{
  if (!want (input, 1, error))
    return false;
  struct unpack_space space = { .in = input->file + input->file_at,
                                .in_left = left (input),
                                .out = input->inflated,
                                .out_left = CHUNK };
  const char *why = NULL;
  const enum unpack_result result = unpacker_run (input->unpacker, &space, &why);
  input->file_at = input->file_end - space.in_left;
  *length = CHUNK - space.out_left;
  if (result == UNPACK_ENDED)
    input->in_member = false;
  else if (result == UNPACK_NO_MEMORY)
    return fail (input, "no memory to inflate it", error);
  else if (result == UNPACK_CORRUPT)
    end_with_damage (input, false,
                     "the compressed log is corrupt near offset %" G_GUINT64_FORMAT
                     " of the file: %s",
                     input->file_offset - left (input), why);
  else if (*length == 0 && left (input) == 0 && input->at_end)
    end_with_damage (input, true,
                     "the compressed log is cut: its file ends at offset %" G_GUINT64_FORMAT
                     " inside compressed data",
                     input->file_offset);
  return true;
}

static bool
read_plain (struct log_input *input, const uint8_t **bytes, size_t *length, GError **error)
{
  if (left (input) == 0 && !want (input, 1, error))
    return false;
  *bytes = input->file + input->file_at;
  *length = left (input);
  input->file_at = input->file_end;
  input->done = *length == 0;
  return true;
}

/* Of the file. */
static bool
read_some (struct log_input *input, const uint8_t **bytes, size_t *length, GError **error)
{
  *bytes = NULL;
  *length = 0;
  if (input->done)
    return true;
  if (!input->is_known && !recognise (input, error))
    return false;
  if (input->sort == UNPACK_NONE)
    return read_plain (input, bytes, length, error);
  *bytes = input->inflated;
  while (*length == 0 && !input->done)
    if (!(input->in_member ? inflate_some (input, length, error) : next_member (input, error)))
      return false;
  return true;
}

/* The log's own bytes, then those of the spool. */
static bool
read_joined (struct log_input *input, const uint8_t **bytes, size_t *length, GError **error)
{
  const struct spool_share *share = &input->recovery.share;
  if (input->at < share->log_length) {
    if (!read_some (input, bytes, length, error))
      return false;
    *length = (size_t) MIN (*length, share->log_length - input->at);
    input->at += *length;
    if (*length != 0)
      return true;
    input->at = share->log_length; /* somebody has made the file shorter */
  }
  const uint64_t done = input->at - share->log_length;
  *bytes = share->rest->data + done;
  *length = (size_t) MIN (share->rest->len - done, CHUNK);
  input->at += *length;
  return true;
}

bool
log_input_read (struct log_input *input, const uint8_t **bytes, size_t *length, GError **error)
{
  if (input->recovery.has_rest)
    return read_joined (input, bytes, length, error);
  if (!input->drops_text_ends)
    return read_some (input, bytes, length, error);
  do {
    if (!read_some (input, bytes, length, error))
      return false;
    drop_text_ends (input, bytes, length);
  } while (*length == 0 && input->has_cr); /* more has to follow */
  return true;
}

/* The plain bytes of a file go where they are wanted without a stop in between. */
static bool
read_straight (struct log_input *input, uint8_t *to, size_t room, size_t *length, GError **error)
{
  ssize_t n;
  do
    n = read (input->fd, to, room);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return fail (input, g_strerror (errno), error);
  input->file_offset += (uint64_t) n;
  input->at_end = input->done = n == 0;
  *length = (size_t) n;
  return true;
}

bool
log_input_fill (struct log_input *input, uint8_t *to, size_t room, size_t *length, GError **error)
{
  *length = 0;
  while (*length < room && !(input->done && input->rest_length == 0 && !input->recovery.has_rest)) {
    if (input->rest_length != 0) {
      const size_t n = MIN (input->rest_length, room - *length);
      memcpy (to + *length, input->rest, n);
      input->rest += n;
      input->rest_length -= n;
      *length += n;
    } else if (input->is_known && input->sort == UNPACK_NONE && !input->drops_text_ends
               && !input->recovery.has_rest && left (input) == 0) {
      size_t n;
      if (!read_straight (input, to + *length, room - *length, &n, error))
        return false;
      *length += n;
    } else if (!log_input_read (input, &input->rest, &input->rest_length, error)) {
      return false;
    } else if (input->recovery.has_rest && input->rest_length == 0) {
      break;
    }
  }
  return true;
}

/* ---- more than one way through ---- */

uint64_t
log_input_size (const struct log_input *input)
{
  if (input->recovery.has_rest && input->plain_size != 0)
    return input->recovery.share.log_length + input->recovery.share.rest->len;
  return input->plain_size;
}

static size_t
read_file_at (const struct log_input *input, uint64_t offset, uint8_t *to, size_t length)
{
  size_t done = 0;
  while (done < length) {
    const ssize_t n = pread (input->fd, to + done, length - done, (off_t) (offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    done += (size_t) n;
  }
  return done;
}

size_t
log_input_read_at (struct log_input *input, uint64_t offset, uint8_t *to, size_t length)
{
  const struct spool_share *share = &input->recovery.share;
  if (!input->recovery.has_rest)
    return read_file_at (input, offset, to, length);
  size_t done = 0;
  if (offset < share->log_length) {
    const size_t wanted = (size_t) MIN (length, share->log_length - offset);
    done = read_file_at (input, offset, to, wanted);
    if (done < wanted)
      return done;
  }
  const uint64_t from = offset + done - share->log_length;
  if (from < share->rest->len) {
    const size_t n = (size_t) MIN (length - done, share->rest->len - from);
    memcpy (to + done, share->rest->data + from, n);
    done += n;
  }
  return done;
}

/* Forgets what was read; the file is at this offset. */
static void
start_at (struct log_input *input, uint64_t offset)
{
  g_clear_pointer (&input->unpacker, unpacker_free);
  g_clear_pointer (&input->inflated, g_free);
  g_clear_pointer (&input->message, g_free);
  input->at_end = input->done = input->in_member = input->has_cr = false;
  if (input->drops_text_ends)
    *input->dropped = 0;
  input->sort = UNPACK_NONE;
  input->is_known = offset != input->start;
  input->file_at = input->file_end = input->rest_length = 0;
  input->file_offset = input->at = offset;
  if (lseek (input->fd, (off_t) offset, SEEK_SET) < 0)
    input->done = true;
}

void
log_input_seek (struct log_input *input, uint64_t offset)
{
  start_at (input, offset);
}

void
log_input_rewind (struct log_input *input)
{
  start_at (input, input->start);
}

static bool
write_all (int fd, const uint8_t *bytes, size_t length)
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

/* Copies the rest of the file to another one, from what was looked at already. */
static bool
copy_to (struct log_input *input, int fd)
{
  ssize_t n;
  if (!write_all (fd, input->file + input->file_at, left (input)))
    return false;
  input->file_at = input->file_end = 0;
  input->file_offset = 0;
  while ((n = read (input->fd, input->file, CHUNK)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 || !write_all (fd, input->file, (size_t) n))
      return false;
  }
  input->at_end = false;
  return lseek (fd, 0, SEEK_SET) == 0;
}

/* A temporary file, without a name; -1 if there can be none. */
static int
open_temporary (GError **error)
{
  char *path = NULL;
  const int fd = g_file_open_tmp ("proflog-XXXXXX", &path, error);
  if (fd >= 0)
    unlink (path);
  g_free (path);
  return fd;
}

/* The temporary file could not be written. */
static bool
fail_to_copy (struct log_input *input, int fd, GError **error)
{
  char *problem = g_strdup_printf ("cannot be copied to a temporary file in %s: %s",
                                   g_get_tmp_dir (), g_strerror (errno));
  close (fd);
  const bool failed = fail (input, problem, error);
  g_free (problem);
  return failed;
}

/* The file is another one from here on. */
static void
change_file (struct log_input *input, int fd)
{
  if (input->fd != STDIN_FILENO)
    close (input->fd);
  input->fd = fd;
  if (input->recovery.has_rest) /* it was copied with the log */
    g_byte_array_unref (input->recovery.share.rest);
  input->recovery.has_rest = false;
  look_at_file (input);
}

bool
log_input_keep (struct log_input *input, GError **error)
{
  if (input->is_seekable)
    return true;
  const int fd = open_temporary (error);
  if (fd < 0)
    return false;
  if (!copy_to (input, fd))
    return fail_to_copy (input, fd, error);
  change_file (input, fd);
  return true;
}

bool
log_input_spool (struct log_input *input, GError **error)
{
  const uint8_t *bytes;
  size_t length;
  if (input->plain_size != 0)
    return true;
  const int fd = open_temporary (error);
  if (fd < 0)
    return false;
  do {
    if (!log_input_read (input, &bytes, &length, error)) {
      close (fd);
      return false;
    }
    if (!write_all (fd, bytes, length))
      return fail_to_copy (input, fd, error);
  } while (length != 0);
  lseek (fd, 0, SEEK_SET);
  change_file (input, fd);
  return true;
}

const struct log_input_recovery *
log_input_recovery (const struct log_input *input)
{
  return input->recovery.message != NULL ? &input->recovery.told : NULL;
}
