/* ghc-verbs.c -- the requests of `proflog ctl` to a GHC program. */
#include "config.h"

#include "ghc/ghc-flush.h"
#include "ghc/ghc-live.h"
#include "ghc/ghc-options.h"
#include "ghc/ghc-verbs.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
flush (struct reply *r)
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
  if (!flush (r))
    return;
  ghc_live_get_figures (&f);
  reply_number (r, "bytes_written", f.bytes);
}

static void
verb_sync (struct reply *r, size_t count, char **words)
{
  if (!flush (r))
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

const struct control_verbs ghc_verbs = { verbs, sizeof verbs / sizeof *verbs };
