/* mlpd-merge.c -- goes through the parts of a log from common event to common event. */
#include "config.h"

#include "decoder/mlpd/edit/mlpd-merge.h"
#include "decoder/mlpd/mlpd-losses.h"
#include "decoder/mlpd/mlpd-describe.h"
#include "decoder/mlpd/mlpd-sample-usage.h"

#include <inttypes.h>
#include <proflog/mlpd-encode.h>
#include <string.h>

G_DEFINE_QUARK (mlpd - merge - error - quark, mlpd_merge_error)

/* When the events of a thread were. */
struct span {
  uint64_t thread;
  uint64_t first, last;
};

void
mlpd_merge_init (struct mlpd_merge *m, size_t n_logs)
{
  *m = (struct mlpd_merge){ .logs = g_new0 (struct mlpd_merged, n_logs),
                            .n_logs = n_logs,
                            .current = n_logs };
  mlpd_part_writer_init (&m->part);
  for (size_t i = 0; i < n_logs; i++) {
    counters_init (&m->logs[i].counters);
    m->logs[i].threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  }
}

void
mlpd_merge_clear (struct mlpd_merge *m)
{
  for (size_t i = 0; i < m->n_logs; i++) {
    counters_clear (&m->logs[i].counters);
    g_hash_table_unref (m->logs[i].threads);
    g_bytes_unref (m->logs[i].header);
  }
  mlpd_part_writer_clear (&m->part);
  g_free (m->logs);
}

static bool refuse (struct mlpd_merge *m, size_t one, size_t other, GError **error,
                    const char *format, ...) G_GNUC_PRINTF (5, 6);

static bool
refuse (struct mlpd_merge *m, size_t one, size_t other, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (MLPD_MERGE_ERROR, 0, format, arguments));
  va_end (arguments);
  m->other[0] = one;
  m->other[1] = other;
  return false;
}

/* ---- items of a log ---- */

static bool
handle_header (struct mlpd_merge *m, size_t nth, const struct mlpd_file_header *header,
               GError **error)
{
  struct mlpd_file_header written = *header;
  uint8_t *bytes = g_malloc (mlpd_bound_file_header (header));
  written.id = MLPD_FILE_ID;
  const size_t length = (size_t) (mlpd_put_file_header (bytes, &written) - bytes);
  m->logs[nth].header = g_bytes_new_take (bytes, length);
  if (nth == 0)
    return mlpd_part_writer_header (&m->part, header, error);
  return g_bytes_equal (m->logs[0].header, m->logs[nth].header)
         || refuse (m, 0, nth, error, "are not parts of one log: their headers differ");
}

static void
begin_buffer (struct mlpd_merge *m, struct mlpd_merged *log,
              const struct mlpd_buffer_header *header)
{
  if (mlpd_is_check_mark (header))
    return;
  log->begins_buffer = true;
  log->time = header->time_base;
  if (!m->has_time)
    m->part.first_time = header->time_base;
  m->has_time = true;
  if (!mlpd_is_end_mark (header))
    return;
  if (!m->has_end || header->time_base > m->end_time) {
    m->end_time = header->time_base;
    m->end_thread = header->thread;
  }
  m->has_end = true;
}

/* The context of a part of a log, beside names. */
static void
handle_context (struct mlpd_merge *m, struct mlpd_merged *log, const struct mlpd_item *item)
{
  const union mlpd_payload *p = item->payload;
  if (item->kind == MLPD_SAMPLE_COUNTERS_DESC) {
    counters_describe (&log->counters, &p->sample_counters_desc);
  } else if (item->kind == MLPD_SAMPLE_COUNTERS) {
    counters_skip (&log->counters, &p->sample_counters);
  } else if (item->kind == MLPD_META_SYNC_POINT && p->meta_sync_point.time > m->whole_latest) {
    m->whole_latest = p->meta_sync_point.time;
    m->latest_thread = item->buffer->thread;
  }
}

static bool
is_loss (const struct mlpd_item *item)
{
  return item->type == MLPD_ITEM_DAMAGE && item->damage->reason == MLPD_DAMAGE_LOST;
}

/* Have all parts this item? */
static bool
is_common (const struct mlpd_item *item)
{
  return is_loss (item) || mlpd_part_needs (item->kind, item->payload);
}

static bool
is_context (const struct mlpd_item *item)
{
  return !is_loss (item) && mlpd_part_buffer_of (item->buffer) == MLPD_PART_CONTEXT;
}

bool
mlpd_merge_offer (struct mlpd_merge *m, size_t nth, const struct mlpd_item *item, GError **error)
{
  struct mlpd_merged *log = &m->logs[nth];
  switch (item->type) {
  case MLPD_ITEM_FILE_HEADER:
    return handle_header (m, nth, item->header, error);
  case MLPD_ITEM_BUFFER:
    begin_buffer (m, log, item->buffer);
    break;
  case MLPD_ITEM_EVENT:
    log->before = log->time;
    mlpd_event_time (item->kind, item->payload, &log->time);
    if (is_context (item) && !is_common (item))
      handle_context (m, log, item);
    else
      log->item = item;
    break;
  case MLPD_ITEM_DAMAGE:
    if (is_loss (item))
      log->item = item;
    else
      log->is_damaged = true;
    log->has_hole |= mlpd_damage_is_left_out (item->damage);
    break;
  }
  return true;
}

/* ---- writing ---- */

/* The times of a thread's events in a part: another part has others. */
static void
note_time (struct mlpd_merged *log, const struct mlpd_item *item)
{
  struct mlpd_sample_usage usage; /* which is where its hit is */
  uint64_t time, thread = item->buffer->thread;
  if (mlpd_sample_usage_of (item->kind, item->payload, &usage)
      || !mlpd_event_time (item->kind, item->payload, &time))
    return;
  if (item->kind == MLPD_SAMPLE_HIT && item->header->data_version >= MLPD_VERSION_SAMPLED_THREADS)
    thread = item->payload->sample_hit.thread;
  struct span *span = g_hash_table_lookup (log->threads, &thread);
  if (span == NULL) {
    span = g_new (struct span, 1);
    *span = (struct span){ thread, time, time };
    g_hash_table_insert (log->threads, &span->thread, span);
  }
  span->first = MIN (span->first, time);
  span->last = MAX (span->last, time);
}

static bool
write_values (struct mlpd_merge *m, struct mlpd_merged *log, struct mlpd_part_place place,
              GError **error)
{
  const struct mlpd_sample_counters *event = &log->item->payload->sample_counters;
  const bool good = mlpd_part_writer_values (&m->part, place, &log->counters, event, error);
  mlpd_part_update_counters (&log->counters, place.buffer, event);
  return good;
}

static bool
write_event (struct mlpd_merge *m, struct mlpd_merged *log, struct mlpd_part_place place,
             GError **error)
{
  const struct mlpd_item *item = log->item;
  if (item->kind == MLPD_SAMPLE_COUNTERS_DESC)
    counters_describe (&log->counters, &item->payload->sample_counters_desc);
  if (item->kind == MLPD_SAMPLE_COUNTERS)
    return write_values (m, log, place, error);
  return mlpd_part_writer_event (&m->part, place, item->kind, item->payload, error);
}

/* Is the buffer that a log's item begins the rest of the open one? */
static bool
continues (const struct mlpd_merge *m, const struct mlpd_merged *log)
{
  return m->part.open != MLPD_PART_NONE && log->begins_buffer && !is_loss (log->item)
         && log->item->buffer->thread == m->open_thread && log->before == m->open_time;
}

/* Writes the item of a log. */
static bool
write_item (struct mlpd_merge *m, size_t nth, GError **error)
{
  struct mlpd_merged *log = &m->logs[nth];
  const struct mlpd_item *item = log->item;
  const bool goes_on = m->current == nth && !log->begins_buffer;
  if (is_loss (item) || (!goes_on && !continues (m, log)))
    mlpd_part_writer_end_buffer (&m->part);
  m->current = nth;
  log->begins_buffer = false;
  m->open_time = log->time;
  if (is_loss (item))
    return mlpd_writer_loss (m->part.writer, log->time, 0, item->damage->lost, item->damage->error,
                             error);
  const struct mlpd_part_place place
      = { mlpd_part_buffer_of (item->buffer), item->buffer->thread, log->before };
  m->open_thread = place.thread;
  if (!is_context (item)) {
    m->latest = MAX (m->latest, log->time);
    if (!is_common (item))
      note_time (log, item);
  }
  return write_event (m, log, place, error);
}

/* ---- common events ---- */

static GBytes *
bytes_of (const struct mlpd_item *item)
{
  struct mlpd_encoder encoder;
  uint8_t *bytes = g_malloc (mlpd_bound_event (item->kind, item->payload));
  mlpd_encoder_start (&encoder, item->header->data_version, 0);
  const uint8_t *end = mlpd_put_event (&encoder, bytes, item->kind, item->payload);
  return g_bytes_new_take (bytes, (size_t) (end - bytes));
}

static bool
is_same (const struct mlpd_item *a, const struct mlpd_item *b)
{
  if (a->type != b->type)
    return false;
  if (is_loss (a))
    return a->damage->lost == b->damage->lost && a->damage->error == b->damage->error;
  if (a->kind != b->kind || a->buffer->thread != b->buffer->thread)
    return false;
  GBytes *one = bytes_of (a), *other = bytes_of (b);
  const bool same = g_bytes_equal (one, other);
  g_bytes_unref (one);
  g_bytes_unref (other);
  return same;
}

static const char *
name_of (const struct mlpd_item *item)
{
  return is_loss (item) ? "loss mark" : mlpd_describe (item->kind)->name;
}

/* Do all logs have the same event next? */
static bool
check_common (struct mlpd_merge *m, size_t first, GError **error)
{
  const struct mlpd_item *item = m->logs[first].item;
  for (size_t i = 0; i < m->n_logs; i++) {
    const struct mlpd_merged *log = &m->logs[i];
    if (i == first || (log->item == NULL && log->is_damaged))
      continue;
    if (log->item == NULL)
      return refuse (m, first, i, error,
                     "are not parts of one log: the one has a %s at offset %" PRIu64
                     " and the other ends before it",
                     name_of (item), item->offset);
    if (!is_same (item, log->item))
      return refuse (m, first, i, error,
                     "are not parts of one log: the one has a %s at offset %" PRIu64
                     " and the other another event, a %s at offset %" PRIu64,
                     name_of (item), item->offset, name_of (log->item), log->item->offset);
  }
  return true;
}

/* Writes the event that all logs have next; from the log that has it among its events, if one does.
 */
static bool
write_common (struct mlpd_merge *m, size_t first, GError **error)
{
  size_t nth = first;
  if (!check_common (m, first, error))
    return false;
  for (size_t i = first; i < m->n_logs && is_context (m->logs[nth].item); i++)
    if (m->logs[i].item != NULL && !is_context (m->logs[i].item))
      nth = i;
  const bool good = write_item (m, nth, error);
  for (size_t i = 0; i < m->n_logs; i++)
    m->logs[i].item = NULL;
  return good;
}

/* ---- the order ---- */

static bool
has_own (const struct mlpd_merged *log)
{
  return log->item != NULL && !is_common (log->item);
}

/* The log whose own events come next; n_logs: none does. */
static size_t
next_own (const struct mlpd_merge *m)
{
  size_t next = m->n_logs;
  if (m->current < m->n_logs && has_own (&m->logs[m->current])
      && !m->logs[m->current].begins_buffer)
    return m->current;
  for (size_t i = 0; i < m->n_logs; i++)
    if (has_own (&m->logs[i]) && continues (m, &m->logs[i]))
      return i;
  for (size_t i = 0; i < m->n_logs; i++)
    if (has_own (&m->logs[i]) && (next == m->n_logs || m->logs[i].time < m->logs[next].time))
      next = i;
  return next;
}

bool
mlpd_merge_is_over (const struct mlpd_merge *m)
{
  for (size_t i = 0; i < m->n_logs; i++)
    if (m->logs[i].item != NULL)
      return false;
  return true;
}

bool
mlpd_merge_step (struct mlpd_merge *m, size_t *nth, GError **error)
{
  *nth = next_own (m);
  if (*nth != m->n_logs) {
    const bool good = write_item (m, *nth, error);
    m->logs[*nth].item = NULL;
    return good;
  }
  size_t first = 0;
  while (first < m->n_logs && m->logs[first].item == NULL)
    first++;
  return first == m->n_logs || write_common (m, first, error);
}

/* ---- the end ---- */

/* No event may come twice. */
static bool
check_times (struct mlpd_merge *m, size_t one, size_t other, GError **error)
{
  GHashTableIter iter;
  gpointer value;
  const struct span *found = NULL; /* of the least thread: the order of the table is GLib's */
  g_hash_table_iter_init (&iter, m->logs[one].threads);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const struct span *a = value;
    const struct span *b = g_hash_table_lookup (m->logs[other].threads, &a->thread);
    if (b != NULL && a->first <= b->last && b->first <= a->last
        && (found == NULL || a->thread < found->thread))
      found = a;
  }
  if (found == NULL)
    return true;
  const struct span *b = g_hash_table_lookup (m->logs[other].threads, &found->thread);
  const uint64_t start = m->part.first_time;
  return refuse (m, one, other, error,
                 "overlap: both have events of the thread 0x%" PRIx64 ", from %" PRId64
                 " to %" PRId64 " ns and from %" PRId64 " to %" PRId64 " ns after the beginning",
                 found->thread, (int64_t) (found->first - start), (int64_t) (found->last - start),
                 (int64_t) (b->first - start), (int64_t) (b->last - start));
}

static bool
is_damaged (const struct mlpd_merge *m)
{
  bool any = false;
  for (size_t i = 0; i < m->n_logs; i++)
    any |= m->logs[i].has_hole;
  return any;
}

bool
mlpd_merge_end (struct mlpd_merge *m, GError **error)
{
  for (size_t i = 0; i < m->n_logs; i++)
    for (size_t k = i + 1; k < m->n_logs; k++)
      if (!check_times (m, i, k, error))
        return false;
  if (m->whole_latest > m->latest)
    mlpd_part_writer_last_time (&m->part, m->latest_thread, m->whole_latest);
  mlpd_part_writer_end_buffer (&m->part);
  if (is_damaged (m))
    mlpd_writer_loss (m->part.writer, m->latest, 0, 0, MLPD_LOSS_BY_DAMAGE, NULL);
  if (m->has_end)
    mlpd_writer_end (m->part.writer, m->end_time, m->end_thread, NULL);
  return true;
}
