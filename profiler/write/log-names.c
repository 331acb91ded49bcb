/* log-names.c -- buffers announcements of names, and writes them again when that is requested. */
#include "config.h"

#include "profiler/names/name-journal.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-contents.h"
#include <stdlib.h>

#define SYNC_POINT_MAX 16        /* bytes of one, and more */
#define NAMES_BUFFER (32 * 1024) /* names are written when they fill this */

/* Announcements that wait to be written, as a buffer of the writer's own thread. */
struct names_buffer {
  struct mlpd_encoder encoder;
  uint8_t *bytes;
  size_t length, size;
  uint64_t last;                /* sequence number */
  uint64_t in_spool, elsewhere; /* names that are there, and not there */
};
static struct names_buffer names, repeated;
static uint64_t missing_in_spool, missing; /* names that a failed log lacks */
static _Atomic bool reannounce_requested;
static _Atomic uint64_t heap_size; /* 0: not known.  No other data depends on it: relaxed */

static struct mlpd_buffer_header
header_of (const struct mlpd_encoder *e)
{
  return mlpd_encoder_header (e, buffer_queue_consumer (), 0);
}

/* ---- new names ---- */

/* Has the spool know that the names up to the last are being written, so that a part of the bytes
 * is cut off if the process is killed meanwhile. */
static void
put_journaled (struct mlpd_encoder *e, const uint8_t *bytes, size_t length)
{
  const uint64_t start = log_current.length;
  if (log_current.error != 0)
    return;
  spool_begin_names (names.last, start, start + MLPD_BUFFER_HEADER_SIZE + length);
  log_put_events (&log_current, header_of (e), bytes, length);
  if (log_current.error == 0)
    spool_end_names (names.last);
  else if (log_current.is_truncated)
    spool_cancel_names ();
}

/* If the log goes on elsewhere, they are re-announced there. */
void
log_flush_names (void)
{
  const size_t length = names.length;
  names.length = 0;
  if (length != 0)
    put_journaled (&names.encoder, names.bytes, length);
  if (log_has_failed ()) {
    missing_in_spool += names.in_spool;
    missing += names.elsewhere;
    spool_add_lost (names.elsewhere);
  }
  names.in_spool = names.elsewhere = 0;
}

void
log_end_names (void)
{
  log_flush_names ();
  if (missing_in_spool != 0 && spool_path () != NULL && sink_file (log_current.sink) != NULL)
    log_leave_rest ();
  else
    recorder_add_lost (missing_in_spool);
  spool_subtract_lost (missing);
  recorder_add_lost (missing);
  missing_in_spool = missing = 0;
}

void
log_find_names (void)
{
  spool_subtract_lost (missing);
  missing_in_spool = missing = 0;
}

size_t
log_names_waiting (void)
{
  return names.length;
}

static void
flush_repeated (struct log_file *to)
{
  if (repeated.length == 0)
    return;
  repeated.encoder.obj_base = MLPD_REANNOUNCE_BASE;
  log_put_events (to, header_of (&repeated.encoder), repeated.bytes, repeated.length);
  repeated.length = 0;
}

/* Adds an announcement to the others, which are written first (those of `repeated` into `to`) if
 * there is no room.  Without memory it is dropped. */
static void
add_name (struct names_buffer *b, const struct name_work *w, struct log_file *to)
{
  union mlpd_payload event;
  const enum mlpd_kind kind = name_event (w, &event);
  const size_t bound = mlpd_bound_event (kind, &event);
  if (b->length != 0 && b->length + bound > NAMES_BUFFER) {
    if (b == &names)
      log_flush_names ();
    else
      flush_repeated (to);
  }
  if (b->size < bound) {
    const size_t size = bound > NAMES_BUFFER ? bound : NAMES_BUFFER;
    uint8_t *larger = realloc (b->bytes, size);
    if (larger == NULL) {
      recorder_add_lost (1);
      return;
    }
    b->bytes = larger;
    b->size = size;
  }
  if (b->length == 0)
    mlpd_encoder_start (&b->encoder, recorder_version, w->time);
  const uint8_t *const end = mlpd_put_event (&b->encoder, b->bytes + b->length, kind, &event);
  b->length = (size_t) (end - b->bytes);
  b->last = w->sequence;
  *(w->is_in_spool ? &b->in_spool : &b->elsewhere) += 1;
}

void
log_put_name (const struct name_work *w)
{
  add_name (&names, w, NULL);
  names_written (w);
}

/* ---- names once more ---- */

void
log_set_heap_size (uint64_t bytes)
{
  atomic_store_explicit (&heap_size, bytes, memory_order_relaxed);
}

static void
put_heap_size (struct log_file *to, uint64_t time)
{
  uint8_t bytes[64];
  struct mlpd_encoder e;
  const struct mlpd_gc_resize event
      = { .time = time, .size = atomic_load_explicit (&heap_size, memory_order_relaxed) };
  if (event.size == 0)
    return;
  mlpd_encoder_start (&e, recorder_version, time);
  e.obj_base = MLPD_REANNOUNCE_BASE;
  const uint8_t *const end = mlpd_put_gc_resize (&e, bytes, &event);
  log_put_events (to, header_of (&e), bytes, (size_t) (end - bytes));
}

void
log_reannounce (struct log_file *to, const struct name_list *list)
{
  struct name_work w = { .time = list->time };
  for (size_t i = 0; i < list->count; i++) {
    const struct listed_name *const name = &list->names[i];
    w.type = name->type;
    w.code = name->code;
    w.size = name->size;
    w.name = name->name;
    w.action = MLPD_LOAD_END_LOAD;
    if (w.type == NAME_LAYOUT && w.name->length == 0)
      continue; /* its class has it */
    if (w.type != NAME_THREAD || w.code != 0)
      add_name (&repeated, &w, to);
    w.action = MLPD_LOAD_NAME; /* the text of these has an event of its own */
    if ((w.type == NAME_THREAD || w.type == NAME_DOMAIN) && w.name->length != 0)
      add_name (&repeated, &w, to);
  }
  flush_repeated (to);
  put_heap_size (to, list->time);
}

/* A request without data: relaxed.  The writer is woken by a semaphore after it, which orders it
 * before the writer's load. */
void
log_request_reannounce (void)
{
  atomic_store_explicit (&reannounce_requested, true, memory_order_relaxed);
}

bool
log_reannounce_if_requested (void)
{
  struct name_list list;
  if (log_format->put_state != NULL) /* which a file has once */
    atomic_store_explicit (&reannounce_requested, false, memory_order_relaxed);
  if (!atomic_load_explicit (&reannounce_requested, memory_order_relaxed))
    return true;
  if (!names_list (&list))
    return false; /* at the next buffer, then */
  log_flush_names ();
  log_reannounce (&log_current, &list);
  free (list.names);
  atomic_store_explicit (&reannounce_requested, false, memory_order_relaxed);
  return true;
}

/* ---- sync points ---- */

bool
log_put_sync_points (const struct log_sync_point *points, size_t count, uint64_t until)
{
  log_flush_names ();
  uint64_t time
      = names.encoder.time > repeated.encoder.time ? names.encoder.time : repeated.encoder.time;
  if (time > until)
    return false;
  struct mlpd_encoder e;
  uint8_t *bytes = malloc (count * SYNC_POINT_MAX);
  if (bytes == NULL)
    return false;
  uint8_t *end = bytes;
  for (size_t i = 0; i < count; i++) {
    time = points[i].time > time ? points[i].time : time;
    const struct mlpd_meta_sync_point event = { .time = time, .sync_type = points[i].type };
    if (i == 0)
      mlpd_encoder_start (&e, recorder_version, time);
    end = mlpd_put_meta_sync_point (&e, end, &event);
  }
  names.encoder.time = time;
  put_journaled (&e, bytes, (size_t) (end - bytes));
  free (bytes);
  return true;
}

void
log_names_start_over (void)
{
  names = repeated = (struct names_buffer){ 0 };
  missing_in_spool = missing = 0;
  heap_size = 0;
}
