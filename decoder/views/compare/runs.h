/* runs.h -- the figures of a log, and its origin. */
#ifndef PROFLOG_RUNS_H
#define PROFLOG_RUNS_H

#include "decoder/output/emitter-record.h"
#include "decoder/views/section.h"

/* ---- the figures of a run: the report of its log, recorded ---- */

struct run_figures {
  char *log; /* its name */
  bool is_eventlog;
  char *host; /* that an eventlog states; NULL: none */
  struct emitter_record *record;
  struct run_figures *all;             /* of all sections; NULL: these are */
  bool lacks_allocations, lacks_calls; /* none were recorded */
};

/* The figures of the sections that the view shows; free with run_figures_free. */
struct run_figures *run_figures_new (const char *log, const struct summary *summary,
                                     const struct view *view);
struct run_figures *run_figures_new_eventlog (const char *log, const struct ghc_summary *summary,
                                              const struct view *view);

void run_figures_free (struct run_figures *run);

/* Whether a figure or table of this key is of events that were not recorded: every program
 * allocates and calls, so none of it is no figure. */
bool run_figures_lacks (const struct run_figures *run, const char *key);

/* The whole number of this key; 0 if there is none. */
uint64_t run_figures_number (const struct run_figures *run, const char *key);

/* Half of the interval of an estimate from samples, the value of a key; 0: it is none. */
double run_figures_error (const struct run_figures *run, const char *key);

/* The columns with the bounds of estimates: "self_ns" has "self_low_ns", "bytes" has "bytes_low".
 */
struct run_bounds {
  guint low, high;
};
struct run_bounds run_figures_bounds (const struct emitter_record_table *table, const char *column);

/* Half of the interval of a cell of such a column; 0: it is no estimate. */
double run_figures_cell_error (const struct emitter_record_table *table, guint row,
                               const struct run_bounds *bounds);

/* Figures of a key, in a group of runs. */
struct run_amounts {
  guint runs; /* that have it */
  uint64_t median, min, max;
  double deviation; /* the standard deviation of the runs; 0: fewer than two */
  double error;     /* half of the interval of 95 % of the only run, where it is an estimate from
                     * samples; else 0 */
};

/* Sorts the amounts. */
struct run_amounts run_amounts_of (uint64_t *amounts, guint count);

/* Adds up a cell of rows that are one, by the key of its column. */
uint64_t run_figures_add_cell (const char *column, uint64_t sum, const struct emitter_any *cell);

/* ---- the origin of a log: host, process, version of the program ---- */

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
