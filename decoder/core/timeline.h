/* timeline.h -- figures of each interval of a log, in memory that does not grow with it.
 *
 * The time of a log is cut into bins of one width.  There are three kinds of figures of bins:
 *
 * - lanes: the time that a thread or capability spent in a state, cut at the bounds of bins;
 * - series: one value for a bin, as the size of the heap at its end;
 * - tables: rows of a name, with sums of calls and the like that began in one bin and ended in the
 *   same or another.
 *
 * A range of bins has those that began and ended in it, as reports of a range of time count them.
 */
#ifndef PROFLOG_TIMELINE_H
#define PROFLOG_TIMELINE_H

#include "decoder/core/id-map.h"
#include "decoder/core/timeline-cells.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define TIMELINE_BINS_MAX 4096u
/* Rows of a table that have a name of their own; further ones count for the row's parent. */
#define TIMELINE_ROWS_MAX (1u << 20)
/* Pauses, intervals, runs of Haskell threads and marks that are retained one by one: of marks the
 * first, of the others the longest, at least half as many. */
#define TIMELINE_EVENTS_MAX 20000u

enum timeline_state {
  TIMELINE_RUN,
  TIMELINE_WAIT,  /* for a lock, of a capability in a collection; with samples of the wall clock
                     for anything */
  TIMELINE_PAUSE, /* for the collector */
  TIMELINE_STATES,
};

/* Values of the bins from `first` on, before `end`: of as many as a lane spans, so that a hundred
 * thousand threads that live shortly need little memory. */
struct timeline_bins {
  uint64_t *values; /* NULL: all bins are 0 */
  guint first, end;
  guint room; /* values that fit */
};

struct timeline_lane {
  char *name;
  guint process;      /* its place in the processes of the timeline */
  bool is_of_process; /* and of no thread: its pauses */
  uint64_t first;     /* when it begins, on the log's clock, if that orders the lanes */
  struct timeline_bins ns[TIMELINE_STATES]; /* without values: never in the state */
  struct timeline_bins events;              /* without values: they are not counted */
};

enum timeline_unit { TIMELINE_COUNT, TIMELINE_NS, TIMELINE_BYTES };

/* The quantity of a series. */
enum timeline_quantity {
  TIMELINE_OTHER,
  TIMELINE_HEAP_SIZE,
  TIMELINE_LIVE,
  TIMELINE_BLOCKS,    /* that are in use, of the heap of GHC */
  TIMELINE_NEEDED,    /* of it, as the collector states */
  TIMELINE_MEMORY,    /* a part of the process's memory */
  TIMELINE_ALLOCATED, /* since the start of the program, by one capability */
  TIMELINE_SPARKS_CREATED,
  TIMELINE_SPARKS_CONVERTED,
  TIMELINE_SPARKS_FIZZLED,
  TIMELINE_SPARKS_REMAINING, /* in the pools */
  TIMELINE_RUNNABLE,         /* a sum: the time of threads that could run, but did not */
};

struct timeline_series {
  char *name;
  guint process;
  enum timeline_quantity quantity;
  enum timeline_unit unit;
  bool is_level;  /* the latest value holds until the next; else values of a bin are added up */
  double before;  /* of a level: its value before the first bin */
  double *values; /* by bin */
  bool *known;    /* by bin: there was one */
  guint end;      /* of a level: it holds up to this bin at most */
};

struct timeline_row {
  uint32_t parent; /* of stacks: the row of the caller; TIMELINE_ROOT: none */
  uint32_t name;   /* its place in names of the timeline */
};

#define TIMELINE_ROOT 0 /* a row of every table, which has no name */

enum timeline_table_key {
  TIMELINE_CALLS,   /* stacks */
  TIMELINE_SAMPLES, /* stacks; of threads that ran */
  TIMELINE_WAITS,   /* stacks; of samples of threads that waited */
  TIMELINE_ALLOCATIONS,
  TIMELINE_EXCEPTIONS,
  TIMELINE_LOCKS,
  TIMELINE_COLLECTIONS,
  TIMELINE_PAUSES,
  TIMELINE_THREADS, /* Haskell threads */
  TIMELINE_TABLES,
};

struct timeline_table {
  GArray *rows; /* of struct timeline_row */
  struct id_map row_numbers;
  struct timeline_cells cells;
};

#define TIMELINE_GENERATION_UNKNOWN G_MAXUINT

struct timeline_pause {
  uint64_t time; /* from the beginning of the first bin, ns */
  uint64_t ns;
  guint generation; /* that was collected */
};

struct timeline_mark {
  uint64_t time;
  uint32_t name;
};

/* An interval between marks, of a lane on which intervals nest. */
struct timeline_interval {
  uint64_t time; /* from the beginning of the first bin, ns */
  uint64_t ns;
  uint32_t name;
  guint lane;
  guint depth;  /* intervals of the lane that it is within */
  bool is_open; /* it does not end */
};

/* A Haskell thread ran. */
struct timeline_run {
  uint64_t time; /* from the beginning of the first bin, ns */
  uint64_t ns;
  uint32_t name; /* of the thread */
  uint32_t lane; /* the name of where it ran */
};

/* The longest events of a kind: each begins with its time and its ns.  At the end the longest is
 * the first one. */
struct timeline_longest {
  GArray *list;
  uint64_t least_ns; /* shorter ones do not come in */
  uint64_t left_out; /* so many came, but are not in the list */
};

struct timeline {
  uint64_t begin; /* of the first bin, from the beginning of the log, ns: some of `width` */
  uint64_t width; /* of a bin, ns */
  guint bins;
  GArray *processes; /* of uint32_t, their names; of one log empty */
  GPtrArray *lanes;  /* of struct timeline_lane *; owns them */
  GPtrArray *series; /* of struct timeline_series *; owns them */
  struct timeline_table tables[TIMELINE_TABLES];
  struct timeline_longest pauses;    /* of struct timeline_pause */
  GArray *marks;                     /* of struct timeline_mark */
  struct timeline_longest intervals; /* of struct timeline_interval */
  GArray *interval_lanes;            /* of uint32_t: their names */
  struct timeline_longest runs;      /* of struct timeline_run */
  uint64_t marks_left_out;
  GPtrArray *names;    /* of char *: each once */
  GHashTable *numbers; /* name -> place in `names` */
};

/* A width of 1, 2 or 5 times a power of ten with which a span of time has at most this many bins;
 * at least 1 ns.  `bins` is at most TIMELINE_BINS_MAX. */
uint64_t timeline_width (uint64_t span_ns, guint bins);

/* A timeline from one time of a log to another; it begins up to a bin earlier.  Bins are so wide
 * that there are no more than TIMELINE_BINS_MAX. */
struct timeline *timeline_new (uint64_t from, uint64_t to, uint64_t width);
void timeline_free (struct timeline *timeline);

/* Times from here on count from the beginning of the first bin. */

/* The bin of a time; later times belong to the last. */
guint timeline_bin (const struct timeline *timeline, uint64_t time);

/* The end of as much of the time up to `to` as belongs to a bin. */
uint64_t timeline_bin_end (const struct timeline *timeline, guint bin, uint64_t to);

uint32_t timeline_name (struct timeline *timeline, const char *name);

/* For timelines of several logs: a process, whose rows lie below the row of its name, which is
 * unlike that of others.  Returns its place in `processes`. */
guint timeline_add_process (struct timeline *timeline, const char *name);

/* Levels as the size of the heap end with the last event of their process; sums since its start
 * hold. */
void timeline_end_process (struct timeline *timeline, guint process, uint64_t last);

/* New ones; the timeline owns them. */
struct timeline_lane *timeline_add_lane (struct timeline *timeline, const char *name);
struct timeline_series *timeline_add_series (struct timeline *timeline, const char *name,
                                             enum timeline_unit unit, bool is_level);

/* The figures of a lane in a bin: the time in a state, the number of events. */
uint64_t timeline_bins_at (const struct timeline_bins *bins, guint bin);
uint64_t timeline_lane_ns (const struct timeline_lane *lane, enum timeline_state state, guint bin);
uint64_t timeline_lane_events (const struct timeline_lane *lane, guint bin);

/* A lane was in a state from one time to another. */
void timeline_lane_spend (const struct timeline *timeline, struct timeline_lane *lane,
                          enum timeline_state state, uint64_t from, uint64_t to);
void timeline_lane_event (const struct timeline *timeline, struct timeline_lane *lane,
                          uint64_t time);
void timeline_lane_add_events (struct timeline_lane *lane, guint bin, uint64_t events);
void timeline_series_put (const struct timeline *timeline, struct timeline_series *series,
                          double value, uint64_t time);

/* Adds the time from one time to another to a series that is no level. */
void timeline_series_spend (const struct timeline *timeline, struct timeline_series *series,
                            uint64_t from, uint64_t to);

/* The row of a name below another one. */
uint32_t timeline_row (struct timeline *timeline, enum timeline_table_key table, uint32_t parent,
                       uint32_t name);

/* Adds to a row a count and an amount that began and ended in these bins, or at these times. */
void timeline_add_bins (struct timeline *timeline, enum timeline_table_key table, uint32_t row,
                        guint begin, guint end, uint64_t count, uint64_t amount);
void timeline_add (struct timeline *timeline, enum timeline_table_key table, uint32_t row,
                   uint64_t begin, uint64_t end, uint64_t count, uint64_t amount);

void timeline_add_pause (struct timeline *timeline, guint generation, uint64_t begin, uint64_t end);
guint timeline_add_interval_lane (struct timeline *timeline, const char *name);
void timeline_add_interval (struct timeline *timeline, const struct timeline_interval *interval);
void timeline_add_run (struct timeline *timeline, const struct timeline_run *run);
void timeline_add_mark (struct timeline *timeline, uint64_t time, const char *text);

/* After the last event, and before sums and cells are read: levels hold until the next value; the
 * longest pauses, intervals and runs are the first. */
void timeline_finish (struct timeline *timeline);

/* The rest is of one process, or of TIMELINE_ALL. */
#define TIMELINE_ALL G_MAXUINT

/* The sum of the lanes in a bin: the time in a state, the number of events. */
uint64_t timeline_ns (const struct timeline *timeline, guint process, enum timeline_state state,
                      guint bin);
uint64_t timeline_events (const struct timeline *timeline, guint process, guint bin);

/* The sum of all series of a quantity by bin; false if there is none.  And the levels before the
 * first bin. */
bool timeline_levels (const struct timeline *timeline, guint process,
                      enum timeline_quantity quantity, double *values);
double timeline_level_before (const struct timeline *timeline, guint process,
                              enum timeline_quantity quantity);

/* By how much a level that grows did in a bin. */
uint64_t timeline_growth (const double *levels, double before, guint bin);

/* The sums by the bin of the beginning, over all rows of a table. */
void timeline_sums (const struct timeline *timeline, guint process, enum timeline_table_key table,
                    uint64_t *counts, uint64_t *amounts);

#endif
