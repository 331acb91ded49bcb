/* control-verbs.c -- see control-verbs.h. */
#include "profiler/control-verbs.h"
#include "profiler/clock.h"
#include "profiler/control.h"
#include "profiler/recorder.h"
#include "profiler/writer.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  WORDS_MAX = 32,      /* of a request */
  THREADS_MAX = 10000, /* that a status lists */
  FLUSH_MS = 5000,     /* how long a flush is waited for, and how often that is tried */
  FLUSH_TRIES = 5,
};

static const struct options *options;
static time_t started_at;
static uint64_t started_ns;

/* ---- status ---- */

static void
tell_start (struct reply *r)
{
  struct tm utc;
  char text[32];
  strftime (text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r (&started_at, &utc));
  reply_text (r, "since", text);
  reply_number (r, "seconds", (clock_of_system () - started_ns) / 1000000000);
}

static void
tell_classes (struct reply *r)
{
  static const char *const names[]
      = { "alloc", "calls", "gc", "gcmove", "exception", "monitor", NULL };
  const struct options *o = options;
  const unsigned which = o->alloc | o->calls << 1 | o->gc << 2 | o->gcmove << 3 | o->exception << 4
                         | o->monitor << 5;
  reply_names (r, "classes", names, which);
}

static void
tell_losses (struct reply *r)
{
  struct recorder_losses l;
  recorder_get_losses (&l);
  reply_number (r, "lost_bytes_slow_output", l.bytes);
  reply_number (r, "lost_buffers_slow_output", l.buffers);
  reply_number (r, "lost_events_no_memory", l.events);
}

/* Each recorder is of one thread at a time; what was lost is of all that it had. */
static void
tell_threads (struct reply *r)
{
  uint64_t threads = 0;
  for (struct recorder *t = recorder_first (); t != NULL; t = t->next)
    threads += atomic_load_explicit (&t->taken, memory_order_relaxed);
  reply_number (r, "recording_threads", threads);
  uint64_t listed = 0;
  reply_list (r, "threads");
  for (struct recorder *t = recorder_first (); t != NULL && listed < THREADS_MAX; t = t->next) {
    const uint64_t lost = atomic_load_explicit (&t->dropped_bytes, memory_order_relaxed);
    if (!atomic_load_explicit (&t->taken, memory_order_relaxed) && lost == 0)
      continue;
    listed++;
    reply_row (r);
    reply_id (r, "id", atomic_load_explicit (&t->thread, memory_order_relaxed));
    reply_bool (r, "lives", atomic_load_explicit (&t->taken, memory_order_relaxed));
    reply_number (r, "lost_bytes", lost);
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
  reply_text (r, "format", "mlpd");
  reply_number (r, "data_version", 1);
  tell_start (r);
  reply_bool (r, "recording", recorder_running ());
  tell_classes (r);
  reply_number (r, "bytes_written", w.bytes);
  reply_number (r, "buffers_written", w.buffers);
  reply_number (r, "bytes_waiting", w.waiting);
  reply_number (r, "bytes_waiting_limit", writer_memory ());
  reply_text (r, "spool", spool_left () != NULL ? spool_left () : "");
  reply_number (r, "spool_bytes", spool_file_size ());
  tell_losses (r);
  tell_threads (r);
}

/* ---- flush ---- */

static void
verb_flush (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  struct writer_figures w;
  int error;
  /* What waits for names gets them when the world runs again. */
  for (int i = 0; (error = writer_flush (FLUSH_MS)) == EAGAIN && i < FLUSH_TRIES; i++)
    if (control_is_over ())
      break;
  writer_get_figures (&w);
  switch (error) {
  case 0:
    reply_number (r, "bytes_written", w.bytes);
    break;
  case EAGAIN:
    reply_error (r, PROFLOG_CONTROL_FAILED,
                 "a thread is in the middle of something; what it has recorded is not in the log");
    break;
  case ETIMEDOUT:
    reply_error (r, PROFLOG_CONTROL_FAILED, "nothing was taken from us for %d ms", FLUSH_MS);
    break;
  default:
    reply_error (r, PROFLOG_CONTROL_FAILED, "the log %s cannot be written any more", w.log);
    break;
  }
}

/* ---- all verbs ---- */

static const struct verb {
  const char *name;
  size_t least, most; /* arguments */
  void (*run) (struct reply *reply, size_t count, char **words);
} verbs[] = {
  { "status", 0, 0, verb_status },
  { "flush", 0, 0, verb_flush },
};

enum { VERBS = sizeof verbs / sizeof *verbs };

static void
tell_unknown (struct reply *r, const char *name)
{
  char names[256] = "";
  size_t length = 0;
  for (size_t i = 0; i < VERBS; i++)
    length += (size_t) snprintf (names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "",
                                 verbs[i].name);
  reply_error (r, PROFLOG_CONTROL_USAGE, "there is no '%s'; there are %s", name, names);
}

/* Splits at blanks; the number of words, or one too many. */
static size_t
split (char *text, char **words)
{
  static const char blanks[] = " \t\r";
  size_t count = 0;
  for (char *p = text + strspn (text, blanks); *p != 0; p += strspn (p, blanks)) {
    if (count == WORDS_MAX)
      return WORDS_MAX + 1;
    words[count++] = p;
    p += strcspn (p, blanks);
    if (*p != 0)
      *p++ = 0;
  }
  return count;
}

void
control_verbs_run (char *request, struct reply *r)
{
  char *words[WORDS_MAX];
  const size_t count = split (request, words);
  if (count == 0 || count > WORDS_MAX) {
    reply_error (r, PROFLOG_CONTROL_USAGE, "the request has %s words",
                 count == 0 ? "no" : "too many");
    return;
  }
  const struct verb *verb = verbs;
  while (verb < verbs + VERBS && strcmp (verb->name, words[0]) != 0)
    verb++;
  if (verb == verbs + VERBS)
    tell_unknown (r, words[0]);
  else if (count - 1 < verb->least || count - 1 > verb->most)
    reply_error (r, PROFLOG_CONTROL_USAGE, "%s takes %s arguments", verb->name,
                 verb->most == 0           ? "no"
                 : count - 1 < verb->least ? "more"
                                           : "fewer");
  else
    verb->run (r, count - 1, words + 1);
}

void
control_verbs_start (const struct options *o)
{
  options = o;
  started_at = time (NULL);
  started_ns = clock_of_system ();
}
