/* newer-runtime.c -- stands in for GHC's runtime from 9.2 on, with a program that obeys the lines
 * on its input, for tests of haskell/proflog-main.c where there is no such compiler.
 *
 *   count N   N messages in the eventlog, "message 1" and so on
 *   collect   a collection
 *   quit      ends with an exception that no one catches; at the end of the input it ends with 0
 * It prints "done" for each, and at the end how often the eventlog was flushed: what this runtime
 * does when it is asked, and at no other time.  With ONE_THREAD in the environment it is the
 * runtime that is linked without -threaded. */
#include "config.h"

#include "tests/ghc-live/newer/Rts.h"

#include <proflog/eventlog-writer.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

const RtsConfig defaultRtsConfig = { .rts_opts_enabled = RtsOptsSafeOnly };
StgClosure ZCMain_main_closure;

static RtsConfig config;
static struct eventlog_writer *eventlog; /* NULL: none is written */
static _Atomic unsigned flushes;
static SchedulerStatus status = Success;

static bool
write_block (void *unused, const void *bytes, size_t length)
{
  (void) unused;
  return config.eventlog_writer->writeEventLog ((void *) (size_t) bytes, length);
}

void
hs_init_ghc (int *argc, char **argv[], RtsConfig c)
{
  (void) argc;
  (void) argv;
  config = c;
  if (c.rts_opts == NULL || strcmp (c.rts_opts, "-l") != 0)
    return;
  eventlog = eventlog_writer_new (NULL);
  if (eventlog_writer_set_callback (eventlog, write_block, NULL) != EVENTLOG_OK
      || eventlog_writer_send_header (eventlog) != EVENTLOG_OK
      || eventlog_writer_start (eventlog) != EVENTLOG_OK)
    abort ();
  EVENTLOG_POST (eventlog, 0, create_thread, .thread = 1);
}

bool
rtsSupportsBoundThreads (void)
{
  return getenv ("ONE_THREAD") == NULL;
}

Capability *
rts_lock (void)
{
  return NULL;
}

void
rts_unlock (Capability *cap)
{
  (void) cap;
}

static void
count (unsigned long n)
{
  static unsigned long counted;
  char text[32];
  while (n-- != 0) {
    snprintf (text, sizeof text, "message %lu", ++counted);
    if (eventlog != NULL)
      EVENTLOG_POST (eventlog, 0, user_msg, .message = { text, strlen (text) });
  }
}

static void
collect (void)
{
  if (config.gcDoneHook != NULL)
    config.gcDoneHook (NULL);
}

void
rts_evalLazyIO (Capability **cap, StgClosure *closure, void **result)
{
  char line[64];
  (void) cap;
  (void) closure;
  (void) result;
  while (status == Success && fgets (line, sizeof line, stdin) != NULL) {
    if (strncmp (line, "count ", 6) == 0)
      count (strtoul (line + 6, NULL, 10));
    else if (strcmp (line, "collect\n") == 0)
      collect ();
    else
      status = Killed;
    printf ("done\n");
    fflush (stdout);
  }
}

SchedulerStatus
rts_getSchedStatus (Capability *cap)
{
  (void) cap;
  return status;
}

void
errorBelch (const char *text, ...)
{
  va_list args;
  va_start (args, text);
  vfprintf (stderr, text, args);
  va_end (args);
  fputc ('\n', stderr);
}

/* The eventlog ends after the hook. */
void
shutdownHaskellAndExit (int code, int fast)
{
  (void) fast;
  if (config.onExitHook != NULL)
    config.onExitHook ();
  if (eventlog != NULL) {
    eventlog_writer_stop (eventlog);
    config.eventlog_writer->stopEventLogWriter ();
    eventlog_writer_free (eventlog);
  }
  printf ("flushes %u\n", atomic_load (&flushes));
  exit (code);
}

void
flushEventLog (Capability **cap)
{
  if (cap != NULL)
    abort (); /* no thread of ours has a capability */
  flushes++;
  eventlog_writer_flush (eventlog);
}

int
hs_main (int argc, char *argv[], StgClosure *closure, RtsConfig c)
{
  hs_init_ghc (&argc, &argv, c);
  rts_evalLazyIO (NULL, closure, NULL);
  shutdownHaskellAndExit (status == Success ? EXIT_SUCCESS : EXIT_KILLED, 0);
}
