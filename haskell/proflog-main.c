/* proflog-main.c -- the main function of a GHC program whose eventlog can be read while it runs.
 *
 *   ghc -threaded -eventlog -no-hs-main Program.hs proflog-main.c -lproflog-ghc
 *
 * Nothing of the program itself changes.  Without the environment variable PROFLOG_GHC it runs as
 * with the main function that GHC makes; with it, as with +RTS -l, and the eventlog goes where the
 * variable says (see proflog-ghc(7)).  -optc-DPROFLOG_RTSOPTS=RtsOptsAll is what -rtsopts is
 * otherwise. */
#include <Rts.h>
#include <proflog/ghc-program.h>

#ifndef PROFLOG_RTSOPTS
#define PROFLOG_RTSOPTS RtsOptsSafeOnly
#endif

extern StgClosure ZCMain_main_closure;

static const EventLogWriter writer
    = { .writeEventLog = proflog_ghc_write, .stopEventLogWriter = proflog_ghc_stop };

/* From 9.2 on the runtime can flush its buffers by itself. */
#if __GLASGOW_HASKELL__ >= 902

static void
flush (void)
{
  flushEventLog (NULL);
}

static void
write_out (void)
{
  flushEventLog (NULL);
}

#define FLUSHES_AT_ONCE true

#else

void performGC (void);

/* The runtime writes out all buffers when the eventlog ends, which is safe while no capability
 * runs: after a collection. */
static void
flush (void)
{
  performGC ();
}

static void
write_out (void)
{
  endEventLogging ();
  startEventLogging (&writer);
}

#define FLUSHES_AT_ONCE false

#endif

/* After each collection.  A runtime with one thread writes out its buffers only then, as no other
 * thread may have it do so. */
static void
handle_collection (const struct GCDetails_ *details)
{
  (void) details;
  if (!proflog_ghc_restarts ())
    return;
  write_out ();
  proflog_ghc_restarted ();
}

/* As the runtime's own main function does it. */
static void
run_program (int argc, char **argv, RtsConfig config)
{
  hs_init_ghc (&argc, &argv, config);
  const bool has_threads = rtsSupportsBoundThreads ();
  proflog_ghc_ready (has_threads ? flush : NULL, has_threads && FLUSHES_AT_ONCE);
  Capability *cap = rts_lock ();
  rts_evalLazyIO (&cap, &ZCMain_main_closure, NULL);
  const SchedulerStatus status = rts_getSchedStatus (cap);
  rts_unlock (cap);
  switch (status) {
  case Killed:
    errorBelch ("main thread exited (uncaught exception)");
    shutdownHaskellAndExit (EXIT_KILLED, 0);
    break;
  case Interrupted:
    errorBelch ("interrupted");
    shutdownHaskellAndExit (EXIT_INTERRUPTED, 0);
    break;
  case HeapExhausted:
    shutdownHaskellAndExit (EXIT_HEAPOVERFLOW, 0);
    break;
  default:
    shutdownHaskellAndExit (status == Success ? EXIT_SUCCESS : EXIT_FAILURE, 0);
  }
}

int
main (int argc, char **argv)
{
  RtsConfig config = defaultRtsConfig;
  config.rts_opts_enabled = PROFLOG_RTSOPTS;
  config.rts_opts_suggestions = true;
  config.rts_hs_main = true;
  if (!proflog_ghc_open ())
    return hs_main (argc, argv, &ZCMain_main_closure, config);
  config.rts_opts = "-l";
  config.eventlog_writer = &writer;
  config.onExitHook = proflog_ghc_exit;
  config.gcDoneHook = handle_collection;
  run_program (argc, argv, config);
  return 0;
}
