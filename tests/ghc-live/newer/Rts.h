/* Rts.h -- stands in for the header of GHC's runtime from 9.2 on, of which it has the part that
 * haskell/proflog-main.c uses, as that runtime's documentation states it.
 *
 * The functions are in newer-runtime.c. */
#ifndef PROFLOG_TESTS_RTS_H
#define PROFLOG_TESTS_RTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct StgClosure_ {
  int unused;
} StgClosure;

typedef struct Capability_ Capability;

typedef struct {
  void (*initEventLogWriter) (void);
  bool (*writeEventLog) (void *bytes, size_t length);
  void (*flushEventLog) (void);
  void (*stopEventLogWriter) (void);
} EventLogWriter;

struct GCDetails_;

typedef enum { RtsOptsNone, RtsOptsSafeOnly, RtsOptsAll } RtsOptsEnabledEnum;

typedef struct {
  RtsOptsEnabledEnum rts_opts_enabled;
  bool rts_opts_suggestions;
  const char *rts_opts;
  bool rts_hs_main;
  const EventLogWriter *eventlog_writer;
  void (*onExitHook) (void);
  void (*gcDoneHook) (const struct GCDetails_ *stats);
} RtsConfig;

typedef enum { NoStatus, Success, Killed, Interrupted, HeapExhausted } SchedulerStatus;

enum { EXIT_KILLED = 250, EXIT_INTERRUPTED = 251, EXIT_HEAPOVERFLOW = 252 };

extern const RtsConfig defaultRtsConfig;

void hs_init_ghc (int *argc, char **argv[], RtsConfig config);
int hs_main (int argc, char *argv[], StgClosure *closure, RtsConfig config);
bool rtsSupportsBoundThreads (void);
Capability *rts_lock (void);
void rts_evalLazyIO (Capability **cap, StgClosure *closure, void **result);
SchedulerStatus rts_getSchedStatus (Capability *cap);
void rts_unlock (Capability *cap);
void errorBelch (const char *text, ...);
void shutdownHaskellAndExit (int status, int fast) __attribute__ ((noreturn));
void flushEventLog (Capability **cap);

#endif
