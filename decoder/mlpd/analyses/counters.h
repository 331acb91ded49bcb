/* counters.h -- the counters of the runtime and of the program, over time.
 *
 * Values of integer types are written as differences, modulo 2^64; those of user counters, of
 * doubles and of strings as they are.  A counter has its last value, its extremes, and a series of
 * bounded length: when that is full every other point goes, and from then on only every second
 * (fourth ...) update adds one.
 */
#ifndef PROFLOG_COUNTERS_H
#define PROFLOG_COUNTERS_H

#include <glib.h>
#include <proflog/mlpd.h>
#include <stdbool.h>

#define COUNTER_POINTS_MAX 512

enum counter_kind { COUNTER_SIGNED, COUNTER_UNSIGNED, COUNTER_DOUBLE, COUNTER_TEXT };

/* A value: the counter's type determines the member that counts.  Text is owned, and may be
 * NULL. */
union counter_value {
  int64_t change;
  uint64_t number;
  double real;
  const char *text;
};

struct counter_point {
  uint64_t time;
  union counter_value value;
};

struct counter {
  uint64_t index;
  bool described;
  uint64_t section, type, unit, variance;
  char *section_name; /* of user counters; else NULL */
  char *name;         /* NULL: not described */
  uint64_t updates;
  struct counter_point last;    /* without updates: zeros */
  union counter_value min, max; /* of numbers */
  uint64_t stride;              /* updates a point */
  GArray *points;               /* of struct counter_point; the first update is always there */
};

struct counters {
  GPtrArray *all;      /* of struct counter *, in the order they come first */
  GHashTable *current; /* uint64_t index -> struct counter */
};

extern const struct analysis counters_analysis;

void counters_init (struct counters *counters);
void counters_clear (struct counters *counters);

/* The counters of the log.  An index that is described otherwise than before is another counter
 * from there on. */
void counters_describe (struct counters *counters, const struct mlpd_sample_counters_desc *event);

/* New values, of this time. */
void counters_update (struct counters *counters, const struct mlpd_sample_counters *event,
                      uint64_t time);

/* New values that do not count: those that follow may be reported by their difference. */
void counters_skip (struct counters *counters, const struct mlpd_sample_counters *event);

/* Values that were reached before, at the beginning of a file: they are no differences, and count
 * only as a counter's first, if at all (`counts`). */
void counters_repeat (struct counters *counters, const struct mlpd_sample_counters *event,
                      uint64_t time, bool counts);

/* How many events our module states that it had to drop; 0: it does not. */
uint64_t counters_lost_events (const struct counters *counters);

enum counter_kind counter_kind_of (const struct counter *counter);

/* Name of the section that a counter is in, such as "Mono JIT"; NULL if unknown.  The counter's or
 * static. */
const char *counter_section (const struct counter *counter);

/* The unit of its values: "100ns", "us", "bytes" and others; NULL where the log does not state it.
 */
const char *counter_unit (const struct counter *counter);

/* A number of ns that is one of a time in this counter's unit; 0 if it is no time: types long and
 * ulong count 100 ns, time-interval microseconds. */
uint64_t counter_ns (const struct counter *counter);

#endif
