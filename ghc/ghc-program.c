/* ghc-program.c -- starts and ends the live eventlog of a GHC program, and answers proflog ctl. */
#include "config.h"

#include "agent/clock.h"
#include "agent/native-thread.h"
#include "agent/requests.h"
#include "agent/warn.h"
#include "ghc/ghc-live.h"
#include "ghc/ghc-options.h"
#include <proflog/ghc-program.h>
#include <proflog/program.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* ---- flushes ---- */

enum { MS = 1000000, END_MS = 5000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* by the steady clock */
static pthread_t thread;
static bool has_thread, over;
static void (*flush_runtime) (void);
static bool flushes_at_once;
static uint64_t interval, next; /* ns; 0: not at all */
static bool is_pending;         /* a flush_runtime was requested, and the thread has not begun it */
static uint64_t done;           /* number of flushes */
static uint64_t requested;      /* that number when the next flush was requested without waiting */
/* For ghc_flush_is_due, which the runtime calls after collections and which must not wait for the
 * lock.  All stores are made with the lock; the one load needs no more than a value that is not
 * old. */
static _Atomic uint64_t due = UINT64_MAX;

/* With the lock: waits for a change, or until this time of clock_of_system. */
static void
wait_until (uint64_t until)
{
  const struct timespec t = { (time_t) (until / 1000000000u), (long) (until % 1000000000u) };
  if (until == UINT64_MAX)
    pthread_cond_wait (&changed, &lock);
  else
    pthread_cond_timedwait (&changed, &lock, &t);
}

static void
count_one (void)
{
  done++;
  next = clock_of_system () + interval;
  atomic_store (&due, interval != 0 ? next : UINT64_MAX);
  pthread_cond_broadcast (&changed);
}

static void *
run (void *unused)
{
  (void) unused;
  pthread_mutex_lock (&lock);
  while (!over) {
    if (!is_pending && (interval == 0 || next > clock_of_system ())) {
      wait_until (interval != 0 ? next : UINT64_MAX);
      continue;
    }
    is_pending = false;
    next = clock_of_system () + interval;
    atomic_store (&due, 0);
    pthread_mutex_unlock (&lock);
    flush_runtime ();
    pthread_mutex_lock (&lock);
    if (flushes_at_once)
      count_one ();
  }
  pthread_mutex_unlock (&lock);
  return NULL;
}

static void
ghc_flush_set_interval (unsigned interval_ms)
{
  pthread_mutex_lock (&lock);
  interval = (uint64_t) interval_ms * MS;
  next = clock_of_system () + interval;
  atomic_store (&due, interval != 0 ? next : UINT64_MAX);
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
}

/* Starts the thread that calls `flush_runtime`, if that is not NULL; see proflog_ghc_ready.
 * `interval_ms`: how often; 0: only when it is requested. */
static void
ghc_flush_start (void (*how) (void), bool at_once, unsigned interval_ms)
{
  pthread_condattr_t attributes;
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&changed, &attributes);
  pthread_condattr_destroy (&attributes);
  flush_runtime = how;
  flushes_at_once = at_once;
  ghc_flush_set_interval (interval_ms);
  has_thread = how != NULL && native_thread_start (&thread, 0, run) == 0;
}

/* After a collection: whether to restart the eventlog; and the report that this was done. */
static bool
ghc_flush_is_due (void)
{
  const uint64_t when = atomic_load (&due);
  return when != UINT64_MAX && !flushes_at_once && clock_of_system () >= when;
}

static void
ghc_flush_is_done (void)
{
  pthread_mutex_lock (&lock);
  count_one ();
  pthread_mutex_unlock (&lock);
}

/* The next collection flushes. */
static void
ghc_flush_request (void)
{
  pthread_mutex_lock (&lock);
  requested = done;
  atomic_store (&due, 0);
  pthread_mutex_unlock (&lock);
}

/* Requests a flush_runtime and waits for it, `limit_ms` at most; false if it is not done by then.
 * `is_inside`: the program itself requests it.  Without `flush_runtime` its thread may be the
 * runtime's only one, and does not wait: true if there was a flush_runtime since ghc_flush_request.
 */
static bool
ghc_flush_now (unsigned limit_ms, bool is_inside)
{
  const uint64_t until = clock_of_system () + limit_ms * (uint64_t) MS;
  pthread_mutex_lock (&lock);
  if (is_inside && !has_thread) {
    const bool was_done = done != requested;
    pthread_mutex_unlock (&lock);
    return was_done;
  }
  const uint64_t before = done;
  is_pending = true;
  atomic_store (&due, 0);
  pthread_cond_broadcast (&changed);
  while (done == before && !over && clock_of_system () < until)
    wait_until (until);
  const bool good = done != before;
  pthread_mutex_unlock (&lock);
  return good;
}

/* `flush_runtime` is no longer called. */
static void
ghc_flush_finish (void)
{
  pthread_mutex_lock (&lock);
  over = true;
  atomic_store (&due, UINT64_MAX);
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  if (has_thread)
    native_thread_join (thread, END_MS);
}

/* ---- the requests of proflog ctl ---- */

enum { FLUSH_MS = 5000 };

static void
put_recording (struct reply *r)
{
  const char *names[EVENTLOG_CLASSES + 1] = { NULL };
  struct ghc_live_figures f;
  for (int i = 0; i < EVENTLOG_CLASSES; i++)
    names[i] = eventlog_class_name ((enum eventlog_class) i);
  ghc_live_get_figures (&f);
  const unsigned on = ghc_live_classes ();
  reply_bool (r, "recording", f.recording);
  reply_names (r, "classes", names, on);
  reply_names (r, "can_be_enabled", names, ((1u << EVENTLOG_CLASSES) - 1) & ~on);
}

static void
verb_status (struct reply *r, size_t count, char **words)
{
  struct ghc_live_figures f;
  (void) count;
  (void) words;
  ghc_live_get_figures (&f);
  reply_number (r, "pid", (uint64_t) getpid ());
  reply_text (r, "log", f.output);
  reply_text (r, "format", "eventlog");
  control_reply_start (r);
  put_recording (r);
  reply_number (r, "readers", f.readers);
  reply_number (r, "events", f.stream.events);
  reply_number (r, "events_left_out", f.stream.left_out);
  reply_number (r, "events_remembered", f.stream.remembered);
  reply_number (r, "bytes_written", f.bytes);
  reply_number (r, "bytes_waiting", f.waiting);
  reply_number (r, "bytes_waiting_limit", f.memory);
  reply_number (r, "lost_events_slow_output", f.dropped);
  reply_number (r, "lost_events_no_reader", f.missed);
  reply_number (r, "lost_bytes_not_understood", f.stream.lost_bytes);
}

/* Passes all events so far to the readers; false: not all are. */
static bool
flush_all (struct reply *r)
{
  if (ghc_flush_now (FLUSH_MS, r->is_inside))
    return true;
  reply_error (r, PROFLOG_CONTROL_FAILED,
               "the runtime did not give what its buffers have within %d ms: no collection came",
               FLUSH_MS);
  return false;
}

static void
verb_flush (struct reply *r, size_t count, char **words)
{
  struct ghc_live_figures f;
  (void) count;
  (void) words;
  if (!flush_all (r))
    return;
  ghc_live_get_figures (&f);
  reply_number (r, "bytes_written", f.bytes);
}

static void
verb_sync (struct reply *r, size_t count, char **words)
{
  if (!flush_all (r))
    return;
  ghc_live_sync ();
  verb_status (r, count, words);
}

/* Events in the runtime's buffers are of the time before. */
static void
record (struct reply *r, bool on)
{
  ghc_flush_now (FLUSH_MS, r->is_inside);
  ghc_live_record (on);
  put_recording (r);
}

static void
verb_start (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  record (r, true);
}

static void
verb_stop (struct reply *r, size_t count, char **words)
{
  (void) count;
  (void) words;
  record (r, false);
}

static void
switch_classes (struct reply *r, size_t count, char **words, bool on)
{
  unsigned classes = 0;
  for (size_t i = 0; i < count; i++) {
    const enum eventlog_class which = eventlog_class_find (words[i]);
    if (which == EVENTLOG_CLASSES) {
      reply_error (r, PROFLOG_CONTROL_USAGE, "there is no class '%s'; 'status' lists the classes",
                   words[i]);
      return;
    }
    classes |= 1u << which;
  }
  ghc_flush_now (FLUSH_MS, r->is_inside);
  ghc_live_set_classes (on ? ghc_live_classes () | classes : ghc_live_classes () & ~classes);
  put_recording (r);
}

static void
verb_enable (struct reply *r, size_t count, char **words)
{
  switch_classes (r, count, words, true);
}

static void
verb_disable (struct reply *r, size_t count, char **words)
{
  switch_classes (r, count, words, false);
}

static void
verb_output (struct reply *r, size_t count, char **words)
{
  char why[PATH_MAX + 256];
  (void) count;
  ghc_flush_now (FLUSH_MS,
                 r->is_inside); /* events in the runtime's buffers are of the time before */
  if (ghc_live_change (words[0], FLUSH_MS, why, sizeof why))
    reply_text (r, "log", words[0]);
  else
    reply_error (r, PROFLOG_CONTROL_FAILED, "output '%s': %s", words[0], why);
}

static void
verb_set (struct reply *r, size_t count, char **words)
{
  static const char name[] = "flush=";
  unsigned ms;
  (void) count;
  const char *value = words[0] + sizeof name - 1;
  if (strncmp (words[0], name, sizeof name - 1) != 0) {
    reply_error (r, PROFLOG_CONTROL_USAGE, "%s: only flush=TIME can be set", words[0]);
    return;
  }
  if (!ghc_options_parse_flush (value, &ms)) {
    reply_error (r, PROFLOG_CONTROL_USAGE, "%s: not a time from 0ms to 1h", words[0]);
    return;
  }
  ghc_flush_set_interval (ms);
  reply_text (r, "set", words[0]);
}

static const struct control_verb verbs[] = {
  { "status", 0, 0, verb_status },
  { "start", 0, 0, verb_start },
  { "stop", 0, 0, verb_stop },
  { "enable", 1, CONTROL_WORDS_MAX, verb_enable },
  { "disable", 1, CONTROL_WORDS_MAX, verb_disable },
  { "flush", 0, 0, verb_flush },
  { "sync", 0, 0, verb_sync },
  { "set", 1, 1, verb_set },
  { "output", 1, CONTROL_TEXT, verb_output },
};

static const struct control_verbs ghc_verbs = { verbs, sizeof verbs / sizeof *verbs };

/* ---- the program ---- */

enum { CLIENT_LIMIT_MS = 2000 }; /* at the end, with readers that accept nothing */

static struct ghc_options options;
static pid_t process;         /* children of a fork have none of the threads here */
static _Atomic bool is_ready; /* the runtime runs, and is recorded */
static _Atomic bool restarts; /* the runtime's end mark does not end this log */

bool
proflog_ghc_open (void)
{
  char why[PATH_MAX + 256];
  const char *text = getenv ("PROFLOG_GHC");
  if (text == NULL)
    return false;
  proflog_warn_start ();
  if (!ghc_options_parse (&options, text, why, sizeof why)
      || !ghc_live_open (options.output, options.memory, why, sizeof why)) {
    proflog_warn ("PROFLOG_GHC: %s; the program runs without", why);
    return false;
  }
  process = getpid ();
  ghc_live_set_classes (options.classes);
  if (options.paused)
    ghc_live_record (false);
  return true;
}

void
proflog_ghc_ready (void (*flush) (void), bool at_once)
{
  ghc_flush_start (flush, at_once, options.flush_ms);
  if (!options.nocontrol)
    control_start (&ghc_verbs);
  is_ready = true;
}

bool
proflog_ghc_write (void *bytes, size_t length)
{
  ghc_live_write (bytes, length);
  return true;
}

void
proflog_ghc_stop (void)
{
  /* With the stores in proflog_ghc_restarts and proflog_ghc_restarted: this stop is a restart's. */
  if (atomic_load (&restarts) || process != getpid ())
    return;
  ghc_live_finish (CLIENT_LIMIT_MS);
  ghc_live_close ();
}

bool
proflog_ghc_restarts (void)
{
  if (!ghc_flush_is_due () || process != getpid ())
    return false;
  atomic_store (&restarts, true);
  return true;
}

void
proflog_ghc_restarted (void)
{
  atomic_store (&restarts, false);
  ghc_flush_is_done ();
}

void
proflog_ghc_request_flush (void)
{
  if (is_ready && process == getpid ())
    ghc_flush_request ();
}

int
proflog_control (const char *request, char *text, size_t size)
{
  if (text != NULL && size != 0)
    text[0] = 0;
  return is_ready && process == getpid () ? control_inside (&ghc_verbs, request, text, size)
                                          : PROFLOG_NOT_RECORDED;
}

void
proflog_ghc_exit (void)
{
  if (process != getpid ())
    return;
  is_ready = false;
  control_finish ();
  ghc_flush_finish ();
}
