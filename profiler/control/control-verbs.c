/* control-verbs.c -- flush, switches, heap snapshots, settings, output and copies of the log of a
 * running program.
 */
#include "config.h"

#include "agent/requests.h"
#include "agent/clock.h"
#include "agent/native-thread.h"
#include "profiler/control/verbs.h"
#include "profiler/control/marks.h"
#include "profiler/options/options.h"
#include "profiler/record/buffer-queue.h"
#include "profiler/record/recorder.h"
#include "profiler/write/log-file.h"
#include "profiler/write/log-keep.h"
#include "profiler/write/log-save.h"
#include "profiler/write/writer-work.h"
#include "profiler/write/writer.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
  FLUSH_MS = 5000, /* how long a flush is waited for, and how often that is tried */
  FLUSH_TRIES = 5,
  BUSY_MS = 30000, /* how long, while the output accepts events */
  READER_MS = 200, /* how long the program itself waits for the reader of the log */
  SHOT_MS = 20000, /* and a heap snapshot */
  SHOT_POLL_MS = 20,
};

static const struct control_ops *ops;

void
control_verbs_set_ops (const struct control_ops *o)
{
  ops = o;
}

/* ---- status ---- */

static void
verb_status (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  control_put_status (r, ops);
}

/* ---- flush, sync ---- */

/* All that was recorded up to now comes into the log.  If not: false, with a message in `why`. */
static bool
flush_log (bool is_inside, char *why, size_t size)
{
  const unsigned reader_ms = is_inside ? READER_MS : FLUSH_MS;
  const unsigned busy_ms = is_inside ? FLUSH_MS : BUSY_MS;
  struct writer_figures w;
  int error;
  if (log_problem () == LOG_ENDED)
    return true; /* which has all */
  /* Events that wait for names get them when the world runs again. */
  for (int i = 0;
       (error = writer_flush (FLUSH_MS, reader_ms, busy_ms)) == EAGAIN && i < FLUSH_TRIES; i++)
    if (control_is_over ())
      break;
  if (error == 0 && is_inside && log_problem () == LOG_UNREAD)
    error = EIO; /* another reader may have come, but it has not got these events */
  writer_get_figures (&w);
  if (error == EAGAIN)
    snprintf (why, size, "a thread is busy; its last events are not in the log");
  else if (error == EBUSY)
    snprintf (why, size,
              "the program records more than the output accepts; after %u ms its last events are "
              "not in the log",
              busy_ms);
  else if (error == ETIMEDOUT)
    snprintf (why, size, "the output accepted no data for %u ms", reader_ms);
  else if (error != 0)
    snprintf (why, size, "the log %s can no longer be written: %s", w.log, control_problem_text ());
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

/* Replies that there can be no heap snapshots, if so. */
static bool
refuse_heapshots (struct reply *r)
{
  if (refuse_in_eventlog (r, "heap snapshots"))
    return true;
  const char *const why = ops->get_heapshot_refusal ();
  if (why != NULL)
    reply_error (r, PROFLOG_CONTROL_REFUSED, "no heap snapshots can be taken: %s", why);
  return why != NULL;
}

/* Replies that nothing more comes into the log, if so. */
static bool
refuse_after_end (struct reply *r)
{
  const bool has_ended = log_problem () == LOG_ENDED;
  if (has_ended)
    reply_error (
        r, PROFLOG_CONTROL_REFUSED,
        "the log is complete, as duration or max-size was reached; start the program again to "
        "record more");
  return has_ended;
}

/* The file in which the snapshot stands. */
static void
put_shot_file (struct reply *r)
{
  char name[PATH_MAX];
  log_get_shot_name (name, sizeof name);
  reply_text (r, "log", name);
}

/* A snapshot stops the program.  So the next one on request waits four times as long as one took,
 * and the program runs for most of the time whatever is requested. */
static uint64_t shot_not_before; /* by the system's clock; under the lock of requests */

static void
rest_before_shot (void)
{
  while (clock_of_system () < shot_not_before && !control_is_over ())
    native_thread_sleep (1);
}

static void
rest_after_shot (uint64_t begun)
{
  enum { REST_FACTOR = 4 };
  const uint64_t now = clock_of_system (), rest = REST_FACTOR * (now - begun),
                 most = UINT64_C (2000000000);
  shot_not_before = now + (rest < most ? rest : most);
}

static void
verb_heapshot (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  if (refuse_heapshots (r) || refuse_after_end (r))
    return;
  if (ops->get_switch ().paused) {
    reply_error (r, PROFLOG_CONTROL_REFUSED, "recording is stopped; 'start' it first");
    return;
  }
  if (!r->is_inside)
    rest_before_shot ();
  const uint64_t before = ops->count_heapshots (), begun = clock_of_system (),
                 until = begun + SHOT_MS * UINT64_C (1000000);
  if (r->is_inside)
    ops->take_heapshot ();
  else
    ops->request_heapshot ();
  while (ops->count_heapshots () == before && clock_of_system () < until && !control_is_over ())
    native_thread_sleep (2);
  rest_after_shot (begun);
  if (ops->count_heapshots () == before)
    reply_error (r, PROFLOG_CONTROL_FAILED,
                 "no heap snapshot yet; it will be taken at the next major collection");
  else {
    reply_number (r, "heap_shots", ops->count_heapshots ());
    flush (r);
    if (!r->failed)
      put_shot_file (r);
  }
}

/* ---- stacks ---- */

static void
verb_stacks (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  const char *const why = ops->put_stacks (r);
  if (why != NULL)
    reply_error (r, PROFLOG_CONTROL_REFUSED, "no stacks: %s", why);
}

/* ---- start and stop ---- */

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
                 "the log can no longer be written: %s; 'output FILE' lets it go on elsewhere",
                 control_problem_text ());
    return;
  }
  if (s.paused) {
    writer_reannounce ();
    ops->set_switch (s.enabled, false);
  }
  control_put_recording (r, ops);
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
  control_put_recording (r, ops);
}

static void
verb_disable (struct reply *r, size_t count, char **words)
{
  const struct event_switch s = ops->get_switch ();
  const unsigned classes = find_classes (r, count, words);
  if (classes == 0)
    return;
  ops->set_switch (s.enabled & ~classes, s.paused);
  control_put_recording (r, ops);
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

/* ---- save ---- */

/* All events up to now are in files; a heap snapshot that has begun, too. */
static bool
flush_whole (bool is_inside, char *why, size_t size)
{
  const uint64_t until = clock_of_system () + SHOT_MS * UINT64_C (1000000);
  do {
    if (!flush_log (is_inside, why, size))
      return false;
    if (!log_keep_has_open_shot ())
      return true;
    native_thread_sleep (SHOT_POLL_MS);
  } while (clock_of_system () < until && !control_is_over ());
  snprintf (why, size, "a heap snapshot is being written");
  return false;
}

/* "[--last TIME] FILE".  False with an error. */
static bool
read_save (struct reply *r, const char *text, const char **path, uint64_t *last_ns)
{
  static const char last[] = "--last ";
  char time[64];
  uint64_t ms;
  *last_ns = UINT64_MAX;
  *path = text;
  if (strncmp (text, last, sizeof last - 1) == 0) {
    const char *const value = text + sizeof last - 1;
    const size_t length = strcspn (value, " ");
    snprintf (time, sizeof time, "%.*s", (int) length, value);
    if (!proflog_parse_time_ms (time, 1, PROFLOG_ROTATE_MS_MAX, &ms)) {
      reply_error (r, PROFLOG_CONTROL_USAGE, "--last %s: not a time, such as 30s or 5min", time);
      return false;
    }
    *last_ns = ms * 1000000;
    *path = value + length + strspn (value + length, " ");
  }
  if (**path != '/')
    reply_error (r, PROFLOG_CONTROL_USAGE,
                 "save needs the whole name of a file, such as /tmp/app.mlpd");
  return **path == '/';
}

static void
verb_save (struct reply *r, size_t count, char **words)
{
  char why[2 * PATH_MAX + 128];
  const char *path;
  uint64_t last_ns;
  struct log_saved saved;
  (void) count;
  if (!read_save (r, words[0], &path, &last_ns))
    return;
  if (!flush_whole (r->is_inside, why, sizeof why)
      || !log_save (path, last_ns, &saved, why, sizeof why)) {
    reply_error (r, PROFLOG_CONTROL_FAILED, "%s", why);
    return;
  }
  reply_text (r, "saved", path);
  reply_number (r, "bytes", saved.bytes);
  reply_number (r, "files", saved.files);
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
  if ((settings[i].set == set_heapshot && refuse_in_eventlog (r, "heap snapshots"))
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
  const bool wants_shots = wanted.heapshot.when != PROFLOG_HEAPSHOT_OFF
                           && wanted.heapshot.when != PROFLOG_HEAPSHOT_ON_DEMAND;
  if (settings[i].set == set_heapshot && wants_shots && refuse_heapshots (r))
    return;
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
  { "save", 1, CONTROL_TEXT, verb_save },
  { "stacks", 0, 0, verb_stacks },
};

const struct control_verbs module_verbs = { verbs, sizeof verbs / sizeof *verbs };
