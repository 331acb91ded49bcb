/* control-verbs.c -- status, flush, switches, heap snapshots, settings and output of a running
 * program.
 */
#include "config.h"

#include "profiler/control/control-verbs.h"
#include "agent/clock.h"
#include "agent/control.h"
#include "profiler/control/marks.h"
#include "agent/native-thread.h"
#include "profiler/names/names.h"
#include "profiler/options/options.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-file.h"
#include "profiler/write/output-change.h"
#include "profiler/write/writer-flush.h"
#include "profiler/write/writer.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  THREADS_MAX = 10000, /* that a status lists */
  FLUSH_MS = 5000,     /* how long a flush is waited for, and how often that is tried */
  FLUSH_TRIES = 5,
  READER_MS = 200, /* how long the program itself waits for the reader of the log */
  SHOT_MS = 20000, /* and a heap snapshot */
};

static const struct control_ops *ops;

void
control_verbs_set_ops (const struct control_ops *o)
{
  ops = o;
}

/* ---- status ---- */

/* Why nothing can be written; "" if it can. */
static const char *
problem_text (void)
{
  const int problem = log_problem ();
  return problem == 0            ? ""
         : problem == LOG_UNREAD ? "nobody reads it"
         : problem == LOG_ENDED  ? "it has ended: duration or max-size was reached"
                                 : strerror (problem);
}

static void
put_recording (struct reply *r)
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

/* Each recorder is of one thread at a time; what was lost is of all that it had. */
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

static void
verb_status (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  struct writer_figures w;
  writer_get_figures (&w);
  reply_number (r, "pid", (uint64_t) getpid ());
  reply_text (r, "log", w.log);
  reply_text (r, "problem", problem_text ());
  reply_text (r, "format", log_format->name);
  if (!recorder_is_eventlog)
    reply_number (r, "data_version", recorder_version);
  control_reply_start (r);
  put_recording (r);
  reply_number (r, "heap_shots", ops->count_heapshots ());
  reply_number (r, "events_written", w.events);
  reply_bool (r, "events_are_estimated", w.estimated);
  reply_number (r, "bytes_written", w.bytes);
  reply_number (r, "buffers_written", w.buffers);
  reply_number (r, "bytes_waiting", w.waiting);
  reply_number (r, "bytes_waiting_limit", buffer_queue_memory ());
  reply_text (r, "spool", spool_path () != NULL ? spool_path () : "");
  reply_number (r, "spool_bytes", spool_file_size ());
  put_files (r);
  put_losses (r);
  put_threads (r);
}

/* ---- flush, sync ---- */

/* All that was recorded up to now comes into the log.  If not: false, with a message in `why`. */
static bool
flush_log (bool is_inside, char *why, size_t size)
{
  const unsigned reader_ms = is_inside ? READER_MS : FLUSH_MS;
  struct writer_figures w;
  int error;
  if (log_problem () == LOG_ENDED)
    return true; /* which has all */
  /* What waits for names gets them when the world runs again. */
  for (int i = 0; (error = writer_flush (FLUSH_MS, reader_ms)) == EAGAIN && i < FLUSH_TRIES; i++)
    if (control_is_over ())
      break;
  if (error == 0 && is_inside && log_problem () == LOG_UNREAD)
    error = EIO; /* another reader may have come; but what was recorded, he has not got */
  writer_get_figures (&w);
  if (error == EAGAIN)
    snprintf (why, size, "a thread is busy; its last events are not in the log");
  else if (error == ETIMEDOUT)
    snprintf (why, size, "the output accepted no data for %u ms", reader_ms);
  else if (error != 0)
    snprintf (why, size, "the log %s cannot be written any more: %s", w.log, problem_text ());
  return error == 0;
}

static void
put_flushed (struct reply *r)
{
  struct writer_figures w;
  writer_get_figures (&w);
  reply_number (r, "bytes_written", w.bytes);
  reply_number (r, "files", log_files ());
}

/* That, as a reply. */
static void
flush (struct reply *r)
{
  char why[PATH_MAX + 128];
  if (flush_log (r->is_inside, why, sizeof why))
    put_flushed (r);
  else
    reply_error (r, PROFLOG_CONTROL_FAILED, "%s", why);
}

static void
verb_flush (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  flush (r);
}

static void
verb_sync (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  writer_reannounce ();
  flush (r);
}

/* ---- heapshot ---- */

/* Replies that the log has no such thing, if so. */
static bool
refuse_in_eventlog (struct reply *r, const char *what)
{
  if (recorder_is_eventlog)
    reply_error (r, PROFLOG_CONTROL_REFUSED,
                 "an eventlog has no %s; start the program without format=eventlog", what);
  return recorder_is_eventlog;
}

/* Replies that nothing comes into the log any more, if so. */
static bool
refuse_after_end (struct reply *r)
{
  const bool has_ended = log_problem () == LOG_ENDED;
  if (has_ended)
    reply_error (r, PROFLOG_CONTROL_REFUSED, "the log is whole: %s", problem_text ());
  return has_ended;
}

static void
verb_heapshot (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  if (refuse_in_eventlog (r, "heap shots") || refuse_after_end (r))
    return;
  if (ops->get_switch ().paused) {
    reply_error (r, PROFLOG_CONTROL_REFUSED, "recording is stopped; 'start' it first");
    return;
  }
  const uint64_t before = ops->count_heapshots (),
                 until = clock_of_system () + SHOT_MS * UINT64_C (1000000);
  if (r->is_inside)
    ops->take_heapshot ();
  else
    ops->request_heapshot ();
  while (ops->count_heapshots () == before && clock_of_system () < until && !control_is_over ())
    native_thread_sleep (2);
  if (ops->count_heapshots () == before)
    reply_error (r, PROFLOG_CONTROL_FAILED,
                 "no heap snapshot yet; it will be taken at the next major collection");
  else {
    reply_number (r, "heap_shots", ops->count_heapshots ());
    flush (r);
  }
}

/* ---- what is recorded ---- */

static void
verb_stop (struct reply *r, size_t count, char **words)
{
  char why[PATH_MAX + 128];
  (void) count;
  (void) words;
  ops->set_switch (ops->get_switch ().enabled, true);
  const bool is_flushed = flush_log (r->is_inside, why, sizeof why);
  if (!is_flushed && !r->is_inside) {
    reply_error (r, PROFLOG_CONTROL_FAILED,
                 "recording has stopped; the last events are not in the log yet: %s", why);
    return;
  }
  reply_bool (r, "recording", false);
  if (is_flushed)
    put_flushed (r);
  else
    reply_text (r, "not_written", why); /* which is not the program's concern */
}

/* A reader that starts here finds all names in the log. */
static void
verb_start (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  const struct event_switch s = ops->get_switch ();
  if (refuse_after_end (r))
    return;
  if (!recorder_running () || s.failed) {
    reply_error (r, PROFLOG_CONTROL_FAILED,
                 "the log cannot be written any more: %s; 'output FILE' lets it go on elsewhere",
                 problem_text ());
    return;
  }
  if (s.paused) {
    writer_reannounce ();
    ops->set_switch (s.enabled, false);
  }
  put_recording (r);
}

/* The classes that are named, 0 with an error for none. */
static unsigned
find_classes (struct reply *r, size_t count, char **words)
{
  unsigned classes = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned one = event_class_find (words[i], strlen (words[i]));
    if (one == 0 && strcmp (words[i], "sample-real") == 0) {
      reply_error (r, PROFLOG_CONTROL_USAGE,
                   "there is no class '%s': its samples are of the class sample", words[i]);
      return 0;
    }
    if (one == 0) {
      reply_error (r, PROFLOG_CONTROL_USAGE, "there is no class '%s'; 'status' lists the classes",
                   words[i]);
      return 0;
    }
    classes |= one;
  }
  return classes;
}

static void
verb_enable (struct reply *r, size_t count, char **words)
{
  const struct event_switch s = ops->get_switch ();
  const unsigned classes = find_classes (r, count, words);
  for (size_t i = 0; i < EVENT_CLASSES; i++)
    if ((classes & s.later & 1u << i) != 0 && recorder_is_eventlog)
      reply_error (r, PROFLOG_CONTROL_REFUSED,
                   "an eventlog cannot record %s; start the program without format=eventlog",
                   event_class_names[i]);
    else if ((classes & s.later & 1u << i) != 0)
      reply_error (r, PROFLOG_CONTROL_REFUSED,
                   "%s cannot be recorded in the log's data version %u; start the program with the "
                   "option format=%d",
                   event_class_names[i], recorder_version, MLPD_VERSION_ALL_CLASSES);
    else if ((classes & ~s.armed & 1u << i) != 0)
      reply_error (r, PROFLOG_CONTROL_REFUSED,
                   "%s cannot be recorded, as the program was started without; start it with the "
                   "option %s or prepare=%s",
                   event_class_names[i], event_class_names[i], event_class_names[i]);
  if (classes == 0 || (classes & ~s.armed) != 0)
    return;
  ops->set_switch (s.enabled | classes, s.paused);
  put_recording (r);
}

static void
verb_disable (struct reply *r, size_t count, char **words)
{
  const struct event_switch s = ops->get_switch ();
  const unsigned classes = find_classes (r, count, words);
  if (classes == 0)
    return;
  ops->set_switch (s.enabled & ~classes, s.paused);
  put_recording (r);
}

/* ---- output ---- */

static void
verb_output (struct reply *r, size_t count, char **words)
{
  char why[PATH_MAX + 128];
  struct writer_figures w;
  (void) count;
  if (refuse_after_end (r))
    return;
  const int error = writer_change_output (words[0], FLUSH_MS, why, sizeof why);
  if (error != 0) {
    reply_error (r, PROFLOG_CONTROL_FAILED, "%s", why);
    return;
  }
  writer_get_figures (&w);
  reply_text (r, "log", w.log);
}

/* ---- mark ---- */

/* Several words are one name. */
static void
verb_mark (struct reply *r, size_t count, char **words)
{
  char name[PROFLOG_CONTROL_REQUEST_MAX] = "", why[256];
  for (size_t i = 0; i < count; i++) {
    strcat (name, i > 0 ? " " : "");
    strcat (name, words[i]);
  }
  if (marks_add (name, why, sizeof why))
    reply_text (r, "mark", name);
  else
    reply_error (r, PROFLOG_CONTROL_REFUSED, "%s", why);
}

/* ---- set ---- */

static void
set_flush (const struct options *o)
{
  writer_set_flush_interval ((unsigned) o->flush_ms);
}

static void
set_reannounce (const struct options *o)
{
  writer_set_reannounce_interval ((unsigned) o->reannounce_ms);
}

static void
set_memory (const struct options *o)
{
  buffer_queue_set_memory (o->memory);
}

static void
set_block_timeout (const struct options *o)
{
  writer_set_block_ms ((unsigned) o->block_timeout_ms);
}

static void
set_heapshot (const struct options *o)
{
  ops->set_heapshot (&o->heapshot);
}

/* Values are those of the options of these names. */
static const struct setting {
  const char *name;
  void (*set) (const struct options *options);
} settings[] = {
  { "flush", set_flush },
  { "reannounce", set_reannounce },
  { "sync", set_reannounce }, /* its earlier name */
  { "memory", set_memory },
  { "block-timeout", set_block_timeout },
  { "patience", set_block_timeout }, /* its earlier name */
  { "heapshot", set_heapshot },
};

static void
verb_set (struct reply *r, size_t count, char **words)
{
  enum { SETTINGS = sizeof settings / sizeof *settings };
  static struct options wanted; /* too large for a stack */
  char text[PROFLOG_CONTROL_REQUEST_MAX + 8], why[512];
  (void) count;
  const size_t length = strcspn (words[0], "=");
  size_t i = 0;
  while (
      i < SETTINGS
      && (strlen (settings[i].name) != length || strncmp (settings[i].name, words[0], length) != 0))
    i++;
  if (i == SETTINGS) {
    reply_error (r, PROFLOG_CONTROL_USAGE,
                 "%.*s cannot be changed while the program runs; flush, reannounce, memory, "
                 "block-timeout and heapshot can",
                 (int) length, words[0]);
    return;
  }
  if ((settings[i].set == set_heapshot && refuse_in_eventlog (r, "heap shots"))
      || (settings[i].set == set_reannounce && refuse_in_eventlog (r, "names to re-announce")))
    return;
  if (strpbrk (words[0], ",\\'\"") != NULL) {
    reply_error (r, PROFLOG_CONTROL_USAGE, "%s: one setting at a time", words[0]);
    return;
  }
  const bool is_off = strcmp (words[0] + length, "=off") == 0;
  snprintf (text, sizeof text, "set:%s", words[0]);
  if (is_off && settings[i].set == set_heapshot) {
    wanted.heapshot = (struct proflog_heapshot_mode){ .when = PROFLOG_HEAPSHOT_OFF };
  } else if (!options_parse (&wanted, text, NULL, why, sizeof why)) {
    reply_error (r, PROFLOG_CONTROL_USAGE, "%s", why);
    return;
  }
  settings[i].set (&wanted);
  reply_text (r, "set", words[0]);
}

/* ---- all verbs ---- */

static const struct control_verb verbs[] = {
  { "status", 0, 0, verb_status },
  { "start", 0, 0, verb_start },
  { "stop", 0, 0, verb_stop },
  { "enable", 1, CONTROL_WORDS_MAX, verb_enable },
  { "disable", 1, CONTROL_WORDS_MAX, verb_disable },
  { "heapshot", 0, 0, verb_heapshot },
  { "flush", 0, 0, verb_flush },
  { "sync", 0, 0, verb_sync },
  { "mark", 1, CONTROL_WORDS_MAX, verb_mark },
  { "set", 1, 1, verb_set },
  { "output", 1, CONTROL_TEXT, verb_output },
};

const struct control_verbs module_verbs = { verbs, sizeof verbs / sizeof *verbs };
