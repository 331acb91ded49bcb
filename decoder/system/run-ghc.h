/* run-ghc.h -- programs that GHC made: the events that their runtime can record, and how to request
 * them. */
#ifndef PROFLOG_RUN_GHC_H
#define PROFLOG_RUN_GHC_H

#include <glib.h>
#include <stdbool.h>

/* Whether the runtime's options are accepted; GHC's -rtsopts. */
enum run_ghc_options {
  RUN_GHC_UNKNOWN,    /* the file does not state it */
  RUN_GHC_NONE,       /* not at all */
  RUN_GHC_IGNORE_ALL, /* likewise; the program gets them as arguments */
  RUN_GHC_IGNORE,     /* in the environment only */
  RUN_GHC_SOME,       /* the harmless ones */
  RUN_GHC_ALL,
};

/* The facts in an executable file. */
struct run_ghc {
  bool is_ghc;       /* it has GHC's runtime, or is linked with it */
  bool has_eventlog; /* which can write eventlogs */
  bool is_live;      /* it is linked with libproflog-ghc */
  enum run_ghc_options options;
};

/* Inspects the file, which is not run. */
struct run_ghc run_ghc_inspect (const char *executable);

/* Whether the file has GHC's notes, or the library of its runtime: reads little of it, and misses a
 * file without symbols that the runtime is linked into. */
bool run_ghc_has_marks (const char *executable);

/* Reports why its eventlog cannot be recorded, each reason with the line that mends it; false: it
 * can. `heap`: with a heap profile.  `program`: its name in messages. */
bool run_ghc_report_obstacles (const struct run_ghc *ghc, bool heap, const char *program);

#endif
