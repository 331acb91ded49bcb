/* log-file.c -- writes bytes into the current file of the log; its errors and names. */
#include "config.h"

#include "profiler/write/log-file.h"
#include "profiler/os/out-of-room.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-keep.h"
#include "agent/clock.h"
#include <limits.h>
#include <proflog/content-sum.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Events of one write at most. */
enum { SMALL_BYTES = 16384 };

struct log_file log_current;
const struct log_format *log_format;

static struct {
  void (*set_failed) (bool);
  _Atomic uint64_t bytes;         /* of all files */
  uint64_t written;               /* of the files before the current one, as they are on the disk */
  _Atomic int problem;            /* as for log_problem */
  _Atomic uint64_t waiting_since; /* for the reader, by the system's clock; 0: not waiting */
} state;

static pthread_mutex_t name_lock = PTHREAD_MUTEX_INITIALIZER; /* of log_current.sink, for others */
static struct {
  char names[LOG_FILES_KEPT][PATH_MAX]; /* by number, modulo that many */
  uint64_t begun;
} files;                         /* under name_lock */
static char shot_name[PATH_MAX]; /* under name_lock */

/* ---- state that other threads read ---- */

/* Each of these values stands alone, so relaxed order suffices, but for `problem`. */

int
log_problem (void)
{
  return atomic_load (&state.problem);
}

/* Sequentially consistent, as the switch of event classes is: a thread that sees the problem also
 * sees the switch, if that was set before. */
void
log_set_problem (int problem)
{
  atomic_store (&state.problem, problem);
}

unsigned
log_reader_stalls (void)
{
  const uint64_t since = atomic_load_explicit (&state.waiting_since, memory_order_relaxed);
  return since != 0 ? (unsigned) ((clock_of_system () - since) / 1000000) : 0;
}

uint64_t
log_bytes (void)
{
  return atomic_load_explicit (&state.bytes, memory_order_relaxed);
}

void
log_set_bytes (uint64_t bytes)
{
  atomic_store_explicit (&state.bytes, bytes, memory_order_relaxed);
}

uint64_t
log_written (void)
{
  return state.written + sink_written (log_current.sink) - log_keep_deleted ();
}

bool
log_has_failed (void)
{
  return log_current.error != 0 && !sink_listens (log_current.sink);
}

/* ---- failures ---- */

/* Nothing is reported yet: one line at the end states the losses, too (writer.c). */
void
log_file_fail (int error)
{
  const bool is_known = log_current.is_truncated; /* only its end was tried once more */
  log_current.error = error;
  if (sink_listens (log_current.sink)) {
    log_set_problem (LOG_UNREAD); /* another reader may connect */
    return;
  }
  if (!is_known) {
    state.set_failed (true);
    spool_set_log_error (error);
  }
  log_set_problem (error);
}

/* ---- bytes ---- */

/* As sink_write and sink_flush; other threads can see how long the reader takes for that. */
static int
send (struct sink *sink, const void *bytes, size_t length, bool flushes)
{
  if (sink_has_reader (sink))
    atomic_store_explicit (&state.waiting_since, clock_of_system (), memory_order_relaxed);
  int error = length != 0 ? sink_write (sink, bytes, length) : 0;
  if (error == 0 && flushes)
    error = sink_flush (sink);
  atomic_store_explicit (&state.waiting_since, 0, memory_order_relaxed);
  return error;
}

int
log_file_send (struct log_file *to, const void *bytes, size_t length)
{
  return send (to->sink, bytes, length, true);
}

void
log_file_put (struct log_file *to, const void *bytes, size_t length)
{
  if (to->error != 0)
    return;
  to->error = send (to->sink, bytes, length, false);
  if (to->error == 0) {
    to->length += length;
    atomic_fetch_add_explicit (&state.bytes, length, memory_order_relaxed);
  } else if (to == &log_current) {
    log_file_fail (to->error);
  }
}

void
log_file_flush (struct log_file *to)
{
  if (to->error != 0)
    return;
  to->error = send (to->sink, NULL, 0, true);
  if (to->error != 0 && to == &log_current)
    log_file_fail (to->error);
}

void
log_file_end_header (struct log_file *file)
{
  if (sink_file (file->sink) != NULL && sink_divide (file->sink))
    file->header_end = sink_written (file->sink);
}

/* Removes the part of a buffer that got into the log, where that is possible. */
static void
truncate_to (struct log_file *to, uint64_t length)
{
  if (to != &log_current || to->error == 0)
    return;
  if (is_disk_full (to->error))
    spool_yield_room (to->error);
  if (!sink_truncate (to->sink, length))
    return;
  to->length = length;
  to->is_truncated = true;
}

/* Makes the mark after the buffer with this frame. */
static void
make_check (uint8_t *mark, const struct mlpd_buffer_header *header, const uint8_t *frame,
            const uint8_t *events, size_t length, uint64_t number)
{
  struct content_sum sum;
  content_sum_start (&sum);
  content_sum_add (&sum, frame, log_format->frame_size);
  content_sum_add (&sum, events, length);
  log_format->put_check (mark, header, content_sum_get (&sum), number);
}

/* A frame, events and perhaps a mark.  Small ones are one write: threads that end soon have no
 * more, and each write is several system calls. */
static void
put_framed (struct log_file *to, const uint8_t *frame, const uint8_t *events, size_t length,
            const uint8_t *mark, size_t mark_size)
{
  uint8_t whole[SMALL_BYTES + 2 * MLPD_BUFFER_HEADER_SIZE];
  const size_t frame_size = log_format->frame_size;
  if (length <= SMALL_BYTES) {
    memcpy (whole, frame, frame_size);
    if (length != 0)
      memcpy (whole + frame_size, events, length);
    memcpy (whole + frame_size + length, mark, mark_size);
    log_file_put (to, whole, frame_size + length + mark_size);
    return;
  }
  log_file_put (to, frame, frame_size);
  log_file_put (to, events, length);
  log_file_put (to, mark, mark_size);
}

void
log_put_events (struct log_file *to, struct mlpd_buffer_header header, const uint8_t *events,
                size_t length)
{
  uint8_t frame[MLPD_BUFFER_HEADER_SIZE], mark[MLPD_BUFFER_HEADER_SIZE]; /* at most */
  const uint64_t before = to->length;
  const bool has_mark = length != 0 && log_format->put_check != NULL; /* marks have none */
  if (to->error != 0)
    return;
  log_format->put_frame (frame, &header, events, length);
  if (has_mark)
    make_check (mark, &header, frame, events, length, to->checks + 1);
  put_framed (to, frame, events, length, mark, has_mark ? log_format->frame_size : 0);
  to->checks += has_mark && to->error == 0;
  /* Bytes that the compression buffers would be nowhere after the events were returned. */
  if (spool_path () != NULL || sink_is_packed_file (to->sink))
    log_file_flush (to);
  truncate_to (to, before);
  if (to->error == 0 && to == &log_current && spool_path () != NULL)
    spool_set_log_length (to->length, header.time_base);
}

void
log_file_put_moment (struct log_file *to, uint64_t time)
{
  uint8_t events[LOG_MOMENT_MAX];
  struct mlpd_buffer_header header;
  if (log_format->make_moment != NULL) {
    const size_t length = log_format->make_moment (&header, events, time);
    if (to != &log_current) /* a file that goes on begins with nothing new */
      header.obj_base = MLPD_REANNOUNCE_BASE;
    log_put_events (to, header, events, length);
  }
}

void
log_file_put_end (uint64_t time)
{
  uint8_t end[MLPD_BUFFER_HEADER_SIZE]; /* that of an eventlog is shorter */
  const uint64_t before = log_current.length;
  log_format->put_end (end, time);
  log_file_put (&log_current, end, log_format->end_size);
  log_file_flush (&log_current);
  truncate_to (&log_current, before);
}

size_t
log_file_make_end (uint8_t *to, uint64_t time)
{
  struct mlpd_buffer_header header;
  uint8_t *end = to;
  if (log_format->make_moment != NULL) {
    uint8_t *const events = to + log_format->frame_size;
    const size_t length = log_format->make_moment (&header, events, time);
    log_format->put_frame (to, &header, events, length);
    end = events + length;
    if (log_format->put_check != NULL) {
      make_check (end, &header, to, events, length, 1);
      end += log_format->frame_size;
    }
  }
  log_format->put_end (end, time);
  return (size_t) (end - to) + log_format->end_size;
}

/* ---- files and their names ---- */

/* Under name_lock. */
static void
add_name (const struct sink *sink)
{
  if (sink_file (sink) != NULL)
    snprintf (files.names[++files.begun % LOG_FILES_KEPT], sizeof *files.names, "%s",
              sink_file (sink));
}

void
log_file_add (const struct sink *sink)
{
  pthread_mutex_lock (&name_lock);
  add_name (sink);
  pthread_mutex_unlock (&name_lock);
}

void
log_file_open (struct sink *sink, void (*set_failed) (bool))
{
  state.set_failed = set_failed;
  pthread_mutex_lock (&name_lock);
  log_current = (struct log_file){ .sink = sink };
  add_name (sink);
  pthread_mutex_unlock (&name_lock);
}

void
log_file_switch (const struct log_file *next)
{
  const bool had_failed = log_problem () > 0;
  if (next->sink != log_current.sink)
    state.written += sink_written (log_current.sink);
  pthread_mutex_lock (&name_lock);
  log_current = *next;
  pthread_mutex_unlock (&name_lock);
  spool_set_log_error (0);
  log_set_problem (0);
  if (had_failed)
    state.set_failed (false);
}

/* The parent's threads may have been anywhere in their files: those stay as they are. */
void
log_file_start_over (void)
{
  log_current = (struct log_file){ 0 };
  pthread_mutex_init (&name_lock, NULL);
  files.begun = 0;
  shot_name[0] = 0;
  state.bytes = 0;
  state.written = 0;
  state.problem = 0;
  state.waiting_since = 0;
}

/* The control's thread may still run. */
void
log_file_close (void)
{
  pthread_mutex_lock (&name_lock);
  sink_free (log_current.sink);
  log_current.sink = NULL;
  pthread_mutex_unlock (&name_lock);
}

/* Under name_lock. */
static const char *
current_name (void)
{
  return log_current.sink != NULL ? sink_name (log_current.sink) : "";
}

void
log_get_name (char *name, size_t size)
{
  pthread_mutex_lock (&name_lock);
  snprintf (name, size, "%s", current_name ());
  pthread_mutex_unlock (&name_lock);
}

void
log_note_shot (void)
{
  pthread_mutex_lock (&name_lock);
  snprintf (shot_name, sizeof shot_name, "%s", current_name ());
  pthread_mutex_unlock (&name_lock);
}

void
log_get_shot_name (char *name, size_t size)
{
  pthread_mutex_lock (&name_lock);
  snprintf (name, size, "%s", shot_name);
  pthread_mutex_unlock (&name_lock);
}

uint64_t
log_files (void)
{
  pthread_mutex_lock (&name_lock);
  const uint64_t begun = files.begun;
  pthread_mutex_unlock (&name_lock);
  return begun;
}

bool
log_get_file (uint64_t number, char *name, size_t size)
{
  pthread_mutex_lock (&name_lock);
  const bool is_known
      = number > 0 && number <= files.begun && files.begun - number < LOG_FILES_KEPT;
  if (is_known)
    snprintf (name, size, "%s", files.names[number % LOG_FILES_KEPT]);
  pthread_mutex_unlock (&name_lock);
  return is_known;
}
