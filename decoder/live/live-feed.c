/* live-feed.c -- detects where logs begin in a stream, and feeds their readers.
 *
 * Of a log of Mono the reader is given whole buffers, so that the feed sees the bytes after each;
 * bytes that do not look like buffers are left to it, until it stands where one may begin.
 */
#include "config.h"

#include "decoder/live/live-feed.h"
#include "decoder/mlpd/index/buffers.h"
#include "decoder/mlpd/mlpd-decode.h"
#include <string.h>

/* Bytes that are worth a scan by themselves. */
#define SCAN_BYTES ((size_t) 1 << 20)

/* Longest header of a log: its texts are bounded. */
#define HEADER_BYTES_MAX ((size_t) 1 << 20)

enum { ID_SIZE = 4, GHC_END_SIZE = 2 };

enum feed_format { FEED_UNKNOWN, FEED_MONO, FEED_GHC };

struct live_feed {
  const struct live_handler *handler;
  live_feed_judge judge; /* NULL: all damage is handed on */
  void *judge_data;
  enum feed_format format;
  struct mlpd_reader *mono;
  struct ghc_reader *ghc;
  GByteArray *bytes; /* that came and were not read: those from `at` on */
  size_t at;
  uint64_t offset;            /* of these in their log */
  bool has_header;            /* of a log of Mono */
  bool is_complete;           /* the end mark was the last */
  bool is_at_end;             /* nothing follows the bytes at hand */
  uint8_t last[GHC_END_SIZE]; /* bytes of an eventlog that came last */
  GError *error;
};

struct live_feed *
live_feed_new (const struct live_handler *handler)
{
  struct live_feed *f = g_new0 (struct live_feed, 1);
  f->handler = handler;
  f->bytes = g_byte_array_new ();
  return f;
}

void
live_feed_set_judge (struct live_feed *f, live_feed_judge judge, void *data)
{
  f->judge = judge;
  f->judge_data = data;
}

bool
live_feed_is_eventlog (const struct live_feed *f)
{
  return f->ghc != NULL;
}

static void
free_readers (struct live_feed *f)
{
  g_clear_pointer (&f->mono, mlpd_reader_free);
  g_clear_pointer (&f->ghc, ghc_reader_free);
  f->format = FEED_UNKNOWN;
  f->offset = 0;
  f->has_header = f->is_complete = false;
}

void
live_feed_free (struct live_feed *f)
{
  if (f == NULL)
    return;
  free_readers (f);
  g_byte_array_unref (f->bytes);
  g_clear_error (&f->error);
  g_free (f);
}

const GError *
live_feed_error (const struct live_feed *f)
{
  return f->error;
}

static size_t
left (const struct live_feed *f)
{
  return f->bytes->len - f->at;
}

static const uint8_t *
here (const struct live_feed *f)
{
  return f->bytes->data + f->at;
}

bool
live_feed_is_complete (const struct live_feed *f)
{
  return f->is_complete && left (f) == 0 && (f->mono == NULL || mlpd_reader_is_at_border (f->mono));
}

bool
live_feed_is_waiting (const struct live_feed *f)
{
  return left (f) != 0 || (f->mono != NULL && !mlpd_reader_is_at_border (f->mono))
         || (f->ghc != NULL && !f->is_complete && !ghc_reader_is_at_border (f->ghc));
}

bool
live_feed_waits_after_end (const struct live_feed *f)
{
  struct mlpd_buffer_header buffer;
  if (!live_feed_is_waiting (f))
    return false;
  if (f->ghc != NULL)
    return f->last[0] == 0xff && f->last[1] == 0xff;
  if (left (f) < MLPD_BUFFER_HEADER_SIZE)
    return false;
  struct cursor c
      = cursor_over (here (f) + left (f) - MLPD_BUFFER_HEADER_SIZE, MLPD_BUFFER_HEADER_SIZE);
  mlpd_decode_buffer_header (&c, &buffer);
  return c.error == CURSOR_OK && buffer.id == MLPD_BUFFER_ID && mlpd_is_end_mark (&buffer);
}

/* After which nothing is read. */
static bool
fail (struct live_feed *f, const GError *error)
{
  f->error = g_error_copy (error);
  return false;
}

/* Whether the handler gets an item: it is none of damage, or that counts. */
static bool
is_handed_on (const struct live_feed *f, const struct live_feed_damage *damage)
{
  return f->judge == NULL || f->judge (f->judge_data, damage);
}

/* ---- logs of Mono ---- */

static bool
is_mono_handed_on (const struct live_feed *f, const struct mlpd_item *item)
{
  const struct mlpd_damage *const d = item->damage;
  return item->type != MLPD_ITEM_DAMAGE
         || is_handed_on (f, &(const struct live_feed_damage){
                                 .message = d->message,
                                 .skipped = d->skipped,
                                 .is_end = d->reason == MLPD_DAMAGE_TRUNCATED,
                                 .is_slowness = d->reason == MLPD_DAMAGE_LOST && d->error == 0 });
}

static bool
pull_mono (struct live_feed *f)
{
  const struct mlpd_item *item;
  enum proflog_result result;
  while ((result = mlpd_reader_next (f->mono, &item)) == PROFLOG_EVENT) {
    if (item->type == MLPD_ITEM_BUFFER)
      f->is_complete = mlpd_is_end_mark (item->buffer);
    if (is_mono_handed_on (f, item))
      f->handler->mono (f->handler->data, item);
  }
  return result != PROFLOG_ERROR || fail (f, mlpd_reader_error (f->mono));
}

/* The reader reads this many bytes. */
static bool
read_mono (struct live_feed *f, size_t length)
{
  mlpd_reader_push (f->mono, here (f), length);
  const bool good = pull_mono (f);
  f->at += length;
  f->offset += length;
  return good;
}

static const uint8_t header_id[ID_SIZE] = { MLPD_FILE_ID & 0xff, MLPD_FILE_ID >> 8 & 0xff,
                                            MLPD_FILE_ID >> 16 & 0xff, MLPD_FILE_ID >> 24 };

static bool
is_header_id (const uint8_t *bytes)
{
  return memcmp (bytes, header_id, ID_SIZE) == 0;
}

/* How many bytes the header of a log has that is at hand: 0 if it goes on, or is none. */
static size_t
measure_header (const uint8_t *bytes, size_t length, bool *goes_on)
{
  struct cursor c = cursor_over (bytes, length);
  struct mlpd_file_header header;
  mlpd_decode_file_header (&c, &header);
  *goes_on = c.error == CURSOR_SHORT && length < HEADER_BYTES_MAX;
  return c.error == CURSOR_OK && header.id == MLPD_FILE_ID && header.data_version != 0
                 && header.data_version <= MLPD_VERSION_LAST
             ? (size_t) (c.at - bytes)
             : 0;
}

/* Another log begins here. */
static bool
begin_other (struct live_feed *f)
{
  mlpd_reader_finish (f->mono);
  const bool good = pull_mono (f);
  free_readers (f);
  f->format = FEED_MONO;
  f->mono = mlpd_reader_new ();
  return good;
}

static bool
read_header (struct live_feed *f, bool *short_of)
{
  bool goes_on;
  const size_t length = measure_header (here (f), left (f), &goes_on);
  if (goes_on && is_header_id (here (f))) {
    *short_of = true;
    return true;
  }
  f->has_header = true;
  return read_mono (f, length != 0 ? length : left (f));
}

/* The bytes of whole buffers at hand, at most SCAN_BYTES and a buffer.  `only_first`: the first
 * alone. */
static size_t
measure_buffers (const struct live_feed *f, bool only_first, bool *end_mark, bool *goes_on)
{
  size_t at = 0;
  *goes_on = false;
  while (left (f) - at >= MLPD_BUFFER_HEADER_SIZE && at < SCAN_BYTES) {
    struct cursor c = cursor_over (here (f) + at, left (f) - at);
    struct mlpd_buffer_header buffer;
    mlpd_decode_buffer_header (&c, &buffer);
    if (!buffer_is_plain (&buffer))
      return at;
    const size_t length = MLPD_BUFFER_HEADER_SIZE + (size_t) buffer.length;
    if (length > left (f) - at) {
      *goes_on = true;
      return at;
    }
    at += length;
    *end_mark = mlpd_is_end_mark (&buffer);
    if (only_first)
      return at;
  }
  *goes_on = at < SCAN_BYTES;
  return at;
}

/* In a damaged buffer of this many bytes: where another log begins, as its writer began anew; 0 if
 * none does.  There are more bytes after, as its header may go on there. */
static size_t
find_other (const uint8_t *bytes, size_t length, size_t there)
{
  for (size_t at = 1; at < length && at + ID_SIZE <= there; at++) {
    const size_t reach = MIN (length + ID_SIZE - 1, there);
    const uint8_t *found = memmem (bytes + at, reach - at, header_id, ID_SIZE);
    bool goes_on;
    if (found == NULL)
      return 0;
    at = (size_t) (found - bytes);
    if (measure_header (found, there - at, &goes_on) != 0 || goes_on)
      return at;
  }
  return 0;
}

static bool
is_loss_mark (const struct live_feed *f)
{
  struct cursor c = cursor_over (here (f), left (f));
  struct mlpd_buffer_header buffer;
  mlpd_decode_buffer_header (&c, &buffer);
  return c.error == CURSOR_OK && buffer.id == MLPD_BUFFER_ID && mlpd_is_loss_mark (&buffer);
}

/* How many of the last bytes at hand are the beginning of a header's id, of which the rest may
 * follow. */
static size_t
measure_begun_id (const struct live_feed *f)
{
  size_t n = f->is_at_end ? 0 : MIN (left (f), ID_SIZE - 1);
  while (n != 0 && memcmp (here (f) + left (f) - n, header_id, n) != 0)
    n--;
  return n;
}

/* The reader is the judge of bytes that are no whole buffer, up to another log in them. */
static bool
read_odd (struct live_feed *f)
{
  if (mlpd_reader_is_at_border (f->mono) && is_loss_mark (f))
    return read_mono (f, MLPD_BUFFER_HEADER_SIZE);
  const size_t other = find_other (here (f), left (f), left (f));
  if (other != 0)
    return read_mono (f, other) && begin_other (f);
  return read_mono (f, left (f) - measure_begun_id (f));
}

static bool
read_buffers (struct live_feed *f, bool wait, bool *short_of)
{
  const bool scans = f->handler->buffers != NULL;
  bool end_mark = false, goes_on;
  const size_t length = measure_buffers (f, !scans, &end_mark, &goes_on);
  if (length == 0 && goes_on) {
    *short_of = true;
    return true;
  }
  if (length == 0)
    return read_odd (f);
  if (scans && goes_on && wait && length < SCAN_BYTES) {
    *short_of = true;
    return true;
  }
  f->is_complete = end_mark;
  const size_t other = find_other (here (f), length, left (f));
  if (other != 0)
    return read_mono (f, other) && begin_other (f);
  if (scans && f->handler->buffers (f->handler->data, here (f), length, f->offset)) {
    mlpd_reader_pass (f->mono, length, end_mark);
    f->at += length;
    f->offset += length;
    return true;
  }
  const size_t first = scans ? measure_buffers (f, true, &end_mark, &goes_on) : length;
  return read_mono (f, first);
}

/* Reads the bytes at hand where a buffer may begin, or before the header. */
static bool
read_some_mono (struct live_feed *f, bool wait, bool *short_of)
{
  if (!f->has_header)
    return read_header (f, short_of);
  if (left (f) < ID_SIZE) {
    *short_of = true;
    return true;
  }
  if (!mlpd_reader_is_at_border (f->mono) && !is_header_id (here (f)))
    return read_odd (f);
  bool goes_on;
  if (!is_header_id (here (f)))
    return read_buffers (f, wait, short_of);
  if (measure_header (here (f), left (f), &goes_on) != 0)
    return begin_other (f);
  *short_of = goes_on;
  return goes_on || read_odd (f);
}

/* ---- both ---- */

static bool
is_ghc_handed_on (const struct live_feed *f, const struct ghc_item *item)
{
  const struct ghc_damage *const d = item->damage;
  return item->type != GHC_ITEM_DAMAGE
         || is_handed_on (
             f, &(const struct live_feed_damage){ .message = d->message,
                                                  .skipped = d->skipped,
                                                  .is_end = d->reason == GHC_DAMAGE_TRUNCATED });
}

static bool
pull_ghc (struct live_feed *f)
{
  const struct ghc_item *item;
  enum proflog_result result;
  while ((result = ghc_reader_next (f->ghc, &item)) == PROFLOG_EVENT) {
    f->is_complete = item->type == GHC_ITEM_END;
    if (is_ghc_handed_on (f, item))
      f->handler->ghc (f->handler->data, item);
  }
  return result != PROFLOG_ERROR || fail (f, ghc_reader_error (f->ghc));
}

static bool
read_some_ghc (struct live_feed *f)
{
  for (size_t i = left (f) - MIN (left (f), GHC_END_SIZE); i < left (f); i++) {
    f->last[0] = f->last[1];
    f->last[1] = here (f)[i];
  }
  ghc_reader_push (f->ghc, here (f), left (f));
  f->at = f->bytes->len;
  return pull_ghc (f);
}

/* Eventlogs begin with a header of their own or the marker of a block, event 18; the reader of
 * Mono's logs names the format of other bytes. */
static void
recognise (struct live_feed *f)
{
  static const uint8_t header[] = { 'h', 'd', 'r', 'b' }, marker[] = { 0, 18 };
  const bool is_ghc = left (f) >= ID_SIZE
                      && (memcmp (here (f), header, ID_SIZE) == 0
                          || memcmp (here (f), marker, sizeof marker) == 0);
  f->format = is_ghc ? FEED_GHC : FEED_MONO;
  if (is_ghc)
    f->ghc = ghc_reader_new ();
  else
    f->mono = mlpd_reader_new ();
}

/* Reads the bytes at hand as far as they are whole; `wait`: buffers may wait for others. */
static bool
read_all (struct live_feed *f, bool wait)
{
  bool good = f->error == NULL, short_of = false;
  while (good && !short_of && left (f) != 0) {
    if (f->format == FEED_UNKNOWN && left (f) < ID_SIZE)
      break;
    if (f->format == FEED_UNKNOWN)
      recognise (f);
    good = f->format == FEED_GHC ? read_some_ghc (f) : read_some_mono (f, wait, &short_of);
  }
  if (f->at != 0)
    g_byte_array_remove_range (f->bytes, 0, (guint) f->at);
  f->at = 0;
  return good;
}

bool
live_feed_push (struct live_feed *f, const uint8_t *bytes, size_t length)
{
  g_byte_array_append (f->bytes, bytes, (guint) length);
  return read_all (f, true);
}

bool
live_feed_flush (struct live_feed *f)
{
  return read_all (f, false);
}

bool
live_feed_read_part (struct live_feed *f)
{
  if (f->error != NULL || f->format != FEED_MONO || !f->has_header
      || left (f) < MLPD_BUFFER_HEADER_SIZE)
    return f->error == NULL;
  return read_odd (f) && read_all (f, false);
}

bool
live_feed_finish (struct live_feed *f)
{
  f->is_at_end = true;
  bool good = read_all (f, false);
  if (good && f->format == FEED_UNKNOWN && left (f) != 0)
    recognise (f);
  if (good && f->format == FEED_MONO) {
    while (good && left (f) != 0)
      good = read_odd (f) && read_all (f, false);
    mlpd_reader_finish (f->mono);
    good = pull_mono (f);
  } else if (good && f->format == FEED_GHC) {
    ghc_reader_finish (f->ghc);
    good = pull_ghc (f);
  }
  return good;
}

void
live_feed_begin (struct live_feed *f)
{
  live_feed_finish (f);
  f->is_at_end = false;
  free_readers (f);
  g_byte_array_set_size (f->bytes, 0);
  f->at = 0;
  g_clear_error (&f->error);
}
