/* index-file.c -- reads, checks and writes the file of an index.
 *
 * Numbers are little-endian:
 *
 *   8 bytes   the name of the format, with its version
 *   u32       the format of the log
 *   u32       the number of witnesses
 *   4 × u64   the log's device, inode, size, and time in ns
 *   u64       bytes of the content
 *   32 bytes  the checksum of the witnesses' bytes in the log
 *             the witnesses: u64 offset, u32 length
 *             the content
 *   32 bytes  the checksum of all before
 */
#include "config.h"

#include "decoder/input/index-file.h"
#include "decoder/core/cursor.h"

#include <errno.h>
#include <fcntl.h>
#include <proflog/read.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of another version is none: it is written anew. */
static const uint8_t magic[8] = { 'P', 'L', 'O', 'G', 'I', 'D', 'X', 1 };

enum {
  CHECKSUM_BYTES = 32,
  HEAD_BYTES = 8 + 4 + 4 + 4 * 8 + 8 + CHECKSUM_BYTES,
  WITNESS_BYTES = 8 + 4,
};

/* No index is larger than its log, but for the least ones. */
#define SPARE_BYTES ((uint64_t) 1 << 20)

struct head {
  uint32_t kind, n_witnesses;
  uint64_t device, inode, size, changed_ns, content_bytes;
  uint8_t checksum[CHECKSUM_BYTES]; /* of the witnesses */
};

void
index_put_u64 (GByteArray *content, uint64_t number)
{
  const guint64 bytes = GUINT64_TO_LE (number);
  g_byte_array_append (content, (const guint8 *) &bytes, sizeof bytes);
}

void
index_put_u32 (GByteArray *content, uint32_t number)
{
  const guint32 bytes = GUINT32_TO_LE (number);
  g_byte_array_append (content, (const guint8 *) &bytes, sizeof bytes);
}

static void
finish_checksum (GChecksum *checksum, uint8_t to[CHECKSUM_BYTES])
{
  gsize length = CHECKSUM_BYTES;
  g_checksum_get_digest (checksum, to, &length);
  g_checksum_free (checksum);
}

static void
checksum_of (const uint8_t *bytes, size_t length, uint8_t to[CHECKSUM_BYTES])
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (checksum, bytes, (gssize) length);
  finish_checksum (checksum, to);
}

/* False if the log, of which `size` bytes count, does not have them. */
static bool
checksum_of_witnesses (struct log_input *input, const struct index_witness *witnesses, size_t n,
                       uint64_t size, uint8_t to[CHECKSUM_BYTES])
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  bool good = true;
  for (size_t i = 0; i < n && good; i++) {
    const struct index_witness *w = &witnesses[i];
    good = w->length <= INDEX_WITNESS_BYTES_MAX && w->offset <= size
           && w->length <= size - w->offset;
    if (!good)
      break;
    g_autofree uint8_t *bytes = g_malloc (w->length);
    good = log_input_read_at (input, w->offset, bytes, w->length) == w->length;
    g_checksum_update (checksum, bytes, good ? (gssize) w->length : 0);
  }
  finish_checksum (checksum, to);
  return good;
}

static char *
name_of (const struct log_identity *log)
{
  return g_strconcat (log->path, INDEX_FILE_SUFFIX, NULL);
}

/* ---- reading ---- */

/* May the index be believed?  Somebody else's could state anything. */
static bool
is_trusted (const struct stat *st, const struct log_identity *log)
{
  return S_ISREG (st->st_mode) && (st->st_mode & S_IWOTH) == 0
         && (st->st_uid == geteuid () || st->st_uid == 0 || st->st_uid == log->owner);
}

static bool
read_whole (int fd, uint8_t *to, size_t length)
{
  while (length != 0) {
    const ssize_t n = read (fd, to, length);
    if (n == 0 || (n < 0 && errno != EINTR))
      return false;
    to += MAX (n, 0);
    length -= (size_t) MAX (n, 0);
  }
  return true;
}

/* All of the file; NULL if it is none that can be believed. */
static GByteArray *
read_file (const struct log_identity *log)
{
  g_autofree char *name = name_of (log);
  const int fd = open (name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat st;
  if (fd < 0)
    return NULL;
  GByteArray *bytes = NULL;
  if (fstat (fd, &st) == 0 && is_trusted (&st, log)
      && (uint64_t) st.st_size >= HEAD_BYTES + CHECKSUM_BYTES
      && (uint64_t) st.st_size <= log->size + SPARE_BYTES && st.st_size <= G_MAXINT) {
    bytes = g_byte_array_new ();
    g_byte_array_set_size (bytes, (guint) st.st_size);
    if (!read_whole (fd, bytes->data, bytes->len))
      g_clear_pointer (&bytes, g_byte_array_unref);
  }
  close (fd);
  return bytes;
}

/* The parts of a file that is as it was written. */
static bool
parse (const GByteArray *file, struct head *head, struct cursor *c)
{
  uint8_t checksum[CHECKSUM_BYTES];
  const size_t length = file->len - CHECKSUM_BYTES;
  checksum_of (file->data, length, checksum);
  if (memcmp (file->data, magic, sizeof magic) != 0
      || memcmp (file->data + length, checksum, sizeof checksum) != 0)
    return false;
  *c = cursor_over (file->data + sizeof magic, length - sizeof magic);
  head->kind = cursor_u32 (c);
  head->n_witnesses = cursor_u32 (c);
  head->device = cursor_u64 (c);
  head->inode = cursor_u64 (c);
  head->size = cursor_u64 (c);
  head->changed_ns = cursor_u64 (c);
  head->content_bytes = cursor_u64 (c);
  memcpy (head->checksum, c->at, CHECKSUM_BYTES);
  c->at += CHECKSUM_BYTES;
  const uint64_t left = cursor_left (c);
  return head->n_witnesses <= left / WITNESS_BYTES
         && left - (uint64_t) head->n_witnesses * WITNESS_BYTES == head->content_bytes;
}

static enum index_state
state_of (const struct head *head, const struct log_identity *log)
{
  if (head->device != log->device || head->inode != log->inode || head->size > log->size)
    return INDEX_NONE;
  if (head->size < log->size)
    return INDEX_GROWN;
  return head->changed_ns == log->changed_ns ? INDEX_WHOLE : INDEX_NONE;
}

static bool
has_witnesses (struct log_input *input, const struct head *head, struct cursor *c)
{
  g_autofree struct index_witness *witnesses = g_new (struct index_witness, head->n_witnesses + 1);
  uint8_t checksum[CHECKSUM_BYTES];
  for (uint32_t i = 0; i < head->n_witnesses; i++) {
    const uint64_t offset = cursor_u64 (c);
    witnesses[i] = (struct index_witness){ offset, cursor_u32 (c) };
  }
  return checksum_of_witnesses (input, witnesses, head->n_witnesses, head->size, checksum)
         && memcmp (checksum, head->checksum, sizeof checksum) == 0;
}

enum index_state
index_file_read (struct log_input *input, enum index_kind kind, GByteArray **content)
{
  const struct log_identity *log = log_input_identity (input);
  GByteArray *file = log != NULL ? read_file (log) : NULL;
  enum index_state state = INDEX_NONE;
  struct head head;
  struct cursor c;
  *content = g_byte_array_new ();
  if (file != NULL && parse (file, &head, &c) && head.kind == kind)
    state = state_of (&head, log);
  if (state != INDEX_NONE && !has_witnesses (input, &head, &c))
    state = INDEX_NONE;
  if (state != INDEX_NONE)
    g_byte_array_append (*content, c.at, (guint) cursor_left (&c));
  if (file != NULL)
    g_byte_array_unref (file);
  return state;
}

/* ---- writing ---- */

static bool
fail (const char *name, const char *problem, GError **error)
{
  g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", name, problem);
  return false;
}

/* Nothing but an index is replaced. */
static bool
may_replace (const char *name, GError **error)
{
  uint8_t start[sizeof magic - 1]; /* of any version */
  struct stat st;
  if (lstat (name, &st) != 0)
    return true;
  const int fd = open (name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  const bool is_index = fd >= 0 && S_ISREG (st.st_mode) && read_whole (fd, start, sizeof start)
                        && memcmp (start, magic, sizeof start) == 0;
  if (fd >= 0)
    close (fd);
  if (is_index)
    return true;
  return fail (name, "is there already, and is no index: it is not replaced", error);
}

/* A user who may read the log may read its index.  A reader sees all of the file or nothing. */
static bool
write_file (const char *name, const GByteArray *file, unsigned mode, GError **error)
{
  g_autofree char *temporary = g_strconcat (name, ".XXXXXX", NULL);
  const int fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0)
    return fail (name, g_strerror (errno), error);
  bool good = log_file_write (fd, file->data, file->len) && fchmod (fd, mode & 0644) == 0;
  int problem = errno;
  if (close (fd) != 0 && good) {
    good = false;
    problem = errno;
  }
  if (good && rename (temporary, name) == 0)
    return true;
  problem = good ? errno : problem;
  unlink (temporary);
  return fail (name, g_strerror (problem), error);
}

static GByteArray *
make_file (const struct log_identity *log, enum index_kind kind, const GArray *witnesses,
           const uint8_t checksum[CHECKSUM_BYTES], const GByteArray *content)
{
  uint8_t own[CHECKSUM_BYTES];
  GByteArray *file = g_byte_array_new ();
  g_byte_array_append (file, magic, sizeof magic);
  index_put_u32 (file, kind);
  index_put_u32 (file, witnesses->len);
  index_put_u64 (file, log->device);
  index_put_u64 (file, log->inode);
  index_put_u64 (file, log->size);
  index_put_u64 (file, log->changed_ns);
  index_put_u64 (file, content->len);
  g_byte_array_append (file, checksum, CHECKSUM_BYTES);
  for (guint i = 0; i < witnesses->len; i++) {
    index_put_u64 (file, g_array_index (witnesses, struct index_witness, i).offset);
    index_put_u32 (file, g_array_index (witnesses, struct index_witness, i).length);
  }
  g_byte_array_append (file, content->data, content->len);
  checksum_of (file->data, file->len, own);
  g_byte_array_append (file, own, sizeof own);
  return file;
}

bool
index_file_write (struct log_input *input, enum index_kind kind, const GArray *witnesses,
                  const GByteArray *content, GError **error)
{
  const struct log_identity *log = log_input_identity (input);
  uint8_t checksum[CHECKSUM_BYTES];
  g_autofree char *name = name_of (log);
  if (!may_replace (name, error))
    return false;
  if (!checksum_of_witnesses (input, (const struct index_witness *) (const void *) witnesses->data,
                              witnesses->len, log->size, checksum))
    return fail (name, "the log became shorter while it was read", error);
  GByteArray *file = make_file (log, kind, witnesses, checksum, content);
  const bool good = write_file (name, file, log->mode, error);
  g_byte_array_unref (file);
  return good;
}
