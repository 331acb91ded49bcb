/* spool-reader.c -- reads the buffers and names of a spool file. */
#include "config.h"

#include "decoder/ghc/ghc-losses.h"
#include "decoder/input/spool-logs.h"
#include "decoder/mlpd/mlpd-decode.h"

#include <errno.h>
#include <fcntl.h>
#include <proflog/ghc-encode.h>
#include <proflog/ghc-walk.h>
#include <proflog/mlpd-encode.h>
#include <proflog/mlpd-walk.h>
#include <proflog/read.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  SLOT_MIN = 16384, /* the header fits */
  SLOT_MAX = 1 << 26,
};
/* All that is recovered from a spool is in memory. */
#define REST_MAX ((uint64_t) 2 << 30)

struct spool {
  char *path;
  int fd;
  uint64_t size;
  struct proflog_spool_header header;
};

/* A missing part of the log. */
struct spool_piece {
  uint64_t sequence;
  uint64_t offset, length;          /* of its bytes in the spool */
  struct mlpd_buffer_header header; /* to be put before the events */
  bool is_name;                     /* the events have a header: `header` has the time alone */
};

static bool G_GNUC_PRINTF (3, 4)
    fail (const struct spool *spool, GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  char *why = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", spool->path, why);
  g_free (why);
  return false;
}

/* False if the file is shorter, with errno 0, or if reading fails. */
static bool
read_at (const struct spool *spool, uint64_t offset, void *to, size_t length)
{
  size_t done = 0;
  while (done < length) {
    errno = 0;
    const ssize_t n = pread (spool->fd, (char *) to + done, length - done, (off_t) (offset + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    done += (size_t) n;
  }
  return true;
}

bool
spool_is_at (const char *path)
{
  char magic[PROFLOG_SPOOL_MAGIC_SIZE];
  struct stat st;
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return false;
  const bool is_spool = fstat (fd, &st) == 0 && S_ISREG (st.st_mode)
                        && pread (fd, magic, sizeof magic, 0) == (ssize_t) sizeof magic
                        && memcmp (magic, PROFLOG_SPOOL_MAGIC, sizeof magic) == 0;
  close (fd);
  return is_spool;
}

/* The process that holds the writer's lock; 0: none; -1: one outside of this container. */
static long
lock_owner (int fd)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  if (fcntl (fd, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK)
    return 0;
  return lock.l_pid > 0 ? (long) lock.l_pid : -1;
}

long
spool_writer_of (const char *path)
{
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const long writer = fd >= 0 ? lock_owner (fd) : 0;
  if (fd >= 0)
    close (fd);
  return writer;
}

static bool
read_header (struct spool *spool, GError **error)
{
  struct proflog_spool_header *h = &spool->header;
  struct stat st;
  if (fstat (spool->fd, &st) != 0)
    return fail (spool, error, "%s", g_strerror (errno));
  spool->size = (uint64_t) st.st_size;
  const bool has_header = S_ISREG (st.st_mode) && read_at (spool, 0, h, sizeof *h);
  if (S_ISREG (st.st_mode) && !has_header && errno != 0)
    return fail (spool, error, "reading it at offset 0 failed (%s)", g_strerror (errno));
  if (!has_header || memcmp (h->magic, PROFLOG_SPOOL_MAGIC, sizeof h->magic) != 0)
    return fail (spool, error, "is no spool of the profiler");
  if (h->order != PROFLOG_SPOOL_ORDER)
    return fail (spool, error, "was written by a machine of another byte order");
  if (h->slot_size < SLOT_MIN || h->slot_size > SLOT_MAX
      || h->data_offset < sizeof (struct proflog_spool_slot) || h->data_offset >= h->slot_size
      || h->log_header_length > sizeof h->log_header)
    return fail (spool, error,
                 "is damaged: slots of %" G_GUINT32_FORMAT " bytes with data at %" G_GUINT32_FORMAT
                 ", a header of %" G_GUINT32_FORMAT " bytes",
                 h->slot_size, h->data_offset, h->log_header_length);
  if (h->log_header_length == 0)
    return fail (spool, error, "holds nothing: the process ended before it began its log");
  const long writer = lock_owner (spool->fd);
  if (writer < 0)
    return fail (
        spool, error,
        "is in use: a process outside of this container still runs, and will write it to the log");
  if (writer == 0)
    return true;
  return fail (spool, error, "is in use: process %ld still runs, and will write it to the log",
               writer);
}

struct spool *
spool_open (const char *path, GError **error)
{
  struct spool *spool = g_new0 (struct spool, 1);
  spool->path = g_strdup (path);
  spool->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (spool->fd < 0)
    fail (spool, error, "%s", g_strerror (errno));
  else if (read_header (spool, error))
    return spool;
  spool_close (spool);
  return NULL;
}

void
spool_close (struct spool *spool)
{
  if (spool == NULL)
    return;
  if (spool->fd >= 0)
    close (spool->fd);
  g_free (spool->path);
  g_free (spool);
}

const uint8_t *
spool_log_header (const struct spool *spool, size_t *length)
{
  *length = spool->header.log_header_length;
  return spool->header.log_header;
}

uint64_t
spool_log_length (const struct spool *spool)
{
  return spool->header.log_length;
}

int
spool_log_error (const struct spool *spool)
{
  return (int) spool->header.log_error;
}

/* ---- the missing parts ---- */

bool
spool_is_of_eventlog (const struct spool *spool)
{
  const struct proflog_spool_header *h = &spool->header;
  return h->log_header_length >= 4 && proflog_be32 (h->log_header) == GHC_HEADER_BEGIN;
}

/* This many bytes stand in the log before the events of a buffer. */
static size_t
frame_size (const struct spool *spool)
{
  return spool_is_of_eventlog (spool) ? GHC_BLOCK_MARKER_SIZE : MLPD_BUFFER_HEADER_SIZE;
}

struct spool_search {
  struct spool *spool;
  uint64_t log_length;
  struct spool_share *share;
  GArray *pieces;
  uint64_t latest; /* time base */
};

/* The log has this from `start` to `end`, or was going to have it. */
static bool
is_in_log (struct spool_search *s, uint64_t start, uint64_t end)
{
  if (s->log_length >= end)
    return true;
  if (start < s->share->log_length)
    s->share->log_length = start; /* its present part is not whole */
  return false;
}

/* The data version of the log's events. */
static unsigned
data_version (const struct proflog_spool_header *h)
{
  struct cursor c = cursor_over (h->log_header, h->log_header_length);
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  return header.data_version;
}

/* Goes over events, which the header stands before: then it is that of the next ones.  False if
 * they make no sense. */
static bool
pass_events (const struct spool *spool, const uint8_t *bytes, size_t length,
             struct mlpd_buffer_header *header)
{
  if (spool_is_of_eventlog (spool)) {
    struct ghc_walk walk = { .at = bytes, .end = bytes + length, .time = header->time_base };
    while (ghc_walk_event (&walk))
      ;
    header->time_base = walk.time;
    return walk.at == walk.end;
  }
  struct mlpd_walk walk;
  mlpd_walk_start (&walk, data_version (&spool->header), header);
  const bool good = mlpd_walk_over (&walk, bytes, length) == length;
  *header = mlpd_walk_header (&walk, header);
  return good;
}

/* The header of the events after the first `length` bytes of a slot.  False if these make no
 * sense: a spool with holes may state any length. */
static bool
find_header (struct spool_search *s, const struct proflog_spool_slot *slot, uint64_t offset,
             uint64_t length, struct mlpd_buffer_header *header)
{
  uint8_t *bytes = length <= REST_MAX ? g_try_malloc (length) : NULL;
  *header = slot->header;
  const bool good = bytes != NULL && read_at (s->spool, offset, bytes, length)
                    && pass_events (s->spool, bytes, length, header);
  g_free (bytes);
  return good;
}

/* Recovers those events of a slot that the log lacks.  False if they make no sense. */
static bool
recover_events (struct spool_search *s, const struct proflog_spool_slot *slot, uint64_t offset)
{
  const struct proflog_spool_part *part = &slot->parts[slot->part & 1];
  struct spool_piece piece
      = { .sequence = slot->sequence != 0 ? slot->sequence : UINT64_MAX, .header = slot->header };
  s->latest = MAX (s->latest, slot->header.time_base);
  if (part->from > part->to || part->to > slot->published)
    return false;
  uint64_t have = part->from;
  if (part->log_start != 0
      && is_in_log (s, part->log_start,
                    part->log_start + frame_size (s->spool) + part->to - part->from))
    have = part->to;
  if (have == slot->published)
    return true;
  if (have != 0 && !find_header (s, slot, offset, have, &piece.header))
    return false;
  piece.offset = offset + have;
  piece.length = slot->published - have;
  piece.header.length = (uint32_t) piece.length;
  g_array_append_val (s->pieces, piece);
  s->share->buffers++;
  return true;
}

/* Recovers those names of a slot that the log lacks.  False if they make no sense. */
static bool
recover_names (struct spool_search *s, const struct proflog_spool_slot *slot, uint64_t offset)
{
  const struct proflog_spool_header *h = &s->spool->header;
  struct proflog_spool_name name;
  uint64_t written = h->names_written;
  if (h->names_last != 0 && is_in_log (s, h->names_start, h->names_end))
    written = h->names_last;
  for (uint64_t at = 0; at + sizeof name <= slot->published;) {
    if (!read_at (s->spool, offset + at, &name, sizeof name))
      return false;
    at += sizeof name;
    if (name.length > slot->published - at || name.length < MLPD_BUFFER_HEADER_SIZE)
      return false;
    const struct spool_piece piece = { .sequence = name.sequence,
                                       .offset = offset + at,
                                       .length = name.length,
                                       .header = { .time_base = name.time },
                                       .is_name = true };
    if (name.sequence > written) {
      g_array_append_val (s->pieces, piece);
      s->share->names++;
    }
    at += PROFLOG_SPOOL_PADDED (name.length);
  }
  return true;
}

/* Recovers the events of a slot, of `left` bytes that there are from it on.  Returns how many it is
 * long. */
static uint64_t
recover_slot (struct spool_search *s, uint64_t number, uint64_t left)
{
  const struct proflog_spool_header *h = &s->spool->header;
  const uint64_t offset = number * h->slot_size;
  struct proflog_spool_slot slot;
  bool good = read_at (s->spool, offset, &slot, sizeof slot);
  const uint64_t length = good && slot.number == number ? MAX (slot.slots, 1) : 1;
  const bool is_whole = length <= left;
  if (good && slot.state != PROFLOG_SPOOL_FREE)
    good = is_whole && slot.number == number
           && slot.published <= length * h->slot_size - h->data_offset;
  if (good && slot.state == PROFLOG_SPOOL_EVENTS)
    good = recover_events (s, &slot, offset + h->data_offset);
  else if (good && slot.state == PROFLOG_SPOOL_NAMES)
    good = recover_names (s, &slot, offset + h->data_offset);
  else
    good = good && slot.state == PROFLOG_SPOOL_FREE;
  s->share->damages += !good;
  return is_whole ? length : 1;
}

/* Goes through all slots. */
static void
find_pieces (struct spool_search *s)
{
  const struct proflog_spool_header *h = &s->spool->header;
  const uint64_t slots = s->spool->size / h->slot_size;
  if (h->slots > slots)
    s->share->damages += h->slots - slots;
  for (uint64_t number = 1; number < slots;)
    number += recover_slot (s, number, slots - number);
}

/* In the order in which they were handed over; a thread's last one has not been. */
static int
compare_pieces (const void *a, const void *b)
{
  const struct spool_piece *p = a, *q = b;
  if (p->sequence != q->sequence)
    return p->sequence < q->sequence ? -1 : 1;
  return p->header.time_base < q->header.time_base ? -1 : p->header.time_base > q->header.time_base;
}

static void
put_header (GByteArray *rest, const struct mlpd_buffer_header *header)
{
  uint8_t raw[MLPD_BUFFER_HEADER_SIZE];
  mlpd_put_buffer_header (raw, header);
  g_byte_array_append (rest, raw, sizeof raw);
}

/* In front of the `length` bytes after `at`: they are a block.  False if they make no sense. */
static bool
mark_block (const struct spool *spool, GByteArray *rest, guint at, size_t length,
            const struct mlpd_buffer_header *header)
{
  struct mlpd_buffer_header last = *header;
  const bool good = pass_events (spool, rest->data + at + GHC_BLOCK_MARKER_SIZE, length, &last);
  const struct ghc_block_marker marker
      = { .block_size = (uint32_t) (GHC_BLOCK_MARKER_SIZE + length),
          .end_time = last.time_base,
          .cap = (uint16_t) header->thread };
  ghc_put_event_block_marker (rest->data + at, header->time_base, &marker);
  return good;
}

/* Adds the events of a piece, and the header before them. */
static bool
put_piece (struct spool_search *s, const struct spool_piece *piece)
{
  GByteArray *rest = s->share->rest;
  const bool is_block = spool_is_of_eventlog (s->spool);
  const guint at = rest->len;
  if (is_block)
    g_byte_array_set_size (rest, at + GHC_BLOCK_MARKER_SIZE);
  else if (!piece->is_name)
    put_header (rest, &piece->header);
  const guint before = rest->len;
  g_byte_array_set_size (rest, before + (guint) piece->length);
  if (!read_at (s->spool, piece->offset, rest->data + before, (size_t) piece->length))
    return false;
  if (is_block && !mark_block (s->spool, rest, at, (size_t) piece->length, &piece->header))
    s->share->damages++;
  return true;
}

static bool
put_pieces (struct spool_search *s, GError **error)
{
  uint64_t sum = 0;
  for (guint i = 0; i < s->pieces->len; i++) {
    const struct spool_piece *piece = &g_array_index (s->pieces, struct spool_piece, i);
    sum += piece->length + MLPD_BUFFER_HEADER_SIZE;
    if (sum > REST_MAX)
      return fail (s->spool, error, "holds more than %" G_GUINT64_FORMAT " bytes", REST_MAX);
    if (!put_piece (s, piece))
      return fail (s->spool, error,
                   "%" G_GUINT64_FORMAT " bytes at %" G_GUINT64_FORMAT " cannot be read",
                   piece->length, piece->offset);
  }
  return true;
}

/* A program that had nothing to record lived on. */
static void
put_seen_time (struct spool_search *s)
{
  const struct proflog_spool_header *h = &s->spool->header;
  uint8_t events[MLPD_MOMENT_MAX];
  struct mlpd_encoder e;
  mlpd_encoder_start (&e, data_version (h), h->seen_time);
  const uint8_t *const end = mlpd_put_moment (&e, events, h->writer);
  const size_t length = (size_t) (end - events);
  const struct mlpd_buffer_header header = mlpd_encoder_header (&e, h->writer, (uint32_t) length);
  put_header (s->share->rest, &header);
  g_byte_array_append (s->share->rest, events, (guint) length);
}

/* An empty buffer ends a log of which nothing is missing; an eventlog, its mark. */
static void
put_end (struct spool_search *s)
{
  static const uint8_t mark[] = { GHC_DATA_END >> 8, GHC_DATA_END & 0xff };
  if (spool_is_of_eventlog (s->spool)) {
    g_byte_array_append (s->share->rest, mark, sizeof mark);
    return;
  }
  const struct proflog_spool_header *h = &s->spool->header;
  uint64_t latest = MAX (s->latest, h->log_time);
  for (guint i = 0; i < s->pieces->len; i++)
    latest = MAX (latest, g_array_index (s->pieces, struct spool_piece, i).header.time_base);
  if (h->seen_time > latest) {
    put_seen_time (s);
    latest = h->seen_time;
  }
  const struct mlpd_buffer_header end
      = { .id = MLPD_BUFFER_ID, .time_base = latest, .thread = h->writer };
  put_header (s->share->rest, &end);
}

/* The message of an eventlog about events that are in neither. */
static void
put_loss_message (struct spool_search *s, uint64_t time)
{
  const struct proflog_spool_header *h = &s->spool->header;
  char text[GHC_LOSSES_MAX];
  uint8_t bytes[GHC_BLOCK_MARKER_SIZE + sizeof text + 64], *const events
                                                           = bytes + GHC_BLOCK_MARKER_SIZE;
  ghc_losses_text (text, h->lost_events, (int) h->log_error);
  const struct ghc_log_msg message = { .message = { text, strlen (text) } };
  const size_t length = (size_t) (ghc_put_event_log_msg (events, time, &message) - bytes);
  const struct ghc_block_marker marker
      = { .block_size = (uint32_t) length, .end_time = time, .cap = GHC_NO_CAP };
  ghc_put_event_block_marker (bytes, time, &marker);
  g_byte_array_append (s->share->rest, bytes, (guint) length);
}

/* Adds the dropped events that the log does not state. */
static void
put_losses (struct spool_search *s)
{
  const struct proflog_spool_header *h = &s->spool->header;
  const uint64_t time = MAX (s->latest, h->log_time);
  if (h->lost_events == 0)
    return;
  if (spool_is_of_eventlog (s->spool)) {
    put_loss_message (s, time);
    return;
  }
  const struct mlpd_buffer_header mark
      = mlpd_loss_mark (time, h->writer, h->lost_events, (int) h->log_error);
  put_header (s->share->rest, &mark);
}

static bool
fill_share (struct spool_search *s, uint64_t border, GError **error)
{
  const struct proflog_spool_header *h = &s->spool->header;
  struct spool_share *share = s->share;
  find_pieces (s);
  g_array_sort (s->pieces, compare_pieces);
  if (share->log_length < h->log_header_length) {
    share->log_length = 0;
    g_byte_array_append (share->rest, h->log_header, h->log_header_length);
  }
  const uint64_t have = share->log_length + share->rest->len;
  if (h->log_length > have) { /* the log is shorter than it was */
    share->missing = h->log_length - have;
    share->log_length = MIN (share->log_length, border);
  } else if (!spool_is_of_eventlog (s->spool) && share->log_length > border
             && share->log_length - border < MLPD_BUFFER_HEADER_SIZE) {
    share->log_length = border; /* the program was killed within a check mark */
  }
  if (!put_pieces (s, error))
    return false;
  put_losses (s);
  if (share->missing == 0 && share->damages == 0 && share->spool_error == 0)
    put_end (s);
  return true;
}

bool
spool_share (struct spool *spool, uint64_t log_length, uint64_t border, struct spool_share *share,
             GError **error)
{
  struct spool_search s = { .spool = spool, .log_length = log_length, .share = share };
  *share = (struct spool_share){ .log_length = log_length,
                                 .rest = g_byte_array_new (),
                                 .log_error = (int) spool->header.log_error,
                                 .spool_error = (int) spool->header.spool_error };
  if (spool->header.log_end != 0 && log_length >= spool->header.log_end)
    return true; /* killed after that, before it could remove the spool */
  s.pieces = g_array_new (FALSE, FALSE, sizeof (struct spool_piece));
  const bool good = fill_share (&s, border, error);
  g_array_unref (s.pieces);
  if (!good)
    g_clear_pointer (&share->rest, g_byte_array_unref);
  return good;
}
