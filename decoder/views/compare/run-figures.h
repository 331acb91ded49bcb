/* run-figures.h -- the figures of a run: the report of its log, recorded. */
#ifndef PROFLOG_RUN_FIGURES_H
#define PROFLOG_RUN_FIGURES_H

#include "decoder/output/emitter-record.h"
#include "decoder/views/section.h"

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

/* Those of empty logs: all sections, for the keys and tables that reports have. */
struct run_figures *run_figures_new_empty (void);
struct run_figures *run_figures_new_empty_eventlog (void);
void run_figures_free (struct run_figures *run);

/* Whether a figure or table of this key is of what was not recorded: every program allocates and
 * calls, so none of it is no figure. */
bool run_figures_lacks (const struct run_figures *run, const char *key);

/* The whole number of this key; 0 if there is none. */
uint64_t run_figures_number (const struct run_figures *run, const char *key);

/* Figures of a key, in a group of runs. */
struct run_amounts {
  guint runs; /* that have it */
  uint64_t median, min, max;
};

/* Sorts the amounts. */
struct run_amounts run_amounts_of (uint64_t *amounts, guint count);

/* Adds up a cell of rows that are one, by the key of its column. */
uint64_t run_figures_add_cell (const char *column, uint64_t sum, const struct emitter_any *cell);

#endif
