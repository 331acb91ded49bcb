/* log-output.c -- see log-output.h. */
#include "config.h"

#include "profiler/event-classes.h"
#include "profiler/log-format.h"
#include "profiler/name-journal.h"
#include "profiler/native-thread.h"
#include "profiler/warn.h"
#include "profiler/writer.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SYNC_POINT_MAX 16        /* bytes of one, and more */
#define NAMES_BUFFER (32 * 1024) /* names are written when they fill this */

/* A log, and while the next file of it is begun, that. */
struct log_file {
  struct sink *sink;
  uint64_t length;   /* bytes, before compression */
  int error;         /* why it takes no more */
  bool is_cut;       /* its file was cut where it was whole then */
  uint64_t buffers;  /* of events */
  uint64_t end_size; /* bytes that it may come to ... */
  uint64_t end_time; /* ... and time, before another file is begun */
};

const struct log_format *log_format = &log_format_mlpd;

static struct log_file current, next, *out = &current;
static pthread_mutex_t name_lock = PTHREAD_MUTEX_INITIALIZER; /* of current.sink, for others */
static char files[LOG_FILES_KEPT][PATH_MAX]; /* under name_lock: by number, modulo that many */
static uint64_t files_begun;                 /* under name_lock */
static struct log_rotation rotation;
static struct log_origin origin;
static uint8_t file_header[LOG_HEADER_ROOM];
static size_t file_header_length;
static uint32_t shot_begun; /* the last heap shot of which something was written */
static _Atomic uint64_t all_bytes;
static _Atomic bool again_wanted;
static bool begins_with_names;
static uint64_t flushed;     /* all_bytes, when all was passed on last */
static uint64_t losses_told; /* events that were lost, as the log has told */
static _Atomic int problem;  /* as for log_problem */
static bool may_go_on;       /* in another file, if this one cannot be written any more */
static bool rest_is_left;    /* at the end: in the spool */

/* Announcements that wait to be written, as a buffer of the writer's own thread. */
struct names_buffer {
  struct mlpd_encoder encoder;
  uint8_t *bytes;
  size_t length, size;
  uint64_t last; /* sequence number */
};
static struct names_buffer names, again;
static struct counter_state *counters; /* what the log knows of them; NULL: nothing */

static _Atomic uint64_t reader_waited_for; /* since then, by the system's clock; 0: nobody is */

/* ---- bytes ---- */

/* As sink_write and sink_flush; others can see how long that takes whoever reads. */
static int
pass_on (struct sink *sink, const void *bytes, size_t length, bool flushes)
{
  if (sink_has_reader (sink))
    atomic_store_explicit (&reader_waited_for, clock_of_system (), memory_order_relaxed);
  int error = length != 0 ? sink_write (sink, bytes, length) : 0;
  if (error == 0 && flushes)
    error = sink_flush (sink);
  atomic_store_explicit (&reader_waited_for, 0, memory_order_relaxed);
  return error;
}

unsigned
log_reader_stalls (void)
{
  const uint64_t since = atomic_load_explicit (&reader_waited_for, memory_order_relaxed);
  return since != 0 ? (unsigned) ((clock_of_system () - since) / 1000000) : 0;
}

/* Nobody reads the log any more.  Another reader may come; it is told once. */
static void
lose_reader (void)
{
  static bool told;
  if (!told)
    warn ("nobody reads the log %s any more; events are lost until somebody comes",
          sink_name (current.sink));
  told = true;
  atomic_store (&problem, LOG_UNREAD);
}

/* The log takes no more. */
static void
fail (int error)
{
  const char *const name = sink_name (current.sink);
  const bool is_known = current.is_cut; /* only its end was tried once more */
  current.error = error;
  if (sink_listens (current.sink)) {
    lose_reader ();
    return;
  }
  if (is_known) {
    atomic_store (&problem, error);
    return;
  }
  if (may_go_on)
    event_switch_fail (true);
  else
    recorder_stop ();
  atomic_store (&problem, error); /* who sees it finds that nothing is recorded any more */
  warn (
      may_go_on
          ? "cannot write the log %s: %s; recording ends here, until 'proflog ctl %ld output FILE'"
          : "cannot write the log %s: %s; recording ends here",
      name, strerror (error), (long) getpid ());
}

static void
put (const void *bytes, size_t length)
{
  if (out->error != 0)
    return;
  out->error = pass_on (out->sink, bytes, length, false);
  if (out->error == 0) {
    out->length += length;
    atomic_fetch_add_explicit (&all_bytes, length, memory_order_relaxed);
  } else if (out == &current) {
    fail (out->error);
  }
}

static void
flush_out (void)
{
  if (out->error != 0)
    return;
  out->error = pass_on (out->sink, NULL, 0, true);
  if (out->error != 0 && out == &current)
    fail (out->error);
}

/* What did not get into the log as a whole is taken away, where that can be. */
static void
cut_back (uint64_t length)
{
  if (out != &current || current.error == 0 || !sink_cut (current.sink, length))
    return;
  current.length = length;
  current.is_cut = true;
}

void
log_put_events (struct mlpd_buffer_header header, const uint8_t *events, size_t length)
{
  uint8_t frame[MLPD_BUFFER_HEADER_SIZE]; /* those of eventlogs are shorter */
  const uint64_t before = out->length;
  if (out->error != 0)
    return;
  log_format->put_frame (frame, &header, events, length);
  put (frame, log_format->frame_size);
  put (events, length);
  /* What the compression keeps back would be nowhere after the buffer was given back. */
  if (spool_left () != NULL || sink_is_packed_file (out->sink))
    flush_out ();
  cut_back (before);
  if (out->error == 0 && out == &current && spool_left () != NULL)
    spool_set_log_length (out->length, header.time_base);
}

/* What ends a log that is whole. */
static void
put_end (void)
{
  uint8_t end[MLPD_BUFFER_HEADER_SIZE]; /* that of an eventlog is shorter */
  const uint64_t before = current.length;
  log_format->put_end (end);
  put (end, log_format->end_size);
  flush_out ();
  cut_back (before);
}

/* ---- what is lost ---- */

/* Tells what was lost and has not been told.  The writer tells nothing of before `time` any more.
 */
static void
tell_losses (uint64_t time)
{
  struct recorder_losses losses;
  recorder_get_losses (&losses);
  const uint64_t lost = recorder_lost_events (&losses);
  if (lost == losses_told || out->error != 0)
    return;
  log_format->put_losses (lost - losses_told, time);
  if (out->error == 0)
    losses_told = lost;
}

static void
count_lost (const struct buffer *b, size_t from, size_t length)
{
  const struct mlpd_buffer_header header = buffer_rest_header (b);
  struct mlpd_buffer_header behind;
  uint64_t events;
  log_format->pass (&header, b->data + from, length - from, &events, &behind);
  recorder_add_unwritten (b->owner, events, length - from);
}

bool
log_has_failed (void)
{
  return current.error != 0 && !sink_listens (current.sink);
}

void
log_leave_buffer (struct buffer *b, size_t length)
{
  const size_t from = buffer_flushed (b);
  if (length == from)
    return;
  if (b->slot.number != 0 && spool_left () != NULL && sink_file (current.sink) != NULL)
    rest_is_left = true;
  else
    count_lost (b, from, length);
}

bool
log_rest_is_left (void)
{
  return rest_is_left;
}

/* ---- names ---- */

void
log_flush_names (void)
{
  const size_t length = names.length;
  names.length = 0;
  if (length == 0 || current.error != 0) /* then they are in the spool, or said again */
    return;
  spool_begin_names (names.last, out->length, out->length + MLPD_BUFFER_HEADER_SIZE + length);
  log_put_events (mlpd_encoder_header (&names.encoder, writer_thread (), 0), names.bytes, length);
  if (current.error == 0)
    spool_end_names (names.last);
}

/* Adds an announcement to those that wait; `flush` writes them first if they get too many. */
static void
add_name (struct names_buffer *b, const struct name_work *w, void (*flush) (void))
{
  union mlpd_payload event;
  enum mlpd_kind kind = name_event (w, &event);
  size_t bound = mlpd_bound_event (kind, &event);
  if (b->length > 0 && b->length + bound > NAMES_BUFFER)
    flush ();
  if (b->size < bound) {
    size_t size = bound > NAMES_BUFFER ? bound : NAMES_BUFFER;
    uint8_t *larger = realloc (b->bytes, size);
    if (larger == NULL)
      return;
    b->bytes = larger;
    b->size = size;
  }
  if (b->length == 0)
    mlpd_encoder_start (&b->encoder, recorder_version, w->time);
  uint8_t *end = mlpd_put_event (&b->encoder, b->bytes + b->length, kind, &event);
  b->length = (size_t) (end - b->bytes);
  b->last = w->sequence;
}

void
log_put_name (const struct name_work *w)
{
  add_name (&names, w, log_flush_names);
  names_met (w);
}

static void
flush_again (void)
{
  if (again.length == 0)
    return;
  again.encoder.obj_base = MLPD_AGAIN_BASE;
  log_put_events (mlpd_encoder_header (&again.encoder, writer_thread (), 0), again.bytes,
                  again.length);
  again.length = 0;
}

static void
put_again (const struct name_again *list, size_t count, uint64_t time)
{
  struct name_work w = { .time = time };
  for (size_t i = 0; i < count; i++) {
    w.sort = list[i].sort;
    w.code = list[i].code;
    w.size = list[i].size;
    w.name = list[i].name;
    w.action = MLPD_LOAD_END_LOAD;
    if (w.sort != NAME_THREAD || w.code != 0)
      add_name (&again, &w, flush_again);
    w.action = MLPD_LOAD_NAME; /* which these are given apart */
    if ((w.sort == NAME_THREAD || w.sort == NAME_DOMAIN) && w.name->length != 0)
      add_name (&again, &w, flush_again);
  }
  flush_again ();
}

void
log_know_counters (struct counter_state *state)
{
  if (state == NULL)
    return;
  free (counters);
  counters = state;
}

void
log_want_names_again (void)
{
  atomic_store_explicit (&again_wanted, true, memory_order_relaxed);
}

static void
say_again_if_wanted (void)
{
  struct name_again *list;
  uint64_t time;
  if (log_format->say_state != NULL) /* which a file says once */
    atomic_store_explicit (&again_wanted, false, memory_order_relaxed);
  if (!atomic_load_explicit (&again_wanted, memory_order_relaxed))
    return;
  const ssize_t count = names_list (&list, &time);
  if (count < 0)
    return; /* at the next buffer, then */
  log_flush_names ();
  put_again (list, (size_t) count, time);
  free (list);
  atomic_store_explicit (&again_wanted, false, memory_order_relaxed);
}

/* ---- sync points ---- */

bool
log_put_sync_points (const struct log_sync_point *points, size_t count, uint64_t until)
{
  log_flush_names ();
  uint64_t time = names.encoder.time > again.encoder.time ? names.encoder.time : again.encoder.time;
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
  const size_t length = (size_t) (end - bytes);
  /* So that what is half written when the process is killed is cut off. */
  spool_begin_names (names.last, out->length, out->length + MLPD_BUFFER_HEADER_SIZE + length);
  log_put_events (mlpd_encoder_header (&e, writer_thread (), 0), bytes, length);
  spool_end_names (names.last);
  free (bytes);
  return true;
}

/* ---- the next file ---- */

static void
set_ends (struct log_file *l, uint64_t written)
{
  l->end_size = rotation.bytes != 0 ? written + rotation.bytes : UINT64_MAX;
  l->end_time = rotation.ns != 0 ? clock_now () + rotation.ns : UINT64_MAX;
}

/* Whether another file is due before `length` bytes more.  One without events would be of no use.
 */
static bool
rotation_is_due (size_t length)
{
  if (current.buffers == 0 || current.error != 0 || shot_begun > recorder_shots_ended ())
    return false;
  const uint64_t with_end = length + log_format->frame_size + log_format->end_size;
  return (current.end_size != UINT64_MAX
          && sink_written (current.sink) + names.length + with_end > current.end_size)
         || (current.end_time != UINT64_MAX && clock_now () >= current.end_time);
}

/* Begins the file of `next` with all that it needs to be read by itself.  Returns 0 or an errno
 * number. */
static int
begin_next (const struct name_again *list, size_t count, uint64_t time)
{
  out = &next;
  put (file_header, file_header_length);
  if (log_format->say_state != NULL)
    log_format->say_state ();
  else
    put_again (list, count, time);
  if (counters != NULL && log_format->put_counters != NULL)
    log_format->put_counters (counters, time);
  if (next.error == 0)
    next.error = pass_on (next.sink, NULL, 0, true);
  out = &current;
  return next.error;
}

/* A file that could not be written, and was cut where it was whole, has room for an end. */
static void
mend_for_end (void)
{
  if (current.is_cut && !rest_is_left)
    current.error = 0;
}

static void
finish_file (bool process_ends)
{
  mend_for_end ();
  put_end ();
  if (current.error != 0)
    return;
  const int error = sink_finish (current.sink, process_ends);
  if (error != 0)
    warn ("cannot write the log %s: %s", sink_name (current.sink), strerror (error));
}

/* The log is in this file from now on, if it is one.  With name_lock. */
static void
note_file (const struct sink *sink)
{
  if (sink_file (sink) != NULL)
    snprintf (files[++files_begun % LOG_FILES_KEPT], sizeof *files, "%s", sink_file (sink));
}

static void
take_next (void)
{
  pthread_mutex_lock (&name_lock);
  current = next;
  pthread_mutex_unlock (&name_lock);
  atomic_store (&problem, 0);
}

/* What is left if the process is killed meanwhile belongs to the old file until that is whole, also
 * what is behind its end then, and from there on to the new one. */
static void
change_to_next (void)
{
  /* Before the old one's end is there: who finds that asks what follows. */
  pthread_mutex_lock (&name_lock);
  note_file (next.sink);
  pthread_mutex_unlock (&name_lock);
  finish_file (false);
  spool_change_log (sink_file (next.sink), next.length);
  struct sink *old = current.sink;
  take_next ();
  sink_free (old);
}

/* Goes on in this file, if it is one (else `why` tells).  Returns 0 or an errno number; EAGAIN: not
 * now, nothing was done. */
static int
go_on_in (struct sink *sink, char *why, size_t size)
{
  struct name_again *list;
  uint64_t time;
  if (sink == NULL)
    return EINVAL;
  const ssize_t count = names_list (&list, &time);
  if (count < 0)
    return EAGAIN;
  log_flush_names ();
  next = (struct log_file){ .sink = sink };
  const int error = begin_next (list, (size_t) count, time);
  free (list);
  if (error != 0) {
    snprintf (why, size, "output '%s': %s", sink_name (sink), strerror (error));
    return error;
  }
  set_ends (&next, 0);
  const bool was_good = current.error == 0;
  change_to_next ();
  if (!was_good) {
    tell_losses (time);
    event_switch_fail (false);
  }
  return 0;
}

/* Goes on in the next file.  If that cannot be, goes on in this one, and tries again when it has
 * grown as much, or as long, once more. */
static void
rotate (void)
{
  static bool told;
  char why[PATH_MAX + 128];
  struct sink *sink = sink_open_next (current.sink, why, sizeof why);
  const int error = go_on_in (sink, why, sizeof why);
  if (error == 0)
    return;
  if (sink != NULL)
    sink_discard (sink);
  if (error == EAGAIN)
    return; /* at the next buffer, then */
  if (!told)
    warn ("%s; the log goes on in %s", why, sink_name (current.sink));
  told = true;
  set_ends (&current, sink_written (current.sink));
}

/* ---- the next reader ---- */

/* Who reads a log that its sink listens for may go, and another one come, for whom it is complete
 * in itself. */
static void
tend_readers (void)
{
  struct name_again *list;
  uint64_t time;
  if (!sink_listens (current.sink))
    return;
  if (current.error == 0 && sink_reader_has_gone (current.sink))
    fail (EPIPE);
  if (current.error == 0 || !sink_reader_waits (current.sink))
    return;
  const ssize_t count = names_list (&list, &time);
  if (count < 0)
    return;           /* the next time, then */
  log_flush_names (); /* to nobody: they are among these */
  next = (struct log_file){ .sink = current.sink };
  if (sink_take_reader (current.sink) && begin_next (list, (size_t) count, time) == 0) {
    spool_change_log (NULL, next.length);
    set_ends (&next, 0);
    take_next ();
    tell_losses (time);
  }
  free (list);
}

/* ---- another output ---- */

int
log_change (const char *output, char *why, size_t size)
{
  struct sink *sink = sink_open_other (current.sink, output, why, size);
  const int error = go_on_in (sink, why, size);
  if (error != 0 && sink != NULL)
    sink_discard (sink);
  return error;
}

/* ---- what the writer does ---- */

bool
log_put_buffer (struct buffer *b, size_t length)
{
  const size_t from = buffer_flushed (b);
  if (log_has_failed ())
    return false;
  if (rotation_is_due (length - from))
    rotate ();
  const uint32_t shot = atomic_load (&b->shot_begun);
  if (shot > shot_begun)
    shot_begun = shot;
  log_flush_names ();
  say_again_if_wanted ();
  spool_begin_writing (&b->slot, out->length, from, length);
  const struct mlpd_buffer_header header = buffer_rest_header (b);
  log_put_events (header, b->data + from, length - from);
  if (log_has_failed ())
    return false;
  if (log_format->note != NULL)
    log_format->note (&header, b->data + from, length - from);
  if (current.error != 0)
    count_lost (b, from, length);
  else
    current.buffers++;
  return true;
}

int
log_flush (void)
{
  log_flush_names ();
  const uint64_t bytes = log_bytes ();
  if (current.error == 0 && flushed != bytes) {
    const int error = pass_on (current.sink, NULL, 0, true);
    if (error != 0)
      fail (error);
    flushed = bytes;
  }
  return sink_listens (current.sink) ? 0 : current.error;
}

void
log_tend (void)
{
  tend_readers ();
  if (current.end_time != UINT64_MAX && rotation_is_due (0))
    rotate ();
  say_again_if_wanted ();
}

uint64_t
log_rest (void)
{
  enum { LONGEST_NS = 60 * 1000000000ll, READERS_NS = 100000000 };
  if (sink_listens (current.sink))
    return READERS_NS;
  if (current.end_time == UINT64_MAX || current.buffers == 0)
    return LONGEST_NS;
  const uint64_t now = clock_now ();
  const uint64_t rest = current.end_time > now ? current.end_time - now : 1000000;
  return rest < LONGEST_NS ? rest : LONGEST_NS;
}

/* ---- beginning and end ---- */

void
log_open (struct sink *sink, const struct log_rotation *r, bool can_go_on)
{
  rotation = *r;
  may_go_on = can_go_on;
  const bool rotates = rotation.bytes != 0 || rotation.ns != 0;
  if (rotates || sink_listens (sink))
    names_keep_dead ();
  if (rotates)
    recorder_keep_shots_whole ();
  pthread_mutex_lock (&name_lock);
  current = (struct log_file){ .sink = sink };
  note_file (sink);
  pthread_mutex_unlock (&name_lock);
  set_ends (&current, 0);
}

void
log_describe (const struct log_origin *o)
{
  origin = *o;
}

int
log_begin (void)
{
  file_header_length = log_format->put_header (file_header, &origin);
  spool_set_log_header (file_header, file_header_length);
  if (sink_listens (current.sink))
    atomic_store (&problem, LOG_UNREAD);
  current.error = pass_on (current.sink, file_header, file_header_length, true);
  if (current.error != 0 && sink_listens (current.sink)) {
    fail (current.error);
    return 0;
  }
  atomic_store (&problem, current.error);
  atomic_store (&all_bytes, file_header_length);
  current.length = file_header_length;
  /* Whoever is about to add a name is done with that soon. */
  again_wanted = begins_with_names;
  while (current.error == 0 && again_wanted) {
    say_again_if_wanted ();
    if (again_wanted)
      native_thread_sleep (1);
  }
  return current.error;
}

void
log_keep_file (void)
{
  current.end_size = current.end_time = UINT64_MAX;
}

void
log_end (bool process_ends)
{
  log_flush_names ();
  mend_for_end ();
  if (log_format->put_last != NULL)
    log_format->put_last ();
  tell_losses (clock_now ());
  if (current.error == 0)
    spool_set_log_end (current.length + log_format->end_size);
  finish_file (process_ends);
}

void
log_close (void)
{
  sink_wait (current.sink);
  if (!rest_is_left)
    spool_remove ();
  sink_free (current.sink);
}

void
log_give_up (void)
{
  sink_give_up (current.sink);
  sink_tell_command (current.sink);
}

void
log_after_fork (void)
{
  sink_after_fork (current.sink);
}

/* The parent's threads may have been anywhere in what is theirs: it stays as it is. */
void
log_start_over (void)
{
  current = next = (struct log_file){ 0 };
  out = &current;
  pthread_mutex_init (&name_lock, NULL);
  files_begun = 0;
  names = again = (struct names_buffer){ 0 };
  counters = NULL;
  shot_begun = 0;
  all_bytes = flushed = losses_told = 0;
  problem = 0;
  reader_waited_for = 0;
  rest_is_left = false;
  begins_with_names = true;
}

void
log_get_name (char *name, size_t size)
{
  pthread_mutex_lock (&name_lock);
  snprintf (name, size, "%s", sink_name (current.sink));
  pthread_mutex_unlock (&name_lock);
}

uint64_t
log_files (void)
{
  pthread_mutex_lock (&name_lock);
  const uint64_t begun = files_begun;
  pthread_mutex_unlock (&name_lock);
  return begun;
}

bool
log_get_file (uint64_t number, char *name, size_t size)
{
  pthread_mutex_lock (&name_lock);
  const bool is_known
      = number > 0 && number <= files_begun && files_begun - number < LOG_FILES_KEPT;
  if (is_known)
    snprintf (name, size, "%s", files[number % LOG_FILES_KEPT]);
  pthread_mutex_unlock (&name_lock);
  return is_known;
}

int
log_problem (void)
{
  return atomic_load (&problem);
}

uint64_t
log_bytes (void)
{
  return atomic_load_explicit (&all_bytes, memory_order_relaxed);
}
