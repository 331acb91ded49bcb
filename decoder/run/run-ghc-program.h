/* run-ghc-program.h -- `proflog run` of a program that GHC made. */
#ifndef PROFLOG_RUN_GHC_PROGRAM_H
#define PROFLOG_RUN_GHC_PROGRAM_H

#include "decoder/system/run-ghc.h"
#include "decoder/run/run-options.h"

/* Has the program's runtime write its eventlog, and runs it.  Returns the exit status of the
 * program, or that of a problem, which is reported; -1 and *error if the program could not be
 * started. */
int run_ghc_program (const struct run_values *run, const char *executable,
                     const struct run_ghc *ghc, const char *output, GError **error);

#endif
