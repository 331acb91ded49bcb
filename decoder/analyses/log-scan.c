/* log-scan.c -- a ring of stretches: read by one thread at a time, scanned by any, merged by the
 * caller's in file order.
 *
 * The reader is the judge of what the bytes mean.  As long as it stands where a stretch begins, and
 * the scan of the stretch found nothing wrong, the scan is merged and the reader passes the
 * stretch.  Else it reads the stretch, and the scan is forgotten.
 */
#include "decoder/analyses/log-scan.h"
#include "config.h"
#include "decoder/analyses/scan-masses.h"
#include "decoder/analyses/stretches.h"
#include "decoder/formats/mlpd-decode.h"
#include "decoder/formats/mlpd-describe.h"
#include <pthread.h>

/* Bytes that are read at once of what was passed. */
#define READ_BYTES ((size_t) 1 << 20)

#define SLOTS_MAX (2 * LOG_SCAN_THREADS_MAX + 1)

enum slot_state {
  SLOT_FREE,
  SLOT_BUSY,
  SLOT_SCANNED,
};

struct slot {
  enum slot_state state;
  struct stretch stretch;
  struct mlpd_file_header header;
  uint64_t alloc_sampling;
  size_t rest;   /* bytes behind the stretch, which was cut as too much is kept of it */
  bool is_whole; /* the scan says what the stretch has */
  struct scan scan;
};

struct ring {
  pthread_mutex_t lock; /* those of GLib are unknown to the thread sanitizer */
  pthread_cond_t changed;
  struct stretches stretches;
  struct log_scan_sizes sizes;
  size_t stretch; /* bytes, at most: fewer where much is kept */
  struct slot slots[SLOTS_MAX];
  unsigned n_slots;
  unsigned next_read; /* slots are used in turn */
  unsigned next_merge;
  bool reading;  /* a thread is */
  bool at_end;   /* of the input, or stopped */
  GError *error; /* of the input */

  struct summary *summary;
  struct mlpd_reader *reader;
  const struct log_scan_watch *watch;
};

/* ---- scanning ---- */

/* Bytes of a stretch that was not read, as it is scanned. */
struct piece {
  uint8_t *bytes;
  size_t room;
  size_t held;   /* bytes of a buffer that goes on */
  size_t needed; /* bytes that it has */
  bool end_mark; /* the last buffer was empty */
};

/* Scans whole buffers; false if there is something else. */
static bool
scan_buffers (struct scan *scan, const uint8_t *bytes, size_t length, uint64_t offset,
              struct piece *piece)
{
  size_t at = 0;
  piece->needed = MLPD_BUFFER_HEADER_SIZE;
  while (length - at >= MLPD_BUFFER_HEADER_SIZE) {
    struct cursor c = cursor_over (bytes + at, length - at);
    struct mlpd_buffer_header buffer;
    mlpd_decode_buffer_header (&c, &buffer);
    piece->needed = MLPD_BUFFER_HEADER_SIZE + (size_t) buffer.length;
    if (buffer.id != MLPD_BUFFER_ID || buffer.length > BUFFER_WHOLE_MAX)
      return false;
    if (piece->needed > length - at)
      break;
    if (!scan_block (scan, &buffer, c.at, buffer.length, offset + at + MLPD_BUFFER_HEADER_SIZE))
      return false;
    at += piece->needed;
    piece->needed = MLPD_BUFFER_HEADER_SIZE;
    piece->end_mark = buffer.length == 0;
  }
  piece->held = length - at;
  return true;
}

/* Bytes that one scan keeps, before its stretch is cut behind the present piece. */
static size_t
kept_at_most (const struct ring *r)
{
  return r->sizes.kept / r->n_slots;
}

/* Reads and scans a slot's stretch.  False if it is not made of whole buffers. */
static bool
scan_pieces (const struct ring *r, struct slot *slot, struct piece *piece)
{
  struct scan *const scan = &slot->scan;
  struct stretch *const stretch = &slot->stretch;
  piece->held = piece->needed = 0;
  for (size_t at = 0; at < stretch->length;) {
    if (piece->room < MAX (r->sizes.piece, piece->needed)) {
      piece->room = MAX (r->sizes.piece, piece->needed);
      piece->bytes = g_realloc (piece->bytes, piece->room);
    }
    const size_t wanted = MIN (piece->room - piece->held, stretch->length - at);
    if (log_input_read_at (r->stretches.input, stretch->offset + at, piece->bytes + piece->held,
                           wanted)
        != wanted)
      return false;
    const uint64_t offset = stretch->offset + at - piece->held;
    const size_t length = piece->held + wanted;
    at += wanted;
    if (!scan_buffers (scan, piece->bytes, length, offset, piece))
      return false;
    if (scan->kept > kept_at_most (r) && at < stretch->length && at > piece->held) {
      slot->rest = stretch->length - at + piece->held;
      stretch->length -= slot->rest;
      piece->held = 0;
      return true;
    }
    memmove (piece->bytes, piece->bytes + length - piece->held, piece->held);
  }
  return piece->held == 0;
}

static bool
scan_stretch (const struct ring *r, struct slot *slot, struct piece *piece)
{
  struct stretch *const stretch = &slot->stretch;
  slot->rest = 0;
  scan_start (&slot->scan, &slot->header, slot->alloc_sampling);
  if (stretch->unread
          ? !scan_pieces (r, slot, piece)
          : !scan_buffers (&slot->scan, stretch->bytes, stretch->length, stretch->offset, piece))
    return false;
  stretch->end_mark = piece->end_mark;
  scan_finish (&slot->scan);
  return piece->held == 0;
}

/* Stretches are to be as long as they can be without being cut.  With the lock. */
static void
learn_length (struct ring *r, const struct slot *slot)
{
  if (slot->rest != 0)
    r->stretch = MIN (r->stretch, MAX (slot->stretch.length, STRETCH_BYTES_MIN));
  else if (slot->scan.kept < kept_at_most (r) / 4)
    r->stretch = MIN (2 * r->stretch, r->sizes.stretch);
}

/* Reads and scans the next stretch, if there is a slot for it.  With the lock held, which is given
 * up meanwhile. */
static bool
scan_next (struct ring *r, struct piece *piece)
{
  struct slot *slot = &r->slots[r->next_read % r->n_slots];
  if (r->reading || r->at_end || slot->state != SLOT_FREE)
    return false;
  r->reading = true;
  r->stretches.bytes = r->stretch;
  slot->state = SLOT_BUSY;
  pthread_mutex_unlock (&r->lock);
  GError *error = NULL;
  const bool good = stretches_next (&r->stretches, &slot->stretch, &error);
  slot->header = r->stretches.header;
  slot->alloc_sampling = r->stretches.alloc_sampling;
  pthread_mutex_lock (&r->lock);
  r->reading = false;
  if (!good || slot->stretch.length == 0) {
    r->error = error;
    r->at_end = true;
    slot->state = SLOT_FREE;
    pthread_cond_broadcast (&r->changed);
    return true;
  }
  r->next_read++;
  pthread_cond_broadcast (&r->changed);
  pthread_mutex_unlock (&r->lock);
  slot->is_whole = !slot->stretch.plain && !slot->stretch.passed && scan_stretch (r, slot, piece);
  pthread_mutex_lock (&r->lock);
  if (slot->is_whole && slot->stretch.unread)
    learn_length (r, slot);
  slot->state = SLOT_SCANNED;
  pthread_cond_broadcast (&r->changed);
  return true;
}

static void *
help (void *data)
{
  struct ring *r = data;
  struct piece piece = { 0 };
  pthread_mutex_lock (&r->lock);
  while (!r->at_end)
    if (!scan_next (r, &piece))
      pthread_cond_wait (&r->changed, &r->lock);
  pthread_mutex_unlock (&r->lock);
  g_free (piece.bytes);
  return NULL;
}

/* ---- merging ---- */

/* Pulls what the reader has; false after an error. */
static bool
pull (struct ring *r)
{
  const struct mlpd_item *item;
  enum proflog_result result;
  while ((result = mlpd_reader_next (r->reader, &item)) == PROFLOG_EVENT) {
    if (summary_passes (r->summary, item))
      mlpd_reader_skip_buffer (r->reader);
    summary_item (r->summary, item);
    r->watch->item (r->watch->data, item);
  }
  return result != PROFLOG_ERROR;
}

/* A stretch that nobody asks for. */
static void
merge_passed (struct ring *r, const struct stretch *stretch)
{
  summary_merge_items (r->summary);
  mlpd_reader_pass (r->reader, stretch->length, stretch->end_mark);
  r->summary->log.bytes = stretch->offset + stretch->length;
}

/* The reader reads a stretch that is not here.  If the file became shorter, that was all. */
static bool
read_stretch (struct ring *r, const struct stretch *stretch)
{
  uint8_t *bytes = g_malloc (READ_BYTES);
  bool good = true;
  for (size_t at = 0, n; good && at < stretch->length; at += n) {
    n = log_input_read_at (r->stretches.input, stretch->offset + at, bytes,
                           MIN (READ_BYTES, stretch->length - at));
    if (n == 0)
      break;
    mlpd_reader_push (r->reader, bytes, n);
    good = pull (r);
  }
  g_free (bytes);
  return good;
}

/* If the reader is not where a stretch begins, damage before it changed what its bytes mean, and
 * they are read after all. */
static bool
merge_slot (struct ring *r, const struct slot *slot)
{
  const struct stretch *stretch = &slot->stretch;
  const bool at_border = mlpd_reader_is_at_border (r->reader);
  if (stretch->passed && at_border) {
    merge_passed (r, stretch);
    return true;
  }
  if (slot->is_whole && at_border) {
    summary_merge_items (r->summary);
    summary_merge (r->summary, &slot->scan, stretch->offset + stretch->length);
    mlpd_reader_pass (r->reader, stretch->length, stretch->end_mark);
    return true;
  }
  if (stretch->passed || stretch->unread)
    return read_stretch (r, stretch);
  mlpd_reader_push (r->reader, stretch->bytes, stretch->length);
  return pull (r);
}

/* What a stretch was cut by is scanned when that is merged. */
static bool
merge_rest (struct ring *r, struct slot *slot, struct piece *piece)
{
  slot->stretch.offset += slot->stretch.length;
  slot->stretch.length = slot->rest;
  slot->is_whole = scan_stretch (r, slot, piece);
  return merge_slot (r, slot);
}

/* Until all is read and merged; with the lock held. */
static bool
merge_all (struct ring *r)
{
  struct piece piece = { 0 };
  bool good = true;
  while (good) {
    struct slot *slot = &r->slots[r->next_merge % r->n_slots];
    if (slot->state == SLOT_SCANNED) {
      pthread_mutex_unlock (&r->lock);
      good = merge_slot (r, slot);
      r->watch->progress (r->watch->data, slot->stretch.offset + slot->stretch.length);
      while (good && slot->rest != 0) {
        good = merge_rest (r, slot, &piece);
        r->watch->progress (r->watch->data, slot->stretch.offset + slot->stretch.length);
      }
      pthread_mutex_lock (&r->lock);
      slot->state = SLOT_FREE;
      r->next_merge++;
      pthread_cond_broadcast (&r->changed);
    } else if (!scan_next (r, &piece)) {
      if (r->at_end && r->next_merge == r->next_read)
        break;
      pthread_cond_wait (&r->changed, &r->lock);
    }
  }
  r->at_end = true;
  pthread_cond_broadcast (&r->changed);
  g_free (piece.bytes);
  return good;
}

bool
log_scan_stretches (struct summary *summary, struct log_input *input, unsigned threads,
                    struct log_scan_sizes sizes, const struct log_scan_watch *watch, GError **error)
{
  if (threads == 0)
    threads = g_get_num_processors ();
  threads = MIN (threads, LOG_SCAN_THREADS_MAX);
  struct ring *r = g_new0 (struct ring, 1);
  r->summary = summary;
  r->watch = watch;
  r->reader = mlpd_reader_new ();
  r->n_slots = 2 * threads + 1;
  pthread_mutex_init (&r->lock, NULL);
  pthread_cond_init (&r->changed, NULL);
  r->sizes = sizes;
  r->stretch = sizes.stretch;
  stretches_init (&r->stretches, input, threads, sizes.stretch);
  stretches_choose (&r->stretches, summary->options.choice);
  for (unsigned i = 0; i < r->n_slots; i++)
    scan_init (&r->slots[i].scan, &summary->options);

  /* What is worked out at first use is worked out before there are several threads. */
  mlpd_describe (0);
  scan_has_bmi2 ();
  pthread_t helpers[LOG_SCAN_THREADS_MAX];
  unsigned n_helpers = 0; /* fewer where the system has no more threads */
  while (n_helpers + 1 < threads && pthread_create (&helpers[n_helpers], NULL, help, r) == 0)
    n_helpers++;
  pthread_mutex_lock (&r->lock);
  bool good = merge_all (r);
  pthread_mutex_unlock (&r->lock);
  for (unsigned i = 0; i < n_helpers; i++)
    pthread_join (helpers[i], NULL);

  if (r->error != NULL) {
    g_propagate_error (error, r->error);
    good = false;
  } else if (good) {
    mlpd_reader_finish (r->reader);
    good = pull (r);
  }
  if (!good && mlpd_reader_error (r->reader) != NULL)
    g_set_error_literal (error, mlpd_reader_error (r->reader)->domain,
                         mlpd_reader_error (r->reader)->code,
                         mlpd_reader_error (r->reader)->message);
  for (unsigned i = 0; i < r->n_slots; i++) {
    scan_clear (&r->slots[i].scan);
    g_free (r->slots[i].stretch.bytes);
  }
  stretches_clear (&r->stretches);
  mlpd_reader_free (r->reader);
  pthread_mutex_destroy (&r->lock);
  pthread_cond_destroy (&r->changed);
  g_free (r);
  return good;
}

bool
log_scan (struct summary *summary, struct log_input *input, unsigned threads,
          const struct log_scan_watch *watch, GError **error)
{
  const struct scan_options *options = &summary->options;
  /* Pieces are few bytes, so that they stay in the cache. */
  struct log_scan_sizes sizes
      = { .stretch = (size_t) 32 << 20, .piece = (size_t) 256 << 10, .kept = (size_t) 16 << 20 };
  if (options->objects != NULL)
    sizes.stretch /= 128; /* all may be kept, of an allocation twenty times its bytes */
  else if (options->traces || options->replay_calls) /* much is kept of each event then */
    sizes.stretch /= 4;
  return log_scan_stretches (summary, input, threads, sizes, watch, error);
}
