/* log-recovery.c -- finds the spool of a log, and reports its use. */
#include "config.h"

#include "decoder/input/log-file.h"
#include "decoder/input/spool-logs.h"

#include <glib/gstdio.h>
#include <proflog/ghc-walk.h>
#include <proflog/mlpd-reader.h>
#include <string.h>
#include <unistd.h>

/* The file, inflated: its length, its first bytes, the end of its last whole buffer. */
struct extent {
  uint64_t length, border;
  uint8_t start[PROFLOG_SPOOL_LOG_HEADER_MAX];
};

/* Goes from buffer to buffer, or from block to block of an eventlog. */
struct recovery_walk {
  bool is_eventlog;
  uint64_t next; /* where a buffer's header is expected */
  uint8_t header[MLPD_BUFFER_HEADER_SIZE];
};

/* The bytes from the buffer's header that is there to the next one; 0: it is none. */
static uint64_t
buffer_size (const struct recovery_walk *walk)
{
  if (walk->is_eventlog) {
    struct ghc_walk event = { .at = walk->header, .end = walk->header + GHC_BLOCK_MARKER_SIZE };
    return ghc_walk_event (&event) && event.tag == GHC_TAG_BLOCK_MARKER
               ? GHC_WALK_FIELD (event.payload, block_marker, block_size)
               : 0;
  }
  uint32_t words[2]; /* id, length */
  memcpy (words, walk->header, sizeof words);
  return GUINT32_FROM_LE (words[0]) == MLPD_BUFFER_ID
             ? MLPD_BUFFER_HEADER_SIZE + (uint64_t) GUINT32_FROM_LE (words[1])
             : 0;
}

static void
measure_chunk (struct extent *extent, struct recovery_walk *walk, const uint8_t *bytes,
               size_t length)
{
  const uint64_t end = extent->length + length;
  if (extent->length < sizeof extent->start)
    memcpy (extent->start + extent->length, bytes,
            MIN (length, sizeof extent->start - extent->length));
  while (walk->next < end) {
    const uint64_t header_end
        = walk->next + (walk->is_eventlog ? GHC_BLOCK_MARKER_SIZE : MLPD_BUFFER_HEADER_SIZE);
    const uint64_t from = MAX (walk->next, extent->length), to = MIN (header_end, end);
    if (from < to)
      memcpy (walk->header + (from - walk->next), bytes + (from - extent->length), to - from);
    if (header_end > end)
      break;
    const uint64_t size = buffer_size (walk);
    extent->border = walk->next;
    walk->next = size != 0 ? walk->next + size : UINT64_MAX;
  }
  extent->length = end;
  if (walk->next <= end)
    extent->border = walk->next;
}

/* Of a log that is not compressed and as long as it should be, the beginning is enough.  A log that
 * cannot be read is not measured: the spool would count as the rest of a shorter one. */
static bool
measure_extent (const char *path, uint64_t size, bool is_plain, const struct spool *spool,
                struct extent *extent, GError **error)
{
  struct log_file *log = log_file_open (path, error);
  const bool is_whole = is_plain && size >= spool_log_length (spool);
  bool good = true;
  const uint8_t *bytes;
  size_t length = 0, header_length;
  if (log == NULL)
    return false;
  spool_log_header (spool, &header_length);
  struct recovery_walk walk
      = { .is_eventlog = spool_is_of_eventlog (spool), .next = header_length };
  if (is_whole)
    log_file_read_at (log, 0, extent->start, sizeof extent->start);
  else if (size != 0)
    while ((good = log_file_read (log, &bytes, &length, error)) && length != 0)
      measure_chunk (extent, &walk, bytes, length);
  if (is_whole)
    extent->length = extent->border = size;
  const struct log_file_damage *damage = log_file_damage (log);
  if (good && damage != NULL && damage->is_read_error) {
    g_set_error (error, PROFLOG_READ_ERROR, PROFLOG_READ_ERROR_INPUT, "%s: %s", path,
                 damage->message);
    good = false;
  }
  log_file_close (log);
  return good;
}

static void G_GNUC_PRINTF (3, 4)
    set_message (struct log_recovery *r, bool is_loss, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  r->message = g_strdup_vprintf (format, args);
  va_end (args);
  r->result = (struct log_input_recovery){
    .message = r->message,
    .is_loss = is_loss,
    .is_taken = r->has_rest,
  };
}

static void
report_share (struct log_recovery *r, const char *path)
{
  const struct spool_share *share = &r->share;
  GString *text = g_string_new (path);
  if (share->log_error != 0)
    g_string_append_printf (text, " was read, too: the log could no longer be written (%s)",
                            g_strerror (share->log_error));
  else
    g_string_append (text, " was read, too: the program did not end normally");
  g_string_append_printf (
      text, "; %" G_GUINT64_FORMAT " buffer%s and %" G_GUINT64_FORMAT " name%s were not in the log",
      share->buffers, share->buffers == 1 ? "" : "s", share->names, share->names == 1 ? "" : "s");
  if (share->spool_error != 0)
    g_string_append_printf (text, "; others may be missing, as it could not grow (%s)",
                            g_strerror (share->spool_error));
  if (share->missing != 0)
    g_string_append_printf (text, ", and %" G_GUINT64_FORMAT " bytes are in neither",
                            share->missing);
  if (share->damages != 0)
    g_string_append_printf (text, "; %" G_GUINT64_FORMAT " of its parts are damaged or not there",
                            share->damages);
  set_message (r, share->missing != 0 || share->damages != 0, "%s", text->str);
  g_string_free (text, TRUE);
}

/* Joins a log of this extent and its spool. */
static void
join (struct log_recovery *r, struct spool *spool, const char *path, const struct extent *extent)
{
  GError *error = NULL;
  size_t header_length;
  const uint8_t *header = spool_log_header (spool, &header_length);
  const uint64_t of_header = MIN (header_length, extent->length);
  if (memcmp (extent->start, header, (size_t) of_header) != 0) {
    set_message (r, false, "%s belongs to another log and was skipped", path);
  } else if (spool_share (spool, extent->length, MAX (extent->border, of_header), &r->share,
                          &error)) {
    r->has_rest = true;
    r->is_eventlog = spool_is_of_eventlog (spool);
    report_share (r, path);
  } else {
    set_message (r, true, "%s", error->message);
    g_error_free (error);
  }
}

/* It is not used by itself: it may belong to the log of another reader. */
static void
report_other_spool (struct log_recovery *r, const char *path)
{
  char *found = spool_search (path);
  if (found != NULL)
    set_message (r, false,
                 "%s has events that this log may lack: 'proflog repair %s %s -o FILE' adds them",
                 found, path, found);
  g_free (found);
}

void
log_recovery_find (struct log_recovery *r, const char *path, const char *elsewhere, uint64_t size,
                   bool is_plain)
{
  const bool alone = elsewhere == NULL && spool_is_at (path);
  char *at = elsewhere != NULL ? g_strdup (elsewhere)
             : alone           ? g_strdup (path)
                               : g_strconcat (path, PROFLOG_SPOOL_SUFFIX, NULL);
  struct extent extent = { 0 };
  GError *error = NULL;
  struct spool *spool = NULL;
  if (!alone && elsewhere == NULL && g_access (at, F_OK) != 0) {
    report_other_spool (r, path);
    g_free (at);
    return;
  }
  if ((spool = spool_open (at, &error)) == NULL) {
    set_message (r, false, "%s", error->message);
    r->result.writer = alone ? 0 : MAX (spool_writer_of (at), 0);
  } else if (!alone && !measure_extent (path, size, is_plain, spool, &extent, &error)) {
    set_message (r, true, "%s was skipped: %s", at, error->message);
  } else {
    join (r, spool, at, &extent);
  }
  r->is_alone = r->has_rest && alone;
  g_clear_error (&error);
  spool_close (spool);
  g_free (at);
}

void
log_recovery_clear (struct log_recovery *r)
{
  if (r->has_rest)
    g_byte_array_unref (r->share.rest);
  g_free (r->message);
  *r = (struct log_recovery){ 0 };
}
