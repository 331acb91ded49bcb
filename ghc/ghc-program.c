/* ghc-program.c -- starts and ends the live eventlog of a GHC program. */
#include "config.h"

#include "ghc/ghc-flush.h"
#include "ghc/ghc-live.h"
#include "ghc/ghc-options.h"
#include "ghc/ghc-verbs.h"
#include "agent/control-inside.h"
#include "agent/control.h"
#include "agent/warn.h"
#include <proflog/ghc-program.h>
#include <proflog/program.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

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
