/* ghc-program.c -- starts and ends the live eventlog of a GHC program, and answers proflog ctl. */
#include "config.h"

#include "ghc/ghc-flush.h"
#include "ghc/ghc-live.h"
#include "ghc/ghc-options.h"
#include "agent/control-inside.h"
#include "agent/control.h"
#include "agent/warn.h"
#include <proflog/ghc-program.h>
#include <proflog/program.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

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
