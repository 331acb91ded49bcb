/* log-rotate.c -- begins the next file of the log, or serves the next reader: both get all that is
 * needed to read them by themselves. */
#include "config.h"

#include "profiler/write/log-rotate.h"
#include "agent/clock.h"
#include "agent/command.h"
#include "agent/warn.h"
#include "profiler/os/out-of-room.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-contents.h"
#include "profiler/write/log-file.h"
#include "profiler/write/log-keep.h"
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct log_rotation rotation;
static struct {
  const uint8_t *bytes;
  size_t length;
} header;
static _Atomic unsigned block_ms, reader_block_ms; /* see log_set_blocking */
static bool has_commands;                          /* that end in their own time */
static uint64_t file_begun;                        /* the time at which the current file begins */
static uint32_t shot_begun;            /* the last heap snapshot of which a part was written */
static struct counter_state *counters; /* their values in the log; NULL: none */

/* Only a file that has a number is followed by others by itself. */
static void
set_ends (struct log_file *l, uint64_t written)
{
  const bool rotates = sink_is_numbered (l->sink);
  l->end_size = rotates && rotation.bytes != 0 ? written + rotation.bytes : UINT64_MAX;
  l->end_time = rotates && rotation.ns != 0 ? clock_now () + rotation.ns : UINT64_MAX;
}

void
log_rotate_start (const struct log_rotation *r, uint64_t begun)
{
  rotation = *r;
  file_begun = begun;
  set_ends (&log_current, 0);
}

void
log_rotate_stop (void)
{
  log_current.end_size = log_current.end_time = UINT64_MAX;
}

void
log_rotate_set_header (const uint8_t *bytes, size_t length)
{
  header.bytes = bytes;
  header.length = length;
}

void
log_set_counter_baseline (struct counter_state *state)
{
  if (state == NULL)
    return;
  free (counters);
  counters = state;
}

void
log_rotate_note_shot (uint32_t shot)
{
  if (shot <= shot_begun)
    return;
  shot_begun = shot;
  log_note_shot ();
}

bool
log_rotate_shot_is_open (void)
{
  return shot_begun > recorder_shots_ended ();
}

/* Whether another file is due before `length` bytes more.  A file without events would be useless.
 */
static bool
is_due (size_t length)
{
  if (log_current.buffers == 0 || log_current.error != 0 || log_rotate_shot_is_open ())
    return false;
  const uint64_t with_end = length + log_frame_size () + log_end_size ();
  return (log_current.end_size != UINT64_MAX
          && sink_written (log_current.sink) + log_names_waiting () + with_end
                 > log_current.end_size)
         || (log_current.end_time != UINT64_MAX && clock_now () >= log_current.end_time);
}

/* ---- threads that wait ---- */

/* Each value stands alone: relaxed. */
void
log_set_blocking (unsigned ms, unsigned reader_ms)
{
  atomic_store_explicit (&block_ms, ms, memory_order_relaxed);
  atomic_store_explicit (&reader_block_ms, reader_ms, memory_order_relaxed);
}

void
log_apply_blocking (const struct sink *sink)
{
  buffer_queue_set_block_ms (atomic_load_explicit (
      sink_has_reader (sink) ? &reader_block_ms : &block_ms, memory_order_relaxed));
}

/* ---- another file or reader ---- */

/* Begins the file `next`.  Returns 0 or an errno number. */
static int
begin_next (struct log_file *next, const struct name_list *list)
{
  log_file_put (next, header.bytes, header.length);
  log_file_end_header (next);
  log_file_put_moment (next, list->time);
  if (log_format->put_state != NULL)
    log_format->put_state (next);
  else
    log_reannounce (next, list);
  if (counters != NULL && log_format->put_counters != NULL)
    log_format->put_counters (next, counters, list->time);
  log_file_flush (next);
  return next->error;
}

void
log_clear_error_for_end (void)
{
  if (log_current.is_truncated)
    log_current.error = 0;
}

void
log_finish_file (bool process_ends)
{
  if (log_current.error != 0)
    return;
  const int error = sink_finish (log_current.sink, process_ends);
  if (error != 0)
    log_file_fail (error);
}

/* If the process is killed meanwhile, the rest belongs to the old file until that is whole, even
 * the events after its end then, and from there on to the new one. */
static void
replace_current (const struct log_file *next, uint64_t time, bool is_rotation)
{
  log_file_add (next->sink); /* before the end of the old file: its readers query the next one */
  log_clear_error_for_end ();
  log_keep_note (false);
  log_file_put_moment (&log_current, time);
  log_file_put_end (time);
  log_finish_file (false);
  if (is_rotation)
    log_keep_end (log_current.error == 0);
  else
    log_keep_leave ();
  if (log_current.error != 0 && !sink_listens (log_current.sink))
    proflog_warn ("log %s has no end: %s", sink_name (log_current.sink),
                  strerror (log_current.error));
  spool_change_log (sink_file (next->sink), next->length);
  struct sink *old = log_current.sink;
  log_file_switch (next);
  log_keep_begin (next->sink, next->header_end);
  sink_free (old);
}

/* Goes on in this sink, if there is one (else `why` has a message).  Returns 0 or an errno number.
 */
static int
switch_to (struct sink *sink, const struct name_list *list, bool is_rotation, char *why,
           size_t size)
{
  if (sink == NULL)
    return EINVAL;
  log_flush_names ();
  if (sink_has_reader (sink))
    log_apply_blocking (sink); /* it may stall at once */
  /* Nothing is written where no reader is yet: serve_readers begins the log for the first one. */
  struct log_file next = { .sink = sink, .error = sink_listens (sink) ? EPIPE : 0 };
  const int error = sink_listens (sink) ? 0 : begin_next (&next, list);
  if (error != 0) {
    snprintf (why, size, "output '%s': %s", sink_name (sink), strerror (error));
    log_apply_blocking (log_current.sink);
    return error;
  }
  log_apply_blocking (sink);
  set_ends (&next, 0);
  log_put_losses (0, list->time);
  replace_current (&next, list->time, is_rotation);
  log_find_names ();
  if (sink_listens (sink))
    log_set_problem (LOG_UNREAD);
  log_put_losses (0, list->time); /* which the file before could not state */
  return 0;
}

static struct sink *
open_next (const char *unused, char *why, size_t size)
{
  (void) unused;
  return sink_open_next (log_current.sink, why, size);
}

/* The same in the sink that `open` opens.  EAGAIN: not now, nothing was done. */
static int
switch_file (struct sink *(*open) (const char *output, char *why, size_t size), const char *output,
             char *why, size_t size)
{
  struct name_list list;
  if (!names_list (&list))
    return EAGAIN;
  /* Readers know the order of files by their times.  A name that waits for the writer may have
   * waited when the current file began, too. */
  if (list.time <= file_begun) {
    free (list.names);
    return EAGAIN;
  }
  struct sink *const sink = open (output, why, size);
  const int error = switch_to (sink, &list, open == open_next, why, size);
  free (list.names);
  if (error == 0)
    file_begun = list.time;
  if (error != 0 && sink != NULL)
    sink_discard (sink);
  return error;
}

static struct sink *
open_other (const char *output, char *why, size_t size)
{
  const bool rotates = !log_keep_is_ring () && (rotation.bytes != 0 || rotation.ns != 0);
  return sink_open_other (log_current.sink, output, rotates, why, size);
}

/* Goes on in the next file.  If that is impossible, goes on in the current one, and tries again
 * when it has grown as much, or as long, once more. */
static void
rotate (void)
{
  static bool is_reported;
  char why[PATH_MAX + 128];
  const int error = switch_file (open_next, NULL, why, sizeof why);
  if (error == 0 || error == EAGAIN)
    return; /* then at the next buffer */
  if (!is_reported && !is_out_of_room (error))
    proflog_warn ("%s; the log continues in %s", why, sink_name (log_current.sink));
  is_reported |= !is_out_of_room (error);
  set_ends (&log_current, sink_written (log_current.sink));
}

void
log_rotate_if_due (size_t length)
{
  if (is_due (length))
    rotate ();
}

/* The reader of a log that its sink listens for may disconnect, and another one connect, for which
 * the log is complete in itself. */
static void
serve_readers (void)
{
  struct name_list list;
  if (!sink_listens (log_current.sink))
    return;
  if (log_current.error == 0 && sink_reader_has_gone (log_current.sink))
    log_file_fail (EPIPE);
  if (log_current.error == 0 || !sink_reader_waits (log_current.sink))
    return;
  if (!names_list (&list))
    return;           /* the next time, then */
  log_flush_names (); /* to no reader: they are in the list */
  struct log_file next = { .sink = log_current.sink };
  if (sink_accept_reader (log_current.sink) && begin_next (&next, &list) == 0) {
    spool_change_log (NULL, next.length);
    set_ends (&next, 0);
    log_file_switch (&next);
    log_put_losses (0, list.time);
  }
  free (list.names);
}

void
log_rotate_run_timers (void)
{
  serve_readers ();
  has_commands = commands_reap ();
  log_keep_run_timers ();
  if (log_current.end_time != UINT64_MAX)
    log_rotate_if_due (0);
}

uint64_t
log_rotate_next_deadline (void)
{
  enum { READERS_NS = 100000000 };
  if (sink_listens (log_current.sink) || has_commands)
    return READERS_NS;
  const uint64_t longest = log_keep_next_deadline ();
  if (log_current.end_time == UINT64_MAX || log_current.buffers == 0)
    return longest;
  const uint64_t now = clock_now ();
  const uint64_t rest = log_current.end_time > now ? log_current.end_time - now : 1000000;
  return rest < longest ? rest : longest;
}

int
log_change (const char *output, char *why, size_t size)
{
  const int error = switch_file (open_other, output, why, size);
  if (error == 0)
    has_commands = true; /* perhaps */
  return error;
}

void
log_rotate_start_over (void)
{
  counters = NULL;
  shot_begun = 0;
  has_commands = false;
}
