/* control-status.c -- figures of the recording, its log and its threads. */
#include "config.h"

#include "profiler/control/auto-save.h"
#include "profiler/control/verbs.h"
#include "profiler/names/names.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-file.h"
#include "profiler/write/log-keep.h"
#include "profiler/write/log-output.h"
#include "profiler/write/writer.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MAX = 10000 }; /* that a status lists */

const char *
control_problem_text (void)
{
  const int problem = log_problem ();
  return problem == 0            ? ""
         : problem == LOG_UNREAD ? "nobody reads it"
         : problem == LOG_ENDED  ? "it has ended: duration or max-size was reached"
                                 : strerror (problem);
}

void
control_put_recording (struct reply *r, const struct control_ops *ops)
{
  const struct event_switch s = ops->get_switch ();
  reply_bool (r, "recording", recorder_running () && !s.paused && !s.failed);
  reply_names (r, "classes", event_class_names, s.enabled);
  reply_names (r, "can_be_enabled", event_class_names, s.armed & ~s.enabled);
}

static void
put_losses (struct reply *r)
{
  struct recorder_losses l;
  recorder_get_losses (&l);
  reply_number (r, "lost_events_slow_output", l.dropped);
  reply_number (r, "lost_bytes_slow_output", l.bytes);
  reply_number (r, "lost_buffers_slow_output", l.buffers);
  reply_number (r, "lost_events_no_memory", l.events);
  reply_number (r, "lost_events_not_written", l.unwritten);
  reply_number (r, "lost_bytes_not_written", l.unwritten_bytes);
}

/* For readers that search for the file after the one that they have read. */
static void
put_files (struct reply *r)
{
  char name[PATH_MAX];
  const uint64_t begun = log_files ();
  reply_number (r, "files", begun);
  reply_list (r, "last_files");
  for (uint64_t i = begun > LOG_FILES_KEPT ? begun - LOG_FILES_KEPT + 1 : 1; i <= begun; i++)
    if (log_get_file (i, name, sizeof name)) {
      reply_row (r);
      reply_number (r, "number", i);
      reply_text (r, "name", name);
      reply_end_row (r);
    }
  reply_end_list (r);
}

static void
put_kept (struct reply *r)
{
  char name[PATH_MAX], problem[PATH_MAX];
  reply_number (r, "kept_files", log_keep_count ());
  reply_number (r, "saves", auto_save_count (name, problem, sizeof name));
  reply_text (r, "last_save", name);
  reply_text (r, "save_problem", problem);
}

/* On one line, whatever the program put into it. */
static void
put_thread_name (struct reply *r, uint64_t thread)
{
  char name[256];
  names_copy_thread (thread, name, sizeof name);
  for (char *p = name; *p != 0; p++)
    if ((unsigned char) *p < 0x20)
      *p = ' ';
  reply_text (r, "name", name);
}

/* Each recorder is of one thread at a time; its losses are those of all that it had. */
static void
put_threads (struct reply *r)
{
  uint64_t threads = 0;
  for (struct recorder *t = recorder_first (); t != NULL; t = t->next)
    threads += atomic_load_explicit (&t->taken, memory_order_relaxed);
  reply_number (r, "recording_threads", threads);
  uint64_t listed = 0;
  reply_list (r, "threads");
  for (struct recorder *t = recorder_first (); t != NULL && listed < THREADS_MAX; t = t->next) {
    const struct recorder_losses lost = recorder_losses_of (t);
    if (!atomic_load_explicit (&t->taken, memory_order_relaxed)
        && recorder_lost_events (&lost) == 0)
      continue;
    listed++;
    const uint64_t id = atomic_load_explicit (&t->thread, memory_order_relaxed);
    reply_row (r);
    reply_id (r, "id", id);
    put_thread_name (r, id);
    reply_bool (r, "lives", atomic_load_explicit (&t->taken, memory_order_relaxed));
    reply_number (r, "lost_events_slow_output", lost.dropped);
    reply_number (r, "lost_bytes", lost.bytes);
    reply_number (r, "lost_events_no_memory", lost.events);
    reply_number (r, "lost_events_not_written", lost.unwritten);
    reply_end_row (r);
  }
  reply_end_list (r);
}

void
control_put_status (struct reply *r, const struct control_ops *ops)
{
  struct writer_figures w;
  writer_get_figures (&w);
  reply_number (r, "pid", (uint64_t) getpid ());
  reply_text (r, "log", w.log);
  reply_text (r, "problem", control_problem_text ());
  reply_text (r, "options", log_options ());
  reply_text (r, "format", log_format->name);
  if (!recorder_is_eventlog)
    reply_number (r, "data_version", recorder_version);
  control_reply_start (r);
  control_put_recording (r, ops);
  reply_number (r, "heap_shots", ops->count_heapshots ());
  reply_number (r, "heap_shots_failed", ops->count_failed_heapshots ());
  reply_number (r, "events_written", w.events);
  reply_bool (r, "events_are_estimated", w.estimated);
  reply_number (r, "bytes_written", w.bytes);
  reply_number (r, "buffers_written", w.buffers);
  reply_number (r, "bytes_waiting", w.waiting);
  reply_number (r, "bytes_waiting_limit", buffer_queue_memory ());
  reply_text (r, "spool", spool_path () != NULL ? spool_path () : "");
  reply_number (r, "spool_bytes", spool_file_size ());
  put_files (r);
  put_kept (r);
  put_losses (r);
  put_threads (r);
}
