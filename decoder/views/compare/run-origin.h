/* run-origin.h -- where a log comes from: its host, its process, the version of its program. */
#ifndef PROFLOG_RUN_ORIGIN_H
#define PROFLOG_RUN_ORIGIN_H

#include "decoder/views/compare/run-figures.h"

#define RUN_ORIGIN_UNKNOWN "unknown"

/* The sections of reports that this is read from, for sections_parse_both. */
#define RUN_ORIGIN_SECTIONS "log,metadata"

/* The component host=NAME of the path of the log, as fleets and Hive lay out files; else HOSTNAME
 * in the environment that an old eventlog states; else unknown (transfer full). */
char *run_origin_host (const struct run_figures *run);

/* The process; 0: unknown. */
uint64_t run_origin_pid (const struct run_figures *run);

/* The version of the program (transfer full): name and version of the main assembly, which is the
 * first one in a file that ends in .exe, else the first but mscorlib, unless its version is
 * 0.0.0.0, as without an attribute; else the component version=NAME of the path of the log; else
 * the runtime of GHC or the data version of a Mono log. */
char *run_origin_version (const struct run_figures *run);

#endif
